"""What notebooks show: a diagram and small tables, in English, with no style but that of the notebook.

`hokm_solver.showing` calls `html_of` when a notebook asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING

from hokm_solver.cards import Seat, Side
from hokm_solver.deal import Deal, Position
from hokm_solver.report.diagram import Scene, diagram
from hokm_solver.report.graph import value_graph
from hokm_solver.report.markup import Html, join, tag
from hokm_solver.report.messages import Words
from hokm_solver.report.text import cards_text, solution_rows
from hokm_solver.review.judgement import PlayReview, Review
from hokm_solver.solver import Solution

if TYPE_CHECKING:
    from hokm_solver.review import Totals

ENGLISH = Words()


@singledispatch
def html_of(shown: object) -> Html:
    """The HTML of an object that notebooks show.

    Raises:
        TypeError: there is none for objects of this kind.
    """
    raise TypeError(f"nothing is known of how to show {type(shown).__name__}")


@html_of.register
def _(shown: Deal) -> Html:
    return diagram(Scene.of(shown))


@html_of.register
def _(shown: Position) -> Html:
    return diagram(Scene.of(shown))
