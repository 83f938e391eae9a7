"""Writing to the terminal: text that its encoding can show, JSON lines, and progress on standard error."""

from __future__ import annotations

import json
import os
import sys
import time
from shutil import get_terminal_size
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

import click

from hokm_solver.report.text import plain

if TYPE_CHECKING:
    from hokm_solver.lines import Failure
    from hokm_solver.records.files import Form
    from hokm_solver.records.record import Record

BAR_WIDTH = 30
REDRAW_SECONDS = 0.1
TELLING_SECONDS = 3.0  # what is over sooner needs no estimate
NO_ORDER = (
    "note: if this terminal shows Persian from left to right, pip install 'hokm-solver[persian]'; if it does not, set"
    " HOKM_SOLVER_BIDI=terminal"
)


def show(text: str, language: str = "en") -> None:
    """Print text for people: in ASCII where the output cannot show suit symbols, Persian in its order."""
    if sys.stdout is None:  # the program was started with it closed
        return
    if language == "fa":
        _print(in_order(text), end=False)
        return
    _print(fitting(text))


def show_json(answer: dict[str, Any]) -> None:
    """Print one JSON object as one line, at once."""
    _print(json.dumps(answer))


def show_record(record: Record, form: Form) -> None:
    """Print a record; one as text with an empty line behind it."""
    from hokm_solver.records.files import format_record

    show_data(format_record(record, form) + ("\n" if form == "text" else ""))


def show_data(text: str) -> None:
    """Print text made for programs: in UTF-8, whatever the terminal can show."""
    _print(text.encode())


def complain(failure: Failure) -> None:
    """Say on standard error what is wrong with one of many questions, in one line."""
    place = f"line {failure.line}" if failure.file is None else f"{failure.file}, line {failure.line}"
    click.echo(" ".join(f"error: {place}: {failure.message}".split()), err=True)


def fitting(text: str) -> str:
    """Text as standard output can show it: in ASCII if it cannot show all of it."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return plain(text)
    return text


def in_order(text: str) -> str:
    """Persian text with its last line end, for standard output as it is: a file, or one terminal or another."""
    from hokm_solver.cli.direction import arranged, arranger

    if sys.stdout is None:
        return text
    try:
        return arranged(text, arranger(sys.stdout), get_terminal_size().columns)
    except ImportError:
        click.echo(NO_ORDER, err=True)
        return arranged(text, "reader", 0)


def drop_output() -> None:
    """Nobody reads the output or it cannot be written: let what is still buffered go nowhere, without a word."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(text: str | bytes, end: bool = True) -> None:
    """Print a text, with a line end; an error, of a full disk say, tells where, as errors of files do."""
    try:
        click.echo(text, nl=end)
    except BrokenPipeError:
        raise
    except OSError as error:
        error.filename = "standard output"
        raise


class Progress:
    """A line on standard error that is drawn over and over, and only when that is a terminal."""

    def __init__(self, label: str, output: TextIO | None = None) -> None:
        """Start the clock; `output` is written to meanwhile, so nothing is drawn if it is a terminal as well."""
        self._label = label
        shown = sys.stderr is not None and sys.stderr.isatty()  # None when the program was started with it closed
        self._shown = shown and not (output and output.isatty())
        self._due = time.monotonic() + REDRAW_SECONDS
        self._drawn = False
        self._begun: tuple[float, float] | None = None  # the first part shown, and when

    def __enter__(self) -> Progress:
        """Return the progress line itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wipe the line."""
        if self._drawn:
            click.echo("\r\033[K", nl=False, err=True)

    def part(self, done: float) -> None:
        """Show a bar for the part done, 0 to 1, and the time left once it can be told."""
        full = round(done * BAR_WIDTH)
        self._draw(f"[{'#' * full}{'-' * (BAR_WIDTH - full)}] {done:4.0%}{self._left(done)}")

    def count(self, done: int) -> None:
        """Show how many are done, where nobody knows how many there are."""
        self._draw(f"{done:,}")

    def _left(self, done: float) -> str:
        """The time that the rest will take at the speed since the first part: what was there before cost nothing."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = done, now
        first, begun = self._begun
        if now < begun + TELLING_SECONDS or done <= first:
            return ""
        seconds = round((1 - done) * (now - begun) / (done - first))
        return f" {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left"

    def _draw(self, state: str) -> None:
        if self._shown and time.monotonic() >= self._due:
            click.echo(f"\r\033[K{self._label} {state}", nl=False, err=True)
            self._due = time.monotonic() + REDRAW_SECONDS
            self._drawn = True
