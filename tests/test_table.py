"""Values at the table: chances, their two errors, and that nothing but the worlds decides them."""

import json
from itertools import permutations

import numpy as np
import pytest

from hokm_solver import defaults
from hokm_solver.cards import Card, Suit
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.errors import DealError, FieldError, LimitError
from hokm_solver.notation import parse_cards
from hokm_solver.table import table_values

FIVE = parse_cards("AH QH 9H KC 4D")
HANDS = [FIVE, parse_cards("KS 8S QD 7D 3C")]


def by_trump(values):
    return {value.trump: value for value in values}


@pytest.mark.parametrize("five", HANDS)
def test_chances_add_up(five):
    values = table_values(five, 500)
    assert {value.trump for value in values} == set(Suit)
    for value in values:
        assert value.points == pytest.approx(2 * value.win - 1 + value.kot - 2 * value.hakem_koti, abs=1e-9)
        assert 0 < value.kot < value.win < 1 - value.hakem_koti < 1
        assert value.worlds == 500


def test_best_first():
    values = table_values(FIVE)
    points = [value.points for value in values]
    assert points == sorted(points, reverse=True)
    assert values[0].trump == Suit.HEARTS
    assert values[0].behind == values[0].behind_se == values[0].behind_model_se == 0
    for value in values:
        assert value.behind == pytest.approx(values[0].points - value.points, abs=1e-9)


def test_equal_suits_come_in_order():
    """In two worlds with as many wins for each suit, all four are worth the same."""
    seed = next(seed for seed in range(200) if (trump_margins(FIVE, 2, seed) // 7 == 0).all())
    assert (trump_margins(FIVE, 2, seed) > 0).all()
    values = table_values(FIVE, 2, seed)
    assert [value.trump for value in values] == list(Suit)
    assert {value.behind for value in values} == {0}


def test_the_seed_decides():
    assert table_values(FIVE, 300, seed=5) == table_values(reversed(FIVE), 300, seed=5)
    assert table_values(FIVE, 300, seed=5) != table_values(FIVE, 300, seed=6)


def test_more_worlds_than_a_block_are_counted_once():
    worlds = 2048 + 700
    margins = trump_margins(FIVE, worlds, defaults.SEED)
    won = np.count_nonzero(margins > 0, axis=0) / worlds
    values = by_trump(table_values(FIVE, worlds))
    order = sorted(Suit, key=lambda trump: won[trump])
    assert [values[trump].win for trump in order] == sorted(value.win for value in values.values())
    assert all(abs(values[trump].win - won[trump]) < 0.1 for trump in Suit)


@pytest.mark.parametrize("names", list(permutations(Suit))[1::7])
def test_names_of_suits_do_not_matter(names):
    mine = by_trump(table_values(FIVE, 2000, seed=1))
    theirs = by_trump(table_values([Card(names[card.suit], card.rank) for card in FIVE], 2000, seed=2))
    for trump in Suit:
        one, other = mine[trump], theirs[names[trump]]
        assert abs(one.points - other.points) < 4 * (one.points_se**2 + other.points_se**2) ** 0.5


def test_only_the_error_of_the_worlds_shrinks_with_them():
    few, many = by_trump(table_values(FIVE, 1000)), by_trump(table_values(FIVE, 16_000))
    for trump in Suit:
        assert many[trump].points_se == pytest.approx(few[trump].points_se / 4, rel=0.15)
        assert many[trump].points_model_se == pytest.approx(few[trump].points_model_se, rel=0.3)
    assert many[Suit.CLUBS].behind_se == pytest.approx(few[Suit.CLUBS].behind_se / 4, rel=0.15)


@pytest.mark.parametrize("five", HANDS)
def test_errors_of_the_worlds_are_right(five):
    truth = by_trump(table_values(five, 200_000, seed=999))
    runs = [by_trump(table_values(five, 400, seed)) for seed in range(150)]
    for trump in Suit:
        off = [(run[trump].points - truth[trump].points) / run[trump].points_se for run in runs]
        assert np.mean(np.abs(off) < 1.96) > 0.89
        assert 0.85 < np.std(off) < 1.15


def test_errors_of_differences_are_paired():
    runs = [by_trump(table_values(FIVE, 400, seed)) for seed in range(150)]
    behind = [run[Suit.SPADES].behind for run in runs if run[Suit.HEARTS].behind == 0]
    assert len(behind) == len(runs)
    expected = np.mean([run[Suit.SPADES].behind_se for run in runs])
    assert np.std(behind) == pytest.approx(expected, rel=0.15)
    apart = np.mean([np.hypot(run[Suit.SPADES].points_se, run[Suit.HEARTS].points_se) for run in runs])
    assert expected < 0.95 * apart


@pytest.mark.parametrize("five", [*HANDS, parse_cards("2S 3H 4D 5C 6S")])
def test_the_usual_number_of_worlds_is_enough(five):
    assert all(value.behind_se <= 0.02 for value in table_values(five))


def test_json():
    value = table_values(FIVE, 100)[1]
    told = value.to_json()
    assert list(told) == [
        "points", "points_se", "points_model_se", "win", "kot", "hakem_koti", "behind", "behind_se", "behind_model_se",
        "worlds",
    ]  # fmt: skip
    assert json.loads(json.dumps(told)) == told
    assert all(round(figure, 6) == figure for figure in told.values())
    assert {type(figure) for figure in told.values()} == {int, float}


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"worlds": 1}, LimitError, "worlds must be 2 to 10000000, not 1"),
        ({"worlds": 2.5}, LimitError, "worlds must be 2 to 10000000, not 2.5"),
        ({"worlds": "many"}, LimitError, "worlds must be 2 to 10000000"),
        ({"worlds": 10, "seed": -1}, FieldError, "seed -1"),
        ({"five": FIVE[:4], "worlds": 10}, DealError, "5 different cards, not 4"),
        ({"five": FIVE[:4] * 2, "worlds": 10}, DealError, "5 different cards"),
    ],
)
def test_wrong_arguments(arguments, kind, message):
    with pytest.raises(kind, match=message):
        table_values(**{"five": FIVE} | arguments)
