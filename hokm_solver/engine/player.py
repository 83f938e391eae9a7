"""Players: the engine at its ten levels, policies alone, and all of them by name.

The engine values the legal cards over sampled worlds and plays the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from hokm_solver.cards import Card, CardSet, Seat
from hokm_solver.dealing import SplitMix64
from hokm_solver.defaults import MOST_WORLDS, SEED_LIMIT
from hokm_solver.engine.baselines import PimcPlayer, RuleTrump, SearchPlayer
from hokm_solver.engine.choice import (
    LEVELS,
    NO_LIMITS,
    Candidate,
    Choice,
    Limits,
    TrumpChoice,
    check_card_question,
    check_level,
    check_trump_question,
)
from hokm_solver.engine.policies import HOTTEST, KINDS, Kind, card_at, make_policy, record_of
from hokm_solver.engine.sense import sensible_cards
from hokm_solver.engine.trumps import trump_by_playouts, trump_by_rule
from hokm_solver.engine.valuing import Budget, CardRace
from hokm_solver.engine.view import View
from hokm_solver.engine.worth import worth_at
from hokm_solver.errors import FieldError, check_type, is_positive, quote
from hokm_solver.sampling import check_seed

DEFAULT_SEED = 1
MOST_UNASKED = 50_000  # worlds, where only time or playouts are limited


class Opponent(Protocol):
    """What every player can do. Its decisions depend on what it is shown, its settings and the limits, nothing else."""

    def choose_card(self, view: View, limits: Limits = NO_LIMITS) -> Choice:
        """Choose a legal card from what one seat sees."""

    def choose_trump(
        self,
        five: Iterable[Card],
        hakem: Seat = Seat.N,
        score: tuple[int, int] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> TrumpChoice:
        """Choose trump from hakem's first five cards."""


class PolicyPlayer(RuleTrump):
    """A policy alone: no worlds, no values; microseconds a card."""

    def __init__(self, kind: Kind, temperature: float = 0.0, seed: int = DEFAULT_SEED, sensible: bool = False) -> None:
        """Make a player; a ``sensible`` one never ruffs partner's sure winner, whatever its policy.

        Raises:
            FieldError: no such policy, a temperature that is not 0 to 1000, or a seed outside 0 … 2⁶⁴ − 1.
        """
        if kind not in KINDS:
            raise FieldError(f"kind must be one of {' '.join(KINDS)}, not {quote(kind)}", field="kind")
        if not (is_positive(temperature) or temperature == 0) or temperature > HOTTEST:
            allowed = f"a number from 0 to {HOTTEST}"
            raise FieldError(f"temperature must be {allowed}, not {quote(temperature)}", field="temperature")
        check_seed(seed)
        self.kind, self.temperature, self.seed, self.sensible = kind, temperature, seed, sensible

    def choose_card(self, view: View, limits: Limits = NO_LIMITS) -> Choice:
        """Choose the policy's card; the candidates have no values."""
        check_card_question(view, limits)
        legal = view.legal_cards()
        allowed = sensible_cards(view) if self.sensible else legal
        hand = view.held - (legal - allowed)
        seed = limits.seed_or(self.seed)
        card = make_policy(self.kind, self.temperature).choose(record_of(view), hand.bits, seed)
        return Choice(card_at(card), tuple(map(Candidate, legal)))


@dataclass(frozen=True, slots=True)
class Level:
    """How well a level plays.

    Attributes:
        temperature: of the policy, which plays alone where there are no worlds.
        worlds: in which a card is valued.
        trump_worlds: in which a trump is valued; with none the longest suit is called.
    """

    temperature: float = 0.0
    worlds: int = 0
    trump_worlds: int = 0


LEVEL = MappingProxyType(
    {
        1: Level(temperature=4.2),
        2: Level(temperature=3.5),
        3: Level(temperature=2.9),
        4: Level(temperature=2.35),
        5: Level(temperature=1.9),
        6: Level(temperature=1.5),
        7: Level(temperature=1.1),
        8: Level(temperature=0.7),
        9: Level(worlds=16, trump_worlds=500),
        10: Level(worlds=2000, trump_worlds=4000),
    }
)


