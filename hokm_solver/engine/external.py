"""An engine in another process, asked over the line protocol: how strangers take part in a match."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterable
from typing import Any

from hokm_solver.cards import Card, Seat
from hokm_solver.engine.choice import (
    NO_LIMITS,
    Choice,
    Limits,
    TrumpChoice,
    check_card_question,
    check_trump_question,
)
from hokm_solver.engine.messages import (
    Json,
    card_question_to_json,
    choice_from_json,
    trump_choice_from_json,
    trump_question_to_json,
)
from hokm_solver.engine.view import View
from hokm_solver.errors import EngineError, HokmError, all_of, check_type, quote


class ExternalPlayer:
    """A player that is a program speaking the protocol; one thread at a time may use it."""

    def __init__(self, command: str) -> None:
        """Start the program; ``command`` is split as a shell would, but no shell is used.

        Raises:
            EngineError: it cannot be started. FieldError: ``command`` is no text.
        """
        check_type(command, str, "command")
        self._command = command
        self._questions = 0
        words = _words(command)
        try:
            # In a session of its own: Ctrl-C is for this program, which then ends the other.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(f"cannot start {quote(command)}: {error.strerror or error}") from None
        except ValueError as error:  # a zero byte, or a character no file name can have
            raise EngineError(f"cannot start {quote(command)}: {error}") from None

    def choose_card(self, view: View, limits: Limits = NO_LIMITS) -> Choice:
        """Ask for a card; see `Opponent`.

        Raises:
            EngineError: no proper answer. FieldError: no view, or no limits.
        """
        check_card_question(view, limits)
        try:
            return choice_from_json(self._ask(card_question_to_json(view, limits)))
        except HokmError as error:
            raise self._failed(error) from None

    def choose_trump(
        self,
        five: Iterable[Card],
        hakem: Seat = Seat.N,
        score: tuple[int, int] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> TrumpChoice:
        """Ask for a trump; see `Opponent`.

        Raises:
            EngineError: no proper answer. FieldError: an argument of the wrong type.
        """
        check_trump_question(hakem, score, limits)
        cards = all_of(five, Card, "five")
        try:
            return trump_choice_from_json(self._ask(trump_question_to_json(cards, hakem, score, limits)))
        except HokmError as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """End the program, from whatever thread; a question that waits for its answer fails."""
        self._process.terminate()
        self._process.wait()

    def _ask(self, question: Json) -> Json:
        self._questions += 1
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(json.dumps({"id": self._questions, **question}) + "\n")
            stdin.flush()
            for line in stdout:
                reply = _object(line)
                if reply.get("id") == self._questions and reply.get("final", True):
                    return _checked(reply)
        except EngineError:
            raise
        except BrokenPipeError:
            raise EngineError("it has ended") from None
        except OSError as error:
            raise EngineError(error.strerror or str(error)) from None
        except UnicodeError:
            raise EngineError("its reply is not UTF-8") from None
        except ValueError:  # closed by another thread
            raise EngineError("it has ended") from None
        raise EngineError("it has ended")

    def _failed(self, error: HokmError) -> EngineError:
        return EngineError(f"{quote(self._command)} gives no answer: {error}")


def _words(command: str) -> list[str]:
    """The program and its arguments."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise EngineError(f"cannot start {quote(command)}: a quotation mark is not closed") from None
    if not words:
        raise EngineError(f"no command stands behind {quote('cmd:' + command)}")
    return words


def _object(line: str) -> Json:
    try:
        reply: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise EngineError(f"a reply is a JSON object, not {quote(line.rstrip())}") from None
    if not isinstance(reply, dict):
        raise EngineError(f"a reply is an object, not {quote(reply)}")
    return reply


def _checked(reply: Json) -> Json:
    """The reply, unless it tells of an error."""
    error = reply.get("error")
    if error is not None:
        raise EngineError(f"error {quote(error.get('message') if isinstance(error, dict) else error)}")
    return reply
