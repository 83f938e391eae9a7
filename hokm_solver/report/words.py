"""A language: its texts filled in, its figures, and its names of cards, seats and sides.

Cards, scores and names stand inside longer texts of either direction, so they are wrapped in Unicode isolates, which
work where there is no markup: in labels, titles, pictures and terminals.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor

from hokm_solver.cards import Card, Rank, Seat, Side, Suit
from hokm_solver.report.cells import cut
from hokm_solver.report.messages import LANGUAGES, MESSAGES, Language
from hokm_solver.rules import TRICKS_TO_WIN, Outcome, outcome_of_margin

DIRECTIONS: Mapping[Language, str] = {"en": "ltr", "fa": "rtl"}

LEFT_TO_RIGHT, FIRST_STRONG, END = "\u2066", "\u2068", "\u2069"  # isolates
JOINED = "\u2060"  # no line ends here
LEFT_MARK = "\u200e"  # keeps a sign before its number
AS_TEXT = "\ufe0e"  # a suit symbol as a letter, not as a coloured picture
MINUS = "\u2212"
LONGEST_NAME = 40
LONGEST_IN_LINE = 16
ALMOST_NONE = 0.001
_PERSIAN_DIGITS = str.maketrans("0123456789.,", "۰۱۲۳۴۵۶۷۸۹٫٬")
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Words:
    """One language: its texts, figures and names of cards and seats."""

    language: Language = "en"

    @property
    def direction(self) -> str:
        """``ltr`` or ``rtl``."""
        return DIRECTIONS[self.language]

    def say(self, message: str, /, **values: str) -> str:
        """A message with its places filled.

        Raises:
            KeyError: there is no such message, or a place is left open.
        """
        return MESSAGES[message][LANGUAGES.index(self.language)].format_map(values)

    def number(self, value: float, decimals: int = 0) -> str:
        """A number without a sign, in the digits of the language; whole ones of any size."""
        return self.digits(f"{value:,d}" if isinstance(value, int) else f"{value:,.{decimals}f}")

    def signed(self, value: float, decimals: int = 0) -> str:
        """A number with its sign; nothing is ``0`` or ``0.00``."""
        shown = self.number(abs(value), decimals)
        if not set(shown) - set(self.digits("0.")):
            return shown
        sign = "+" if value > 0 else MINUS
        return f"{sign}{shown}" if self.language == "en" else f"{LEFT_MARK}{sign}{shown}"

    def estimate(self, value: float, error: float) -> str:
        """A figure and its standard error."""
        return f"{self.number(value, 2)} ± {self.number(error, 2)}"

    def points(self, count: int, signed: bool = False) -> str:
        """``1 point``, ``2 points``; with a sign ``−1 point``."""
        shown = self.signed(count) if signed else self.number(count)
        return self.say("points.one" if abs(count) == 1 else "points", count=shown)

    def score(self, margin: int) -> str:
        """How a deal of this margin ends: in English hakem's side first, in Persian, as players say it, the winners."""
        hakem, others = tricks_of(margin)
        if self.language == "en":
            return f"{hakem}{JOINED}–{JOINED}{others}"
        return f"{self.number(max(hakem, others))} بر {self.number(min(hakem, others))}"

    def result(self, margin: int) -> str:
        """The result in words and tricks: ``win 7–4``; hakem's side's view."""
        outcome: Outcome = outcome_of_margin(margin)
        return self.say(outcome.value, score=self.score(margin))

    def worth(self, margin: int, points: int) -> str:
        """The result with points and margin; hakem's side's view."""
        told = {"result": self.result(margin), "points": self.points(points, signed=True)}
        return self.say("worth", margin=self.signed(margin), **told)

    def suit(self, suit: Suit) -> str:
        """The name of a suit."""
        return self.say(suit.letter)

    def rank(self, rank: Rank) -> str:
        """What stands in the corner of a card: courts as letters, as printed on cards in Iran too."""
        return self.digits("10" if rank == Rank.TEN else rank.letter)

    def card(self, card: Card) -> str:
        """A card as it is shown in a text: ``A♥``."""
        return f"{LEFT_TO_RIGHT}{self.rank(card.rank)}{card.suit.symbol}{AS_TEXT}{END}"

    def cards(self, cards: Iterable[Card]) -> str:
        """Several cards."""
        return " ".join(map(self.card, cards))

    def spoken(self, card: Card) -> str:
        """A card as it is read aloud: ``ace of hearts``."""
        rank = card.rank.persian if self.language == "fa" else card.rank.name.lower()
        return self.say("card", rank=rank, suit=self.suit(card.suit))

    def seat(self, seat: Seat) -> str:
        """The name of a seat."""
        return self.say(f"{seat.name}.seat")

    def side(self, side: Side) -> str:
        """The name of a side."""
        return self.say(side.name)

    def player(self, seat: Seat, players: Mapping[Seat, str]) -> str:
        """A seat with the name of its player, where it is known."""
        if not players.get(seat):
            return self.seat(seat)
        return self.say("named", seat=self.seat(seat), name=self.name(players[seat]))

    def name(self, name: str, longest: int = LONGEST_NAME) -> str:
        """A name from a record, made safe and cut."""
        return isolated(name, longest)

    def digits(self, text: object) -> str:
        """A number as it stands, in the digits of the language."""
        return str(text).translate(_PERSIAN_DIGITS) if self.language == "fa" else str(text)


ENGLISH = Words("en")


