"""Hidden hands: every world that fits has the same chance, and a seed always gives the same ones."""

from collections import Counter
from itertools import combinations, pairwise
from math import comb, factorial

import numpy as np
import pytest

from hokm_solver._sample import Sampler
from hokm_solver.cards import EMPTY_SET, FULL_SET, PACK, Card, CardSet, Rank, Seat, Suit
from hokm_solver.errors import DealError, FieldError
from hokm_solver.sampling import HiddenHands, seen_by_hakem

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
FIVE = [Card(Suit(s), Rank(r)) for s, r in ((1, 14), (1, 12), (1, 9), (3, 13), (2, 4))]
NO_SUITS = frozenset()
GOLDEN_FIRST = [1026838324750647320, 1161931250961877536, 79389137573511495, 37438001564882048]
GOLDEN_LAST = [2017625849020288064, 263743839889784836, 4521191965131667, 19705833975713832]
GOLDEN_VOIDS = [594476284753547396, 36330209233863784, 1229487388384952834, 301178225501405184]


# The generator and the plain deal once more, in readable Python.


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def rotate(x, k):
    return (x << k | x >> (64 - k)) & WORD


class Xoshiro:
    def __init__(self, state):
        self.state = list(state)

    @classmethod
    def of(cls, seed, index):
        start = mix(mix(seed + GOLDEN & WORD) + index & WORD)
        return cls(mix(start + k * GOLDEN & WORD) for k in (1, 2, 3, 4))

    def next(self):
        s = self.state
        result = rotate(s[1] * 5 & WORD, 7) * 9 & WORD
        shifted = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotate(s[3], 45)
        return result

    def below(self, bound):
        while True:
            product = (self.next() >> 32) * bound
            if product & 0xFFFFFFFF >= 2**32 % bound:
                return product >> 32


def plain_world(hidden, seed, index):
    rng = Xoshiro.of(seed, index)
    cards = sorted(hidden.unseen, key=lambda card: card.index)
    for i in range(len(cards) - 1, 0, -1):
        k = rng.below(i + 1)
        cards[i], cards[k] = cards[k], cards[i]
    hands = []
    for seat in Seat:
        need = hidden.needs[seat]
        hands.append((hidden.known[seat] | CardSet.of(cards[:need])).bits)
        cards = cards[need:]
    return hands


def small_case(sizes, voids=(NO_SUITS,) * 4, unseen=PACK[:6:2] + PACK[20:22] + PACK[40:43]):
    """A few unseen cards of three suits, all others gone."""
    return HiddenHands((EMPTY_SET,) * 4, sizes, voids, gone=FULL_SET - CardSet.of(unseen))


def all_worlds(hidden):
    """Every world that fits, by trying all."""
    worlds = [((), tuple(hidden.unseen))]
    for seat in Seat:
        allowed = [(hands, left, hand) for hands, left in worlds for hand in combinations(left, hidden.needs[seat])]
        worlds = [
            ((*hands, hand), tuple(card for card in left if card not in hand))
            for hands, left, hand in allowed
            if not any(card.suit in hidden.voids[seat] for card in hand)
        ]
    return [tuple(CardSet.of(hand).bits for hand in hands) for hands, _ in worlds]


def chi_square_deviations(counts, cells):
    """How far the chi-square of equal cells is from its mean, in standard deviations."""
    total = sum(counts.values())
    expected = total / cells
    statistic = sum(n * n for n in counts.values()) / expected - total
    return (statistic - (cells - 1)) / (2 * (cells - 1)) ** 0.5


