"""Records as JSON and as text: what is read, what is written, and what an error names."""

import json
import math
from dataclasses import replace

import pytest
from support import load_jsonl

from hokm_solver.cards import Seat
from hokm_solver.errors import HokmError
from hokm_solver.records import record_from_json, record_from_text, record_to_json, record_to_text
from hokm_solver.rules import Rules

STORED = [entry["record"] for entry in load_jsonl("records")]
WHOLE = STORED[0]
RICH = {
    **{"format": "hokm-record", "version": 1, "event": "Nowruz, deal 3", "date": "1404/1/1"},
    **{"players": {"N": "سارا", "S": 'Ali "the fox" \\ Reza'}, "hakem": "N", "trump": "D"},
    **{key: WHOLE[key] for key in ("first_five", "hands", "plays")},
    **{"score": {"NS": 3, "WE": 5}, "rules": {"kot": 3, "second_ace": True}},
    **{"Site": "Tehran", "arena": {"ms": [1, None], "deep": []}, "north": "x", "a b": "c", "Room": 7, "play": "p"},
}
RICH_TEXT = r"""[Version "1"]
[Event "Nowruz, deal 3"]
[Date "1404/1/1"]
[North "سارا"]
[South "Ali \"the fox\" \\ Reza"]
[Hakem "N"]
[Trump "D"]
[FirstFive "9S KD 6H JD TH"]
[Deal "N:94.KT64.KJT7432. AJ752.95.A8.KT82 KT3.QJ8.Q95.A654 Q86.A732.6.QJ973"]
[Score "NS:3,WE:5"]
[Rules "kot=3 second_ace=true"]
[Site "Tehran"]
[Extra "{\"arena\": {\"ms\": [1, null], \"deep\": []}, \"north\": \"x\", \"a b\": \"c\", \"Room\": 7, \"play\": \"p\"}"]
[Play "N"]
KD 6D QD AD
9H TH 2H QH
"""


@pytest.mark.parametrize("obj", [*STORED, RICH])
def test_what_is_written_is_what_was_read(obj):
    record = record_from_json(obj)
    assert record_to_json(record) == obj
    assert list(record_to_json(record)) == list(obj)
    assert record_from_text(record_to_text(record)) == record
    assert json.dumps(record_to_json(record)).startswith('{"format": "hokm-record"')


def test_the_text_of_a_record():
    record = record_from_json({**RICH, "plays": WHOLE["plays"][:8]})
    assert record_to_text(record) + "\n" == RICH_TEXT
    assert record_from_text(RICH_TEXT) == record
    # Clockwise after N comes E, though W plays next.
    assert record_to_json(record)["hands"]["E"] == "AJ752.95.A8.KT82"


def test_what_is_not_known_is_not_written():
    least = {"format": "hokm-record", "hakem": "N", "hands": WHOLE["hands"]}
    record = record_from_json(least)
    assert record_to_json(record) == {**least, "version": 1, "plays": []}
    assert "Play" not in record_to_text(record)
    empty = {"trump": None, "first_five": None, "score": None, "rules": None, "players": None, "event": None}
    assert record_from_json(least | empty | {"plays": None}) == record


def test_rules_that_are_the_default_ones_are_not_written():
    record = record_from_json(WHOLE | {"rules": {"kot": 2, "match_length": 5}})
    assert record.rules == Rules(match_length=5)
    assert record_to_json(record)["rules"] == {"match_length": 5}


def test_cards_may_be_written_in_many_ways():
    other = {
        "hakem": "north",
        "trump": "خشت",
        "first_five": "9♠ K♦ 6♥ J♦ 10♥",
        "hands": "E:aj752.95.a8.k1082 KT3.QJ8.Q95.A654 Q86.A732.6.QJ973 94.K1064.KJ107432.",
        "plays": " ".join(WHOLE["plays"]).lower(),
    }
    assert record_from_json(WHOLE | other) == record_from_json(WHOLE)


