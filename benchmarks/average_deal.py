"""How deals end with all cards seen when hakem calls his longest suit: ``python -m benchmarks.average_deal``.

It gives the shares of the four outcomes from which `hokm_solver.review` tells a lucky deal from an average one.
"""

from __future__ import annotations

import argparse
from collections import Counter
from math import sqrt

import numpy as np

from hokm_solver.cards import Seat, Suit
from hokm_solver.dealing import deal_cards
from hokm_solver.engine.policies import longest_suit
from hokm_solver.rules import Outcome
from hokm_solver.solver import Solver

SEED = 30_000_000  # the first deal is deal_cards(SEED), the second deal_cards(SEED + 1) and so on


def outcomes(deals: int, seed: int) -> Counter[int]:
    """How many of the deals are worth how many points to hakem's side."""
    by_trump: dict[Suit, list[list[int]]] = {trump: [] for trump in Suit}
    for number in range(deals):
        deal = deal_cards(seed + number)
        assert deal.first_five is not None
        by_trump[longest_suit(deal.first_five)].append([hand.bits for hand in deal.hands])
    solver, counts = Solver(), Counter[int]()
    for trump, worlds in by_trump.items():
        if worlds:
            counts.update(solver.points_of_worlds(np.array(worlds, dtype=np.uint64), Seat.N, trump).tolist())
    return counts


def main() -> None:
    """Print the shares, and the mean points with its standard error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    counts = outcomes(options.deals, options.seed)
    n = counts.total()
    mean = sum(points * count for points, count in counts.items()) / n
    variance = sum((points - mean) ** 2 * count for points, count in counts.items()) / (n - 1)
    print(f"{n:,} deals, seed {options.seed}: {mean:+.4f} ± {sqrt(variance / n):.4f} points to hakem's side")
    for outcome in Outcome:
        print(f"{outcome.value}: {counts[outcome.points()] / n:.4f}")


if __name__ == "__main__":
    main()
