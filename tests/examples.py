"""The examples in a Markdown page: Python sessions, and console blocks with commands and what they print."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT, CONTINUED = "$ ", "> "
VOLATILE = {"seconds", "nodes"}  # JSON fields that differ from run to run or from search to search


@dataclass(frozen=True)
class Command:
    """A command of a console block and the text it is said to print."""

    text: str
    output: str
    line: int


def blocks(page: Path, language: str) -> Iterator[tuple[str, int]]:
    """The fenced blocks of one language, and the line where the body of each begins."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        if match["language"] == language:
            yield match["body"], text.count("\n", 0, match.start("body")) + 1


def run_python(page: Path) -> list[str]:
    """Run the Python blocks of a page, one after the other in one namespace; what went wrong.

    A block with ``>>>`` is a session whose output is compared, any other is a script.
    """
    failures: list[str] = []
    names: dict[str, Any] = {"__name__": page.name}
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)  # not what -v means for pytest
    for body, line in blocks(page, "python"):
        if ">>> " in body:
            session = doctest.DocTestParser().get_doctest(body, names, page.name, str(page), line - 1)
            session.globs = names  # not a copy: later blocks use what this one makes
            runner.run(session, out=failures.append, clear_globs=False)
        else:
            exec(compile("\n" * (line - 1) + body, str(page), "exec"), names)
    return failures


def commands(page: Path) -> list[Command]:
    """The commands of all console blocks of a page."""
    return [command for body, line in blocks(page, "console") for command in _commands(body, line)]


def _commands(body: str, first: int) -> Iterator[Command]:
    lines = body.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith(PROMPT)]
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        typed = [lines[start].removeprefix(PROMPT)]
        rest = start + 1
        while rest < end and lines[rest].startswith(CONTINUED):
            typed.append(lines[rest].removeprefix(CONTINUED))
            rest += 1
        yield Command("\n".join(typed), "\n".join(lines[rest:end]), first + start)


def same_output(expected: str, got: str) -> bool:
    """Whether the output is the one shown: JSON by its values (broken into lines or not), text by its letters.

    ``...`` in text stands for anything.
    """
    values = json_values(expected)
    if values is not None:
        return settled(values) == settled(json_values(got))
    checker = doctest.OutputChecker()
    return checker.check_output(expected.rstrip() + "\n", got.rstrip() + "\n", doctest.ELLIPSIS)


def json_values(text: str) -> list[Any] | None:
    """The JSON objects in a text that holds nothing else, otherwise None."""
    values, decoder, rest = [], json.JSONDecoder(), text.strip()
    while rest:
        try:
            value, end = decoder.raw_decode(rest)
        except ValueError:
            return None
        values.append(value)
        rest = rest[end:].lstrip()
    return values or None


def settled(value: Any) -> Any:
    """The same JSON value without the fields that may change."""
    if isinstance(value, dict):
        return {key: settled(entry) for key, entry in value.items() if key not in VOLATILE}
    return [settled(entry) for entry in value] if isinstance(value, list) else value
