"""Persian text on a terminal: who arranges it from right to left, and what it is given for that.

A file or a pipe gets the text as it is read, each line marked with its direction: whatever shows it arranges it. Some
terminals do the same. The others show every letter to the right of the one before it, so that the lines must be turned
round beforehand, and the letters joined, which the packages `python-bidi` and `arabic-reshaper` do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from textwrap import wrap
from typing import Literal, TextIO, TypeAlias

from hokm_solver.report.cells import cells
from hokm_solver.report.words import END, LEFT_MARK, LEFT_TO_RIGHT

Arranger: TypeAlias = Literal["reader", "terminal", "program"]
ASKED = "HOKM_SOLVER_BIDI"  # environment variable: what to suppose of the terminal, 'terminal' or 'program'
SUPPOSED: tuple[Arranger, ...] = ("terminal", "program")
VTE_SINCE = 5800  # 0.58 is the first that arranges: GNOME Terminal and its kin
HAMZA_ABOVE = "\u0654"  # would land on the letter before; Persian is often written without it
BRACKETS = str.maketrans("()[]{}<>«»", ")(][}{><»«")
RIGHT_MARK = "\u200f"
# In https://terminal-wg.pages.freedesktop.org/bidi, private mode 2501: the direction of a line is that of its letters.
LINES_BY_LETTERS, LINES_AS_BEFORE = "\033[?2501h", "\033[?2501l"
_MARKS = re.compile("[\u200e\u200f\u2060\u2066-\u2069]")
_WORD = r"(?:--?|\.)?[A-Za-z](?:[A-Za-z0-9_./+-]*[A-Za-z0-9])?"
_LATIN = re.compile(rf"{_WORD}(?: {_WORD})*")


def can_show_persian(stream: TextIO | None) -> bool:
    """Whether a stream takes Persian letters and half-spaces; one that is closed takes anything."""
    if stream is None:
        return True
    try:
        "بی\u200cبی".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def arranger(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Arranger:
    """Who puts Persian lines into their order."""
    if not stream.isatty():
        return "reader"
    for kind in SUPPOSED:
        if environment.get(ASKED) == kind:
            return kind
    vte = environment.get("VTE_VERSION", "")
    if vte.isdecimal() and int(vte) >= VTE_SINCE:
        return "terminal"
    if {"KONSOLE_VERSION", "MLTERM"} & set(environment) or environment.get("TERM_PROGRAM") == "Apple_Terminal":
        return "terminal"
    return "program"


def arranged(text: str, by: Arranger, columns: int) -> str:
    """A Persian text, whose lines go from right to left unless they begin with `LEFT_MARK`, as it is to be written.

    ``columns`` is the width of the terminal, which matters only where the program arranges: it must break lines too.

    Raises:
        ImportError: the program is to arrange it, and the packages that it needs for that are not installed.
    """
    if by == "program":
        return _turned(text, columns)
    marked = "\n".join(map(_marked, text.split("\n")))
    return f"{LINES_BY_LETTERS}{marked}\n{LINES_AS_BEFORE}" if by == "terminal" else marked + "\n"


def _marked(line: str) -> str:
    return line if not line or line.startswith(LEFT_MARK) else RIGHT_MARK + line


def latin_isolated(text: str) -> str:
    """A Persian text in which words in Latin letters, options and commands cannot turn the direction."""
    return _LATIN.sub(lambda found: f"{LEFT_TO_RIGHT}{found[0]}{END}", text)


def _turned(text: str, columns: int) -> str:
    """Every line from left to right as it is seen, those from right to left up to a common edge."""
    shown = _line_shower()
    lines = [piece for line in text.split("\n") for piece in _broken(line, columns)]
    edge = max(cells(line) for line in lines)
    turned = (
        shown(line, "L") if line.startswith(LEFT_MARK) else _pushed(shown(line.rstrip(), "R"), edge) for line in lines
    )
    return "\n".join(turned) + "\n"


def _broken(line: str, columns: int) -> list[str]:
    if cells(line) <= columns:
        return [line]
    pieces = wrap(line, columns, break_on_hyphens=False)
    return [LEFT_MARK + piece for piece in pieces] if line.startswith(LEFT_MARK) else pieces


def _pushed(line: str, edge: int) -> str:
    return " " * (edge - cells(line)) + line if line else line


def _line_shower() -> Callable[[str, str], str]:
    from arabic_reshaper import ArabicReshaper
    from bidi import get_display

    # A ligature would take fewer cells than its letters, and columns would not fit.
    reshaper = ArabicReshaper({"support_ligatures": False})

    def shown(line: str, direction: str) -> str:
        joined = reshaper.reshape(line.replace(HAMZA_ABOVE, ""))
        turned: str = get_display(_mirrored(joined) if direction == "R" else joined, base_dir=direction)
        return _MARKS.sub("", turned).replace("\u200c", "")

    return shown


def _mirrored(line: str) -> str:
    """A line whose brackets open to the left; not those in pieces from left to right."""
    inside, mirrored = 0, ""
    for char in line:
        inside += (char == LEFT_TO_RIGHT) - (char == END and inside > 0)
        mirrored += char if inside else char.translate(BRACKETS)
    return mirrored
