"""The command line ``hokm-solver``: a group of commands, each in its own file and loaded when it is named."""

from __future__ import annotations

import click

from hokm_solver.cli.group import CommandGroup

COMMANDS = {
    "advise": "hokm_solver.cli.advise:advise",
    "arena": "hokm_solver.cli.arena:arena",
    "book": "hokm_solver.cli.book:book",
    "engine": "hokm_solver.cli.engine:engine",
    "equity": "hokm_solver.cli.equity:equity",
    "record": "hokm_solver.cli.record:record",
    "review": "hokm_solver.cli.review:review",
    "solve": "hokm_solver.cli.solve:solve",
}
VERSION_HELP = "Show the version and exit."
EXAMPLES = """\b
Examples:
  hokm-solver advise A♥ Q♥ 9♥ K♣ 4♦
  hokm-solver solve --hakem N --trump H --deal "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"

\b
'hokm-solver COMMAND --help' tells more about a command."""


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from hokm_solver import __version__

        click.echo(f"hokm-solver {__version__}")
        ctx.exit()


@click.group(
    name="hokm-solver",
    cls=CommandGroup,
    commands_at=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXAMPLES,
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help=VERSION_HELP)
def main() -> None:
    """Solve Hokm (حکم) deals exactly, choose trump from five cards, and play.

    Cards are written AH, 10♠, TC or in Persian; seats N W S E are in order of play, which runs counter-clockwise.
    """
