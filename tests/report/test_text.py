"""Text for people, compared with files that were read by people."""

import re
from dataclasses import replace

import pytest
from goldens import check_golden

from hokm_solver.advice import Advice, TrumpValue
from hokm_solver.cards import Suit
from hokm_solver.notation import parse_cards, position_from_text
from hokm_solver.reasons import reasons
from hokm_solver.report.advice import advice_line, advice_text, reasons_text
from hokm_solver.report.cells import cells, cut, filled
from hokm_solver.report.text import plain, solution_text, trumps_text
from hokm_solver.report.words import TERMINAL, TerminalWords
from hokm_solver.solver import Bounds, CardValue, Solution
from hokm_solver.table import TableAdvice, TableValue

PERSIAN = TerminalWords("fa")
FIVE = parse_cards("AH QH TH KC 4D")
LAST_TRICKS = {"deal": "N:A... ..K. .A..2 .KT..", "hakem": "N", "leader": "E", "trick": "9H 2H", "won": "NS:6,WE:5"}
SWEEP = {
    "deal": "N:AKQJT98... 765432.A.. .KQJT987.. .65432.AK.",
    "hakem": "N",
    "trump": "S",
    "leader": "N",
    "won": "NS:6,WE:0",
}


def trump_value(trump, points, win, kot, koti, behind):
    return TrumpValue(trump, points, 0.031, win, kot, koti, behind, 0.06 if behind else 0.0, 1000)


def table_value(trump, points, win, kot, koti, behind):
    error = 0.017 if behind else 0.0
    return TableValue(trump, points, 0.012, 0.014, win, kot, koti, behind, error, 0.011, 6500)


def table(*order, score=None, match=()):
    """Values at the table, hearts best unless another order is given."""
    values = ((0.77, 0.83, 0.12, 0.002), (0.25, 0.6, 0.06, 0.006), (0.16, 0.57, 0.05, 0.02), (-1.03, 0.2, 0.01, 0.22))
    order = order or (Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)
    trumps = (table_value(trump, *value, 0.77 - value[0]) for trump, value in zip(order, values))
    return TableAdvice(tuple(trumps), score, match)


OTHERS_FIRST = (Suit.CLUBS, Suit.HEARTS, Suit.DIAMONDS, Suit.SPADES)
AT_SIX_FOUR = {"score": (6, 4), "match": (0.401, 0.8104, 0.72, 0.8266)}


def advice(behind=0.41, confidence=0.997, at_table=None):
    trumps = (
        trump_value(Suit.HEARTS, 1.12, 0.862, 0.4, 0.002, 0.0),
        trump_value(Suit.CLUBS, 1.12 - behind, 0.7, 0.31, 0.0, behind),
        trump_value(Suit.DIAMONDS, 0.3, 0.5, 0.3, 0.0, 0.82),
        trump_value(Suit.SPADES, -1.25, 0.2, 0.05, 0.25, 2.37),
    )
    return Advice(FIVE, trumps, confidence, 1000, 1, at_table or table())


def raced(ended, precision=None, equal=(), confidence=0.9998):
    first, *rest = advice(0.01 if equal else 0.41).trumps
    trumps = [replace(value, samples=32 << number) for number, value in enumerate(rest)]
    samples = 1128 + first.samples
    return Advice(FIVE, (first, *trumps), confidence, samples, 1, table(), ended, precision, equal)


def card_values(position, objective, values):
    for card, (low, high) in zip(position.legal_cards(), values):
        bounds = Bounds(low, high)
        points = bounds.points(objective)
        known = objective == "margin" and low == high
        yield CardValue(card, points[0] if points[0] == points[1] else None, low if known else None, bounds)


def solution(position, objective, bounds, values=(), line=None):
    """A solution as a solver would give it, from the margins proved possible."""
    low, high = Bounds(*bounds).points(objective)
    cards = tuple(card_values(position, objective, values))
    exact = all(value.bounds.settled(objective) for value in cards) and Bounds(*bounds).settled(objective)
    margin = bounds[0] if objective == "margin" and bounds[0] == bounds[1] else None
    points = low if low == high else None
    return Solution(position, objective, points, margin, cards, exact, Bounds(*bounds), line, 12, 0.001)


