"""Records as JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from hokm_solver.cards import Card, Seat, Side
from hokm_solver.deal import Hands
from hokm_solver.errors import FieldError, RulesError, check_type, quote
from hokm_solver.notation import (
    cards_from_json,
    hands_from_json,
    hands_to_json,
    named_from_json,
    needed_from_json,
    parse_seat,
    parse_suit,
    sides_from_json,
)
from hokm_solver.records.record import NAMES, Record, in_field
from hokm_solver.rules import DEFAULT_RULES, Rules
from hokm_solver.tokens import read_cards

FORMAT = "hokm-record"
VERSION = 1

Json = dict[str, Any]


def record_from_json(obj: object) -> Record:
    """Read a record from a JSON object; fields that are not known are kept.

    Raises:
        FieldError: a field is missing, of the wrong type or out of range.
        NotationError: a field cannot be read.
        DealError, IllegalPlay: the deal, or a play, cannot be.
        RulesError: rules that make no game, or a house rule that is not played here.

    All errors name their field.
    """
    if not isinstance(obj, Mapping):
        raise FieldError(f"a record is a JSON object, not {quote(obj)}")
    _check_version(obj)
    return Record(
        hands=_hands(obj.get("hands")),
        hakem=needed_from_json(obj, "hakem", parse_seat),
        trump=named_from_json(obj, "trump", parse_suit),
        first_five=None if obj.get("first_five") is None else cards_from_json(obj["first_five"], "first_five"),
        plays=_plays(obj.get("plays")),
        score=sides_from_json(obj.get("score"), "score"),
        rules=_rules(obj.get("rules")),
        players=_players(obj.get("players")),
        event=named_from_json(obj, "event", str),
        date=named_from_json(obj, "date", str),
        extra={name: value for name, value in obj.items() if name not in NAMES},
    )


def record_to_json(record: Record) -> Json:
    """Return the object that :func:`record_from_json` reads back; what is not known is left out.

    Raises:
        FieldError: it is no record.
    """
    check_type(record, Record, "record")
    whole: Json = {
        "format": FORMAT,
        "version": VERSION,
        "event": record.event,
        "date": record.date,
        "players": {seat.name: record.players[seat] for seat in Seat if seat in record.players} or None,
        "hakem": record.hakem.name,
        "trump": None if record.trump is None else record.trump.letter,
        "first_five": None if record.first_five is None else [str(card) for card in record.first_five],
        "hands": hands_to_json(record.hands),
        "plays": [str(card) for card in record.plays],
        "score": None if record.score is None else {side.name: record.score[side] for side in Side},
        "rules": changed_rules(record.rules) or None,
    }
    return {name: value for name, value in whole.items() if value is not None} | dict(record.extra)


def _check_version(obj: Mapping[str, object]) -> None:
    if obj.get("format") != FORMAT:
        given = f", not {quote(obj['format'])}" if "format" in obj else ""
        raise FieldError(f'format must be "{FORMAT}"{given}', field="format")
    version = obj.get("version", VERSION)
    if isinstance(version, bool) or version != VERSION:
        raise FieldError(f"version must be {VERSION}, not {quote(version)}", field="version")


def _hands(value: object) -> Hands:
    if value is None:
        raise FieldError("hands are missing", field="hands")
    with in_field("hands"):
        return hands_from_json(value)


def _plays(value: object) -> tuple[Card, ...]:
    """The cards played; unlike other lists a text may name a card twice, which the record then refuses by its trick."""
    if not isinstance(value, str):
        return cards_from_json(value, "plays")
    with in_field("plays"):
        return tuple(card for card, _ in read_cards(value))


def _rules(value: object) -> Rules:
    if value is None:
        return DEFAULT_RULES
    if not isinstance(value, Mapping):
        raise FieldError(f"rules must be an object with options by name, not {quote(value)}", field="rules")
    try:
        return Rules.from_options(value)
    except RulesError as error:
        raise error.in_field("rules") from None


def changed_rules(rules: Rules) -> Json:
    """The options of rules that are not the default ones, by name."""
    values = {option.name: getattr(rules, option.name) for option in fields(Rules)}
    return {name: value for name, value in values.items() if value != getattr(DEFAULT_RULES, name)}


def _players(value: object) -> dict[Seat, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise FieldError(f"players must be an object with names by seat, not {quote(value)}", field="players")
    for seat, name in value.items():
        if seat not in Seat.__members__:
            raise FieldError(f"players names an unknown seat {quote(seat)}", field="players")
        if not isinstance(name, str):
            raise FieldError(f"players.{seat} must be text, not {quote(name)}", field=f"players.{seat}")
    return {Seat[seat]: name for seat, name in value.items()}
