"""The ordered map and the work queue: order, bounds, one state a worker, prompt stops."""

import itertools
import pickle
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from hokm_solver.errors import LimitError
from hokm_solver.parallel import AHEAD_PER_JOB, KEPT_TASKS, Crew, WorkQueue, available_cores, ordered_map


class Worker:
    """A stand-in for a solver: can be told to stop."""

    def __init__(self):
        self.stopped = threading.Event()

    def interrupt(self):
        self.stopped.set()

    def run_until_stopped(self, item):
        if not self.stopped.wait(timeout=20):
            raise AssertionError("was never interrupted")
        raise KeyboardInterrupt


def square(_, item):
    return item * item


def slow_when_even(_, item):
    time.sleep(0.01 if item % 2 == 0 else 0)
    return item


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(jobs):
    assert list(ordered_map(slow_when_even, range(30), state=object, jobs=jobs)) == list(range(30))


def test_no_items():
    assert list(ordered_map(square, [], state=object)) == []


@pytest.mark.parametrize("jobs", [0, -1])
def test_jobs_below_one_are_refused(jobs):
    with pytest.raises(ValueError, match="jobs must be at least 1"):
        list(ordered_map(square, [1], state=object, jobs=jobs))


def test_a_worker_makes_its_state_once():
    made = []

    def work(state, _):
        time.sleep(0.001)
        return state

    def make():
        made.append(object())
        return made[-1]

    used = set(map(id, ordered_map(work, range(40), state=make, jobs=2)))
    assert 1 <= len(made) <= 2
    assert used == set(map(id, made))


def test_an_endless_input_is_read_only_a_little_ahead():
    read = itertools.count()
    results = ordered_map(square, iter(read.__next__, -1), state=object, jobs=2)
    assert list(itertools.islice(results, 50)) == [i * i for i in range(50)]
    results.close()
    assert next(read) <= 50 + 2 * AHEAD_PER_JOB + 3


def test_a_slow_source_does_not_hold_back_a_finished_result():
    go_on = threading.Event()

    def items():
        yield 3
        assert go_on.wait(timeout=10)
        yield 4

    results = ordered_map(square, items(), state=object)
    assert next(results) == 9
    go_on.set()
    assert list(results) == [16]


