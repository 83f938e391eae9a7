"""What the value of a suit depends on, against deals sorted by hand."""

from __future__ import annotations

from statistics import fmean

import pytest

from hokm_solver.cards import CardSet, Seat, Suit
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.errors import DealError, FieldError
from hokm_solver.notation import parse_cards
from hokm_solver.reasons import GROUPS, reasons
from hokm_solver.report.advice import reasons_text
from hokm_solver.rules import points_of_margin
from hokm_solver.sampling import seen_by_hakem

FIVE = parse_cards("AH QH 9H KC 4D")
N = 300


@pytest.fixture(scope="module")
def deals():
    """The hands of every deal and its points under hearts."""
    worlds = seen_by_hakem(FIVE).worlds(N, 7)
    points = [points_of_margin(margin) for margin in trump_margins(FIVE, N, 7, trumps=[Suit.HEARTS])[:, 0].tolist()]
    return [(list(map(CardSet, world)), value) for world, value in zip(worlds.tolist(), points)]


@pytest.fixture(scope="module")
def found():
    return reasons(FIVE, Suit.HEARTS, N, 7)


def test_what_hakem_holds(deals, found):
    assert [str(card) for card in found.held] == ["AH", "QH", "9H"]
    assert found.expected == pytest.approx(fmean(len(hands[Seat.N].suit(Suit.HEARTS)) for hands, _ in deals), abs=1e-4)


def test_groups_by_partners_trumps(deals, found):
    assert sum(group.share for group in found.partner) == pytest.approx(1)
    for (low, high), group in zip(GROUPS, found.partner, strict=True):
        points = [value for hands, value in deals if low <= len(hands[Seat.S].suit(Suit.HEARTS)) <= high]
        assert group.share == len(points) / N
        assert group.points == pytest.approx(fmean(points), abs=1e-4)


def test_deals_with_and_without_a_missing_honour(deals, found):
    (king,) = found.honours
    assert str(king.card) == "KH"
    for group, ours in ((king.ours, True), (king.theirs, False)):
        points = [value for hands, value in deals if (king.card in hands[Seat.N] | hands[Seat.S]) == ours]
        assert group.share == len(points) / N
        assert group.points == pytest.approx(fmean(points), abs=1e-4)


def test_more_trumps_with_partner_are_worth_more():
    for trump in (Suit.HEARTS, Suit.CLUBS):
        groups = reasons(FIVE, trump, 4000).partner
        assert groups[0].points < groups[-1].points


def test_groups_without_deals():
    found = reasons(FIVE, Suit.HEARTS, 1)
    assert sorted(group.share for group in found.partner) == [0, 0, 0, 1]
    assert {group.points for group in found.partner if group.share == 0} == {None}
    assert all(group.points_se is None for group in found.partner)
    assert "-" in reasons_text(found)


def test_a_suit_without_a_card():
    assert reasons_text(reasons(FIVE, Suit.SPADES, 50)).startswith("why ♠: of your five none")


def test_wrong_input():
    with pytest.raises(DealError, match="5 different cards"):
        reasons(FIVE[:4], Suit.HEARTS)
    with pytest.raises(FieldError, match="seed"):
        reasons(FIVE, Suit.HEARTS, 10, -1)
