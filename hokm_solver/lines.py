"""Input of one question a line, of any length and quality: one bad line never stops the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn, Protocol, TypeVar

from hokm_solver.errors import EncodingError, HokmError, JsonError, TooLargeError
from hokm_solver.journal import Answer

LONGEST_LINE = 1_000_000  # bytes; a position takes a few hundred
CHUNK = 65_536
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Result = TypeVar("Result")


class ByteStream(Protocol):
    """What lines are read from: an unbuffered stream answers as soon as a line is there."""

    def read(self, size: int, /) -> bytes | None:
        """Up to `size` bytes, none at the end."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of input, numbered from 1; ``raw`` is None when it was too long to keep: over ``longest`` bytes.

    Several lines in one, from this number on, are told apart in errors.
    """

    number: int
    raw: bytes | None
    longest: int = LONGEST_LINE

    @property
    def text(self) -> str:
        """The line without the space around it.

        Raises:
            TooLargeError: longer than `longest`. EncodingError: not UTF-8.
        """
        if self.raw is None:
            raise TooLargeError(f"the line is longer than {self.longest:,} bytes")
        try:
            return self.raw.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise EncodingError(f"byte {error.start + 1} of the line is not UTF-8") from None

    def json(self) -> object:
        """The JSON value in the line.

        Raises:
            JsonError: no JSON, or JSON that no answer can be made from (endless nesting, endless numbers).
        """
        try:
            return json.loads(self.text, parse_constant=_no_number)
        except json.JSONDecodeError as error:
            wrong = JsonError(f"not JSON: {error.msg} at character {error.colno}")
            raise wrong.at_line(self.number + error.lineno - 1) from None
        except RecursionError:
            raise JsonError("not JSON of a sensible depth") from None
        except HokmError:
            raise
        except ValueError:  # a number of thousands of digits
            raise JsonError("a number with too many digits") from None


def _no_number(name: str) -> NoReturn:
    """Python reads what JSON does not have."""
    raise JsonError(f"not JSON: {name} is no number")


def read_lines(stream: ByteStream, longest: int = LONGEST_LINE) -> Iterator[Line]:
    """The lines of a stream as they come; blank ones are counted and left out. A byte order mark is ignored.

    Of a line of more than ``longest`` bytes nothing is kept.
    """
    for number, raw in enumerate(_raw_lines(stream, longest), start=1):
        if number == 1 and raw is not None:
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        if raw is None or not _is_blank(raw):
            yield Line(number, raw, longest)


def _is_blank(raw: bytes) -> bool:
    """Whether nothing but space is in a line, of any kind that `Line.text` takes away."""
    return not raw.strip() or not raw.decode("utf-8", "replace").strip()


def _raw_lines(stream: ByteStream, longest: int) -> Iterator[bytes | None]:
    """Lines without their ends; None for one that is too long, of which no more is kept in memory than allowed."""
    held, too_long = b"", False
    while chunk := stream.read(CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            fits = not too_long and len(held) + len(part) <= longest
            yield held + part if fits else None
            held, too_long = b"", False
        too_long = too_long or len(held) + len(rest) > longest
        held = b"" if too_long else held + rest
    if held or too_long:
        yield None if too_long else held


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a line has no answer; ``file`` is the name of its file where there are several."""

    line: int
    code: str
    message: str
    file: str | None = None

    def to_json(self) -> Answer:
        """The object that takes the place of the answer."""
        where = {"line": self.line} if self.file is None else {"line": self.line, "file": self.file}
        return {**where, "error": {"code": self.code, "message": self.message}}


def answer(line: Line, work: Callable[[Line], Result]) -> Result | Failure:
    """``work(line)``, or what is wrong with the line."""
    try:
        return work(line)
    except HokmError as error:
        return Failure(line.number, error.code, str(error))
