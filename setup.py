"""The extension modules and their compiler flags; everything else is in pyproject.toml."""

import os
import sys
import sysconfig

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("HOKM_SOLVER_DEBUG") == "1"  # bounds checks and assertions on
SANITIZE = os.environ.get("HOKM_SOLVER_SANITIZE", "")  # for example "address,undefined"
PROFILE = os.environ.get("HOKM_SOLVER_PROFILE") == "1"  # count what the search does
PORTABLE = os.environ.get("HOKM_SOLVER_PORTABLE", "") not in ("", "0")  # nothing that is for some processors only
MSVC = sys.platform == "win32"

flags = ["/O2"] if MSVC else ["-O3", "-fno-strict-aliasing"]
links = []
if DEBUG and not MSVC:
    # The bounds of the arrays inside the search as well: going past one is a trap, not a wrong answer.
    flags = ["-O1", "-g", "-UNDEBUG", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]
if SANITIZE:
    flags = [*flags, "-g", "-fno-omit-frame-pointer", f"-fsanitize={SANITIZE}"]
    links = [f"-fsanitize={SANITIZE}"]
macros = [("HOKM_PROFILE", "1")] if PROFILE else []


def only_for_x86_64():
    """Whether every processor built for is an x86-64: not where the compiler runs, but where the package will.

    The two differ on macOS, where one build may be for another processor or for both kinds.
    """
    targets = os.environ.get("ARCHFLAGS", "").replace("-arch", "").split() if sys.platform == "darwin" else []
    targets = targets or [sysconfig.get_platform().rpartition("-")[2]]
    return sys.maxsize > 2**32 and all(target.lower() in ("x86_64", "amd64") for target in targets)


def extension(name, source, extra=()):
    """One compiled module of the core."""
    return Extension(
        f"hokm_solver.{name}",
        [f"src_ext/{source}.pyx"],
        include_dirs=["src_ext"],
        extra_compile_args=[*flags, *extra],
        extra_link_args=links,
        define_macros=macros,
    )


extensions = [extension("_search", "search"), extension("_sample", "sample"), extension("_playout", "playout")]
if only_for_x86_64() and not MSVC and not PORTABLE:
    # The same sources compiled a second time; loaded only where the processor has fast BMI2.
    fast = ["-mbmi", "-mbmi2", "-mpopcnt", "-mlzcnt"]
    extensions.extend(extension(f"_{name}_bmi2", f"{name}_bmi2", fast) for name in ("search", "playout"))

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["src_ext"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": DEBUG,
            "embedsignature": True,
            "freethreading_compatible": True,
        },
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},  # one compiler for each module
)
