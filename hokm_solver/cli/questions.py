"""Many questions in, as many answers out, to standard output or to a file that can be continued."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeAlias, TypeVar

from hokm_solver.cli.output import Progress
from hokm_solver.journal import Answer, Journal
from hokm_solver.lines import ByteStream, Failure

Question = TypeVar("Question")
Result = TypeVar("Result")
MARK = "question"  # the field of an answer in a file that holds the digest of what was asked
AnswerAll: TypeAlias = Callable[[Iterator[Question]], Iterator[Result | Failure]]


def answer_batch(
    questions: Iterator[Question],
    answer_all: AnswerAll[Question, Result],
    show: Callable[[Result | Failure], None],
    prints: bool = True,
) -> bool:
    """Show the answer to every question as soon as it is there; whether all could be answered.

    ``prints`` tells whether `show` writes to standard output, where progress must not come between.
    """
    good = True
    with Progress("answered", output=sys.stdout if prints else None) as progress:
        for count, answer in enumerate(answer_all(questions), start=1):
            show(answer)
            good = good and not isinstance(answer, Failure)
            progress.count(count)
    return good


def continue_batch(
    questions: Iterator[Question],
    out: str,
    answer_all: AnswerAll[Question, Result],
    to_json: Callable[[Result | Failure], Answer],
    digest: Callable[[Question], str],
    take: Callable[[Answer], bool] = bool,
) -> bool:
    """Write the answers that `out` does not hold yet into it; whether all questions could be answered.

    Each is written with the `digest` of what was asked, by which it is known again. ``take`` is shown every answer in
    its turn, those that were there already too, and says whether it is whole.
    """
    good = True
    marks = _Marks(digest)
    with Journal(out) as journal, Progress("answered") as progress:
        unanswered = journal.unanswered(questions, lambda *pair: marks.fit(*pair) and take(pair[1]))
        for count, answer in enumerate(answer_all(marks.noted(unanswered)), start=1):
            marked = {**to_json(answer), MARK: marks.next()}
            journal.append(marked)
            take(marked)
            good = good and not isinstance(answer, Failure)
            progress.count(count)
        return good and not journal.failed


class _Marks(Generic[Question]):
    """The digests of the questions in hand, which are read in a thread of their own."""

    def __init__(self, digest: Callable[[Question], str]) -> None:
        self._digest = digest
        self._waiting: deque[str] = deque()

    def fit(self, question: Question, answer: Answer) -> bool:
        """Whether a written answer is one, and to this question."""
        return answer.get(MARK) == self._digest(question) and ("schema" in answer) != ("error" in answer)

    def noted(self, questions: Iterator[Question]) -> Iterator[Question]:
        """The same questions, each one's mark kept until its answer is there."""
        for question in questions:
            self._waiting.append(self._digest(question))
            yield question

    def next(self) -> str:
        """The mark of the question whose answer is written next."""
        return self._waiting.popleft()


@contextmanager
def open_source(source: str) -> Iterator[ByteStream]:
    """The bytes of a file, or of standard input for ``-``, as soon as they come."""
    if source == "-":
        if sys.stdin is None:  # as it is when the program was started with it closed
            raise OSError("standard input is closed")
        # Without its buffer: a thread that waits inside the buffer would hold up the end of the process.
        yield _Source(getattr(sys.stdin.buffer, "raw", sys.stdin.buffer), source_name(source))
        return
    with open(source, "rb", buffering=0) as stream:
        yield _Source(stream, source)


def source_name(source: str) -> str:
    """What a source is called in errors."""
    return "standard input" if source == "-" else source


class _Source:
    """A stream whose errors tell its name, as errors of opening a file do."""

    def __init__(self, stream: ByteStream, name: str) -> None:
        self._stream = stream
        self._name = name

    def read(self, size: int, /) -> bytes | None:
        try:
            return self._stream.read(size)
        except OSError as error:
            error.filename = self._name
            raise
