"""A plain solver with all cards seen: the oracle of the tests, written to be obviously right.

Try every legal card, ask what is reached by it, keep the best for the side that chose. Two things spare work and change
no value. A branch is left once it cannot matter, the other side having something better elsewhere (alpha-beta). And
what was proved about a state between two tricks is remembered under exactly that state: bounds below and above its
value. There are no other short cuts, so it is for small positions: six cards a hand in a moment, eight with patience.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hokm_solver.cards import LANE_BITS, LANE_MASK, Card
from hokm_solver.deal import Position
from hokm_solver.errors import PositionError
from hokm_solver.rules import TRICKS_TO_WIN, margin_of, points_of_margin

Objective = Literal["points", "margin", "win"]
BEST, WORST = TRICKS_TO_WIN, -TRICKS_TO_WIN  # no value of any objective lies beyond


@dataclass(frozen=True, slots=True)
class ReferenceValue:
    """What a position or a card is worth under best play, hakem's side's view.

    With objective margin ``points`` follow from ``margin``. With points and win ``margin`` is None, and with win
    ``points`` is +1 or -1.
    """

    points: int
    margin: int | None = None


@dataclass(frozen=True, slots=True)
class ReferenceSolution:
    """The value of a position, and of every legal card in hand order. Hakem's side's view."""

    value: ReferenceValue
    cards: dict[Card, ReferenceValue]


def solve(position: Position, objective: Objective = "margin") -> ReferenceSolution:
    """Value ``position`` and each of its legal cards by exhaustive search.

    Raises:
        PositionError: the deal is decided, there is nothing to play.
    """
    if position.outcome() is not None:
        raise PositionError("the deal is decided, there is nothing to solve")
    search = _Search(position, objective)
    worth = {card: search.value(_state_of(position.play(card)), WORST, BEST) for card in position.legal_cards()}
    best = max if position.to_play.side == position.hakem.side else min
    cards = {card: _as_value(value, objective) for card, value in worth.items()}
    return ReferenceSolution(_as_value(best(worth.values()), objective), cards)


def _as_value(number: int, objective: Objective) -> ReferenceValue:
    return ReferenceValue(points_of_margin(number), number) if objective == "margin" else ReferenceValue(number)


class _State(NamedTuple):
    """A position in plain numbers: words of cards by seat, cards of the trick by their bit, tricks of both sides."""

    hands: tuple[int, ...]
    leader: int
    trick: tuple[int, ...]
    hakem_tricks: int
    other_tricks: int


def _state_of(position: Position) -> _State:
    hands = tuple(hand.bits for hand in position.hands)
    trick = tuple(card.index for card in position.trick)
    return _State(hands, int(position.leader), trick, position.hakem_tricks, position.other_tricks)


class _Search:
    """One search: fixed trump, hakem and objective, and all that was proved so far."""

    def __init__(self, position: Position, objective: Objective) -> None:
        self.trump = int(position.trump)
        self.hakem_side = int(position.hakem.side)
        self.objective = objective
        self.proved: dict[_State, tuple[int, int]] = {}

    def value(self, state: _State, alpha: int, beta: int) -> int:
        """Return the value of ``state`` if it lies between ``alpha`` and ``beta``.

        A result of at most ``alpha`` says only that the value is not above it, one of at least ``beta`` that the
        value is not below it.
        """
        if state.trick:
            return self.best(state, alpha, beta)
        if TRICKS_TO_WIN in (state.hakem_tricks, state.other_tricks):
            return self.worth(state)
        low, high = self.proved.get(state, (WORST, BEST))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        found = self.best(state, alpha, beta)
        self.proved[state] = (found if found > alpha else low, found if found < beta else high)
        return found

    def best(self, state: _State, alpha: int, beta: int) -> int:
        """Return the best of all legal cards for the side to play, with the meaning of :meth:`value`."""
        maximising = (state.leader + len(state.trick)) % 2 == self.hakem_side
        best = WORST if maximising else BEST
        for card in _legal(state):
            found = self.value(self.after(state, card), alpha, beta)
            if maximising and found > best:
                best = found
                alpha = max(alpha, best)
            elif not maximising and found < best:
                best = found
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def after(self, state: _State, card: int) -> _State:
        """Return the state after the player to move plays ``card``; a fourth card ends the trick."""
        seat = (state.leader + len(state.trick)) % 4
        hands = (*state.hands[:seat], state.hands[seat] ^ 1 << card, *state.hands[seat + 1 :])
        trick = (*state.trick, card)
        if len(trick) < 4:
            return _State(hands, state.leader, trick, state.hakem_tricks, state.other_tricks)
        winner = (state.leader + self.winning_turn(trick)) % 4
        by_hakem = winner % 2 == self.hakem_side
        return _State(hands, winner, (), state.hakem_tricks + by_hakem, state.other_tricks + (not by_hakem))

    def winning_turn(self, trick: tuple[int, ...]) -> int:
        """Return which of the four cards wins: the highest trump, else the highest of the suit led."""
        best = 0
        for turn in range(1, 4):
            suit, best_suit = trick[turn] // LANE_BITS, trick[best] // LANE_BITS
            if suit == best_suit:
                best = turn if trick[turn] > trick[best] else best
            elif suit == self.trump:
                best = turn
        return best

    def worth(self, state: _State) -> int:
        """Return the worth of a decided deal under the objective, hakem's side's view."""
        margin = margin_of(state.hakem_tricks, state.other_tricks)
        if self.objective == "margin":
            return margin
        if self.objective == "points":
            return points_of_margin(margin)
        return 1 if margin > 0 else -1


def _legal(state: _State) -> Iterator[int]:
    """Yield the legal cards of the player to move, high cards first because they more often end the argument."""
    hand = state.hands[(state.leader + len(state.trick)) % 4]
    if state.trick:
        hand = hand & LANE_MASK << state.trick[0] // LANE_BITS * LANE_BITS or hand
    while hand:
        card = hand.bit_length() - 1
        yield card
        hand ^= 1 << card