class Player:
    """The engine at one of ten levels.

    Without limits a level values its own number of worlds. A limit on time or playouts alone lets it value as many as
    fit. Thread-safety: nothing changes after construction; any number of threads may use one player.
    """

    def __init__(self, level: int = LEVELS[-1], seed: int = DEFAULT_SEED, limits: Limits = NO_LIMITS) -> None:
        """Make a player; ``limits`` hold for decisions that are given none of their own.

        Raises:
            LimitError: ``level`` is not 1 to 10. FieldError: a seed outside 0 … 2⁶⁴ − 1, or no limits.
        """
        check_level(level)
        check_seed(seed)
        check_type(limits, Limits, "limits")
        self.level, self.seed, self.limits = level, seed, limits

    def choose_card(self, view: View, limits: Limits = NO_LIMITS) -> Choice:
        """Choose a card. Candidates have points, hakem's side's view, unless the level plays by its policy alone.

        Raises:
            FieldError: no view, or no limits.
        """
        check_card_question(view, limits)
        limits = self._complete(limits)
        level = LEVEL[limits.level or self.level]
        if not level.worlds:
            return PolicyPlayer("learned", level.temperature, self.seed, sensible=True).choose_card(view, limits)
        seed = (limits.seed_or(self.seed) + len(view.plays)) % SEED_LIMIT
        race = self.race(view, seed)
        race.run(Budget.of(limits, level.worlds, MOST_UNASKED))
        return _choice(view, race, seed)

    def race(self, view: View, seed: int) -> CardRace:
        """Return the race that decides about a card; a player to be compared with this one may run another."""
        return CardRace(view, make_policy("learned"), seed)

    def choose_trump(
        self,
        five: Iterable[Card],
        hakem: Seat = Seat.N,
        score: tuple[int, int] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> TrumpChoice:
        """Choose trump by playouts of the same worlds under the four suits; the lowest levels by a rule.

        Raises:
            DealError: not five different cards. FieldError: an argument of the wrong type, or a score at which no deal
                is played.
        """
        check_trump_question(hakem, score, limits)
        limits = self._complete(limits)
        level = LEVEL[limits.level or self.level]
        if not level.trump_worlds:
            return trump_by_rule(five)
        budget = Budget.of(limits, level.trump_worlds, MOST_UNASKED)
        return trump_by_playouts(five, budget, limits.seed_or(self.seed), worth_at(score, hakem))

    def _complete(self, limits: Limits) -> Limits:
        """These limits, with the player's own amount of work where they name none."""
        if limits.time_ms is None and limits.worlds is None and limits.nodes is None:
            own = self.limits
            return replace(limits, time_ms=own.time_ms, worlds=own.worlds, nodes=own.nodes)
        return limits


def _choice(view: View, race: CardRace, seed: int) -> Choice:
    """The best card of a race, any of its run, and the values of all legal cards."""
    runs = race.runs()
    best = race.best(sensible_cards(view))
    values = {card: race.points(k) for k, run in enumerate(runs) for card in run}
    candidates = tuple(Candidate(card, *values[card]) for card in view.legal_cards())
    return Choice(_any_of(runs[best], seed), candidates, int(race.counts[best]))


def _any_of(run: CardSet, seed: int) -> Card:
    """One of several equal cards, by chance: always the same one would tell the table who holds the others."""
    cards = tuple(run)
    return cards[SplitMix64(seed).below(len(cards))]


@dataclass(frozen=True, slots=True)
class _Named:
    """A kind of player: how to make it from its options and a seed, and the options it has, each with its reader."""

    make: Callable[[Mapping[str, int | float], int], Opponent]
    options: Mapping[str, Callable[[str], int | float]]


def _engine(options: Mapping[str, int | float], seed: int) -> Player:
    worlds = options.get("worlds")
    limits = Limits(time_ms=options.get("ms"), worlds=None if worlds is None else int(worlds))
    return Player(int(options.get("level", LEVELS[-1])), seed, limits)


_MOST = {"ms": 600_000, "worlds": MOST_WORLDS, "level": LEVELS[-1]}  # as the protocol has it
_NAMED: Mapping[str, _Named] = {
    "random": _Named(lambda options, seed: PolicyPlayer("random", seed=seed), {}),
    "greedy": _Named(lambda options, seed: PolicyPlayer("greedy", seed=seed), {}),
    "rules": _Named(lambda options, seed: PolicyPlayer("rules", seed=seed), {}),
    "learned": _Named(lambda options, seed: PolicyPlayer("learned", seed=seed), {}),
    "engine": _Named(_engine, {"ms": float, "worlds": int, "level": int}),
    "pimc": _Named(lambda options, seed: PimcPlayer(int(options.get("worlds", 40)), seed), {"worlds": int}),
    "search": _Named(lambda options, seed: SearchPlayer(int(options.get("worlds", 768)), seed), {"worlds": int}),
}


def make_player(name: str, seed: int = DEFAULT_SEED) -> Opponent:
    """Make a player from its name, with options after a colon: ``engine:ms=20,level=9``, ``pimc:worlds=40``.

    Raises:
        FieldError: no such player or option, a value that is no number above 0, or a seed outside 0 … 2⁶⁴ − 1.
        LimitError: a level out of range.
    """
    check_type(name, str, "player")
    kind, _, text = name.partition(":")
    if kind not in _NAMED:
        raise FieldError(f"unknown player {quote(name)}: there are {', '.join(_NAMED)}", field="player")
    named = _NAMED[kind]
    options = dict(_option(name, part, named.options) for part in text.split(",") if text)
    return named.make(options, seed)


def _option(name: str, part: str, known: Mapping[str, Callable[[str], int | float]]) -> tuple[str, int | float]:
    key, _, text = part.partition("=")
    if key not in known:
        raise FieldError(f"player {quote(name)} has no option {quote(key)}", field="player")
    try:
        value = known[key](text)
    except ValueError:
        value = 0
    if not 0 < value <= _MOST[key]:
        number = f"a {'whole ' if known[key] is int else ''}number above 0 and at most {_MOST[key]:,}"
        raise FieldError(f"{key} of player {quote(name)} must be {number}, not {quote(text)}", field="player")
    return key, value
