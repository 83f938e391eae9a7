"""Matches between two players in duplicate: every deal is played twice, with the sides changed.

What one player gains by luck of the deal at one table it loses at the other, so the mean of such pairs tells them
apart with far fewer deals than single ones would. Points are the game's own, no match score is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from threading import Event
from time import perf_counter
from typing import Any, NamedTuple

from hokm_solver.cards import Card, Seat, Suit
from hokm_solver.deal import Deal, Position
from hokm_solver.dealing import WORD, SplitMix64, deal_cards
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.external import ExternalPlayer
from hokm_solver.engine.player import Opponent, make_player
from hokm_solver.engine.view import PublicRecord, View
from hokm_solver.errors import EngineError, LimitError, SearchInterrupted, check_type, check_whole, is_whole, quote
from hokm_solver.journal import Answer, Journal
from hokm_solver.parallel import Crew, Jobs, ordered_map
from hokm_solver.records import Record, record_from_json, record_to_json
from hokm_solver.rules import Outcome
from hokm_solver.sampling import check_seed

SCHEMA = "hokm-solver/arena/1"
EXTERNAL = "cmd:"  # before the command line of an external engine
NAMES = ("a", "b")
TABLES = (0, 1)  # at the first A sits N and S, at the second W and E
STEPS = 64  # more than a deal has decisions
MOST_TOLD = 10**15  # a clock in a log that tells more is damaged


class Seating(NamedTuple):
    """A deal to be played: the number of its pair, from 0, and the table."""

    pair: int
    table: int


@dataclass(slots=True)
class Clock:
    """Decisions that one player was asked for, forced cards left out, and the milliseconds they took together.

    As a context it counts one more decision and the time inside.
    """

    decisions: int = 0
    ms: float = 0.0
    _begun: float = 0.0

    def __enter__(self) -> None:
        """Start."""
        self._begun = perf_counter()

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self.add(Clock(1, (perf_counter() - self._begun) * 1000))

    def add(self, other: Clock) -> None:
        """Add the decisions and the time of another clock."""
        self.decisions += other.decisions
        self.ms += other.ms

    @property
    def mean(self) -> float | None:
        """Milliseconds a decision, None without any."""
        return self.ms / self.decisions if self.decisions else None


@dataclass(frozen=True, slots=True)
class Game:
    """A deal that was played; `clocks` are those of A and of B."""

    seating: Seating
    deal: Deal
    trump: Suit
    plays: tuple[Card, ...]
    outcome: Outcome
    clocks: tuple[Clock, Clock]

    @property
    def hakem_is(self) -> int:
        """Who sat on hakem's side: 0 for A, 1 for B."""
        assert self.deal.hakem is not None
        return player_at(self.deal.hakem, self.seating.table)

    @property
    def points(self) -> int:
        """What A gained, negative for a loss."""
        return self.outcome.points() if self.hakem_is == 0 else -self.outcome.points()


