"""The reference solver against answers computed elsewhere."""

from random import Random

import pytest
from agreement import is_open
from hypothesis import given, settings
from hypothesis import strategies as st
from support import load_jsonl, random_position

from hokm_solver.errors import PositionError
from hokm_solver.notation import parse_card, position_from_json
from hokm_solver.reference import ReferenceValue, solve
from hokm_solver.rules import margin_of, outcome_of_margin, points_of_margin

SMALL = {"positions_play": 7, "positions_kot": 8, "positions_freak": 8}  # the most cards a hand


def small_positions():
    for name, most in SMALL.items():
        known = [(entry, *position_from_json(entry)) for entry in load_jsonl(name)]
        yield from ((entry, position) for entry, position in known if position.cards_left <= most)


@pytest.mark.parametrize(("entry", "position"), list(small_positions()))
def test_known_answers(entry, position):
    solution = solve(position, "margin")
    expected = {parse_card(card): ReferenceValue(*value) for card, value in entry["cards"].items()}
    assert solution.value == ReferenceValue(entry["points"], entry["margin"])
    assert solution.cards == expected
    assert list(solution.cards) == list(position.legal_cards())


@pytest.mark.parametrize("entry", [entry for entry, position in small_positions() if position.cards_left <= 5])
def test_objectives_agree(entry):
    (position,) = position_from_json(entry)
    points, win = solve(position, "points"), solve(position, "win")
    for card, value in solve(position, "margin").cards.items():
        assert points.cards[card] == ReferenceValue(value.points)
        assert win.cards[card] == ReferenceValue(1 if outcome_of_margin(value.margin).hakem_wins else -1)


def test_a_decided_deal_is_refused():
    hands = {"N": "A...", "W": "K...", "S": "Q...", "E": "J..."}
    entry = {"hands": hands, "trump": "S", "hakem": "N", "leader": "N", "won": {"NS": 6, "WE": 6}}
    (position,) = position_from_json(entry)
    assert solve(position).value == ReferenceValue(1, 1)
    while position.outcome() is None:
        position = position.play(next(iter(position.legal_cards())))
    with pytest.raises(PositionError, match="decided"):
        solve(position)


def plain_minimax(position, worth):
    """Value a position with nothing but the rules: no bounds, nothing remembered, every card tried."""
    if position.outcome() is not None:
        return worth(margin_of(position.hakem_tricks, position.other_tricks))
    values = [plain_minimax(position.play(card), worth) for card in position.legal_cards()]
    return (max if position.to_play.side == position.hakem.side else min)(values)


WORTH = {"margin": lambda margin: margin, "points": points_of_margin, "win": lambda margin: 1 if margin > 0 else -1}


def check_against_plain_minimax(position, objective):
    solution = solve(position, objective)
    plain = {card: plain_minimax(position.play(card), WORTH[objective]) for card in position.legal_cards()}
    shown = {card: value.points if value.margin is None else value.margin for card, value in solution.cards.items()}
    assert shown == plain
    value = solution.value.points if objective != "margin" else solution.value.margin
    assert value == plain_minimax(position, WORTH[objective])


@given(st.integers(0, 2**32).map(Random), st.integers(1, 3), st.booleans(), st.sampled_from(list(WORTH)))
@settings(max_examples=150, deadline=None)
def test_the_same_as_plain_minimax(rng, left, freak, objective):
    check_against_plain_minimax(random_position(rng, left, freak=freak), objective)


@pytest.mark.parametrize("seed", range(8))
def test_the_same_as_plain_minimax_with_four_cards(seed):
    rng = Random(seed)
    position = random_position(rng, 4)
    while not is_open(solve(position)):
        position = random_position(rng, 4)
    check_against_plain_minimax(position, "margin")
