"""The rules of play and scoring: which cards are legal, who wins a trick, what a deal is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum

from hokm_solver.cards import Card, CardSet, Suit
from hokm_solver.errors import RulesError, check_type, quote

TRICKS_TO_WIN = 7  # play stops at once when a side has this many
TRICKS = 13
FIRST_PACKET = 5  # the cards from which hakem names trump

# House rules that exist and are not played here, by the name under which a record may ask for them.
NOT_PLAYED = {
    "redeal": "a new deal when the first five hold no court card",
    "sar": "play without trump, high cards win",
    "nars": "play without trump, low cards win",
    "bam": "playing on after 7-0",
    "compulsory_ruff": "having to trump when void",
    "no_kot": "kot not counted",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of the game; the default is the game described in the documentation.

    ``win``, ``kot`` and ``hakem_koti`` are the points for the side that wins the deal that way, each instead of the
    others. The first side with at least ``match_length`` points wins the match. ``second_ace`` concerns the draw of
    the first hakem: a second ace names his partner.
    """

    win: int = 1
    kot: int = 2
    hakem_koti: int = 3
    match_length: int = 7
    second_ace: bool = False

    def __post_init__(self) -> None:
        """Refuse rules that make no game.

        Raises:
            RulesError: a value is of the wrong type, ``win`` or ``match_length`` is not positive, or ``kot`` or
                ``hakem_koti`` is below ``win``.
        """
        for name in ("win", "kot", "hakem_koti", "match_length"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise RulesError(f"{name} must be a whole number, not {quote(value)}", field=name)
            if value < 1:
                raise RulesError(f"{name} must be at least 1, not {quote(value)}", field=name)
        for name in ("kot", "hakem_koti"):
            if getattr(self, name) < self.win:
                raise RulesError(f"{name} must not be worth less than win ({quote(self.win)})", field=name)
        if not isinstance(self.second_ace, bool):
            raise RulesError(f"second_ace must be true or false, not {quote(self.second_ace)}", field="second_ace")

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Rules:
        """Read rules from options by name, as a record gives them; what is not named keeps its default.

        Raises:
            RulesError: an option is unknown, is a house rule that is not played here, or has a wrong value.
            FieldError: ``options`` have no names.
        """
        check_type(options, Mapping, "options")
        known = {field.name for field in fields(cls)}
        for name in options:
            if name in NOT_PLAYED:
                raise RulesError(f"house rule {quote(name)} ({NOT_PLAYED[name]}) is not played here", field=name)
            if name not in known:
                raise RulesError(f"unknown rule {quote(name)}", field=str(name))
        return cls(**options)  # type: ignore[arg-type]  # __post_init__ checks every value


DEFAULT_RULES = Rules()


class Outcome(Enum):
    """How a deal ended, seen from hakem's side."""

    WIN = "win"
    KOT = "kot"
    LOSS = "loss"
    HAKEM_KOTI = "hakem_koti"

    @property
    def hakem_wins(self) -> bool:
        """Whether hakem's side took seven tricks."""
        return self in (Outcome.WIN, Outcome.KOT)

    def points(self, rules: Rules = DEFAULT_RULES) -> int:
        """Return the worth of the deal in points, hakem's side's view: by default +1, +2, -1 or -3.

        Raises:
            FieldError: ``rules`` are no rules.
        """
        check_type(rules, Rules, "rules")
        worth = {
            Outcome.WIN: rules.win,
            Outcome.KOT: rules.kot,
            Outcome.LOSS: -rules.win,
            Outcome.HAKEM_KOTI: -rules.hakem_koti,
        }
        return worth[self]


def legal_cards(hand: CardSet, led: Suit | None) -> CardSet:
    """Return the cards that may be played from ``hand`` when ``led`` was led (None: this card leads)."""
    if led is None:
        return hand
    return hand.suit(led) or hand


def trick_winner_index(cards: Sequence[Card], trump: Suit) -> int:
    """Return which of ``cards``, in order of play, is winning: the highest trump, else the highest of the suit led."""
    suit = trump if any(card.suit == trump for card in cards) else cards[0].suit
    ranks = [card.rank if card.suit == suit else 0 for card in cards]
    return ranks.index(max(ranks))


def outcome_of(hakem_tricks: int, other_tricks: int) -> Outcome | None:
    """Return how the deal ended with these tricks, or None while neither side has seven."""
    if hakem_tricks >= TRICKS_TO_WIN:
        return Outcome.WIN if other_tricks else Outcome.KOT
    if other_tricks >= TRICKS_TO_WIN:
        return Outcome.LOSS if hakem_tricks else Outcome.HAKEM_KOTI
    return None


def margin_of(hakem_tricks: int, other_tricks: int) -> int:
    """Return the margin of a finished deal in tricks, hakem's side's view: -7 to -1, +1 to +7, never 0.

    Raises:
        RulesError: not exactly one side has seven tricks.
    """
    if (hakem_tricks == TRICKS_TO_WIN) == (other_tricks == TRICKS_TO_WIN):
        raise RulesError(f"a deal does not end {quote(hakem_tricks)}-{quote(other_tricks)}")
    return hakem_tricks - other_tricks


def outcome_of_margin(margin: int) -> Outcome:
    """Return the outcome with this margin (hakem's side's view).

    Raises:
        RulesError: ``margin`` is 0 or beyond -7..+7.
    """
    if margin == 0 or abs(margin) > TRICKS_TO_WIN:
        raise RulesError(f"no deal ends with margin {quote(margin)}")
    if margin > 0:
        return Outcome.KOT if margin == TRICKS_TO_WIN else Outcome.WIN
    return Outcome.HAKEM_KOTI if margin == -TRICKS_TO_WIN else Outcome.LOSS


def points_of_margin(margin: int, rules: Rules = DEFAULT_RULES) -> int:
    """Return the points of a deal from its margin, both hakem's side's view; it never falls as the margin grows.

    Raises:
        RulesError: ``margin`` is 0 or beyond -7..+7.
    """
    return outcome_of_margin(margin).points(rules)
