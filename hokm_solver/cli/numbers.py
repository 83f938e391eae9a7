"""Kinds of numbers that options take."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click


class Seconds(click.FloatRange):
    """A time above 0: click's own range lets nan and inf through."""

    def __init__(self) -> None:
        """Allow every number above 0."""
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a time."""
        seconds = super().convert(value, param, ctx)
        if not isfinite(seconds):
            self.fail(f"{value} is not a number of seconds above 0.", param, ctx)
        return seconds
