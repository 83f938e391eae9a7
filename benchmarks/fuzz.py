"""The long run: damaged and odd input for everything that reads: ``python -m benchmarks.fuzz --inputs 1000000``.

Text in the notations, positions as JSON, lines of a batch, files that are continued, lines of the protocol and of a
match's log, names of players, and calls of the compiled modules with arguments of every wrong kind (`fuzz_core`).
Inputs are lines of ``tests/data`` and of ``tests/data/fuzz`` with a few places damaged, or put together from odd
pieces; input number i of a seed is the same in every run.

Whatever is read must be the same after being written and read again. Whatever is refused must be refused by an error
of this package (by the compiled modules: by one of the usual exceptions of Python) that says why in one line. Anything
else is printed with its number, and the exit code is 1. Every target runs in a process of its own, so that a crash is
found as well, and a call that does not end: it is told with the number of the input.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from benchmarks.common import DATA
from benchmarks.fuzz_core import Core
from benchmarks.fuzz_damage import damaged_bytes, damaged_text, damaged_value, odd_text
from hokm_solver.batch import AdviseOptions, SolveOptions
from hokm_solver.deal import Position
from hokm_solver.engine.arena import Duel, Seating, game_from_json, game_to_json, play_duel
from hokm_solver.engine.player import make_player
from hokm_solver.errors import HokmError
from hokm_solver.journal import Journal
from hokm_solver.lines import Failure, Line, read_lines
from hokm_solver.notation import (
    format_cards,
    format_deal,
    format_hand,
    format_hands,
    parse_card,
    parse_cards,
    parse_deal,
    parse_hand,
    parse_hands,
    parse_seat,
    parse_suit,
    parse_won,
    position_from_json,
    position_to_json,
)
from hokm_solver.protocol import Engine, Settings, Worker
from hokm_solver.solver import Limit, Solver

INPUTS = 1_000_000
CORPUS = ("positions_play", "positions_kot", "positions_early", "traps", "positions_freak")
LINES = 60  # of each file
FULL_SOLVES = 0.02  # of all inputs, at most: searches of positions with more than FEW cards a hand
FEW = 6
TABLE_MB = 4
LONGEST_MESSAGE = 400
PATIENCE_SECONDS = 300  # for one input
SHOWN = 2000  # characters of an input that is printed

Input = TypeVar("Input")


class Target(Protocol):
    """Something that reads."""

    def make(self, rng: Random) -> Any:
        """An input."""

    def faults(self, rng: Random, made: Any, counts: Counter[str]) -> Iterator[str]:
        """Let it be read and yield what is wrong; what is read, or refused and why, is counted."""


def corpus(name: str) -> list[dict[str, Any]]:
    """The first lines of a file of stored answers."""
    with open(DATA / f"{name}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for _, line in zip(range(LINES), lines)]


def finds(name: str) -> list[str]:
    """The inputs that were found to be read wrongly once."""
    path = DATA / "fuzz" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def faults_of(error: HokmError) -> Iterator[str]:
    """What is wrong with how something is refused."""
    said = str(error)
    if not said or len(said) > LONGEST_MESSAGE or not all(char.isprintable() for char in said):
        yield f"not one line of a sensible length: {said[:LONGEST_MESSAGE]!r}"


class Notation:
    """Cards, hands, deals, suits, seats and tricks won as text."""

    name = "notation"
    readers: tuple[tuple[Callable[..., Any], Callable[[Any], str] | None], ...] = (
        (parse_card, str),
        (parse_cards, format_cards),
        (parse_hand, format_hand),
        (parse_hands, format_hands),
        (parse_deal, format_deal),
        (parse_suit, None),
        (parse_seat, None),
        (parse_won, None),
    )
    samples: Sequence[Sequence[str]] = (  # for each of the readers
        ("AH", "10♠", "♥A", "دل ۵", "Ac"),
        ("AH QH 9H KC 4D", "AHQH9HKC4D", "A♥ Q♥ 9♥ K♣ 4♦", "♥AQ9 ♣K ♦4", "شاه دل، ۵ پیک", ""),
        ("AT97.A.8765.K543", "...", "A.K.Q.J", "-"),
        ("N:A... ..K. .A..2 .KT..", "E:AK.. QJ.. .. ..AK"),
        ("N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2",),
        ("H", "spades", "♦", "گشنیز"),
        ("N", "west", "S"),
        ("NS:2,WE:3", "NS:6", "WE:0، NS:1"),
    )

    def __init__(self) -> None:
        """Take the samples and what was found before."""
        self._finds = finds(self.name)

    def make(self, rng: Random) -> tuple[int, bool, str]:
        """A reader, whether it is strict, and a text."""
        place = rng.randrange(len(self.readers))
        samples = [*self.samples[place if rng.random() < 0.8 else rng.randrange(len(self.readers))], *self._finds]
        text = damaged_text(rng, rng.choice(samples)) if rng.random() < 0.8 else odd_text(rng)
        return place, rng.random() < 0.2, text

    def faults(self, rng: Random, made: tuple[int, bool, str], counts: Counter[str]) -> Iterator[str]:
        """Read, and read what was written of it."""
        place, strict, text = made
        read, write = self.readers[place]
        options = {"strict": True} if strict and write is not None else {}
        try:
            found = read(text, **options)
        except HokmError as error:
            counts[error.code] += 1
            yield from faults_of(error)
            return
        counts["read"] += 1
        if write is not None and read(write(found)) != found:
            yield f"changed by being written: {write(found)!r}"


class PositionsTarget:
    """Positions as JSON; small ones are solved."""

    name = "positions"

    def __init__(self) -> None:
        """Take the stored positions."""
        self._samples = [entry for name in CORPUS for entry in corpus(name)]
        self._solver = Solver(TABLE_MB)
        self._options = SolveOptions("margin", cards=True, line=True, limit=Limit(nodes=20_000))
        self._asked = self._full = 0

    def make(self, rng: Random) -> Any:
        """A position with a few values changed."""
        return damaged_value(rng, rng.choice(self._samples))

    def faults(self, rng: Random, made: Any, counts: Counter[str]) -> Iterator[str]:
        """Read, write, read, solve."""
        self._asked += 1
        try:
            positions = position_from_json(made)
        except HokmError as error:
            counts[error.code] += 1
            yield from faults_of(error)
            return
        counts["read"] += 1
        for position in positions:
            if position_from_json(json.loads(json.dumps(position_to_json(position)))) != (position,):
                yield "changed by being written"
        if self._may_solve(positions[0]):
            counts["solved"] += 1
            yield from self._faults_of_solution(positions[0])

    def _may_solve(self, position: Position) -> bool:
        if max(map(len, position.hands)) <= FEW:
            return True
        self._full += 1
        return self._full <= FULL_SOLVES * self._asked

    def _faults_of_solution(self, position: Position) -> Iterator[str]:
        solution = self._options.solve(self._solver, [position])[0]
        json.dumps(solution.to_json(), allow_nan=False)
        if solution.cards is not None and not {value.card for value in solution.cards} <= set(position.legal_cards()):
            yield "a card that is not legal has a value"


class BatchLines:
    """Lines of a batch, as bytes: positions for `solve`, five cards for `advise`."""

    name = "lines"

    def __init__(self) -> None:
        """Take the stored positions with few cards, so that solving is quick."""
        entries = [entry for name in ("positions_play", "positions_kot") for entry in corpus(name)]
        self._samples = [json.dumps(entry).encode() for entry in entries]
        self._samples += [b"AH QH 9H KC 4D", "A♥ Q♥ 9♥ K♣ 4♦".encode(), b"", b"\xef\xbb\xbf{}", b"\r\n"]
        self._solver = Solver(TABLE_MB)
        self._solve = SolveOptions("points", cards=False, limit=Limit(nodes=1))
        self._advise = AdviseOptions(samples=2, seed=1)

    def make(self, rng: Random) -> bytes:
        """A few lines, damaged."""
        lines = [rng.choice(self._samples) for _ in range(rng.randint(1, 3))]
        return damaged_bytes(rng, rng.choice([b"\n", b"\r\n"]).join(lines))

    def faults(self, rng: Random, made: bytes, counts: Counter[str]) -> Iterator[str]:
        """Answer every line."""
        for line in read_lines(_Once(made), longest=rng.choice([200, 5000, 5000, 5000])):
            yield from self._faults_of_line(line, counts)

    def _faults_of_line(self, line: Line, counts: Counter[str]) -> Iterator[str]:
        answer = self._solve.answer(self._solver, line)
        if isinstance(answer, Failure):
            counts[answer.code] += 1
            if not answer.message.isprintable() or len(answer.message) > LONGEST_MESSAGE:
                yield f"not one line: {answer.message[:LONGEST_MESSAGE]!r}"
        else:
            counts["read"] += 1
        for options in (self._solve, self._advise):
            if options.digest(line) != options.digest(line):
                yield "its mark changes"


class _Once:
    """A stream of some bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int, /) -> bytes:
        found, self._data = self._data[:size], self._data[size:]
        return found


