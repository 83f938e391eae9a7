"""Deals of freak shapes: whole suits in one hand, two long suits each, voids all round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from hokm_solver.cards import Card, CardSet, Rank, Seat, Suit
from hokm_solver.deal import Deal, Position

Shape = tuple[tuple[int, int, int, int], ...]  # the lengths of the four suits in each of the hands N W S E


def ring(lengths: tuple[int, int, int, int]) -> Shape:
    """Return a shape in which every hand has these lengths, each in the suits one further on than the hand before."""
    return tuple((lengths[-i % 4], lengths[(1 - i) % 4], lengths[(2 - i) % 4], lengths[(3 - i) % 4]) for i in range(4))


SHAPES: dict[str, Shape] = {
    "13-0-0-0": ring((13, 0, 0, 0)),
    "7-6-0-0 in a ring": ring((7, 6, 0, 0)),
    "7-6-0-0 shared by partners": ((7, 6, 0, 0), (0, 0, 7, 6), (6, 7, 0, 0), (0, 0, 6, 7)),
    "7-6-0-0 shared by neighbours": ((7, 6, 0, 0), (6, 7, 0, 0), (0, 0, 7, 6), (0, 0, 6, 7)),
    "6-6-1-0 in a ring": ring((6, 6, 1, 0)),
    "6-6-1-0 shared by partners": ((6, 6, 1, 0), (0, 1, 6, 6), (6, 6, 0, 1), (1, 0, 6, 6)),
    "6-5-2-0 in a ring": ring((6, 5, 2, 0)),
    "5-5-2-1 in a ring": ring((5, 5, 2, 1)),
    "5-5-3-0 in a ring": ring((5, 5, 3, 0)),
    "5-4-4-0 in a ring": ring((5, 4, 4, 0)),
    "9-4-0-0 in a ring": ring((9, 4, 0, 0)),
}


def deal_of_shape(shape: Shape, seed: int) -> Deal:
    """Return a deal of this shape; who holds which ranks is random."""
    rng = Random(seed)
    hands = [0, 0, 0, 0]
    for suit in Suit:
        holders = [seat for seat in range(4) for _ in range(shape[seat][suit])]
        rng.shuffle(holders)
        for rank, seat in zip(Rank, holders, strict=True):
            hands[seat] |= Card(suit, rank).bit
    north, west, south, east = map(CardSet, hands)
    return Deal((north, west, south, east))


def freak_positions(name: str, seeds: Iterable[int]) -> Iterator[Position]:
    """Yield the starts of deals of a shape of `SHAPES`, each under every trump; hakem takes turns."""
    for seed in seeds:
        deal = deal_of_shape(SHAPES[name], seed)
        for trump in Suit:
            yield Position.start(deal, trump, Seat((seed + trump) % 4))
