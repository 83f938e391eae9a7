"""Comparing choices that were valued on the same worlds: paired differences, and the chance that one is the best."""

from __future__ import annotations

from itertools import count, islice
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int8]

# Two trumps differ in one world by 0 points on average, give or take 1.37 (measured on exact values of random hands).
# This enters the chance of being best as if one world had shown it: thousands of worlds outvote it, while two
# worlds that happen to agree do not pass for certainty.
PRIOR_VARIANCE = 1.37**2
LATTICE_POINTS = 2048
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


def chance_of_best(values: Values, best: int) -> float:
    """The chance that column `best` of `values`, shape (worlds, choices), has the highest true mean.

    The true paired differences between `best` and the others are taken as jointly normal around the observed ones, with
    the observed covariance (and one world's worth of `PRIOR_VARIANCE`). The chance that all are positive is computed
    by Genz's separation of variables on a fixed lattice: no random numbers, an error below 0.001.
    """
    n, choices = values.shape
    others = [choice for choice in range(choices) if choice != best]
    differences = values[:, [best]].astype(np.int64) - values[:, others]
    means = differences.sum(axis=0) / n
    scatter = differences.T @ differences - n * np.outer(means, means)
    # Differences that share `best` are correlated by one half when all choices vary alike.
    prior = PRIOR_VARIANCE * (np.eye(len(others)) + 1) / 2
    return _chance_below(means, (scatter + prior) / n / n)


def _chance_below(bounds: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    """The chance that a normal vector with mean 0 and this covariance is below `bounds` in every component.

    Genz (1992), Numerical computation of multivariate normal probabilities: each component given those before it.
    """
    rows = np.linalg.cholesky(covariance).tolist()
    limits = bounds.tolist()
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
