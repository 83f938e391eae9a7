"""What the other questions cost, in win questions: four trumps, the value of every card, margins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.common import (
    Board,
    Ratio,
    arguments,
    corpora,
    cpu_seconds,
    markdown,
    ratio_of_means,
    surroundings,
    warm_up,
    wins,
)
from hokm_solver.deal import Position
from hokm_solver.solver import Solver

Question = Callable[[Solver, Position], object]

QUESTIONS: dict[str, Question] = {
    "points": lambda solver, position: solver.solve(position, "points", cards=False),
    "points under all four trumps": lambda solver, position: solver.solve_trumps(position),
    "points of every legal card": lambda solver, position: solver.solve(position, "points"),
    "margin": lambda solver, position: solver.solve(position, "margin", cards=False),
    "margin of every legal card": lambda solver, position: solver.solve(position, "margin"),
}


def costs(boards: Sequence[Board], solver: Solver) -> dict[str, Ratio]:
    """The mean cost of each of QUESTIONS; every deal answers all of them, and the win question, before the next."""
    unit: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in QUESTIONS}
    warm_up(solver, boards)
    for board in boards:
        unit.append(cpu_seconds(wins, solver, board.position))
        for name, question in QUESTIONS.items():
            times[name].append(cpu_seconds(question, solver, board.position))
    return {name: ratio_of_means(taken, unit) for name, taken in times.items()}


def main() -> None:
    """Print the costs for both corpora."""
    options = arguments(__doc__ or "").parse_args()
    print(f"{surroundings()}\n")
    for name, boards in corpora(options).items():
        print(f"{name}\n\n{markdown(['full deal', 'win questions'], costs(boards, Solver()).items())}\n")


if __name__ == "__main__":
    main()
