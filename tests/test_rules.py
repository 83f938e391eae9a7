"""The rules, with the worked cases of docs/rules.md."""

import pytest

from hokm_solver.cards import CardSet, Seat, Suit
from hokm_solver.deal import Trick
from hokm_solver.errors import RulesError
from hokm_solver.notation import parse_cards, parse_hand
from hokm_solver.rules import (
    NOT_PLAYED,
    Outcome,
    Rules,
    legal_cards,
    margin_of,
    outcome_of,
    outcome_of_margin,
    points_of_margin,
)


def winner(leader, cards, trump):
    return Trick(leader, parse_cards(cards)).winner(trump)


def test_a_void_partner_ruffs_hakems_king():
    assert winner(Seat.N, "KC 3C 2H AC", Suit.HEARTS) == Seat.S


def test_highest_card_of_the_suit_led_wins_without_trumps():
    assert winner(Seat.W, "AH 9H KH 3H", Suit.SPADES) == Seat.W
    assert winner(Seat.W, "9H AS KH AD", Suit.CLUBS) == Seat.E


def test_an_over_ruff_wins():
    assert winner(Seat.E, "AD 2S 3S KD", Suit.SPADES) == Seat.W


def test_follow_suit_or_play_anything():
    hand = parse_hand("A2.K..43")
    assert legal_cards(hand, None) == hand
    assert legal_cards(hand, Suit.SPADES) == CardSet.of(parse_cards("AS 2S"))
    assert legal_cards(hand, Suit.DIAMONDS) == hand  # void: a trump is never compulsory


@pytest.mark.parametrize(
    ("hakem_tricks", "other_tricks", "outcome", "points"),
    [
        (7, 2, Outcome.WIN, 1),
        (7, 6, Outcome.WIN, 1),
        (7, 1, Outcome.WIN, 1),
        (7, 0, Outcome.KOT, 2),
        (6, 7, Outcome.LOSS, -1),
        (1, 7, Outcome.LOSS, -1),
        (0, 7, Outcome.HAKEM_KOTI, -3),
    ],
)
def test_outcomes_and_points(hakem_tricks, other_tricks, outcome, points):
    assert outcome_of(hakem_tricks, other_tricks) is outcome
    margin = margin_of(hakem_tricks, other_tricks)
    assert margin == hakem_tricks - other_tricks
    assert outcome_of_margin(margin) is outcome
    assert outcome.points() == points == points_of_margin(margin)
    assert outcome.hakem_wins == (points > 0)


def test_no_outcome_before_the_seventh_trick():
    assert outcome_of(6, 6) is None
    assert outcome_of(0, 0) is None


def test_points_never_fall_as_the_margin_grows():
    margins = [margin for margin in range(-7, 8) if margin]
    points = [points_of_margin(margin) for margin in margins]
    assert points == sorted(points)


@pytest.mark.parametrize("margin", [0, 8, -8])
def test_no_deal_ends_with_such_a_margin(margin):
    with pytest.raises(RulesError, match=str(margin)):
        points_of_margin(margin)


@pytest.mark.parametrize("tricks", [(6, 6), (7, 7), (0, 0)])
def test_margin_of_an_unfinished_deal_is_refused(tricks):
    with pytest.raises(RulesError):
        margin_of(*tricks)


def test_points_under_other_rules():
    rules = Rules.from_options({"win": 2, "kot": 4, "hakem_koti": 4})
    assert [outcome.points(rules) for outcome in Outcome] == [2, 4, -2, -4]
    assert Rules.from_options({}) == Rules()


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"win": 0}, "win"),
        ({"win": True}, "win"),
        ({"win": 1.0}, "win"),
        ({"kot": 0}, "kot"),
        ({"win": 3}, "kot"),
        ({"win": 2, "hakem_koti": 1}, "hakem_koti"),
        ({"match_length": 0}, "match_length"),
        ({"match_length": "7"}, "match_length"),
        ({"second_ace": 1}, "second_ace"),
        ({"wins": 1}, "wins"),
        *[({name: True}, name) for name in NOT_PLAYED],
    ],
)
def test_rules_that_are_refused(options, culprit):
    with pytest.raises(RulesError, match=culprit) as caught:
        Rules.from_options(options)
    assert caught.value.field == culprit
