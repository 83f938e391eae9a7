"""Whether the errors of the values at the table are honest: ``python -m benchmarks.table_coverage``.

Random hands are valued at the table as the adviser does, and once more with many other worlds. Do the 95 % intervals
hold the values of many worlds? Both go through the same model, so only the choice of worlds makes a difference.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from benchmarks.advice_coverage import FIRST_SEED, SEED, share, within
from benchmarks.common import random_hand, surroundings
from hokm_solver import defaults
from hokm_solver.cards import Suit
from hokm_solver.table import TableAdvice, table_advice


@dataclass(frozen=True)
class Check:
    """A hand valued with few worlds beside the same with many.

    Attributes:
        points: for every suit whether the interval of its points holds the value of many worlds.
        behind: the same for what the suits are behind the best of few worlds.
        behind_se: the largest standard error of these differences.
        regret: points lost by the call, by the values of many worlds.
        seconds: taken by the few.
    """

    points: list[bool]
    behind: list[bool]
    behind_se: float
    regret: float
    seconds: float


def checks(hands: int, worlds: int) -> Iterator[Check]:
    """Value hands."""
    table_advice(random_hand(FIRST_SEED))  # what is read once only is read
    for number in range(hands):
        five = random_hand(FIRST_SEED + number)
        begun = time.perf_counter()
        few = table_advice(five)
        seconds = time.perf_counter() - begun
        yield check(few, table_advice(five, worlds=worlds, seed=SEED), seconds)


def check(few: TableAdvice, many: TableAdvice, seconds: float) -> Check:
    """Compare."""
    points = {trump: many.value(trump).points for trump in Suit}
    # The error of a difference in many worlds shrinks with their square root; `many` states it for its own best only.
    shrunk = (few.trumps[0].worlds / many.trumps[0].worlds) ** 0.5
    return Check(
        points=[
            within(one.points - points[one.trump], one.points_se, many.value(one.trump).points_se) for one in few.trumps
        ],
        behind=[
            within(one.behind - (points[few.best] - points[one.trump]), one.behind_se, one.behind_se * shrunk)
            for one in few.trumps[1:]
        ],
        behind_se=max(one.behind_se for one in few.trumps),
        regret=many.trumps[0].points - points[few.best],
        seconds=seconds,
    )


def report(found: list[Check]) -> str:
    """How often intervals hold, what the calls cost, and how long they took."""
    regrets = [each.regret for each in found]
    lines = [
        share("points in their intervals", [held for each in found for held in each.points]),
        share("behind in its interval", [held for each in found for held in each.behind]),
        f"largest standard error of behind: {max(each.behind_se for each in found):.4f} points",
        f"mean regret: {sum(regrets) / len(regrets):.4f} points, largest {max(regrets):.4f}",
        f"seconds: median {median(each.seconds for each in found):.3f}, longest {max(e.seconds for e in found):.3f}",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100, help="default %(default)s")
    parser.add_argument("--worlds", type=int, default=200_000, help="the many (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a few rough ones: enough to see that it works")
    options = parser.parse_args()
    hands, worlds = (2, 8000) if options.quick else (options.hands, options.worlds)
    print(surroundings())
    budgets = f"{defaults.TABLE_WORLDS:,} worlds against {worlds:,}"
    print(f"{hands} hands, seeds {FIRST_SEED} to {FIRST_SEED + hands - 1}: {budgets}")
    print(report(list(checks(hands, worlds))))


if __name__ == "__main__":
    main()
