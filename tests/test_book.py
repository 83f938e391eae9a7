"""The book of five-card hands: built in parts as in one go, packed, and looked up under any names of suits."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from itertools import permutations
from random import Random
from zipfile import ZipFile

import numpy as np
import pytest

from hokm_solver import defaults
from hokm_solver.book import GOAL, MOST_WORLDS, OUTCOMES, Book, Plan, build, pack
from hokm_solver.cards import Card, CardSet, Suit
from hokm_solver.errors import BookError, DealError, JournalError
from hokm_solver.fives import CLASSES, HANDS, hand_of
from hokm_solver.journal import Journal
from hokm_solver.table import table_values, values_of_counts

SMALL = Plan(seed=5, classes=24)
BUILD = [sys.executable, "-m", "hokm_solver", "book", "build"]


def built(plan, path, jobs=1):
    with Journal(path) as journal:
        list(build(plan, journal, jobs))
    return path


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    return built(SMALL, tmp_path_factory.mktemp("book") / "book.jsonl")


@pytest.fixture(scope="module")
def book(journal):
    pack(SMALL, journal, journal.with_name("book.zip"))
    return Book(journal.with_name("book.zip"))


def test_the_command_line_knows_the_number_of_classes():
    assert defaults.CLASSES == CLASSES
    assert HANDS == 2_598_960


def test_jobs_and_interruptions_change_nothing(journal, tmp_path):
    whole = journal.read_bytes()
    assert built(SMALL, tmp_path / "two", jobs=2).read_bytes() == whole
    (tmp_path / "torn").write_bytes(whole[: len(whole) // 2])
    assert built(SMALL, tmp_path / "torn").read_bytes() == whole


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_build_that_is_killed_again_and_again_ends_with_the_same_bytes(jobs, tmp_path):
    rng = Random(jobs)
    parts = tmp_path / "parts.jsonl"
    ask = [*BUILD, "--classes", "60", "--seed", "5", "--jobs", jobs, "--out"]
    for _ in range(4):
        running = subprocess.Popen([*ask, str(parts)])
        time.sleep(rng.uniform(0.2, 0.9))
        running.send_signal(signal.SIGKILL)
        running.wait()
    subprocess.run([*ask, str(parts)], check=True)
    assert parts.read_bytes() == built(Plan(5, 60), tmp_path / "whole").read_bytes()


def test_another_plan_is_refused(journal):
    before = journal.read_bytes()
    for plan in (Plan(6, SMALL.classes), Plan(5, SMALL.classes - 1)):
        with pytest.raises(JournalError, match="cannot continue"):
            built(plan, journal)
    assert journal.read_bytes() == before


def test_the_two_best_suits_are_known_apart(journal):
    for line in journal.read_text("utf-8").splitlines():
        answer = json.loads(line)
        points = [np.dot(counts, [1, 2, -1, -3]) / sum(counts) for counts in answer["outcomes"]]
        second = sorted(set(points), reverse=True)[1]
        assert answer["behind_se"][points.index(second)] <= GOAL or sum(answer["outcomes"][0]) == MOST_WORLDS
        assert answer["behind_se"][points.index(max(points))] == 0


def test_the_book_says_what_fresh_playouts_say(book):
    for number in range(0, SMALL.classes, 5):
        five = hand_of(number)
        fresh = {value.trump: value for value in table_values(five, 4000, seed=99)}
        for value in book.lookup(five):
            other = fresh[value.trump]
            error = (value.points_se**2 + other.points_se**2) ** 0.5
            assert abs(value.points - other.points) < 4.5 * error


def test_renamed_suits_have_the_same_values(book):
    five = hand_of(21)
    values = {value.trump: value for value in book.lookup(five)}
    for names in permutations(Suit):
        twin = CardSet.of(Card(names[card.suit], card.rank) for card in five)
        for value in book.lookup(twin):
            mine = values[Suit(names.index(value.trump))]
            assert (value.points, value.win, value.worlds) == (mine.points, mine.win, mine.worlds)


def test_values_of_counts_agree_with_values_of_the_same_worlds():
    """A world of every outcome for each trump, many times over: the joint count is not needed for these figures."""
    counts = np.array([[700, 100, 190, 10], [500, 50, 430, 20], [400, 30, 540, 30], [300, 10, 640, 50]])
    assert [outcome.value for outcome in OUTCOMES] == ["win", "kot", "loss", "hakem_koti"]
    values = values_of_counts(counts, dict.fromkeys(Suit, 0.02))
    assert [value.trump for value in values] == list(Suit)
    assert all(value.worlds == 1000 and value.behind_se == 0.02 for value in values)
    assert values[0].points > values[1].points > values[2].points > values[3].points
    for value in values:
        assert value.points == pytest.approx(2 * value.win - 1 + value.kot - 2 * value.hakem_koti)


def test_hands_beyond_the_end_of_a_book(book):
    with pytest.raises(BookError, match=r"^the book holds 24 classes, and this is number 24$"):
        book.lookup(hand_of(SMALL.classes))
    with pytest.raises(DealError, match="5 different cards"):
        book.lookup(list(hand_of(3))[:4])


@pytest.mark.parametrize("content", [b"", b"PK nonsense", b"{}"])
def test_what_is_no_book(content, tmp_path):
    path = tmp_path / "no.zip"
    path.write_bytes(content)
    with pytest.raises(BookError, match=r"no\.zip is no book"):
        Book(path)


def test_an_archive_of_something_else(tmp_path):
    path = tmp_path / "other.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("readme", "hello")
    with pytest.raises(BookError, match="is no book"):
        Book(path)


def test_an_unfinished_or_foreign_file_is_not_packed(journal, tmp_path):
    lines = journal.read_bytes().splitlines(keepends=True)
    for name, content, message in [
        ("short", b"".join(lines[:-1]), "not finished: it holds 23 of 24 classes"),
        ("torn", b"".join(lines)[:-30], "line 24 is not class 23 of a book"),
        ("twice", lines[0] + b"".join(lines), "line 2 is not class 1 of a book"),
        ("words", b"hello\n", "line 1 is not class 0 of a book"),
    ]:
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(BookError, match=message):
            pack(SMALL, path, tmp_path / "out.zip")
        assert not (tmp_path / "out.zip").exists()
