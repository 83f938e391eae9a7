"""Reviews as plain text for a terminal of 80 columns, in English or Persian.

Every function returns text without a final newline. Values are hakem's side's view; what a play costs is its player's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING

from hokm_solver.cards import Card, Seat, Side
from hokm_solver.deal import Trick
from hokm_solver.report.advice import advice_line
from hokm_solver.report.cells import filled
from hokm_solver.report.messages import MESSAGES
from hokm_solver.report.text import table
from hokm_solver.report.words import TERMINAL, TerminalWords

if TYPE_CHECKING:
    from hokm_solver.advice import Advice
    from hokm_solver.review import PlayerSummary, PlayReview, Review, Summary, Totals, TrumpReview

COLUMNS = 80
SHORT_NAME = 12  # in a table of many columns
LONGEST_OCCASION = 38
MOST_BETTER = 5  # cards shown instead of one that cost something
CARD_CELLS = 6  # of a card with its mark
CLEAR = 2.0  # standard errors, and
LEAST_TOLD = 0.05  # points, from which on a cost is told though nothing was lost with all cards seen
MARKS = {"ok": "", "slip": "?!", "mistake": "?", "blunder": "??"}
TRICK_COLUMNS = ("trick", "leads", "cards", "wins", "after")
TOTALS_COLUMNS = ("lost", "choices", "points", "margin", "slips", "mistakes", "blunders")
SUMMARY_COLUMNS = ("player", "deals", "points", "luck", "lost.deal", "margin", "calls", "call.cost")
COUNTS_COLUMNS = ("player", "choices", "slips", "mistakes", "blunders")


def review_text(review: Review, words: TerminalWords = TERMINAL) -> str:
    """What was called, how the play went trick by trick, what cost something, who lost how much, luck and skill."""
    return _ReviewText(review, words).text()


class _ReviewText:
    """The parts of the text of one review."""

    def __init__(self, review: Review, words: TerminalWords) -> None:
        self._review = review
        self._words = words

    def text(self) -> str:
        """All of it."""
        parts = [self._head(), self._call(self._review.trump_choice)]
        if self._review.plays:
            legend = [self._words.say("legend.marks"), self._words.say("legend.forced")]
            parts += [[*self._tricks(), "", *legend], self._costs(), self._totals()]
        parts += [self._balance(), self._unjudged()]
        return "\n\n".join("\n".join(part) for part in parts if part)

    def _head(self) -> list[str]:
        record, words = self._review.record, self._words
        told = (words.name(text, LONGEST_OCCASION) for text in (record.event, record.date) if text)
        trump = words.say("open") if record.trump is None else words.suit(record.trump)
        player = words.player(record.hakem, record.players)
        lines = [words.comma.join(told), words.say("review.called", player=player, suit=trump)]
        if self._review.won is not None:
            names = {"ns": words.side(Side.NS), "we": words.side(Side.WE)}
            ns, we = (words.number(self._review.won[side]) for side in Side)
            message = "review.tricks" if self._review.finished else "review.tricks.stopped"
            lines.append(words.say(message, won=words.say("sides.tricks", a=ns, b=we, **names)))
        return [line for line in lines if line]

    def _call(self, call: TrumpReview) -> list[str]:
        """The four trumps on the real deal, and what the five cards said."""
        words = self._words
        called = {call.called: words.say("called.mark")}
        rows = [
            [words.suit(trump), words.result(margin), words.signed(points), called.get(trump, "")]
            for (trump, margin), points in zip(call.margins.items(), call.points.values())
        ]
        lines = table([*self._words.heads(("trump", "hands", "points")), ""], rows)
        if call.cost is not None:
            lines.append(words.say("review.cost", points=words.points(call.cost)))
        if call.advice is not None:
            lines.append(words.say("review.five", cards=words.told(call.advice.cards)))
            lines += [f"  {line}" for line in self._advice(call, call.advice)]
        return lines

    def _advice(self, call: TrumpReview, advice: Advice) -> list[str]:
        """What the adviser would call, and how far behind the call is by each of his two answers."""
        words, best = self._words, self._words.suit(advice.best)
        seen = words.say("review.seen", best=best)
        if call.called is None or call.behind is None or call.behind_seen is None:
            return [advice_line(advice, words), seen]
        called = words.suit(call.called)
        if call.called != advice.best:
            seen = words.say("review.seen.behind", best=best, called=called, behind=words.estimate(*call.behind_seen))
        behind = words.say("review.best", called=called)
        if call.behind[0]:
            behind = words.say("review.behind", called=called, behind=words.estimate(*call.behind))
        return [advice_line(advice, words), behind, seen]

    def _tricks(self) -> list[str]:
        """A row for every trick: the cards with their marks, who won it, and what the deal is worth then."""
        words, rows = self._words, []
        plays, trump = iter(self._review.plays), self._review.trump_choice.called
        while trick := tuple(islice(plays, len(Seat))):
            cards = Trick(trick[0].seat, tuple(play.card for play in trick))
            wins = words.seat(cards.winner(trump)) if cards.complete and trump is not None else ""
            shown = " ".join(filled(self._marked(play), CARD_CELLS) for play in trick).rstrip()
            worth = words.result(trick[-1].margin_after)
            rows.append([words.number(trick[0].trick), words.seat(trick[0].seat), shown, wins, worth])
        return table(self._words.heads(TRICK_COLUMNS), rows)

    def _marked(self, play: PlayReview) -> str:
        return self._words.marked_card(play.card, forced=play.forced, mark="" if play.forced else MARKS[play.kind])

    def _costs(self) -> list[str]:
        """The turning points, and a row for every play that cost something."""
        review, words = self._review, self._words
        heads = ("trick", "play", "", "points", "margin", *["known"] * review.known, "better")
        rows = [self._cost_row(play) for play in review.plays if _cost_something(play)]
        if not rows:
            return [words.say("review.nothing")]
        turns = words.comma.join(self._turn(review.plays[place]) for place in review.turning_points)
        told = words.say("review.turns", turns=turns or words.say("none"))
        return [*wrap(told, COLUMNS), "", *table(self._words.heads(heads), rows)]

    def _turn(self, play: PlayReview) -> str:
        words = self._words
        told = {"seat": words.seat(play.seat), "number": words.number(play.trick)}
        return words.say("review.turn", card=words.told([play.card]), **told)

    def _cost_row(self, play: PlayReview) -> list[str]:
        words = self._words
        played = f"{words.seat(play.seat)} {words.card(play.card)}"
        costs = (words.number(play.cost), words.number(play.margin_cost))
        row = [words.number(play.trick), played, words.kind(play.kind), *costs]
        if self._review.known:
            row.append(words.estimate(play.known.cost, play.known.cost_se) if play.known else "")
        better = play.known.best if play.kind == "ok" and play.known else play.best
        return [*row, self._some(better)]

    def _some(self, cards: Sequence[Card]) -> str:
        """Cards, cut to what fits into a line."""
        shown, rest = self._words.cards(cards[:MOST_BETTER]), len(cards) - MOST_BETTER
        return self._words.say("more", cards=shown, number=self._words.number(rest)) if rest > 0 else shown

    def _totals(self) -> list[str]:
        """What each seat and each side lost."""
        review, words = self._review, self._words
        names = {seat: words.name(name, SHORT_NAME) for seat, name in review.record.players.items()}
        seats = [(f"{words.seat(seat)} {names.get(seat, '')}".strip(), review.of_seat(seat)) for seat in Seat]
        sides = [(words.side(side), review.of_side(side)) for side in Side]
        heads = self._words.heads((*TOTALS_COLUMNS, *["knew"] * review.known))
        return table(heads, (self._totals_row(name, totals) for name, totals in seats + sides))

    def _totals_row(self, name: str, totals: Totals) -> list[str]:
        counts = (totals.choices, totals.cost, totals.margin_cost, totals.slips, totals.mistakes, totals.blunders)
        known = [] if totals.known_cost is None else [self._words.number(totals.known_cost, 2)]
        return [name, *map(self._words.number, counts), *known]

    def _balance(self) -> list[str]:
        balance, words = self._review.balance, self._words
        if balance is None:
            return []
        side = words.side(self._review.record.hakem.side)
        told = {"skill": words.signed(balance.skill), "result": words.signed(balance.result)}
        end = "review.brought" if self._review.finished else "review.would"
        return [
            words.say("review.average", average=words.signed(balance.average, 2), side=side),
            words.say(end, luck=words.signed(balance.luck, 2), **told),
        ]

    def _unjudged(self) -> list[str]:
        words = self._words
        return [
            words.say("review.unjudged", field=words.field(field), reason=words.say(why) if why in MESSAGES else why)
            for field, why in self._review.unjudged.items()
        ]


def _cost_something(play: PlayReview) -> bool:
    known = play.known
    return play.kind != "ok" or (known is not None and known.cost > max(CLEAR * known.cost_se, LEAST_TOLD))


# Many deals


def summary_text(summary: Summary, words: TerminalWords = TERMINAL) -> str:
    """Two tables with a row for every player: what the deals brought, and what was lost in play and by calls."""
    others = {"summary.no.trump": summary.unjudged, "summary.failed": summary.failed}
    said = (words.say(what, records=words.counted("records", number)) for what, number in others.items() if number)
    known = any(player.known_cost is not None for player in summary.players)
    counts = words.heads((*COUNTS_COLUMNS, *["known"] * known, "five"))
    return "\n".join(
        [
            words.say("summary.judged", deals=words.counted("deals", summary.deals)) + "".join(said),
            "",
            *table(words.heads(SUMMARY_COLUMNS), (_summary_row(player, words) for player in summary.players)),
            "",
            *table(counts, (_counts_row(player, known, words) for player in summary.players)),
            "",
            *(words.say(f"summary.{what}") for what in ("points", "costs", "known")),
        ]
    )


def _summary_row(player: PlayerSummary, words: TerminalWords) -> list[str]:
    cost = words.number(player.cost, 2) if player.cost_se is None else words.estimate(player.cost, player.cost_se)
    return [
        words.name(player.player, SHORT_NAME),
        words.digits(player.deals),
        words.signed(player.points, 2),
        words.signed(player.luck, 2),
        cost,
        words.number(player.margin_cost, 2),
        words.digits(player.calls),
        _mean(player.call_cost, words),
    ]


def _counts_row(player: PlayerSummary, known: bool, words: TerminalWords) -> list[str]:
    counts = (player.choices, player.slips, player.mistakes, player.blunders)
    return [
        words.name(player.player, SHORT_NAME),
        *map(words.digits, counts),
        *[_mean(player.known_cost, words)] * known,
        _mean(player.call_behind, words),
    ]


def _mean(value: float | None, words: TerminalWords) -> str:
    return "" if value is None else words.number(value, 2)
