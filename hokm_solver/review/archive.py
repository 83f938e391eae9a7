"""Reviews of many records: where they are found, the answer to each, and the mark that ties it to its question."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hokm_solver.errors import FieldError, HokmError
from hokm_solver.journal import digest
from hokm_solver.lines import Failure
from hokm_solver.records.files import Entry
from hokm_solver.records.json_form import record_to_json
from hokm_solver.review.judgement import SCHEMA, Review
from hokm_solver.review.reviewer import Reviewer, ReviewOptions

SUFFIXES = (".json", ".jsonl", ".pbn", ".txt")
STANDARD_INPUT = "-"


class Reviewed(NamedTuple):
    """A review and the place of its record."""

    entry: Entry
    review: Review

    def to_json(self) -> dict[str, Any]:
        """The review; with the place of its record where there are several files."""
        place = {} if self.entry.file is None else {"file": self.entry.file, "line": self.entry.line}
        return {**self.review.to_json(), **place}


def record_files(paths: Sequence[str], out: str | None = None) -> Iterator[str]:
    """Yield the files that are named, and for a directory those in it and below that may hold records, by name.

    ``out`` is the file to which reviews are written: lying in the directory it is no record itself.

    Raises:
        OSError: a path leads nowhere, or a directory cannot be read. FieldError: a directory has no such files.
    """
    for path in paths:
        if path == STANDARD_INPUT or not os.path.isdir(path):
            if path != STANDARD_INPUT:
                os.stat(path)  # not of a Path, for which no name at all is this directory
            yield path
            continue
        found = sorted(each for each in _files_below(path) if each.suffix.lower() in SUFFIXES and each.is_file())
        found = [each for each in found if out is None or each.resolve() != Path(out).resolve()]
        if not found:
            raise FieldError(f"{path} holds no records: no file in it ends in {', '.join(SUFFIXES)}")
        yield from map(str, found)


def _files_below(directory: str) -> Iterator[Path]:
    """All files in a directory and below; what is linked is looked at as well, but not behind a linked directory."""
    for where, _, names in os.walk(directory, onerror=_raise):
        yield from (Path(where, name) for name in names)


def _raise(error: OSError) -> None:
    """Let no directory be passed over in silence."""
    raise error


def answer(reviewer: Reviewer, entry: Entry) -> Reviewed | Failure:
    """The review of an entry, or what is wrong with its record."""
    try:
        record = entry.record()
    except HokmError as error:
        return entry.failure(error)
    return Reviewed(entry, reviewer.review(record))


def mark(entry: Entry, options: ReviewOptions) -> str:
    """The mark of what is asked with an entry: the record, whatever its spelling, and how it is to be judged."""
    asked = [options.advice_samples, options.known, options.seed]
    try:
        return digest([SCHEMA, record_to_json(entry.record()), *asked])
    except HokmError:
        return digest([entry.file, entry.line, entry.raw().decode("latin-1")])
