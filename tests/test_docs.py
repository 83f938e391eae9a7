"""Nothing is left out: every command, option, field, error and public name is documented, every help has examples."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import hokm_solver
import hokm_solver.advice  # now, because it reads a default that a test below changes
from hokm_solver import defaults, engine, errors, records, review
from hokm_solver.book import shipped
from hokm_solver.cli import main

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # behind everything else: an installed package must not be hidden by the sources
from benchmarks import book_rules  # noqa: E402

DOCS = ROOT / "docs"
FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")
TWO_CARDS = '--hakem N --leader E --won NS:6,WE:5 --deal "N:A...A ..K.3 .A..2 .KT.." '
FIVE = "AH QH 9H KC 4D"
RECORD = ROOT / "tests" / "data" / "record.pbn"
TYPED = """N
N:94.KT64.KJT7432. AJ752.95.A8.KT82 KT3.QJ8.Q95.A654 Q86.A732.6.QJ973
D
9S KD 6H JD TH

KD 6D QD AD
"""
SHELL_OPTIONS = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}
# What the shells do when somebody types "hokm-solver re" and Tab; of zsh, whose completion needs a terminal, only the
# names of what would be offered.
ASK_FOR_COMPLETION = {
    "bash": """
complete -p hokm-solver >&2
COMP_WORDS=(hokm-solver re) COMP_CWORD=1
_hokm_solver_completion hokm-solver
echo "${COMPREPLY[@]}"
""",
    "zsh": """
[[ -n ${_comps[hokm-solver]} ]] || exit 1
compadd() { :; }
_describe() { print -l -- ${(P)3} }
words=(hokm-solver re) CURRENT=2
${_comps[hokm-solver]}
""",
    "fish": """
