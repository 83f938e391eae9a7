"""Diagrams: compared with ones that were looked at, well formed, every card in its hand; what notebooks show."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from random import Random

import pytest
from goldens import check_golden
from pages import HOSTILE, NAMED, PLAYERS, RECORDS, early, judged
from support import random_position

from hokm_solver.cards import Seat, Suit
from hokm_solver.deal import Deal
from hokm_solver.report.diagram import Scene, diagram
from hokm_solver.report.notebook import html_of
from hokm_solver.report.words import Words
from hokm_solver.solver import Solver

POSITIONS = RECORDS[2].positions()
SCENES = {
    "diagram_deal.svg": Scene.of(NAMED.deal, NAMED.trump, PLAYERS),
    "diagram_position.svg": Scene.of(POSITIONS[22], players=PLAYERS),
    "diagram_over.svg": Scene.of(POSITIONS[-1]),
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", SCENES)
def test_diagrams_are_as_they_were_looked_at(name):
    check_golden(name, diagram(SCENES[name]).replace("><", ">\n<") + "\n")


def test_a_diagram_in_persian():
    check_golden(
        "diagram_persian.svg", diagram(SCENES["diagram_position.svg"], Words("fa")).replace("><", ">\n<") + "\n"
    )


def texts(svg):
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_card_is_drawn_once():
    rng = Random(3)
    for cards in range(1, 14):
        position = random_position(rng, cards, freak=True)
        found = texts(diagram(Scene.of(position)))
        ranks = [text for text in found if text in [*"23456789JQKA", "10"]]
        assert len(ranks) == sum(map(len, position.hands)) + len(position.trick)


def test_a_suit_of_thirteen_stays_in_its_hand():
    hands = tuple(next(iter(RECORDS)).deal.hands)
    whole = [type(hands[0]).of(card for hand in hands for card in hand.suit(suit)) for suit in Suit]
    drawn = ElementTree.fromstring(diagram(Scene.of(Deal(tuple(whole)))))
    assert all(float(text.get("x")) < 236 for text in drawn.iter(f"{SVG}text") if text.get("text-anchor") == "middle")


def test_names_of_players_do_no_harm():
    drawn = diagram(Scene.of(RECORDS[0].deal, players={**HOSTILE, Seat.E: "\x00\ud800\uffff\x1b"}))
    ElementTree.fromstring(drawn.encode())
    assert "<script" not in drawn
    assert "\u202e" not in drawn


def test_it_is_told_who_cannot_see_it():
    label = ElementTree.fromstring(diagram(SCENES["diagram_position.svg"])).get("aria-label")
    assert label.startswith("South plays, tricks North–South 3, West–East 2, hakem South, trump clubs: N ")


def test_what_notebooks_show():
    position = POSITIONS[22]
    solution = Solver().solve(position)
    found = early()
    for shown in (NAMED.deal, position, solution, found, judged(replace(NAMED, trump=None))):
        html = shown._repr_html_()
        assert html == html_of(shown)
        ElementTree.fromstring(html.encode())
    assert "<td>★</td>" in solution._repr_html_()
    assert "not judged: plays - the trump is not known" in judged(replace(NAMED, trump=None))._repr_html_()
    bare = Solver().solve(position, cards=False)
    assert "<table>" not in bare._repr_html_()
    with pytest.raises(TypeError, match="how to show int"):
        html_of(3)