class Journals:
    """Files that are to be continued."""

    name = "journal"
    questions = ("one", "two", "three", "four")

    def __init__(self) -> None:
        """Write the file once as it ought to be."""
        self._directory = tempfile.TemporaryDirectory()
        self._path = Path(self._directory.name) / "out"
        self._answers = [self._answer(question) for question in self.questions]
        self._whole = b"".join(json.dumps(answer).encode() + b"\n" for answer in self._answers)

    @staticmethod
    def _answer(question: str) -> dict[str, Any]:
        return {"schema": "hokm-solver/test/1", "question": question}

    def make(self, rng: Random) -> bytes:
        """The file, or a part of it, damaged or not."""
        cut = self._whole[: rng.randrange(len(self._whole) + 1)]
        return cut if rng.random() < 0.3 else damaged_bytes(rng, cut)

    def faults(self, rng: Random, made: bytes, counts: Counter[str]) -> Iterator[str]:
        """Continue it: it must end up whole, or be left as it is."""
        self._path.write_bytes(made)
        try:
            with Journal(self._path) as journal:
                for question in journal.unanswered(
                    self.questions, lambda question, answer: answer == self._answer(question)
                ):
                    journal.append(self._answer(question))
        except HokmError as error:
            counts[error.code] += 1
            yield from faults_of(error)
            if self._path.read_bytes() != made:
                yield "refused, and yet changed"
            return
        counts["continued"] += 1
        written = [json.loads(line) for line in self._path.read_bytes().splitlines()]
        if written != self._answers:
            yield f"ends up as {self._path.read_bytes()!r}"