@dataclass(frozen=True)
class TerminalWords(Words):
    """The same for columns of characters: English is short and ASCII but for suits; Persian keeps whole names."""

    def suit(self, suit: Suit) -> str:
        """The symbol of a suit; in Persian its name."""
        return suit.symbol if self.language == "en" else super().suit(suit)

    def card(self, card: Card) -> str:
        """A card in a column: ``A♥``."""
        return self.marked_card(card)

    def marked_card(self, card: Card, forced: bool = False, mark: str = "") -> str:
        """A card in a column with the mark of its play; one that was forced stands in brackets."""
        shown = f"{self.rank(card.rank)}{card.suit.symbol}"
        shown = f"({shown})" if forced else shown + mark
        return shown if self.language == "en" else _left_to_right(shown)

    def told(self, cards: Iterable[Card], between: str = " ") -> str:
        """Cards in a sentence: ``A♥ 10♠``; in Persian their names, with a comma between them."""
        if self.language == "en":
            return between.join(map(self.card, cards))
        return self.comma.join(map(self.spoken, cards))

    def seat(self, seat: Seat) -> str:
        """The letter of a seat; in Persian its name."""
        return seat.name if self.language == "en" else super().seat(seat)

    def side(self, side: Side) -> str:
        """The letters of a side; in Persian its name."""
        return side.name if self.language == "en" else super().side(side)

    def name(self, name: str, longest: int = LONGEST_IN_LINE) -> str:
        """A name from a record, made safe and cut short."""
        return name_text(name, longest) if self.language == "en" else isolated(name, longest)

    def signed(self, value: float, decimals: int = 0) -> str:
        """A number with its sign."""
        return f"{value:+.{decimals}f}" if self.language == "en" else _left_to_right(super().signed(value, decimals))

    def estimate(self, value: float, error: float, signed: bool = False) -> str:
        """A figure and its standard error."""
        if self.language == "en":
            return f"{f'{value:+.2f}' if signed else self.number(value, 2)} ± {self.number(error, 2)}"
        figure = super().signed(value, 2) if signed else self.number(value, 2)
        return _left_to_right(f"{figure} ± {self.number(error, 2)}")

    def score(self, margin: int) -> str:
        """How a deal of this margin ends: ``7-4``, hakem's side first; in Persian the winners first."""
        return "{}-{}".format(*tricks_of(margin)) if self.language == "en" else super().score(margin)

    def heads(self, names: Iterable[str]) -> list[str]:
        """The heads of columns, by name; none where the name is empty."""
        told = (self.say(f"head.{name}") if name else "" for name in names)
        return [f"{head[:1].lower()}{head[1:]}" for head in told]

    def kind(self, kind: str) -> str:
        """The class of a play, short."""
        return self.say("blunder.short" if kind == "blunder" else kind)

    def percent(self, share: float, decimals: int = 0) -> str:
        """A share in percent; a whole number is never 0 % or 100 % for what is not quite so."""
        whole = floor(100 * share + 0.5)
        if decimals == 0 and whole == 0 and share > 0:
            return self.say("percent.least")
        if decimals == 0 and whole == 100 and share < 1:
            return self.say("percent.most")
        return self.say("percent", number=self.number(100 * share, decimals) if decimals else self.number(whole))

    def chance(self, chance: float) -> str:
        """A chance in percent; as nobody can be certain of what was estimated, it is never 0 % or 100 %."""
        return self.percent(min(max(chance, ALMOST_NONE), 1 - ALMOST_NONE))

    def counted(self, what: str, count: int) -> str:
        """``1 deal``, ``2 deals``."""
        return self.say(f"{what}.one" if count == 1 else f"{what}.many", count=self.number(count))

    @property
    def comma(self) -> str:
        """What stands between the parts of a list."""
        return ", " if self.language == "en" else "، "

    def foreign(self, text: str) -> str:
        """A text that is English in every language: the message of an error."""
        return text if self.language == "en" else _left_to_right(text)

    def either(self, things: Sequence[str]) -> str:
        """``♥``, ``♥ or ♠``, ``♥, ♠ or ♣``."""
        *most, last = things
        return self.say("or", most=self.comma.join(most), last=last) if most else last

    def field(self, field: str) -> str:
        """A field of the JSON of a review, by its name; in Persian what it tells."""
        return field if self.language == "en" else self.say("plays.field" if field == "plays" else field)


TERMINAL = TerminalWords("en")


def tricks_of(margin: int) -> tuple[int, int]:
    """How many tricks hakem's side and the other have at the end of a deal of this margin."""
    return TRICKS_TO_WIN + min(margin, 0), TRICKS_TO_WIN - max(margin, 0)


def _left_to_right(text: str) -> str:
    return f"{LEFT_TO_RIGHT}{text}{END}"


def isolated(text: str, longest: int = LONGEST_NAME) -> str:
    """A text from a record, made safe and cut, that cannot turn the direction of what stands around it."""
    return f"{FIRST_STRONG}{name_text(text, longest)}{END}"


def name_text(name: str, longest: int = LONGEST_NAME) -> str:
    """A name from a file, cut, without characters that would move the cursor, hide others or turn their direction."""
    shown = "".join("?" if _is_unsafe(char) else char for char in name)
    return cut(shown, longest)


def _is_unsafe(char: str) -> bool:
    """Controls, lone surrogates, line ends, marks of direction, and what no file of XML may hold."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _TURNING or char in "\ufffe\uffff"
