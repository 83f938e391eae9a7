"""Damage for `fuzz`: text, bytes and JSON values with a few places changed, and odd ones from nothing."""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Callable
from random import Random
from typing import Any

from hokm_solver.cards import PACK

MOST_DAMAGES = 4
WORDS = (
    "", " ", "\n", "\r\n", "\t", "\0", "\x1b[31m", "\x7f", "\x85", "\u2028", "\ufeff", "\u202e", "\ud800",
    "\u200c", "é",
    "ك", "ي", "♥", "♡", "♠️", "🂡", "10", "1", "0", "-1", "T", "x", "N:", "E:", "NS:9", "...", ".", "-", ":", ",", "،",
    "=", "{", "}", "[", "]", '"', "\\", "null", "true", "NaN", "Infinity", "1e999", "9" * 30, "9" * 5000, "A" * 300,
    "[" * 500, "۵", "٥", "دل", "پیک", "خشت", "گشنیز", "شاه", "بی‌بی", "سرباز", "آس", "تک", "ace", "of",
    "hearts", "♥AKQ",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 13, 2**31, 2**63, 2**64, -(2**63), 10**30, 10**400, 0.5, -0.0, 1e308, "", " ", "N",
    "X", "AS", "north", "NS", [], [[]], ["AS"], ["AS", "AS"], [None], [0], {}, {"NS": 7}, {"NS": True}, {"N": "A..."},
    "\0",
)  # fmt: skip
KEYS = ("hakem", "trump", "leader", "trick", "won", "hands", "deal", "N", "NS", "limits", "command", "id", "", "x" * 99)


SPELLINGS: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.swapcase,
    lambda text: f"  {text}\t",
    lambda text: text.replace(" ", "  "),
    lambda text: text.replace(" ", ", "),
    lambda text: text.replace(" ", ""),
    lambda text: text.replace("T", "10"),
    lambda text: text.replace("5", "۵").replace("4", "٤"),
    lambda text: text.translate(str.maketrans("SHDC", "♠♥♦♣")),
    lambda text: text.translate(str.maketrans("♠♥♦♣", "♤♡♢♧")),
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: text[::-1],
)


def odd_text(rng: Random) -> str:
    """A text of odd pieces and cards."""
    pieces = [*WORDS, *(str(card) for card in rng.sample(PACK, 8))]
    return rng.choice(["", " "]).join(rng.choice(pieces) for _ in range(rng.randint(0, 12)))


def damaged_text(rng: Random, text: str) -> str:
    """The text with a few places changed, or only spelled in another way."""
    if rng.random() < 0.3:
        return rng.choice(SPELLINGS)(text)
    for _ in range(rng.choice([1, 1, 1, 2, MOST_DAMAGES])):
        at, size = rng.randrange(len(text) + 1), rng.choice([0, 0, 1, 2, 8])
        piece = rng.choice([rng.choice(WORDS), str(rng.choice(PACK)), text[at : at + 9], chr(rng.randrange(1, 0x3000))])
        text = text[:at] + piece + text[at + size :]
    return text


def damaged_bytes(rng: Random, data: bytes) -> bytes:
    """The bytes with a few places changed."""
    for _ in range(rng.randint(1, MOST_DAMAGES)):
        at, size = rng.randrange(len(data) + 1), rng.choice([0, 0, 1, 2, 8, 100])
        word = rng.choice(WORDS).encode("utf-8", "surrogatepass")
        piece = rng.choice([word, bytes([rng.randrange(256)]), data[at : at + 20], b"", b"\n"])
        data = data[:at] + piece + data[at + size :]
    return data


def damaged_value(rng: Random, value: Any) -> Any:
    """The JSON value with a few parts changed, some of them only a little."""
    value = copy.deepcopy(value)
    for _ in range(rng.randint(1, MOST_DAMAGES)):
        value = _damaged_part(rng, value)
    return value


def _damaged_part(rng: Random, value: Any) -> Any:
    if rng.random() < 0.7:
        if isinstance(value, dict) and value:
            key = rng.choice(list(value))
            value[key] = _damaged_part(rng, value[key])
            return value
        if isinstance(value, list) and value:
            place = rng.randrange(len(value))
            value[place] = _damaged_part(rng, value[place])
            return value
    return _damaged_here(rng, value)


def _damaged_here(rng: Random, value: Any) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.8:
        if rng.random() < 0.5:
            del value[rng.choice(list(value))]
        else:
            value[rng.choice(KEYS)] = copy.deepcopy(rng.choice(ODD))
        return value
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        value[at : at + rng.randint(0, 1)] = [copy.deepcopy(rng.choice([*ODD, *value, str(rng.choice(PACK))]))]
        return value
    if isinstance(value, str) and rng.random() < 0.8:
        return damaged_text(rng, value)
    if isinstance(value, int) and rng.random() < 0.8:
        return value + rng.choice([-1, 1, 7, -7])
    return copy.deepcopy(rng.choice(ODD))
