"""Forgiving reading of cards: from text to rank and suit pieces, and from pieces to cards.

Persian rank and suit words can be written with or without a gap between them. That needs no guessing: no word in the
tables below is the beginning of another, so a run of letters falls into words in one way only. English words count only
between things that are no Latin letters; each has letters that stand for no rank and no suit, so none can be a run of
cards.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from hokm_solver.cards import Card, Rank, Seat, Suit
from hokm_solver.errors import NotationError, quote

LONGEST_TEXT = 2_000  # characters; a whole pack in Persian words has about 600

# Marks that leave no trace on paper: direction marks, joiners (the half-space is one), byte order mark, tatweel,
# and the selectors that choose between the emoji and the text form of a suit symbol.
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\u061c\ufeff"
_INVISIBLE += "\u0640\ufe0e\ufe0f"

_SAME = dict.fromkeys(map(ord, _INVISIBLE), "")
_SAME |= dict(zip(map(ord, "abcdefghijklmnopqrstuvwxyz"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
_SAME |= dict(zip(map(ord, "۰۱۲۳۴۵۶۷۸۹"), "0123456789"))
_SAME |= dict(zip(map(ord, "٠١٢٣٤٥٦٧٨٩"), "0123456789"))
_SAME |= dict(zip(map(ord, "يىكآأ"), "ییکاا"))
_SAME |= dict(zip(map(ord, "♤♡♢♧"), "♠♥♦♣"))
_SAME |= dict.fromkeys(map(ord, "\u00a0\u2009\u202f\t\r\n"), " ")

RANK_LETTERS = {rank.letter: rank for rank in Rank} | {"10": Rank.TEN, "X": Rank.TEN}
SUIT_LETTERS = {suit.letter: suit for suit in Suit} | {suit.symbol: suit for suit in Suit}


def _composed(text: str) -> str:
    """The text with accents joined to their letters, which takes long for many accents in a row."""
    if len(text) > LONGEST_TEXT:
        raise NotationError(f"{quote(text)} is too long: {len(text):,} characters, {LONGEST_TEXT:,} are the most")
    return unicodedata.normalize("NFC", text)


def normalise(text: str) -> str:
    """Return ``text`` with one spelling for what looks or means the same.

    Capital Latin letters, ASCII digits, Persian forms of Arabic letters, filled suit symbols, plain spaces, and none
    of the invisible marks. Python's own ``upper`` and ``isdigit`` are not used: they know too many characters.

    Raises:
        NotationError: longer than `LONGEST_TEXT`.
    """
    return _composed(text).translate(_SAME)


SEATS = {seat.name: seat for seat in Seat}
SEATS |= dict(zip(("NORTH", "WEST", "SOUTH", "EAST"), Seat)) | dict(zip(("شمال", "غرب", "جنوب", "شرق"), Seat))

_QUEEN = normalise(Rank.QUEEN.persian)
_PERSIAN_RANKS = {normalise(rank.persian): rank for rank in Rank} | {"تک": Rank.ACE, "شیش": Rank.SIX}
_PERSIAN_SUITS = {normalise(suit.persian): suit for suit in Suit} | {"خاج": Suit.CLUBS}
_ENGLISH_RANKS = {rank.name: rank for rank in Rank}
_ENGLISH_SUITS = {suit.name: suit for suit in Suit} | {suit.name.removesuffix("S"): suit for suit in Suit}
_RANKS = RANK_LETTERS | _PERSIAN_RANKS | _ENGLISH_RANKS
_SUITS = SUIT_LETTERS | _PERSIAN_SUITS | _ENGLISH_SUITS
_ENGLISH = {*_ENGLISH_RANKS, *_ENGLISH_SUITS}
_WORDS = {*_PERSIAN_RANKS, *_PERSIAN_SUITS, *_ENGLISH}

_SPLIT_QUEEN = "بی +بی"  # the one word that is also written as two
_RUN = sorted({*_RANKS, *_SUITS} - _ENGLISH, key=len, reverse=True)
_WHOLE = f"(?<![A-Z])(?:{'|'.join(sorted(_ENGLISH, key=len, reverse=True))})(?![A-Z])"
_WORD = "|".join([_WHOLE, *map(re.escape, _RUN), _SPLIT_QUEEN])
_TOKEN = re.compile(f"(?P<word>{_WORD})|(?P<of> +OF +)|(?P<gap> +)|(?P<comma>[,،])|(?P<strange>.)")
_COMPLAINT = re.compile(f"(?P<number>[0-9]+)|(?P<word>{_WORD})|(?P<strange>.)")


class _Source:
    """A text to be read: its plain form, and for any part of that the text as it was typed, for messages."""

    def __init__(self, text: str) -> None:
        self.typed = _composed(text)
        kept = [(place, same) for place, char in enumerate(self.typed) for same in char.translate(_SAME)]
        self.plain = "".join(same for _, same in kept)
        self._places = [place for place, _ in kept]

    def quoted(self, start: int, end: int) -> str:
        """Return ``plain[start:end]``, which is not empty, as typed and in quotes."""
        return quote(self.typed[self._places[start] : self._places[end - 1] + 1])

    def token_at(self, start: int, end: int) -> tuple[int, int]:
        """Widen a range to the whole token: up to the next space or comma on both sides."""
        start -= len(re.split("[ ,،]", self.plain[:start])[-1])
        end += len(re.split("[ ,،]", self.plain[end:], maxsplit=1)[0])
        return start, end


@dataclass(frozen=True, slots=True)
class _Piece:
    """A rank or a suit: where it stands, how many gaps and commas come before it, whether ``of`` is the last gap."""

    word: str
    start: int
    end: int
    gaps: int
    commas: int
    after_of: bool

    @property
    def is_rank(self) -> bool:
        return self.word in _RANKS

    @property
    def is_word(self) -> bool:
        return self.word in _WORDS


def read_cards(text: str) -> Iterator[tuple[Card, str]]:
    """Yield the cards written in ``text``, forgivingly, each with its own text as typed, quoted for a message.

    Raises:
        NotationError: quoting the token that is no card, when it is reached.
    """
    source = _Source(text)
    waiting: _Piece | None = None
    for piece in _pieces(source):
        if piece.after_of and (waiting is None or not waiting.is_rank or piece.is_rank):
            raise NotationError(
                f'"of" stands between a rank and a suit, not before {source.quoted(piece.start, piece.end)}'
            )
        if waiting is None:
            waiting = piece
            continue
        if not _belong_together(waiting, piece):
            raise _half_a_card(source, waiting)
        if waiting.is_rank == piece.is_rank:
            raise _two_of_a_kind(source, waiting, piece)
        rank, suit = (waiting, piece) if waiting.is_rank else (piece, waiting)
        yield Card(_SUITS[suit.word], _RANKS[rank.word]), source.quoted(waiting.start, piece.end)
        waiting = None
    if waiting is not None:
        raise _half_a_card(source, waiting)


def read_suit(text: str) -> Suit | None:
    """Return the suit that ``text`` names by letter, symbol, English or Persian word, or None."""
    return _SUITS.get(normalise(text).strip(" "))


def _pieces(source: _Source) -> Iterator[_Piece]:
    gaps = commas = 0
    after_of = False
    for found in _TOKEN.finditer(source.plain):
        if found.lastgroup == "strange":
            raise _not_a_card(source, found.start(), found.end())
        if found.lastgroup == "word":
            word = _QUEEN if " " in found.group() else found.group()
            yield _Piece(word, found.start(), found.end(), gaps, commas, after_of)
        after_of = found.lastgroup == "of"
        gaps += found.lastgroup in ("gap", "of")
        commas += found.lastgroup == "comma"


def _belong_together(one: _Piece, two: _Piece) -> bool:
    """Tell whether two pieces may form a card: a space inside a card needs a word, a comma ends it."""
    return one.commas == two.commas and (one.gaps == two.gaps or one.is_word or two.is_word)


def _half_a_card(source: _Source, piece: _Piece) -> NotationError:
    is_half = "a rank without a suit" if piece.is_rank else "a suit without a rank"
    token, word = source.quoted(*source.token_at(piece.start, piece.end)), source.quoted(piece.start, piece.end)
    return NotationError(f"{word} is {is_half}" + (f" in {token}" if token != word else ""))


def _two_of_a_kind(source: _Source, one: _Piece, two: _Piece) -> NotationError:
    kind = "ranks" if one.is_rank else "suits"
    token = source.quoted(*source.token_at(one.start, two.end))
    return NotationError(f"{token} is not a card: two {kind} in a row, {source.quoted(one.start, two.end)}")


def _not_a_card(source: _Source, start: int, end: int) -> NotationError:
    """Say what is wrong with a token that holds something unknown, as closely as the rest of it allows."""
    start, end = source.token_at(start, end)
    token = source.quoted(start, end)
    found = [match.group() for match in _COMPLAINT.finditer(source.plain, start, min(end, start + 100))]
    known = [word for word in found if word in _SUITS or word in _RANKS]
    strange = "".join(word for word in found if word not in known)
    if len(known) == 1 and (len(strange) == 1 or strange.isdigit()):
        missing = "rank" if known[0] in _SUITS else "suit"
        return NotationError(f"unknown {missing} {quote(strange)} in {token}")
    return NotationError(f"{token} is not a card; cards are written AH, 10S, ace of hearts or in Persian")
