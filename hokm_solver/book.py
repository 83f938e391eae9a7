"""The book: what every five-card hand is worth at the table under each trump, valued once and for all.

Hands that differ only in the names of their suits are one class (`fives`). For every class the deals of each trump were
played out by the learned policy (`book_building`), and the book keeps how they ended. What is read from it is corrected
by the same fitted model as fresh playouts are (`engine.calibration`), so a better model needs no new book. Other
weights of the policy do: a book knows which ones made it, and is refused by a package that has others.

A book is a ZIP archive: ``about.json``, and blocks of BLOCK classes, each two planes of bytes, the low and the high
ones of 16-bit numbers. Each number kept for a class stands beside the same number of the other classes, which are
alike. The numbers are, for each suit of `fives.hand_of` in turn, how often each of the OUTCOMES came up, and then for
each of the PAIRS of suits the standard error of the difference of their points, in parts of a point. All cards seen,
where a book has that, is a column of blocks of its own.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias, TypeVar
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Card, Suit
from hokm_solver.engine.calibration import OUTCOMES
from hokm_solver.engine.policies import weights_mark
from hokm_solver.errors import BookError, FieldError, quote
from hokm_solver.fives import class_of, order_of_suits
from hokm_solver.match import Score
from hokm_solver.notation import five_cards
from hokm_solver.rules import Outcome
from hokm_solver.sampling import first_packet
from hokm_solver.table import SCHEMA as SCHEMA_OF_ADVICE
from hokm_solver.table import TableAdvice, TableValue, points_of_counts, values_of_counts

if TYPE_CHECKING:
    from hokm_solver.advice import TrumpValue

SCHEMA = "hokm-solver/book/1"
FILE = "book.zip"
ABOUT = "about.json"
TABLE, SEEN = "table", "all_cards_seen"  # the columns
BLOCK = 1024
PAIRS = tuple(combinations(Suit, 2))
COUNTED = len(Suit) * len(OUTCOMES)
NUMBERS = COUNTED + len(PAIRS)  # kept for a class in each column
UNIT = 10_000  # of standard errors, in one point

Numbers: TypeAlias = NDArray[np.uint16]
Matrix: TypeAlias = NDArray[np.float64]
Value = TypeVar("Value", "TableValue", "TrumpValue")


@dataclass(frozen=True, slots=True)
class Column:
    """What a book keeps of some classes; the suits are those of `fives.hand_of`.

    Attributes:
        counts: how often each of the OUTCOMES came up under each suit, shape (…, 4, 4).
        errors: standard errors of the differences between the points of two suits, shape (…, 4, 4).
    """

    counts: NDArray[np.int64]
    errors: Matrix

    @classmethod
    def of(cls, numbers: Numbers) -> Column:
        """Read the numbers of some classes, shape (…, NUMBERS)."""
        classes = numbers.shape[:-1]
        errors = np.zeros((*classes, len(Suit), len(Suit)))
        for (one, other), error in zip(PAIRS, np.moveaxis(numbers[..., COUNTED:], -1, 0)):
            errors[..., one, other] = errors[..., other, one] = error / UNIT
        counts = numbers[..., :COUNTED].astype(np.int64)
        return cls(counts.reshape(*classes, len(Suit), len(OUTCOMES)), errors)


@dataclass(frozen=True, slots=True)
class BookAdvice:
    """Trump advice from the book: that at the table and no other.

    Attributes:
        cards: hakem's five cards as given.
        table: the values at the table, by which the suit to call is chosen.
        seed: of the worlds that the book was built from.
    """

    cards: tuple[Card, ...]
    table: TableAdvice
    seed: int

    @property
    def call(self) -> Suit:
        """The suit to call."""
        return self.table.call

    def to_json(self) -> dict[str, Any]:
        """The object ``hokm-solver/advise/1`` without the values with all cards seen; the suit to call comes first."""
        return {
            "schema": SCHEMA_OF_ADVICE,
            "cards": [str(card) for card in self.cards],
            "instant": True,
            "seed": self.seed,
            "best_table": self.table.best.letter,
            **self.table.match_to_json(),
            "trumps": [self.table.trump_to_json(value.trump) for value in self.table.ranked()],
        }


class Book:
    """A packed book, open for reading.

    Attributes:
        about: how it was built: ``classes``, ``seed``, ``precision``, ``worlds`` (the most of a hand), ``exact``
            (worlds solved with all cards seen, 0 if that column is missing), and ``policy``, the mark of who played.

    Thread-safety: one thread at a time may look up.
    """

    def __init__(self, file: str | Path | IO[bytes]) -> None:
        """Open a book.

        Raises:
            BookError: it is no book, or was played by a policy with other weights than those of this package.
            FieldError: ``file`` is neither a path nor a binary file. OSError: it cannot be read.
        """
        if not isinstance(file, (str, PathLike)) and not hasattr(file, "read"):
            raise FieldError(f"file must be a path or a binary file, not {quote(file)}", field="file")
        try:
            self._archive = ZipFile(file)
            self.about: dict[str, Any] = json.loads(self._archive.read(ABOUT))
            schema, policy = self.about["schema"], self.about["policy"]
        except (BadZipFile, KeyError, TypeError, ValueError) as error:
            raise BookError(f"{file} is no book: {error}") from error
        if schema != SCHEMA:
            raise BookError(f"{file} is a book of the kind {schema}, where {SCHEMA} is needed")
        if policy != weights_mark():
            raise BookError(
                f"{file} was made by the policy {policy} and this package has {weights_mark()}: build the book anew"
            )

    def lookup(self, cards: str | Iterable[Card | str]) -> tuple[TableValue, ...]:
        """Value the four trumps at the table from hakem's first five cards; best first, ties in the order ♠♥♦♣.

        ``cards``: five different cards, or text naming them in any form that `notation.parse_cards` reads.

        Raises:
            NotationError, DealError: the cards cannot be read or are not five different ones.
            FieldError: ``cards`` is of a wrong type. BookError: the book has not come that far, or is damaged.
        """
        five = five_cards(cards)
        column = self._of_class(TABLE, five)
        return _named(values_of_counts(column.counts, column.errors), five)

    def all_cards_seen(self, cards: str | Iterable[Card | str]) -> tuple[TrumpValue, ...]:
        """The same with all cards seen, in a book that was built with such values.

        Raises:
            BookError: the book was built without them. Otherwise as `lookup`.
        """
        if not self.about["exact"]:
            raise BookError("the book was built without values with all cards seen")
        five = five_cards(cards)
        return _named(_seen_values(self._of_class(SEEN, five)), five)

    def advise(self, cards: str | Iterable[Card | str], score: Score | None = None) -> BookAdvice:
        """Advise hakem which trump to call at the table, by points or from a match score.

        Raises:
            MatchError: no deal is played at ``score``. Otherwise as `lookup`.
        """
        five = five_cards(cards)
        return BookAdvice(five, TableAdvice.of(self.lookup(five), score), self.about["seed"])

    def column(self, name: str = TABLE) -> Column:
        """All classes at once.

        Raises:
            FieldError: ``name`` is no column's. BookError: the book has no such column, or is damaged.
        """
        if name not in (TABLE, SEEN):
            raise FieldError(f"a column is {TABLE} or {SEEN}, not {quote(name)}", field="name")
        blocks = range(-(-self.about["classes"] // BLOCK))
        return Column.of(np.concatenate([self._block(name, block) for block in blocks], axis=-1).T)

    def _of_class(self, name: str, five: tuple[Card, ...]) -> Column:
        """What a column holds of the class of a hand."""
        number = class_of(first_packet(five))
        if number >= self.about["classes"]:
            raise BookError(f"the book holds {self.about['classes']:,} classes, and this is number {number}")
        return Column.of(self._block(name, number // BLOCK)[:, number % BLOCK])

    def _block(self, name: str, block: int) -> Numbers:
        """The numbers of a block of classes, shape (NUMBERS, classes)."""
        try:
            planes = np.frombuffer(self._archive.read(f"{name}/{block}"), dtype=np.uint8).reshape(2, NUMBERS, -1)
        except (KeyError, ValueError, EOFError, BadZipFile, zlib.error) as error:
            raise BookError(f"the book is damaged: {error}") from error
        low, high = planes.astype(np.uint16)
        numbers: Numbers = low + 256 * high
        return numbers


def _named(values: Sequence[Value], five: tuple[Card, ...]) -> tuple[Value, ...]:
    """The values of a class under the names that the suits have in a hand, best first, equal suits in the order ♠♥♦♣.

    Nothing is computed here, so that hands which differ in the names of their suits have the same figures to the last
    digit.
    """
    order = order_of_suits(five)
    named = [replace(value, trump=order[value.trump]) for value in values]
    return tuple(sorted(named, key=lambda value: (value.behind, value.behind_se, value.trump)))


def _seen_values(column: Column) -> tuple[TrumpValue, ...]:
    """Values of one class with all cards seen, best first."""
    from hokm_solver.advice import TrumpValue  # looking up what happens at the table has no need of it

    points, spread = points_of_counts(column.counts)
    worlds = column.counts.sum(axis=1)
    shares = dict(zip(OUTCOMES, (column.counts / worlds[:, None]).T))
    order = sorted(Suit, key=lambda trump: (-points[trump], trump))
    return tuple(
        TrumpValue(
            trump=trump,
            points=float(points[trump]),
            points_se=float(spread[trump]),
            win=float(shares[Outcome.WIN][trump] + shares[Outcome.KOT][trump]),
            kot=float(shares[Outcome.KOT][trump]),
            hakem_koti=float(shares[Outcome.HAKEM_KOTI][trump]),
            behind=float(points[order[0]] - points[trump]),
            behind_se=float(column.errors[order[0], trump]),
            samples=int(worlds[trump]),
        )
        for trump in order
    )


@lru_cache(maxsize=1)
def shipped() -> Book:
    """The book of this package."""
    return Book(files("hokm_solver").joinpath(FILE).open("rb"))


def lookup(cards: str | Iterable[Card | str]) -> tuple[TableValue, ...]:
    """Look five cards up in the book of this package; see `Book.lookup`."""
    return shipped().lookup(cards)
