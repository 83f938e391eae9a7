"""All figures of docs/speed.md in one run: a Markdown table of ratios, and with ``--write`` the documents themselves.

``--write`` replaces the generated part of docs/speed.md and of README.md and draws the pictures. It refuses when
something else was busy on the machine: CPU time suffers from that too, and figures for two jobs mean nothing then.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence

from benchmarks import advice_cost, builds, questions, throughput
from benchmarks.common import (
    ROOT,
    STATISTICS,
    Board,
    Ratio,
    arguments,
    corpora,
    markdown,
    number_of_deals,
    replace_between,
    surroundings,
)
from benchmarks.dds import Dds
from benchmarks.pictures import CARDS_LEFT, LINES, LINES_QUICK, SOLVE_TIMES, draw_all
from benchmarks.signature import signature
from benchmarks.solve_vs_dds import compare
from hokm_solver.defaults import SAMPLES, TABLE_MB
from hokm_solver.solver import Solver

SPEED = ROOT / "docs" / "speed.md"
README = ROOT / "README.md"
BEGIN = "<!-- figures: made by `python -m benchmarks.figures --write`, do not edit -->"
END = "<!-- end of figures -->"
QUIET = 0.95  # of a core must have been ours while one thread worked


def beside_dds(boards: Sequence[Board], dds: Dds) -> tuple[dict[str, Ratio], str]:
    """Our time for the win question as a multiple of DDS's, and whether the answers agree."""
    found = compare(boards, Solver(), dds)
    stored = sum(board.win is not None for board in boards)
    agree = f"{found.differ} of {len(boards):,} answers differ from DDS's"
    return found.ratios(), f"{agree}, {found.wrong} of {stored:,} from stored ones" if stored else agree


def columns(parts: Sequence[Mapping[str, Ratio]], names: Sequence[str]) -> list[list[object]]:
    """A row for each name: the ratio of that name in every part."""
    return [[name, *(part[name] for part in parts)] for name in names]


def whole_machine(boards: list[Board], samples: int) -> list[list[object]]:
    """Figures that are measured on one corpus: advice, jobs, builds, memory."""
    spent, busy = advice_cost.cost(samples, boards, Solver())
    advice = f"`advise`, {samples:,} worlds under four trumps: CPU time, the win question = 1 ({busy:.1f} cores busy)"
    rows: list[list[object]] = [[advice, spent]]
    rows.append(["two jobs: deals a second, one job = 1", throughput.gain(boards)])
    rows.append(["portable build: time of the win question, fast build = 1", builds.portable(boards) or "the only one"])
    for size, found in builds.tables(boards).items():
        rows.append([f"table of {size} MB: time for the margin of every card, {TABLE_MB} MB = 1", found])
    return rows


def report(options: argparse.Namespace) -> tuple[str, dict[str, Ratio], float]:
    """The whole text in Markdown, the win question beside DDS on the random deals, and the part of a core we had."""
    dds, groups = Dds(), corpora(options)
    clock, cpu = time.perf_counter(), time.process_time()
    heads = ["", *(name.split(", ")[0] for name in groups)]
    compared = [beside_dds(boards, dds) for boards in groups.values()]
    costs = [questions.costs(boards, Solver()) for boards in groups.values()]
    ours = (time.process_time() - cpu) / (time.perf_counter() - clock)
    stored, last = list(groups.values())
    parts = [
        f"Measured in one run on {' and '.join(groups)}, with {surroundings()}, beside {dds.name}; CPU time, one thread"
        f" unless more are named; it had {ours:.0%} of a core. ± is one standard error from the choice of deals.",
        "**Time for the win question, DDS's = 1**",
        markdown(heads, columns([found for found, _ in compared], list(STATISTICS))),
        "; ".join(f"{name.split(', ')[0]}: {agree}" for name, (_, agree) in zip(groups, compared)) + ".",
        "**Time for other questions about a full deal, the win question = 1**",
        markdown(heads, columns(costs, list(questions.QUESTIONS))),
        "**Several threads, builds and memory** (random deals)",
        markdown(["", "ratio"], whole_machine(last, advice_cost.QUICK_SAMPLES if options.quick else SAMPLES)),
        f"Node signature of the stored deals: {signature(stored)}.",
    ]
    return "\n\n".join(parts), compared[-1][0], ours


def short(found: dict[str, Ratio], dds: str, deals: int) -> str:
    """One sentence for the README."""
    return (
        f"On {deals:,} random deals the question who wins takes {found['mean'].value:.2f} of the time of {dds} on"
        f" average ({found['median'].value:.2f} in the median)."
    )


def pictures() -> str:
    """The pictures as Markdown."""
    return (
        f"![Share of deals solved within a time, hokm-solver and DDS](images/{SOLVE_TIMES})\n\n"
        f"![Time against cards left](images/{CARDS_LEFT})"
    )


def main() -> None:
    """Print the figures, and write them if asked."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--write", action="store_true", help="put them into README.md and docs/, pictures too")
    options = parser.parse_args()
    text, found, ours = report(options)
    print(text)
    if options.write and ours < QUIET:
        parser.exit(1, f"not written: the machine was busy, and one thread had only {ours:.0%} of a core\n")
    if options.write:
        boards = list(corpora(options).values())[-1]
        draw_all(boards, LINES_QUICK if options.quick else LINES)
        replace_between(SPEED, BEGIN, END, f"{text}\n\n{pictures()}")
        replace_between(README, BEGIN, END, short(found, Dds().name, number_of_deals(options)))


if __name__ == "__main__":
    main()
