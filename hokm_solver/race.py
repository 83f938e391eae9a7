"""A race between the four trumps: more and more deals, until one is left or all that are left are equal.

Every deal is valued in as many versions as there are suits in the race: from one to the next the unseen cards of each
suit move to the next suit. What luck gives one suit in one version it gives the others in the other versions, so that
mostly the difference remains that hakem's own cards make (antithetic variates: Hammersley and Morton, Proc. Camb. Phil.
Soc. 52, 1956). The value of a suit in a deal is its mean over the versions, and these values are compared.

After 16, 32, 64 … deals the race is over when all suits still in are surely within the precision of each other; if
not, a suit is dropped when another one is surely better. Surely: the intervals around the differences between the best
suit and its three rivals, at every look there can be, hold all together with the chance `SURE`
(`comparison.interval_bound`). Repeated looks are so paid for in advance, as in group sequential trials (Jennison and
Turnbull, Group Sequential Methods, 2000), the early ones more dearly, since most races end there. It does not matter
which suit is the best.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations, count, product
from math import log2, sqrt
from threading import Lock
from typing import Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Seat, Suit
from hokm_solver.comparison import PRIOR_VARIANCE, chance_all_positive, interval_bound, mean, scatter_of, standard_error
from hokm_solver.parallel import ordered_map
from hokm_solver.rules import Outcome
from hokm_solver.sampling import HAKEM, HiddenHands, Worlds

SURE = 0.95
FIRST_LOOK = 16
LOOKS = 13
MOST_DEALS = FIRST_LOOK << LOOKS - 1  # 65,536: the race ends here, whatever the precision
LATER = 0.85  # how much less of the chance to err each look may use than the one before it
ERRING_AT = {
    FIRST_LOOK << look: (1 - SURE) * LATER**look * (1 - LATER) / (1 - LATER**LOOKS) for look in range(LOOKS)
}  # by the number of deals at the look
RIVALS = len(Suit) - 1
FIRST_BLOCK = 2  # deals that are valued whatever the time: one has no standard error
BLOCK = 4  # deals valued by a worker at a time, each 16 times while all suits are in; looks come between blocks
PRIOR_OF_DEAL = PRIOR_VARIANCE / len(Suit)  # of one deal in four versions, each a world of its own
UNIT = 12  # values are kept in twelfths of a point, so that means over 2, 3 or 4 versions are whole numbers
OUTCOME_POINTS = tuple(outcome.points() for outcome in Outcome)

Ended: TypeAlias = Literal["decided", "equal", "time", "ceiling"]
Points: TypeAlias = NDArray[np.int8]
Item = TypeVar("Item")
Result = TypeVar("Result")


class WorldSolver(Protocol):
    """What a race needs of a solver."""

    def points_of_worlds(self, worlds: Worlds, hakem: Seat, trump: Suit) -> Points:
        """Points of every world, hakem's side's view, shape (n,)."""

    def interrupt(self) -> None:
        """Make a running call raise; called from another thread."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where worlds are valued.

    Attributes:
        hidden: what hakem knows; the worlds fit it.
        seed: of the worlds.
        solver: makes the solver of one worker.
        jobs: number of workers; it changes no value.
    """

    hidden: HiddenHands
    seed: int
    solver: Callable[[], WorldSolver]
    jobs: int

    def worlds(self, numbers: range) -> Worlds:
        """The worlds with these numbers, shape (n, 4)."""
        return self.hidden.worlds(len(numbers), self.seed, numbers.start)

    def map(
        self, work: Callable[[WorldSolver, Item], Result], items: Iterable[Item], until: float | None = None
    ) -> Generator[Result, None, None]:
        """Share out work among the workers; see `ordered_map`."""
        return ordered_map(work, items, state=self.solver, jobs=self.jobs, interrupt=_interrupt, until=until)


def _interrupt(solver: WorldSolver) -> None:
    solver.interrupt()


@dataclass(frozen=True, slots=True)
class Block:
    """Valued deals.

    Attributes:
        suits: the suits that were valued.
        deals: which deals.
        values: of every deal for each suit ♠♥♦♣, in units of 1/`UNIT` point, shape (deals, 4), hakem's side's view.
        counts: how often each suit brought each of `OUTCOME_POINTS` in the versions of all deals, shape (4, 4).
    """

    suits: tuple[Suit, ...]
    deals: range
    values: Points
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one suit is than another: mean points a deal, its standard error, and the number of deals."""

    points: float
    error: float
    deals: int


