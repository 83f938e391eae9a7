"""Building the book: every class of five-card hands valued by playouts, a line for each, and packed (`book`).

A class is valued in worlds of its own, the same for all its suits, until the best suit is known well enough against
every other that may be second. How many worlds that takes depends on the cards and the seed alone, so a book comes out
the same wherever, in however many pieces and by however many threads it is built.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from hokm_solver import defaults
from hokm_solver.book import ABOUT, BLOCK, NUMBERS, PAIRS, SCHEMA, SEEN, TABLE, UNIT, Numbers
from hokm_solver.cards import CardSet, Suit
from hokm_solver.comparison import mean, standard_error
from hokm_solver.dealing import WORD, SplitMix64
from hokm_solver.engine.policies import weights_mark
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.engine.worth import LARGEST_MARGIN, WHOLE_POINTS
from hokm_solver.errors import BookError
from hokm_solver.fives import CLASSES, hand_of
from hokm_solver.journal import Answer, Journal, refuse_devices, written_aside
from hokm_solver.parallel import Jobs, ordered_map
from hokm_solver.sampling import HAKEM, seen_by_hakem
from hokm_solver.solver import Solver
from hokm_solver.table import POINTS

FEWEST = 1024  # worlds for every suit, however bad: standard errors of about 0.04
STEP = 256  # worlds played out before looking again
SURE = 3.0  # standard errors behind the best at which a suit, the second excepted, is valued no further
LEVEL = (
    0.01  # points in the playouts between two suits whose order the correction may change; 0.005 was the largest seen
)
DECIMALS = 4  # of standard errors
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # one date for all parts, so that equal books are equal files

Points: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Plan:
    """How the classes of a book are valued, each in worlds of its own.

    Attributes:
        seed: of the worlds.
        precision: points; worlds are added until the standard error of the difference between the best suit and any
            other that may be second is no larger in the playouts. Corrected differences are up to 1.09 times as large.
        worlds: the most worlds a hand.
        exact: worlds a hand that are solved with all cards seen; 0 leaves that column out.
        policy: the mark of the weights that play.
    """

    seed: int = defaults.SEED
    precision: float = defaults.BOOK_PRECISION
    worlds: int = defaults.BOOK_WORLDS
    exact: int = 0
    policy: str = field(default_factory=weights_mark)

    def value(self, solver: Solver, number: int) -> Answer:
        """Value one class: a line of the journal. Suits stand in the order ♠♥♦♣ of its hand.

        Raises:
            DealError: there is no such class.
        """
        five, seed = hand_of(number), SplitMix64((self.seed + number) % WORD).next()
        played = _Sample(five)
        self._play_out(played, five, seed)
        seen = {SEEN: _solved(five, seed, self.exact, solver).to_json()} if self.exact else {}
        cards = [str(card) for card in five]
        return {"schema": SCHEMA, **asdict(self), "class": number, "cards": cards, **played.to_json(), **seen}

    def _play_out(self, sample: _Sample, five: CardSet, seed: int) -> None:
        """Add worlds to the suits that need them."""
        while suits := sample.open(self.precision, self.worlds):
            done = sample.worlds(suits[0])
            margins = trump_margins(five, min(STEP, self.worlds - done), seed, start=done, trumps=suits)
            sample.add(suits, WHOLE_POINTS.astype(np.int8)[margins + LARGEST_MARGIN])

    def fits(self, number: int, answer: Answer) -> bool:
        """Whether a line of a journal is that of a class of this plan."""
        return {**answer, "schema": SCHEMA, **asdict(self), "class": number} == answer


def _solved(five: CardSet, seed: int, worlds: int, solver: Solver) -> _Sample:
    """Points of the same worlds with all cards seen, for every suit."""
    sample = _Sample(five)
    hands = seen_by_hakem(five).worlds(worlds, seed)
    points = [solver.points_of_worlds(hands, HAKEM, suit) for suit in sample.suits]
    sample.add(sample.suits, np.stack(points, axis=1))
    return sample


class _Sample:
    """Points of worlds under each suit, from world 0 on; suits that hold the same ranks are one.

    Attributes:
        suits: one of each kind.
    """

    def __init__(self, five: CardSet) -> None:
        ranks = {suit: [card.rank for card in five.suit(suit)] for suit in Suit}
        self._twin = [next(other for other in Suit if ranks[other] == ranks[suit]) for suit in Suit]
        self.suits = sorted(set(self._twin))
        self._points: dict[Suit, Points] = {suit: np.empty(0, dtype=np.int8) for suit in self.suits}

    def worlds(self, suit: Suit) -> int:
        """How many worlds were valued under a suit."""
        return len(self._points[suit])

    def add(self, suits: Sequence[Suit], points: Points) -> None:
        """Add the next worlds of some suits, shape (worlds, suits)."""
        for suit, column in zip(suits, points.T):
            self._points[suit] = np.concatenate([self._points[suit], column])

    def open(self, precision: float, most: int) -> list[Suit]:
        """The suits that need more worlds next, all with as many so far; empty when none does.

        Only the best suit counts, the second, and those that are not surely worse than the best; when these are known
        well enough against the best, those as good as level with the second as well, since the correction may put them
        there. As long as one is not, those with the fewest worlds get more.
        """
        if self.worlds(self.suits[0]) < min(FEWEST, most):
            return self.suits
        best, *others = sorted(self.suits, key=lambda suit: -mean(self._points[suit]))
        rivals = others[:1] + [suit for suit in others[1:] if self._may_be_best(suit, best)]
        level = [suit for suit in others if mean(self._points[others[0]]) - mean(self._points[suit]) <= LEVEL]
        for group in (rivals, [*rivals, *level]):
            if any(self._difference(suit, best)[1] > precision for suit in group):
                fewest = min(map(self.worlds, (best, *group)))
                return [suit for suit in self.suits if suit in (best, *group) and self.worlds(suit) == fewest < most]
        return []

    def _may_be_best(self, suit: Suit, best: Suit) -> bool:
        behind, error = self._difference(suit, best)
        return behind <= SURE * error

    def _difference(self, suit: Suit, better: Suit) -> tuple[float, float]:
        """Mean points behind another suit in the worlds that both were valued in, and the standard error."""
        one, other = self._points[better], self._points[suit]
        shared = min(len(one), len(other))
        difference = one[:shared] - other[:shared]
        return mean(difference), standard_error(difference)

    def to_json(self) -> Answer:
        """How often each of the OUTCOMES came up under ♠♥♦♣, and the standard errors of the differences of PAIRS."""
        of_suits = [self._points[twin] for twin in self._twin]
        pairs = [(self._twin[one], self._twin[other]) for one, other in PAIRS]
        return {
            "outcomes": [[int(np.count_nonzero(points == worth)) for worth in POINTS] for points in of_suits],
            "difference_se": [round(self._difference(*pair)[1], DECIMALS) for pair in pairs],
        }


def build(plan: Plan, journal: Journal, classes: int = CLASSES, jobs: Jobs = 1) -> Iterator[int]:
    """Value the classes 0 … ``classes`` − 1 that the journal does not hold yet, in order; yields how many it holds.

    Raises:
        JournalError: the journal is of another plan. LimitError: ``jobs`` out of range. OSError: it cannot be written.
    """
    numbers = journal.unanswered(range(classes), plan.fits)
    for answer in ordered_map(plan.value, numbers, state=Solver, jobs=jobs, interrupt=Solver.interrupt):
        journal.append(answer)
        yield answer["class"] + 1


# Packing


def pack(journal: str | Path, path: str | Path, classes: int = CLASSES) -> Answer:
    """Pack a finished journal of so many classes into a book, written aside and renamed; what the book says of itself.

    Raises:
        BookError: a line is not that of its class, or there are too few. JournalError: a place where no file can be.
        OSError: a file cannot be read or written.
    """
    plan, columns = _read_journal(journal, classes)
    about = {"schema": SCHEMA, "classes": classes, **asdict(plan)}
    write(path, about, columns)
    return about


def write(path: str | Path, about: Answer, columns: dict[str, Numbers]) -> None:
    """Write a book of columns, each of shape (classes, NUMBERS), aside and rename it.

    Equal columns give equal bytes wherever Python uses the same zlib.
    """
    refuse_devices(path)
    with written_aside(path) as aside:
        _write_archive(aside, about, columns)


def _write_archive(path: Path, about: Answer, columns: dict[str, Numbers]) -> None:
    with ZipFile(path, "w") as archive:
        archive.writestr(ZipInfo(ABOUT, LONG_AGO), json.dumps(about))
        for name, numbers in columns.items():
            for start in range(0, len(numbers), BLOCK):
                part = ZipInfo(f"{name}/{start // BLOCK}", LONG_AGO)
                archive.writestr(part, _planes(numbers[start : start + BLOCK]), ZIP_DEFLATED, compresslevel=9)


def _planes(block: Numbers) -> bytes:
    """The low bytes of all numbers and then the high ones, each number of the classes of a block together."""
    columns = np.ascontiguousarray(block.T, dtype="<u2")
    planes: bytes = columns.view(np.uint8).reshape(*columns.shape, 2).transpose(2, 0, 1).tobytes()
    return planes


def _read_journal(path: str | Path, classes: int) -> tuple[Plan, dict[str, Numbers]]:
    """The plan that a journal was made by, and its columns."""
    plan: Plan | None = None
    rows: dict[str, list[Numbers]] = {}
    with open(path, "rb") as lines:
        for number, line in enumerate(lines):
            try:
                answer = json.loads(line)
                plan = plan or _plan_of(answer)
                if number >= classes or not plan.fits(number, answer):
                    raise ValueError
                for name, column in _columns_of(plan, answer).items():
                    rows.setdefault(name, []).append(_numbers(column))
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
                raise BookError(f"{path}: line {number + 1} is not class {number} of a book") from None
    done = len(rows.get(TABLE, []))
    if plan is None or done < classes:
        raise BookError(f"{path} is not finished: it holds {done:,} of {classes:,} classes")
    return plan, {name: np.stack(column) for name, column in rows.items()}


def _plan_of(answer: Answer) -> Plan:
    """The plan that a line of a journal was made by."""
    return Plan(**{each.name: answer[each.name] for each in fields(Plan)})


def _columns_of(plan: Plan, answer: Answer) -> dict[str, Answer]:
    """The columns in a line of a journal."""
    return {TABLE: answer, SEEN: answer[SEEN]} if plan.exact else {TABLE: answer}


def _numbers(column: Answer) -> Numbers:
    """What a book keeps of one column of a line, shape (NUMBERS,)."""
    counts = [count for suit in column["outcomes"] for count in suit]
    found = np.array([*counts, *(round(error * UNIT) for error in column["difference_se"])], dtype=np.int64)
    if found.shape != (NUMBERS,) or found.min() < 0 or found.max() > defaults.MOST_BOOK_WORLDS:
        raise ValueError
    return found.astype(np.uint16)
