"""The Python face of the search: what it refuses, and solutions in one line."""

from random import Random

import pytest

from hokm_solver import (
    FieldError,
    IllegalPlay,
    LimitError,
    Position,
    Seat,
    Solver,
    Suit,
    deal_cards,
    parse_cards,
    replay,
    solve_many,
)
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


@pytest.mark.parametrize("objective", ["margin", "points", "win"])
@pytest.mark.parametrize("table_mb", [1, 64])
def test_positions_of_a_deal_solved_together_are_those_solved_alone(objective, table_mb):
    solver, other, rng = Solver(table_mb), Solver(), Random(4)
    for seed in range(12):
        position = start = Position.start(deal_cards(seed, Seat(seed % 4)), Suit(seed // 3))
        plays = []
        while position.outcome() is None:
            plays.append(rng.choice(list(position.legal_cards())))
            position = position.play(plays[-1])
        together = solver.solve_plays(start, plays, objective)
        assert [solution.position for solution in together] == list(replay(start, plays))[:-1]
        for solution in together:
            alone = other.solve(solution.position, objective)
            assert (solution.points, solution.margin, solution.cards) == (alone.points, alone.margin, alone.cards)


def test_positions_solved_together_may_begin_and_end_anywhere():
    (position,) = position_from_text(**LATE, trump="S")
    solver = Solver()
    assert solver.solve_plays(position, ())[0].cards == solver.solve(position).cards
    with pytest.raises(IllegalPlay, match="trick 12: S cannot play 2C, a revoke"):
        solver.solve_plays(position, parse_cards("KH 2C"))
    for plays, field in ((None, "position"), (position, "objective")):
        with pytest.raises(FieldError) as caught:
            solver.solve_plays(plays, (), "tricks")
        assert caught.value.field == field
