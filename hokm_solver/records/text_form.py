"""Records as text for people and editors: tag pairs in the style of PBN, then the tricks, one a line.

docs/formats.md tells the grammar. What is read becomes the JSON form and is then read as such, so both forms accept the
same; added here is the line in which each field stands, for errors.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from hokm_solver.cards import Seat, Side
from hokm_solver.errors import FieldError, HokmError, NotationError, check_type, quote
from hokm_solver.lines import Line
from hokm_solver.notation import format_cards, format_hands, parse_score, parse_seat
from hokm_solver.records.json_form import FORMAT, VERSION, changed_rules, record_from_json
from hokm_solver.records.record import NAMES, Record, in_field
from hokm_solver.tokens import read_cards

TRICK = 4  # cards in a line of play
PLAY, EXTRA = "play", "extra"
_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_TAG = re.compile(rf'\[\s*(?P<name>{_NAME.pattern})\s*(?P<value>"(?:[^"\\]|\\.)*")\s*\]\s*(?:;.*)?')
_WORDS = {"true": True, "false": False}
_OPTION = re.compile(r"(?P<name>\w+)=(?P<value>[0-9]{1,9}|true|false)")


class _Tag(NamedTuple):
    """A tag, the JSON field it stands for, what is written, and how that becomes the JSON value again."""

    name: str
    field: str
    write: Callable[[Record], str | None]
    read: Callable[[str], object]


def _name_of(seat: Seat) -> Callable[[Record], str | None]:
    return lambda record: record.players.get(seat)


def _five(record: Record) -> str | None:
    return None if record.first_five is None else format_cards(record.first_five)


def _score(record: Record) -> str | None:
    return None if record.score is None else ",".join(f"{side}:{record.score[side]}" for side in Side)


def _rules(record: Record) -> str | None:
    return " ".join(f"{name}={json.dumps(value)}" for name, value in changed_rules(record.rules).items()) or None


def _read_version(text: str) -> object:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text


def _read_score(text: str) -> object:
    return dict(zip(("NS", "WE"), parse_score(text)))


def _read_rules(text: str) -> object:
    options: dict[str, object] = {}
    for word in text.replace(",", " ").split():
        found = _OPTION.fullmatch(word)
        if found is None or found["name"] in options:
            raise NotationError(f"rules are written kot=3 second_ace=true, each once, not {quote(text)}")
        options[found["name"]] = _WORDS[found["value"]] if found["value"] in _WORDS else int(found["value"])
    return options


_TAGS = (
    _Tag("Version", "version", lambda record: str(VERSION), _read_version),
    _Tag("Event", "event", lambda record: record.event, str),
    _Tag("Date", "date", lambda record: record.date, str),
    _Tag("North", "players.N", _name_of(Seat.N), str),
    _Tag("West", "players.W", _name_of(Seat.W), str),
    _Tag("South", "players.S", _name_of(Seat.S), str),
    _Tag("East", "players.E", _name_of(Seat.E), str),
    _Tag("Hakem", "hakem", lambda record: record.hakem.name, str),
    _Tag("Trump", "trump", lambda record: None if record.trump is None else record.trump.letter, str),
    _Tag("FirstFive", "first_five", _five, str),
    _Tag("Deal", "hands", lambda record: format_hands(record.hands), str),
    _Tag("Score", "score", _score, _read_score),
    _Tag("Rules", "rules", _rules, _read_rules),
)
_KNOWN = {tag.name.lower(): tag for tag in _TAGS}


# Writing


def record_to_text(record: Record) -> str:
    """Return the lines that :func:`record_from_text` reads back: none is empty, and the last one has no end.

    Raises:
        FieldError: it is no record.
    """
    check_type(record, Record, "record")
    tags = [(tag.name, text) for tag in _TAGS if (text := tag.write(record)) is not None]
    own = {name: value for name, value in record.extra.items() if isinstance(value, str) and _is_free(name)}
    others = {name: value for name, value in record.extra.items() if name not in own}
    tags += own.items()
    if others:
        tags.append((EXTRA.title(), json.dumps(others)))
    if record.plays:
        tags.append((PLAY.title(), record.hakem.name))
    tricks = [format_cards(record.plays[start : start + TRICK]) for start in range(0, len(record.plays), TRICK)]
    return "\n".join([f"[{name} {_quoted(value)}]" for name, value in tags] + tricks)


def _is_free(name: str) -> bool:
    """Whether a tag of this name means nothing to us, so that it can be given to a field we do not know."""
    return _NAME.fullmatch(name) is not None and name.lower() not in {*_KNOWN, PLAY, EXTRA}


def _quoted(value: str) -> str:
    """A JSON string, readable where it can be: half a character that JSON let through is no UTF-8."""
    return json.dumps(value, ensure_ascii=any(unicodedata.category(char) == "Cs" for char in value))


# Reading


def record_from_text(text: str) -> Record:
    """Read one record; ``line`` of an error counts from 1.

    Raises:
        HokmError: as `record_from_json`, and NotationError for a line that is neither a tag nor part of the play.
    """
    check_type(text, str, "text")
    lines = enumerate(text.split("\n"), start=1)
    return record_from_lines(Line(number, line.encode("utf-8", "surrogatepass")) for number, line in lines)


def record_from_lines(lines: Iterable[Line]) -> Record:
    """Read one record from its lines, as :func:`record_from_text` does."""
    reading = _Reading()
    for line in lines:
        try:
            reading.add(line)
        except HokmError as error:
            raise error.at_line(line.number) from None
    return reading.record()


def is_comment(line: Line) -> bool:
    """Whether a line is there for people only."""
    return line.raw is not None and line.raw.lstrip().startswith((b"%", b";"))


class _Reading:
    """A record being read: its JSON form so far, and in which line each field stands."""

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {"format": FORMAT}
        self._players: dict[str, object] = {}
        self._extra: dict[str, object] = {}
        self._line_of: dict[str, int] = {}
        self._line_of_tag: dict[str, int] = {}  # fields may have the names of other fields' tags
        self._leader: str | None = None
        self._plays: list[str] = []
        self._line_of_play: list[int] = []
        self._last = 1

    def add(self, line: Line) -> None:
        """Read a line."""
        if is_comment(line) or not line.text:
            return
        self._last = line.number
        text = line.text
        tag = _TAG.fullmatch(text)
        if tag is not None:
            with in_field(tag["name"]):
                self._add_tag(tag["name"], _unquoted(tag["value"]), line.number)
        elif PLAY in self._line_of_tag:
            self._add_plays(text.partition(";")[0], line.number)
        else:
            raise NotationError(f'{quote(text)} is no tag; tags are written [Event "..."]')

    def record(self) -> Record:
        """The record, when all lines are read."""
        whole = {**self._fields, "players": self._players, "plays": self._plays, **self._extra}
        try:
            record = record_from_json(whole)
            self._check_leader(record)
        except HokmError as error:
            raise error.at_line(self._line_with(error.field or "")) from None
        return record

    def _check_leader(self, record: Record) -> None:
        with in_field("plays"):
            if self._leader is not None and parse_seat(self._leader) != record.hakem:
                raise FieldError(f"hakem {record.hakem} leads first, not {quote(self._leader)}")

    def _add_tag(self, name: str, text: str, line: int) -> None:
        plain = name.lower()
        key = name if _is_free(name) else plain
        if key in self._line_of_tag:
            raise FieldError(f"tag {name} comes twice, first in line {self._line_of_tag[key]}", field=name)
        self._line_of_tag[key] = line
        if plain in _KNOWN:
            self._add_known(_KNOWN[plain], text, line)
        elif plain == PLAY:
            self._leader, self._line_of["plays"] = text, line
        else:
            self._add_extra(_object(text) if plain == EXTRA else {name: text}, line)

    def _add_known(self, tag: _Tag, text: str, line: int) -> None:
        self._line_of[tag.field] = line
        try:
            value = tag.read(text)
        except NotationError as error:
            raise error.in_field(tag.field) from None
        whole, _, part = tag.field.partition(".")
        if part:
            self._players[part] = value
        else:
            self._fields[whole] = value

    def _add_extra(self, more: dict[str, object], line: int) -> None:
        for name, value in more.items():
            if name in NAMES or name in self._extra:
                raise FieldError(f"{quote(name)} cannot be given here, it has a place of its own", field=name)
            self._extra[name] = value
            self._line_of[name] = line

    def _add_plays(self, text: str, line: int) -> None:
        try:
            for card, _ in read_cards(text):
                self._plays.append(str(card))
                self._line_of_play.append(line)
        except NotationError as error:
            raise error.in_field("plays") from None

    def _line_with(self, field: str) -> int:
        """The line where a field stands, the last one for what is missing."""
        if field.startswith("plays["):
            return self._line_of_play[int(field[len("plays[") : -1])]
        found = self._line_of.get(field) or self._line_of.get(re.split(r"[.\[]", field)[0])
        return found or self._last


def _unquoted(value: str) -> str:
    try:
        text: str = json.loads(value, strict=False)
    except ValueError:
        raise NotationError(f"{quote(value)} has a backslash that means nothing; a backslash itself is two") from None
    return text


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise FieldError(f"Extra holds a JSON object, not {quote(text)}", field=EXTRA)
    return value
