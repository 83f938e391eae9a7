"""Values that types forbid, from callers without a type checker: a clean error, never a wrong answer or a crash."""

from random import Random

import numpy as np
import pytest
from support import random_deal

from hokm_solver.advice import advise
from hokm_solver.cards import Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.engine.choice import Limits
from hokm_solver.errors import DealError, FieldError, HokmError, LimitError, MatchError
from hokm_solver.parallel import ordered_map
from hokm_solver.sampling import seen_by_hakem
from hokm_solver.solver import Limit, Solver

NAN, INF = float("nan"), float("inf")
FIVE = "AH QH 9H KC 4D"
NO_COUNTS = [0, -1, 1.5, NAN, INF, True, "4", None, [4]]
NO_MEASURES = [0, -1, NAN, INF, -INF, True, "4", [4], 10**400]
DEAL = random_deal(Random(1))


def worlds(n=5):
    return seen_by_hakem(list(DEAL.hands[0])[:5]).worlds(n, 1)


@pytest.mark.parametrize("jobs", NO_COUNTS)
def test_jobs(jobs):
    with pytest.raises(LimitError, match="jobs must be at least 1"):
        list(ordered_map(lambda _, item: item, [1], state=object, jobs=jobs))
    if jobs is not None:
        with pytest.raises(LimitError, match="jobs must be at least 1"):
            advise(FIVE, 4, jobs=jobs)


@pytest.mark.parametrize("samples", [*NO_COUNTS, 1])
def test_samples(samples):
    if samples is not None:
        with pytest.raises(LimitError, match="samples must be 2 to 10000000"):
            advise(FIVE, samples)


@pytest.mark.parametrize("time", NO_MEASURES)
def test_time(time):
    with pytest.raises(LimitError, match="time must be a number of seconds above 0"):
        advise(FIVE, time=time)


@pytest.mark.parametrize("precision", NO_MEASURES)
def test_precision(precision):
    with pytest.raises(LimitError, match="precision must be a number of points above 0"):
        advise(FIVE, precision=precision)


@pytest.mark.parametrize(
    "score", ["5-6", 5, (5,), (5, 6, 1), (7, 0), (-1, 3), (1.0, 2), (True, 1), ("5", "6"), [NAN, 1], ([], 1)]
)
def test_score(score):
    with pytest.raises(MatchError, match=r"^(a score is two numbers|no deal is played at)"):
        advise(FIVE, 4, score=score)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, NAN, True, "1", None])
def test_seed(seed):
    with pytest.raises(FieldError, match="seed"):
        advise(FIVE, 4, seed)
    if seed is not None:
        with pytest.raises(LimitError, match="seed"):
            Limits(seed=seed)


def test_numbers_of_numpy_are_numbers():
    assert advise(FIVE, np.int64(4), np.uint64(1), np.int32(1)) == advise(FIVE, 4, 1, 1)


@pytest.mark.parametrize("value", NO_COUNTS)
def test_limits_that_count(value):
    with pytest.raises(LimitError):
        Solver(value)
    if value is not None:
        for make in (lambda: Limit(nodes=value), lambda: Limits(worlds=value), lambda: Limits(nodes=value)):
            with pytest.raises(LimitError):
                make()


@pytest.mark.parametrize("value", NO_MEASURES)
def test_limits_that_measure(value):
    for make in (lambda: Limit(seconds=value), lambda: Limits(time_ms=value)):
        with pytest.raises(LimitError):
            make()


@pytest.mark.parametrize("level", [0, 11, 1.0, True, "1", [1]])
def test_levels(level):
    with pytest.raises(LimitError):
        Limits(level=level)


@pytest.mark.parametrize("trump", [None, 0, 4, -1, 64, "H", Seat.N, True])
def test_trumps(trump):
    position = Position.start(DEAL, Suit.SPADES, Seat.N)
    with pytest.raises(FieldError, match="trump must be a Suit"):
        Position(DEAL.hands, trump, Seat.N, Seat.N)
    with pytest.raises(FieldError, match="trump must be a Suit"):
        position.with_trump(trump)
    with pytest.raises(FieldError, match="trump must be a Suit"):
        Solver(1).points_of_worlds(worlds(), Seat.N, trump)


@pytest.mark.parametrize("seat", [None, 0, 4, "N", Suit.SPADES, True])
def test_seats(seat):
    for hakem, leader in ((seat, Seat.N), (Seat.N, seat)):
        with pytest.raises(FieldError, match="must be a Seat"):
            Position(DEAL.hands, Suit.SPADES, hakem, leader)
    with pytest.raises(FieldError, match="hakem must be a Seat"):
        Solver(1).points_of_worlds(worlds(), seat, Suit.SPADES)


@pytest.mark.parametrize(
    "won", [None, (), (0,), (0, 0, 0), [0, 0], (0, False), (0.0, 0), ("0", "0"), "00", {0: 0, 1: 0}]
)
def test_tricks_won(won):
    with pytest.raises(HokmError, match="won"):
        Position(DEAL.hands, Suit.SPADES, Seat.N, Seat.N, (), won)


@pytest.mark.parametrize(
    "change",
    [
        lambda array: array[0],
        lambda array: array[:, :3],
        lambda array: array[None],
        lambda array: array.astype(np.int64),
        lambda array: array.astype(float),
        lambda array: array.tolist(),
        lambda array: None,
    ],
)
def test_worlds_of_another_form(change):
    with pytest.raises(FieldError, match="worlds must be an array of uint64"):
        Solver(1).points_of_worlds(change(worlds()), Seat.N, Suit.SPADES)


@pytest.mark.parametrize(
    "row",
    [
        [0, 0, 0, 0],
        [2**64 - 1] * 4,
        [0x1FFF, 0x1FFF << 16, 0x1FFF << 32, 0],
        [0x1FFF, 0x1FFF, 0x1FFF << 32, 0x1FFF << 48],
        [0x1FFF | 1 << 13, 0x1FFF << 16, 0x1FFF << 32, 0x1FFF << 48],
        [0x0FFF | 1 << 13, 0x1FFF << 16, 0x1FFF << 32, 0x1FFF << 48],
        [0x1FFF | 1 << 16, 0x1FFE << 16, 0x1FFF << 32, 0x1FFF << 48],
    ],
)
def test_worlds_that_are_no_deals(row):
    array = worlds()
    array[3] = np.array(row, dtype=np.uint64)
    with pytest.raises(DealError, match=r"worlds\[3\] is no deal"):
        Solver(1).points_of_worlds(array, Seat.N, Suit.SPADES)


def test_worlds_in_any_layout():
    array = worlds(8)
    expected = Solver(1).points_of_worlds(array, Seat.N, Suit.HEARTS).tolist()
    for same in (np.asfortranarray(array), np.repeat(array, 2, axis=0)[::2]):
        assert Solver(1).points_of_worlds(same, Seat.N, Suit.HEARTS).tolist() == expected
    assert Solver(1).points_of_worlds(array[:0], Seat.N, Suit.HEARTS).tolist() == []
