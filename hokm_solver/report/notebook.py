"""What notebooks show: a diagram and small tables, in English, with no style but that of the notebook.

`hokm_solver.showing` calls `html_of` when a notebook asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch

from hokm_solver.cards import Seat
from hokm_solver.deal import Deal, Position
from hokm_solver.report.diagram import Scene, diagram
from hokm_solver.report.graph import value_graph
from hokm_solver.report.markup import Html, tag
from hokm_solver.report.text import solution_table, solution_value
from hokm_solver.report.words import ENGLISH
from hokm_solver.review import Review
from hokm_solver.solver import Solution

SMALL = 520  # pixels


@singledispatch
def html_of(shown: object) -> Html:
    """The HTML of an object that notebooks show.

    Raises:
        TypeError: there is none for objects of this kind.
    """
    raise TypeError(f"nothing is known of how to show {type(shown).__name__}")


@html_of.register
def _(shown: Deal) -> Html:
    return diagram(Scene.of(shown), width=SMALL)


@html_of.register
def _(shown: Position) -> Html:
    return diagram(Scene.of(shown), width=SMALL)


@html_of.register
def _(shown: Solution) -> Html:
    parts = [diagram(Scene.of(shown.position), width=SMALL), tag("p", solution_value(shown))]
    if shown.cards:
        best = {card.pretty for card in shown.best_cards()}
        heads, rows = solution_table(shown)
        parts.append(_table([*heads, ""], ([*row, "★" if row[0] in best else ""] for row in rows)))
    return tag("div", *parts)


@html_of.register
def _(shown: Review) -> Html:
    record = shown.record
    parts = [diagram(Scene.of(record.deal, record.trump, record.players), width=SMALL)]
    if shown.plays:
        parts += [tag("div", value_graph(shown, ENGLISH), style=f"max-width: {SMALL}px"), _costs(shown), _totals(shown)]
    parts += [tag("p", f"not judged: {name} - {why}") for name, why in shown.unjudged.items()]
    return tag("div", *parts)


def _costs(review: Review) -> Html:
    """A row for every play that cost something."""
    rows = [
        [
            str(play.trick),
            ENGLISH.player(play.seat, review.record.players),
            ENGLISH.card(play.card),
            play.kind,
            str(play.cost),
            str(play.margin_cost),
            ENGLISH.cards(play.best),
        ]
        for play in review.plays
        if play.kind != "ok"
    ]
    if not rows:
        return tag("p", ENGLISH.say("no.cost"))
    return _table(["trick", "player", "card", "", "points", "margin", "better"], rows)


def _totals(review: Review) -> Html:
    """What each seat lost."""
    heads = ["lost by", "choices", "points", "margin", "slips", "mistakes", "blunders"]
    totals = [(ENGLISH.player(seat, review.record.players), review.of_seat(seat)) for seat in Seat]
    return _table(
        heads,
        (
            [name, *map(str, (each.choices, each.cost, each.margin_cost, each.slips, each.mistakes, each.blunders))]
            for name, each in totals
        ),
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    head = tag("tr", *(tag("th", name) for name in heads))
    body = (tag("tr", *(tag("td", text) for text in row)) for row in rows)
    return tag("table", tag("thead", head), tag("tbody", *body))
