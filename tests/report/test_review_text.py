"""Reviews for people, compared with files that were read by people; 80 columns whatever is in the record."""

import json
import re
from dataclasses import replace

import pytest
from goldens import check_golden
from support import load_jsonl

from hokm_solver.advice import Advice, TrumpValue
from hokm_solver.cards import Seat, Side, Suit
from hokm_solver.notation import parse_cards
from hokm_solver.records import Record, record_from_json
from hokm_solver.report.cells import cells
from hokm_solver.report.review import review_text, summary_text
from hokm_solver.report.text import plain
from hokm_solver.report.words import TERMINAL, TerminalWords
from hokm_solver.review import (
    Balance,
    KnownValue,
    PlayReview,
    Review,
    Summary,
    TrumpReview,
    review,
)  # fmt: skip
from hokm_solver.rules import Rules
from hokm_solver.table import TableAdvice, TableValue

PERSIAN = TerminalWords("fa")
RECORDS = [record_from_json(entry["record"]) for entry in load_jsonl("records")]
PLAYERS = {Seat.N: "Sara", Seat.W: "Alexander the Great of Macedon", Seat.S: "مهرداد", Seat.E: "x\x1b[31m\n"}
NAMED = replace(RECORDS[2], players=PLAYERS, event="Nowruz, deal 3", date="2025-03-21")


def advised(found, behind=0.12):
    """A review with advice made up here, since the values of samples may change."""
    seen, table = [], []
    for suit in (Suit.CLUBS, Suit.HEARTS, Suit.DIAMONDS, Suit.SPADES):
        lost = behind if suit == Suit.CLUBS else 0.0 if behind and suit == Suit.HEARTS else 0.3
        error = 0.09 if lost else 0.0
        seen.append(TrumpValue(suit, 0.62 - lost, 0.1, 0.6, 0.2, 0.0, lost, error, 200))
        table.append(TableValue(suit, 0.5 - 2 * lost, 0.02, 0.01, 0.6, 0.05, 0.0, 2 * lost, error / 6, 0.01, 6500))
    ranked = [tuple(sorted(values, key=lambda value: value.behind)) for values in (seen, table)]
    advice = Advice(parse_cards("TC 5C 2C 2H QH"), ranked[0], 0.8, 200, 1, TableAdvice(ranked[1]))
    return replace(found, trump_choice=replace(found.trump_choice, advice=advice))


def knowing(found):
    """A review with what could be known made up here, since the engine may come to play better."""
    plays = []
    for place, play in enumerate(found.plays):
        best = tuple(play.margins)[:6]
        cost = (0.0, 0.03, 0.4)[place % 3] if play.card not in best else 0.0
        value = KnownValue(0.1, 0.03, best, 0.1 + cost, cost, 0.05 if cost else 0.0, 1000)
        plays.append(play if play.forced else replace(play, known=value))
    return replace(found, plays=tuple(plays), known=True)


TEXTS = {
    "review.txt": lambda: review_text(advised(plain_review(NAMED))),
    "review_best_call.txt": lambda: review_text(advised(plain_review(NAMED), behind=0.0)),
    "review_known.txt": lambda: review_text(knowing(plain_review(NAMED))),
    "review_ascii.txt": lambda: plain(review_text(advised(plain_review(replace(NAMED, players={Seat.N: "W" * 20}))))),
    "review_early.txt": lambda: review_text(plain_review(replace(RECORDS[1], plays=RECORDS[1].plays[:10]))),
    "review_no_trump.txt": lambda: review_text(plain_review(replace(NAMED, trump=None), samples=4)),
    "review_no_plays.txt": lambda: review_text(plain_review(replace(RECORDS[0], plays=()))),
    "review_other_rules.txt": lambda: review_text(plain_review(replace(RECORDS[0], rules=Rules(kot=3)), samples=4)),
    "summary.txt": lambda: summary_text(summary()),
    "summary_known.txt": lambda: summary_text(summary(knowing, failed=2)),
    "review_fa.txt": lambda: review_text(advised(plain_review(NAMED)), PERSIAN),
    "review_known_fa.txt": lambda: review_text(knowing(plain_review(NAMED)), PERSIAN),
    "review_no_trump_fa.txt": lambda: review_text(plain_review(replace(NAMED, trump=None), samples=4), PERSIAN),
    "summary_known_fa.txt": lambda: summary_text(summary(knowing, failed=2), PERSIAN),
}


