"""Texts and figures in both languages: none is missing, and each reads as its language does."""

import string

import pytest

from hokm_solver.cards import PACK, Seat, Side, Suit
from hokm_solver.report.messages import LANGUAGES, MESSAGES
from hokm_solver.report.words import Words, isolated
from hokm_solver.review import reviewer

ENGLISH, PERSIAN = Words("en"), Words("fa")
PERSIAN_LETTERS = frozenset("ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیآئءأؤۀة")


def places(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("name", MESSAGES)
def test_every_message_is_there_in_both_languages(name):
    english, persian = MESSAGES[name]
    assert english.strip()
    assert persian.strip()
    assert places(english) == places(persian)
    assert not PERSIAN_LETTERS.intersection(english)
    assert PERSIAN_LETTERS.intersection(persian) or places(persian)
    assert not set("يك0123456789").intersection(persian), "Arabic letters or Latin digits"


def test_languages_have_a_direction():
    assert [(language, Words(language).direction) for language in LANGUAGES] == [("en", "ltr"), ("fa", "rtl")]


def test_reasons_of_reviews_are_known():
    for reason in (reviewer.NO_TRUMP, reviewer.NO_FIVE, reviewer.OTHER_POINTS):
        assert MESSAGES[reason][0] == reason


def test_numbers():
    assert ENGLISH.number(1234) == "1,234"
    assert PERSIAN.number(1234.5, 2) == "۱٬۲۳۴٫۵۰"
    assert [ENGLISH.signed(value) for value in (2, 0, -3)] == ["+2", "0", "−3"]
    assert [ENGLISH.signed(value, 2) for value in (0.57, -0.001)] == ["+0.57", "0.00"]
    assert [ENGLISH.signed(value) for value in (10**400, -(10**30))][1] == "−1" + 10 * ",000"
    assert PERSIAN.signed(0.001, 2) == "۰٫۰۰"
    assert PERSIAN.signed(-3) == "\u200e−۳"
    assert PERSIAN.estimate(0.18, 0.02) == "۰٫۱۸ ± ۰٫۰۲"
    assert [ENGLISH.points(count) for count in (1, 2)] == ["1 point", "2 points"]
    assert [ENGLISH.points(count, signed=True) for count in (-1, 2)] == ["−1 point", "+2 points"]


@pytest.mark.parametrize(
    ("margin", "english", "persian"),
    [
        (7, "kot 7–0", "کت ۷ بر ۰"),
        (3, "win 7–4", "برد ۷ بر ۴"),
        (-1, "loss 6–7", "باخت ۷ بر ۶"),
        (-7, "hakem koti 0–7", "حاکم کتی ۷ بر ۰"),
    ],
)
def test_results(margin, english, persian):
    assert ENGLISH.result(margin).replace("\u2060", "") == english
    assert PERSIAN.result(margin) == persian


def test_cards():
    card = next(card for card in PACK if str(card) == "TH")
    assert ENGLISH.card(card) == "\u206610♥\ufe0e\u2069"
    assert PERSIAN.card(card) == "\u2066۱۰♥\ufe0e\u2069"
    assert (ENGLISH.spoken(card), PERSIAN.spoken(card)) == ("ten of hearts", "ده دل")
    assert len({words.spoken(card) for words in (ENGLISH, PERSIAN) for card in PACK}) == 104
    assert [PERSIAN.suit(suit) for suit in Suit] == [suit.persian for suit in Suit]


def test_players_and_sides():
    assert ENGLISH.player(Seat.N, {}) == "North"
    assert PERSIAN.player(Seat.W, {Seat.W: "Sara"}) == "غرب (\u2068Sara\u2069)"
    assert [ENGLISH.side(side) for side in Side] == ["North–South", "West–East"]


def test_names_cannot_turn_the_direction_of_what_follows():
    name = isolated("a\u202eb\u2066c\u200f\n" + "x" * 100)
    assert name.startswith("\u2068a?b?c??x")
    assert name.endswith("…\u2069")
    assert len(name) == 42