class _Replies:
    """What the engine writes."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def write(self, data: bytes, /) -> None:
        self.lines.append(data)

    def flush(self) -> None:
        pass


class ProtocolLines:
    """Requests to the engine: each has exactly one reply, and none is a mistake of the engine's own."""

    name = "protocol"

    def __init__(self) -> None:
        """Take one request of every kind."""
        self._workers = [Worker(make_player("greedy"), Solver(TABLE_MB))]
        self._samples = [
            {"id": 1, "command": "hello"},
            {"id": "a", "command": "ping"},
            {
                "id": 2,
                "command": "choose_trump",
                "cards": ["AH", "QH", "9H", "KC", "4D"],
                "hakem": "N",
                "score": [5, 6],
            },
            {
                "id": 3,
                "command": "choose_trump",
                "hand": ["AH", "QH", "9H", "KC", "4D"],
                "limits": {"nodes": 5, "seed": 7},
            },
            *({**entry, "id": i, "command": "analyse"} for i, entry in enumerate(corpus("positions_play"))),
            *({**self._view(), "id": i, "command": "choose_card"} for i in range(20)),
            {"id": 4, "command": "cancel", "target": 3},
        ]

    @staticmethod
    def _view() -> dict[str, Any]:
        hand = [*["AS", "KS", "4S", "3S", "AH", "9H", "8H", "KD", "7D", "2D", "QC", "JC", "5C"]]
        return {"seat": "W", "hakem": "N", "trump": "H", "hand": hand, "plays": ["2S"], "limits": {"time_ms": 5}}

    def make(self, rng: Random) -> bytes:
        """A few requests."""
        lines = []
        for _ in range(rng.randint(1, 8)):
            value = rng.choice(self._samples)
            text = json.dumps(damaged_value(rng, value) if rng.random() < 0.8 else value).encode()
            lines.append(damaged_bytes(rng, text) if rng.random() < 0.3 else text)
        return b"\n".join(lines)

    def faults(self, rng: Random, made: bytes, counts: Counter[str]) -> Iterator[str]:
        """Let the engine reply to all of them."""
        replies, asked = _Replies(), sum(1 for _ in read_lines(_Once(made)))
        quits = b"quit" in made
        Engine(replies, Settings(version="0")).run(_Once(made), self._workers)
        if len(replies.lines) != asked and not quits:
            yield f"{asked} requests, {len(replies.lines)} replies"
        for reply in map(json.loads, replies.lines):
            error = reply.get("error", {"code": "answered", "message": "x"})
            counts[error["code"]] += 1
            if error["code"] == "internal" or not error["message"].isprintable():
                yield f"reply {reply}"


