"""What a player is asked and answers: limits, candidates, the choice of a card or of trump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hokm_solver.cards import Card, Seat, Suit
from hokm_solver.defaults import MOST_WORLDS, SEED_LIMIT
from hokm_solver.engine.view import View
from hokm_solver.errors import LimitError, check_callable, check_type, is_positive, is_whole, quote
from hokm_solver.match import check_score

LEVELS = range(1, 11)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work a decision may cost; None leaves it to the player.

    Attributes:
        time_ms: milliseconds from the start of the decision, more than 0.
        worlds: sampled worlds, 1 to 1,000,000.
        nodes: deals played to their end, at least 1, over all cards and worlds.
        seed: of the worlds and of every other random choice.
        level: 1 to 10.
        stop: asked by the player again and again while it works; once it says true, the answer is due at once, with
            the best so far. Another thread may change what it says.

    With neither time nor nodes limited a decision depends on the rest alone, whatever the machine.
    """

    time_ms: float | None = None
    worlds: int | None = None
    nodes: int | None = None
    seed: int | None = None
    level: int | None = None
    stop: Callable[[], bool] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the limits.

        Raises:
            LimitError: a limit out of range; ``field`` names it. FieldError: ``stop`` is no function.
        """
        if self.time_ms is not None and not is_positive(self.time_ms):
            raise LimitError(f"time_ms must be more than 0, not {quote(self.time_ms)}", field="time_ms")
        if self.worlds is not None:
            check_worlds(self.worlds)
        if self.nodes is not None and not (is_whole(self.nodes) and self.nodes >= 1):
            raise LimitError(f"nodes must be at least 1, not {quote(self.nodes)}", field="nodes")
        if self.seed is not None and not (is_whole(self.seed) and 0 <= self.seed < SEED_LIMIT):
            raise LimitError(f"seed must be from 0 to 2^64 - 1, not {quote(self.seed)}", field="seed")
        if self.level is not None:
            check_level(self.level)
        if self.stop is not None:
            check_callable(self.stop, "stop")

    def seed_or(self, own: int) -> int:
        """The seed asked for, or else a player's own."""
        return int(own if self.seed is None else self.seed)


def check_worlds(worlds: int) -> None:
    """Check a number of worlds.

    Raises:
        LimitError: it is not 1 to 1,000,000.
    """
    if not is_whole(worlds) or not 1 <= worlds <= MOST_WORLDS:
        raise LimitError(f"worlds must be 1 to {MOST_WORLDS}, not {quote(worlds)}", field="worlds")


def check_level(level: int) -> None:
    """Check a level.

    Raises:
        LimitError: it is not 1 to 10.
    """
    if not is_whole(level) or level not in LEVELS:
        raise LimitError(f"level must be {LEVELS[0]} to {LEVELS[-1]}, not {quote(level)}", field="level")


NO_LIMITS = Limits()


def check_card_question(view: View, limits: Limits) -> None:
    """Check what a player is given to choose a card from, whoever it is.

    Raises:
        FieldError: no view, or no limits.
    """
    check_type(view, View, "view")
    check_type(limits, Limits, "limits")


def check_trump_question(hakem: Seat, score: tuple[int, int] | None, limits: Limits) -> None:
    """Check what a player is given to choose trump besides the five cards.

    Raises:
        FieldError: no seat, no limits, or a score at which no deal is played.
    """
    check_type(hakem, Seat, "hakem")
    check_type(limits, Limits, "limits")
    if score is not None:
        check_score(hakem, score)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal card and what the deal is worth after it; hakem's side's view.

    Attributes:
        card: the card.
        points: mean points over the worlds valued; None for a player that does not value cards.
        points_se: its standard error, None with fewer than two worlds.
    """

    card: Card
    points: float | None = None
    points_se: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The card chosen, every legal card in hand order, and the number of worlds the chosen one was valued in."""

    card: Card
    candidates: tuple[Candidate, ...]
    worlds: int = 0


@dataclass(frozen=True, slots=True)
class TrumpCandidate:
    """A trump and what calling it is worth; hakem's side's view, fields as in `Candidate`."""

    trump: Suit
    points: float | None = None
    points_se: float | None = None


@dataclass(frozen=True, slots=True)
class TrumpChoice:
    """The trump chosen, the four suits in the order ♠♥♦♣, and the number of worlds they were valued in."""

    trump: Suit
    candidates: tuple[TrumpCandidate, ...]
    worlds: int = 0
