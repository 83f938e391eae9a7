"""What calling each suit is worth at the table: hakem's five cards, the rest sampled, deals played out by a policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Card, Suit
from hokm_solver.engine.choice import TrumpCandidate, TrumpChoice
from hokm_solver.engine.policies import longest_suit, make_policy, playout_module
from hokm_solver.engine.valuing import Budget
from hokm_solver.engine.worth import LARGEST_MARGIN, MARGINS, POINTS, Worth, mean_points
from hokm_solver.errors import all_of
from hokm_solver.sampling import HAKEM, first_packet, seen_by_hakem


def trump_margins(
    five: Iterable[Card], n_worlds: int, seed: int, start: int = 0, trumps: Sequence[Suit] = tuple(Suit)
) -> NDArray[np.int8]:
    """Play deals out under each of ``trumps``; margins, hakem's side's view, shape (n_worlds, trumps).

    The hidden 8 + 39 cards are drawn uniformly, worlds ``start`` on of ``seed``; the suits share the worlds.

    Raises:
        DealError: not five different cards. FieldError: a seed out of range.
    """
    worlds = seen_by_hakem(five).worlds(n_worlds, seed, start)
    margins = np.empty((len(trumps), n_worlds), dtype=np.int8)
    policy = make_policy("learned")
    for row, trump in zip(margins, trumps):
        policy.play_out(playout_module().Record(HAKEM, trump), worlds, row, seed, start)
    return np.ascontiguousarray(margins.T)


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
        DealError: not five different cards. FieldError: a seed out of range, or something else than cards.
    """
    cards = all_of(five, Card, "five")
    blocks: list[NDArray[np.int8]] = []
    done = 0
    while size := budget.block(done, len(Suit), done * len(Suit), budget.spent()):
        blocks.append(trump_margins(cards, size, seed, start=done))
        done += size
    counts = [_counted(margins) for margins in np.concatenate(blocks).T]
    best = max(Suit, key=lambda trump: (counts[trump] @ worth, -trump))
    return TrumpChoice(best, tuple(TrumpCandidate(trump, *mean_points(counts[trump])) for trump in Suit), done)
