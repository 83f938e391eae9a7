"""The chance to win the match: derived again by a plain recursion, its errors by counting again."""

from functools import cache

import numpy as np
import pytest

from hokm_solver.engine.calibration import table_model
from hokm_solver.equity import Equity, match_equity
from hokm_solver.errors import MatchError
from hokm_solver.match import chance_after
from hokm_solver.rules import Outcome

COUNTS = {Outcome.WIN: 560, Outcome.KOT: 50, Outcome.LOSS: 370, Outcome.HAKEM_KOTI: 20}
EQUITY = Equity.of(COUNTS)


@cache
def plain(us, them, we_are_hakem):
    """Our chance, written down from the rules: who scores how much, and who is hakem then."""
    if us >= 7:
        return 1.0
    if them >= 7:
        return 0.0
    if we_are_hakem:
        kept = 0.56 * plain(us + 1, them, True) + 0.05 * plain(us + 2, them, True)
        return kept + 0.37 * plain(us, them + 1, False) + 0.02 * plain(us, them + 3, False)
    kept = 0.56 * plain(us, them + 1, False) + 0.05 * plain(us, them + 2, False)
    return kept + 0.37 * plain(us + 1, them, True) + 0.02 * plain(us + 3, them, True)


@pytest.mark.parametrize("ours", [True, False])
def test_chances_at_every_score(ours):
    for us in range(7):
        for them in range(7):
            assert EQUITY.chance(us, them, ours) == pytest.approx(plain(us, them, ours))


def test_both_sides_see_the_same():
    for us, them in ((0, 0), (6, 4), (2, 5)):
        assert EQUITY.chance(us, them, True) + EQUITY.chance(them, us, False) == pytest.approx(1)
        assert EQUITY.error(us, them, True) == EQUITY.error(them, us, False)


def test_every_point_helps():
    for ours in (True, False):
        for them in range(7):
            chances = [EQUITY.chance(us, them, ours) for us in range(7)]
            assert chances == sorted(chances)
            assert len(set(chances)) == 7


def test_at_six_four_a_kot_is_worth_no_more_than_a_win():
    after = {outcome: chance_after(outcome, (6, 4), EQUITY.chances) for outcome in Outcome}
    assert after[Outcome.KOT] == after[Outcome.WIN] == 1
    assert after[Outcome.HAKEM_KOTI] == 0 < after[Outcome.LOSS]
    early = {outcome: chance_after(outcome, (0, 0), EQUITY.chances) for outcome in Outcome}
    assert early[Outcome.KOT] > early[Outcome.WIN] > early[Outcome.LOSS] > early[Outcome.HAKEM_KOTI]


def test_errors_are_those_of_counting_again():
    rng = np.random.default_rng(1)
    draws = rng.multinomial(1000, [COUNTS[outcome] / 1000 for outcome in COUNTS], size=400)
    again = [Equity.of(dict(zip(COUNTS, draw.tolist()))) for draw in draws]
    for score in ((0, 0), (3, 2), (6, 6), (0, 5)):
        spread = np.std([other.chance(*score, True) for other in again])
        assert EQUITY.error(*score, True) == pytest.approx(spread, rel=0.15)


def test_the_shipped_outcomes_are_used():
    equity = match_equity()
    assert equity.frequencies == table_model().frequencies
    assert equity.deals == sum(table_model().engine_calls.values())
    assert equity.chance(6, 6, True) == equity.frequencies[Outcome.WIN] + equity.frequencies[Outcome.KOT]


def test_json():
    told = EQUITY.to_json()
    assert (told["win"], told["kot"], told["hakem_koti"], told["deals"]) == (0.61, 0.05, 0.02, 1000)
    assert len(told["scores"]) == 49
    last = told["scores"][-1]
    assert last == {
        "us": 6, "them": 6, "we_are_hakem": 0.61, "we_are_hakem_se": round((0.61 * 0.39 / 1000) ** 0.5, 6),
        "they_are_hakem": 0.39, "they_are_hakem_se": last["we_are_hakem_se"],
    }  # fmt: skip


@pytest.mark.parametrize("score", [(7, 0), (0, 7), (-1, 3), (1.0, 2), (True, 2), ("3", 2)])
def test_scores_that_cannot_be(score):
    for ask in (EQUITY.chance, EQUITY.error):
        with pytest.raises(MatchError, match="scores run from 0 to 6"):
            ask(*score, True)


@pytest.mark.parametrize("counts", [{}, {**COUNTS, Outcome.WIN: -1}, {Outcome.WIN: 5}])
def test_counts_that_cannot_be(counts):
    with pytest.raises(MatchError, match="frequencies"):
        Equity.of(counts)
