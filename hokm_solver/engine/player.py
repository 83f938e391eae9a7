"""Players: the engine with its levels, the policies alone, and players to measure against, all under one name each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from hokm_solver.cards import Card, CardSet, Seat, Suit
from hokm_solver.dealing import SplitMix64
from hokm_solver.engine.choice import (
    LEVELS,
    NO_LIMITS,
    Candidate,
    Choice,
    Limits,
    TrumpCandidate,
    TrumpChoice,
    check_level,
)
from hokm_solver.engine.policies import Kind, longest_suit, make_policy, record_of
from hokm_solver.engine.trumps import trump_values
from hokm_solver.engine.valuing import Budget, CardRace, equal_cards
from hokm_solver.engine.view import View
