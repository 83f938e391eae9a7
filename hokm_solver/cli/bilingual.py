"""Commands in English and Persian: the option ``--lang``, and help in the language that it names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from hokm_solver.cli.group import SolverCommand
from hokm_solver.report.cells import cells, filled
from hokm_solver.report.messages import LANGUAGES
from hokm_solver.report.words import END, LEFT_MARK, LEFT_TO_RIGHT, TERMINAL, TerminalWords

if TYPE_CHECKING:
    from hokm_solver.cli.persian import PersianHelp

NAME = "--lang"
INDENT = "  "
NARROWEST = 20  # columns of a help text
NO_BREAK = "\u00a0"
lang_option = click.option(
    NAME,
    "language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of help and text; JSON is the same in both.",
)


def words_of(language: str) -> TerminalWords:
    """The words of a language; English ones, with a remark, where the output cannot show Persian."""
    from hokm_solver.cli.direction import can_show_persian

    if language == "en":
        return TERMINAL
    if not can_show_persian(sys.stdout):
        click.echo("note: this output cannot show Persian letters, so it is in English", err=True)
        return TERMINAL
    return TerminalWords("fa")


class BilingualCommand(SolverCommand):
    """A command whose help is there in Persian too, in `hokm_solver.cli.persian` under the command's name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; the language is found first, wherever it stands, since help may come before it."""
        ctx.meta[NAME] = _language_in(args)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """The help in the language that was asked for."""
        words = words_of(ctx.meta.get(NAME, "en"))
        if words.language == "en":
            return super().get_help(ctx)
        from hokm_solver.cli.output import in_order

        return in_order(self._persian_help(ctx, words)).rstrip("\n")

    def _persian_help(self, ctx: click.Context, words: TerminalWords) -> str:
        from hokm_solver.cli.direction import latin_isolated

        persian: PersianHelp = getattr(importlib.import_module("hokm_solver.cli.persian"), str(self.name).upper())
        formatter = ctx.make_formatter()
        formatter.write_usage(f"{LEFT_TO_RIGHT}{ctx.command_path}{END}", persian.usage, "کاربرد: ")
        for paragraph in persian.about:
            formatter.write_paragraph()
            formatter.write_text(latin_isolated(paragraph))
        options = (param for param in self.get_params(ctx) if isinstance(param, click.Option))
        with formatter.section("گزینه‌ها"):
            formatter.write(_list([_row(ctx, option, persian, words) for option in options], formatter.width))
        with formatter.section("نمونه‌ها"):
            formatter.write("".join(f"{LEFT_MARK}{line}\n" for line in _examples(self.epilog or "")))
        return formatter.getvalue().rstrip("\n")


def _language_in(args: Sequence[str]) -> str:
    """The language that a command line names, the last one if there are several."""
    found = "en"
    for place, arg in enumerate(args):
        if arg == "--":
            break
        if arg == NAME and place + 1 < len(args):
            found = args[place + 1]
        elif arg.startswith(f"{NAME}="):
            found = arg.partition("=")[2]
    return found


def _row(ctx: click.Context, param: click.Option, persian: PersianHelp, words: TerminalWords) -> tuple[str, str]:
    """An option as it is typed, and what it does."""
    from hokm_solver.cli.direction import latin_isolated

    typed = (param.get_help_record(ctx) or ("", ""))[0]
    does = persian.options["help" if param is ctx.command.get_help_option(ctx) else str(param.name)]
    if param.show_default:
        does = f"{does}  [پیش‌فرض:{NO_BREAK}{words.digits(param.default)}]"
    return f"{LEFT_TO_RIGHT}{typed}{END}", latin_isolated(does)


def _list(rows: Sequence[tuple[str, str]], width: int) -> str:
    """Options and what they do in two columns; click counts marks of direction as letters."""
    first = max(cells(typed) for typed, _ in rows)
    lines = []
    for typed, does in rows:
        pieces = wrap(does, max(width - first - 2 * len(INDENT), NARROWEST), break_on_hyphens=False)
        for term, piece in zip_longest((typed,), pieces, fillvalue=""):
            lines.append(f"{INDENT}{filled(term, first)}{INDENT}{piece}\n")
    return "".join(lines)


def _examples(epilog: str) -> Sequence[str]:
    """The lines of the examples, which are the same in every language."""
    return [line for line in epilog.splitlines() if line.startswith("  ")]
