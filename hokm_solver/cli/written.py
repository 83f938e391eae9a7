"""Files that a command writes at its end: written aside and renamed, so that none is ever there by halves."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path

import click

from hokm_solver.journal import is_device, written_aside

WRITTEN = click.Path(dir_okay=False)


def check_place(path: str | None, used: Iterable[str | None] = ()) -> None:
    """Refuse a place for a file before any work is done; None is no file.

    Raises:
        OSError: its directory is not there or cannot be written to. UsageError: it is one of the files `used`.
    """
    if path is None:
        return
    if any(other is not None and _same(path, other) for other in used):
        raise click.UsageError(f"{click.format_filename(path)} cannot be written: the command uses it otherwise.")
    directory = Path(path).absolute().parent
    if not directory.exists():
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if not directory.is_dir():
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    if not os.access(directory, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)


def _same(path: str, other: str) -> bool:
    """Whether two paths lead to one place; a device can take whatever comes."""
    return os.path.realpath(path) == os.path.realpath(other) and not is_device(path)


def write_whole(path: str, text: str) -> None:
    """Write a text in UTF-8 in the place of what was there.

    Raises:
        OSError: naming the file, of which the old content is still there.
    """
    with written_aside(path) as aside:
        aside.write_bytes(text.encode())
