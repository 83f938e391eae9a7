"""Whether the book is right: ``python -m benchmarks.book_check``.

Random classes are valued by an independent run of the adviser, on other deals. Do the values agree within their errors,
and how much worse than the best, by the independent values, is the suit that the book calls? Then some classes are
built by a process that is killed again and again at random moments and continued: are the bytes those of an unbroken
run, with one job and with two?
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.common import surroundings
from hokm_solver.book import Book, shipped
from hokm_solver.fives import hand_of
from hokm_solver.table import table_advice

SEED = 2  # of the independent deals, and of what is chosen at random
SURE = 4  # joint standard errors within which values must agree
SMALL = 0.05  # points that do not matter
STARTING = 0.3  # seconds in which a process has hardly begun


@dataclass(frozen=True)
class Check:
    """A hand in the book beside an independent run of the adviser.

    Attributes:
        off: the largest distance of a value, in joint standard errors.
        regret: points lost by the call of the book, by the independent values.
    """

    off: float
    regret: float


def check(book: Book, number: int) -> Check:
    """Value a class anew and compare."""
    five = hand_of(number)
    fresh, found = table_advice(five, seed=SEED), book.lookup(five)
    off = []
    for value in found:
        other = fresh.value(value.trump)
        off.append(abs(value.points - other.points) / hypot(value.points_se, other.points_se))
    return Check(max(off), fresh.value(found[0].trump).behind)


def agreement(checks: Sequence[Check]) -> str:
    """How many hands agree."""
    hands, largest = len(checks), max(each.off for each in checks)
    agree = sum(each.off <= SURE for each in checks)
    near = sum(each.regret <= SMALL for each in checks)
    regret = sum(each.regret for each in checks) / hands
    return (
        f"all four values within {SURE} joint standard errors: {agree} of {hands} hands (the largest: {largest:.1f})\n"
        f"suit called within {SMALL} points of the best: {near} of {hands} hands (mean regret {regret:.4f})"
    )


def build(path: Path, classes: int, jobs: int) -> subprocess.Popen[bytes]:
    """Begin or continue to build the first classes of a book."""
    command = [sys.executable, "-m", "hokm_solver", "book", "build", "--classes", str(classes), "--jobs", str(jobs)]
    return subprocess.Popen([*command, "--out", str(path)], stdout=subprocess.DEVNULL)


def finish(path: Path, classes: int, jobs: int) -> float:
    """Build until all is done; the seconds that took.

    Raises:
        RuntimeError: the process failed.
    """
    begun = time.monotonic()
    if build(path, classes, jobs).wait() != 0:
        raise RuntimeError(f"building {path} failed")
    return time.monotonic() - begun


def killed(folder: Path, classes: int, jobs: int, kills: int) -> str:
    """Build in one go and in pieces, and compare the bytes."""
    whole, parts = folder / f"whole-{jobs}", folder / f"parts-{jobs}"
    seconds = finish(whole, classes, jobs)
    rng, lines = Random(SEED + jobs), []
    for _ in range(kills):
        with build(parts, classes, jobs) as running:
            time.sleep(STARTING + rng.uniform(0, seconds / kills))
            running.kill()
        lines.append(parts.read_bytes().count(b"\n") if parts.exists() else 0)
    finish(parts, classes, jobs)
    same = "the same bytes" if parts.read_bytes() == whole.read_bytes() else "OTHER BYTES"
    return f"{classes} classes, jobs {jobs}, killed with {', '.join(map(str, lines))} done and continued: {same}"


def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--hands", type=int, default=300, help="random classes valued anew, 0 for none (default %(default)s)"
    )
    parser.add_argument("--book", type=Path, metavar="FILE", help="default: the book of the package")
    parser.add_argument("--classes", type=int, default=500, help="built in pieces (default %(default)s)")
    parser.add_argument("--kills", type=int, default=10, help="0 leaves that part out (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a few of each: enough to see that it works")
    options = parser.parse_args()
    hands, classes, kills = (5, 20, 2) if options.quick else (options.hands, options.classes, options.kills)
    print(surroundings())
    if hands > 0:
        book = shipped() if options.book is None else Book(options.book)
        numbers = Random(SEED).sample(range(book.about["classes"]), hands)
        print(agreement([check(book, number) for number in numbers]))
    with TemporaryDirectory() as folder:
        for jobs in (1, 2) if kills > 0 else ():
            print(killed(Path(folder), classes, jobs, kills))


if __name__ == "__main__":
    main()
