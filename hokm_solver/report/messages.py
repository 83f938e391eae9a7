"""Every text of the page, the diagram and the notebook, in English and Persian, and figures as each language has them.

Cards, scores and names stand inside longer texts of either direction, so they are wrapped in Unicode isolates, which
work where there is no markup: in labels, titles and pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hokm_solver.cards import Card, Rank, Seat, Side, Suit
from hokm_solver.report.review import name_text
from hokm_solver.rules import TRICKS_TO_WIN, Outcome, outcome_of_margin

Language: TypeAlias = Literal["en", "fa"]
LANGUAGES: tuple[Language, ...] = ("en", "fa")
DIRECTIONS: Mapping[Language, str] = {"en": "ltr", "fa": "rtl"}

LEFT_TO_RIGHT, FIRST_STRONG, END = "\u2066", "\u2068", "\u2069"  # isolates
JOINED = "\u2060"  # no line ends here
LEFT_MARK = "\u200e"  # keeps a sign before its number
AS_TEXT = "\ufe0e"  # a suit symbol as a letter, not as a coloured picture
MINUS = "\u2212"
LONGEST_NAME = 40
_PERSIAN_DIGITS = str.maketrans("0123456789.,", "۰۱۲۳۴۵۶۷۸۹٫٬")

# By name: English, Persian. The places in braces are the same in both.
MESSAGES: Mapping[str, tuple[str, str]] = {
    # the page
    "title": ("Hokm: a deal reviewed", "حکم: بررسی یک دور"),
    "title.many": ("Hokm: {count} deals reviewed", "حکم: بررسی {count} دور"),
    "language": ("Language", "زبان"),
    "theme": ("Appearance", "نما"),
    "theme.auto": ("Automatic", "خودکار"),
    "theme.light": ("Light", "روشن"),
    "theme.dark": ("Dark", "تیره"),
    "chooser": ("Deal", "دور"),
    "chooser.number": ("Deal {number}", "دور {number}"),
    "chooser.deal": ("Deal {number}: {what}", "دور {number}: {what}"),
    "keys": (
        "Arrow keys step through the plays, Home and End go to either end, Shift with an arrow to the next mistake. "
        "Press a card, or a place on the graph, to go to where it was played.",
        "با کلیدهای جهت‌دار بازی را قدم‌به‌قدم ببینید؛ Home و End به آغاز و پایان می‌روند و Shift با کلید جهت‌دار به اشتباه "
        "بعدی. با فشردن هر کارت، یا هر جای نمودار، به لحظهٔ بازی شدن آن می‌روید.",
    ),
    "seen": (
        "All values are exact, with all cards seen: as if from there on all four players saw every hand and made no "
        "mistake. Points and margin are those of hakem's side; what a play cost is counted for its player.",
        "همهٔ ارزش‌ها دقیق‌اند و با دیدن همهٔ کارت‌ها: انگار از آن‌جا به بعد هر چهار بازیکن همهٔ دست‌ها را می‌دیدند و اشتباه "
        "نمی‌کردند. امتیاز و اختلاف از دید تیم حاکم است و زیان هر بازی به حساب بازیکن آن.",
    ),
    "made": ("Made by hokm-solver.", "ساختهٔ hokm-solver"),
    # words of the game
    "hakem": ("hakem", "حاکم"),
    "trump": ("trump", "حکم"),
    "trump.is": ("trump {suit}", "حکم {suit}"),
    "trump.unknown": ("trump not known", "حکم نامعلوم"),
    "S": ("spades", "پیک"),
    "H": ("hearts", "دل"),
    "D": ("diamonds", "خشت"),
    "C": ("clubs", "گشنیز"),
    "N.seat": ("North", "شمال"),
    "W.seat": ("West", "غرب"),
    "S.seat": ("South", "جنوب"),
    "E.seat": ("East", "شرق"),
    "NS": ("North–South", "شمال–جنوب"),
    "WE": ("West–East", "غرب–شرق"),
    "card": ("{rank} of {suit}", "{rank} {suit}"),
    "named": ("{seat} ({name})", "{seat} ({name})"),
    "point": ("point", "امتیاز"),
    "points": ("{count} points", "{count} امتیاز"),
    "points.one": ("{count} point", "{count} امتیاز"),
    "win": ("win {score}", "برد {score}"),
    "kot": ("kot {score}", "کت {score}"),
    "loss": ("loss {score}", "باخت {score}"),
    "hakem_koti": ("hakem koti {score}", "حاکم کتی {score}"),
    "worth": ("{result}, {points}, margin {margin}", "{result}، {points}، اختلاف {margin}"),
    # the head of a deal
    "called": ("{hakem} is hakem; trump is {suit}.", "حاکم {hakem} است؛ حکم {suit} است."),
    "called.unknown": ("{hakem} is hakem; the trump is not known.", "حاکم {hakem} است؛ حکم معلوم نیست."),
    "ended": ("The deal ended: {result}", "پایان دور: {result}"),
    "stopped": ("Play stopped early; best play from there: {result}", "بازی نیمه‌کاره ماند؛ با بهترین بازی: {result}"),
    "not.played": ("No card was played; best play: {result}", "کارتی بازی نشد؛ با بهترین بازی: {result}"),
    "for.hakem": ("for hakem's side ({side})", "برای تیم حاکم ({side})"),
    "score": ("Match before the deal: {ns} {a}, {we} {b}", "امتیاز پیش از این دور: {ns} {a}، {we} {b}"),
    "rules": ("House rules: {rules}", "قانون‌های خانگی: {rules}"),
    "rule.win": ("win {value}", "برد {value}"),
    "rule.kot": ("kot {value}", "کت {value}"),
    "rule.hakem_koti": ("hakem koti {value}", "حاکم کتی {value}"),
    "rule.match_length": ("match to {value} points", "بازی تا {value} امتیاز"),
    "rule.second_ace": ("partners by the second ace", "یارکشی با آس دوم"),
    # the table and the steps
    "table": ("The table", "میز"),
    "trick": ("Trick {number}", "دست {number}"),
    "tricks.won": ("tricks won: {ns} {a}, {we} {b}", "دست‌های برده: {ns} {a}، {we} {b}"),
    "first": ("Start", "آغاز"),
    "back": ("Back", "قبلی"),
    "forward": ("Forward", "بعدی"),
    "last": ("End", "پایان"),
    "mistake.back": ("Previous mistake", "اشتباه قبلی"),
    "mistake.forward": ("Next mistake", "اشتباه بعدی"),
    "steps": ("Steps", "گام‌ها"),
    "step": ("Step {number} of {count}", "گام {number} از {count}"),
    "the.step": ("This step", "این گام"),
    "start": ("Before the first card", "پیش از نخستین کارت"),
    "plays": ("{seat} plays {card}", "{seat} {card} بازی می‌کند"),
    "best": ("best", "بهترین"),
    "played": ("played", "بازی‌شده"),
    "played.in": ("played in trick {number}", "بازی‌شده در دست {number}"),
    "wins.trick": ("{seat} wins the trick.", "این دست را {seat} می‌برد."),
    # classes
    "ok": ("ok", "درست"),
    "forced": ("forced", "اجباری"),
    "slip": ("slip", "لغزش"),
    "mistake": ("mistake", "اشتباه"),
    "blunder": ("blunder", "اشتباه بزرگ"),
    "ok.said": ("One of the best cards.", "یکی از بهترین کارت‌ها."),
    "only.said": ("The one best card.", "تنها بهترین کارت."),
    "forced.said": ("No choice: the only legal card.", "بی‌اختیار: تنها کارت مجاز."),
    "slip.said": (
        "Slip: margin {margin}, but no points. Better: {best}.",
        "لغزش: اختلاف {margin}، بی‌زیان در امتیاز. بهتر: {best}.",
    ),
    "mistake.said": (
        "Mistake: it costs {points}, margin {margin}. Better: {best}.",
        "اشتباه: {points} زیان، اختلاف {margin}. بهتر: {best}.",
    ),
    "blunder.said": (
        "Blunder: the other side wins now. It costs {points}, margin {margin}. Better: {best}.",
        "اشتباه بزرگ: حالا تیم دیگر می‌برد. {points} زیان، اختلاف {margin}. بهتر: {best}.",
    ),
    "known.said": (
        "By what the player could know it cost {cost} points.",
        "با آنچه بازیکن می‌توانست بداند، {cost} امتیاز زیان داشت.",
    ),
    "now.worth": ("Worth now: {worth}.", "ارزش کنونی: {worth}."),
    "start.worth": ("With best play: {worth}.", "با بهترین بازی: {worth}."),
    "legend": (
        "★ best · ?! slip: tricks lost · ? mistake: points lost · ?? blunder: the winner changes",
        "★ بهترین · \u2066?!\u2069 لغزش: دست از دست رفت · \u2066?\u2069 اشتباه: امتیاز از دست رفت · "
        "\u2066??\u2069 اشتباه بزرگ: برنده عوض شد",
    ),
    "legend.values": (
        "The figure on a card is the margin for hakem's side if it is played.",
        "عدد روی هر کارت، اختلاف تیم حاکم است اگر آن کارت بازی شود.",
    ),
    # the graph
    "graph": ("The value of the deal over the plays", "ارزش دور در طول بازی"),
    "graph.said": (
        "From {first} before the first card to {last}; the winner changes {turns} times.",
        "از {first} پیش از نخستین کارت تا {last}؛ برنده {turns} بار عوض می‌شود.",
    ),
    "hakem.wins": ("hakem's side wins", "برد تیم حاکم"),
    "others.win": ("the other side wins", "برد تیم مقابل"),
    # the table of plays
    "all.plays": ("All plays", "همهٔ بازی‌ها"),
    "head.trick": ("Trick", "دست"),
    "head.seat": ("Player", "بازیکن"),
    "head.card": ("Card", "کارت"),
    "head.class": ("Judged", "داوری"),
    "head.after": ("The deal is then worth", "ارزش دور پس از آن"),
    "head.points": ("Points lost", "زیان امتیاز"),
    "head.margin": ("Margin lost", "زیان اختلاف"),
    "head.known": ("Could know", "دانستنی"),
    "head.values": ("Every legal card", "همهٔ کارت‌های مجاز"),
    "no.cost": ("No play cost anything.", "هیچ بازی‌ای زیان نداشت."),
    "turning": ("Turning points", "نقطه‌های عطف"),
    "turning.none": ("The winner never changed.", "برنده هیچ‌گاه عوض نشد."),
    "turning.one": ("trick {number}: {seat} {card}", "دست {number}: {seat} {card}"),
    "no.plays": ("No card was played.", "کارتی بازی نشد."),
    # the summary
    "lost": ("Who lost what", "که چه از دست داد"),
    "head.lost": ("Lost by", "زیان"),
    "head.choices": ("Choices", "انتخاب"),
    "head.cost": ("Points", "امتیاز"),
    "head.margins": ("Margin", "اختلاف"),
    "head.slips": ("Slips", "لغزش"),
    "head.mistakes": ("Mistakes", "اشتباه"),
    "head.blunders": ("Blunders", "اشتباه بزرگ"),
    "mistakes.note": ("Blunders are counted among the mistakes, too.", "اشتباه‌های بزرگ در شمار اشتباه‌ها هم هستند."),
    "call": ("The call", "گفتن حکم"),
    "head.trump": ("Trump", "حکم"),
    "head.hands": ("On these hands", "با این دست‌ها"),
    "head.five": ("Five cards, all seen", "پنج کارت، همه دیده"),
    "head.table": ("Five cards, at the table", "پنج کارت، سر میز"),
    "called.mark": ("called", "گفته شد"),
    "advised.mark": ("advised", "پیشنهاد"),
    "call.cost": ("On these hands the call cost {points}.", "با این دست‌ها این حکم {points} زیان داشت."),
    "call.right": ("On these hands no other trump was worth more.", "با این دست‌ها هیچ حکم دیگری بهتر نبود."),
    "call.five": ("Hakem's first five: {cards}.", "پنج کارت نخست حاکم: {cards}."),
    "call.behind": (
        "From the five cards, at the table, it is {behind} points a deal behind {suit}.",
        "از روی پنج کارت، سر میز، {behind} امتیاز در هر دور از {suit} عقب است.",
    ),
    "call.best": (
        "From the five cards, at the table, no other call is better.",
        "از روی پنج کارت، سر میز، حکم بهتری نیست.",
    ),
    "balance": ("Luck and skill", "شانس و مهارت"),
    "balance.average": ("an average deal", "دور میانگین"),
    "balance.luck": ("luck of the cards", "شانس کارت‌ها"),
    "balance.skill": ("play of all four", "بازی هر چهار نفر"),
    "balance.result": ("the result", "نتیجه"),
    "balance.note": (
        "Points for hakem's side. Luck is what this deal was worth above an average one before the first card; play is "
        "what the others lost less what hakem's side lost.",
        "امتیاز برای تیم حاکم. شانس یعنی این دور پیش از نخستین کارت چقدر بیش از دور میانگین می‌ارزید؛ بازی یعنی زیان "
        "تیم مقابل منهای زیان تیم حاکم.",
    ),
    "unjudged": ("What cannot be judged", "آنچه داوری‌شدنی نیست"),
    "unjudged.line": ("{what}: {why}", "{what}: {why}"),
    "trump_choice.cost": ("What the call cost", "زیان حکم"),
    "trump_choice.advice": ("The call from the five cards", "حکم از روی پنج کارت"),
    "plays.field": ("The plays", "بازی‌ها"),
    "plays.known": ("What could be known", "آنچه می‌شد دانست"),
    "the trump is not known": ("the trump is not known", "حکم معلوم نیست"),
    "hakem's first five cards are not known": (
        "hakem's first five cards are not known",
        "پنج کارت نخست حاکم معلوم نیست",
    ),
    "it knows the default points only": (
        "it knows the default points only",
        "تنها با امتیازهای معمول کار می‌کند",
    ),
    # diagram and notebook
    "diagram": ("{where}: N {n}; W {w}; S {s}; E {e}", "{where}: شمال {n}؛ غرب {w}؛ جنوب {s}؛ شرق {e}"),
    "diagram.deal": ("A deal of Hokm", "یک دور حکم"),
    "diagram.position": ("{seat} plays, tricks {ns} {a}, {we} {b}", "نوبت {seat}، دست‌ها: {ns} {a}، {we} {b}"),
    "diagram.over": ("The deal is over: {ns} {a}, {we} {b}", "دور تمام شد: {ns} {a}، {we} {b}"),
    "open": ("not known", "نامعلوم"),
}


@dataclass(frozen=True, slots=True)
class Words:
    """One language: its texts, figures and names of cards and seats."""

    language: Language = "en"

    @property
    def direction(self) -> str:
        """``ltr`` or ``rtl``."""
        return DIRECTIONS[self.language]

    def say(self, message: str, /, **values: str) -> str:
        """A message with its places filled.

        Raises:
            KeyError: there is no such message, or a place is left open.
        """
        return MESSAGES[message][LANGUAGES.index(self.language)].format_map(values)

    def number(self, value: float, decimals: int = 0) -> str:
        """A number without a sign, in the digits of the language; whole ones of any size."""
        return self._digits(f"{value:,d}" if isinstance(value, int) else f"{value:,.{decimals}f}")

    def signed(self, value: float, decimals: int = 0) -> str:
        """A number with its sign; nothing is ``0`` or ``0.00``."""
        shown = self.number(abs(value), decimals)
        if not set(shown) - set(self._digits("0.")):
            return shown
        sign = "+" if value > 0 else MINUS
        return f"{sign}{shown}" if self.language == "en" else f"{LEFT_MARK}{sign}{shown}"

    def estimate(self, value: float, error: float) -> str:
        """A figure and its standard error."""
        return f"{self.number(value, 2)} ± {self.number(error, 2)}"

    def points(self, count: int, signed: bool = False) -> str:
        """``1 point``, ``2 points``; with a sign ``−1 point``."""
        shown = self.signed(count) if signed else self.number(count)
        return self.say("points.one" if abs(count) == 1 else "points", count=shown)

    def score(self, margin: int) -> str:
        """How a deal of this margin ends: in English hakem's side first, in Persian, as players say it, the winners."""
        hakem, others = TRICKS_TO_WIN + min(margin, 0), TRICKS_TO_WIN - max(margin, 0)
        if self.language == "en":
            return f"{hakem}{JOINED}–{JOINED}{others}"
        return f"{self.number(max(hakem, others))} بر {self.number(min(hakem, others))}"

    def result(self, margin: int) -> str:
        """The result in words and tricks: ``win 7–4``; hakem's side's view."""
        outcome: Outcome = outcome_of_margin(margin)
        return self.say(outcome.value, score=self.score(margin))

    def worth(self, margin: int, points: int) -> str:
        """The result with points and margin; hakem's side's view."""
        told = {"result": self.result(margin), "points": self.points(points, signed=True)}
        return self.say("worth", margin=self.signed(margin), **told)

    def suit(self, suit: Suit) -> str:
        """The name of a suit."""
        return self.say(suit.letter)

    def rank(self, rank: Rank) -> str:
        """What stands in the corner of a card: courts as letters, as printed on cards in Iran too."""
        return self._digits("10" if rank == Rank.TEN else rank.letter)

    def card(self, card: Card) -> str:
        """A card as it is shown in a text: ``A♥``."""
        return f"{LEFT_TO_RIGHT}{self.rank(card.rank)}{card.suit.symbol}{AS_TEXT}{END}"

    def cards(self, cards: Iterable[Card]) -> str:
        """Several cards."""
        return " ".join(map(self.card, cards))

    def spoken(self, card: Card) -> str:
        """A card as it is read aloud: ``ace of hearts``."""
        rank = card.rank.persian if self.language == "fa" else card.rank.name.lower()
        return self.say("card", rank=rank, suit=self.suit(card.suit))

    def seat(self, seat: Seat) -> str:
        """The name of a seat."""
        return self.say(f"{seat.name}.seat")

    def side(self, side: Side) -> str:
        """The name of a side."""
        return self.say(side.name)

    def player(self, seat: Seat, players: Mapping[Seat, str]) -> str:
        """A seat with the name of its player, where it is known."""
        if not players.get(seat):
            return self.seat(seat)
        return self.say("named", seat=self.seat(seat), name=isolated(players[seat]))

    def _digits(self, text: str) -> str:
        return text.translate(_PERSIAN_DIGITS) if self.language == "fa" else text


ENGLISH = Words("en")


def isolated(text: str, longest: int = LONGEST_NAME) -> str:
    """A text from a record, made safe and cut, that cannot turn the direction of what stands around it."""
    return f"{FIRST_STRONG}{name_text(text, longest)}{END}"
