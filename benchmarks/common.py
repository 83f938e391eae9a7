"""What every benchmark needs: positions to solve, a clock, ratios and tables.

Nothing here is compared between runs or machines: every figure is a ratio of two times taken in the same run.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from pathlib import Path
from statistics import mean, median
from typing import ParamSpec, TypeVar

import hokm_solver
from hokm_solver.cards import CardSet, Seat, Suit
from hokm_solver.cluster import dask_crew
from hokm_solver.deal import Position
from hokm_solver.dealing import deal_cards
from hokm_solver.notation import position_from_json
from hokm_solver.parallel import Jobs
from hokm_solver.solver import Solver

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data"
SEED = 20_000_000  # the first random deal is deal_cards(SEED), the second deal_cards(SEED + 1) and so on
FULL = 1500
QUICK = 60
WARM_UP = 5  # questions answered before the clock counts
SLOWEST = 10

Result = TypeVar("Result")
Params = ParamSpec("Params")


@dataclass(frozen=True, slots=True)
class Board:
    """A position to be timed, and whether hakem's side wins it where that is known from elsewhere."""

    position: Position
    win: bool | None = None


def recorded_boards(n: int) -> list[Board]:
    """The first `n` deals of ``tests/data/deals_win.jsonl``, before the first lead."""
    with open(DATA / "deals_win.jsonl", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in islice(lines, n)]
    return [Board(position_from_json(entry)[0], bool(entry["win"])) for entry in entries]


def random_boards(n: int, seed: int = SEED) -> list[Board]:
    """Random deals `seed` … `seed + n − 1`, hakem and trump taking turns."""
    return [Board(_random_start(seed + i, Seat(i % 4), Suit(i // 4 % 4))) for i in range(n)]


def _random_start(seed: int, hakem: Seat, trump: Suit) -> Position:
    return Position.start(deal_cards(seed, hakem), trump)


def random_hand(seed: int) -> CardSet:
    """Hakem's first five cards of a random deal."""
    five = deal_cards(seed, Seat.N).first_five
    assert five is not None
    return five


def timed(call: Callable[Params, Result], *args: Params.args, **options: Params.kwargs) -> tuple[Result, float]:
    """The result of a call, and the CPU seconds it took in all threads of this process."""
    begun = time.process_time_ns()
    result = call(*args, **options)
    return result, (time.process_time_ns() - begun) / 1e9


def cpu_seconds(call: Callable[Params, object], *args: Params.args, **options: Params.kwargs) -> float:
    """The CPU seconds that a call takes."""
    return timed(call, *args, **options)[1]


def wins(solver: Solver, position: Position) -> bool:
    """The win question: does hakem's side take seven tricks? It is the unit of most figures."""
    return solver.solve(position, "win", cards=False).points == 1


def warm_up(solver: Solver, boards: Iterable[Board]) -> None:
    """Answer a few questions untimed, so that the first timed deal pays for no page faults."""
    for board in islice(boards, WARM_UP):
        wins(solver, board.position)


@dataclass(frozen=True, slots=True)
class Ratio:
    """One time as a multiple of another, with the standard error that comes from the choice of deals, if known."""

    value: float
    error: float | None = None

    def __str__(self) -> str:
        """Two decimals below ten, else three figures."""
        digits = 2 if self.value < 10 else 1 if self.value < 100 else 0
        error = "" if self.error is None else f" ± {self.error:.{digits}f}"
        return f"{self.value:,.{digits}f}{error}"


def ratio_of_means(times: Sequence[float], unit: Sequence[float]) -> Ratio:
    """The mean of `times` in means of `unit`, both measured on the same deals in the same order."""
    value = mean(times) / mean(unit)
    if len(times) < 2:
        return Ratio(value)
    n = len(times)
    scatter = sum((one - value * other) ** 2 for one, other in zip(times, unit)) / (n - 1)
    return Ratio(value, sqrt(scatter / n) / mean(unit))


STATISTICS: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": mean,
    "median": median,
    "95th percentile": lambda times: sorted(times)[int(len(times) * 0.95)],
    "ten slowest together": lambda times: sum(sorted(times)[-SLOWEST:]),
}


def ratios(times: Sequence[float], unit: Sequence[float]) -> dict[str, Ratio]:
    """Each of STATISTICS of `times`, divided by the same of `unit`."""
    found = {name: Ratio(statistic(times) / statistic(unit)) for name, statistic in STATISTICS.items()}
    return found | {"mean": ratio_of_means(times, unit)}


def markdown(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def replace_between(path: Path, begin: str, end: str, text: str) -> None:
    """Put `text` between two marks of a document.

    Raises:
        ValueError: the marks are missing.
    """
    before, found, rest = path.read_text("utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"{path} has no place for figures")
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", "utf-8")


def surroundings() -> str:
    """One sentence that says what was measured, and on what."""
    return (
        f"hokm-solver {hokm_solver.__version__}, Python {platform.python_version()}, "
        f"{platform.system()} on {_processor()}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who does the work; see `workers`."""
    parser.add_argument("--jobs", type=int, default=1, help="threads (default %(default)s)")
    parser.add_argument("--dask", metavar="ADDRESS", help="a Dask cluster of workers with this clone")


@contextmanager
def workers(options: argparse.Namespace) -> Iterator[Jobs]:
    """Who does the work: what is given on as `jobs`."""
    if options.dask is None:
        yield options.jobs
        return
    with dask_crew(options.dask) as crew:
        yield crew


def arguments(description: str) -> argparse.ArgumentParser:
    """A parser with the options that all benchmarks share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--deals", type=int, metavar="N", help=f"deals of each kind (default {FULL})")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the random deals (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} deals: enough to see that it works")
    return parser


def number_of_deals(options: argparse.Namespace) -> int:
    """What --deals and --quick ask for."""
    asked: int | None = options.deals
    return asked or (QUICK if options.quick else FULL)


def corpora(options: argparse.Namespace) -> dict[str, list[Board]]:
    """The stored deals and as many random ones, by a name that says which they are."""
    n = number_of_deals(options)
    recorded = recorded_boards(n)
    last = options.seed + n - 1
    return {
        f"{len(recorded):,} stored deals": recorded,
        f"{n:,} random deals, seeds {options.seed} to {last}": random_boards(n, options.seed),
    }
