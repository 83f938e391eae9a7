"""Answers to many questions, one a line, and whether an answer from an earlier run belongs to a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hokm_solver.advice import Advice, advise
from hokm_solver.deal import Position
from hokm_solver.errors import HokmError
from hokm_solver.journal import Answer
from hokm_solver.lines import Failure, Line, answer
from hokm_solver.notation import parse_cards, position_from_json
from hokm_solver.rules import FIRST_PACKET
from hokm_solver.solver import Limit, Objective, Solution, Solver

SCHEMA = "hokm-solver/solve/1"
SHARED = ("schema", "hakem", "to_play", "objective")  # said once when there are four trumps


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """What is asked about every position; see `Solver.solve`."""

    objective: Objective = "margin"
    cards: bool = True
    line: bool = False
    limit: Limit | None = None

    def solve(self, solver: Solver, positions: Sequence[Position]) -> tuple[Solution, ...]:
        """Solve the same position under each of several trumps."""
        return tuple(
            solver.solve(position, self.objective, cards=self.cards, line=self.line, limit=self.limit)
            for position in positions
        )

    def answer(self, solver: Solver, line: Line) -> tuple[Solution, ...] | Failure:
        """The solutions of a line that holds a position as JSON."""
        return answer(line, lambda line: self.solve(solver, position_from_json(line.json())))

    def fits(self, line: Line, answer: Answer) -> bool:
        """Whether an earlier answer can be the one to this line with these options."""
        try:
            positions = position_from_json(line.json())
        except HokmError:
            return answer.get("line") == line.number
        parts = _by_position(positions, answer)
        return answer.get("schema") == SCHEMA and all(self._fits(position, part) for position, part in parts)

    def _fits(self, position: Position, answer: Answer) -> bool:
        asked = {
            "hakem": position.hakem.name,
            "to_play": position.to_play.name,
            "trump": position.trump.letter,
            "objective": self.objective,
        }
        cards = [str(card) for card in position.legal_cards()] if self.cards else []
        shown = [value["card"] for value in answer.get("cards", ())]
        return all(answer.get(key) == value for key, value in asked.items()) and shown in (cards, [])


def solutions_to_json(solutions: Sequence[Solution]) -> Answer:
    """One object ``hokm-solver/solve/1``: of one solution its own, of several a part for each trump."""
    objects = [solution.to_json() for solution in solutions]
    if len(objects) == 1:
        return objects[0]
    shared = {key: objects[0][key] for key in SHARED}
    return shared | {
        "trumps": {item["trump"]: {key: item[key] for key in item if key not in SHARED} for item in objects}
    }


def _by_position(positions: Sequence[Position], answer: Answer) -> Iterator[tuple[Position, Answer]]:
    """Each position with its part of the answer, completed by what the parts share."""
    if len(positions) == 1:
        yield positions[0], answer
        return
    parts = answer.get("trumps", {})
    for position in positions:
        yield position, answer | parts.get(position.trump.letter, {})


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
        return advise(five, self.samples, self.seed, self.jobs, self.time, progress)

    def answer(self, line: Line) -> Advice | Failure:
        """The advice on a line that names five cards."""
        return answer(line, lambda line: self.advise(line.text))

    def fits(self, line: Line, answer: Answer) -> bool:
        """Whether an earlier answer can be the one to this line with these options."""
        try:
            cards = parse_cards(line.text, FIRST_PACKET)
        except HokmError:
            return answer.get("line") == line.number
        asked = {"cards": [str(card) for card in cards], "seed": self.seed}
        if self.time is None:
            asked["samples"] = self.samples
        return all(answer.get(key) == value for key, value in asked.items())
