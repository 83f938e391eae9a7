"""A click group that loads its commands late and ends every run in one of four ways.

Exit codes: 0 done; 1 the input cannot be read or is impossible; 2 the command line is wrong; 130 interrupted. What went
wrong is said in one line on standard error.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any, NoReturn

import click

from hokm_solver.cli.output import drop_output, fitting
from hokm_solver.errors import HokmError, LimitError

BAD_INPUT = 1
BAD_COMMAND_LINE = 2
INTERRUPTED = 130
OF_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)  # errors of files all have a name
COMPLETION = "_HOKM_SOLVER_COMPLETE"
NO_NAME = "''"  # a file name that is empty, as it is typed


class _Interrupted(Exception):  # noqa: N818 (an event, not an error)
    """Ctrl-C, in a form that click does not print about."""


class SolverCommand(click.Command):
    """A command whose help is such as the output can show, and whose errors name the command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click leaves it out where the argument of an option is missing
            raise

    def get_help(self, ctx: click.Context) -> str:
        """The help."""
        return fitting(super().get_help(ctx))


class CommandGroup(SolverCommand, click.Group):
    """A group whose commands are given as ``module:name`` and imported when one of them is needed."""

    def __init__(self, *args: Any, commands_at: Mapping[str, str], **options: Any) -> None:
        """Remember where the commands are; alone, the group shows its help."""
        super().__init__(*args, **{**options, "invoke_without_command": True})
        self._commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(self._commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, None if there is none of this name."""
        if cmd_name not in self._commands_at:
            return None
        module, name = self._commands_at[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Read the command line; help and version are shown here."""
        try:
            return super().make_context(*args, **options)
        except KeyboardInterrupt:
            raise _Interrupted from None
        except BrokenPipeError:
            drop_output()
            raise click.exceptions.Exit(0) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            result = super().invoke(ctx)
            if ctx.invoked_subcommand is None:
                click.echo(ctx.get_help())
            if sys.stdout is not None:  # as it is when the program was started with it closed
                sys.stdout.flush()
            return result
        except KeyboardInterrupt:
            raise _Interrupted from None
        except BrokenPipeError:
            drop_output()
            return 0

    def main(self, *args: Any, standalone_mode: bool = True, **options: Any) -> Any:
        """Run the command line; by itself (`standalone_mode`) end the process with one of the exit codes."""
        run = partial(super().main, *args, standalone_mode=False, **options)
        _check_completion()
        if not standalone_mode:
            return run()
        try:
            sys.exit(run())
        except (_Interrupted, click.Abort, KeyboardInterrupt):
            _end("interrupted", INTERRUPTED)
        except click.UsageError as error:
            _end(f"error: {_usage(error)}", BAD_COMMAND_LINE)
        except LimitError as error:
            _end(f"error: {error}", BAD_COMMAND_LINE)
        except HokmError as error:
            _end(f"error: {error}", BAD_INPUT)
        except OSError as error:
            _end(f"error: {_os_error(error)}", BAD_INPUT)
        except MemoryError:
            _end("error: not enough memory", BAD_INPUT)


def _check_completion() -> None:
    """End where a shell asks for completion and does not say of what, for which click has no words."""
    asked, word = os.environ.get(COMPLETION, ""), os.environ.get("COMP_CWORD")
    told = "COMP_WORDS" in os.environ and word is not None and (word.isdecimal() or asked == "fish_complete")
    if asked.endswith("_complete") and not told:
        _end(f"error: {COMPLETION} is for shells, which set COMP_WORDS and COMP_CWORD as well", BAD_COMMAND_LINE)


def _end(message: str, code: int) -> NoReturn:
    _flush_or_drop()
    click.echo(" ".join(message.split()), err=True)
    sys.exit(code)


def _flush_or_drop() -> None:
    """Write out what is buffered, or give it up: at exit Python would try again and fail with words of its own."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        drop_output()


def _usage(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "hokm-solver"
    return f"{error.format_message().rstrip('.')} (see '{path} --help')"


def _os_error(error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"standard output: {reason}" if error.errno in OF_OUTPUT else reason
    return f"{click.format_filename(error.filename) or NO_NAME}: {reason}"
