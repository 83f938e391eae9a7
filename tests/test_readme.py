"""What README.md and docs/ show is what happens: every Python session and every command in them is run."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from examples import blocks, commands, run_python, same_output

import hokm_solver
from hokm_solver.records import read_records

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PERSIAN = ROOT / "README.fa.md"
PAGES = sorted([ROOT / "README.md", PERSIAN, *DOCS.rglob("*.md")])
OTHERS = [ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
LINK = re.compile(r"\[[^\]]*\]\((?!https?:)(?P<file>[^)#\s]*)(?:#(?P<heading>[^)\s]*))?\)")
LANGUAGES = {"python", "console", "json", "sh", "text"}
SECONDS = 120


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Runs a command line in a given directory, as if the package under test were installed."""
    tools = tmp_path_factory.mktemp("bin")
    python = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n'
    solver = f"#!{sys.executable}\nfrom hokm_solver.cli import main\nmain()\n"
    for name, text in (("python", python), ("hokm-solver", solver)):
        (tools / name).write_text(text, encoding="utf-8")
        (tools / name).chmod(0o755)
    package = Path(hokm_solver.__file__).parent.parent
    paths = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(package)}
    environment = os.environ | paths | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80"}

    def run(command, directory):
        done = subprocess.run(
            ["bash", "-c", command], cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8", timeout=SECONDS, check=False,
        )  # fmt: skip
        return done.stdout

    return run


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_sessions(page):
    failures = run_python(page)
    assert not failures, "".join(failures)


@pytest.mark.skipif(os.name == "nt", reason="console blocks are written for bash")
@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_commands(page, shell, tmp_path):
    shutil.copytree(DOCS / "examples", tmp_path / "examples")
    for command in commands(page):
        got = shell(command.text, tmp_path)
        where = f"{page.name}, line {command.line}: {command.text}"
        assert same_output(command.output, got), f"{where}\n--- shown\n{command.output}\n--- printed\n{got}"


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in LINK.finditer(page.read_text(encoding="utf-8")):
        target = (page.parent / link["file"]) if link["file"] else page
        assert target.exists(), link[0]
        if link["heading"]:
            assert link["heading"] in headings(target), link[0]


def headings(page: Path) -> set[str]:
    """The names by which the headings of a page are linked to."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.name)
def test_every_block_says_what_it_is(page):
    fences = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(fences[::2]) <= LANGUAGES
    assert set(fences[1::2]) <= {""}


@pytest.mark.parametrize("name", ["debian", "try", "test"])
def test_commands_for_a_fresh_machine(name):
    # .ci/run looks for these marks and runs what follows.
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count(f"<!-- command: {name} -->\n```sh\n") == 1
    command = text.split(f"<!-- command: {name} -->\n```sh\n")[1].split("\n```")[0]
    assert "\n" not in command
    assert command in [body.strip() for body, _ in blocks(ROOT / "README.md", "sh")]
    assert f"run_readme {name}" in ci() or f"command_of {name}" in ci()


def test_sessions_of_the_readme_with_python_started_in_the_clone():
    """There the sources come first, so the compiled modules must be among them: the commands install with -e."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"pip install (\S+)", text.replace("`pip install .`", "")) == ["-e"] * 3
    code = f"import sys; sys.path.insert(1, {str(ROOT / 'tests')!r}); import pathlib, examples\n"
    code += "print(*examples.run_python(pathlib.Path('README.md')))"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment | {"PYTHONIOENCODING": "utf-8"}, capture_output=True,
        encoding="utf-8", timeout=SECONDS, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == ""


def ci() -> str:
    return (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_pictures_of_the_search(monkeypatch):
    """They show what their command draws today."""
    monkeypatch.syspath_prepend(str(DOCS))
    import draw_search

    for name, picture in draw_search.pictures().items():
        assert (DOCS / "images" / name).read_text(encoding="utf-8") == picture


def test_the_match_of_the_tutorial(monkeypatch):
    """The program plays a match to its end, and writes what stands in the file, apart from cards and calls."""
    monkeypatch.syspath_prepend(str(DOCS / "examples"))
    import play_match

    played = play_match.play_match(seed=3)
    assert played[0].score == (0, 0)
    for before, after in itertools.pairwise(played):
        assert sum(before.score) < sum(after.score)
    with (DOCS / "examples" / "match.pbn").open("rb") as stream:
        kept = list(read_records(stream))
    assert [record.event for record in kept[:3]] == [record.event for record in played[:3]]


def test_picture_of_the_readme(monkeypatch):
    """It shows what the adviser says of the five cards in the README today."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import draw_advice

    assert draw_advice.FIVE in (ROOT / "README.md").read_text(encoding="utf-8")
    assert draw_advice.picture(hokm_solver.advise(draw_advice.FIVE)) == draw_advice.PICTURE.read_text(encoding="utf-8")


def test_the_persian_page_has_the_commands_of_the_english_one():
    english = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = [body for body, _ in blocks(PERSIAN, "sh")]
    assert len(shown) == 4
    assert not [block for block in shown if block not in english]


def test_the_persian_page_shows_persian():
    shown = commands(PERSIAN)
    assert shown
    assert all(" --lang fa " in command.text for command in shown)
