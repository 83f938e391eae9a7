"""The compiled modules called with what does not fit: an exception, never a crash or a wrong answer."""

import numpy as np
import pytest

from hokm_solver import _playout, _sample, _search
from hokm_solver.cards import Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.dealing import deal_cards
from hokm_solver.engine.policies import learned_weights, playout_module

DEAL = deal_cards(1, Seat.N)
HANDS = [hand.bits for hand in DEAL.hands]
WORLDS = np.array([HANDS] * 3, dtype=np.uint64)
FIRST = Position.start(DEAL, Suit.CLUBS)
CARDS = np.array([card.index for card in FIRST.legal_cards()], dtype=np.int32)
MARGINS = np.zeros(3, np.int8)
REFUSED = (ValueError, TypeError, BufferError)
PLACES = np.zeros((13, 3), np.int8)
MODULES = list({module.__name__: module for module in (_playout, playout_module())}.values())


@pytest.fixture
def search():
    made = _search.Search(1)
    made.begin(200, 0.0)
    return made


@pytest.fixture(params=MODULES, ids=lambda module: module.__name__)
def module(request):
    return request.param


@pytest.fixture
def policy(module):
    return module.Policy("learned", learned_weights())


@pytest.fixture
def record(module):
    return module.Record(0, 3)


def load(search, **changed):
    arguments = {"hands": HANDS, "trump": 3, "hakem": 0, "leader": 0, "trick": [], "won": 0, "lost": 0, "keep": False}
    search.load(*(arguments | changed).values())


# The search


@pytest.mark.parametrize("megabytes", [0, -1, 4097, 2**31 - 1])
def test_tables_of_no_size(megabytes):
    with pytest.raises(ValueError, match="a table of"):
        _search.Search(megabytes)


@pytest.mark.parametrize("weights", [[], [1], [1] * 999])
def test_the_wrong_number_of_weights(search, weights):
    with pytest.raises(ValueError, match="weights are needed"):
        search.order_weights = weights


@pytest.mark.parametrize(
    "changed",
    [
        {"hands": HANDS[:3]}, {"hands": [0] * 4}, {"hands": [2**64 - 1] * 4}, {"hands": [HANDS[0]] * 4}, {"trump": 4},
        {"hakem": -1}, {"leader": 4}, {"won": 7}, {"lost": -1}, {"won": 1}, {"trick": [1, 2, 4, 8]}, {"trick": [3]},
        {"trick": [0]}, {"trick": [1 << 14]}, {"keep": True},
    ],
    ids=str,
)  # fmt: skip
def test_positions_that_cannot_be(search, changed):
    with pytest.raises(ValueError, match=r"."):
        load(search, **changed)
    with pytest.raises(ValueError, match="no position is loaded"):
        search.value(0)


def test_questions_without_a_position(search):
    for ask in (lambda: search.value(2), lambda: search.card_values(2, -7, 7), lambda: search.reaches(0, 1)):
        with pytest.raises(ValueError, match="no position is loaded"):
            ask()
    load(search)
    search.points_of_worlds(WORLDS[:1], 0, 0, MARGINS)
    with pytest.raises(ValueError, match="no position is loaded"):
        search.value(2)


def test_only_what_is_left_of_the_same_deal_can_be_kept(search):
    load(search)
    load(search, keep=True)
    for changed in ({"hands": [*HANDS[1:], HANDS[0]]}, {"trump": 2}, {"hakem": 1}):
        load(search)
        with pytest.raises(ValueError, match="of the same deal"):
            load(search, keep=True, **changed)


@pytest.mark.parametrize(("lo", "hi"), [(7, -7), (0, 7), (-7, 0), (-8, 7), (-7, 8), (5, 2), (2**31 - 1, 2**31 - 1)])
def test_values_that_are_none(search, lo, hi):
    load(search)
    with pytest.raises(ValueError, match="two margins"):
        search.card_values(2, lo, hi)


