"""The loop of every ``--batch``: lines in, answers out, to standard output or to a file that can be continued."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from hokm_solver.cli.output import Progress
from hokm_solver.journal import Answer, Journal
from hokm_solver.lines import ByteStream, Failure, Line, read_lines

Result = TypeVar("Result")
MARK = "question"  # the field of an answer in a file that holds the digest of what was asked
AnswerAll: TypeAlias = Callable[[Iterator[Line]], Iterator[Result]]


def answer_batch(source: str, answer_all: AnswerAll[Result], show: Callable[[Result], None]) -> bool:
    """Show the answer to every line of `source` as soon as it is there; whether all could be answered."""
    good = True
    with _open(source) as stream, Progress("answered", output=sys.stdout) as progress:
        for count, answer in enumerate(answer_all(read_lines(stream)), start=1):
            show(answer)
            good = good and not isinstance(answer, Failure)
            progress.count(count)
    return good


def continue_batch(
    source: str,
    out: str,
    answer_all: AnswerAll[Result],
    to_json: Callable[[Result], Answer],
    digest: Callable[[Line], str],
) -> bool:
    """Write the answers that `out` does not hold yet into it; whether all lines could be answered.

    Each is written with the `digest` of what was asked, by which it is known again.
    """
    good = True
    marks: deque[str] = deque()  # of the lines in hand, which are read in a thread of their own

    def fits(line: Line, answer: Answer) -> bool:
        return answer.get(MARK) == digest(line) and ("schema" in answer) != ("error" in answer)

    def marked(lines: Iterator[Line]) -> Iterator[Line]:
        for line in lines:
            marks.append(digest(line))
            yield line

    with _open(source) as stream, Journal(out) as journal, Progress("answered") as progress:
        unanswered = marked(journal.unanswered(read_lines(stream), fits))
        for count, answer in enumerate(answer_all(unanswered), start=1):
            journal.append({**to_json(answer), MARK: marks.popleft()})
            good = good and not isinstance(answer, Failure)
            progress.count(count)
        return good and not journal.failed


@contextmanager
def _open(source: str) -> Iterator[ByteStream]:
    """The bytes of a file, or of standard input for ``-``, as soon as they come."""
    if source == "-":
        if sys.stdin is None:  # as it is when the program was started with it closed
            raise OSError("standard input is closed")
        # Without its buffer: a thread that waits inside the buffer would hold up the end of the process.
        yield getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        return
    with open(source, "rb", buffering=0) as stream:
        yield stream
