"""The page in a real Chromium: keys, buttons, cards, graph, languages, looks, what is read aloud, what is loaded.

Needs the extra ``browser`` and Chromium (of Debian, or named by HOKM_SOLVER_CHROMIUM).
"""

import os
import re
import shutil
from dataclasses import replace

import pytest
from support import load_jsonl

from hokm_solver.cards import Seat
from hokm_solver.records import record_from_json
from hokm_solver.report.page import review_page
from hokm_solver.review import review

pytestmark = pytest.mark.browser

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
ARGUMENTS += ["--disable-component-update", "--disable-sync"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
RECORDS = [record_from_json(entry["record"]) for entry in load_jsonl("records")]
PLAYERS = {Seat.N: "Sara", Seat.W: "</script><script>throw x</script>", Seat.S: "مهرداد", Seat.E: "W" * 300}
NAMED = replace(RECORDS[2], players=PLAYERS, event="Nowruz, deal 3", date="2025-03-21", score=(3, 5))
LAST = len(NAMED.plays)
MISTAKES = [23, 24, 36]
WIDTHS = (320, 360, 768, 1280, 1920)


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    path = os.environ.get("HOKM_SOLVER_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "no Chromium: install Debian's, or name one in HOKM_SOLVER_CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Files with a page of one deal and one of several, some of which cannot be judged in full."""
    directory = tmp_path_factory.mktemp("pages")
    one = review(NAMED, advice_samples=4, known=True)
    others = [replace(RECORDS[1], plays=RECORDS[1].plays[:10]), replace(RECORDS[1], trump=None)]
    others += [replace(RECORDS[0], plays=()), replace(RECORDS[0], first_five=None)]
    short = review(replace(NAMED, plays=NAMED.plays[: MISTAKES[1]]), advice_samples=4, known=True)
    reviews = {"one": [one], "short": [short], "many": [one, *(review(record, advice_samples=0) for record in others)]}
    for name, found in reviews.items():
        (directory / f"{name}.html").write_text(review_page(found), encoding="utf-8")
    return directory


@pytest.fixture
def visit(chromium, pages):
    """Opens a page; at the end nothing may have been loaded but the page, and nothing said on the console."""
    contexts, said, asked = [], [], []

    def open_page(name="one", fragment="", **options):
        options = {"viewport": {"width": 1280, "height": 900}, "locale": "en-US", **options}
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{(pages / name).as_uri()}.html{fragment}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []
    assert {url.split("#")[0].split("/")[-1] for url in asked if not url.startswith("data:")} <= {
        "one.html",
        "short.html",
        "many.html",
    }


def step(page):
    """The step that is shown, everywhere the same."""
    article = page.locator("article.deal:visible")
    shown = int(article.locator("tr.current").get_attribute("data-step"))
    row = article.locator("tr.current")
    assert article.locator(".step-title").text_content() == row.get_attribute("data-title")
    assert article.locator(".step-said").text_content() == row.get_attribute("data-said")
    assert article.locator(".card.gone").count() == max(shown - 1, 0)
    assert article.locator(".card.now").count() == (1 if shown else 0)
    assert f"play={shown}&" in page.url
    cursor = article.locator(".graph .cursor")
    area = article.locator(f'.graph [data-go="{shown}"]')
    middle = float(area.get_attribute("x")) + float(area.get_attribute("width")) / 2
    assert float(cursor.get_attribute("x1")) == pytest.approx(middle)
    return shown


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    return step(page)


def button(page, action):
    return page.locator(f'article.deal:visible [data-do="{action}"]')


def test_arrow_keys(visit):
    page = visit()
    assert step(page) == 0
    assert press(page, "ArrowLeft") == 0
    assert press(page, "ArrowRight") == 1
    assert press(page, "ArrowRight", "ArrowRight", "ArrowLeft") == 2
    assert press(page, "End") == LAST
    assert press(page, "ArrowRight") == LAST
    assert press(page, "Home") == 0
    assert [press(page, "Shift+ArrowRight") for _ in range(4)] == [*MISTAKES, MISTAKES[-1]]
    assert press(page, "Shift+ArrowLeft") == MISTAKES[1]
    assert press(page, "Control+ArrowRight") == MISTAKES[1]


def test_arrow_keys_run_with_the_language(visit):
    page = visit(fragment="#lang=fa")
    assert press(page, "ArrowLeft", "ArrowLeft") == 2
    assert press(page, "ArrowRight") == 1


def test_buttons(visit):
    page = visit()
    shown = []
    for action in ("forward", "forward", "back", "last", "mistake-back", "first", "mistake-forward"):
        button(page, action).click()
        shown.append(step(page))
    assert shown == [1, 2, 1, LAST, MISTAKES[-1], 0, MISTAKES[0]]
    button(page, "first").click()
    assert button(page, "back").get_attribute("aria-disabled") == "true"
    button(page, "back").click(force=True)
    assert step(page) == 0
    button(page, "forward").focus()
    assert press(page, "Enter") == 1
    assert page.evaluate("document.activeElement.dataset.do") == "forward"


def test_a_card_leads_to_where_it_was_played(visit):
    page = visit()
    for place in (12, 3, LAST):
        page.locator(f'article.deal:visible .card[data-card="{NAMED.plays[place - 1]}"]').click()
        assert step(page) == place
    unplayed = page.locator("article.deal:visible .card:not([data-play])")
    assert unplayed.count() == 52 - LAST
    assert unplayed.first.is_disabled()


def test_the_graph_leads_to_a_play(visit):
    for language in ("en", "fa"):
        page = visit(fragment=f"#lang={language}")
        for place in (30, 1, 0):
            page.locator(f'article.deal:visible .graph [data-go="{place}"]').click()
            assert step(page) == place


def test_a_row_of_the_table_leads_to_its_play(visit):
    page = visit()
    page.locator('article.deal:visible tr a[data-go="20"]').click()
    assert step(page) == 20
    assert page.locator("article.deal:visible .board").is_visible()


def test_every_legal_card_shows_its_value(visit):
    page = visit()
    found = review(NAMED, advice_samples=0)
    for place in (1, 7, MISTAKES[0], LAST):
        page.locator(f'article.deal:visible .graph [data-go="{place}"]').click()
        play = found.plays[place - 1]
        for card, margin in play.margins.items():
            shown = page.locator(f'article.deal:visible .card[data-card="{card}"]')
            value = shown.locator(".value").inner_text().split("\n")[0]
            best = card in play.best
            assert value.startswith(("★" if best else "") + f"{margin:+}".replace("-", "−"))
            name = shown.evaluate("card => card.textContent")
            assert ("best" in name) == best
            assert ("played" in name) == (card == play.card)
        assert page.locator("article.deal:visible .value:not(:empty)").count() == len(play.margins)


def test_the_trick_shows_what_has_been_played(visit):
    page = visit()
    page.locator('article.deal:visible .graph [data-go="8"]').click()
    slots = page.locator("article.deal:visible .slot .face")
    assert slots.count() == 4
    assert page.locator("article.deal:visible .slot.wins").count() == 1
    assert press(page, "ArrowRight") == 9
    assert slots.count() == 1


def test_a_step_is_read_aloud(visit):
    page = visit()
    status = page.get_by_role("status")
    assert status.text_content() == ""
    press(page, "Shift+ArrowRight")
    assert re.match(r"Trick 6: South .* plays .*J♥.*\. Blunder: ", status.text_content())


def test_the_language_switch(visit):
    page = visit(fragment="#play=23")
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["en", "ltr"]
    page.get_by_label("فارسی").check()
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["fa", "rtl"]
    assert step(page) == 23
    visible = page.locator("article.deal:visible")
    assert (visible.get_attribute("lang"), visible.get_attribute("dir")) == ("fa", "rtl")
    shown = page.locator("main").inner_text() + page.locator("footer").inner_text()
    assert not re.search(r"[0-9]", shown.replace("Nowruz, deal 3", "").replace("2025-03-21", ""))
    assert "حاکم" in shown
    assert "Forward" not in shown
    west, east = (page.locator(f"article:visible .hand-{seat}").bounding_box() for seat in "WE")
    assert west["x"] < east["x"]
    page.get_by_label("English").check()
    assert page.evaluate("document.documentElement.dir") == "ltr"
    assert "Nowruz" in page.title()


def test_the_language_of_the_browser_is_the_first_one(visit):
    assert visit(locale="fa-IR").evaluate("document.documentElement.lang") == "fa"
    assert visit(locale="de-DE").evaluate("document.documentElement.lang") == "en"


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_switch_between_light_and_dark(visit):
    page = visit(color_scheme="dark")
    dark = background(page)
    page.get_by_role("radio", name="Light").check()
    light = background(page)
    assert light != dark
    page.emulate_media(color_scheme="light")
    page.get_by_role("radio", name="Dark").check()
    assert background(page) == dark
    page.get_by_role("radio", name="Automatic").check()
    assert background(page) == light


def test_switches_work_by_keyboard_and_leave_the_step_alone(visit):
    page = visit(fragment="#play=5")
    page.get_by_label("English").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.documentElement.lang") == "fa"
    assert step(page) == 5


def test_the_address_tells_what_is_looked_at(visit):
    page = visit("many", "#deal=2&play=4&lang=fa")
    assert step(page) == 4
    assert page.locator("article.deal:visible").get_attribute("data-deal") == "1"
    for wrong in ("#deal=99&play=-3", "#deal=x&play=1e9&lang=__proto__", "#play=999999&lang=constructor"):
        visit("many", wrong)


def test_the_deals_of_a_page_are_chosen(visit):
    page = visit("many")
    for deal in range(5):
        page.get_by_label("Deal", exact=True).select_option(str(deal))
        assert page.locator("article.deal:visible").get_attribute("data-deal") == str(deal)
        assert page.locator("article.deal:visible").count() == 1
    page.get_by_label("Deal", exact=True).select_option("2")
    assert "the trump is not known" in page.locator("main").inner_text()
    page.get_by_label("Deal", exact=True).select_option("0")
    page.locator("h2:visible").click()
    assert press(page, "ArrowRight") == 1


def test_without_a_script_everything_is_there_to_be_read(visit):
    page = visit(java_script_enabled=False)
    article = page.locator("article:visible")
    assert article.count() == 1
    assert article.locator("tr[data-step]").count() == LAST + 1
    assert article.locator(".card:visible").count() == 52
    assert article.locator(".graph").is_visible()
    assert article.locator(".buttons:visible").count() == 0
    page.locator("#language-fa").check()
    assert page.locator("article:visible").get_attribute("lang") == "fa"
    page.locator("#theme-dark").check()


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_into_every_window(visit, language, width):
    page = visit(fragment=f"#lang={language}&play=24", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = """() => {
        const board = document.querySelector("article.deal:not([hidden]) .board");
        const {left, right} = board.getBoundingClientRect();
        const boxes = [...board.querySelectorAll(".face")].map((face) => face.getBoundingClientRect());
        return boxes.filter((box) => box.left < left || box.right > right || box.width < 20).length;
    }"""
    assert page.evaluate(outside) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "fragment", "width"),
    [
        ("short", "#lang=en&play=23", 1280),
        ("short", "#lang=fa&play=23", 1280),
        ("short", "#lang=en", 360),
        ("short", "#lang=fa&play=1", 360),
        ("many", "#lang=fa&deal=3", 1280),
    ],
)
def test_axe_finds_no_fault(visit, theme, name, fragment, width):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(name, fragment, color_scheme=theme, viewport={"width": width, "height": 900})
    found = Axe().run(page).response["violations"]
    assert [(fault["impact"], fault["id"], fault["nodes"][0]["html"]) for fault in found] == []


def test_the_focus_is_seen(visit):
    page = visit()
    for _ in range(12):
        page.keyboard.press("Tab")
        style = "(({outlineStyle, outlineWidth}) => [outlineStyle, outlineWidth])(getComputedStyle(%s))"
        outlines = [
            page.evaluate(style % f"document.activeElement{other}")
            for other in ("", ".labels?.[0] ?? document.activeElement")
        ]
        assert ["solid", "3px"] in outlines


def test_on_paper_stand_the_whole_deal_and_the_whole_table(visit):
    page = visit(fragment="#play=30", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert background(page) == "rgb(255, 255, 255)"
    assert page.locator("article:visible tr[data-step]:visible").count() == LAST + 1
    assert page.locator("article:visible .card .face:visible").count() == 52
    assert page.locator(".controls:visible, .buttons:visible, .step:visible").count() == 0
    assert page.pdf().startswith(b"%PDF")
