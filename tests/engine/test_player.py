"""The engine's decisions: legal, repeatable, from the view alone, within their limits, and sensible at every level."""

from __future__ import annotations

from math import hypot
from random import Random
from time import perf_counter

import numpy as np
import pytest
from test_playout import played_on, random_start

from hokm_solver._playout import KINDS
from hokm_solver.cards import CardSet, Seat, Suit
from hokm_solver.deal import Deal
from hokm_solver.dealing import deal_cards
from hokm_solver.engine import valuing
from hokm_solver.engine.choice import LEVELS, Limits
from hokm_solver.engine.player import Player, make_player
from hokm_solver.engine.policies import make_policy, record_of
from hokm_solver.engine.sense import partner_is_sure, sensible_cards
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.engine.valuing import Budget, CardRace, hidden_hands
from hokm_solver.engine.view import View
from hokm_solver.engine.worth import POINTS, worth_at
from hokm_solver.errors import DealError, FieldError, LimitError
from hokm_solver.notation import parse_cards, parse_hand
from hokm_solver.rules import points_of_margin

QUICK = ["random", "greedy", "rules", "learned", "engine:worlds=8", "pimc:worlds=2", "search:worlds=8"]


def views(seed, deals=1, keep=1.0):
    """Views of the player to move at the cards of random legal play."""
    rng = Random(seed)
    for _ in range(deals):
        start = random_start(rng)
        for position, plays in played_on(rng, start):
            if rng.random() < keep:
                seat = position.to_play
                yield View(seat, start.hakem, start.trump, start.hands[seat], plays)


def view(hand, plays, seat="N", hakem="N", trump="S"):
    return View(Seat[seat], Seat[hakem], Suit("SHDC".index(trump)), parse_hand(hand), parse_cards(plays))


@pytest.mark.parametrize("name", QUICK)
def test_every_player_plays_legal_cards_and_lists_them(name):
    player = make_player(name)
    for seen in views(1, deals=3, keep=0.5):
        choice = player.choose_card(seen)
        assert choice.card in seen.legal_cards()
        listed = [candidate.card for candidate in choice.candidates]
        assert set(listed) <= set(seen.legal_cards())


@pytest.mark.parametrize("name", QUICK)
def test_every_player_calls_a_trump(name):
    deal = deal_cards(5)
    assert make_player(name).choose_trump(deal.first_five).trump in Suit


def test_trump_needs_five_cards():
    for name in QUICK:
        with pytest.raises(DealError, match="5 different cards"):
            make_player(name).choose_trump(FIVE[:4])


def test_the_engine_lists_every_legal_card_in_hand_order_with_values_of_hakems_side():
    for seen in views(2, deals=2):
        choice = Player().choose_card(seen, Limits(worlds=20))
        assert [candidate.card for candidate in choice.candidates] == list(seen.legal_cards())
        assert all(-3 <= candidate.points <= 2 for candidate in choice.candidates)
        assert choice.worlds == 20


def test_without_an_opinion_of_the_policy_the_best_mean_is_played(monkeypatch):
    monkeypatch.setattr(valuing, "OPINION", 0)
    for seen in views(2, deals=2):
        choice = Player().choose_card(seen, Limits(worlds=20))
        sign = 1 if seen.seat.side == seen.hakem.side else -1
        allowed = sensible_cards(seen)
        points = {candidate.card: sign * candidate.points for candidate in choice.candidates}
        assert points[choice.card] == max(points[card] for card in allowed)


def test_with_one_world_the_policys_opinion_decides():
    for seen in views(12):
        mine = make_player("learned").choose_card(seen).card
        choice = Player().choose_card(seen, Limits(worlds=1))
        run = next(run for run in CardRace(seen, make_policy("learned"), 1).runs() if mine in run)
        likes = make_policy("learned").scores(record_of(seen), seen.held.bits)
        clear = len(likes) == 1 or sorted(likes)[-1] - sorted(likes)[-2] > 256
        assert choice.card in run or not clear or sensible_cards(seen) != seen.legal_cards()


