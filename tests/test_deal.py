"""Deals, tricks and positions: play, the stop at seven, and what is refused."""

import pickle
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import load_jsonl, random_deal, random_position

from hokm_solver.cards import FULL_PACK, CardSet, Seat, Side, Suit
from hokm_solver.deal import Deal, Position, Trick, replay
from hokm_solver.errors import DealError, FieldError, IllegalPlay, PositionError, Revoke
from hokm_solver.notation import parse_card, parse_cards, parse_deal, parse_hand, parse_hands, parse_suit
from hokm_solver.rules import Outcome, outcome_of

SEEDS = st.integers(0, 2**32).map(Random)
# The worked case of docs/rules.md: hakem N, trump hearts, S void in clubs.
WORKED_CASE = "N:AQ98.AQ9.A94.K42 KJ.KT8.KQJT8.AQ9 T765.J765432.76. 432..532.JT87653"


def case_position():
    return Position.start(parse_deal(WORKED_CASE), Suit.HEARTS, Seat.N)


def test_in_one_line():
    position = case_position()
    assert str(parse_deal(WORKED_CASE)) == WORKED_CASE
    assert str(position) == f"{WORKED_CASE}, trump H, hakem N, leader N, won NS:0,WE:0"
    assert str(position.play(parse_card("KC"))).endswith(", trump H, hakem N, leader N, trick KC, won NS:0,WE:0")


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Position.start(parse_deal(WORKED_CASE), "H", Seat.N), "trump"),
        (lambda: Position.start(parse_deal(WORKED_CASE), 1, Seat.N), "trump"),
        (lambda: Position.start(parse_deal(WORKED_CASE), Suit.HEARTS, "N"), "hakem"),
        (lambda: Position.start(WORKED_CASE, Suit.HEARTS, Seat.N), "deal"),
        (lambda: replace(case_position(), leader="N"), "leader"),
        (lambda: replace(case_position(), trick=("KC",)), "trick"),
        (lambda: replace(case_position(), won=("0", 0)), "won"),
        (lambda: Position(("A...", "", "", ""), Suit.HEARTS, Seat.N, Seat.N), "hands"),
        (lambda: case_position().play("KC"), "card"),
        (lambda: replace(parse_deal(WORKED_CASE), hakem="N"), "hakem"),
    ],
)
def test_a_wrong_type_is_named(make, field):
    with pytest.raises(FieldError) as caught:
        make()
    assert (caught.value.field, caught.value.code) == (field, "bad_field")


def test_worked_case_partner_ruffs_and_a_revoke_is_refused():
    position = case_position()
    for card in parse_cards("KC 3C 2H"):
        position = position.play(card)
    assert position.to_play == Seat.E
    after = position.play(parse_card("AC"))
    assert (after.leader, after.won, after.trick) == (Seat.S, (1, 0), ())
    with pytest.raises(Revoke, match=r"trick 1: E cannot play KH, a revoke: E holds AC QC 9C"):
        position.play(parse_card("KH"))


@given(SEEDS, st.sampled_from(list(Suit)), st.sampled_from(list(Seat)))
def test_play_to_the_end(rng, trump, hakem):
    position = Position.start(random_deal(rng), trump, hakem)
    assert (position.leader, position.to_play, position.cards_left) == (hakem, hakem, 13)
    while position.outcome() is None:
        assert max(position.won) < 7
        assert position.cards_left == 13 - sum(position.won)
        assert position.trick_number == sum(position.won) + 1
        checked = Position(
            position.hands, position.trump, position.hakem, position.leader, position.trick, position.won
        )
        assert checked == position
        assert hash(checked) == hash(position)
        position = position.play(rng.choice(list(position.legal_cards())))
    assert max(position.won) == 7
    assert position.outcome() is outcome_of(position.won[hakem.side], position.won[hakem.side.other])
    assert not position.legal_cards()
    with pytest.raises(IllegalPlay, match="play has stopped"):
        position.play(next(iter(position.hands[position.to_play] or CardSet(1))))


def test_a_sweep_stops_at_seven_nil():
    hands = [CardSet(FULL_PACK).suit(suit) for suit in Suit]
    position = Position.start(Deal((hands[0], hands[1], hands[2], hands[3])), Suit.SPADES, Seat.N)
    while position.outcome() is None:
        position = position.play(next(iter(position.legal_cards())))
    assert (position.won, position.outcome()) == ((7, 0), Outcome.KOT)
    assert (position.hakem_tricks, position.other_tricks) == (7, 0)


def test_a_card_not_held_is_refused():
    with pytest.raises(IllegalPlay, match="trick 1: N cannot play KS, which N does not hold"):
        case_position().play(parse_card("KS"))


def test_replay_gives_every_position_and_names_the_first_bad_play():
    plays = parse_cards("KC 3C 2H AC")
    positions = list(replay(case_position(), plays))
    assert [len(position.trick) for position in positions] == [0, 1, 2, 3, 0]
    with pytest.raises(IllegalPlay, match="trick 2: S cannot play KC"):
        list(replay(case_position(), [*plays, parse_card("KC")]))


def test_recorded_deals_replay():
    for entry in load_jsonl("records"):
        record = entry["record"]
        n, w, s, e = (parse_hand(record["hands"][seat.name]) for seat in Seat)
        deal = Deal((n, w, s, e), Seat[record["hakem"]], CardSet.of(map(parse_card, record["first_five"])))
        start = Position.start(deal, parse_suit(record["trump"]))
        *_, last = replay(start, map(parse_card, record["plays"]))
        assert {side.name: last.won[side] for side in Side} == entry["final"]


