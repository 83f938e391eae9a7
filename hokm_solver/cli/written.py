"""Files that a command writes at its end: written aside and renamed, so that none is ever there by halves."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

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
    """Write a text in UTF-8 in the place of what was there; what is no ordinary file, a pipe say, is written to.

    Raises:
        OSError: naming the file, of which the old content is still there.
    """
    with _naming(path):
        if Path(path).exists() and not Path(path).is_file():
            Path(path).write_bytes(text.encode())
            return
        target = Path(path).resolve()  # a link stays a link
        aside = target.with_name(f".{target.name[:200]}.{os.getpid()}.part")
        try:
            aside.write_bytes(text.encode())
            aside.replace(target)
        except BaseException:
            with suppress(OSError):
                aside.unlink()
            raise


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Name the file that was asked for in errors, not the one beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
