"""What a review says: values before and after every play, what each cost, the call, luck and skill.

Values are hakem's side's view; what a play or a call costs is the view of who made it, and never negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from hokm_solver.advice import Advice
from hokm_solver.cards import Card, Seat, Side, Suit
from hokm_solver.errors import check_type
from hokm_solver.records.json_form import record_to_json
from hokm_solver.records.record import Record
from hokm_solver.rules import DEFAULT_RULES, Outcome, Rules, points_of_margin
from hokm_solver.showing import Shown

SCHEMA = "hokm-solver/review/1"
DECIMALS = 6  # of figures that are not whole
HEAD = ("event", "date", "players", "hakem", "trump", "score", "rules")  # fields of the record that a review repeats

Class: TypeAlias = Literal["ok", "slip", "mistake", "blunder"]
Json: TypeAlias = dict[str, Any]

# How deals end with all cards seen when hakem calls his longest suit: what a deal is worth on average, before anybody
# has chosen well or badly. From 200,000 deals (python -m benchmarks.average_deal); standard errors are 0.0011 at most.
AVERAGE_DEAL: Mapping[Outcome, float] = MappingProxyType(
    {Outcome.WIN: 0.4294, Outcome.KOT: 0.2132, Outcome.LOSS: 0.3234, Outcome.HAKEM_KOTI: 0.0340}
)


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A play judged by what its player could know: the engine's values from the player's view, all on the same worlds.

    Attributes:
        points: what the card played is worth, hakem's side's view, and ``points_se`` its standard error.
        best: the card of the highest value to the mover, with those equal to it, and ``best_points`` their value.
        cost: points lost against them, the mover's view, 0 or more; ``cost_se``: the standard error of this difference.
        worlds: sampled deals behind the values.
    """

    points: float
    points_se: float
    best: tuple[Card, ...]
    best_points: float
    cost: float
    cost_se: float
    worlds: int

    def to_json(self) -> Json:
        """The object ``known`` of a play."""
        return {
            "points": round(self.points, DECIMALS),
            "points_se": round(self.points_se, DECIMALS),
            "best": [str(card) for card in self.best],
            "best_points": round(self.best_points, DECIMALS),
            "cost": round(self.cost, DECIMALS),
            "cost_se": round(self.cost_se, DECIMALS),
            "worlds": self.worlds,
        }


@dataclass(frozen=True, slots=True)
class PlayReview:
    """One play.

    Attributes:
        trick: the number of the trick, from 1.
        seat: who played, and `card` what.
        margins: the margin of the deal after every legal card, best play following; hakem's side's view.
        margin_before: margin under best play before the play, `margin_after` the one after it; hakem's side's view.
        sign: 1 if the player is on hakem's side, else −1.
        rules: what margins are worth.
        known: the judgement by what the player could know; None if it was not asked for or there was no choice.
    """

    trick: int
    seat: Seat
    card: Card
    margins: Mapping[Card, int] = field(hash=False)
    margin_before: int
    margin_after: int
    sign: int
    rules: Rules = DEFAULT_RULES
    known: KnownValue | None = None

    @property
    def points_before(self) -> int:
        """Points of the deal under best play before the play, hakem's side's view."""
        return points_of_margin(self.margin_before, self.rules)

    @property
    def points_after(self) -> int:
        """Points of the deal under best play after the play, hakem's side's view."""
        return points_of_margin(self.margin_after, self.rules)

    @property
    def cost(self) -> int:
        """Points lost, the mover's view, 0 or more."""
        return self.sign * (self.points_before - self.points_after)

    @property
    def margin_cost(self) -> int:
        """Margin lost, the mover's view, 0 or more."""
        return self.sign * (self.margin_before - self.margin_after)

    @property
    def changes_winner(self) -> bool:
        """Whether the side that wins under best play is another after the play."""
        return (self.margin_before > 0) != (self.margin_after > 0)

    @property
    def best(self) -> tuple[Card, ...]:
        """Every card of the best margin, in hand order."""
        return tuple(card for card, margin in self.margins.items() if margin == self.margin_before)

    @property
    def forced(self) -> bool:
        """Whether it was the only legal card."""
        return len(self.margins) == 1

    @property
    def kind(self) -> Class:
        """``blunder`` changes the winner, ``mistake`` costs points only, ``slip`` tricks only, ``ok`` nothing."""
        if self.changes_winner:
            return "blunder"
        if self.cost:
            return "mistake"
        return "slip" if self.margin_cost else "ok"

    def to_json(self) -> Json:
        """An entry of ``plays``."""
        answer: Json = {
            "trick": self.trick,
            "seat": self.seat.name,
            "card": str(self.card),
            "points_before": self.points_before,
            "points_after": self.points_after,
            "cost": self.cost,
            "margin_before": self.margin_before,
            "margin_after": self.margin_after,
            "margin_cost": self.margin_cost,
            "best": [str(card) for card in self.best],
            "forced": self.forced,
            "class": self.kind,
        }
        return answer if self.known is None else {**answer, "known": self.known.to_json()}


