"""Draws docs/images/advice.svg, the picture of README.md, from what the adviser really says.

The five cards, and for each suit as trump how often the sampled deals end in a kot, a win, a loss or a hakem koti.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from drawing import COLOURS, INK, PAPER, colour_of, draw_suit, draw_text, picture_of

from hokm_solver import Advice, Card, TrumpValue, advise

FIVE = "A♥ Q♥ 9♥ K♣ 4♦"
PICTURE = Path(__file__).parent / "images" / "advice.svg"
WIDTH, HEIGHT = 720, 404
LEFT, BAR_LEFT, BAR_WIDTH, BAR_HEIGHT = 32, 84, 440, 30
FIRST_BAR, BAR_STEP = 186, 44
CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 60, 84, 70


def picture(advice: Advice) -> str:
    """The whole picture as SVG."""
    lines = [
        *(line for i, card in enumerate(advice.cards) for line in _card(card, LEFT + i * CARD_STEP)),
        draw_text(LEFT + 5 * CARD_STEP + 20, 62, "Hakem's first five cards.", size=17),
        draw_text(LEFT + 5 * CARD_STEP + 20, 88, "Which suit to call?", size=17),
        draw_text(LEFT, 158, f"How {advice.samples:,} deals end with all cards seen, and points a deal", size=15),
        *(line for i, value in enumerate(advice.trumps) for line in _bar(value, FIRST_BAR + i * BAR_STEP)),
        *_legend(FIRST_BAR + 4 * BAR_STEP + 12),
    ]
    title = f"Advice for {' '.join(card.pretty for card in advice.cards)}: call {advice.best.symbol}"
    return picture_of(title, WIDTH, HEIGHT, lines)


def _card(card: Card, x: int) -> Iterator[str]:
    rank = card.pretty[:-1]
    colour = colour_of(card.suit)
    yield f'<rect x="{x}" y="28" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="7" fill="{PAPER}" stroke="#999999"/>'
    yield draw_text(x + 10, 56, rank, size=22, colour=colour, bold=True)
    yield draw_suit(card.suit, x + 19, 70, 32)


def _bar(value: TrumpValue, y: int) -> Iterator[str]:
    yield draw_suit(value.trump, LEFT + 4, y + 3, 24)
    x = float(BAR_LEFT)
    for name, share in _shares(value).items():
        width = BAR_WIDTH * share
        yield f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR_HEIGHT}" fill="{COLOURS[name]}"/>'
        if share >= 0.08:
            colour = PAPER if name in ("kot", "hakem koti") else INK
            yield draw_text(x + width / 2, y + 20, f"{share:.0%}", size=13, colour=colour, middle=True)
        x += width
    points = f"{value.points:+.2f} ± {value.points_se:.2f}".replace("-", "\N{MINUS SIGN}")
    yield draw_text(BAR_LEFT + BAR_WIDTH + 16, y + 21, points, size=16, bold=True)


def _shares(value: TrumpValue) -> dict[str, float]:
    return {
        "kot": value.kot,
        "win": value.win - value.kot,
        "loss": 1 - value.win - value.hakem_koti,
        "hakem koti": value.hakem_koti,
    }


def _legend(y: int) -> Iterator[str]:
    words = {"kot": "kot: 7–0, +2", "win": "win, +1", "loss": "loss, −1", "hakem koti": "hakem koti: 0–7, −3"}
    for x, (name, word) in zip((BAR_LEFT, BAR_LEFT + 130, BAR_LEFT + 225, BAR_LEFT + 320), words.items()):
        yield f'<rect x="{x}" y="{y}" width="14" height="14" fill="{COLOURS[name]}"/>'
        yield draw_text(x + 21, y + 12, word, size=13)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(advise(FIVE)), encoding="utf-8")
