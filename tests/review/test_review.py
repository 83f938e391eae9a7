"""Reviews: values with known answers, what a play costs, the call, luck and skill, what could be known."""

from dataclasses import replace
from random import Random

import pytest
from support import load_jsonl, random_deal

from hokm_solver.advice import advise
from hokm_solver.cards import Seat, Side, Suit
from hokm_solver.deal import Position
from hokm_solver.engine import Duel, play_duel
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.player import Player
from hokm_solver.engine.view import View
from hokm_solver.errors import FieldError, LimitError, SearchInterrupted
from hokm_solver.records import Record, record_from_json
from hokm_solver.review import Balance, Reviewer, ReviewOptions, review
from hokm_solver.review.judgement import AVERAGE_DEAL
from hokm_solver.rules import Outcome, Rules, margin_of, points_of_margin
from hokm_solver.solver import Solver

STORED = [(record_from_json(entry["record"]), entry) for entry in load_jsonl("records")]
WHOLE = STORED[0][0]


def plain(record, **options):
    return review(record, advice_samples=0, **options)


def recorded(game):
    deal = game.deal
    return Record(deal.hands, deal.hakem, game.trump, tuple(deal.first_five), game.plays)


def random_record(rng):
    deal, trump, hakem = random_deal(rng), rng.choice(list(Suit)), rng.choice(list(Seat))
    position, plays = Position.start(deal, trump, hakem), []
    while position.outcome() is None:
        plays.append(rng.choice(list(position.legal_cards())))
        position = position.play(plays[-1])
    return Record(deal.hands, hakem, trump, plays=tuple(plays))


@pytest.mark.parametrize(("record", "entry"), STORED)
def test_values_known_from_elsewhere(record, entry):
    found = plain(record)
    assert [[play.points_before, play.margin_before] for play in found.plays] == entry["values"]
    assert [[play.points_after, play.margin_after] for play in found.plays[:-1]] == entry["values"][1:]
    tricks = entry["final"]
    final = margin_of(tricks[record.hakem.side.name], tricks[record.hakem.side.other.name])
    assert found.plays[-1].margin_after == final
    assert {side.name: found.won[side] for side in Side} == tricks
    assert found.finished


def check_afresh(record, solver):
    """Compare a review with every position solved on its own."""
    found = plain(record)
    positions = record.positions()
    for play, position in zip(found.plays, positions):
        solution = solver.solve(position)
        assert play.margin_before == solution.margin
        assert play.points_before == solution.points
        assert play.margins == {value.card: value.margin for value in solution.cards}
        assert play.margin_after == play.margins[play.card]
        assert play.best == solution.best_cards()
        assert (play.trick, play.seat) == (position.trick_number, position.to_play)
        assert play.forced == (len(position.legal_cards()) == 1)
    return found


def test_values_are_those_of_every_position_solved_afresh():
    solver, rng = Solver(), Random(8)
    games = play_duel(Duel("learned", "random", 50, seed=8))
    records = [*map(recorded, games), *(random_record(rng) for _ in range(100))]
    assert len(records) == 200
    seen = {kind for record in records for play in check_afresh(record, solver).plays for kind in [play.kind]}
    assert seen == {"ok", "slip", "mistake", "blunder"}


def test_what_a_play_costs_and_is_called():
    rng = Random(5)
    for record in [random_record(rng) for _ in range(40)]:
        for play in plain(record).plays:
            sign = 1 if play.seat.side == record.hakem.side else -1
            assert play.cost == sign * (play.points_before - play.points_after) >= 0
            assert play.margin_cost == sign * (play.margin_before - play.margin_after) >= 0
            winner_changes = (play.points_before > 0) != (play.points_after > 0)
            names = {(0, False, False): "ok", (1, False, False): "slip", (1, True, False): "mistake"}
            key = (int(play.margin_cost > 0), play.cost > 0, winner_changes)
            assert play.kind == names.get(key, "blunder")
            assert (play.card in play.best) == (play.kind == "ok")
            assert not play.forced or play.kind == "ok"