def test_the_reference_generator_is_xoshiro256():
    rng = Xoshiro([1, 2, 3, 4])
    assert [rng.next() for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


def test_the_seeding_is_splitmix64():
    state = 1234567
    assert [mix(state + k * GOLDEN & WORD) for k in (1, 2)] == [6457827717110365317, 3203168211198807973]


@pytest.mark.parametrize("seed", [0, 1, 12345, WORD])
def test_worlds_are_those_of_the_readable_generator(seed):
    hidden = seen_by_hakem(FIVE, Seat.S)
    start = 7
    worlds = hidden.worlds(20, seed, start)
    assert worlds.tolist() == [plain_world(hidden, seed, start + i) for i in range(20)]


def test_golden_worlds():
    worlds = seen_by_hakem(FIVE).worlds(1000, seed=1)
    assert worlds[0].tolist() == GOLDEN_FIRST
    assert worlds[999].tolist() == GOLDEN_LAST


def test_golden_world_with_voids():
    hidden = mid_play()
    assert hidden.worlds(10, seed=5)[9].tolist() == GOLDEN_VOIDS


def mid_play():
    """Ten cards left; W is out of hearts, E out of spades and diamonds."""
    own = CardSet.of(PACK[::5][:10])
    gone = CardSet.of([card for card in PACK if card not in own][::3][:12])
    voids = (NO_SUITS, frozenset({Suit.HEARTS}), NO_SUITS, frozenset({Suit.SPADES, Suit.DIAMONDS}))
    return HiddenHands((own, EMPTY_SET, EMPTY_SET, EMPTY_SET), (10,) * 4, voids, gone)


def test_hakem_keeps_his_five_and_every_world_is_a_deal():
    hidden = seen_by_hakem(FIVE, Seat.W)
    for world in hidden.worlds(200, seed=3).tolist():
        hands = [CardSet(bits) for bits in world]
        assert [len(hand) for hand in hands] == [13] * 4
        assert sum(world) == FULL_SET.bits
        assert set(FIVE) <= set(hands[Seat.W])


def test_each_unseen_card_is_anywhere_with_its_right_chance():
    n = 20_000
    worlds = seen_by_hakem(FIVE).worlds(n, seed=11)
    for card in seen_by_hakem(FIVE).unseen:
        held = (worlds & np.uint64(card.bit) != 0).sum(axis=0)
        for seat, count in zip(Seat, held.tolist()):
            p = (8 if seat == Seat.N else 13) / 47
            assert abs(count - n * p) < 5 * (n * p * (1 - p)) ** 0.5


def test_blocks_do_not_depend_on_how_they_are_cut():
    for hidden in (seen_by_hakem(FIVE), mid_play()):
        whole = hidden.worlds(100, seed=9)
        cuts = [0, 1, 40, 41, 100]
        parts = [hidden.worlds(b - a, 9, start=a) for a, b in pairwise(cuts)]
        assert np.array_equal(whole, np.concatenate(parts))


def test_seeds_differ():
    hidden = seen_by_hakem(FIVE)
    rows = np.concatenate([hidden.worlds(50, seed) for seed in range(20)])
    assert len({tuple(row) for row in rows.tolist()}) == len(rows)


CASES = [
    small_case((2, 2, 2, 2)),
    small_case((0, 3, 3, 2)),
    small_case((0, 3, 3, 2), (NO_SUITS, frozenset({Suit.SPADES}), NO_SUITS, NO_SUITS)),
    small_case((3, 3, 2, 0), (NO_SUITS, frozenset({Suit.HEARTS, Suit.SPADES}), frozenset({Suit.CLUBS}), NO_SUITS)),
    small_case((1, 0, 4, 3), (frozenset({Suit.CLUBS}), NO_SUITS, frozenset({Suit.HEARTS}), NO_SUITS)),
    small_case((0, 0, 5, 3), (NO_SUITS, NO_SUITS, NO_SUITS, frozenset({Suit.SPADES}))),
]


@pytest.mark.parametrize("hidden", CASES, ids=range(len(CASES)))
def test_every_world_that_fits_is_drawn_equally_often(hidden):
    cells = all_worlds(hidden)
    counts = Counter(map(tuple, hidden.worlds(60 * len(cells), seed=2).tolist()))
    assert set(counts) == set(cells)
    assert abs(chi_square_deviations(counts, len(cells))) < 5


@pytest.mark.parametrize("hidden", CASES, ids=range(len(CASES)))
def test_all_worlds_are_counted_and_listed(hidden):
    cells = all_worlds(hidden)
    assert hidden.count() == len(cells)
    listed = [list(map(tuple, hidden.every_world(seed).tolist())) for seed in (1, 1, 2)]
    assert sorted(listed[0]) == sorted(listed[2]) == sorted(cells)
    assert listed[0] == listed[1] != listed[2]


def test_a_list_of_worlds_begins_with_any_of_them():
    hidden = CASES[2]
    firsts = Counter(tuple(hidden.every_world(seed)[0].tolist()) for seed in range(60 * hidden.count()))
    assert abs(chi_square_deviations(firsts, hidden.count())) < 5


def test_only_a_million_worlds_are_listed():
    with pytest.raises(DealError, match=r"^\d[\d,]+ worlds fit, and at most 1,000,000 can be listed$"):
        seen_by_hakem(FIVE).every_world(1)


def test_the_largest_count_is_exact():
    own = CardSet.of(PACK[1:14])
    voids = [0, 0b0001, 0, 0]
    ways = Sampler([own.bits, 0, 0, 0], (FULL_SET - own).bits, [0, 13, 13, 13], voids).ways()
    # Unseen: ♠A and 38 cards of the other suits, of which W holds 13.
    assert ways == comb(38, 13) * factorial(26) // factorial(13) ** 2


def test_voids_are_kept():
    hidden = mid_play()
    for world in hidden.worlds(500, seed=4).tolist():
        for seat in Seat:
            assert not any(card.suit in hidden.voids[seat] for card in CardSet(world[seat]))
            assert len(CardSet(world[seat])) == 10


def test_no_world_fits():
    hidden = small_case((0, 8, 0, 0), (NO_SUITS, frozenset({Suit.SPADES}), NO_SUITS, NO_SUITS))
    with pytest.raises(DealError, match="no deal fits"):
        hidden.worlds(1, seed=1)


def test_voids_with_four_hidden_hands_are_refused():
    hidden = small_case((2, 2, 2, 2), (NO_SUITS, frozenset({Suit.SPADES}), NO_SUITS, NO_SUITS))
    with pytest.raises(DealError, match="at most three hidden hands"):
        hidden.worlds(1, seed=1)


def test_a_void_in_a_suit_nobody_misses_does_not_bind():
    hidden = small_case((2, 2, 2, 2), (NO_SUITS, frozenset({Suit.DIAMONDS}), NO_SUITS, NO_SUITS), PACK[:8])
    assert hidden.worlds(1, seed=1).shape == (1, 4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: seen_by_hakem(FIVE[:4]), "from 5 different cards, not 4"),
        (lambda: seen_by_hakem([*FIVE[:4], FIVE[0]]), "from 5 different cards, not 4"),
        (lambda: HiddenHands((CardSet.of(FIVE), CardSet.of(FIVE[:1]), EMPTY_SET, EMPTY_SET)), "AH is in two places"),
        (lambda: small_case((2, 2, 2, 1)), "8 unseen cards for 7 places"),
        (lambda: HiddenHands((CardSet.of(FIVE), *[EMPTY_SET] * 3), (4, 13, 13, 13)), "N cannot hold 4 cards"),
        (lambda: HiddenHands((EMPTY_SET,) * 4, (14, 13, 13, 12)), "N cannot hold 14 cards"),
        (
            lambda: HiddenHands((CardSet.of(FIVE), *[EMPTY_SET] * 3), voids=(frozenset({Suit.CLUBS}), *[NO_SUITS] * 3)),
            "N holds KC, so is not out of ♣",
        ),
    ],
)
def test_what_cannot_be(make, message):
    with pytest.raises(DealError, match=message):
        make()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed):
    with pytest.raises(FieldError, match="seed"):
        seen_by_hakem(FIVE).worlds(1, seed)


