"""Errors: what they are, and how foreign text is quoted in them."""

import math
import pickle

import pytest

from hokm_solver import errors
from hokm_solver.errors import HokmError, NotationError, quote

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
    ],
)
def test_quote(value, shown):
    assert quote(value) == shown
