"""An ordered, bounded map over threads or an executor, and a bounded queue with workers that stay.

Everything in the package that uses several cores or machines goes through `ordered_map`: results come in the order of
the items, only a few items are in hand at any time (so the input may be endless), every worker keeps a state of its
own, such as a `Solver` with its table, and stopping is prompt. Only where results are wanted as soon as each is there,
and single items may have to be stopped, `WorkQueue` takes its place.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeAlias, TypeVar
from uuid import uuid4

from hokm_solver.errors import LimitError, check_callable, check_type, is_whole, quote

State = TypeVar("State")
Item = TypeVar("Item")
Result = TypeVar("Result")

POLL_SECONDS = 0.1  # a wait without end cannot be broken by Ctrl-C on Windows, so waits are cut in pieces
INTERRUPT_SECONDS = 0.005  # how often a running worker is told again to stop
# Items in hand for every worker. Results leave in order, so while one long item (the slowest deals take a hundred
# times the mean) holds them back, the other workers must have enough to go on with.
AHEAD_PER_JOB = 64
# Sending work away costs milliseconds, so items are sent together until a task takes about so long, at most a few
# of those in hand for a worker: a task is also what is lost with a worker.
TASK_SECONDS = 0.25
MOST_TOGETHER = AHEAD_PER_JOB // 4
KEPT_TASKS = 2  # in another process, with their states; more would keep the tables of maps that have ended


@dataclass(frozen=True, slots=True)
class Crew:
    """Workers elsewhere: those of an open `concurrent.futures.Executor`, in other processes or on other machines.

    Attributes:
        executor: takes the work; it is left open.
        jobs: number of workers.
        together: most items sent as one task.
        check: called again and again while a result is waited for; it raises when none can come any more.
    """

    executor: Executor
    jobs: int
    together: int = MOST_TOGETHER
    check: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        """Check the crew.

        Raises:
            LimitError: ``jobs`` or ``together`` is not 1 or more. FieldError: no executor, or ``check`` is no function.
        """
        check_type(self.executor, Executor, "executor")
        check_jobs(self.jobs)
        if not is_whole(self.together) or self.together < 1:
            raise LimitError(f"together must be at least 1, not {quote(self.together)}", field="together")
        check_callable(self.check, "check")


Jobs: TypeAlias = int | Crew  # that many threads of this process, or workers elsewhere


def available_cores() -> int:
    """Number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_jobs(jobs: int) -> None:
    """Check a number of workers.

    Raises:
        LimitError: it is no whole number of at least 1.
    """
    if not is_whole(jobs) or jobs < 1:
        raise LimitError(f"jobs must be at least 1, not {quote(jobs)}", field="jobs")


def ordered_map(
    work: Callable[[State, Item], Result],
    items: Iterable[Item],
    *,
    state: Callable[[], State],
    jobs: Jobs = 1,
    interrupt: Callable[[State], None] | None = None,
    until: float | None = None,
) -> Generator[Result, None, None]:
    """Yield ``work(worker_state, item)`` for every item, in the order of the items.

    ``state()`` is called once in every worker, at its first item. ``jobs`` is the number of threads, or a `Crew` of
    workers elsewhere; it never changes a result. What goes to a crew is pickled: `work` and `state` must be functions
    of a module, methods or `functools.partial` of such, and items and results plain values. At ``until`` (a
    `time.monotonic` moment) the map ends, however many items are left, but not before its first result.

    Items are read in a thread of their own, a few ahead, so that a slow source never holds back finished results.

    When the map is left early (an exception of `work` or of the items, Ctrl-C, a closed generator, `until`), items not
    yet begun are dropped and ``interrupt(state)`` is called for every thread until none is at work; it may be called
    from another thread and more than once, and makes `work` raise or return soon. A crew is not waited for: its
    workers finish the few items they have begun.

    Raises:
        LimitError: ``jobs`` out of range. Whatever `work`, the items or the executor of a crew raise, in its place.
    """
    with _crew(jobs) as crew:
        task = _Task(work, state)
        source = _Source(items, lambda items: crew.executor.submit(task, items), crew)
        try:
            yield from _results(source, until, crew.check)
        finally:
            source.stop()
            task.stop(interrupt)


@contextmanager
def _crew(jobs: Jobs) -> Iterator[Crew]:
    """The crew itself, or threads that end with the map."""
    if isinstance(jobs, Crew):
        yield jobs
        return
    check_jobs(jobs)
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="hokm-solver")
    try:
        yield Crew(pool, jobs, together=1)  # handing an item to a thread costs next to nothing
    finally:
        pool.shutdown(cancel_futures=True)


