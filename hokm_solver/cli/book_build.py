"""``hokm-solver book build``: value the classes of five-card hands, one line each."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from hokm_solver import defaults
from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.options import Measure, classes_option, jobs_option, seed_option
from hokm_solver.cli.output import Progress, show, show_json
from hokm_solver.cli.workers import dask_option, workers

EXAMPLES = """\b
Examples:
  hokm-solver book build --out first.jsonl --classes 12 --jobs 4
  hokm-solver book build --out exact.jsonl --classes 3 --exact 20 --json"""


@click.command(
    cls=SolverCommand, epilog=EXAMPLES, short_help="Value every five-card hand; an unfinished file is continued."
)
@click.option("--out", required=True, metavar="FILE", help="Write a line for every hand to FILE; it is continued.")
@classes_option("Only the first N hands.")
@click.option(
    "--precision",
    type=Measure("points"),
    default=defaults.BOOK_PRECISION,
    show_default=True,
    metavar="P",
    help="Add deals until the standard error between the two best suits is P in the playouts.",
)
@click.option(
    "--worlds",
    type=click.IntRange(2, defaults.MOST_BOOK_WORLDS),
    default=defaults.BOOK_WORLDS,
    show_default=True,
    metavar="N",
    help="At most N deals for a hand.",
)
@click.option(
    "--exact",
    type=click.IntRange(2, defaults.MOST_BOOK_WORLDS),
    metavar="N",
    help="Solve N deals for each hand with all cards seen as well, which takes long.  [default: none]",
)
@seed_option("the sampled deals")
@jobs_option(default="1")
@dask_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def build(out: str, classes: int, jobs: int | None, dask: str | None, as_json: bool, **given: Any) -> None:
    """Value every five-card hand that differs from the others by more than the names of suits.

    The deals of each hand are played out by the learned policy under all four trumps, until the two best suits are
    known apart. The whole book takes about an hour of one core. The same options give the same file, whatever --jobs or
    --dask, and however often it was stopped and continued.
    """
    from hokm_solver.book import SCHEMA
    from hokm_solver.book_building import Plan
    from hokm_solver.book_building import build as build_book
    from hokm_solver.journal import Journal

    plan = Plan(given["seed"], given["precision"], given["worlds"], given["exact"] or 0)
    with workers(jobs, dask, threads=1) as crew, Journal(out) as journal, Progress("valuing hands") as progress:
        for done in build_book(plan, journal, classes, crew):
            progress.part(done / classes)
    if as_json:
        show_json({"schema": SCHEMA, "file": out, "classes": classes, **asdict(plan)})
    else:
        show(f"{out}: {classes:,} hands")
