"""``hokm-solver review --html`` and ``--svg``, ``solve --svg``: what is written, where, whole or not at all."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from click.testing import CliRunner
from support import load_jsonl

from hokm_solver.cards import Seat
from hokm_solver.cli import main, written
from hokm_solver.notation import position_from_text
from hokm_solver.records import record_from_json
from hokm_solver.report import page
from hokm_solver.report.diagram import Scene, diagram
from hokm_solver.report.page import review_page
from hokm_solver.report.review import review_text
from hokm_solver.review import review

STORED = [entry["record"] for entry in load_jsonl("records")]
RECORDS = [record_from_json(obj) for obj in STORED]
REVIEWS = [review(record, advice_samples=0) for record in RECORDS]
TWO_CARDS = ["N:A... ..K. .A..2 .KT..", "N", "S", "E", "9H 2H", "NS:6,WE:5"]
OPTIONS = ["--deal", "--hakem", "--trump", "--leader", "--trick", "--won"]


def run(*arguments, code=0, command="review"):
    result = CliRunner().invoke(main, [command, *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.json").write_text(json.dumps(STORED[0]))
    (tmp_path / "games.jsonl").write_text("\n".join(map(json.dumps, STORED)))
    return tmp_path


def judge(*arguments, code=0):
    return run(*arguments, "--advice-samples", "0", code=code)


def test_a_page_is_written_beside_the_text(here):
    result = judge("one.json", "--html", "one.html")
    assert result.stdout == review_text(REVIEWS[0]) + "\n"
    assert (here / "one.html").read_text(encoding="utf-8") == review_page(REVIEWS[:1])
    assert sorted(os.listdir(here)) == ["games.jsonl", "one.html", "one.json"]


def test_a_page_of_all_deals_in_order(here):
    judge("games.jsonl", "--html", "games.html", "--summary", "--jobs", "2")
    assert (here / "games.html").read_text(encoding="utf-8") == review_page(REVIEWS)


def test_a_record_that_cannot_be_read_is_not_on_the_page(here):
    (here / "games.jsonl").write_text("\n".join(["{}", json.dumps(STORED[1])]))
    judge("games.jsonl", "--html", "games.html", code=1)
    assert (here / "games.html").read_text(encoding="utf-8") == review_page(REVIEWS[1:2])
    (here / "games.jsonl").write_text("{}")
    judge("games.jsonl", "--html", "none.html", code=1)
    assert not (here / "none.html").exists()


@pytest.mark.parametrize("after", [0, 6, len(RECORDS[0].plays)])
def test_a_diagram_of_the_deal_or_later(here, after):
    judge("one.json", "--svg", "one.svg", *(["--after", after] if after else []))
    scene = Scene.of(RECORDS[0].positions()[after]) if after else Scene.of(RECORDS[0].deal, RECORDS[0].trump)
    drawn = (here / "one.svg").read_text(encoding="utf-8")
    assert drawn == diagram(scene) + "\n"
    ElementTree.fromstring(drawn)


def test_a_diagram_of_a_position(here):
    pairs = [text for pair in zip(OPTIONS, TWO_CARDS) for text in pair]
    run(*pairs, "--svg", "position.svg", command="solve")
    scene = Scene.of(position_from_text(*TWO_CARDS)[0])
    assert (here / "position.svg").read_text(encoding="utf-8") == diagram(scene) + "\n"
    run(*pairs[:4], *pairs[6:], "--svg", "position.svg", command="solve")
    assert (here / "position.svg").read_text(encoding="utf-8") == diagram(replace(scene, trump=None)) + "\n"


def refused(capsys, *arguments):
    """The exit code and the one line of a run that is refused."""
    with pytest.raises(SystemExit) as ended:
        main(["review", *arguments, "--advice-samples", "0"])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return ended.value.code, said.strip()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("one.json --html nowhere/page.html", 1, "error: nowhere/page.html: No such file or directory"),
        ("one.json --svg one.json/page.svg", 1, "error: one.json/page.svg: Not a directory"),
        ("one.json --html .", 2, "error: Invalid value for '--html': File '.' is a directory"),
        ("one.json --svg a.svg --after 49", 1, "error: --after 49: the record has 48 plays"),
        ("games.jsonl --svg a.svg", 1, "error: --svg draws one deal, and there are more records"),
        ("one.json --after 3", 2, "error: --after needs --svg"),
        ("one.json --html a.html --out b.jsonl", 2, "error: --html and --out exclude each other"),
        ("one.json --svg a.svg --out b.jsonl", 2, "error: --svg and --out exclude each other"),
    ],
)
def test_what_is_refused(here, capsys, arguments, code, message):
    found, said = refused(capsys, *arguments.split())
    assert (found, said.split(" (see")[0].removesuffix(".")) == (code, message)
    assert sorted(os.listdir(here)) == ["games.jsonl", "one.json"]


def test_no_diagram_behind_plays_of_an_unknown_trump(here, capsys):
    (here / "one.json").write_text(json.dumps({**STORED[0], "trump": None}))
    assert refused(capsys, "one.json", "--svg", "a.svg", "--after", "2") == (
        1,
        "error: the record does not say what was trump",
    )


def test_a_page_has_a_limit(capsys, monkeypatch):
    monkeypatch.setattr(page, "MOST_DEALS", 2)
    code, said = refused(capsys, "games.jsonl", "--html", "a.html")
    assert code == 2
    assert "error: a page holds 2 deals, and there are more records" in said


def test_solve_draws_no_batch():
    assert "--svg is for one position" in run("--batch", "x", "--svg", "y", command="solve", code=2).output


def test_an_old_file_stays_when_the_new_one_cannot_be_written(here, monkeypatch):
    target = here / "page.html"
    target.write_text("old")

    def full(self, data):
        self.touch()
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="No space left") as raised:
        written.write_whole(str(target), "new")
    assert raised.value.filename == str(target)
    assert target.read_text() == "old"
    assert sorted(os.listdir(here)) == ["games.jsonl", "one.json", "page.html"]


def test_a_link_stays_a_link_and_a_pipe_is_written_to(here):
    (here / "real.html").write_text("old")
    (here / "link.html").symlink_to("real.html")
    written.write_whole("link.html", "دل")
    assert (here / "link.html").is_symlink()
    assert (here / "real.html").read_text(encoding="utf-8") == "دل"
    written.write_whole(os.devnull, "gone")
    assert not (here / "real.html").samefile(os.devnull)


@pytest.mark.parametrize(
    "arguments",
    [
        "games.jsonl --html games.jsonl",
        "games.jsonl --html ./games.jsonl --summary",
        "one.json --svg one.json",
        "one.json --html link.json",
        ". --html games.jsonl",
        "one.json --html new.x --svg new.x",
        "one.json --out one.json",
        "link.json --out one.json",
    ],
)
def test_what_is_read_or_written_already_is_not_overwritten(here, capsys, arguments):
    (here / "link.json").symlink_to("one.json")
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    code, said = refused(capsys, *arguments.split(), "--advice-samples", "0")
    assert code == 2
    assert "cannot be written: the command uses it otherwise" in said
    assert {path.name: path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("options", [[], ["--json"], ["--summary"]])
def test_the_page_is_written_though_nobody_reads_the_text(here, options):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "hokm_solver", "review", "games.jsonl", "--advice-samples", "0", *options]
    with os.fdopen(writing, "wb") as nobody:
        ran = subprocess.run([*command, "--html", "a.html"], stdout=nobody, stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert (here / "a.html").read_text(encoding="utf-8") == review_page(REVIEWS)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_page_to_standard_output_that_is_a_pipe(here):
    command = [sys.executable, "-m", "hokm_solver", "review", "one.json", "--advice-samples", "0", "--summary"]
    ran = subprocess.run([*command, "--html", "/dev/stdout"], capture_output=True, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(review_page(REVIEWS[:1]))


def test_a_directory_that_cannot_be_read_is_told(here, capsys, monkeypatch):
    def walk(top, onerror):
        yield top, [], ["one.json"]
        onerror(PermissionError(13, "Permission denied", "closed"))

    monkeypatch.setattr("os.walk", walk)  # the administrator may read everything
    assert refused(capsys, ".", "--summary") == (1, "error: closed: Permission denied")


def test_players_are_on_the_diagram(here):
    named = {**STORED[0], "players": {"N": "Sara"}}
    (here / "one.json").write_text(json.dumps(named))
    judge("one.json", "--svg", "one.svg")
    assert (here / "one.svg").read_text(encoding="utf-8") == diagram(
        Scene.of(RECORDS[0].deal, RECORDS[0].trump, {Seat.N: "Sara"})
    ) + "\n"