def _results(source: _Source[Item, Result], until: float | None, check: Callable[[], None]) -> Iterator[Result]:
    """The results of the submitted items in order; none but the first later than `until`."""
    deadline: float | None = None
    while (future := source.next_future(deadline)) is not None:
        while not future.done():
            if _past(deadline):
                return
            check()
            wait([future], timeout=POLL_SECONDS)
        done = future.result()
        source.take(done)
        for result in done.results:
            if _past(deadline):
                return
            yield result
            deadline = until
        if done.error is not None:
            raise done.error


def _past(until: float | None) -> bool:
    return until is not None and time.monotonic() >= until


@dataclass(frozen=True, slots=True)
class _Done(Generic[Result]):
    """What became of the items of a task: their results up to the first that failed, why it did, and the time."""

    results: list[Result]
    error: BaseException | None
    seconds: float


class _Task(Generic[State, Item, Result]):
    """What runs in a worker: the work with the worker's own state.

    In another process it is unpickled with every bundle of items, and is the same each time: see `_task_here`.
    """

    def __init__(
        self, work: Callable[[State, Item], Result], make_state: Callable[[], State], name: str | None = None
    ) -> None:
        self._work = work
        self._make_state = make_state
        self._name = name or uuid4().hex
        self._own = threading.local()
        self._lock = threading.Lock()
        self._states: list[State] = []
        self._running = 0
        self._stopped = False

    def __reduce__(self) -> tuple[Any, ...]:
        # Threads and locks stay behind.
        return (_task_here, (self._name, self._work, self._make_state))

    def __call__(self, items: Sequence[Item]) -> _Done[Result]:
        with self._at_work():
            begun = time.monotonic()
            results: list[Result] = []
            error: BaseException | None = None
            try:
                for item in items:
                    if self._stopped:
                        raise CancelledError
                    results.append(self._work(self._state(), item))
            except BaseException as failed:  # raised by the map, behind the results before it
                error = failed
            return _Done(results, error, time.monotonic() - begun)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._lock:
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1

    def _state(self) -> State:
        if not hasattr(self._own, "state"):
            self._own.state = self._make_state()
            with self._lock:
                self._states.append(self._own.state)
        state: State = self._own.state
        return state

    def stop(self, interrupt: Callable[[State], None] | None) -> None:
        """Let no more items begin and return when none is at work in this process."""
        with self._lock:
            self._stopped = True
        while self._running:
            # Again and again: a worker may just have been between two searches and not have noticed.
            if interrupt is not None:
                for state in list(self._states):
                    interrupt(state)
            time.sleep(INTERRUPT_SECONDS)


# The only state of a module in the package: a worker in another process has nothing else that lasts from task to task.
_tasks_here: OrderedDict[str, _Task[Any, Any, Any]] = OrderedDict()
_tasks_lock = threading.Lock()


def _task_here(
    name: str, work: Callable[[State, Item], Result], make_state: Callable[[], State]
) -> _Task[State, Item, Result]:
    """The task of this name in this process, so that a worker makes its state once; the latest ones are kept."""
    with _tasks_lock:
        task = _tasks_here.pop(name, None) or _Task(work, make_state, name)
        _tasks_here[name] = task
        while len(_tasks_here) > KEPT_TASKS:
            _tasks_here.popitem(last=False)
    return task


@dataclass(slots=True)
class _Pace:
    """How many items to send together, from the time that earlier ones took."""

    most: int
    items: int = 0
    seconds: float = 0.0

    def add(self, items: int, seconds: float) -> None:
        """Count a task that is done."""
        self.items += items
        self.seconds += seconds

    @property
    def together(self) -> int:
        """One at a time at first, since nothing is known."""
        if not self.items:
            return 1
        wanted = TASK_SECONDS * self.items / self.seconds if self.seconds else self.most
        return max(1, min(self.most, int(wanted)))