def plain_review(record, samples=0):
    if samples and record.rules == Rules():
        record = replace(record, first_five=None)  # asked for, and not to be had
    return review(record, advice_samples=samples)


def summary(change=advised, failed=0):
    made = Summary()
    for record in (NAMED, replace(RECORDS[0], players=PLAYERS), replace(RECORDS[1], trump=None)):
        made.add(change(plain_review(record)).to_json())
    for _ in range(failed):
        made.add({"line": 1, "error": {}})
    return made


@pytest.mark.parametrize("name", TEXTS)
def test_golden_text(name):
    text = TEXTS[name]()
    check_golden(name, text + "\n")
    assert max(map(cells, text.splitlines())) <= 80
    assert "\x1b" not in text


def test_golden_json():
    found = knowing(advised(plain_review(NAMED)))
    check_golden("review.json", json.dumps(found.to_json(), indent=1) + "\n")
    check_golden("summary.json", json.dumps(summary(knowing).to_json(), indent=1) + "\n")


def test_a_play_that_cost_nothing_needs_no_table():
    text = review_text(plain_review(replace(RECORDS[0], plays=RECORDS[0].plays[:4])))
    assert "no play cost anything" in text
    assert "turning points" not in text


def widest():
    """As much as there can be: every play a blunder with many better cards, and long names."""
    record = replace(RECORDS[0], players=dict.fromkeys(Seat, "W" * 300), event="E" * 300, date="D" * 300)
    cards = parse_cards("TS TH TD TC 9S 9H 9D 9C 8S 8H 8D 8C 7S")
    known = KnownValue(-2.9, 1.1, cards, -1.1, 1.11, 1.11, 1000)
    play = PlayReview(12, Seat.N, cards[0], {cards[0]: -7, **dict.fromkeys(cards[1:], 7)}, 7, -7, 1, known=known)
    plays = tuple(replace(play, trick=trick) for trick in range(1, 13) for _ in range(4))
    call = TrumpReview(Suit.DIAMONDS, dict.fromkeys(Suit, -7))
    return advised(Review(record, call, plays, (7, 6), True, Balance(0.43, -1.43, -10, -3), True), behind=1.11)


@pytest.mark.parametrize("words", [TERMINAL, PERSIAN])
def test_nothing_is_wider_than_80_columns(words):
    text = review_text(widest(), words)
    assert max(map(cells, text.splitlines())) <= 80
    assert text.count(f"{words.digits(10)}♠??") == 48
    made = Summary()
    for _ in range(3):
        made.add(replace(widest(), plays=widest().plays[:1]).to_json())
    assert max(map(cells, summary_text(made, words).splitlines())) <= 80


NAMES = {
    "Sara": "Sara",
    "x" * 17: "x" * 15 + "…",
    "a\x1b[2J\n": "a?[2J?",
    "نیم\u200cفاصله": "نیم\u200cفاصله",
    "\ud800": "?",
}


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    assert TERMINAL.name(name) == NAMES[name]


def test_marks_stand_for_what_the_table_says():
    found = plain_review(NAMED)
    text = review_text(found)
    marks = {"slip": "?!", "mistake": "?", "blunder": "??"}
    for play in found.plays:
        if play.kind != "ok":
            assert f"{play.card.pretty}{marks[play.kind]}" in text
            assert re.search(rf"^{play.trick} +{play.seat} {play.card.pretty} +{play.kind} ", text, re.MULTILINE)
        if play.forced:
            assert f"({play.card.pretty})" in text


def test_advice_without_a_call():
    text = review_text(advised(plain_review(replace(NAMED, trump=None))))
    assert "  call ♥: 0.50 points a deal at the table, ahead of ♣ by 0.24 ± 0.01\n" in text
    assert "  with all cards seen ♥ is best\n" in text
    assert "called" not in text


def test_a_record_without_anything_else():
    text = review_text(plain_review(Record(RECORDS[0].hands, Seat.N)))
    assert text.startswith("hakem N, trump not known\n")
    assert all(side.name + " " not in text for side in Side)
