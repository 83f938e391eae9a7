"""Players to measure the engine against: sampled double dummy, and sampled worlds with a short look-ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import local

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Card, CardSet, Seat
from hokm_solver.deal import Position
from hokm_solver.defaults import SEED_LIMIT
from hokm_solver.engine.choice import (
    NO_LIMITS,
    Candidate,
    Choice,
    Limits,
    TrumpChoice,
    check_card_question,
    check_trump_question,
    check_worlds,
)
from hokm_solver.engine.policies import card_at, make_policy, record_of
from hokm_solver.engine.trumps import trump_by_rule
from hokm_solver.engine.valuing import Budget, hidden_hands
from hokm_solver.engine.view import View
from hokm_solver.sampling import check_seed
from hokm_solver.solver import Solver

TABLE_MB = 16  # small searches: a larger table only costs time to clear


class RuleTrump:
    """Calls the longest suit."""

    def choose_trump(
        self,
        five: Iterable[Card],
        hakem: Seat = Seat.N,
        score: tuple[int, int] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> TrumpChoice:
        """Choose trump by the rule of the longest suit."""
        check_trump_question(hakem, score, limits)
        return trump_by_rule(five)


class PimcPlayer(RuleTrump):
    """Sampled double dummy: solves every world with all cards seen and plays the best average of points.

    Thread-safety: a thread has a solver of its own.
    """

    def __init__(self, worlds: int, seed: int) -> None:
        """Make a player that solves this many worlds a card.

        Raises:
            LimitError: ``worlds`` is not 1 to 1,000,000. FieldError: a seed outside 0 … 2⁶⁴ − 1.
        """
        check_worlds(worlds)
        check_seed(seed)
        self.worlds, self.seed = worlds, seed
        self._threads = local()

    def choose_card(self, view: View, limits: Limits = NO_LIMITS) -> Choice:
        """Choose a card; candidates have the mean of the exact points, hakem's side's view."""
        check_card_question(view, limits)
        legal = tuple(view.legal_cards())
        if len(legal) == 1:
            return Choice(legal[0], (Candidate(legal[0]),))
        hidden, seed = hidden_hands(view), _seed(self.seed, view, limits)
        budget = Budget.of(limits, self.worlds, self.worlds)
        points: list[list[int]] = []
        while budget.block(len(points), len(legal), len(points) * len(legal), budget.spent()):
            world = hidden.worlds(1, seed, len(points))[0].tolist()
            points.append(self.points(view, world))
        return _best(view, legal, np.mean(points, axis=0), len(points))

    def points(self, view: View, world: Sequence[int]) -> list[int]:
        """Exact points after every legal card, in hand order, in one world; hakem's side's view."""
        north, west, south, east = map(CardSet, world)
        hands = (north, west, south, east)
        position = Position(hands, view.trump, view.hakem, view.leader, view.trick, view.won)
        solution = self._solver().solve(position, "points")
        return [value.points or 0 for value in solution.cards]

    def _solver(self) -> Solver:
        if not hasattr(self._threads, "solver"):
            self._threads.solver = Solver(TABLE_MB)
        solver: Solver = self._threads.solver
        return solver


class SearchPlayer(RuleTrump):
    """Sampled worlds, the own side's next two cards searched with the world open, greedy playouts, wins counted."""

    def __init__(self, worlds: int, seed: int) -> None:
        """Make a player that searches this many worlds a card.

        Raises:
            LimitError: ``worlds`` is not 1 to 1,000,000. FieldError: a seed outside 0 … 2⁶⁴ − 1.
        """
        check_worlds(worlds)
        check_seed(seed)
        self.worlds, self.seed = worlds, seed

    def choose_card(self, view: View, limits: Limits = NO_LIMITS) -> Choice:
        """Choose the card that wins in most worlds; candidates have 2·wins − 1, hakem's side's view."""
        check_card_question(view, limits)
        record, hidden = record_of(view), hidden_hands(view)
        cards = np.array(record.distinct(view.held.bits), dtype=np.int32)
        if len(cards) == 1:
            legal = tuple(view.legal_cards())
            return Choice(legal[0], tuple(map(Candidate, legal)))
        seed, policy = _seed(self.seed, view, limits), make_policy("greedy")
        budget = Budget.of(limits, self.worlds, self.worlds)
        won, n = np.zeros(len(cards), dtype=np.int64), 0
        while size := budget.block(n, len(cards), n * len(cards), budget.spent()):
            wins = np.empty((len(cards), size), dtype=np.int8)
            policy.look_ahead_wins(record, hidden.worlds(size, seed, n), cards, wins, seed)
            won, n = won + wins.sum(axis=1), n + size
        sign = 1 if view.seat.side == view.hakem.side else -1
        return _best(view, tuple(map(card_at, cards.tolist())), sign * (2 * won / n - 1), n)


def _seed(seed: int, view: View, limits: Limits) -> int:
    return (limits.seed_or(seed) + len(view.plays)) % SEED_LIMIT


def _best(view: View, cards: tuple[Card, ...], points: NDArray[np.float64], worlds: int) -> Choice:
    """The best of ``cards`` by these points, hakem's side's view; of equals the lowest rank, then hand order."""
    sign = 1 if view.seat.side == view.hakem.side else -1
    means = dict(zip(cards, points.tolist()))
    best = max(cards, key=lambda card: (sign * means[card], -card.rank))
    return Choice(best, tuple(Candidate(card, means[card]) for card in cards), worlds)
