"""The node signature: how many positions the search visits on fixed deals.

It does not depend on the machine, the build (fast or portable) or the number of threads. It changes only when the
search behaves differently, so a change that is meant to be neutral must leave it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.common import Board, arguments, number_of_deals, recorded_boards
from hokm_solver.solver import Objective, Solver

QUESTIONS: tuple[Objective, ...] = ("win", "points")


def signature(boards: Sequence[Board]) -> str:
    """The sums of `nodes` over the boards, for each of QUESTIONS."""
    return ", ".join(f"{objective} {nodes(boards, objective)}" for objective in QUESTIONS)


def nodes(boards: Sequence[Board], objective: Objective) -> int:
    """Positions at the start of a trick that a new solver searches, all boards together."""
    solver = Solver()
    return sum(solver.solve(board.position, objective, cards=False).nodes for board in boards)


def main() -> None:
    """Print the signature of the stored deals."""
    n = number_of_deals(arguments(__doc__ or "").parse_args())
    print(f"{n:,} stored deals: {signature(recorded_boards(n))}")


if __name__ == "__main__":
    main()