def test_equal_cards_have_equal_values_and_any_of_them_may_be_played():
    seen = view("KQJT98765432.2..", "", trump="S")
    race = CardRace(seen, make_policy("random"), 1)
    assert [str(run) for run in race.runs()] == ["KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "2H"]
    played = set()
    for seed in range(40):
        choice = Player(seed=seed).choose_card(seen, Limits(worlds=30))
        played.add(choice.card)
        assert len({candidate.points for candidate in choice.candidates if candidate.card.suit == Suit.SPADES}) == 1
    assert len(played) > 3


@pytest.mark.parametrize("name", ["engine:worlds=60", "engine:level=2", "learned", "random", "pimc:worlds=2"])
def test_decisions_repeat(name):
    for seen in views(3, keep=0.3):
        first, again = (make_player(name).choose_card(seen, Limits(seed=4)) for _ in range(2))
        assert first == again


def test_seeds_draw_other_worlds():
    seen = next(views(4))
    points = {Player(seed=seed).choose_card(seen, Limits(worlds=30)).candidates for seed in range(5)}
    assert len(points) == 5


@pytest.mark.parametrize("name", QUICK)
def test_dealing_the_hidden_cards_anew_changes_no_decision(name):
    rng, player = Random(5), make_player(name)
    decisions = 10_000 if name in KINDS else 500 if name.startswith("engine") else 120
    while decisions > 0:
        start = random_start(rng)
        for position, plays in played_on(rng, start):
            seat = position.to_play
            seen = View(seat, start.hakem, start.trump, start.hands[seat], plays)
            other = redealt(rng, seen, plays)
            assert player.choose_card(View.of_deal(other, seat, start.trump, plays)) == player.choose_card(seen)
            decisions -= 1


def redealt(rng, seen, plays):
    """A whole deal that looks the same from this seat."""
    world = hidden_hands(seen).worlds(1, rng.getrandbits(63))[0].tolist()
    hands = [CardSet(bits) for bits in world]
    for trick in seen.tricks:
        for seat, card in trick.plays:
            hands[seat] |= CardSet(card.bit)
    return Deal(tuple(hands), seen.hakem)


def test_cards_valued_to_the_end_are_compared_in_the_same_worlds():
    for number, view in enumerate(views(9, deals=2, keep=0.2)):
        race = CardRace(view, make_policy("learned"), seed=number)
        race.run(Budget(300), drop=False)
        assert set(race.counts.tolist()) == {race.worlds}
        sign = 1 if view.seat.side == view.hakem.side else -1
        for k in range(len(race.cards)):
            points = [sign * race.points(card)[0] for card in (k, 0)]
            less, error = race.behind(k, 0)
            assert less == pytest.approx(points[1] - points[0])
            assert race.behind(0, k)[0] == pytest.approx(-less)
            assert error is not None
            assert error >= 0
            assert race.behind(k, k) == (0, 0)


def test_what_two_cards_share_is_no_error_of_their_difference():
    view = next(view for view in views(3) if len(view.held) == 13 and len(view.legal_cards()) > 3)
    race = CardRace(view, make_policy("learned"), seed=1)
    race.run(Budget(1000), drop=False)
    errors = [race.behind(k, 0)[1] for k in range(1, len(race.cards))]
    apart = [hypot(race.points(k)[1], race.points(0)[1]) for k in range(1, len(race.cards))]
    assert sum(errors) < 0.9 * sum(apart)


def test_where_few_worlds_fit_all_are_valued_once():
    learned, seen_late = make_policy("learned"), 0
    for seen in views(8, deals=20):
        worlds = all_worlds(seen) if len(seen.held) <= 3 else ()
        if not 1 < len(worlds) <= 500:
            continue
        seen_late += 1
        cards = np.array(record_of(seen).distinct(seen.held.bits), dtype=np.int32)
        margins = np.empty((len(cards), len(worlds)), dtype=np.int8)
        learned.card_margins(record_of(seen), np.array(worlds, dtype=np.uint64), cards, margins)
        choice = Player().choose_card(seen, Limits(worlds=500))
        value = {candidate.card.index: candidate for candidate in choice.candidates}
        for card, row in zip(cards.tolist(), margins.tolist()):
            if value[card].points_se == 0:  # not dropped on the way
                mean = sum(map(points_of_margin, row)) / len(row)
                assert value[card].points == pytest.approx(mean)
        assert choice.worlds == len(worlds) or len(cards) > 1
    assert seen_late > 20


def test_worlds_fit_what_was_seen_in_the_trick_in_progress():
    """W could not follow spades to the trick in progress; enumeration agrees on all the worlds that leaves."""
    for seen in views(6, deals=30):
        if len(seen.trick) == 3 and len(seen.held) == 2 and any(seen.voids):
            worlds = {tuple(world) for world in hidden_hands(seen).worlds(3000, 1).tolist()}
            assert worlds == set(all_worlds(seen))


def all_worlds(seen):
    """Every way to deal the unseen cards of a view, one card after another."""
    worlds = [(0, 0, 0, 0)]
    for card in seen.unseen:
        able = [seat for seat in Seat if seat != seen.seat and card.suit not in seen.voids[seat]]
        worlds = [
            tuple(hand | card.bit * (seat == taker) for seat, hand in enumerate(world))
            for world in worlds
            for taker in able
            if world[taker].bit_count() < seen.sizes[taker]
        ]
    return [tuple(hand | seen.held.bits * (seat == seen.seat) for seat, hand in enumerate(world)) for world in worlds]


def test_a_limit_of_playouts_is_kept():
    for seen in views(7, keep=0.2):
        distinct = len(record_of(seen).distinct(seen.held.bits))
        choice = Player().choose_card(seen, Limits(nodes=100))
        assert choice.worlds == min(100 // distinct, hidden_hands(seen).count())


def test_a_limit_of_time_is_kept():
    player = Player()
    for seen in views(8, deals=2):
        began = perf_counter()
        player.choose_card(seen, Limits(time_ms=5))
        assert perf_counter() - began < 0.1


def test_the_players_own_limits_hold_where_a_request_has_none():
    seen = next(views(9))
    player = make_player("engine:worlds=24")
    assert player.choose_card(seen).worlds == 24
    assert player.choose_card(seen, Limits(seed=2)).worlds == 24
    assert player.choose_card(seen, Limits(worlds=30)).worlds == 30


def test_partner_is_not_sure_while_clubs_can_be_followed():
    assert not partner_is_sure(view("AK.AKQJ.AKQJ.432", "AC 5C", "S"))


def test_partner_is_sure_with_the_highest_card_as_last_player_but_one_without_trumps_left():
    void = "AKQJT9.AKQJ.432."
    assert not partner_is_sure(view(void, "KC 3C", "S"))  # the ace, or a ruff
    assert not partner_is_sure(view(void, "AC 3C", "S"))  # a ruff
    assert partner_is_sure(view("AKQJT98765432...", "AC 3C", "S"))
    assert not partner_is_sure(view("AKQJT98765432...", "KC 3C", "S"))


def test_no_level_ruffs_partners_sure_winner():
    rng, met = Random(10), 0
    for seen in views(10, deals=80):
        if partner_is_sure(seen) and sensible_cards(seen) != seen.legal_cards():
            met += 1
            for level in LEVELS:
                choice = Player(level).choose_card(
                    seen, Limits(worlds=4 if level > 5 else None, seed=rng.getrandbits(32))
                )
                assert choice.card.suit != seen.trump
    assert met > 5


@pytest.mark.parametrize("name", ["pimc:worlds=1000", "search:worlds=100000"])
def test_baselines_keep_a_limit_of_time(name):
    seen = view("AKQ2.K54.QJ3.T98", "", trump="S")
    begun = perf_counter()
    choice = make_player(name).choose_card(seen, Limits(time_ms=30))
    assert perf_counter() - begun < 10
    assert 1 <= choice.worlds < int(name.partition("=")[2])


def test_levels_are_checked():
    for level in (0, 11):
        with pytest.raises(LimitError, match="level"):
            Player(level)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time_ms": 0}, "time_ms"),
        ({"time_ms": float("nan")}, "time_ms"),
        ({"worlds": 0}, "worlds"),
        ({"nodes": -1}, "nodes"),
        ({"seed": 2**64}, "seed"),
        ({"level": 11}, "level"),
    ],
)
def test_limits_out_of_range(limits, message):
    with pytest.raises(LimitError, match=message):
        Limits(**limits)


