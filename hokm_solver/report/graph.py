"""The value of a deal over its plays, as SVG: a stair of margins, with a sign at every play that cost something.

The graph runs in the direction of the language. Every play has a field as high as the graph, with its number in
``data-go``, so that a page can make it answer to a press.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hokm_solver.report.markup import Attribute, Html, tag
from hokm_solver.report.words import Words
from hokm_solver.rules import TRICKS_TO_WIN

if TYPE_CHECKING:
    from hokm_solver.review import PlayReview, Review

WIDTH, HEIGHT = 480, 230
TOP, BOTTOM, SIDE, END_SIDE = 10, 26, 58, 8  # what is left around the field; SIDE is where the figures stand
MARGINS = [*range(TRICKS_TO_WIN, 0, -1), *range(-1, -TRICKS_TO_WIN - 1, -1)]  # from the top; there is no 0
TOLD = (7, 4, 1, -1, -4, -7)  # margins with a figure at the side
STEP_HEIGHT = (HEIGHT - TOP - BOTTOM) / len(MARGINS)
SIGNS: Mapping[str, tuple[str, Mapping[str, Attribute]]] = {
    "slip": ("circle", {"r": 3.5, "fill": "#fff3c4", "stroke": "#5c4400"}),
    "mistake": ("polygon", {"points": "0,-6.5 6,4.5 -6,4.5", "fill": "#f08c2e", "stroke": "#4a2000"}),
    "blunder": ("polygon", {"points": "0,-8 8,0 0,8 -8,0", "fill": "#d3242f", "stroke": "#4d0006"}),
}


def value_graph(review: Review, words: Words) -> Html:
    """The graph of a review that has plays, hakem's side's view."""
    margins = [review.plays[0].margin_before, *(play.margin_after for play in review.plays)]
    scale = _Scale(len(margins), words.direction == "rtl")
    said = words.say(
        "graph.said",
        first=words.result(margins[0]),
        last=words.result(margins[-1]),
        turns=words.number(len(review.turning_points)),
    )
    return tag(
        "svg",
        *_field(scale, words),
        *_tricks(review, scale, words),
        tag("path", d=_stair(margins, scale), class_="stair", fill="none", stroke="#1c4f8f", stroke_width=2.5),
        *_signs(review, scale),
        tag("line", class_="cursor", x1=0, x2=0, y1=TOP - 6, y2=HEIGHT - BOTTOM + 6, visibility="hidden"),
        *_answering(review, scale, words),
        viewbox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"{words.say('graph')}. {said}",
        class_="graph",
        font_family="sans-serif",
        xmlns="http://www.w3.org/2000/svg",
    )


class _Scale:
    """Where plays and margins stand."""

    def __init__(self, places: int, mirrored: bool) -> None:
        self.mirrored = mirrored
        self.width = (WIDTH - SIDE - END_SIDE) / places

    def x(self, place: float) -> float:
        """The middle of the field of a play; 0 stands before the first."""
        return self.turn(SIDE + (place + 0.5) * self.width)

    def turn(self, x: float) -> float:
        """The same distance from the side where the language begins."""
        return round(WIDTH - x if self.mirrored else x, 1)

    @staticmethod
    def y(margin: int) -> float:
        return round(TOP + (MARGINS.index(margin) + 0.5) * STEP_HEIGHT, 1)


def _field(scale: _Scale, words: Words) -> Iterator[Html]:
    """Two halves, who wins in which, and some figures at the side."""
    left = min(scale.turn(SIDE), scale.turn(WIDTH - END_SIDE))
    half = (HEIGHT - TOP - BOTTOM) / 2
    for place, (name, colour) in enumerate([("hakem.wins", "#dff0e0"), ("others.win", "#f7e1dc")]):
        top = TOP + place * half
        size = {"width": WIDTH - SIDE - END_SIDE, "height": half}
        yield tag("rect", x=left, y=top, **size, class_=f"half half-{place}", fill=colour)
        y = top + 15 if place == 0 else top + half - 6
        yield _text(scale.turn(WIDTH - END_SIDE - 8), y, words.say(name), "end", "half-name")
    for margin in TOLD:
        yield _text(scale.turn(SIDE - 8), scale.y(margin) + 4, words.score(margin), "end", "score")


def _text(x: float, y: float, text: str, anchor: str, kind: str) -> Html:
    """A text; its anchor is meant along the direction of the language, as SVG does."""
    return tag("text", text, x=x, y=y, text_anchor=anchor, class_=kind, font_size=12, fill="#333")


def _tricks(review: Review, scale: _Scale, words: Words) -> Iterator[Html]:
    """A thin line before every trick, and its number."""
    for place, play in enumerate(review.plays):
        if place % 4 == 0:
            edge = scale.turn(SIDE + (place + 1) * scale.width)
            yield tag("line", x1=edge, x2=edge, y1=TOP, y2=HEIGHT - BOTTOM, class_="edge", stroke="#0003")
            middle = scale.turn(SIDE + (place + 3) * scale.width)
            yield _text(middle, HEIGHT - 8, words.number(play.trick), "middle", "number")


def _stair(margins: list[int], scale: _Scale) -> str:
    """The path: level up to a play, then up or down at it."""
    first, *rest = margins
    parts = [f"M{scale.turn(SIDE)} {scale.y(first)}"]
    parts += [f"H{scale.x(place)}V{scale.y(margin)}" for place, margin in enumerate(rest, start=1)]
    return "".join([*parts, f"H{scale.turn(WIDTH - END_SIDE)}"])


def _signs(review: Review, scale: _Scale) -> Iterator[Html]:
    for place, play in enumerate(review.plays, start=1):
        if play.kind in SIGNS:
            shape, look = SIGNS[play.kind]
            sign = tag(shape, **look, stroke_width=1.2)
            where = f"translate({scale.x(place)} {scale.y(play.margin_after)})"
            yield tag("g", sign, transform=where, class_=f"sign {play.kind}")


def _answering(review: Review, scale: _Scale, words: Words) -> Iterator[Html]:
    """A field for every play, and one for the start."""
    titles = [words.say("start"), *(_title(play, words) for play in review.plays)]
    for place, title in enumerate(titles):
        x = round(scale.x(place) - scale.width / 2, 1)
        size = {"width": round(scale.width, 1), "height": HEIGHT - TOP - BOTTOM}
        area = tag("rect", x=x, y=TOP, **size, fill="#fff", fill_opacity=0, data_go=place)
        yield tag("g", tag("title", title), area)


def _title(play: PlayReview, words: Words) -> str:
    what = words.say("plays", seat=words.seat(play.seat), card=words.card(play.card))
    trick = words.say("trick", number=words.number(play.trick))
    return f"{trick}: {what} · {words.say(play.kind)}"
