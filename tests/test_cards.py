"""Cards, seats, and sets of cards."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hokm_solver.cards import FULL_PACK, PACK, Card, CardSet, Rank, Seat, Side, Suit
from hokm_solver.errors import DealError

card_lists = st.lists(st.sampled_from(PACK))


def test_play_runs_counter_clockwise():
    assert [Seat.N.after(turn).name for turn in range(5)] == ["N", "W", "S", "E", "N"]
    assert all(seat.next.previous == seat == seat.partner.partner for seat in Seat)
    assert all(seat.side == seat.partner.side != seat.next.side for seat in Seat)
    assert (Side.NS.other, Side.WE.other) == (Side.WE, Side.NS)


def test_card_has_its_bit_and_its_names():
    ace, ten = Card(Suit.HEARTS, Rank.ACE), Card(Suit.SPADES, Rank.TEN)
    assert (str(ace), ace.pretty, ace.index, ace.bit) == ("AH", "A♥", 28, 1 << 28)
    assert (str(ten), ten.pretty, ten.index, repr(ten)) == ("TS", "10♠", 8, "<Card TS>")
    assert (Suit.CLUBS.persian, Rank.QUEEN.persian) == ("گشنیز", "بی‌بی")


def test_names_as_text_and_as_numbers():
    assert [str(each) for each in (Suit.HEARTS, Seat.W, Side.WE, Rank.TEN)] == ["H", "W", "WE", "T"]
    assert f"{Suit.CLUBS} {Seat.N:>2} {Side.NS} {Rank.ACE!s} {Seat.E:d} {Rank.ACE:03d}" == "C  N NS A 3 014"
    assert "%s %d" % (Seat.S, Seat.S) == "S 2"  # noqa: UP031
    assert json.dumps([Seat.S, {Suit.HEARTS: Rank.TEN}]) == '[2, {"1": 10}]'
    assert repr(Seat.S) == "<Seat.S: 2>"
    assert pickle.loads(pickle.dumps(Suit.HEARTS)) is Suit.HEARTS


def test_pack_is_52_cards_in_hand_order():
    assert len(set(PACK)) == 52
    assert [str(card) for card in PACK[:2]] == ["AS", "KS"]
    assert str(PACK[-1]) == "2C"
    assert list(CardSet(FULL_PACK)) == list(PACK)


@given(card_lists, card_lists)
def test_card_set_is_a_set(some, others):
    one, two = CardSet.of(some), CardSet.of(others)
    assert set(one | two) == set(some) | set(others)
    assert set(one & two) == set(some) & set(others)
    assert set(one - two) == set(some) - set(others)
    assert len(one) == len(set(some))
    assert bool(one) == bool(some)
    assert list(one) == sorted(set(some), key=PACK.index)
    assert all((card in one) == (card in some) for card in PACK)
    assert all(set(one.suit(suit)) == {card for card in some if card.suit == suit} for suit in Suit)
    assert one == CardSet.of(reversed(some))
    assert hash(one) == hash(CardSet.of(reversed(some)))
    assert pickle.loads(pickle.dumps(one)) == one


def test_card_set_knows_only_cards():
    assert "AS" not in CardSet(FULL_PACK)
    for bits in (1 << 13, 1 << 64, -1):
        with pytest.raises(DealError):
            CardSet(bits)