def test_an_exception_of_the_work_comes_at_its_place():
    def work(_, item):
        if item == 3:
            raise LookupError("three")
        return item

    results = ordered_map(work, range(10), state=object, jobs=2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(LookupError, match="three"):
        next(results)


def test_an_exception_of_the_items_comes_at_its_place():
    def items():
        yield 1
        raise LookupError("no more")

    results = ordered_map(square, items(), state=object)
    assert next(results) == 1
    with pytest.raises(LookupError, match="no more"):
        next(results)


def test_leaving_early_interrupts_the_workers():
    def work(worker, item):
        return item if item == 0 else worker.run_until_stopped(item)

    results = ordered_map(work, range(100), state=Worker, jobs=2, interrupt=Worker.interrupt)
    assert next(results) == 0
    start = time.monotonic()
    results.close()
    assert time.monotonic() - start < 1


def test_until_ends_the_map_but_not_before_the_first_result():
    def work(worker, item):
        return time.sleep(0.05) if item == 0 else worker.run_until_stopped(item)

    start = time.monotonic()
    results = list(ordered_map(work, range(9), state=Worker, jobs=1, interrupt=Worker.interrupt, until=start))
    assert results == [None]
    assert time.monotonic() - start < 2


def test_until_ends_a_map_that_waits_for_its_items():
    def items():
        yield 1
        time.sleep(3)

    start = time.monotonic()
    assert list(ordered_map(square, items(), state=object, until=start + 0.1)) == [1]
    assert time.monotonic() - start < 2


# A crew: workers elsewhere


class Sent(Executor):
    """An executor that pickles as if its workers were elsewhere, and remembers how many items came together."""

    def __init__(self, threads=2):
        self.pool = ThreadPoolExecutor(threads)
        self.together = []

    def submit(self, task, items):
        self.together.append(len(items))
        return self.pool.submit(self.run, pickle.dumps((task, items)))

    @staticmethod
    def run(sent):
        task, items = pickle.loads(sent)
        return pickle.loads(pickle.dumps(task(items)))

    def shutdown(self, **options):
        self.pool.shutdown(**options)


@pytest.fixture
def sent():
    with Sent() as executor:
        yield executor


class Counted:
    """A state that counts how often one was made in this process."""

    made = 0

    def __init__(self):
        type(self).made += 1


def fail_at_thirty(_, item):
    if item == 30:
        raise LimitError("thirty", field="item")
    return item


def nap(_, item):
    time.sleep(0.03)
    return item


def test_a_crew_gives_the_same_results_in_order_and_is_left_open(sent):
    for _ in range(2):
        assert list(ordered_map(square, range(500), state=object, jobs=Crew(sent, 2))) == [i * i for i in range(500)]
    assert sent.pool.submit(square, None, 3).result() == 9


def test_quick_items_are_sent_together_and_slow_ones_are_not(sent):
    list(ordered_map(square, range(1000), state=object, jobs=Crew(sent, 2)))
    assert sent.together[0] == 1
    assert max(sent.together) == Crew(sent, 2).together
    sent.together.clear()
    assert list(ordered_map(nap, range(160), state=object, jobs=Crew(sent, 2))) == list(range(160))
    assert max(sent.together) <= 8


def test_a_worker_elsewhere_makes_its_state_once_and_forgets_the_oldest(sent):
    Counted.made = 0
    for count in range(1, KEPT_TASKS + 2):
        list(ordered_map(square, range(300), state=Counted, jobs=Crew(sent, 2)))
        assert count <= Counted.made <= 2 * count
    from hokm_solver.parallel import _tasks_here

    assert len(_tasks_here) == KEPT_TASKS


def test_an_exception_from_elsewhere_comes_at_its_place(sent):
    results = ordered_map(fail_at_thirty, range(100), state=object, jobs=Crew(sent, 2, together=7))
    assert [next(results) for _ in range(30)] == list(range(30))
    with pytest.raises(LimitError, match="thirty") as caught:
        next(results)
    assert caught.value.field == "item"


def test_a_slow_source_does_not_hold_back_what_is_gathered(sent):
    go_on = threading.Event()

    def items():
        yield from range(150)  # enough to know that they are quick
        for item in range(150, 153):
            assert go_on.wait(timeout=10)
            go_on.clear()
            yield item

    results = ordered_map(square, items(), state=object, jobs=Crew(sent, 1))
    for item in range(153):
        if item >= 150:
            go_on.set()
        assert next(results) == item * item


def test_few_items_are_in_hand_elsewhere(sent):
    read = itertools.count()
    results = ordered_map(square, iter(read.__next__, -1), state=object, jobs=Crew(sent, 2))
    assert list(itertools.islice(results, 300)) == [i * i for i in range(300)]
    results.close()
    assert next(read) <= 300 + 2 * AHEAD_PER_JOB + Crew(sent, 2).together + 3


def test_leaving_a_crew_drops_what_has_not_begun(sent):
    results = ordered_map(nap, range(100), state=object, jobs=Crew(sent, 2))
    assert next(results) == 0
    results.close()
    begun = time.monotonic()
    sent.pool.shutdown(wait=True)
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize("jobs", [0, -1, 1.5])
def test_a_crew_has_workers(sent, jobs):
    with pytest.raises(LimitError, match="jobs must be at least 1"):
        list(ordered_map(square, [1], state=object, jobs=Crew(sent, jobs)))


def test_processes_of_this_machine_are_a_crew():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert list(ordered_map(square, range(50), state=object, jobs=Crew(executor, 1))) == [i * i for i in range(50)]


def test_available_cores_is_positive():
    assert available_cores() >= 1


# The work queue


def until_stopped(worker, done):
    """Work on an item, an event, until the worker is told to stop."""
    assert worker.stopped.wait(timeout=20)
    worker.stopped.clear()
    done.set()


def test_a_queue_is_worked_off_in_order():
    done = []
    with WorkQueue(lambda _, item: done.append(item), [None], room=100, interrupt=square) as queue:
        assert all(queue.put(item) for item in range(50))
    assert done == list(range(50))


def test_every_state_has_a_thread_of_its_own():
    meeting, states = threading.Barrier(3), []

    def work(state, _):
        meeting.wait(timeout=20)
        states.append(state)

    with WorkQueue(work, ["a", "b", "c"], room=3, interrupt=square) as queue:
        for item in range(3):
            assert queue.put(item)
    assert sorted(states) == ["a", "b", "c"]


def test_a_full_queue_takes_nothing():
    begun, go = threading.Event(), threading.Event()

    def work(_, item):
        begun.set()
        assert go.wait(timeout=20)

    with WorkQueue(work, [None], room=2, interrupt=square) as queue:
        assert queue.put(0)
        assert begun.wait(timeout=20)
        assert [queue.put(item) for item in (1, 2, 3)] == [True, True, False]
        go.set()


def test_one_item_is_interrupted_and_the_others_are_not():
    worker, first, second = Worker(), threading.Event(), threading.Event()
    with WorkQueue(until_stopped, [worker], room=2, interrupt=Worker.interrupt) as queue:
        queue.put(first)
        queue.put(second)
        queue.interrupt(second)  # it waits: nothing happens
        assert not second.wait(timeout=0.05)
        assert not first.is_set()
        queue.interrupt(first)
        assert first.wait(timeout=20)
        assert not second.wait(timeout=0.05)
        queue.interrupt(second)
        assert second.wait(timeout=20)


def fail_at_work(worker, *items):
    with WorkQueue(until_stopped, [worker], room=2, interrupt=Worker.interrupt) as queue:
        for item in items:
            queue.put(item)
        while items[0] in queue._waiting:
            time.sleep(0.001)
        raise ZeroDivisionError


def test_an_exception_drops_what_waits_and_interrupts_the_rest():
    first, second = threading.Event(), threading.Event()
    with pytest.raises(ZeroDivisionError):
        fail_at_work(Worker(), first, second)
    assert first.is_set()
    assert not second.is_set()
