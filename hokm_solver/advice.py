"""Which trump to call from five cards, valued by solving sampled deals with all cards seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from time import monotonic
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hokm_solver import defaults
from hokm_solver.cards import Card, Seat, Suit
from hokm_solver.comparison import chance_of_best, mean, standard_error
from hokm_solver.errors import FieldError, LimitError, is_positive, is_whole, quote
from hokm_solver.notation import parse_card, parse_cards
from hokm_solver.parallel import available_cores, check_jobs, ordered_map
from hokm_solver.rules import DEFAULT_RULES, FIRST_PACKET
from hokm_solver.sampling import HiddenHands, Worlds, seen_by_hakem
from hokm_solver.solver import Solver

SCHEMA = "hokm-solver/advise/1"
FEWEST_SAMPLES = 2  # one world has no standard error
BLOCK = 16  # worlds valued by a worker at a time: small enough for a smooth progress bar, large enough to cost nothing
FIRST_BLOCKS = (2, 4, 8)  # against the clock, begin small: the first block is finished whatever the time
HAKEM = Seat.N  # where hakem sits changes nothing
DECIMALS = 6  # of figures that are not plain fractions

Points: TypeAlias = NDArray[np.int8]


class WorldSolver(Protocol):
    """What advice needs of a solver."""

    def points_of_worlds(self, worlds: Worlds, hakem: Seat, trump: Suit) -> Points:
        """Points of every world, hakem's side's view, shape (n,)."""

    def interrupt(self) -> None:
        """Make a running call raise; called from another thread."""


@dataclass(frozen=True, slots=True)
class TrumpValue:
    """What calling one suit is worth with all cards seen, hakem's side's view.

    Attributes:
        trump: the suit called.
        points: mean points a deal, and ``points_se`` its standard error.
        win: share of deals won, kots included; ``kot`` and ``hakem_koti``: share of those.
        behind: points lost against the best suit on the same worlds, 0 or more, and ``behind_se`` its standard error.
        samples: number of worlds valued.
    """

    trump: Suit
    points: float
    points_se: float
    win: float
    kot: float
    hakem_koti: float
    behind: float
    behind_se: float
    samples: int

    def to_json(self) -> dict[str, Any]:
        """The object in ``trumps`` of ``hokm-solver/advise/1``."""
        return {
            "trump": self.trump.letter,
            "points": self.points,
            "points_se": round(self.points_se, DECIMALS),
            "win": self.win,
            "kot": self.kot,
            "hakem_koti": self.hakem_koti,
            "behind": self.behind,
            "behind_se": round(self.behind_se, DECIMALS),
            "samples": self.samples,
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """Trump advice from five cards; all values are all-cards-seen values of hakem's side.

    Attributes:
        cards: hakem's five cards as given.
        trumps: the four suits, best first, ties in the order ♠♥♦♣.
        confidence: the chance that the first of them has the highest true value (`comparison.chance_of_best`).
        samples: number of worlds valued.
        seed: of the worlds.
    """

    cards: tuple[Card, ...]
    trumps: tuple[TrumpValue, ...]
    confidence: float
    samples: int
    seed: int

    @property
    def best(self) -> Suit:
        """The suit to call."""
        return self.trumps[0].trump

    def to_json(self) -> dict[str, Any]:
        """The object ``hokm-solver/advise/1``."""
        return {
            "schema": SCHEMA,
            "cards": [str(card) for card in self.cards],
            "best": self.best.letter,
            "confidence": round(self.confidence, DECIMALS),
            "samples": self.samples,
            "seed": self.seed,
            "trumps": [value.to_json() for value in self.trumps],
        }


def advise(
    cards: str | Iterable[Card | str],
    samples: int | None = None,
    seed: int = defaults.SEED,
    jobs: int | None = None,
    time: float | None = None,
    progress: Callable[[float], None] | None = None,
    solver: Callable[[], WorldSolver] = Solver,
) -> Advice:
    """Advise hakem which trump to call from his first five cards.

    The hidden 8 + 39 cards are drawn uniformly; every world is solved for all four trumps with all cards seen, so the
    suits are compared on the same deals.

    Args:
        cards: five different cards, or text naming them in any form that `notation.parse_cards` reads.
        samples: number of worlds, at least 2; 1000 if neither this nor `time` is given.
        seed: of the worlds, 0 to 2⁶⁴ − 1. The same seed and samples give the same advice whatever `jobs`.
        jobs: number of threads; None means one for every core.
        time: seconds to spend, given instead of `samples`; at least two worlds are valued however short it is.
        progress: called now and then, in the calling thread, with the part done, 0 to 1.
        solver: makes the solver of one worker.

    Raises:
        NotationError, DealError: the cards cannot be read or are not five different ones.
        LimitError: `samples`, `time` or `jobs` out of range, or `samples` and `time` both given.
        FieldError: `seed` out of range, or `cards` of a wrong type.
        KeyboardInterrupt: on Ctrl-C, after the workers have stopped.
    """
    five = _read_five(cards)
    _check_limits(samples, jobs, time)
    wanted = None if time is not None else samples or defaults.SAMPLES
    begun = monotonic()
    valued: list[Points] = []
    for points in ordered_map(
        partial(_value_block, seen_by_hakem(five, HAKEM), seed),
        _blocks(wanted),
        state=solver,
        jobs=jobs or available_cores(),
        interrupt=_interrupt,
        until=None if time is None else begun + time,
    ):
        valued.append(points)
        if progress is not None:
            done = sum(map(len, valued)) / wanted if wanted is not None else (monotonic() - begun) / (time or 1)
            progress(min(done, 1.0))
    return _advice(five, np.concatenate(valued), seed)


def _read_five(cards: str | Iterable[Card | str]) -> tuple[Card, ...]:
    if isinstance(cards, str):
        return parse_cards(cards, count=FIRST_PACKET)
    if not isinstance(cards, Iterable):
        raise FieldError(f"cards must be text or a list of cards, not {quote(cards)}", field="cards")
    return tuple(card if isinstance(card, Card) else parse_card(card) for card in cards)


def _check_limits(samples: int | None, jobs: int | None, time: float | None) -> None:
    if samples is not None and time is not None:
        raise LimitError("samples and time exclude each other", field="time")
    if samples is not None and not (is_whole(samples) and samples >= FEWEST_SAMPLES):
        raise LimitError(f"samples must be at least {FEWEST_SAMPLES}, not {quote(samples)}", field="samples")
    if jobs is not None:
        check_jobs(jobs)
    if time is not None and not is_positive(time):
        raise LimitError(f"time must be a number of seconds above 0, not {quote(time)}", field="time")


def _blocks(samples: int | None) -> Iterator[range]:
    """Which worlds to value together, in order; without end when `samples` is None."""
    if samples is not None:
        yield from (range(start, min(start + BLOCK, samples)) for start in range(0, samples, BLOCK))
        return
    start = 0
    for size in chain(FIRST_BLOCKS, repeat(BLOCK)):
        yield range(start, start + size)
        start += size


def _value_block(hidden: HiddenHands, seed: int, solver: WorldSolver, block: range) -> Points:
    """Points of the worlds in `block` for each trump ♠♥♦♣, shape (worlds, 4)."""
    worlds = hidden.worlds(len(block), seed, start=block.start)
    return np.stack([solver.points_of_worlds(worlds, HAKEM, trump) for trump in Suit], axis=1)


def _interrupt(solver: WorldSolver) -> None:
    solver.interrupt()


def _advice(five: tuple[Card, ...], points: Points, seed: int) -> Advice:
    """Advice from the points of every world for each trump ♠♥♦♣, shape (worlds, 4)."""
    order = sorted(Suit, key=lambda trump: (-mean(points[:, trump]), trump))
    best = points[:, order[0]]
    return Advice(
        cards=five,
        trumps=tuple(_trump_value(trump, points[:, trump], best) for trump in order),
        confidence=chance_of_best(points, order[0]),
        samples=len(points),
        seed=seed,
    )


def _trump_value(trump: Suit, points: Points, best: Points) -> TrumpValue:
    behind = best - points
    return TrumpValue(
        trump=trump,
        points=mean(points),
        points_se=standard_error(points),
        win=_share(points > 0),
        kot=_share(points == DEFAULT_RULES.kot),
        hakem_koti=_share(points == -DEFAULT_RULES.hakem_koti),
        behind=mean(behind),
        behind_se=standard_error(behind),
        samples=len(points),
    )


def _share(those: NDArray[np.bool_]) -> float:
    """The share of what is true, as a plain number: numpy counts with numbers of its own."""
    return int(np.count_nonzero(those)) / len(those)
