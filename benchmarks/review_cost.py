"""What it costs to value every card of every play of a deal, in solutions of its first position with every card.

Each deal is also solved position by position, every time afresh; the values must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

from benchmarks.common import (
    Ratio,
    arguments,
    cpu_seconds,
    markdown,
    number_of_deals,
    ratio_of_means,
    surroundings,
    timed,
)
from hokm_solver.cards import Card
from hokm_solver.deal import Position, replay
from hokm_solver.engine.arena import Duel, play_duel
from hokm_solver.solver import CardValue, Solution, Solver

Played = tuple[Position, tuple[Card, ...]]  # the first position of a deal and its plays


def played_well(n: int, seed: int) -> list[Played]:
    """Deals as policies play them."""
    games = islice(play_duel(Duel("learned", "greedy", n, seed)), n)
    return [(Position.start(game.deal, game.trump), game.plays) for game in games]


def played_at_random(n: int, seed: int) -> list[Played]:
    """The same deals, any legal card each time."""
    rng = Random(seed)
    return [(start, _random_plays(rng, start)) for start, _ in played_well(n, seed)]


def _random_plays(rng: Random, position: Position) -> tuple[Card, ...]:
    plays: list[Card] = []
    while position.outcome() is None:
        plays.append(rng.choice(tuple(position.legal_cards())))
        position = position.play(plays[-1])
    return tuple(plays)


def solve_afresh(solver: Solver, start: Position, plays: Sequence[Card]) -> tuple[Solution, ...]:
    """Every position on its own."""
    return tuple(solver.solve(position) for position in replay(start, plays) if position.outcome() is None)


def values(solutions: Sequence[Solution]) -> list[tuple[CardValue, ...]]:
    """The points and the margin of every card of every position."""
    return [solution.cards for solution in solutions]


WAYS: dict[str, Callable[[Solver, Position, Sequence[Card]], tuple[Solution, ...]]] = {
    "all positions, sharing what is found": Solver.solve_plays,
    "all positions, each afresh": solve_afresh,
}


def costs(deals: Sequence[Played]) -> dict[str, Ratio]:
    """The mean cost of each of WAYS.

    Raises:
        AssertionError: they do not come to the same values.
    """
    solver = Solver()
    unit: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for start, plays in deals:
        unit.append(cpu_seconds(solver.solve, start))
        found = {name: timed(way, solver, start, plays) for name, way in WAYS.items()}
        for name, (_, seconds) in found.items():
            times[name].append(seconds)
        one, other = (values(solutions) for solutions, _ in found.values())
        if one != other:
            raise AssertionError(f"two ways, two values: {start}, {plays}")
    return {name: ratio_of_means(taken, unit) for name, taken in times.items()}


def main() -> None:
    """Print the costs for deals played by policies and at random."""
    options = arguments(__doc__ or "").parse_args()
    n = number_of_deals(options)
    print(f"{surroundings()}\n")
    for name, played in {"policies": played_well, "chance": played_at_random}.items():
        rows = costs(played(n, options.seed)).items()
        print(f"{n:,} deals played by {name}\n\n{markdown(['a whole deal', 'its first position = 1'], rows)}\n")


if __name__ == "__main__":
    main()
