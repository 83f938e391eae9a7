"""The tests with the core built to find mistakes: ``python -m benchmarks.sanitizers [--quick] [PYTEST ARGUMENTS]``.

The sources are copied and built with bounds checks, assertions and the sanitizers of addresses and of undefined
behaviour; the tests then run there, with the sanitizers' libraries loaded before Python and before every process that a
test starts. Without arguments these are all that can (see `NOT_HERE`), with ``--quick`` those nearest to the compiled
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
# A browser does not start with these libraries, and they keep freed memory, so no test can measure it.
NOT_HERE = ("-m", "not browser", "-k", "not memory_growth and not ten_thousand_bad_lines")
LIBRARIES = ("libasan.so", "libubsan.so")
BUILD = {"HOKM_SOLVER_DEBUG": "1", "HOKM_SOLVER_SANITIZE": "address,undefined"}
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1"}


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
        tests = [sys.executable, "-m", "pytest", *arguments]
        return subprocess.run(tests, cwd=directory, env={**os.environ, **OPTIONS, **loaded}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
