"""Calls of the compiled modules with arguments of every wrong kind, for `fuzz`: exceptions, never a crash.

A call is put together from arguments that fit, and then one or two of them are replaced: numbers out of range or of no
size, arrays of other shapes, types and layouts, read-only ones, hands that are no hands. Objects live from call to
call, so that one meets what an earlier failed call has left behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np

from hokm_solver import _playout, _sample, _search
from hokm_solver.cards import Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.dealing import deal_cards
from hokm_solver.engine.policies import learned_weights, playout_module

CLEAN = (ValueError, TypeError, OverflowError, IndexError, AttributeError, MemoryError, BufferError)
TABLE_MB = 1
NODES = 300  # of a search
NUMBERS: tuple[Any, ...] = (
    -1, 0, 1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 28, 63, 64, 65, 127, 255, 2**31 - 1, 2**31, 2**32, 2**62, 2**63, 2**64 - 1,
    2**64, 10**40, -2, -7, -8, -(2**31), -(2**63), True, None, 0.5, float("nan"), float("inf"), "1", b"1", [], (), {},
    [1], np.int64(3), np.uint64(2**63), np.float64(1.0),
)  # fmt: skip
FULL = 0x1FFF1FFF1FFF1FFF
BUILDS = ("portable", "fast")


class Call(NamedTuple):
    """A function by name, and its arguments."""

    name: str
    arguments: list[Any]


class Core:
    """The compiled modules, in both builds where the processor runs both."""

    name = "core"

    def __init__(self) -> None:
        """Make one object of every kind."""
        self._weights = learned_weights()
        self._search = [_search.Search(TABLE_MB)]
        self._playout = [_playout]
        if playout_module() is not _playout:
            from hokm_solver import _search_bmi2

            self._search.append(_search_bmi2.Search(TABLE_MB))
            self._playout.append(playout_module())
        self._policies = [[module.Policy(kind, self._weights) for kind in module.KINDS] for module in self._playout]
        self._calls: Mapping[str, Callable[[Random], list[Any]]] = {
            "Search": lambda rng: [1],
            "order_weights": lambda rng: [[1] * rng.choice([0, 1, len(self._search[0].order_weights)])],
            "load": self._position,
            "value": lambda rng: [rng.randrange(3)],
            "card_values": lambda rng: [rng.randrange(3), -7, 7],
            "reaches": lambda rng: [rng.randrange(64), rng.choice([-3, -1, 1, 5])],
            "points_of_worlds": lambda rng: [self._deals(rng), rng.randrange(4), rng.randrange(4), _room(rng, np.int8)],
            "Sampler": self._hidden,
            "fill": lambda rng: [_room(rng, np.uint64, 4), rng.getrandbits(64), rng.randrange(9)],
            "fill_all": lambda rng: [_room(rng, np.uint64, 4), rng.getrandbits(64)],
            "Record": lambda rng: [rng.randrange(4), rng.randrange(4), self._plays(rng)],
            "play": lambda rng: [rng.randrange(64)],
            "legal": lambda rng: [rng.getrandbits(64)],
            "distinct": lambda rng: [rng.getrandbits(64) & FULL],
            "Policy": lambda rng: [rng.choice(_playout.KINDS), self._weights, 0.5],
            "choose": lambda rng: [*self._seen(rng)[:2], rng.getrandbits(64)],
            "scores": lambda rng: self._seen(rng)[:2],
            "features": lambda rng: [*self._seen(rng)[:2], np.zeros((13, _playout.MOST_LOOK_UPS), np.int32)],
            "play_out": lambda rng: [*self._seen(rng)[::2], _room(rng, np.int8), 1, 0],
            "next_cards": lambda rng: [*self._seen(rng)[::2], _room(rng, np.int32), 1],
            "card_margins": self._cards,
            "look_ahead_wins": self._cards,
        }

    # Arguments that fit

    def _position(self, rng: Random) -> list[Any]:
        """Arguments of `load`: some tricks into a deal."""
        position = _played(rng, rng.choice([0, 20, 36, 41, 44, 46]))
        hands = [hand.bits for hand in position.hands]
        won = position.won if position.hakem % 2 == 0 else position.won[::-1]
        trick = [card.bit for card in position.trick]
        keep = rng.random() < 0.2
        return [hands, int(position.trump), int(position.hakem), int(position.leader), trick, won[0], won[1], keep]

    def _deals(self, rng: Random) -> Any:
        hands = [[hand.bits for hand in deal_cards(rng.getrandbits(64)).hands] for _ in range(rng.choice([0, 1, 3]))]
        return np.array(hands, dtype=np.uint64).reshape(-1, 4)

    def _hidden(self, rng: Random) -> list[Any]:
        position = _played(rng, rng.choice([0, 10, 30]))
        hands = [hand.bits for hand in position.hands]
        known = [hands[0], 0, 0, 0]
        sizes = [0, *(hand.bit_count() for hand in hands[1:])]
        return [known, hands[1] | hands[2] | hands[3], sizes, [0, *rng.choices([0, 0, 0, 1, 2, 8, 15], k=3)]]

    def _plays(self, rng: Random) -> list[int]:
        return [rng.randrange(13) + 16 * rng.randrange(4) for _ in range(rng.choice([0, 0, 1, 5, 52]))]

    def _seen(self, rng: Random) -> list[Any]:
        """A record, the hand of the player to move, and worlds."""
        plays: list[int] = []
        position = _played(rng, rng.choice([0, 3, 17, 40]), plays)
        record = rng.choice(self._playout).Record(int(position.hakem), int(position.trump), plays)
        hands = [hand.bits for hand in position.hands]
        return [record, hands[position.to_play], np.array([hands] * rng.choice([0, 1, 3]), np.uint64).reshape(-1, 4)]

    def _cards(self, rng: Random) -> list[Any]:
        record, hand, worlds = self._seen(rng)
        cards = [bit for bit in range(64) if hand >> bit & 1][: rng.choice([1, 2, 13])]
        return [record, worlds, np.array(cards, np.int32), np.zeros((13, 3), np.int8), 1]

    # Calls

    def make(self, rng: Random) -> Call:
        """A call in which an argument or two may be wrong."""
        name = rng.choice(list(self._calls))
        arguments = self._calls[name](rng)
        for _ in range(rng.choice([0, 1, 1, 1, 2])):
            place = rng.randrange(len(arguments))
            arguments[place] = _spoilt(rng, arguments[place])
        return Call(name, arguments)

    def faults(self, rng: Random, made: Call, counts: Counter[str]) -> Iterator[str]:
        """Call it in one of the builds."""
        build = rng.randrange(len(self._playout))
        try:
            self._function(rng, made.name, build)(*made.arguments)
            counts["done"] += 1
        except CLEAN as error:
            counts[type(error).__name__] += 1
            if "\n" in str(error):
                yield f"not one line: {error}"

    def _function(self, rng: Random, name: str, build: int) -> Callable[..., Any]:
        search, module = self._search[build], self._playout[build]
        if name == "Search":
            return type(search)
        if name == "order_weights":
            return lambda weights: type(search).order_weights.__set__(search, weights)  # type: ignore[attr-defined]
        if name in ("load", "value", "card_values", "reaches", "points_of_worlds"):
            search.begin(NODES, 0.0)
            function: Callable[..., Any] = getattr(search, name)
        elif name == "Sampler":
            function = _sample.Sampler
        elif name in ("fill", "fill_all"):
            function = getattr(self._sampler(rng), name)
        elif name in ("Record", "Policy", "features"):
            function = getattr(module, name)
        elif name in ("play", "legal", "distinct"):
            function = getattr(module.Record(0, 3, []), name)
        else:
            function = getattr(rng.choice(self._policies[build]), name)
        return function

    def _sampler(self, rng: Random) -> _sample.Sampler:
        while True:
            try:
                return _sample.Sampler(*self._hidden(rng))
            except ValueError:  # the voids drawn leave no world
                continue


def _played(rng: Random, cards: int, plays: list[int] | None = None) -> Position:
    """A position after so many cards of random play, fewer if the deal is over before; `plays` gets their numbers."""
    position = Position.start(deal_cards(rng.getrandbits(64), rng.choice(list(Seat))), rng.choice(list(Suit)))
    for _ in range(cards):
        card = rng.choice(tuple(position.legal_cards()))
        after = position.play(card)
        if after.outcome() is not None:
            break
        position = after
        if plays is not None:
            plays.append(card.bit.bit_length() - 1)
    return position


def _room(rng: Random, kind: Any, *width: int) -> Any:
    """An array for results, perhaps too small."""
    return np.zeros((rng.choice([0, 1, 3, 3, 3, 10]), *width), dtype=kind)


def _spoilt(rng: Random, value: Any) -> Any:
    """Something else in the place of an argument, often nearly the same."""
    if isinstance(value, np.ndarray) and rng.random() < 0.9:
        return _spoilt_array(rng, value)
    if isinstance(value, list) and value and rng.random() < 0.8:
        value = list(value)
        at = rng.randrange(len(value))
        value[at : at + rng.randint(0, 1)] = [rng.choice(NUMBERS)] if rng.random() < 0.8 else []
        return value
    if isinstance(value, int) and rng.random() < 0.3:
        return value ^ (1 << rng.randrange(64))
    return rng.choice(NUMBERS)


def _spoilt_array(rng: Random, array: Any) -> Any:
    spoil: Callable[[], Any] = rng.choice(
        [
            lambda: array[:-1],
            lambda: array[..., :-1],
            lambda: array[::2],
            lambda: array[..., ::-1],
            lambda: np.asfortranarray(array),
            lambda: np.concatenate([array, array]),
            lambda: array.reshape(-1),
            lambda: array[None],
            lambda: array.astype(rng.choice([np.int64, np.float64, np.int8, np.uint64, np.bool_, object, ">u8"])),
            lambda: np.broadcast_to(array, (3, *array.shape)),
            lambda: _with_bits_changed(rng, array),
            lambda: _with_bits_changed(rng, array),
            lambda: _read_only(array),
            lambda: array.tolist(),
            lambda: memoryview(array.tobytes()),
            lambda: np.empty((0, 0), array.dtype),
        ]
    )
    return spoil()


def _with_bits_changed(rng: Random, array: Any) -> Any:
    array = array.copy()
    for _ in range(rng.randint(1, 3)):
        if array.size and array.dtype.kind in "iu":
            place = rng.randrange(array.size)
            array.flat[place] ^= array.dtype.type(1 << rng.randrange(array.dtype.itemsize * 8 - 1))
    return array


def _read_only(array: Any) -> Any:
    array = array.copy()
    array.flags.writeable = False
    return array
