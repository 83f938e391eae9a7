"""Draw docs/images/page.png: the page of a reviewed deal, in English by day and on a phone in Persian by night.

Run as ``python docs/draw_page.py`` in an environment with the extras ``browser`` and ``plot``, with Chromium installed.
"""

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from hokm_solver.cards import Seat
from hokm_solver.records import record_from_json
from hokm_solver.report.page import review_page
from hokm_solver.review import review

RECORD = {
    "format": "hokm-record",
    "hakem": "S",
    "trump": "C",
    "first_five": "TC 5C 2C 2H QH",
    "hands": "N:A9.T97.AKT76.A97 KJ763.864.J3.K64 Q8.QJ52.952.T532 T542.AK3.Q84.QJ8",
    "plays": "3C 6C AC JC 9H AH QH 6H QD 9D JD TD 5S 8S KS AS AD 4D 2D 3D TH KH JH 8H TS QS 7S 9S "
    "TC KC 9C QC JS KD 2S 5H 4H 7H 3H 2H 7C 8C 2C 4C 4S 5D 6S 7D",
    "event": "Nowruz, deal 3",
}
PLAYERS = {Seat.N: "Sara", Seat.W: "Babak", Seat.S: "Mehrdad", Seat.E: "Roya"}
PICTURE = Path(__file__).parent / "images" / "page.png"
LOOKS = [("en", "light", {"width": 1240, "height": 900}), ("fa", "dark", {"width": 390, "height": 844})]
SIDE_BY_SIDE = """<body style="margin: 0; display: flex; gap: 12px; background: #fff">
<img src="en.png" height="640"><img src="fa.png" height="640"></body>"""
COLOURS = 256


def main() -> None:
    """Write the picture."""
    record = replace(record_from_json(RECORD), players=PLAYERS)
    chromium = os.environ.get("HOKM_SOLVER_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        page = Path(directory, "page.html")
        page.write_text(review_page([review(record)]), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for language, look, window in LOOKS:
            shown = browser.new_page(viewport=window, color_scheme=look, device_scale_factor=1.5)
            shown.goto(f"{page.as_uri()}#play=23&lang={language}")
            if window["width"] < 640:
                shown.locator("article:visible .scene").evaluate("scene => scene.scrollIntoView()")
            shown.screenshot(path=page.with_name(f"{language}.png"))
        page.write_text(SIDE_BY_SIDE, encoding="utf-8")
        both = browser.new_page(viewport={"width": 1190, "height": 640}, device_scale_factor=1.25)
        both.goto(page.as_uri())
        both.screenshot(path=PICTURE)
        browser.close()
    with Image.open(PICTURE) as picture:
        picture.convert("RGB").quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
