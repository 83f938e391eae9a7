"""The documentation of the protocol: its clients run, its examples are answered as it says, and nothing is left out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hokm_solver.engine.messages import LIMIT_RANGES
from hokm_solver.engine.player import LEVEL, MOST_UNASKED
from hokm_solver.engine.valuing import FEWEST_TO_DROP
from hokm_solver.protocol import COMMANDS, ERROR_CODES, INTERNAL_ERROR, LONGEST_LINE, QUEUE_LENGTH

DOCS = Path(__file__).parent.parent / "docs"
ENGINE = [sys.executable, "-m", "hokm_solver", "engine"]


def check_client(command):
    run = subprocess.run([*command, *ENGINE], capture_output=True, encoding="utf-8", timeout=60, check=True)
    names = [line.partition(":")[0] for line in run.stdout.splitlines()]
    assert names == ["engine", "trump", "lead", "next card"]
    assert "trump: H" in run.stdout
    assert run.stderr == ""


def test_the_client_in_python():
    check_client([sys.executable, str(DOCS / "examples" / "client.py")])


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here to run the client with")
def test_the_client_in_javascript():
    check_client(["node", str(DOCS / "examples" / "client.js")])


def text():
    return (DOCS / "protocol.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", [*COMMANDS, *LIMIT_RANGES, *ERROR_CODES.values(), INTERNAL_ERROR])
def test_every_word_is_explained(word):
    assert f"`{word}`" in text()


def test_the_numbers_are_those_of_the_program():
    assert f"{QUEUE_LENGTH} requests" in text()
    assert f"{LONGEST_LINE:,} bytes" in text()
    for name, allowed in LIMIT_RANGES.items():
        row = next(line for line in text().splitlines() if line.startswith(f"| `{name}` |"))
        lowest, highest = (f"{number:,}" for number in (allowed.lowest, allowed.highest))
        assert lowest in row
        assert highest in row or "2⁶⁴ − 1" in row


def test_the_worlds_of_each_level_are_those_of_the_program():
    rows = re.findall(r"^\| (\d+) \| ([\d,]+) \| ([\d,]+) \|$", text(), re.MULTILINE)
    stated = {int(level): tuple(int(n.replace(",", "")) for n in numbers) for level, *numbers in rows}
    assert stated == {n: (level.worlds, level.trump_worlds) for n, level in LEVEL.items() if level.worlds}
    assert f"| 1 to {min(stated) - 1} | none" in text()
    assert all(level.worlds == level.trump_worlds == 0 for n, level in LEVEL.items() if n < min(stated))
    assert f"no more than {MOST_UNASKED:,} worlds" in text()
    assert f"After {FEWEST_TO_DROP} worlds" in text()


def examples():
    """The requests and the replies in each block that shows some."""
    for block in re.findall(r"```text\n(→ .*?)```", text(), re.DOTALL):
        marked = [line for line in block.splitlines() if line.startswith(("→ ", "← "))]
        requests = [json.loads(line[2:]) for line in marked if line.startswith("→ ")]
        replies = [json.loads(line[2:]) for line in marked if line.startswith("← ")]
        yield requests, replies


def test_the_examples_are_answered_as_shown():
    """The replies on the page are written anew by: HOKM_SOLVER_WRITE_GOLDEN=1 pytest tests/test_protocol_docs.py."""
    found = list(examples())
    assert len(found) >= 5
    for requests, shown in found:
        asked = "".join(json.dumps(request) + "\n" for request in requests)
        run = subprocess.run(ENGINE, input=asked, capture_output=True, encoding="utf-8", timeout=60, check=True)
        replies = [json.loads(line) for line in run.stdout.splitlines()]
        if os.environ.get("HOKM_SOLVER_WRITE_GOLDEN") == "1":
            write_replies(shown, replies)
        else:
            assert [lasting(reply) for reply in replies] == [lasting(reply) for reply in shown]


def write_replies(shown, replies):
    page = text()
    for old, new in zip(shown, replies, strict=True):
        if lasting(old) != lasting(new):
            page = page.replace(f"← {json.dumps(old)}\n", f"← {json.dumps(new)}\n")
    (DOCS / "protocol.md").write_text(page, encoding="utf-8", newline="\n")


def lasting(reply):
    """What an example shows, without what differs from run to run and from version to version by its nature."""
    return {key: value for key, value in reply.items() if key not in ("version", "seconds", "nodes", "options")}
