"""Kinds of numbers that options take."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click

from hokm_solver.rules import DEFAULT_RULES


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
