"""Double sampling for stratification: unbiased, with honest errors, and closer than the plain mean."""

import numpy as np
import pytest

from hokm_solver.strata import FEWEST, Strata

LABELS = np.array([-7, -1, 1, 7])
CHANCES = np.array([0.2, 0.3, 0.4, 0.1])
WINS = np.array([0.05, 0.3, 0.8, 1.0])  # the chance of a win at every label
EXACT = 2 * float(CHANCES @ WINS) - 1


def drawn(seed, total=2000, valued=100):
    """Labels of all worlds, and the values, +1 or -1, of the first ones."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice(len(LABELS), size=total, p=CHANCES)
    values = np.where(rng.random(valued) < WINS[kinds[:valued]], 1, -1).astype(np.int8)
    return LABELS[kinds].astype(np.int8), values


def estimate(seed):
    """How far the mean is from the exact one, its standard error, and the same of the plain mean."""
    labels, values = drawn(seed)
    strata = Strata.of(labels, len(values))
    return 2 * strata.share(values > 0) - 1 - EXACT, strata.error(values), values.mean() - EXACT


def test_the_mean_is_unbiased_and_its_error_honest():
    found = np.array([estimate(seed) for seed in range(800)])
    off, error, plain = found.T
    assert abs(off.mean()) < 4 * off.std() / len(off) ** 0.5
    assert 0.9 < (off / error).std() < 1.15
    assert off.std() < 0.85 * plain.std()


def test_shares_add_up_to_one():
    labels, values = drawn(1)
    strata = Strata.of(labels, len(values))
    assert sum(strata.weights) == pytest.approx(1)
    assert strata.share(values > 0) + strata.share(values < 0) == pytest.approx(1)
    assert strata.share(np.ones(len(values), dtype=bool)) == pytest.approx(1)


def test_every_valued_world_is_in_one_stratum_of_at_least_some():
    labels, values = drawn(2)
    members = Strata.of(labels, len(values)).members
    assert sorted(np.concatenate(members).tolist()) == list(range(len(values)))
    assert min(map(len, members)) >= FEWEST


@pytest.mark.parametrize("valued", [2, 5, FEWEST, 2 * FEWEST - 1])
def test_with_few_values_there_is_one_stratum_and_the_plain_mean(valued):
    labels = np.arange(100) % 7
    strata = Strata.of(labels, valued)
    values = np.resize([1, -1, 2], valued)
    assert (len(strata.members), strata.weights) == (1, (1.0,))
    assert strata.share(values > 0) == np.mean(values > 0)
    assert strata.error(values) == pytest.approx(values.std(ddof=1) / valued**0.5)


def test_a_label_of_worlds_that_were_not_valued_joins_a_neighbour():
    labels = np.array([0] * 10 + [4] * 10 + [1] * 3 + [9] * 7)
    strata = Strata.of(labels, 20)
    assert [len(each) for each in strata.members] == [10, 10]
    assert strata.weights == (10 / 30, 20 / 30)
