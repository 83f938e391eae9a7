"""Results as plain text for a terminal, in the words of the game.

Every function returns text without a final newline. Values are hakem's side's view and values with all cards seen, and
the text says so. `plain` rewrites a text for terminals that cannot show suit symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import floor
from typing import TYPE_CHECKING

from hokm_solver.cards import Card, Side, Suit
from hokm_solver.deal import Trick
from hokm_solver.errors import counted
from hokm_solver.rules import DEFAULT_RULES, TRICKS_TO_WIN, Outcome, outcome_of_margin

if TYPE_CHECKING:
    from hokm_solver.advice import Advice, TrumpValue
    from hokm_solver.book import Book, BookAdvice
    from hokm_solver.deal import Position
    from hokm_solver.engine.arena import Clock, Standing
    from hokm_solver.equity import Equity
    from hokm_solver.reasons import Group, HonourSplit, Reasons
    from hokm_solver.solver import CardValue, Objective, Solution
    from hokm_solver.table import TableValue

PARTNER_GROUPS = ("0 or 1", "2", "3", "4 or more")  # as `reasons.GROUPS` has them
SURE = 0.95  # below this chance of being best a call is said to be close
ALMOST_NONE = 0.001
LEVEL = 2  # standard errors within which two suits are level
ENDINGS = {"decided": "Decided after", "equal": "Equal after", "time": "Time was up after", "ceiling": "Open after"}
TRUMP_HEADS = ["points", "win", "kot", "hakem koti", "behind"]
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


def cards_text(cards: Iterable[Card]) -> str:
    """Cards as people write them: ``A♥ 10♠``."""
    return " ".join(card.pretty for card in cards)


# Trump advice


def advice_line(advice: Advice | BookAdvice) -> str:
    """The call in one sentence: ``call ♥: 0.75 points a deal at the table, ahead of ♣ by 0.50 ± 0.02``."""
    first, second = advice.table.ranked()[:2]
    if advice.table.score is not None:
        chances = [f"{100 * advice.table.match[value.trump]:.1f} %" for value in (first, second)]
        score = "-".join(map(str, advice.table.score))
        call = f"call {first.trump.symbol} at {score}: {chances[0]} to win the match"
        return f"{call}, {chances[1]} with {second.trump.symbol}"
    points = f"{first.points:.2f} points a deal at the table"
    if second.behind < LEVEL * second.behind_se or second.behind == 0:
        return f"call {first.trump.symbol}: {points}, level with {second.trump.symbol} ({_measured(second)})"
    return f"call {first.trump.symbol}: {points}, ahead of {second.trump.symbol} by {_measured(second)}"


def advice_text(advice: Advice) -> str:
    """The call, a table of the four suits for each of the two answers, and what the figures mean."""
    return "\n".join(
        [
            cards_text(advice.cards),
            advice_line(advice),
            *_score_line(advice),
            _seen_line(advice),
            "",
            *_table_rows(advice),
            "",
            *_seen_rows(advice),
            "",
            *_meaning(advice),
        ]
    )


def instant_text(advice: BookAdvice) -> str:
    """The call from the book, a table of the four suits, and what the figures mean."""
    return "\n".join(
        [
            cards_text(advice.cards),
            advice_line(advice),
            *_score_line(advice),
            "",
            *_table_rows(advice),
            "",
            *_instant_meaning(advice),
        ]
    )


def _score_line(advice: Advice | BookAdvice) -> list[str]:
    """What the score changes, if there is one."""
    best, call = advice.table.best, advice.call
    if advice.table.score is None:
        return []
    if best == call:
        return [f"by points {best.symbol} is best as well"]
    behind = advice.table.value(call).behind
    return [f"by points {best.symbol} would be best, {behind:.2f} ahead of {call.symbol}: the score changes the call"]


def _seen_line(advice: Advice) -> str:
    """What the values with all cards seen say about the call."""
    if advice.equal:
        equal = f"with all cards seen {_any(advice.equal)}: equal within {advice.precision:g}, {percent(SURE)} sure"
        return equal if advice.call in advice.equal else f"{equal} - the two answers disagree"
    chance = f"chance {estimate(advice.confidence)}"
    best = f"with all cards seen {advice.best.symbol} is best"
    if advice.best != advice.call:
        return f"{best} ({chance}): the two answers disagree"
    if advice.confidence >= SURE:
        return f"{best} too ({chance})"
    return f"{best} too ({chance}: close; more deals would tell more)"


def _table_rows(advice: Advice | BookAdvice) -> list[str]:
    """The values at the table, the suit to call first."""
    ranked, match = advice.table.ranked(), advice.table.match
    heads = ["at the table", *TRUMP_HEADS]
    rows = [_trump_row(value) for value in ranked]
    if match:
        heads = [heads[0], "match", *heads[1:]]
        rows = [[row[0], f"{100 * match[value.trump]:.1f} %", *row[1:]] for row, value in zip(rows, ranked)]
    return table(heads, rows)


def _seen_rows(advice: Advice) -> list[str]:
    """The values with all cards seen, the best first."""
    heads, rows = ["all cards seen", *TRUMP_HEADS], [_trump_row(value) for value in advice.trumps]
    if advice.ended is not None:  # only then do the numbers of deals differ
        heads, rows = [*heads, "deals"], [[*row, f"{value.samples:,}"] for row, value in zip(rows, advice.trumps)]
    return table(heads, rows)


def _any(suits: Sequence[Suit]) -> str:
    """``♥``, ``♥ or ♠``, ``♥, ♠ or ♣``."""
    *most, last = (suit.symbol for suit in suits)
    return f"{', '.join(most)} or {last}" if most else last


def _measured(value: TrumpValue | TableValue) -> str:
    return f"{value.behind:.2f} ± {value.behind_se:.2f}"


def _meaning(advice: Advice) -> list[str]:
    """How the values came about, and what they are."""
    first = advice.table.ranked()[0]
    return [
        f"At the table: {first.worlds:,} deals played out by players who see only their own cards;",
        _model_told(advice),
        *_race_told(advice),
        "That is best play when everybody sees all four hands; at the table a kot is rarer.",
    ]


def _instant_meaning(advice: BookAdvice) -> list[str]:
    """How the values in the book came about."""
    worlds = [value.worlds for value in advice.table.trumps]
    number = f"{worlds[0]:,}" if min(worlds) == max(worlds) else f"{min(worlds):,} to {max(worlds):,}"
    return [
        f"From the book: {number} deals for each suit, played out by players who see only their own cards;",
        _model_told(advice),
    ]


def _model_told(advice: Advice | BookAdvice) -> str:
    """What ± means at the table, and what is to be added to it."""
    model = max(value.points_model_se for value in advice.table.trumps)
    return f"± is for the choice of deals, the model behind it may be off by {model:.2f} more."


def _race_told(advice: Advice) -> list[str]:
    """Which deals were solved."""
    best = advice.trumps[0]
    if advice.ended is None:
        return [f"All cards seen: {counted(advice.samples, 'deal')}, seed {advice.seed}."]
    raced = counted(advice.samples - best.samples, "deal")
    return [
        f"{ENDINGS[advice.ended]} {raced}, seed {advice.seed}; {best.trump.symbol} was then valued on"
        f" {best.samples:,} others.",
    ]


def _trump_row(value: TrumpValue | TableValue) -> list[str]:
    return [
        value.trump.symbol,
        f"{value.points:+.2f} ± {value.points_se:.2f}",
        percent(value.win),
        percent(value.kot),
        percent(value.hakem_koti),
        "" if value.behind == value.behind_se == 0 else _measured(value),
    ]


def estimate(chance: float) -> str:
    """A chance in percent; as nobody can be certain of what was estimated, it is never 0 % or 100 %."""
    return percent(min(max(chance, ALMOST_NONE), 1 - ALMOST_NONE))


def percent(share: float) -> str:
    """A share in percent; never 0 % or 100 % for what is not quite so."""
    whole = floor(100 * share + 0.5)
    if whole == 0 and share > 0:
        return "<1 %"
    if whole == 100 and share < 1:
        return ">99 %"
    return f"{whole} %"


def reasons_text(reasons: Reasons) -> str:
    """Why a suit is worth what it is: what hakem holds, what partner's trumps and the missing honours change."""
    symbol = reasons.trump.symbol
    ranks = ", ".join(card.pretty for card in reasons.held) or "none"
    lines = [
        f"why {symbol}: of your five {ranks}; your thirteen will hold {reasons.expected:.1f} on average",
        "",
        *table([f"partner's {symbol}", "deals", "points"], map(_partner_row, PARTNER_GROUPS, reasons.partner)),
    ]
    if reasons.honours:
        heads = ["missing", "with your side", "points then", "points otherwise"]
        lines += ["", *table(heads, map(_honour_row, reasons.honours))]
    return "\n".join([*lines, "", f"{counted(reasons.worlds, 'deal')} played out by the engine's policy."])


