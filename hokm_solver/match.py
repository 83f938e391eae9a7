"""A match: the score, who is hakem next, the draw that names the first hakem, and the chance to win."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

from hokm_solver.cards import Card, Rank, Seat, Side
from hokm_solver.errors import FieldError, MatchError, check_iterable, check_type, quote
from hokm_solver.rules import DEFAULT_RULES, Outcome, Rules

Score: TypeAlias = tuple[int, int]  # points of hakem's side, points of the others


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match between deals: the score, indexed by Side, and the hakem of the next deal."""

    hakem: Seat
    score: tuple[int, int] = (0, 0)
    rules: Rules = DEFAULT_RULES

    def __post_init__(self) -> None:
        """Check the match.

        Raises:
            MatchError: a score is not a whole number from 0 on, or both sides have reached the match length.
            FieldError: ``hakem`` is no seat, or ``rules`` are no rules.
        """
        check_type(self.hakem, Seat, "hakem")
        check_type(self.rules, Rules, "rules")
        if not isinstance(self.score, (tuple, list)) or len(self.score) != 2:
            raise MatchError("a score is two numbers, for NS and for WE", field="score")
        for side in Side:
            points = self.score[side]
            if isinstance(points, bool) or not isinstance(points, int) or points < 0:
                raise MatchError(f"{side.name} cannot have {quote(points)} points", field="score")
        if min(self.score) >= self.rules.match_length:
            raise MatchError(f"both sides have {self.rules.match_length} points or more", field="score")

    @property
    def dealer(self) -> Seat:
        """The dealer of the next deal, who sits to hakem's left."""
        return self.hakem.previous

    @property
    def winner(self) -> Side | None:
        """The side that has won the match, or None while it goes on."""
        return next((side for side in Side if self.score[side] >= self.rules.match_length), None)

    def after(self, outcome: Outcome) -> Match:
        """Return the match after a deal with this outcome.

        Hakem stays while his side wins; when it loses he deals next, and the player to his right is hakem.

        Raises:
            MatchError: the match is over already. FieldError: ``outcome`` is none.
        """
        check_type(outcome, Outcome, "outcome")
        if self.winner is not None:
            raise MatchError(f"the match is over, {self.winner.name} has won")
        winners = self.hakem.side if outcome.hakem_wins else self.hakem.side.other
        score = list(self.score)
        score[winners] += abs(outcome.points(self.rules))
        hakem = self.hakem if outcome.hakem_wins else self.hakem.next
        return replace(self, score=(score[0], score[1]), hakem=hakem)


def check_score(hakem: Seat, score: tuple[int, int], rules: Rules = DEFAULT_RULES) -> None:
    """Check that a match with this score, indexed by Side, goes on.

    Raises:
        FieldError: a score that cannot be, or a match that is over.
    """
    try:
        match = Match(hakem, score, rules)
    except MatchError as error:
        raise FieldError(error.message, field="score") from None
    if match.winner is not None:
        raise FieldError(f"the match is over, {match.winner.name} has won", field="score")


@dataclass(frozen=True, slots=True)
class FirstHakem:
    """The result of the draw: hakem's seat, how many cards were turned, and where everybody sits now.

    ``seats[old]`` is the new seat of whoever sat at ``old`` during the draw. Hakem keeps his seat.
    """

    hakem: Seat
    turned: int
    seats: tuple[Seat, Seat, Seat, Seat]


def draw_first_hakem(pack: Iterable[Card], first: Seat = Seat.N, rules: Rules = DEFAULT_RULES) -> FirstHakem:
    """Turn up cards one by one, in order of play from ``first``, until the first ace names hakem.

    Under ``rules.second_ace`` the turning goes on, past hakem's seat, until another ace names his partner, who
    changes places with the player opposite hakem. Otherwise partners are those who sit opposite anyway.

    Raises:
        MatchError: the pack ends before the aces needed. FieldError: an argument is of the wrong type.
    """
    check_iterable(pack, "pack")
    check_type(first, Seat, "first")
    check_type(rules, Rules, "rules")
    hakem: Seat | None = None
    seat = first
    for turned, card in enumerate(pack, start=1):
        check_type(card, Card, "pack")
        if card.rank == Rank.ACE:
            if hakem is not None:
                return FirstHakem(hakem, turned, _seated(hakem, seat))
            if not rules.second_ace:
                return FirstHakem(seat, turned, _seated(seat, seat.partner))
            hakem = seat
        seat = seat.next if seat.next != hakem else seat.after(2)
    raise MatchError("the pack ended before an ace named " + ("hakem" if hakem is None else "his partner"))


def _seated(hakem: Seat, partner: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """Move ``partner`` opposite hakem, and whoever sat there to the place that became free."""
    moved = {partner: hakem.partner, hakem.partner: partner}
    n, w, s, e = (moved.get(seat, seat) for seat in Seat)
    return n, w, s, e


def winning_chances(frequencies: Mapping[Outcome, float], rules: Rules = DEFAULT_RULES) -> Mapping[Score, float]:
    """Return the chance that hakem's side wins the match, before a deal, at every score (hakem's side, others).

    ``frequencies`` are the chances of the four outcomes of a deal, the same for every deal and hakem. Every deal adds
    points to one side, so the chances follow from those at higher scores; nothing is iterated.

    Raises:
        MatchError: the frequencies are no chances of the four outcomes.
    """
    if set(frequencies) != set(Outcome) or min(frequencies.values()) < 0 or abs(sum(frequencies.values()) - 1) > 1e-9:
        raise MatchError("the frequencies of the four outcomes must be chances that add up to 1")
    chances: dict[Score, float] = {}
    scores = product(range(rules.match_length), range(rules.match_length))
    for score in sorted(scores, key=sum, reverse=True):
        shares = (
            frequency * chance_after(outcome, score, chances, rules) for outcome, frequency in frequencies.items()
        )
        chances[score] = sum(shares)
    return chances


def chance_after(outcome: Outcome, score: Score, chances: Mapping[Score, float], rules: Rules = DEFAULT_RULES) -> float:
    """Return the chance that hakem's side wins the match when a deal begun at ``score`` ends like this.

    ``score`` is (hakem's side, others) before the deal, ``chances`` those of `winning_chances`.
    """
    ours, theirs = score
    points = abs(outcome.points(rules))
    if outcome.hakem_wins:
        return 1.0 if ours + points >= rules.match_length else chances[ours + points, theirs]
    # A lost deal makes the other side hakem's, for whom the score reads the other way round.
    return 0.0 if theirs + points >= rules.match_length else 1.0 - chances[theirs + points, ours]
