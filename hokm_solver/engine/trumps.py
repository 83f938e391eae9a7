"""What calling each suit is worth at the table: hakem's five cards, the rest sampled, deals played out by a policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Card, Seat, Suit
from hokm_solver.engine.policies import Kind, make_policy, playout_module
from hokm_solver.rules import Outcome, outcome_of_margin, points_of_margin
from hokm_solver.sampling import seen_by_hakem

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
    points_se: float
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
    return margins.T


def trump_values(five: Iterable[Card], n_worlds: int, seed: int, kind: Kind = "learned") -> tuple[TableValue, ...]:
    """Value the four trumps, in the order ♠♥♦♣, from at least two worlds; hakem's side's view.

    Raises:
        DealError: not five different cards. FieldError: a seed out of range.
    """
    margins = trump_margins(five, n_worlds, seed, kind)
    return tuple(_value(trump, margins[:, trump]) for trump in Suit)


def _value(trump: Suit, margins: NDArray[np.int8]) -> TableValue:
    counts = np.bincount(margins.astype(np.int64) + 7, minlength=15)
    outcomes = {outcome: 0 for outcome in Outcome}
    for margin in range(-7, 8):
        if margin:
            outcomes[outcome_of_margin(margin)] += int(counts[margin + 7])
    n = len(margins)
    total = sum(points_of_margin(m) * int(counts[m + 7]) for m in range(-7, 8) if m)
    squares = sum(points_of_margin(m) ** 2 * int(counts[m + 7]) for m in range(-7, 8) if m)
    return TableValue(
        trump=trump,
        points=total / n,
        points_se=sqrt((n * squares - total * total) / (n * n * (n - 1))) if n > 1 else float("inf"),
        win=(outcomes[Outcome.WIN] + outcomes[Outcome.KOT]) / n,
        kot=outcomes[Outcome.KOT] / n,
        hakem_koti=outcomes[Outcome.HAKEM_KOTI] / n,
        worlds=n,
    )
