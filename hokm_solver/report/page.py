"""Reviews as one page of HTML that needs nothing else: no network, no other file, and to be read no script either.

Everything is written here, in both languages: the hands, a row for every play, the graph, the tables. The script only
shows: it takes the play that is looked at from its row of the table. The page allows no script and no style but its
own, by their digests.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from hokm_solver.cards import Card, Seat, Side, Suit
from hokm_solver.errors import LimitError
from hokm_solver.records.json_form import changed_rules
from hokm_solver.report.graph import MARGINS, value_graph
from hokm_solver.report.markup import Html, data_script, join, tag
from hokm_solver.report.messages import LANGUAGES, MESSAGES, Language
from hokm_solver.report.words import AS_TEXT, Words, isolated

if TYPE_CHECKING:
    from hokm_solver.deal import Position
    from hokm_solver.review import PlayReview, Review, Totals

MOST_DEALS = 100  # about 20 MB: more would make a page that phones cannot open
LONGEST_TITLE = 80
MARKS = {"ok": "", "forced": "", "slip": "?!", "mistake": "?", "blunder": "??"}
THEMES = ("auto", "light", "dark")
COUNTS = ("choices", "cost", "margin_cost", "slips", "mistakes", "blunders")
COUNT_HEADS = ("choices", "points", "margin", "slips", "mistakes", "blunders")


def review_page(reviews: Sequence[Review]) -> str:
    """The page of one review or several, among which its reader chooses.

    Raises:
        LimitError: more than `MOST_DEALS` reviews, or none.
    """
    if not 1 <= len(reviews) <= MOST_DEALS:
        raise LimitError(f"a page holds 1 to {MOST_DEALS} deals, not {len(reviews):,}")
    style, script = _asset("page.css"), _asset("page.js")
    articles = [
        _DealPage(review, Words(language), number, len(reviews)).article
        for number, review in enumerate(reviews)
        for language in LANGUAGES
    ]
    return Template(_asset("page.html")).substitute(
        policy=_policy(style, script),
        title=tag("title", _page_title(reviews, Words())),
        style=tag("style", Html(style)),
        script=tag("script", Html(script)),
        heading=_both(lambda words: tag("h1", _brand(reviews, words))),
        controls=_controls(reviews),
        deals=join(*articles),
        notes=_both(_notes),
        data=data_script("data", _data(reviews)),
    )


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What the page may load and run: what it holds itself, and nothing from anywhere."""
    own = {
        kind: b64encode(sha256(text.encode()).digest()).decode()
        for kind, text in (("style", style), ("script", script))
    }
    allowed = "".join(f"; {kind}-src 'sha256-{digest}'" for kind, digest in own.items())
    return f"default-src 'none'{allowed}; img-src data:; base-uri 'none'; form-action 'none'"


def _brand(reviews: Sequence[Review], words: Words) -> str:
    return words.say("title.many", count=words.number(len(reviews))) if len(reviews) > 1 else words.say("title")


def _page_title(reviews: Sequence[Review], words: Words) -> str:
    """The title of the window: the occasion, where there is one deal that tells it."""
    event = reviews[0].record.event if len(reviews) == 1 else None
    return f"{isolated(event, LONGEST_TITLE)} · {_brand(reviews, words)}" if event else _brand(reviews, words)


def _data(reviews: Sequence[Review]) -> dict[str, object]:
    """What the script shows and no row of a table holds: texts by language."""
    return {
        language: {
            "title": _page_title(reviews, Words(language)),
            "values": {margin: [Words(language).signed(margin), Words(language).result(margin)] for margin in MARGINS},
            "says": {key: Words(language).say(key) for key in ("best", "played", "slip", "mistake", "blunder")},
        }
        for language in LANGUAGES
    }


def _both(make: Callable[[Words], str], element: str = "div") -> Html:
    """The same in both languages, of which one is seen."""
    return join(*(_in(language, make(Words(language)), element) for language in LANGUAGES))


