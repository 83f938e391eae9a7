"""Reading and writing cards, hands, deals and positions.

Reading is forgiving unless ``strict`` is set; strict reading accepts exactly what the ``format_`` functions write.
What is read forgivingly and written again is in canonical form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from hokm_solver.cards import Card, CardSet, Seat, Side, Suit
from hokm_solver.deal import Deal, Hands, Position, check_four_hands, check_hands, hand_text, hands_text
from hokm_solver.errors import (
    FieldError,
    HokmError,
    NotationError,
    PositionError,
    all_of,
    check_type,
    check_whole,
    counted,
    quote,
)
from hokm_solver.rules import FIRST_PACKET, TRICKS
from hokm_solver.tokens import RANK_LETTERS, SEATS, normalise, read_cards, read_suit

_RANK = re.compile("10|.", re.DOTALL)
_SIDE = re.compile(r"(NS|WE) *[:=] *([0-9]{1,9})")
T = TypeVar("T")


# Cards and suits


def parse_card(text: str, strict: bool = False) -> Card:
    """Read exactly one card.

    Raises:
        NotationError: the text is no card, or more than one.
    """
    return parse_cards(text, 1, strict)[0]


def parse_cards(text: str, count: int | None = None, strict: bool = False) -> tuple[Card, ...]:
    """Read cards in the order given, each at most once; ``count`` says how many there must be.

    Raises:
        NotationError: quoting the token that is no card or comes twice, or saying how many cards there are.
        FieldError: ``count`` is no whole number.
    """
    if count is not None:
        check_whole(count, "count")
    cards: dict[Card, None] = {}
    for card, typed in read_cards(_text(text)):
        if card in cards:
            raise NotationError(f"duplicate card {card}: {typed} comes a second time")
        cards[card] = None
    if count is not None and len(cards) != count:
        raise NotationError(f"{counted(len(cards), 'card')} where {_are(count)} needed: {quote(text)}")
    if strict:
        _refuse_other_spelling(text, format_cards(cards))
    return tuple(cards)


def five_cards(cards: str | Iterable[Card | str]) -> tuple[Card, ...]:
    """Hakem's first five cards, given as text in any form of `parse_cards` or as a list of cards and texts.

    Whether a list holds five different cards is left to the rules.

    Raises:
        NotationError: a text is no card, or does not name five. FieldError: ``cards`` is of another type.
    """
    if isinstance(cards, str):
        return parse_cards(cards, count=FIRST_PACKET)
    if not isinstance(cards, Iterable):
        raise FieldError(f"cards must be text or a list of cards, not {quote(cards)}", field="cards")
    return tuple(card if isinstance(card, Card) else parse_card(card) for card in cards)


def format_card(card: Card, pretty: bool = False) -> str:
    """Write a card as ``AH``, or as people see it: ``A♥``, ``10♠``.

    Raises:
        FieldError: it is no card.
    """
    check_type(card, Card, "card")
    return card.pretty if pretty else str(card)


def format_cards(cards: Iterable[Card], pretty: bool = False) -> str:
    """Write cards with spaces between, in the order given.

    Raises:
        FieldError: something else than cards.
    """
    return " ".join(format_card(card, pretty) for card in all_of(cards, Card, "cards"))


def parse_suit(text: str) -> Suit:
    """Read a suit by letter, symbol, English or Persian name.

    Raises:
        NotationError: the text names no suit.
    """
    suit = read_suit(_text(text))
    if suit is None:
        raise NotationError(
            f"unknown suit {quote(text)}, one of S H D C (or spades, hearts, diamonds, clubs) is needed"
        )
    return suit


def parse_seat(text: str) -> Seat:
    """Read a seat: ``N``, ``W``, ``S`` or ``E``, or its English name, in any case, or its Persian one.

    Raises:
        NotationError: the text names no seat.
    """
    name = normalise(_text(text)).strip(" ")
    if name not in SEATS:
        raise NotationError(f"unknown seat {quote(text)}, one of N W S E (or north, west, south, east) is needed")
    return SEATS[name]


# Hands and deals


def parse_hand(text: str, strict: bool = False) -> CardSet:
    """Read one hand, suits ♠.♥.♦.♣ as in ``AKQ.JT9.876.5432``; ``-`` or ``...`` is a hand without cards.

    Raises:
        NotationError: not four suits, an unknown rank, or a rank twice in a suit.
    """
    plain = normalise(_text(text)).strip(" ")
    suits = ["", "", "", ""] if plain == "-" else plain.split(".")
    if len(suits) != 4:
        raise NotationError(f"a hand has four suits with three dots between: {quote(text)} has {len(suits)}")
    cards: set[Card] = set()
    for suit, ranks in zip(Suit, suits):
        for word in _RANK.findall(ranks):
            if word not in RANK_LETTERS:
                raise NotationError(f"unknown rank {quote(word)} in hand {quote(text)}")
            card = Card(suit, RANK_LETTERS[word])
            if card in cards:
                raise NotationError(f"duplicate card {card} in hand {quote(text)}")
            cards.add(card)
    hand = CardSet.of(cards)
    if strict:
        _refuse_other_spelling(text, format_hand(hand))
    return hand


def format_hand(hand: CardSet) -> str:
    """Write a hand as ``AKQ.JT9.876.5432``, each suit from the top down; no cards at all is ``...``.

    Raises:
        FieldError: it is no set of cards.
    """
    check_type(hand, CardSet, "hand")
    return hand_text(hand)


def parse_hands(text: str, strict: bool = False) -> Hands:
    """Read four hands in the PBN form ``N:<hand> <hand> <hand> <hand>``, clockwise from the seat named first.

    The hands may be of any size, so this reads positions too. The result is in seat order N W S E.

    Raises:
        NotationError: the form is not kept, or a hand cannot be read (its seat is named).
        DealError: a card is in two hands.
    """
    plain = normalise(_text(text)).strip(" ")
    start, colon, rest = plain.partition(":")
    if not colon:
        raise NotationError(f"a deal begins with a seat and a colon, as N: does, not {quote(text)}")
    first = parse_seat(start)
    words = rest.split()
    if len(words) != 4:
        raise NotationError(f"{counted(len(words), 'hand')} where 4 are needed: {quote(text)}")
    by_seat = {seat: _hand_of(seat, word) for seat, word in zip(_clockwise(first), words)}
    hands = (by_seat[Seat.N], by_seat[Seat.W], by_seat[Seat.S], by_seat[Seat.E])
    check_hands(hands)
    if strict:
        _refuse_other_spelling(text, format_hands(hands, first))
    return hands


def parse_deal(text: str, strict: bool = False) -> Deal:
    """Read a whole deal in the form of :func:`parse_hands`.

    Raises:
        NotationError: the text cannot be read.
        DealError: a card is in two hands, or a hand has not 13 cards.
    """
    return Deal(parse_hands(text, strict))


def format_hands(hands: Sequence[CardSet], first: Seat = Seat.N) -> str:
    """Write four hands (in seat order N W S E) in the PBN form, clockwise from ``first``.

    Raises:
        DealError: not four hands. FieldError: an argument is of the wrong type; it is named.
    """
    check_four_hands(hands)
    check_type(first, Seat, "first")
    return hands_text(hands, first)


def format_deal(deal: Deal, first: Seat = Seat.N) -> str:
    """Write a deal in the PBN form, clockwise from ``first``.

    Raises:
        FieldError: an argument is of the wrong type; it is named.
    """
    check_type(deal, Deal, "deal")
    return format_hands(deal.hands, first)


def _clockwise(first: Seat) -> tuple[Seat, ...]:
    """Return the seats as PBN lists them: against the order of play, which is counter-clockwise."""
    return tuple(first.after(-turn) for turn in range(4))


def _hand_of(seat: Seat, text: str) -> CardSet:
    try:
        return parse_hand(text)
    except NotationError as error:
        raise error.in_field(seat.name) from None


# Positions


def position_from_json(obj: object) -> tuple[Position, ...]:
    """Read a position from a JSON object: ``hands`` or ``deal``, ``trump``, ``hakem``, ``leader``, ``trick``, ``won``.

    Returns one position if a trump is given and four, in the order S H D C, if it is missing or null. Other keys are
    ignored.

    Raises:
        FieldError: a field is missing or of the wrong type; it is named.
        NotationError: a field cannot be read; it is named.
        DealError, PositionError, Revoke: the position cannot be.
    """
    if not isinstance(obj, Mapping):
        raise FieldError(f"a position is a JSON object, not {quote(obj)}")
    hakem = needed_from_json(obj, "hakem", parse_seat)
    return _positions(
        _hands_field(obj),
        hakem,
        named_from_json(obj, "trump", parse_suit),
        named_from_json(obj, "leader", parse_seat),
        cards_from_json(obj.get("trick"), "trick"),
        sides_from_json(obj.get("won"), "won"),
    )


def position_from_text(
    deal: str,
    hakem: str,
    trump: str | None = None,
    leader: str | None = None,
    trick: str | None = None,
    won: str | None = None,
) -> tuple[Position, ...]:
    """Read a position from the pieces a command line gives; ``won`` is written ``NS:2,WE:3``.

    Returns one position if a trump is given and four, in the order S H D C, if not.

    Raises:
        NotationError: a piece cannot be read.
        DealError, PositionError, Revoke: the position cannot be.
    """
    return _positions(
        parse_hands(deal),
        parse_seat(hakem),
        None if trump is None else parse_suit(trump),
        None if leader is None else parse_seat(leader),
        () if trick is None else parse_cards(trick),
        None if won is None else parse_won(won),
    )


def position_to_json(position: Position) -> dict[str, object]:
    """Return the JSON object that :func:`position_from_json` reads back, with every field present.

    Raises:
        FieldError: it is no position.
    """
    check_type(position, Position, "position")
    return {
        "hands": hands_to_json(position.hands),
        "trump": position.trump.letter,
        "hakem": position.hakem.name,
        "leader": position.leader.name,
        "trick": [str(card) for card in position.trick],
        "won": {side.name: position.won[side] for side in Side},
    }


def hands_to_json(hands: Sequence[CardSet]) -> dict[str, str]:
    """Return four hands (in seat order N W S E) as a JSON object with a hand for every seat.

    Raises:
        DealError: not four hands. FieldError: something else than hands.
    """
    check_four_hands(hands)
    return {seat.name: format_hand(hands[seat]) for seat in Seat}


def hands_from_json(value: object, field: str = "hands") -> Hands:
    """Read four hands from a JSON object with a hand for every seat, or from text in the PBN form.

    Raises:
        FieldError: a seat is missing or unknown, or a value is of the wrong type.
        NotationError: a hand cannot be read; its place is named.
        DealError: a card is in two hands.
    """
    if isinstance(value, str):
        return _in_field(field, parse_hands, value)
    if not isinstance(value, Mapping):
        raise FieldError(f"{field} must be an object with a hand for every seat, not {quote(value)}", field=field)
    for key in value:
        if key not in Seat.__members__:
            raise FieldError(f"{field} has a hand for an unknown seat {quote(key)}", field=field)
    hands = [_in_field(f"{field}.{seat.name}", parse_hand, _string(value, seat.name, field)) for seat in Seat]
    check_hands(hands)
    return (hands[0], hands[1], hands[2], hands[3])


def cards_from_json(value: object, field: str) -> tuple[Card, ...]:
    """Read the cards of a field: a list with a card in each place, or text; null is no cards.

    Raises:
        FieldError: neither of the two. NotationError: a card cannot be read; its place is named.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return _in_field(field, parse_cards, value)
    if not isinstance(value, Sequence):
        raise FieldError(f"{field} must be a list of cards or a string, not {quote(value)}", field=field)
    for place, card in enumerate(value):
        if not isinstance(card, str):
            raise FieldError(f"{field}[{place}] must be a card, not {quote(card)}", field=f"{field}[{place}]")
    return tuple(_in_field(f"{field}[{place}]", parse_card, card) for place, card in enumerate(value))


