"""Results as plain text for a terminal, in the words of the game.

Every function returns text without a final newline. Values are hakem's side's view and values with all cards seen, and
the text says so. `plain` rewrites a text for terminals that cannot show suit symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from hokm_solver.cards import Card, Side
from hokm_solver.deal import Trick
from hokm_solver.errors import counted
from hokm_solver.report.cells import cells, filled
from hokm_solver.report.words import TERMINAL
from hokm_solver.rules import DEFAULT_RULES, Outcome

if TYPE_CHECKING:
    from hokm_solver.book import Book
    from hokm_solver.deal import Position
    from hokm_solver.engine.arena import Clock, Standing
    from hokm_solver.equity import Equity
    from hokm_solver.solver import CardValue, Objective, Solution

GAP = "   "  # between the columns of a table
WORDS = {Outcome.WIN: "win", Outcome.KOT: "kot", Outcome.LOSS: "loss", Outcome.HAKEM_KOTI: "hakem koti"}
OUTCOME_OF_POINTS = {outcome.points(): outcome for outcome in Outcome}
FIGURES = {"win": ["result"], "points": ["result", "points"], "margin": ["result", "margin", "points"]}
NOTES = {
    Outcome.KOT: "kot (کت): hakem's side takes the first seven tricks, 2 points",
    Outcome.HAKEM_KOTI: "hakem koti (حاکم کتی): the other side takes the first seven tricks, -3 points",
}
_PLAIN = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "…": "~"})
_PERSIAN = re.compile(r" \([\u0600-\u06ff\u200c ]+\)")


def plain(text: str) -> str:
    """The same text in ASCII: suit letters for symbols, Persian words left out."""
    latin = _PERSIAN.sub("", text).replace("± ", "+-").translate(_PLAIN)
    return latin.encode("ascii", "backslashreplace").decode("ascii")


# The book


def book_text(book: Book) -> str:
    """How a book was built."""
    about = book.about
    seen = f"{about['exact']:,} for each hand" if about["exact"] else "none"
    return "\n".join(
        [
            f"{about['classes']:,} hands, seed {about['seed']}",
            f"deals for each hand: until the error between the two best suits is {about['precision']:g} points,"
            f" at most {about['worlds']:,}",
            f"played by the policy {about['policy']}",
            f"deals solved with all cards seen: {seen}",
        ]
    )


# Matches


def standing_text(standing: Standing) -> str:
    """Who is ahead and by how much, and a table of how often deals were won and what a decision took."""
    duel, error, pairs = standing.duel, standing.points_se, counted(standing.pairs, "pair")
    margin = "" if error is None else f" ± {error:.3f}"
    columns = [standing.rates[0].shares(), standing.rates[1].shares(), standing.hakem.shares()]
    rows = [[name.replace("_", " "), *(TERMINAL.percent(column[name]) for column in columns)] for name in columns[0]]
    return "\n".join(
        [
            f"A = {duel.a}",
            f"B = {duel.b}",
            f"A gains {standing.points:+.3f}{margin} points a deal in {pairs}, seed {duel.seed}",
            "",
            *table(["share of deals", "A", "B", "hakem's side"], rows),
            "",
            f"ms a decision: {_decisions(standing.clocks[0])}, {_decisions(standing.clocks[1])}",
        ]
    )


def _decisions(clock: Clock) -> str:
    return "none" if clock.mean is None else f"{clock.mean:.2f}"


# Match score


def equity_text(equity: Equity) -> str:
    """The chance to win the match at every score, in percent, before a deal that either side may be hakem of."""
    won, *others = (equity.frequencies[kind] for kind in (Outcome.WIN, Outcome.KOT, Outcome.HAKEM_KOTI))
    ways = zip(("win", "kot", "hakem koti"), (won + others[0], *others))
    rates = ", ".join(f"{name} {100 * share:.1f} %" for name, share in ways)
    lines = ["chance to win the match, in percent; a row for our points, a column for theirs", ""]
    for title, ours in (("we are hakem", True), ("they are hakem", False)):
        lines += [title, *_scores_table(equity, ours), ""]
    error = max(equity.errors.values())
    return "\n".join(
        [
            *lines,
            f"Deals end as when the engine plays ({counted(equity.deals, 'deal')}: {rates}).",
            f"Standard errors are at most {100 * error:.1f}.",
        ]
    )


def _scores_table(equity: Equity, ours: bool) -> list[str]:
    scores = range(DEFAULT_RULES.match_length)
    rows = ([str(us), *(f"{100 * equity.chance(us, them, ours):.0f}" for them in scores)] for us in scores)
    return table(["", *map(str, scores)], rows)


# Solutions


def solution_text(solution: Solution) -> str:
    """The value of a position under one trump, of its cards, and the line of best play if there is one."""
    position = solution.position
    lines = [f"{_where(position)}, trump {position.trump.symbol}", solution_value(solution)]
    if solution.cards:
        lines += ["", *table(*solution_table(solution))]
    if solution.line:
        lines += ["", "best play:", *_line_table(solution.position, solution.line)]
    return "\n".join([*lines, *_notes([solution])])


def solution_value(solution: Solution) -> str:
    """What the position is worth, in one sentence."""
    return f"with all cards seen, for hakem's side ({solution.position.hakem.side}): {_verdict(solution)}"


def solution_table(solution: Solution) -> tuple[list[str], list[list[str]]]:
    """The heads of the columns and a row for every card that was valued."""
    rows = [[value.card.pretty, *_figures(value, solution.objective)] for value in solution.cards]
    return ["card", *FIGURES[solution.objective]], rows


def trumps_text(solutions: Sequence[Solution]) -> str:
    """The value of a position under each of several trumps, of its cards, and the lines of best play."""
    symbols = [solution.position.trump.symbol for solution in solutions]
    first = solutions[0].position
    lines = [_where(first), f"with all cards seen, for hakem's side ({first.hakem.side}):", ""]
    lines += table(["trump", "value"], zip(symbols, map(_verdict, solutions)))
    if all(solution.cards for solution in solutions):
        lines += ["", *table(["card", *symbols], _cards_by_trump(solutions))]
    for symbol, solution in zip(symbols, solutions):
        if solution.line:
            lines += ["", f"best play in {symbol}:", *_line_table(solution.position, solution.line)]
    return "\n".join([*lines, *_notes(solutions)])


def _line_table(position: Position, line: Sequence[Card]) -> list[str]:
    """A row for every trick of a line of play; cards that were on the table before stand in brackets."""
    rows: list[list[str]] = []
    trick, before = position.current_trick, len(position.trick)
    for card in line:
        trick = Trick(trick.leader, (*trick.cards, card))
        if trick.complete:
            winner = trick.winner(position.trump)
            shown = [TERMINAL.cards(trick.cards[before:])]
            shown = [f"({TERMINAL.cards(trick.cards[:before])})", *shown] if before else shown
            rows.append([str(position.trick_number + len(rows)), trick.leader.name, " ".join(shown), winner.name])
            trick, before = Trick(winner), 0
    return table(["trick", "leads", "cards", "wins"], rows)


def _where(position: Position) -> str:
    """Who is to play, when, and what is on the table."""
    won = ", ".join(f"{side.name} {position.won[side]}" for side in Side)
    table = f" to {TERMINAL.cards(position.trick)}" if position.trick else ""
    return f"{position.to_play.name} plays{table} in trick {position.trick_number} ({won}), hakem {position.hakem.name}"


def _verdict(solution: Solution) -> str:
    """The result in words and figures, and whether a limit left something open."""
    result, *figures = _figures(solution, solution.objective)
    named = ", ".join(f"{name} {figure}" for name, figure in zip(FIGURES[solution.objective][1:], figures))
    verdict = f"{result} ({named})" if named else result
    return verdict if solution.exact else f"{verdict}; stopped by the limit"


def _figures(value: Solution | CardValue, objective: Objective) -> list[str]:
    """The figures named in FIGURES for this objective; a range of figures where a limit left them open."""
    low, high = value.bounds.points(objective)
    points = f"{low:+}" if low == high else f"{low:+} to {high:+}"
    if objective == "margin" and value.margin is None:
        return ["open", f"{value.bounds.lowest:+} to {value.bounds.highest:+}", points]
    if low != high:
        return ["open", points][: len(FIGURES[objective])]
    if objective == "win":
        return ["win" if low > 0 else "loss"]
    if value.margin is None:
        return [WORDS[OUTCOME_OF_POINTS[low]], points]
    return [TERMINAL.result(value.margin), f"{value.margin:+}", points]


def _cards_by_trump(solutions: Sequence[Solution]) -> Iterator[list[str]]:
    """A row for every legal card (trump changes the values, not which cards are legal): its result in each trump."""
    for values in zip(*(solution.cards for solution in solutions)):
        yield [values[0].card.pretty, *(_figures(value, solutions[0].objective)[0] for value in values)]


def _notes(solutions: Sequence[Solution]) -> list[str]:
    """What kot and hakem koti mean, where they occur."""
    if solutions[0].objective == "win":
        return []
    points = {solution.points for solution in solutions}
    points.update(value.points for solution in solutions for value in solution.cards)
    notes = [note for outcome, note in NOTES.items() if outcome.points() in points]
    return ["", *notes] if notes else []


# Tables


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of columns, each as wide as its widest entry, entries at its beginning."""
    lines = [heads, *rows]
    widths = [max(map(cells, column)) for column in zip(*lines)]
    return [GAP.join(map(filled, line, widths)).rstrip() for line in lines]
