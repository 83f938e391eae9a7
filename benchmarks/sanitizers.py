"""The tests with the core built to find mistakes: ``python -m benchmarks.sanitizers [PYTEST ARGUMENTS]``.

The sources are copied and built with bounds checks, assertions and the sanitizers of addresses and of undefined
behaviour; the tests then run there, by default those of core and engine, with the sanitizers' libraries loaded before
Python. The first fault ends the run. Cython and setuptools must be in the environment, and the compiler must be gcc.
Leaks are not looked for, since Python itself keeps memory until the process ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.common import ROOT

NEEDED = ("hokm_solver", "src_ext", "tests", "benchmarks", "docs", "setup.py", "pyproject.toml", "README.md")
TESTS = (
    "tests/engine", "tests/property", "tests/threads", "tests/test_search_core.py", "tests/test_solver.py",
    "tests/test_sampling.py", "tests/test_reference.py", "tests/test_freak_deals.py", "tests/test_wrong_types.py",
    "tests/test_compiled_arguments.py",
)  # fmt: skip
LIBRARIES = ("libasan.so", "libubsan.so")
BUILD = {"HOKM_SOLVER_DEBUG": "1", "HOKM_SOLVER_SANITIZE": "address,undefined"}
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1"}


def copy_sources(directory: Path) -> None:
    """Copy what the build and the tests need, without what was built."""
    ignore = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    for name in NEEDED:
        source, target = ROOT / name, directory / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignore)
        elif source.exists():
            shutil.copy(source, target)


def library(name: str) -> str:
    """Where gcc has a library."""
    found = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, encoding="utf-8", check=True)
    return found.stdout.strip()


def main() -> int:
    """Run the command; returns the exit code of the tests."""
    arguments = sys.argv[1:] or ["-q", *TESTS]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        copy_sources(directory)
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--force"]
        subprocess.run(build, cwd=directory, env={**os.environ, **BUILD}, check=True)
        loaded = {"LD_PRELOAD": " ".join(map(library, LIBRARIES)), "PYTHONPATH": name}
        tests = [sys.executable, "-m", "pytest", *arguments]
        return subprocess.run(tests, cwd=directory, env={**os.environ, **OPTIONS, **loaded}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
