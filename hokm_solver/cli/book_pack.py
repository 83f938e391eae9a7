"""``hokm-solver book pack``: make a book from a finished file of values."""

from __future__ import annotations

from pathlib import Path

import click

from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.options import classes_option
from hokm_solver.cli.output import show, show_json
from hokm_solver.cli.written import check_place

EXAMPLES = """\b
Examples:
  hokm-solver book pack first.jsonl --into first.zip --classes 12
  hokm-solver book pack first.jsonl --into first.zip --classes 12 --json"""


@click.command(cls=SolverCommand, epilog=EXAMPLES, short_help="Pack a finished file of 'book build' into a book.")
@click.argument("file")
@click.option("--into", required=True, metavar="BOOK", help="Where to write the book.")
@classes_option("The number of hands that FILE was built with.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def pack(file: str, into: str, classes: int, as_json: bool) -> None:
    """Pack FILE, which 'book build' has finished, into a book for looking up. The book is written aside and renamed."""
    from hokm_solver.book_building import pack as pack_book

    check_place(into, [file])
    about = pack_book(file, into, classes)
    if as_json:
        show_json({**about, "file": into, "bytes": Path(into).stat().st_size})
    else:
        show(f"{into}: {classes:,} hands, {Path(into).stat().st_size:,} bytes")
