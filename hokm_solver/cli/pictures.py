"""The kind of file that a picture is written to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

SUFFIXES = (".png", ".svg")


class Picture(click.Path):
    """A file to be written whose name says which kind of picture it is."""

    def __init__(self) -> None:
        """Refuse directories."""
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a name."""
        if Path(value).suffix not in SUFFIXES:
            self.fail(f"{click.format_filename(value)} is neither a .png nor a .svg.", param, ctx)
        return super().convert(value, param, ctx)
