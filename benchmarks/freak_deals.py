"""Seconds that deals of freak shapes take: every objective with every card, at the usual table size.

``python -m benchmarks.freak_deals --deals 5`` solves five deals of each shape under all four trumps and prints CPU
seconds, for these deals are about how long the worst may take. The slowest follow in the form that
``hokm-solver solve --batch -`` reads.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import mean
from typing import NamedTuple

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from freaks import SHAPES, freak_positions

from benchmarks.common import cpu_seconds, markdown, surroundings
from hokm_solver.deal import Position
from hokm_solver.notation import position_to_json
from hokm_solver.solver import OBJECTIVES, Objective, Solver

SHOWN = 3


class Timing(NamedTuple):
    """How long one question took."""

    seconds: float
    objective: Objective
    position: Position


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=5, metavar="N", help="deals of each shape (default %(default)s)")
    parser.add_argument("--table-mb", type=int, default=64, metavar="N", help="size of the table (default %(default)s)")
    parser.add_argument("--shape", choices=SHAPES, help="only this one")
    given = parser.parse_args()
    shapes = [given.shape] if given.shape else SHAPES
    timings = {name: measure(name, given.deals, Solver(given.table_mb)) for name in shapes}
    heads = [
        "shape",
        "questions",
        *(f"{objective}, {what}" for objective in OBJECTIVES for what in ("mean", "slowest")),
    ]
    print(surroundings())
    print(markdown(heads, [[name, len(found), *figures(found)] for name, found in timings.items()]))
    print(f"The slowest {SHOWN}:")
    for timing in sorted((timing for found in timings.values() for timing in found), reverse=True)[:SHOWN]:
        print(f"{timing.seconds:.3f} s, {timing.objective}: {json.dumps(position_to_json(timing.position))}")


def measure(name: str, deals: int, solver: Solver) -> list[Timing]:
    """Time every objective on the deals of one shape."""
    return [
        Timing(cpu_seconds(solver.solve, position, objective), objective, position)
        for position in freak_positions(name, range(deals))
        for objective in OBJECTIVES
    ]


def figures(timings: list[Timing]) -> list[str]:
    """The mean and the slowest of each objective, in seconds."""
    by_objective = [[timing.seconds for timing in timings if timing.objective == each] for each in OBJECTIVES]
    return [f"{value:.3f}" for seconds in by_objective for value in (mean(seconds), max(seconds))]


if __name__ == "__main__":
    main()
