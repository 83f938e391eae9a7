"""What breaks around the program: full disks, closed pipes, files that cannot be read, odd encodings, endless lines.

Each ends in one clear line and the right exit code, for every command that reads or writes.
"""

import json
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from hokm_solver.cli import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="devices, pipes and limits of POSIX")

COMMAND = [sys.executable, "-m", "hokm_solver"]
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8"}
FIVE = "AH QH 9H KC 4D"
POSITION = (
    '{"deal": "N:A... ..K. .A..2 .KT..", "hakem": "N", "leader": "E", "trick": "9H 2H", "won": {"NS": 6, "WE": 5}}'
)
PING = '{"id": 1, "command": "ping"}'
READERS = {"solve --batch": POSITION, "advise --samples 4 --json --batch": FIVE}
WRITERS = {
    "solve --batch -": POSITION,
    "advise --samples 4 --batch -": FIVE,
    "advise --samples 4 --json --batch -": FIVE,
    "equity": "",
    "equity --json": "",
    "arena greedy random --pairs 2": "",
    "arena greedy random --pairs 2 --json": "",
    "engine": PING,
    "--help": "",
    "solve --help": "",
}
CONTINUED = {
    "solve --no-cards --batch - --out": "\n".join([POSITION] * 40),
    "advise --samples 4 --batch - --out": "\n".join([FIVE] * 12),
    "arena greedy random --pairs 12 --log": "",
}
FULL = "No space left on device"
LIMIT = "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))"
LIMITED = f"import resource, sys; {LIMIT}; from hokm_solver.__main__ import run; run()"


def run(arguments, data="", **options):
    encoded = data if isinstance(data, bytes) else data.encode()
    return subprocess.run(
        [*COMMAND, *arguments.split()], input=encoded, stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=120, **options
    )


def invoke(arguments, data=b""):
    return CliRunner().invoke(main, arguments, input=data)


def untimed(path):
    """The bytes of a file without the times they tell."""
    return re.sub(rb'"(seconds|ms)": ([^][,}]+|\[[^]]*\])', b"", path.read_bytes())


# Writing


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
@pytest.mark.parametrize("arguments", WRITERS)
def test_a_full_disk_behind_the_output(arguments):
    with open("/dev/full", "wb") as full:
        ran = run(arguments, WRITERS[arguments], stdout=full)
    assert ran.returncode == 1
    assert ran.stderr.decode() == f"error: standard output: {FULL}\n"


@pytest.mark.parametrize("arguments", WRITERS)
def test_nobody_reads_the_output(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    ran = run(arguments, WRITERS[arguments], stdout=writing)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", CONTINUED)
def test_a_disk_that_fills_up_loses_nothing(arguments, tmp_path):
    out, whole = tmp_path / "out", tmp_path / "whole"
    pytest.importorskip("resource")
    command = [sys.executable, "-c", LIMITED, *arguments.split(), str(out)]
    ran = subprocess.run(
        command, input=CONTINUED[arguments].encode(), capture_output=True, env=ENVIRONMENT, timeout=120
    )
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.decode() == f"error: {out}: File too large\n"
    for path in (out, whole):
        assert run(f"{arguments} {path}", CONTINUED[arguments], stdout=subprocess.PIPE).returncode == 0
    assert untimed(out) == untimed(whole)


@pytest.mark.extra
@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_a_picture_is_there_whole_or_not_at_all(name, tmp_path, monkeypatch):
    figure = pytest.importorskip("matplotlib.figure")
    path = tmp_path / name
    assert invoke(["equity", "--plot", str(path)]).exit_code == 0
    assert os.listdir(tmp_path) == [name]
    before = path.read_bytes()

    def fail(self, target, **options):
        target.write_bytes(b"half a pic")
        raise OSError(28, FULL, str(target))

    monkeypatch.setattr(figure.Figure, "savefig", fail)
    result = invoke(["equity", "--plot", str(path)])
    assert (result.exit_code, result.stderr) == (1, f"error: {path}: {FULL}\n")
    assert os.listdir(tmp_path) == [name]
    assert path.read_bytes() == before


# Reading


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="a file that nobody can read from its beginning")
@pytest.mark.parametrize("arguments", READERS)
def test_a_file_that_cannot_be_read(arguments):
    result = invoke([*arguments.split(), "/proc/self/mem"])
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith("error: ")
    assert "Input/output error" in result.stderr


@pytest.mark.parametrize("arguments", READERS)
@pytest.mark.parametrize("out", [False, True])
def test_a_file_that_is_forbidden(arguments, out, tmp_path):
    path = tmp_path / "forbidden"
    path.write_text(READERS[arguments])
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read everything")
    result = invoke([*arguments.split(), *(["-", "--out"] if out else []), str(path)])
    assert (result.exit_code, result.stderr) == (1, f"error: {path}: Permission denied\n")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("arguments", READERS)
def test_another_encoding(arguments, encoding, tmp_path):
    path = tmp_path / "questions"
    path.write_text(READERS[arguments], encoding=encoding)
    result = invoke([*arguments.split(), str(path)])
    assert (result.exit_code, result.stderr) == (1, "")
    assert {json.loads(line)["error"]["code"] for line in result.stdout.splitlines()} == {"bad_encoding"}


@pytest.mark.parametrize("arguments", READERS)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_marks_and_line_ends_of_other_systems(arguments, end, mark, tmp_path):
    path = tmp_path / "questions"
    path.write_bytes(mark + end.join([READERS[arguments].encode()] * 2) + end)
    result = invoke([*arguments.split(), str(path)])
    assert (result.exit_code, result.stderr, result.stdout.count("\n")) == (0, "", 2)
    assert "error" not in result.stdout


@pytest.mark.parametrize("arguments", READERS)
def test_a_line_of_ten_megabytes(arguments, tmp_path):
    path = tmp_path / "questions"
    question = READERS[arguments].encode()
    path.write_bytes(b"\n".join([question, b"[" * 10_000_000, question]))
    result = invoke([*arguments.split(), str(path)])
    assert (result.exit_code, result.stderr) == (1, "")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in answers] == [None, "too_large", None]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (PING.encode(), None),
        (b"\xef\xbb\xbf" + PING.encode() + b"\r", None),
        (PING.encode("utf-16"), "bad_json"),
        (b'"' + b"x" * 10_000_000, "too_large"),
    ],
    ids=["plain", "mark", "utf-16", "10 MB"],
)
def test_lines_to_the_engine(line, code):
    ran = run("engine --level 1", line + b"\n", stdout=subprocess.PIPE)
    assert (ran.returncode, ran.stderr) == (0, b"")
    (reply,) = [json.loads(line) for line in ran.stdout.splitlines()][:1]
    assert reply.get("error", {}).get("code") == code
