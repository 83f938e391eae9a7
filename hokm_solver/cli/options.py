"""Options that several commands share, and the kinds of values that options take."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

import click

from hokm_solver import defaults
from hokm_solver.rules import DEFAULT_RULES

Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
PICTURES = (".png", ".svg")


class Measure(click.FloatRange):
    """A number above 0, of seconds or the like: click's own range lets nan and inf through."""

    def __init__(self, unit: str) -> None:
        """Allow every finite number of `unit` above 0."""
        super().__init__(min=0, min_open=True)
        self._unit = unit

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number."""
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is not a number of {self._unit} above 0.", param, ctx)
        return number


class Picture(click.Path):
    """A file to be written whose name says which kind of picture it is."""

    def __init__(self) -> None:
        """Refuse directories."""
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a name."""
        if Path(value).suffix not in PICTURES:
            self.fail(f"{click.format_filename(value)} is neither a .png nor a .svg.", param, ctx)
        return super().convert(value, param, ctx)


def match_score(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Read the score of a match at which a deal is still played, hakem's side first: ``5-6``."""
    if value is None:
        return None
    last = DEFAULT_RULES.match_length - 1
    points = [int(part) if part.isascii() and part.isdigit() else -1 for part in value.split("-")]
    if len(points) != 2 or not all(0 <= each <= last for each in points):
        message = f"{value!r} is no score such as 5-6, each side with 0 to {last} points."
        raise click.BadParameter(message, ctx, param)
    return points[0], points[1]


def seed_option(of: str) -> Option:
    """``--seed``, of what is said."""
    return click.option(
        "--seed",
        type=click.IntRange(0, defaults.SEED_LIMIT - 1),
        default=defaults.SEED,
        show_default=True,
        metavar="K",
        help=f"Seed of {of}.",
    )


def jobs_option(do: str = "Number of threads.", default: str = "all cores") -> Option:
    """``--jobs``, None if it is not given: what it does, and the default as the help states it."""
    return click.option("--jobs", type=click.IntRange(min=1), metavar="N", help=f"{do}  [default: {default}]")


def table_option(each: str = "thread's table") -> Option:
    """``--table-mb``, the ceiling for each of what is said."""
    return click.option(
        "--table-mb",
        type=click.IntRange(1, defaults.LARGEST_TABLE_MB),
        default=defaults.TABLE_MB,
        show_default=True,
        metavar="MB",
        help=f"Most memory for each {each}, in MB.",
    )


def classes_option(help: str) -> Option:
    """``--classes``, the number of five-card hands."""
    return click.option(
        "--classes",
        type=click.IntRange(1, defaults.CLASSES),
        default=defaults.CLASSES,
        metavar="N",
        help=f"{help}  [default: all]",
    )