def test_text_may_be_written_in_many_ways():
    text = RICH_TEXT.replace("[Hakem ", "[ HAKEM").replace('[Play "N"]', '% comment\n[pLAY "north"] ; comment')
    text = text.replace("KD 6D QD AD\n9H", "KD 6D QD ; queen\n\n; nothing\nA♦ 9♥").replace("\n", "\r\n")
    text = text.replace("kot=3 ", "kot=03,")
    assert record_from_text(text) == record_from_text(RICH_TEXT)


def test_half_a_character_survives():
    record = record_from_json(WHOLE | {"event": "\ud800", "date": "\x1b[2J\n\t\x00"})
    text = record_to_text(record)
    assert text.encode()
    assert record_from_text(text) == record


JSON_ERRORS = {
    "no object": ([], "a record is a JSON object, not a list", None),
    "another format": ({**WHOLE, "format": "pgn"}, 'format must be "hokm-record", not "pgn"', "format"),
    "no format": ({"hakem": "N"}, 'format must be "hokm-record"', "format"),
    "another version": ({**WHOLE, "version": 2}, "version must be 1, not 2", "version"),
    "true as version": ({**WHOLE, "version": True}, "version must be 1, not true", "version"),
    "no hands": ({**WHOLE, "hands": None}, "hands are missing", "hands"),
    "hands as a list": ({**WHOLE, "hands": []}, "hands must be an object", "hands"),
    "no hakem": ({**WHOLE, "hakem": None}, "hakem is missing", "hakem"),
    "an unknown hakem": ({**WHOLE, "hakem": "Q"}, 'hakem: unknown seat "Q"', "hakem"),
    "an unknown trump": ({**WHOLE, "trump": "NT"}, 'trump: unknown suit "NT"', "trump"),
    "a number as trump": ({**WHOLE, "trump": 1}, "trump must be text, not 1", "trump"),
    "an unknown card": ({**WHOLE, "plays": ["KD", "1D"]}, 'plays[1]: unknown rank "1"', "plays[1]"),
    "plays as a number": ({**WHOLE, "plays": 7}, "plays must be a list of cards or a string", "plays"),
    "a card twice in a text": ({**WHOLE, "plays": "KD KD"}, "plays[1]: trick 1: W cannot play KD, a card", "plays[1]"),
    "a bad text": ({**WHOLE, "plays": "KD ??"}, 'plays: "??" is not a card', "plays"),
    "a score of another side": ({**WHOLE, "score": {"EW": 1}}, 'score names an unknown side "EW"', "score"),
    "half a score": ({**WHOLE, "score": {"NS": 1.5}}, "score.NS must be a whole number", "score.NS"),
    "a house rule": (
        {**WHOLE, "rules": {"bam": True}},
        'rules: house rule "bam" (playing on after 7-0) is not played here',
        "rules",
    ),
    "an unknown rule": ({**WHOLE, "rules": {"kott": 3}}, 'rules: unknown rule "kott"', "rules"),
    "rules that make no game": ({**WHOLE, "rules": {"kot": 0}}, "rules: kot must be at least 1, not 0", "rules"),
    "rules as text": ({**WHOLE, "rules": "kot=3"}, "rules must be an object", "rules"),
    "a player without a seat": ({**WHOLE, "players": {"X": "a"}}, 'players names an unknown seat "X"', "players"),
    "a player without a name": ({**WHOLE, "players": {"N": 5}}, "players.N must be text, not 5", "players.N"),
    "players as a list": ({**WHOLE, "players": ["a"]}, "players must be an object", "players"),
    "an event that is no text": ({**WHOLE, "event": {}}, "event must be text, not an object", "event"),
    "an endless number": ({**WHOLE, "x": [math.inf]}, '"x" holds what cannot be written as JSON', "x"),
}


@pytest.mark.parametrize("case", JSON_ERRORS)
def test_json_that_is_no_record(case):
    obj, message, field = JSON_ERRORS[case]
    with pytest.raises(HokmError) as caught:
        record_from_json(obj)
    assert message in str(caught.value)
    assert caught.value.field == field