def test_totals_and_turning_points():
    found = plain(STORED[2][0])
    assert found.turning_points == (22, 23, 35)
    assert [found.plays[place].card.pretty for place in found.turning_points] == ["J♥", "8♥", "5♥"]
    seats = {seat: found.of_seat(seat) for seat in Seat}
    for side in Side:
        parts = [seats[seat] for seat in Seat if seat.side == side]
        for name in ("plays", "choices", "cost", "margin_cost", "slips", "mistakes", "blunders"):
            assert getattr(found.of_side(side), name) == sum(getattr(part, name) for part in parts)
    south = seats[Seat.S]
    assert (south.plays, south.choices, south.cost, south.margin_cost) == (12, 10, 4, 9)
    assert (south.slips, south.mistakes, south.blunders, south.known_cost) == (1, 2, 2, None)
    kinds = [play.kind for play in found.plays if play.seat == Seat.S]
    assert south.mistakes == kinds.count("mistake") + kinds.count("blunder")


def test_mistakes_that_are_no_blunders_count_as_mistakes():
    rng = Random(2)
    found = (plain(random_record(rng)) for _ in range(100))
    judged = next(each for each in found if any(play.kind == "mistake" for play in each.plays))
    play = next(play for play in judged.plays if play.kind == "mistake")
    totals = judged.of_seat(play.seat)
    kinds = [each.kind for each in judged.plays if each.seat == play.seat]
    assert totals.mistakes == kinds.count("mistake") + kinds.count("blunder") > totals.blunders


def test_the_balance_adds_up():
    assert sum(AVERAGE_DEAL.values()) == pytest.approx(1)
    for record, _ in STORED:
        found = plain(record)
        balance, side = found.balance, record.hakem.side
        assert balance.result == found.plays[-1].points_after
        assert balance.average + balance.luck + balance.skill == pytest.approx(balance.result)
        assert balance.skill == found.of_side(side.other).cost - found.of_side(side).cost
        assert balance.average == pytest.approx(0.43, abs=0.01)
    assert Balance.of(2, -1, Rules(kot=4)).average == pytest.approx(0.43 + 2 * AVERAGE_DEAL[Outcome.KOT], abs=0.01)


def test_a_record_that_stops_early():
    early = replace(WHOLE, plays=WHOLE.plays[:15])
    found, whole = plain(early), plain(WHOLE)
    assert found.plays == whole.plays[:15]
    assert not found.finished
    assert found.won == WHOLE.positions()[15].won
    assert found.balance.result == found.plays[-1].points_after
    before = plain(replace(WHOLE, plays=()))
    assert (before.plays, before.won, before.balance.skill) == ((), (0, 0), 0)
    assert before.balance.result == whole.plays[0].points_before
    assert before.of_seat(Seat.N).to_json()["cost"] == 0


def test_the_call_on_the_real_deal():
    for record, _ in STORED:
        call = plain(record).trump_choice
        solved = Solver().solve_trumps(record.deal)
        assert dict(call.points) == {trump: solution.points for trump, solution in solved.items()}
        assert call.cost == max(call.points.values()) - call.points[record.trump]
        assert call.points[record.trump] == plain(record).plays[0].points_before
        assert (call.advice, call.behind) == (None, None)


def test_the_call_from_the_five_cards():
    found = review(WHOLE, advice_samples=20, seed=3)
    advice = advise(WHOLE.first_five, 20, 3)
    assert found.trump_choice.advice == advice
    called = next(value for value in advice.trumps if value.trump == WHOLE.trump)
    at_the_table = advice.table.value(WHOLE.trump)
    assert found.trump_choice.behind == (at_the_table.behind, at_the_table.behind_se)
    assert found.trump_choice.behind_seen == (called.behind, called.behind_se)
    told = found.trump_choice.to_json()
    assert (told["behind"], told["behind_se"]) == found.trump_choice.behind
    assert review(replace(WHOLE, score=(6, 3)), advice_samples=20, seed=3).trump_choice == found.trump_choice
    assert found.plays == plain(WHOLE).plays


def test_without_a_trump():
    found = review(replace(WHOLE, trump=None), advice_samples=4, known=True)
    assert (found.plays, found.balance, found.won) == ((), None, None)
    assert found.trump_choice.points == plain(WHOLE).trump_choice.points
    assert (found.trump_choice.cost, found.trump_choice.behind) == (None, None)
    assert found.trump_choice.advice is not None
    assert set(found.unjudged) == {"trump_choice.cost", "plays"}


def test_without_the_first_five():
    record = replace(WHOLE, first_five=None)
    assert set(review(record, advice_samples=4).unjudged) == {"trump_choice.advice"}
    assert plain(record).unjudged == {}
    assert review(record, advice_samples=4).trump_choice.advice is None


