"""Two pictures for docs/speed.md: solve times beside DDS's, and time against cards left (extra ``bench``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.common import (
    QUICK,
    ROOT,
    Board,
    arguments,
    cpu_seconds,
    number_of_deals,
    random_boards,
    wins,
)
from benchmarks.dds import Dds, tricks_needed
from benchmarks.solve_vs_dds import compare
from hokm_solver.deal import Position, replay
from hokm_solver.solver import Solver

IMAGES = ROOT / "docs" / "images"
SOLVE_TIMES = "solve-times.svg"
CARDS_LEFT = "cards-left.svg"
LINES = 200  # deals followed to their end for the second picture
LINES_QUICK = 10
FEWEST = 5  # positions that a mean is drawn from
OURS, THEIRS, CARDS, MARGINS = "#0b6e4f", "#b23a48", "#3d7ea6", "#d98e04"
STYLE: dict[Any, Any] = {
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "svg.hashsalt": "hokm-solver",
    "figure.figsize": (7.2, 4.2),
    "figure.constrained_layout.use": True,
}
Times = dict[int, list[float]]  # by cards left


def by_cards_left(boards: Sequence[Board], solver: Solver, dds: Dds) -> dict[str, Times]:
    """CPU seconds of four questions at every trick of a line of best play through each board."""
    times: dict[str, Times] = {"dds": {}, "win": {}, "cards": {}, "margins": {}}
    for board in boards:
        for position in _trick_starts(board.position, solver):
            their_board, tricks = dds.board(position), tricks_needed(position)
            spent = {
                "dds": cpu_seconds(dds.leader_takes, their_board, tricks),
                "win": cpu_seconds(wins, solver, position),
                "cards": cpu_seconds(solver.solve, position, "points"),
                "margins": cpu_seconds(solver.solve, position, "margin"),
            }
            for question, seconds in spent.items():
                times[question].setdefault(position.cards_left, []).append(seconds)
    return times


def _trick_starts(start: Position, solver: Solver) -> Iterator[Position]:
    line = solver.solve(start, "margin", cards=False, line=True).line or ()
    for position in replay(start, line):
        if not position.trick and position.outcome() is None:
            yield position


def draw_solve_times(ours: Sequence[float], theirs: Sequence[float], path: Path) -> None:
    """The share of deals solved within a time, in units of DDS's mean."""
    figure, axes = canvas()
    unit = mean(theirs)
    for times, colour, label in ((ours, OURS, "hokm-solver"), (theirs, THEIRS, "DDS")):
        shares = [100 * (i + 1) / len(times) for i in range(len(times))]
        axes.step([t / unit for t in sorted(times)], shares, where="post", color=colour, linewidth=2, label=label)
        axes.axvline(mean(times) / unit, color=colour, linewidth=1, linestyle=":")
    axes.set_xscale("log")
    axes.set_ylim(0, 100)
    axes.set_xlabel("CPU time for one deal (1 = DDS's mean; dotted: the means)")
    axes.set_ylabel("deals solved within this time, %")
    axes.legend(loc="lower right", frameon=False)
    save(figure, path)


def draw_cards_left(times: dict[str, Times], path: Path) -> None:
    """Mean time against cards left, in units of DDS's mean at thirteen."""
    figure, axes = canvas()
    unit = mean(times["dds"][13])
    curves = (
        ("margins", MARGINS, "margin of every legal card"),
        ("cards", CARDS, "points of every legal card"),
        ("dds", THEIRS, "who wins, DDS"),
        ("win", OURS, "who wins"),
    )
    for question, colour, label in curves:
        points = sorted((left, mean(spent) / unit) for left, spent in times[question].items() if len(spent) >= FEWEST)
        axes.plot(*zip(*points), color=colour, marker="o", markersize=4, linewidth=2, label=label)
    axes.set_yscale("log")
    axes.invert_xaxis()
    axes.set_xlabel("cards left in each hand")
    axes.set_ylabel("CPU time (1 = DDS on a full deal)")
    axes.legend(loc="upper right", frameon=False)
    save(figure, path)


def canvas() -> tuple[Any, Any]:
    """A figure and its axes, in the style of all pictures of the documents."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams.update(STYLE)
    return pyplot.subplots()


def save(figure: Any, path: Path) -> None:
    """Write a figure as an SVG that is the same whenever it is drawn."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    path.write_text("\n".join(line.rstrip() for line in path.read_text("utf-8").splitlines()) + "\n", "utf-8")


def draw_all(boards: Sequence[Board], lines: int, directory: Path = IMAGES) -> None:
    """Measure and draw both pictures."""
    solver, dds = Solver(), Dds()
    comparison = compare(boards, solver, dds)
    draw_solve_times(comparison.ours, comparison.theirs, directory / SOLVE_TIMES)
    draw_cards_left(by_cards_left(boards[:lines], solver, dds), directory / CARDS_LEFT)


def main() -> None:
    """Draw the pictures."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--into", type=Path, default=IMAGES, metavar="DIRECTORY", help="default: %(default)s")
    options = parser.parse_args()
    n = number_of_deals(options)
    draw_all(random_boards(n, options.seed), LINES if n > QUICK else LINES_QUICK, options.into)


if __name__ == "__main__":
    main()
