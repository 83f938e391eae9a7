"""The engine: what one seat can see, and the players and matches built on it.

Names are loaded when they are first asked for: ``from hokm_solver.engine import Player, View``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hokm_solver.engine.arena import Duel, Standing, play_duel
    from hokm_solver.engine.choice import Choice, Limits, TrumpChoice
    from hokm_solver.engine.player import Player, make_player
    from hokm_solver.engine.view import View

_LAZY = {
    "Choice": "choice",
    "Duel": "arena",
    "Limits": "choice",
    "Player": "player",
    "Standing": "arena",
    "TrumpChoice": "choice",
    "View": "view",
    "make_player": "player",
    "play_duel": "arena",
}

__all__ = [
    "Choice",
    "Duel",
    "Limits",
    "Player",
    "Standing",
    "TrumpChoice",
    "View",
    "make_player",
    "play_duel",
]


def __getattr__(name: str) -> object:
    """Load a public name."""
    if name not in _LAZY:
        raise AttributeError(f"module 'hokm_solver.engine' has no attribute {name!r}")
    value = getattr(import_module(f"hokm_solver.engine.{_LAZY[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(set(globals()) | set(__all__))
