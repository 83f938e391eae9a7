"""The long run: files of records, whole and damaged: ``python -m benchmarks.fuzz_records --files 200000``.

First matches are written in both forms, read, and written again: records and bytes must be the same. Then matches in
both forms are damaged in a few places each: bytes, cards, lines, pieces. Of every file that is read, each record must
either be read, and then be the same after being written and read again in both forms, or be refused with one line that
names where in the file it is wrong, and in which field. Anything else is printed with the file, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from hokm_solver.cards import PACK, Card, Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.dealing import deal_cards
from hokm_solver.errors import HokmError
from hokm_solver.match import Match
from hokm_solver.records import (
    Record,
    format_record,
    read_records,
    record_from_json,
    record_from_text,
    record_to_json,
    record_to_text,
    write_records,
)
from hokm_solver.records.files import FORMS, Entry, Form, read_entries
from hokm_solver.rules import Rules

WITHOUT_A_FIELD = {"bad_json", "bad_encoding", "too_large"}  # and a line that is no tag
NO_TAG = "is no tag"
WORDS = [
    *('"', "\\", "{", "}", "[", "]", ":", ",", "null", "-1", "1e999", "9" * 5000, "NaN", "true", "[" * 3000),
    *(
        "\n",
        "\n\n",
        "\r",
        "\t",
        "%",
        ";",
        "\0",
        "\\ud800",
        "\ufeff",
        "\u202e",
        "\x1c",
        "\u00a0\n",
        "é" * 3000,
        "ي",
        "♥",
        "10",
        "N:",
        "E:",
    ),
    *("AS", "...", "[Hakem ", "[Play ", '[Trump "X"]', '"plays"', '"hands"', "NS:9", "kot=0", '"version": 2'),
    '"rules": {"bam": true}',
]
MOST_DAMAGES = 4
LONGEST_MATCH = 12  # deals


# Files that are whole


def match(rng: Random, deals: int = 2) -> Iterator[Record]:
    """A match as it might be recorded: names here, no trump there, some deals not played to their end."""
    state = Match(rng.choice(list(Seat)), rules=rng.choice([Rules(), Rules(kot=3), Rules(match_length=5)]))
    for number in range(deals):
        deal = deal_cards(rng.getrandbits(64), state.hakem)
        position = Position.start(deal, rng.choice(list(Suit)))
        plays: list[Card] = []
        stop = rng.choice([0, 7, 60, 60, 60])
        while position.outcome() is None and len(plays) < stop:
            plays.append(rng.choice(tuple(position.legal_cards())))
            position = position.play(plays[-1])
        record = Record(
            deal.hands,
            state.hakem,
            position.trump,
            tuple(deal.first_five or ()),
            tuple(plays),
            state.score,
            state.rules,
        )
        yield _varied(rng, record, number)
        outcome = position.outcome()
        state = state if outcome is None else state.after(outcome)
        if state.winner is not None:
            return


def _varied(rng: Random, record: Record, number: int) -> Record:
    """The record with more or less beside the cards."""
    players = {seat: rng.choice(["Sara", "علی", 'a "b" \\', ""]) for seat in Seat if rng.random() < 0.7}
    return replace(
        record,
        trump=record.trump if rng.random() < 0.9 else None,
        first_five=record.first_five if rng.random() < 0.7 else None,
        score=record.score if rng.random() < 0.7 else None,
        players=players,
        event=rng.choice([None, f"deal {number}"]),
        date=rng.choice([None, "2025-03-21"]),
        extra=rng.choice([{}, {"Site": "Tehran"}, {"arena": {"ms": [1, 2.5]}, "Room": "1"}]),
    )


def whole_file(rng: Random) -> str:
    """A match in one of the forms, or in both by turns."""
    texts = []
    for record in match(rng):
        form = rng.choice(FORMS)
        texts.append(format_record(record, form) + ("\n" if form == "json" else "\n\n"))
        if form == "json" and rng.random() < 0.2:
            texts[-1] = json.dumps(record_to_json(record), indent=1) + "\n"
    return "".join(texts)


def faults_of_match(rng: Random) -> Iterator[str]:
    """What is wrong with how a whole match is written and read, in each form."""
    played = list(match(rng, LONGEST_MATCH))
    for form in FORMS:
        text = _written(played, form)
        again = list(read_records(io.BytesIO(text.encode())))
        if again != played:
            yield f"read as {form} it is another match"
        if _written(again, form) != text:
            yield f"written as {form} again it is another file"


def _written(records: Iterable[Record], form: Form) -> str:
    stream = io.StringIO()
    write_records(records, stream, form)
    return stream.getvalue()


# Damage


def damaged(rng: Random, data: bytes) -> bytes:
    """The file with a few places changed."""
    for _ in range(rng.randint(1, MOST_DAMAGES)):
        data = rng.choice([_byte, _word, _cut, _doubled, _card, _card, _lines, _end])(rng, data)
    return data


def _place(rng: Random, data: bytes) -> int:
    return rng.randrange(len(data) + 1)


def _byte(rng: Random, data: bytes) -> bytes:
    at = _place(rng, data)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + rng.randint(0, 1) :]


def _word(rng: Random, data: bytes) -> bytes:
    at = _place(rng, data)
    return data[:at] + rng.choice(WORDS).encode() + data[at + rng.choice([0, 0, 1, 2, 5]) :]


def _cut(rng: Random, data: bytes) -> bytes:
    at = _place(rng, data)
    return data[:at] + data[at + rng.choice([1, 2, 3, 10, 100]) :]


def _doubled(rng: Random, data: bytes) -> bytes:
    at, size = _place(rng, data), rng.choice([1, 2, 5, 40, 400])
    return data[:at] + data[at : at + size] + data[at:]


def _card(rng: Random, data: bytes) -> bytes:
    """Change a card into another, wherever it stands."""
    one, two = (str(card).encode() for card in rng.sample(PACK, 2))
    return data.replace(one, two, rng.choice([1, 2, -1]))


def _lines(rng: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def _end(rng: Random, data: bytes) -> bytes:
    return data[: _place(rng, data)]


# What must hold


def faults(data: bytes, counts: Counter[str]) -> Iterator[str]:
    """What goes wrong when a file is read; what is read, or refused and why, is counted."""
    lines = data.count(b"\n") + 1
    for entry in read_entries(io.BytesIO(data)):
        try:
            record = entry.record()
        except HokmError as error:
            counts[error.code] += 1
            yield from faults_of_error(entry, error, lines)
        else:
            counts["read"] += 1
            if record_from_json(json.loads(json.dumps(record_to_json(record)))) != record:
                yield "changed by being written as JSON"
            if record_from_text(record_to_text(record)) != record:
                yield "changed by being written as text"


def faults_of_error(entry: Entry, error: HokmError, lines: int) -> Iterator[str]:
    """What is wrong with how a record of a file with so many lines is refused."""
    failure = entry.failure(error)
    if not entry.line <= failure.line <= lines:
        yield f"line {failure.line} of {lines}: {failure.message}"
    if not failure.message or "\n" in failure.message or "\r" in failure.message:
        yield f"not one line: {failure.message!r}"
    if error.code not in WITHOUT_A_FIELD and NO_TAG not in failure.message and not _names_its_field(error):
        yield f"field {error.field!r} not named: {failure.message}"


def _names_its_field(error: HokmError) -> bool:
    name = re.split(r"[.\[]", error.field or "")[0].lower()
    # What somebody else called a field may be cut or escaped in a message.
    return name != "" and (not name.isascii() or not name.isidentifier() or name in error.message.lower())


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000, help="how many, whole (default: %(default)s)")
    parser.add_argument("--files", type=int, default=200_000, help="how many, damaged (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides which (default: %(default)s)")
    options = parser.parse_args()
    spoilt = [fault for number in range(options.matches) for fault in faults_of_match(Random(f"match {number}"))]
    print(f"{options.matches:,} matches in both forms: {len(spoilt)} faults", *spoilt, sep="\n", flush=True)
    wrong, counts = 0, Counter[str]()
    whole = b""
    for number in range(options.files):
        rng = Random(f"{options.seed}/{number}")
        whole = whole_file(rng).encode() if number % 20 == 0 else whole
        data = damaged(rng, whole)
        try:
            found = list(faults(data, counts))
        except Exception as error:  # the very thing that is looked for
            found = [f"{type(error).__name__}: {error}"]
        wrong += len(found)
        for fault in found:
            print(f"file {number}: {fault}\n{data!r}", flush=True)
    told = ", ".join(f"{code} {number:,}" for code, number in sorted(counts.items()))
    print(f"{options.files:,} damaged files, seed {options.seed}: {wrong} faults\n{told}")
    return 1 if wrong or spoilt else 0


if __name__ == "__main__":
    sys.exit(main())
