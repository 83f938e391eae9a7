"""Pictures as PNG or SVG, drawn by matplotlib, which is an extra and imported only here.

The same answer gives the same SVG, byte for byte, with the same version of matplotlib.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hokm_solver.errors import MissingExtra
from hokm_solver.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from hokm_solver.equity import Equity

STYLE: dict[str, Any] = {"font.size": 10, "svg.hashsalt": "hokm-solver"}
COLOURS = "RdYlGn"
DARK = 0.3  # how far from one half a chance is when its square is dark enough for white figures


def draw_equity(equity: Equity, path: str | Path) -> None:
    """Draw the chances to win the match at every score, two squares of squares, to a file named .png or .svg.

    Raises:
        MissingExtra: matplotlib is not installed. OSError: the file cannot be written.
    """
    matplotlib = _matplotlib()
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(9, 4.8), layout="constrained")
        figure.suptitle("Chance to win the match, %")
        for axes, ours in zip(figure.subplots(1, 2), (True, False)):
            _draw_scores(axes, equity, ours)
        figure.savefig(path, dpi=150, metadata={"Date": None} if str(path).endswith(".svg") else None)


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


def _matplotlib() -> Any:
    try:
        import matplotlib.figure
    except ImportError:
        raise MissingExtra("a picture needs matplotlib: pip install 'hokm-solver[plot]'") from None
    return matplotlib
