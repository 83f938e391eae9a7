"""The engine for other programs: requests and replies as JSON objects, one a line.

Every request carries its whole position and gets exactly one final reply with its id. Requests that need work wait in
one queue, in the order in which they came, and are done by workers side by side; all others are answered at once.
Nothing that comes in ends the process but ``quit`` and the end of the input.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Protocol

from hokm_solver import defaults
from hokm_solver.batch import SolveOptions, solutions_to_json
from hokm_solver.cards import Seat
from hokm_solver.deal import Position
from hokm_solver.dealing import deal_cards
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.messages import (
    LIMIT_RANGES,
    CardQuestion,
    Json,
    TrumpQuestion,
    card_question_from_json,
    choice_to_json,
    limits_from_json,
    trump_choice_to_json,
    trump_question_from_json,
)
from hokm_solver.engine.player import Opponent
from hokm_solver.engine.view import View
from hokm_solver.errors import Busy, FieldError, HokmError, JsonError, SearchInterrupted, UnknownCommand, quote
from hokm_solver.lines import ByteStream, Line, read_lines
from hokm_solver.notation import position_from_json
from hokm_solver.parallel import POLL_SECONDS, WorkQueue
from hokm_solver.solver import OBJECTIVES, Limit, Solution, Solver

NAME = "hokm-solver"
PROTOCOL = 1
QUEUE_LENGTH = 256  # requests that may wait
LONGEST_LINE = 65_536  # bytes; the longest sensible request has about 600
COMMANDS = ("hello", "ping", "choose_card", "choose_trump", "analyse", "cancel", "quit")
ERROR_CODES = {
    "bad_json": "bad_json",
    "bad_encoding": "bad_json",
    "too_large": "too_large",
    "unknown_command": "unknown_command",
    "illegal_history": "illegal_history",
    "revoke": "illegal_history",
    "inconsistent_voids": "inconsistent_voids",
    "busy": "busy",
}
INTERNAL_ERROR = "internal"  # a mistake of the engine's own


class Output(Protocol):
    """Where replies are written."""

    def write(self, data: bytes, /) -> object:
        """Take all of `data`."""

    def flush(self) -> None:
        """Hand on what was written."""


@dataclass(frozen=True, slots=True)
class Worker:
    """What a worker thread works with."""

    player: Opponent
    solver: Solver

    def interrupt(self) -> None:
        """Let a search in hand end soon; players ask by themselves whether to stop."""
        self.solver.interrupt()


@dataclass(frozen=True, slots=True)
class Settings:
    """What an engine tells about itself; `queue` requests may wait, `level` is the one used when none is asked for."""

    version: str
    jobs: int = 1
    level: int = LIMIT_RANGES["level"].highest
    queue: int = QUEUE_LENGTH

    def to_json(self) -> Json:
        """The reply to ``hello``."""
        options: Json = {
            name: {"type": allowed.kind, "min": allowed.lowest, "max": allowed.highest}
            for name, allowed in LIMIT_RANGES.items()
        }
        options["level"]["default"] = self.level
        options["objective"] = {"type": "text", "values": list(OBJECTIVES), "default": "margin"}
        return {
            "name": NAME,
            "version": self.version,
            "protocol": PROTOCOL,
            "commands": list(COMMANDS),
            "options": options,
            "rules": "default",
            "jobs": self.jobs,
            "queue": self.queue,
            "longest_line": LONGEST_LINE,
        }


class Work(Protocol):
    """A question that takes work."""

    def answer(self, worker: Worker, hurried: Callable[[], bool]) -> Json:
        """The answer; as little work as an answer takes once `hurried` says so, before or during it."""


@dataclass(slots=True)
class Request:
    """A request whose final reply is still to come."""

    id: object
    work: Work
    cancelled: threading.Event = field(default_factory=threading.Event)


class Engine:
    """Answers the requests of one stream; see `serve`."""

    def __init__(self, output: Output, settings: Settings) -> None:
        """Write replies to `output`."""
        self._output = output
        self._settings = settings
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._failure: Exception | None = None
        self._last_reply: Json | None = None
        self._dropped = False  # interrupted: what is not answered yet stays so
        self._open: list[Request] = []
        self._commands: Mapping[str, Callable[[object, Json], None]] = {
            "hello": lambda id, _: self._reply(id, self._settings.to_json()),
            "ping": lambda id, _: self._reply(id, {}),
            "choose_card": lambda id, obj: self._queue(id, CardWork(card_question_from_json(obj))),
            "choose_trump": lambda id, obj: self._queue(id, TrumpWork(trump_question_from_json(obj))),
            "analyse": lambda id, obj: self._queue(id, analysis_from_json(obj)),
            "cancel": self._cancel,
            "quit": self._quit,
        }

    def run(self, stream: ByteStream, workers: Sequence[Worker]) -> None:
        """Answer until ``quit`` or the end of the stream, and then what is still in the queue.

        Raises:
            OSError: nothing can be read or written any more. KeyboardInterrupt: Ctrl-C.
        """
        with WorkQueue(self._work, workers, room=self._settings.queue, interrupt=Worker.interrupt) as self._waiting:
            # A daemon in front of the input: the end must not have to wait for a line that never comes.
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()
            try:
                self._wait()
            except BaseException:
                self._drop()
                raise
        if self._last_reply is not None:
            self._write(self._last_reply)
            self._check()

    def _wait(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            pass
        self._check()
        self._waiting.close()
        while self._waiting.working():
            self._check()
        self._check()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    # Reading

    def _read(self, stream: ByteStream) -> None:
        try:
            for line in read_lines(stream, LONGEST_LINE):
                self._answer_line(line)
                if self._ended.is_set():
                    return
        except Exception as error:  # told by the thread that waits
            self._failure = error
        finally:
            self._ended.set()

    def _answer_line(self, line: Line) -> None:
        id: object = None
        try:
            obj = _object(line)
            id = _scalar(obj, "id")
            self._command(obj)(id, obj)
        except Exception as error:
            self._reply(id, error_to_json(error))

    def _command(self, obj: Json) -> Callable[[object, Json], None]:
        name = obj.get("command")
        if not isinstance(name, str):
            raise FieldError(f"command must be text, not {quote(name)}", field="command")
        if name not in self._commands:
            raise UnknownCommand(f"unknown command {quote(name)}, known are {' '.join(COMMANDS)}", field="command")
        return self._commands[name]

    # Commands

    def _queue(self, id: object, work: Work) -> None:
        request = Request(id, work)
        with self._writing:
            self._open.append(request)
        if not self._waiting.put(request):
            self._close(request)
            raise Busy(f"{self._settings.queue} requests are waiting already")

    def _cancel(self, id: object, obj: Json) -> None:
        if "target" not in obj:
            raise FieldError("target is missing", field="target")
        target = _scalar(obj, "target")
        with self._writing:
            found = [request for request in self._open if _key(request.id) == _key(target)]
        for request in found:
            if not request.cancelled.is_set():
                request.cancelled.set()
                self._waiting.interrupt(request)
        self._reply(id, {"target": target, "found": bool(found)})

    def _quit(self, id: object, _: Json) -> None:
        self._last_reply = {"id": id, "final": True}
        self._ended.set()

    # Work, in the worker threads

    def _work(self, worker: Worker, request: Request) -> None:
        if self._failure is not None:  # nobody is there to read the reply
            return
        try:
            answer = request.work.answer(worker, request.cancelled.is_set)
        except Exception as error:
            answer = error_to_json(error)
        if request.cancelled.is_set():
            answer["cancelled"] = True
        self._close(request)
        self._reply(request.id, answer)

    def _drop(self) -> None:
        with self._writing:
            self._dropped = True
            for request in self._open:
                request.cancelled.set()

    def _close(self, request: Request) -> None:
        with self._writing:
            self._open = [other for other in self._open if other is not request]

    # Writing

    def _reply(self, id: object, answer: Json) -> None:
        self._write({"id": id, "final": True, **answer})

    def _write(self, reply: Json) -> None:
        line = json.dumps(reply).encode("ascii") + b"\n"
        with self._writing:
            if self._failure is not None or self._dropped:
                return
            try:
                self._output.write(line)
                self._output.flush()
            except OSError as error:
                self._failure = error
                self._ended.set()


# Questions that take work


@dataclass(frozen=True, slots=True)
class CardWork:
    """Choose a card."""

    question: CardQuestion

    def answer(self, worker: Worker, hurried: Callable[[], bool]) -> Json:
        """The card; see `Work`."""
        limits = replace(self.question.limits, stop=hurried)
        return choice_to_json(worker.player.choose_card(self.question.view, limits))


@dataclass(frozen=True, slots=True)
class TrumpWork:
    """Choose trump."""

    question: TrumpQuestion

    def answer(self, worker: Worker, hurried: Callable[[], bool]) -> Json:
        """The trump; see `Work`."""
        asked = self.question
        limits = replace(asked.limits, stop=hurried)
        return trump_choice_to_json(worker.player.choose_trump(asked.five, asked.hakem, asked.score, limits))


@dataclass(frozen=True, slots=True)
class Analysis:
    """Solve a position with all cards seen, under one trump or all four."""

    positions: tuple[Position, ...]
    options: SolveOptions

    def answer(self, worker: Worker, hurried: Callable[[], bool]) -> Json:
        """The object ``hokm-solver/solve/1``; see `Work`."""
        return solutions_to_json([self._solve(worker.solver, position, hurried) for position in self.positions])

    def _solve(self, solver: Solver, position: Position, hurried: Callable[[], bool]) -> Solution:
        # A search of one node says at least what is possible.
        options = replace(self.options, limit=Limit(nodes=1)) if hurried() else self.options
        try:
            return options.solve(solver, [position])[0]
        except SearchInterrupted as interrupted:
            proved: Solution = interrupted.solution
            return proved


def analysis_from_json(obj: Json) -> Analysis:
    """Read the fields of ``analyse``: a position as `solve` reads it, ``objective``, ``cards``, ``line``, ``limits``;
    null is the same as missing.

    Raises:
        HokmError: with the field at fault where one is known.
    """
    objective = "margin" if obj.get("objective") is None else obj["objective"]
    if objective not in OBJECTIVES:
        raise FieldError(f"objective must be one of {' '.join(OBJECTIVES)}, not {quote(objective)}", field="objective")
    limits = limits_from_json(obj.get("limits"))
    seconds = None if limits.time_ms is None else limits.time_ms / 1000
    limit = Limit(limits.nodes, seconds)
    options = SolveOptions(objective, _flag(obj, "cards", True), _flag(obj, "line", False), limit)
    return Analysis(position_from_json(obj), options)


def _flag(obj: Json, name: str, default: bool) -> bool:
    value = default if obj.get(name) is None else obj[name]
    if not isinstance(value, bool):
        raise FieldError(f"{name} must be true or false, not {quote(value)}", field=name)
    return value


# Small helpers


def error_to_json(error: Exception) -> Json:
    """The reply to a request that failed.

    Errors of input that are not the protocol's own are those of a field. All others are mistakes of this program: they
    are told on standard error, and here too, since a reply is due and the next request is waiting.
    """
    if isinstance(error, HokmError):
        code = ERROR_CODES.get(error.code, "bad_field")
        return {"error": {"code": code, "field": error.field, "message": error.message}}
    if sys.stderr is not None:  # print would take standard output, where replies go
        print(f"{NAME}: internal error: {type(error).__name__}: {error}", file=sys.stderr)
    message = "a mistake of the engine itself, told on its standard error"
    return {"error": {"code": INTERNAL_ERROR, "field": None, "message": message}}


def _object(line: Line) -> Json:
    obj = line.json()
    if not isinstance(obj, dict):
        raise JsonError(f"a request is a JSON object, not {quote(obj)}")
    return obj


def _scalar(obj: Json, name: str) -> object:
    """A value that is echoed and compared: an id."""
    id = obj.get(name)
    if isinstance(id, (dict, list)) or (isinstance(id, float) and not isfinite(id)):
        raise FieldError(f"{name} must be text, a number, true, false or null, not {quote(id)}", field=name)
    return id


def _key(id: object) -> str:
    """Ids as they are written: 1, 1.0, true and "1" are four different ones."""
    return json.dumps(id)


def serve(
    stream: ByteStream,
    output: Output,
    make_player: Callable[[], Opponent],
    settings: Settings,
    table_mb: int,
) -> None:
    """Answer the requests in `stream` on `output` until ``quit`` or the end of the stream.

    Args:
        stream: best without a buffer, so that a request is seen as soon as its line is there.
        output: replies, one a line, each flushed.
        make_player: called once for every worker, before anything is read: the first request must not wait for it.
        settings: numbers of workers and of requests that may wait, and what ``hello`` tells.
        table_mb: memory of each worker's exact search.

    Raises:
        OSError: nothing can be read or written any more. KeyboardInterrupt: Ctrl-C.
    """
    workers = [Worker(make_player(), Solver(table_mb)) for _ in range(settings.jobs)]
    _warm_up(workers[0].player)
    Engine(output, settings).run(stream, workers)


def _warm_up(player: Opponent) -> None:
    """Let everything be loaded that decisions need: it would count as time of the first request."""
    deal, limits = deal_cards(defaults.SEED, Seat.N), Limits(worlds=1)
    assert deal.first_five is not None
    trump = player.choose_trump(tuple(deal.first_five), Seat.N, None, limits).trump
    player.choose_card(View.of_deal(deal, Seat.N, trump), limits)
