"""Trump advice: the numbers follow from the worlds, and from nothing else."""

import itertools
import threading
import time

import numpy as np
import pytest

from hokm_solver import defaults
from hokm_solver.advice import VALUED_FROM, advise
from hokm_solver.cards import Card, CardSet, Rank, Seat, Suit
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.errors import FieldError, HokmError, LimitError
from hokm_solver.notation import parse_cards
from hokm_solver.sampling import seen_by_hakem
from hokm_solver.strata import Strata

CARDS = "AH QH 9H KC 4D"
FIVE = parse_cards(CARDS)
FIGURES = ("points", "points_se", "win", "kot", "hakem_koti", "behind", "behind_se")


class LengthSolver:
    """Values a world by hakem's trumps: quick, and different from world to world."""

    worth = np.array([-3, -1, -1, -1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2], dtype=np.int8)

    def points_of_worlds(self, worlds, hakem, trump):
        lane = worlds[:, hakem] >> np.uint64(16 * trump) & np.uint64(0x1FFF)
        return self.worth[[int(x).bit_count() for x in lane]]

    def interrupt(self):
        pass


class ConstantSolver(LengthSolver):
    """Every suit is worth the same in every world."""

    def points_of_worlds(self, worlds, hakem, trump):
        return np.ones(len(worlds), dtype=np.int8)


class StuckSolver(LengthSolver):
    """Runs until it is interrupted."""

    def __init__(self):
        self.stop = threading.Event()

    def points_of_worlds(self, worlds, hakem, trump):
        if not self.stop.wait(timeout=20):
            raise AssertionError("was never interrupted")
        raise KeyboardInterrupt

    def interrupt(self):
        self.stop.set()


def first_worlds(raced, called):
    """The first of the race in all their versions, and the first on which the suit called is valued."""
    hidden = seen_by_hakem(FIVE)
    versions = [hidden.worlds(raced, defaults.SEED)]
    for _ in range(3):
        versions.append(hidden.rotated(versions[-1], tuple(Suit)))
    return {tuple(world) for block in (*versions, called_worlds(called)) for world in block.tolist()}


def called_worlds(n):
    """Those on which the suit called is valued."""
    return seen_by_hakem(FIVE).worlds(n, defaults.SEED, VALUED_FROM)


class SlowAfterFirst(StuckSolver):
    """Values the first worlds and is stuck in all others."""

    quick = frozenset(first_worlds(2, 2))

    def points_of_worlds(self, worlds, hakem, trump):
        if {tuple(world) for world in worlds.tolist()} <= self.quick:
            return LengthSolver.points_of_worlds(self, worlds, hakem, trump)
        return super().points_of_worlds(worlds, hakem, trump)


class SlowAfterLook(SlowAfterFirst):
    """The same with all worlds up to the first look, in which every worker has time to begin with one of them."""

    quick = frozenset(first_worlds(16, 81))

    def points_of_worlds(self, worlds, hakem, trump):
        time.sleep(0.002)
        return super().points_of_worlds(worlds, hakem, trump)


class ClearSolver(LengthSolver):
    """♠ wins and all others lose."""

    def points_of_worlds(self, worlds, hakem, trump):
        return np.full(len(worlds), 1 if trump == Suit.SPADES else -1, dtype=np.int8)


class TwoFacedSolver(ClearSolver):
    """In the race ♠ wins; in the worlds for the value of the suit called it loses too."""

    last = frozenset(map(tuple, called_worlds(81).tolist()))

    def points_of_worlds(self, worlds, hakem, trump):
        late = [tuple(world) in self.last for world in worlds.tolist()]
        return np.where(late, np.int8(-1), super().points_of_worlds(worlds, hakem, trump))


def points_by_hand(samples, seed=1):
    worlds = seen_by_hakem(FIVE).worlds(samples, seed)
    return {trump: LengthSolver().points_of_worlds(worlds, Seat.N, trump) for trump in Suit}


