"""The race between the trumps: planted values, how often it errs, and what workers can and cannot change."""

from itertools import count
from math import comb
from random import Random

import numpy as np
import pytest

from hokm_solver.advice import advise
from hokm_solver.cards import CardSet, Seat, Suit
from hokm_solver.comparison import interval_bound
from hokm_solver.notation import parse_cards
from hokm_solver.race import (
    BLOCK,
    ERRING_AT,
    FIRST_LOOK,
    MOST_DEALS,
    OUTCOME_POINTS,
    PRIOR_OF_DEAL,
    SURE,
    UNIT,
    Block,
    Race,
    Workshop,
    run_race,
)
from hokm_solver.sampling import seen_by_hakem
from hokm_solver.solver import Solver

FIVE = parse_cards("AH QH 9H KC 4D")
S, H, D, C = Suit
NO_COUNTS = np.zeros((4, len(OUTCOME_POINTS)), dtype=np.int64)


def block(race, values, number=1):
    """What a worker would hand in: the next deals, valued as planted, in points."""
    suits, deals = race.begin(number)
    return Block(suits, deals, np.asarray(values[deals.start : deals.stop] * UNIT, dtype=np.int8), NO_COUNTS)


def run(race, values):
    """Run a race on planted values, shape (deals, 4), until it ends or they do."""
    for number in count():
        if race.ended is not None or race.deals == len(values):
            return race
        race.add(block(race, values, number))
    raise AssertionError


def planted(means, n=MOST_DEALS, spread=0.4, seed=1):
    """Values with these means, in twelfths of a point, that differ from deal to deal."""
    drawn = np.random.default_rng(seed).normal(0, spread, (n, 4)) / 2**0.5 + np.array(means)
    return np.clip(np.round(drawn * UNIT), -36, 24) / UNIT


# What ends a race


def test_suits_drop_out_one_by_one_and_the_best_is_left():
    race = run(Race(), planted([0.3, 0.5, -0.5, 0.4]))
    assert (race.ended, race.suits, race.leader()) == ("decided", (H,), H)
    deals = [race.difference(H, other).deals for other in (D, S, C)]
    assert deals == sorted(deals)
    assert deals[0] == FIRST_LOOK < deals[1] < deals[2] == race.deals
    assert set(deals) <= set(ERRING_AT)
    assert race.confidence() > 0.99


def test_a_suit_that_is_out_keeps_the_deals_it_had():
    values = planted([0.2, 0.5, -0.5, 0.4])
    race = run(Race(), values)
    for other in (S, D, C):
        found = race.difference(H, other)
        own = values[: found.deals, H] - values[: found.deals, other]
        assert found.points == pytest.approx(own.mean())
        assert found.error**2 == pytest.approx(own.var(ddof=1) / found.deals + PRIOR_OF_DEAL / found.deals**2)
        assert race.difference(other, H).points == -found.points


def test_equal_suits_end_the_race():
    race = run(Race(0.05), planted([0.5, 0.3, 0.5, 0.1]))
    assert (race.ended, race.suits) == ("equal", (S, D))
    found = race.difference(S, D)
    assert abs(found.points) + interval_bound(3, race.deals, 1 - ERRING_AT[race.deals]) * found.error <= 0.05


def test_all_four_may_be_equal():
    race = run(Race(0.05), planted([0.0] * 4))
    assert (race.ended, race.suits) == ("equal", tuple(Suit))
    assert 0.2 < race.confidence() < 0.9


def test_the_coarser_the_precision_the_sooner_the_end():
    deals = [run(Race(precision), planted([0.3, 0.3, 0.0, 0.0])).deals for precision in (0.02, 0.1, 1.0)]
    assert deals == sorted(deals, reverse=True)
    assert deals[-1] == FIRST_LOOK


def test_without_a_precision_nothing_is_equal_and_work_is_finite():
    race = run(Race(), np.zeros((MOST_DEALS, 4)))
    assert (race.ended, race.deals, race.suits) == ("ceiling", MOST_DEALS, tuple(Suit))
    assert race.leader() == S


