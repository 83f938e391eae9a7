"""Which trump to call at the table: how deals end when four good players who see only their own hands play them.

The hidden 8 + 39 cards are dealt over and over, every deal is played out by the learned policy under each trump, and
the shares of the four outcomes are corrected by a model fitted to deals of the engine (`engine.calibration`). All
figures are hakem's side's view.

Two things make them uncertain, and they are told apart. *Sampling*: other worlds would have given other shares; the
covariance of the shares of all four trumps, seen on the same worlds, is carried through the model by its derivatives
(the delta method). *The model*: it was fitted to so many deals and no more; the covariance of its coefficients is
carried through in the same way, and does not shrink with more worlds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hokm_solver import defaults
from hokm_solver.cards import Card, Suit
from hokm_solver.engine.calibration import OUTCOMES, Floats, TableModel, table_model
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.engine.worth import LARGEST_MARGIN, MARGIN_VALUES
from hokm_solver.equity import match_equity
from hokm_solver.errors import LimitError, is_whole, quote
from hokm_solver.match import Score
from hokm_solver.rules import Outcome, outcome_of_margin

FEWEST_WORLDS = 2  # one has no standard error
BLOCK = 2048  # worlds held at a time
DECIMALS = 6  # of all figures: the last digits of a logarithm may differ from machine to machine
POINTS = np.array([float(outcome.points()) for outcome in OUTCOMES])
CASES = len(Suit) * len(OUTCOMES)  # an outcome under a trump, trump by trump

_OUTCOME_AT = np.array([OUTCOMES.index(outcome_of_margin(m)) if m else -1 for m in MARGIN_VALUES.tolist()])
_ONE = np.eye(len(OUTCOMES))


@dataclass(frozen=True, slots=True)
class TableValue:
    """What calling one suit is worth at the table, hakem's side's view.

    Attributes:
        trump: the suit called.
        points: mean points a deal, always 2 · ``win`` − 1 + ``kot`` − 2 · ``hakem_koti``.
        points_se: its standard error from the choice of worlds, and ``points_model_se`` that from the fit of the model.
        win: chance to win the deal, kots included; ``kot`` and ``hakem_koti``: chance of those.
        behind: points lost against the best suit on the same worlds, 0 or more, with ``behind_se`` and
            ``behind_model_se``, its two standard errors.
        worlds: number of worlds played out.
    """

    trump: Suit
    points: float
    points_se: float
    points_model_se: float
    win: float
    kot: float
    hakem_koti: float
    behind: float
    behind_se: float
    behind_model_se: float
    worlds: int

    def to_json(self) -> dict[str, Any]:
        """The object ``table`` of a suit in ``hokm-solver/advise/1``."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "trump"}


@dataclass(frozen=True, slots=True)
class TableAdvice:
    """Which trump to call at the table, by points or from a match score by the chance to win the match.

    Attributes:
        trumps: the four suits, best first by points, ties in the order ♠♥♦♣.
        score: points of hakem's side and of the others before the deal; None without a match score.
        match: with a score, for ♠♥♦♣ the chance that hakem's side wins the match when the suit is called and all later
            deals end as the engine's do; empty without one.
    """

    trumps: tuple[TableValue, ...]
    score: Score | None = None
    match: tuple[float, ...] = ()

    @property
    def best(self) -> Suit:
        """The suit worth most points."""
        return self.trumps[0].trump

    @property
    def call(self) -> Suit:
        """The suit to call: with a score the one with the best chance to win the match."""
        return self.ranked()[0].trump

    def ranked(self) -> tuple[TableValue, ...]:
        """The suits, the one to call first."""
        return tuple(sorted(self.trumps, key=lambda value: -self.match[value.trump])) if self.match else self.trumps

    def value(self, trump: Suit) -> TableValue:
        """What calling this suit is worth."""
        return next(value for value in self.trumps if value.trump == trump)


def table_advice(
    five: Iterable[Card],
    score: Score | None = None,
    worlds: int = defaults.TABLE_WORLDS,
    seed: int = defaults.SEED,
) -> TableAdvice:
    """Advise hakem which trump to call at the table; see `table_values`.

    Raises:
        MatchError: no deal is played at ``score``. Otherwise as `table_values`.
    """
    if score is None:
        return TableAdvice(table_values(five, worlds, seed))
    after = match_equity().after(score)
    values = table_values(five, worlds, seed)
    match = {value.trump: round(_match_chance(value, after), DECIMALS) for value in values}
    return TableAdvice(values, score, tuple(match[trump] for trump in Suit))