@dataclass(frozen=True, slots=True)
class Duel:
    """What is played: two players by name, how many pairs of deals, and the seed of everything random.

    Attributes:
        same_worlds: both players get the same seed in the same situation, which narrows the error between players that
            are alike; otherwise each gets its own.
    """

    a: str
    b: str
    pairs: int
    seed: int = 1
    same_worlds: bool = False

    def __post_init__(self) -> None:
        """Check the duel; whether there are such players is seen when they are made.

        Raises:
            LimitError: ``pairs`` is not 1 or more.
            FieldError: a name that is no text, or a seed outside 0 … 2⁶⁴ − 1.
        """
        check_type(self.a, str, "a")
        check_type(self.b, str, "b")
        if not is_whole(self.pairs) or self.pairs < 1:
            raise LimitError(f"pairs must be at least 1, not {quote(self.pairs)}", field="pairs")
        check_seed(self.seed)

    @property
    def external(self) -> bool:
        """Whether a player is a program of its own."""
        return self.a.startswith(EXTERNAL) or self.b.startswith(EXTERNAL)

    def seatings(self) -> Iterator[Seating]:
        """All deals in the order in which they are counted and logged."""
        return (Seating(pair, table) for pair in range(self.pairs) for table in TABLES)

    def deal(self, pair: int) -> Deal:
        """The deal of a pair, numbered from 0; hakem moves one seat on from pair to pair."""
        check_whole(pair, "pair")
        return deal_cards(self._deal_seed(pair), Seat(pair % len(Seat)))

    def decision_seed(self, pair: int, player: int, step: int) -> int:
        """The seed of a player's decision after ``step`` steps of a deal: the same at both tables of a pair."""
        own = 0 if self.same_worlds else player
        return SplitMix64((self._deal_seed(pair) + own * STEPS + step) % WORD).next()

    def make_players(self) -> tuple[Opponent, Opponent]:
        """Make both players anew.

        Raises:
            FieldError, LimitError, EngineError: a name is no player's.
        """
        return make_any_player(self.a), make_any_player(self.b)

    def _deal_seed(self, pair: int) -> int:
        # Two steps, so that neighbouring seeds share no deals.
        return SplitMix64((SplitMix64(self.seed).next() + pair) % WORD).next()


def player_at(seat: Seat, table: int) -> int:
    """Who sits there: 0 for A, 1 for B."""
    return int(seat.side) ^ table


def make_any_player(name: str) -> Opponent:
    """Make a player of this package by name, or with ``cmd:`` in front an external engine by its command line."""
    if name.startswith(EXTERNAL):
        return ExternalPlayer(name[len(EXTERNAL) :])
    return make_player(name)


# Playing


class Table:
    """Both players of a duel, ready to play its deals one after another."""

    def __init__(self, duel: Duel) -> None:
        """Let the players sit down."""
        self._duel = duel
        self._players = duel.make_players()
        self._left = Event()

    def leave(self) -> None:
        """End external engines, and the deal in play, if any, with `SearchInterrupted`; from whatever thread."""
        self._left.set()
        for player in self._players:
            if isinstance(player, ExternalPlayer):
                player.close()

    def play(self, seating: Seating) -> Game:
        """Play one deal to its end.

        Raises:
            EngineError: a player gives no answer, or a card that it may not play.
        """
        deal, clocks = self._duel.deal(seating.pair), (Clock(), Clock())
        trump = self._trump(seating, deal, clocks)
        position = Position.start(deal, trump)
        record = PublicRecord(position.hakem, trump)
        while (outcome := position.outcome()) is None:
            card = _forced(position) or self._card(seating, _view(deal, record), clocks)
            if card not in position.legal_cards():
                name = NAMES[player_at(position.to_play, seating.table)]
                raise EngineError(f"player {name} as {position.to_play.name} played {card}, which is not legal")
            position = position.play(card)
            record.add(card)
        return Game(seating, deal, trump, tuple(record.plays), outcome, clocks)

    def _trump(self, seating: Seating, deal: Deal, clocks: tuple[Clock, Clock]) -> Suit:
        assert deal.hakem is not None
        assert deal.first_five is not None
        who, five = player_at(deal.hakem, seating.table), tuple(deal.first_five)
        with clocks[who]:
            return self._players[who].choose_trump(five, deal.hakem, None, self._limits(seating, who, 0)).trump

    def _card(self, seating: Seating, view: View, clocks: tuple[Clock, Clock]) -> Card:
        if self._left.is_set():
            raise SearchInterrupted("the match was interrupted")
        who = player_at(view.seat, seating.table)
        limits = self._limits(seating, who, 1 + len(view.plays))
        with clocks[who]:
            return self._players[who].choose_card(view, limits).card

    def _limits(self, seating: Seating, who: int, step: int) -> Limits:
        return Limits(seed=self._duel.decision_seed(seating.pair, who, step), stop=self._left.is_set)


def _view(deal: Deal, record: PublicRecord) -> View:
    """What the seat to move sees."""
    seat = record.trick.to_play
    return record.view(deal.hands[seat], deal.first_five if seat == deal.hakem else None)


