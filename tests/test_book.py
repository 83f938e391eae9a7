"""The book of five-card hands: looked up under any names of suits, and what is wrong with files that are none."""

from __future__ import annotations

import json
import time
from importlib.resources import files
from itertools import permutations
from random import Random
from zipfile import ZipFile

import numpy as np
import pytest

from hokm_solver import book as shipped_book
from hokm_solver import defaults
from hokm_solver.book import FILE, PAIRS, SCHEMA, TABLE, UNIT, Book, shipped
from hokm_solver.book_building import Plan, build, pack, write
from hokm_solver.cards import FULL_SET, Card, CardSet, Suit
from hokm_solver.engine.policies import weights_mark
from hokm_solver.errors import BookError, DealError, FieldError, MatchError, NotationError
from hokm_solver.fives import CLASSES, HANDS, hand_of
from hokm_solver.journal import Journal
from hokm_solver.rules import FIRST_PACKET
from hokm_solver.solver import Solver
from hokm_solver.table import POINTS, points_of_counts, table_advice, table_values, values_of_counts

PLAN = Plan(seed=5, precision=0.1, worlds=300, exact=4)
SMALL = 24
FIVE = "A♥ Q♥ 9♥ K♣ 4♦"
SECONDS = 0.005  # a look-up may take


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    with Journal(folder / "book.jsonl") as journal:
        list(build(PLAN, journal, SMALL))
    pack(folder / "book.jsonl", folder / "book.zip", SMALL)
    return folder / "book.zip"


@pytest.fixture(scope="module")
def book(path):
    return Book(path)


def random_hands(n, seed=8):
    rng = Random(seed)
    return [CardSet.of(rng.sample(list(FULL_SET), FIRST_PACKET)) for _ in range(n)]


def renamed(five, names):
    return CardSet.of(Card(names[card.suit], card.rank) for card in five)


# The book of the package


def test_it_holds_every_hand():
    assert (defaults.CLASSES, HANDS) == (CLASSES, 2_598_960)
    about = shipped().about
    assert about["classes"] == CLASSES
    assert about["policy"] == weights_mark()
    assert Plan(**{name: about[name] for name in ("seed", "precision", "worlds", "exact", "policy")}) == Plan()


def test_the_two_best_suits_are_known_apart_in_every_hand():
    """The standard error of the difference, corrected as in a look-up, is at most 0.03 in all classes."""
    column = shipped().column()
    points = points_of_counts(column.counts)[0]
    order = np.argsort(-points, axis=1)
    every = np.arange(CLASSES)
    raw = column.errors[every, order[:, 0], order[:, 1]]
    assert raw.max() <= defaults.BOOK_PRECISION + 1e-4
    for number in np.argsort(-raw)[:300].tolist():
        best, second = shipped().lookup(hand_of(number))[:2]
        assert second.behind_se <= 0.03
        assert best.behind == best.behind_se == 0


def test_it_agrees_with_an_independent_run_of_the_adviser():
    wrong = 0
    for five in random_hands(25):
        fresh = table_advice(five, seed=2)
        found = shipped().lookup(five)
        for value in found:
            other = fresh.value(value.trump)
            assert abs(value.points - other.points) <= 4.5 * np.hypot(value.points_se, other.points_se)
        wrong += fresh.trumps[0].points - fresh.value(found[0].trump).points > 0.05
    assert wrong <= 1


