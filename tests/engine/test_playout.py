"""Compiled playouts: the record follows the rules, policies are legal and see one hand only."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from support import random_deal

from hokm_solver import _playout
from hokm_solver.cards import CardSet, Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.engine.policies import learned_weights, make_policy, playout_module
from hokm_solver.rules import margin_of
from hokm_solver.sampling import HiddenHands

KINDS = _playout.KINDS
BUILDS = list({module.__name__: module for module in (_playout, playout_module())}.values())


def policy_of(kind, module=_playout, temperature=0.0):
    return module.Policy(kind, learned_weights() if kind == "learned" else None, temperature)


def random_start(rng):
    return Position.start(random_deal(rng), rng.choice(list(Suit)), rng.choice(list(Seat)))


def words(position):
    return [hand.bits for hand in position.hands]


def played_on(rng, position, plays=()):
    """Yield (position, plays so far) at every card of random legal play."""
    while position.outcome() is None:
        yield position, plays
        card = rng.choice(list(position.legal_cards()))
        position, plays = position.play(card), (*plays, card)


def naive_runs(position):
    """The lowest card of every run of equal legal cards, by looking at each pair of neighbours."""
    hand = position.hands[position.to_play]
    others = CardSet.of(position.trick)
    for seat in Seat:
        if seat != position.to_play:
            others |= position.hands[seat]
    lowest = []
    for card in position.legal_cards():
        lower = [other for other in hand if other.suit == card.suit and other.rank < card.rank]
        below = max(lower, key=lambda other: other.rank, default=None)
        apart = below is None or any(below.rank < other.rank < card.rank for other in others.suit(card.suit))
        if apart:
            lowest.append(card.index)
    return sorted(lowest)


def test_the_record_follows_the_rules():
    rng = Random(1)
    for _ in range(60):
        for position, plays in played_on(rng, random_start(rng)):
            record = _playout.Record(position.hakem, position.trump, [card.index for card in plays])
            hand = position.hands[position.to_play]
            assert record.to_play == position.to_play
            assert record.turn == len(position.trick)
            assert record.won == (position.hakem_tricks, position.other_tricks)
            assert record.gone == CardSet.of(plays).bits
            assert record.sizes == [len(held) for held in position.hands]
            assert record.legal(hand.bits) == position.legal_cards().bits
            assert record.distinct(hand.bits) == naive_runs(position)
            assert not record.over


def test_the_record_knows_the_voids_shown_in_the_trick_in_progress():
    rng = Random(2)
    shown = 0
    for _ in range(40):
        voids = [0] * 4
        for position, plays in played_on(rng, random_start(rng)):
            record = _playout.Record(position.hakem, position.trump, [card.index for card in plays])
            for seat, card in position.current_trick.plays:
                if card.suit != position.trick[0].suit:
                    voids[seat] |= 1 << position.trick[0].suit
                    shown += 1
            # A fourth card closes its trick before it is seen here, so compare what is certain.
            assert all(known & ~found == 0 for known, found in zip(voids, record.voids))
    assert shown > 100


@pytest.mark.parametrize("module", BUILDS, ids=lambda module: module.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_policies_play_legal_cards_to_the_end(kind, module):
    rng, policy = Random(3), policy_of(kind, module)
    for _ in range(250):
        position = random_start(rng)
        record = module.Record(position.hakem, position.trump)
        while position.outcome() is None:
            hand = position.hands[position.to_play].bits
            number = policy.choose(record, hand, rng.getrandbits(64))
            card = next(card for card in position.legal_cards() if card.index == number)
            position = position.play(card)
            record.play(number)
        assert record.over


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "random"])
def test_playouts_are_the_same_policy_card_by_card(kind):
    rng, policy = Random(4), policy_of(kind)
    for _ in range(150):
        start = random_start(rng)
        position, record = start, _playout.Record(start.hakem, start.trump)
        while position.outcome() is None:
            number = policy.choose(record, position.hands[position.to_play].bits)
            position = position.play(next(card for card in position.legal_cards() if card.index == number))
            record.play(number)
        margins = np.zeros(1, dtype=np.int8)
        worlds = np.array([words(start)], dtype=np.uint64)
        policy.play_out(_playout.Record(start.hakem, start.trump), worlds, margins)
        assert margins[0] == margin_of(position.hakem_tricks, position.other_tricks)


@pytest.mark.parametrize("kind", KINDS)
def test_both_builds_play_alike(kind):
    rng = Random(5)
    worlds = np.array([words(random_start(rng)) for _ in range(500)], dtype=np.uint64)
    results = []
    for module in BUILDS:
        margins = np.zeros(len(worlds), dtype=np.int8)
        policy_of(kind, module, 1.0).play_out(module.Record(1, 2), worlds, margins, seed=9)
        results.append(margins.tolist())
    assert all(result == results[0] for result in results)
    assert len(set(results[0])) > 5


def redealt(rng, position, voids):
    """The same position with the hidden cards dealt anew, as the player to move may believe them to lie."""
    own = position.to_play
    known = [hand if seat == own else CardSet(0) for seat, hand in zip(Seat, position.hands)]
    gone = CardSet(0x1FFF1FFF1FFF1FFF)
    for hand in position.hands:
        gone -= hand
    hidden = HiddenHands(tuple(known), tuple(map(len, position.hands)), voids, gone)
    return hidden.worlds(1, rng.getrandbits(63))[0]


@pytest.mark.parametrize("kind", KINDS)
def test_dealing_the_hidden_cards_anew_changes_no_decision(kind):
    rng, policy = Random(6), policy_of(kind, temperature=1.0)
    for _ in range(15):
        for position, plays in played_on(rng, random_start(rng)):
            record = _playout.Record(position.hakem, position.trump, [card.index for card in plays])
            voids = tuple(frozenset(suit for suit in Suit if out >> suit & 1) for out in record.voids)
            worlds = np.array([words(position), redealt(rng, position, voids)], dtype=np.uint64)
            cards = np.zeros(2, dtype=np.int32)
            policy.next_cards(record, worlds, cards, seed=7)
            assert cards[0] == cards[1]


@pytest.mark.parametrize("kind", KINDS)
def test_margins_of_cards_are_those_of_playing_them_first(kind):
    rng, policy = Random(8), policy_of(kind)
    for _ in range(8):
        for position, plays in played_on(rng, random_start(rng)):
            record = _playout.Record(position.hakem, position.trump, [card.index for card in plays])
            worlds = np.array([words(position)] * 3, dtype=np.uint64)
            cards = np.array([card.index for card in position.legal_cards()], dtype=np.int32)
            margins = np.zeros((len(cards), 3), dtype=np.int8)
            policy.card_margins(record, worlds, cards, margins, seed=1, start=5)
            for number, row in zip(cards.tolist(), margins.tolist()):
                after, left, alone = record.copy(), worlds.copy(), np.zeros(3, dtype=np.int8)
                after.play(number)
                left[:, position.to_play] ^= np.uint64(1 << number)
                policy.play_out(after, left, alone, seed=1, start=5)
                assert alone.tolist() == row


def test_scores_are_sums_of_the_weights_looked_up():
    rng, policy = Random(10), make_policy("learned")
    weights = np.append(learned_weights().ravel().astype(int), 0)  # −1 looks up nothing
    for _ in range(20):
        for position, plays in played_on(rng, random_start(rng)):
            record = playout_module().Record(position.hakem, position.trump, [card.index for card in plays])
            hand = position.hands[position.to_play].bits
            cards = record.distinct(hand)
            numbers = np.zeros((len(cards), playout_module().MOST_LOOK_UPS), dtype=np.int32)
            playout_module().features(record, hand, numbers)
            scores = weights[numbers].sum(axis=1)
            assert scores.tolist() == policy.scores(record, hand)
            if len(cards) > 1:
                assert policy.choose(record, hand) == cards[int(scores.argmax())]


def test_temperature_draws_from_the_softmax():
    rng = Random(11)
    position = next(position for position, _ in played_on(rng, random_start(rng)))
    record = _playout.Record(position.hakem, position.trump)
    hand = position.hands[position.to_play].bits
    warm = policy_of("learned", temperature=4.0)
    scores = np.array(warm.scores(record, hand)) / 256 / 4
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    n = 4000
    drawn = [warm.choose(record, hand, seed) for seed in range(n)]
    for card, chance in zip(record.distinct(hand), chances):
        assert abs(drawn.count(card) / n - chance) < 5 * (chance * (1 - chance) / n) ** 0.5 + 0.01


def test_weights_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="shape"):
        _playout.Policy("learned", np.zeros((3, 2048), dtype=np.int16))
