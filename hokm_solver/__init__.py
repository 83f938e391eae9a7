"""Double-dummy solver, trump adviser and engine for Hokm (حکم), the Iranian card game.

The game itself (cards, rules, deals, positions, notation, matches) is loaded at once. What needs compiled code or
numpy (solver, adviser) is loaded when it is first asked for, so that ``import hokm_solver`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from hokm_solver.cards import Card, CardSet, Rank, Seat, Side, Suit
from hokm_solver.deal import Deal, Position, Trick, replay
from hokm_solver.errors import (
    DealError,
    FieldError,
    HokmError,
    IllegalPlay,
    LimitError,
    MatchError,
    NotationError,
    PositionError,
    Revoke,
    RulesError,
)
from hokm_solver.match import Match
from hokm_solver.notation import (
    format_card,
    format_cards,
    format_deal,
    format_hand,
    parse_card,
    parse_cards,
    parse_deal,
    parse_hand,
    position_from_json,
    position_to_json,
)
from hokm_solver.rules import DEFAULT_RULES, Outcome, Rules

if TYPE_CHECKING:
    from hokm_solver.advice import Advice, TrumpValue, advise
    from hokm_solver.dealing import deal_cards, deal_of_the_day
    from hokm_solver.solver import CardValue, Limit, Solution, Solver, solve_many

    __version__: str

_LAZY = {
    "Advice": "advice",
    "TrumpValue": "advice",
    "advise": "advice",
    "CardValue": "solver",
    "Limit": "solver",
    "Solution": "solver",
    "Solver": "solver",
    "solve_many": "solver",
    "deal_cards": "dealing",
    "deal_of_the_day": "dealing",
}

__all__ = [
    "DEFAULT_RULES",
    "Advice",
    "Card",
    "CardSet",
    "CardValue",
    "Deal",
    "DealError",
    "FieldError",
    "HokmError",
    "IllegalPlay",
    "Limit",
    "LimitError",
    "Match",
    "MatchError",
    "NotationError",
    "Outcome",
    "Position",
    "PositionError",
    "Rank",
    "Revoke",
    "Rules",
    "RulesError",
    "Seat",
    "Side",
    "Solution",
    "Solver",
    "Suit",
    "Trick",
    "TrumpValue",
    "__version__",
    "advise",
    "deal_cards",
    "deal_of_the_day",
    "format_card",
    "format_cards",
    "format_deal",
    "format_hand",
    "parse_card",
    "parse_cards",
    "parse_deal",
    "parse_hand",
    "position_from_json",
    "position_to_json",
    "replay",
    "solve_many",
]


def __getattr__(name: str) -> object:
    """Load what is public but not needed by every program."""
    if name == "__version__":
        value: object = _installed_version()
    elif name in _LAZY:
        value = getattr(import_module(f"hokm_solver.{_LAZY[name]}"), name)
    else:
        raise AttributeError(f"module 'hokm_solver' has no attribute {name!r}")
    globals()[name] = value
    return value


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hokm-solver")
    except PackageNotFoundError:  # run from a source tree
        return "0+unknown"


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(set(globals()) | set(__all__))