def test_every_figure_follows_from_the_worlds():
    advice = advise(CARDS, samples=300, solver=LengthSolver)
    points = points_by_hand(300)
    best = points[advice.best]
    assert len(advice.trumps) == 4
    for value in advice.trumps:
        own = points[value.trump]
        assert value.points == own.mean()
        assert value.points_se == pytest.approx(own.std(ddof=1) / 300**0.5)
        assert value.win == (own > 0).mean()
        assert value.kot == (own == 2).mean()
        assert value.hakem_koti == (own == -3).mean()
        assert value.behind == pytest.approx((best - own).mean())
        assert value.behind_se == pytest.approx((best - own).std(ddof=1) / 300**0.5)
        assert value.points == pytest.approx(2 * value.win - 1 + value.kot - 2 * value.hakem_koti)
        assert value.samples == 300


def test_best_first():
    advice = advise(CARDS, samples=100, solver=LengthSolver)
    assert advice.best == Suit.HEARTS
    points = [value.points for value in advice.trumps]
    assert points == sorted(points, reverse=True)
    assert advice.trumps[0].behind == advice.trumps[0].behind_se == 0
    assert all(value.behind >= 0 for value in advice.trumps)


def test_equal_suits_come_in_order_and_nothing_breaks_without_variance():
    advice = advise(CARDS, samples=100, solver=ConstantSolver)
    assert [value.trump for value in advice.trumps] == list(Suit)
    assert {value.points_se for value in advice.trumps} == {0}
    assert advice.confidence == pytest.approx(0.25, abs=0.001)


@pytest.mark.parametrize("jobs", [2, 3, None])
def test_jobs_change_nothing(jobs):
    one = advise(CARDS, samples=137, seed=9, jobs=1, solver=LengthSolver)
    assert advise(CARDS, samples=137, seed=9, jobs=jobs, solver=LengthSolver).to_json() == one.to_json()


def test_more_samples_extend_the_same_worlds():
    small, large = points_by_hand(50), points_by_hand(120)
    assert all(np.array_equal(small[trump], large[trump][:50]) for trump in Suit)


def test_cards_in_any_form():
    expected = advise(CARDS, samples=20, solver=LengthSolver)
    for cards in (FIVE, list(FIVE), ["AH", "QH", "9H", "KC", "4D"], "AHQH9HKC4D", "A♥ Q♥ 9♥ K♣ 4♦"):
        assert advise(cards, samples=20, solver=LengthSolver) == expected


def test_figures_are_plain_numbers():
    """Whatever numpy counts with, nobody who prints an advice sees ``np.float64(0.88)``."""
    advice = advise(CARDS, samples=20, solver=LengthSolver)
    assert type(advice.confidence) is float
    for value in advice.trumps:
        assert {type(getattr(value, name)) for name in FIGURES} == {float}
        assert type(value.samples) is int
    assert "np." not in repr(advice)


@pytest.mark.parametrize(
    ("arguments", "kind", "field"),
    [
        ({"cards": 5}, FieldError, "cards"),
        ({"samples": 1}, LimitError, "samples"),
        ({"samples": "100"}, LimitError, "samples"),
        ({"samples": 100, "time": 1.0}, LimitError, "time"),
        ({"samples": 100, "precision": 0.1}, LimitError, "precision"),
        ({"samples": 100, "precision": 0.1, "time": 1.0}, LimitError, "time"),
        ({"precision": "0.1"}, LimitError, "precision"),
        ({"precision": 0}, LimitError, "precision"),
        ({"precision": float("inf")}, LimitError, "precision"),
        ({"time": "1"}, LimitError, "time"),
        ({"time": float("nan")}, LimitError, "time"),
        ({"jobs": 0}, LimitError, "jobs"),
        ({"seed": "1", "samples": 4}, FieldError, "seed"),
    ],
)
def test_a_wrong_argument_is_named(arguments, kind, field):
    with pytest.raises(kind) as caught:
        advise(**{"cards": CARDS, "solver": LengthSolver} | arguments)
    assert caught.value.field == field