def one(objective="margin"):
    (position,) = position_from_text(**LAST_TRICKS, trump="S")
    return solution(position, objective, (-1, -1), [(-1, -1), (2, 2)], line=parse_cards("KH AH"))


def four(objective="margin"):
    positions = position_from_text(**LAST_TRICKS)
    return [solution(position, objective, (2, 2), [(-1, -1), (2, 2)]) for position in positions]


def sweep(objective):
    (position,) = position_from_text(**SWEEP)
    return solution(position, objective, (7, 7), [(7, 7)] * 6 + [(-7, -7)])


def stopped():
    (position,) = position_from_text(**LAST_TRICKS, trump="S")
    return solution(position, "margin", (-1, 2), [(-1, 2), (1, 2)])


TEXTS = {
    "advice.txt": lambda: advice_text(advice()),
    "advice_close.txt": lambda: advice_text(advice(behind=0.0, confidence=0.514)),
    "advice_other.txt": lambda: advice_text(advice(at_table=table(*OTHERS_FIRST))),
    "advice_score.txt": lambda: advice_text(advice(at_table=table(**AT_SIX_FOUR))),
    "advice_plain.txt": lambda: plain(advice_text(advice())),
    "advice_decided.txt": lambda: advice_text(raced("decided", 0.05)),
    "advice_equal.txt": lambda: advice_text(raced("equal", 0.05, (Suit.HEARTS, Suit.CLUBS), 0.7)),
    "advice_time.txt": lambda: advice_text(raced("time", confidence=0.81)),
    "advice_ceiling.txt": lambda: plain(advice_text(raced("ceiling", 0.001, confidence=0.81))),
    "solve_margin.txt": lambda: solution_text(one()),
    "solve_points.txt": lambda: solution_text(one("points")),
    "solve_win.txt": lambda: solution_text(one("win")),
    "solve_sweep.txt": lambda: solution_text(sweep("margin")),
    "solve_sweep_points.txt": lambda: solution_text(sweep("points")),
    "solve_sweep_plain.txt": lambda: plain(solution_text(sweep("margin"))),
    "solve_stopped.txt": lambda: solution_text(stopped()),
    "solve_trumps.txt": lambda: trumps_text(four()),
    "solve_trumps_win.txt": lambda: trumps_text(four("win")),
}


PERSIAN_TEXTS = {
    "advice_fa.txt": lambda: advice_text(advice(), PERSIAN),
    "advice_score_fa.txt": lambda: advice_text(advice(at_table=table(**AT_SIX_FOUR)), PERSIAN),
    "advice_equal_fa.txt": lambda: advice_text(raced("equal", 0.05, (Suit.HEARTS, Suit.CLUBS), 0.7), PERSIAN),
    "advice_other_fa.txt": lambda: advice_text(advice(at_table=table(*OTHERS_FIRST)), PERSIAN),
    "reasons_fa.txt": lambda: reasons_text(reasons(FIVE, Suit.HEARTS, 300), PERSIAN),
}


@pytest.mark.parametrize("name", PERSIAN_TEXTS)
def test_persian_text(name):
    text = PERSIAN_TEXTS[name]()
    check_golden(name, text + "\n")
    assert not set("0123456789%").intersection(text)


@pytest.mark.parametrize("name", PERSIAN_TEXTS)
def test_columns_begin_in_the_same_cells_in_persian(name):
    tables = PERSIAN_TEXTS[name]().split("\n\n")
    for rows in (table.split("\n") for table in tables if "   " in table):
        starts = [{cells(row[: gap.end()]) for gap in re.finditer(" {3,}", row)} for row in rows]
        assert all(later <= starts[0] for later in starts)


