"""``hokm-solver book build``: value the classes of five-card hands, one line each."""

from __future__ import annotations

import click

from hokm_solver import defaults
from hokm_solver.cli.output import Progress

LARGEST_SEED = 2**64 - 1
EXAMPLES = """\b
Examples:
  hokm-solver book build --out book.jsonl --jobs 2
  hokm-solver book build --out first.jsonl --classes 500"""


@click.command(epilog=EXAMPLES, short_help="Value every five-card hand at the table; an unfinished file is continued.")
@click.option("--out", required=True, metavar="FILE", help="Write a line for every hand to FILE; it is continued.")
@click.option(
    "--classes",
    type=click.IntRange(1, defaults.CLASSES),
    default=defaults.CLASSES,
    metavar="N",
    help="Only the first N hands.  [default: all]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    default=defaults.SEED,
    show_default=True,
    metavar="K",
    help="Seed of the sampled deals.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="J", help="Number of threads."
)
def build(out: str, classes: int, seed: int, jobs: int) -> None:
    """Value every five-card hand that differs from the others by more than the names of suits.

    The deals of each hand are played out by the learned policy until the two best suits are known apart to 0.03
    points. A number of hands and a seed always give the same file, whatever --jobs.
    """
    from hokm_solver.book import Plan
    from hokm_solver.book import build as build_book
    from hokm_solver.journal import Journal

    with Journal(out) as journal, Progress("valuing hands") as progress:
        for done in build_book(Plan(seed, classes), journal, jobs):
            progress.part(done / classes)
