"""The documentation of the protocol: its clients run, its examples are answered as it says, and nothing is left out."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hokm_solver.engine.messages import LIMIT_RANGES
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


def examples():
    """The requests and the replies in each block that shows some."""
    for block in re.findall(r"```text\n(→ .*?)```", text(), re.DOTALL):
        marked = [line for line in block.splitlines() if line.startswith(("→ ", "← "))]
        requests = [json.loads(line[2:]) for line in marked if line.startswith("→ ")]
        replies = [json.loads(line[2:]) for line in marked if line.startswith("← ")]
        yield requests, replies


def test_the_examples_are_answered_as_shown():
    found = list(examples())
    assert len(found) >= 5
    for requests, shown in found:
        asked = "".join(json.dumps(request) + "\n" for request in requests)
        run = subprocess.run(ENGINE, input=asked, capture_output=True, encoding="utf-8", timeout=60, check=True)
        replies = [json.loads(line) for line in run.stdout.splitlines()]
        assert [shape(reply) for reply in replies] == [shape(reply) for reply in shown]


def shape(reply):
    """What an example promises: all but the numbers, which depend on the weights shipped, and the version."""
    kept = {key: value for key, value in reply.items() if key not in ("version", "seconds", "nodes", "options")}
    if "candidates" in kept:
        kept["candidates"] = [sorted(candidate) for candidate in kept["candidates"]]
    return kept
