"""Judging records: the work behind a review."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from threading import Event

from hokm_solver import defaults
from hokm_solver.advice import FEWEST_SAMPLES, Advice, advise
from hokm_solver.cards import Card, Seat
from hokm_solver.deal import Position
from hokm_solver.engine.player import Player
from hokm_solver.engine.valuing import Budget
from hokm_solver.engine.view import PublicRecord, View
from hokm_solver.errors import LimitError, SearchInterrupted, check_type, is_whole, quote
from hokm_solver.records.record import Record
from hokm_solver.review.judgement import Balance, KnownValue, PlayReview, Review, TrumpReview
from hokm_solver.rules import Outcome, margin_of
from hokm_solver.sampling import check_seed
from hokm_solver.solver import Solution, Solver

KNOWN_WORLDS = 1000  # a standard error of some 0.02 points for a difference
NO_TRUMP = "the trump is not known"
NO_FIVE = "hakem's first five cards are not known"
OTHER_POINTS = "it knows the default points only"


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """What is judged besides the plays.

    Attributes:
        advice_samples: deals sampled to judge the call from hakem's first five cards, at least 2; 0 leaves it out.
        known: judge each play by what its player could know as well.
        seed: of everything sampled.
    """

    advice_samples: int = defaults.REVIEW_SAMPLES
    known: bool = False
    seed: int = defaults.SEED

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            LimitError: a number of samples that is neither 0 nor 2 to `defaults.MOST_SAMPLES`.
            FieldError: a seed outside 0 … 2⁶⁴ − 1.
        """
        samples = self.advice_samples
        if not is_whole(samples) or not (samples == 0 or FEWEST_SAMPLES <= samples <= defaults.MOST_SAMPLES):
            allowed = f"0 or {FEWEST_SAMPLES} to {defaults.MOST_SAMPLES}"
            raise LimitError(f"advice_samples must be {allowed}, not {quote(samples)}", field="advice_samples")
        check_seed(self.seed)


DEFAULT_OPTIONS = ReviewOptions()


class Reviewer:
    """Judges records one after the other with the same options.

    Thread safety: one reviewer must not be used by two threads at once, except for `interrupt`.
    """

    def __init__(self, options: ReviewOptions = DEFAULT_OPTIONS, table_mb: int = defaults.TABLE_MB) -> None:
        """Make a reviewer with a `Solver` of its own; ``table_mb`` is the ceiling of its memory.

        Raises:
            LimitError: ``table_mb`` out of range. FieldError: no options.
        """
        check_type(options, ReviewOptions, "options")
        self._options = options
        self._solver = Solver(table_mb)
        self._player = Player()
        self._stopped = Event()

    def interrupt(self) -> None:
        """Make a running call, and every later one, raise `SearchInterrupted` soon; from whatever thread."""
        self._stopped.set()
        self._solver.interrupt()

    def review(self, record: Record) -> Review:
        """Judge a record.

        Raises:
            FieldError: it is none.
            SearchInterrupted: `interrupt` was called from another thread. KeyboardInterrupt: Ctrl-C.
        """
        check_type(record, Record, "record")
        unjudged = dict(_unjudged(record, self._options))
        advised = self._options.advice_samples > 0 and "trump_choice.advice" not in unjudged
        call = self._call(record, advised)
        if record.trump is None:
            return Review(record, call, unjudged=unjudged)
        positions = record.positions()
        known = self._options.known and "plays.known" not in unjudged
        plays = tuple(self._plays(record, positions, known)) if record.plays else ()
        result = plays[-1].points_after if plays else call.points[record.trump]
        balance = Balance.of(call.points[record.trump], result, record.rules)
        finished = positions[-1].outcome() is not None
        return Review(record, call, plays, positions[-1].won, finished, balance, known, unjudged)

    def _call(self, record: Record, advised: bool) -> TrumpReview:
        """Judge the call on the real deal, and from the five cards if ``advised``."""
        self._go_on()
        solutions = self._solver.solve_trumps(record.deal, record.hakem, "margin")
        margins = {trump: _margin(solution) for trump, solution in solutions.items()}
        return TrumpReview(record.trump, margins, record.rules, self._advice(record) if advised else None)

    def _advice(self, record: Record) -> Advice:
        assert record.first_five is not None
        samples, seed = self._options.advice_samples, self._options.seed
        # One thread, which has the solver while this one waits: whole records are what is shared out among threads.
        return advise(record.first_five, samples, seed, jobs=1, solver=lambda: self._solver)

    def _plays(self, record: Record, positions: Sequence[Position], known: bool) -> Iterator[PlayReview]:
        self._go_on()
        solutions = self._solver.solve_plays(positions[0], record.plays)
        margins = list(map(_margin, solutions))
        if positions[-1].outcome() is not None:
            margins.append(margin_of(positions[-1].hakem_tricks, positions[-1].other_tricks))
        knowing = self._known_values(record) if known else repeat(None)
        for card, solution, after, value in zip(record.plays, solutions, margins[1:], knowing):
            yield _play_review(record, card, solution, after, value)

    def _known_values(self, record: Record) -> Iterator[KnownValue | None]:
        """What each player could know of his play; None where there was no choice."""
        assert record.trump is not None
        public, five = PublicRecord(record.hakem, record.trump), record.deal.first_five
        for card in record.plays:
            seat = public.trick.to_play
            view = public.view(record.hands[seat], five if seat == record.hakem else None)
            yield None if len(view.legal_cards()) == 1 else self._known_value(view, card)
            public.add(card)

    def _known_value(self, view: View, card: Card) -> KnownValue:
        """Value all cards in the same worlds, to the end, as the engine values them."""
        self._go_on()
        race = self._player.race(view, (self._options.seed + len(view.plays)) % defaults.SEED_LIMIT)
        race.run(Budget(KNOWN_WORLDS, stop=self._stopped.is_set), drop=False)
        runs = race.runs()
        played = next(k for k, run in enumerate(runs) if card in run)
        # Of equal values the card played is the best: nothing is lost by it.
        best = min(range(len(runs)), key=lambda k: (race.behind(k, played)[0], k != played))
        cost, cost_se = race.behind(played, best)
        points, points_se = race.points(played)
        return KnownValue(
            points, points_se or 0.0, tuple(runs[best]), race.points(best)[0], cost, cost_se or 0.0, race.worlds
        )

    def _go_on(self) -> None:
        if self._stopped.is_set():
            raise SearchInterrupted("the review was interrupted")


