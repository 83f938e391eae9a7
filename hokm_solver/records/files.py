"""Files and streams of records, in either form and in any number.

A record as JSON begins on a line that begins with a brace and ends with the line that closes it; a record as text ends
before an empty line. So every record can be read as soon as its last line is there (text: the next line), and one that
is damaged takes at most the rest of its own lines with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedIOBase, RawIOBase, TextIOBase
from typing import BinaryIO, Literal, TextIO, TypeAlias, get_args

from hokm_solver.errors import FieldError, HokmError, TooLargeError, check_iterable, quote
from hokm_solver.lines import LONGEST_LINE, ByteStream, Failure, Line, read_lines
from hokm_solver.records.json_form import record_from_json, record_to_json
from hokm_solver.records.record import Record
from hokm_solver.records.text_form import is_comment, record_from_lines, record_to_text

Form: TypeAlias = Literal["json", "text"]
FORMS: tuple[Form, ...] = get_args(Form)
BRACE = b"{"
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True)
class Entry:
    """The lines of one record in a file, not read yet.

    Attributes:
        lines: what stands there, without empty lines.
        too_long: whether there was more than is kept.
        file: the name of the file where there are several.
    """

    lines: tuple[Line, ...]
    too_long: bool = False
    file: str | None = None

    @property
    def line(self) -> int:
        """The number of the first line."""
        return self.lines[0].number

    def record(self) -> Record:
        """Read the record.

        Raises:
            HokmError: with the ``line`` where it is wrong.
        """
        if self.too_long:
            raise TooLargeError(f"the record is longer than {LONGEST_LINE:,} bytes").at_line(self.line)
        if not _begins_json(self.lines[0]):
            return record_from_lines(self.lines)
        try:
            return record_from_json(Line(self.line, self.raw()).json())
        except HokmError as error:
            raise error.at_line(error.line or self.line) from None

    def raw(self) -> bytes:
        """The bytes of the lines, empty lines between them included."""
        gaps = [later.number - line.number for line, later in zip(self.lines, self.lines[1:])]
        return b"".join((line.raw or b"") + b"\n" * gap for line, gap in zip(self.lines, [*gaps, 0]))

    def failure(self, error: HokmError) -> Failure:
        """What is wrong, in the form in which it takes the place of an answer."""
        return Failure(error.line or self.line, error.code, str(error), self.file)


class _Gathering:
    """The lines of a record as they come."""

    def __init__(self, first: Line) -> None:
        self._json = _begins_json(first)
        self._lines: list[Line] = []
        self._bytes = self._depth = 0
        self._too_long = False
        self.add(first)

    def add(self, line: Line) -> None:
        """Take a line, unless there is more already than is kept."""
        raw = line.raw or b""
        self._last = line.number
        self._bytes += len(raw)
        self._too_long = self._too_long or line.raw is None or self._bytes > LONGEST_LINE
        if not self._too_long or not self._lines:
            self._lines.append(line)
        if self._json:
            bare = _STRING.sub(b"", raw)
            self._depth += sum(map(bare.count, (b"{", b"["))) - sum(map(bare.count, (b"}", b"]")))

    def is_complete(self) -> bool:
        """Whether the record ends with the line taken last, as far as that can be told."""
        return self._json and (self._depth <= 0 or self._lines[-1].raw is None)

    def ends_before(self, line: Line) -> bool:
        """Whether this line belongs to the next record."""
        starts = line.raw is not None and line.raw.startswith(BRACE)
        return starts or (not self._json and line.number > self._last + 1)

    def entries(self, file: str | None) -> Iterator[Entry]:
        """The record; none if there is nothing but comments."""
        if self._json or self._too_long or not all(map(is_comment, self._lines)):
            yield Entry(tuple(self._lines), self._too_long, file)


def _begins_json(line: Line) -> bool:
    return line.raw is not None and line.raw.lstrip().startswith(BRACE)


def read_entries(stream: ByteStream, file: str | None = None) -> Iterator[Entry]:
    """The records of a stream as they come, not read yet: that one is wrong never stops the others."""
    gathering: _Gathering | None = None
    for line in read_lines(stream):
        if gathering is not None and gathering.ends_before(line):
            yield from gathering.entries(file)
            gathering = None
        if gathering is None:
            gathering = _Gathering(line)
        else:
            gathering.add(line)
        if gathering.is_complete():
            yield from gathering.entries(file)
            gathering = None
    if gathering is not None:
        yield from gathering.entries(file)


def read_records(stream: BinaryIO) -> Iterator[Record]:
    """Yield the records of a binary stream or file, in either form.

    Raises:
        FieldError: at once, that it is no stream.
        HokmError: at the first record that is wrong; the message begins with its line, which is ``line`` as well.
    """
    _check_stream(stream, "read", "binary stream", TextIOBase)
    return _records(stream)


def _records(stream: BinaryIO) -> Iterator[Record]:
    for entry in read_entries(stream):
        try:
            yield entry.record()
        except HokmError as error:
            line = error.line or entry.line
            raise type(error)(f"line {line}: {error.message}", field=error.field).at_line(line) from None


def format_record(record: Record, form: Form = "json") -> str:
    """Write a record as one line of JSON, or as lines of text; without the last line end.

    Raises:
        FieldError: an unknown form, or no record.
    """
    _check_form(form)
    return json.dumps(record_to_json(record)) if form == "json" else record_to_text(record)


def write_records(records: Iterable[Record], stream: TextIO, form: Form = "json") -> None:
    """Write records one after the other; text is written with an empty line after each.

    Raises:
        FieldError: an argument is of the wrong type; it is named.
    """
    check_iterable(records, "records")
    _check_stream(stream, "write", "text stream", (RawIOBase, BufferedIOBase))
    _check_form(form)
    for record in records:
        print(format_record(record, form), end="\n" if form == "json" else "\n\n", file=stream)


def _check_form(form: str) -> None:
    if form not in FORMS:
        raise FieldError(f"form must be json or text, not {quote(form)}", field="form")


def _check_stream(stream: object, ability: str, kind: str, other: type | tuple[type, ...]) -> None:
    if not callable(getattr(stream, ability, None)) or isinstance(stream, other):
        raise FieldError(f"stream must be a {kind}, not {quote(stream)}", field="stream")
