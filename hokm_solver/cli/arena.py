"""``hokm-solver arena``: two players against each other in duplicate."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from hokm_solver import defaults
from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.options import jobs_option, seed_option
from hokm_solver.cli.output import Progress, show, show_json
from hokm_solver.cli.workers import dask_option, workers
from hokm_solver.errors import HokmError

if TYPE_CHECKING:
    from hokm_solver.engine.arena import Duel, Standing
    from hokm_solver.parallel import Jobs

EXAMPLES = """\b
Players:
  random, greedy, rules, learned        policies, one look at the hand
  engine[:ms=20,worlds=500,level=10]    the engine, with any of these options
  pimc[:worlds=40]                      sampled deals solved with all cards seen
  search[:worlds=768]                   sampled deals, a short look-ahead, wins only
  cmd:COMMAND                           any program that speaks the protocol of 'hokm-solver engine'

\b
Examples:
  hokm-solver arena learned greedy --pairs 100
  hokm-solver arena engine:worlds=60 engine:worlds=30 --pairs 5 --same-worlds --json
  hokm-solver arena pimc:worlds=10 random --pairs 3 --log games.jsonl"""


@click.command(cls=SolverCommand, epilog=EXAMPLES, short_help="Let two players play deals in duplicate.")
@click.argument("a")
@click.argument("b")
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=defaults.PAIRS,
    show_default=True,
    metavar="N",
    help="Number of deals, each played twice with the sides changed.",
)
@seed_option("the deals and of the players")
@jobs_option("Deals played at the same time. Times grow when there are more than cores.", default="1")
@dask_option
@click.option("--same-worlds", is_flag=True, help="Give both players the same random numbers, to compare close ones.")
@click.option("--log", metavar="FILE", help="Write a record of every deal to FILE; an unfinished FILE is continued.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def arena(a: str, b: str, pairs: int, seed: int, same_worlds: bool, as_json: bool, **given: Any) -> None:
    """Let players A and B play deals in duplicate and say how many points a deal A gains.

    Every deal is played at two tables, with A and B on changed sides, so that luck of the deal cancels out. Only the
    times depend on --jobs, unless a player works by the clock.
    """
    from hokm_solver.engine.arena import Duel

    duel = Duel(a, b, pairs, seed, same_worlds)
    _check_names(duel)
    if given["dask"] is not None and duel.external:
        raise click.UsageError("--dask and external engines (cmd:…) exclude each other: those stay on this machine.")
    with workers(given["jobs"], given["dask"], threads=1) as jobs:
        standing = _play(duel, jobs, given["log"])
    if as_json:
        show_json(standing.to_json())
    else:
        from hokm_solver.report.text import standing_text

        show(standing_text(standing))


def _check_names(duel: Duel) -> None:
    from hokm_solver.engine.arena import Table

    try:
        Table(duel).leave()
    except HokmError as error:
        raise click.UsageError(error.message) from None


def _play(duel: Duel, jobs: Jobs, log: str | None) -> Standing:
    from hokm_solver.engine.arena import Standing, play_duel
    from hokm_solver.journal import Journal

    standing = Standing(duel)
    with ExitStack() as stack:
        journal = None if log is None else stack.enter_context(Journal(log))
        progress = stack.enter_context(Progress("playing"))
        for game in play_duel(duel, jobs, journal):
            standing.add(game)
            progress.part(standing.pairs / duel.pairs)
    return standing