def changed(old, new):
    assert old in RICH_TEXT
    return RICH_TEXT.replace(old, new)


TEXT_ERRORS = {
    "no tag": (changed('[Hakem "N"]', "Hakem N"), 6, '"Hakem N" is no tag'),
    "half a tag": (changed('[Trump "D"]', '[Trump "D"'), 7, "is no tag"),
    "an unknown hakem": (changed('[Hakem "N"]', '[Hakem "Q"]'), 6, 'hakem: unknown seat "Q"'),
    "no hakem": (changed('[Hakem "N"]', "; gone"), 16, "hakem is missing"),
    "a tag twice": (changed('[Trump "D"]', '[hakem "N"]'), 7, "tag hakem comes twice, first in line 6"),
    "a free tag twice": (changed('[Trump "D"]', '[Site "x"]'), 12, "tag Site comes twice, first in line 7"),
    "a bad deal": (changed("94.KT64", "94.KT65"), 9, "hands: duplicate card 5H: in the hands of N and E"),
    "a bad hand": (changed("94.KT64", "94.KY64"), 9, 'hands: N: unknown rank "Y"'),
    "a bad score": (changed("NS:3,WE:5", "3-5"), 10, "score: a score is written NS:2,WE:3"),
    "a match that is over": (changed("NS:3,WE:5", "NS:9"), 10, "score: the match is over, NS has won"),
    "bad rules": (changed("kot=3", "kot=three"), 11, "rules: rules are written kot=3 second_ace=true"),
    "a rule twice": (changed("kot=3", "kot=3 kot=3"), 11, "rules: rules are written"),
    "a house rule": (changed("kot=3", "bam=true"), 11, 'rules: house rule "bam"'),
    "a bad version": (changed('Version "1"', 'Version "one"'), 1, 'version must be 1, not "one"'),
    "a bad backslash": (changed("\\\\ Reza", "\\ Reza"), 5, "South: "),
    "a bad card": (changed("9H TH", "9H T?"), 16, 'plays: unknown suit "?" in "T?"'),
    "a revoke": (changed("9H TH 2H QH", "9H TH 2H AC"), 16, "plays[7]: trick 2: S cannot play AC, a revoke"),
    "a card twice": (changed("9H TH", "9H KD"), 16, "plays[5]: trick 2: N cannot play KD, a card twice"),
    "another leader": (changed('Play "N"', 'Play "W"'), 14, 'plays: hakem N leads first, not "W"'),
    "an unknown leader": (changed('Play "N"', 'Play "?"'), 14, 'plays: unknown seat "?"'),
    "extra that is no object": (
        changed('[Site "Tehran"]\n[Extra "{', '[Extra "[]"]\n[Other "{'),
        12,
        "Extra holds a JSON",
    ),
    "extra with a field of ours": (changed('[Extra "{', '[Extra "{\\"hakem\\": 1, '), 13, '"hakem" cannot be given'),
    "extra with another tag": (changed('[Extra "{', '[Extra "{\\"Site\\": 1, '), 13, '"Site" cannot be given'),
    "a name of JSON as a tag": (changed('[Site "Tehran"]', '[first_five "AS"]'), 12, '"first_five" cannot be given'),
}


@pytest.mark.parametrize("case", TEXT_ERRORS)
def test_text_that_is_no_record(case):
    text, line, message = TEXT_ERRORS[case]
    with pytest.raises(HokmError) as caught:
        record_from_text(text)
    assert message in str(caught.value)
    assert caught.value.line == line


def test_a_name_for_each_seat():
    names = {seat: seat.name * 3 for seat in Seat}
    text = record_to_text(replace(record_from_json(WHOLE), players=names))
    for seat, word in zip(Seat, ("North", "West", "South", "East")):
        assert f'[{word} "{seat.name * 3}"]' in text
    assert record_from_text(text).players == names
