"""``hokm-solver engine``: cards and trumps for other programs, over standard input and output."""

from __future__ import annotations

import sys
from functools import partial

import click

from hokm_solver import defaults
from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.options import table_option

EXAMPLES = """\b
Examples:
  hokm-solver engine --jobs 4
  hokm-solver engine --level 6 --table-mb 16

\b
Try it: type a request and press Enter; Ctrl-D ends the engine.
  {"id": 1, "command": "choose_trump", "cards": "AH QH 9H KC 4D"}"""


@click.command(cls=SolverCommand, epilog=EXAMPLES, short_help="Choose cards and trumps for other programs, as JSON.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="J",
    help="Requests worked on at the same time.",
)
@click.option(
    "--level",
    type=click.IntRange(1, defaults.LEVEL),
    default=defaults.LEVEL,
    show_default=True,
    metavar="L",
    help=f"Strength from 1 (weak) to {defaults.LEVEL} of requests that name none.",
)
@table_option("job's exact searches")
def engine(jobs: int, level: int, table_mb: int) -> None:
    """Answer requests of other programs: which card to play, which trump to name, what a position is worth.

    Requests are JSON objects, one a line, on standard input; each gets one final reply on standard output. A request
    for a card carries what one seat can see, and nothing else is used. The end of the input ends the engine. The
    protocol is described in docs/protocol.md.
    """
    from hokm_solver import __version__
    from hokm_solver.engine.player import Player
    from hokm_solver.protocol import Settings, serve

    if sys.stdin is None or sys.stdout is None:  # started with one of them closed: nobody asks, or nobody listens
        return
    settings = Settings(__version__, jobs, level)
    # Without its buffer: a request is to be seen as soon as its line is there.
    stream = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    serve(stream, sys.stdout.buffer, partial(Player, level), settings, table_mb)