@dataclass(frozen=True, slots=True)
class Totals:
    """The plays of one seat or side together.

    Attributes:
        plays: their number, and `choices` those that were not forced.
        cost: points lost, and `margin_cost` margin lost.
        slips: plays that cost tricks only; `mistakes` those that cost points, of which `blunders` change the winner.
        known_cost: points lost by what could be known; None if that was not asked for.
    """

    plays: int
    choices: int
    cost: int
    margin_cost: int
    slips: int
    mistakes: int
    blunders: int
    known_cost: float | None

    @classmethod
    def of(cls, plays: Iterable[PlayReview], known: bool) -> Totals:
        """Add up plays."""
        plays = tuple(plays)
        kinds = [play.kind for play in plays]
        known_costs = [play.known.cost for play in plays if play.known is not None]
        return cls(
            len(plays),
            sum(not play.forced for play in plays),
            sum(play.cost for play in plays),
            sum(play.margin_cost for play in plays),
            kinds.count("slip"),
            kinds.count("mistake") + kinds.count("blunder"),
            kinds.count("blunder"),
            sum(known_costs) if known else None,
        )

    def to_json(self) -> Json:
        """An entry of ``seats`` or ``sides``."""
        names = ("plays", "choices", "cost", "margin_cost", "slips", "mistakes", "blunders")
        answer: Json = {name: getattr(self, name) for name in names}
        return answer if self.known_cost is None else {**answer, "known_cost": round(self.known_cost, DECIMALS)}


@dataclass(frozen=True, slots=True)
class TrumpReview:
    """Hakem's call, judged on the real deal and from his five cards.

    Attributes:
        called: the trump, None if the record does not tell.
        margins: the margin of the real deal under each trump, best play following; hakem's side's view.
        rules: what margins are worth.
        advice: both answers of the adviser from the five cards, by points whatever the score; None if they are not
            known or it was not asked for.
    """

    called: Suit | None
    margins: Mapping[Suit, int] = field(hash=False)
    rules: Rules = DEFAULT_RULES
    advice: Advice | None = None

    @property
    def points(self) -> Mapping[Suit, int]:
        """The points of the real deal under each trump, hakem's side's view."""
        return {trump: points_of_margin(margin, self.rules) for trump, margin in self.margins.items()}

    @property
    def cost(self) -> int | None:
        """Points lost against the best trump of the real deal, 0 or more; None without a call."""
        return None if self.called is None else max(self.points.values()) - self.points[self.called]

    @property
    def behind(self) -> tuple[float, float] | None:
        """Points a deal that the call is behind the best **at the table**, and the standard error; None without advice.

        At the table nobody sees the cards of others, so this is what hakem could know.
        """
        if self.advice is None or self.called is None:
            return None
        value = self.advice.table.value(self.called)
        return value.behind, value.behind_se

    @property
    def behind_seen(self) -> tuple[float, float] | None:
        """The same by the other answer of the adviser: with all cards seen."""
        if self.advice is None or self.called is None:
            return None
        value = next(value for value in self.advice.trumps if value.trump == self.called)
        return value.behind, value.behind_se

    def to_json(self) -> Json:
        """The object ``trump_choice``."""
        answer: Json = {
            "called": None if self.called is None else self.called.letter,
            "points": {trump.letter: points for trump, points in self.points.items()},
            "margins": {trump.letter: margin for trump, margin in self.margins.items()},
            "cost": self.cost,
        }
        if self.behind is not None:
            answer["behind"], answer["behind_se"] = self.behind[0], round(self.behind[1], DECIMALS)
        return answer if self.advice is None else {**answer, "advice": self.advice.to_json()}


