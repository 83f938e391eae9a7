"""Records of every kind go out and come back the same, and no bytes whatever make the readers fall over."""

import io
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import random_deal

sys.path.append(str(Path(__file__).parent.parent.parent))  # behind everything else, as in test_benchmarks

from benchmarks import fuzz_records
from hokm_solver.cards import Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.errors import HokmError
from hokm_solver.records import (
    Record,
    format_record,
    record_from_json,
    record_from_text,
    record_to_json,
    record_to_text,
)
from hokm_solver.records.files import read_entries
from hokm_solver.records.record import NAMES
from hokm_solver.rules import Rules

TEXT = st.text(st.characters(), max_size=20)
TAG_NAMES = ["Site", "play", "Play", "extra", "Extra", "Hakem", "north", "Deal", "firstfive", "a", "A"]
NEW_NAMES = (TEXT | st.sampled_from(TAG_NAMES)).filter(lambda name: name not in NAMES)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
RULES = st.builds(Rules, kot=st.integers(1, 9), hakem_koti=st.integers(1, 9), second_ace=st.booleans())


@st.composite
def records(draw):
    rng = Random(draw(st.integers(0, 2**32)))
    deal, hakem = random_deal(rng, freak=draw(st.booleans())), draw(st.sampled_from(Seat))
    position, plays, stop = Position.start(deal, rng.choice(list(Suit)), hakem), [], draw(st.integers(0, 52))
    while position.outcome() is None and len(plays) < stop:
        plays.append(rng.choice(list(position.legal_cards())))
        position = position.play(plays[-1])
    five = rng.sample(list(deal.hands[hakem]), 5)
    return Record(
        deal.hands,
        hakem,
        draw(st.sampled_from([position.trump, None])),
        draw(st.sampled_from([tuple(five), None])),
        tuple(plays),
        draw(st.none() | st.tuples(st.integers(0, 6), st.integers(0, 6))),
        draw(RULES),
        draw(st.dictionaries(st.sampled_from(Seat), TEXT)),
        draw(st.none() | TEXT),
        draw(st.none() | TEXT),
        draw(st.dictionaries(NEW_NAMES, VALUES, max_size=3)),
    )


@given(records())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_records_come_back_as_they_went_out(record):
    obj, text = json.loads(json.dumps(record_to_json(record))), record_to_text(record)
    assert record_from_json(obj) == record_from_text(text) == record
    assert record_to_json(record_from_json(obj)) == obj
    assert record_to_text(record_from_text(text)) == text
    text.encode()
    for form in ("json", "text"):
        (entry,) = read_entries(io.BytesIO(format_record(record, form).encode()))
        assert entry.record() == record


def test_matches_come_back_as_they_went_out():
    """The quick form of the first part of ``python -m benchmarks.fuzz_records``."""
    for seed in range(20):
        assert not list(fuzz_records.faults_of_match(Random(seed)))


@given(st.binary(max_size=400), st.sampled_from([b"", b"{", b'[Hakem "N"]\n', b'{"format": "hokm-record", ']))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_read_or_refused(data, start):
    assert not list(fuzz_records.faults(start + data, Counter()))


@given(
    st.dictionaries(st.sampled_from(sorted(NAMES)) | TEXT, VALUES, max_size=6).map(
        lambda obj: {"format": "hokm-record"} | obj
    )
)
@settings(max_examples=300, deadline=None)
def test_any_json_is_read_or_refused(obj):
    try:
        record_from_json(obj)
    except HokmError as error:
        field = error.field
    else:
        field = "none at fault"
    assert field


def test_damaged_files():
    """The quick form of ``python -m benchmarks.fuzz_records``."""
    counts = Counter()
    for number in range(300):
        rng = Random(f"quick/{number}")
        data = fuzz_records.damaged(rng, fuzz_records.whole_file(rng).encode())
        assert not list(fuzz_records.faults(data, counts)), data
    assert counts["read"] > 100
    assert {"bad_json", "bad_notation", "bad_field", "bad_deal", "illegal_play", "bad_encoding"} <= set(counts)


def test_what_the_long_run_looks_for_is_found():
    record = next(fuzz_records.match(Random(1)))
    (entry,) = read_entries(io.BytesIO(format_record(record).encode()))
    for error in (HokmError("two\nlines", field="two"), HokmError("no field"), HokmError("not it", field="hakem")):
        assert list(fuzz_records.faults_of_error(entry, error, lines=1))
    far = HokmError("hakem", field="hakem").at_line(5)
    assert list(fuzz_records.faults_of_error(entry, far, lines=1))
    assert not list(fuzz_records.faults_of_error(entry, far, lines=5))
