"""Suits, ranks, seats, sides, cards, and sets of cards kept in one 64-bit word.

A word has 16 bits for each suit, of which the lower 13 are used::

    bit   63 ....... 48 47 ....... 32 31 ....... 16 15 ........ 0
          clubs         diamonds      hearts        spades
    in each lane: bit 0 = two, bit 1 = three, ... bit 12 = ace; bits 13-15 are never set
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from hokm_solver.errors import DealError, check_iterable, check_type, check_whole

LANE_BITS = 16
LANE_MASK = 0x1FFF  # the 13 ranks of one suit
FULL_PACK = 0x1FFF_1FFF_1FFF_1FFF
NUMBER_FORMATS = "bcdeEfFgGnoxX%"


class _Named(IntEnum):
    """Whole numbers with names: as text they are what ``str`` says, on every Python; ``f"{seat:d}"`` is the number."""

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def __format__(self, spec: str) -> str:
        """Format the text, or the number if the format is one for numbers."""
        as_number = spec != "" and spec[-1] in NUMBER_FORMATS
        return int.__format__(self, spec) if as_number else format(str(self), spec)


class Suit(_Named):
    """The four suits, in the order in which a hand is written."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        """``S``, ``H``, ``D`` or ``C``."""
        return "SHDC"[self]

    @property
    def symbol(self) -> str:
        """``♠``, ``♥``, ``♦`` or ``♣``."""
        return "♠♥♦♣"[self]

    @property
    def persian(self) -> str:
        """The Persian name."""
        return ("پیک", "دل", "خشت", "گشنیز")[self]

    def __str__(self) -> str:
        """Return the letter."""
        return self.letter


class Rank(_Named):
    """The thirteen ranks, two low and ace high."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One character: ``2`` to ``9``, ``T``, ``J``, ``Q``, ``K``, ``A``."""
        return "23456789TJQKA"[self - 2]

    @property
    def persian(self) -> str:
        """The Persian name: a word for the court cards, ace and number cards alike."""
        return _PERSIAN_RANKS[self - 2]

    def __str__(self) -> str:
        """Return the letter."""
        return self.letter


_PERSIAN_RANKS = ("دو", "سه", "چهار", "پنج", "شش", "هفت", "هشت", "نه", "ده", "سرباز", "بی‌بی", "شاه", "آس")


class Side(_Named):
    """The two partnerships."""

    NS = 0
    WE = 1

    @property
    def other(self) -> Side:
        """The opponents."""
        return Side(1 - self)


class Seat(_Named):
    """The four seats in order of play, which runs counter-clockwise: the next player sits to your right."""

    N = 0
    W = 1
    S = 2
    E = 3

    @property
    def next(self) -> Seat:
        """The seat to the right, who plays next."""
        return Seat((self + 1) % 4)

    @property
    def previous(self) -> Seat:
        """The seat to the left, who played before."""
        return Seat((self - 1) % 4)

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return Seat(self ^ 2)

    @property
    def side(self) -> Side:
        """The partnership of this seat."""
        return Side(self & 1)

    def after(self, steps: int) -> Seat:
        """Return the seat that plays ``steps`` turns after this one."""
        if type(steps) is not int:
            check_whole(steps, "steps")
        return Seat((self + steps) % 4)


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """One card. ``str(card)`` is the canonical form, rank then suit: ``AH``, ``TS``."""

    suit: Suit
    rank: Rank

    def __post_init__(self) -> None:
        """Check the types.

        Raises:
            FieldError: no suit, or no rank.
        """
        # A call for each would cost as much as the card.
        if not isinstance(self.suit, Suit) or not isinstance(self.rank, Rank):
            check_type(self.suit, Suit, "suit")
            check_type(self.rank, Rank, "rank")

    @property
    def index(self) -> int:
        """The number of this card's bit in a word, 0 to 60."""
        return LANE_BITS * self.suit + self.rank - 2

    @property
    def bit(self) -> int:
        """The word that holds this card alone: ``1 << index``."""
        return 1 << self.index

    @property
    def pretty(self) -> str:
        """The form shown to people: ``A♥``, ``10♠``."""
        rank = "10" if self.rank == Rank.TEN else self.rank.letter
        return rank + self.suit.symbol

    def __str__(self) -> str:
        """Return the canonical form."""
        return self.rank.letter + self.suit.letter

    def __repr__(self) -> str:
        """Return a short form for debugging: ``<Card AH>``."""
        return f"<Card {self}>"


# The pack in hand order: spades, hearts, diamonds, clubs, each from the ace down.
PACK = tuple(Card(suit, rank) for suit in Suit for rank in reversed(Rank))
_CARD_AT = {card.index: card for card in PACK}


@dataclass(frozen=True, slots=True, repr=False)
class CardSet:
    """An immutable set of cards in one word. Iterates in hand order: ♠♥♦♣, high to low."""

    bits: int = 0

    def __post_init__(self) -> None:
        """Refuse words with bits that are no card.

        Raises:
            DealError: ``bits`` has a bit set outside the 52 cards. FieldError: it is no whole number.
        """
        if type(self.bits) is not int:
            check_whole(self.bits, "bits")
            object.__setattr__(self, "bits", int(self.bits))
        if self.bits & ~FULL_PACK:
            raise DealError("a card set has bits that stand for no card")

    @classmethod
    def of(cls, cards: Iterable[Card]) -> CardSet:
        """Return the set of ``cards``; a card named twice is in it once.

        Raises:
            FieldError: something else than cards.
        """
        check_iterable(cards, "cards")
        bits = 0
        for card in cards:
            if not isinstance(card, Card):
                check_type(card, Card, "cards")
            bits |= card.bit
        return cls(bits)

    def suit(self, suit: Suit) -> CardSet:
        """Return the cards of one suit."""
        if not isinstance(suit, Suit):
            check_type(suit, Suit, "suit")
        return CardSet(self.bits & LANE_MASK << LANE_BITS * suit)

    def __iter__(self) -> Iterator[Card]:
        """Yield the cards, spades to clubs, each suit from the top down."""
        for start in range(0, 4 * LANE_BITS, LANE_BITS):
            lane = self.bits >> start & LANE_MASK
            while lane:
                top = lane.bit_length() - 1
                yield _CARD_AT[start + top]
                lane ^= 1 << top

    def __len__(self) -> int:
        """Return the number of cards."""
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        """Return whether there is any card."""
        return self.bits != 0

    def __contains__(self, card: object) -> bool:
        """Return whether ``card`` is in the set."""
        return isinstance(card, Card) and bool(self.bits & card.bit)

    def __or__(self, other: CardSet) -> CardSet:
        """Return the cards in either set."""
        return CardSet(self.bits | other.bits)

    def __and__(self, other: CardSet) -> CardSet:
        """Return the cards in both sets."""
        return CardSet(self.bits & other.bits)

    def __sub__(self, other: CardSet) -> CardSet:
        """Return the cards of this set that are not in ``other``."""
        return CardSet(self.bits & ~other.bits)

    def __str__(self) -> str:
        """Return the canonical cards with spaces between: ``AS TS 9H``."""
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        """Return a short form for debugging: ``<CardSet AS TS 9H>``."""
        return f"<CardSet {self}>"


FULL_SET = CardSet(FULL_PACK)
EMPTY_SET = CardSet(0)
