"""What is asked of a player and what it answers, whoever the player is."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple, Protocol

from hokm_solver.cards import Card, Seat, Suit
from hokm_solver.engine.view import View
from hokm_solver.errors import LimitError, quote


class Range(NamedTuple):
    """The smallest and the largest whole number allowed."""

    lowest: int
    highest: int


LIMIT_RANGES = {
    "time_ms": Range(1, 600_000),
    "worlds": Range(1, 1_000_000),
    "nodes": Range(1, 2**62 - 1),
    "seed": Range(0, 2**64 - 1),
    "level": Range(1, 10),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work a decision may take; None leaves it to the player.

    Attributes:
        time_ms: wall-clock milliseconds from the start of work.
        worlds: sampled worlds; with it and no time limit the same seed gives the same answer.
        nodes: positions searched by an exact search.
        seed: seed of the sampled worlds.
        level: strength, 1 (weak) to 10.

    Raises:
        LimitError: a limit is no whole number in its range of `LIMIT_RANGES`; it is named.
    """

    time_ms: int | None = None
    worlds: int | None = None
    nodes: int | None = None
    seed: int | None = None
    level: int | None = None

    def __post_init__(self) -> None:
        """Check every limit that is given."""
        for name in (limit.name for limit in fields(self)):
            value, allowed = getattr(self, name), LIMIT_RANGES[name]
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not allowed.lowest <= value <= allowed.highest:
                wanted = f"a whole number from {allowed.lowest} to {allowed.highest}"
                raise LimitError(f"{name} must be {wanted}, not {quote(value)}", field=name)


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class CardCandidate:
    """A legal card with its value: expected points of the deal, hakem's side's view, and their standard error."""

    card: Card
    points: float
    points_se: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The card chosen; the candidates in hand order (none from a player that values no cards); worlds looked at."""

    card: Card
    candidates: tuple[CardCandidate, ...] = ()
    worlds: int = 0


@dataclass(frozen=True, slots=True)
class TrumpCandidate:
    """A suit with its value as trump: expected points of the deal, hakem's side's view, and their standard error."""

    trump: Suit
    points: float
    points_se: float


@dataclass(frozen=True, slots=True)
class TrumpChoice:
    """The trump chosen; the candidates, best first (none from a player that values none); worlds looked at."""

    trump: Suit
    candidates: tuple[TrumpCandidate, ...] = ()
    worlds: int = 0


class Chooser(Protocol):
    """A player: it sees one hand and the public record, and answers within limits.

    One chooser is used by one thread at a time, except for `interrupt`.
    """

    def choose_card(self, view: View, limits: Limits = NO_LIMITS) -> Choice:
        """Choose one of the legal cards of `view`."""

    def choose_trump(
        self,
        five: tuple[Card, ...],
        hakem: Seat | None = None,
        score: tuple[int, int] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> TrumpChoice:
        """Choose trump from hakem's first five; `score` is indexed by `Side` and needs `hakem`."""

    def interrupt(self) -> None:
        """Called from another thread: what is being chosen is to be answered soon, with the best so far."""
