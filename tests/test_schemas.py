"""The JSON schemas in docs/schemas: what is printed is what they say, and what they say never changes.

tests/data/schemas_frozen.json holds, for every field of every schema, a digest of all that is said about it: type,
range, whether it may be left out, and meaning. A new field is added there by

    HOKM_SOLVER_WRITE_GOLDEN=1 pytest tests/test_schemas.py

which never changes or removes what is there: a field that has to change needs a schema with the next number. That the
program goes on meaning what the schema says is told by the stored outputs in tests/golden, and by the stored answers.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shlex
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import hokm_solver
from hokm_solver.cli import main
from hokm_solver.engine.player import Player
from hokm_solver.errors import IllegalHistory
from hokm_solver.protocol import Settings, serve

SCHEMAS = Path(__file__).parent.parent / "docs" / "schemas"
FROZEN = Path(__file__).parent / "data" / "schemas_frozen.json"
NAMES = sorted(path.stem for path in SCHEMAS.glob("*.json"))
DEAL = "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"
START = f'--hakem N --deal "{DEAL}"'
END = '--hakem N --leader E --won NS:6,WE:5 --deal "N:A...A ..K.3 .A..2 .KT.."'
FIVE = "AH QH 9H KC 4D"
# Together they print every field there is.
QUESTIONS = [
    f"solve --json --line --trump S {END}",
    f"solve --json --line {END}",
    f"solve --json --objective points --trump S {END}",
    f"solve --json --objective win --no-cards {END}",
    f"solve --json --trump H --max-nodes 30 {START}",
    f"solve --json --line --max-nodes 1 {START}",
    "solve --batch positions.jsonl --objective win --out solved.jsonl",
    f"advise --json --samples 4 {FIVE}",
    f"advise --json --samples 4 --score 5-6 --explain {FIVE}",
    f"advise --json --precision 1 {FIVE}",
    f"advise --json --time 0.01 {FIVE}",
    "advise --batch hands.txt --samples 4 --json",
    "advise --batch hands.txt --samples 4 --out advised.jsonl",
    "equity --json",
    "arena greedy random --pairs 1 --json",
    "arena greedy learned --pairs 2 --json",
]
HAND = ["KS", "QS", "4S", "TH", "5H", "2H", "QD", "9D", "8D", "6D", "3D", "QC", "5C"]
CARD = {"command": "choose_card", "seat": "S", "hakem": "N", "trump": "H", "hand": HAND, "plays": ["KC", "3C"]}
TRUMP = {"command": "choose_trump", "cards": FIVE}
POSITION = {"deal": "N:A...A ..K.3 .A..2 .KT..", "hakem": "N", "leader": "E", "won": {"NS": 6, "WE": 5}}
REQUESTS = [
    {"id": "engine-hello-1", "command": "hello"},
    {"id": "engine-done-1", "command": "ping"},
    {"id": "engine-cancel-1", "command": "cancel", "target": 99},
    *({"id": "engine-choose_card-1", **CARD, "limits": limits} for limits in ({"worlds": 20}, {"level": 1})),
    *({"id": "engine-choose_trump-1", **TRUMP, "limits": limits} for limits in ({"worlds": 20}, {"level": 1})),
    {"id": "engine-choose_card-1 late", **CARD, "limits": {"seed": 2}},
    {"id": "engine-cancel-1", "command": "cancel", "target": "engine-choose_card-1 late"},
    {"id": "engine-choose_trump-1 late", **TRUMP, "limits": {"seed": 2}},
    {"id": "engine-cancel-1", "command": "cancel", "target": "engine-choose_trump-1 late"},
    {"id": "engine-error-1 late", **CARD, "limits": {"seed": 3}},
    {"id": "engine-cancel-1", "command": "cancel", "target": "engine-error-1 late"},
    {"id": "solve-1", "command": "analyse", **POSITION},
    {"id": "solve-1", "command": "analyse", **POSITION, "trump": "S", "line": True},
    {"id": "engine-error-1", **CARD, "plays": ["KC"]},
    {"id": "engine-error-1", "command": "sing"},
    {"id": "engine-done-1", "command": "quit"},
]
Json = dict[str, Any]


class Slow(Player):
    """Begins with seeds 2 and 3 only when it is told to hurry, so that requests can be cancelled; 3 is a mistake."""

    def choose_card(self, view, limits):
        self.wait(limits)
        return super().choose_card(view, limits)

    def choose_trump(self, five, hakem, score, limits):
        self.wait(limits)
        return super().choose_trump(five, hakem, score, limits)

    def wait(self, limits):
        while limits.seed in (2, 3) and not limits.stop():
            sleep(0.001)
        if limits.seed == 3:
            raise IllegalHistory("a mistake to be told")


def schema(name: str) -> Json:
    """The schema in a file, without references."""
    text = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return inlined(text, text.pop("$defs", {}))


def inlined(value: Any, defs: Json) -> Any:
    """The same schema with every reference replaced by what it stands for and what is said beside it."""
    if isinstance(value, list):
        return [inlined(entry, defs) for entry in value]
    if not isinstance(value, dict):
        return value
    rest = {key: inlined(entry, defs) for key, entry in value.items() if key != "$ref"}
    return {**inlined(defs[value["$ref"].removeprefix("#/$defs/")], defs), **rest} if "$ref" in value else rest


def children(of: Json) -> dict[str, tuple[Json, bool]]:
    """The fields of an object or of the objects in a list by name: what is said of each, and whether it must be."""
    of = of.get("items", of)
    named = {name: (field, name in of.get("required", [])) for name, field in of.get("properties", {}).items()}
    return named | {pattern: (field, False) for pattern, field in of.get("patternProperties", {}).items()}


def said(of: Json) -> Json:
    """All that is said of a field itself, not of the fields inside it."""
    own = {key: value for key, value in of.items() if key not in ("properties", "patternProperties", "required")}
    return {**own, "items": said(own["items"])} if "items" in own else own


def digests(of: Json, path: str = "", needed: bool = True) -> dict[str, str]:
    """A digest for the object itself and for every field in it at any depth."""
    text = json.dumps([said(of), needed], sort_keys=True, ensure_ascii=False)
    found = {path or "(all)": sha256(text.encode()).hexdigest()[:16]}
    for name, (field, must) in children(of).items():
        found |= digests(field, f"{path}.{name}".lstrip("."), must)
    return found


def strict(of: Any) -> Any:
    """The same schema with fields forbidden that it does not name. (Programs must ignore those: there may be more.)"""
    if isinstance(of, list):
        return [strict(entry) for entry in of]
    if not isinstance(of, dict):
        return of
    closed = {key: strict(value) for key, value in of.items()}
    named = isinstance(of.get("properties", of.get("patternProperties")), dict)
    return {**closed, "additionalProperties": False} if named and of.get("type") != "string" else closed


def fields(answer: Any, of: Json, path: str = "") -> set[str]:
    """The fields of a schema that are there in an answer."""
    if isinstance(answer, list):
        return {name for entry in answer for name in fields(entry, of, path)}
    if not isinstance(answer, dict):
        return set()
    found = set()
    for name, (field, _) in children(of).items():
        for key in answer:
            if key == name or (name.startswith("^") and re.search(name, key)):
                inner = f"{path}.{name}".lstrip(".")
                found |= {inner} | fields(answer[key], field, inner)
    return found


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(strict(schema(name)))


def schema_of(answer: Json) -> str:
    """The name of the file that describes a line printed by a command."""
    return "error-1" if "error" in answer else answer["schema"].removeprefix("hokm-solver/").replace("/", "-")


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> list[tuple[str, Json]]:
    """What every command prints as JSON, and the replies of the engine, with the schema each belongs to."""
    place = tmp_path_factory.mktemp("printed")
    position = json.dumps({"deal": DEAL, "hakem": "N", "trump": "H"})
    (place / "positions.jsonl").write_text(f"{position}\nfoo\n", encoding="utf-8")
    (place / "hands.txt").write_text(f"{FIVE}\nfoo\n", encoding="utf-8")
    before = Path.cwd()
    os.chdir(place)
    try:
        lines = [line for question in QUESTIONS for line in run(question).splitlines()]
        lines += [line for file in place.glob("*d.jsonl") for line in file.read_text(encoding="utf-8").splitlines()]
    finally:
        os.chdir(before)
    answers = [json.loads(line) for line in lines]
    return [(schema_of(answer), answer) for answer in answers] + replies()


def run(question: str) -> str:
    result = CliRunner().invoke(main, shlex.split(question))
    assert result.exit_code == ("--batch" in question), result.output  # a line of each batch cannot be read
    return result.stdout


def replies() -> list[tuple[str, Json]]:
    """The engine's replies; those of `analyse` without what every reply has: the rest is what `solve` prints."""
    output = BytesIO()
    asked = b"".join(json.dumps(request).encode() + b"\n" for request in REQUESTS)
    serve(BytesIO(asked), output, Slow, Settings("1.0"), table_mb=1)
    answers = [json.loads(line) for line in output.getvalue().splitlines()]
    assert len(answers) == len(REQUESTS)
    known = [(answer["id"].split()[0], answer) for answer in answers]
    return [(name, without_head(answer) if name == "solve-1" else answer) for name, answer in known]


