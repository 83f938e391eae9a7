"""The tests with the core built to find mistakes: ``python -m benchmarks.sanitizers [--quick] [PYTEST ARGUMENTS]``.

The sources are copied and built with bounds checks, assertions and the sanitizers of addresses and of undefined
behaviour; the tests then run there, with the sanitizers' libraries loaded before Python and before every process that a
test starts. Without arguments these are all but those in a browser, with ``--quick`` those nearest to the compiled
modules. The first fault ends the process it is found in. Cython and setuptools must be in the environment, and the
compiler must be gcc. Leaks are not looked for, since Python itself keeps memory until the process ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.common import ROOT

LEFT_BEHIND = ("*.so", "*.c", "*.egg-info", "__pycache__", ".git", ".venv*", ".*_cache", "build", "dist", "site")
QUICK = (
    "tests/cli/test_stored_answers.py", "tests/engine/test_playout.py", "tests/test_search_core.py",
    "tests/test_sampling.py", "tests/test_compiled_arguments.py", "-k", "not test_advice",
)  # fmt: skip
NOT_HERE = ("-m", "not browser")  # which does not start with these libraries
PROFILE = "--hypothesis-profile=sanitizers"  # no deadline for single examples: everything takes many times as long
LIBRARIES = ("libasan.so", "libubsan.so")
BUILD = {"HOKM_SOLVER_DEBUG": "1", "HOKM_SOLVER_SANITIZE": "address,undefined"}
# Of freed memory only so much is kept to find late uses of it, or no test could measure what a process holds.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=64",
    "UBSAN_OPTIONS": "halt_on_error=1",
}


def library(name: str) -> str:
    """Where gcc has a library."""
    found = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, encoding="utf-8", check=True)
    return found.stdout.strip()


def main() -> int:
    """Run the command; returns the exit code of the tests."""
    given = sys.argv[1:]
    arguments = ["-q", *QUICK, *given[1:]] if given[:1] == ["--quick"] else given or ["-q", *NOT_HERE]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name) / ROOT.name
        shutil.copytree(ROOT, directory, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--force"]
        subprocess.run(build, cwd=directory, env={**os.environ, **BUILD}, check=True)
        loaded = {"LD_PRELOAD": " ".join(map(library, LIBRARIES)), "PYTHONPATH": str(directory)}
        tests = [sys.executable, "-m", "pytest", PROFILE, *arguments]
        return subprocess.run(tests, cwd=directory, env={**os.environ, **OPTIONS, **loaded}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