def test_cells_of_a_terminal():
    assert [cells(text) for text in ("A♥", "بی\u200cبی", "\u2066−۳\u2069", "李", "é", "e\u0301")] == [2, 4, 2, 2, 1, 1]
    assert [cut(text, 5) for text in ("دل", "12345", "123456", "李李李")] == ["دل", "12345", "1234…", "李李…"]
    assert cut("e" + "\u0301" * 10**7, 5) == "e" + "\u0301" * 19 + "…"
    assert [len(filled(text, 5)) for text in ("دل", "李")] == [5, 4]


@pytest.mark.parametrize("name", TEXTS)
def test_text(name):
    check_golden(name, TEXTS[name]() + "\n")


def test_a_line_of_play_has_a_row_for_every_trick():
    pieces = {"deal": "N:.6.4.3 ...KJT .A.6.6 .98..A", "hakem": "S", "trump": "S", "leader": "S", "won": "NS:6,WE:4"}
    (position,) = position_from_text(**pieces)
    line = parse_cards("6C TC 3C AC 9H AH KC 6H")
    assert solution_text(solution(position, "win", (1, 1), line=line)).split("\n")[-4:] == [
        "best play:",
        "trick   leads   cards          wins",
        "11      S       6♣ 10♣ 3♣ A♣   W",
        "12      W       9♥ A♥ K♣ 6♥    S",
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_plain_text_is_ascii_and_keeps_its_columns(name):
    text = TEXTS[name]()
    assert plain(text).isascii()
    rows = [line for line in text.split("\n") if "   " in line]
    plain_rows = [line for line in plain(text).split("\n") if "   " in line]
    assert [len(row) for row in rows] == [len(row) for row in plain_rows]


def test_the_call_in_one_sentence():
    call = "call ♥: 0.77 points a deal at the table"
    assert advice_line(advice()) == f"{call}, ahead of ♣ by 0.52 ± 0.02"
    for behind in (0.0, 0.03):
        level = replace(table(), trumps=tuple(replace(value, behind=behind) for value in table().trumps))
        assert advice_line(advice(at_table=level)) == f"{call}, level with ♣ ({behind:.2f} ± 0.02)"
    score = "call ♣ at 6-4: 82.7 % to win the match, 81.0 % with ♥"
    assert advice_line(advice(at_table=table(**AT_SIX_FOUR))) == score


def test_what_the_other_answer_says():
    def seen(of):
        return advice_text(of).split("\n")[2]

    assert seen(advice()) == "with all cards seen ♥ is best too (chance >99 %)"
    other = advice(at_table=table(*OTHERS_FIRST))
    assert seen(other) == "with all cards seen ♥ is best (chance >99 %): the two answers disagree"
    close = "with all cards seen ♥ is best too (chance 51 %: close; more deals would tell more)"
    assert seen(advice(confidence=0.514)) == close


def test_cards_as_people_write_them():
    assert TERMINAL.cards(FIVE) == "A♥ Q♥ 10♥ K♣ 4♦"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (0.002, "<1 %"), (0.005, "1 %"), (0.5, "50 %"), (0.994, "99 %"), (0.9999, ">99 %"), (1, "100 %")],
)
def test_a_share_is_never_rounded_to_certainty(share, text):
    assert TERMINAL.percent(share) == text


def test_equal_suits_in_one_sentence():
    suits = (Suit.HEARTS, Suit.CLUBS, Suit.SPADES)
    for equal, said in ((suits[:2], "♥ or ♣"), (suits, "♥, ♣ or ♠")):
        text = f"with all cards seen {said}: equal within 0.125, 95 % sure"
        assert text in advice_text(raced("equal", 0.125, equal)).split("\n")


@pytest.mark.parametrize(
    ("chance", "text"), [(0.0, "<1 %"), (0.0001, "<1 %"), (0.25, "25 %"), (0.9951, ">99 %"), (1.0, ">99 %")]
)
def test_a_chance_is_never_certain(chance, text):
    assert TERMINAL.chance(chance) == text
    assert f"(chance {text}" in advice_text(advice(confidence=chance))
