"""Tables over many reviews, and where records are found."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import pytest
from support import load_jsonl

from hokm_solver.cards import Seat
from hokm_solver.errors import FieldError
from hokm_solver.records import record_from_json
from hokm_solver.review import Summary, review
from hokm_solver.review.archive import record_files

RECORDS = [record_from_json(entry["record"]) for entry in load_jsonl("records")]
NAMES = {Seat.N: "Sara", Seat.W: "علی", Seat.S: "=1+1, \"x\"", Seat.E: "Mina"}  # fmt: skip
TURNED = {seat: NAMES[seat.next] for seat in Seat}
NAMED = [replace(record, players=NAMES if place != 1 else TURNED) for place, record in enumerate(RECORDS)]
REVIEWS = [review(record, advice_samples=4, known=True) for record in NAMED]
ANSWERS = [json.loads(json.dumps(each.to_json())) for each in REVIEWS]


def summary_of(answers):
    summary = Summary()
    assert all(summary.add(answer) for answer in answers)
    return summary


def test_a_row_for_every_player():
    summary = summary_of(ANSWERS)
    assert (summary.deals, summary.unjudged, summary.failed) == (3, 0, 0)
    assert [player.player for player in summary.players] == sorted(NAMES.values())
    for player in summary.players:
        seats = [next(seat for seat in Seat if each.record.players[seat] == player.player) for each in REVIEWS]
        totals = [each.of_seat(seat) for each, seat in zip(REVIEWS, seats)]
        signs = [1 if seat.side == each.record.hakem.side else -1 for each, seat in zip(REVIEWS, seats)]
        assert player.deals == 3
        assert player.cost == pytest.approx(mean(each.cost for each in totals))
        assert player.cost_se == pytest.approx(stdev(each.cost for each in totals) / 3**0.5)
        assert player.margin_cost == pytest.approx(mean(each.margin_cost for each in totals))
        assert player.known_cost == pytest.approx(mean(each.known_cost for each in totals), abs=1e-5)
        assert player.points == pytest.approx(mean(s * each.balance.result for s, each in zip(signs, REVIEWS)))
        assert player.luck == pytest.approx(mean(s * each.balance.luck for s, each in zip(signs, REVIEWS)), abs=1e-5)
        for name in ("choices", "slips", "mistakes", "blunders"):
            assert getattr(player, name) == sum(getattr(each, name) for each in totals)
        calls = [each.trump_choice for each, seat in zip(REVIEWS, seats) if seat == each.record.hakem]
        assert player.calls == len(calls)
        assert player.call_cost == (pytest.approx(mean(call.cost for call in calls)) if calls else None)
        behind = [call.behind[0] for call in calls]
        assert player.call_behind == (pytest.approx(mean(behind)) if calls else None)
    assert sum(player.calls for player in summary.players) == 3


def test_what_was_not_asked_for_is_empty():
    summary = summary_of([review(RECORDS[0], advice_samples=0).to_json()])
    assert [player.player for player in summary.players] == ["(E)", "(N)", "(S)", "(W)"]
    assert {player.known_cost for player in summary.players} == {None}
    assert {player.cost_se for player in summary.players} == {None}
    north = summary.players[1]
    assert (north.calls, north.call_cost, north.call_behind) == (1, 0, None)


def test_what_cannot_be_judged_or_read_is_counted():
    open_trump = review(replace(RECORDS[0], trump=None), advice_samples=0).to_json()
    summary = summary_of([*ANSWERS, open_trump, {"line": 4, "error": {"code": "bad_field", "message": "no"}}])
    assert (summary.deals, summary.unjudged, summary.failed) == (3, 1, 1)
    assert summary.to_json()["players"] == summary_of(ANSWERS).to_json()["players"]


def test_csv_holds_the_same_as_json():
    summary = summary_of(ANSWERS)
    rows = list(csv.DictReader(io.StringIO(summary.to_csv())))
    players = summary.to_json()["players"]
    assert [list(row) for row in rows] == [list(player) for player in players]
    assert rows == [{key: "" if value is None else str(value) for key, value in player.items()} for player in players]
    assert summary.to_json()["schema"] == "hokm-solver/summary/1"


DAMAGE = {
    "nothing": lambda answer: answer.clear(),
    "another schema": lambda answer: answer.update(schema="hokm-solver/solve/1"),
    "no balance": lambda answer: answer.pop("balance"),
    "a list of seats": lambda answer: answer.update(seats=[]),
    "words for numbers": lambda answer: answer["seats"]["N"].update(cost="1"),
    "no number": lambda answer: answer["balance"].update(luck=float("nan")),
    "an endless number": lambda answer: answer["balance"].update(luck=10**400),
    "truth for a number": lambda answer: answer["seats"]["W"].update(slips=True),
    "an unknown hakem": lambda answer: answer.update(hakem="X"),
    "players as text": lambda answer: answer.update(players="Sara"),
    "a number as a name": lambda answer: answer.update(players={"N": 1}),
    "a call without a cost": lambda answer: answer["trump_choice"].update(cost=None),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_no_whole_review_is_not_counted(damage):
    answer = json.loads(json.dumps(ANSWERS[0]))
    DAMAGE[damage](answer)
    summary = Summary()
    assert not summary.add(answer)
    assert (summary.deals, summary.players) == (0, ())


def test_files_of_a_directory(tmp_path):
    for name in ("b.jsonl", "a.JSON", "notes.md", "deep/c.pbn", "deep/d.txt", "reviews.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    found = list(record_files([str(tmp_path)], str(tmp_path / "deep" / ".." / "reviews.jsonl")))
    expected = ["a.JSON", "b.jsonl", "deep/c.pbn", "deep/d.txt"]
    assert [Path(path).relative_to(tmp_path).as_posix() for path in found] == expected
    named = [str(tmp_path / "notes.md"), "-"]
    assert list(record_files(named)) == named


def test_no_name_is_no_directory():
    with pytest.raises(FileNotFoundError):
        list(record_files([""]))


def test_places_without_records(tmp_path):
    with pytest.raises(FieldError, match=r"holds no records: no file in it ends in \.json, \.jsonl, \.pbn, \.txt"):
        list(record_files([str(tmp_path)]))
    with pytest.raises(FileNotFoundError):
        list(record_files([str(tmp_path / "missing")]))
