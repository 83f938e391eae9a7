"""What can be wrong with input: one narrow class for each kind of mistake, all of them also ``ValueError``.

Every message is one line, names the culprit and is safe to print anywhere: foreign text is quoted with
:func:`quote`, which shortens it and escapes what cannot be printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from sys import float_info
from typing import Any, TypeVar

LONGEST_QUOTE = 40  # characters of the reader's own text shown back before it is cut
LARGEST = float_info.max
LARGEST_SHOWN = 10**12  # whole numbers beyond this are described, not printed

ErrorT = TypeVar("ErrorT", bound="HokmError")
ValueT = TypeVar("ValueT")


class HokmError(Exception):
    """Base of all errors of this package.

    ``code`` is a fixed snake_case word for programs, ``field`` the JSON field or option at fault where one is known,
    ``line`` the line of the file where it was found, counted from 1, if somebody has noted it.
    """

    code = "hokm_error"
    line: int | None = None

    def __init__(self, message: str, *, field: str | None = None) -> None:
        """Keep the one-line ``message``, and the ``field`` at fault if the input has named parts."""
        super().__init__(message)
        self.message = message
        self.field = field

    def in_field(self: ErrorT, field: str) -> ErrorT:
        """Return the same error with the place where it happened put in front: ``hands.N: unknown rank …``."""
        return type(self)(f"{field}: {self.message}", field=field)

    def at_line(self: ErrorT, line: int) -> ErrorT:
        """Return the same error with the line of the file where it was found; the message stays as it is."""
        return _rebuild(type(self), self.message, self.field, line)

    def __reduce__(self) -> tuple[object, ...]:
        """Let errors cross process borders with their field and line."""
        return _rebuild, (type(self), self.message, self.field, self.line)


def _rebuild(kind: type[ErrorT], message: str, field: str | None, line: int | None) -> ErrorT:
    error = kind(message, field=field)
    error.line = line
    return error


class NotationError(HokmError, ValueError):
    """Text that cannot be read as a card, hand, deal, seat or suit."""

    code = "bad_notation"


class FieldError(HokmError, ValueError):
    """A JSON field that is missing, of the wrong type or out of range."""

    code = "bad_field"


class DealError(HokmError, ValueError):
    """Four hands that are not one pack of cards: a card twice, a hand of 12."""

    code = "bad_deal"


class PositionError(HokmError, ValueError):
    """A position that play cannot reach."""

    code = "bad_position"


class IllegalPlay(HokmError, ValueError):  # noqa: N818 (named as players name it)
    """A card that may not be played: not held, or the deal is over."""

    code = "illegal_play"


class Revoke(IllegalPlay):
    """A card of another suit from a player who can follow suit."""

    code = "revoke"


class IllegalHistory(HokmError, ValueError):  # noqa: N818 (the protocol's name for it)
    """Plays told to the engine that cannot have happened, or that leave another seat to play."""

    code = "illegal_history"


class InconsistentVoids(HokmError, ValueError):  # noqa: N818 (the protocol's name for it)
    """The voids shown in play leave no way to deal the cards that are not seen."""

    code = "inconsistent_voids"


class RulesError(HokmError, ValueError):
    """Rules that make no game, or a house rule that is not played here."""

    code = "bad_rules"


class MatchError(HokmError, ValueError):
    """A match state that cannot be: a negative score, a deal after the end."""

    code = "bad_match"


class LimitError(HokmError, ValueError):
    """A limit on work that is not a positive number."""

    code = "bad_limit"


class EngineError(HokmError, ValueError):
    """An engine in another process that cannot be started, answers nothing sensible or plays against the rules."""

    code = "bad_engine"


class EncodingError(HokmError, ValueError):
    """A line of input that is not UTF-8."""

    code = "bad_encoding"


class JsonError(HokmError, ValueError):
    """A line of input that is not JSON."""

    code = "bad_json"


class UnknownCommand(HokmError, ValueError):  # noqa: N818 (the protocol's name for it)
    """A request for something that the engine does not do."""

    code = "unknown_command"


class Busy(HokmError, ValueError):  # noqa: N818 (the protocol's name for it)
    """Too many requests are waiting already."""

    code = "busy"


class TooLargeError(HokmError, ValueError):
    """A line of input too long to be what is asked for."""

    code = "too_large"


class JournalError(HokmError, ValueError):
    """An output file that cannot be continued: it was made from other input or with other options."""

    code = "bad_journal"


class ClusterError(HokmError, ValueError):
    """A cluster of other machines that cannot be reached, cannot do the work, or is gone before it is done."""

    code = "bad_cluster"


class MissingExtra(HokmError, ValueError):  # noqa: N818 (it says what is missing, not what was wrong)
    """Something was asked for that needs a package which is not installed."""

    code = "missing_extra"


def is_whole(value: object) -> bool:
    """Whether a value given for a number is a whole one; true and false are no numbers."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_positive(value: object) -> bool:
    """Whether a value given for a measure is a finite number above 0."""
    return isinstance(value, Real) and not isinstance(value, bool) and not value <= 0 and value <= LARGEST


