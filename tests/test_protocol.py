"""The engine's protocol: one final reply for every id, whatever comes in."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from hokm_solver.engine.choice import NO_LIMITS, Choice, TrumpChoice
from hokm_solver.engine.player import Player
from hokm_solver.notation import parse_card, parse_suit, position_from_json
from hokm_solver.protocol import COMMANDS, LONGEST_LINE, Engine, Settings, Worker
from hokm_solver.solver import Solver

HAND = ["JS", "3S", "2S", "AH", "QH", "9H", "AD", "5D", "4D", "2D", "KC", "7C", "4C"]
LEAD = {"command": "choose_card", "seat": "N", "hakem": "N", "trump": "H", "hand": HAND}
TRUMP = {"command": "choose_trump", "cards": ["AH", "QH", "9H", "KC", "4D"]}
ENDING = {"hakem": "N", "trump": "S", "leader": "E", "trick": "9H 2H", "won": {"NS": 6, "WE": 5}}
SOLVE = {"command": "analyse", "deal": "N:A... ..K. .A..2 .KT..", **ENDING}
DEAL = "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"
COMMAND = [sys.executable, "-m", "hokm_solver", "engine"]


class FirstCard:
    """Plays the first legal card; `seen` holds the limits of every request."""

    def __init__(self):
        self.seen = []

    def choose_card(self, view, limits=NO_LIMITS):
        self.seen.append(limits)
        return Choice(next(iter(view.legal_cards())), ())

    def choose_trump(self, five, hakem=None, score=None, limits=NO_LIMITS):
        return TrumpChoice(five[0].suit, ())


class Patient(FirstCard):
    """Works until it is told to stop, or let go by the test; waits are counted in `begun`."""

    def __init__(self):
        super().__init__()
        self.let_go, self.begun = threading.Event(), threading.Semaphore(0)

    def choose_card(self, view, limits=NO_LIMITS):
        self.begun.release()
        deadline = time.monotonic() + 10
        while not (limits.stop() or self.let_go.is_set()) and time.monotonic() < deadline:
            time.sleep(0.001)
        return super().choose_card(view, limits)


class Script:
    """A stream that plays its steps: bytes are read, functions are called before the next step."""

    def __init__(self, *steps):
        self.steps = list(steps)

    def read(self, _size):
        while self.steps:
            step = self.steps.pop(0)
            if isinstance(step, bytes):
                return step
            step()
        return b""


def line(obj):
    return json.dumps(obj).encode() + b"\n"


def talk(stream, *players, **settings):
    """Everything the engine says to the bytes or steps given, in order."""
    players = players or (FirstCard(),)
    output = io.BytesIO()
    workers = [Worker(player, Solver(1)) for player in players]
    stream = io.BytesIO(stream) if isinstance(stream, bytes) else stream
    Engine(output, Settings("1.2", len(players), **settings)).run(stream, workers)
    replies = [json.loads(text) for text in output.getvalue().splitlines()]
    assert all(reply["final"] is True and "id" in reply for reply in replies)
    return replies


def ask(**request):
    (reply,) = talk(line({"id": 1, **request}))
    assert reply["id"] == 1
    return reply


# What is asked and answered


def test_hello_tells_everything_there_is():
    reply = ask(command="hello")
    assert (reply["name"], reply["version"], reply["protocol"]) == ("hokm-solver", "1.2", 1)
    assert reply["commands"] == list(COMMANDS)
    assert reply["options"]["level"] == {"type": "integer", "min": 1, "max": 10, "default": 10}
    assert {"time_ms", "worlds", "nodes", "seed", "level"} <= set(reply["options"])
    assert (reply["queue"], reply["jobs"], reply["longest_line"]) == (256, 1, LONGEST_LINE)


def test_ping():
    assert ask(command="ping") == {"id": 1, "final": True}


def test_a_card():
    reply = ask(**LEAD, first_five=["AH", "QH", "9H", "KC", "4D"], score={"NS": 3}, limits={"worlds": 5})
    assert reply == {"id": 1, "final": True, "card": "JS", "candidates": [], "worlds": 0}


def test_cards_are_read_forgivingly():
    assert ask(**{**LEAD, "hand": "jspade"})["error"]["field"] == "hand"
    assert ask(**{**LEAD, "hand": " ".join(HAND).lower(), "seat": "n", "plays": None})["card"] == "JS"


def test_a_trump_with_and_without_score():
    assert ask(**TRUMP)["trump"] == "H"
    assert ask(**TRUMP, hakem="W", score={"NS": 6, "WE": 4})["trump"] == "H"


def test_real_answers_have_candidates():
    (card, trump) = talk(
        line({"id": 1, **LEAD, "limits": {"worlds": 20}}) + line({"id": 2, **TRUMP, "limits": {"worlds": 20}}),
        Player(),
    )
    assert [each["card"] for each in card["candidates"]] == HAND
    assert parse_card(card["card"])
    assert card["worlds"] == 20
    assert [each["trump"] for each in trump["candidates"]] == list("SHDC")
    assert all(set(each) == {"trump", "points", "points_se"} for each in trump["candidates"])
    assert parse_suit(trump["trump"])


def test_an_open_position():
    reply = ask(**SOLVE)
    assert reply["schema"] == "hokm-solver/solve/1"
    assert [card["card"] for card in reply["cards"]] == ["KH", "TH"]
    assert reply["exact"]


def test_an_open_position_under_every_trump():
    reply = ask(**{**SOLVE, "trump": None}, objective="points", cards=False, line=True)
    assert set(reply["trumps"]) == set("SHDC")
    assert all("cards" not in part and part["line"] for part in reply["trumps"].values())


def test_limits_reach_the_player():
    player = FirstCard()
    talk(line({**LEAD, "limits": {"time_ms": 12.5, "worlds": 7, "nodes": 9, "seed": 2**64 - 1, "level": 3}}), player)
    (limits,) = player.seen
    asked = (limits.time_ms, limits.worlds, limits.nodes, limits.seed, limits.level)
    assert asked == (12.5, 7, 9, 2**64 - 1, 3)


@pytest.mark.parametrize("id", [0, -7, 1.5, True, False, None, "", "a b", "\u2660\ud800", 10**40])
def test_ids_come_back_as_they_were(id):
    (reply,) = talk(line({"id": id, "command": "ping"}))
    assert reply["id"] == id
    assert type(reply["id"]) is type(id)


def test_a_missing_id_is_null():
    (reply,) = talk(line({"command": "ping"}))
    assert reply["id"] is None


# What is wrong

CASES = [
    ({"command": "dance"}, "unknown_command", "command"),
    ({}, "bad_field", "command"),
    ({"command": 3}, "bad_field", "command"),
    ({"id": [1], "command": "ping"}, "bad_field", "id"),
    ({"id": {}, "command": "ping"}, "bad_field", "id"),
    ({"command": "cancel"}, "bad_field", "target"),
    ({"command": "cancel", "target": [1]}, "bad_field", "target"),
    ({"command": "choose_card"}, "bad_field", "seat"),
    ({**LEAD, "seat": "Q"}, "bad_field", "seat"),
    ({**LEAD, "seat": 1}, "bad_field", "seat"),
    ({**LEAD, "hakem": None}, "bad_field", "hakem"),
    ({**LEAD, "trump": "X"}, "bad_field", "trump"),
    ({**LEAD, "hand": None}, "bad_field", "hand"),
    ({**LEAD, "hand": 13}, "bad_field", "hand"),
    ({**LEAD, "hand": HAND[:12]}, "bad_field", "hand"),
    ({**LEAD, "hand": [*HAND[:12], "1Z"]}, "bad_field", "hand[12]"),
    ({**LEAD, "hand": [*HAND[:12], "JS"]}, "bad_field", "hand[12]"),
    ({**LEAD, "hand": [*HAND[:12], 5]}, "bad_field", "hand[12]"),
    ({**LEAD, "first_five": HAND[:4]}, "bad_field", "first_five"),
    ({**LEAD, "first_five": [*HAND[:4], "KS"]}, "bad_field", "first_five"),
    ({**LEAD, "score": [3, 5]}, "bad_field", "score"),
    ({**LEAD, "score": {"NS": 7}}, "bad_field", "score"),
    ({**LEAD, "score": {"NS": 1.5}}, "bad_field", "score.NS"),
    ({**LEAD, "limits": 5}, "bad_field", "limits"),
    ({**LEAD, "limits": {"speed": 5}}, "bad_field", "limits"),
    ({**LEAD, "limits": {"time_ms": 0}}, "bad_field", "limits.time_ms"),
    ({**LEAD, "limits": {"time_ms": "1"}}, "bad_field", "limits.time_ms"),
    ({**LEAD, "limits": {"worlds": 1.5}}, "bad_field", "limits.worlds"),
    ({**LEAD, "limits": {"worlds": 10**30}}, "bad_field", "limits.worlds"),
    ({**LEAD, "limits": {"nodes": -1}}, "bad_field", "limits.nodes"),
    ({**LEAD, "limits": {"seed": 2**64}}, "bad_field", "limits.seed"),
    ({**LEAD, "limits": {"level": True}}, "bad_field", "limits.level"),
    ({**LEAD, "limits": {"level": 11}}, "bad_field", "limits.level"),
    ({**LEAD, "plays": ["9C"]}, "illegal_history", "plays[0]"),
    ({**LEAD, "plays": ["KC", "3C", "2H", "AC", "4S", "5S", "2D"]}, "illegal_history", "plays[6]"),
    ({**LEAD, "plays": ["KC"]}, "illegal_history", "plays"),
    ({**LEAD, "plays": ["KC", "QQ"]}, "bad_field", "plays[1]"),
    ({**LEAD, "plays": ["JS", "2C", "3C", "5C"]}, "inconsistent_voids", "plays"),
    ({**TRUMP, "cards": ["AH"]}, "bad_field", "cards"),
    ({**TRUMP, "cards": ["AH"] * 5}, "bad_field", "cards[1]"),
    ({**TRUMP, "score": {"NS": 3}}, "bad_field", "hakem"),
    ({**SOLVE, "deal": "N:A"}, "bad_field", "deal"),
    ({**SOLVE, "objective": "fun"}, "bad_field", "objective"),
    ({**SOLVE, "objective": ["win"]}, "bad_field", "objective"),
    ({**SOLVE, "cards": 1}, "bad_field", "cards"),
    ({**SOLVE, "won": {"NS": 6, "WE": 7}}, "bad_field", None),
    ({**SOLVE, "trick": "9H 2D", "deal": "N:.Q.. ..K. .A..2 .KT.."}, "illegal_history", None),
]


@pytest.mark.parametrize(("request_", "code", "field"), CASES)
def test_every_mistake_has_its_code_and_its_field(request_, code, field):
    (reply,) = talk(line(request_))
    assert (reply["error"]["code"], reply["error"]["field"]) == (code, field)
    assert reply["error"]["message"]
    assert "\n" not in reply["error"]["message"]


BAD_LINES = [
    b"nonsense",
    b"\x00",
    b'{"id": 1, "command": "ping"',
    b"\xff\xfe",
    b'{"id": "\xe2\x82", "command": "ping"}',
    b"[" * 50_000,
    b'{"a":' * 9_000,
    b'{"id": ' + b"9" * 5_000 + b"}",
    b"[1, 2]",
    b'"text"',
    b"null",
    b'{"id": NaN, "command": "ping"}',
]


@pytest.mark.parametrize("bad", BAD_LINES, ids=lambda bad: repr(bad[:12]))
def test_lines_that_are_no_request(bad):
    first, second = talk(bad + b"\n" + line({"id": 2, "command": "ping"}))
    assert first["id"] is None
    assert first["error"]["code"] == "bad_json"
    assert second == {"id": 2, "final": True}


def test_endless_numbers_are_no_ids():
    (reply,) = talk(b'{"id": 1e999, "command": "ping"}\n')
    assert (reply["id"], reply["error"]["code"], reply["error"]["field"]) == (None, "bad_field", "id")


def test_a_line_that_is_too_long_is_not_kept():
    chunks = [b"x" * 50_000] * 400
    first, second = talk(Script(*chunks, b"\n", line({"id": 2, "command": "ping"})))
    assert first["error"]["code"] == "too_large"
    assert second["id"] == 2


def test_blank_lines_and_line_ends_of_every_kind():
    assert [
        reply["id"] for reply in talk(b'\n \r\n{"id": 1, "command": "ping"}\r\n\n{"id": 2, "command": "ping"}')
    ] == [1, 2]


def test_a_mistake_of_the_engine_itself_ends_nothing(capsys):
    class Broken(FirstCard):
        def choose_card(self, view, limits=NO_LIMITS):
            raise ZeroDivisionError("oh")

    first, second = talk(line({"id": 1, **LEAD}) + line({"id": 2, **TRUMP}), Broken())
    assert (first["id"], first["error"]["code"]) == (1, "internal")
    assert second["trump"] == "H"
    assert capsys.readouterr().err == "hokm-solver: internal error: ZeroDivisionError: oh\n"


# Order, queue, cancelling, ending


def test_a_hundred_at_once_are_answered_in_order():
    replies = talk(b"".join(line({"id": number, **LEAD}) for number in range(100)))
    assert [reply["id"] for reply in replies] == list(range(100))
    assert all(reply["card"] == "JS" for reply in replies)


def test_workers_side_by_side_answer_each_once():
    requests = b"".join(line({"id": number, **LEAD, "limits": {"worlds": 1 + number}}) for number in range(60))
    replies = talk(requests, Player(), Player(), Player())
    assert sorted(reply["id"] for reply in replies) == list(range(60))


def test_above_the_queue_length_the_answer_is_busy():
    player = Patient()
    first = line({"id": 0, **LEAD})
    more = b"".join(line({"id": number, **LEAD}) for number in range(1, 8))
    script = Script(first, lambda: player.begun.acquire(timeout=5), more, player.let_go.set)
    replies = talk(script, player, queue=4)
    busy = [reply["id"] for reply in replies if "error" in reply]
    assert busy == [5, 6, 7]
    assert {reply["error"]["code"] for reply in replies if "error" in reply} == {"busy"}
    assert [reply["id"] for reply in replies if "card" in reply] == [0, 1, 2, 3, 4]


def test_cancelling_what_is_at_work_and_what_waits():
    player = Patient()
    script = Script(
        line({"id": 1, **LEAD}) + line({"id": "1", **LEAD}) + line({"id": 2, **LEAD}),
        lambda: player.begun.acquire(timeout=5),
        line({"id": 3, "command": "cancel", "target": "1"}),
        line({"id": 4, "command": "cancel", "target": 1}),
        line({"id": 5, "command": "cancel", "target": True}),
        lambda: player.begun.acquire(timeout=5),
        lambda: player.begun.acquire(timeout=5),
        line({"id": 6, "command": "cancel", "target": 2}),
    )
    replies = {json.dumps(reply["id"]): reply for reply in talk(script, player)}
    assert len(replies) == 7
    assert [replies[str(number)]["found"] for number in (3, 4, 5, 6)] == [True, True, False, True]
    assert all(replies[id]["card"] == "JS" and replies[id]["cancelled"] for id in ("1", '"1"', "2"))


def test_a_real_player_stops_when_it_is_cancelled():
    endless = {"id": 1, **LEAD, "limits": {"time_ms": 60_000}}
    script = Script(line(endless), lambda: time.sleep(0.1), line({"id": 2, "command": "cancel", "target": 1}))
    begun = time.monotonic()
    replies = talk(script, Player())
    assert time.monotonic() - begun < 10
    assert {reply["id"] for reply in replies} == {1, 2}
    assert next(reply for reply in replies if reply["id"] == 1)["worlds"] >= 1


def test_an_analysis_stops_when_it_is_cancelled():
    hard = [line({"id": number, "command": "analyse", "deal": DEAL, "hakem": "N"}) for number in range(20)]
    stops = [line({"id": None, "command": "cancel", "target": number}) for number in range(20)]
    replies = talk(Script(*hard, *stops))
    analyses = [reply for reply in replies if reply["id"] is not None]
    assert [reply["id"] for reply in analyses] == list(range(20))
    assert not any(part["exact"] for part in analyses[-1]["trumps"].values())
    assert all("bounds" in part for part in analyses[-1]["trumps"].values())


@pytest.mark.parametrize("delay", [0.001, 0.002, 0.004, 0.008])
def test_a_cancelled_analysis_tells_what_was_proved(delay):
    request = {"id": 1, "command": "analyse", "deal": DEAL, "hakem": "N", "trump": "S"}
    script = Script(line(request), lambda: time.sleep(delay), line({"id": 2, "command": "cancel", "target": 1}))
    answer = next(reply for reply in talk(script) if reply["id"] == 1)
    margin = Solver().solve(position_from_json(request)[0]).margin
    lowest, highest = answer.get("bounds", {"margin": [answer["margin"]] * 2})["margin"]
    assert lowest <= margin <= highest


def test_the_end_of_the_input_waits_for_what_is_asked():
    player = Patient()
    threading.Timer(0.1, player.let_go.set).start()
    replies = talk(line({"id": 1, **LEAD}) + line({"id": 2, **LEAD}), player)
    assert [reply["id"] for reply in replies] == [1, 2]


def test_quit_is_answered_last_and_nothing_is_read_behind_it():
    replies = talk(line({"id": 1, **LEAD}) + line({"id": 2, "command": "quit"}) + line({"id": 3, "command": "ping"}))
    assert [reply["id"] for reply in replies] == [1, 2]


def test_equal_requests_have_equal_bytes():
    requests = line({"id": 1, **LEAD, "limits": {"worlds": 60, "seed": 9}})
    requests += line({"id": 2, **TRUMP, "limits": {"worlds": 60, "seed": 9}})
    runs = []
    for _ in range(2):
        output = io.BytesIO()
        Engine(output, Settings("1")).run(io.BytesIO(requests * 3), [Worker(Player(), Solver(1))])
        runs.append(output.getvalue().splitlines())
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 2


# The process


def test_the_command_answers_at_once_and_ends_with_its_input():
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for number in range(3):
            process.stdin.write(line({"id": number, "command": "ping"}))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=20) == 0
        assert process.stderr.read() == b""


def test_a_closed_pipe_ends_the_process_quietly():
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(line({"id": 1, "command": "ping"}))
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(line({"id": 2, "command": "ping"}))
        process.stdin.flush()
        assert process.wait(timeout=20) == 0  # although its input is still open
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_an_engine_started_without_a_stream_ends_quietly(closed):
    command = f"{shlex.join(COMMAND)} {closed}"
    run = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=30)
    assert (run.returncode, run.stderr) == (0, b"")


def test_the_time_limit_counts_from_the_start_of_work():
    requests = b"".join(line({"id": number, **LEAD, "limits": {"time_ms": 50}}) for number in range(4))
    begun = time.monotonic()
    replies = talk(requests, Player())
    assert time.monotonic() - begun > 0.15  # three that waited had their time as well
    assert all(reply["worlds"] > 1 for reply in replies)


def test_a_closed_pipe_ends_what_is_at_work():
    slow = line({"id": 1, **LEAD, "limits": {"time_ms": 60_000}})
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(slow + line({"id": 2, "command": "ping"}))
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(line({"id": 3, "command": "ping"}))
        process.stdin.close()
        assert process.wait(timeout=20) == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_an_interrupted_engine_leaves_its_work():
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for number in range(50):
            process.stdin.write(line({"id": number, "command": "analyse", "hakem": "N", "deal": DEAL}))
        process.stdin.write(line({"id": 50, **LEAD, "limits": {"time_ms": 60_000}}))
        process.stdin.write(line({"id": "last", "command": "ping"}))
        process.stdin.flush()
        while json.loads(process.stdout.readline())["id"] != "last":
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == b"interrupted\n"


def garbage(rng):
    """One bad line: bytes of any kind, a damaged request, or nesting."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 80)).replace(b"\n", b" ") + b"x"
    if kind == 1:
        text = bytearray(line({"id": 1, **LEAD})[:-1])
        text[rng.randrange(len(text))] = rng.choice(b"{}[]:,x\x00\xff")
        return bytes(text)
    if kind == 2:
        return b"[" * rng.randrange(1, 3_000)
    return line({"id": rng.choice([1, "a", None]), **LEAD, "hand": rng.sample(HAND, 5)})[:-1]


