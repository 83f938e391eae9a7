"""``hokm-solver book about``: where a book comes from."""

from __future__ import annotations

import click

from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.output import show, show_json

EXAMPLES = """\b
Examples:
  hokm-solver book about
  hokm-solver book about first.zip --json"""


@click.command(cls=SolverCommand, epilog=EXAMPLES, short_help="Say how a book was built.")
@click.argument("book", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def about(book: str | None, as_json: bool) -> None:
    """Say how BOOK was built, by default the one in this package: seed, worlds, and the policy that played."""
    from hokm_solver.book import Book, shipped
    from hokm_solver.report.text import book_text

    opened = shipped() if book is None else Book(book)
    if as_json:
        show_json(opened.about)
    else:
        show(book_text(opened))