def test_values_that_never_differ_are_equal_only_after_many_deals():
    """A few deals without a difference are no proof that there is none."""
    assert run(Race(0.05), np.zeros((1024, 4))).deals == 64
    assert run(Race(0.01), np.zeros((1024, 4))).deals == 256


def test_of_suits_with_the_same_total_the_first_leads():
    race = run(Race(), np.tile([0.0, 1.0, 1.0, 0.0], (2, 1)))
    assert race.leader() == H


# How often a race errs


def test_the_looks_share_out_the_chance_to_err():
    assert list(ERRING_AT)[-1] == MOST_DEALS
    assert sum(ERRING_AT.values()) == pytest.approx(1 - SURE)
    assert list(ERRING_AT.values()) == sorted(ERRING_AT.values(), reverse=True)


def skew(rng, n):
    """Equal suits with values as uneven as real ones: rare heavy losses, and luck that all suits share."""
    drawn = rng.choice([-3, -1, 1, 2], size=(4, n, 4), p=[0.04, 0.3, 0.46, 0.2])
    shared = rng.choice([-3, -1, 1, 2], size=(4, n, 1), p=[0.04, 0.3, 0.46, 0.2])
    return np.where(rng.random((4, n, 1)) < 0.4, shared, drawn).mean(axis=0)


def test_the_best_is_dropped_less_often_than_stated():
    """Four equal suits: each may be called the best, so each being dropped would be an error."""
    dropped, races = np.zeros(4), 300
    for seed in range(races):
        race = run(Race(), skew(np.random.default_rng(seed), 2048))
        dropped[[trump for trump in Suit if trump not in race.suits]] += 1
    # At 7 of 12 looks. By the stated level at most 15 of 300, each of which drops at least one suit.
    assert dropped.max() / races < 0.05
    assert dropped.sum() / 4 / races < 0.02


def test_suits_that_are_not_equal_are_seldom_called_so():
    wrong = 0
    for seed in range(200):
        values = skew(np.random.default_rng(seed), 8192)[:, [0, 1, 0, 0]] + np.array([0.0, 0.0, 3, 3])
        values[:, 0] += 1 / UNIT  # 0.08 better
        race = Race(0.06)
        race.suits = (S, H)
        wrong += run(race, values).ended == "equal"
    assert wrong / 200 < 0.05


# What workers can and cannot change


def test_the_first_block_is_enough_for_a_race():
    race = Race()
    suits, deals = race.begin(0)
    assert (suits, deals) == (tuple(Suit), range(2))
    assert race.begin(1)[1] == range(2, BLOCK)
    assert race.begin(2)[1] == range(BLOCK, 2 * BLOCK)


def test_blocks_may_come_in_any_order():
    values, rng = planted([0.2, 0.5, -0.5, 0.4]), Random(3)
    race, plain = Race(), run(Race(), values)
    numbers = count()
    while race.ended is None:
        blocks = [block(race, values, next(numbers)) for _ in range(5)]
        rng.shuffle(blocks)
        for each in blocks:
            race.add(each)
    assert (race.deals, race.suits) == (plain.deals, plain.suits)
    assert all(race.difference(H, other) == plain.difference(H, other) for other in (S, D, C))
    assert race.confidence() == plain.confidence()


def test_deals_begun_before_a_suit_was_dropped_are_valued_again():
    values = planted([0.2, 0.5, -0.5, 0.4])
    race = run(Race(), values[: FIRST_LOOK - BLOCK])
    last, early = block(race, values), block(race, values)
    assert early.deals == range(FIRST_LOOK, FIRST_LOOK + BLOCK)
    race.add(early)
    race.add(last)
    assert race.deals == FIRST_LOOK
    assert D not in race.suits
    race.add(early)
    assert race.deals == FIRST_LOOK
    assert race.begin(1) == (race.suits, early.deals)


