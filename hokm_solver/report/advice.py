"""Trump advice as plain text for a terminal, in English or Persian.

Every function returns text without a final newline. Values are hakem's side's view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hokm_solver.report.text import table
from hokm_solver.report.words import TERMINAL, TerminalWords
from hokm_solver.rules import TRICKS

if TYPE_CHECKING:
    from hokm_solver.advice import Advice, TrumpValue
    from hokm_solver.book import BookAdvice
    from hokm_solver.reasons import Group, HonourSplit, Reasons
    from hokm_solver.table import TableValue

SURE = 0.95  # below this chance of being best a call is said to be close
LEVEL = 2  # standard errors within which two suits are level
TRUMP_COLUMNS = ("points", "win", "kot", "hakem_koti", "behind")


def advice_line(advice: Advice | BookAdvice, words: TerminalWords = TERMINAL) -> str:
    """The call in one sentence: ``call ♥: 0.75 points a deal at the table, ahead of ♣ by 0.50 ± 0.02``."""
    first, second = advice.table.ranked()[:2]
    suits = {"suit": words.suit(first.trump), "other": words.suit(second.trump)}
    if advice.table.score is not None:
        chance, other = (words.percent(advice.table.match[value.trump], 1) for value in (first, second))
        us, them = map(words.number, advice.table.score)
        score = words.say("score.of", us=us, them=them)
        return words.say("advice.match", score=score, chance=chance, other_chance=other, **suits)
    level = second.behind < LEVEL * second.behind_se or second.behind == 0
    points = words.number(first.points, 2) if first.points >= 0 else words.signed(first.points, 2)
    message = "advice.level" if level else "advice.ahead"
    return words.say(message, points=points, behind=words.estimate(second.behind, second.behind_se), **suits)


def advice_text(advice: Advice, words: TerminalWords = TERMINAL) -> str:
    """The call, a table of the four suits for each of the two answers, and what the figures mean."""
    return "\n".join(
        [
            words.told(advice.cards),
            advice_line(advice, words),
            *_score_line(advice, words),
            _seen_line(advice, words),
            "",
            *_table_rows(advice, words),
            "",
            *_seen_rows(advice, words),
            "",
            *_meaning(advice, words),
        ]
    )


def instant_text(advice: BookAdvice, words: TerminalWords = TERMINAL) -> str:
    """The call from the book, a table of the four suits, and what the figures mean."""
    return "\n".join(
        [
            words.told(advice.cards),
            advice_line(advice, words),
            *_score_line(advice, words),
            "",
            *_table_rows(advice, words),
            "",
            *_instant_meaning(advice, words),
        ]
    )


def _score_line(advice: Advice | BookAdvice, words: TerminalWords) -> list[str]:
    """What the score changes, if there is one."""
    best, call = advice.table.best, advice.call
    if advice.table.score is None:
        return []
    if best == call:
        return [words.say("score.same", best=words.suit(best))]
    behind = words.number(advice.table.value(call).behind, 2)
    return [words.say("score.changes", best=words.suit(best), behind=behind, suit=words.suit(call))]


def _seen_line(advice: Advice, words: TerminalWords) -> str:
    """What the values with all cards seen say about the call."""
    if advice.equal:
        message = "seen.equal" if advice.call in advice.equal else "seen.equal.other"
        precision, sure = words.digits(f"{advice.precision:g}"), words.percent(SURE)
        return words.say(
            message, suits=words.either(list(map(words.suit, advice.equal))), precision=precision, sure=sure
        )
    message = "seen.same" if advice.confidence >= SURE else "seen.close"
    if advice.best != advice.call:
        message = "seen.other"
    return words.say(message, best=words.suit(advice.best), chance=words.chance(advice.confidence))


def _table_rows(advice: Advice | BookAdvice, words: TerminalWords) -> list[str]:
    """The values at the table, the suit to call first."""
    ranked, match = advice.table.ranked(), advice.table.match
    rows = [_trump_row(value, words) for value in ranked]
    if not match:
        return table(words.heads(["table", *TRUMP_COLUMNS]), rows)
    rows = [[row[0], words.percent(match[value.trump], 1), *row[1:]] for row, value in zip(rows, ranked)]
    return table(words.heads(["table", "match", *TRUMP_COLUMNS]), rows)


def _seen_rows(advice: Advice, words: TerminalWords) -> list[str]:
    """The values with all cards seen, the best first."""
    rows = [_trump_row(value, words) for value in advice.trumps]
    if advice.ended is None:
        return table(words.heads(["seen", *TRUMP_COLUMNS]), rows)
    rows = [[*row, words.number(value.samples)] for row, value in zip(rows, advice.trumps)]  # which differ only now
    return table(words.heads(["seen", *TRUMP_COLUMNS, "deals"]), rows)


def _trump_row(value: TrumpValue | TableValue, words: TerminalWords) -> list[str]:
    return [
        words.suit(value.trump),
        words.estimate(value.points, value.points_se, signed=True),
        words.percent(value.win),
        words.percent(value.kot),
        words.percent(value.hakem_koti),
        "" if value.behind == value.behind_se == 0 else words.estimate(value.behind, value.behind_se),
    ]


def _meaning(advice: Advice, words: TerminalWords) -> list[str]:
    """How the values came about, and what they are."""
    first = advice.table.ranked()[0]
    return [
        words.say("meaning.table", worlds=words.number(first.worlds)),
        _model_told(advice, words),
        _deals_told(advice, words),
        words.say("meaning.kot"),
    ]


def _instant_meaning(advice: BookAdvice, words: TerminalWords) -> list[str]:
    """How the values in the book came about."""
    worlds = [value.worlds for value in advice.table.trumps]
    low, high = words.number(min(worlds)), words.number(max(worlds))
    number = low if low == high else words.say("range", low=low, high=high)
    return [words.say("meaning.book", worlds=number), _model_told(advice, words)]


def _model_told(advice: Advice | BookAdvice, words: TerminalWords) -> str:
    """What ± means at the table, and what is to be added to it."""
    model = max(value.points_model_se for value in advice.table.trumps)
    return words.say("meaning.model", error=words.number(model, 2))


def _deals_told(advice: Advice, words: TerminalWords) -> str:
    """Which deals were solved."""
    best, seed = advice.trumps[0], words.digits(advice.seed)
    if advice.ended is None:
        return words.say("meaning.seen", deals=words.counted("deals", advice.samples), seed=seed)
    raced = words.counted("deals", advice.samples - best.samples)
    ended = words.say(f"race.{advice.ended}", deals=raced, seed=seed)
    valued = words.say("race.valued", suit=words.suit(best.trump), others=words.number(best.samples))
    return f"{ended} {valued}"


def reasons_text(reasons: Reasons, words: TerminalWords = TERMINAL) -> str:
    """Why a suit is worth what it is: what hakem holds, what partner's trumps and the missing honours change."""
    suit = words.suit(reasons.trump)
    held = words.told(reasons.held, ", ") if reasons.held else words.say("none")
    partner = [words.say("partner", suit=suit), *words.heads(["deals", "points"])]
    rows = [
        [_group_name(*trumps, words), words.percent(group.share), _group_points(group, words)]
        for trumps, group in reasons.partner_groups()
    ]
    lines = [words.say("why", suit=suit, cards=held, expected=words.number(reasons.expected, 1)), ""]
    lines += table(partner, rows)
    if reasons.honours:
        heads = [words.say(name) for name in ("missing", "with.you", "points.then", "points.else")]
        lines += ["", *table(heads, (_honour_row(split, words) for split in reasons.honours))]
    return "\n".join([*lines, "", words.say("why.deals", deals=words.counted("deals", reasons.worlds))])


def _group_name(low: int, high: int, words: TerminalWords) -> str:
    """How many trumps partner has in a group: ``0 or 1``, ``2``, ``4 or more``."""
    if high == TRICKS:
        return words.say("or.more", low=words.number(low))
    numbers = list(map(words.number, range(low, high + 1)))
    return words.either(numbers)


def _honour_row(split: HonourSplit, words: TerminalWords) -> list[str]:
    points = (_group_points(group, words) for group in (split.ours, split.theirs))
    return [words.told([split.card]), words.percent(split.ours.share), *points]


def _group_points(group: Group, words: TerminalWords) -> str:
    if group.points is None:
        return "-"
    if group.points_se is None:
        return words.signed(group.points, 2)
    return words.estimate(group.points, group.points_se, signed=True)
