"""A deal as it was played, checked against the rules as far as the record tells them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields

from hokm_solver.cards import Card, CardSet, Seat, Suit
from hokm_solver.deal import Deal, Hands, Position, replay
from hokm_solver.errors import DealError, FieldError, HokmError, IllegalPlay, PositionError, check_type, quote
from hokm_solver.match import check_score
from hokm_solver.rules import DEFAULT_RULES, Rules


@dataclass(frozen=True, slots=True)
class Record:
    """A deal as it was played; what is not known is None or empty.

    Attributes:
        hands: the 13 cards dealt to each seat, N W S E.
        hakem: who named trump and led.
        trump: the trump suit.
        first_five: the five cards from which trump was named, in the order in which they were noted.
        plays: the cards in the order in which they were played; they may stop before the deal is decided.
        score: the score of the match before the deal, indexed by `Side`.
        rules: what was played for.
        players: names by seat.
        event: the match or occasion.
        date: when it was, in whatever form it was noted.
        extra: what else the record says, by name, as JSON has it; it is kept and never looked at.

    The two mappings are not to be changed.
    """

    hands: Hands
    hakem: Seat
    trump: Suit | None = None
    first_five: tuple[Card, ...] | None = None
    plays: tuple[Card, ...] = ()
    score: tuple[int, int] | None = None
    rules: Rules = DEFAULT_RULES
    players: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    event: str | None = None
    date: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Check the record. Without a trump the plays must be possible under one of the four.

        Raises:
            DealError: the hands are no deal, or the first five no five cards of hakem.
            IllegalPlay: a play that cannot be made; trick, seat and card are named, the field is ``plays[5]``.
            FieldError: a score that cannot be, or a field of the wrong type.
        """
        _check_types(self)
        with in_field("hands"):
            Deal(self.hands)
        with in_field("first_five"):
            _check_first_five(self)
        _check_score(self)
        _check_plays(self)

    @property
    def deal(self) -> Deal:
        """The hands, hakem and his first five, whose order a `Deal` does not know."""
        return Deal(self.hands, self.hakem, None if self.first_five is None else CardSet.of(self.first_five))

    def positions(self) -> tuple[Position, ...]:
        """The position before the first play and after each play.

        Raises:
            PositionError: the trump is not known.
        """
        if self.trump is None:
            raise PositionError("the record does not say what was trump", field="trump")
        return tuple(replay(Position.start(self.deal, self.trump), self.plays))


NAMES = frozenset({"format", "version", *(each.name for each in fields(Record))} - {"extra"})


@contextmanager
def in_field(name: str) -> Iterator[None]:
    """Put the name of a field in front of errors that name none yet."""
    try:
        yield
    except HokmError as error:
        raise (error.in_field(name) if error.field is None else error) from None


_KINDS: Mapping[str, type] = {
    **{"hands": tuple, "hakem": Seat, "plays": tuple, "rules": Rules, "players": Mapping, "extra": Mapping},
    **{"trump": Suit, "first_five": tuple, "score": tuple, "event": str, "date": str},
}
_OPTIONAL = ("trump", "first_five", "score", "event", "date")


def _check_types(record: Record) -> None:
    for name, kind in _KINDS.items():
        value = getattr(record, name)
        if value is not None or name not in _OPTIONAL:
            check_type(value, kind, name)
    for name in ("first_five", "plays"):
        for place, card in enumerate(getattr(record, name) or ()):
            check_type(card, Card, f"{name}[{place}]")
    _check_players(record.players)
    for name, value in record.extra.items():
        check_type(name, str, "extra")
        if name in NAMES:
            raise FieldError(f"extra holds {quote(name)}, which the record has a place for", field="extra")
        _check_extra(name, value)


def _check_players(players: Mapping[Seat, str]) -> None:
    for seat, player in players.items():
        check_type(seat, Seat, "players")
        check_type(player, str, f"players.{seat}")


def _check_extra(name: str, value: object) -> None:
    """Refuse what cannot be written; Python reads numbers that it cannot write as JSON, and nests deeper."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise FieldError(f"{quote(name)} holds what cannot be written as JSON", field=name) from None


def _check_first_five(record: Record) -> None:
    five = record.first_five
    if five is None:
        return
    for place, card in enumerate(five):
        if card in five[:place]:
            raise DealError(f"first_five[{place}]: duplicate card {card}", field=f"first_five[{place}]")
    Deal(record.hands, record.hakem, CardSet.of(five))


def _check_score(record: Record) -> None:
    if record.score is None:
        return
    try:
        check_score(record.hakem, record.score, record.rules)
    except FieldError as error:
        raise error.in_field("score") from None


def _check_plays(record: Record) -> None:
    """Refuse what is wrong under every trump that may have been called, telling it under the one that goes furthest."""
    found: list[tuple[int, IllegalPlay]] = []
    for trump in Suit if record.trump is None else (record.trump,):
        wrong = _first_wrong(record, trump)
        if wrong is None:
            return
        found.append(wrong)
    place, error = max(found, key=lambda wrong: wrong[0])
    if record.trump is None:
        error = type(error)(f"{error.message} (and no other trump makes the plays possible)")
    raise error.in_field(f"plays[{place}]")


def _first_wrong(record: Record, trump: Suit) -> tuple[int, IllegalPlay] | None:
    """The place of the first play that cannot be made, and why."""
    position = Position.start(record.deal, trump)
    for place, card in enumerate(record.plays):
        before = record.plays.index(card)
        if before < place and position.outcome() is None:
            return place, _card_twice(record, position, card, before)
        try:
            position = position.play(card)
        except IllegalPlay as error:
            return place, error
    return None


def _card_twice(record: Record, position: Position, card: Card, before: int) -> IllegalPlay:
    owner = next(seat for seat in Seat if card in record.hands[seat])
    where = f"trick {position.trick_number}: {position.to_play.name} cannot play {card}"
    return IllegalPlay(f"{where}, a card twice: {owner.name} played it in trick {before // 4 + 1}")
