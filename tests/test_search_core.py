"""The compiled search by itself: what it is handed is checked before it searches, whoever calls it."""

import numpy as np
import pytest

from hokm_solver import _search
from hokm_solver.cards import Seat, Suit
from hokm_solver.dealing import deal_cards

HANDS = [hand.bits for hand in deal_cards(1).hands]


@pytest.fixture
def search():
    search = _search.Search(4)
    search.begin(0, 0.0)
    return search


def test_a_deal_is_taken(search):
    search.load(HANDS, Suit.HEARTS, Seat.N, Seat.N, [], 0, 0, False)
    lowest, highest = search.value(2)
    assert lowest == highest


@pytest.mark.parametrize(
    ("hands", "trump", "hakem", "leader", "trick", "won", "lost"),
    [
        (HANDS[:3], 0, 0, 0, [], 0, 0),
        (HANDS, 4, 0, 0, [], 0, 0),
        (HANDS, 0, -1, 0, [], 0, 0),
        (HANDS, 0, 0, 9, [], 0, 0),
        (HANDS, 0, 0, 0, [3], 0, 0),
        (HANDS, 0, 0, 0, [0], 0, 0),
        (HANDS, 0, 0, 0, [1 << 13], 0, 0),
        (HANDS, 0, 0, 0, [1, 2, 4, 8], 0, 0),
        (HANDS, 0, 0, 0, [], 7, 0),
        (HANDS, 0, 0, 0, [], 1, 0),
        (HANDS, 0, 0, 0, [], 0, -1),
        ([HANDS[0]] * 4, 0, 0, 0, [], 0, 0),
        ([HANDS[0] | 1 << 15, *HANDS[1:]], 0, 0, 0, [], 0, 0),
        ([0, 0, 0, 0], 0, 0, 0, [], 0, 0),
        ([HANDS[0] & (HANDS[0] - 1), *HANDS[1:]], 0, 0, 0, [], 0, 0),
    ],
)
def test_what_is_no_position_is_refused(search, hands, trump, hakem, leader, trick, won, lost):
    with pytest.raises(ValueError, match=r"."):
        search.load(hands, trump, hakem, leader, trick, won, lost, False)


@pytest.mark.parametrize(
    "worlds",
    [
        np.zeros((1, 4), np.uint64),
        np.zeros((1, 3), np.uint64),
        np.zeros((1, 0), np.uint64),
        np.full((1, 4), 2**64 - 1, np.uint64),
        np.array([[HANDS[0]] * 4], np.uint64),
        np.array([[*HANDS[:3], HANDS[3] << 1]], np.uint64),
    ],
)
def test_what_are_no_worlds_is_refused(search, worlds):
    with pytest.raises(ValueError, match="world"):
        search.points_of_worlds(worlds, 0, 0, np.zeros(1, np.int8))


def test_points_need_room(search):
    worlds = np.array([HANDS, HANDS], np.uint64)
    with pytest.raises(ValueError, match="room"):
        search.points_of_worlds(worlds, 0, 0, np.zeros(1, np.int8))
