"""What one seat can see: every view of a real deal is accepted, and what cannot be is refused by name."""

from dataclasses import fields
from itertools import product
from random import Random
from types import SimpleNamespace

import pytest

from hokm_solver import engine
from hokm_solver.cards import EMPTY_SET, FULL_SET, CardSet, Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.dealing import deal_cards
from hokm_solver.engine.view import PublicRecord, View, _check_voids
from hokm_solver.errors import FieldError, IllegalHistory, InconsistentVoids
from hokm_solver.notation import parse_card, parse_cards, parse_hand

# Worked case 1: trump hearts, A = N is hakem; play runs N W S E.
FIVE = CardSet.of(parse_cards("AH QH 9H KC 4D"))
N_HAND = parse_hand("J32.AQ9.A542.K74")


def played(seed, steps):
    """A seeded deal after ``steps`` random plays, or fewer if it is decided."""
    deal, rng = deal_cards(seed, Seat(seed % 4)), Random(seed)
    position, plays = Position.start(deal, Suit(seed // 4 % 4)), ()
    while len(plays) < steps and position.outcome() is None:
        card = rng.choice(list(position.legal_cards()))
        position, plays = position.play(card), (*plays, card)
    return deal, position, plays


@pytest.mark.parametrize("seed", range(40))
def test_a_view_agrees_with_the_position_it_is_a_part_of(seed):
    deal, position, plays = played(seed, seed)
    if position.outcome() is not None:
        return
    seat = position.to_play
    view = View.of_deal(deal, seat, position.trump, plays)
    assert view.held == position.hands[seat]
    assert (view.leader, view.trick, view.won) == (position.leader, position.trick, position.won)
    assert view.sizes == tuple(map(len, position.hands))
    assert view.unseen == FULL_SET - CardSet.of(plays) - view.held
    assert view.legal_cards() == position.legal_cards()
    assert view.to_play == seat
    for other in Seat:
        assert all(not position.hands[other].suit(suit) for suit in view.voids[other])
    assert (view.first_five is not None) == (seat == deal.hakem)


@pytest.mark.parametrize("seed", range(20))
def test_the_unchecked_view_is_the_same(seed):
    deal, position, plays = played(seed, 2 * seed)
    if position.outcome() is not None:
        return
    record = PublicRecord(deal.hakem, position.trump)
    for card in plays:
        record.add(card)
    seat = position.to_play
    quick = record.view(deal.hands[seat], deal.first_five if seat == deal.hakem else None, (1, 2))
    checked = View.of_deal(deal, seat, position.trump, plays, (1, 2))
    names = [field.name for field in fields(View)]
    assert [getattr(quick, name) for name in names] == [getattr(checked, name) for name in names]


def test_hidden_cards_do_not_enter_the_view():
    deal, position, plays = played(3, 9)
    view = View.of_deal(deal, position.to_play, position.trump, plays)
    assert view == View(view.seat, view.hakem, view.trump, view.hand, plays, view.first_five)


def test_voids_of_the_trick_in_progress_are_known():
    plays = parse_cards("KC 3C 2H")
    hand = parse_hand("T98.KJ.KT96.AQJT")
    view = View(Seat.E, Seat.N, Suit.HEARTS, hand, plays)
    assert view.voids == (frozenset(), frozenset(), frozenset({Suit.CLUBS}), frozenset())
    assert view.sizes == (12, 12, 12, 13)


def view_of_n(plays, **changed):
    given = {"seat": Seat.N, "hakem": Seat.N, "trump": Suit.HEARTS, "hand": N_HAND, "first_five": FIVE, **changed}
    return View(plays=parse_cards(plays) if isinstance(plays, str) else plays, **given)


@pytest.mark.parametrize(
    ("plays", "field", "message"),
    [
        ("KC 3C 2H AC 4S 5S JS 6S AD 6D 5C", "plays[10]", "trick 3: .*: S did not follow ♣ before"),
        ("KC 3C 2H AC 7C", "plays[4]", "trick 2: S cannot have played 7C, which N holds"),
        ("KC 3C 2H AC 4S 5S 2D", "plays[6]", "a revoke: N held JS 3S 2S and could follow suit"),
        ("KC 3C 2H AC 4S 5S KS", "plays[6]", "not dealt to N"),
        ("9C", "plays[0]", "not dealt to N"),
        ("KC 3C 5C 3C", "plays[3]", "played before"),
        ("KC 3C 2H AC", "plays", "turn of S, not of N"),
    ],
)
def test_impossible_histories(plays, field, message):
    with pytest.raises(IllegalHistory, match=message) as caught:
        view_of_n(tuple(parse_card(text) for text in plays.split()))
    assert caught.value.field == field
    assert caught.value.code == "illegal_history"


def decided():
    for seed in range(100):
        deal, position, plays = played(seed, 52)
        if len(plays) < 48:
            return deal, position, plays
    raise AssertionError("no deal ended early")


def test_nothing_is_played_after_the_seventh_trick():
    deal, position, plays = decided()
    with pytest.raises(IllegalHistory, match="the deal is over") as caught:
        View.of_deal(deal, position.leader, position.trump, plays)
    assert caught.value.field == "plays"
    extra = next(iter(position.hands[position.leader]))
    with pytest.raises(IllegalHistory, match="play had stopped") as caught:
        View.of_deal(deal, position.leader.next, position.trump, (*plays, extra))
    assert caught.value.field == f"plays[{len(plays)}]"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"hand": N_HAND - FIVE}, "hand"),
        ({"hand": EMPTY_SET}, "hand"),
        ({"first_five": CardSet.of(parse_cards("AH QH 9H KC 2C"))}, "first_five"),
        ({"first_five": CardSet.of(parse_cards("AH QH 9H KC"))}, "first_five"),
        ({"seat": Seat.W}, "first_five"),
        ({"score": (7, 2)}, "score"),
        ({"score": (-1, 2)}, "score"),
    ],
)
def test_fields_that_cannot_be(changed, field):
    with pytest.raises(FieldError) as caught:
        view_of_n("", **changed)
    assert caught.value.field == field


