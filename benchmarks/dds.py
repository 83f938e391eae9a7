"""DDS, the widely used double-dummy solver of bridge, as the PyPI package ``endplay`` ships it (extra ``bench``).

Bridge goes clockwise and Hokm counter-clockwise; DDS does not mind, as long as seats are listed in order of play.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from hokm_solver.deal import Position
from hokm_solver.rules import TRICKS_TO_WIN

ONE_ANSWER = 1  # DDS's `solutions`: one card that reaches the target is enough
SEARCH_ALWAYS = 1  # DDS's `mode`
SUIT_BITS = 0x1FFF
INFO_BYTES = 1 << 16
LANE = 16  # bits of a card set for each suit
FIRST_RANK = 2  # DDS: bit 2 is the deuce


class Dds:
    """DDS on one thread."""

    def __init__(self) -> None:
        """Load it.

        Raises:
            ImportError: endplay is not installed.
        """
        from endplay import _dds

        self._dds: Any = _dds
        self._dds.SetMaxThreads(1)

    @property
    def name(self) -> str:
        """Its version and that of the package it comes in."""
        # The library writes more than the structure that endplay declares has room for.
        room = ctypes.create_string_buffer(INFO_BYTES)
        self._dds._dll.GetDDSInfo(room)
        info = self._dds.DDSInfo.from_buffer(room)
        return f"DDS {info.major}.{info.minor}.{info.patch} (endplay {version('endplay')})"

    def board(self, position: Position) -> Any:
        """The position in DDS's own form; it must be the start of a trick."""
        assert not position.trick
        board = self._dds.deal()
        board.trump = int(position.trump)
        board.first = 0
        for place in range(4):
            hand = position.hands[position.leader.after(place)].bits
            for suit in range(4):
                board.remainCards[place][suit] = (hand >> (LANE * suit) & SUIT_BITS) << FIRST_RANK
        return board

    def leader_takes(self, board: Any, tricks: int) -> bool:
        """Whether the side on lead takes at least so many of the tricks that are left."""
        answer = self._dds.futureTricks()
        self._dds.SolveBoard(board, tricks, ONE_ANSWER, SEARCH_ALWAYS, answer, 0)
        return bool(answer.score[0] >= tricks)

    def warm_up(self, positions: Iterable[Position]) -> None:
        """Solve positions whose time does not count."""
        for position in positions:
            self.leader_takes(self.board(position), tricks_needed(position))


def tricks_needed(position: Position) -> int:
    """How many more tricks the side on lead needs to win the deal."""
    return TRICKS_TO_WIN - position.won[position.leader.side]
