"""Values of the legal cards of one decision: the same sampled worlds for all cards, one playout each, losers dropped.

Everything a card's value depends on is in the view; the hands of a world are drawn from it and given to policies that
see one of them at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import FULL_SET, EMPTY_SET, CardSet, Seat
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.policies import record_of
from hokm_solver.engine.view import View
from hokm_solver.rules import points_of_margin
from hokm_solver.sampling import HiddenHands
from hokm_solver._playout import Policy

MARGINS = 15  # −7 … +7, the middle one unused
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
    """How many worlds may still be valued."""

    limits: Limits
    worlds: int
    began: float = field(default_factory=perf_counter)

    def block(self, done: int, cards: int, spent: float, nodes: int) -> int:
        """How many worlds to value next, 0 for enough.

        ``done``: worlds so far; ``cards``: cards still valued; ``spent``: seconds the ``nodes`` playouts so far took.
        Sizes double, so that the check between blocks costs little; they depend on time only under a time limit.
        """
        size = min(max(FIRST_BLOCK, done), LARGEST_BLOCK, self.worlds - done)
        if self.limits.nodes is not None:
            size = min(size, (self.limits.nodes - nodes) // cards)
        if self.limits.time_ms is not None and nodes:
            left = self.began + self.limits.time_ms / 1000 - perf_counter()
            size = min(size, int(left * nodes / spent / cards))
        return max(size, 0 if done else 1)


class CardRace:
    """The cards of a view, one of every run of equal cards, valued together in more and more worlds.

    Attributes:
        cards: the cards valued, as bit numbers.
        counts: for each card the worlds it was valued in; those not dropped have the most.
    """

    def __init__(self, view: View, cards: list[int], policy: Policy, seed: int, worth: Worth = POINTS) -> None:
        """Prepare; ``worth`` gives the value of the margins −7 … +7, hakem's side's view."""
        self.cards = np.array(cards, dtype=np.int32)
        self.counts = np.zeros(len(cards), dtype=np.int64)
        self.sign = 1 if view.seat.side == view.hakem.side else -1
        self._record = record_of(view)
        self._hidden = hidden_hands(view)
        self._policy, self._seed, self._worth = policy, seed, worth
        self._alive = np.arange(len(cards))
        self._values = np.zeros((len(cards), 0), dtype=np.int8)
        self._spent, self._nodes = 0.0, 0

    @property
    def worlds(self) -> int:
        """Worlds drawn so far."""
        return self._values.shape[1]

    def run(self, budget: Budget) -> None:
        """Value worlds until the budget is spent or one card is left."""
        while size := budget.block(self.worlds, len(self._alive), self._spent, self._nodes):
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
        self._values = np.concatenate([self._values, np.zeros((len(self.cards), size), dtype=np.int8)], axis=1)
        self._values[self._alive, start:] = margins
        self.counts[self._alive] = self.worlds
        self._nodes += margins.size
        self._spent += perf_counter() - began

    def _drop(self) -> None:
        """Leave out the cards that are behind the best by more than chance would have it."""
        worth = self.sign * self._worth[self._values[self._alive] + MARGINS // 2]
        behind = worth[worth.mean(axis=1).argmax()] - worth
        doubt = SURE * behind.std(axis=1) / sqrt(self.worlds)
        self._alive = self._alive[behind.mean(axis=1) <= doubt]

    def points(self, k: int, worth: Worth = POINTS) -> tuple[float, float | None]:
        """Mean points of card ``k`` and its standard error, hakem's side's view."""
        values = worth[self._values[k, : self.counts[k]] + MARGINS // 2]
        error = float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else None
        return float(values.mean()), error

    def ranking(self) -> list[tuple[float, float]]:
        """For each card its mean worth and mean margin, the mover's view; a dropped card is below every other."""
        found = [(float("-inf"), 0.0)] * len(self.cards)
        for k in self._alive:
            margins = self._values[k].astype(np.int64)
            worth = self._worth[margins + MARGINS // 2]
            found[k] = self.sign * float(worth.mean()), self.sign * float(margins.mean())
        return found


def equal_cards(card: int, cards: list[int], hand: CardSet) -> CardSet:
    """The cards of ``hand`` that the lowest of their run, ``card``, stands for; ``cards`` has one of every run."""
    lane = card // 16
    higher = [other for other in cards if other > card and other // 16 == lane]
    end = min(higher, default=16 * lane + 16)
    return CardSet(hand.bits & (1 << end) - (1 << card))
