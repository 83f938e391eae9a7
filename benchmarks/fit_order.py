"""Fit the weights by which the search orders cards: a random walk that keeps what saves nodes.

The deals come from a seed far from those that benchmarks measure. The weights are printed after every gain, as the
table in src_ext/order.pxd takes them; nothing is changed by itself.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from typing import Any

from benchmarks.common import Board, random_boards
from hokm_solver.solver import make_search

SEED = 990_000_000  # the benchmarks begin at 20,000,000
FEWEST_NODES, MOST_NODES = 1_500, 80_000  # easy deals teach nothing, the hardest would drown the others
FLATTEN = 0.85  # nodes to this power: a hard deal counts for more than an easy one, but not by all of its nodes
LARGEST_STEP = 48


def nodes(search: Any, board: Board) -> int:
    """Nodes of the win question."""
    position = board.position
    search.begin(0, 0.0)
    search.load(
        [hand.bits for hand in position.hands], position.trump, position.hakem, position.leader, [], 0, 0, False
    )
    search.value(0)
    return int(search.nodes)


def cost(search: Any, boards: Sequence[Board], weights: list[int], worst: float) -> float:
    """What these weights cost; given up when it exceeds `worst`."""
    search.order_weights = weights
    total = 0.0
    for board in boards:
        total += nodes(search, board) ** FLATTEN
        if total > worst:
            break
    return total


def fit(search: Any, boards: Sequence[Board], steps: int, rng: random.Random) -> list[int]:
    """Walk from the weights in use; returns the best found."""
    best = list(search.order_weights)
    lowest = cost(search, boards, best, float("inf"))
    print(f"start {lowest:.0f}", flush=True)
    for step in range(steps):
        tried = list(best)
        for place in rng.sample(range(len(best)), rng.choice((1, 1, 2, 3))):
            tried[place] += rng.choice((-1, 1)) * rng.randint(1, LARGEST_STEP)
        found = cost(search, boards, tried, lowest)
        if found < lowest:
            best, lowest = tried, found
            print(f"step {step}: {lowest:.0f}  {best}", flush=True)
    return best


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=450)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    search, _ = make_search(64, None)
    candidates = random_boards(20 * options.deals, SEED)
    boards = [board for board in candidates if FEWEST_NODES <= nodes(search, board) <= MOST_NODES][: options.deals]
    print(fit(search, boards, options.steps, random.Random(options.seed)))


if __name__ == "__main__":
    main()
