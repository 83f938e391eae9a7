"""``hokm-solver record convert``: from one form of records to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.output import complain, show_record
from hokm_solver.cli.questions import open_source, source_name
from hokm_solver.errors import FieldError, HokmError

if TYPE_CHECKING:
    from hokm_solver.records.files import Form

EXAMPLES = """\b
Examples:
  hokm-solver record convert match.pbn
  hokm-solver record convert --to text deals.jsonl"""


@click.command(cls=SolverCommand, epilog=EXAMPLES, short_help="Write records as JSON lines or as text.")
@click.argument("file")
@click.option("--to", "form", type=click.Choice(["json", "text"]), default="json", show_default=True, help="The form.")
@click.pass_context
def convert(ctx: click.Context, file: str, form: Form) -> None:
    """Write the records in FILE (- for standard input) as JSON lines or as text.

    FILE may hold records of both forms. One that cannot be read is told on standard error and left out.
    """
    from hokm_solver.records.files import read_entries

    found, good = False, True
    with open_source(file) as stream:
        for entry in read_entries(stream):
            found = True
            try:
                show_record(entry.record(), form)
            except HokmError as error:
                complain(entry.failure(error))
                good = False
    if not found:
        raise FieldError(f"no record in {source_name(file)}")
    ctx.exit(0 if good else 1)
