"""A file of ``--out`` is continued by the command that began it, and by no other."""

import json

import pytest
from click.testing import CliRunner
from support import load_jsonl

from hokm_solver.cli import main

POSITIONS = [json.dumps(position) for position in load_jsonl("positions_play")[:4]]
HANDS = ["AH QH 9H KC 4D", "AS KS QS 2H 3H", "2C 3C 4C 5C 6D", "no hand"]
SOLVE = ["solve", "--no-cards", "--objective", "points"]
ADVISE = ["advise", "--samples", "4"]
WON = {"NS": 6, "WE": 6}


@pytest.fixture
def ask(tmp_path):
    """Ask a list of questions, with the answers in a file that stays from call to call."""

    def run(command, questions, *options):
        (tmp_path / "questions").write_text("\n".join(questions))
        paths = ["--batch", str(tmp_path / "questions"), "--out", str(tmp_path / "out")]
        return CliRunner().invoke(main, [*command, *options, *paths])

    return run


def refused(result):
    return result.exit_code == 1 and result.stderr.startswith("error: cannot continue ")


@pytest.mark.parametrize(("command", "questions"), [(SOLVE, POSITIONS), (ADVISE, HANDS)])
def test_a_cut_file_is_continued(ask, tmp_path, command, questions):
    ask(command, questions)
    full = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert len({answer["question"] for answer in full}) == 4
    out = tmp_path / "out"
    out.write_bytes(out.read_bytes()[:-30])
    assert not refused(ask(command, questions))
    again = [json.loads(line) for line in out.read_text().splitlines()]
    assert [answer["question"] for answer in again] == [answer["question"] for answer in full]


@pytest.mark.parametrize(("command", "questions"), [(SOLVE, POSITIONS), (ADVISE, HANDS)])
def test_other_questions_are_refused(ask, tmp_path, command, questions):
    ask(command, questions)
    before = (tmp_path / "out").read_bytes()
    one, two, three, four = questions
    for others in ([two, one, three, four], [one, two, four, three], [one, one, three, four], [one, two, three]):
        assert refused(ask(command, others))
    assert refused(ask(command, ["", *questions])) == ("error" in json.loads(before.splitlines()[-1]))
    assert (tmp_path / "out").read_bytes()[: len(before)] == before


@pytest.mark.parametrize("objective", ["points", "win", "margin"])
@pytest.mark.parametrize("cards", [["--no-cards"], []])
def test_a_deal_that_looks_alike_is_refused(ask, tmp_path, objective, cards):
    def position(one, two):
        return {"deal": f"N:A... {one} .A.. {two}", "hakem": "N", "leader": "N", "trump": "S", "won": WON}

    first, second = (json.dumps(position(*pair)) for pair in (("..K.", "..Q."), ("..Q.", "..K.")))
    ask(["solve", "--objective", objective, *cards], [first])
    before = (tmp_path / "out").read_bytes()
    assert refused(ask(["solve", "--objective", objective, *cards], [second]))
    assert (tmp_path / "out").read_bytes() == before


@pytest.mark.parametrize(
    "options", [["--line"], ["--max-nodes", "5"], ["--max-seconds", "9"], ["--objective", "win"]], ids=" ".join
)
def test_solve_with_other_options_is_refused(ask, tmp_path, options):
    ask(SOLVE, POSITIONS)
    before = (tmp_path / "out").read_bytes()
    assert refused(ask(SOLVE, POSITIONS, *options))
    assert refused(ask(["solve", "--objective", "points"], POSITIONS))
    assert (tmp_path / "out").read_bytes() == before


@pytest.mark.parametrize("options", [["--samples", "5"], ["--seed", "2"], ["--time", "1"]], ids=" ".join)
def test_advise_with_other_options_is_refused(ask, tmp_path, options):
    ask(["advise"], HANDS, "--samples", "4")
    before = (tmp_path / "out").read_bytes()
    others = options if options[0] in ("--samples", "--time") else ["--samples", "4", *options]
    assert refused(ask(["advise"], HANDS, *others))
    assert (tmp_path / "out").read_bytes() == before


def test_a_race_knows_its_precision(ask):
    assert ask(["advise"], HANDS[:1], "--precision", "1").exit_code == 0
    assert ask(["advise"], HANDS[:1], "--precision", "1").exit_code == 0
    for others in (["--precision", "2"], ["--precision", "1", "--time", "60"], ["--samples", "4"]):
        assert refused(ask(["advise"], HANDS[:1], *others))


def test_advise_by_the_clock_knows_its_time(ask):
    assert ask(["advise"], HANDS[:1], "--time", "0.05").exit_code == 0
    assert ask(["advise"], HANDS[:1], "--time", "0.05").exit_code == 0
    assert refused(ask(["advise"], HANDS[:1], "--time", "0.06"))


def test_another_spelling_is_the_same_question(ask):
    ask(ADVISE, HANDS[:2])
    assert ask(ADVISE, ["a♥ q♥ 9♥ k♣ 4♦", "ASKSQS2H3H"]).exit_code == 0
    assert refused(ask(ADVISE, ["QH AH 9H KC 4D", HANDS[1]]))


def test_a_file_of_the_other_command_is_refused(ask):
    ask(SOLVE, POSITIONS)
    assert refused(ask(ADVISE, HANDS))


@pytest.mark.parametrize(
    "damage",
    [
        lambda answer: {},
        lambda answer: [],
        lambda answer: {"schema": answer["schema"]},
        lambda answer: {"question": answer["question"]},
        lambda answer: {**answer, "question": [answer["question"]]},
        lambda answer: {**answer, "question": None},
        lambda answer: {**answer, "error": {}},
    ],
)
def test_damaged_lines_are_refused_by_number(ask, tmp_path, damage):
    ask(SOLVE, POSITIONS)
    out = tmp_path / "out"
    lines = out.read_text().splitlines()
    lines[2] = json.dumps(damage(json.loads(lines[2])))
    out.write_text("\n".join(lines) + "\n")
    before = out.read_bytes()
    result = ask(SOLVE, POSITIONS)
    assert refused(result)
    assert "its line 3 " in result.stderr
    assert result.stderr.count("\n") == 1
    assert out.read_bytes() == before
