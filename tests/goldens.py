"""Comparing text with a file under tests/golden; HOKM_SOLVER_WRITE_GOLDEN=1 writes the files anew, to be looked at."""

import os
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


def check_golden(name, text):
    """Fail unless `text` is exactly what the file `name` holds."""
    path = GOLDEN / name
    if os.environ.get("HOKM_SOLVER_WRITE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")
