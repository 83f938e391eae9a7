"""Requests and answers of the engine's protocol as JSON objects, read and written: one module for both ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from hokm_solver.cards import Card, CardSet, Seat, Side
from hokm_solver.defaults import MOST_WORLDS, SEED_LIMIT
from hokm_solver.engine.choice import LEVELS, Candidate, Choice, Limits, TrumpCandidate, TrumpChoice
from hokm_solver.engine.view import View
from hokm_solver.errors import FieldError, quote
from hokm_solver.match import check_score
from hokm_solver.notation import (
    cards_from_json,
    named_from_json,
    needed_from_json,
    parse_card,
    parse_seat,
    parse_suit,
    sides_from_json,
)
from hokm_solver.rules import FIRST_PACKET

Json = dict[str, Any]
DECIMALS = 6  # of points in answers: far below any standard error


class Range(NamedTuple):
    """What a limit may be: ``integer`` or ``number``, from `lowest` to `highest`."""

    kind: str
    lowest: int
    highest: int

    def allows(self, value: object) -> bool:
        """Whether the limit may have this value."""
        types = (int,) if self.kind == "integer" else (int, float)
        return isinstance(value, types) and not isinstance(value, bool) and self.lowest <= value <= self.highest

    def __str__(self) -> str:
        """Say it in words."""
        return f"{'a whole number' if self.kind == 'integer' else 'a number'} from {self.lowest} to {self.highest}"


LIMIT_RANGES = {
    "time_ms": Range("number", 1, 600_000),
    "worlds": Range("integer", 1, MOST_WORLDS),
    "nodes": Range("integer", 1, 10**12),
    "seed": Range("integer", 0, SEED_LIMIT - 1),
    "level": Range("integer", LEVELS[0], LEVELS[-1]),
}


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """Which card to play."""

    view: View
    limits: Limits


@dataclass(frozen=True, slots=True)
class TrumpQuestion:
    """Which trump to name."""

    five: tuple[Card, ...]
    hakem: Seat
    score: tuple[int, int] | None
    limits: Limits


# Questions


def card_question_from_json(obj: Mapping[str, object]) -> CardQuestion:
    """Read the fields of ``choose_card``.

    Raises:
        HokmError: with the field at fault; see `View`.
    """
    view = View(
        needed_from_json(obj, "seat", parse_seat),
        needed_from_json(obj, "hakem", parse_seat),
        needed_from_json(obj, "trump", parse_suit),
        CardSet.of(_different_cards(obj, "hand")),
        cards_from_json(obj.get("plays"), "plays"),
        None if obj.get("first_five") is None else CardSet.of(_different_cards(obj, "first_five")),
        sides_from_json(obj.get("score"), "score"),
    )
    return CardQuestion(view, limits_from_json(obj.get("limits")))


def trump_question_from_json(obj: Mapping[str, object]) -> TrumpQuestion:
    """Read the fields of ``choose_trump``; without a score it makes no difference where hakem sits.

    Raises:
        HokmError: with the field at fault.
    """
    five = _different_cards(obj, "cards")
    if len(five) != FIRST_PACKET:
        raise FieldError(f"hakem names trump from {FIRST_PACKET} cards, not {len(five)}", field="cards")
    score = sides_from_json(obj.get("score"), "score")
    if score is None:
        hakem = named_from_json(obj, "hakem", parse_seat) or Seat.N
    else:
        hakem = needed_from_json(obj, "hakem", parse_seat)
        check_score(hakem, score)
    return TrumpQuestion(five, hakem, score, limits_from_json(obj.get("limits")))


def limits_from_json(value: object) -> Limits:
    """Read the object ``limits``; null is no limits.

    Raises:
        FieldError: not an object, an unknown limit, or a value out of range.
    """
    if value is None:
        return Limits()
    if not isinstance(value, Mapping):
        raise FieldError(f"limits must be an object, not {quote(value)}", field="limits")
    for name, limit in value.items():
        if name not in LIMIT_RANGES:
            raise FieldError(f"unknown limit {quote(name)}, known are {' '.join(LIMIT_RANGES)}", field="limits")
        if limit is not None and not LIMIT_RANGES[name].allows(limit):
            where = f"limits.{name}"
            raise FieldError(f"{where} must be {LIMIT_RANGES[name]}, not {quote(limit)}", field=where)
    return Limits(**value)


def card_question_to_json(view: View, limits: Limits) -> Json:
    """Return the fields of ``choose_card``."""
    question: Json = {
        "command": "choose_card",
        "seat": view.seat.name,
        "hakem": view.hakem.name,
        "trump": view.trump.letter,
        "hand": _cards_to_json(view.hand),
        "plays": _cards_to_json(view.plays),
    }
    if view.first_five is not None:
        question["first_five"] = _cards_to_json(view.first_five)
    return question | _score_to_json(view.score) | _limits_to_json(limits)


def trump_question_to_json(five: Iterable[Card], hakem: Seat, score: tuple[int, int] | None, limits: Limits) -> Json:
    """Return the fields of ``choose_trump``."""
    question: Json = {"command": "choose_trump", "cards": _cards_to_json(five), "hakem": hakem.name}
    return question | _score_to_json(score) | _limits_to_json(limits)


# Answers


def choice_to_json(choice: Choice) -> Json:
    """Return the answer to ``choose_card``."""
    candidates = [{"card": str(each.card), **_value_to_json(each)} for each in choice.candidates]
    return {"card": str(choice.card), "candidates": candidates, "worlds": choice.worlds}


def trump_choice_to_json(choice: TrumpChoice) -> Json:
    """Return the answer to ``choose_trump``."""
    candidates = [{"trump": each.trump.letter, **_value_to_json(each)} for each in choice.candidates]
    return {"trump": choice.trump.letter, "candidates": candidates, "worlds": choice.worlds}


def choice_from_json(answer: Mapping[str, object]) -> Choice:
    """Read the card out of an answer to ``choose_card``, of whatever engine.

    Raises:
        FieldError, NotationError: there is no card in it.
    """
    return Choice(needed_from_json(answer, "card", parse_card), ())


def trump_choice_from_json(answer: Mapping[str, object]) -> TrumpChoice:
    """Read the trump out of an answer to ``choose_trump``, of whatever engine.

    Raises:
        FieldError, NotationError: there is no trump in it.
    """
    return TrumpChoice(needed_from_json(answer, "trump", parse_suit), ())


# Small helpers


def _different_cards(obj: Mapping[str, object], field: str) -> tuple[Card, ...]:
    if obj.get(field) is None:
        raise FieldError(f"{field} is missing", field=field)
    cards = cards_from_json(obj[field], field)
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise FieldError(f"{field}[{place}]: duplicate card {card}", field=f"{field}[{place}]")
    return cards


def _cards_to_json(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _score_to_json(score: tuple[int, int] | None) -> Json:
    return {} if score is None else {"score": {side.name: score[side] for side in Side}}


def _limits_to_json(limits: Limits) -> Json:
    given = {name: getattr(limits, name) for name in LIMIT_RANGES}
    given = {name: value for name, value in given.items() if value is not None}
    return {"limits": given} if given else {}


def _value_to_json(candidate: Candidate | TrumpCandidate) -> Json:
    return {"points": _rounded(candidate.points), "points_se": _rounded(candidate.points_se)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)
