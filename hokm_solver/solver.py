"""The public face of the compiled search: exact values of positions with all cards seen.

Every value is hakem's side's view: `points` +2, +1, −1 or −3, `margin` −7 … −1 or +1 … +7.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from hokm_solver.cards import FULL_PACK, Card, Rank, Seat, Side, Suit
from hokm_solver.deal import Deal, Position, replay
from hokm_solver.defaults import LARGEST_TABLE_MB, MOST_NODES, TABLE_MB
from hokm_solver.errors import (
    DealError,
    FieldError,
    LimitError,
    SearchInterrupted,
    check_iterable,
    check_type,
    is_positive,
    is_whole,
    quote,
)
from hokm_solver.parallel import Jobs, ordered_map
from hokm_solver.rules import TRICKS, TRICKS_TO_WIN, points_of_margin
from hokm_solver.showing import Shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hokm_solver._search import Search

SCHEMA = "hokm-solver/solve/1"
SMALLEST_TABLE_MB = 1
PORTABLE_VARIABLE = "HOKM_SOLVER_PORTABLE"

Objective: TypeAlias = Literal["points", "margin", "win"]
OBJECTIVES: tuple[Objective, ...] = ("win", "points", "margin")  # the compiled search knows them by number


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop a search early; None is no limit.

    Attributes:
        nodes: positions at the start of a trick that may be searched, at least 1.
        seconds: wall-clock time, more than 0; looked at every few milliseconds.
    """

    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Check the limit.

        Raises:
            LimitError: a limit is not a positive number.
        """
        if self.nodes is not None and not (is_whole(self.nodes) and 1 <= self.nodes <= MOST_NODES):
            raise LimitError(f"nodes must be at least 1 and less than 2^62, not {quote(self.nodes)}", field="nodes")
        if self.seconds is not None and not is_positive(self.seconds):
            raise LimitError(f"seconds must be more than 0, not {quote(self.seconds)}", field="seconds")


NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class Bounds:
    """The margins that are still possible, hakem's side's view: `lowest` and `highest`, both included."""

    lowest: int
    highest: int

    def settled(self, objective: Objective) -> bool:
        """Whether all of them have the same value under this objective."""
        return _value(objective, self.lowest) == _value(objective, self.highest)

    def points(self, objective: Objective) -> tuple[int, int]:
        """The lowest and highest points; ±1 when only the winner is asked for."""
        kind: Objective = "points" if objective == "margin" else objective
        return _value(kind, self.lowest), _value(kind, self.highest)

    def to_json(self, objective: Objective) -> dict[str, list[int]]:
        """``{"points": [lowest, highest]}``, and the same of ``margin`` under that objective."""
        proved = {"points": list(self.points(objective))}
        if objective == "margin":
            proved["margin"] = [self.lowest, self.highest]
        return proved


def _value(objective: Objective, margin: int) -> int:
    if objective == "margin":
        return margin
    if objective == "points":
        return points_of_margin(margin)
    return 1 if margin > 0 else -1


@dataclass(frozen=True, slots=True)
class CardValue:
    """What a deal is worth after one legal card, best play following; hakem's side's view.

    Attributes:
        card: the card.
        points: points of the deal (±1 under objective ``win``), None if a limit left them open.
        margin: the margin under objective ``margin`` if it is known, else None.
        bounds: what was proved.
    """

    card: Card
    points: int | None
    margin: int | None
    bounds: Bounds

    def to_json(self, objective: Objective) -> dict[str, Any]:
        """``{"card", "points", "margin"}``; what a limit left open is null and has ``bounds``."""
        value: dict[str, Any] = {"card": str(self.card), "points": self.points}
        if objective == "margin":
            value["margin"] = self.margin
        if not self.bounds.settled(objective):
            value["bounds"] = self.bounds.to_json(objective)
        return value


@dataclass(frozen=True, slots=True)
class Solution(Shown):
    """The value of a position, and of every legal card if they were asked for; hakem's side's view.

    Attributes:
        position: the position solved.
        objective: what was asked: ``win`` (who wins), ``points`` or ``margin``.
        points: points of the deal under best play (±1 under ``win``), None if a limit left them open.
        margin: final margin under objective ``margin``, else None.
        cards: a `CardValue` for every legal card, in hand order; empty when they were not asked for.
        exact: False when a limit stopped the search before every value was known.
        bounds: the margins proved possible.
        line: a line of best play from the player to move to the card that decides the deal, if asked for.
        nodes: positions at the start of a trick that were searched.
        seconds: time taken.
    """

    position: Position
    objective: Objective
    points: int | None
    margin: int | None
    cards: tuple[CardValue, ...]
    exact: bool
    bounds: Bounds
    line: tuple[Card, ...] | None
    nodes: int
    seconds: float

    def __str__(self) -> str:
        """Return the value and the best cards: ``points +1, margin +2; best 6D 3D``."""
        text = f"points {_range(*self.bounds.points(self.objective))}"
        if self.objective == "margin":
            text += f", margin {_range(self.bounds.lowest, self.bounds.highest)}"
        best = " ".join(map(str, self.best_cards()))
        return f"{text}; best {best}" if best else text

    @property
    def tricks(self) -> tuple[int, int] | None:
        """Final tricks under best play, those won included, indexed by `Side`; None unless `margin` is known."""
        if self.margin is None:
            return None
        mine = TRICKS_TO_WIN if self.margin > 0 else TRICKS_TO_WIN + self.margin
        others = TRICKS_TO_WIN - self.margin if self.margin > 0 else TRICKS_TO_WIN
        return (mine, others) if self.position.hakem.side == Side.NS else (others, mine)

    def best_cards(self) -> tuple[Card, ...]:
        """The cards that are best for the player to move; empty if cards were not valued or a limit left them open."""
        sign = 1 if self.position.to_play.side == self.position.hakem.side else -1
        if not self.exact or not self.cards:
            return ()
        values = [_value(self.objective, value.bounds.lowest) * sign for value in self.cards]
        return tuple(value.card for value, worth in zip(self.cards, values) if worth == max(values))

    def to_json(self) -> dict[str, Any]:
        """The object ``hokm-solver/solve/1`` of one trump."""
        head = {"schema": SCHEMA, "hakem": self.position.hakem.name}
        return {
            **head,
            "trump": self.position.trump.letter,
            "to_play": self.position.to_play.name,
            "objective": self.objective,
            **self.values_to_json(),
        }

    def values_to_json(self) -> dict[str, Any]:
        """What differs from trump to trump in ``hokm-solver/solve/1``."""
        answer: dict[str, Any] = {"points": self.points}
        if self.objective == "margin":
            tricks = self.tricks
            answer["margin"] = self.margin
            answer["tricks"] = None if tricks is None else {side.name: tricks[side] for side in Side}
        if self.cards:
            answer["cards"] = [value.to_json(self.objective) for value in self.cards]
        answer["exact"] = self.exact
        if not self.exact:
            answer["bounds"] = self.bounds.to_json(self.objective)
        if self.line is not None:
            answer["line"] = [str(card) for card in self.line]
        return {**answer, "nodes": self.nodes, "seconds": round(self.seconds, 6)}


def _range(lowest: int, highest: int) -> str:
    return f"{lowest:+}" if lowest == highest else f"{lowest:+} to {highest:+}"


def trumps_to_json(solutions: dict[Suit, Solution]) -> dict[str, Any]:
    """The object ``hokm-solver/solve/1`` of one position under several trumps."""
    first = next(iter(solutions.values()))
    return {
        "schema": SCHEMA,
        "hakem": first.position.hakem.name,
        "to_play": first.position.to_play.name,
        "objective": first.objective,
        "trumps": {trump.letter: solution.values_to_json() for trump, solution in solutions.items()},
    }


def make_search(table_mb: int, portable: bool | None) -> tuple[Search, bool]:
    """Make the search context; returns it and whether it is the portable build."""
    from hokm_solver import _search

    if portable is None:
        portable = os.environ.get(PORTABLE_VARIABLE, "") not in ("", "0")
    if not portable and _search.has_fast_bmi2():
        try:
            from hokm_solver import _search_bmi2
        except ImportError:  # not built on this platform
            pass
        else:
            return _search_bmi2.Search(table_mb), False
    return _search.Search(table_mb), True


class Solver:
    """Solves positions with all cards seen.

    Thread safety: one solver is one context (table, hints); it must not be used by two threads at
    once, except for `interrupt`. Any number of solvers may work at the same time: they share nothing
    and the GIL is released while they search.
    """

    def __init__(self, table_mb: int = TABLE_MB, portable: bool | None = None) -> None:
        """Make a solver.

        Args:
            table_mb: ceiling of its memory in MB, 1 to 4096. It is kept on any deal.
            portable: True for the build that needs no special processor; None chooses, and looks at
                the environment variable HOKM_SOLVER_PORTABLE. Both give the same results.

        Raises:
            LimitError: `table_mb` out of range. FieldError: `portable` is none of the three.
        """
        if portable is not None:
            check_type(portable, bool, "portable")
        if not is_whole(table_mb) or not SMALLEST_TABLE_MB <= table_mb <= LARGEST_TABLE_MB:
            raise LimitError(
                f"table_mb must be {SMALLEST_TABLE_MB} to {LARGEST_TABLE_MB}, not {quote(table_mb)}", field="table_mb"
            )
        self.table_mb = table_mb
        self._search, self.portable = make_search(table_mb, portable)

    def solve(
        self,
        position: Position,
        objective: Objective = "margin",
        *,
        cards: bool = True,
        line: bool = False,
        limit: Limit = NO_LIMIT,
    ) -> Solution:
        """Return the value of a position, and of every legal card unless `cards` is False.

        Raises:
            FieldError: an unknown objective, or no position; `field` names which.
            SearchInterrupted: `interrupt` was called from another thread; its `solution` has what was proved.
            KeyboardInterrupt: Ctrl-C, in the main thread.
        """
        _check_question(position, objective)
        check_type(limit, Limit, "limit")
        return self._solve(position, objective, cards, line, limit, keep=False)

    def solve_plays(
        self, start: Position, plays: Iterable[Card], objective: Objective = "margin"
    ) -> tuple[Solution, ...]:
        """Return the solution, with every legal card, of `start` and of the position after each of `plays` in turn.

        What the search finds out about one position of a deal helps it with the others, so a whole deal costs little
        more than its first position. A deal that a play has decided is no position any more and has no solution.

        Raises:
            IllegalPlay: naming trick, seat and card.
            FieldError, SearchInterrupted, KeyboardInterrupt: as in `solve`.
        """
        _check_question(start, objective)
        going_on = [position for position in replay(start, plays) if position.outcome() is None]
        return tuple(
            self._solve(position, objective, cards=True, line=False, limit=NO_LIMIT, keep=position is not start)
            for position in going_on
        )

    def _solve(
        self, position: Position, objective: Objective, cards: bool, line: bool, limit: Limit, keep: bool
    ) -> Solution:
        code, begun = OBJECTIVES.index(objective), perf_counter()
        self._search.begin(limit.nodes or 0, limit.seconds or 0.0)
        self._load(position, keep)
        bounds = Bounds(*self._search.value(code))
        values: tuple[CardValue, ...] = ()
        if cards:
            values = tuple(self._card_values(objective, bounds))
        best = self._line(position, objective, bounds) if line and bounds.settled(objective) else None
        settled = bounds.settled(objective)
        solution = Solution(
            position,
            objective,
            bounds.points(objective)[0] if settled or len(set(bounds.points(objective))) == 1 else None,
            bounds.lowest if objective == "margin" and settled else None,
            values,
            settled and all(value.bounds.settled(objective) for value in values),
            bounds,
            best,
            self._search.nodes,
            perf_counter() - begun,
        )
        if self._search.interrupted:
            raise SearchInterrupted("the search was interrupted", solution=solution)
        return solution

    def solve_trumps(
        self,
        deal: Deal | Position,
        hakem: Seat | None = None,
        objective: Objective = "points",
        *,
        cards: bool = False,
        line: bool = False,
        limit: Limit = NO_LIMIT,
    ) -> dict[Suit, Solution]:
        """Solve a deal (or the cards of a position) under each of the four trumps; `limit` holds for each.

        Raises:
            PositionError: nobody says who is hakem, or the deal says somebody else.
            FieldError, SearchInterrupted, KeyboardInterrupt: as in `solve`.
        """
        if hakem is not None:
            check_type(hakem, Seat, "hakem")
        start = deal if isinstance(deal, Position) else Position.start(deal, Suit.SPADES, hakem)
        return {
            trump: self.solve(start.with_trump(trump), objective, cards=cards, line=line, limit=limit) for trump in Suit
        }

    def points_of_worlds(self, worlds: NDArray[np.uint64], hakem: Seat, trump: Suit) -> NDArray[np.int8]:
        """Return the points of many full deals, hakem on lead, hakem's side's view: shape (n,).

        `worlds` has shape (n, 4): the hands as 64-bit words in seat order N W S E.

        Raises:
            FieldError: `worlds` of another form, no seat, no suit. DealError: a world is no deal; its row is named.
            SearchInterrupted: `interrupt` was called from another thread. KeyboardInterrupt: Ctrl-C.
        """
        import numpy as np

        _check_worlds(worlds)
        check_type(hakem, Seat, "hakem")
        check_type(trump, Suit, "trump")
        points = np.zeros(len(worlds), dtype=np.int8)
        self._search.begin(0, 0.0)
        self._search.points_of_worlds(worlds, hakem, trump, points)
        if self._search.interrupted:
            raise SearchInterrupted("the search was interrupted")
        return points

    def interrupt(self) -> None:
        """Make a call that is running in another thread raise `SearchInterrupted` soon."""
        self._search.interrupt()

    def _load(self, position: Position, keep: bool) -> None:
        self._search.load(
            [hand.bits for hand in position.hands],
            position.trump,
            position.hakem,
            position.leader,
            [card.bit for card in position.trick],
            position.hakem_tricks,
            position.other_tricks,
            keep,
        )

    def _card_values(self, objective: Objective, best: Bounds) -> Iterator[CardValue]:
        code = OBJECTIVES.index(objective)
        found = self._search.card_values(code, best.lowest, best.highest)
        for bit, lowest, highest in sorted(found, key=lambda value: (value[0] // 16, -value[0])):
            bounds = Bounds(lowest, highest)
            points = bounds.points(objective)
            yield CardValue(
                Card(Suit(bit // 16), Rank(bit % 16 + 2)),
                points[0] if points[0] == points[1] else None,
                lowest if objective == "margin" and lowest == highest else None,
                bounds,
            )

    def _line(self, position: Position, objective: Objective, bounds: Bounds) -> tuple[Card, ...] | None:
        """A line that keeps the value, the first such card in hand order each time; None when stopped."""
        played: list[Card] = []
        while position.outcome() is None:
            self._load(position, keep=True)
            card = self._keeping_card(position, objective, bounds)
            if card is None:
                return None
            played.append(card)
            position = position.play(card)
        return tuple(played)

    def _keeping_card(self, position: Position, objective: Objective, bounds: Bounds) -> Card | None:
        mine = position.to_play.side == position.hakem.side
        worth = _value(objective, bounds.lowest)
        margins = [m for m in range(-TRICKS_TO_WIN, TRICKS_TO_WIN + 1) if m]
        lowest = next(m for m in margins if _value(objective, m) >= worth)
        above = next((m for m in margins if _value(objective, m) > worth), None)
        for card in position.legal_cards():
            bit = card.bit.bit_length() - 1
            if not mine and above is None:
                return card
            reached = self._search.reaches(bit, lowest if mine else above or 0)
            if reached is None:
                return None
            if reached == mine:
                return card
        return None


def _check_question(position: Position, objective: Objective) -> None:
    check_type(position, Position, "position")
    if objective not in OBJECTIVES:
        raise FieldError(f"objective must be margin, points or win, not {quote(objective)}", field="objective")


def _check_worlds(worlds: NDArray[np.uint64]) -> None:
    """Check that every row is four different hands of 13; the first that is not is named."""
    import numpy as np

    from hokm_solver.sampling import count_cards

    if not isinstance(worlds, np.ndarray) or worlds.shape[1:] != (len(Seat),) or worlds.dtype != np.uint64:
        raise FieldError("worlds must be an array of uint64 of shape (n, 4)", field="worlds")
    # Four hands that fill the pack and hold 52 cards together, each 13, share none.
    full = np.bitwise_or.reduce(worlds, axis=1) == np.uint64(FULL_PACK)
    good = full & (count_cards(worlds) == TRICKS).all(axis=1)
    if not good.all():
        row = int(np.argmin(good))
        raise DealError(f"worlds[{row}] is no deal: four hands of 13 different cards are needed", field="worlds")


def solve_many(
    positions: Iterable[Position],
    jobs: Jobs = 1,
    objective: Objective = "margin",
    *,
    cards: bool = True,
    line: bool = False,
    limit: Limit = NO_LIMIT,
    table_mb: int = TABLE_MB,
) -> Iterator[Solution]:
    """Yield the solution of every position, in order, solved by `jobs` workers with a `Solver` each.

    ``jobs`` is the number of threads, or a `parallel.Crew` of workers elsewhere; results do not depend on it. The
    input may be endless: only a few positions are in hand at a time.

    Raises:
        LimitError: ``jobs`` or ``table_mb`` out of range. FieldError: what is no position, or as in `Solver.solve`.
    """
    check_iterable(positions, "positions")
    work = partial(_solve_one, objective=objective, cards=cards, line=line, limit=limit)
    return ordered_map(work, positions, state=partial(Solver, table_mb), jobs=jobs, interrupt=Solver.interrupt)


def _solve_one(
    solver: Solver, position: Position, objective: Objective, cards: bool, line: bool, limit: Limit
) -> Solution:
    return solver.solve(position, objective, cards=cards, line=line, limit=limit)