complete --do-complete "hokm-solver re" | string split --fields 1 \\t
""",
}
QUESTIONS = [
    f"solve --json --line {TWO_CARDS} --trump S",
    f"solve --json {TWO_CARDS}",
    f"solve --json {TWO_CARDS} --objective win",
    "solve --json --max-nodes 1 --hakem N --trump S --deal "
    '"N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"',
    f"advise --json --samples 4 {FIVE}",
    f"advise --json --precision 1 {FIVE}",
    "advise --batch - --json",
    "arena greedy random --pairs 2 --json",
    "equity --json",
    f"advise --instant --json --score 3-4 {FIVE}",
    "book about --json",
    f"review --json --advice-samples 4 --what-could-be-known {RECORD}",
    f"review --json --advice-samples 0 --summary {RECORD}",
    f"review --json --advice-samples 0 {RECORD} {RECORD}",
    f"record convert {RECORD}",
]


def section(text: str, heading: str) -> str:
    """The part of a page under a heading, up to the next one of the same or a higher level."""
    level = len(heading) - len(heading.lstrip("#"))
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{level}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {heading}"
    return found[1]


def command(name: str) -> click.Command:
    """The command of a name like ``solve`` or ``record new``; the whole program without a name."""
    found: click.Command = main
    for word in name.split():
        assert isinstance(found, click.Group)
        with click.Context(found) as context:
            inner = found.get_command(context, word)
        assert inner is not None
        found = inner
    return found


def names_of_commands(of: click.Group = main, prefix: str = "") -> list[str]:
    """The names of all commands; those of a group in its place."""
    names = []
    for word in of.list_commands(click.Context(of)):
        inner = command(prefix + word)
        names += names_of_commands(inner, f"{prefix}{word} ") if isinstance(inner, click.Group) else [prefix + word]
    return names


COMMANDS = names_of_commands()
GROUPS = ["", "book", "record"]
FIRST_BOOK = ("book build --out first.jsonl --classes 12", "book pack first.jsonl --into first.zip --classes 12")


def options(of: click.Command) -> list[str]:
    """The long names of all options, and the arguments as the help shows them."""
    names = []
    for parameter in of.params:
        long = [name for name in parameter.opts if name.startswith("--")]
        names += long if isinstance(parameter, click.Option) else [str(parameter.name).upper()]
    return names


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented(name):
    text = section(FORMATS, f"### hokm-solver {name}")
    missing = [option for option in options(command(name)) if not re.search(rf"`{re.escape(option)}[ `]", text)]
    assert not missing


@pytest.mark.parametrize("name", COMMANDS)
def test_every_documented_option_exists(name):
    documented = set(re.findall(r"^\| `(--[\w-]+)", section(FORMATS, f"### hokm-solver {name}"), re.MULTILINE))
    assert documented == {option for option in options(command(name)) if option.startswith("--")}


@pytest.mark.parametrize("name", COMMANDS)
def test_stated_defaults_are_the_real_ones(name):
    rows = re.findall(r"^\| `(--[\w-]+)[^|]*\|.*\| ([^|]*) \|$", section(FORMATS, f"### hokm-solver {name}"), re.M)
    stated = {option: default.strip("`") for option, default in rows if re.fullmatch(r"`?\w+`?", default)}
    real = {"--samples": defaults.SAMPLES, "--seed": defaults.SEED, "--table-mb": defaults.TABLE_MB}
    real |= {"--objective": "margin", "--pairs": defaults.PAIRS, "--level": defaults.LEVEL}
    real |= {"--precision": defaults.BOOK_PRECISION, "--worlds": defaults.BOOK_WORLDS}
    real |= {"--advice-samples": defaults.REVIEW_SAMPLES, "--to": "json"}
    assert stated
    for option in stated.keys() & real.keys():
        assert stated[option] == str(real[option])


def test_global_options_are_documented():
    for option in ("--version", "--help", "-h"):
        assert f"`{option}`" in FORMATS or f"hokm-solver {option}" in FORMATS


def test_the_list_of_commands_cuts_nothing_short():
    shown = CliRunner().invoke(main, ["--help"], env={"COLUMNS": "80"}).output
    assert "..." not in section_of_help(shown)


def section_of_help(shown: str) -> str:
    return shown.split("Commands:")[1].split("Examples:")[0]


def examples(help_text: str) -> list[str]:
    """The command lines under "Examples" in a help."""
    assert "Examples:" in help_text
    lines = [line.strip() for line in help_text.split("Examples:")[1].splitlines()]
    return [line.removeprefix("hokm-solver ") for line in lines if line.startswith("hokm-solver ")]


@pytest.mark.parametrize("name", [*GROUPS, *COMMANDS])
def test_every_help_has_examples_that_work(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(defaults, "SAMPLES", 4)
    Path("hands.txt").write_text(FIVE, encoding="utf-8")
    for record in ("game.json", "match.pbn", "deals.jsonl", "archive/deals.txt"):
        Path(record).parent.mkdir(exist_ok=True)
        Path(record).write_text(RECORD.read_text(encoding="utf-8"), encoding="utf-8")
    position = {"hakem": "N", "trump": "S", "leader": "E", "won": {"NS": 6, "WE": 5}}
    deal = {"deal": "N:A...A ..K.3 .A..2 .KT.."}
    Path("positions.jsonl").write_text(json.dumps(position | deal), encoding="utf-8")
    runner = CliRunner()
    for line in FIRST_BOOK if name.startswith("book ") else ():
        assert runner.invoke(main, line.split()).exit_code == 0
    shown = examples(runner.invoke(main, [*name.split(), "--help"]).output)
    assert len(shown) >= 2
    for line in shown:
        assert f"{line} ".startswith(f"{name} ".lstrip())
        arguments = ["0.01" if word == "2" else word for word in shlex.split(line.split(" < ")[0])]  # --time 2
        result = runner.invoke(main, arguments, input=TYPED)
        assert result.exit_code == 0, f"{line}: {result.output}"


def keys(value: object) -> set[str]:
    """All keys of JSON objects, at any depth."""
    if isinstance(value, dict):
        return set(value) | {key for entry in value.values() for key in keys(entry)}
    return {key for entry in value for key in keys(entry)} if isinstance(value, list) else set()


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_field_is_documented(question):
    result = CliRunner().invoke(main, shlex.split(question), input="foo\n" if "--batch" in question else "")
    text = section(FORMATS, "## Records") + section(FORMATS, "## The command line")
    names = keys(list(map(json.loads, result.stdout.splitlines()))) - {"N", "W", "S", "E", "H", "D", "C", "NS", "WE"}
    assert names
    assert not {name for name in names if f"`{name}`" not in text}


def kinds(of: type[errors.HokmError]) -> set[type[errors.HokmError]]:
    return {of} | {kind for child in of.__subclasses__() for kind in kinds(child)}


def test_every_error_is_documented():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", section(FORMATS, "## Errors"), re.MULTILINE)
    ours = {kind for kind in kinds(errors.HokmError) if kind.__module__ == errors.__name__}
    assert set(rows) == {(kind.__name__, kind.code) for kind in ours - {errors.HokmError}}


def test_every_public_name_is_documented():
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    missing = [name for name in hokm_solver.__all__ if not re.search(rf"\b{re.escape(name)}\b", text)]
    assert not missing


def test_every_page_is_linked_from_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in DOCS.glob("*.md")}
    assert not [page for page in pages if f"(docs/{page})" not in text]


def menu() -> set[str]:
    """The pages in the menu of the site."""
    return set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))


def test_every_page_is_in_the_menu_of_the_site():
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    outside = {"index.md", "CHANGELOG.md", "CONTRIBUTING.md"}  # the first is README.md
    assert menu() == pages | outside


def test_every_public_name_is_in_the_reference():
    text = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("reference/*.md"))
    modules = set(re.findall(r"^::: (\S+)$", text, re.MULTILINE))
    for package in (hokm_solver, engine, records, review):
        values = (getattr(package, name) for name in package.__all__ if name not in ("__version__", "DEFAULT_RULES"))
        assert {value.__module__ for value in values} <= modules
    mentioned = set(re.findall(r"hokm_solver(?:\.[a-z_]+)+", (DOCS / "python.md").read_text(encoding="utf-8")))
    files = {name: ROOT / (name.replace(".", "/") + ".py") for name in mentioned}
    assert {name for name, file in files.items() if file.exists()} <= modules


def test_every_benchmark_and_picture_is_in_the_list_of_figures():
    text = (DOCS / "figures.md").read_text(encoding="utf-8") + (DOCS / "speed.md").read_text(encoding="utf-8")
    assert not [path.name for path in DOCS.glob("images/*.svg") if f"(images/{path.name})" not in text]
    named = set(re.findall(r"benchmarks[./](\w+)", text))
    assert named <= {path.stem for path in ROOT.glob("benchmarks/*.py")}


def test_every_module_has_its_layer_in_the_design():
    text = section((DOCS / "design.md").read_text(encoding="utf-8"), "## Layers")
    package = Path(hokm_solver.__file__).parent
    modules = {path.stem for folder in (package, package / "engine") for path in folder.glob("*.py")}
    modules |= {path.parent.name for path in package.glob("*/__init__.py")}
    assert not [name for name in sorted(modules) if not name.startswith("__") and f"`{name}`" not in text]


def test_the_page_about_the_book_is_what_its_command_makes():
    text = (DOCS / "book.md").read_text(encoding="utf-8")
    made = book_rules.sections(book_rules.Hands.of(shipped()))
    for name, figures in made.items():
        begin, end = book_rules.marks(name)
        assert f"{begin}\n\n{figures}\n\n{end}" in text, f"make {name} of docs/book.md anew"
    assert text.count("made by `python -m benchmarks.book_rules") == len(made)
    assert set(re.findall(r"\]\(images/(book-\w+\.svg)\)", text)) == {
        book_rules.VALUES_PICTURE,
        book_rules.MARGINS_PICTURE,
    }


def test_switches_of_the_build_are_documented():
    source = (ROOT / "setup.py").read_text(encoding="utf-8")
    names = set(re.findall(r"HOKM_SOLVER_\w+", source))
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8") + FORMATS
    assert {name for name in names if name not in text} == set()


def test_completion_is_documented_for_each_shell():
    text = section(FORMATS, "### Completion in the shell")
    for shell in ("bash", "zsh", "fish"):
        result = CliRunner().invoke(main, prog_name="hokm-solver", env={"_HOKM_SOLVER_COMPLETE": f"{shell}_source"})
        assert f"_HOKM_SOLVER_COMPLETE={shell}_source hokm-solver" in text
        assert "hokm-solver" in result.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_as_documented(shell, tmp_path):
    """The lines of the page are run in the shell, and then the function that they define."""
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    lines = section(FORMATS, "### Completion in the shell").split(f"**{shell}**")[1]
    lines = lines.split("```sh\n")[1].split("```")[0]
    program = tmp_path / "hokm-solver"
    program.write_text(f"#!{sys.executable}\nfrom hokm_solver.cli import main\nmain()\n", encoding="utf-8")
    program.chmod(0o755)
    package = str(Path(hokm_solver.__file__).parent.parent)
    paths = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": package, "HOME": str(tmp_path)}
    command = [shell, *SHELL_OPTIONS[shell], "-c", lines + ASK_FOR_COMPLETION[shell]]
    done = subprocess.run(
        command, env=os.environ | paths, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=300,
        check=False,
    )  # fmt: skip
    assert {"record", "review"} <= set(re.findall(r"\w+", done.stdout)), done.stderr
    assert "solve" not in done.stdout


def test_the_version_is_in_the_changes():
    version = re.search(r'^version = "([\d.]+)', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    assert version[1].rstrip(".") in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