def test_voids_that_leave_cards_without_a_hand():
    # All three others discard on N's spades: nobody is left to hold the spades that are not seen.
    with pytest.raises(InconsistentVoids, match="10 cards of ♠ are not seen, but all others") as caught:
        view_of_n("JS 2C 3C 5C")
    assert caught.value.field == "plays"
    assert caught.value.code == "inconsistent_voids"


def test_voids_that_leave_too_little_room():
    # W and S are out of spades and then of clubs: E has room for either suit, but not for both.
    hand = parse_hand("A.AKQJT98.KQJ.AK")
    first = parse_cards("AS 3D 2C 2S")
    assert View(Seat.N, Seat.N, Suit.HEARTS, hand, first).sizes == (12,) * 4
    with pytest.raises(InconsistentVoids, match=r"20 cards of ♠♣ are not seen, but only E .* room for 11"):
        View(Seat.N, Seat.N, Suit.HEARTS, hand, (*first, *parse_cards("AC 4D 5D 3C")))


def fits_somehow(view):
    """Whether some numbers of cards a suit deal the unseen cards out, by trying all."""
    one, two, three = (seat for seat in Seat if seat != view.seat)
    shares = []
    for suit in Suit:
        count = len(view.unseen.suit(suit))
        limits = [0 if suit in view.voids[seat] else count for seat in (one, two, three)]
        shares.append(
            [(a, b) for a in range(limits[0] + 1) for b in range(limits[1] + 1) if 0 <= count - a - b <= limits[2]]
        )
    return any(
        sum(a for a, _ in split) == view.sizes[one] and sum(b for _, b in split) == view.sizes[two]
        for split in product(*shares)
    )


def facts(rng):
    """Random voids, sizes and as many unseen cards as there are places: what the check looks at."""
    sizes = [0, *(rng.randint(1, 5) for _ in range(3))]
    voids = [frozenset(), *(frozenset(rng.sample(list(Suit), rng.choice([0, 1, 2, 3]))) for _ in range(3))]
    unseen = CardSet.of(rng.sample(list(FULL_SET), sum(sizes)))
    return SimpleNamespace(seat=Seat.N, sizes=sizes, voids=voids, unseen=unseen)


def test_voids_are_refused_exactly_when_no_deal_fits():
    rng, outcomes = Random(5), {True: 0, False: 0}
    for _ in range(400):
        view = facts(rng)
        possible = fits_somehow(view)
        outcomes[possible] += 1
        if possible:
            _check_voids(view)
        else:
            with pytest.raises(InconsistentVoids):
                _check_voids(view)
    assert min(outcomes.values()) > 40


def test_the_package_shows_its_names():
    for name in engine.__all__:
        assert getattr(engine, name) is not None
        assert name in dir(engine)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        engine.nothing  # noqa: B018