def review(
    record: Record,
    *,
    advice_samples: int = defaults.REVIEW_SAMPLES,
    known: bool = False,
    seed: int = defaults.SEED,
) -> Review:
    """Judge a record: exact values before and after every play, what each cost, the call, luck and skill.

    Args:
        record: the record; see `hokm_solver.records`.
        advice_samples: deals sampled to judge the call from hakem's first five cards, at least 2; 0 leaves it out.
        known: judge each play by what its player could know as well.
        seed: of everything sampled, 0 to 2⁶⁴ − 1.

    Raises:
        LimitError: `advice_samples` out of range. FieldError: `seed` out of range, or no record.
    """
    return Reviewer(ReviewOptions(advice_samples, known, seed)).review(record)


def _unjudged(record: Record, options: ReviewOptions) -> Iterator[tuple[str, str]]:
    """What cannot be judged though it was asked for, and why."""
    if record.trump is None:
        yield from (("trump_choice.cost", NO_TRUMP), ("plays", NO_TRUMP))
    if options.advice_samples and record.first_five is None:
        yield "trump_choice.advice", NO_FIVE
    if any(outcome.points(record.rules) != outcome.points() for outcome in Outcome):
        if options.advice_samples and record.first_five is not None:
            yield "trump_choice.advice", OTHER_POINTS
        if options.known:
            yield "plays.known", OTHER_POINTS


def _play_review(record: Record, card: Card, solution: Solution, after: int, known: KnownValue | None) -> PlayReview:
    position = solution.position
    return PlayReview(
        trick=position.trick_number,
        seat=position.to_play,
        card=card,
        margins={value.card: value.bounds.lowest for value in solution.cards},
        margin_before=_margin(solution),
        margin_after=after,
        sign=_sign(position.to_play, record.hakem),
        rules=record.rules,
        known=known,
    )


def _sign(seat: Seat, hakem: Seat) -> int:
    return 1 if seat.side == hakem.side else -1


def _margin(solution: Solution) -> int:
    assert solution.margin is not None  # no limit could leave it open
    return solution.margin
