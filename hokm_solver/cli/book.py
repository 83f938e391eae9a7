"""``hokm-solver book``: every five-card hand valued once and for all."""

from __future__ import annotations

import click

from hokm_solver.cli.group import CommandGroup

COMMANDS = {
    "about": "hokm_solver.cli.book_about:about",
    "build": "hokm_solver.cli.book_build:build",
    "pack": "hokm_solver.cli.book_pack:pack",
}
EXAMPLES = """\b
Examples:
  hokm-solver book about
  hokm-solver book build --out first.jsonl --classes 12
  hokm-solver book pack first.jsonl --into first.zip --classes 12

\b
'hokm-solver book COMMAND --help' tells more about a command."""


@click.group(
    cls=CommandGroup,
    commands_at=COMMANDS,
    epilog=EXAMPLES,
    short_help="Value every five-card hand, for instant advice.",
)
def book() -> None:
    """Value all 134,459 five-card hands that differ by more than the names of suits.

    The package ships the book that 'hokm-solver advise --instant' reads; these commands tell about it and make it anew.
    """
