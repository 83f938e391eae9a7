"""The command line as a real process: help without numpy, Ctrl-C, closed pipes, streams, terminals."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX")

COMMAND = [sys.executable, "-m", "hokm_solver"]
FIVE = ["AH", "QH", "9H", "KC", "4D"]
EVEN = ["AS", "5S", "AH", "5H", "2C"]  # two suits are equal: a race without a precision does not end
POSITION = json.dumps(
    {"deal": "N:A... ..K. .A..2 .KT..", "hakem": "N", "leader": "E", "trick": "9H 2H", "won": {"NS": 6, "WE": 5}}
)
ONE_RECORD = Path(__file__).parent.parent / "data" / "record.pbn"
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


@pytest.mark.parametrize(
    "arguments",
    [
        *[["--help"], ["--version"], ["solve", "--help"], ["advise", "--help"], []],
        *[["review", "--help"], ["record", "--help"], ["record", "new", "--help"], ["record", "convert", "--help"]],
    ],
    ids=" ".join,
)
def test_help_needs_neither_numpy_nor_the_solver(arguments):
    code = (
        "import sys; from hokm_solver.cli import main; main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, env=ENVIRONMENT, check=True)
    loaded = ran.stdout.decode().splitlines()[-1].split()
    assert not {"numpy", "hokm_solver.solver", "hokm_solver._search", "hokm_solver._sample"} & set(loaded)


def test_instant_advice_loads_nothing_that_samples_and_solves():
    code = "import sys\nfrom hokm_solver.cli import main\n"
    code += "main(['advise', '--instant', 'AHQH9HKC4D'], standalone_mode=False)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=ENVIRONMENT)
    loaded = set(done.stdout.decode().splitlines()[-1].split())
    assert "hokm_solver.book" in loaded
    assert not {"hokm_solver.advice", "hokm_solver.race", "hokm_solver.batch", "matplotlib"} & loaded


@pytest.mark.parametrize(
    "limit", [["--time", "600"], ["--samples", "1000000"], ["--precision", "0.00001"]], ids=" ".join
)
def test_ctrl_c_stops_advise_at_once(limit):
    seconds, said = interrupt_after(start("advise", *EVEN, *limit), 1.5)
    assert seconds < 0.5
    assert said == "interrupted\n"


def test_ctrl_c_gives_130():
    process = start("advise", *EVEN, "--time", "60")
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


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_that_says_nothing_of_what(shell):
    ran = run(environment={**ENVIRONMENT, "_HOKM_SOLVER_COMPLETE": f"{shell}_complete", "COMP_WORDS": "hokm-solver a"})
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.count(b"\n") == 1
    told = {"_HOKM_SOLVER_COMPLETE": f"{shell}_complete", "COMP_WORDS": "hokm-solver adv", "COMP_CWORD": "1"}
    ran = run(environment={**ENVIRONMENT, **told, **({"COMP_CWORD": "adv"} if shell == "fish" else {})})
    assert b"advise" in ran.stdout


EVERY = ("", "advise", "arena", "book", "book about", "book build", "book pack", "engine", "equity", "record",
         "record convert", "record new", "review", "solve")  # fmt: skip


@pytest.mark.parametrize("command", EVERY)
def test_help_is_such_as_ascii_output_can_show(command):
    ran = run(*command.split(), "--help", environment={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.startswith(b"Usage: ")
    assert ran.stdout.isascii()


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


LATE = ["--hakem", "N", "--leader", "E", "--trump", "S", "--trick", "9H 2H", "--won", "NS:6,WE:5"]
COMMANDS = [
    ["--version"],
    ["--help"],
    ["solve", "--help"],
    ["advise", *FIVE, "--samples", "4"],
    ["advise", *FIVE, "--samples", "4", "--json"],
    ["solve", *LATE, "--deal", "N:A... ..K. .A..2 .KT.."],
    ["solve", *LATE, "--deal", "N:A... ..K. .A..2 .KT..", "--json"],
    ["solve", "--batch", os.devnull],
    ["arena", "greedy", "random", "--pairs", "2"],
    ["arena", "greedy", "random", "--pairs", "2", "--json"],
    ["review", str(ONE_RECORD), "--advice-samples", "4"],
    ["review", str(ONE_RECORD), "--advice-samples", "0", "--json"],
    ["review", str(ONE_RECORD), "--advice-samples", "0", "--summary", "--csv"],
    ["record", "convert", str(ONE_RECORD), "--to", "text"],
]


def run_closed(arguments, *closed):
    """Run with some of the standard streams closed, as ``>&-`` does."""
    redirected = " ".join(f"{number}>&-" for number in closed)
    command = ["sh", "-c", f'"$@" {redirected}', "sh", *COMMAND, *arguments]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT, timeout=60)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_closed_output_is_no_error(arguments):
    for closed in ([1], [2], [1, 2]):
        ran = run_closed(arguments, *closed)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert bool(ran.stdout) == (1 not in closed and "--batch" not in arguments)


def test_closed_output_does_not_hide_what_is_wrong():
    assert run_closed(["advise", "AH"], 1).returncode == 1
    assert run_closed(["advise", "AH"], 1, 2).returncode == 1
    assert run_closed(["advise"], 2).returncode == 2


def test_closed_output_does_not_get_into_the_answers(tmp_path):
    (tmp_path / "questions").write_text(POSITION)
    for number, closed in enumerate(([1], [2], [1, 2])):
        out = tmp_path / str(number)
        options = ["--batch", str(tmp_path / "questions"), "--out", str(out)]
        assert run_closed(["solve", *options], *closed).returncode == 0
        assert out.read_bytes().count(b"\n") == 1
        json.loads(out.read_bytes())


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_nobody_reads_the_output(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    process = start(*arguments, stdout=writing)
    os.close(writing)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")


@pytest.mark.parametrize("module", ["click", "numpy"])
def test_ctrl_c_while_the_program_is_loaded(tmp_path, module):
    (tmp_path / f"{module}.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(20)\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = run("advise", *FIVE, environment={**ENVIRONMENT, "PYTHONPATH": paths})
    assert (ran.returncode, ran.stderr.decode().strip()) == (130, "interrupted")


CTRL_C = "__import__('os').kill(__import__('os').getpid(), 2)"


@pytest.mark.parametrize(
    "meanwhile",
    [
        pytest.param(f"exec({CTRL_C!r})", id="code made at run time"),
        pytest.param(
            f"type('Made', (), {{'x': type('Part', (), {{'__set_name__': lambda *_: {CTRL_C}}})()}})", id="a class"
        ),
        pytest.param(f"try:\n    {CTRL_C}\nfinally:\n    raise RuntimeError('release unlocked lock')", id="a lock"),
        pytest.param(f"type('Dying', (), {{'__del__': lambda self: {CTRL_C}}})()", id="a finalizer"),
    ],
)
def test_ctrl_c_at_a_moment_at_which_python_swallows_it(tmp_path, meanwhile):
    (tmp_path / "click.py").write_text(f"import time\n{meanwhile}\nfor _ in range(500):\n    time.sleep(0.02)\n")
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = run("advise", *FIVE, environment={**ENVIRONMENT, "PYTHONPATH": paths})
    assert (ran.returncode, ran.stderr.decode()) == (130, "interrupted\n")


@pytest.mark.parametrize("pause", [0.0, 0.002, 0.01, 0.05, 0.2])
@pytest.mark.parametrize(
    "arguments",
    [
        ["advise", *EVEN, "--time", "60"],
        ["arena", "pimc:worlds=50", "greedy", "--pairs", "1000"],
        ["engine"],
        ["review", str(ONE_RECORD), "--advice-samples", "1000000"],
        ["record", "new"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_ctrl_c_again_and_again(arguments, pause):
    process = start(*arguments)
    time.sleep(1.0)
    for _ in range(4):
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
    process.wait(timeout=10)
    assert (process.returncode, process.stderr.read()) == (130, b"interrupted\n")


def test_ctrl_c_stays_ignored_where_it_was():
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *COMMAND, "advise", *EVEN, "--time", "1.5"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (0, b"")


def test_ctrl_c_drops_what_the_engine_has_not_answered():
    process = start("engine")
    deal = "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"
    analyse = json.dumps({"id": 2, "command": "analyse", "deal": deal, "hakem": "N"}).encode() + b"\n"
    process.stdin.write(b'{"id": 1, "command": "ping"}\n' + analyse * 50)
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    answered, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (130, b"interrupted\n")
    replies = [json.loads(line) for line in answered.splitlines()]
    assert len(replies) < 50
    assert not any("cancelled" in reply for reply in replies)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_full_disk_is_told_with_the_place(options):
    with open("/dev/full", "wb") as full:
        process = start("advise", *FIVE, "--samples", "4", *options, stdout=full)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (1, b"error: standard output: No space left on device\n")
