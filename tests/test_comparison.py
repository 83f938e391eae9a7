"""Paired comparison: means, errors and the chance of being the best, against simulation and known cases."""

import numpy as np
import pytest

from hokm_solver.comparison import chance_of_best, interval_bound, mean, standard_error, tilted

OUTCOMES = (1, 2, -1, -3)


def sample(seed, n, columns=4):
    return np.random.default_rng(seed).integers(-3, 3, (n, columns)).astype(np.int8)


def simulated_chance(values, best):
    """The same chance by drawing true differences around the observed ones."""
    others = [i for i in range(values.shape[1]) if i != best]
    differences = values[:, [best]].astype(int) - values[:, others]
    covariance = np.atleast_2d(np.cov(differences.T)) / len(values)
    draws = np.random.default_rng(7).multivariate_normal(differences.mean(axis=0), covariance, size=400_000)
    return (draws > 0).all(axis=1).mean()


@pytest.mark.parametrize("columns", [2, 3, 4, 6])
@pytest.mark.parametrize("seed", range(4))
def test_chance_of_best_agrees_with_simulation(seed, columns):
    values = sample(seed, 800, columns)
    best = int(values.sum(axis=0, dtype=int).argmax())
    assert chance_of_best(values, best) == pytest.approx(simulated_chance(values, best), abs=0.004)


def test_mean_and_standard_error():
    values = sample(3, 500)[:, 0]
    assert mean(values) == values.mean()
    assert standard_error(values) == pytest.approx(values.std(ddof=1) / 500**0.5)


def test_large_sums_do_not_wrap():
    values = np.full(100_000, -3, dtype=np.int8)
    assert mean(values) == -3
    assert standard_error(values) == 0


def test_equal_choices_share_the_chance():
    assert chance_of_best(np.ones((1000, 4), dtype=np.int8), 0) == pytest.approx(0.25, abs=0.001)


def test_a_choice_ahead_in_every_world_is_certain_only_after_many_worlds():
    values = np.ones((1000, 4), dtype=np.int8)
    values[:, 2] = 2
    few, many = chance_of_best(values[:2], 2), chance_of_best(values, 2)
    assert 0.7 < few < 0.95
    assert many > 0.9999


def test_a_hopeless_choice_changes_nothing():
    values = np.column_stack([sample(1, 1000, 2), np.full(1000, -3)]).astype(np.int8)
    best = int(values.sum(axis=0, dtype=int).argmax())
    assert chance_of_best(values, best) == pytest.approx(chance_of_best(values[:, :2], best), abs=0.001)


@pytest.mark.parametrize(
    ("intervals", "n", "sure", "quantile"),
    [
        (1, 31, 0.95, 2.0423),  # tables of Student's t: 30 degrees of freedom, 0.975
        (1, 31, 0.99, 2.7500),
        (1, 32, 0.999, 3.6335),
        (10, 61, 0.95, 2.9146),  # 60 degrees, 0.9975
        (1, 10**6, 0.95, 1.95996),
        (36, 10**6, 0.95, 3.1970),
    ],
)
def test_interval_bounds_are_quantiles(intervals, n, sure, quantile):
    assert interval_bound(intervals, n, sure) == pytest.approx(quantile, abs=0.001)


def test_intervals_hold_together_as_often_as_stated():
    draws = np.random.default_rng(1).normal(size=(4000, 36, 32))
    means, errors = draws.mean(axis=2), draws.std(axis=2, ddof=1) / 32**0.5
    held = (np.abs(means) <= interval_bound(36, 32) * errors).all(axis=1).mean()
    assert 0.94 < held < 0.965


def mean_of(shares):
    return sum(share * value for share, value in zip(shares, OUTCOMES))


@pytest.mark.parametrize("counts", [(40, 20, 30, 10), (5, 0, 1, 0), (0, 7, 1, 0)])
@pytest.mark.parametrize("shift", [-0.4, -0.01, 0.0, 0.01, 0.2])
def test_tilted_shares_have_the_mean_that_is_wanted(counts, shift):
    own = [count / sum(counts) for count in counts]
    shares = tilted(counts, OUTCOMES, mean_of(own) + shift)
    assert sum(shares) == pytest.approx(1)
    assert mean_of(shares) == pytest.approx(mean_of(own) + shift, abs=1e-9)
    assert all(0 <= share <= 1 for share in shares)
    assert max(abs(one - two) for one, two in zip(shares, own)) < abs(shift) / 2 + 1e-9


def test_tilted_shares_grow_with_the_value():
    counts = (40, 20, 30, 10)
    ratios = [share / count for share, count in zip(tilted(counts, OUTCOMES, 0.9), counts)]
    assert sorted(ratios) == [ratios[OUTCOMES.index(value)] for value in sorted(OUTCOMES)]


@pytest.mark.parametrize(("counts", "wanted"), [((9, 0, 0, 0), 0.9), ((9, 3, 0, 0), 0.8), ((0, 5, 0, 0), -2.9)])
def test_what_was_never_counted_is_added_where_nothing_else_helps(counts, wanted):
    shares = tilted(counts, OUTCOMES, wanted)
    assert mean_of(shares) == pytest.approx(wanted, abs=1e-9)
    assert min(shares) > 0


@pytest.mark.parametrize("wanted", [-3, 2, -9, 9])
def test_no_shares_reach_beyond_the_values(wanted):
    assert mean_of(tilted((4, 4, 4, 4), OUTCOMES, wanted)) == pytest.approx(min(max(wanted, -3), 2), abs=1e-6)


def test_shares_that_need_no_change_have_none():
    assert tilted((0, 6, 0, 0), OUTCOMES, 2) == [0, 1, 0, 0]
