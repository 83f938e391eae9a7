"""Five-card hands up to renaming of suits: numbered without gaps, together every hand once."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest

from hokm_solver.cards import FULL_SET, Card, CardSet, Suit
from hokm_solver.errors import DealError
from hokm_solver.fives import CLASSES, HANDS, class_of, hand_of, numbers_at, order_of_suits, rank_of, weight_of
from hokm_solver.notation import parse_cards

STEP = 41  # every 41st class: 3,280 of them, of all shapes


def renamed(five, names):
    return CardSet.of(Card(names[card.suit], card.rank) for card in five)


def test_there_are_as_many_classes_and_hands_as_counted_elsewhere():
    # Burnside's lemma over the 24 ways to rename four suits gives 134,459; 52 choose 5 is 2,598,960.
    assert (CLASSES, HANDS) == (134_459, 2_598_960)


def test_weights_add_up_to_all_hands():
    assert sum(map(weight_of, range(CLASSES))) == HANDS


def test_the_number_of_a_class_is_that_of_its_hand():
    for number in range(0, CLASSES, STEP):
        assert class_of(hand_of(number)) == number
        assert order_of_suits(hand_of(number)) == tuple(Suit)


def test_every_hand_of_a_small_pack_is_in_one_class_and_weights_count_them():
    """The deuces to fives: all their hands, put together by class."""
    pack = [card for card in FULL_SET if card.rank <= 5]
    found = {}
    for five in combinations(pack, 5):
        found.setdefault(class_of(five), set()).add(CardSet.of(five))
    assert sum(map(len, found.values())) == 4368
    for number, hands in found.items():
        assert len(hands) == weight_of(number)
        assert hand_of(number) in hands


def test_renaming_suits_keeps_the_class():
    rng = Random(3)
    for _ in range(100):
        five = CardSet.of(rng.sample(list(FULL_SET), 5))
        for names in permutations(Suit):
            other = renamed(five, names)
            assert class_of(other) == class_of(five)
            for suit, twin in zip(order_of_suits(five), order_of_suits(other)):
                assert [card.rank for card in five.suit(suit)] == [card.rank for card in other.suit(twin)]


def test_the_order_of_suits():
    five = parse_cards("AC 2C KH QD QS")
    assert order_of_suits(five) == (Suit.CLUBS, Suit.HEARTS, Suit.SPADES, Suit.DIAMONDS)


@pytest.mark.parametrize("count", [1, 3, 5])
def test_sets_of_numbers_are_counted_without_gaps(count):
    every = sorted(combinations(range(8), count), key=lambda numbers: numbers[::-1])
    assert [rank_of(numbers) for numbers in every] == list(range(len(every)))
    assert [numbers_at(rank, count) for rank in range(len(every))] == every


@pytest.mark.parametrize("cards", ["AS", "AS KS QS JS TS 9S", ""])
def test_a_class_needs_five_cards(cards):
    five = parse_cards(cards) if cards else ()
    for ask in (class_of, order_of_suits):
        with pytest.raises(DealError, match="5 different cards"):
            ask(five)


@pytest.mark.parametrize("number", [-1, CLASSES])
def test_classes_that_do_not_exist(number):
    with pytest.raises(DealError, match=f"not {number}$"):
        hand_of(number)