def test_after_the_last_deal_there_is_nothing_to_begin():
    race = run(Race(), np.zeros((MOST_DEALS, 4)))
    assert not race.begin(1)[1]


# Versions of a deal


class LengthSolver:
    """Values a world by hakem's and his partner's trumps."""

    worth = np.array([-3, -3, -1, -1, -1, 1, 1, 2, 2, 2, 2, 2, 2, 2], dtype=np.int8)

    def points_of_worlds(self, worlds, hakem, trump):
        lane = (worlds[:, hakem] | worlds[:, hakem.partner]) >> np.uint64(16 * trump) & np.uint64(0x1FFF)
        return self.worth[[int(x).bit_count() for x in lane]]

    def interrupt(self):
        pass


def exact_value(trump):
    """The mean over all worlds: the other 47 cards are dealt hypergeometrically, 8 + 13 of them to hakem's side."""
    own = sum(card.suit == trump for card in FIVE)
    unseen = 13 - own
    chances = [comb(unseen, k) * comb(47 - unseen, 21 - k) / comb(47, 21) for k in range(unseen + 1)]
    return sum(chance * int(LengthSolver.worth[own + k]) for k, chance in enumerate(chances))


def fixed_race(deals, seed, suits=tuple(Suit)):
    """A race that is stopped after so many deals and never drops a suit."""
    race, workshop = Race(), Workshop(seen_by_hakem(FIVE), seed, LengthSolver, 1)
    race.suits = suits

    def stop():
        if race.deals >= deals:
            race.ended = "time"

    race._look = lambda: None
    run_race(race, workshop, progress=stop)
    return race


@pytest.mark.parametrize("suits", [tuple(Suit), (S, D, C), (D, C), (H, D)])
def test_differences_are_unbiased_and_their_errors_honest(suits):
    best, other = suits[:2]
    exact = exact_value(best) - exact_value(other)
    found = [fixed_race(64, seed, suits).difference(best, other) for seed in range(120)]
    z = np.array([(each.points - exact) / each.error for each in found])
    assert abs(z.mean()) < 4 / len(z) ** 0.5
    assert z.std() < 1.15


def test_versions_save_deals():
    """Four versions of a deal cost as much as four deals, and tell far more."""
    race = fixed_race(512, 1)
    worlds = seen_by_hakem(FIVE).worlds(2048, 1)
    plain = [LengthSolver().points_of_worlds(worlds, Seat.N, trump).astype(int) for trump in (D, C)]
    assert race.difference(D, C).error < 0.6 * (plain[0] - plain[1]).std() / 2048**0.5


def test_suits_with_the_same_cards_have_the_same_value():
    """Where nothing in hakem's hand tells two suits apart, what one is worth in a deal the other is in its image."""
    hidden = seen_by_hakem(parse_cards("AS 5S AH 5H 2C"))
    worlds, solver = hidden.worlds(40, 1), Solver()
    images = hidden.rotated(worlds, (S, H))
    assert np.array_equal(solver.points_of_worlds(worlds, Seat.N, S), solver.points_of_worlds(images, Seat.N, H))
    assert not np.array_equal(worlds, images)


def test_a_hand_with_two_suits_alike_has_two_equal_suits():
    advice = advise("AS 5S AH 5H 2C", precision=0.2)
    assert (advice.ended, set(advice.equal)) == ("equal", {S, H})
    assert advice.trumps[1].behind < 0.1


def test_hakem_keeps_his_cards_in_every_version():
    hidden = seen_by_hakem(FIVE)
    worlds = hidden.worlds(20, 1)
    for suits in ((S, H), (H, D, C), tuple(Suit)):
        for hands in hidden.rotated(worlds, suits).tolist():
            assert set(FIVE) <= set(CardSet(hands[Seat.N]))
            assert [hand.bit_count() for hand in hands] == [13] * 4
            assert (
                hands[0] | hands[1] | hands[2] | hands[3]
                == CardSet.of(card for hand in worlds[0].tolist() for card in CardSet(hand)).bits
            )
