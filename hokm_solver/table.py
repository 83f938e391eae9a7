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
from dataclasses import dataclass, replace
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
from hokm_solver.errors import LimitError, all_of, is_whole, quote
from hokm_solver.match import Score
from hokm_solver.rules import Outcome, outcome_of_margin

SCHEMA = "hokm-solver/advise/1"  # of all advice: the objects of this module are part of it
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

    @classmethod
    def of(cls, values: tuple[TableValue, ...], score: Score | None = None) -> TableAdvice:
        """Advise from the values of the four suits, best first.

        Raises:
            MatchError: no deal is played at ``score``.
        """
        if score is None:
            return cls(values)
        after = match_equity().after(score)
        match = {value.trump: round(_match_chance(value, after), DECIMALS) for value in values}
        return cls(values, score, tuple(match[trump] for trump in Suit))

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

    def match_to_json(self) -> dict[str, Any]:
        """With a score: the score, the suit by which hakem's side most often wins the match, and how often."""
        if self.score is None:
            return {}
        return {"score": list(self.score), "best_match": self.call.letter, "match": self.match[self.call]}

    def trump_to_json(self, trump: Suit) -> dict[str, Any]:
        """What is said of one suit in ``trumps`` of ``hokm-solver/advise/1``."""
        entry = {"trump": trump.letter, "table": self.value(trump).to_json()}
        return {**entry, "match": self.match[trump]} if self.match else entry


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
    if score is not None:
        match_equity().after(score)  # a score that cannot be is no reason to play deals out
    return TableAdvice.of(table_values(five, worlds, seed), score)


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

    The four suits are played on the same ``worlds`` worlds of ``seed``, 2 to `defaults.MOST_SAMPLES`. The same
    arguments give the same figures on every machine.

    Raises:
        DealError: not five different cards. LimitError: ``worlds`` out of range. FieldError: ``seed`` out of range, or
            ``five`` are something else than cards.
    """
    if not is_whole(worlds) or not FEWEST_WORLDS <= worlds <= defaults.MOST_SAMPLES:
        allowed = f"{FEWEST_WORLDS} to {defaults.MOST_SAMPLES}"
        raise LimitError(f"worlds must be {allowed}, not {quote(worlds)}", field="worlds")
    cards = all_of(five, Card, "cards")
    return _Estimate.of(_joint_counts(cards, worlds, seed), worlds, table_model()).values()


def values_of_counts(counts: NDArray[np.int64], errors: Floats) -> tuple[TableValue, ...]:
    """Value the four trumps from how often each of the OUTCOMES came up under each of them, shape (4, 4).

    The trumps may have been played on different numbers of worlds. How sure the differences between them are cannot be
    told from that, and is given: the standard errors of the differences of their points in the playouts, shape (4, 4).
    The correction stretches such an error as it does the two that the suits would have on worlds of their own. (On the
    same worlds this is what `table_values` says, give or take 0.3 %.)
    """
    values = _Estimate.of_each(counts, table_model()).values()
    _, spread = points_of_counts(counts)
    best = values[0].trump
    found = []
    for value in values:
        apart = float(np.hypot(spread[best], spread[value.trump]))  # on worlds of their own, uncorrected
        stretch = value.behind_se / apart if apart else 1.0
        found.append(replace(value, behind_se=round(float(errors[best, value.trump]) * stretch, DECIMALS)))
    return tuple(found)


def points_of_counts(counts: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Mean points and their standard errors, shape (…), from counts of the OUTCOMES, shape (…, 4)."""
    worlds = counts.sum(axis=-1)
    means = counts @ POINTS / worlds
    variances = (counts @ POINTS**2 / worlds - means**2) / (worlds - 1)
    return means, np.sqrt(np.maximum(variances, 0.0))


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
    worlds: tuple[int, ...]

    @classmethod
    def of(cls, counts: NDArray[np.int64], worlds: int, model: TableModel) -> _Estimate:
        """Correct what was counted on the same worlds."""
        shares = counts.diagonal() / worlds
        scatter = (counts / worlds - np.outer(shares, shares)) / (worlds - 1)
        return cls._corrected(shares.reshape(len(Suit), len(OUTCOMES)), scatter, (worlds,) * len(Suit), model)

    @classmethod
    def of_each(cls, counts: NDArray[np.int64], model: TableModel) -> _Estimate:
        """Correct what was counted for each trump by itself; errors of different trumps are taken as independent."""
        worlds = counts.sum(axis=1)
        shares = counts / worlds[:, None]
        scatter = np.zeros((CASES, CASES))
        for trump in Suit:
            own = np.diag(shares[trump]) - np.outer(shares[trump], shares[trump])
            scatter[_cases(trump), _cases(trump)] = own / (worlds[trump] - 1)
        return cls._corrected(shares, scatter, tuple(worlds.tolist()), model)

    @classmethod
    def _corrected(cls, shares: Floats, scatter: Floats, worlds: tuple[int, ...], model: TableModel) -> _Estimate:
        corrected = model.correct(shares)
        slopes = np.zeros((CASES, CASES))
        for trump in Suit:
            slopes[_cases(trump), _cases(trump)] = corrected.by_shares[trump]
        leanings = corrected.by_coefficients.reshape(CASES, -1)
        return cls(corrected.chances, slopes @ scatter @ slopes.T, leanings @ model.covariance @ leanings.T, worlds)

    def values(self) -> tuple[TableValue, ...]:
        """The four trumps, best first."""
        order = sorted(Suit, key=lambda trump: (-self.points(trump), trump))
        return tuple(self.value(trump, order[0]) for trump in order)

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
            worlds=self.worlds[trump],
        )

    def _shown(self, trump: Suit) -> tuple[float, float, float]:
        """The chances of a win (kots included), a kot and a hakem koti."""
        win, kot, _, koti = self.chances[trump].tolist()
        return round(win + kot, DECIMALS), round(kot, DECIMALS), round(koti, DECIMALS)


def _cases(trump: Suit) -> slice:
    """Where the CASES of one trump stand."""
    return slice(trump * len(OUTCOMES), (trump + 1) * len(OUTCOMES))


def _error(weights: Floats, covariance: Floats) -> float:
    """The standard error of a weighted sum of chances."""
    return round(sqrt(max(float(weights @ covariance @ weights), 0.0)), DECIMALS)
