"""``hokm-solver record new``: from what a person types to a record."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from hokm_solver.cli.group import SolverCommand
from hokm_solver.cli.output import show_record
from hokm_solver.errors import FieldError, HokmError

if TYPE_CHECKING:
    from hokm_solver.records.dialog import Dialog, Question
    from hokm_solver.records.record import Record

ASKED = ("hakem", "deal", "trump", "first_five", "score", "plays")
SEATS = ("north", "west", "south", "east")
EXAMPLES = """\b
Examples:
  hokm-solver record new < typed.txt
  hokm-solver record new --to text --event "Nowruz, deal 3" --north Sara < typed.txt"""


@click.command(cls=SolverCommand, epilog=EXAMPLES, short_help="Make a record, asking for what is missing.")
@click.option("--hakem", metavar="SEAT", help="Hakem's seat: N, W, S or E, the order of play.")
@click.option("--deal", metavar="DEAL", help="All cards, clockwise from any seat: N:AKQ.JT9.876.5432 ... ... ...")
@click.option("--trump", metavar="SUIT", help="The trump suit; '' if it is not known.")
@click.option("--first-five", metavar="CARDS", help="Hakem's first five cards; '' if they are not known.")
@click.option("--score", metavar="POINTS", help="The score before the deal, NS:3,WE:5; '' if there is none.")
@click.option("--plays", metavar="CARDS", help="All cards in the order in which they fell.")
@click.option("--north", metavar="NAME", help="Who sits at N.")
@click.option("--west", metavar="NAME", help="Who sits at W.")
@click.option("--south", metavar="NAME", help="Who sits at S.")
@click.option("--east", metavar="NAME", help="Who sits at E.")
@click.option("--event", metavar="TEXT", help="What the deal belongs to.")
@click.option("--date", metavar="TEXT", help="When it was played.")
@click.option("--to", "form", type=click.Choice(["json", "text"]), default="json", show_default=True, help="The form.")
def new(**given: Any) -> None:
    """Make a record of a deal and print it.

    What is not given by an option is asked for: hakem, the hands, trump, the first five, the score, and the cards as
    they fell, one or more at a time. Everything is checked at once; what cannot be is asked for again. Questions are
    put on standard error. Without a terminal the answers are read line by line, and the first that is wrong ends it.
    """
    from hokm_solver.cards import Seat
    from hokm_solver.records.dialog import ask_record

    record = _answered(ask_record({name: given[name] for name in ASKED if given[name] is not None}))
    players = {seat: given[name] for seat, name in zip(Seat, SEATS) if given[name] is not None}
    record = replace(record, players=players, event=given["event"], date=given["date"])
    show_record(record, given["form"])


def _answered(dialog: Dialog[Record]) -> Record:
    """Put the questions of a dialog until it has its record."""
    typing = _Typing()
    try:
        question = next(dialog)
        while True:
            question = dialog.send(typing.answer(question))
    except StopIteration as end:
        record: Record = end.value
        return record


class _Typing:
    """What is typed at a terminal or comes from a file, a line at a time."""

    def __init__(self) -> None:
        if sys.stdin is None:  # as it is when the program was started with it closed
            raise OSError("standard input is closed")
        self._at_terminal = sys.stdin.isatty()
        self._lines = 0
        self._ended = False

    def answer(self, question: Question) -> str:
        """The answer to a question, an empty one once the input has ended."""
        if question.complaint is not None:
            if self._ended:
                raise FieldError(f"the input has ended before an answer to: {question.text.rstrip(': ')}")
            self._complain(question.complaint)
        while True:
            if self._at_terminal:
                click.echo(question.text, nl=False, err=True)
            try:
                return self._line()
            except HokmError as error:
                self._complain(error)

    def _line(self) -> str:
        from hokm_solver.lines import LONGEST_LINE, Line

        raw = sys.stdin.buffer.readline(LONGEST_LINE)
        self._lines += 1
        self._ended = not raw
        return Line(self._lines, raw).text

    def _complain(self, error: HokmError) -> None:
        """Say what was wrong with the last answer; without somebody who could mend it, end."""
        if not self._at_terminal:
            raise type(error)(f"line {self._lines}: {error.message}", field=error.field) from None
        click.echo(f"error: {error}", err=True)
