"""The win question, "does hakem's side take seven tricks?", beside DDS on the same deals in the same run.

Our time is that of ``Solver.solve`` as a Python program calls it, DDS's that of the bare call of its library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.common import (
    WARM_UP,
    Board,
    Ratio,
    arguments,
    corpora,
    markdown,
    ratios,
    surroundings,
    timed,
    warm_up,
    wins,
)
from benchmarks.dds import Dds, tricks_needed
from benchmarks.signature import signature
from hokm_solver.solver import Solver


@dataclass(slots=True)
class Comparison:
    """CPU seconds for each deal, ours and DDS's, and how many answers differ."""

    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    differ: int = 0
    wrong: int = 0  # differ from the stored answer

    def ratios(self) -> dict[str, Ratio]:
        """Our statistics as multiples of DDS's."""
        return ratios(self.ours, self.theirs)


def compare(boards: Sequence[Board], solver: Solver, dds: Dds) -> Comparison:
    """Answer every board by both, taking turns: who is first changes from deal to deal."""
    comparison = Comparison()
    warm_up(solver, boards)
    dds.warm_up(board.position for board in boards[:WARM_UP])
    for number, board in enumerate(boards):
        _compare_one(board, solver, dds, comparison, we_begin=number % 2 == 0)
    return comparison


def _compare_one(board: Board, solver: Solver, dds: Dds, comparison: Comparison, we_begin: bool) -> None:
    position, tricks, their_board = board.position, tricks_needed(board.position), dds.board(board.position)
    if we_begin:
        ours, our_time = timed(wins, solver, position)
    theirs, their_time = timed(dds.leader_takes, their_board, tricks)
    if not we_begin:
        ours, our_time = timed(wins, solver, position)
    comparison.ours.append(our_time)
    comparison.theirs.append(their_time)
    comparison.differ += ours != (theirs == (position.leader.side == position.hakem.side))
    comparison.wrong += board.win is not None and board.win != ours


def main() -> None:
    """Print the comparison for both corpora."""
    options = arguments(__doc__ or "").parse_args()
    solver, dds = Solver(), Dds()
    print(f"{surroundings()}; {dds.name}\n")
    for name, boards in corpora(options).items():
        found = compare(boards, solver, dds)
        print(f"{name}: {found.differ} answers differ from DDS's, {found.wrong} from the stored ones")
        print(markdown(["win question", "time, DDS's = 1"], found.ratios().items()), "\n")
        print(f"signature: {signature(boards)}\n")


if __name__ == "__main__":
    main()
