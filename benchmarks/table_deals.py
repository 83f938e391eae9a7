"""Deals of self-play with the playouts of the same hands: what the values at the table are fitted to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hokm_solver.cards import Card, Suit
from hokm_solver.engine.calibration import OUTCOMES, QUESTIONS
from hokm_solver.engine.policies import weights_mark
from hokm_solver.engine.trumps import trump_margins
from hokm_solver.journal import Answer, Journal, digest
from hokm_solver.notation import parse_cards
from hokm_solver.parallel import Jobs, ordered_map
from hokm_solver.rules import Outcome, outcome_of_margin

SCHEMA = "hokm-solver/playouts/1"
FIRST_SEED = 7_000_000  # of the worlds of deal 0; deal i has this seed + i, so that no two deals share their luck

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal of self-play: its number, what hakem saw, which trump was called and by whom, and how it ended."""

    number: int
    first_five: tuple[Card, ...]
    trump: Suit
    engine_called: bool
    outcome: Outcome

    @classmethod
    def from_line(cls, line: str) -> PlayedDeal:
        """Read a line that ``benchmarks.self_play`` wrote."""
        entry = json.loads(line)
        five = parse_cards(" ".join(entry["first_five"]))
        trump = next(suit for suit in Suit if suit.letter == entry["trump"])
        return cls(entry["number"], five, trump, entry["called"] == "engine", Outcome(entry["outcome"]))


def read_deals(path: Path) -> list[PlayedDeal]:
    """The deals in a file; a torn last line is no deal."""
    with open(path, encoding="utf-8") as lines:
        return [PlayedDeal.from_line(line) for line in lines if line.endswith("\n")]


def _nothing() -> None:
    """The state of a worker that needs none."""


class Playouts:
    """Counts the outcomes of playouts of deals, each with the first five and the trump of the deal."""

    def __init__(self, worlds: int) -> None:
        """Play every deal out in so many worlds."""
        self.worlds = worlds
        self._weights = weights_mark()

    def shares(self, deals: Sequence[PlayedDeal], path: Path, jobs: Jobs = 1) -> Floats:
        """Shares of the OUTCOMES, shape (deals, 4). The counts are kept in the file at ``path``, which is continued."""
        with Journal(path) as journal:
            missing = list(journal.unanswered(deals, self._fits))
            counts = ordered_map(self._counts, missing, state=_nothing, jobs=jobs)
            for deal, found in zip(missing, counts):
                journal.append({"schema": SCHEMA, "question": self._mark(deal), "counts": found})
        with open(path, encoding="utf-8") as lines:
            return np.array([json.loads(line)["counts"] for line in lines]) / self.worlds

    def _counts(self, _: None, deal: PlayedDeal) -> list[int]:
        margins = trump_margins(deal.first_five, self.worlds, FIRST_SEED + deal.number, trumps=[deal.trump])
        found = [outcome_of_margin(margin) for margin in margins[:, 0].tolist()]
        return [found.count(outcome) for outcome in OUTCOMES]

    def _mark(self, deal: PlayedDeal) -> str:
        return digest([self.worlds, self._weights, deal.number, deal.trump.letter, *map(str, deal.first_five)])

    def _fits(self, deal: PlayedDeal, answer: Answer) -> bool:
        return bool(answer.get("question") == self._mark(deal))


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Deals, and the shares of the OUTCOMES in their playouts, shape (deals, 4)."""

    deals: Sequence[PlayedDeal]
    shares: Floats

    def __len__(self) -> int:
        """How many deals there are."""
        return len(self.deals)

    def pick(self, chosen: NDArray[np.int64]) -> Sample:
        """Some of the deals, by their place."""
        return Sample([self.deals[k] for k in chosen.tolist()], self.shares[chosen])

    def ended(self, *outcomes: Outcome) -> Bools:
        """Which deals ended in one of these ways."""
        return np.array([deal.outcome in outcomes for deal in self.deals])

    def answers(self) -> dict[str, tuple[Bools, Bools]]:
        """For each of the QUESTIONS: in which deals it comes up, and in which the answer is yes."""
        won = self.ended(Outcome.WIN, Outcome.KOT)
        asked = (np.ones_like(won), won, ~won)
        yes = (won, self.ended(Outcome.KOT), self.ended(Outcome.HAKEM_KOTI))
        return dict(zip(QUESTIONS, zip(asked, yes)))
