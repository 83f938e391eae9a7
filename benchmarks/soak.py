"""The long run: threads that solve, sample and advise side by side: ``python -m benchmarks.soak --minutes 10``.

Every thread draws one task after the other at random, each with a seed of its own: a stored position is solved and
compared with its stored values; worlds are drawn twice and must be the same, and such as they may be; five cards get
their advice, all cards seen and at the table, which must be what one thread alone said at the beginning. Mistakes are
printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from benchmarks.common import DATA, random_hand
from hokm_solver.advice import advise
from hokm_solver.cards import Seat, Suit
from hokm_solver.dealing import deal_cards
from hokm_solver.notation import position_from_json
from hokm_solver.sampling import count_cards, seen_by_hakem
from hokm_solver.solver import Solver
from hokm_solver.table import table_advice

STORED = ("positions_play", "positions_kot", "positions_early", "positions_freak")
HANDS = 20  # advised on
SAMPLES = 4
WORLDS = 256
TABLE_MB = 4


def stored(names: tuple[str, ...] = STORED) -> list[dict[str, Any]]:
    """Positions with known values."""
    entries: list[dict[str, Any]] = []
    for name in names:
        with open(DATA / f"{name}.jsonl", encoding="utf-8") as lines:
            entries.extend(json.loads(line) for line in lines)
    return entries


def advice_on(number: int) -> object:
    """What is advised on a hand."""
    five = random_hand(number)
    table = table_advice(five, worlds=WORLDS)
    # Clocks are left out: of what is told, only seconds depend on what else the machine does.
    told = advise(five, SAMPLES, jobs=1).to_json()
    told.pop("seconds", None)
    return json.dumps([told, str(table)], sort_keys=True)


class Soak:
    """Tasks with checked results, for any number of threads."""

    def __init__(self, hands: int = HANDS) -> None:
        """Let one thread find what the others must find."""
        self._entries = stored()
        self._advice = [advice_on(number) for number in range(hands)]
        self._tasks: tuple[Callable[[Random, Solver], Iterator[str]], ...] = (self._solve, self._sample, self._advise)
        self._lock = threading.Lock()
        self.done: Counter[str] = Counter()
        self.faults: list[str] = []

    def run(self, seed: int, until: float) -> None:
        """Work in one thread until that `time.monotonic` moment."""
        rng, solver = Random(seed), Solver(TABLE_MB)
        while time.monotonic() < until:
            task = rng.choices(self._tasks, weights=(20, 5, 1))[0]
            try:
                found = list(task(rng, solver))
            except Exception as error:  # the very thing that is looked for
                found = [f"{task.__name__}: {type(error).__name__}: {error}"]
            with self._lock:
                self.done[task.__name__.lstrip("_")] += 1
                self.faults += found

    def _solve(self, rng: Random, solver: Solver) -> Iterator[str]:
        entry = rng.choice(self._entries)
        solution = solver.solve(position_from_json(entry)[0], "margin", line=True)
        if (solution.points, solution.margin) != (entry["points"], entry["margin"]):
            yield f"{solution.points}, {solution.margin} where {entry} is known"

    def _sample(self, rng: Random, solver: Solver) -> Iterator[str]:
        deal, seed = deal_cards(rng.getrandbits(64)), rng.getrandbits(64)
        hidden = seen_by_hakem(list(deal.hands[0])[:5])
        worlds = hidden.worlds(WORLDS, seed)
        if not np.array_equal(worlds, hidden.worlds(WORLDS, seed)):
            yield f"other worlds of the same seed {seed}"
        if not (count_cards(worlds) == 13).all() or len(set(np.bitwise_or.reduce(worlds, axis=1).tolist())) != 1:
            yield f"worlds of seed {seed} that are no deals"
        points = solver.points_of_worlds(worlds[:1], Seat.N, rng.choice(list(Suit)))
        if points[0] not in (-3, -1, 1, 2):
            yield f"a deal is worth {points[0]}"

    def _advise(self, rng: Random, solver: Solver) -> Iterator[str]:
        number = rng.randrange(len(self._advice))
        if advice_on(number) != self._advice[number]:
            yield f"other advice on hand {number}"


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=4, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of what each does (default: %(default)s)")
    options = parser.parse_args()
    soak = Soak()
    until = time.monotonic() + 60 * options.minutes
    seeds = range(options.seed * options.threads, (options.seed + 1) * options.threads)
    threads = [threading.Thread(target=soak.run, args=(seed, until)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = ", ".join(f"{name} {count:,}" for name, count in sorted(soak.done.items()))
    print(
        f"{options.threads} threads, {options.minutes:g} minutes ({told}): {len(soak.faults)} faults",
        *soak.faults,
        sep="\n",
    )
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main())
