"""Who does the work of a command: threads of this process, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from hokm_solver.parallel import Jobs

dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Let the Dask cluster whose scheduler is at ADDRESS do the work, instead of threads here.",
)


@contextmanager
def workers(jobs: int | None, dask: str | None, threads: int) -> Iterator[Jobs]:
    """What ``--jobs`` and ``--dask`` ask for, to be given on as `jobs`; with neither, so many threads."""
    if dask is None:
        yield jobs or threads
        return
    if jobs is not None:
        raise click.UsageError("--jobs and --dask exclude each other: a cluster has workers of its own.")
    import logging

    from hokm_solver.cluster import dask_crew

    logging.disable()  # for good: threads of Dask's go on complaining while an interrupted command ends
    with dask_crew(dask) as crew:
        yield crew
