"""Kinds of numbers that options take."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click


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
