"""Paired comparison: means, errors and the chance of being the best, against simulation and known cases."""

import numpy as np
import pytest

from hokm_solver.comparison import chance_of_best, mean, standard_error


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
