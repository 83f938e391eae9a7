"""The weights shipped, and the command that makes them, on a very small scale."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.append(str(ROOT))  # behind everything else: an installed package must not be hidden by the sources

from benchmarks import train_policy  # noqa: E402
from hokm_solver.engine.policies import WEIGHTS_FILE, learned_weights, make_policy, playout_module  # noqa: E402

TINY = train_policy.Settings(
    early=1, late=2, early_decisions=300, late_decisions=300, worlds=8, epochs=3, batch=64, seed=5
)


def test_training_repeats_and_says_how_it_was_done():
    weights, account = train_policy.train(TINY)
    again, _ = train_policy.train(TINY)
    assert np.array_equal(weights, again)
    assert weights.shape == playout_module().WEIGHT_SHAPE
    assert account["settings"]["seed"] == 5
    assert len(account["rounds"]) == 3


def test_a_fit_finds_the_better_card():
    """Two cards that differ in one look-up: the weight of the better one grows."""
    n = 50
    numbers = np.tile(np.array([[0, 3], [1, 3]], dtype=np.int32), (n, 1))
    decisions = train_policy.Decisions(numbers, np.tile([0.0, 1.0], n), np.full(n, 2))
    fit = train_policy.Fit(TINY, decisions, (1, 4))
    fit.run()
    assert fit.weights[1] > fit.weights[0]
    assert fit.gain(fit.held_out) == pytest.approx(0.5)


def test_the_weights_shipped_are_small_and_known():
    path = files("hokm_solver.engine").joinpath(WEIGHTS_FILE)
    assert len(path.read_bytes()) <= 1_000_000
    assert learned_weights().shape == playout_module().WEIGHT_SHAPE
    with path.open("rb") as stream, np.load(stream) as arrays:
        account = json.loads(str(arrays["provenance"]))
    assert account["settings"] == train_policy.asdict(train_policy.Settings())
    assert account["rounds"][-1]["gain_held_out"] > 0.06


def test_the_learned_policy_beats_the_rules_and_the_rules_beat_greedy():
    against = train_policy.points_against
    learned, rules, greedy = (make_policy(kind) for kind in ("learned", "rules", "greedy"))
    gain, error = against(learned, greedy, 4000)
    assert gain - 3 * error > 0.10
    assert against(learned, rules, 4000)[0] > 0.05
    assert against(rules, greedy, 4000)[0] > 0.0
