"""Asking for a record: what is given is not asked, what is wrong is asked again, and the end is a record."""

from dataclasses import replace

import pytest
from support import load_jsonl

from hokm_solver.cards import Seat
from hokm_solver.errors import DealError, HokmError, IllegalPlay
from hokm_solver.notation import format_cards, format_hand
from hokm_solver.records import record_from_json
from hokm_solver.records.dialog import ask_record

RECORD = record_from_json(load_jsonl("records")[0]["record"])
HANDS = [format_hand(hand) for hand in RECORD.hands]
DEAL = "N:94.KT64.KJT7432. AJ752.95.A8.KT82 KT3.QJ8.Q95.A654 Q86.A732.6.QJ973"
PLAYS = [format_cards(RECORD.plays[start : start + 4]) for start in range(0, len(RECORD.plays), 4)]


def talk(answers, given=None):
    """The record, and for every question its text and the complaint before it."""
    dialog, asked = ask_record(given or {}), []
    answers = iter(answers)
    question = next(dialog)
    try:
        while True:
            asked.append((question.text, question.complaint))
            question = dialog.send(next(answers))
    except StopIteration as end:
        assert next(answers, None) is None
        return end.value, asked


def test_everything_is_asked_for():
    record, asked = talk(["N", *HANDS[:3], "D", "9S KD 6H JD TH", "NS:3,WE:5", *PLAYS])
    assert record == replace(RECORD, score=(3, 5))
    assert [complaint for _, complaint in asked] == [None] * len(asked)
    assert asked[1][0] == "the deal (N:hand hand hand hand), or the hand of N: "
    assert asked[7][0] == "trick 1 (NS 0, WE 0), N plays (Enter: no more): "
    assert asked[8][0] == "trick 2 (NS 0, WE 1), E plays (Enter: no more): "


def test_what_is_given_is_not_asked_for():
    given = {
        "hakem": "N",
        "deal": DEAL,
        "trump": "♦",
        "first_five": "9S KD 6H JD TH",
        "score": "",
        "plays": " ".join(PLAYS),
    }
    dialog = ask_record(given)
    with pytest.raises(StopIteration) as end:
        next(dialog)
    assert end.value.value == RECORD


def test_enter_leaves_out_what_is_not_known():
    record, asked = talk(["north", DEAL, "", "", "", "KD 6D", ""])
    assert (record.trump, record.first_five, record.score, len(record.plays)) == (None, None, None, 2)
    assert asked[-1][0] == "card 3 and on (Enter: no more): "


def test_cards_may_come_one_by_one_and_many_at_once():
    record, asked = talk(["N", DEAL, "D", "", "", "KD", "6D QD", " ".join(PLAYS)[9:]])
    assert record.plays == RECORD.plays
    assert asked[6][0] == "trick 1 (NS 0, WE 0), W plays to K♦ (Enter: no more): "
    assert asked[7][0] == "trick 1 (NS 0, WE 0), E plays to K♦ 6♦ Q♦ (Enter: no more): "


WRONG_THEN_RIGHT = [
    (["X", "N"], 'unknown seat "X"'),
    (["AS", HANDS[0]], "1 card where 13 are needed"),
    ([" ".join(map(str, RECORD.hands[0])), HANDS[1], HANDS[2]], "it is in the hand of N already"),
    (["Q", "D"], 'unknown suit "Q"'),
    (["AS", ""], "1 card where 5 are needed"),
    (["NS:8", ""], "the match is over"),
    (["KD TS", "KD"], "plays[1]: trick 1: W cannot play TS, which W does not hold"),
    (["9D", ""], "plays[1]: trick 1: W cannot play 9D, which W does not hold"),
]


def test_what_is_wrong_is_asked_again():
    record, asked = talk([answer for answers, _ in WRONG_THEN_RIGHT for answer in answers])
    assert len(record.plays) == 1  # of a line with a wrong card nothing is taken
    said = [str(complaint) for _, complaint in asked if complaint]
    assert len(said) == len(WRONG_THEN_RIGHT)
    for complaint, (_, words) in zip(said, WRONG_THEN_RIGHT):
        assert words in complaint
    assert asked[1][0] == asked[0][0]


def test_the_last_hand_follows_from_the_others():
    record, _ = talk(["N", *HANDS[:3], "", "", "", ""])
    assert record.hands[Seat.E] == RECORD.hands[Seat.E]


@pytest.mark.parametrize(
    ("field", "text", "kind", "message"),
    [
        ("hakem", "Q", HokmError, '^hakem: unknown seat "Q"'),
        ("deal", "N:", HokmError, "^deal: 0 hands"),
        ("deal", DEAL.replace("94.", "9."), DealError, "^deal: N has 12 cards"),
        ("trump", "X", HokmError, '^trump: unknown suit "X"'),
        ("first_five", "AS KS QS JS TS", DealError, "^first_five: .S is in the first five"),
        ("score", "3-5", HokmError, "^score: a score is written"),
        ("plays", "KD KD", IllegalPlay, r"^plays\[1\]: trick 1: W cannot play KD, a card twice"),
    ],
)
def test_what_is_given_wrong_is_an_error(field, text, kind, message):
    given = {"hakem": "N", "deal": DEAL, "trump": "D", "first_five": "", "score": "", "plays": ""} | {field: text}
    with pytest.raises(kind, match=message):
        talk([], given)
