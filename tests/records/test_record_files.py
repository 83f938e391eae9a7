"""Files and streams of records: where one ends and the next begins, and that a bad one never stops the others."""

import io
import json

import pytest
from support import load_jsonl

from hokm_solver.errors import FieldError, HokmError, JsonError
from hokm_solver.records import format_record, read_records, record_from_json, write_records
from hokm_solver.records.files import LONGEST_LINE, read_entries

STORED = [entry["record"] for entry in load_jsonl("records")]
RECORDS = [record_from_json(obj) for obj in STORED]


def entries(text):
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_entries(io.BytesIO(data)))


def read(text):
    """The records of a text, with the line and message of an error in the place of what cannot be read."""
    found = []
    for entry in entries(text):
        try:
            found.append(entry.record())
        except HokmError as error:
            failure = entry.failure(error)
            found.append((failure.line, failure.message))
    return found


def written(form):
    stream = io.StringIO()
    write_records(RECORDS, stream, form)
    return stream.getvalue()


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_file_is_read_as_it_was_written(form):
    text = written(form)
    assert read(text) == RECORDS
    assert list(read_records(io.BytesIO(text.encode()))) == RECORDS
    assert len(text.splitlines()) == (3 if form == "json" else sum(len(r.plays) // 4 + 6 for r in RECORDS) + 3)


def test_an_unknown_form():
    with pytest.raises(FieldError, match="form must be json or text"):
        format_record(RECORDS[0], "xml")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n\n"])
def test_one_object_over_many_lines(end):
    text = json.dumps(STORED[0], indent=2).replace("\n", end)
    assert read(text) == RECORDS[:1]
    assert read(text + "\n" + json.dumps(STORED[1], indent=1)) == RECORDS[:2]


def test_forms_may_be_mixed():
    text = written("text")
    mixed = "% PBN 2.1\n% more\n\n" + json.dumps(STORED[0]) + "\n" + text + json.dumps(STORED[1], indent=1)
    assert read("\ufeff" + mixed) == [RECORDS[0], *RECORDS, RECORDS[1]]


def test_an_empty_line_ends_a_text_and_comments_are_no_record():
    assert read("\n\n% nothing\n;\n\n\n") == []
    first, second = read(written("text").split("\n\n")[0].replace("[Deal", "\n[Deal"))
    assert first[1] == "hands are missing"
    assert second[1] == "hakem is missing"


@pytest.mark.parametrize("space", ["\x1c", "\u00a0", "\u2003\u2028"])
def test_lines_that_look_empty_are_no_record(space):
    good = written("text").split("\n\n")[0]
    assert read(f"{good}\n{space}\n\n{space}\n{good}\n\n{space}") == RECORDS[:1] * 2
    assert read(f"\n{space}\n[Trump") == [(3, '"[Trump" is no tag; tags are written [Event "..."]')]


def test_a_bad_line_stops_no_other():
    good = json.dumps(STORED[0])
    found = read("\n".join([good, good[:50], good, "garbage", good, "{}", good, '{"a":', "", good]))
    assert [entry for entry in found if not isinstance(entry, tuple)] == RECORDS[:1] * 5
    assert [entry[0] for entry in found if isinstance(entry, tuple)] == [2, 4, 6, 8]


def test_errors_name_the_line_in_the_file():
    text = "\n" + json.dumps(STORED[0]) + "\n\n" + written("text").replace('[Trump "C"]', '[Trump "Q"]')
    (*_, (line, message)) = read(text)
    assert message.startswith('trump: unknown suit "Q"')
    assert text.splitlines()[line - 1] == '[Trump "Q"]'
    broken = json.dumps(STORED[0], indent=1).replace('"E":', '"E"')
    ((line, message),) = read(broken)
    assert "not JSON: Expecting ':' delimiter at character 7" in message
    assert broken.splitlines()[line - 1].startswith('  "E"')


def test_reading_stops_at_the_first_error_with_its_line():
    with pytest.raises(JsonError, match=r"^line 2: not JSON: .*") as caught:
        list(read_records(io.BytesIO(b"\n{nonsense}\n")))
    assert caught.value.line == 2
    with pytest.raises(FieldError, match=r"^line 1: hands are missing$") as caught:
        list(read_records(io.BytesIO(b'[Hakem "N"]')))
    assert (caught.value.line, caught.value.field) == (1, "hands")


def test_a_stream_is_read_record_by_record():
    lines = [json.dumps(obj).encode() + b"\n" for obj in STORED]

    class Stream:
        def read(self, size):
            return lines.pop(0) if lines else b""

    found = read_entries(Stream())
    for left in (2, 1, 0):
        next(found).record()
        assert len(lines) == left


def test_what_is_not_utf8():
    data = written("text").encode().replace(b"[Trump", b"\xff[Trump")
    assert [message for _, message in read(data)] == ["byte 1 of the line is not UTF-8"] * 3


@pytest.mark.parametrize("start", ["{", "[Event "])
@pytest.mark.parametrize("rest", ["x" * (LONGEST_LINE + 1), "x\n" * LONGEST_LINE, ' "}"\n' * (LONGEST_LINE // 2)])
def test_endless_records_are_refused_in_a_moment(start, rest):
    text = start + rest + "\n\n" + json.dumps(STORED[0])
    found = read(text)
    assert found[0][0] == 1
    assert "longer than 1,000,000 bytes" in found[0][1]
    assert found[-1] == RECORDS[0]


def test_brackets_in_strings_do_not_count():
    obj = {**STORED[0], "event": 'a } ] " \\', "x": "{{["}
    assert read(json.dumps(obj, indent=1)) == [record_from_json(obj)]
