"""``hokm-solver review``: recorded deals judged play by play, and tables over many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hokm_solver import defaults
from hokm_solver.cli.bilingual import BilingualCommand, lang_option, words_of
from hokm_solver.cli.options import jobs_option, seed_option, table_option
from hokm_solver.cli.output import complain, drop_output, show, show_data, show_json
from hokm_solver.cli.questions import answer_batch, continue_batch, open_source, source_name
from hokm_solver.cli.workers import dask_option, workers
from hokm_solver.cli.written import WRITTEN, check_place
from hokm_solver.errors import FieldError

if TYPE_CHECKING:
    from hokm_solver.cli.review_files import ReviewFiles
    from hokm_solver.lines import Failure
    from hokm_solver.records.files import Entry
    from hokm_solver.review import ReviewOptions, Summary
    from hokm_solver.review.archive import Reviewed

LONGEST_PLACE = 200  # characters of the name of a file
EXAMPLES = """\b
Examples:
  hokm-solver review game.json
  hokm-solver review game.json --html game.html
  hokm-solver review match.pbn --what-could-be-known --json
  hokm-solver review archive --summary --advice-samples 0 --out reviews.jsonl"""


@click.command(cls=BilingualCommand, epilog=EXAMPLES, short_help="Judge recorded deals play by play.")
@click.argument("files", nargs=-1)
@click.option(
    "--advice-samples",
    type=click.IntRange(0, defaults.MOST_SAMPLES),
    default=defaults.REVIEW_SAMPLES,
    show_default=True,
    metavar="N",
    help="Judge the call from the five cards on N sampled deals; 0 leaves it out.",
)
@click.option("--what-could-be-known", "known", is_flag=True, help="Judge each play by what its player could know too.")
@seed_option("everything sampled")
@click.option("--summary", is_flag=True, help="Only a table with a row for each player, over all deals.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the table of --summary as CSV.")
@click.option("--out", metavar="FILE", help="Write JSON reviews to FILE; an unfinished FILE is continued.")
@click.option("--html", type=WRITTEN, metavar="FILE", help="Make a page to look at and share as well, of all deals.")
@click.option("--svg", type=WRITTEN, metavar="FILE", help="Draw a diagram of the deal as well.")
@click.option("--after", type=click.IntRange(min=0), metavar="N", help="Draw --svg after N cards.  [default: 0]")
@jobs_option()
@dask_option
@table_option()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a record.")
@lang_option
@click.pass_context
def review(ctx: click.Context, /, **given: Any) -> None:
    """Judge the deals recorded in FILES (- for standard input; of a directory, all records in it and below).

    Every play is compared with the best ones, all cards seen: what it cost in points and in tricks. The call is judged
    on the real deal and from the five cards, and luck is told apart from skill. Records are JSON or text in the style
    of PBN; one that cannot be read does not stop the others.
    """
    _check_usage(given)
    from hokm_solver.cli.review_files import ReviewFiles
    from hokm_solver.review import ReviewOptions, Summary
    from hokm_solver.review.archive import record_files

    options = ReviewOptions(given["advice_samples"], given["known"], given["seed"])
    read = tuple(record_files(given["files"], given["out"]))
    check_place(given["out"], read)
    summary, files = Summary(), ReviewFiles(given["html"], given["svg"], given["after"] or 0, given["language"], read)
    good = _review_all(given, options, summary, files)
    files.write()
    if given["summary"]:
        _show_summary(given, summary)
    ctx.exit(0 if good else 1)


def _check_usage(given: dict[str, Any]) -> None:
    if not given["files"]:
        raise click.UsageError("a file with records is needed, - for standard input.")
    if given["advice_samples"] == 1:
        raise click.UsageError("--advice-samples is 0 or at least 2: one deal has no standard error.")
    if given["as_csv"] and not given["summary"]:
        raise click.UsageError("--csv needs --summary.")
    if given["as_csv"] and given["as_json"]:
        raise click.UsageError("--csv and --json exclude each other.")
    if given["after"] is not None and given["svg"] is None:
        raise click.UsageError("--after needs --svg.")
    for name in ("html", "svg"):
        if given[name] is not None and given["out"] is not None:
            raise click.UsageError(f"--{name} and --out exclude each other.")


def _review_all(given: dict[str, Any], options: ReviewOptions, summary: Summary, files: ReviewFiles) -> bool:
    """Review everything, add it to the summary and the files, and show it if no table is asked for."""
    from hokm_solver.parallel import available_cores, ordered_map
    from hokm_solver.review import Reviewer
    from hokm_solver.review.archive import answer, mark

    entries, out = _entries(files.read), given["out"]
    state = partial(Reviewer, options, given["table_mb"])
    with workers(given["jobs"], given["dask"], available_cores()) as jobs:
        answer_all = partial(ordered_map, answer, state=state, jobs=jobs, interrupt=Reviewer.interrupt)
        if out is not None:
            return continue_batch(entries, out, answer_all, _to_json, partial(mark, options=options), summary.add)
        return answer_batch(entries, answer_all, _Results(given, summary, files).take, not given["summary"])


def _entries(files: Sequence[str]) -> Iterator[Entry]:
    """All records of all files, of which there must be one."""
    from hokm_solver.records.files import read_entries

    found = False
    for file in files:
        with open_source(file) as stream:
            for entry in read_entries(stream, file if len(files) > 1 else None):
                found = True
                yield entry
    if not found:
        raise FieldError(f"no record in {', '.join(map(source_name, files))}")


def _to_json(result: Reviewed | Failure) -> dict[str, Any]:
    return result.to_json()


class _Results:
    """Where results go, one after another: into the table, the files, and to standard output if no table is wanted."""

    def __init__(self, given: dict[str, Any], summary: Summary, files: ReviewFiles) -> None:
        self._given = given
        self._words = words_of("en" if given["as_json"] or given["summary"] else given["language"])
        self._summary = summary
        self._files = files
        self._shown = 0
        self._read = not given["summary"]

    def take(self, result: Reviewed | Failure) -> None:
        """Count a result and show it."""
        from hokm_solver.lines import Failure

        if isinstance(result, Failure):
            complain(result)
        else:
            self._files.take(result.review)
        self._summary.add(result.to_json())
        if not self._read:
            return
        try:
            self._show(result)
        except BrokenPipeError:
            if not self._files.wanted:
                raise
            drop_output()  # nobody reads any more, but files are still to be written
            self._read = False

    def _show(self, result: Reviewed | Failure) -> None:
        from hokm_solver.lines import Failure

        if self._given["as_json"]:
            show_json(result.to_json())
        elif not isinstance(result, Failure):
            self._show_text(result)
            self._shown += 1

    def _show_text(self, result: Reviewed) -> None:
        from hokm_solver.report.review import review_text

        place, words, (file, line) = "", self._words, (result.entry.file, result.entry.line)
        if file is not None:
            place = words.say("place", file=words.name(file, LONGEST_PLACE), number=words.digits(line)) + "\n"
        show(("\n\n" if self._shown else "") + place + review_text(result.review, words), words.language)


def _show_summary(given: dict[str, Any], summary: Summary) -> None:
    if given["as_json"]:
        show_json(summary.to_json())
    elif given["as_csv"]:
        show_data(summary.to_csv())
    else:
        from hokm_solver.report.review import summary_text

        words = words_of(given["language"])
        show(summary_text(summary, words), words.language)
