"""Help and text in Persian: nothing is left out, and every kind of output gets it so that it is read in order."""

import io
import json
import os
import pty
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from hokm_solver.cli import main, persian
from hokm_solver.cli.advise import advise
from hokm_solver.cli.direction import arranged, arranger, can_show_persian, latin_isolated
from hokm_solver.cli.review import review
from hokm_solver.report.words import TerminalWords

HAND = "AHQH9HKC4D"
RECORD = "tests/data/record.pbn"
COMMANDS = {"advise": advise, "review": review}
RIGHT, LEFT = "\u200f", "\u200e"
PERSIAN_LETTER = re.compile("[\u0621-\u06cc]")


def run(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def options_of(command):
    with click.Context(command, info_name=command.name, help_option_names=["-h", "--help"]) as ctx:
        return {param.name: param for param in command.get_params(ctx) if isinstance(param, click.Option)}


def digits(text):
    return re.findall(r"[0-9]+", text.translate(str.maketrans("۰۱۲۳۴۵۶۷۸۹", "0123456789")))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help_in_both_languages(name):
    found = getattr(persian, name.upper())
    helps = {("help" if "--help" in param.opts else key): param for key, param in options_of(COMMANDS[name]).items()}
    assert helps.keys() == found.options.keys()
    for key, param in helps.items():
        assert param.help.strip()
        assert PERSIAN_LETTER.search(found.options[key])
        assert set(digits(found.options[key])) == set(digits(param.help.replace(",", ""))), key


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_every_option_in_both_languages(name):
    english, translated = run(name, "--help"), run(name, "--lang", "fa", "--help")
    typed = re.compile(r"--[a-z-]+")
    assert set(typed.findall(english)) == set(typed.findall(translated))
    assert re.search("دانه.*[\\s\u200f]+.*۱\\]", translated)
    examples = [line.strip() for line in english.splitlines() if line.startswith("    hokm-solver")]
    assert [line[1:].strip() for line in translated.splitlines() if line.startswith(LEFT)] == examples
    lines = [line for line in translated.splitlines() if line]
    assert all(line[0] in RIGHT + LEFT for line in lines)


@pytest.mark.parametrize(
    "arguments",
    [["--lang", "fa", "--help"], ["--help", "--lang", "fa"], ["-h", "--lang=fa"], ["--lang=fa", "-h", HAND]],
)
def test_the_language_counts_wherever_it_stands(arguments):
    assert run("advise", *arguments).startswith(RIGHT + "کاربرد")


def test_after_two_dashes_there_are_no_options():
    result = CliRunner().invoke(main, ["advise", "--help", "--", "--lang", "fa"])
    assert result.stdout.startswith("Usage:")


def test_a_language_that_is_not_there():
    result = CliRunner().invoke(main, ["advise", "--lang", "de", HAND])
    assert result.exit_code == 2
    assert "'de' is not one of 'en', 'fa'" in result.stderr


def test_advice_review_and_summary_in_persian():
    assert "دل را حکم کنید" in run("advise", "--lang", "fa", "--instant", HAND)
    told = run("advise", "--lang", "fa", "--samples", "4", "--explain", HAND)
    assert "چرا دل" in told
    judged = run("review", "--lang", "fa", "--advice-samples", "4", RECORD)
    assert "حاکم شمال" in judged
    table = run("review", "--lang", "fa", "--advice-samples", "0", "--summary", RECORD)
    assert "۱ دور بررسی شد" in table
    for text in (told, judged, table):
        assert all(line.startswith(RIGHT) for line in text.splitlines() if line)
        assert not re.search("[0-9]", text.replace("Nowruz, deal 3", ""))


def test_batches_in_persian(tmp_path):
    hands = tmp_path / "hands"
    hands.write_text(f"{HAND}\nAH AH\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["advise", "--lang", "fa", "--instant", "--batch", str(hands)])
    good, bad = result.stdout.splitlines()
    assert good.startswith(f"{RIGHT}آس دل، بی‌بی دل، نه دل، شاه گشنیز، چهار خشت: دل را حکم کنید")
    assert bad.startswith(f"{RIGHT}سطر ۲: خطا: \u2066")
    assert bad.endswith("\u2069")


def test_several_records_are_told_apart_by_their_place():
    judged = run("review", "--lang", "fa", "--advice-samples", "0", RECORD, RECORD)
    assert f"{RECORD}\u2069، سطر ۱" in judged


def test_json_and_csv_are_the_same_in_both_languages():
    for arguments in (["advise", "--instant", "--json", HAND], ["review", "--advice-samples", "0", "--json", RECORD]):
        assert run(*arguments, "--lang", "fa") == run(*arguments)
        json.loads(run(*arguments))
    table = ["review", "--advice-samples", "0", "--summary", "--csv", RECORD]
    assert run(*table, "--lang", "fa") == run(*table)


def test_a_diagram_in_persian(tmp_path):
    run("review", "--lang", "fa", "--advice-samples", "0", RECORD, "--svg", str(tmp_path / "deal.svg"))
    assert "شمال" in (tmp_path / "deal.svg").read_text(encoding="utf-8")


def test_output_that_cannot_show_persian_is_english_and_says_so():
    command = [sys.executable, "-m", "hokm_solver", "advise", "--lang", "fa", "--instant", HAND]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    result = subprocess.run(command, capture_output=True, encoding="latin-1", env=environment, check=True)
    assert result.stderr == "note: this output cannot show Persian letters, so it is in English\n"
    assert "call H" in result.stdout
    command[-2:] = ["--help"]
    environment["PYTHONIOENCODING"] = "cp1256"  # has Persian letters, but neither suits nor letters of Persian only
    assert subprocess.run(command, capture_output=True, env=environment, check=True).stdout.startswith(b"Usage")


# Who arranges


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("environment", "who"),
    [
        ({}, "program"),
        ({"VTE_VERSION": "7006"}, "terminal"),
        ({"VTE_VERSION": "5602"}, "program"),
        ({"VTE_VERSION": "x"}, "program"),
        ({"KONSOLE_VERSION": "230401"}, "terminal"),
        ({"TERM_PROGRAM": "Apple_Terminal"}, "terminal"),
        ({"TERM_PROGRAM": "vscode"}, "program"),
        ({"HOKM_SOLVER_BIDI": "terminal"}, "terminal"),
        ({"HOKM_SOLVER_BIDI": "program", "VTE_VERSION": "7006"}, "program"),
        ({"HOKM_SOLVER_BIDI": "nonsense"}, "program"),
    ],
)
def test_who_arranges(environment, who):
    assert arranger(Terminal(), environment) == who
    assert arranger(io.StringIO(), environment) == "reader"


def test_streams_that_can_show_persian():
    assert can_show_persian(io.TextIOWrapper(io.BytesIO(), "utf-8"))
    assert not can_show_persian(io.TextIOWrapper(io.BytesIO(), "cp1252"))
    assert can_show_persian(None)


def test_lines_are_marked_with_their_direction():
    text = f"حکم\n\n{LEFT}hokm-solver"
    assert arranged(text, "reader", 80) == f"{RIGHT}حکم\n\n{LEFT}hokm-solver\n"
    assert arranged(text, "terminal", 80) == f"\x1b[?2501h{RIGHT}حکم\n\n{LEFT}hokm-solver\n\x1b[?2501l"


SEEN = {  # what is read from right to left, as it is written from left to right
    "حکم": "ﻢﮑﺣ",
    "دل ۱۲": "۱۲ ﻝﺩ",
    "(دل)": "(ﻝﺩ)",
    "\u2066(۲♥)?!\u2069 دل": "ﻝﺩ (۲♥)?!",
    "«بی\u200cبی»": "«ﯽﺑﯽﺑ»",
    "همهٔ دل": "ﻝﺩ ﻪﻤﻫ",
    "\u2066+۰٫۷۸ ± ۰٫۰۲\u2069 دل": "ﻝﺩ +۰٫۷۸ ± ۰٫۰۲",
    "لا": "ﺎﻟ",  # two cells, not one ligature
    f"{LEFT}advise آس دل": "advise ﻝﺩ ﺱﺁ",
}


@pytest.mark.parametrize("text", SEEN)
def test_what_the_program_arranges(text):
    assert arranged(text, "program", 80) == SEEN[text] + "\n"


def test_lines_have_a_common_edge_on_the_right():
    short, long = arranged("دل\nدل دل\n", "program", 80).splitlines()[:2]
    assert (short, long) == ("   ﻝﺩ", "ﻝﺩ ﻝﺩ")


def test_long_lines_are_broken_before_they_are_turned():
    lines = arranged("یک دو سه چهار", "program", 9).splitlines()
    assert lines == ["ﻪﺳ ﻭﺩ ﮏﯾ", "    ﺭﺎﻬﭼ"]
    assert arranged(f"{LEFT}one two", "program", 4).splitlines() == ["one", "two"]


def test_latin_words_are_isolated():
    assert latin_isolated("با --out FILE یا .png (plot).") == (
        "با \u2066--out FILE\u2069 یا \u2066.png\u2069 (\u2066plot\u2069)."
    )


def at_a_terminal(*arguments, **environment):
    """What a command writes to a terminal of its own."""
    ours, theirs = pty.openpty()
    known = {key: value for key, value in os.environ.items() if key not in ("VTE_VERSION", "HOKM_SOLVER_BIDI")}
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env={**known, **environment}
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # its end, on Linux
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    said = process.communicate()[1].decode()
    assert process.returncode == 0
    return written.decode().replace("\r\n", "\n"), said


INSTANT = ["-m", "hokm_solver", "advise", "--lang", "fa", "--instant", HAND]


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_at_terminals():
    written, said = at_a_terminal(*INSTANT, HOKM_SOLVER_BIDI="program", PYTHONUTF8="1", COLUMNS="100")
    assert (said, written.count("ﺪﯿﻨﮐ ﻢﮑﺣ ﺍﺭ ﻝﺩ")) == ("", 1)
    written, said = at_a_terminal(*INSTANT, VTE_VERSION="7006", PYTHONUTF8="1")
    assert (said, written.startswith(f"\x1b[?2501h{RIGHT}آس دل"), written.endswith("\x1b[?2501l")) == ("", True, True)


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_without_the_extra_the_text_is_there_and_a_line_says_what_is_missing():
    code = (
        f"import sys; sys.modules['bidi'] = None; sys.argv = {INSTANT[1:]!r}\nimport hokm_solver.__main__ as program\n"
    )
    written, said = at_a_terminal("-c", code + "program.run()", PYTHONUTF8="1")
    assert said.startswith("note: ")
    assert said.count("\n") == 1
    assert "hokm-solver[persian]" in said
    assert "دل را حکم کنید" in written


def test_words_without_a_latin_digit():
    words = TerminalWords("fa")
    assert [words.percent(share) for share in (0.0, 0.002, 0.5, 0.9999, 1.0)] == [
        "۰٪",
        "زیر ۱٪",
        "۵۰٪",
        "بالای ۹۹٪",
        "۱۰۰٪",
    ]
    assert words.either(["دل", "پیک", "خشت"]) == "دل، پیک یا خشت"
    assert words.counted("deals", 1234) == "۱٬۲۳۴ دور"
