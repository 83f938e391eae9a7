"""Answers to many questions, one a line, and whether an answer from an earlier run belongs to a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hokm_solver.advice import Advice, advise
from hokm_solver.deal import Position
from hokm_solver.errors import HokmError, JsonError
from hokm_solver.journal import Answer
from hokm_solver.lines import Failure, Line, answer
from hokm_solver.notation import parse_cards, position_from_json
from hokm_solver.rules import FIRST_PACKET
from hokm_solver.solver import NO_LIMIT, SCHEMA, Limit, Objective, Solution, Solver, trumps_to_json


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

    def fits(self, line: Line, answer: Answer) -> bool:
        """Whether an earlier answer can be the one to this line with these options."""
        try:
            positions = _positions(line)
        except HokmError:
            return answer.get("line") == line.number
        first = positions[0]
        asked = {
            "schema": SCHEMA,
            "hakem": first.hakem.name,
            "to_play": first.to_play.name,
            "objective": self.objective,
            "trump": first.trump.letter if len(positions) == 1 else None,
        }
        return _agrees(asked, answer) and all(self._fits(first, part) for part in _parts(answer))

    def _fits(self, position: Position, part: Answer) -> bool:
        cards = [str(card) for card in position.legal_cards()] if self.cards else []
        line_known = part["exact"] and self.line
        return [value["card"] for value in part.get("cards", ())] == cards and ("line" in part) >= line_known


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


def _agrees(asked: Answer, answer: Answer) -> bool:
    return all(answer.get(key) == value for key, value in asked.items())


def _parts(answer: Answer) -> list[Answer]:
    """What was found for each trump."""
    return list(answer["trumps"].values()) if "trumps" in answer else [answer]


@dataclass(frozen=True, slots=True)
class AdviseOptions:
    """How every five cards are valued; see `advise`."""

    samples: int
    seed: int
    jobs: int | None = None
    time: float | None = None

    def advise(self, cards: str, progress: Callable[[float], None] | None = None) -> Advice:
        """Advise on the five cards that a text names."""
        five = parse_cards(cards, FIRST_PACKET)
        samples = self.samples if self.time is None else None
        return advise(five, samples, self.seed, self.jobs, self.time, progress)

    def answer(self, line: Line) -> Advice | Failure:
        """The advice on a line that names five cards."""
        return answer(line, lambda line: self.advise(line.text))

    def fits(self, line: Line, answer: Answer) -> bool:
        """Whether an earlier answer can be the one to this line with these options."""
        try:
            cards = parse_cards(line.text, FIRST_PACKET)
        except HokmError:
            return answer.get("line") == line.number
        asked: Answer = {"cards": [str(card) for card in cards], "seed": self.seed}
        if self.time is None:
            asked["samples"] = self.samples
        return _agrees(asked, answer)
