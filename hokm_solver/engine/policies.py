"""Policies by name, the weights of the learned one, and the trump rule of players that do not search."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import NDArray

import hokm_solver._playout as portable_playouts
from hokm_solver._playout import Policy, Record
from hokm_solver._search import has_fast_bmi2
from hokm_solver.cards import LANE_BITS, Card, CardSet, Rank, Suit
from hokm_solver.solver import PORTABLE_VARIABLE

if TYPE_CHECKING:
    from hokm_solver.engine.view import View

Kind: TypeAlias = Literal["random", "greedy", "rules", "learned"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HOTTEST = 1000  # temperature of a policy
WEIGHTS_FILE = "learned.npz"


@lru_cache(maxsize=1)
def playout_module() -> Any:
    """The compiled playouts in the build that suits this processor; both builds play alike."""
    portable = os.environ.get(PORTABLE_VARIABLE, "") not in ("", "0")
    if not portable and has_fast_bmi2():
        try:
            return import_module("hokm_solver._playout_bmi2")
        except ImportError:  # not built on this platform
            pass
    return portable_playouts


@lru_cache(maxsize=1)
def learned_weights() -> NDArray[np.int16]:
    """The weights shipped with the package, shape ``WEIGHT_SHAPE`` of the compiled playouts."""
    with files("hokm_solver.engine").joinpath(WEIGHTS_FILE).open("rb") as stream, np.load(stream) as arrays:
        weights: NDArray[np.int16] = arrays["weights"]
    return np.ascontiguousarray(weights)


def weights_mark() -> str:
    """A short mark of the weights: what was played out with others is not the same."""
    return sha256(learned_weights().tobytes()).hexdigest()[:16]


@lru_cache(maxsize=32)
def make_policy(kind: Kind, temperature: float = 0.0) -> Policy:
    """Make a policy; a ``temperature`` above 0 lets ``learned`` draw from its softmax, 0 plays its best card."""
    weights = learned_weights() if kind == "learned" else None
    return cast(Policy, playout_module().Policy(kind, weights, temperature))


def record_of(view: View) -> Record:
    """The public record in a view, for compiled policies."""
    plays = [card.index for card in view.plays]
    return cast(Record, playout_module().Record(view.hakem, view.trump, plays))


def card_at(index: int) -> Card:
    """The card with this bit number."""
    return Card(Suit(index // LANE_BITS), Rank(index % LANE_BITS + 2))


def longest_suit(five: Iterable[Card]) -> Suit:
    """The trump rule: the longest suit of hakem's five cards, of equals the one with the highest ranks, then ♠♥♦♣."""
    hand = CardSet.of(five)
    return max(Suit, key=lambda suit: (len(hand.suit(suit)), sum(card.rank for card in hand.suit(suit)), -suit))