def _in(language: Language, content: str, element: str) -> Html:
    return tag(element, content, class_="in", lang=language, dir=Words(language).direction)


# What belongs to the whole page


def _controls(reviews: Sequence[Review]) -> Html:
    chooser = [_both(lambda words: _chooser(reviews, words))] if len(reviews) > 1 else []
    languages = [
        _radio("language", language, tag("span", name, lang=language), language == LANGUAGES[0])
        for language, name in zip(LANGUAGES, ("English", "فارسی"))
    ]
    themes = [_radio("theme", theme, _said_in_both(f"theme.{theme}"), theme == THEMES[0]) for theme in THEMES]
    return join(*chooser, _group("language", languages), _group("theme", themes))


def _said_in_both(message: str) -> Html:
    return _both(lambda words: words.say(message), "span")


def _group(name: str, radios: Iterable[Html]) -> Html:
    legend = tag("legend", _said_in_both(name), class_="unseen")
    return tag("fieldset", legend, *radios, class_="switch")


def _radio(name: str, value: str, label: str, chosen: bool) -> Html:
    """A choice that works without the script: the style asks which one is made."""
    known_as = f"{name}-{value}"
    choice = tag("input", type="radio", name=name, id=known_as, value=value, checked=chosen)
    return tag("span", choice, tag("label", label, for_=known_as), class_="choice")


def _chooser(reviews: Sequence[Review], words: Words) -> Html:
    options = (
        tag(
            "option",
            words.say("chooser.deal", number=words.number(number + 1), what=_short(review, words)),
            value=number,
        )
        for number, review in enumerate(reviews)
    )
    name = f"deal-{words.language}"
    label = tag("label", words.say("chooser"), for_=name)
    return tag("div", label, tag("select", *options, id=name, class_="chooser"), class_="choose needs-script")


def _short(review: Review, words: Words) -> str:
    """A deal in a few words: who was hakem and how it ended."""
    parts = [words.player(review.record.hakem, review.record.players), _trump_named(review.record.trump, words)]
    margin = _last_margin(review)
    return " · ".join(parts if margin is None else [*parts, words.result(margin)])


def _notes(words: Words) -> Html:
    script_only = tag("p", words.say("keys"), class_="needs-script")
    return join(script_only, tag("p", words.say("seen")), tag("p", words.say("made")))


def _trump_named(trump: Suit | None, words: Words) -> str:
    return words.say("trump.unknown") if trump is None else words.say("trump.is", suit=_suit_shown(trump, words))


def _suit_shown(suit: Suit, words: Words) -> str:
    return f"{suit.symbol}{AS_TEXT} {words.suit(suit)}"


def _last_margin(review: Review) -> int | None:
    """The margin at the end of the record; None without a trump."""
    if review.plays:
        return review.plays[-1].margin_after
    called = review.trump_choice.called
    return None if called is None else review.trump_choice.margins[called]


# One deal in one language


