"""``hokm-solver book``: build, pack, look into."""

import json
import os

import pytest
from click.testing import CliRunner

from hokm_solver.book import shipped
from hokm_solver.cli import main
from hokm_solver.cli.output import Progress
from hokm_solver.report.text import book_text

ROUGH = ["--classes", "6", "--worlds", "200", "--precision", "0.5"]


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["book", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.output


def test_built_and_packed(tmp_path):
    lines, book = tmp_path / "lines", tmp_path / "book.zip"
    assert run("build", "--out", lines, *ROUGH) == f"{lines}: 6 hands\n"
    built = json.loads(run("build", "--out", lines, *ROUGH, "--json"))
    assert (built["file"], built["classes"], built["worlds"]) == (str(lines), 6, 200)
    packed = json.loads(run("pack", lines, "--into", book, "--classes", 6, "--json"))
    assert packed == built | {"file": str(book), "bytes": book.stat().st_size}
    first = book.read_bytes()
    assert run("pack", lines, "--into", book, "--classes", 6) == f"{book}: 6 hands, {len(first)} bytes\n"
    assert book.read_bytes() == first
    about = json.loads(run("about", book, "--json"))
    assert about == {name: packed[name] for name in packed if name not in ("file", "bytes")}
    assert run("about", book).startswith("6 hands, seed 1\n")


def test_values_with_all_cards_seen(tmp_path):
    run("build", "--out", tmp_path / "lines", *ROUGH, "--exact", 3)
    run("pack", tmp_path / "lines", "--into", tmp_path / "book.zip", "--classes", 6)
    assert run("about", tmp_path / "book.zip").endswith("deals solved with all cards seen: 3 for each hand\n")


def test_the_book_of_the_package():
    assert run("about") == book_text(shipped()) + "\n"
    assert "134,459 hands" in run("about")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["build"], 2),
        (["build", "--out", "lines", "--classes", "0"], 2),
        (["build", "--out", "lines", "--worlds", "1"], 2),
        (["build", "--out", "lines", "--worlds", "65536"], 2),
        (["build", "--out", "lines", "--exact", "1"], 2),
        (["build", "--out", "lines", "--precision", "nan"], 2),
        (["build", "--out", "lines", "--seed", "-1"], 2),
        (["build", "--out", "missing/lines"], 1),
        (["build", "--out", "."], 1),
        (["build", "--out", "words"], 1),
        (["pack", "missing", "--into", "book.zip"], 1),
        (["pack", "words", "--into", "book.zip"], 1),
        (["pack", "words"], 2),
        (["pack", "words", "--into", "words"], 2),
        (["pack", "lines", "--into", os.devnull, "--classes", "1"], 1),
        (["about", "words"], 1),
        (["about", "missing"], 1),
        (["about", "."], 1),
    ],
)
def test_what_cannot_be(arguments, code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words").write_text("hello\n")
    if "lines" in arguments and arguments[0] == "pack":
        CliRunner().invoke(main, ["book", "build", "--out", "lines", "--classes", "1", "--worlds", "2"])
    with pytest.raises(SystemExit) as end:
        main(["book", *arguments])
    assert end.value.code == code
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert (tmp_path / "words").read_text() == "hello\n"


def test_the_time_left(monkeypatch):
    """Told from the speed since the first part: what an earlier run has done took no time."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    progress = Progress("building")
    assert progress._left(0.5) == ""
    now[0] += 60
    assert progress._left(0.6) == " 0:04:00 left"
    now[0] += 3540
    assert progress._left(0.75) == " 1:00:00 left"
    assert progress._left(0.5) == ""