def _partner_row(name: str, group: Group) -> list[str]:
    return [name, percent(group.share), _group_points(group)]


def _honour_row(split: HonourSplit) -> list[str]:
    return [split.card.pretty, percent(split.ours.share), _group_points(split.ours), _group_points(split.theirs)]


def _group_points(group: Group) -> str:
    if group.points is None:
        return "-"
    return f"{group.points:+.2f}" + ("" if group.points_se is None else f" ± {group.points_se:.2f}")


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
    rows = [[name.replace("_", " "), *(percent(column[name]) for column in columns)] for name in columns[0]]
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
            shown = [cards_text(trick.cards[before:])]
            shown = [f"({cards_text(trick.cards[:before])})", *shown] if before else shown
            rows.append([str(position.trick_number + len(rows)), trick.leader.name, " ".join(shown), winner.name])
            trick, before = Trick(winner), 0
    return table(["trick", "leads", "cards", "wins"], rows)


def _where(position: Position) -> str:
    """Who is to play, when, and what is on the table."""
    won = ", ".join(f"{side.name} {position.won[side]}" for side in Side)
    table = f" to {cards_text(position.trick)}" if position.trick else ""
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
    return [margin_text(value.margin), f"{value.margin:+}", points]


def margin_text(margin: int) -> str:
    """How a deal ends, hakem's side first: ``win 7-4``."""
    hakem, others = TRICKS_TO_WIN + min(margin, 0), TRICKS_TO_WIN - max(margin, 0)
    return f"{WORDS[outcome_of_margin(margin)]} {hakem}-{others}"


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
    """Lines of left-aligned columns, each as wide as its widest entry."""
    lines = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return [GAP.join(entry.ljust(width) for entry, width in zip(line, widths)).rstrip() for line in lines]
