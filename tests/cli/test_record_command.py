"""``hokm-solver record``: typed records, and records in the other form."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from support import load_jsonl

from hokm_solver.cli import main
from hokm_solver.notation import format_cards, format_hand
from hokm_solver.records import record_from_json, record_from_text, record_to_json, record_to_text

STORED = [entry["record"] for entry in load_jsonl("records")]
RECORDS = [record_from_json(obj) for obj in STORED]
HANDS = [format_hand(hand) for hand in RECORDS[0].hands]
PLAYS = [format_cards(RECORDS[0].plays[start : start + 4]) for start in range(0, len(RECORDS[0].plays), 4)]
TYPED = ["N", *HANDS[:3], "D", "9S KD 6H JD TH", "", *PLAYS]


def run(*arguments, data=None, code=0):
    result = CliRunner().invoke(main, ["record", *arguments], input=data)
    assert result.exit_code == code, result.stderr
    return result


def test_a_record_is_typed():
    result = run("new", data="\n".join(TYPED) + "\n")
    assert json.loads(result.stdout) == STORED[0]
    assert result.stderr == ""  # nobody is there to read the questions


def test_a_record_is_typed_with_names_as_text():
    names = ["--north", "Sara", "--east", "علی", "--event", "Nowruz", "--date", "1404-01-01"]
    result = run("new", "--to", "text", *names, data="\n".join(TYPED))
    record = record_from_text(result.stdout)
    assert record.players == {0: "Sara", 3: "علی"}
    assert (record.event, record.date, record.plays) == ("Nowruz", "1404-01-01", RECORDS[0].plays)
    assert result.stdout.endswith("\n\n")


def test_options_are_not_asked_for():
    pieces = {"hakem": "N", "deal": "N:" + " ".join(HANDS[seat] for seat in (0, 3, 2, 1)), "trump": "D"}
    pieces |= {"first-five": "9S KD 6H JD TH", "score": "NS:2", "plays": " ".join(PLAYS)}
    options = [word for name, text in pieces.items() for word in (f"--{name}", text)]
    assert json.loads(run("new", *options).stdout) == {**STORED[0], "score": {"NS": 2, "WE": 0}}


def test_the_end_of_the_input_ends_the_plays():
    result = run("new", data="\n".join(TYPED[:9]))
    assert json.loads(result.stdout)["plays"] == STORED[0]["plays"][:8]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "the input has ended before an answer to: hakem (N, W, S or E)"),
        ("N\n", "the input has ended before an answer to: the deal (N:hand hand hand hand), or the hand of N"),
        ("N\nAS\n", "line 2: 1 card where 13 are needed"),
        ("\n", 'line 1: unknown seat ""'),
        (
            "\n".join([*TYPED[:7], "KD TS"]),
            "line 8: plays[1]: trick 1: W cannot play TS, which W does not hold",
        ),
        (b"N\n\xff\n", "line 2: byte 1 of the line is not UTF-8"),
    ],
)
def test_what_cannot_be_typed(data, message):
    result = run("new", data=data, code=1)
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_an_option_that_is_wrong():
    assert run("new", "--hakem", "Q", code=1).stderr.startswith('error: hakem: unknown seat "Q"')


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_at_a_terminal_what_is_wrong_is_asked_again():
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "hokm_solver", "record", "new"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.write(ours, "\n".join(["Q", "n", "AS", *TYPED[1:4], "\xff", *TYPED[4:], ""]).encode("latin-1"))
        printed, asked = process.communicate(timeout=60)
    os.close(theirs)
    os.close(ours)
    assert json.loads(printed) == STORED[0]
    lines = asked.decode().split("error: ")
    assert lines[0] == "hakem (N, W, S or E): "
    assert lines[1].startswith('unknown seat "Q"')
    assert lines[1].endswith("the hand of N: ")
    assert lines[2].startswith("1 card where 13 are needed")
    assert lines[3].startswith("byte 1 of the line is not UTF-8")
    assert len(lines) == 4
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
@pytest.mark.parametrize(
    ("key", "code", "said"),
    [(b"\x03", 130, "interrupted"), (b"\x04", 1, "error: the input has ended before an answer to: the hand of W")],
    ids=["Ctrl-C", "Ctrl-D"],
)
def test_keys_that_end_the_dialog(key, code, said):
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", AT_ITS_TERMINAL, "record", "new", "--hakem", "N"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        shown = until(ours, "the hand of N: ")
        os.write(ours, HANDS[0].encode() + b"\n")
        shown += until(ours, "the hand of W: ")
        os.write(ours, key)
        shown += until(ours, said)
    os.close(ours)
    assert process.returncode == code
    assert "Traceback" not in shown


# A key like Ctrl-C reaches the processes whose terminal it is.
AT_ITS_TERMINAL = """
import fcntl, runpy, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
runpy.run_module("hokm_solver", run_name="__main__", alter_sys=True)
"""


def until(terminal, words):
    """What a terminal shows until it has shown these words."""
    shown = ""
    while words not in shown:
        shown += os.read(terminal, 1000).decode()
    return shown


def test_to_text_and_back():
    data = "\n".join(map(json.dumps, STORED))
    text = run("convert", "-", "--to", "text", data=data).stdout
    assert text == "".join(record_to_text(record) + "\n\n" for record in RECORDS)
    back = run("convert", "-", data=text).stdout
    assert [json.loads(line) for line in back.splitlines()] == [record_to_json(record) for record in RECORDS]


def test_a_bad_record_is_left_out():
    data = "\n".join([json.dumps(STORED[0]), "{}", json.dumps(STORED[1])])
    result = run("convert", "-", data=data, code=1)
    assert [json.loads(line) for line in result.stdout.splitlines()] == STORED[:2]
    assert result.stderr == 'error: line 2: format must be "hokm-record"\n'


def test_names_are_written_in_utf8_wherever_they_go():
    obj = {**STORED[0], "players": {"N": "سارا"}}
    command = [sys.executable, "-m", "hokm_solver", "record", "convert", "-", "--to", "text"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, input=json.dumps(obj).encode(), capture_output=True, env=environment, check=True)
    assert record_from_text(ran.stdout.decode("utf-8")) == record_from_json(obj)


@pytest.mark.parametrize("arguments", [["convert"], ["convert", "-", "--to", "xml"], ["new", "x"], ["nothing"]])
def test_a_wrong_command_line(arguments):
    result = run(*arguments, code=2)
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_a_missing_file():
    assert "missing.pbn: No such file or directory" in run("convert", "missing.pbn", code=1).stderr
    assert run("convert", "", code=1).stderr == "error: '': No such file or directory\n"


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="a file of Linux that can be opened and not read")
def test_a_file_that_cannot_be_read():
    assert run("convert", "/proc/self/mem", code=1).stderr == "error: /proc/self/mem: Input/output error\n"


def test_no_record_at_all():
    assert run("convert", "-", data="% nothing\n", code=1).stderr == "error: no record in standard input\n"


def test_the_group_alone_shows_its_help():
    assert run().stdout == run("--help").stdout
    assert "convert" in run("--help").stdout
