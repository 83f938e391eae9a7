"""Pictures as PNG or SVG, drawn by matplotlib, which is an extra and imported only here.

The same answer gives the same SVG, byte for byte, with the same version of matplotlib.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hokm_solver.errors import MissingExtra
from hokm_solver.journal import written_aside
from hokm_solver.report.words import TERMINAL
from hokm_solver.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from hokm_solver.advice import TrumpValue
    from hokm_solver.cards import Card
    from hokm_solver.equity import Equity
    from hokm_solver.table import TableValue

STYLE: dict[str, Any] = {"font.size": 10, "svg.hashsalt": "hokm-solver"}
COLOURS = "RdYlGn"
# In the order drawn from the left, which is that of the legend: colour is not the only sign.
OUTCOME_PARTS: tuple[tuple[str, str, Callable[[TableValue], float]], ...] = (
    ("kot", "#1a7f37", lambda value: value.kot),
    ("win", "#7fc796", lambda value: value.win - value.kot),
    ("loss", "#f0b37e", lambda value: 1 - value.win - value.hakem_koti),
    ("hakem koti", "#b3382c", lambda value: value.hakem_koti),
)
DARK = 0.3  # how far from one half a chance is when its square is dark enough for white figures


def draw_equity(equity: Equity, path: str | Path) -> None:
    """Draw the chances to win the match at every score, two squares of squares, to a file named .png or .svg.

    Raises:
        MissingExtra: matplotlib is not installed. OSError: the file cannot be written.
    """
    with _figure(path, 4.8, "Chance to win the match, %") as figure:
        for axes, ours in zip(figure.subplots(1, 2), (True, False)):
            _draw_scores(axes, equity, ours)


def _draw_scores(axes: Any, equity: Equity, ours: bool) -> None:
    scores = range(DEFAULT_RULES.match_length)
    chances = [[equity.chance(us, them, ours) for them in scores] for us in scores]
    axes.imshow(chances, cmap=COLOURS, vmin=0, vmax=1)
    for us, row in enumerate(chances):
        for them, chance in enumerate(row):
            colour = "white" if abs(chance - 0.5) > DARK else "black"
            axes.text(them, us, f"{100 * chance:.0f}", ha="center", va="center", color=colour)
    axes.set(title="we are hakem" if ours else "they are hakem", xlabel="their points", ylabel="our points")
    axes.set(xticks=scores, yticks=scores)


def draw_advice(
    five: Sequence[Card], seen: Sequence[TrumpValue], table: Sequence[TableValue], path: str | Path
) -> None:
    """Draw what each suit is worth, and how deals end at the table, to a file named .png or .svg.

    Points are drawn with intervals of two standard errors, both answers side by side: ``seen`` with all cards seen (it
    may be empty), ``table`` at the table.

    Raises:
        MissingExtra: matplotlib is not installed. OSError: the file cannot be written.
    """
    with _figure(path, 3.6, TERMINAL.cards(five)) as figure:
        left, right = figure.subplots(1, 2)
        _draw_points(left, seen, table)
        _draw_outcomes(right, table)


def _draw_points(axes: Any, seen: Sequence[TrumpValue], table: Sequence[TableValue]) -> None:
    places = {value.trump: place for place, value in enumerate(reversed(table))}
    for values, shift, name, marker in ((table, 0.12, "at the table", "o"), (seen, -0.12, "all cards seen", "s")):
        if values:
            axes.errorbar(
                [value.points for value in values],
                [places[value.trump] + shift for value in values],
                xerr=[2 * value.points_se for value in values],
                fmt=marker,
                label=name,
            )
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set(title="points a deal, hakem's side", yticks=list(places.values()))
    axes.set_yticklabels([trump.symbol for trump in places])
    axes.legend()


def _draw_outcomes(axes: Any, table: Sequence[TableValue]) -> None:
    start = [0.0] * len(table)
    places = range(len(table) - 1, -1, -1)
    for name, colour, share in OUTCOME_PARTS:
        widths = [100 * share(value) for value in table]
        axes.barh(places, widths, left=start, color=colour, edgecolor="white", label=name)
        start = [left + width for left, width in zip(start, widths)]
    axes.set(title="how deals end at the table, %", xlim=(0, 100), yticks=list(places))
    axes.set_yticklabels([value.trump.symbol for value in table])
    axes.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.12), frameon=False)


@contextmanager
def _figure(path: str | Path, height: float, title: str) -> Iterator[Any]:
    """A figure 9 inches wide, saved at the end."""
    matplotlib = _matplotlib()
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(9, height), layout="constrained")
        figure.suptitle(title)
        yield figure
        kind = Path(path).suffix.removeprefix(".")
        with written_aside(path) as aside:
            figure.savefig(aside, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)


def _matplotlib() -> Any:
    try:
        import matplotlib.figure
    except ImportError:
        raise MissingExtra("a picture needs matplotlib: pip install 'hokm-solver[plot]'") from None
    return matplotlib
