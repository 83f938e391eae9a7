"""What trump advice costs: CPU time of ``advise`` with all cores busy, in win questions."""

from __future__ import annotations

import json
import time
from itertools import cycle, islice
from statistics import mean

from benchmarks.common import (
    DATA,
    Board,
    Ratio,
    arguments,
    cpu_seconds,
    number_of_deals,
    random_boards,
    surroundings,
    wins,
)
from hokm_solver.advice import advise
from hokm_solver.defaults import SAMPLES
from hokm_solver.parallel import available_cores
from hokm_solver.solver import Solver

QUICK_SAMPLES = 50
BETWEEN = 200  # win questions between two hands, to know how fast the machine is just then


def trump_hands() -> list[str]:
    """The five cards of each line of ``tests/data/trump_hands.jsonl``."""
    with open(DATA / "trump_hands.jsonl", encoding="utf-8") as lines:
        return [" ".join(json.loads(line)["cards"]) for line in lines]


def cost(samples: int, boards: list[Board], solver: Solver) -> tuple[Ratio, float]:
    """The mean cost over the stored hands for `samples` worlds, and how many cores were busy on average."""
    turn = cycle(boards)
    unit: list[float] = []
    spent: list[float] = []
    passed = 0.0
    for hand in trump_hands():
        unit += [cpu_seconds(wins, solver, board.position) for board in islice(turn, BETWEEN)]
        begun = time.perf_counter()
        spent.append(cpu_seconds(advise, hand, samples=samples))
        passed += time.perf_counter() - begun
    return Ratio(mean(spent) / mean(unit)), sum(spent) / passed


def main() -> None:
    """Print the cost of advice."""
    options = arguments(__doc__ or "").parse_args()
    samples = QUICK_SAMPLES if options.quick else SAMPLES
    found, busy = cost(samples, random_boards(number_of_deals(options), options.seed), Solver())
    print(surroundings())
    print(
        f"advise, {samples:,} worlds, four trumps: {found} win questions; {busy:.2f} of {available_cores()} cores busy"
    )


if __name__ == "__main__":
    main()
