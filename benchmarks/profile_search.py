"""What the search does and what it costs, by tricks left: plays, look-ups, hits, patterns compared, time of each part.

Counting costs time, so it is compiled in only here: the search is built once more, in a temporary directory, with
HOKM_SOLVER_PROFILE=1. The times are processor ticks turned into nanoseconds; reading the clock adds a few to each.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, arguments, markdown, number_of_deals, random_boards, surroundings
from hokm_solver.solver import Solver

TALLIES = (
    "plays",
    "look_ups",
    "hits",
    "compares",
    "settled",
    "searched",
    "stores",
    "look_up_ticks",
    "bound_ticks",
    "store_ticks",
    "order_ticks",
)  # in the order of context.pxd


def profiled_search(directory: str) -> Any:
    """Build the search with its tallies, in the build this machine uses by default; returns the module."""
    name = "_search" if Solver().portable else "_search_bmi2"
    command = [sys.executable, "setup.py", "-q", "build_ext", "--force", "--build-lib", directory]
    environment = {**os.environ, "HOKM_SOLVER_PROFILE": "1"}
    subprocess.run([*command, "--build-temp", f"{directory}/temp"], cwd=ROOT, env=environment, check=True)
    (path,) = (Path(directory) / "hokm_solver").glob(f"{name}.*")
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def ask_wins(search: Any, boards: list[Any]) -> None:
    """The win question of every board."""
    for board in boards:
        position = board.position
        search.begin(0, 0.0)
        hands = [hand.bits for hand in position.hands]
        search.load(hands, position.trump, position.hakem, position.leader, [], 0, 0, False)
        search.value(0)


def row(label: str, counted: dict[str, int], nanoseconds: float, deals: int) -> tuple[str, ...]:
    """One line of the table: counts a deal, and nanoseconds for each time a part ran."""

    def each(ticks: str, times: str) -> str:
        return f"{counted[ticks] * nanoseconds / counted[times]:.0f}" if counted[times] else "-"

    looked = max(counted["look_ups"], 1)
    return (
        label,
        f"{counted['plays'] / deals:.0f}",
        f"{counted['look_ups'] / deals:.0f}",
        f"{counted['hits'] / looked:.0%}",
        f"{counted['compares'] / looked:.1f}",
        f"{counted['settled'] / deals:.0f}",
        f"{counted['searched'] / deals:.0f}",
        each("look_up_ticks", "look_ups"),
        f"{counted['bound_ticks'] * nanoseconds / max(counted['look_ups'] - counted['hits'], 1):.0f}",
        each("store_ticks", "stores"),
        each("order_ticks", "searched"),
    )


def main() -> None:
    """Print the profile of the win question."""
    options = arguments(__doc__ or "").parse_args()
    boards = random_boards(number_of_deals(options), options.seed)
    with tempfile.TemporaryDirectory() as directory:
        search = profiled_search(directory).Search(64)
        begun, ticks = time.perf_counter_ns(), search.clock()
        ask_wins(search, boards)
        nanoseconds = (time.perf_counter_ns() - begun) / max(search.clock() - ticks, 1)
        tallies = dict(zip(TALLIES, search.tallies))
    print(f"{surroundings()}\n")
    head = ["tricks left", "plays", "look-ups", "hits", "compares a look-up", "settled", "searched"]
    head += ["ns a look-up", "ns for bounds", "ns a store", "ns to order"]
    rows = [
        row(str(n), {kind: counts[n] for kind, counts in tallies.items()}, nanoseconds, len(boards))
        for n in range(2, 14)
    ]
    rows.append(row("all", {kind: sum(counts) for kind, counts in tallies.items()}, nanoseconds, len(boards)))
    print(markdown(head, rows))


if __name__ == "__main__":
    main()
