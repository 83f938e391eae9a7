"""``hokm-solver review``: one record or many, text, JSON, tables, files that can be continued, what is refused."""

import csv
import io
import json
import shlex

import pytest
from click.testing import CliRunner
from support import load_jsonl

from hokm_solver.cli import main
from hokm_solver.records import format_record, record_from_json
from hokm_solver.report.review import review_text
from hokm_solver.review import review

STORED = [entry["record"] for entry in load_jsonl("records")]
RECORDS = [record_from_json(obj) for obj in STORED]
REVOKE = {**STORED[0], "plays": ["KD", "6D", "TS"]}
PLAIN = ["--advice-samples", "0"]


def run(*arguments, data=None, code=0):
    result = CliRunner().invoke(main, ["review", *arguments], input=data)
    assert result.exit_code == code, result.stderr
    return result


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(map(json.dumps, STORED)))
    return path


@pytest.fixture
def one(tmp_path):
    path = tmp_path / "one.json"
    path.write_text(json.dumps(STORED[0], indent=2))
    return path


def test_json_of_one_record(one):
    result = run(str(one), "--json", "--advice-samples", "4")
    expected = review(RECORDS[0], advice_samples=4).to_json()
    assert json.loads(result.stdout) == json.loads(json.dumps(expected))
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""
    advice = expected["trump_choice"]["advice"]
    assert (advice["schema"], advice["samples"], advice["seed"]) == ("hokm-solver/advise/1", 4, 1)


def test_text_of_one_record(one):
    assert run(str(one), *PLAIN).stdout == review_text(review(RECORDS[0], advice_samples=0)) + "\n"


def test_several_records_are_answered_in_order(games):
    for jobs in ("1", "3"):
        result = run(str(games), "--json", *PLAIN, "--jobs", jobs)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert answers == [json.loads(json.dumps(review(r, advice_samples=0).to_json())) for r in RECORDS]
    text = run(str(games), *PLAIN).stdout
    assert text == "\n\n\n".join(review_text(review(record, advice_samples=0)) for record in RECORDS) + "\n"


def test_standard_input_in_either_form():
    as_text = "\n\n".join(format_record(record, "text") for record in RECORDS)
    as_json = "\n".join(map(format_record, RECORDS))
    one, two = (run("-", "--json", *PLAIN, data=data).stdout for data in (as_text, as_json))
    assert one == two


def test_a_bad_record_stops_no_other(games):
    lines = games.read_text().splitlines()
    games.write_text("\n".join([lines[0], "", json.dumps(REVOKE), lines[1]]))
    result = run(str(games), "--json", *PLAIN, code=1)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    message = "plays[2]: trick 1: S cannot play TS, a revoke: S holds QD 9D 5D and can follow suit"
    assert answers[1] == {"line": 3, "error": {"code": "revoke", "message": message}}
    assert [answer.get("hakem") for answer in answers] == ["N", None, "S"]
    assert result.stderr == f"error: line 3: {message}\n"
    result = run(str(games), *PLAIN, code=1)
    assert result.stdout.count("tricks won") == 2
    assert result.stderr == f"error: line 3: {message}\n"


def test_records_of_several_files_tell_where_they_are(games, one):
    games.write_text(games.read_text() + "\n{}\n")
    result = run(str(one), str(games), "--json", *PLAIN, code=1)
    places = [(answer["file"], answer["line"]) for answer in map(json.loads, result.stdout.splitlines())]
    assert places == [(str(one), 1), *((str(games), line) for line in (1, 2, 3, 4))]
    assert result.stderr == f'error: {games}, line 4: format must be "hokm-record"\n'
    assert f"{games}, line 2\nhakem S" in run(str(one), str(games), *PLAIN, code=1).stdout


def test_what_could_be_known(one):
    answer = json.loads(run(str(one), "--json", "--what-could-be-known", *PLAIN).stdout)
    for play in answer["plays"]:
        assert ("known" in play) == (not play["forced"])
    assert answer == json.loads(json.dumps(review(RECORDS[0], advice_samples=0, known=True).to_json()))
    assert "could know" in run(str(one), "--what-could-be-known", *PLAIN).stdout


def test_the_seed_decides(one):
    answers = [run(str(one), "--json", "--advice-samples", "4", "--seed", seed).stdout for seed in ("1", "1", "2")]
    assert answers[0] == answers[1] != answers[2]


