"""What setup.py compiles, with which flags: modules for some x86 processors only where nothing else is built for."""

from __future__ import annotations

import runpy
import sys
import sysconfig
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

SETUP = Path(__file__).parent.parent / "setup.py"
PORTABLE = ["_search", "_sample", "_playout"]
BOTH = [*PORTABLE, "_search_bmi2", "_playout_bmi2"]
VARIABLES = ["DEBUG", "SANITIZE", "PROFILE", "PORTABLE"]


@pytest.fixture
def extensions(monkeypatch):
    """Runs setup.py as if on a given system, with nothing behind it; returns what it would compile."""
    for name in VARIABLES:
        monkeypatch.delenv(f"HOKM_SOLVER_{name}", raising=False)
    monkeypatch.delenv("ARCHFLAGS", raising=False)
    taken = {}
    build, tools = ModuleType("Cython.Build"), ModuleType("setuptools")
    build.cythonize = lambda extensions, **options: extensions
    tools.setup = taken.update
    tools.Extension = lambda name, sources, **options: SimpleNamespace(name=name, sources=sources, **options)
    for name, module in {"Cython": ModuleType("Cython"), "Cython.Build": build, "setuptools": tools}.items():
        monkeypatch.setitem(sys.modules, name, module)

    def run(system, platform, **environment):
        monkeypatch.setattr(sys, "platform", system)
        monkeypatch.setattr(sysconfig, "get_platform", lambda: platform)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        runpy.run_path(str(SETUP))
        return taken["ext_modules"]

    return run


def names(extensions):
    return [extension.name.removeprefix("hokm_solver.") for extension in extensions]


def flags(extensions):
    return {flag for extension in extensions for flag in extension.extra_compile_args}


@pytest.mark.parametrize(
    ("system", "platform", "archflags", "built"),
    [
        ("linux", "linux-x86_64", "", BOTH),
        ("linux", "linux-aarch64", "", PORTABLE),
        ("linux", "linux-aarch64", "-arch x86_64", PORTABLE),  # the variable means nothing there
        ("darwin", "macosx-11.0-arm64", "", PORTABLE),
        ("darwin", "macosx-10.13-x86_64", "", BOTH),
        ("darwin", "macosx-10.13-universal2", "", PORTABLE),
        ("darwin", "macosx-10.13-universal2", "-arch x86_64", BOTH),
        ("darwin", "macosx-10.13-x86_64", "-arch arm64", PORTABLE),
        ("darwin", "macosx-10.13-x86_64", "-arch arm64 -arch x86_64", PORTABLE),
        ("win32", "win-amd64", "", PORTABLE),
        ("win32", "win-arm64", "", PORTABLE),
    ],
)
def test_fast_modules_only_where_all_processors_are_x86_64(extensions, system, platform, archflags, built):
    found = extensions(system, platform, ARCHFLAGS=archflags)
    assert names(found) == built
    assert any(flag.startswith("-mbmi") for flag in flags(found)) == (built == BOTH)


def test_no_fast_modules_for_32_bits(extensions, monkeypatch):
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    assert names(extensions("linux", "linux-x86_64")) == PORTABLE


def test_portable_build_has_no_flag_for_a_processor(extensions):
    found = extensions("linux", "linux-x86_64", HOKM_SOLVER_PORTABLE="1")
    assert names(found) == PORTABLE
    assert not [flag for flag in flags(found) if flag.startswith("-m")]
    assert names(extensions("linux", "linux-x86_64", HOKM_SOLVER_PORTABLE="0")) == BOTH


def test_microsofts_compiler_gets_its_own_flags(extensions):
    assert flags(extensions("win32", "win-amd64", HOKM_SOLVER_DEBUG="1")) == {"/O2"}
