"""The mean of dear values with the help of cheap ones: double sampling for stratification.

Many worlds are sorted by a cheap label; some of them are also valued exactly. Where the label foretells the value, the
exact mean within every label, weighted by how common the label is among all, has a smaller error than the plain mean:
J. Neyman, Contribution to the theory of sampling human populations, JASA 33 (1938); W. G. Cochran, Sampling
Techniques, 3rd ed., 12.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FEWEST = 8  # values in a stratum; with fewer, neighbours are merged

Whole: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Worlds sorted into strata.

    Attributes:
        members: for every stratum which of the exactly valued worlds are in it, at least two.
        weights: the share of all worlds in every stratum; they add up to 1.
        total: number of all worlds.
    """

    members: tuple[NDArray[np.intp], ...]
    weights: tuple[float, ...]
    total: int

    @classmethod
    def of(cls, labels: Whole, valued: int) -> Strata:
        """Sort by `labels`, one for each of all worlds, of which the first `valued`, at least two, are to be valued.

        Neighbouring labels are merged until each stratum has `FEWEST` valued worlds, or all worlds are in one.
        """
        found = list(_merged(labels, valued))
        members = tuple(np.flatnonzero(np.isin(labels[:valued], each)) for each in found)
        return cls(members, tuple(int(np.isin(labels, each).sum()) / len(labels) for each in found), len(labels))

    def share(self, those: NDArray[np.bool_]) -> float:
        """The share of all worlds for which something is true that is known of the valued ones, 0 to 1."""
        parts = (int(np.count_nonzero(those[each])) / len(each) for each in self.members)
        return fsum(weight * part for weight, part in zip(self.weights, parts))

    def error(self, values: Whole) -> float:
        """The standard error of the weighted mean of `values`, those of the valued worlds.

        It has two parts: the valued worlds of a stratum stand for all of them, and how common the strata are was
        counted on finitely many worlds.
        """
        means = [float(values[each].mean()) for each in self.members]
        inside = fsum(
            weight**2 * float(values[each].var(ddof=1)) / len(each) for weight, each in zip(self.weights, self.members)
        )
        middle = fsum(weight * mean for weight, mean in zip(self.weights, means))
        between = fsum(weight * (mean - middle) ** 2 for weight, mean in zip(self.weights, means))
        return sqrt(inside + between / self.total)


def _merged(labels: Whole, valued: int) -> Iterator[list[int]]:
    """The labels of every stratum, from the lowest on; what is left over at the end goes to the last."""
    held: list[int] = []
    ready: list[int] = []
    for label in np.unique(labels).tolist():
        held.append(label)
        if np.count_nonzero(np.isin(labels[:valued], held)) >= FEWEST:
            if ready:
                yield ready
            ready, held = held, []
    yield ready + held
