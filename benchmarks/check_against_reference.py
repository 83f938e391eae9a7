"""The long run: random positions solved by both builds and by the reference solver, every card and objective compared.

``python -m benchmarks.check_against_reference --positions 100000 --jobs 2`` prints what was compared and ends with exit
code 1 if anything disagrees. Disagreements are printed as they are found, each with its position in the form that
``hokm-solver solve --batch -`` reads. Which positions are tried depends on ``--seed`` alone, not on ``--jobs``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from agreement import (
    Known,
    builds,
    disagreements,
    drawn_position,
    is_open,
    larger_position,
    small_position,
    sweep_position,
)

CHUNK = 500
KINDS = {small_position: 52, drawn_position: 44, sweep_position: 3, larger_position: 1}  # how many of a hundred
Counts = Counter[tuple[str, object]]


def main() -> int:
    """Run the command; returns its exit code."""
    given = _arguments().parse_args()
    total: Counts = Counter()
    wrong = 0
    for counts, found in _checked(_chunks(given.positions, given.seed), given.jobs):
        total += counts
        wrong += len(found)
        print(*found, sep="\n", end="\n" if found else "", flush=True)
        print(f"\r{total['positions', 'all']:,} positions, {wrong} wrong", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    _report(total, wrong, given.seed)
    return 1 if wrong else 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Compare both builds of the search with the reference solver.")
    parser.add_argument("--positions", type=int, default=100_000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides which (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    return parser


def _chunks(positions: int, seed: int) -> Iterator[tuple[str, int]]:
    """Yield a seed and a number of positions for every chunk."""
    for start in range(0, positions, CHUNK):
        yield f"{seed}/{start}", min(CHUNK, positions - start)


def _checked(chunks: Iterator[tuple[str, int]], jobs: int) -> Iterator[tuple[Counts, list[str]]]:
    if jobs == 1:
        yield from map(_check_chunk, chunks)
        return
    with Pool(jobs) as pool:
        yield from pool.imap(_check_chunk, chunks)


def _check_chunk(chunk: tuple[str, int]) -> tuple[Counts, list[str]]:
    """Compare one chunk; returns what was counted and the disagreements."""
    rng, solvers = Random(chunk[0]), builds()
    counts: Counts = Counter()
    wrong: list[str] = []
    for _ in range(chunk[1]):
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        position, known = kind(rng)
        counts.update(_features((position, known)))
        for name, solver in solvers.items():
            wrong += [f"{name}, {text}" for text in disagreements(solver, position, known)]
    return counts, wrong


def _features(compared: Known) -> Iterator[tuple[str, object]]:
    """Yield what a position counts for."""
    position, known = compared
    yield "positions", "all"
    yield "cards in hand", position.cards_left
    yield "cards in the trick", len(position.trick)
    yield "a sweep is possible", 0 in position.won
    yield "the card matters", is_open(known)
    yield "points", known.value.points


def _distinct_builds() -> list[str]:
    """Return the builds that differ on this machine: without fast BMI2 the default is the portable one."""
    return sorted({"portable" if solver.portable else "bmi2" for solver in builds().values()})


def _report(total: Counts, wrong: int, seed: int) -> None:
    compared = " and ".join(_distinct_builds())
    print(f"{total['positions', 'all']:,} positions, seed {seed}, builds {compared}: {wrong} disagreements")
    for name in dict.fromkeys(name for name, _ in total):
        values = sorted((value, number) for (key, value), number in total.items() if key == name)
        print(f"  {name}: " + ", ".join(f"{value} {number:,}" for value, number in values))


if __name__ == "__main__":
    sys.exit(main())
