"""Output files that can be continued: nothing written is lost, and never half a line stays.

A journal holds the answers to a list of questions, one JSON object a line, in order. A run that was stopped leaves
whole lines and perhaps a torn last one. The next run checks that the answers there belong to its own
questions, drops the torn line and goes on behind the last whole one. Nothing is changed before the check is over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from hokm_solver.errors import JournalError

Answer = dict[str, Any]
Question = TypeVar("Question")

# The start of every answer, so of every torn one.
STARTS = (b'{"schema": "hokm-solver/', b'{"line": ', b'{"format": "hokm-record"')


class Journal:
    """The answers in the file `path`, which need not exist yet; a context manager that closes the file.

    Attributes:
        failed: whether one of the answers that were already there is an error.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the file, leaving it as it is."""
        self.failed = False
        self._path = path
        self._file = open(path, "a+b")  # noqa: SIM115 (closed by __exit__)
        self._file.seek(0)
        self._end = 0  # behind the last answer that was checked

    def __enter__(self) -> Journal:
        """Return the journal itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._file.close()

    def unanswered(self, questions: Iterable[Question], fits: Callable[[Question, Answer], bool]) -> Iterator[Question]:
        """The questions that have no answer yet; ``fits(question, answer)`` tells whether an answer can be its own.

        Raises:
            JournalError: the file holds something else than answers to the first of these questions.
        """
        remaining = iter(questions)
        for number, answer in enumerate(self._answers(), start=1):
            question = next(remaining, None)
            if question is None:
                raise self._foreign(f"it has more than the {number - 1} answers asked for")
            if not fits(question, answer):
                raise self._foreign(f"its line {number} does not answer the question asked there")
            self.failed = self.failed or "error" in answer
        self._file.truncate(self._end)  # only now is it known that the torn line, if any, is ours
        yield from remaining

    def append(self, answer: Answer) -> None:
        """Write one answer, whole, behind the last one."""
        self._file.write(json.dumps(answer).encode() + b"\n")
        self._file.flush()

    def _answers(self) -> Iterator[Answer]:
        for line in self._file:
            if not line.endswith(b"\n"):
                self._check_torn(line)
                return
            try:
                answer = json.loads(line)
            except ValueError:
                raise self._foreign("it holds lines that are no answers") from None
            if not isinstance(answer, dict):
                raise self._foreign("it holds lines that are no answers")
            yield answer
            self._end += len(line)

    def _check_torn(self, line: bytes) -> None:
        """Let only the beginning of an answer be dropped: another file may have no line end either."""
        if not any(line.startswith(start[: len(line)]) for start in STARTS):
            raise self._foreign("it ends in something that is no answer")

    def _foreign(self, why: str) -> JournalError:
        return JournalError(f"cannot continue {self._path}: {why}; it was made from other input or with other options")