def test_a_summary_as_text_json_and_csv(games, tmp_path):
    text = run(str(games), "--summary", *PLAIN).stdout
    assert text.startswith("3 deals judged\n\nplayer ")
    answer = json.loads(run(str(games), "--summary", "--json", *PLAIN).stdout)
    assert (answer["schema"], answer["deals"]) == ("hokm-solver/summary/1", 3)
    rows = list(csv.DictReader(io.StringIO(run(str(games), "--summary", "--csv", *PLAIN).stdout)))
    assert [row["player"] for row in rows] == ["(E)", "(N)", "(S)", "(W)"]
    assert [int(row["blunders"]) for row in rows] == [player["blunders"] for player in answer["players"]]


def test_a_summary_of_a_directory_with_a_bad_record(games, one, tmp_path):
    games.write_text(games.read_text() + "\n{}\n")
    result = run(str(tmp_path), "--summary", *PLAIN, code=1)
    assert result.stdout.startswith("4 deals judged, 1 record that could not be read\n")
    assert result.stderr == f'error: {games}, line 4: format must be "hokm-record"\n'


# Files that can be continued


def out_of(tmp_path, games, *options, code=0):
    return run(str(games), "--out", str(tmp_path / "out"), *PLAIN, *options, code=code)


def test_an_unfinished_file_is_continued(tmp_path, games):
    games.write_text(games.read_text() + "\n{}\n")
    whole = out_of(tmp_path, games, "--summary", code=1).stdout
    out = tmp_path / "out"
    written = out.read_bytes()
    assert [("schema" in line, "error" in line) for line in map(json.loads, written.splitlines())] == [
        *[(True, False)] * 3,
        (False, True),
    ]
    for end in (0, 10, len(written) // 2, len(written) - 20, len(written)):
        out.write_bytes(written[:end])
        assert out_of(tmp_path, games, "--summary", code=1).stdout == whole
        assert out.read_bytes() == written


def test_reviews_in_the_directory_of_the_records_are_no_records(tmp_path, games):
    arguments = [str(tmp_path), "--out", str(tmp_path / "reviews.jsonl"), "--summary", *PLAIN]
    assert run(*arguments).stdout == run(*arguments).stdout
    assert (tmp_path / "reviews.jsonl").read_bytes().count(b"\n") == 3


@pytest.mark.parametrize("options", ["--seed 2", "--what-could-be-known", "--advice-samples 2"])
def test_other_options_are_other_questions(tmp_path, games, options):
    out_of(tmp_path, games)
    before = (tmp_path / "out").read_bytes()
    result = out_of(tmp_path, games, *options.split(), code=1)
    assert "its line 1 does not answer the question asked there" in result.stderr
    assert (tmp_path / "out").read_bytes() == before


def test_damaged_reviews_are_refused_by_number(tmp_path, games):
    out_of(tmp_path, games)
    out = tmp_path / "out"
    lines = out.read_text().splitlines()
    answer = json.loads(lines[1])
    del answer["seats"]
    out.write_text("\n".join([lines[0], json.dumps(answer), lines[2]]) + "\n")
    result = out_of(tmp_path, games, "--summary", code=1)
    assert "its line 2 does not answer" in result.stderr
    assert result.stderr.count("\n") == 1


# What is wrong


def test_a_record_alone_that_is_wrong(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(REVOKE))
    result = run(str(path), code=1)
    assert result.stdout == ""
    assert result.stderr.startswith("error: line 1: plays[2]: trick 1: S cannot play TS, a revoke")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["", "\n\n", "% only a comment\n"])
def test_a_file_without_records(tmp_path, text):
    path = tmp_path / "empty.pbn"
    path.write_text(text)
    for options in ([], ["--json"], ["--summary"], ["--out", str(tmp_path / "out")]):
        result = run(str(path), *options, code=1)
        assert result.stderr == f"error: no record in {path}\n"
        assert result.stdout == ""


WRONG_COMMAND_LINES = {
    "": "a file with records is needed, - for standard input (see 'hokm-solver review --help')",
    "x --csv": "--csv needs --summary",
    "x --summary --csv --json": "--csv and --json exclude each other",
    "x --advice-samples 1": "--advice-samples is 0 or at least 2",
    "x --advice-samples -1": "-1 is not in the range 0<=x<=10000000",
    "x --seed -1": "-1 is not in the range",
    "x --jobs 0": "0 is not in the range x>=1",
    "x --table-mb 0": "0 is not in the range 1<=x<=4096",
}


@pytest.mark.parametrize("arguments", WRONG_COMMAND_LINES)
def test_a_wrong_command_line(arguments):
    result = run(*shlex.split(arguments), code=2)
    assert WRONG_COMMAND_LINES[arguments] in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("missing.json", "missing.json: No such file or directory"),
        (". --summary", ". holds no records"),
        ("- --out .", ".: Is a directory"),
        ("- missing.json", "missing.json: No such file or directory"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments.split(), data=json.dumps(STORED[0]), code=1)
    assert message in result.stderr
    assert result.stdout == ""
