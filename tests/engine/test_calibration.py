"""The model of values at the table: it says what scikit-learn says, and knows how its answers depend on its input."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.append(str(ROOT))  # behind everything else: an installed package must not be hidden by the sources

from benchmarks.table_deals import weights_mark  # noqa: E402
from hokm_solver.engine.calibration import (  # noqa: E402
    MODEL_FILE,
    OUTCOMES,
    QUESTIONS,
    TableModel,
    log_ratios,
    table_model,
)
from hokm_solver.rules import Outcome  # noqa: E402

SHARES = np.array([[0.55, 0.06, 0.37, 0.02], [0.3, 0.0, 0.6, 0.1], [0.25, 0.75, 0.0, 0.0]])


def entry():
    return json.loads(files("hokm_solver.engine").joinpath(MODEL_FILE).read_text(encoding="utf-8"))


def test_chances_are_those_of_scikit_learn():
    stored = entry()["scikit_learn"]
    assert len(stored["shares"]) >= 5
    assert table_model().correct(np.array(stored["shares"])).chances == pytest.approx(
        np.array(stored["chances"]), abs=1e-5
    )


def test_the_model_fits_the_weights_shipped():
    assert entry()["provenance"]["weights of the policy"] == weights_mark()


def test_provenance():
    origin = entry()["provenance"]
    assert {"commands", "player", "seed of the deals", "deals", "worlds", "seeds of the worlds"} < set(origin)
    assert [command.split()[2] for command in origin["commands"]] == ["benchmarks.self_play", "benchmarks.fit_table"]


def test_without_intercepts_and_with_slopes_of_one_shares_stay():
    plain = TableModel(0.0, np.array([[0.0, 1.0]] * 3), np.zeros((6, 6)), {})
    assert plain.correct(SHARES[:1]).chances == pytest.approx(SHARES[:1])


def test_what_no_playout_showed_may_happen():
    chances = table_model().correct(SHARES).chances
    assert chances.sum(axis=1) == pytest.approx(np.ones(3))
    assert (chances > 0).all()
    assert (chances < 1).all()


def test_log_ratios_of_yes_to_no():
    win, kot, loss, koti = SHARES[0]
    found = dict(zip(QUESTIONS, log_ratios(SHARES[0], 0.0)))
    assert found["win"] == pytest.approx(np.log((win + kot) / (loss + koti)))
    assert found["kot"] == pytest.approx(np.log(kot / win))
    assert found["hakem_koti"] == pytest.approx(np.log(koti / loss))


def slopes(function, point, step=1e-6):
    """Derivatives of a vector by each entry of a point, shape (values, entries)."""
    steps = np.eye(len(point)) * step
    return np.stack([(function(point + h) - function(point - h)) / (2 * step) for h in steps], axis=1)


@pytest.mark.parametrize("shares", SHARES)
def test_derivatives(shares):
    model = table_model()
    found = model.correct(shares)
    assert found.by_shares == pytest.approx(slopes(lambda s: model.correct(s).chances, shares), rel=1e-3, abs=1e-6)

    def chances(coefficients):
        moved = TableModel(model.smoothing, coefficients.reshape(3, 2), model.covariance, model.engine_calls)
        return moved.correct(shares).chances

    assert found.by_coefficients == pytest.approx(slopes(chances, model.coefficients.ravel()), rel=1e-3, abs=1e-6)


def test_covariance_is_one():
    matrix = table_model().covariance
    assert np.array_equal(matrix, matrix.T)
    assert (np.linalg.eigvalsh(matrix) > 0).all()
    assert not matrix[:2, 2:].any()


def test_frequencies_of_the_engines_own_calls():
    model = table_model()
    assert set(model.frequencies) == set(OUTCOMES) == set(Outcome)
    assert sum(model.frequencies.values()) == pytest.approx(1)
    assert sum(model.engine_calls.values()) * 2 == pytest.approx(entry()["provenance"]["deals"] / 0.8, rel=0.01)
    assert 0.55 < model.frequencies[Outcome.WIN] + model.frequencies[Outcome.KOT] < 0.65