@dataclass(frozen=True, slots=True)
class Balance:
    """Where the points of a deal come from, hakem's side's view: `result` = `average` + `luck` + `skill`.

    Attributes:
        average: what deals are worth on average (`AVERAGE_DEAL`).
        luck: how much more this one was worth before the first card, under the trump called.
        skill: what play added: points lost by the other side less those lost by hakem's side.
        result: what the deal brought; if the record stops early, what best play would have made of the rest.
    """

    average: float
    luck: float
    skill: int
    result: int

    @classmethod
    def of(cls, dealt: int, result: int, rules: Rules) -> Balance:
        """The balance of a deal that was worth `dealt` points and brought `result`."""
        average = sum(share * outcome.points(rules) for outcome, share in AVERAGE_DEAL.items())
        return cls(average, dealt - average, result - dealt, result)

    def to_json(self) -> Json:
        """The object ``balance``."""
        return {
            "average": round(self.average, DECIMALS),
            "luck": round(self.luck, DECIMALS),
            "skill": self.skill,
            "result": self.result,
        }


@dataclass(frozen=True, slots=True)
class Review(Shown):
    """A record judged.

    Attributes:
        record: the record.
        trump_choice: the call.
        plays: every play; empty if the trump is not known.
        won: tricks won when the record ends, indexed by `Side`, and `finished` whether that decided the deal.
        balance: luck and skill; None if the trump is not known.
        known: whether plays were judged by what could be known as well.
        unjudged: what could not be judged, by the name of its JSON field, and why.
    """

    record: Record
    trump_choice: TrumpReview
    plays: tuple[PlayReview, ...] = ()
    won: tuple[int, int] | None = None
    finished: bool = False
    balance: Balance | None = None
    known: bool = False
    unjudged: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def turning_points(self) -> tuple[int, ...]:
        """The places in `plays`, from 0, of those after which another side wins under best play."""
        return tuple(place for place, play in enumerate(self.plays) if play.changes_winner)

    def of_seat(self, seat: Seat) -> Totals:
        """The plays of one seat together."""
        check_type(seat, Seat, "seat")
        return Totals.of((play for play in self.plays if play.seat == seat), self.known)

    def of_side(self, side: Side) -> Totals:
        """The plays of one side together."""
        check_type(side, Side, "side")
        return Totals.of((play for play in self.plays if play.seat.side == side), self.known)

    def to_json(self) -> Json:
        """The object ``hokm-solver/review/1``."""
        return {
            "schema": SCHEMA,
            **_head(self.record),
            "trump_choice": self.trump_choice.to_json(),
            "plays": [play.to_json() for play in self.plays],
            "seats": {seat.name: self.of_seat(seat).to_json() for seat in Seat},
            "sides": {side.name: self.of_side(side).to_json() for side in Side},
            "turning_points": list(self.turning_points),
            "won": None if self.won is None else {side.name: self.won[side] for side in Side},
            "finished": self.finished,
            "balance": None if self.balance is None else self.balance.to_json(),
            "unjudged": dict(self.unjudged),
        }


def _head(record: Record) -> Json:
    """What tells a review's record from others."""
    whole = record_to_json(record)
    return {name: whole[name] for name in HEAD if name in whole}
