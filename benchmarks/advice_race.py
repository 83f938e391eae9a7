"""How long races take: ``python -m benchmarks.advice_race``.

Random hands are raced one after the other, each with all the jobs. Printed are seconds by the clock, so how busy the
machine was is printed as well: with two jobs and nothing else to do, nearly two cores work for us.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, median

from benchmarks.common import STATISTICS, random_hand, surroundings
from hokm_solver.advice import advise

FIRST_SEED = 9_200_000  # the first hand is hakem's in deal_cards(FIRST_SEED)


@dataclass(frozen=True, slots=True)
class Timing:
    """What one race took, and how it ended."""

    seconds: float
    cpu_seconds: float
    ended: str


def timings(hands: int, precision: float, jobs: int) -> Iterator[Timing]:
    """Race hands."""
    for number in range(hands):
        begun, cpu = time.perf_counter(), time.process_time()
        advice = advise(random_hand(FIRST_SEED + number), precision=precision, jobs=jobs)
        yield Timing(time.perf_counter() - begun, time.process_time() - cpu, advice.ended or "")


def report(found: list[Timing]) -> str:
    """Median, 95th percentile and longest; how busy the processor was with us; how the races ended."""
    seconds = [each.seconds for each in found]
    busy = sum(each.cpu_seconds for each in found) / sum(seconds)
    ends = ", ".join(f"{count} {ended}" for ended, count in Counter(each.ended for each in found).most_common())
    return (
        f"seconds: median {median(seconds):.2f}, 95th percentile {STATISTICS['95th percentile'](seconds):.2f},"
        f" longest {max(seconds):.2f}; CPU seconds: mean {fmean(each.cpu_seconds for each in found):.2f};"
        f" {busy:.2f} cores were ours on average\n{ends}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=200, help="default %(default)s")
    parser.add_argument("--precision", type=float, default=0.05, help="default %(default)s")
    parser.add_argument("--jobs", type=int, default=2, help="default %(default)s")
    parser.add_argument("--quick", action="store_true", help="a few rough races: enough to see that it works")
    options = parser.parse_args()
    hands, precision = (2, 1.0) if options.quick else (options.hands, options.precision)
    print(surroundings())
    print(
        f"{hands} hands, seeds {FIRST_SEED} to {FIRST_SEED + hands - 1}, precision {precision:g}, {options.jobs} jobs"
    )
    print(report(list(timings(hands, precision, options.jobs))))


if __name__ == "__main__":
    main()
