"""A match: score, succession of hakem and dealer, the draw of the first hakem, the chance to win."""

from random import Random

import pytest

from hokm_solver.cards import PACK, Seat, Side
from hokm_solver.errors import FieldError, MatchError
from hokm_solver.match import Match, chance_after, check_score, draw_first_hakem, winning_chances
from hokm_solver.notation import parse_cards
from hokm_solver.rules import Outcome, Rules


def test_hakem_stays_while_his_side_wins():
    match = Match(Seat.W)
    for outcome in (Outcome.WIN, Outcome.KOT):
        assert match.after(outcome).hakem == Seat.W
        assert match.after(outcome).dealer == Seat.N


@pytest.mark.parametrize("hakem", Seat)
def test_when_it_loses_hakem_deals_and_the_player_to_his_right_is_hakem(hakem):
    after = Match(hakem).after(Outcome.LOSS)
    assert (after.dealer, after.hakem) == (hakem, hakem.next)


@pytest.mark.parametrize(
    ("hakem", "before", "outcome", "after"),
    [
        (Seat.N, (1, 0), Outcome.KOT, (3, 0)),
        (Seat.N, (3, 0), Outcome.HAKEM_KOTI, (3, 3)),
        (Seat.N, (0, 5), Outcome.HAKEM_KOTI, (0, 8)),
        (Seat.E, (0, 5), Outcome.WIN, (0, 6)),
        (Seat.E, (6, 6), Outcome.LOSS, (7, 6)),
    ],
)
def test_score_after_a_deal(hakem, before, outcome, after):
    assert Match(hakem, before).after(outcome).score == after


def test_first_side_with_at_least_seven_wins():
    assert Match(Seat.N, (6, 6)).winner is None
    assert Match(Seat.N, (3, 5)).after(Outcome.HAKEM_KOTI).winner is Side.WE
    over = Match(Seat.N, (7, 0))
    assert over.winner is Side.NS
    with pytest.raises(MatchError, match="NS has won"):
        over.after(Outcome.WIN)


def test_match_under_other_rules():
    match = Match(Seat.N, (0, 0), Rules(kot=5, hakem_koti=5, match_length=5))
    assert match.after(Outcome.KOT).winner is Side.NS


@pytest.mark.parametrize("score", [(-1, 0), (True, 0), (1.0, 0), (7, 7), (1,), (10**20, 8)])
def test_scores_that_cannot_be(score):
    with pytest.raises(MatchError):
        Match(Seat.N, score)


def test_the_first_ace_names_hakem():
    draw = draw_first_hakem(parse_cards("2S KH AD AC"), first=Seat.W)
    assert (draw.hakem, draw.turned) == (Seat.E, 3)
    assert draw.seats == (Seat.N, Seat.W, Seat.S, Seat.E)


def test_a_second_ace_names_the_partner_who_moves_opposite():
    # N 2S, W AD: hakem. Then, past W: S 3S, E 4S, N AC.
    draw = draw_first_hakem(parse_cards("2S AD 3S 4S AC"), rules=Rules(second_ace=True))
    assert (draw.hakem, draw.turned) == (Seat.W, 5)
    assert draw.seats == (Seat.E, Seat.W, Seat.S, Seat.N)


def test_a_partner_who_sits_opposite_already_stays():
    draw = draw_first_hakem(parse_cards("AS 3S AC"), rules=Rules(second_ace=True))
    assert draw.seats == tuple(Seat)


def test_a_draw_skips_hakem_every_round():
    # Hakem N at once; W S E W S E W with the ace at W.
    draw = draw_first_hakem(parse_cards("AS 2S 3S 4S 5S 6S 7S AH"), rules=Rules(second_ace=True))
    assert draw.seats == (Seat.N, Seat.S, Seat.W, Seat.E)


def test_a_draw_needs_aces():
    with pytest.raises(MatchError, match="an ace named hakem"):
        draw_first_hakem(card for card in PACK if card.rank != 14)
    with pytest.raises(MatchError, match="named his partner"):
        draw_first_hakem(parse_cards("AS 2S"), rules=Rules(second_ace=True))


FREQUENCIES = {Outcome.WIN: 0.56, Outcome.KOT: 0.05, Outcome.LOSS: 0.37, Outcome.HAKEM_KOTI: 0.02}


def test_chances_to_win_near_the_end_by_hand():
    chances = winning_chances(FREQUENCIES)
    # At 6-6 the deal decides.
    assert chances[6, 6] == pytest.approx(0.61)
    # At 6-4 a win ends it, a hakem koti loses it, a loss makes it 6-5 with the others as hakem.
    assert chances[6, 4] == pytest.approx(0.61 + 0.37 * (1 - chances[5, 6]))
    # At 5-6 a kot ends it as well, a win makes it 6-6, everything else loses.
    assert chances[5, 6] == pytest.approx(0.05 + 0.56 * chances[6, 6])


def test_chances_to_win_are_those_of_playing_matches_out():
    rng, chances = Random(1), winning_chances(FREQUENCIES)
    outcomes, weights = zip(*FREQUENCIES.items())
    n = 4000
    for start in ((0, 0), (3, 5), (6, 2)):
        won = 0
        for _ in range(n):
            match = Match(Seat.N, start)
            while match.winner is None:
                match = match.after(rng.choices(outcomes, weights)[0])
            won += match.winner == Side.NS
        assert won / n == pytest.approx(chances[start], abs=0.03)


def test_the_chance_after_a_deal():
    chances = winning_chances(FREQUENCIES)
    assert chance_after(Outcome.KOT, (5, 0), chances) == chance_after(Outcome.WIN, (6, 0), chances) == 1
    assert chance_after(Outcome.HAKEM_KOTI, (6, 4), chances) == 0
    assert chance_after(Outcome.LOSS, (2, 3), chances) == 1 - chances[4, 2]


@pytest.mark.parametrize("wrong", [{}, {**FREQUENCIES, Outcome.WIN: 0.6}, {**FREQUENCIES, Outcome.KOT: -0.05}])
def test_frequencies_must_be_chances(wrong):
    with pytest.raises(MatchError, match="frequencies"):
        winning_chances(wrong)


@pytest.mark.parametrize(
    ("score", "rules", "message"),
    [
        ((7, 0), Rules(), "the match is over, NS has won"),
        ((0, 5), Rules(match_length=5), "the match is over, WE has won"),
        ((7, 7), Rules(), "both sides have 7 points or more"),
        ((-1, 0), Rules(), "NS cannot have -1 points"),
    ],
)
def test_a_match_must_go_on_for_another_deal(score, rules, message):
    with pytest.raises(FieldError, match=message) as caught:
        check_score(Seat.N, score, rules)
    assert caught.value.field == "score"
    check_score(Seat.N, (6, 4), Rules())
