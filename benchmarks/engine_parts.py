"""What each part of the engine gives: matches of variants against the engine, at equal worlds.

Every variant differs from the engine in one part: a part taken away, or one that was tried and is not in the engine.
Both sides see the same worlds in the same position, so that only the part makes a difference; a positive figure means
that the variant plays better. ``python -m benchmarks.engine_parts no-racing --pairs 2000``
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hokm_solver._playout import Policy
from hokm_solver.engine.arena import Duel, Standing, play_duel
from hokm_solver.engine.baselines import PimcPlayer
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.player import Opponent, Player
from hokm_solver.engine.policies import Kind, make_policy
from hokm_solver.engine.valuing import CardRace
from hokm_solver.engine.view import View
from hokm_solver.sampling import Worlds

ENGINE = "engine"
MARGIN_OF = np.array([-7, 0, -1, 0, 1, 7], dtype=np.int8)  # of points -3 … +2
SOLVER = PimcPlayer(worlds=1, seed=1)


class NoRacing(CardRace):
    """Every card is valued in every world."""

    def _drop(self) -> None:
        pass


class NoOpinion(CardRace):
    """The policy's opinion counts nothing, but between equals."""

    def __init__(self, view: View, policy: Policy, seed: int) -> None:
        """Make the opinion small."""
        super().__init__(view, policy, seed)
        self._liking *= 1e-9


class LateSolve(CardRace):
    """With few cards left every world is solved with all cards seen, instead of played out."""

    most_cards = 7

    def _margins_of(self, worlds: Worlds, cards: NDArray[np.int32]) -> NDArray[np.int8]:
        if len(self._view.held) > self.most_cards:
            return super()._margins_of(worlds, cards)
        legal = [card.index for card in self._view.legal_cards()]
        rows = [legal.index(card) for card in cards.tolist()]
        points = np.array([SOLVER.points(self._view, world) for world in worlds.tolist()])[:, rows].T
        margins: NDArray[np.int8] = MARGIN_OF[points + 3]
        return margins


class Blend(LateSolve):
    """With few cards left every world counts twice: as it is solved and as it is played out."""

    most_cards = 9

    def _margins_of(self, worlds: Worlds, cards: NDArray[np.int32]) -> NDArray[np.int8]:
        played = CardRace._margins_of(self, worlds, cards)
        if len(self._view.held) > self.most_cards:
            return played
        return np.concatenate([played, super()._margins_of(worlds, cards)], axis=1)


class Variant(Player):
    """The engine with another race, or with another policy in its playouts."""

    def __init__(self, kind: type[CardRace], policy: Kind, worlds: int) -> None:
        """Make a player that values this many worlds."""
        super().__init__(limits=Limits(worlds=worlds))
        self._kind, self._policy = kind, policy

    def race(self, view: View, seed: int) -> CardRace:
        """Return the variant's own race."""
        return self._kind(view, make_policy(self._policy), seed)


VARIANTS: Mapping[str, tuple[type[CardRace], Kind]] = MappingProxyType(
    {
        "rules": (CardRace, "rules"),
        "greedy": (CardRace, "greedy"),
        "no-racing": (NoRacing, "learned"),
        "no-opinion": (NoOpinion, "learned"),
        "late-solve": (LateSolve, "learned"),
        "blend": (Blend, "learned"),
    }
)


@dataclass(frozen=True, slots=True)
class Match(Duel):
    """A variant as player A against the engine as player B, both with the same number of worlds."""

    worlds: int = 200

    def make_players(self) -> tuple[Opponent, Opponent]:
        """Make both players anew."""
        return Variant(*VARIANTS[self.a], self.worlds), Player(limits=Limits(worlds=self.worlds))


def main() -> None:
    """Play the matches asked for and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), help=", ".join(VARIANTS))
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    print(f"points a deal over the engine, {options.worlds} worlds, {options.pairs} pairs, seed {options.seed}")
    for name in options.variants:
        match = Match(name, ENGINE, options.pairs, options.seed, same_worlds=True, worlds=options.worlds)
        standing = Standing(match)
        for game in play_duel(match, options.jobs):
            standing.add(game)
        ours, theirs = (clock.mean or 0.0 for clock in standing.clocks)
        print(
            f"{name:>12}: {standing.points:+.3f} ± {standing.points_se:.3f}, {ours:.1f} and {theirs:.1f} ms", flush=True
        )


if __name__ == "__main__":
    main()