def test_json():
    advice = advise(CARDS, samples=64, solver=LengthSolver).to_json()
    assert list(advice) == ["schema", "cards", "best", "confidence", "samples", "seed", "best_table", "trumps"]
    assert advice["schema"] == "hokm-solver/advise/1"
    assert advice["cards"] == CARDS.split()
    assert (advice["best"], advice["samples"], advice["seed"]) == ("H", 64, defaults.SEED)
    fields = {"trump", "points", "points_se", "win", "kot", "hakem_koti", "behind", "behind_se"}
    assert all(fields <= set(trump) for trump in advice["trumps"])
    assert next(trump["trump"] for trump in advice["trumps"]) == "H"


def test_defaults_are_those_stated():
    advice = advise(CARDS, solver=LengthSolver)
    assert (advice.samples, advice.seed) == (defaults.SAMPLES, defaults.SEED) == (1000, 1)


def test_progress_grows_to_one():
    seen = []
    advise(CARDS, samples=100, progress=seen.append, solver=LengthSolver)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_time_stops_a_running_search():
    start = time.monotonic()
    advice = advise(CARDS, time=0.2, jobs=2, solver=SlowAfterFirst)
    assert time.monotonic() - start < 2
    assert advice.ended == "time"
    assert [value.samples for value in advice.trumps] == [2] * 4
    assert advice.samples == 4


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_end_of_a_race_stops_what_was_begun_for_the_next_look(jobs):
    start = time.monotonic()
    advice = advise(CARDS, precision=1, jobs=jobs, solver=SlowAfterLook)
    assert time.monotonic() - start < 2
    assert (advice.ended, advice.trumps[1].samples) == ("decided", 16)


def test_a_race_that_is_decided_does_not_use_up_the_time():
    start = time.monotonic()
    advice = advise(CARDS, time=60, solver=ClearSolver)
    assert time.monotonic() - start < 30
    assert (advice.ended, advice.precision, advice.equal) == ("decided", None, ())


def check_race(advice):
    """What holds after every race."""
    called, *others = advice.trumps
    assert {value.trump for value in advice.trumps} == set(Suit)
    assert called.behind == called.behind_se == 0
    assert [value.behind for value in others] == sorted(value.behind for value in others)
    for value in advice.trumps:
        assert value.points == pytest.approx(2 * value.win - 1 + value.kot - 2 * value.hakem_koti, abs=1e-9)
        assert value.points == pytest.approx(called.points - value.behind, abs=1e-5)
        assert 0 <= value.kot <= value.win <= 1 - value.hakem_koti <= 1
        assert type(value.samples) is int
        assert {type(getattr(value, name)) for name in FIGURES} == {float}
    for value in others:
        assert value.points_se == pytest.approx((called.points_se**2 + value.behind_se**2) ** 0.5)


@pytest.mark.parametrize("precision", [0.05, 0.2, 3])
def test_a_race(precision):
    advice = advise(CARDS, precision=precision, solver=LengthSolver)
    check_race(advice)
    assert advice.best == Suit.HEARTS
    assert advice.ended == ("equal" if precision == 3 else "decided")
    assert len(advice.equal) == (4 if precision == 3 else 0)
    assert {value.samples for value in advice.trumps[1:]} <= {16, 32, 64, 128}


@pytest.mark.parametrize(("precision", "worlds"), [(0.01, 8100), (0.05, 324), (0.1, 81), (5, 81), (1e-300, 8100)])
def test_the_finer_the_precision_the_finer_the_value(precision, worlds):
    assert advise(CARDS, precision=precision, solver=ClearSolver).trumps[0].samples == worlds


def test_the_suit_called_is_valued_on_worlds_that_did_not_choose_it():
    advice = advise(CARDS, precision=1, solver=TwoFacedSolver)
    check_race(advice)
    assert (advice.best, advice.trumps[0].points, advice.trumps[1].behind) == (Suit.SPADES, -1, 2)


