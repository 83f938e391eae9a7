"""Matches in duplicate: fair, repeatable whatever the jobs, logged, and open to engines from outside."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import islice

import pytest
from click.testing import CliRunner

from hokm_solver.cards import CardSet, Seat, Side
from hokm_solver.cli import main
from hokm_solver.deal import Deal, Position, replay
from hokm_solver.engine.arena import (
    Duel,
    Seating,
    Standing,
    Table,
    game_from_json,
    game_to_json,
    play_duel,
    player_at,
)
from hokm_solver.engine.choice import NO_LIMITS, Choice, Limits, TrumpChoice
from hokm_solver.engine.player import make_player
from hokm_solver.engine.valuing import hidden_hands
from hokm_solver.engine.view import PublicRecord, View
from hokm_solver.errors import EngineError, FieldError, JournalError
from hokm_solver.journal import Journal

ENGINE = f"cmd:{shlex.quote(sys.executable)} -m hokm_solver engine --level 2"


class Lowest:
    """Plays the lowest card; keeps the views it was shown."""

    def __init__(self):
        self.views, self.seeds = [], []

    def choose_card(self, view, limits=NO_LIMITS):
        self.views.append(view)
        self.seeds.append(limits.seed)
        return Choice(min(view.legal_cards(), key=lambda card: (card.rank, card.suit)), ())

    def choose_trump(self, five, hakem, score=None, limits=NO_LIMITS):
        self.seeds.append(limits.seed)
        return TrumpChoice(max(five, key=lambda card: card.rank).suit, ())


class Cheat(Lowest):
    """Plays a card that is not its own."""

    def choose_card(self, view, limits=NO_LIMITS):
        return Choice(next(iter(view.unseen)), ())


def seat_players(monkeypatch, a, b):
    monkeypatch.setattr(Duel, "make_players", lambda self: (a, b))


def without_times(answer):
    return {key: value for key, value in answer.items() if key != "ms"}


def result(duel, **options):
    standing = Standing(duel)
    for game in play_duel(duel, **options):
        standing.add(game)
    return standing


def test_both_tables_play_the_same_deal_with_the_sides_changed():
    duel = Duel("greedy", "random", 4, seed=3)
    games = list(play_duel(duel))
    assert [game.seating for game in games] == [Seating(pair, table) for pair in range(4) for table in (0, 1)]
    for first, second in zip(games[::2], games[1::2]):
        assert first.deal == second.deal
        assert (first.hakem_is, second.hakem_is) in ((0, 1), (1, 0))
    assert [game.deal.hakem for game in games[::2]] == list(Seat)
    assert (player_at(Seat.N, 0), player_at(Seat.W, 0), player_at(Seat.N, 1)) == (0, 1, 1)


def test_every_game_keeps_the_rules_and_is_played_to_its_end():
    for game in play_duel(Duel("learned", "random", 10, seed=5)):
        *_, last = replay(Position.start(game.deal, game.trump), game.plays)
        assert last.outcome() == game.outcome
        sign = 1 if game.hakem_is == 0 else -1
        assert game.points == sign * game.outcome.points()


def test_equal_players_are_level_on_every_pair():
    standing = result(Duel("greedy", "greedy", 10, same_worlds=True))
    assert (standing.points, standing.points_se) == (0, 0)


@pytest.mark.parametrize("b", ["random", "engine:worlds=4"])
def test_the_result_does_not_depend_on_the_jobs(b):
    duel = Duel("greedy", b, 6, seed=2)
    answers = [without_times(result(duel, jobs=jobs).to_json()) for jobs in (1, 3)]
    assert answers[0] == answers[1]
    assert answers[0] != without_times(result(Duel("greedy", b, 6, seed=3)).to_json())


def test_the_result_in_numbers(monkeypatch):
    standing = result(Duel("greedy", "random", 40, seed=1))
    answer = standing.to_json()
    assert answer["schema"] == "hokm-solver/arena/1"
    assert (answer["a"], answer["b"], answer["pairs"]) == ("greedy", "random", 40)
    assert answer["points"] > 2.5 * answer["points_se"] > 0
    rates = answer["rates"]
    assert rates["a"]["win"] + rates["b"]["win"] == pytest.approx(1)
    assert set(rates) == {"a", "b", "win", "kot", "hakem_koti"}
    assert rates["kot"] == pytest.approx(rates["a"]["kot"] + rates["b"]["kot"])
    assert rates["hakem_koti"] == pytest.approx(rates["a"]["hakem_koti"] + rates["b"]["hakem_koti"])
    assert all(answer["ms"][name] > 0 for name in "ab")


def test_points_are_the_mean_over_pairs():
    duel = Duel("greedy", "random", 5, seed=9)
    games = list(play_duel(duel))
    standing = Standing(duel)
    for game in games[:-1]:
        standing.add(game)
    assert standing.pairs == 4  # half a pair does not count
    standing.add(games[-1])
    assert standing.points == pytest.approx(sum(game.points for game in games) / len(games))


def test_a_single_pair_has_no_error():
    assert result(Duel("greedy", "random", 1)).to_json()["points_se"] is None


def test_players_are_shown_what_their_seat_sees_and_only_when_there_is_a_choice(monkeypatch):
    a, b = Lowest(), Lowest()
    seat_players(monkeypatch, a, b)
    duel = Duel("a", "b", 1)
    game = Table(duel).play(Seating(0, 1))
    for player, side in ((a, Side.WE), (b, Side.NS)):
        assert player.views
        for view in player.views:
            assert view.seat.side == side
            assert len(view.legal_cards()) > 1
            assert view.hand == game.deal.hands[view.seat]
            assert (view.first_five is not None) == (view.seat == game.deal.hakem)
            assert view.plays == game.plays[: len(view.plays)]
    assert game.clocks[0].decisions == len(a.views)
    assert game.clocks[1].decisions == len(b.views) + 1  # N named trump


def test_seeds_are_shared_only_if_asked_for(monkeypatch):
    seeds = {}
    for same in (False, True):
        a, b = Lowest(), Lowest()
        seat_players(monkeypatch, a, b)
        list(play_duel(Duel("a", "b", 1, same_worlds=same)))
        seeds[same] = (a.seeds, b.seeds)
        assert len(set(a.seeds)) == len(a.seeds)
    assert not set(seeds[False][0]) & set(seeds[False][1])
    assert sorted(seeds[True][0]) == sorted(seeds[True][1])


def test_a_card_that_is_not_legal_ends_the_match(monkeypatch):
    seat_players(monkeypatch, Lowest(), Cheat())
    with pytest.raises(EngineError, match=r"player b as [NWSE] played .*, which is not legal"):
        list(play_duel(Duel("a", "b", 1)))


@pytest.mark.parametrize("name", ["fool", "", "engine:speed=3", "pimc:worlds=0"])
def test_unknown_players(name):
    with pytest.raises(FieldError):
        list(play_duel(Duel("greedy", name, 1)))


def redealt(view, seed):
    """A deal in which the cards that the view cannot see lie elsewhere, as well as they fit what was shown."""
    (world,) = hidden_hands(view).worlds(1, seed).tolist()
    hands = [CardSet(word) for word in world]
    for trick in view.tricks:
        for seat, card in trick.plays:
            hands[seat] |= CardSet(card.bit)
    return Deal((hands[0], hands[1], hands[2], hands[3]), view.hakem)


@pytest.mark.parametrize(
    ("name", "games"), [("random", 8), ("greedy", 8), ("rules", 8), ("learned", 8), ("engine:worlds=6", 2)]
)
def test_cards_that_are_hidden_change_nothing(name, games):
    player, moved = make_player(name), 0
    for game in islice(play_duel(Duel("learned", "greedy", 10, seed=4)), games):
        record = PublicRecord(game.deal.hakem, game.trump)
        for step, card in enumerate(game.plays):
            seat, limits = record.trick.to_play, Limits(seed=step)
            view = View.of_deal(replace(game.deal, first_five=None), seat, game.trump, game.plays[:step])
            other = redealt(view, step)
            moved += other.hands != game.deal.hands
            again = View.of_deal(other, seat, game.trump, game.plays[:step])
            assert player.choose_card(view, limits) == player.choose_card(again, limits)
            record.add(card)
    assert moved > 20 * games


# The log


def test_records_are_read_back():
    duel = Duel("greedy", "random", 1)
    for game in play_duel(duel):
        record = json.loads(json.dumps(game_to_json(duel, game)))
        back = game_from_json(duel, game.seating, record)
        assert (back.deal, back.trump, back.plays, back.outcome) == (game.deal, game.trump, game.plays, game.outcome)
        assert record["format"] == "hokm-record"
        assert record["players"]["N"] == ("greedy", "random")[game.seating.table]
        assert game_from_json(Duel("greedy", "random", 1, seed=2), game.seating, record) is None
        assert game_from_json(Duel("greedy", "rules", 1), game.seating, record) is None
        assert game_from_json(duel, game.seating, {**record, "trump": 5}) is None


def test_an_unfinished_log_is_continued(tmp_path):
    path, duel = tmp_path / "games.jsonl", Duel("greedy", "random", 4)
    with Journal(path) as log:
        whole = result(duel, log=log)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 8
    path.write_bytes(b"".join(lines[:3]) + lines[3][:40])
    with Journal(path) as log:
        continued = result(duel, log=log)
    assert without_times(continued.to_json()) == without_times(whole.to_json())
    assert path.read_bytes().splitlines(keepends=True)[:3] == lines[:3]
    assert len(path.read_bytes().splitlines()) == 8
    with Journal(path) as log:  # finished: nothing is played, times included
        assert result(duel, log=log).to_json() == continued.to_json()


def test_a_longer_match_goes_on_where_the_log_ends_and_another_is_refused(tmp_path):
    path = tmp_path / "games.jsonl"
    with Journal(path) as log:
        result(Duel("greedy", "random", 2), log=log)
    with Journal(path) as log:
        assert result(Duel("greedy", "random", 3), log=log).pairs == 3
    before = path.read_bytes()
    for other in (Duel("greedy", "random", 1), Duel("greedy", "random", 3, seed=2), Duel("rules", "random", 3)):
        with Journal(path) as log, pytest.raises(JournalError):
            result(other, log=log)
    assert path.read_bytes() == before


DAMAGE = {
    "no record": lambda record: {},
    "another outcome": lambda record: record["arena"].update(
        outcome="kot" if record["arena"]["outcome"] != "kot" else "loss"
    ),
    "a card less": lambda record: record["plays"].pop(),
    "plays that are none": lambda record: record.update(plays={"AH": 1}),
    "words for times": lambda record: record["arena"].update(ms=["1", "2"]),
    "endless times": lambda record: record["arena"].update(ms=[float("nan"), float("inf")]),
    "one clock": lambda record: record["arena"].update(ms=[1], decisions=[1]),
    "no settings": lambda record: record.update(arena=[1]),
    "no trump": lambda record: record.update(trump=None),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_log_is_refused(tmp_path, damage):
    path, duel = tmp_path / "games.jsonl", Duel("greedy", "random", 1)
    with Journal(path) as log:
        result(duel, log=log)
    first, second = path.read_text().splitlines()
    record = json.loads(second)
    changed = {} if DAMAGE[damage](record) == {} else record
    path.write_text(f"{first}\n{json.dumps(changed)}\n")
    before = path.read_bytes()
    with Journal(path) as log, pytest.raises(JournalError, match="its line 2 "):
        result(duel, log=log)
    assert path.read_bytes() == before


# Engines from outside, and the command


def test_an_engine_from_outside_plays_as_it_does_inside():
    inside = result(Duel("engine:level=2", "greedy", 2)).to_json()
    outside = result(Duel(ENGINE, "greedy", 2)).to_json()
    assert inside["points"] == outside["points"]
    assert inside["rates"] == outside["rates"]


SAYS = {
    "nothing at all": ("pass", "it has ended"),
    "no JSON": ("print('hello')", "a reply is a JSON object, not"),
    "no object": ("print('[]')", "a reply is an object"),
    "no card": ("print('{\"id\": 1}')", "is missing"),
    "an error": ('print(\'{"id": 1, "error": {"message": "no"}}\')', 'error "no"'),
}


@pytest.mark.parametrize("says", SAYS)
def test_engines_from_outside_that_give_no_answer(says):
    code, message = SAYS[says]
    code = f"input(); {code}"  # one that ends unasked may be gone before the question is written
    name = f"cmd:{shlex.join([sys.executable, '-c', code])}"
    with pytest.raises(EngineError, match=message):
        list(play_duel(Duel(name, "greedy", 1)))


def test_an_engine_that_cannot_be_started():
    with pytest.raises(EngineError, match="cannot start"):
        list(play_duel(Duel("cmd:/no/such/program", "greedy", 1)))
    with pytest.raises(EngineError, match=r'^no command stands behind "cmd:"$'):
        list(play_duel(Duel("cmd:", "greedy", 1)))
    with pytest.raises(EngineError, match=r'^cannot start "\'x": a quotation mark is not closed$'):
        list(play_duel(Duel("cmd:'x", "greedy", 1)))


def test_the_command_prints_json_and_text(tmp_path):
    arguments = ["arena", "greedy", "random", "--pairs", "3", "--log", str(tmp_path / "log")]
    run = CliRunner().invoke(main, [*arguments, "--json"])
    assert run.exit_code == 0
    assert json.loads(run.output)["pairs"] == 3
    text = CliRunner().invoke(main, arguments).output
    assert text.startswith("A = greedy\nB = random\nA gains ")
    assert "points a deal in 3 pairs, seed 1" in text


@pytest.mark.parametrize("name", ["fool", "engine:level=11", "cmd:/no/such/program"])
def test_a_wrong_name_is_a_wrong_command_line(name):
    command = [sys.executable, "-m", "hokm_solver", "arena", "greedy", name]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=30)
    assert run.returncode == 2
    assert run.stderr.startswith("error: ")
    assert run.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize("b", ["pimc:worlds=5000", ENGINE])
def test_an_interrupted_match_ends_soon_and_leaves_a_log_that_can_be_continued(tmp_path, b):
    log = tmp_path / "log"
    command = [sys.executable, "-m", "hokm_solver", "arena", b, "random", "--pairs", "5000", "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 20
        while not log.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
        assert process.stderr.read() == b"interrupted\n"
    assert all(json.loads(line)["format"] == "hokm-record" for line in log.read_bytes().splitlines())