def _match_chance(value: TableValue, after: Mapping[Outcome, float]) -> float:
    shares = {
        Outcome.WIN: value.win - value.kot,
        Outcome.KOT: value.kot,
        Outcome.LOSS: 1 - value.win - value.hakem_koti,
        Outcome.HAKEM_KOTI: value.hakem_koti,
    }
    return sum(share * after[outcome] for outcome, share in shares.items())


def table_values(
    five: Iterable[Card], worlds: int = defaults.TABLE_WORLDS, seed: int = defaults.SEED
) -> tuple[TableValue, ...]:
    """Value the four trumps at the table from hakem's first five cards; best first, ties in the order ♠♥♦♣.

    The four suits are played on the same ``worlds`` worlds of ``seed``, at least 2. The same arguments give the same
    figures on every machine.

    Raises:
        DealError: not five different cards. LimitError: ``worlds`` out of range. FieldError: ``seed`` out of range.
    """
    if not is_whole(worlds) or worlds < FEWEST_WORLDS:
        raise LimitError(f"worlds must be at least {FEWEST_WORLDS}, not {quote(worlds)}", field="worlds")
    estimate = _Estimate.of(_joint_counts(tuple(five), worlds, seed), worlds, table_model())
    order = sorted(Suit, key=lambda trump: (-estimate.points(trump), trump))
    return tuple(estimate.value(trump, order[0]) for trump in order)


def _joint_counts(five: tuple[Card, ...], worlds: int, seed: int) -> NDArray[np.int64]:
    """In how many worlds each two of the CASES came up together, shape (16, 16): all that the figures depend on."""
    counts = np.zeros((CASES, CASES))  # whole numbers all along, so sums are exact
    for start in range(0, worlds, BLOCK):
        margins = trump_margins(five, min(BLOCK, worlds - start), seed, start=start)
        cases = _ONE[_OUTCOME_AT[margins + LARGEST_MARGIN]].reshape(len(margins), CASES)
        counts += cases.T @ cases
    return counts.astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Estimate:
    """Chances of the outcomes under each trump, shape (4, 4), and the covariances of their errors, shape (16, 16)."""

    chances: Floats
    by_worlds: Floats
    by_model: Floats
    worlds: int

    @classmethod
    def of(cls, counts: NDArray[np.int64], worlds: int, model: TableModel) -> _Estimate:
        """Correct what was counted."""
        shares = counts.diagonal() / worlds
        corrected = model.correct(shares.reshape(len(Suit), len(OUTCOMES)))
        slopes = np.zeros((CASES, CASES))
        for trump in Suit:
            rows = slice(trump * len(OUTCOMES), (trump + 1) * len(OUTCOMES))
            slopes[rows, rows] = corrected.by_shares[trump]
        scatter = (counts / worlds - np.outer(shares, shares)) / (worlds - 1)
        leanings = corrected.by_coefficients.reshape(CASES, -1)
        return cls(corrected.chances, slopes @ scatter @ slopes.T, leanings @ model.covariance @ leanings.T, worlds)

    def points(self, trump: Suit) -> float:
        """Mean points, from the figures as they are shown."""
        win, kot, koti = self._shown(trump)
        return round(2 * win - 1 + kot - 2 * koti, DECIMALS)

    def value(self, trump: Suit, best: Suit) -> TableValue:
        """Everything about one suit."""
        win, kot, koti = self._shown(trump)
        own = np.outer(np.eye(len(Suit))[trump], POINTS).ravel()
        lost = np.outer(np.eye(len(Suit))[best], POINTS).ravel() - own
        return TableValue(
            trump=trump,
            points=self.points(trump),
            points_se=_error(own, self.by_worlds),
            points_model_se=_error(own, self.by_model),
            win=win,
            kot=kot,
            hakem_koti=koti,
            behind=round(self.points(best) - self.points(trump), DECIMALS),
            behind_se=_error(lost, self.by_worlds),
            behind_model_se=_error(lost, self.by_model),
            worlds=self.worlds,
        )

    def _shown(self, trump: Suit) -> tuple[float, float, float]:
        """The chances of a win (kots included), a kot and a hakem koti."""
        win, kot, _, koti = self.chances[trump].tolist()
        return round(win + kot, DECIMALS), round(kot, DECIMALS), round(koti, DECIMALS)


def _error(weights: Floats, covariance: Floats) -> float:
    """The standard error of a weighted sum of chances."""
    return round(sqrt(max(float(weights @ covariance @ weights), 0.0)), DECIMALS)
