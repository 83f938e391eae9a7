"""The Python face of the search: what it refuses, and solutions in one line."""

import pytest

from hokm_solver import FieldError, LimitError, Position, Seat, Solver, Suit, deal_cards, solve_many
from hokm_solver.notation import position_from_text
from hokm_solver.solver import Limit

DEAL = deal_cards(7, Seat.N)
START = Position.start(DEAL, Suit.HEARTS)
LATE = {"deal": "N:A... ..K. .A..2 .KT..", "hakem": "N", "leader": "E", "trick": "9H 2H", "won": "NS:6,WE:5"}


@pytest.mark.parametrize(
    ("ask", "kind", "field"),
    [
        (lambda solver: solver.solve(DEAL), FieldError, "position"),
        (lambda solver: solver.solve("N:A... ..K. .A..2 .KT.."), FieldError, "position"),
        (lambda solver: solver.solve(START, "tricks"), FieldError, "objective"),
        (lambda solver: solver.solve(START, ["win"]), FieldError, "objective"),
        (lambda solver: solver.solve(START, limit=10), FieldError, "limit"),
        (lambda solver: solver.solve_trumps("N:"), FieldError, "deal"),
        (lambda solver: solver.solve_trumps(DEAL, "N"), FieldError, "hakem"),
        (lambda solver: list(solve_many([DEAL])), FieldError, "position"),
        (lambda solver: Limit(nodes="10"), LimitError, "nodes"),
        (lambda solver: Limit(seconds="10"), LimitError, "seconds"),
        (lambda solver: Solver("64"), LimitError, "table_mb"),
    ],
)
def test_a_wrong_argument_is_named(ask, kind, field):
    with pytest.raises(kind) as caught:
        ask(Solver())
    assert caught.value.field == field


def test_a_solution_in_one_line():
    (position,) = position_from_text(**LATE, trump="S")
    solver = Solver()
    assert str(solver.solve(position)) == "points +1, margin +2; best KH TH"
    assert str(solver.solve(position, "points", cards=False)) == "points +1"
    assert str(solver.solve(START, "win", limit=Limit(nodes=1))) == "points -1 to +1"
