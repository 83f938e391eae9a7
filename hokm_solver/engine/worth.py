"""What the end of a deal is worth to hakem's side: points, or the chance to win the match from its score."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Seat, Side
from hokm_solver.equity import match_equity
from hokm_solver.rules import Outcome, outcome_of_margin, points_of_margin

LARGEST_MARGIN = 7
MARGIN_VALUES = np.arange(-LARGEST_MARGIN, LARGEST_MARGIN + 1)  # −7 … +7; 0 does not occur
MARGINS = len(MARGIN_VALUES)

Worth = NDArray[np.float64]

WHOLE_POINTS = np.array([points_of_margin(margin) if margin else 0 for margin in MARGIN_VALUES.tolist()])
POINTS: Worth = WHOLE_POINTS.astype(np.float64)


def worth_at(score: tuple[int, int] | None, hakem: Seat) -> Worth:
    """The worth of the margins −7 … +7 to hakem's side, at a score of NS and WE; points without one.

    A match score makes it the chance to win the match, stretched so that a plain win is worth +1 and a plain loss −1,
    like points: then a kot is worth more than 1 only where it brings the match nearer.
    """
    if score is None:
        return POINTS
    ns, we = score
    return _stretched_chances((ns, we) if hakem.side == Side.NS else (we, ns))


@lru_cache(maxsize=128)
def _stretched_chances(score: tuple[int, int]) -> Worth:
    after = match_equity().after(score)
    middle = (after[Outcome.WIN] + after[Outcome.LOSS]) / 2
    half = (after[Outcome.WIN] - after[Outcome.LOSS]) / 2
    margins = MARGIN_VALUES.tolist()
    return np.array([(after[outcome_of_margin(margin)] - middle) / half if margin else 0.0 for margin in margins])


def mean_points(margins: NDArray[np.int64]) -> tuple[float, float | None]:
    """Mean points of deals, given how often each margin −7 … +7 occurred, and the standard error of the mean."""
    n = int(margins.sum())
    total, squares = int(margins @ WHOLE_POINTS), int(margins @ WHOLE_POINTS**2)
    return total / n, sqrt((n * squares - total * total) / (n * n * (n - 1))) if n > 1 else None
