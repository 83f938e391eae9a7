"""``hokm-solver solve``: the exact value of positions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hokm_solver import defaults
from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.options import Measure, jobs_option, table_option
from hokm_solver.cli.output import show, show_json
from hokm_solver.cli.questions import answer_batch, continue_batch, open_source
from hokm_solver.cli.workers import dask_option, workers
from hokm_solver.cli.written import WRITTEN, check_place, write_whole
from hokm_solver.lines import read_lines

if TYPE_CHECKING:
    from hokm_solver.batch import SolveOptions
    from hokm_solver.deal import Position
    from hokm_solver.journal import Answer
    from hokm_solver.lines import Failure
    from hokm_solver.solver import Solution

PIECES = ("deal", "hakem", "trump", "leader", "trick", "won")
EXAMPLES = """\b
Examples:
  hokm-solver solve --hakem N --trump H --deal "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"
  hokm-solver solve --hakem N --trump S --leader E --trick "9H 2H" --won NS:6,WE:5 --deal "N:A... ..K. .A..2 .KT.."
  hokm-solver solve --batch positions.jsonl --out answers.jsonl"""


@click.command(
    cls=SolverCommand, epilog=EXAMPLES, short_help="Give the exact value of a position and of every legal card."
)
@click.option("--deal", metavar="DEAL", help="The cards held, clockwise from any seat: N:AKQ.JT9.876.5432 ... ... ...")
@click.option("--hakem", metavar="SEAT", help="Hakem's seat: N, W, S or E, the order of play.")
@click.option("--trump", metavar="SUIT", help="The trump suit; without it the value in all four.")
@click.option(
    "--leader",
    metavar="SEAT",
    help="Seat that led the current trick, or leads it if nothing is played yet.  [default: hakem, in the first trick]",
)
@click.option("--trick", metavar="CARDS", help='The cards of the current trick in order: "9H 2C".')
@click.option("--won", metavar="TRICKS", help="Tricks won so far: NS:2,WE:3.  [default: none, in the first trick]")
@click.option(
    "--objective",
    type=click.Choice(["points", "margin", "win"]),
    default="margin",
    show_default=True,
    help="What is valued: points (+2, +1, -1, -3), margin in tricks (points too), or only who wins.",
)
@click.option("--no-cards", is_flag=True, help="Only the value of the position, not of every card: much faster.")
@click.option("--line", is_flag=True, help="Add a line of best play.")
@click.option("--svg", type=WRITTEN, metavar="FILE", help="Draw a diagram of the position as well.")
@click.option("--batch", metavar="FILE", help="Positions from FILE (- for standard input), one JSON object a line.")
@click.option("--out", metavar="FILE", help="Write the answers of --batch to FILE; an unfinished FILE is continued.")
@jobs_option()
@dask_option
@table_option()
@click.option(
    "--max-nodes",
    type=click.IntRange(1, defaults.MOST_NODES),
    metavar="N",
    help="Stop each search after N nodes (positions at the start of a trick).",
)
@click.option("--max-seconds", type=Measure("seconds"), metavar="S", help="Stop each search after S seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; --batch always does.")
@click.pass_context
def solve(ctx: click.Context, /, **given: Any) -> None:
    """Give the exact value of a position, and of every legal card, with all cards seen.

    Values are hakem's side's view: win +1, kot +2, loss -1, hakem koti -3 points.
    """
    _check_usage(given)
    from hokm_solver.batch import SolveOptions
    from hokm_solver.solver import Limit

    limit = Limit(given["max_nodes"], given["max_seconds"])
    options = SolveOptions(given["objective"], not given["no_cards"], given["line"], limit)
    if given["batch"] is None:
        _solve_one(given, options)
    elif not _solve_batch(given, options):
        ctx.exit(1)


def _check_usage(given: dict[str, Any]) -> None:
    pieces = [name for name in PIECES if given[name] is not None]
    if given["batch"] is not None and pieces:
        raise click.UsageError(f"--{pieces[0]} has no place beside --batch, whose lines hold the whole position.")
    if given["batch"] is not None and given["svg"] is not None:
        raise click.UsageError("--svg is for one position, not for --batch.")
    for name in ("out", "dask"):
        if given["batch"] is None and given[name] is not None:
            raise click.UsageError(f"--{name} needs --batch.")
    if given["batch"] is None and (given["deal"] is None or given["hakem"] is None):
        raise click.UsageError("--deal and --hakem are needed, or --batch.")


def _solve_one(given: dict[str, Any], options: SolveOptions) -> None:
    from hokm_solver.batch import solutions_to_json
    from hokm_solver.notation import position_from_text
    from hokm_solver.report.text import solution_text, trumps_text

    check_place(given["svg"])
    positions = position_from_text(*(given[name] for name in PIECES))
    solutions = _solve_all(given, options, positions)
    if given["svg"] is not None:
        _draw(given["svg"], positions)
    if given["as_json"]:
        show_json(solutions_to_json(solutions))
    else:
        show(solution_text(solutions[0]) if len(solutions) == 1 else trumps_text(solutions))


def _draw(path: str, positions: tuple[Position, ...]) -> None:
    """Draw the position; without a trump if all four are tried."""
    from hokm_solver.report.diagram import Scene, diagram

    scene = Scene.of(positions[0])
    write_whole(path, diagram(scene if len(positions) == 1 else replace(scene, trump=None)) + "\n")


def _solve_all(given: dict[str, Any], options: SolveOptions, positions: tuple[Position, ...]) -> tuple[Solution, ...]:
    """Solve in worker threads even a single position, so that Ctrl-C is heard at once."""
    from hokm_solver.parallel import available_cores, ordered_map
    from hokm_solver.solver import Solver

    def work(solver: Solver, position: Position) -> Solution:
        return options.solve(solver, [position])[0]

    jobs = min(given["jobs"] or available_cores(), len(positions))
    state = partial(Solver, given["table_mb"])
    return tuple(ordered_map(work, positions, state=state, jobs=jobs, interrupt=Solver.interrupt))


def _solve_batch(given: dict[str, Any], options: SolveOptions) -> bool:
    from hokm_solver.parallel import available_cores, ordered_map
    from hokm_solver.solver import Solver

    with workers(given["jobs"], given["dask"], available_cores()) as jobs, open_source(given["batch"]) as stream:
        answer_all = partial(
            ordered_map,
            options.answer,
            state=partial(Solver, given["table_mb"]),
            jobs=jobs,
            interrupt=Solver.interrupt,
        )
        if given["out"] is None:
            return answer_batch(read_lines(stream), answer_all, lambda result: show_json(_to_json(result)))
        return continue_batch(read_lines(stream), given["out"], answer_all, _to_json, options.digest)


def _to_json(result: tuple[Solution, ...] | Failure) -> Answer:
    from hokm_solver.batch import solutions_to_json

    return solutions_to_json(result) if isinstance(result, tuple) else result.to_json()
