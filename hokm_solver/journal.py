"""Output files that can be continued: nothing written is lost, and never half a line stays.

A journal holds the answers to a list of questions, one JSON object a line, in order. A run that was stopped leaves
whole lines and perhaps a torn last one, which may lack no more than its end of line. The next run checks that the
answers there belong to its own questions, drops the torn line and goes on behind the last whole one. Nothing is changed
before the check is over.

An answer that does not tell all that was asked is tied to its question by a `digest`, written beside it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from hokm_solver.errors import JournalError

Answer = dict[str, Any]
Question = TypeVar("Question")

# The start of every answer, so of every torn one.
STARTS = (b'{"schema": "hokm-solver/', b'{"line": ', b'{"format": "hokm-record"')
LONGEST_ANSWER = 4_000_000  # bytes; what is longer is no line of ours
DIGEST_LENGTH = 16
LONGEST_ASIDE = 200  # characters of a name that are kept in that of the file written aside


def digest(asked: object) -> str:
    """A short mark of everything that was asked, given as what JSON can hold: questions that differ, differ in it."""
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:DIGEST_LENGTH]


class Journal:
    """The answers in the file `path`, which need not exist yet; a context manager that closes the file.

    Attributes:
        failed: whether one of the answers that were already there is an error.

    Raises:
        OSError: the file cannot be opened.
        JournalError: it is no file that can be continued, but a device or a pipe.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the file, leaving it as it is."""
        self.failed = False
        self._path = path
        refuse_devices(path)
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
        with self._named():
            self._file.close()

    def unanswered(self, questions: Iterable[Question], fits: Callable[[Question, Answer], bool]) -> Iterator[Question]:
        """The questions that have no answer yet; ``fits(question, answer)`` tells whether an answer can be its own.

        Raises:
            JournalError: the file holds something else than answers to the first of these questions.
        """
        remaining = iter(questions)
        for number, (answer, ended) in enumerate(self._answers(), start=1):
            question = next(remaining, None)
            if question is None:
                raise self._foreign(f"it has more than the {number - 1} answers asked for")
            if not fits(question, answer):
                raise self._foreign(f"its line {number} does not answer the question asked there")
            if not ended:  # whole but for its end of line: it is ours, and torn
                remaining = chain([question], remaining)
                break
            self.failed = self.failed or "error" in answer
        with self._named():
            self._file.truncate(self._end)  # only now is it known that the torn line, if any, is ours
        yield from remaining

    def append(self, answer: Answer) -> None:
        """Write one answer, whole, behind the last one."""
        with self._named():
            self._file.write(json.dumps(answer).encode() + b"\n")
            self._file.flush()

    def _answers(self) -> Iterator[tuple[Answer, bool]]:
        """The answers in the file, and whether each has its end of line, which only the last one can lack."""
        number = 0
        while line := self._file.readline(LONGEST_ANSWER):
            number += 1
            answer, ended = _object(line), line.endswith(b"\n")
            if answer is not None:
                yield answer, ended
            elif ended:
                raise self._foreign(f"its line {number} is no answer")
            else:
                self._check_torn(line)
                return
            self._end += len(line)

    def _check_torn(self, line: bytes) -> None:
        """Let only the beginning of an answer be dropped: another file may have no line end either."""
        if len(line) == LONGEST_ANSWER or not any(line.startswith(start[: len(line)]) for start in STARTS):
            raise self._foreign("it ends in something that is no answer")

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Let errors of writing name the file, as those of opening do."""
        try:
            yield
        except OSError as error:
            error.filename = os.fspath(self._path)
            raise

    def _foreign(self, why: str) -> JournalError:
        return JournalError(f"cannot continue {self._path}: {why}; it was made from other input or with other options")


@contextmanager
def written_aside(path: str | Path) -> Iterator[Path]:
    """Yield a name beside `path` to write a file to that takes its place in the end, whole, or not at all.

    A device or a pipe is written to as it is; behind a link its target is replaced.

    Raises:
        OSError: whatever came up, with the name of the file that was to be, of which the old content is still there.
    """
    try:
        if is_device(path):
            yield Path(path)
            return
        target = Path(os.path.realpath(path))
        aside = target.with_name(f".{target.name[:LONGEST_ASIDE]}.{os.getpid()}.part")
        try:
            yield aside
            aside.replace(target)
        finally:
            with suppress(OSError):
                aside.unlink()
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _object(line: bytes) -> Answer | None:
    """The JSON object in a line; None if there is none."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def refuse_devices(path: str | Path) -> None:
    """Let only what can be read back be written to; a directory is refused when it is opened.

    Raises:
        JournalError: it is a device or a pipe.
    """
    if is_device(path):
        raise JournalError(f"cannot write to {path}: it is no regular file")


def is_device(path: str | Path) -> bool:
    """Whether a path leads to a device or a pipe; not if nothing is there, or it cannot be told."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
