"""Five-card hands up to renaming of suits: 134,459 classes, numbered from 0 without a table.

A class is what stays of a hand when the suits lose their names: a set of ranks for every suit, longest first, of equal
lengths the one that `rank_of` counts later first. Classes are numbered shape after shape (`SHAPES`), within a shape by
the sets of ranks; sets of equal length may be the same, so they are counted as combinations with repetition.

The numbering is the combinatorial number system: the numbers c₁ < c₂ < … < cₖ have rank Σ C(cᵢ, i).
(Knuth, The Art of Computer Programming 4A, 7.2.1.3.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from math import comb, factorial, prod

from hokm_solver.cards import Card, CardSet, Rank, Suit
from hokm_solver.errors import DealError
from hokm_solver.rules import FIRST_PACKET

RANKS = len(Rank)
SHAPES = ((5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1))
HANDS = comb(RANKS * len(Suit), FIRST_PACKET)

Ranks = tuple[int, ...]  # of one suit, 0 for the deuce to 12 for the ace, lowest first


def rank_of(numbers: Sequence[int]) -> int:
    """The place of ascending numbers from 0 on among all sets of as many."""
    return sum(comb(number, i) for i, number in enumerate(numbers, start=1))


def numbers_at(rank: int, count: int) -> tuple[int, ...]:
    """The set of ``count`` numbers with this place, ascending: the inverse of `rank_of`."""
    found = []
    for i in range(count, 0, -1):
        number = i - 1
        while comb(number + 1, i) <= rank:
            number += 1
        rank -= comb(number, i)
        found.append(number)
    return tuple(reversed(found))


def groups_of(shape: Sequence[int]) -> list[tuple[int, int]]:
    """The lengths in a shape and how many suits have each: (2, 1), (1, 3) for 2-1-1-1."""
    return [(length, len(list(suits))) for length, suits in groupby(shape)]


def ways_of(length: int, suits: int) -> int:
    """Ways to choose sets of ranks of this length for some suits without names."""
    return comb(comb(RANKS, length) + suits - 1, suits)


SIZES = tuple(prod(ways_of(*group) for group in groups_of(shape)) for shape in SHAPES)
STARTS = (0, *accumulate(SIZES))  # the number of the first class of every shape
CLASSES = STARTS[-1]


def order_of_suits(five: Iterable[Card]) -> tuple[Suit, ...]:
    """All four suits in the order of the class: the i-th of them is the i-th suit of `hand_of`.

    Suits that hold the same ranks stand in the order ♠♥♦♣.
    """
    suits = _ranks_of(five)
    return tuple(sorted(Suit, key=lambda suit: (-len(suits[suit]), -rank_of(suits[suit]), suit)))


def class_of(five: Iterable[Card]) -> int:
    """The number of the class of five different cards.

    Raises:
        DealError: not five different cards.
    """
    suits = _ranks_of(five)
    sets = sorted(filter(None, suits.values()), key=lambda ranks: (-len(ranks), -rank_of(ranks)))
    shape = tuple(map(len, sets))
    number = 0
    for length, count in groups_of(shape):
        places = sorted(rank_of(ranks) for ranks in sets if len(ranks) == length)
        # Shifted apart, numbers that may be equal become different ones.
        number = number * ways_of(length, count) + rank_of([place + i for i, place in enumerate(places)])
    return STARTS[SHAPES.index(shape)] + number


def hand_of(number: int) -> CardSet:
    """The hand that stands for a class: its suits in the order ♠♥♦♣.

    Raises:
        DealError: there is no such class.
    """
    if not 0 <= number < CLASSES:
        raise DealError(f"classes of five cards have the numbers 0 to {CLASSES - 1}, not {number}")
    shape = next(i for i, end in enumerate(STARTS[1:]) if number < end)
    number -= STARTS[shape]
    sets: list[Ranks] = []
    for length, count in reversed(groups_of(SHAPES[shape])):
        number, rest = divmod(number, ways_of(length, count))
        places = [shifted - i for i, shifted in enumerate(numbers_at(rest, count))]
        sets += [numbers_at(place, length) for place in places]
    cards = [Card(suit, Rank(rank + 2)) for suit, ranks in zip(Suit, reversed(sets)) for rank in ranks]
    return CardSet.of(cards)


def weight_of(number: int) -> int:
    """How many hands a class stands for: the ways to give its sets of ranks to the four suits."""
    same = Counter(_ranks_of(hand_of(number)).values())
    return factorial(len(Suit)) // prod(map(factorial, same.values()))


def _ranks_of(five: Iterable[Card]) -> dict[Suit, Ranks]:
    hand = CardSet.of(five)
    if len(hand) != FIRST_PACKET:
        raise DealError(f"a class is one of {FIRST_PACKET} different cards, not {len(hand)}")
    return {suit: tuple(sorted(card.rank - 2 for card in hand.suit(suit))) for suit in Suit}
