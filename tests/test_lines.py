"""Reading questions line by line: numbering, odd bytes, huge lines, and streams that come in pieces."""

import io
import json

import pytest

from hokm_solver.errors import EncodingError, JsonError, NotationError, TooLargeError
from hokm_solver.lines import LONGEST_LINE, Failure, Line, answer, read_lines


class Pieces:
    """A stream that hands out what it was given, piece by piece, like a pipe."""

    def __init__(self, *pieces):
        self.pieces = list(pieces)

    def read(self, size):
        return self.pieces.pop(0) if self.pieces else b""


def texts(data):
    return [(line.number, line.text) for line in read_lines(io.BytesIO(data))]


def test_lines_are_numbered_from_one_and_blank_ones_count():
    assert texts(b"a\n\n  \nb\n") == [(1, "a"), (4, "b")]


@pytest.mark.parametrize("space", ["\x1c", "\x85", "\u00a0 \u2003", "\u2028", "\t\r"])
def test_lines_of_any_kind_of_space_are_blank(space):
    assert texts(f"{space}\na\n{space}b\n{space}".encode()) == [(2, "a"), (3, "b")]


def test_the_last_line_needs_no_end():
    assert texts(b"a\nb") == [(1, "a"), (2, "b")]


def test_empty_input():
    assert texts(b"") == texts(b"\n\n") == []


def test_byte_order_mark_and_windows_line_ends():
    assert texts(b"\xef\xbb\xbfa\r\nb\r\n") == [(1, "a"), (2, "b")]


def test_a_byte_order_mark_alone_is_a_blank_line():
    assert texts(b"\xef\xbb\xbf\r\na") == [(2, "a")]


def test_a_line_may_come_in_pieces():
    stream = Pieces(b"one", b" line\nan", b"other", b"\n", b"\nlast")
    assert [(line.number, line.text) for line in read_lines(stream)] == [(1, "one line"), (2, "another"), (4, "last")]


def test_a_line_is_there_as_soon_as_its_end_was_read():
    stream = Pieces(b"first\nsec", b"ond\n")
    lines = read_lines(stream)
    assert next(lines).text == "first"
    assert len(stream.pieces) == 1


def test_a_line_that_is_not_utf8_stands_alone():
    good, bad, last = read_lines(io.BytesIO("آس\n".encode() + b"ab\xff\nz"))
    assert (good.text, last.text) == ("آس", "z")
    with pytest.raises(EncodingError, match="byte 3 of the line"):
        _ = bad.text


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_that_is_too_long_is_not_kept(end):
    data = b"a\n" + b"x" * (10 * LONGEST_LINE) + end + (b"b" if end else b"")
    lines = list(read_lines(io.BytesIO(data)))
    assert lines[0].text == "a"
    assert lines[1].raw is None
    with pytest.raises(TooLargeError, match="longer than"):
        _ = lines[1].text
    assert [line.text for line in lines[2:]] == (["b"] if end else [])


def test_the_longest_line_still_fits():
    line, after = read_lines(io.BytesIO(b"x" * LONGEST_LINE + b"\ny"))
    assert len(line.text) == LONGEST_LINE
    assert after.text == "y"


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", '{"a": 1} x', "[" * 50_000, "1" * 5_000, '"\x01"'])
def test_what_is_not_json(text):
    with pytest.raises(JsonError):
        Line(1, text.encode()).json()


def test_json():
    assert Line(1, b' {"a": [1, "\xd8\xa2\xd8\xb3"]} \r').json() == {"a": [1, "آس"]}


def test_an_answer_or_a_failure():
    def work(line):
        if line.number == 2:
            raise NotationError("no card")
        return line.text

    assert answer(Line(1, b"a"), work) == "a"
    failure = answer(Line(2, b"a"), work)
    assert failure == Failure(2, "bad_notation", "no card")
    assert json.dumps(failure.to_json()) == '{"line": 2, "error": {"code": "bad_notation", "message": "no card"}}'


def test_an_unknown_error_is_not_swallowed():
    def work(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer(Line(1, b"a"), work)
