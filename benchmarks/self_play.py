"""Deals that the engine plays against itself, to learn how deals end: ``python -m benchmarks.self_play OUT``.

In deals with an even number the engine names trump; in the others it is drawn at random among the four suits, so that
every suit of a hand is seen played. One JSON object a line: the deal's number, hakem, the first five, trump, who called
it and the outcome, hakem's side's view. An unfinished OUT is continued.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from benchmarks.common import add_workers, workers
from hokm_solver.cards import Suit
from hokm_solver.deal import Deal
from hokm_solver.dealing import SplitMix64
from hokm_solver.engine.arena import Clock, Duel, Game, Seating, Table
from hokm_solver.journal import Journal
from hokm_solver.parallel import ordered_map

SCHEMA = "hokm-solver/self-play/1"
CALLED = ("engine", "random")


class SelfPlay(Table):
    """A table at which trump is drawn at random in every other deal."""

    def _trump(self, seating: Seating, deal: Deal, clocks: tuple[Clock, Clock]) -> Suit:
        if called(seating) == "engine":
            return super()._trump(seating, deal, clocks)
        return Suit(SplitMix64(self._duel.decision_seed(seating.pair, 0, 0)).below(len(Suit)))


def called(seating: Seating) -> str:
    """Who names trump in this deal."""
    return CALLED[seating.pair % 2]


def told(duel: Duel, game: Game) -> dict[str, Any]:
    """What is kept of a deal."""
    deal = game.deal
    assert deal.hakem is not None
    return {
        "schema": SCHEMA,
        "player": duel.a,
        "seed": duel.seed,
        "number": game.seating.pair,
        "hakem": deal.hakem.name,
        "first_five": [str(card) for card in deal.first_five or ()],
        "trump": game.trump.letter,
        "called": called(game.seating),
        "outcome": game.outcome.value,
    }


def fits(duel: Duel, seating: Seating, answer: dict[str, Any]) -> bool:
    """Whether a line of an unfinished file is this deal."""
    asked = {"schema": SCHEMA, "player": duel.a, "seed": duel.seed, "number": seating.pair}
    return {key: answer.get(key) for key in asked} == asked


def main() -> None:
    """Play, write every deal and say how many there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--deals", type=int, default=25_000)
    parser.add_argument("--player", default="engine:ms=5")
    parser.add_argument("--seed", type=int, default=31)
    add_workers(parser)
    options = parser.parse_args()
    duel = Duel(options.player, options.player, options.deals, options.seed)
    with Journal(options.out) as journal, workers(options) as jobs:
        seatings = journal.unanswered((Seating(number, 0) for number in range(options.deals)), partial(fits, duel))
        for game in ordered_map(
            SelfPlay.play, seatings, state=partial(SelfPlay, duel), jobs=jobs, interrupt=SelfPlay.leave
        ):
            journal.append(told(duel, game))
    print(f"{options.deals} deals of {options.player}, seed {options.seed}, in {options.out}")


if __name__ == "__main__":
    main()
