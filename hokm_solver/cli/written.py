"""Files that a command writes at its end: written aside and renamed, so that none is ever there by halves."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click

from hokm_solver.journal import written_aside

WRITTEN = click.Path(dir_okay=False)


def check_place(path: str | None) -> None:
    """Refuse a file whose directory is not there or cannot be written to, before any work is done; None is no file.

    Raises:
        OSError: naming the file.
    """
    if path is None:
        return
    directory = Path(path).absolute().parent
    if not directory.exists():
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if not directory.is_dir():
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    if not os.access(directory, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)


def write_whole(path: str, text: str) -> None:
    """Write a text in UTF-8 in the place of what was there.

    Raises:
        OSError: naming the file, of which the old content is still there.
    """
    with written_aside(path) as aside:
        aside.write_bytes(text.encode())