def test_renamed_suits_have_the_same_values_exactly():
    for five in [*random_hands(20), *map(hand_of, range(0, CLASSES, CLASSES // 20))]:
        values = {value.trump: value for value in shipped_book.lookup(five)}
        for names in permutations(Suit):
            for value in shipped_book.lookup(renamed(five, names)):
                mine = values[Suit(names.index(value.trump))]
                assert value.to_json() == mine.to_json()


def test_a_look_up_is_quick():
    hands = random_hands(50)
    shipped().lookup(hands[0])
    begun = time.process_time()
    for five in hands:
        shipped().advise(five, (5, 6))
    assert (time.process_time() - begun) / len(hands) < SECONDS


def test_packing_what_it_holds_gives_the_same_parts(tmp_path):
    """Compared unpacked: another zlib may pack tighter."""
    column = shipped().column()
    errors = np.stack([column.errors[:, one, other] for one, other in PAIRS], axis=1)
    numbers = np.concatenate([column.counts.reshape(CLASSES, -1), np.rint(errors * UNIT)], axis=1)
    write(tmp_path / "again.zip", shipped().about, {TABLE: numbers.astype(np.uint16)})
    with ZipFile(tmp_path / "again.zip") as again, ZipFile(str(files("hokm_solver") / FILE)) as first:
        assert again.namelist() == first.namelist()
        assert all(again.read(name) == first.read(name) for name in again.namelist())


def test_hands_built_anew_are_those_it_holds():
    column, rng = shipped().column(), Random(4)
    for number in rng.sample(range(CLASSES), 20):
        answer = Plan().value(Solver(), number)
        assert column.counts[number].tolist() == answer["outcomes"]
        assert [column.errors[number][pair] for pair in PAIRS] == answer["difference_se"]


# Reading


def test_cards_in_any_form():
    values = shipped_book.lookup(FIVE)
    assert values[0].trump is Suit.HEARTS
    assert values == shipped_book.lookup("AHQH9HKC4D") == shipped_book.lookup(["A♥", "QH", "9H", "KC", "4D"])
    for cards, error in [("AH QH", NotationError), (["AH"] * 5, DealError), (list(hand_of(3))[:4], DealError)]:
        with pytest.raises(error):
            shipped_book.lookup(cards)
    with pytest.raises(FieldError, match="cards must be text"):
        shipped_book.lookup(5)


def test_advice_with_a_score(book):
    five = hand_of(7)
    advice = book.advise(five, (6, 4))
    assert advice.table.trumps == book.lookup(five)
    assert advice.table.score == (6, 4)
    assert advice.table.match[advice.call] == max(advice.table.match)
    entry = advice.to_json()
    assert (entry["best_match"], entry["trumps"][0]["trump"]) == (advice.call.letter,) * 2
    assert set(entry) == {
        "schema", "cards", "instant", "seed", "best_table", "score", "best_match", "match", "trumps"
    }  # fmt: skip
    with pytest.raises(MatchError):
        book.advise(five, (7, 0))


def test_all_cards_seen_are_a_column_of_their_own(book):
    five = hand_of(3)
    values = book.all_cards_seen(five)
    assert {value.trump for value in values} == set(Suit)
    assert all(value.samples == 4 for value in values)
    for value in values:
        assert value.points == pytest.approx(2 * value.win - 1 + value.kot - 2 * value.hakem_koti)
        assert value.points == pytest.approx(values[0].points - value.behind)
    with pytest.raises(BookError, match="built without values with all cards seen"):
        shipped().all_cards_seen(five)


def test_values_of_counts_agree_with_values_of_the_same_worlds():
    from hokm_solver.engine.trumps import trump_margins
    from hokm_solver.engine.worth import LARGEST_MARGIN
    from hokm_solver.engine.worth import POINTS as POINTS_OF_MARGINS

    for five in random_hands(5):
        fresh = table_values(five, 2000, 9)
        points = POINTS_OF_MARGINS[trump_margins(five, 2000, 9).astype(int) + LARGEST_MARGIN]
        counts = np.stack([[np.count_nonzero(column == worth) for worth in POINTS] for column in points.T])
        differences = points[:, :, None] - points[:, None, :]
        values = values_of_counts(counts, differences.std(axis=0, ddof=1) / 2000**0.5)
        for value, other in zip(values, fresh):
            assert value.behind_se == pytest.approx(other.behind_se, rel=0.02)
            assert (value.trump, value.points, value.win, value.kot) == (
                other.trump, other.points, other.win, other.kot
            )  # fmt: skip
            assert value.points_se == pytest.approx(other.points_se)
            assert value.behind_model_se == pytest.approx(other.behind_model_se)


def test_suits_whose_deals_all_ended_alike_have_no_error():
    counts = np.array([[9, 0, 0, 0], [0, 0, 9, 0], [0, 0, 9, 0], [0, 0, 0, 9]])
    values = values_of_counts(counts, np.zeros((4, 4)))
    assert [value.behind_se for value in values] == [0] * 4


# What is no book


def test_hands_beyond_the_end_of_a_book(book):
    with pytest.raises(BookError, match=r"^the book holds 24 classes, and this is number 24$"):
        book.lookup(hand_of(SMALL))


@pytest.mark.parametrize("content", [b"", b"PK nonsense", b"{}"])
def test_what_is_no_book(content, tmp_path):
    path = tmp_path / "no.zip"
    path.write_bytes(content)
    with pytest.raises(BookError, match=r"no\.zip is no book"):
        Book(path)


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({}, "is no book"),
        ([], "is no book"),
        ({"schema": "hokm-solver/book/2", "policy": "x"}, "of the kind hokm-solver/book/2"),
        ({"schema": SCHEMA, "policy": "0123"}, "made by the policy 0123 and this package has .*: build the book anew"),
    ],
)
def test_archives_of_something_else(about, message, tmp_path):
    path = tmp_path / "other.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("about.json", json.dumps(about))
    with pytest.raises(BookError, match=message):
        Book(path)


def test_a_damaged_book(path, tmp_path):
    content = path.read_bytes()
    for place in range(content.index(b"table/0") + 10, content.index(b"all_cards_seen/0") - 40, 97):
        broken = tmp_path / "broken.zip"
        broken.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :])
        with pytest.raises(BookError, match="damaged"):
            Book(broken).lookup(hand_of(0))
