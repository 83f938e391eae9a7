"""``hokm-solver solve``: one position from options, many from a file, JSON and text."""

import json

import pytest
from click.testing import CliRunner
from goldens import check_golden
from support import load_jsonl

from hokm_solver.cli import main
from hokm_solver.notation import position_from_json

DEAL = "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"
FULL = ["--deal", DEAL, "--hakem", "N"]
LATE = ["--deal", "N:A... ..K. .A..2 .KT..", "--hakem", "N", "--leader", "E", "--trick", "9H 2H", "--won", "NS:6,WE:5"]
STORED = load_jsonl("positions_play")[:40]


def run(*arguments, data=None, code=0):
    result = CliRunner().invoke(main, ["solve", *arguments], input=data)
    assert result.exit_code == code, result.stderr
    return result.stdout


def solve(*arguments):
    return json.loads(run(*arguments, "--json"))


def without_time(answer):
    """An answer without the only figure that may differ between runs."""
    parts = answer.get("trumps", {"": answer}).values()
    for part in parts:
        part.pop("seconds", None)
    return answer


def batch(lines, *arguments, code=0):
    return [
        without_time(json.loads(line)) for line in run("--batch", "-", *arguments, data=lines, code=code).splitlines()
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("margin", [*LATE, "--trump", "S", "--line"]),
        ("points", [*LATE, "--trump", "S", "--objective", "points"]),
        ("win", [*LATE, "--trump", "S", "--objective", "win", "--no-cards"]),
        ("trumps", [*LATE, "--line"]),
        ("full", [*FULL, "--trump", "H"]),
    ],
)
def test_text_and_json(name, arguments):
    answer = solve(*arguments)
    for part in answer.get("trumps", {"": answer}).values():
        assert part.pop("seconds") >= 0
        assert part.pop("nodes") >= 0  # how the search works may change
    check_golden(f"cli_solve_{name}.json", json.dumps(answer, indent=1) + "\n")
    check_golden(f"cli_solve_{name}.txt", run(*arguments))


def test_fields_of_the_contract():
    answer = solve(*LATE, "--trump", "S", "--line")
    fields = "schema hakem trump to_play objective points margin tricks cards exact line nodes seconds"
    assert list(answer) == fields.split()
    assert answer["schema"] == "hokm-solver/solve/1"
    assert (answer["hakem"], answer["trump"], answer["to_play"], answer["objective"]) == ("N", "S", "W", "margin")
    assert answer["tricks"] == {"NS": 7, "WE": 5}
    assert answer["exact"] is True


def test_no_cards_gives_the_same_value():
    answer = solve(*FULL, "--trump", "H", "--no-cards")
    assert "cards" not in answer
    assert answer["margin"] == solve(*FULL, "--trump", "H")["margin"]


def test_four_trumps_are_four_answers():
    together = solve(*FULL, "--no-cards")
    assert list(together["trumps"]) == ["S", "H", "D", "C"]
    for trump, part in together["trumps"].items():
        alone = solve(*FULL, "--no-cards", "--trump", trump)
        assert part["margin"] == alone["margin"]
        assert "schema" not in part


def test_options_are_read_as_forgivingly_as_cards():
    same = solve("--deal", DEAL, "--hakem", "N", "--trump", "♥", "--no-cards")
    for trump in ("H", "h", "دل"):
        assert without_time(solve(*FULL, "--trump", trump, "--no-cards")) == without_time(dict(same))


@pytest.mark.parametrize("extra", [["--max-nodes", "1"], ["--max-seconds", "0.000001"]])
def test_a_limit_gives_bounds(extra):
    answer = solve(*FULL, "--trump", "H", "--no-cards", *extra)
    if not answer["exact"]:  # a quick machine may be done before the clock is looked at
        low, high = answer["bounds"]["margin"]
        assert low <= solve(*FULL, "--trump", "H", "--no-cards")["margin"] <= high
    assert "stopped by the limit" in run(*FULL, "--trump", "H", "--no-cards", "--max-nodes", "1")


def test_stored_answers_through_a_batch():
    answers = batch("\n".join(map(json.dumps, STORED)))
    for stored, answer in zip(STORED, answers, strict=True):
        assert (answer["points"], answer["margin"]) == (stored["points"], stored["margin"])
        cards = {card["card"][::-1]: [card["points"], card["margin"]] for card in answer["cards"]}
        assert cards == stored["cards"]
        (position,) = position_from_json(stored)
        assert [card["card"] for card in answer["cards"]] == list(map(str, position.legal_cards()))


def test_jobs_change_nothing_but_time():
    lines = "\n".join(map(json.dumps, STORED))
    assert batch(lines, "--jobs", "1", "--line") == batch(lines, "--jobs", "3", "--line")


def test_single_answers_and_batches_agree():
    question = json.dumps({"deal": DEAL, "hakem": "N", "trump": None})
    (answer,) = batch(question, "--objective", "points")
    assert answer == without_time(solve(*FULL, "--objective", "points"))


def test_bad_lines_and_blank_lines():
    good = json.dumps(STORED[0])
    answers = batch(f"\ufeff{good}\r\n\r\n{{\r\n{good}\r\n[]", code=1)
    assert [answer.get("line") for answer in answers] == [None, 3, None, 5]
    assert answers[1]["error"]["code"] == "bad_json"
    assert answers[0] == answers[2]


def test_an_empty_batch():
    assert run("--batch", "-", data="") == ""


def test_batch_from_a_file(tmp_path):
    path = tmp_path / "positions.jsonl"
    path.write_text(json.dumps(STORED[0]))
    assert json.loads(run("--batch", str(path)))["margin"] == STORED[0]["margin"]


def test_out_is_continued_and_guarded(tmp_path):
    questions, out = tmp_path / "positions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text("\n".join([*map(json.dumps, STORED[:5]), "bad"]))
    arguments = ["--batch", str(questions), "--out", str(out)]
    assert run(*arguments, code=1) == ""
    full = out.read_bytes()
    assert full.count(b"\n") == 6
    out.write_bytes(full[: len(full) // 2])
    run(*arguments, code=1)
    redone = [without_time(json.loads(line)) for line in out.read_text().splitlines()]
    assert redone == [without_time(json.loads(line)) for line in full.splitlines()]
    before = out.read_bytes()
    for other in (["--objective", "win"], ["--no-cards"]):
        result = CliRunner().invoke(main, ["solve", *arguments, *other])
        assert result.exit_code == 1
        assert "cannot continue" in result.stderr
    questions.write_text("\n".join(map(json.dumps, STORED[5:11])))
    assert CliRunner().invoke(main, ["solve", *arguments]).exit_code == 1
    assert out.read_bytes() == before