def sides_from_json(value: object, field: str) -> tuple[int, int] | None:
    """Read an object with a whole number for NS and for WE, a missing one being 0; null is None. Indexed by Side.

    Raises:
        FieldError: of another form.
    """
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise FieldError(f"{field} must be an object with NS and WE, not {quote(value)}", field=field)
    for side, number in value.items():
        if side not in Side.__members__:
            raise FieldError(f"{field} names an unknown side {quote(side)}", field=field)
        if isinstance(number, bool) or not isinstance(number, int):
            raise FieldError(f"{field}.{side} must be a whole number, not {quote(number)}", field=f"{field}.{side}")
    return value.get("NS", 0), value.get("WE", 0)


def named_from_json(obj: Mapping[str, object], field: str, read: Callable[[str], T]) -> T | None:
    """Read an optional field of text with a function of this module; null is the same as missing.

    Raises:
        FieldError: no text. NotationError: it cannot be read; the field is named.
    """
    return None if obj.get(field) is None else _in_field(field, read, _string(obj, field))


def needed_from_json(obj: Mapping[str, object], field: str, read: Callable[[str], T]) -> T:
    """Read a field as :func:`named_from_json` does, one that must be there.

    Raises:
        FieldError: missing or no text. NotationError: it cannot be read; the field is named.
    """
    value = named_from_json(obj, field, read)
    if value is None:
        raise FieldError(f"{field} is missing", field=field)
    return value


