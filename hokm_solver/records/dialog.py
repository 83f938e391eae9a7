"""Asking a person for a record, piece by piece, and checking each piece as it comes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias, TypeVar

from hokm_solver.cards import FULL_SET, CardSet, Seat, Side
from hokm_solver.deal import Deal, Hands
from hokm_solver.errors import DealError, HokmError, counted
from hokm_solver.notation import (
    parse_cards,
    parse_deal,
    parse_hand,
    parse_score,
    parse_seat,
    parse_suit,
)
from hokm_solver.records.record import Record
from hokm_solver.rules import FIRST_PACKET, TRICKS
from hokm_solver.tokens import read_cards

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked next.

    Attributes:
        text: the question, in the words of the game.
        complaint: what was wrong with the answer given before, if it is asked again.
    """

    text: str
    complaint: HokmError | None = None


Dialog: TypeAlias = Generator[Question, str, T]


def ask_record(given: Mapping[str, str]) -> Dialog[Record]:
    """Ask for a record: yields questions, is sent the answers, and returns the record.

    ``given`` holds pieces that are known already, as text, by the name of the field (``deal`` for the hands); they are
    not asked for. An answer that cannot be right is asked for again, with a complaint.

    Raises:
        HokmError: a piece in ``given`` is wrong; its field is named.
    """
    asking = _Asking(given)
    hakem = yield from asking.piece("hakem", "hakem (N, W, S or E): ", parse_seat)
    hands = yield from asking.hands()
    trump = yield from asking.piece("trump", "trump (Enter: not known): ", _optional(parse_suit))
    record = Record(hands, hakem, trump)
    record = yield from asking.piece(
        "first_five", f"the first five cards of {hakem} (Enter: not known): ", lambda text: _with_five(record, text)
    )
    record = yield from asking.piece(
        "score", "score before the deal, as NS:3,WE:5 (Enter: not known): ", lambda text: _with_score(record, text)
    )
    return (yield from asking.plays(record))


class _Asking:
    """The pieces given, and the questions for the others."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def piece(self, field: str, text: str, read: Callable[[str], T]) -> Dialog[T]:
        """One piece: as given, or asked for until it can be read."""
        if field in self._given:
            try:
                return read(self._given[field])
            except HokmError as error:
                raise (error if error.field else error.in_field(field)) from None
        return (yield from _ask(text, read))

    def hands(self) -> Dialog[Hands]:
        """The four hands: a whole deal, or one hand after the other; the last one follows from the others."""
        if "deal" in self._given:
            return (yield from self.piece("deal", "", parse_deal)).hands
        first = yield from _ask("the deal (N:hand hand hand hand), or the hand of N: ", _deal_or_hand)
        if isinstance(first, Deal):
            return first.hands
        hands = [first]
        for seat in (Seat.W, Seat.S):
            hands.append((yield from _ask(f"the hand of {seat}: ", lambda text: _hand(text, hands))))
        n, w, s = hands
        return n, w, s, FULL_SET - n - w - s

    def plays(self, record: Record) -> Dialog[Record]:
        """The cards as they fell, until the deal is decided or an empty answer says that no more are known."""
        if "plays" in self._given:
            return (yield from self.piece("plays", "", lambda text: _with_plays(record, text)))
        while not _is_decided(record):
            more = yield from _ask(_next_play(record), partial(_with_plays, record))
            if more == record:
                break
            record = more
        return record


def _ask(text: str, read: Callable[[str], T]) -> Dialog[T]:
    complaint = None
    while True:
        answer = yield Question(text, complaint)
        try:
            return read(answer)
        except HokmError as error:
            complaint = error


# Reading the answers


def _optional(read: Callable[[str], T]) -> Callable[[str], T | None]:
    return lambda text: read(text) if text.strip() else None


def _deal_or_hand(text: str) -> Deal | CardSet:
    return parse_deal(text) if ":" in text else _hand(text, [])


def _hand(text: str, others: list[CardSet]) -> CardSet:
    """Thirteen cards, as a hand or card by card, none of them in another hand."""
    hand = parse_hand(text) if "." in text else CardSet.of(parse_cards(text))
    if len(hand) != TRICKS:
        raise DealError(f"{counted(len(hand), 'card')} where {TRICKS} are needed")
    for seat, other in zip(Seat, others):
        for card in hand & other:
            raise DealError(f"duplicate card {card}: it is in the hand of {seat} already")
    return hand


def _with_five(record: Record, text: str) -> Record:
    return replace(record, first_five=parse_cards(text, FIRST_PACKET) if text.strip() else None)


def _with_score(record: Record, text: str) -> Record:
    return replace(record, score=_optional(parse_score)(text))


def _with_plays(record: Record, text: str) -> Record:
    return replace(record, plays=(*record.plays, *(card for card, _ in read_cards(text))))


# Where the play stands


def _is_decided(record: Record) -> bool:
    if record.trump is None:
        return len(record.plays) == 4 * TRICKS
    return record.positions()[-1].outcome() is not None


def _next_play(record: Record) -> str:
    """Who is to play, to what; without a trump nobody can tell who won a trick."""
    if record.trump is None:
        return f"card {len(record.plays) + 1} and on (Enter: no more): "
    position = record.positions()[-1]
    won = ", ".join(f"{side} {position.won[side]}" for side in Side)
    table = f" to {' '.join(card.pretty for card in position.trick)}" if position.trick else ""
    return f"trick {position.trick_number} ({won}), {position.to_play} plays{table} (Enter: no more): "