def test_fill_refuses_another_shape():
    hidden = seen_by_hakem(FIVE)
    with pytest.raises(ValueError, match=r"\(n, 4\)"):
        hidden._sampler().fill(np.zeros((2, 5), dtype=np.uint64), 1)
    for shape in ((CASES[1].count() - 1, 4), (CASES[1].count(), 3)):
        with pytest.raises(ValueError, match=r"\(ways, 4\)"):
            CASES[1]._sampler().fill_all(np.zeros(shape, dtype=np.uint64), 1)


# Suits that change places


def places(worlds):
    return {tuple(world) for world in worlds.tolist()}


@pytest.mark.parametrize("suits", [(0, 1), (1, 0), (2, 3), (0, 1, 3), (3, 1, 0), (0, 1, 2, 3)])
def test_rotated_worlds_are_the_same_worlds_in_another_order(suits):
    """So that a uniform world stays uniform."""
    hidden = small_case((3, 2, 2, 1))
    worlds = hidden.every_world(1)
    rotated = hidden.rotated(worlds, [Suit(suit) for suit in suits])
    assert len(places(rotated)) == len(worlds) == hidden.count()
    assert places(rotated) == places(worlds)


def test_rotation_moves_cards_by_their_place_in_the_suit():
    hidden = seen_by_hakem(FIVE)  # ♥: AQ9 seen, ♠: none
    worlds = hidden.worlds(50, 1)
    rotated = hidden.rotated(worlds, (Suit.SPADES, Suit.HEARTS))
    spades, hearts = list(hidden.unseen.suit(Suit.SPADES)), list(hidden.unseen.suit(Suit.HEARTS))
    for before, after in zip(worlds.tolist(), rotated.tolist()):
        holder = {card: seat for seat in range(4) for card in CardSet(before[seat])}
        new = {card: seat for seat in range(4) for card in CardSet(after[seat])}
        for one, other in zip(spades, hearts):
            assert (new[one], new[other]) == (holder[other], holder[one])
        rest = set(PACK) - set(spades[: len(hearts)]) - set(hearts)
        assert all(new[card] == holder[card] for card in rest)


def test_three_suits_move_one_on():
    hidden = seen_by_hakem(FIVE)
    ring = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)
    worlds = hidden.worlds(5, 1)
    rotated = hidden.rotated(worlds, ring)
    tops = [next(iter(hidden.unseen.suit(suit))) for suit in ring]
    for before, after in zip(worlds.tolist(), rotated.tolist()):
        for here, there in zip(tops, [*tops[1:], tops[0]]):
            assert [here.bit & hand != 0 for hand in before] == [there.bit & hand != 0 for hand in after]
    again = hidden.rotated(hidden.rotated(rotated, ring), ring)
    assert np.array_equal(again & np.uint64(tops[0].bit | tops[1].bit), worlds & np.uint64(tops[0].bit | tops[1].bit))
