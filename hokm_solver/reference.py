"""A plain solver with all cards seen: the oracle of the tests, written to be obviously right.

A suit is written as a row of letters, who holds its cards from the highest left in play downward: in ``NEES`` N has the
best card, E the next two. A card on the table is a dot; once the trick is over the dots go and the row closes up. So
only the order of the cards counts, as in play itself.

The solver tries every legal card, asks what is reached by it, and keeps the best for the side that chose. Four things
spare work and change no value:

- Touching cards of one hand, nothing between them in the row, are as good as one another: one of them is tried.
- A branch is left once it cannot matter, the other side having something better elsewhere (alpha-beta).
- No deal ends worse than by losing all the tricks still needed to lose it, or better than by winning them.
- What was proved about a state between two tricks, bounds below and above its value, is remembered.

There are no other short cuts: eight cards a hand take a moment, whole deals are out of reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from hokm_solver.cards import Card, CardSet, Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.errors import PositionError
from hokm_solver.rules import TRICKS_TO_WIN, points_of_margin

Objective = Literal["points", "margin", "win"]
BEST, WORST = TRICKS_TO_WIN, -TRICKS_TO_WIN  # no value of any objective lies beyond
HOLDERS = "".join(seat.name for seat in Seat)
ON_TABLE = "."


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
    state, in_play = _state_of(position), _in_play(position)
    worth: dict[Card, int] = {}
    for card in position.legal_cards():
        reached = search.after(state, card.suit, _place(in_play, card))
        worth[card] = search.value(reached, WORST, BEST)
    best = max if position.to_play.side == position.hakem.side else min
    cards = {card: _as_value(value, objective) for card, value in worth.items()}
    return ReferenceSolution(_as_value(best(worth.values()), objective), cards)


def _as_value(number: int, objective: Objective) -> ReferenceValue:
    return ReferenceValue(points_of_margin(number), number) if objective == "margin" else ReferenceValue(number)


class _State(NamedTuple):
    """A position by the order of its cards: a row for each suit, the trick as (suit, place in its row), tricks won."""

    rows: tuple[str, ...]
    leader: int
    trick: tuple[tuple[int, int], ...]
    hakem_tricks: int
    other_tricks: int


def _state_of(position: Position) -> _State:
    in_play = _in_play(position)
    holder = {card: seat.name for seat in Seat for card in position.hands[seat]}
    rows = tuple("".join(holder.get(card, ON_TABLE) for card in in_play.suit(suit)) for suit in Suit)
    trick = tuple((int(card.suit), _place(in_play, card)) for card in position.trick)
    return _State(rows, int(position.leader), trick, position.hakem_tricks, position.other_tricks)


def _in_play(position: Position) -> CardSet:
    """Return the cards in the hands and on the table."""
    north, west, south, east = position.hands
    return north | west | south | east | CardSet.of(position.trick)


def _place(in_play: CardSet, card: Card) -> int:
    """Return the place of ``card`` in the row of its suit, 0 for the highest."""
    return list(in_play.suit(card.suit)).index(card)


class _Search:
    """One search: fixed trump, hakem and objective, and all that was proved so far."""

    def __init__(self, position: Position, objective: Objective) -> None:
        self.trump = int(position.trump)
        self.hakem_side = int(position.hakem.side)
        self.objective = objective
        self.proved: dict[_State, tuple[int, int]] = {}
        self.choices = cache(_choices)  # the same few rows come again and again

    def value(self, state: _State, alpha: int, beta: int) -> int:
        """Return the value of ``state`` if it lies between ``alpha`` and ``beta``.

        A result of at most ``alpha`` says only that the value is not above it, one of at least ``beta`` that the
        value is not below it.
        """
        if state.trick:
            return self.best(state, alpha, beta)
        if TRICKS_TO_WIN in (state.hakem_tricks, state.other_tricks):
            return self.worth(state.hakem_tricks - state.other_tricks)
        low, high = self.proved.get(state) or self.extremes(state)
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
        for suit, place in self.legal(state):
            found = self.value(self.after(state, suit, place), alpha, beta)
            if maximising and found > best:
                best = found
                alpha = max(alpha, best)
            elif not maximising and found < best:
                best = found
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def legal(self, state: _State) -> Iterator[tuple[int, int]]:
        """Yield the legal cards of the player to move as (suit, place), one of those that touch."""
        holder = HOLDERS[(state.leader + len(state.trick)) % 4]
        led = state.trick[0][0] if state.trick else None
        follows = led is not None and holder in state.rows[led]
        for suit, row in enumerate(state.rows):
            if suit == led or not follows:
                for place in self.choices(row, holder):
                    yield suit, place

    def after(self, state: _State, suit: int, place: int) -> _State:
        """Return the state after the player to move plays a card; a fourth card ends the trick."""
        row = state.rows[suit]
        rows = (*state.rows[:suit], row[:place] + ON_TABLE + row[place + 1 :], *state.rows[suit + 1 :])
        trick = (*state.trick, (suit, place))
        if len(trick) < 4:
            return _State(rows, state.leader, trick, state.hakem_tricks, state.other_tricks)
        winner = (state.leader + self.winning_turn(trick)) % 4
        rows = tuple(row.replace(ON_TABLE, "") for row in rows)
        by_hakem = winner % 2 == self.hakem_side
        return _State(rows, winner, (), state.hakem_tricks + by_hakem, state.other_tricks + (not by_hakem))

    def winning_turn(self, trick: tuple[tuple[int, int], ...]) -> int:
        """Return which of the four cards wins: the highest trump, else the highest of the suit led."""
        best = 0
        for turn in range(1, 4):
            (suit, place), (best_suit, best_place) = trick[turn], trick[best]
            if suit == best_suit:
                best = turn if place < best_place else best
            elif suit == self.trump:
                best = turn
        return best

    def extremes(self, state: _State) -> tuple[int, int]:
        """Return the worth of losing and of winning every trick from here."""
        return self.worth(state.hakem_tricks - TRICKS_TO_WIN), self.worth(TRICKS_TO_WIN - state.other_tricks)

    def worth(self, margin: int) -> int:
        """Return the worth of a deal that ends with this margin under the objective, hakem's side's view."""
        if self.objective == "margin":
            return margin
        if self.objective == "points":
            return points_of_margin(margin)
        return 1 if margin > 0 else -1


def _choices(row: str, holder: str) -> tuple[int, ...]:
    """Return the places in a row that ``holder`` has, the highest of each run of touching cards, from the top."""
    return tuple(i for i, owner in enumerate(row) if owner == holder and row[:i][-1:] != holder)
