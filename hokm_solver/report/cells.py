"""The cells of a terminal, in which columns are counted: letters of East Asia take two of them, marks none."""

from __future__ import annotations

import unicodedata

MOST_PER_CELL = 4


def cells(text: str) -> int:
    """How many cells a text takes."""
    return sum(map(_cells, text))


def filled(text: str, width: int) -> str:
    """The text with spaces behind it, to fill so many cells."""
    return text + " " * (width - cells(text))


def cut(text: str, width: int) -> str:
    """The text if it fits into so many cells, and else as much of it as does, with … behind it.

    Not all marks of a text that heaps them up are kept: it has at most `MOST_PER_CELL` characters to a cell.
    """
    start = text[: MOST_PER_CELL * width]
    if len(start) == len(text) and cells(text) <= width:
        return text
    while cells(start) >= width:
        start = start[:-1]
    return f"{start}…"


def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