def _forced(position: Position) -> Card | None:
    """The only legal card, if there is one: nobody needs to be asked."""
    legal = position.legal_cards()
    return next(iter(legal)) if len(legal) == 1 else None


def play_duel(duel: Duel, jobs: Jobs = 1, log: Journal | None = None) -> Iterator[Game]:
    """Play all deals and yield them in order, those that `log` holds already first; new ones are written to it.

    ``jobs`` is the number of threads, or a `Crew` of workers elsewhere.

    Raises:
        JournalError: `log` is of another duel. EngineError: a player gives no proper answer, or an external engine
            is to play elsewhere, where nobody would end it. FieldError: no duel, no journal. LimitError: ``jobs`` out
            of range.
    """
    check_type(duel, Duel, "duel")
    if log is not None:
        check_type(log, Journal, "log")
    if isinstance(jobs, Crew) and duel.external:
        raise EngineError("external engines (cmd:…) play on this machine only")
    logged: list[Game] = []
    tables: list[Table] = []
    seatings = duel.seatings()
    if log is not None:
        seatings = log.unanswered(seatings, lambda seating, answer: _take_up(duel, seating, answer, logged))
    try:
        # All that is logged has been read before the first deal is begun.
        for game in ordered_map(
            Table.play, seatings, state=partial(_new_table, duel, tables), jobs=jobs, interrupt=Table.leave
        ):
            yield from logged
            logged.clear()
            if log is not None:
                log.append(game_to_json(duel, game))
            yield game
        yield from logged
    finally:
        for each in tables:
            each.leave()


def _new_table(duel: Duel, tables: list[Table]) -> Table:
    """A table for one worker, kept among all of them so that it is left in the end."""
    table = Table(duel)
    tables.append(table)
    return table


def _take_up(duel: Duel, seating: Seating, answer: Answer, logged: list[Game]) -> bool:
    """Whether a line of the log is the deal that should stand there; if so, it is kept."""
    game = game_from_json(duel, seating, answer)
    if game is not None:
        logged.append(game)
    return game is not None


# The log: records that other commands read, with what the match needs beside


def game_to_json(duel: Duel, game: Game) -> Answer:
    """Return the record of a deal; what is only of this match stands under ``arena``."""
    deal, seating = game.deal, game.seating
    assert deal.hakem is not None
    names = (duel.a, duel.b)
    of_this_match = {
        **_settings(duel),
        "pair": seating.pair,
        "table": seating.table,
        "outcome": game.outcome.value,
        "points": game.points,
        "decisions": [clock.decisions for clock in game.clocks],
        "ms": [round(clock.ms, 3) for clock in game.clocks],
    }
    record = Record(
        deal.hands,
        deal.hakem,
        game.trump,
        tuple(deal.first_five or ()),
        game.plays,
        players={seat: names[player_at(seat, seating.table)] for seat in Seat},
        event=f"pair {seating.pair + 1} of {duel.pairs}, table {seating.table + 1}",
        extra={"arena": of_this_match},
    )
    return record_to_json(record)


def game_from_json(duel: Duel, seating: Seating, answer: Answer) -> Game | None:
    """Read a record back; None if it is not this deal of this duel."""
    deal, asked = duel.deal(seating.pair), {**_settings(duel), "pair": seating.pair, "table": seating.table}
    try:
        record = record_from_json(answer)
        arena = answer["arena"]
        if record.deal != deal or any(arena[key] != asked[key] for key in asked):
            return None
        clocks = [_clock_from_json(*pair) for pair in zip(arena["decisions"], arena["ms"], strict=True)]
        outcome = Outcome(arena["outcome"])
        if record.trump is None or record.positions()[-1].outcome() != outcome:
            return None
        return Game(seating, deal, record.trump, record.plays, outcome, (clocks[0], clocks[1]))
    except (KeyError, TypeError, ValueError, IndexError):
        return None


