"""Every stored answer through the real command, by both builds."""

import json
import os
import subprocess
import sys
from math import sqrt
from pathlib import Path

import pytest
from support import DATA, load_jsonl

import hokm_solver
from hokm_solver import advise
from hokm_solver.notation import parse_card, position_from_json

POSITIONS = ["positions_play", "positions_kot", "positions_freak", "positions_early", "positions_full"]
BUILDS = {"portable": "1", "default": "0"}
ERRORS = 4  # standard errors that two means may be apart


@pytest.fixture(params=list(BUILDS))
def solve(request):
    """Runs ``hokm-solver solve --batch FILE --json`` as a process and returns an answer for every line."""
    package = Path(hokm_solver.__file__).parent.parent
    environment = os.environ | {"PYTHONPATH": str(package), "HOKM_SOLVER_PORTABLE": BUILDS[request.param]}

    def run(name, *options):
        command = [sys.executable, "-m", "hokm_solver", "solve", "--batch", DATA / f"{name}.jsonl", "--json", *options]
        done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(solve, name):
    for entry, answer in zip(load_jsonl(name), solve(name), strict=True):
        assert (answer["points"], answer["margin"]) == (entry["points"], entry["margin"]), entry
        cards = {card["card"]: [card["points"], card["margin"]] for card in answer["cards"]}
        assert cards == {str(parse_card(card)): value for card, value in entry["cards"].items()}, entry
        assert list(cards) == [str(card) for card in position_from_json(entry)[0].legal_cards()]
        assert answer["to_play"] == entry["to_play"]
        assert answer["exact"]


@pytest.mark.parametrize("name", POSITIONS)
def test_points_alone(solve, name):
    for entry, answer in zip(load_jsonl(name), solve(name, "--objective", "points"), strict=True):
        assert answer["points"] == entry["points"], entry
        cards = {card["card"]: card["points"] for card in answer["cards"]}
        assert cards == {str(parse_card(card)): points for card, (points, _) in entry["cards"].items()}, entry


def test_points_of_deals_under_every_trump(solve):
    answers = solve("deals_points", "--objective", "points", "--no-cards")
    for entry, answer in zip(load_jsonl("deals_points"), answers, strict=True):
        assert {trump: part["points"] for trump, part in answer["trumps"].items()} == entry["points"], entry


def test_winners_of_deals(solve):
    answers = solve("deals_win", "--objective", "win", "--no-cards")
    for entry, answer in zip(load_jsonl("deals_win"), answers, strict=True):
        assert answer["points"] == (1 if entry["win"] else -1), entry


def joint_error(share, samples, other, others):
    """The standard error of the difference of two shares, from both together: neither is known to be the true one."""
    pooled = (share * samples + other * others) / (samples + others)
    return sqrt(pooled * (1 - pooled) * (1 / samples + 1 / others))


@pytest.mark.parametrize("entry", load_jsonl("trump_hands"), ids=lambda entry: "".join(entry["cards"]))
def test_advice(entry):
    advice = advise(entry["cards"], samples=1000)
    assert {value.trump.letter for value in advice.trumps} == set(entry["trumps"])
    for value in advice.trumps:
        stored = entry["trumps"][value.trump.letter]
        apart = abs(value.points - stored["points"])
        assert apart <= ERRORS * sqrt(value.points_se**2 + stored["se"] ** 2), value
        for share, other in [(value.win, "win"), (value.kot, "kot"), (value.hakem_koti, "koti")]:
            error = joint_error(share, advice.samples, stored[other], entry["samples"])
            assert abs(share - stored[other]) <= ERRORS * error, (value, other)
