"""Reviews as plain text for a terminal of 80 columns.

Every function returns text without a final newline. Values are hakem's side's view; what a play costs is its player's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING

from hokm_solver.cards import Card, Seat, Side
from hokm_solver.deal import Trick
from hokm_solver.errors import counted
from hokm_solver.report.text import advice_line, cards_text, margin_text, table

if TYPE_CHECKING:
    from hokm_solver.advice import Advice
    from hokm_solver.records.record import Record
    from hokm_solver.review import PlayerSummary, PlayReview, Review, Summary, Totals, TrumpReview

COLUMNS = 80
LONGEST_NAME = 16
SHORT_NAME = 12  # in a table of many columns
MOST_BETTER = 5  # cards shown instead of one that cost something
CLEAR = 2.0  # standard errors, and
LEAST_TOLD = 0.05  # points, from which on a cost is told though nothing was lost with all cards seen
MARKS = {"ok": "", "slip": "?!", "mistake": "?", "blunder": "??"}
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
LEGEND = ["?! slip: tricks lost   ? mistake: points lost   ?? blunder: another side wins", "(card): no choice"]


def name_text(name: str, longest: int = LONGEST_NAME) -> str:
    """A name from a file, cut, without characters that would move the cursor, hide others or turn their direction."""
    shown = "".join("?" if _is_unsafe(char) else char for char in name)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def _is_unsafe(char: str) -> bool:
    """Controls, lone surrogates, line ends, marks of direction, and what no file of XML may hold."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _TURNING or char in "\ufffe\uffff"


def review_text(review: Review) -> str:
    """What was called, how the play went trick by trick, what cost something, who lost how much, luck and skill."""
    parts = [_head(review), _trump_lines(review.trump_choice)]
    if review.plays:
        parts += [[*_tricks(review), "", *LEGEND], _costs(review), _totals(review)]
    parts += [_balance(review), [f"not judged: {field} - {reason}" for field, reason in review.unjudged.items()]]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(review: Review) -> list[str]:
    record = review.record
    occasion = ", ".join(name_text(text, 38) for text in (record.event, record.date) if text)
    trump = "not known" if record.trump is None else record.trump.symbol
    lines = [occasion, f"hakem {_player(record, record.hakem)}, trump {trump}"]
    if review.won is not None:
        won = ", ".join(f"{side} {review.won[side]}" for side in Side)
        lines.append(f"tricks won: {won}" + ("" if review.finished else ", play stopped before the end"))
    return [line for line in lines if line]


def _player(record: Record, seat: Seat) -> str:
    return f"{seat} ({name_text(record.players[seat])})" if seat in record.players else seat.name


def _trump_lines(call: TrumpReview) -> list[str]:
    """The four trumps on the real deal, and what the five cards said."""
    rows = [
        [trump.symbol, margin_text(margin), f"{points:+}", "called" if trump == call.called else ""]
        for (trump, margin), points in zip(call.margins.items(), call.points.values())
    ]
    lines = table(["trump", "on these hands", "points", ""], rows)
    if call.cost is not None:
        lines.append(f"the call cost {counted(call.cost, 'point')} on these hands")
    if call.advice is not None:
        lines.append(f"from the five cards {cards_text(call.advice.cards)}:")
        lines += [f"  {line}" for line in _advice_lines(call, call.advice)]
    return lines


def _advice_lines(call: TrumpReview, advice: Advice) -> list[str]:
    """What the adviser would call, and how far behind the call is by each of his two answers."""
    seen = f"with all cards seen {advice.best.symbol} is best"
    if call.called is None or call.behind is None or call.behind_seen is None:
        return [advice_line(advice), seen]
    called = call.called.symbol
    if call.called != advice.best:
        seen += f", {called} {_points(call.behind_seen)} behind"
    behind = f"{_points(call.behind)} points a deal behind" if call.behind[0] else "no other is better"
    return [advice_line(advice), f"{called} was called: {behind}", seen]


def _points(value: tuple[float, float]) -> str:
    return f"{value[0]:.2f} ± {value[1]:.2f}"


def _tricks(review: Review) -> list[str]:
    """A row for every trick: the cards with their marks, who won it, and what the deal is worth then."""
    rows: list[list[str]] = []
    plays = iter(review.plays)
    while trick := tuple(islice(plays, len(Seat))):
        cards = Trick(trick[0].seat, tuple(play.card for play in trick))
        trump = review.trump_choice.called
        wins = cards.winner(trump).name if cards.complete and trump is not None else ""
        shown = " ".join(_marked(play).ljust(6) for play in trick)
        worth = margin_text(trick[-1].margin_after)
        rows.append([str(trick[0].trick), trick[0].seat.name, shown.rstrip(), wins, worth])
    return table(["trick", "leads", "cards", "wins", "the deal is then worth"], rows)


