"""Errors: what they are, and how foreign text is quoted in them."""

import math
import pickle

import pytest

from hokm_solver import errors
from hokm_solver.errors import FieldError, HokmError, NotationError, check_type, counted, quote

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, HokmError)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not HokmError])
def test_every_error_is_a_value_error_with_a_code(kind):
    assert issubclass(kind, ValueError)
    assert kind.code != HokmError.code
    assert len({each.code for each in KINDS}) == len(KINDS)


def test_error_remembers_its_field():
    error = NotationError("unknown rank").in_field("hands.N")
    assert (str(error), error.message, error.field) == ("hands.N: unknown rank", "hands.N: unknown rank", "hands.N")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.message, copy.field) == (NotationError, error.message, "hands.N")


def test_error_remembers_its_line():
    error = NotationError("unknown rank", field="hands").at_line(7)
    assert (str(error), error.field, error.line) == ("unknown rank", "hands", 7)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.message, copy.field, copy.line) == (NotationError, "unknown rank", "hands", 7)
    assert NotationError("unknown rank").line is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("AH", '"AH"'),
        ("x" * 1000, '"' + "x" * 39 + '…"'),
        ("a\nb\x00\ud800", '"a\\nb\\x00\\ud800"'),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (7, "7"),
        pytest.param(10**5000, "a huge number", id="huge"),
        pytest.param(-(10**5000), "a huge number", id="huge negative"),
        (math.nan, "nan"),
        ([], "a list"),
        ({}, "an object"),
        (b"", "a bytes"),
        (object(), "an object"),
    ],
)
def test_quote(value, shown):
    assert quote(value) == shown


def test_how_many():
    assert [counted(n, "card") for n in (0, 1, 2, 1000)] == ["0 cards", "1 card", "2 cards", "1,000 cards"]


def test_a_wrong_type():
    check_type(True, int, "won")
    with pytest.raises(FieldError, match=r'^won must be an int, not "3"$') as caught:
        check_type("3", int, "won")
    assert caught.value.field == "won"
