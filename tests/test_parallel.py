"""The ordered map: order, bounded reading, one state a worker, prompt stops."""

import itertools
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from hokm_solver.parallel import AHEAD_PER_JOB, available_cores, ordered_map


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


def test_a_given_executor_is_left_open():
    with ThreadPoolExecutor(2) as executor:
        assert list(ordered_map(square, range(5), state=object, executor=executor)) == [0, 1, 4, 9, 16]
        assert executor.submit(square, None, 3).result() == 9


def test_the_task_can_be_sent_to_another_process():
    from hokm_solver.parallel import _Task

    task = pickle.loads(pickle.dumps(_Task(square, object)))
    assert task(7) == 49


def test_available_cores_is_positive():
    assert available_cores() >= 1
