"""The page: compared with one that was looked at, nothing left out, nothing from a record that could do harm."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from goldens import check_golden
from pages import NAMED, RECORDS, early, hostile, judged

from hokm_solver.errors import LimitError
from hokm_solver.report.page import MOST_DEALS, review_page
from hokm_solver.rules import Rules

EMPTY = {"meta", "link", "input", "rect", "line", "circle", "path", "polygon", "br"}


def asset(name):
    return files("hokm_solver.report").joinpath(name).read_text(encoding="utf-8")


class Reader(HTMLParser):
    """Reads a page, checking that all elements are closed in order."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.open, self.texts = [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(attrs) == len(dict(attrs))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in EMPTY
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)

    def find(self, tag=None, **attributes):
        return [
            found
            for name, found in self.elements
            if tag in (None, name) and all(found.get(key) == value for key, value in attributes.items())
        ]


def without_assets(page):
    page = page.replace(asset("page.css"), "/* page.css */\n").replace(asset("page.js"), "// page.js\n")
    page = re.sub(r"'sha256-[^']*'", "'sha256-…'", page)
    return re.sub(r"(<(?:article|section|tr|svg|button|div class=\"hand|p|li)[ >])", r"\n\1", page)


@pytest.mark.parametrize("name", ["page.html", "page_no_trump.html"])
def test_pages_are_as_they_were_looked_at(name):
    made = {"page.html": early, "page_no_trump.html": lambda: judged(replace(NAMED, trump=None, plays=NAMED.plays[:6]))}
    check_golden(name, without_assets(review_page([made[name]()])))


def test_only_its_own_style_and_script_may_run():
    page = review_page([hostile()])
    reader = Reader(page)
    policy = reader.find("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    for kind in ("css", "js"):
        digest = b64encode(sha256(asset(f"page.{kind}").encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert len(reader.find("script")) == 2  # the data and the one that shows it
    assert not any("style" in found or any(key.startswith("on") for key in found) for _, found in reader.elements)


def test_nothing_is_loaded():
    for found in (found for _, found in Reader(review_page([early(), hostile()])).elements):
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            assert re.match(r"#|data:,$", found.get(name, "#"))
    assert "url(" not in asset("page.css")
    assert "@import" not in asset("page.css")
    assert not re.search(r"fetch|XMLHttp|import\(|innerHTML|eval", asset("page.js"))


def test_texts_of_a_record_stay_texts():
    reader = Reader(review_page([hostile()]))
    assert not reader.find("img")
    said = "".join(reader.texts)
    assert "</script><script>alert(1)</script>" in said
    assert "$policy ${title} <!--" in said
    assert "\u202e" not in said
    assert "x" * 41 not in said


def test_every_play_and_every_legal_card_is_in_the_tables_of_both_languages():
    found = judged(RECORDS[2])
    reader = Reader(review_page([found]))
    for seat, hand in zip("NWSE", found.record.hands):
        assert len(reader.find("div", **{"data-hand": seat})) == 2
        for card in hand:
            assert len(reader.find("button", **{"data-card": str(card)})) == 2
    for place, play in enumerate(found.plays, start=1):
        rows = reader.find("tr", **{"data-step": str(place)})
        assert len(rows) == 2
        for row in rows:
            values = dict(text.split(":", 1) for text in row["data-values"].split())
            assert {card: int(value.split(":")[0]) for card, value in values.items()} == {
                str(card): margin for card, margin in play.margins.items()
            }
            assert values[str(play.card)].endswith(f":{play.kind}")
            assert all(values[str(card)].endswith(":ok") for card in play.best)
            assert ("data-mistake" in row) == (play.cost > 0)
            assert (row["data-seat"], row["data-trick"]) == (play.seat.name, str(play.trick))
        assert len(reader.find("rect", **{"data-go": str(place)})) == 2


def test_ids_are_there_once_and_what_refers_to_them_finds_them():
    reader = Reader(review_page([early(), judged(RECORDS[0])]))
    ids = [found["id"] for _, found in reader.elements if "id" in found]
    assert len(ids) == len(set(ids))
    for _, found in reader.elements:
        named = [found[name] for name in ("aria-labelledby", "for") if name in found]
        assert set(named) <= set(ids)


@pytest.mark.parametrize(
    "record", [replace(NAMED, trump=None), replace(NAMED, first_five=None), replace(NAMED, plays=())]
)
def test_what_cannot_be_judged_is_said(record):
    found = judged(record, 4)
    said = "".join(Reader(review_page([found])).texts)
    for reason in found.unjudged.values():
        assert reason in said
    assert bool(found.unjudged) == ("What cannot be judged" in said)
    assert ("No card was played." in said) == (not record.plays)


def test_other_rules_are_told():
    said = "".join(Reader(review_page([judged(replace(RECORDS[0], rules=Rules(kot=3, second_ace=True)))])).texts)
    assert "House rules: kot 3 · partners by the second ace" in said


def test_a_page_of_many_deals_has_a_chooser():
    reader = Reader(review_page([judged(record) for record in RECORDS]))
    assert [found["data-deal"] for found in reader.find("article")] == ["0", "0", "1", "1", "2", "2"]
    assert len(reader.find("option")) == 6
    assert not Reader(review_page([judged(RECORDS[0])])).find("select")


def test_a_page_has_a_limit():
    for count in (0, MOST_DEALS + 1):
        with pytest.raises(LimitError, match=f"1 to {MOST_DEALS} deals, not {count}"):
            review_page([judged(RECORDS[0])] * count)


def test_a_page_is_the_same_every_time():
    assert review_page([early()]) == review_page([early()])