class _Source(Generic[Item, Result]):
    """Reads items in a thread and submits them, one or a few together, as soon as there is room."""

    def __init__(
        self, items: Iterable[Item], submit: Callable[[Sequence[Item]], Future[_Done[Result]]], crew: Crew
    ) -> None:
        self._items = items
        self._submit = submit
        self._pace = _Pace(crew.together)
        self._room = threading.Semaphore(crew.jobs * AHEAD_PER_JOB)
        self._lock = threading.Lock()  # of the two below: both threads submit
        self._gathered: list[Item] = []
        self._stopped = False
        self._futures: queue.SimpleQueue[Future[_Done[Result]] | None] = queue.SimpleQueue()
        self._current: Future[_Done[Result]] | None = None
        # A daemon: it may be waiting for input that never comes when the map is left.
        threading.Thread(target=self._read, name="hokm-solver-items", daemon=True).start()

    def _read(self) -> None:
        try:
            self._read_all()
        except BaseException as error:  # handed to the reader of the results, in its place in the order
            failed: Future[_Done[Result]] = Future()
            failed.set_exception(error)
            self._futures.put(failed)
        finally:
            self._futures.put(None)

    def _read_all(self) -> None:
        try:
            for item in self._items:
                self._room.acquire()
                if self._stopped:
                    return
                self._gather(item)
        finally:
            self._send()

    def _gather(self, item: Item) -> None:
        with self._lock:
            self._gathered.append(item)
            full = len(self._gathered) >= self._pace.together
        if full:
            self._send()

    def _send(self) -> None:
        """Submit what is gathered, be it little."""
        with self._lock:
            items, self._gathered = self._gathered, []
            if items and not self._stopped:
                self._futures.put(self._submit(items))

    def next_future(self, until: float | None) -> Future[_Done[Result]] | None:
        """The next task's future; None after the last one or when `until` has passed."""
        while not _past(until):
            try:
                self._current = self._futures.get(timeout=POLL_SECONDS)
            except queue.Empty:
                self._send()  # everything else is answered, and who waits for that may send nothing more
                continue
            return self._current
        return None

    def take(self, done: _Done[Result]) -> None:
        """Make room for as many items as are done."""
        self._pace.add(len(done.results), done.seconds)
        for _ in done.results:
            self._room.release()

    def stop(self) -> None:
        """Submit nothing more and drop what has not begun."""
        with self._lock:
            self._stopped = True
        self._room.release()
        future = self._current
        while True:
            if future is not None:
                future.cancel()
            try:
                future = self._futures.get_nowait()
            except queue.Empty:
                return


class WorkQueue(Generic[State, Item]):
    """A bounded queue of items and the threads that work them off, begun in the order in which they came.

    There is a thread for every state. Leaving the context lets everything in the queue be done; leaving it by an
    exception drops what waits and interrupts what is at work.
    """

    def __init__(
        self,
        work: Callable[[State, Item], None],
        states: Sequence[State],
        *,
        room: int,
        interrupt: Callable[[State], None],
    ) -> None:
        """Start the threads.

        Args:
            work: called as ``work(state, item)``; it must not raise.
            states: one for every worker.
            room: how many items may wait, those at work not counted.
            interrupt: makes work with this state end soon; called from other threads, and more than once.
        """
        self._work = work
        self._room = room
        self._interrupt = interrupt
        self._changed = threading.Condition()
        self._waiting: deque[Item] = deque()
        self._at_work: list[tuple[State, Item]] = []
        self._closed = False
        self._threads = [threading.Thread(target=self._run, args=(state,), daemon=True) for state in states]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> WorkQueue[State, Item]:
        """Return the queue itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until all is done, or after an exception only until nothing is at work any more."""
        try:
            self._end(drop=error is not None)
        except KeyboardInterrupt:
            self._end(drop=True)
            raise

    def put(self, item: Item) -> bool:
        """Add an item unless the queue is full; whether it was added."""
        with self._changed:
            if len(self._waiting) >= self._room:
                return False
            self._waiting.append(item)
            self._changed.notify()
            return True

    def close(self) -> None:
        """Say that nothing more comes: the threads end when the queue is empty."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def working(self) -> bool:
        """Whether a thread still runs, after waiting a moment for one that does."""
        running = [thread for thread in self._threads if thread.is_alive()]
        if running:
            running[0].join(POLL_SECONDS)
        return any(thread.is_alive() for thread in running)

    def interrupt(self, item: Item) -> None:
        """Interrupt the work on an item until it has ended; nothing if it waits or is done. Returns at once."""
        threading.Thread(target=self._interrupt_until_done, args=(item,), daemon=True).start()

    def _run(self, state: State) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    if self._closed:
                        return
                    self._changed.wait()
                item = self._waiting.popleft()
                self._at_work.append((state, item))
            self._work(state, item)
            with self._changed:
                self._at_work = [pair for pair in self._at_work if pair[1] is not item]

    def _interrupt_until_done(self, item: Item) -> None:
        while True:
            with self._changed:
                state = next((state for state, current in self._at_work if current is item), None)
                if state is None:
                    return
                # Under the lock, so that the next item of this worker cannot be hit.
                self._interrupt(state)
            time.sleep(INTERRUPT_SECONDS)

    def _interrupt_all(self) -> None:
        with self._changed:
            for state, _ in self._at_work:
                self._interrupt(state)
        time.sleep(INTERRUPT_SECONDS)

    def _end(self, drop: bool) -> None:
        if drop:
            with self._changed:
                self._waiting.clear()
        self.close()
        while self.working():
            if drop:
                self._interrupt_all()
