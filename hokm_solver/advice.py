"""Which trump to call from five cards: two answers side by side.

*With all cards seen*: sampled deals are solved exactly. Either all suits are valued on the same number of deals, or
they race (`hokm_solver.race`). *At the table*: what happens when nobody sees more than his own hand
(`hokm_solver.table`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from math import ceil, hypot
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hokm_solver import defaults
from hokm_solver.cards import Card, Suit
from hokm_solver.comparison import chance_of_best, mean, standard_error, tilted
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.errors import LimitError, check_callable, is_positive, is_whole, quote
from hokm_solver.match import Score
from hokm_solver.notation import five_cards
from hokm_solver.parallel import available_cores, check_jobs
from hokm_solver.race import OUTCOME_POINTS, Ended, Points, Race, Workshop, WorldSolver, run_race
from hokm_solver.rules import DEFAULT_RULES, Outcome
from hokm_solver.sampling import HAKEM, seen_by_hakem
from hokm_solver.solver import Solver
from hokm_solver.strata import Strata
from hokm_solver.table import SCHEMA, TableAdvice, table_advice

FEWEST_SAMPLES = 2  # one world has no standard error
BLOCK = 16  # worlds valued by a worker at a time: small enough for a smooth progress bar, large enough to cost nothing
FIRST_BLOCKS = (2, 4, 8)  # against the clock, begin small: the first block is finished whatever the time
DECIMALS = 6  # of figures that are not plain fractions

# After a race the best suit is valued on worlds that the race cannot have seen: so many that the standard error comes
# to the precision asked for. One world's value has a spread of 1.31 points, and one of 0.87 among worlds whose playouts
# end alike (measured on 80 random hands). Beyond these limits the precision is as at them.
VALUED_FROM = 2**32
SPREAD = 0.9
FINEST, USUAL, COARSEST = 0.01, 0.05, 0.1  # 8,100, 324 and 81 worlds
PLAYOUTS_EACH = 4  # played out for every world valued, and never fewer than for the values at the table
RACE_SHARE = 0.75  # of the time, that the race may take; the rest is for the value of the best suit

Show: TypeAlias = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class TrumpValue:
    """What calling one suit is worth with all cards seen, hakem's side's view.

    Attributes:
        trump: the suit called.
        points: mean points a deal, and ``points_se`` its standard error.
        win: share of deals won, kots included; ``kot`` and ``hakem_koti``: share of those.
        behind: points lost against the best suit on the same worlds, 0 or more, and ``behind_se`` its standard error.
        samples: number of worlds valued. After a race these are, for the best suit, worlds that were not used to
            choose it; for the others the worlds of the race until they were dropped, and their points are those of the
            best suit less what they are behind.
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
    """Trump advice from five cards, hakem's side's view; values are those with all cards seen except in `table`.

    Attributes:
        cards: hakem's five cards as given.
        trumps: the four suits, best first, ties in the order ♠♥♦♣.
        confidence: the chance that the first of them has the highest true value (`comparison.chance_of_best`).
        samples: number of worlds valued; after a race those of the race and those for the value of the best suit.
        seed: of the worlds.
        table: the values at the table, by which the suit to call is chosen.
        ended: why the race ended; None when there was none.
        precision: difference in points that did not matter in the race, if there was one.
        equal: the suits that are within `precision` of each other, the first of `trumps` among them; empty unless the
            race ended so.
    """

    cards: tuple[Card, ...]
    trumps: tuple[TrumpValue, ...]
    confidence: float
    samples: int
    seed: int
    table: TableAdvice
    ended: Ended | None = None
    precision: float | None = None
    equal: tuple[Suit, ...] = ()

    @property
    def best(self) -> Suit:
        """The suit that is best with all cards seen."""
        return self.trumps[0].trump

    @property
    def call(self) -> Suit:
        """The suit to call: the best at the table."""
        return self.table.call

    def to_json(self) -> dict[str, Any]:
        """The object ``hokm-solver/advise/1``."""
        return {
            "schema": SCHEMA,
            "cards": [str(card) for card in self.cards],
            "best": self.best.letter,
            "confidence": round(self.confidence, DECIMALS),
            "samples": self.samples,
            "seed": self.seed,
            **self._race_to_json(),
            "best_table": self.table.best.letter,
            **self.table.match_to_json(),
            "trumps": [{**value.to_json(), **self.table.trump_to_json(value.trump)} for value in self.trumps],
        }

    def _race_to_json(self) -> dict[str, Any]:
        if self.ended is None:
            return {}
        equal = [trump.letter for trump in self.equal]
        return {"precision": self.precision, "ended": self.ended, "equal": equal}


