"""From playouts to the table: how often a deal really ends in each way, told from the outcomes of its playouts.

Playouts let the learned policy play all four seats; at the table sit players who think longer. The difference is small
and regular, and a small model, fitted to deals that the engine played against itself, takes it out. It asks three
questions: is the deal won; if it is won, is it a kot; if it is lost, is it a hakem koti? Each is a logistic regression
on what the playouts answer to the same question::

    chance of yes = 1 / (1 + exp(-(intercept + slope · r))),   r = log(share of yes / share of no)

with ``smoothing`` added to all four shares, so that an outcome which no playout showed has a small chance. An
intercept of 0 and a slope of 1 would leave the shares as they are. The model, the covariance of its coefficients (the
inverse of the Fisher information at the fit) and where it comes from are in ``table.json``, which
``python -m benchmarks.fit_table`` writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hokm_solver.rules import Outcome

MODEL_FILE = "table.json"
OUTCOMES = tuple(Outcome)  # win (no kot), kot, loss, hakem koti: the order of every array with a place for each outcome
QUESTIONS = ("win", "kot", "hakem_koti")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corrected:
    """Corrected chances of the outcomes and how they depend on what is uncertain; ``…`` is the shape of the cases.

    Attributes:
        chances: of the four OUTCOMES, shape (…, 4); they add up to 1.
        by_shares: derivatives of the chances by the shares of the playouts, shape (…, 4, 4).
        by_coefficients: derivatives by intercept and slope of each question in turn, shape (…, 4, 6).
    """

    chances: Floats
    by_shares: Floats
    by_coefficients: Floats


@dataclass(frozen=True, slots=True, eq=False)
class TableModel:
    """The fitted model.

    Attributes:
        smoothing: added to every share.
        coefficients: intercept and slope of each of the QUESTIONS, shape (3, 2).
        covariance: of the six coefficients, question by question, shape (6, 6).
        engine_calls: how often each outcome came up in deals whose trump the engine called.
    """

    smoothing: float
    coefficients: Floats
    covariance: Floats
    engine_calls: Mapping[Outcome, int]

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> TableModel:
        """Read the object that the file holds."""
        questions = [entry["questions"][name] for name in QUESTIONS]
        covariance = np.zeros((6, 6))  # each question is fitted by itself
        for k, question in enumerate(questions):
            covariance[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = question["covariance"]
        return cls(
            smoothing=entry["smoothing"],
            coefficients=np.array([[question["intercept"], question["slope"]] for question in questions]),
            covariance=covariance,
            engine_calls=MappingProxyType({Outcome(name): count for name, count in entry["engine_calls"].items()}),
        )

    @property
    def frequencies(self) -> Mapping[Outcome, float]:
        """How deals end when the engine calls trump and plays all seats: the share of each outcome."""
        deals = sum(self.engine_calls.values())
        return {outcome: count / deals for outcome, count in self.engine_calls.items()}

    def correct(self, shares: Floats) -> Corrected:
        """Turn the shares of the four OUTCOMES in playouts, shape (…, 4), into chances at the table."""
        ratios = log_ratios(shares, self.smoothing)
        yes = 1 / (1 + np.exp(-(self.coefficients[:, 0] + self.coefficients[:, 1] * ratios)))
        by_answers = _by_answers(yes)
        by_logits = by_answers * (yes * (1 - yes))[..., None, :]
        by_ratios = by_logits * self.coefficients[:, 1]
        by_both = np.stack([by_logits, by_logits * ratios[..., None, :]], axis=-1)
        return Corrected(
            chances=chances_of_answers(yes),
            by_shares=by_ratios @ _ratios_by_shares(shares, self.smoothing),
            by_coefficients=by_both.reshape(*by_both.shape[:-2], 6),
        )


def log_ratios(shares: Floats, smoothing: float) -> Floats:
    """Log ratios of yes to no for each of the QUESTIONS, shape (…, 3), from shares of the OUTCOMES, shape (…, 4)."""
    win, kot, loss, koti = np.moveaxis(shares + smoothing, -1, 0)
    return np.stack([np.log((win + kot) / (loss + koti)), np.log(kot / win), np.log(koti / loss)], axis=-1)


def _ratios_by_shares(shares: Floats, smoothing: float) -> Floats:
    """Derivatives of the log ratios by the shares, shape (…, 3, 4)."""
    win, kot, loss, koti = np.moveaxis(shares + smoothing, -1, 0)
    won, lost, zero = 1 / (win + kot), -1 / (loss + koti), np.zeros_like(win)
    rows = [[won, won, lost, lost], [-1 / win, 1 / kot, zero, zero], [zero, zero, -1 / loss, 1 / koti]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def chances_of_answers(yes: Floats) -> Floats:
    """Chances of the OUTCOMES, shape (…, 4), from those of a yes to each of the QUESTIONS, shape (…, 3)."""
    won, kot, koti = np.moveaxis(yes, -1, 0)
    return np.stack([won * (1 - kot), won * kot, (1 - won) * (1 - koti), (1 - won) * koti], axis=-1)


def _by_answers(yes: Floats) -> Floats:
    """Derivatives of the chances of the OUTCOMES by those of a yes to each of the QUESTIONS, shape (…, 4, 3)."""
    won, kot, koti = np.moveaxis(yes, -1, 0)
    zero = np.zeros_like(won)
    rows = [[1 - kot, -won, zero], [kot, won, zero], [koti - 1, zero, won - 1], [-koti, zero, 1 - won]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


@lru_cache(maxsize=1)
def table_model() -> TableModel:
    """The model shipped with the package."""
    with files("hokm_solver.engine").joinpath(MODEL_FILE).open(encoding="utf-8") as stream:
        return TableModel.from_json(json.load(stream))
