"""``python -m hokm_solver`` and ``hokm-solver``: the command line, with Ctrl-C heard from beginning to end."""

from __future__ import annotations

import signal
import sys
from time import monotonic
from types import FrameType

INTERRUPTED = 130
IMPATIENCE_SECONDS = 2.0  # for so long after Ctrl-C another one changes nothing: the program is ending already
AGAIN_SECONDS = 0.01  # after which a Ctrl-C that was swallowed comes once more


class _Interrupted(KeyboardInterrupt):
    """Ctrl-C. After a plain `KeyboardInterrupt` in code made at run time (dataclasses), Python ends by a signal."""


class _Interrupt:
    """Raises `KeyboardInterrupt` at Ctrl-C, but not again while that is being dealt with."""

    def __init__(self) -> None:
        self._quiet_until = 0.0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + IMPATIENCE_SECONDS
            raise _Interrupted

    def swallowed(self, ignored: sys.UnraisableHookArgs) -> None:
        """The `sys.unraisablehook`: finalizers swallow what is raised while they run, but Ctrl-C must not be lost."""
        if not isinstance(ignored.exc_value, _Interrupted):
            sys.__unraisablehook__(ignored)
            return
        from threading import Timer

        self._quiet_until = 0.0
        # Not at once: this is still inside the finalizer.
        again = Timer(AGAIN_SECONDS, signal.raise_signal, [signal.SIGINT])
        again.daemon = True
        again.start()


def _comes_from_interrupt(error: BaseException | None) -> bool:
    """Whether an error is Ctrl-C, or was raised because of it or in its place."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def run() -> None:
    """Run the command line and end the process."""
    try:
        # A program that was started to ignore Ctrl-C goes on ignoring it.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            interrupt = _Interrupt()
            sys.unraisablehook = interrupt.swallowed
            signal.signal(signal.SIGINT, interrupt)
        from hokm_solver.cli import main

        main(prog_name="hokm-solver")
    except (KeyboardInterrupt, RuntimeError) as error:
        # Ctrl-C turns into a RuntimeError in a class that is being made, before Python 3.12, and in a lock that is just
        # being taken back.
        if not _comes_from_interrupt(error):
            raise
        if sys.stderr is not None:
            print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    finally:
        # All is said. Python would go back to being killed by Ctrl-C while it cleans up, which changes the exit code.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    run()