@dataclass(frozen=True)
class _DealPage:
    """One deal in one language.

    Attributes:
        review: the review.
        words: the language.
        number: the place of the deal on the page, from 0, and `count` how many there are.
    """

    review: Review
    words: Words
    number: int
    count: int

    @cached_property
    def article(self) -> Html:
        """Everything about the deal."""
        parts = [self._head(), self._scene(), self._summary(), self._all_plays()]
        return tag(
            "article",
            *parts,
            class_="deal in",
            lang=self.words.language,
            dir=self.words.direction,
            data_deal=self.number,
            aria_labelledby=self._id("name"),
        )

    def _id(self, name: str) -> str:
        return f"{name}-{self.number}-{self.words.language}"

    # The head: what happened

    def _head(self) -> Html:
        return tag(
            "header",
            tag("h2", *self._name(), id=self._id("name"), class_="name"),
            tag("p", self._called(), class_="called"),
            tag("p", *self._ending(), class_="ending") if _last_margin(self.review) is not None else "",
            *(tag("p", line, class_="aside") for line in self._asides()),
            self._tiles(),
            class_="head",
        )

    def _name(self) -> Iterator[str]:
        """The number of the deal where there are several, the occasion, and the day, which is not to be torn apart."""
        record, words = self.review.record, self.words
        if self.count > 1:
            yield words.say("chooser.number", number=words.number(self.number + 1)) + " · "
        if record.event:
            yield isolated(record.event, LONGEST_TITLE)
        if record.event and record.date:
            yield " · "
        if record.date:
            yield tag("span", isolated(record.date), class_="date")
        if not record.event and not record.date:
            yield _short(self.review, words)

    def _called(self) -> str:
        hakem = self.words.player(self.review.record.hakem, self.review.record.players)
        if self.review.record.trump is None:
            return self.words.say("called.unknown", hakem=hakem)
        return self.words.say("called", hakem=hakem, suit=_suit_shown(self.review.record.trump, self.words))

    def _ending(self) -> Iterator[str]:
        margin = _last_margin(self.review)
        assert margin is not None
        kind = "ended" if self.review.finished else "stopped" if self.review.plays else "not.played"
        yield tag("strong", self.words.say(kind, result=self.words.result(margin)))
        yield " "
        yield self.words.say("for.hakem", side=self.words.side(self.review.record.hakem.side))

    def _asides(self) -> Iterator[str]:
        record, words = self.review.record, self.words
        if record.score is not None:
            yield words.say("score", **self._sides(record.score))
        if rules := changed_rules(record.rules):
            told = (words.say(f"rule.{name}", value=words.number(value)) for name, value in rules.items())
            yield words.say("rules", rules=" · ".join(told))

    def _sides(self, counts: tuple[int, int]) -> dict[str, str]:
        """The places of a message that tells a number of each side."""
        ns, we = (self.words.side(side) for side in Side)
        return {"ns": ns, "we": we, "a": self.words.number(counts[Side.NS]), "b": self.words.number(counts[Side.WE])}

    def _tiles(self) -> Html | str:
        """Luck and skill as a sum."""
        balance, words = self.review.balance, self.words
        if balance is None:
            return ""
        parts = [("average", words.signed(balance.average, 2)), ("luck", words.signed(balance.luck, 2))]
        parts += [("skill", words.signed(balance.skill)), ("result", words.signed(balance.result))]
        tiles = (
            tag("div", tag("dt", words.say(f"balance.{name}")), tag("dd", value), class_=f"tile {name}")
            for name, value in parts
        )
        return tag(
            "section",
            tag("h3", words.say("balance"), id=self._id("balance"), class_="unseen"),
            tag("dl", *tiles, class_="tiles"),
            tag("p", words.say("balance.note"), class_="small"),
            aria_labelledby=self._id("balance"),
        )

    # The table, and what is said of the play that is looked at

    def _scene(self) -> Html:
        return tag("div", self._board(), self._side_panel(), class_="scene")

    def _board(self) -> Html:
        middle = tag("div", *self._middle(), class_="middle")
        hands = {seat: self._hand(seat) for seat in Seat}
        legend = tag("p", self.words.say("legend.values"), class_="small needs-script") if self.review.plays else ""
        board = tag("div", hands[Seat.N], hands[Seat.W], middle, hands[Seat.E], hands[Seat.S], class_="board")
        heading = tag("h3", self.words.say("table"), id=self._id("table"), class_="unseen")
        return tag("section", heading, board, legend, class_="play", aria_labelledby=self._id("table"))

    def _middle(self) -> Iterator[Html]:
        for seat in Seat:
            yield tag("div", class_=f"slot slot-{seat.name}", data_slot=seat.name)
        trump = self.review.record.trump
        symbol = "?" if trump is None else trump.symbol + AS_TEXT
        shown = tag("span", symbol, class_=f"symbol {_colour(trump)}", aria_hidden="true")
        said = tag("span", _trump_named(trump, self.words), class_="unseen")
        yield tag("div", shown, said, class_="trump")
        yield tag("div", class_="won")

    def _hand(self, seat: Seat) -> Html:
        record, words = self.review.record, self.words
        hakem = tag("span", words.say("hakem"), class_="hakem") if seat == record.hakem else ""
        name = tag("span", isolated(record.players[seat]), class_="player") if record.players.get(seat) else ""
        suits = (
            tag("div", *(self._card(card) for card in record.hands[seat].suit(suit)), class_="suit")
            for suit in Suit
            if record.hands[seat].suit(suit)
        )
        title = tag("h4", join(tag("span", words.seat(seat)), " ", name, " ", hakem), id=self._id(f"hand-{seat.name}"))
        return tag(
            "div",
            title,
            tag("div", *suits, class_="cards"),
            class_=f"hand hand-{seat.name}",
            data_hand=seat.name,
            role="group",
            aria_labelledby=self._id(f"hand-{seat.name}"),
        )

    def _card(self, card: Card) -> Html:
        """A card as a button that leads to where it was played; one that never was leads nowhere."""
        plays = self.review.record.plays if self.review.plays else ()
        step = plays.index(card) + 1 if card in plays else None
        return tag(
            "button",
            tag("span", self.words.spoken(card), class_="unseen"),
            self._face(card),
            tag("span", class_="value"),
            type="button",
            class_="card",
            data_card=str(card),
            data_play=step,
            disabled=step is None,
        )

    def _face(self, card: Card) -> Html:
        rank = tag("span", self.words.rank(card.rank), class_="rank")
        suit = tag("span", card.suit.symbol + AS_TEXT, class_="sign")
        return tag("span", rank, suit, class_=f"face {_colour(card.suit)}", aria_hidden="true")

    def _side_panel(self) -> Html:
        """The buttons, the play that is looked at (filled in by the script), and the graph."""
        if not self.review.plays:
            return tag("div", self._no_steps(), class_="panel")
        heading = tag("h3", class_="step-title", id=self._id("step"))
        parts = (tag("p", class_="step-place"), heading, tag("div", class_="step-class"), tag("p", class_="step-said"))
        values = tag("div", class_="step-values")
        step = tag("section", *parts, values, class_="step", aria_labelledby=self._id("step"))
        return tag("div", tag("div", self._buttons(), step, class_="needs-script"), self._graph(), class_="panel")

    def _no_steps(self) -> Html:
        """What there is to show where no play is judged: what the deal is worth under each trump."""
        heading = tag("h3", self.words.say("start"), id=self._id("step"), class_="step-title")
        return tag("section", heading, self._trumps(), class_="step", aria_labelledby=self._id("step"))

    def _buttons(self) -> Html:
        names = ("first", "mistake-back", "back", "forward", "mistake-forward", "last")
        buttons = (
            tag(
                "button",
                tag("span", class_=f"icon {name}", aria_hidden="true"),
                tag("span", self.words.say(name.replace("-", ".")), class_="button-name"),
                type="button",
                data_do=name,
            )
            for name in names
        )
        return tag("nav", *buttons, class_="buttons", aria_label=self.words.say("steps"))

    def _graph(self) -> Html:
        heading = tag("h3", self.words.say("graph"), id=self._id("graph"))
        legend = tag("p", self.words.say("legend"), class_="small")
        graph = value_graph(self.review, self.words)
        return tag("section", heading, graph, legend, class_="graph-part", aria_labelledby=self._id("graph"))

    # The table of plays, from which the script takes what it shows

    def _all_plays(self) -> Html:
        words = self.words
        heading = tag("h3", words.say("all.plays"), id=self._id("plays"))
        if not self.review.plays:
            return tag(
                "section", heading, self._unjudged_plays(), class_="all-plays", aria_labelledby=self._id("plays")
            )
        heads = [
            "trick",
            "player",
            "card",
            "class",
            "after",
            "points.lost",
            "margin.lost",
            *["known"] * self.review.known,
            "values",
        ]
        head = tag("tr", *(tag("th", words.say(f"head.{name}"), scope="col") for name in heads))
        positions = self.review.record.positions()
        rows = [self._start_row(len(heads))]
        rows += [self._row(place, play, positions[place]) for place, play in enumerate(self.review.plays, start=1)]
        table = tag("table", tag("thead", head), tag("tbody", *rows), class_="plays")
        scrolling = tag("div", table, class_="wide", tabindex="0", role="region", aria_labelledby=self._id("plays"))
        return tag("section", heading, tag("p", self._turning()), scrolling, class_="all-plays")

    def _turning(self) -> str:
        turns = [self.review.plays[place] for place in self.review.turning_points]
        if not any(play.kind != "ok" for play in self.review.plays):
            return self.words.say("no.cost")
        if not turns:
            return self.words.say("turning.none")
        told = (
            self.words.say(
                "turning.one",
                number=self.words.number(play.trick),
                seat=self.words.seat(play.seat),
                card=self.words.card(play.card),
            )
            for play in turns
        )
        return f"{self.words.say('turning')}: {' · '.join(told)}"

    def _unjudged_plays(self) -> Html:
        """The cards as they fell, four to a trick."""
        plays = self.review.record.plays
        tricks = (self.words.cards(plays[start : start + 4]) for start in range(0, len(plays), 4))
        if not plays:
            return tag("p", self.words.say("no.plays"))
        return tag("ol", *(tag("li", trick) for trick in tricks), class_="tricks")

    def _start_row(self, columns: int) -> Html:
        """The deal before the first card: what it is worth under each trump."""
        words, first = self.words, self.review.plays[0]
        called = self._called()
        worth = words.say("start.worth", worth=words.worth(first.margin_before, first.points_before))
        values = tag("td", self._trumps(), class_="values")
        return tag(
            "tr",
            tag("th", words.say("start"), scope="row", colspan=columns - 1),
            values,
            class_="start",
            data_step=0,
            data_place=words.say("step", number=words.number(0), count=words.number(len(self.review.plays))),
            data_title=words.say("start"),
            data_said=f"{called} {worth}",
            data_won=words.say("tricks.won", **self._sides((0, 0))),
        )

    def _trumps(self) -> Html:
        call, words = self.review.trump_choice, self.words
        best = max(call.margins.values())
        entries = [
            (
                margin,
                [_suit_shown(suit, words)],
                margin == best,
                suit == call.called,
                words.worth(margin, call.points[suit]),
            )
            for suit, margin in call.margins.items()
        ]
        lines = (
            self._value_line("ok" if is_best else "other", worth, join(*cards), called)
            for _, cards, is_best, called, worth in sorted(entries, key=lambda entry: -entry[0])
        )
        return tag("ul", *lines, class_="value-list")

    def _row(self, place: int, play: PlayReview, after: Position) -> Html:
        words = self.words
        trick, seat = words.number(play.trick), words.seat(play.seat)
        link = tag(
            "a", words.card(play.card), href=f"#{self._id('name')}", data_go=place, class_=_colour(play.card.suit)
        )
        cells = [self._cell(trick, "trick"), tag("td", seat), tag("td", link, class_="card-cell"), self._judged(play)]
        cells += [tag("td", words.result(play.margin_after))]
        cells += [self._cell(words.number(play.cost) if play.cost else "", "points.lost")]
        cells += [self._cell(words.number(play.margin_cost) if play.margin_cost else "", "margin.lost")]
        if self.review.known:
            cost = "" if play.known is None else words.estimate(play.known.cost, play.known.cost_se)
            cells.append(self._cell(cost, "known"))
        what = words.say("plays", seat=words.player(play.seat, self.review.record.players), card=words.card(play.card))
        return tag(
            "tr",
            *cells,
            tag("td", self._values(play), class_="values"),
            class_=play.kind,
            data_step=place,
            data_place=words.say("step", number=words.number(place), count=words.number(len(self.review.plays))),
            data_title=f"{words.say('trick', number=trick)}: {what}",
            data_said=" ".join(self._said(play, after)),
            data_won=words.say("tricks.won", **self._sides(after.won)),
            data_trick=play.trick,
            data_seat=play.seat.name,
            data_card=str(play.card),
            data_winner=None if after.trick else after.leader.name,
            data_mistake=play.kind in ("mistake", "blunder"),
            data_values=" ".join(f"{card}:{margin}:{_if_played(play, card)}" for card, margin in play.margins.items()),
        )

    def _cell(self, text: str, head: str) -> Html:
        """A figure, with the head of its column, which is shown where the table has become a list."""
        return tag("td", text, class_="figure", data_head=self.words.say(f"head.{head}"))

    def _judged(self, play: PlayReview) -> Html:
        kind = "forced" if play.forced else play.kind
        mark = tag("span", MARKS[kind], class_="mark") if MARKS[kind] else ""
        return tag("td", tag("span", mark, " " if mark else "", self.words.say(kind), class_=f"judged {kind}"))

    def _said(self, play: PlayReview, after: Position) -> Iterator[str]:
        """The play judged in sentences."""
        words = self.words
        kind = "forced" if play.forced else "only" if play.best == (play.card,) else play.kind
        best = words.cards(play.best)
        yield words.say(
            f"{kind}.said", points=words.points(play.cost), margin=words.number(play.margin_cost), best=best
        )
        if play.known is not None:
            yield words.say("known.said", cost=words.estimate(play.known.cost, play.known.cost_se))
        yield words.say("now.worth", worth=words.worth(play.margin_after, play.points_after))
        if not after.trick:
            yield words.say("wins.trick", seat=words.seat(after.leader))

    def _values(self, play: PlayReview) -> Html:
        """Every legal card with what it is worth, the best first."""
        lines = []
        for margin in sorted(set(play.margins.values()), key=lambda margin: -play.sign * margin):
            cards = [card for card, value in play.margins.items() if value == margin]
            as_if = replace(play, card=cards[0], margin_after=margin)
            shown = join(*(part for card in cards for part in (self._option(card, play), " ")))
            worth = self.words.worth(margin, as_if.points_after)
            lines.append(self._value_line(as_if.kind, worth, shown, play.card in cards))
        return tag("ul", *lines, class_="value-list")

    def _option(self, card: Card, play: PlayReview) -> Html:
        shown = tag("span", self.words.card(card), class_=f"option {_colour(card.suit)}")
        return tag("strong", shown, class_="chosen") if card == play.card else shown

    def _value_line(self, kind: str, worth: str, cards: Html, chosen: bool) -> Html:
        mark = {"ok": "★", "other": ""}.get(kind) or MARKS.get(kind, "")
        said = tag("span", f"{self.words.say('best')}: ", class_="unseen") if kind == "ok" else ""
        return tag(
            "li",
            tag("span", mark, class_="mark", aria_hidden="true"),
            said,
            tag("span", worth, class_="worth"),
            tag("span", cards, class_="options"),
            class_=f"{kind} has-chosen" if chosen else kind,
        )

    # The summary

    def _summary(self) -> Html:
        parts = [self._call(), self._lost() if self.review.plays else "", self._unjudged()]
        return tag("div", *parts, class_="summary")

    def _part(self, name: str, *content: str) -> Html:
        heading = tag("h3", self.words.say(name), id=self._id(name))
        return tag("section", heading, *content, aria_labelledby=self._id(name), class_="part")

    def _lost(self) -> Html:
        words, review = self.words, self.review
        heads = [*COUNT_HEADS, *["known"] * review.known]
        head = tag("tr", *(tag("th", words.say(f"head.{name}"), scope="col") for name in ("lost", *heads)))
        rows = [self._lost_row(words.player(seat, review.record.players), review.of_seat(seat), "") for seat in Seat]
        rows += [self._lost_row(words.side(side), review.of_side(side), "side") for side in Side]
        table = tag("table", tag("thead", head), tag("tbody", *rows))
        return self._part("lost", self._wide(table, "lost"), tag("p", words.say("mistakes.note"), class_="small"))

    def _wide(self, table: Html, name: str) -> Html:
        """A table that may be wider than the page, and is then moved within it, by keyboard too."""
        return tag("div", table, class_="wide", tabindex="0", role="group", aria_labelledby=self._id(name))

    def _lost_row(self, name: str, totals: Totals, kind: str) -> Html:
        counts = [tag("td", self.words.number(getattr(totals, count)), class_="figure") for count in COUNTS]
        if totals.known_cost is not None:
            counts.append(tag("td", self.words.number(totals.known_cost, 2), class_="figure"))
        return tag("tr", tag("th", name, scope="row"), *counts, class_=kind or None)

    def _call(self) -> Html:
        """The four trumps on the real deal and, where it is known, from the five cards."""
        call, words = self.review.trump_choice, self.words
        heads = ["trump", "hands", "points", *(["five.table", "five.seen"] if call.advice else [])]
        head = tag("tr", *(tag("th", words.say(f"head.{name}"), scope="col") for name in heads))
        table = tag("table", tag("thead", head), tag("tbody", *(self._call_row(suit) for suit in call.margins)))
        said = (tag("p", line) for line in self._call_said())
        return self._part("call", self._wide(table, "call"), *said)

    def _call_row(self, suit: Suit) -> Html:
        call, words = self.review.trump_choice, self.words
        cells = [words.result(call.margins[suit]), words.signed(call.points[suit])]
        marks = [words.say("called.mark")] if suit == call.called else []
        if call.advice is not None:
            at_table = call.advice.table.value(suit)
            seen = next(value for value in call.advice.trumps if value.trump == suit)
            cells += [words.signed(at_table.points, 2), words.signed(seen.points, 2)]
            marks += [words.say("advised.mark")] if suit == call.advice.call else []
        row = (tag("td", cell, class_="figure") for cell in cells)
        name = tag("span", _suit_shown(suit, words), class_=f"option {_colour(suit)}")
        named = join(name, *(join(" ", tag("span", mark, class_="note")) for mark in marks))
        return tag("tr", tag("th", named, scope="row"), *row, class_="trump-called" if suit == call.called else None)

    def _call_said(self) -> Iterator[str]:
        call, words = self.review.trump_choice, self.words
        if call.cost is not None:
            yield words.say("call.cost", points=words.points(call.cost)) if call.cost else words.say("call.right")
        if call.advice is None:
            return
        yield words.say("call.five", cards=words.cards(call.advice.cards))
        if call.behind is not None:
            behind, error = call.behind
            best = _suit_shown(call.advice.call, words)
            told = words.say("call.behind", behind=words.estimate(behind, error), suit=best)
            yield told if behind else words.say("call.best")

    def _unjudged(self) -> Html | str:
        if not self.review.unjudged:
            return ""
        lines = (tag("li", self._unjudged_line(name, why)) for name, why in self.review.unjudged.items())
        return self._part("unjudged", tag("ul", *lines))

    def _unjudged_line(self, name: str, why: str) -> str:
        what = self.words.say("plays.field" if name == "plays" else name)
        return self.words.say("unjudged.line", what=what, why=self.words.say(why) if why in MESSAGES else why)


def _if_played(play: PlayReview, card: Card) -> str:
    """The class that the play would be of if this card had been played."""
    return replace(play, card=card, margin_after=play.margins[card]).kind


def _colour(suit: Suit | None) -> str:
    return "red" if suit in (Suit.HEARTS, Suit.DIAMONDS) else "black"
