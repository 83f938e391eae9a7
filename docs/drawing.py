"""What the scripts that draw pictures for the documentation share: the frame, colours, suits and text, as SVG."""

from __future__ import annotations

from collections.abc import Iterable

from hokm_solver import Suit
from hokm_solver.report.diagram import SHAPES

INK, PAPER, RED, BLACK = "#222222", "#ffffff", "#c1272d", "#222222"
COLOURS = {"kot": "#0b6e4f", "win": "#6fbf97", "loss": "#f0c9a0", "hakem koti": "#b23a48"}


def picture_of(title: str, width: int, height: int, lines: Iterable[str]) -> str:
    """Return a whole picture as SVG: white, with a title for those who cannot see it."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    frame = [
        f'{head} font-family="system-ui, sans-serif" font-size="15" fill="{INK}" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" rx="12" fill="{PAPER}"/>',
    ]
    return "\n".join([*frame, *lines, "</svg>"]) + "\n"


def colour_of(suit: Suit) -> str:
    """Return the colour of a suit."""
    return RED if suit in (Suit.HEARTS, Suit.DIAMONDS) else BLACK


def draw_suit(suit: Suit, x: float, y: float, size: int) -> str:
    """Draw the symbol of a suit; x and y are its upper left corner."""
    return f'<path transform="translate({x} {y}) scale({size / 100})" fill="{colour_of(suit)}" d="{SHAPES[suit]}"/>'


def draw_text(
    x: float, y: float, words: str, *, size: int, colour: str = INK, bold: bool = False, middle: bool = False
) -> str:
    """Draw a line of text; y is its base line."""
    extra = (' font-weight="bold"' if bold else "") + (' text-anchor="middle"' if middle else "")
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}"{extra}>{words}</text>'