@given(SEEDS, st.integers(1, 13))
def test_positions_keep_through_pickle_and_trump(rng, left):
    position = random_position(rng, left)
    assert pickle.loads(pickle.dumps(position)) == position
    assert position.with_trump(position.trump) == position
    other = position.with_trump(Suit((position.trump + 1) % 4))
    assert other.hands == position.hands
    assert other != position


def test_trick():
    trick = Trick(Seat.S, parse_cards("4D AD"))
    assert (trick.led, trick.to_play, trick.complete) == (Suit.DIAMONDS, Seat.N, False)
    assert trick.plays == ((Seat.S, parse_card("4D")), (Seat.E, parse_card("AD")))
    assert trick.winner(Suit.SPADES) == Seat.E
    assert Trick(Seat.S).led is None
    assert Trick(Seat.S, parse_cards("4D AD 2S 3D")).complete


# What is refused


def test_deal_with_wrong_hands():
    whole = random_deal(Random(1)).hands
    moved = next(iter(whole[Seat.W]))
    short = (whole[0], whole[1] - CardSet.of([moved]), whole[2], whole[3])
    with pytest.raises(DealError, match="W has 12 cards"):
        Deal(short)
    with pytest.raises(DealError, match=f"duplicate card {moved}: in the hands of N and W"):
        Deal((whole[0] | CardSet.of([moved]), *whole[1:]))
    with pytest.raises(DealError, match="3 hands"):
        Deal(whole[:3])


def test_deal_with_wrong_first_five():
    hands = random_deal(Random(1)).hands
    five = list(hands[Seat.N])[:5]
    assert Deal(hands, Seat.N, CardSet.of(five)).first_five == CardSet.of(five)
    with pytest.raises(DealError, match="not who is hakem"):
        Deal(hands, None, CardSet.of(five))
    with pytest.raises(DealError, match="4 cards"):
        Deal(hands, Seat.N, CardSet.of(five[:4]))
    with pytest.raises(DealError, match="hakem W does not hold it"):
        Deal(hands, Seat.W, CardSet.of(five))


def test_start_needs_one_hakem():
    hands = random_deal(Random(1)).hands
    with pytest.raises(PositionError, match="does not say who is hakem"):
        Position.start(Deal(hands), Suit.SPADES)
    with pytest.raises(PositionError, match="another hakem"):
        Position.start(Deal(hands, Seat.W), Suit.SPADES, Seat.N)


HANDS = "N:.K643..9 T95...J4 2..A863. ..94.KQ8"
REFUSED = [
    ({"won": (7, 1)}, PositionError, "NS has won 7 tricks"),
    ({"won": (-1, 6)}, PositionError, "NS cannot have won -1"),
    ({"won": (6,)}, PositionError, "two numbers"),
    ({"won": (6, 1)}, PositionError, "N to play has 5 cards, but the tricks won (NS 6, WE 1) leave 6"),
    ({"won": (0, 0)}, PositionError, "N to play has 5 cards"),
    ({"hands": "N:.K643..9 T95...J4 2..A863. ..94.KQ"}, PositionError, "W has 4 cards where 5 are needed"),
    ({"hands": "N:.K643..9 T95...J4 2..A8632. ..94.KQ8"}, PositionError, "S has 6 cards where 5 are needed"),
    ({"hands": "N:... ... ... ..."}, PositionError, "N to play has 0 cards"),
    ({"trick": "AH"}, PositionError, "N has 5 cards where 4 are needed"),
    ({"trick": "AH 2H 5H 7H"}, PositionError, "4 cards in the trick"),
    ({"trick": "4H"}, PositionError, "duplicate card 4H: in the trick and in the hand of N"),
    ({"hands": "N:.K64..9 T95...J4 2..A863. ..94.KQ", "trick": "3H 3H"}, PositionError, "duplicate card 3H: twice"),
    ({"hands": "N:.K643..9 T95...J4 2..A863. ..94.K9"}, DealError, "duplicate card 9C: in the hands of N and W"),
    ({"hands": "N:.K64..9 T95...J4 2..A863. .8.9.KQ", "trick": "3H 4D"}, Revoke, "trick 9: W played 4D, a revoke"),
]


def position(hands=HANDS, leader=Seat.N, trick="", won=(6, 2)):
    return Position(parse_hands(hands), Suit.HEARTS, Seat.E, leader, tuple(map(parse_card, trick.split())), won)


def test_a_discard_of_a_void_hand_is_no_revoke():
    assert position(hands="N:.K64..9 T95...J4 2..A863. ..9.KQ8", trick="3H 4D").to_play == Seat.S


@pytest.mark.parametrize(("change", "kind", "message"), REFUSED)
def test_positions_that_cannot_be(change, kind, message):
    assert position()
    with pytest.raises(kind) as caught:
        position(**change)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_hakem_leads_the_first_trick():
    start = case_position()
    with pytest.raises(PositionError, match="W leads, but hakem N leads the first trick"):
        replace(start, leader=Seat.W)


@given(SEEDS, st.integers(7, 12))
def test_a_leader_has_won_a_trick(rng, left):
    swept = random_position(rng, left, sweep=True)
    while swept.trick:
        swept = random_position(rng, left, sweep=True)
    with pytest.raises(PositionError, match="has won no trick"):
        replace(swept, leader=swept.leader.next)
