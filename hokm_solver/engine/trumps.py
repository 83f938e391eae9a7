"""What calling each suit is worth at the table: hakem's five cards, the rest sampled, deals played out by a policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Card, Seat, Suit
from hokm_solver.engine.choice import TrumpCandidate, TrumpChoice
from hokm_solver.engine.policies import Kind, longest_suit, make_policy, playout_module
from hokm_solver.engine.valuing import Budget
from hokm_solver.engine.worth import LARGEST_MARGIN, MARGINS, POINTS, Worth, mean_points
from hokm_solver.sampling import first_packet, seen_by_hakem

HAKEM = Seat.N  # where hakem sits changes nothing


@dataclass(frozen=True, slots=True)
class TableValue:
    """What calling a suit is worth when every player sees his own hand only; hakem's side's view.

    Attributes:
        trump: the suit called.
        points: mean points a deal, and ``points_se`` its standard error.
        win: share of deals won, kots included; ``kot`` and ``hakem_koti``: share of those.
        worlds: number of deals played out.
    """

    trump: Suit
    points: float
    points_se: float | None
    win: float
    kot: float
    hakem_koti: float
    worlds: int


def trump_margins(
    five: Iterable[Card], n_worlds: int, seed: int, kind: Kind = "learned", start: int = 0
) -> NDArray[np.int8]:
    """Play deals out under each trump ♠♥♦♣; margins, hakem's side's view, shape (n_worlds, 4).

    The hidden 8 + 39 cards are drawn uniformly, worlds ``start`` on of ``seed``; the four suits share the worlds.

    Raises:
        DealError: not five different cards. FieldError: a seed out of range.
    """
    worlds = seen_by_hakem(five, HAKEM).worlds(n_worlds, seed, start)
    margins = np.empty((len(Suit), n_worlds), dtype=np.int8)
    policy = make_policy(kind)
    for trump in Suit:
        policy.play_out(playout_module().Record(HAKEM, trump), worlds, margins[trump], seed, start)
    return np.ascontiguousarray(margins.T)


def trump_values(five: Iterable[Card], n_worlds: int, seed: int, kind: Kind = "learned") -> tuple[TableValue, ...]:
    """Value the four trumps, in the order ♠♥♦♣, hakem's side's view; the error is None with one world.

    Raises:
        DealError: not five different cards. FieldError: a seed out of range.
    """
    margins = trump_margins(five, n_worlds, seed, kind)
    return tuple(_value(trump, margins[:, trump]) for trump in Suit)


def _value(trump: Suit, margins: NDArray[np.int8]) -> TableValue:
    points, error = mean_points(_counted(margins))
    return TableValue(
        trump=trump,
        points=points,
        points_se=error,
        win=int(np.count_nonzero(margins > 0)) / len(margins),
        kot=int(np.count_nonzero(margins == LARGEST_MARGIN)) / len(margins),
        hakem_koti=int(np.count_nonzero(margins == -LARGEST_MARGIN)) / len(margins),
        worlds=len(margins),
    )


def _counted(margins: NDArray[np.int8]) -> NDArray[np.int64]:
    """How often each margin −7 … +7 occurs."""
    return np.bincount(margins.astype(np.int64) + LARGEST_MARGIN, minlength=MARGINS)


def trump_by_rule(five: Iterable[Card]) -> TrumpChoice:
    """Choose the longest suit; the candidates have no values.

    Raises:
        DealError: not five different cards.
    """
    return TrumpChoice(longest_suit(first_packet(five)), tuple(map(TrumpCandidate, Suit)))


def trump_by_playouts(five: Iterable[Card], budget: Budget, seed: int, worth: Worth = POINTS) -> TrumpChoice:
    """Choose the suit with the highest mean worth over as many worlds as the budget allows; ties ♠♥♦♣.

    ``worth``: of the margins −7 … +7 to hakem's side.

    Raises:
        DealError: not five different cards. FieldError: a seed out of range.
    """
    cards = tuple(five)
    blocks: list[NDArray[np.int8]] = []
    done = 0
    while size := budget.block(done, len(Suit), done * len(Suit), budget.spent()):
        blocks.append(trump_margins(cards, size, seed, start=done))
        done += size
    counts = [_counted(margins) for margins in np.concatenate(blocks).T]
    best = max(Suit, key=lambda trump: (counts[trump] @ worth, -trump))
    return TrumpChoice(best, tuple(TrumpCandidate(trump, *mean_points(counts[trump])) for trump in Suit), done)
