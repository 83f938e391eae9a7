"""Hidden hands, drawn exactly uniformly: the worlds that fit what a seat has seen.

A world is four 64-bit card sets in order of play N W S E; worlds are an ``(n, 4)`` array of ``uint64``. World ``i``
of a seed depends on the seed and ``i`` alone, so blocks of worlds may be drawn anywhere, in any order, and the same
seed gives the same worlds on every machine.

The generator: a stream for every pair (seed, i), begun at ``mix(mix(seed + G) + i)`` with the finaliser ``mix`` and the
constant ``G`` of splitmix64, four steps of which fill the state of xoshiro256**; numbers below a bound by rejection,
without bias. Without voids the unseen cards, ♠2 up to ♣A, are shuffled (Fisher–Yates from the end) and handed out in
the order N W S E. With voids the split of every suit is drawn first, in proportion to the number of deals it leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest

import numpy as np
from numpy.typing import NDArray

from hokm_solver._sample import Sampler
from hokm_solver.cards import EMPTY_SET, FULL_SET, Card, CardSet, Seat, Suit
from hokm_solver.defaults import SEED_LIMIT
from hokm_solver.errors import DealError, FieldError, all_of, counted, is_whole, quote
from hokm_solver.rules import FIRST_PACKET, TRICKS

HAKEM = Seat.N  # where trumps are compared from five cards alone; where hakem sits changes nothing
MOST_LISTED = 10**6
ONE = np.uint64(1)

Worlds = NDArray[np.uint64]
Voids = frozenset[Suit]
NO_VOIDS: tuple[Voids, Voids, Voids, Voids] = (frozenset(),) * 4


@dataclass(frozen=True, slots=True)
class HiddenHands:
    """What is known of the four hands at some moment, and the worlds that fit it.

    Attributes:
        known: for each seat N W S E the cards it certainly holds now.
        sizes: how many cards each seat holds now, the known ones included.
        voids: the suits each seat is known to be out of.
        gone: cards in no hand any more.

    Cards neither known nor gone are the unseen ones; they fill the hands exactly.

    Raises:
        DealError: a card in two places, a void against a known card, or cards that do not fill the hands.
    """

    known: tuple[CardSet, CardSet, CardSet, CardSet]
    sizes: tuple[int, int, int, int] = (TRICKS,) * 4
    voids: tuple[Voids, Voids, Voids, Voids] = NO_VOIDS
    gone: CardSet = EMPTY_SET

    def __post_init__(self) -> None:
        """Check that the pieces fit together."""
        for one, two in combinations((*self.known, self.gone), 2):
            for card in one & two:
                raise DealError(f"{card} is in two places")
        for seat in Seat:
            self._check_seat(seat)
        if len(self.unseen) != sum(self.needs):
            raise DealError(
                f"{counted(len(self.unseen), 'unseen card')} for {counted(sum(self.needs), 'place')} in the hands"
            )

    def _check_seat(self, seat: Seat) -> None:
        if not len(self.known[seat]) <= self.sizes[seat] <= TRICKS:
            raise DealError(
                f"{seat.name} cannot hold {counted(self.sizes[seat], 'card')}, {len(self.known[seat])} of them known"
            )
        for suit in self.voids[seat]:
            for card in self.known[seat].suit(suit):
                raise DealError(f"{seat.name} holds {card}, so is not out of {suit.symbol}")

    @property
    def unseen(self) -> CardSet:
        """The cards whose place is not known."""
        seen = self.gone
        for hand in self.known:
            seen |= hand
        return FULL_SET - seen

    @property
    def needs(self) -> tuple[int, ...]:
        """How many unseen cards each seat holds."""
        return tuple(size - len(hand) for size, hand in zip(self.sizes, self.known))

    def worlds(self, n: int, seed: int, start: int = 0) -> Worlds:
        """Draw worlds ``start`` … ``start + n − 1`` of ``seed``, shape ``(n, 4)``: each uniform among all that fit.

        Raises:
            FieldError: a seed outside 0 … 2⁶⁴ − 1.
            DealError: no world fits, or a void is known while four hands are hidden.
        """
        check_seed(seed)
        worlds = np.empty((n, len(Seat)), dtype=np.uint64)
        self._sampler().fill(worlds, seed, start)
        return worlds

    def count(self) -> int:
        """Return how many worlds fit.

        Raises:
            DealError: no world fits, or a void is known while four hands are hidden.
        """
        return self._sampler().ways()

    def every_world(self, seed: int) -> Worlds:
        """List the worlds that fit, shape ``(count(), 4)``, each once, in an order drawn from ``seed``.

        Any number of them from the first on is a fair sample, drawn without putting back.

        Raises:
            FieldError: a seed outside 0 … 2⁶⁴ − 1.
            DealError: no world fits, more than a million do, or a void is known while four hands are hidden.
        """
        check_seed(seed)
        sampler = self._sampler()
        if sampler.ways() > MOST_LISTED:
            raise DealError(f"{sampler.ways():,} worlds fit, and at most {MOST_LISTED:,} can be listed")
        worlds = np.empty((sampler.ways(), len(Seat)), dtype=np.uint64)
        sampler.fill_all(worlds, seed)
        return worlds

    def rotated(self, worlds: Worlds, suits: Sequence[Suit]) -> Worlds:
        """The same worlds with the unseen cards of some suits moved one suit on, shape ``(n, 4)``; no void is known.

        The highest unseen card of each suit goes where the highest of the next was, the last suit being followed by
        the first, then the second highest and so on down; a suit that has run out of cards is passed over. Every world
        comes from exactly one, so uniform worlds stay uniform.
        """
        assert self.voids == NO_VOIDS
        moved: Worlds = worlds.copy()
        for level in zip_longest(*(self.unseen.suit(suit) for suit in suits)):
            ring = [np.uint64(card.index) for card in level if card is not None]
            for here, there in zip(ring, [*ring[1:], *ring[:1]]):
                moved ^= ((worlds >> here ^ worlds >> there) & ONE) << there
        return moved

    def _sampler(self) -> Sampler:
        known = [hand.bits for hand in self.known]
        voids = [sum(1 << suit for suit in suits) for suits in self.voids]
        try:
            return Sampler(known, self.unseen.bits, self.needs, voids)
        except ValueError as error:
            raise DealError(str(error)) from error


def check_seed(seed: int) -> None:
    """Check a seed.

    Raises:
        FieldError: it is not a whole number from 0 to 2⁶⁴ − 1.
    """
    if not is_whole(seed) or not 0 <= seed < SEED_LIMIT:
        raise FieldError(f"seed {quote(seed)} is not between 0 and 2^64 - 1", field="seed")


def first_packet(five: Iterable[Card]) -> CardSet:
    """The cards from which hakem names trump.

    Raises:
        DealError: not five different cards. FieldError: something else than cards.
    """
    cards = all_of(five, Card, "cards")
    hand = CardSet.of(cards)
    if len(hand) != FIRST_PACKET or len(cards) != FIRST_PACKET:
        raise DealError(f"hakem names trump from {FIRST_PACKET} different cards, not {len(hand)}")
    return hand


def count_cards(hands: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The number of cards of every hand, or other set of cards, in an array of any shape."""
    words = np.ascontiguousarray(hands, dtype=np.uint64).view(np.uint8).reshape(*hands.shape, 8)
    counted: NDArray[np.int64] = np.unpackbits(words, axis=-1).sum(axis=-1, dtype=np.int64)
    return counted


def seen_by_hakem(five: Iterable[Card], hakem: Seat = HAKEM) -> HiddenHands:
    """What hakem knows when naming trump: his own first five cards and nothing else.

    Raises:
        DealError: not five different cards.
    """
    hand = first_packet(five)
    n, w, s, e = (hand if seat == hakem else EMPTY_SET for seat in Seat)
    return HiddenHands((n, w, s, e))
