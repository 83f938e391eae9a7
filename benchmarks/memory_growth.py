"""The long run: does memory grow with the number of solves? ``python -m benchmarks.memory_growth --solves 100000``.

Stored positions are read from JSON, solved and written, each with whatever else belongs to answering: most are small,
one in `FULL_EVERY` is a whole deal, one in `ADVICE_EVERY` is advice. What the process holds is measured after the
first solves, which fill tables and caches that are kept on purpose, and at the end. More than is allowed between the
two is a leak: the exit code is 1. ``--quick`` notices one of some 300 bytes a solve, the long run one of 60.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import sys
from dataclasses import dataclass
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

FULL_EVERY = 500
ADVICE_EVERY = 1_000
TABLE_MB = 4
M_MMAP_THRESHOLD = -3  # of glibc's malloc.h
LARGE = 128 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class Length:
    """How many solves, how many of them before memory is measured first, and how much more it may be at the end."""

    solves: int
    warm_up: int
    allowed_mb: float


LONG = Length(100_000, 5_000, 5.0)
QUICK = Length(6_000, 2_000, 1.0)


def give_back_large_blocks() -> None:
    """Let freed tables leave the process at once (glibc).

    Otherwise malloc learns from the first one to keep such blocks, for each thread that had one: megabytes that come
    late, by chance, and hide small leaks.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, LARGE)


def held_mb() -> float:
    """What this process holds in memory, in MB (Linux)."""
    gc.collect()
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status does not tell the memory held")


class Answering:
    """Positions and whatever else is asked, one after another."""

    def __init__(self, warm_up: int) -> None:
        """Read the positions; whole deals come from a small set, so that all of them are in the warm-up."""
        self._small = cycle(stored(("positions_play", "positions_kot")))
        deals = max(1, warm_up // FULL_EVERY)
        self._full = cycle([position_to_json(board.position) for board in random_boards(deals)])
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


def growth_mb(length: Length) -> float:
    """How much more memory is held after all solves than after the first ones."""
    answering = Answering(length.warm_up)
    for number in range(length.warm_up):
        answering.answer(number)
    before = held_mb()
    for number in range(length.warm_up, length.solves):
        answering.answer(number)
    return held_mb() - before


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solves", type=int, default=LONG.solves, help="how many (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK.solves:,} solves: finds leaks that are not small")
    options = parser.parse_args()
    asked = Length(options.solves, min(LONG.warm_up, options.solves // 2), LONG.allowed_mb)
    length = QUICK if options.quick else asked
    give_back_large_blocks()
    grown = growth_mb(length)
    told = f"{grown:+.2f} MB after the first {length.warm_up:,} (at most {length.allowed_mb:g} allowed)"
    print(f"{length.solves:,} solves: {told}")
    return 0 if grown <= length.allowed_mb else 1


if __name__ == "__main__":
    sys.exit(main())