class MatchLogs:
    """Lines of the log of a match."""

    name = "log"

    def __init__(self) -> None:
        """Play a match."""
        self._duel = Duel("greedy", "random", 3, seed=5)
        self._games = list(play_duel(self._duel))

    def make(self, rng: Random) -> tuple[Seating, Any]:
        """A place in the match and a record."""
        game = rng.choice(self._games)
        return game.seating, damaged_value(rng, json.loads(json.dumps(game_to_json(self._duel, game))))

    def faults(self, rng: Random, made: tuple[Seating, Any], counts: Counter[str]) -> Iterator[str]:
        """Read it: it is the deal that was played there, or none."""
        seating, record = made
        game = game_from_json(self._duel, seating, record)
        counts["refused" if game is None else "read"] += 1
        if game is not None and game.deal != self._duel.deal(seating.pair):
            yield "another deal"


class PlayerNames:
    """Players by name, with options."""

    name = "players"
    samples = (
        "random", "greedy", "rules", "learned", "engine", "engine:ms=20,worlds=5", "engine:level=3", "pimc:worlds=4",
        "search:worlds=7", "cmd:", "engine:ms=,", "pimc:worlds=1e3", "engine:level=99",
    )  # fmt: skip

    def make(self, rng: Random) -> str:
        """A name."""
        return damaged_text(rng, rng.choice(self.samples)) if rng.random() < 0.8 else odd_text(rng)

    def faults(self, rng: Random, made: str, counts: Counter[str]) -> Iterator[str]:
        """Make the player."""
        try:
            make_player(made)
            counts["read"] += 1
        except HokmError as error:
            counts[error.code] += 1
            yield from faults_of(error)


TARGETS: dict[str, tuple[Callable[[], Target], float]] = {  # and their shares of all inputs
    "notation": (Notation, 0.35),
    "positions": (PositionsTarget, 0.2),
    "lines": (BatchLines, 0.15),
    "journal": (Journals, 0.05),
    "protocol": (ProtocolLines, 0.05),
    "log": (MatchLogs, 0.03),
    "players": (PlayerNames, 0.02),
    "core": (Core, 0.15),
}


@dataclass(frozen=True, slots=True)
class Run:
    """Some inputs of one target."""

    target: str
    seed: int
    first: int
    inputs: int

    def work(self, reached: Synchronized[int], wrong: Synchronized[int]) -> None:
        """Go through them, in a process of its own, and print every fault."""
        faulthandler.enable()
        target, counts = TARGETS[self.target][0](), Counter[str]()
        for number in range(self.first, self.first + self.inputs):
            reached.value = number
            rng = Random(f"{self.seed}/{self.target}/{number}")
            made = target.make(rng)
            for fault in self._faults(target, rng, made, counts):
                wrong.value += 1
                print(f"{self.target} {number}: {fault}\n  {made!r}"[:SHOWN], flush=True)
        told = ", ".join(f"{code} {number:,}" for code, number in sorted(counts.items()))
        print(f"{self.target}: {self.inputs:,} inputs, {wrong.value} faults ({told})", flush=True)

    @staticmethod
    def _faults(target: Target, rng: Random, made: Any, counts: Counter[str]) -> list[str]:
        try:
            return list(target.faults(rng, made, counts))
        except Exception as error:  # the very thing that is looked for
            return [f"{type(error).__name__}: {error}"]

    def faults(self) -> int:
        """Run in another process; how many faults there were, a crash being one."""
        context = get_context("spawn")
        reached, wrong = context.Value("q", self.first), context.Value("q", 0)
        process = context.Process(target=self.work, args=(reached, wrong))
        process.start()
        last = -1
        while process.is_alive() and last != reached.value:
            last = reached.value
            process.join(PATIENCE_SECONDS)
        if process.exitcode == 0:
            return int(wrong.value)
        what = "no end" if process.is_alive() else f"exit code {process.exitcode}"
        process.kill()
        print(f"{self.target}: {what} at input {reached.value}", flush=True)
        return int(wrong.value) + 1


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=INPUTS, help="of all targets together (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides which (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: %(default)s)")
    parser.add_argument("--target", choices=TARGETS, help="only this one, with all the inputs")
    options = parser.parse_args()
    shares = {options.target: 1.0} if options.target else {name: share for name, (_, share) in TARGETS.items()}
    runs = [Run(name, options.seed, options.first, round(share * options.inputs)) for name, share in shares.items()]
    faults = sum(run.faults() for run in runs)
    print(f"{sum(run.inputs for run in runs):,} inputs, seed {options.seed}: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
