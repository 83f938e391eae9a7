"""Trump advice: the numbers follow from the worlds, and from nothing else."""

import itertools
import threading
import time

import numpy as np
import pytest

from hokm_solver import defaults
from hokm_solver.advice import advise
from hokm_solver.cards import Card, CardSet, Rank, Seat, Suit
from hokm_solver.errors import FieldError, HokmError, LimitError
from hokm_solver.notation import parse_cards
from hokm_solver.sampling import seen_by_hakem

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


class SlowAfterFirst(StuckSolver):
    """Values the first block and is stuck in the second."""

    def points_of_worlds(self, worlds, hakem, trump):
        if np.array_equal(worlds[0], seen_by_hakem(FIVE).worlds(1, defaults.SEED)[0]):
            return LengthSolver.points_of_worlds(self, worlds, hakem, trump)
        return super().points_of_worlds(worlds, hakem, trump)


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
    assert list(advice) == ["schema", "cards", "best", "confidence", "samples", "seed", "trumps"]
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
    assert advice.samples == 2


def test_time_values_a_prefix_of_the_same_worlds():
    advice = advise(CARDS, time=0.1, solver=LengthSolver)
    assert advice.samples >= 2
    same = advise(CARDS, samples=advice.samples, solver=LengthSolver)
    assert same == advice


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
        ({"samples": 1}, LimitError, "samples must be at least 2, not 1"),
        ({"jobs": 0}, LimitError, "jobs must be at least 1, not 0"),
        ({"time": 0}, LimitError, "time must be a number of seconds above 0"),
        ({"time": float("nan")}, LimitError, "time must be"),
        ({"time": float("inf")}, LimitError, "time must be"),
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
