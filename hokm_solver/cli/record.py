"""``hokm-solver record``: making records of deals and changing their form."""

from __future__ import annotations

import click

from hokm_solver.cli.group import CommandGroup

COMMANDS = {
    "convert": "hokm_solver.cli.record_convert:convert",
    "new": "hokm_solver.cli.record_new:new",
}
EXAMPLES = """\b
Examples:
  hokm-solver record new --to text
  hokm-solver record convert match.pbn

\b
'hokm-solver record COMMAND --help' tells more about a command."""


@click.group(
    cls=CommandGroup,
    commands_at=COMMANDS,
    epilog=EXAMPLES,
    short_help="Make records of deals and change their form.",
)
def record() -> None:
    """Make records of deals that were played, and change their form.

    A record is a JSON object, or text with tag pairs in the style of PBN. 'hokm-solver review' judges it.
    """
