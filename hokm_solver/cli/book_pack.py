"""``hokm-solver book pack``: make a book from a finished file of values."""

from __future__ import annotations

import click

from hokm_solver import defaults
from hokm_solver.cli.output import show

LARGEST_SEED = 2**64 - 1
EXAMPLES = """\b
Examples:
  hokm-solver book pack book.jsonl --into hokm_solver/book.zip
  hokm-solver book pack first.jsonl --into first.zip --classes 500"""


@click.command(epilog=EXAMPLES, short_help="Pack a finished file of 'book build' into a book.")
@click.argument("file")
@click.option("--into", required=True, metavar="BOOK", help="Where to write the book.")
@click.option(
    "--classes",
    type=click.IntRange(1, defaults.CLASSES),
    default=defaults.CLASSES,
    metavar="N",
    help="The number of hands that FILE was built with.  [default: all]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    default=defaults.SEED,
    show_default=True,
    metavar="K",
    help="The seed that FILE was built with.",
)
def pack(file: str, into: str, classes: int, seed: int) -> None:
    """Pack FILE, which 'book build' has finished, into a book for looking up. The book is written aside and renamed."""
    from hokm_solver.book import Plan
    from hokm_solver.book import pack as pack_book

    pack_book(Plan(seed, classes), file, into)
    show(f"{into}: {classes:,} hands")