def parse_won(text: str) -> tuple[int, int]:
    """Read tricks won, written ``NS:2,WE:3``; a side that is left out has none. Indexed by Side.

    Raises:
        NotationError: the text has another form, or names a side twice.
    """
    return _sides(text, "tricks won are")


def parse_score(text: str) -> tuple[int, int]:
    """Read the score of a match, written ``NS:2,WE:3``; a side that is left out has 0. Indexed by Side.

    Raises:
        NotationError: the text has another form, or names a side twice.
    """
    return _sides(text, "a score is")


def _sides(text: str, what: str) -> tuple[int, int]:
    numbers: dict[str, int] = {}
    for part in re.split("[,،]", normalise(_text(text))):
        found = _SIDE.fullmatch(part.strip(" "))
        if found is None:
            raise NotationError(f"{what} written NS:2,WE:3, not {quote(text)}")
        if found[1] in numbers:
            raise NotationError(f"{found[1]} twice in {quote(text)}")
        numbers[found[1]] = int(found[2])
    return numbers.get("NS", 0), numbers.get("WE", 0)


def _positions(
    hands: Hands,
    hakem: Seat,
    trump: Suit | None,
    leader: Seat | None,
    trick: tuple[Card, ...],
    won: tuple[int, int] | None,
) -> tuple[Position, ...]:
    """Fill in what may be left out in the first trick, and make one position for each trump asked for."""
    most = max(map(len, hands))
    if won is None and most < TRICKS:
        raise PositionError(
            f"tricks won are missing, but no hand has more than {counted(most, 'card')}: this is not the first trick"
        )
    if leader is None and won not in (None, (0, 0)):
        raise PositionError("the leader is missing: he may be left out in the first trick only")
    leads = hakem if leader is None else leader
    if trump is not None:
        return (Position(hands, trump, hakem, leads, trick, won or (0, 0)),)
    position = Position(hands, Suit.SPADES, hakem, leads, trick, won or (0, 0))
    return tuple(position.with_trump(suit) for suit in Suit)


