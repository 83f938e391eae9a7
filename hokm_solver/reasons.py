"""Why a suit is worth what it is as trump, told from the deals themselves: what its value depends on.

Deals that fit hakem's first five cards are played out by the learned policy, the same deals as in `table`, and
sorted: by how many trumps partner was dealt, and by which side has each honour of trump that hakem does not hold yet.
The points are those of the playouts, hakem's side's view; differences between groups are what to look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hokm_solver import defaults
from hokm_solver.cards import FULL_SET, Card, Rank, Suit
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.engine.worth import LARGEST_MARGIN, WHOLE_POINTS
from hokm_solver.sampling import HAKEM, Worlds, count_cards, first_packet, seen_by_hakem

HONOURS = (Rank.ACE, Rank.KING, Rank.QUEEN)
GROUPS = ((0, 1), (2, 2), (3, 3), (4, 13))  # partner's trumps, from and to
DECIMALS = 4

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Group:
    """Deals that have something in common.

    Attributes:
        share: their part of all deals.
        points: mean points in them, hakem's side's view; None if there are none.
        points_se: its standard error; None with fewer than two.
    """

    share: float
    points: float | None
    points_se: float | None


@dataclass(frozen=True, slots=True)
class HonourSplit:
    """An honour of trump not among the first five: the deals in which hakem's side has it, and the others."""

    card: Card
    ours: Group
    theirs: Group


@dataclass(frozen=True, slots=True)
class Reasons:
    """What the value of one suit as trump depends on.

    Attributes:
        trump: the suit.
        held: hakem's trumps among the first five.
        expected: how many trumps hakem's thirteen cards hold on average.
        partner: for each of `GROUPS`, the deals in which partner has so many trumps.
        honours: the ace, king and queen of trump that are not among the first five.
        worlds: number of deals.
    """

    trump: Suit
    held: tuple[Card, ...]
    expected: float
    partner: tuple[Group, ...]
    honours: tuple[HonourSplit, ...]
    worlds: int

    def partner_groups(self) -> Iterator[tuple[tuple[int, int], Group]]:
        """The groups of `partner`, each with the numbers of trumps from and to which it goes."""
        return zip(GROUPS, self.partner)

    def to_json(self) -> dict[str, Any]:
        """An object in ``reasons`` of ``hokm-solver/advise/1``."""
        return {
            "trump": self.trump.letter,
            "held": [str(card) for card in self.held],
            "expected": self.expected,
            "partner": [{"from": low, "to": high, **asdict(group)} for (low, high), group in self.partner_groups()],
            "honours": [
                {"card": str(split.card), "ours": asdict(split.ours), "theirs": asdict(split.theirs)}
                for split in self.honours
            ],
            "worlds": self.worlds,
        }


def reasons(
    five: Iterable[Card], trump: Suit, worlds: int = defaults.TABLE_WORLDS, seed: int = defaults.SEED
) -> Reasons:
    """Tell what the value of a suit depends on, from so many deals of `seed`, hakem's side's view.

    Raises:
        DealError: not five different cards. FieldError: ``seed`` out of range.
    """
    hand = first_packet(five)
    dealt = seen_by_hakem(hand).worlds(worlds, seed)
    margins = trump_margins(hand, worlds, seed, trumps=[trump])[:, 0]
    points = WHOLE_POINTS[margins + LARGEST_MARGIN]
    trumps = FULL_SET.suit(trump)
    own, partner = (count_cards(dealt[:, seat] & np.uint64(trumps.bits)) for seat in (HAKEM, HAKEM.partner))
    missing = [card for card in trumps - hand if card.rank in HONOURS]
    return Reasons(
        trump=trump,
        held=tuple(hand.suit(trump)),
        expected=round(float(own.mean()), DECIMALS),
        partner=tuple(_group(points, (low <= partner) & (partner <= high)) for low, high in GROUPS),
        honours=tuple(_split(card, points, dealt) for card in missing),
        worlds=worlds,
    )


def _split(card: Card, points: NDArray[np.int64], dealt: Worlds) -> HonourSplit:
    ours = ((dealt[:, HAKEM] | dealt[:, HAKEM.partner]) & np.uint64(card.bit)) != 0
    return HonourSplit(card, _group(points, ours), _group(points, ~ours))


def _group(points: NDArray[np.int64], those: Flags) -> Group:
    found = points[those]
    n = len(found)
    error = float(found.std(ddof=1)) / n**0.5 if n > 1 else None
    return Group(
        share=n / len(points),
        points=round(float(found.mean()), DECIMALS) if n else None,
        points_se=None if error is None else round(error, DECIMALS),
    )