def test_values_that_the_tricks_lost_rule_out(search):
    # Found by fuzzing: the interval of a card was empty and was narrowed for ever.
    position = FIRST
    while sum(position.won) < 4:
        position = position.play(next(iter(position.legal_cards())))
    lost = position.other_tricks
    won = position.hakem_tricks
    load(search, hands=[hand.bits for hand in position.hands], leader=position.leader, won=won, lost=lost)
    assert search.card_values(2, won - 7, 7 - lost)
    for lo, hi in ((won - 8, -1), (1, 8 - lost), (8 - lost, 8 - lost)):
        with pytest.raises(ValueError, match="two margins that it can have"):
            search.card_values(2, lo, hi)


def test_questions_that_are_none(search):
    load(search)
    for objective in (-1, 3, 2**31 - 1):
        with pytest.raises(ValueError, match="an objective is a number"):
            search.value(objective)
    held = CARDS.tolist()
    for bit in (-1, 13, 64, 2**31 - 1, next(bit for bit in range(13) if bit not in held)):
        with pytest.raises(ValueError, match="no card that may be played"):
            search.reaches(bit, 1)
    for margin in (-8, 0, 8, 2**31 - 1):
        with pytest.raises(ValueError, match="no margin"):
            search.reaches(held[0], margin)


@pytest.mark.parametrize(
    ("worlds", "points"),
    [
        (None, MARGINS), (WORLDS, None), (WORLDS, MARGINS[:2]), (WORLDS[:, :3], MARGINS),
        (WORLDS.reshape(-1), MARGINS),
        (WORLDS.astype(np.int64), MARGINS), (WORLDS.tolist(), MARGINS), (WORLDS * 0, MARGINS),
        (WORLDS, MARGINS.tobytes()),
    ],
)  # fmt: skip
def test_worlds_to_be_solved_that_do_not_fit(search, worlds, points):
    with pytest.raises(REFUSED):
        search.points_of_worlds(worlds, 0, 3, points)


# The sampler


@pytest.mark.parametrize(
    "arguments",
    [
        ([0] * 3, 15, [4, 0, 0, 0], [0] * 4), ([0] * 4, 15, [4, 0, 0], [0] * 4), ([0] * 4, 15, [4, 0, 0, 0], [0] * 5),
        ([0] * 4, 15, [5, 0, 0, -1], [0] * 4), ([0] * 4, 15, [1, 1, 1, 0], [0] * 4),
        ([0] * 4, 15, [2, 2, 0, 0], [1, 1, 0, 0]),
        ([0] * 4, 15, [1, 1, 1, 1], [2, 0, 0, 1]),
    ],
)  # fmt: skip
def test_hidden_hands_that_cannot_be(arguments):
    with pytest.raises(ValueError, match=r"."):
        _sample.Sampler(*arguments)


def test_places_for_worlds_that_do_not_fit():
    sampler = _sample.Sampler([0] * 4, 15, [1] * 4, [0] * 4)
    read_only = np.zeros((3, 4), np.uint64)
    read_only.flags.writeable = False
    for out in (
        None,
        np.zeros((3, 3), np.uint64),
        np.zeros(12, np.uint64),
        np.zeros((3, 4)),
        read_only,
        WORLDS[:, ::-1],
    ):
        with pytest.raises(REFUSED):
            sampler.fill(out, 1)
        with pytest.raises(REFUSED):
            sampler.fill_all(out, 1)


# Records and policies


@pytest.mark.parametrize(
    "arguments", [(-1, 0), (4, 0), (0, -1), (0, 4), (0, 0, [13]), (0, 0, [-1]), (0, 0, [64]), (0, 0, [5, 5])]
)
def test_records_that_cannot_be(module, arguments):
    with pytest.raises(ValueError, match=r"no card that may be played|numbers from 0 to 3"):
        module.Record(*arguments)


def test_no_card_after_the_end(module):
    record = module.Record(0, 3)
    bits = iter(bit for bit in range(64) if bit % 16 < 13)
    while not record.over:
        record.play(next(bits))
    for ask in (
        lambda: record.play(next(bits)),
        lambda: module.Policy("greedy").choose(record, 1),
        lambda: module.Policy("greedy").next_cards(record, WORLDS[:0], np.zeros(3, np.int32)),
    ):
        with pytest.raises(ValueError, match=r"after the end|is over"):
            ask()