class Race:
    """The standing of a race: which deals are to be valued for which suits, and what they say so far.

    Attributes:
        suits: the suits still in, ♠♥♦♣.
        deals: number of deals valued.
        ended: why it is over: one suit is left, all that are left are within `precision` of each other, time is up, or
            `MOST_DEALS` are valued; None while it is not.
        counts: how often each suit brought each of `OUTCOME_POINTS` while it was in, shape (4, 4).
    """

    def __init__(self, precision: float | None = None) -> None:
        """Begin with all four suits; without a `precision`, in points a deal, suits are never called equal."""
        self.suits: tuple[Suit, ...] = tuple(Suit)
        self.deals = 0
        self.ended: Ended | None = None
        self.counts = np.zeros((len(Suit), len(OUTCOME_POINTS)), dtype=np.int64)
        self._precision = precision
        self._lock = Lock()
        self._begun = FIRST_BLOCK
        self._early: dict[int, Block] = {}  # blocks that came before those in front of them, by their first deal
        self._values: list[Points] = []
        self._deals_of = dict.fromkeys(Suit, MOST_DEALS)  # how long each suit was in

    @property
    def part(self) -> float:
        """How much of the longest possible race is over, by looks."""
        return log2(1 + self.deals / FIRST_LOOK) / log2(1 + MOST_DEALS / FIRST_LOOK)

    def begin(self, number: int) -> tuple[tuple[Suit, ...], range]:
        """What to value next, for which suits; called by workers, with the number of their task.

        Task 0 is the first block, so whoever has its result has a race; others come in the order in which they begin.
        Work does not wait for a look: the deals behind it are begun for the suits that were in before.
        """
        if number == 0:
            return self.suits, range(FIRST_BLOCK)
        with self._lock:
            start = self._begun
            self._begun = min(start + BLOCK - start % BLOCK, MOST_DEALS)
            return self.suits, range(start, self._begun)

    def add(self, block: Block) -> None:
        """Take a block and look if it is time to; blocks may come in any order.

        Blocks that were begun for more suits than are now in are of no use: `begin` gives out their deals once more.
        So what counts for a suit does not depend on who was how fast.
        """
        if block.suits == self.suits:
            self._early[block.deals.start] = block
        while self.ended is None and self.deals in self._early:
            self._take(self._early.pop(self.deals))

    def difference(self, one: Suit, other: Suit) -> Difference:
        """How much better `one` is than `other`, on the deals for which both were in."""
        apart = self._apart(one, other)
        n = len(apart)
        error = sqrt((standard_error(apart) / UNIT) ** 2 + PRIOR_OF_DEAL / n / n)
        return Difference(mean(apart) / UNIT, error, n)

    def leader(self) -> Suit:
        """The best of the suits still in; of equal ones the first of ♠♥♦♣."""
        totals = self._all_values().sum(axis=0, dtype=np.int64)
        return max(self.suits, key=lambda trump: (totals[trump], -trump))

    def confidence(self) -> float:
        """The chance that the leader is the best of all four, given all deals; see `comparison.chance_of_best`."""
        best = self.leader()
        others = [trump for trump in Suit if trump != best]
        found = [self.difference(best, other) for other in others]
        n = np.array([each.deals for each in found])
        scatter = scatter_of(np.stack([self._apart(best, other)[: n.min()] for other in others], axis=1) / UNIT)
        spread = np.sqrt(scatter.diagonal())
        # Two means are as correlated as their deals, as far as they come from the same ones.
        shared = np.sqrt(np.minimum.outer(n, n) / np.maximum.outer(n, n))
        errors = np.array([each.error for each in found])
        covariance = scatter / np.outer(spread, spread) * shared * np.outer(errors, errors)
        return chance_all_positive(np.array([each.points for each in found]), covariance)

    def _all_values(self) -> Points:
        self._values = [np.concatenate(self._values)]
        return self._values[0]

    def _apart(self, one: Suit, other: Suit) -> NDArray[np.int64]:
        """The differences of two suits on the deals for which both were in."""
        values = self._all_values()[: min(self._deals_of[one], self._deals_of[other])].astype(np.int64)
        return values[:, one] - values[:, other]

    def _take(self, block: Block) -> None:
        self._values.append(block.values)
        self.counts += block.counts
        self.deals += len(block.deals)
        if self.deals in ERRING_AT:
            self._look()

    def _look(self) -> None:
        """See whether all suits still in are equal; else drop those that are surely worse than another."""
        bound = interval_bound(RIVALS, self.deals, 1 - ERRING_AT[self.deals])
        found = {pair: self.difference(*pair) for pair in combinations(self.suits, 2)}
        widest = max(abs(each.points) + bound * each.error for each in found.values())
        if self._precision is not None and widest <= self._precision:
            self.ended = "equal"
            return
        self._drop(
            {
                other if each.points > 0 else one
                for (one, other), each in found.items()
                if abs(each.points) > bound * each.error
            }
        )
        if len(self.suits) == 1:
            self.ended = "decided"
        elif self.deals == MOST_DEALS:
            self.ended = "ceiling"

    def _drop(self, worse: set[Suit]) -> None:
        """Go on without these suits; deals that were begun for them as well are begun anew."""
        if not worse:
            return
        self._deals_of.update(dict.fromkeys(worse, self.deals))
        self._early.clear()
        with self._lock:
            self.suits = tuple(trump for trump in self.suits if trump not in worse)
            self._begun = self.deals


def run_race(
    race: Race, workshop: Workshop, until: float | None = None, progress: Callable[[], None] | None = None
) -> None:
    """Value worlds 0, 1 … until the race is over, or at `until`, a `time.monotonic` moment.

    At least two worlds are valued. `progress` is called now and then.
    """
    with closing(workshop.map(partial(_value, race, workshop), count(), until)) as blocks:
        for block in blocks:
            race.add(block)
            if progress is not None:
                progress()
            if race.ended is not None:
                return
    race.ended = "time"


def _value(race: Race, workshop: Workshop, solver: WorldSolver, number: int) -> Block:
    """Value the next deals for the suits still in."""
    suits, deals = race.begin(number)
    worlds = workshop.worlds(deals)
    points = np.zeros((len(suits), len(deals), len(Suit)), dtype=np.int8)  # of every version; no outcome is worth 0
    for version, trump in product(range(len(suits)), suits):
        if race.suits != suits:  # one was dropped meanwhile, and nobody wants this block any more
            break
        if version and trump == suits[0]:
            worlds = workshop.hidden.rotated(worlds, suits)
        points[version, :, trump] = solver.points_of_worlds(worlds, HAKEM, trump)
    values = points.sum(axis=0, dtype=np.int8) * np.int8(UNIT // len(suits))
    counts = np.stack([np.count_nonzero(points == outcome, axis=(0, 1)) for outcome in OUTCOME_POINTS], axis=1)
    return Block(suits, deals, values, counts)
