"""What every player at a table takes for granted: partner's sure trick is not ruffed."""

from __future__ import annotations

from hokm_solver.cards import Card, CardSet, Suit
from hokm_solver.engine.view import View


def sensible_cards(view: View) -> CardSet:
    """The legal cards without the trumps that would only take a trick partner has for sure."""
    legal = view.legal_cards()
    if partner_is_sure(view):
        return legal - legal.suit(view.trump) or legal
    return legal


def partner_is_sure(view: View) -> bool:
    """Whether the seat is out of the suit led, no trump, and partner's card certainly wins the trick otherwise."""
    led, trick = view.led, view.trick
    if led in (None, view.trump) or len(trick) < 2 or view.held.suit(led):
        return False
    if view.tricks[-1].winner(view.trump) != view.seat.partner:
        return False
    return len(trick) == 3 or not _next_may_win(view, led, trick[0])


def _next_may_win(view: View, led: Suit, best: Card) -> bool:
    """Whether the next seat, the last to play, may hold a card that beats partner's lead ``best`` in suit ``led``."""
    out = view.voids[view.seat.next]
    higher = led not in out and any(card.rank > best.rank for card in view.unseen.suit(led))
    return higher or (view.trump not in out and bool(view.unseen.suit(view.trump)))
