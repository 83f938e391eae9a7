"""Shuffling and dealing that give the same cards everywhere, from a seed or for a day.

Python promises no stable order for ``random.shuffle`` across versions, so the generator is our own: splitmix64, as
published by Steele, Lea and Flood (2014), bounded numbers by rejection, and the shuffle of Fisher and Yates from the
last card down, on the pack in hand order. Changing any of it changes every seeded deal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date

from hokm_solver.cards import PACK, Card, CardSet, Seat
from hokm_solver.deal import Deal
from hokm_solver.errors import DealError, check_type, counted, is_whole, quote
from hokm_solver.rules import FIRST_PACKET

WORD = 1 << 64
PACKETS = (FIRST_PACKET, 4, 4)


class SplitMix64:
    """A small generator of 64-bit numbers; equal seeds give equal numbers on every machine."""

    def __init__(self, seed: int) -> None:
        """Start from ``seed``.

        Raises:
            DealError: ``seed`` is not a whole number from 0 to 2**64 - 1.
        """
        if not is_whole(seed) or not 0 <= seed < WORD:
            raise DealError(f"a seed is a whole number from 0 to {WORD - 1}, not {quote(seed)}", field="seed")
        self._state = int(seed)

    def next(self) -> int:
        """Return the next number, 0 to 2**64 - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) % WORD
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % WORD
        return mixed ^ mixed >> 31

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1, all equally likely: the last, partial round is refused."""
        whole_rounds = WORD - WORD % bound
        number = self.next()
        while number >= whole_rounds:
            number = self.next()
        return number % bound


def shuffled_pack(random: SplitMix64) -> tuple[Card, ...]:
    """Return the 52 cards in a random order, every order that the generator can reach being equally likely."""
    pack = list(PACK)
    for last in range(len(pack) - 1, 0, -1):
        chosen = random.below(last + 1)
        pack[last], pack[chosen] = pack[chosen], pack[last]
    return tuple(pack)


def deal_in_packets(pack: Sequence[Card], hakem: Seat) -> Deal:
    """Deal ``pack`` from its first card on: five to each seat, then four, then four, in order of play from hakem.

    The deal keeps the five that hakem sees before he names trump.

    Raises:
        DealError: ``pack`` is not the 52 cards. FieldError: it is no pack at all, or ``hakem`` is no seat.
    """
    check_type(pack, Sequence, "pack")
    check_type(hakem, Seat, "hakem")
    if len(pack) != len(PACK):
        raise DealError(f"{counted(len(pack), 'card')} in the pack where {len(PACK)} are needed")
    hands: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    rest = iter(pack)
    for size in PACKETS:
        for turn in range(4):
            hands[hakem.after(turn)].extend(next(rest) for _ in range(size))
    first_five = CardSet.of(hands[hakem][:FIRST_PACKET])
    n, w, s, e = (CardSet.of(hands[seat]) for seat in Seat)
    return Deal((n, w, s, e), hakem, first_five)


def deal_cards(seed: int, hakem: Seat = Seat.N) -> Deal:
    """Shuffle and deal by ``seed``, 0 to 2**64 - 1; hakem gets the first packet.

    Raises:
        DealError: ``seed`` is out of range. FieldError: ``hakem`` is no seat.
    """
    return deal_in_packets(shuffled_pack(SplitMix64(seed)), hakem)


def deal_of_the_day(day: date, number: int = 1) -> Deal:
    """Return the deal that everybody gets on ``day``, hakem included; ``number`` counts the deals of that day from 1.

    The seed is the first eight bytes, most significant first, of the SHA-256 of ``hokm 2025-03-21 #1``; hakem is the
    seat in order of play from N that the same generator names after the shuffle.

    Raises:
        DealError: ``number`` is not a whole number from 1 on. FieldError: ``day`` is no date.
    """
    check_type(day, date, "day")
    if not is_whole(number) or number < 1:
        raise DealError(f"deals of a day are numbered from 1, not {quote(number)}", field="number")
    name = f"hokm {day.year:04}-{day.month:02}-{day.day:02} #{number}"
    random = SplitMix64(int.from_bytes(hashlib.sha256(name.encode("ascii")).digest()[:8], "big"))
    pack = shuffled_pack(random)
    return deal_in_packets(pack, Seat(random.below(4)))
