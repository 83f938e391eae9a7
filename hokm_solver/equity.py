"""The chance to win a match from every score, if deals go on to end as they do when the engine plays them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any

from hokm_solver.cards import Side
from hokm_solver.engine.calibration import table_model
from hokm_solver.errors import MatchError, is_whole, quote
from hokm_solver.match import Score, chance_after, winning_chances
from hokm_solver.rules import DEFAULT_RULES, Outcome

SCHEMA = "hokm-solver/equity/1"
STEP = 1e-4  # of a numerical derivative; its error vanishes beside that of the frequencies
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Equity:
    """Chances to win the match before a deal.

    Attributes:
        frequencies: how often deals end in each way, hakem's side's view.
        deals: in how many deals that was counted.
        chances: of hakem's side, by score: its own points first, then the others'.
        errors: standard errors of the chances, since the frequencies were counted in so many deals and no more.
    """

    frequencies: Mapping[Outcome, float]
    deals: int
    chances: Mapping[Score, float]
    errors: Mapping[Score, float]

    @classmethod
    def of(cls, counts: Mapping[Outcome, int]) -> Equity:
        """Work out the chances from how often each outcome was counted.

        Raises:
            MatchError: these are no counts of the four outcomes.
        """
        if not isinstance(counts, Mapping) or not all(map(is_whole, counts.values())):
            raise MatchError("how often each of the four outcomes was counted must be whole numbers")
        deals = sum(counts.values())
        frequencies = {outcome: count / max(deals, 1) for outcome, count in counts.items()}
        chances = winning_chances(frequencies)
        return cls(frequencies, deals, chances, _errors(frequencies, deals, chances))

    def chance(self, us: int, them: int, we_are_hakem: bool) -> float:
        """Our chance to win the match, before a deal in which our side or the other one names trump.

        Raises:
            MatchError: no deal is played at this score.
        """
        score = self._hakems_score(us, them, we_are_hakem)
        return self.chances[score] if we_are_hakem else 1 - self.chances[score]

    def error(self, us: int, them: int, we_are_hakem: bool) -> float:
        """The standard error of `chance`.

        Raises:
            MatchError: no deal is played at this score.
        """
        return self.errors[self._hakems_score(us, them, we_are_hakem)]

    def after(self, score: Score) -> Mapping[Outcome, float]:
        """The chance of hakem's side to win the match after each outcome of a deal begun at ``score``.

        Raises:
            MatchError: it is no score, hakem's side's points first, at which a deal is played.
        """
        if not isinstance(score, (tuple, list)) or len(score) != len(Side):
            raise MatchError(f"a score is two numbers, hakem's side's first, not {quote(score)}", field="score")
        checked = self._hakems_score(*score, we_are_hakem=True)
        return {outcome: chance_after(outcome, checked, self.chances) for outcome in Outcome}

    def _hakems_score(self, us: int, them: int, we_are_hakem: bool) -> Score:
        score = (us, them) if we_are_hakem else (them, us)
        if not (is_whole(us) and is_whole(them)) or score not in self.chances:
            last = DEFAULT_RULES.match_length - 1
            raise MatchError(
                f"no deal is played at {quote(us)}-{quote(them)}: scores run from 0 to {last}", field="score"
            )
        return score

    def to_json(self) -> dict[str, Any]:
        """The object ``hokm-solver/equity/1``."""
        won = self.frequencies[Outcome.WIN] + self.frequencies[Outcome.KOT]
        return {
            "schema": SCHEMA,
            "win": round(won, DECIMALS),
            "kot": round(self.frequencies[Outcome.KOT], DECIMALS),
            "hakem_koti": round(self.frequencies[Outcome.HAKEM_KOTI], DECIMALS),
            "deals": self.deals,
            "scores": [self._score_to_json(us, them) for us, them in sorted(self.chances)],
        }

    def _score_to_json(self, us: int, them: int) -> dict[str, Any]:
        entry: dict[str, Any] = {"us": us, "them": them}
        for name, ours in (("we_are_hakem", True), ("they_are_hakem", False)):
            entry[name] = round(self.chance(us, them, ours), DECIMALS)
            entry[f"{name}_se"] = round(self.error(us, them, ours), DECIMALS)
        return entry


@lru_cache(maxsize=1)
def match_equity() -> Equity:
    """The chances with outcomes as they are when the engine calls trump and plays all seats."""
    return Equity.of(table_model().engine_calls)


def _errors(frequencies: Mapping[Outcome, float], deals: int, chances: Mapping[Score, float]) -> Mapping[Score, float]:
    """Standard errors of the chances, by the delta method for counts of several kinds.

    The variance is Σ f · D² / n, D being the derivative of a chance as one outcome gains and all lose in proportion.
    """
    variances = dict.fromkeys(chances, 0.0)
    for outcome, frequency in frequencies.items():
        moved = {other: share * (1 - STEP) for other, share in frequencies.items()}
        moved[outcome] += STEP
        for score, chance in winning_chances(moved).items():
            variances[score] += frequency * ((chance - chances[score]) / STEP) ** 2
    return {score: sqrt(variance / deals) for score, variance in variances.items()}
