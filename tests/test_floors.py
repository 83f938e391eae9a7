"""The house rules: imports run downward or sideways without a circle, and importing the package is quick."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import hokm_solver

PACKAGE = Path(hokm_solver.__file__).parent
FLOOR = {
    **dict.fromkeys(["cards", "errors", "defaults", "showing"], 1),
    **dict.fromkeys(["rules", "deal", "dealing", "tokens", "notation", "match"], 2),
    **dict.fromkeys(["reference", "solver", "sampling", "parallel", "cluster", "journal", "lines"], 3),
    **dict.fromkeys(["comparison", "strata", "fives"], 3),
    **dict.fromkeys(["_search", "_search_bmi2", "_sample", "_playout", "_playout_bmi2"], 3),
    **dict.fromkeys(["advice", "race", "table", "reasons", "equity", "batch"], 4),
    **dict.fromkeys(["review", "book", "book_building", "engine", "records"], 4),
    **dict.fromkeys(["report", "protocol"], 5),
    **dict.fromkeys(["cli", "__main__"], 6),
}
ROOT = "__init__"  # the front door: below it stands everything, and only the upper floors may come in through it
FILES = sorted(path for path in PACKAGE.rglob("*.py*") if path.suffix in (".py", ".pyi"))


def module_of(path: Path) -> str:
    """Return the dotted name inside the package: ``cards``, ``cli.solve``, ``report`` for its ``__init__``."""
    parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == ROOT and len(parts) > 1 else parts)


MODULES = {module_of(path) for path in FILES} | set(FLOOR)


def imports(path: Path) -> Iterator[str]:
    """Yield the full name of whatever the file imports, anywhere in it."""
    package = ["hokm_solver", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def inner_imports(path: Path) -> set[str]:
    """Return the modules of this package that the file imports."""
    found = set()
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "hokm_solver":
            continue
        inside = [".".join(parts[1:end]) for end in range(len(parts), 1, -1)]
        found.add(next((module for module in inside if module in MODULES), ROOT))
    return found


def floor_of(module: str) -> int:
    return 4 if module == ROOT else FLOOR.get(module.split(".")[0], 0)


INSIDE = [path for path in FILES if module_of(path) != ROOT]


@pytest.mark.parametrize("path", INSIDE, ids=module_of)
def test_imports_run_downward(path):
    here = module_of(path)
    assert here.split(".")[0] in FLOOR, f"{here} stands on no floor: give it one"
    above = {name for name in inner_imports(path) if floor_of(name) > floor_of(here)}
    assert not above, f"{here} imports upward: {sorted(above)}"


def test_imports_run_in_no_circle():
    graph = {module_of(path): inner_imports(path) - {module_of(path), ROOT} for path in INSIDE}
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_only_the_command_line_knows_click(path):
    knows_click = any(name.split(".")[0] == "click" for name in imports(path))
    assert not knows_click or module_of(path).split(".")[0] == "cli"


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, hokm_solver; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "hokm_solver" in loaded
    assert not {"numpy", "click", "concurrent", "multiprocessing", "json"} & set(loaded)


def test_importing_the_package_is_quick():
    code = "import time; t = time.process_time(); import hokm_solver; print(time.process_time() - t)"
    run = [sys.executable, "-c", code]
    seconds = [float(subprocess.run(run, capture_output=True, text=True, check=True).stdout) for _ in range(5)]
    assert min(seconds) < 0.1


def test_public_names():
    for name in ("deal_cards", "__version__", "Position"):
        assert getattr(hokm_solver, name) is getattr(hokm_solver, name)
    assert set(hokm_solver.__all__) <= set(dir(hokm_solver))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hokm_solver.nothing  # noqa: B018
