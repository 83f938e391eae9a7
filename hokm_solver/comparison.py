"""Comparing choices that were valued on the same worlds: paired differences, and the chance that one is the best."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, islice
from math import exp, sqrt
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = NDArray[np.integer[Any]]
Reals: TypeAlias = NDArray[np.float64]

# Two trumps differ in one world by 0 points on average, give or take 1.37 (measured on exact values of random hands).
# This enters the chance of being best as if one world had shown it: thousands of worlds outvote it, while two
# worlds that happen to agree do not pass for certainty.
PRIOR_VARIANCE = 1.37**2
LATTICE_POINTS = 2048
STEEPEST = 40.0  # tilts shares so far that one kind is as good as alone
HALVINGS = 60
SMALLEST_CHANCE = 1e-300  # keeps the inverse normal inside its domain


def mean(values: Values) -> float:
    """The mean of whole numbers, summed exactly: the same on every machine."""
    return int(values.sum(dtype=np.int64)) / len(values)


def standard_error(values: Values) -> float:
    """The standard error of the mean of at least two values."""
    n = len(values)
    total = int(values.sum(dtype=np.int64))
    squares = int(np.square(values, dtype=np.int64).sum())
    return sqrt((n * squares - total * total) / (n * n * (n - 1)))


def tilted(counts: Sequence[int], values: Sequence[float], wanted: float) -> list[float]:
    """Shares as near as can be to those of `counts`, under which the mean of `values` is `wanted`.

    The shares are proportional to counts · exp(t · value) for some t: of all with that mean they have the least
    relative entropy (Csiszár, I-divergence geometry, Annals of Probability 3, 1975), and none leaves 0 to 1. Where the
    values that were counted all lie to one side, one of each kind is counted in addition.
    """
    counted = [value for count, value in zip(counts, values) if count]
    if not min(counted) < wanted < max(counted) and counted != [wanted]:
        counts = [count + 1 for count in counts]
    low, high = -STEEPEST, STEEPEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        shares = _weighted(counts, values, middle)
        too_low = sum(share * value for share, value in zip(shares, values)) < wanted
        low, high = (middle, high) if too_low else (low, middle)
    return shares


def _weighted(counts: Sequence[int], values: Sequence[float], steepness: float) -> list[float]:
    top = max(steepness * value for value in values)
    weights = [count * exp(steepness * value - top) for count, value in zip(counts, values)]
    return [weight / sum(weights) for weight in weights]


def interval_bound(intervals: int, n: int, sure: float = 0.95) -> float:
    """How many standard errors wide, to either side, intervals of means of `n` values must be to hold all together.

    With the chance `sure` all of so many `intervals` contain what they estimate, whatever ties them together: the
    inequality of Bonferroni, after O. J. Dunn, Multiple comparisons among means, JASA 56 (1961). The quantile is that
    of Student's t with n − 1 degrees of freedom, by the expansion 26.7.5 of Abramowitz and Stegun, which is good to
    0.01 from 30 values on.
    """
    z = NormalDist().inv_cdf(1 - (1 - sure) / (2 * intervals))
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(n - 1) ** power for power, term in enumerate(terms, start=1))


def chance_of_best(values: Values, best: int) -> float:
    """The chance that column `best` of `values`, shape (worlds, choices), has the highest true mean.

    The true paired differences between `best` and the others are taken as jointly normal around the observed ones, with
    the observed covariance (and one world's worth of `PRIOR_VARIANCE`). The chance that all are positive is computed
    by Genz's separation of variables on a fixed lattice: no random numbers, an error below 0.001.
    """
    n, choices = values.shape
    others = [choice for choice in range(choices) if choice != best]
    differences = values[:, [best]].astype(np.int64) - values[:, others]
    return chance_all_positive(differences.sum(axis=0) / n, scatter_of(differences) / n / n)


def scatter_of(differences: NDArray[Any]) -> Reals:
    """Sums of squares and products around the means, of the differences between one choice and k others.

    `differences` has shape (n, k), the result (k, k); one value's worth of `PRIOR_VARIANCE` is in it.
    """
    n, k = differences.shape
    means = differences.sum(axis=0) / n
    scatter: Reals = differences.T @ differences - n * np.outer(means, means)
    # Differences that share a choice are correlated by one half when all choices vary alike.
    return scatter + PRIOR_VARIANCE * (np.eye(k) + 1) / 2


def chance_all_positive(means: Reals, covariance: Reals) -> float:
    """The chance that a normal vector with these means and this covariance is positive in every component.

    Genz (1992), Numerical computation of multivariate normal probabilities: each component given those before it.
    """
    rows = np.linalg.cholesky(covariance).tolist()
    limits = means.tolist()
    total = sum(_chance_along(point, limits, rows) for point in _lattice(len(limits)))
    return total / LATTICE_POINTS


def _chance_along(point: list[float], limits: list[float], rows: list[list[float]]) -> float:
    """The integrand: the product of the conditional chances along the path chosen by a point of the unit cube."""
    normal = NormalDist()
    chance, path = 1.0, list[float]()
    for u, limit, row in zip(point, limits, rows):
        shift = sum(weight * y for weight, y in zip(row, path))
        below = normal.cdf((limit - shift) / row[len(path)])
        chance *= below
        path.append(normal.inv_cdf(min(max(u * below, SMALLEST_CHANCE), 1 - 2**-53)))
    return chance


def _lattice(dimensions: int) -> list[list[float]]:
    """Points k·√p mod 1, p the primes, folded (1 − |2x − 1|) so that the integrand is periodic."""
    roots = [sqrt(p) for p in islice(_primes(), dimensions)]
    return [[1 - abs(2 * (k * root % 1) - 1) for root in roots] for k in range(1, LATTICE_POINTS + 1)]


def _primes() -> filter[int]:
    return filter(lambda n: all(n % d for d in range(2, n)), count(2))