@pytest.mark.parametrize("name", ["nobody", "greedy:worlds=3", "engine:ms=x", "engine:worlds=0", "engine:level="])
def test_names_that_are_no_player(name):
    with pytest.raises(FieldError, match="player"):
        make_player(name)


def test_a_name_without_options_has_the_usual_ones():
    assert make_player("pimc:").worlds == make_player("pimc").worlds == 40
    assert make_player("search").worlds == 768
    assert make_player("engine:ms=20,level=3").limits == Limits(time_ms=20)


FIVE = parse_cards("AH QH 9H KC 4D")


def test_trumps_share_the_worlds():
    margins = trump_margins(FIVE, 40, seed=3)
    assert np.array_equal(trump_margins(FIVE, 10, seed=3, start=30), margins[30:])
    assert np.array_equal(trump_margins(FIVE, 40, seed=3, trumps=[Suit.CLUBS])[:, 0], margins[:, Suit.CLUBS])
    assert POINTS[margins + 7].mean(axis=0).argmax() == Suit.HEARTS


def test_the_engine_calls_by_playouts_and_its_lowest_levels_by_the_longest_suit():
    choice = Player().choose_trump(FIVE, limits=Limits(worlds=500))
    assert choice.trump == Suit.HEARTS
    assert choice.worlds == 500
    lowest = Player(1).choose_trump(parse_cards("2S 3S 4S AH KH"))
    assert lowest.trump == Suit.SPADES
    assert lowest.candidates[0].points is None


def test_a_match_score_changes_what_a_deal_is_worth():
    assert worth_at(None, Seat.N) is POINTS
    last = worth_at((6, 4), Seat.N)
    assert last[14] == pytest.approx(1.0)  # a kot wins no more than a win
    assert last[0] < -1.0  # a hakem koti loses the match, a loss does not yet
    assert worth_at((4, 6), Seat.W).tolist() == last.tolist()
    early = worth_at((0, 0), Seat.S)
    assert early[8] == pytest.approx(1.0)
    assert early[6] == pytest.approx(-1.0)
    assert 1.5 < early[14] < 2.5
    assert -3.5 < early[0] < -2.0


def test_the_score_reaches_the_decisions():
    five = parse_cards("AH QH 9H KC 4D")
    calls = [Player().choose_trump(five, Seat.N, score, Limits(worlds=200)) for score in (None, (6, 4))]
    assert calls[0].candidates == calls[1].candidates  # points are points; only the ranking may differ
    seen = next(views(13))
    scored = View(seen.seat, seen.hakem, seen.trump, seen.hand, seen.plays, score=(6, 4))
    mine, plain = (CardRace(each, make_policy("learned"), 1) for each in (scored, seen))
    assert mine._worth.tolist() != plain._worth.tolist()
