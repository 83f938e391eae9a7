"""The workers of a Dask cluster as a `Crew`. Dask's package `distributed` is imported when a cluster is asked for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from traceback import walk_tb
from typing import Any

from hokm_solver.errors import ClusterError, MissingExtra, check_type, quote
from hokm_solver.parallel import Crew

CONNECT_SECONDS = 10
LOOK_SECONDS = 3.0  # between two looks at the cluster while a result is waited for
ALONE_SECONDS = 60.0  # without any worker: so long they may take to be started again
PACKAGE = "hokm-solver"
PACKAGE_OF_DASK = "distributed"
LOGGERS = ("asyncio", "distributed", "tornado")


@contextmanager
def dask_crew(address: str) -> Iterator[Crew]:
    """The workers of the Dask cluster whose scheduler is at an address, such as ``tcp://10.0.0.5:8786``.

    Every thread of a worker is one of the crew; those that join later work too. Each worker needs the same version
    of this package. A worker that is lost is made up for by the others: Dask does what it had begun once more.

    Raises:
        MissingExtra: `distributed` is not installed.
        ClusterError: nobody answers there within some seconds, there is no worker, a worker has another version of this
            package or none; or while the crew is at work the cluster is gone, stays without workers, or loses worker
            after worker with the same piece of work.
        FieldError: ``address`` is no text.
    """
    check_type(address, str, "address")
    distributed = _distributed()
    with _silent(), _told_in_one_line(address, distributed), _client(address, distributed) as client:
        _check_versions(client, address)
        watch = _Watch(client, address)
        # Pure tasks would be known by their content, and two equal questions be one task.
        yield Crew(client.get_executor(pure=False), jobs=max(1, watch.threads()), check=watch)


class _Watch:
    """Asks from time to time whether the scheduler is there and has workers: Dask itself waits for ever for both."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._due = 0.0
        self._alone_since: float | None = None

    def threads(self) -> int:
        """Threads of all workers."""
        return sum(self._client.nthreads().values())

    def __call__(self) -> None:
        if time.monotonic() < self._due:
            return
        try:
            threads = self.threads()
        except (OSError, ValueError, asyncio.TimeoutError):  # not there, or on its way out
            raise ClusterError(f"the Dask cluster at {quote(self._address)} is gone") from None
        now = time.monotonic()
        self._due = now + LOOK_SECONDS
        self._alone_since = None if threads else self._alone_since or now
        if self._alone_since is not None and now >= self._alone_since + ALONE_SECONDS:
            raise ClusterError(f"the Dask cluster at {quote(self._address)} has lost all its workers")


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtra("a Dask cluster needs distributed: pip install 'hokm-solver[dask]'") from None
    return distributed


@contextmanager
def _silent() -> Iterator[None]:
    """Keep Dask's own log of what happens to the connection from standard error: it is told in one line."""
    # Each by itself: those that Dask sets up have levels and outputs of their own.
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in LOGGERS]
    levels = {logger: logger.level for logger in map(logging.getLogger, names)}
    for logger in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


@contextmanager
def _client(address: str, distributed: Any) -> Iterator[Any]:
    try:
        # Knocked first: a client that finds nobody waits long, and goes on complaining when it is thrown away.
        with ThreadPoolExecutor(1) as thread:  # in a notebook, this one has an event loop of its own
            thread.submit(lambda: asyncio.run(_knock(address, distributed))).result()
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, OverflowError, asyncio.TimeoutError) as error:
        raise ClusterError(f"no Dask scheduler answers at {quote(address)}: {_words(error)}") from None
    with client:
        yield client


async def _knock(address: str, distributed: Any) -> None:
    comm = await distributed.comm.connect(address, timeout=CONNECT_SECONDS)
    await comm.close()


def _check_versions(client: Any, address: str) -> None:
    """Let no worker start whose answers may be others."""
    try:
        found: dict[str, str] = client.run(version, PACKAGE)
    except PackageNotFoundError:
        raise ClusterError(f"a worker of the Dask cluster at {quote(address)} has no {PACKAGE} installed") from None
    if not found:
        raise ClusterError(f"the Dask cluster at {quote(address)} has no worker")
    for worker, theirs in found.items():
        if theirs != version(PACKAGE):
            raise ClusterError(f"the worker {worker} has {PACKAGE} {theirs}, here it is {version(PACKAGE)}")


@contextmanager
def _told_in_one_line(address: str, distributed: Any) -> Iterator[None]:
    """Turn what Dask raises when the cluster fails into a `ClusterError`."""
    try:
        yield
    except distributed.KilledWorker:
        why = "the same piece of work was on worker after worker that was lost"
        raise ClusterError(f"the Dask cluster at {quote(address)} gave up: {why}") from None
    except (CancelledError, distributed.comm.CommClosedError):
        raise ClusterError(f"the Dask cluster at {quote(address)} is gone") from None
    except TypeError as error:
        if not _raised_in(PACKAGE_OF_DASK, error):
            raise
        # Its executor stumbles over a result that is lost at the moment at which it is there.
        raise ClusterError(f"the Dask cluster at {quote(address)} is gone") from None
    except ModuleNotFoundError as error:
        raise ClusterError(f"a worker of the Dask cluster at {quote(address)} has no {error.name} installed") from None


def _raised_in(package: str, error: BaseException) -> bool:
    """Whether an error comes from the code of a package itself, not from what that calls."""
    places = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    return bool(places) and places[-1].split(".")[0] == package


def _words(error: Exception) -> str:
    """What an error says, as one line."""
    return " ".join(str(error).split()) or type(error).__name__