def advise(
    cards: str | Iterable[Card | str],
    samples: int | None = None,
    seed: int = defaults.SEED,
    jobs: int | None = None,
    time: float | None = None,
    precision: float | None = None,
    score: Score | None = None,
    progress: Callable[[float], None] | None = None,
    solver: Callable[[], WorldSolver] = Solver,
) -> Advice:
    """Advise hakem which trump to call from his first five cards.

    The hidden 8 + 39 cards are drawn uniformly; every world is solved with all cards seen for all four trumps, or in a
    race for those that may still be the best, so the suits are compared on the same deals. With `time` or `precision`
    there is a race: see `hokm_solver.race`. Beside these values stand those at the table, from `defaults.TABLE_WORLDS`
    worlds of the same seed: see `hokm_solver.table`.

    Args:
        cards: five different cards, or text naming them in any form that `notation.parse_cards` reads.
        samples: number of worlds, 2 to `defaults.MOST_SAMPLES`; `defaults.SAMPLES` if none of `samples`, `time` and
            `precision` is given.
        seed: of the worlds, 0 to 2⁶⁴ − 1. The same seed with the same samples or precision gives the same advice
            whatever `jobs`, unless `time` ended the race.
        jobs: number of threads; None means one for every core.
        time: seconds after which a race ends undecided; at least two worlds are valued however short it is.
        precision: points a deal, above 0; suits that are surely within it of each other are equal, and end a race.
        score: points of hakem's side and of the others before the deal; then the suit to call is the one that gives
            hakem's side the best chance to win the match.
        progress: called now and then, in the calling thread, with the part done, 0 to 1.
        solver: makes the solver of one worker.

    Raises:
        NotationError, DealError: the cards cannot be read or are not five different ones.
        LimitError: `samples`, `time`, `precision` or `jobs` out of range, or `samples` given with one of the others.
        FieldError: `seed` out of range, or another argument of a wrong type. MatchError: no deal is played at `score`.
        KeyboardInterrupt: on Ctrl-C, after the workers have stopped.
    """
    five = five_cards(cards)
    _check_limits(samples, jobs, time, precision)
    if progress is not None:
        check_callable(progress, "progress")
    check_callable(solver, "solver")
    workshop = Workshop(seen_by_hakem(five), seed, solver, jobs or available_cores())
    table = table_advice(five, score, seed=seed)
    show = progress or _show_nothing
    if time is None and precision is None:
        return _sample(five, table, samples or defaults.SAMPLES, workshop, show)
    return _race(five, table, None if precision is None else float(precision), time, workshop, show)


def _show_nothing(_: float) -> None:
    pass


def _check_limits(samples: int | None, jobs: int | None, time: float | None, precision: float | None) -> None:
    for name, limit in (("time", time), ("precision", precision)):
        if samples is not None and limit is not None:
            raise LimitError(f"samples and {name} exclude each other", field=name)
    if samples is not None and not (is_whole(samples) and FEWEST_SAMPLES <= samples <= defaults.MOST_SAMPLES):
        allowed = f"{FEWEST_SAMPLES} to {defaults.MOST_SAMPLES}"
        raise LimitError(f"samples must be {allowed}, not {quote(samples)}", field="samples")
    if jobs is not None:
        check_jobs(jobs)
    if time is not None and not is_positive(time):
        raise LimitError(f"time must be a number of seconds above 0, not {quote(time)}", field="time")
    if precision is not None and not is_positive(precision):
        raise LimitError(f"precision must be a number of points above 0, not {quote(precision)}", field="precision")


def _value(
    workshop: Workshop, worlds: range, trumps: tuple[Suit, ...], show: Show, until: float | None = None
) -> Points:
    """Points of `worlds` for each of `trumps`, shape (worlds, trumps); fewer, but not less than two, at `until`."""
    valued: list[Points] = []
    for points in workshop.map(partial(_value_block, workshop, trumps), _blocks(worlds), until):
        valued.append(points)
        show(sum(map(len, valued)) / len(worlds))
    return np.concatenate(valued)


def _blocks(worlds: range) -> Iterator[range]:
    """Which worlds to value together, in order."""
    start = worlds.start
    for size in chain(FIRST_BLOCKS, repeat(BLOCK)):
        if start >= worlds.stop:
            return
        yield range(start, min(start + size, worlds.stop))
        start += size


def _value_block(workshop: Workshop, trumps: tuple[Suit, ...], solver: WorldSolver, block: range) -> Points:
    """Points of the worlds in `block` for each trump, shape (worlds, trumps)."""
    worlds = workshop.worlds(block)
    return np.stack([solver.points_of_worlds(worlds, HAKEM, trump) for trump in trumps], axis=1)


