"""Values of the legal cards of one decision: the same sampled worlds for all cards, one playout each, losers dropped.

Everything a card's value depends on is in the view; the hands of a world are drawn from it and given to policies that
see one of them at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import sqrt
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from hokm_solver._playout import Policy
from hokm_solver.cards import EMPTY_SET, FULL_SET, CardSet, Seat
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.policies import make_policy, record_of
from hokm_solver.engine.view import View
from hokm_solver.engine.worth import LARGEST_MARGIN, MARGIN_VALUES, MARGINS, mean_points, worth_at
from hokm_solver.sampling import HiddenHands, Worlds

FIRST_BLOCK = 16
LARGEST_BLOCK = 1024
FEWEST_TO_DROP = 48  # worlds before a card may be dropped
SURE = 3.0  # standard errors behind the leader at which a card is dropped; looked at a handful of times
OPINION = 100  # worlds that the learned policy's opinion is worth
SCORE = 0.02 / 256  # points in one unit of its scores: the temperature it was fitted at


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

    def spent(self) -> float:
        """Seconds since the clock started."""
        return perf_counter() - self.began

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
            left = self.seconds - self.spent()
            size = min(size, int(left / spent * playouts / choices))
        return max(size, 0 if done else 1)


class CardRace:
    """The legal cards of a view, one of every run of equal cards, valued together in more and more worlds.

    Where no more worlds fit than the budget allows, as in the last tricks, all are taken once; else they are drawn.

    Attributes:
        cards: the cards valued, the lowest of every run, as bit numbers.
        worlds: worlds valued so far.
    """

    def __init__(self, view: View, policy: Policy, seed: int) -> None:
        """Prepare; cards are compared by points, or by the chance to win the match if the view has a score."""
        self._view, self._policy, self._seed = view, policy, seed
        self._record, self._hidden = record_of(view), hidden_hands(view)
        self._sign = 1 if view.seat.side == view.hakem.side else -1
        self._worth = self._sign * worth_at(view.score, view.hakem)
        self.cards = np.array(self._record.distinct(view.held.bits), dtype=np.int32)
        self.worlds = 0
        self._every: Worlds | None = None  # all that fit, if they are few
        self._alive = np.arange(len(self.cards))
        self._margins = np.zeros((len(self.cards), MARGINS), dtype=np.int64)  # how often each card had each margin
        self._products = np.zeros((len(self.cards), len(self.cards)))  # Σ worth · worth, for every two cards
        scores = make_policy("learned").scores(self._record, view.held.bits)
        self._liking = np.array(scores) * SCORE
        self._playouts, self._spent = 0, 0.0

    @property
    def counts(self) -> NDArray[np.int64]:
        """For each card the worlds it was valued in; those not dropped have the most."""
        counts: NDArray[np.int64] = self._margins.sum(axis=1)
        return counts

    def run(self, budget: Budget, drop: bool = True) -> None:
        """Value worlds until the budget is spent, all are valued or only one of several cards is left.

        Without ``drop`` all cards stay to the end, so that any two of them can be compared (`behind`).
        """
        if self._hidden.count() <= budget.worlds:
            self._every = self._hidden.every_world(self._seed)
            budget = replace(budget, worlds=len(self._every))
        while size := budget.block(self.worlds, len(self._alive), self._playouts, self._spent):
            self._value(size)
            if drop and len(self.cards) > 1 and self.worlds >= FEWEST_TO_DROP:
                self._drop()
                if len(self._alive) == 1:
                    return

    def _value(self, size: int) -> None:
        began, alive = perf_counter(), self._alive
        margins = self._margins_of(self._next_worlds(size), self.cards[alive])
        bins = margins + np.arange(len(alive))[:, None] * MARGINS + LARGEST_MARGIN
        self._margins[alive] += np.bincount(bins.ravel(), minlength=len(alive) * MARGINS).reshape(-1, MARGINS)
        worth = self._worth[margins + LARGEST_MARGIN]
        self._products[np.ix_(alive, alive)] += worth @ worth.T
        self.worlds += size
        self._playouts += margins.size
        self._spent += perf_counter() - began

    def _margins_of(self, worlds: Worlds, cards: NDArray[np.int32]) -> NDArray[np.int8]:
        """How every world ends after every card, hakem's side's view, shape (cards, worlds)."""
        margins = np.empty((len(cards), len(worlds)), dtype=np.int8)
        self._policy.card_margins(self._record, worlds, cards, margins, self._seed, self.worlds)
        return margins

    def _next_worlds(self, size: int) -> Worlds:
        if self._every is not None:
            return self._every[self.worlds : self.worlds + size]
        return self._hidden.worlds(size, self._seed, self.worlds)

    def _drop(self) -> None:
        """Leave out the cards that are behind the best by more than chance would have it."""
        alive = self._alive
        n = self.counts[alive[0]]
        means = self._margins[alive] @ self._worth / n
        squares = self._products[np.ix_(alive, alive)] / n
        leader = means.argmax()
        behind = means[leader] - means
        scatter = squares[leader, leader] + squares.diagonal() - 2 * squares[leader] - behind**2
        self._alive = alive[behind <= SURE * np.sqrt(np.maximum(scatter, 0) / n)]

    def points(self, k: int) -> tuple[float, float | None]:
        """Mean points of card ``k`` and its standard error, hakem's side's view; no error is left in all worlds."""
        points, error = mean_points(self._margins[k])
        return points, 0.0 if self._is_complete(k) else error

    def behind(self, k: int, other: int) -> tuple[float, float | None]:
        """What card ``k`` is worth less to the mover than card ``other``, and the standard error of that.

        Both must have been valued in the same worlds, so that what they share cancels out.
        """
        n = int(self.counts[k])
        assert n == self.counts[other]
        less = float((self._margins[other] - self._margins[k]) @ self._worth) / n
        squares = (self._products[k, k] + self._products[other, other] - 2 * self._products[k, other]) / n
        if self._is_complete(k):
            return less, 0.0
        return less, sqrt(max(squares - less * less, 0.0) / (n - 1)) if n > 1 else None

    def _is_complete(self, k: int) -> bool:
        """Whether card ``k`` was valued in all worlds there are."""
        return self._every is not None and self.counts[k] == len(self._every)

    def best(self, allowed: CardSet) -> int:
        """The number of the best card among ``allowed``: by what it is worth, then by tricks, then as the policy likes.

        The learned policy's own opinion counts like some worlds: it decides where few were valued, and between cards
        that are nearly equal.
        """
        counts, liking = self.counts, self._liking
        worth = (self._margins @ self._worth + OPINION * liking) / (counts + OPINION)
        tricks = self._sign * (self._margins @ MARGIN_VALUES) / counts
        choices = [k for k, card in enumerate(self.cards.tolist()) if allowed.bits >> card & 1]
        return max(choices, key=lambda k: (counts[k], worth[k], tricks[k], liking[k]))

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