def _clock_from_json(decisions: object, ms: object) -> Clock:
    if not isinstance(decisions, int) or not isinstance(ms, (int, float)):
        raise TypeError("a clock holds two numbers")
    if not 0 <= decisions < MOST_TOLD or not 0 <= ms < MOST_TOLD:
        raise ValueError("a clock holds numbers of a sensible size")
    return Clock(decisions, ms)


def _settings(duel: Duel) -> Answer:
    """What makes two duels the same, the number of pairs excepted: a match may be made longer."""
    return {"a": duel.a, "b": duel.b, "seed": duel.seed, "same_worlds": duel.same_worlds}


# The result


@dataclass(slots=True)
class Rates:
    """How often deals ended how, from one point of view."""

    deals: int = 0
    win: int = 0
    kot: int = 0
    hakem_koti: int = 0

    def add(self, won: bool, outcome: Outcome) -> None:
        """Count a deal: whether it was won, and how it ended."""
        self.deals += 1
        self.win += won
        self.kot += won and outcome == Outcome.KOT
        self.hakem_koti += won and outcome == Outcome.HAKEM_KOTI

    def shares(self) -> dict[str, float]:
        """``win``, ``kot`` and ``hakem_koti`` as shares of all deals, of which there must be one."""
        counts = {"win": self.win, "kot": self.kot, "hakem_koti": self.hakem_koti}
        return {name: round(count / self.deals, 6) for name, count in counts.items()}


class Standing:
    """The result of a duel so far; only pairs of which both deals are played count.

    Attributes:
        duel: the duel.
        clocks: the time taken by A and by B.
        rates: deals won by A and by B, and kots and hakem kotis they made.
        hakem: the same for hakem's side, whoever sat there; here hakem koti is what the other side made.
    """

    def __init__(self, duel: Duel) -> None:
        """Start at nothing.

        Raises:
            FieldError: no duel.
        """
        check_type(duel, Duel, "duel")
        self.duel = duel
        self._first: Game | None = None  # of the pair that is not complete yet
        self._means: list[float] = []
        self.clocks = (Clock(), Clock())
        self.rates = (Rates(), Rates())
        self.hakem = Rates()

    @property
    def pairs(self) -> int:
        """Pairs that are complete."""
        return len(self._means)

    @property
    def points(self) -> float:
        """Points a deal that A gained, over complete pairs, of which there must be one."""
        return fmean(self._means)

    @property
    def points_se(self) -> float | None:
        """The standard error of `points`, None with fewer than two pairs."""
        return stdev(self._means) / sqrt(self.pairs) if self.pairs > 1 else None

    def add(self, game: Game) -> None:
        """Count the next deal.

        Raises:
            FieldError: it is none.
        """
        check_type(game, Game, "game")
        first, self._first = self._first, game
        if first is None:
            return
        self._first = None
        self._means.append((first.points + game.points) / 2)
        for each in (first, game):
            self._count(each)

    def _count(self, game: Game) -> None:
        for who in (0, 1):
            self.clocks[who].add(game.clocks[who])
            self.rates[who].add(game.outcome.hakem_wins == (game.hakem_is == who), game.outcome)
        self.hakem.add(True, game.outcome)
        self.hakem.win -= not game.outcome.hakem_wins

    def to_json(self) -> dict[str, Any]:
        """The object ``hokm-solver/arena/1``; there must be a complete pair."""
        error = self.points_se
        return {
            "schema": SCHEMA,
            "a": self.duel.a,
            "b": self.duel.b,
            "pairs": self.pairs,
            "seed": self.duel.seed,
            "same_worlds": self.duel.same_worlds,
            "points": round(self.points, 6),
            "points_se": None if error is None else round(error, 6),
            "ms": {name: _rounded(clock.mean) for name, clock in zip(NAMES, self.clocks)},
            "rates": {
                **self.hakem.shares(),
                **{name: rates.shares() for name, rates in zip(NAMES, self.rates)},
            },
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
