"""``hokm-solver advise``: which trump to call from five cards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from hokm_solver import defaults
from hokm_solver.cli.bilingual import BilingualCommand, lang_option, words_of
from hokm_solver.cli.options import Measure, Picture, jobs_option, match_score, seed_option
from hokm_solver.cli.output import Progress, show, show_json

if TYPE_CHECKING:
    from hokm_solver.advice import Advice
    from hokm_solver.batch import AdviseOptions, InstantOptions
    from hokm_solver.book import BookAdvice
    from hokm_solver.journal import Answer
    from hokm_solver.lines import Failure
    from hokm_solver.reasons import Reasons
    from hokm_solver.report.words import TerminalWords

DEALING = ("samples", "time", "precision", "seed", "jobs", "explain", "plot")  # options that are about sampled deals
EXAMPLES = """\b
Examples:
  hokm-solver advise A♥ Q♥ 9♥ K♣ 4♦
  hokm-solver advise --samples 200 --json AHQH9HKC4D
  hokm-solver advise --precision 0.2 A♥ Q♥ 9♥ K♣ 4♦
  hokm-solver advise --time 2 آس دل، بی‌بی دل، نه دل، شاه گشنیز، چهار خشت
  hokm-solver advise --score 5-6 --explain A♥ Q♥ 9♥ K♣ 4♦
  hokm-solver advise --instant A♥ Q♥ 9♥ K♣ 4♦
  hokm-solver advise --batch hands.txt --out advice.jsonl"""


@click.command(
    cls=BilingualCommand, epilog=EXAMPLES, short_help="Say which trump to call from hakem's first five cards."
)
@click.argument("cards", nargs=-1)
@click.option(
    "--samples",
    type=click.IntRange(2, defaults.MOST_SAMPLES),
    metavar="N",
    help=f"Value every suit on N sampled deals.  [default: {defaults.SAMPLES}]",
)
@click.option(
    "--time",
    type=Measure("seconds"),
    metavar="S",
    help="Race for at most S seconds: suits that are surely worse drop out.",
)
@click.option(
    "--precision",
    type=Measure("points"),
    metavar="P",
    help="Race until one suit is left or all left are within P points: equal.",
)
@seed_option("the sampled deals: the same seed, the same advice")
@click.option(
    "--score",
    callback=match_score,
    metavar="US-THEM",
    help="The score of the match, hakem's side first: call what wins the match most often.",
)
@click.option("--instant", is_flag=True, help="Look up the values at the table in the book of all hands.")
@click.option("--explain", is_flag=True, help="Say what the values of the two best suits depend on.")
@click.option("--plot", type=Picture(), metavar="FILE", help="Draw it as well, to FILE.png or FILE.svg (extra: plot).")
@jobs_option()
@click.option("--batch", metavar="FILE", help="Five cards a line from FILE (- for standard input).")
@click.option("--out", metavar="FILE", help="Write JSON answers of --batch to FILE; an unfinished FILE is continued.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with --batch one object a line.")
@lang_option
@click.pass_context
def advise(ctx: click.Context, /, **given: Any) -> None:
    """Advise hakem which trump to call from his first five CARDS.

    There are two answers, both for hakem's side. At the table: deals that contain the five cards are played out by
    players who see only their own cards; the suit to call is chosen by that. With all cards seen: such deals are
    solved exactly with each suit as trump; the same deals for all four suits. With --time, --precision or both the
    suits race: the one that is best is found sooner, and suits between which there is no difference are called equal.
    With --instant nothing is dealt: the first answer, with a standard error of 0.03, comes from a book of all hands.
    """
    _check_usage(given)
    if given["instant"]:
        _check_instant(ctx)
    if given["batch"] is not None:
        if not _advise_batch(given, _options(given)):
            ctx.exit(1)
    elif given["instant"]:
        _advise_instantly(given)
    else:
        _advise_one(given)


def _check_usage(given: dict[str, Any]) -> None:
    for name in ("time", "precision"):
        if given["samples"] is not None and given[name] is not None:
            raise click.UsageError(f"--samples and --{name} exclude each other.")
    for name in ("plot", "explain"):
        if given["batch"] is not None and given[name]:
            raise click.UsageError(f"--{name} is for five cards, not for --batch.")
    if given["batch"] is not None and given["cards"]:
        raise click.UsageError("cards have no place beside --batch.")
    if given["batch"] is None and given["out"] is not None:
        raise click.UsageError("--out needs --batch.")
    if given["batch"] is None and not given["cards"]:
        raise click.UsageError("five cards are needed, or --batch.")


def _check_instant(ctx: click.Context) -> None:
    """Refuse what tells how deals are sampled, or needs them: the book has only their outcome."""
    for name in DEALING:
        if ctx.get_parameter_source(name) != ParameterSource.DEFAULT:
            raise click.UsageError(f"--instant and --{name} exclude each other.")


def _options(given: dict[str, Any]) -> AdviseOptions | InstantOptions:
    """What is asked about every hand."""
    from hokm_solver.batch import InstantOptions

    return InstantOptions(given["score"]) if given["instant"] else _sampling(given)


def _sampling(given: dict[str, Any]) -> AdviseOptions:
    """How deals are sampled."""
    from hokm_solver.batch import AdviseOptions

    samples = given["samples"] or defaults.SAMPLES
    return AdviseOptions(samples, given["seed"], given["jobs"], given["time"], given["precision"], given["score"])


def _advise_instantly(given: dict[str, Any]) -> None:
    from hokm_solver.book import shipped  # and nothing that samples deals: loading that would take longer than this
    from hokm_solver.report.advice import instant_text

    advice = shipped().advise(" ".join(given["cards"]), given["score"])
    if given["as_json"]:
        show_json(advice.to_json())
    else:
        words = words_of(given["language"])
        show(instant_text(advice, words), words.language)


def _advise_one(given: dict[str, Any]) -> None:
    from hokm_solver.report.advice import advice_text, reasons_text

    options = _sampling(given)
    with Progress("solving deals") as progress:
        advice = options.advise(" ".join(given["cards"]), progress.part)
    why = _reasons(advice) if given["explain"] else []
    if given["plot"] is not None:
        _draw(advice, given["plot"])
    if given["as_json"]:
        show_json(advice.to_json() | ({"reasons": [each.to_json() for each in why]} if why else {}))
    else:
        words = words_of(given["language"])
        show("\n\n".join([advice_text(advice, words), *(reasons_text(each, words) for each in why)]), words.language)


def _reasons(advice: Advice) -> list[Reasons]:
    """What the values of the suit to call and of the next best depend on."""
    from hokm_solver.reasons import reasons

    return [reasons(advice.cards, value.trump, seed=advice.seed) for value in advice.table.ranked()[:2]]


def _draw(advice: Advice, path: str) -> None:
    from hokm_solver.report.plot import draw_advice

    draw_advice(advice.cards, advice.trumps, advice.table.trumps, path)


def _advise_batch(given: dict[str, Any], options: AdviseOptions | InstantOptions) -> bool:
    from hokm_solver.cli.questions import answer_batch, continue_batch, open_source
    from hokm_solver.lines import read_lines

    # One hand after another: the deals of each are shared out among the threads.
    answer_all = partial(map, options.answer)
    with open_source(given["batch"]) as stream:
        if given["out"] is not None:
            return continue_batch(read_lines(stream), given["out"], answer_all, _to_json, options.digest)
        show_answer = _show_json if given["as_json"] else partial(_show_text, words_of(given["language"]))
        return answer_batch(read_lines(stream), answer_all, show_answer)


def _to_json(result: Advice | BookAdvice | Failure) -> Answer:
    return result.to_json()


def _show_json(result: Advice | BookAdvice | Failure) -> None:
    show_json(result.to_json())


def _show_text(words: TerminalWords, result: Advice | BookAdvice | Failure) -> None:
    from hokm_solver.lines import Failure
    from hokm_solver.report.advice import advice_line

    if isinstance(result, Failure):
        message = words.foreign(result.message)
        show(words.say("line", number=words.digits(result.line), message=message), words.language)
    else:
        hand = words.say("advice.hand", cards=words.told(result.cards), call=advice_line(result, words))
        show(hand, words.language)