def check_type(value: object, kind: type, field: str) -> None:
    """Turn a wrong type, from a caller without type checks, into a clean error.

    Raises:
        FieldError: ``value`` is no ``kind``; ``field`` names it.
    """
    if not isinstance(value, kind):
        raise FieldError(f"{field} must be {_one(kind)}, not {quote(value)}", field=field)


def check_iterable(values: object, field: str) -> None:
    """Turn what is no list of anything into a clean error.

    Raises:
        FieldError: ``values`` cannot be gone through; ``field`` names it.
    """
    if not isinstance(values, Iterable):
        raise FieldError(f"{field} must be a list, not {quote(values)}", field=field)


def all_of(values: Iterable[ValueT], kind: type[ValueT], field: str) -> tuple[ValueT, ...]:
    """The values, from a caller without type checks, which must be of one kind.

    Raises:
        FieldError: ``values`` cannot be gone through, or one of them is no ``kind``; its place is named.
    """
    check_iterable(values, field)
    found = tuple(values)
    for place, value in enumerate(found):
        if not isinstance(value, kind):
            check_type(value, kind, f"{field}[{place}]")
    return found


def check_whole(value: object, field: str) -> None:
    """Turn a number that is not whole, or none at all, into a clean error.

    Raises:
        FieldError: ``field`` names it.
    """
    if not is_whole(value):
        raise FieldError(f"{field} must be a whole number, not {quote(value)}", field=field)


def check_callable(value: object, field: str) -> None:
    """Turn what cannot be called, where a function is to be given, into a clean error.

    Raises:
        FieldError: ``field`` names it.
    """
    if not callable(value):
        raise FieldError(f"{field} must be a function, not {quote(value)}", field=field)


def counted(count: int, noun: str) -> str:
    """Say how many: ``1 card``, ``2 cards``, ``1,000 cards``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def quote(value: object) -> str:
    """Show foreign input inside a message: text in quotes, cut and escaped; other values by what they are."""
    if isinstance(value, str):
        return '"' + "".join(_printable(char) for char in _cut(value)) + '"'
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) <= LARGEST_SHOWN else "a huge number"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return "an object"
    return _one(type(value))


def _one(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'aeiouAEIOU' else 'a'} {kind.__name__}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def _printable(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode("ascii")


class BookError(HokmError, ValueError):
    """A book of five-card hands that cannot be read, or is not finished."""

    code = "bad_book"


class SearchInterrupted(HokmError, ValueError):  # noqa: N818 (it says what happened, not what was wrong)
    """A search was stopped from another thread.

    ``solution`` is the `Solution` with what `Solver.solve` had proved by then, None from other calls.
    """

    code = "interrupted"

    def __init__(self, message: str, *, field: str | None = None, solution: Any = None) -> None:
        """Keep the message and what was proved."""
        super().__init__(message, field=field)
        self.solution = solution
