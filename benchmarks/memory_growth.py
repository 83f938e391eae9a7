"""The long run: does memory grow with the number of solves? ``python -m benchmarks.memory_growth --solves 100000``.

Stored positions are read from JSON, solved and written, each with whatever else belongs to answering: most are small,
one in `FULL_EVERY` is a whole deal, one in `ADVICE_EVERY` is advice. What the process holds is measured after the
first `WARM_UP` solves, which fill tables and caches that are kept on purpose, and at the end. More than `ALLOWED_MB`
between the two is a leak: the exit code is 1.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.common import random_boards, random_hand
from benchmarks.soak import stored
from hokm_solver.advice import advise
from hokm_solver.batch import SolveOptions, solutions_to_json
from hokm_solver.notation import position_from_json, position_to_json
from hokm_solver.solver import Solver
from hokm_solver.table import table_advice

SOLVES = 100_000
WARM_UP = 5_000
FULL_EVERY = 500
ADVICE_EVERY = 1_000
TABLE_MB = 4
ALLOWED_MB = 5.0


def held_mb() -> float:
    """What this process holds in memory, in MB (Linux)."""
    gc.collect()
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status does not tell the memory held")


class Answering:
    """Positions and whatever else is asked, one after another."""

    def __init__(self) -> None:
        """Read the positions; whole deals come from a small set, so that all of them are in the warm-up."""
        self._small = cycle(stored(("positions_play", "positions_kot")))
        self._full = cycle([position_to_json(board.position) for board in random_boards(WARM_UP // FULL_EVERY)])
        self._solver = Solver(TABLE_MB)
        self._options = SolveOptions("margin", cards=True, line=True)

    def answer(self, number: int) -> None:
        """Answer question `number`."""
        self._solve(next(self._full if number % FULL_EVERY == 0 else self._small))
        if number % ADVICE_EVERY == 0:
            five = random_hand(number)
            json.dumps([advise(five, 2, jobs=2).to_json(), str(table_advice(five, worlds=64))])

    def _solve(self, entry: dict[str, Any]) -> None:
        solutions = self._options.solve(self._solver, position_from_json(entry))
        json.dumps(solutions_to_json(solutions))


def growth_mb(solves: int, warm_up: int) -> float:
    """How much more memory is held after so many solves than after the first ones."""
    answering = Answering()
    for number in range(warm_up):
        answering.answer(number)
    before = held_mb()
    for number in range(warm_up, solves):
        answering.answer(number)
    return held_mb() - before


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solves", type=int, default=SOLVES, help="how many (default: %(default)s)")
    options = parser.parse_args()
    warm_up = min(WARM_UP, options.solves // 2)
    grown = growth_mb(options.solves, warm_up)
    print(f"{options.solves:,} solves: {grown:+.2f} MB after the first {warm_up:,} (at most {ALLOWED_MB:g} allowed)")
    return 0 if grown <= ALLOWED_MB else 1


if __name__ == "__main__":
    sys.exit(main())
