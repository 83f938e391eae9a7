"""Deals of freak shapes: every objective with every card, in a table that keeps its ceiling."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from agreement import as_line, builds, disagreements
from freaks import SHAPES, deal_of_shape, freak_positions

import hokm_solver
from hokm_solver import reference
from hokm_solver.cards import Seat, Suit
from hokm_solver.rules import points_of_margin
from hokm_solver.solver import Solver

SEEDS = [1, 2]  # of the deals of each shape, under all four trumps

GROWTH = """
from freaks import SHAPES, freak_positions
from hokm_solver.solver import OBJECTIVES, Solver

def megabytes():
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * resource.getpagesize() / 2**20

hard = list(freak_positions("7-6-0-0 in a ring", [5]))[1]  # millions of nodes
positions = [hard, *(position for name in SHAPES for position in freak_positions(name, [1]))]
before, grown = megabytes(), 0.0
solver = Solver(table_mb=TABLE_MB)
for position in positions:
    for objective in OBJECTIVES:
        assert solver.solve(position, objective).exact
        grown = max(grown, megabytes() - before)
print(grown)
"""


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    for seat, lengths in enumerate(SHAPES[name]):
        hand = deal_of_shape(SHAPES[name], seed=1).hands[seat]
        assert tuple(len(hand.suit(suit)) for suit in Suit) == lengths


@pytest.mark.parametrize("name", SHAPES)
def test_objectives_and_builds_agree(name):
    """Nothing else can solve whole deals of this kind, but every objective asks the search other questions."""
    solver, portable = Solver(), Solver(portable=True)
    for position in freak_positions(name, SEEDS):
        solutions = [solver.solve(position, objective) for objective in ("margin", "points", "win")]
        assert all(solution.exact for solution in solutions)
        margin, points, win = ({value.card: value for value in solution.cards} for solution in solutions)
        assert list(margin) == list(position.legal_cards())
        for card, value in margin.items():
            assert points[card].points == value.points == points_of_margin(value.margin), as_line(position)
            assert win[card].points == (1 if value.margin > 0 else -1), as_line(position)
        assert portable.solve(position, cards=False).margin == max(value.margin for value in margin.values())


def test_whole_suits():
    """Whoever has the trumps ruffs every trick."""
    for position in freak_positions("13-0-0-0", range(4)):
        holder = next(seat for seat in Seat if position.hands[seat].suit(position.trump))
        margin = 7 if holder.side == position.hakem.side else -7
        assert {value.margin for value in Solver().solve(position).cards} == {margin}


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "13-0-0-0"])
def test_late_positions_against_the_reference(name):
    rng, solvers = Random(name), builds()
    for start in freak_positions(name, range(5)):
        position = played_down(rng, start, rng.choice((5, 6, 7)))
        known = reference.solve(position)
        for solver in solvers.values():
            assert not list(disagreements(solver, position, known))


def played_down(rng, start, left):
    """The last position of random play with at least this many cards left and the deal still open."""
    position, reached = start, start
    while reached.outcome() is None and reached.cards_left >= left:
        position, reached = reached, reached.play(rng.choice(list(reached.legal_cards())))
    return position


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the memory of a process from /proc")
@pytest.mark.parametrize(("table_mb", "most"), [(8, 24), (64, 80)])
def test_memory_has_a_ceiling(table_mb, most):
    paths = [str(Path(__file__).parent), str(Path(hokm_solver.__file__).parent.parent)]
    program = f"import resource, sys\nsys.path[:0] = {paths!r}\nTABLE_MB = {table_mb}\n{GROWTH}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 4 < float(done.stdout) <= most  # so something was measured