@pytest.mark.parametrize("hand", [0, 1 << 13, HANDS[0] | 1 << 13, HANDS[0] | HANDS[1], 2**64 - 1])
def test_hands_that_do_not_fit(module, policy, record, hand):
    rows = np.zeros((13, module.MOST_LOOK_UPS), np.int32)
    for ask in (policy.choose, policy.scores, lambda *seen: module.features(*seen, rows)):
        with pytest.raises(ValueError, match="a hand holds"):
            ask(record, hand)


def test_cards_that_must_not_be_chosen_may_be_left_out_of_a_hand(policy, record):
    legal = record.legal(HANDS[0])
    for bit in (bit for bit in range(64) if legal >> bit & 1):
        assert policy.choose(record, 1 << bit) == bit


@pytest.mark.parametrize("shape", [(3, 14), (13, 3), (0, 0), (13, 15)])
def test_features_need_room(module, record, shape):
    with pytest.raises(ValueError, match="features need shape"):
        module.features(record, HANDS[0], np.zeros(shape, np.int32))


@pytest.mark.parametrize(
    ("kind", "weights", "temperature"),
    [
        ("clever", None, 0), ("learned", None, 0), ("learned", np.zeros((2, 2), np.int16), 0), (None, None, 0),
        ("learned", learned_weights().astype(float), 0), ("learned", learned_weights(), -1),
        ("learned", learned_weights(), float("nan")), ("learned", learned_weights(), 1e30),
    ],
)  # fmt: skip
def test_policies_that_cannot_be(module, kind, weights, temperature):
    with pytest.raises(REFUSED):
        module.Policy(kind, weights, temperature)


@pytest.mark.parametrize(
    "worlds",
    [
        None, WORLDS[:, :3], WORLDS * 0, WORLDS[:, [0, 0, 0, 0]], WORLDS[:, ::-1], WORLDS.astype(float), WORLDS[0],
        WORLDS | np.uint64(1 << 14), np.concatenate([WORLDS, WORLDS]),
    ],
)  # fmt: skip
def test_worlds_to_be_played_that_do_not_fit(policy, record, worlds):
    for ask in (
        lambda: policy.play_out(record, worlds, MARGINS),
        lambda: policy.next_cards(record, worlds, np.zeros(3, np.int32)),
        lambda: policy.card_margins(record, worlds, CARDS, PLACES),
        lambda: policy.look_ahead_wins(record, worlds, CARDS, PLACES),
    ):
        with pytest.raises(REFUSED):
            ask()


@pytest.mark.parametrize("call", ["card_margins", "look_ahead_wins"])
@pytest.mark.parametrize(
    ("cards", "places"),
    [
        (None, PLACES), (CARDS, None), (CARDS, PLACES[:1]), (CARDS, PLACES[:, :2].copy()),
        (CARDS.astype(float), PLACES),
        (np.array([64], np.int32), PLACES), (np.array([-1], np.int32), PLACES), (np.array([13], np.int32), PLACES),
        (np.setdiff1d(np.arange(13, dtype=np.int32), CARDS), PLACES), (CARDS, PLACES.T),
    ],
)  # fmt: skip
def test_cards_to_be_played_that_do_not_fit(policy, record, call, cards, places):
    with pytest.raises(REFUSED):
        getattr(policy, call)(record, WORLDS, cards, places)


def test_no_record_at_all(module, policy):
    for ask in (
        lambda: policy.choose(None, HANDS[0]),
        lambda: policy.scores(None, HANDS[0]),
        lambda: policy.play_out(None, WORLDS, MARGINS),
        lambda: module.features(None, HANDS[0], np.zeros((13, module.MOST_LOOK_UPS), np.int32)),
    ):
        with pytest.raises(TypeError):
            ask()