def without_head(reply: Json) -> Json:
    return {key: value for key, value in reply.items() if key not in ("id", "final")}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_is_what_the_schema_says(name, printed):
    answers = [answer for belongs, answer in printed if belongs == name]
    assert answers
    for answer in answers:
        assert not [error.message for error in validator(name).iter_errors(answer)], answer


@pytest.mark.parametrize("name", NAMES)
def test_every_field_of_the_schema_is_printed_by_something(name, printed):
    described = set(digests(schema(name))) - {"(all)"}
    shown = {field for belongs, answer in printed if belongs == name for field in fields(answer, schema(name))}
    assert described - shown == set()


def test_everything_that_names_a_schema_has_one():
    package = Path(hokm_solver.__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    named = {found.replace("/", "-") for found in re.findall(r"hokm-solver/([a-z_]+/\d+)", text)}
    assert {"solve-1", "advise-1", "equity-1", "arena-1"} <= named
    assert named - set(NAMES) == set()


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_schemas(name):
    Draft202012Validator.check_schema(schema(name))
    silent = [path for path, of in everything(schema(name)) if path and not of.get("description")]
    assert not silent, "fields without a meaning"


def everything(of: Json, path: str = "") -> list[tuple[str, Json]]:
    """Every field of a schema at any depth, and what is said of it."""
    inside = [(f"{path}.{name}".lstrip("."), field) for name, (field, _) in children(of).items()]
    return [(path, of), *(entry for name, field in inside for entry in everything(field, name))]


def frozen() -> dict[str, dict[str, str]]:
    stored: dict[str, dict[str, str]] = json.loads(FROZEN.read_text(encoding="utf-8"))
    return stored


def broken(name: str, now: dict[str, str]) -> set[str]:
    """The fields of a schema as it was frozen that are gone or of which something else is said now."""
    return {path for path, digest in frozen().get(name, {}).items() if now.get(path) != digest}


def test_old_fields_keep_their_meaning():
    now = {name: digests(schema(name)) for name in NAMES}
    assert set(frozen()) <= set(now)
    assert {name: found for name in NAMES if (found := broken(name, now[name]))} == {}
    if os.environ.get("HOKM_SOLVER_WRITE_GOLDEN") == "1":
        FROZEN.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8", newline="\n")
    assert frozen() == now, "new fields are to be frozen, see the top of this file"


def leave_out(of: Json) -> None:
    del of["properties"]["samples"]


def rename(of: Json) -> None:
    of["properties"]["deals"] = of["properties"].pop("samples")


def change_type(of: Json) -> None:
    of["properties"]["samples"]["type"] = "number"


def change_meaning(of: Json) -> None:
    of["properties"]["samples"]["description"] = "deals not solved"


def make_optional(of: Json) -> None:
    of["required"].remove("samples")


def change_items(of: Json) -> None:
    of["properties"]["cards"]["items"] = {"type": "integer"}


def change_inside(of: Json) -> None:
    of["properties"]["trumps"]["items"]["properties"]["table"]["properties"]["win"]["maximum"] = 100


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (leave_out, {"samples"}),
        (rename, {"samples"}),
        (change_type, {"samples"}),
        (change_meaning, {"samples"}),
        (make_optional, {"samples"}),
        (change_items, {"cards"}),
        (change_inside, {"trumps.table.win"}),
    ],
)
def test_a_change_of_an_old_field_is_told(change, told):
    of = copy.deepcopy(schema("advise-1"))
    change(of)
    assert broken("advise-1", digests(of)) == told


def test_a_new_field_is_none():
    of = copy.deepcopy(schema("advise-1"))
    of["properties"]["mood"] = {"type": "string", "description": "how hakem feels"}
    assert broken("advise-1", digests(of)) == set()
    assert "mood" in digests(of)


@pytest.mark.parametrize("change", [{"samples": "many"}, {"mood": "good"}, {"samples": None}])
def test_an_answer_that_differs_is_told(change, printed):
    answer = next(answer for name, answer in printed if name == "advise-1")
    assert validator("advise-1").is_valid(answer)
    assert not validator("advise-1").is_valid({**answer, **change})


def test_a_field_left_out_is_told(printed):
    answer = next(answer for name, answer in printed if name == "advise-1")
    assert not validator("advise-1").is_valid({key: value for key, value in answer.items() if key != "samples"})
