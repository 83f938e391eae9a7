"""The commands for long runs work; here they do the least they can."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hokm_solver.review.judgement import AVERAGE_DEAL

ROOT = Path(__file__).parent.parent


def run(module, directory, *arguments):
    """Run a command of ``benchmarks`` as ``python -m`` does, but with the sources behind an installed package."""
    start = f"import runpy, sys; sys.path.append({str(ROOT)!r}); "
    start += f"runpy.run_module('benchmarks.{module}', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-c", start, *arguments]
    done = subprocess.run(command, cwd=directory, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_check_against_reference(tmp_path):
    first = run("check_against_reference", tmp_path, "--positions", "60", "--seed", "5")
    assert first.startswith("60 positions, seed 5, builds ")
    assert first.splitlines()[0].endswith(": 0 disagreements")
    assert first == run("check_against_reference", tmp_path, "--positions", "60", "--seed", "5")


def test_fuzz(tmp_path):
    told = run("fuzz", tmp_path, "--inputs", "1000", "--seed", "3")
    assert told.endswith("1,000 inputs, seed 3: 0 faults\n")
    assert told == run("fuzz", tmp_path, "--inputs", "1000", "--seed", "3")


def test_soak(tmp_path):
    assert ": 0 faults" in run("soak", tmp_path, "--minutes", "0.02")


def test_memory_growth(tmp_path):
    assert run("memory_growth", tmp_path, "--solves", "400").startswith("400 solves: ")


def test_freak_deals(tmp_path):
    table = run("freak_deals", tmp_path, "--deals", "1", "--shape", "6-5-2-0 in a ring")
    assert "| 6-5-2-0 in a ring | 12 |" in table
    assert table.count('"hands"') == 3


def test_fuzz_records(tmp_path):
    first = run("fuzz_records", tmp_path, "--matches", "2", "--files", "40", "--seed", "3")
    assert first.startswith("2 matches in both forms: 0 faults\n40 damaged files, seed 3: 0 faults\n")
    assert first == run("fuzz_records", tmp_path, "--matches", "2", "--files", "40", "--seed", "3")


def test_killed_review(tmp_path):
    said = run("killed_review", tmp_path, "--deals", "24", "--kills", "3", "--samples", "60")
    speed = r"24 deals in \d+ s \([\d.]+ times as fast as one thread\)"
    assert re.fullmatch(speed + r"; killed [1-3] times: the same answers and the same table\n", said), said


def test_average_deal(tmp_path):
    said = run("average_deal", tmp_path, "--deals", "300", "--seed", "7")
    shares = dict(re.findall(r"^(\w+): ([\d.]+)$", said, re.MULTILINE))
    assert sum(map(float, shares.values())) == pytest.approx(1, abs=1e-3)
    for outcome, share in AVERAGE_DEAL.items():
        assert float(shares[outcome.value]) == pytest.approx(share, abs=0.09)