def resident_kb(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(row for row in status.splitlines() if row.startswith("VmRSS")).split()[1])


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")
def test_ten_thousand_bad_lines_do_no_harm():
    rng = Random(1)
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        sizes = []
        for _ in range(10):
            lines = [garbage(rng) for _ in range(1_000)]
            sender = threading.Thread(target=send, args=(process, lines))
            sender.start()
            while json.loads(process.stdout.readline())["id"] != "mark":
                pass
            sender.join()
            sizes.append(resident_kb(process))
        process.stdin.close()
        assert process.wait(timeout=20) == 0
        assert process.stderr.read() == b""
    assert sizes[-1] - sizes[0] < 5_000


def send(process, lines):
    process.stdin.write(b"\n".join(lines) + b"\n" + line({"id": "mark", "command": "ping"}))
    process.stdin.flush()


def test_null_is_the_same_as_missing():
    plain = ask(**SOLVE)
    for name in ("objective", "cards", "line", "limits"):
        reply = ask(**SOLVE, **{name: None})
        assert "error" not in reply
        assert {key: reply[key] for key in reply if key != "seconds"} == {
            key: plain[key] for key in plain if key != "seconds"
        }


def test_a_mistake_is_not_told_among_the_replies_when_standard_error_is_closed(monkeypatch, capsys):
    class Broken(FirstCard):
        def choose_card(self, view, limits=NO_LIMITS):
            raise RuntimeError("broken")

    monkeypatch.setattr(sys, "stderr", None)
    (reply,) = talk(line({"id": 1, **LEAD}), Broken())
    assert reply["error"]["code"] == "internal"
    assert capsys.readouterr().out == ""
