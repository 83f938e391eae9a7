"""What the solver's options cost: the portable build, and smaller tables."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.common import (
    Board,
    Ratio,
    arguments,
    cpu_seconds,
    markdown,
    number_of_deals,
    random_boards,
    ratio_of_means,
    surroundings,
    warm_up,
)
from hokm_solver.defaults import TABLE_MB
from hokm_solver.solver import Objective, Solver

TABLES_MB = (4, 16, 64)


def slow_down(boards: Sequence[Board], solver: Solver, usual: Solver, objective: Objective, cards: bool) -> Ratio:
    """The mean time of one solver in times of another, taking turns deal by deal."""
    times: list[float] = []
    unit: list[float] = []
    for each in (solver, usual):
        warm_up(each, boards)
    for board in boards:
        times.append(cpu_seconds(solver.solve, board.position, objective, cards=cards))
        unit.append(cpu_seconds(usual.solve, board.position, objective, cards=cards))
    return ratio_of_means(times, unit)


def portable(boards: Sequence[Board]) -> Ratio | None:
    """The portable build against the fast one; None where there is only the portable build."""
    usual = Solver()
    return None if usual.portable else slow_down(boards, Solver(portable=True), usual, "win", cards=False)


def tables(boards: Sequence[Board]) -> dict[int, Ratio]:
    """The margin of every card with each table size, the default size being 1."""
    return {
        size: slow_down(boards, Solver(table_mb=size), Solver(table_mb=TABLE_MB), "margin", cards=True)
        for size in TABLES_MB
    }


def main() -> None:
    """Print what the options cost."""
    options = arguments(__doc__ or "").parse_args()
    boards = random_boards(number_of_deals(options), options.seed)
    print(f"{surroundings()}\n")
    rows: list[tuple[str, Ratio | str]] = [("portable build, win question", portable(boards) or "only build here")]
    rows += [(f"table of {size} MB, margin of every card", found) for size, found in tables(boards).items()]
    print(markdown(["option", f"time, usual build and {TABLE_MB} MB = 1"], rows))


if __name__ == "__main__":
    main()
