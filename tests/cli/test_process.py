"""The command line as a real process: help without numpy, Ctrl-C, closed pipes, streams, terminals."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX")

COMMAND = [sys.executable, "-m", "hokm_solver"]
FIVE = ["AH", "QH", "9H", "KC", "4D"]
POSITION = json.dumps(
    {"deal": "N:A... ..K. .A..2 .KT..", "hakem": "N", "leader": "E", "trick": "9H 2H", "won": {"NS": 6, "WE": 5}}
)
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8"}


def start(*arguments, **options):
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=options.pop("stdin", subprocess.PIPE),
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=options.pop("stderr", subprocess.PIPE),
        env=ENVIRONMENT,
        **options,
    )


def run(*arguments, data=b"", environment=ENVIRONMENT):
    return subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, env=environment, timeout=60)


def interrupt_after(process, seconds):
    """Send Ctrl-C; returns how long the process took to end and what it said."""
    time.sleep(seconds)
    assert process.poll() is None, process.stderr.read()
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(timeout=10)
    return time.monotonic() - begun, process.stderr.read().decode()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["solve", "--help"], ["advise", "--help"], []])
def test_help_needs_neither_numpy_nor_the_solver(arguments):
    code = (
        "import sys; from hokm_solver.cli import main; main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, env=ENVIRONMENT, check=True)
    loaded = ran.stdout.decode().splitlines()[-1].split()
    assert not {"numpy", "hokm_solver.solver", "hokm_solver._search", "hokm_solver._sample"} & set(loaded)


@pytest.mark.parametrize("arguments", [["advise", *FIVE, "--time", "60"], ["advise", *FIVE, "--samples", "1000000"]])
def test_ctrl_c_stops_advise_at_once(arguments):
    seconds, said = interrupt_after(start(*arguments), 1.5)
    assert seconds < 0.5
    assert said == "interrupted\n"


def test_ctrl_c_gives_130():
    process = start("advise", *FIVE, "--time", "60")
    interrupt_after(process, 1.0)
    assert process.returncode == 130
    assert process.stdout.read() == b""


def test_ctrl_c_stops_a_batch_that_waits_for_input():
    process = start("solve", "--batch", "-")
    process.stdin.write(POSITION.encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["hakem"] == "N"
    seconds, said = interrupt_after(process, 0.1)
    assert seconds < 0.5
    assert (process.returncode, said) == (130, "interrupted\n")


def test_a_stream_gets_its_answer_before_the_next_question():
    process = start("solve", "--batch", "-")
    for _ in range(3):
        process.stdin.write(POSITION.encode() + b"\n")
        process.stdin.flush()
        assert list(json.loads(process.stdout.readline())["trumps"]) == ["S", "H", "D", "C"]
    process.stdin.close()
    assert process.wait(timeout=10) == 0


def test_an_endless_stream_is_answered_as_it_is_read():
    process = start("solve", "--batch", "-", "--no-cards")
    stop = threading.Event()

    def feed():
        while not stop.is_set():
            try:
                process.stdin.write(POSITION.encode() + b"\n")
                process.stdin.flush()
            except BrokenPipeError:
                return

    feeder = threading.Thread(target=feed)
    feeder.start()
    for _ in range(500):
        assert json.loads(process.stdout.readline())["objective"] == "margin"
    process.stdout.close()
    assert process.wait(timeout=10) == 0
    stop.set()
    feeder.join()
    assert process.stderr.read() == b""


def test_a_closed_pipe_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    process = start("solve", "--batch", "-", stdout=writing)
    os.close(writing)
    _, said = process.communicate(POSITION.encode() + b"\n" + POSITION.encode(), timeout=20)
    assert (process.returncode, said) == (0, b"")


def test_a_closed_pipe_after_a_single_answer_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    process = start("advise", *FIVE, "--samples", "10", stdout=writing)
    os.close(writing)
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["advise", "AH"], 1),
        (["advise", "--nonsense"], 2),
        (["solve", "--batch", "/"], 1),
        (["solve", "--batch", "\udcff"], 1),
    ],
)
def test_no_traceback(arguments, code):
    ran = run(*arguments)
    assert ran.returncode == code
    assert ran.stdout == b""
    assert ran.stderr.startswith(b"error: ")
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.parametrize("question", ["solve --batch -", "advise --batch -", "solve --batch - --out answers"])
def test_standard_input_that_is_closed(question, tmp_path):
    command = f"exec {sys.executable} -m hokm_solver {question} <&-"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, env=ENVIRONMENT, cwd=tmp_path, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, b"", b"error: standard input is closed\n")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_that_are_closed(closed, tmp_path):
    position = '--deal "N:A... ..K. .A..2 .KT.." --hakem N --leader E --trick "9H 2H" --won NS:6,WE:5'
    for question in (f"solve {position}", f"solve {position} --json", "advise --samples 4 AHQH9HKC4D"):
        command = f"exec {sys.executable} -m hokm_solver {question} {closed}"
        ran = subprocess.run(["sh", "-c", command], capture_output=True, env=ENVIRONMENT, cwd=tmp_path, timeout=60)
        assert (ran.returncode, ran.stderr) == (0, b"")


def test_an_argument_that_is_not_utf8_is_quoted_safely():
    ran = run("advise", os.fsdecode(b"\xff\xfe"))
    assert ran.returncode == 1
    assert ran.stderr.count(b"\n") == 1
    assert b"is not a card" in ran.stderr


def test_ascii_output_has_suit_letters():
    ran = run("advise", *FIVE, "--samples", "10", environment={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0
    assert ran.stdout.startswith(b"AH QH 9H KC 4D\ncall ")


def test_nothing_is_drawn_on_standard_error_unless_it_is_a_terminal():
    assert run("advise", *FIVE, "--samples", "200").stderr == b""


def test_progress_on_a_terminal_is_wiped_in_the_end():
    ours, theirs = os.openpty()
    process = start("advise", *FIVE, "--time", "1", stderr=theirs)
    os.close(theirs)
    drawn = read_all(ours)
    assert process.wait(timeout=20) == 0
    assert "solving deals [" in drawn
    assert drawn.endswith("\r\033[K")


def read_all(terminal):
    """Everything written to a terminal until its other end is closed."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # how a closed terminal ends
            return b"".join(parts).decode()
        if not part:
            return b"".join(parts).decode()
        parts.append(part)


def test_a_killed_batch_is_continued(tmp_path):
    questions, out, whole = tmp_path / "questions", tmp_path / "out", tmp_path / "whole"
    questions.write_text("AH QH 9H KC 4D\nAS KS QS 2H 3H\n2C 3C 4C 5C 6D\nAD KD TD 2S 9S\n" * 3)
    options = ["--samples", "30", "--batch", str(questions), "--out"]
    process = start("advise", *options, str(out))
    while not (out.exists() and out.read_bytes().count(b"\n") >= 2):
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert run("advise", *options, str(out)).returncode == 0
    assert run("advise", *options, str(whole)).returncode == 0
    assert out.read_bytes() == whole.read_bytes()