def _hands_field(obj: Mapping[str, object]) -> Hands:
    given = [name for name in ("hands", "deal") if obj.get(name) is not None]
    if not given:
        raise FieldError("hands are missing", field="hands")
    hands = hands_from_json(obj[given[0]], given[0])
    if len(given) == 2 and hands_from_json(obj["deal"], "deal") != hands:
        raise FieldError("deal and hands are both given and differ", field="deal")
    return hands


def _string(obj: Mapping[str, object], key: str, inside: str = "") -> str:
    name = f"{inside}.{key}" if inside else key
    if key not in obj:
        raise FieldError(f"{name} is missing", field=name)
    value = obj[key]
    if not isinstance(value, str):
        raise FieldError(f"{name} must be text, not {quote(value)}", field=name)
    return value


def _in_field(field: str, read: Callable[[str], T], text: str) -> T:
    try:
        return read(text)
    except HokmError as error:
        raise error.in_field(field) from None


# Small helpers


def _text(value: object) -> str:
    """Let a wrong type from a caller without type checks become a clean error too."""
    if not isinstance(value, str):
        raise NotationError(f"text is needed, not {quote(value)}")
    return value


def _refuse_other_spelling(text: str, canonical: str) -> None:
    if text != canonical:
        raise NotationError(f"{quote(text)} is not in canonical form, which is {quote(canonical)}")


def _are(count: int) -> str:
    return f"{count} is" if count == 1 else f"{count} are"