def _marked(play: PlayReview) -> str:
    return f"({play.card.pretty})" if play.forced else play.card.pretty + MARKS[play.kind]


def _costs(review: Review) -> list[str]:
    """The turning points, and a row for every play that cost something."""
    heads = ["trick", "play", "", "points", "margin", *["could know"] * review.known, "better"]
    rows = [_cost_row(play, review.known) for play in review.plays if _cost_something(play)]
    if not rows:
        return ["no play cost anything"]
    turns = (review.plays[place] for place in review.turning_points)
    told = ", ".join(f"{play.card.pretty} ({play.seat}, trick {play.trick})" for play in turns)
    return [*wrap(f"turning points: {told or 'none'}", COLUMNS), "", *table(heads, rows)]


def _cost_something(play: PlayReview) -> bool:
    known = play.known
    return play.kind != "ok" or (known is not None and known.cost > max(CLEAR * known.cost_se, LEAST_TOLD))


def _cost_row(play: PlayReview, known: bool) -> list[str]:
    played = f"{play.seat} {play.card.pretty}"
    row = [str(play.trick), played, play.kind, str(play.cost), str(play.margin_cost)]
    if known:
        row.append(f"{play.known.cost:.2f} ± {play.known.cost_se:.2f}" if play.known else "")
    better = play.known.best if play.kind == "ok" and play.known else play.best
    return [*row, _some(better)]


def _some(cards: Sequence[Card]) -> str:
    """Cards, cut to what fits into a line."""
    rest = len(cards) - MOST_BETTER
    return cards_text(cards[:MOST_BETTER]) + (f" +{rest}" if rest > 0 else "")


def _totals(review: Review) -> list[str]:
    """What each seat and each side lost."""
    heads = ["lost by", "choices", "points", "margin", "slips", "mistakes", "blunders", *["known"] * review.known]
    names = {seat: name_text(name, SHORT_NAME) for seat, name in review.record.players.items()}
    seats = [(f"{seat} {names.get(seat, '')}".strip(), review.of_seat(seat)) for seat in Seat]
    sides = [(side.name, review.of_side(side)) for side in Side]
    return table(heads, (_totals_row(name, totals) for name, totals in seats + sides))


def _totals_row(name: str, totals: Totals) -> list[str]:
    counts = (totals.choices, totals.cost, totals.margin_cost, totals.slips, totals.mistakes, totals.blunders)
    known = [] if totals.known_cost is None else [f"{totals.known_cost:.2f}"]
    return [name, *map(str, counts), *known]


def _balance(review: Review) -> list[str]:
    balance = review.balance
    if balance is None:
        return []
    side = review.record.hakem.side
    end = "the deal brought" if review.finished else "best play from here would bring"
    return [
        f"an average deal is worth {balance.average:+.2f} points to hakem's side ({side}), all cards seen;",
        f"luck of the deal {balance.luck:+.2f}, play {balance.skill:+}; {end} {balance.result:+}",
    ]


# Many deals


def summary_text(summary: Summary) -> str:
    """Two tables with a row for every player: what the deals brought, and what was lost in play and by calls."""
    judged = counted(summary.deals, "deal")
    others = {"without a trump": summary.unjudged, "that could not be read": summary.failed}
    said = "".join(f", {counted(number, 'record')} {what}" for what, number in others.items() if number)
    heads = ["player", "deals", "points", "luck", "lost a deal", "margin", "calls", "call cost"]
    known = any(player.known_cost is not None for player in summary.players)
    counts = ["player", "choices", "slips", "mistakes", "blunders", *["could know"] * known, "five cards"]
    return "\n".join(
        [
            f"{judged} judged{said}",
            "",
            *table(heads, map(_summary_row, summary.players)),
            "",
            *table(counts, (_counts_row(player, known) for player in summary.players)),
            "",
            *SUMMARY_NOTES,
        ]
    )


SUMMARY_NOTES = [
    "points: of the player's side; luck: what the deals gave it above the average;",
    "lost, call cost: by the player's own plays and calls, all cards seen;",
    "could know, five cards: the same, as far as the player could know better.",
]


def _summary_row(player: PlayerSummary) -> list[str]:
    error = "" if player.cost_se is None else f" ± {player.cost_se:.2f}"
    return [
        name_text(player.player, SHORT_NAME),
        str(player.deals),
        f"{player.points:+.2f}",
        f"{player.luck:+.2f}",
        f"{player.cost:.2f}{error}",
        f"{player.margin_cost:.2f}",
        str(player.calls),
        _mean(player.call_cost),
    ]


def _counts_row(player: PlayerSummary, known: bool) -> list[str]:
    counts = (player.choices, player.slips, player.mistakes, player.blunders)
    return [
        name_text(player.player, SHORT_NAME),
        *map(str, counts),
        *[_mean(player.known_cost)] * known,
        _mean(player.call_behind),
    ]


def _mean(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
