"""How many more deals a second two jobs solve than one."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.common import Board, Ratio, arguments, markdown, number_of_deals, random_boards, surroundings
from hokm_solver.solver import solve_many

ROUNDS = 3  # one job and two take turns


def seconds(boards: Sequence[Board], jobs: int) -> float:
    """Wall-clock time to answer the win question for all boards."""
    begun = time.perf_counter()
    for _ in solve_many((board.position for board in boards), jobs, "win", cards=False):
        pass
    return time.perf_counter() - begun


def gain(boards: Sequence[Board], rounds: int = ROUNDS) -> Ratio:
    """Deals a second of two jobs, those of one job being 1; the best of a few rounds each."""
    times = [(seconds(boards, 1), seconds(boards, 2)) for _ in range(rounds)]
    return Ratio(min(one for one, _ in times) / min(two for _, two in times))


def main() -> None:
    """Print the gain of a second job."""
    options = arguments(__doc__ or "").parse_args()
    boards = random_boards(number_of_deals(options), options.seed)
    print(f"{surroundings()}\n")
    print(markdown(["jobs", "deals a second, one job = 1"], [("two", gain(boards))]))


if __name__ == "__main__":
    main()
