"""``hokm-solver equity``: the chance to win the match at every score."""

from __future__ import annotations

import click

from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.options import Picture
from hokm_solver.cli.output import show, show_json

EXAMPLES = """\b
Examples:
  hokm-solver equity
  hokm-solver equity --json"""


@click.command(cls=SolverCommand, epilog=EXAMPLES, short_help="Show the chance to win the match at every score.")
@click.option("--plot", type=Picture(), metavar="FILE", help="Draw it as well, to FILE.png or FILE.svg (extra: plot).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def equity(plot: str | None, as_json: bool) -> None:
    """Show the chance to win the match at every score, if deals end as they do when the engine plays them.

    The match is won by the first side with seven points.
    """
    from hokm_solver.equity import match_equity

    found = match_equity()
    if plot is not None:
        from hokm_solver.report.plot import draw_equity

        draw_equity(found, plot)
    if as_json:
        show_json(found.to_json())
    else:
        from hokm_solver.report.text import equity_text

        show(equity_text(found))