def test_the_value_of_the_suit_called_follows_from_its_worlds():
    advice = advise(CARDS, precision=0.1, solver=LengthSolver)
    called = advice.trumps[0]
    own = LengthSolver().points_of_worlds(called_worlds(81), Seat.N, advice.best)
    strata = Strata.of(trump_margins(FIVE, 6500, defaults.SEED, VALUED_FROM, [advice.best])[:, 0], 81)
    assert (called.samples, called.points_se) == (81, strata.error(own))
    assert called.win == pytest.approx(strata.share(own > 0), abs=1e-6)
    assert abs(called.points - own.mean()) < 3 * own.std() / 9


def test_equal_suits_are_an_answer():
    advice = advise(CARDS, precision=0.1, solver=ConstantSolver)
    check_race(advice)
    assert (advice.ended, advice.equal, advice.best) == ("equal", tuple(Suit), Suit.SPADES)
    assert advice.confidence == pytest.approx(0.25, abs=0.001)


@pytest.mark.parametrize("jobs", [2, 3, None])
def test_jobs_change_nothing_in_a_race(jobs):
    one = advise(CARDS, precision=0.05, seed=9, jobs=1, solver=LengthSolver)
    for _ in range(3):
        assert advise(CARDS, precision=0.05, seed=9, jobs=jobs, solver=LengthSolver).to_json() == one.to_json()


def test_time_that_is_not_needed_changes_nothing():
    one = advise(CARDS, precision=0.1, solver=LengthSolver)
    assert advise(CARDS, precision=0.1, time=300, solver=LengthSolver) == one


def test_json_of_a_race():
    equal = advise(CARDS, precision=np.float64(0.1), solver=ConstantSolver).to_json()
    assert list(equal)[5:] == ["seed", "precision", "ended", "equal", "best_table", "trumps"]
    assert (equal["precision"], equal["ended"], equal["equal"]) == (0.1, "equal", ["S", "H", "D", "C"])
    assert "np." not in repr(equal)
    timed = advise(CARDS, time=0.01, solver=ConstantSolver).to_json()
    assert (timed["precision"], timed["ended"], timed["equal"]) == (None, "time", [])


def test_progress_of_a_race_grows_to_one():
    for limits in ({"precision": 0.1}, {"precision": 0.1, "time": 300}):
        seen = []
        advise(CARDS, **limits, progress=seen.append, solver=LengthSolver)
        assert seen == sorted(seen)
        assert 0 < seen[0] < 0.75
        assert seen[-1] == 1


def test_a_failing_progress_stops_the_workers():
    calls = itertools.count()

    def fail(_):
        next(calls)
        raise RuntimeError("stop")

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="stop"):
        advise(CARDS, time=20, jobs=2, progress=fail, solver=SlowAfterFirst)
    assert time.monotonic() - start < 2


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"samples": 1}, LimitError, "samples must be 2 to 10000000, not 1"),
        ({"samples": 10**7 + 1}, LimitError, "samples must be 2 to 10000000, not 10000001"),
        ({"jobs": 0}, LimitError, "jobs must be at least 1, not 0"),
        ({"time": 0}, LimitError, "time must be a number of seconds above 0"),
        ({"time": float("nan")}, LimitError, "time must be"),
        ({"time": float("inf")}, LimitError, "time must be"),
        ({"precision": -1}, LimitError, "precision must be a number of points above 0, not -1"),
        ({"samples": 2, "precision": 1}, LimitError, "samples and precision exclude each other"),
        ({"seed": -1}, FieldError, "seed -1 is not between"),
    ],
)
def test_limits(options, error, message):
    with pytest.raises(error, match=message):
        advise(CARDS, solver=LengthSolver, **options)


@pytest.mark.parametrize("cards", ["AH QH 9H KC", "AH QH 9H KC KC", "", [Card(Suit.HEARTS, Rank.ACE)], FIVE * 2])
def test_not_five_cards(cards):
    with pytest.raises(HokmError):
        advise(cards, solver=LengthSolver)


def test_hakem_keeps_his_cards():
    worlds = seen_by_hakem(FIVE).worlds(10, 1)
    assert all(set(FIVE) <= set(CardSet(int(world[Seat.N]))) for world in worlds)