def test_other_rules_are_other_points():
    rules = Rules(win=2, kot=5, hakem_koti=7)
    kotted = replace(WHOLE, rules=rules)
    found, usual = review(kotted, advice_samples=4, known=True), plain(WHOLE)
    for play, other in zip(found.plays, usual.plays):
        assert play.margin_before == other.margin_before
        assert play.points_before == points_of_margin(other.margin_before, rules)
    assert found.trump_choice.points == {t: points_of_margin(m, rules) for t, m in usual.trump_choice.margins.items()}
    assert set(found.unjudged) == {"trump_choice.advice", "plays.known"}
    assert all(play.known is None for play in found.plays)
    longer = review(replace(WHOLE, rules=Rules(match_length=9)), advice_samples=4, known=True)
    assert longer.unjudged == {}


def test_a_kot_that_counts_like_a_win_makes_slips_of_mistakes():
    rng = Random(2)
    records = [random_record(rng) for _ in range(100)]
    found = (plain(record) for record in records)
    judged = next(each for each in found if any(play.kind == "mistake" for play in each.plays))
    flat = plain(replace(judged.record, rules=Rules(kot=1, hakem_koti=1)))
    pairs = {(play.kind, other.kind) for play, other in zip(judged.plays, flat.plays)}
    assert ("mistake", "slip") in pairs
    assert all(other.kind != "mistake" for other in flat.plays)


def test_what_could_be_known():
    found = plain(WHOLE, known=True)
    for play in found.plays:
        assert (play.known is None) == play.forced
        if play.known is None:
            continue
        known, sign = play.known, 1 if play.seat.side == WHOLE.hakem.side else -1
        assert known.cost == pytest.approx(sign * (known.best_points - known.points))
        assert known.cost >= 0
        assert known.cost_se >= 0
        assert known.worlds >= 1
        assert set(known.best) <= set(play.margins)
        assert play.card not in known.best or known.cost == known.cost_se == 0
    north = found.of_seat(Seat.N).known_cost
    assert north == pytest.approx(sum(p.known.cost for p in found.plays if p.seat == Seat.N and p.known))
    assert plain(WHOLE, known=True) == found
    assert [play.known for play in plain(WHOLE, known=True, seed=2).plays] != [play.known for play in found.plays]


def test_what_could_be_known_is_what_the_engine_says():
    """In the last tricks all worlds are valued, so the engine's own candidates are the same to the last digit."""
    found = plain(WHOLE, known=True)
    compared = 0
    for place, play in enumerate(found.plays):
        if play.known is None or play.known.worlds >= 1000:
            continue
        view = View.of_deal(WHOLE.deal, play.seat, WHOLE.trump, WHOLE.plays[:place])
        choice = Player().choose_card(view, Limits(worlds=1_000_000))
        points = {candidate.card: candidate.points for candidate in choice.candidates}
        if choice.worlds == play.known.worlds:
            assert play.known.points == pytest.approx(points[play.card])
            compared += 1
    assert compared >= 5


def test_hidden_cards_change_nothing_that_could_be_known():
    """The hands of the others changed among each other: what hakem could know before the first card stays."""
    n, w, s, e = WHOLE.hands
    changed = replace(WHOLE, hands=(n, e, w, s), plays=WHOLE.plays[:1])
    first = plain(replace(WHOLE, plays=WHOLE.plays[:1]), known=True).plays[0]
    other = plain(changed, known=True).plays[0]
    assert first.known == other.known
    assert first.margins != other.margins


@pytest.mark.parametrize("samples", [-1, 1, 10**7 + 1, 1.5, True, "4", None])
def test_samples_out_of_range(samples):
    with pytest.raises(LimitError, match="advice_samples must be 0 or 2 to 10000000"):
        review(WHOLE, advice_samples=samples)


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, True, "1"])
def test_seeds_out_of_range(seed):
    with pytest.raises(FieldError, match=r"is not between 0 and 2\^64 - 1"):
        review(WHOLE, seed=seed)


def test_something_else_than_a_record():
    with pytest.raises(FieldError, match="record must be a Record, not an object"):
        review({"format": "hokm-record"})


def test_an_interrupted_reviewer_reviews_no_more():
    reviewer = Reviewer(ReviewOptions(advice_samples=0))
    assert reviewer.review(WHOLE).plays
    reviewer.interrupt()
    with pytest.raises(SearchInterrupted):
        reviewer.review(WHOLE)
