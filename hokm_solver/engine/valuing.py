"""Values of the legal cards of one decision: the same sampled worlds for all cards, one playout each, losers dropped.

Everything a card's value depends on is in the view; the hands of a world are drawn from it and given to policies that
see one of them at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, sqrt
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from hokm_solver._playout import Policy
from hokm_solver.cards import EMPTY_SET, FULL_SET, CardSet, Seat
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.policies import make_policy, record_of
from hokm_solver.engine.view import View
from hokm_solver.rules import points_of_margin
from hokm_solver.sampling import HiddenHands

LARGEST_MARGIN = 7
FIRST_BLOCK = 16
LARGEST_BLOCK = 512
FEWEST_TO_DROP = 48  # worlds before a card may be dropped
SURE = 3.0  # standard errors behind the leader at which a card is dropped; looked at a handful of times

Worth = NDArray[np.float64]
POINTS: Worth = np.array([points_of_margin(margin) if margin else 0 for margin in range(-7, 8)], dtype=np.float64)


def hidden_hands(view: View) -> HiddenHands:
    """What the seat of a view knows of the four hands."""
    n, w, s, e = (view.held if seat == view.seat else EMPTY_SET for seat in Seat)
    return HiddenHands((n, w, s, e), view.sizes, view.voids, FULL_SET - view.held - view.unseen)


@dataclass
class Budget:
    """How many worlds may still be valued; the clock starts when it is made."""

    worlds: int
    playouts: int | None = None
    seconds: float | None = None
    stop: Callable[[], bool] | None = None
    began: float = field(default_factory=perf_counter)

    @classmethod
    def of(cls, limits: Limits, usual: int, most: int) -> Budget:
        """The budget of a request: ``usual`` worlds if no work is limited, ``most`` if only time or playouts are."""
        seconds = None if limits.time_ms is None else limits.time_ms / 1000
        unlimited = limits.time_ms is None and limits.nodes is None
        worlds = limits.worlds or (usual if unlimited else most)
        return cls(worlds, limits.nodes, seconds, limits.stop)

    def block(self, done: int, choices: int, playouts: int, spent: float) -> int:
        """How many worlds to value next, 0 for enough; the first one always.

        ``done``: worlds so far; ``choices`` still valued; ``playouts`` so far, which took ``spent`` seconds. Sizes
        double, so that the checks between blocks cost little, and depend on the clock only under a time limit.
        """
        size = min(max(FIRST_BLOCK, done), LARGEST_BLOCK, self.worlds - done)
        if self.stop is not None and self.stop():
            size = 0
        if self.playouts is not None:
            size = min(size, (self.playouts - playouts) // choices)
        if self.seconds is not None and playouts:
            left = self.began + self.seconds - perf_counter()
            size = min(size, int(left / spent * playouts / choices))
        return max(size, 0 if done else 1)


class CardRace:
    """The legal cards of a view, one of every run of equal cards, valued together in more and more worlds.

    Attributes:
        cards: the cards valued, the lowest of every run, as bit numbers.
        counts: for each card the worlds it was valued in; those not dropped have the most.
    """

    def __init__(self, view: View, policy: Policy, seed: int, worth: Worth = POINTS) -> None:
        """Prepare; ``worth`` gives the value of the margins −7 … +7, hakem's side's view."""
        self._view, self._policy, self._seed, self._worth = view, policy, seed, worth
        self._record, self._hidden = record_of(view), hidden_hands(view)
        self._sign = 1 if view.seat.side == view.hakem.side else -1
        self.cards = np.array(self._record.distinct(view.held.bits), dtype=np.int32)
        self.counts = np.zeros(len(self.cards), dtype=np.int64)
        self._alive = np.arange(len(self.cards))
        self._margins = np.zeros((len(self.cards), 0), dtype=np.int8)
        self._playouts, self._spent = 0, 0.0

    @property
    def worlds(self) -> int:
        """Worlds drawn so far."""
        return self._margins.shape[1]

    def run(self, budget: Budget) -> None:
        """Value worlds until the budget is spent or only one of several cards is left."""
        while size := budget.block(self.worlds, len(self._alive), self._playouts, self._spent):
            self._value(size)
            if len(self.cards) > 1 and self.worlds >= FEWEST_TO_DROP:
                self._drop()
                if len(self._alive) == 1:
                    return

    def _value(self, size: int) -> None:
        began, start = perf_counter(), self.worlds
        worlds = self._hidden.worlds(size, self._seed, start)
        margins = np.empty((len(self._alive), size), dtype=np.int8)
        self._policy.card_margins(self._record, worlds, self.cards[self._alive], margins, self._seed, start)
        block = np.zeros((len(self.cards), size), dtype=np.int8)
        block[self._alive] = margins
        self._margins = np.concatenate([self._margins, block], axis=1)
        self.counts[self._alive] = self.worlds
        self._playouts += margins.size
        self._spent += perf_counter() - began

    def _drop(self) -> None:
        """Leave out the cards that are behind the best by more than chance would have it."""
        worth = self._sign * self._worth[self._margins[self._alive] + LARGEST_MARGIN]
        behind = worth[worth.mean(axis=1).argmax()] - worth
        doubt = SURE * behind.std(axis=1) / sqrt(self.worlds)
        self._alive = self._alive[behind.mean(axis=1) <= doubt]

    def points(self, k: int) -> tuple[float, float | None]:
        """Mean points of card ``k`` and its standard error, hakem's side's view."""
        values = POINTS[self._margins[k, : self.counts[k]] + LARGEST_MARGIN]
        error = float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else None
        return float(values.mean()), error

    def best(self, allowed: CardSet) -> int:
        """The number of the best card among ``allowed``: by mean worth, then by tricks, then as the policy likes."""
        liking = make_policy("learned").scores(self._record, self._view.held.bits)
        merit = self._merits()
        choices = [k for k, card in enumerate(self.cards.tolist()) if allowed.bits >> card & 1]
        return max(choices, key=lambda k: (*merit[k], liking[k]))

    def _merits(self) -> list[tuple[int, float, float]]:
        """For each card the worlds it was valued in, its mean worth and mean margin, the mover's view."""
        merits = []
        for k, count in enumerate(self.counts.tolist()):
            margins = self._margins[k, :count].astype(np.int64)
            worth = self._sign * float(self._worth[margins + LARGEST_MARGIN].mean()) if count else -inf
            merits.append((count, worth, self._sign * float(margins.mean())))
        return merits

    def runs(self) -> list[CardSet]:
        """For each card the run of equal cards it stands for."""
        legal = self._view.legal_cards().bits
        starts = self.cards.tolist()
        runs = []
        for card in starts:
            lane_end = card // 16 * 16 + 16
            end = min((other for other in starts if card < other < lane_end), default=lane_end)
            runs.append(CardSet(legal & (1 << end) - (1 << card)))
        return runs
