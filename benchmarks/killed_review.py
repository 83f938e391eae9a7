"""An archive reviewed by a command that is killed again and again: ``python -m benchmarks.killed_review --deals 500``.

Deals are played by policies and written to two files, one of each form. One run reviews them undisturbed; another is
killed at random moments (SIGKILL) and started again until it ends. Both must leave the same bytes and the same table.
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
STARTING_SECONDS = 0.5  # before this nothing is written yet


def write_archive(directory: Path, deals: int, seed: int) -> None:
    """Write the deals, half of them in each form."""
    duel = Duel("learned", "greedy", deals, seed)
    records = [record_from_json(game_to_json(duel, game)) for game in islice(play_duel(duel), deals)]
    with open(directory / "first.jsonl", "w", encoding="utf-8") as stream:
        write_records(records[::2], stream, "json")
    with open(directory / "second.pbn", "w", encoding="utf-8") as stream:
        write_records(records[1::2], stream, "text")


def review(archive: Path, out: Path, samples: int, killed_after: float | None = None) -> str | None:
    """Review the archive; the table, or None if the command was killed."""
    arguments = [str(archive), "--out", str(out), "--advice-samples", str(samples)]
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


def review_killed(archive: Path, out: Path, samples: int, seconds: float, rng: Random, kills: int) -> tuple[str, int]:
    """The table, after at most so many runs of which each had only a part of the time; and how many were killed."""
    for killed in range(kills):
        table = review(archive, out, samples, STARTING_SECONDS + rng.uniform(0, 2 * seconds / kills))
        if table is not None:
            return table, killed
    table = review(archive, out, samples)
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
    with tempfile.TemporaryDirectory() as directory:
        archive, whole, pieces = (Path(directory) / name for name in ("archive", "whole.jsonl", "pieces.jsonl"))
        archive.mkdir()
        write_archive(archive, options.deals, options.seed)
        begun = time.monotonic()
        table = review(archive, whole, options.samples)
        seconds = time.monotonic() - begun
        rng = Random(options.seed)
        again, killed = review_killed(archive, pieces, options.samples, seconds, rng, options.kills)
        same = (table, whole.read_bytes()) == (again, pieces.read_bytes())
        deals = whole.read_bytes().count(b"\n")
        print(f"{deals:,} deals in {seconds:.0f} s; killed {killed} times: ", end="")
        print("the same answers and the same table" if same else "ANOTHER RESULT")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
