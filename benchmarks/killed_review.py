"""An archive reviewed by a command that is killed again and again: ``python -m benchmarks.killed_review --deals 500``.

Deals are played by policies and written to two files, one of each form. One run reviews them undisturbed; another is
killed at random moments (SIGKILL) and started again until it ends. Both must leave the same bytes and the same table,
and so must a run with one thread, beside which the time of all cores is told.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from random import Random

from hokm_solver.engine.arena import Duel, game_to_json, play_duel
from hokm_solver.records import record_from_json, write_records

COMMAND = [sys.executable, "-m", "hokm_solver", "review", "--summary", "--csv"]
NEW_LINE = b"\n"
STARTING_SECONDS = 0.5  # before this nothing is written yet


def write_archive(directory: Path, deals: int, seed: int) -> None:
    """Write the deals, half of them in each form."""
    duel = Duel("learned", "greedy", deals, seed)
    records = [record_from_json(game_to_json(duel, game)) for game in islice(play_duel(duel), deals)]
    with open(directory / "first.jsonl", "w", encoding="utf-8") as stream:
        write_records(records[::2], stream, "json")
    with open(directory / "second.pbn", "w", encoding="utf-8") as stream:
        write_records(records[1::2], stream, "text")


def review(archive: Path, out: Path, options: list[str], killed_after: float | None = None) -> str | None:
    """Review the archive; the table, or None if the command was killed."""
    arguments = [str(archive), "--out", str(out), *options]
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            table, _ = process.communicate(timeout=killed_after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
    if process.returncode:
        raise RuntimeError(f"the review ended with exit code {process.returncode}")
    return table


def timed_review(archive: Path, out: Path, options: list[str]) -> tuple[str | None, bytes, float]:
    """The table and the reviews of an undisturbed run, and its seconds."""
    begun = time.monotonic()
    table = review(archive, out, options)
    return table, out.read_bytes(), time.monotonic() - begun


def review_killed(
    archive: Path, out: Path, options: list[str], seconds: float, rng: Random, kills: int
) -> tuple[str, int]:
    """The table, after at most so many runs of which each had only a part of the time; and how many were killed."""
    for killed in range(kills):
        table = review(archive, out, options, STARTING_SECONDS + rng.uniform(0, 2 * seconds / kills))
        if table is not None:
            return table, killed
    table = review(archive, out, options)
    assert table is not None
    return table, kills


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=500, help="how many (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=20, help="at most so many (default: %(default)s)")
    parser.add_argument("--samples", type=int, default=20, help="of the advice on each call (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals and of the moments (default: %(default)s)")
    options = parser.parse_args()
    judging = ["--advice-samples", str(options.samples)]
    with tempfile.TemporaryDirectory() as directory:
        archive, *outs = (Path(directory) / name for name in ("archive", "one.jsonl", "all.jsonl", "pieces.jsonl"))
        archive.mkdir()
        write_archive(archive, options.deals, options.seed)
        *by_one, slow = timed_review(archive, outs[0], [*judging, "--jobs", "1"])
        *by_all, fast = timed_review(archive, outs[1], judging)
        again, killed = review_killed(archive, outs[2], judging, fast, Random(options.seed), options.kills)
        same = by_one == by_all == [again, outs[2].read_bytes()]
        print(f"{outs[1].read_bytes().count(NEW_LINE):,} deals in {fast:.0f} s", end="")
        print(f" ({slow / fast:.2f} times as fast as one thread); killed {killed} times: ", end="")
        print("the same answers and the same table" if same else "ANOTHER RESULT")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
