"""Seeded deals: the same everywhere, in packets, and fair."""

from collections import Counter
from datetime import date

import pytest

from hokm_solver.cards import PACK, CardSet, Seat
from hokm_solver.dealing import SplitMix64, deal_cards, deal_in_packets, deal_of_the_day, shuffled_pack
from hokm_solver.errors import DealError
from hokm_solver.notation import format_deal


def test_generator_gives_the_published_numbers():
    random = SplitMix64(1234567)
    assert [random.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_packets_go_round_from_hakem():
    deal = deal_in_packets(PACK, Seat.S)
    assert deal.hakem == Seat.S
    assert deal.first_five == CardSet.of(PACK[:5])
    assert deal.hands[Seat.S] == CardSet.of([*PACK[:5], *PACK[20:24], *PACK[36:40]])
    assert deal.hands[Seat.E] == CardSet.of([*PACK[5:10], *PACK[24:28], *PACK[40:44]])
    assert deal.hands[Seat.W] == CardSet.of([*PACK[15:20], *PACK[32:36], *PACK[48:]])


@pytest.mark.parametrize("pack", [PACK[:51], [*PACK[:51], PACK[0]]])
def test_a_wrong_pack_is_refused(pack):
    with pytest.raises(DealError):
        deal_in_packets(pack, Seat.N)


def test_seeded_deals_do_not_change():
    assert format_deal(deal_cards(1)) == "N:62.J873.97532.93 KT.A.AQJT86.AK82 QJ98753.KT2.K4.J A4.Q9654..QT7654"
    assert deal_cards(1, Seat.W).hands[Seat.W] == deal_cards(1).hands[Seat.N]
    assert deal_cards(2**64 - 1) != deal_cards(0)


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.5, "1", None, pytest.param(10**5000, id="huge")])
def test_a_seed_is_a_64_bit_number(seed):
    with pytest.raises(DealError, match="seed"):
        deal_cards(seed)


def test_the_deal_of_the_day_is_the_same_for_everyone():
    deal = deal_of_the_day(date(2025, 3, 21))
    assert (deal.hakem, str(deal.first_five)) == (Seat.S, "7S 8H 7D QC 6C")
    assert format_deal(deal) == "N:63.AJ962.K865.73 KQJT954.Q7.2.952 7.K843.J74.AQJ86 A82.T5.AQT93.KT4"
    assert deal_of_the_day(date(2025, 3, 21), 2) != deal
    assert deal_of_the_day(date(2025, 3, 22)) != deal


@pytest.mark.parametrize("number", [0, -1, True, 1.0])
def test_deals_of_a_day_are_counted_from_one(number):
    with pytest.raises(DealError, match="numbered from 1"):
        deal_of_the_day(date(2025, 3, 21), number)


def test_bounded_numbers_are_even():
    random = SplitMix64(5)
    counts = Counter(random.below(6) for _ in range(12000))
    assert sorted(counts) == list(range(6))
    assert all(abs(count - 2000) < 200 for count in counts.values())


def test_numbers_of_the_partial_round_are_refused():
    class Fixed(SplitMix64):
        numbers = iter([2**64 - 1, 2**64 - 2])

        def next(self):
            return next(self.numbers)

    assert Fixed(0).below(3) == (2**64 - 2) % 3  # 2**64 is one more than a multiple of three


def test_a_shuffle_keeps_the_pack_and_moves_every_card():
    random = SplitMix64(9)
    tops = Counter(shuffled_pack(random)[0] for _ in range(2000))
    assert set(shuffled_pack(random)) == set(PACK)
    assert len(tops) == 52
    assert max(tops.values()) < 80
