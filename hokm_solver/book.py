"""The book: what every five-card hand is worth at the table under each trump, valued once and for all.

Hands that differ only in the names of their suits are one class (`fives`). For every class the deals of each trump were
played out by the learned policy, and the book keeps how they ended; what is read from it is corrected by the same
fitted model as fresh playouts are (`engine.calibration`), so a better model needs no new book.

A book is built into a journal, a line for every class, and packed into a ZIP archive: ``about.json``, and blocks of
BLOCK classes, arrays of little-endian 16-bit numbers. Every class has four rows, one for each suit of `fives.hand_of`:
how often each of the OUTCOMES came up, and the standard error of the points behind the best suit in ten-thousandths.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Card, CardSet, Suit
from hokm_solver.comparison import mean, standard_error
from hokm_solver.dealing import WORD, SplitMix64
from hokm_solver.engine.calibration import OUTCOMES
from hokm_solver.engine.policies import weights_mark
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.engine.worth import LARGEST_MARGIN, WHOLE_POINTS
from hokm_solver.errors import BookError
from hokm_solver.fives import CLASSES, class_of, hand_of, order_of_suits
from hokm_solver.journal import Answer, Journal
from hokm_solver.parallel import ordered_map
from hokm_solver.rules import outcome_of_margin
from hokm_solver.sampling import first_packet
from hokm_solver.table import TableValue, values_of_counts

SCHEMA = "hokm-solver/book/1"
FILE = "book.zip"
ABOUT = "about.json"
BLOCK = 1024
ROW = len(OUTCOMES) + 1
UNIT = 10_000  # of standard errors, in one point
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # one date for all parts, so that equal books are equal files
STEP = 512  # worlds valued before looking again
MOST_WORLDS = 16 * STEP
GOAL = 0.03  # points: the standard error of the difference between the two best suits
SURE = 3.0  # standard errors behind the best at which a suit, the second excepted, is valued no further


# Building


@dataclass(frozen=True, slots=True)
class Plan:
    """How a book is built: the classes 0 … ``classes`` − 1, each from worlds of its own."""

    seed: int = 1
    classes: int = CLASSES

    def value(self, number: int) -> Answer:
        """Value one class: a line of the journal. Suits stand in the order ♠♥♦♣ of its hand.

        Raises:
            DealError: there is no such class.
        """
        five = hand_of(number)
        race = _Race(five, SplitMix64((self.seed + number) % WORD).next())
        race.run()
        return {
            "schema": SCHEMA,
            "seed": self.seed,
            "class": number,
            "cards": [str(card) for card in five],
            "outcomes": [race.outcomes(suit) for suit in Suit],
            "behind_se": [round(race.error(suit), 4) for suit in Suit],
        }

    def fits(self, number: int, answer: Answer) -> bool:
        """Whether a line of a journal is that of a class of this plan."""
        return (answer.get("schema"), answer.get("seed"), answer.get("class")) == (SCHEMA, self.seed, number)


class _Race:
    """The suits of a hand valued together until the two best are known apart well enough; equal suits once."""

    def __init__(self, five: CardSet, seed: int) -> None:
        self._five, self._seed = five, seed
        ranks = {suit: [card.rank for card in five.suit(suit)] for suit in Suit}
        self._twin = {suit: next(other for other in Suit if ranks[other] == ranks[suit]) for suit in Suit}
        self._suits = sorted(set(self._twin.values()))
        self._margins = {suit: np.empty(0, dtype=np.int8) for suit in self._suits}

    def run(self) -> None:
        """Value worlds until the second suit is known well enough against the best, or the most are valued."""
        alive, done, error = self._suits, 0, GOAL + 1
        while done < MOST_WORLDS and error > GOAL:
            block = trump_margins(self._five, STEP, self._seed, start=done, trumps=alive)
            for suit, margins in zip(alive, block.T):
                self._margins[suit] = np.concatenate([self._margins[suit], margins])
            done += STEP
            best, second = sorted(alive, key=self._mean, reverse=True)[:2]
            error = self._behind(second, best)[1]
            alive = [suit for suit in alive if suit in (best, second) or self._may_be_best(suit, best)]

    def outcomes(self, suit: Suit) -> list[int]:
        """How often each of the OUTCOMES came up."""
        ended = [outcome_of_margin(margin) for margin in self._margins[self._twin[suit]].tolist()]
        return [ended.count(outcome) for outcome in OUTCOMES]

    def error(self, suit: Suit) -> float:
        """The standard error of the points behind the best suit."""
        return self._behind(self._twin[suit], max(self._suits, key=self._mean))[1]

    def _mean(self, suit: Suit) -> float:
        return mean(self._points(suit))

    def _may_be_best(self, suit: Suit, best: Suit) -> bool:
        behind, error = self._behind(suit, best)
        return behind <= SURE * error

    def _behind(self, suit: Suit, best: Suit) -> tuple[float, float]:
        """Mean points behind another suit on the worlds that both were valued in, and the standard error."""
        first, own = self._points(best), self._points(suit)
        difference = first[: len(own)] - own[: len(first)]
        return mean(difference), standard_error(difference)

    def _points(self, suit: Suit) -> NDArray[np.int8]:
        return WHOLE_POINTS.astype(np.int8)[self._margins[suit] + LARGEST_MARGIN]


def build(plan: Plan, journal: Journal, jobs: int = 1) -> Iterator[int]:
    """Value the classes that the journal does not hold yet, in order, and yield how many it holds.

    Raises:
        JournalError: the journal is of another plan. OSError: it cannot be written.
    """
    numbers = journal.unanswered(range(plan.classes), plan.fits)
    work = partial(_value, plan)
    for answer in ordered_map(work, numbers, state=lambda: None, jobs=jobs):
        journal.append(answer)
        yield answer["class"] + 1


def _value(plan: Plan, _: None, number: int) -> Answer:
    return plan.value(number)


def pack(plan: Plan, journal: str | Path, path: str | Path) -> None:
    """Pack a finished journal into a book, written aside and renamed.

    Raises:
        BookError: a line is not that of its class, or there are too few. OSError: a file cannot be read or written.
    """
    rows = np.array(list(_rows(plan, journal)), dtype="<u2")
    if len(rows) != plan.classes:
        raise BookError(f"{journal} is not finished: it holds {len(rows):,} of {plan.classes:,} classes")
    about = {"schema": SCHEMA, "classes": plan.classes, "seed": plan.seed, "goal": GOAL, "policy": weights_mark()}
    aside = Path(f"{path}.part")
    with ZipFile(aside, "w") as archive:
        archive.writestr(ZipInfo(ABOUT, LONG_AGO), json.dumps(about))
        for start in range(0, plan.classes, BLOCK):
            block = rows[start : start + BLOCK].tobytes()
            archive.writestr(ZipInfo(str(start // BLOCK), LONG_AGO), block, ZIP_DEFLATED, compresslevel=9)
    aside.replace(path)


def _rows(plan: Plan, journal: str | Path) -> Iterator[list[list[int]]]:
    with open(journal, "rb") as lines:
        for number, line in enumerate(lines):
            try:
                answer = json.loads(line)
                if not plan.fits(number, answer):
                    raise ValueError
                yield [[*counts, round(error * UNIT)] for counts, error in zip(answer["outcomes"], answer["behind_se"])]
            except (ValueError, TypeError, KeyError, AttributeError):
                raise BookError(f"{journal}: line {number + 1} is not class {number} of a book") from None


# Looking up


class Book:
    """A packed book, open for reading.

    Attributes:
        about: where it comes from: ``seed``, ``classes``, ``goal`` and the mark of the ``policy`` that played.

    Thread-safety: one thread at a time may look up.
    """

    def __init__(self, file: str | Path | IO[bytes]) -> None:
        """Open a book.

        Raises:
            BookError: it is no book. OSError: it cannot be read.
        """
        try:
            self._archive = ZipFile(file)
            self.about: dict[str, Any] = json.loads(self._archive.read(ABOUT))
        except (BadZipFile, KeyError, ValueError) as error:
            raise BookError(f"{file} is no book: {error}") from error

    def lookup(self, five: Iterable[Card]) -> tuple[TableValue, ...]:
        """Value the four trumps at the table from hakem's first five cards; best first, ties in the order ♠♥♦♣.

        Raises:
            DealError: not five different cards. BookError: the book has not come that far, or is damaged.
        """
        hand = first_packet(five)
        rows = self._rows(class_of(hand))
        order = order_of_suits(hand)
        counts = np.zeros((len(Suit), len(OUTCOMES)), dtype=np.int64)
        for suit, row in zip(order, rows):
            counts[suit] = row[:-1]
        return values_of_counts(counts, {suit: int(row[-1]) / UNIT for suit, row in zip(order, rows)})

    def _rows(self, number: int) -> NDArray[np.uint16]:
        """The four rows of a class, shape (4, ROW)."""
        if number >= self.about["classes"]:
            raise BookError(f"the book holds {self.about['classes']:,} classes, and this is number {number}")
        block = np.frombuffer(self._archive.read(str(number // BLOCK)), dtype="<u2")
        rows: NDArray[np.uint16] = block.reshape(-1, len(Suit), ROW)[number % BLOCK]
        return rows


@lru_cache(maxsize=1)
def _shipped() -> Book:
    return Book(files("hokm_solver").joinpath(FILE).open("rb"))


def lookup(five: Iterable[Card]) -> tuple[TableValue, ...]:
    """Look five cards up in the book of this package; see `Book.lookup`."""
    return _shipped().lookup(five)
