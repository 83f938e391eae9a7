"""The compiled search, both builds of it, against the reference solver and against itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from agreement import (
    as_line,
    builds,
    disagreements,
    drawn_position,
    extremes,
    is_open,
    larger_position,
    small_position,
    sweep_position,
    worth,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from support import load_jsonl, random_deal, random_position

from hokm_solver import reference
from hokm_solver.cards import PACK, CardSet, Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.notation import position_from_json
from hokm_solver.rules import TRICKS, TRICKS_TO_WIN, margin_of
from hokm_solver.solver import OBJECTIVES, Limit, Solver

CHUNK = 100
BUILDS = builds()


def test_two_builds_are_compared():
    assert BUILDS["portable"].portable
    if BUILDS["default"].portable:
        pytest.skip("no fast BMI2 here: the default is the portable build, and only that was compared")


def check(draw, seed, count=CHUNK):
    """Compare both builds with the reference on a chunk of positions; the reference is asked once."""
    rng = Random(seed)
    chunk = [draw(rng) for _ in range(count)]
    wrong = [
        f"{name}, {text}"
        for name, solver in BUILDS.items()
        for position, known in chunk
        for text in disagreements(solver, position, known)
    ]
    assert not wrong, f"{len(wrong)} disagreements:\n" + "\n".join(wrong[:10])
    return chunk


@pytest.mark.parametrize("chunk", range(54))
def test_small_positions(chunk):
    known = check(small_position, f"small {chunk}")
    assert {len(position.trick) for position, _ in known} == {0, 1, 2, 3}
    assert {position.cards_left for position, _ in known} >= {2, 3, 4, 5, 6}
    assert sum(is_open(solution) for _, solution in known) >= CHUNK // 3


@pytest.mark.parametrize("chunk", range(20))
def test_positions_that_play_would_hardly_reach(chunk):
    known = check(drawn_position, f"drawn {chunk}", 4 * CHUNK)
    assert {position.cards_left for position, _ in known} >= {2, 3, 4, 5, 6}


@pytest.mark.parametrize("chunk", range(11))
def test_positions_in_which_a_sweep_is_possible(chunk):
    known = check(sweep_position, f"sweep {chunk}", CHUNK // 2)
    assert all(0 in position.won for position, _ in known)
    assert {position.cards_left for position, _ in known} == {7, 8}
    assert {abs(solution.value.margin) == TRICKS_TO_WIN for _, solution in known} == {True, False}


@pytest.mark.parametrize("chunk", range(2))
def test_positions_of_seven_and_eight_cards(chunk):
    check(larger_position, f"larger {chunk}", CHUNK // 4)


@pytest.mark.parametrize("entry", load_jsonl("traps"))
def test_traps(entry):
    (position,) = position_from_json(entry)
    known = reference.solve(position)
    for solver in BUILDS.values():
        assert not list(disagreements(solver, position, known))


@st.composite
def positions(draw, most=5):
    """Any position of few cards, reachable by sensible play or not."""
    left = draw(st.integers(1, most))
    cards = draw(st.lists(st.sampled_from(PACK), min_size=4 * left, max_size=4 * left, unique=True))
    hands = tuple(CardSet.of(cards[seat * left : (seat + 1) * left]) for seat in range(4))
    played = TRICKS - left
    mine = draw(st.integers(max(0, played - TRICKS_TO_WIN + 1), min(played, TRICKS_TO_WIN - 1)))
    leader = draw(st.sampled_from([seat for seat in Seat if (mine, played - mine)[seat.side]]))
    position = Position(
        hands, draw(st.sampled_from(Suit)), draw(st.sampled_from(Seat)), leader, (), (mine, played - mine)
    )
    for _ in range(draw(st.integers(0, 3))):
        position = position.play(draw(st.sampled_from(list(position.legal_cards()))))
    return position


@given(positions())
@settings(max_examples=300, deadline=None)
def test_any_small_position(position):
    known = reference.solve(position)
    for solver in BUILDS.values():
        assert not list(disagreements(solver, position, known))


def untimed(solution):
    return replace(solution, seconds=0.0)


def middle_positions(seed, count, sizes=(7, 8, 9, 10, 11)):
    """Positions too large for the reference, all kinds of them."""
    rng = Random(seed)
    for _ in range(count):
        cards = rng.choice(sizes)
        yield random_position(rng, cards, freak=rng.random() < 0.25, sweep=rng.random() < 0.4)


def deals(seed, count):
    rng = Random(seed)
    return [Position.start(random_deal(rng), rng.choice(list(Suit)), rng.choice(list(Seat))) for _ in range(count)]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_builds_agree_to_the_node(objective):
    for position in [*middle_positions(1, 60), *deals(1, 4)]:
        one, other = (solver.solve(position, objective, line=True) for solver in BUILDS.values())
        assert untimed(one) == untimed(other), as_line(position)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_nothing_depends_on_what_was_solved_before(objective):
    solver = Solver()
    for position in [*middle_positions(2, 60), *deals(2, 4)]:
        fresh = Solver().solve(position, objective, line=True)
        assert untimed(solver.solve(position, objective, line=True)) == untimed(fresh), as_line(position)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_table_that_overflows_changes_no_value(objective):
    small, large = Solver(table_mb=1), Solver(table_mb=64)
    for position in [*middle_positions(3, 20, (10, 11)), *deals(3, 6)]:
        one, other = small.solve(position, objective), large.solve(position, objective)
        assert replace(one, nodes=0, seconds=0.0) == replace(other, nodes=0, seconds=0.0), as_line(position)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_best_card_is_worth_the_position(objective):
    for position in middle_positions(4, 100):
        with_cards = BUILDS["default"].solve(position, objective)
        alone = BUILDS["default"].solve(position, objective, cards=False)
        best = max if position.to_play.side == position.hakem.side else min
        values = [value.points if objective != "margin" else value.margin for value in with_cards.cards]
        assert best(values) == (alone.points if objective != "margin" else alone.margin), as_line(position)
        assert alone.cards == ()


def test_objectives_agree():
    for position in [*middle_positions(10, 100), *deals(10, 10)]:
        margin, points, win = (
            BUILDS["default"].solve(position, objective) for objective in ("margin", "points", "win")
        )
        for card, in_points, in_wins in zip(margin.cards, points.cards, win.cards, strict=True):
            assert card.card == in_points.card == in_wins.card
            assert in_points.points == card.points == worth("points", card.margin), as_line(position)
            assert in_wins.points == worth("win", card.margin), as_line(position)


def test_every_card_is_worth_the_position_after_it():
    """A fresh search of what a card leads to has nothing in its table that other cards left there."""
    for position in [*middle_positions(11, 40), *deals(11, 4)]:
        for value in BUILDS["default"].solve(position).cards:
            reached = position.play(value.card)
            if reached.outcome() is None:
                assert BUILDS["portable"].solve(reached, cards=False).margin == value.margin, as_line(reached)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_line_keeps_the_value_to_the_end(objective):
    for position in [*middle_positions(5, 60), *deals(5, 3)]:
        solution = BUILDS["default"].solve(position, objective, cards=False, line=True)
        reached = position
        for card in solution.line:
            assert reached.outcome() is None
            reached = reached.play(card)
        assert reached.outcome() is not None
        found = worth(objective, margin_of(reached.hakem_tricks, reached.other_tricks))
        assert found == (solution.margin if objective == "margin" else solution.points), as_line(position)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_limit_leaves_bounds_that_hold(objective):
    stopped = Counter()
    for position in middle_positions(6, 40):
        truth = BUILDS["default"].solve(position, "margin")
        full = BUILDS["default"].solve(position, objective, line=True)
        for nodes in {1, 2, full.nodes // 10 + 1, full.nodes // 2 + 1, full.nodes, full.nodes + 1}:
            limited = BUILDS["default"].solve(position, objective, line=True, limit=Limit(nodes=nodes))
            check_limited(limited, truth, full, nodes)
            stopped[limited.exact] += 1
    assert min(stopped[True], stopped[False]) > 20


def check_limited(limited, truth, full, nodes):
    """Whatever a search with a limit says must be true, and it must say everything when the limit was enough."""
    line = as_line(limited.position)
    assert limited.nodes <= nodes, line
    known = {value.card: value.margin for value in truth.cards}
    assert [value.card for value in limited.cards] == list(known)
    for bounds, margin in [(limited.bounds, truth.margin), *((v.bounds, known[v.card]) for v in limited.cards)]:
        assert worth(limited.objective, bounds.lowest) <= worth(limited.objective, margin), line
        assert worth(limited.objective, margin) <= worth(limited.objective, bounds.highest), line
    open_values = [value for value in limited.cards if not value.bounds.settled(limited.objective)]
    assert limited.exact == (limited.bounds.settled(limited.objective) and not open_values), line
    if nodes > full.nodes:
        assert untimed(limited) == untimed(full), line


def test_bounds_start_from_the_tricks_to_come():
    for position in deals(7, 3):
        stopped = Solver().solve(position, limit=Limit(nodes=1))
        assert (stopped.bounds.lowest, stopped.bounds.highest) == extremes(position) == (-7, 7)
        assert (stopped.points, stopped.margin, stopped.line, stopped.exact) == (None, None, None, False)


def test_a_time_limit_leaves_bounds_that_hold():
    for entry in load_jsonl("positions_full"):
        (position,) = position_from_json(entry)
        limited = Solver().solve(position, limit=Limit(seconds=0.01))
        assert limited.bounds.lowest <= entry["margin"] <= limited.bounds.highest


def moved(position, seats=0, suits=tuple(Suit)):
    """Return the position with everybody moved on by ``seats`` and suit s renamed to ``suits[s]``."""

    def rename(cards):
        return CardSet.of(replace(card, suit=suits[card.suit]) for card in cards)

    hands = [rename(position.hands[(seat - seats) % 4]) for seat in range(4)]
    trick = tuple(replace(card, suit=suits[card.suit]) for card in position.trick)
    won = position.won if seats % 2 == 0 else position.won[::-1]
    hakem, leader = position.hakem.after(seats), position.leader.after(seats)
    return Position(tuple(hands), suits[position.trump], hakem, leader, trick, won)


def values_by_card(solution, suits=tuple(Suit)):
    return {replace(value.card, suit=suits[value.card.suit]): (value.points, value.margin) for value in solution.cards}


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_names_of_suits_and_seats_do_not_matter(objective):
    rng = Random(8)
    for position in middle_positions(8, 40):
        seats, suits = rng.randrange(4), tuple(rng.sample(list(Suit), 4))
        here = BUILDS["default"].solve(position, objective)
        there = BUILDS["default"].solve(moved(position, seats, suits), objective)
        assert (here.points, here.margin) == (there.points, there.margin), as_line(position)
        assert values_by_card(here, suits) == values_by_card(there), as_line(position)


def test_hakem_on_the_other_side_turns_the_value_round():
    for position in middle_positions(9, 60):
        here = BUILDS["default"].solve(position)
        there = BUILDS["default"].solve(replace(position, hakem=position.hakem.next))
        assert here.margin == -there.margin, as_line(position)
        assert {value.card: value.margin for value in here.cards} == {v.card: -v.margin for v in there.cards}
