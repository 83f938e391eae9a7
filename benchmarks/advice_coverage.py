"""Whether races are right: ``python -m benchmarks.advice_coverage --jobs 2``.

Random hands are raced, and the same hands valued exactly on thousands of other deals. Do the 95 % intervals of a race
contain the independent values (whose own errors are allowed for), and how much worse than the best is the suit called?

The independent values take long (100 hands of 3,000 deals: about half an hour of one core). They are kept in a file,
and a run that was stopped goes on where that file ends.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import random_hand, surroundings
from hokm_solver.advice import Advice, advise
from hokm_solver.cards import Suit
from hokm_solver.journal import Journal, digest
from hokm_solver.parallel import ordered_map
from hokm_solver.sampling import HAKEM, seen_by_hakem
from hokm_solver.solver import Solver

FIRST_SEED = 9_300_000  # the first hand is hakem's in deal_cards(FIRST_SEED)
SEED = 2  # of the independent deals; races use seed 1
SCHEMA = "hokm-solver/advice-coverage/1"
WIDE = NormalDist().inv_cdf(0.975)  # standard errors, of a 95 % interval
SMALL = 0.05  # points that do not matter


@dataclass(frozen=True)
class Reference:
    """Independent values of the suits ♠♥♦♣: means, shape (4,), and the covariance of the means, shape (4, 4)."""

    points: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @classmethod
    def of_json(cls, answer: dict[str, Any]) -> Reference:
        """Read what `value` has made."""
        return cls(np.array(answer["points"]), np.array(answer["covariance"]))

    def difference(self, one: Suit, other: Suit) -> tuple[float, float]:
        """How much better one suit is than another, and the standard error of that."""
        weights = np.zeros(len(Suit))
        weights[one] += 1
        weights[other] -= 1
        return float(weights @ self.points), float(weights @ self.covariance @ weights) ** 0.5


def value(deals: int, solver: Solver, number: int) -> dict[str, Any]:
    """Value a hand for all suits on the same deals."""
    worlds = seen_by_hakem(random_hand(FIRST_SEED + number), HAKEM).worlds(deals, SEED)
    points = np.stack([solver.points_of_worlds(worlds, HAKEM, trump) for trump in Suit]).astype(float)
    covariance = np.cov(points) / deals
    return {
        "schema": SCHEMA,
        "question": question(number, deals),
        "points": points.mean(axis=1).tolist(),
        "covariance": covariance.tolist(),
    }


def question(number: int, deals: int) -> str:
    """The mark of what a line of the file answers."""
    return digest([SCHEMA, FIRST_SEED + number, deals, SEED])


def references(path: Path, hands: int, deals: int, jobs: int) -> list[Reference]:
    """The independent values of all hands; those that the file does not hold are added to it."""
    answers: list[dict[str, Any]] = []

    def fits(number: int, answer: dict[str, Any]) -> bool:
        answers.append(answer)
        return answer.get("question") == question(number, deals)

    with Journal(path) as journal:
        missing = journal.unanswered(range(hands), fits)
        for answer in ordered_map(partial(value, deals), missing, state=Solver, jobs=jobs, interrupt=Solver.interrupt):
            journal.append(answer)
            answers.append(answer)
            show_progress(len(answers), hands)
    return [Reference.of_json(answer) for answer in answers]


def show_progress(done: int, hands: int) -> None:
    """Tell on standard error how many hands have independent values."""
    print(f"\r{done} of {hands} hands valued", end="" if done < hands else "\n", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Check:
    """One race beside the independent values.

    Attributes:
        called: whether the interval of the points of the suit called holds the independent value.
        points: the same for all four suits.
        behind: the same for what the three others are behind.
        regret: points lost by the call, by the independent values.
        equal: the largest independent difference among suits that were called equal, None if none were.
    """

    called: bool
    points: list[bool]
    behind: list[bool]
    regret: float
    equal: float | None


def check(advice: Advice, reference: Reference) -> Check:
    """Compare."""
    means = reference.points
    errors = np.sqrt(reference.covariance.diagonal())
    points = [within(each.points - means[each.trump], each.points_se, errors[each.trump]) for each in advice.trumps]
    behind = []
    for each in advice.trumps[1:]:
        expected, error = reference.difference(advice.best, each.trump)
        behind.append(within(each.behind - expected, each.behind_se, error))
    equal = means[list(advice.equal)]
    return Check(
        called=points[0],
        points=points,
        behind=behind,
        regret=float(means.max() - means[advice.best]),
        equal=float(equal.max() - equal.min()) if len(equal) else None,
    )


def within(apart: float, one_error: float, other_error: float) -> bool:
    """Whether two estimates are no further apart than a 95 % interval of their difference allows."""
    return abs(apart) <= WIDE * hypot(one_error, other_error)


def report(checks: Sequence[Check]) -> str:
    """How often intervals hold the independent values, and what the calls cost."""
    regrets = [each.regret for each in checks]
    equal = [each.equal for each in checks if each.equal is not None]
    lines = [
        share("points of the suit called in their interval", [each.called for each in checks]),
        share("points of all suits in their intervals", [held for each in checks for held in each.points]),
        share("behind in its interval", [held for each in checks for held in each.behind]),
        share(f"call within {SMALL} points of the best", [regret <= SMALL for regret in regrets]),
        f"mean regret: {fmean(regrets):.4f} ± {stdev(regrets) / len(regrets) ** 0.5:.4f} points",
        f"suits called equal: {len(equal)} hands, independent values apart by {max(equal, default=0.0):.3f} at most",
    ]
    return "\n".join(lines)


def share(name: str, held: Sequence[bool]) -> str:
    """A count, and its share."""
    return f"{name}: {sum(held)} of {len(held)}, {sum(held) / len(held):.1%}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100, help="default %(default)s")
    parser.add_argument("--deals", type=int, default=3000, help="of the independent values (default %(default)s)")
    parser.add_argument("--precision", type=float, default=0.05, help="of the races (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="default %(default)s")
    parser.add_argument(
        "--values", type=Path, default=Path("advice_coverage.jsonl"), metavar="FILE", help="%(default)s"
    )
    parser.add_argument("--quick", action="store_true", help="a few rough ones: enough to see that it works")
    options = parser.parse_args()
    hands, deals, precision = (2, 50, 1.0) if options.quick else (options.hands, options.deals, options.precision)
    expected = references(options.values, hands, deals, options.jobs)
    races = (
        advise(random_hand(FIRST_SEED + number), precision=precision, jobs=options.jobs) for number in range(hands)
    )
    print(surroundings())
    print(f"{hands} hands, seeds {FIRST_SEED} to {FIRST_SEED + hands - 1}, {deals:,} deals, precision {precision:g}")
    print(report(list(map(check, races, expected))))


if __name__ == "__main__":
    main()