# Every suit on the same number of worlds


def _sample(five: tuple[Card, ...], table: TableAdvice, samples: int, workshop: Workshop, show: Show) -> Advice:
    points = _value(workshop, range(samples), tuple(Suit), show)
    order = sorted(Suit, key=lambda trump: (-mean(points[:, trump]), trump))
    best = points[:, order[0]]
    return Advice(
        cards=five,
        trumps=tuple(_trump_value(trump, points[:, trump], best) for trump in order),
        confidence=chance_of_best(points, order[0]),
        samples=len(points),
        seed=workshop.seed,
        table=table,
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


# A race


def _race(
    five: tuple[Card, ...],
    table: TableAdvice,
    precision: float | None,
    time: float | None,
    workshop: Workshop,
    show: Show,
) -> Advice:
    race, begun = Race(precision), monotonic()
    run_race(race, workshop, _after(begun, time, RACE_SHARE), lambda: show(RACE_SHARE * _part(race, begun, time)))
    best = _leader_value(race.leader(), five, precision, _after(begun, time), workshop, show)
    others = [_other_value(trump, race, best) for trump in Suit if trump != best.trump]
    trumps = (best, *sorted(others, key=lambda value: value.behind))
    return Advice(
        cards=five,
        trumps=trumps,
        confidence=race.confidence(),
        samples=race.deals + best.samples,
        seed=workshop.seed,
        table=table,
        ended=race.ended,
        precision=precision,
        equal=tuple(value.trump for value in trumps if value.trump in race.suits) if race.ended == "equal" else (),
    )


def _after(begun: float, time: float | None, share: float = 1.0) -> float | None:
    return None if time is None else begun + share * time


def _part(race: Race, begun: float, time: float | None) -> float:
    """How much of the race is over, by looks or by the clock."""
    by_clock = 0.0 if time is None else (monotonic() - begun) / (RACE_SHARE * time)
    return min(max(race.part, by_clock), 1.0)


def _leader_value(
    trump: Suit,
    five: tuple[Card, ...],
    precision: float | None,
    until: float | None,
    workshop: Workshop,
    show: Show,
) -> TrumpValue:
    """The value of one suit on worlds that no race sees, those whose playouts end alike standing for each other."""
    error = min(max(precision or USUAL, FINEST), COARSEST)
    worlds = range(VALUED_FROM, VALUED_FROM + ceil((SPREAD / error) ** 2))
    valued = _value(workshop, worlds, (trump,), lambda part: show(RACE_SHARE + (1 - RACE_SHARE) * part), until)
    points = valued[:, 0]
    playouts = max(PLAYOUTS_EACH * len(worlds), defaults.TABLE_WORLDS)
    margins = trump_margins(five, playouts, workshop.seed, start=VALUED_FROM, trumps=(trump,))
    strata = Strata.of(margins[:, 0], len(points))
    win = round(strata.share(points > 0), DECIMALS)
    kot = round(strata.share(points == DEFAULT_RULES.kot), DECIMALS)
    hakem_koti = round(strata.share(points == -DEFAULT_RULES.hakem_koti), DECIMALS)
    return TrumpValue(
        trump=trump,
        points=_points(win, kot, hakem_koti),
        points_se=strata.error(points),
        win=win,
        kot=kot,
        hakem_koti=hakem_koti,
        behind=0.0,
        behind_se=0.0,
        samples=len(points),
    )


def _points(win: float, kot: float, hakem_koti: float) -> float:
    """Mean points, from the shares as they are shown."""
    return round(2 * win - 1 + kot - 2 * hakem_koti, DECIMALS)


def _other_value(trump: Suit, race: Race, best: TrumpValue) -> TrumpValue:
    """The value of another suit than the best: as much less as it is behind, with shares that come to that."""
    difference = race.difference(best.trump, trump)
    behind = max(difference.points, 0.0)
    counts = race.counts[trump].tolist()
    shares = dict(zip(Outcome, tilted(counts, OUTCOME_POINTS, best.points - behind)))
    win = round(shares[Outcome.WIN] + shares[Outcome.KOT], DECIMALS)
    kot, hakem_koti = round(shares[Outcome.KOT], DECIMALS), round(shares[Outcome.HAKEM_KOTI], DECIMALS)
    return TrumpValue(
        trump=trump,
        points=_points(win, kot, hakem_koti),
        points_se=hypot(best.points_se, difference.error),
        win=win,
        kot=kot,
        hakem_koti=hakem_koti,
        behind=round(behind, DECIMALS),
        behind_se=difference.error,
        samples=difference.deals,
    )
