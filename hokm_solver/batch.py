"""Answers to many questions, one a line, and the marks that tie written answers to their questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hokm_solver.advice import Advice, advise
from hokm_solver.book import BookAdvice, shipped
from hokm_solver.deal import Position
from hokm_solver.errors import HokmError, JsonError
from hokm_solver.journal import Answer, digest
from hokm_solver.lines import Failure, Line, answer
from hokm_solver.match import Score
from hokm_solver.notation import parse_cards, position_from_json, position_to_json
from hokm_solver.rules import FIRST_PACKET
from hokm_solver.solver import NO_LIMIT, SCHEMA, Limit, Objective, Solution, Solver, trumps_to_json
from hokm_solver.table import SCHEMA as SCHEMA_OF_ADVICE


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """What is asked about every position; see `Solver.solve`."""

    objective: Objective = "margin"
    cards: bool = True
    line: bool = False
    limit: Limit = NO_LIMIT

    def solve(self, solver: Solver, positions: Sequence[Position]) -> tuple[Solution, ...]:
        """Solve the same position under each of several trumps."""
        return tuple(
            solver.solve(position, self.objective, cards=self.cards, line=self.line, limit=self.limit)
            for position in positions
        )

    def answer(self, solver: Solver, line: Line) -> tuple[Solution, ...] | Failure:
        """The solutions of a line that holds a position as JSON."""
        return answer(line, lambda line: self.solve(solver, _positions(line)))

    def digest(self, line: Line) -> str:
        """The mark of what is asked with a line: the position, whatever its spelling, and how it is to be solved."""
        asked = [self.objective, self.cards, self.line, self.limit.nodes, self.limit.seconds]
        return _digest(line, lambda: [SCHEMA, _positions_to_json(_positions(line)), *asked])


def _positions(line: Line) -> tuple[Position, ...]:
    """The position in a line, under one trump or all four."""
    try:
        value = line.json()
    except JsonError as error:
        raise JsonError(f"{error.message}; a line holds one position as a JSON object") from None
    return position_from_json(value)


def solutions_to_json(solutions: Sequence[Solution]) -> Answer:
    """One object ``hokm-solver/solve/1``: of one solution, or of the same position under several trumps."""
    if len(solutions) == 1:
        return solutions[0].to_json()
    return trumps_to_json({solution.position.trump: solution for solution in solutions})


def _positions_to_json(positions: Sequence[Position]) -> Answer:
    position = position_to_json(positions[0])
    return position if len(positions) == 1 else {**position, "trump": None}


def _digest(line: Line, asked: Callable[[], object]) -> str:
    """The mark of ``asked()``; of the line as it stands, if it cannot be read."""
    try:
        return digest(asked())
    except HokmError:
        return digest([line.number, None if line.raw is None else line.raw.strip().decode("latin-1")])


@dataclass(frozen=True, slots=True)
class AdviseOptions:
    """How every five cards are valued; see `advise`. `samples` count when there is neither time nor precision."""

    samples: int
    seed: int
    jobs: int | None = None
    time: float | None = None
    precision: float | None = None
    score: Score | None = None

    def advise(self, cards: str, progress: Callable[[float], None] | None = None) -> Advice:
        """Advise on the five cards that a text names."""
        five = parse_cards(cards, FIRST_PACKET)
        samples = None if self._race() else self.samples
        return advise(five, samples, self.seed, self.jobs, self.time, self.precision, self.score, progress)

    def answer(self, line: Line) -> Advice | Failure:
        """The advice on a line that names five cards."""
        return answer(line, lambda line: self.advise(line.text))

    def digest(self, line: Line) -> str:
        """The mark of what is asked with a line: the five cards in their order, and how they are to be valued."""
        number = self._race() or {"samples": self.samples}
        score = [] if self.score is None else [list(self.score)]
        return _digest(line, lambda: [SCHEMA_OF_ADVICE, _five_to_json(line), number, self.seed, *score])

    def _race(self) -> dict[str, float]:
        """What ends a race; empty when there is none."""
        limits = {"time": self.time, "precision": self.precision}
        return {name: limit for name, limit in limits.items() if limit is not None}


@dataclass(frozen=True, slots=True)
class InstantOptions:
    """Every five cards are looked up in the book of this package."""

    score: Score | None = None

    def advise(self, cards: str) -> BookAdvice:
        """Advise on the five cards that a text names."""
        return shipped().advise(cards, self.score)

    def answer(self, line: Line) -> BookAdvice | Failure:
        """The advice on a line that names five cards."""
        return answer(line, lambda line: self.advise(line.text))

    def digest(self, line: Line) -> str:
        """The mark of what is asked with a line: the five cards in their order, the book and the score."""
        return _digest(line, lambda: [SCHEMA_OF_ADVICE, _five_to_json(line), shipped().about, self.score])


def _five_to_json(line: Line) -> list[str]:
    return [str(card) for card in parse_cards(line.text, FIRST_PACKET)]
