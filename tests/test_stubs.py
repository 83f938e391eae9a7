"""The stubs of the compiled modules say what these really offer."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
STUBS = sorted(path.stem for path in TESTS.parent.glob("hokm_solver/_*.pyi"))


@pytest.mark.extra
def test_stubs_fit_the_compiled_modules():
    pytest.importorskip("mypy")
    built = [f"hokm_solver.{name}" for name in STUBS if find_spec(f"hokm_solver.{name}")]
    assert {"hokm_solver._search", "hokm_solver._sample"} <= set(built)
    command = [sys.executable, "-m", "mypy.stubtest", "--allowlist", TESTS / "stubtest_allowlist.txt", *built]
    run = subprocess.run(command, capture_output=True, text=True, cwd=TESTS.parent, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
