"""A deal or a position as a picture: SVG that stands alone, the four hands around a table.

Play runs N, W, S, E; W is on the left, as on a map. Every rank has a place of its own, so that the picture looks the
same whatever font there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hokm_solver.cards import Card, CardSet, Seat, Side, Suit
from hokm_solver.deal import Deal, Position, Trick
from hokm_solver.report.markup import Html, tag
from hokm_solver.report.words import ENGLISH, Words, isolated

WIDTH, HEIGHT = 760, 560
HAND_WIDTH, HAND_HEIGHT = 236, 144
LINE = 26  # between two suits of a hand
PITCH = 24  # between two ranks; less where a suit is long
RANKS_AT = 30  # where the ranks of a suit begin
HAND_AT = {Seat.N: (262, 20), Seat.W: (18, 200), Seat.S: (262, 396), Seat.E: (506, 200)}
CENTRE = (380, 280)
TRICK_AT = {Seat.N: (0, -62), Seat.W: (-74, 0), Seat.S: (0, 62), Seat.E: (74, 0)}
CARD_WIDTH, CARD_HEIGHT = 44, 58
LONGEST_NAME = 14
FONTS = "'DejaVu Sans', 'Segoe UI', 'Noto Sans', Vazirmatn, Tahoma, Arial, sans-serif"
FELT, DEEP, EDGE, PAPER, INK, RED, GOLD = "#17573b", "#0d3b28", "#0e3b27", "#fffdf7", "#1b1b1b", "#b3151b", "#ffd65a"
WHITE, PINK = "#ffffff", "#ffb3b3"

# Inside a square of 100 by 100; symbols of a font look different everywhere.
SHAPES = {
    Suit.SPADES: "M50 4C36 28 8 42 8 64c0 22 30 26 38 8-1 12-5 18-12 24h32"
    "c-7-6-11-12-12-24 8 18 38 14 38-8C92 42 64 28 50 4z",
    Suit.HEARTS: "M50 94C36 72 6 56 6 30 6 4 40 0 50 26 60 0 94 4 94 30 94 56 64 72 50 94z",
    Suit.DIAMONDS: "M50 2Q64 32 86 50Q64 68 50 98Q36 68 14 50Q36 32 50 2z",
    Suit.CLUBS: "M50 4a21 21 0 0 1 16 35 21 21 0 1 1-12 34c1 10 5 17 12 23H34"
    "c7-6 11-13 12-23A21 21 0 1 1 34 39 21 21 0 0 1 50 4z",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """What a diagram shows.

    Attributes:
        hands: the cards held, in seat order.
        hakem, trump: where known.
        trick: the cards on the table; None before the first lead is asked for.
        won: tricks won, indexed by `Side`; None where nobody has played.
        over: whether the deal is decided.
        players: names by seat.
    """

    hands: Sequence[CardSet]
    hakem: Seat | None = None
    trump: Suit | None = None
    trick: Trick | None = None
    won: tuple[int, int] | None = None
    over: bool = False
    players: Mapping[Seat, str] = field(default_factory=dict)

    @classmethod
    def of(cls, shown: Deal | Position, trump: Suit | None = None, players: Mapping[Seat, str] | None = None) -> Scene:
        """The scene of a deal, whose trump may be told, or of a position."""
        if isinstance(shown, Deal):
            return cls(shown.hands, shown.hakem, trump, players=players or {})
        over = shown.outcome() is not None
        return cls(
            shown.hands,
            shown.hakem,
            shown.trump,
            shown.current_trick,
            shown.won,
            over,
            {} if players is None else players,
        )


def diagram(scene: Scene, words: Words = ENGLISH, width: int = WIDTH) -> Html:
    """Draw a scene, ``width`` pixels wide where nothing else decides it."""
    return tag(
        "svg",
        tag("rect", width=WIDTH, height=HEIGHT, rx=22, fill=FELT),
        tag("rect", x=4, y=4, width=WIDTH - 8, height=HEIGHT - 8, rx=19, fill="none", stroke=EDGE, stroke_width=3),
        *(_hand(scene, seat, words) for seat in Seat),
        _table(scene, words),
        xmlns="http://www.w3.org/2000/svg",
        viewbox=f"0 0 {WIDTH} {HEIGHT}",
        width=width,
        height=width * HEIGHT // WIDTH,
        role="img",
        aria_label=_said(scene, words),
        font_family=FONTS,
    )


def _said(scene: Scene, words: Words) -> str:
    """The whole diagram in words, for who cannot see it."""
    hands = {seat.name.lower(): words.cards(scene.hands[seat]) or "-" for seat in Seat}
    parts = [_where(scene, words)]
    if scene.hakem is not None:
        parts.append(f"{words.say('hakem')} {words.seat(scene.hakem)}")
    if scene.trump is not None:
        parts.append(words.say("trump.is", suit=words.suit(scene.trump)))
    return words.say("diagram", where=", ".join(parts), **hands)


def _where(scene: Scene, words: Words) -> str:
    if scene.trick is None or scene.won is None:
        return words.say("diagram.deal")
    counts = {"ns": words.side(Side.NS), "we": words.side(Side.WE)}
    counts |= {name: words.number(scene.won[side]) for name, side in zip("ab", Side)}
    if scene.over:
        return words.say("diagram.over", **counts)
    return words.say("diagram.position", seat=words.seat(scene.trick.to_play), **counts)


def _hand(scene: Scene, seat: Seat, words: Words) -> Html:
    x, y = HAND_AT[seat]
    moves = scene.trick is not None and not scene.over and seat == scene.trick.to_play
    edge = GOLD if moves else "#3f7a60"
    return tag(
        "g",
        tag(
            "rect",
            width=HAND_WIDTH,
            height=HAND_HEIGHT,
            rx=10,
            fill="#0d3b28",
            stroke=edge,
            stroke_width=3 if moves else 1,
        ),
        _text(12, 23, _title(scene, seat, words), 15, WHITE, weight="bold"),
        *_suits(scene.hands[seat], words),
        transform=f"translate({x} {y})",
    )


def _title(scene: Scene, seat: Seat, words: Words) -> str:
    name = scene.players.get(seat)
    title = f"{words.seat(seat)} {isolated(name, LONGEST_NAME)}" if name else words.seat(seat)
    return f"{title} · {words.say('hakem')}" if seat == scene.hakem else title


def _suits(hand: CardSet, words: Words) -> Iterator[Html]:
    """Four lines, one for each suit."""
    for suit in Suit:
        y = 50 + LINE * suit
        yield _symbol(suit, 19, y - 7, 17, PINK if _is_red(suit) else WHITE)
        cards = list(hand.suit(suit))
        pitch = min(PITCH, (HAND_WIDTH - RANKS_AT - 18) / max(len(cards), 1))
        size = 19 if pitch == PITCH else 15
        for place, card in enumerate(cards):
            yield _text(RANKS_AT + (place + 0.5) * pitch + 4, y, words.rank(card.rank), size, WHITE, "middle")
        if not cards:
            yield _text(RANKS_AT + 15, y, "–", 19, "#cfe3d8", "middle")


def _table(scene: Scene, words: Words) -> Html:
    """The trick, or before the first lead the trump, and the tricks won."""
    cards = [] if scene.trick is None else [_trick_card(seat, card, words) for seat, card in scene.trick.plays]
    symbol = [] if scene.trump is None else [_trump(scene.trump, words, small=bool(cards))]
    x, y = CENTRE
    return tag("g", *symbol, *cards, *_count(scene, words), transform=f"translate({x} {y})")


def _trump(trump: Suit, words: Words, small: bool) -> Html:
    sign = _symbol(trump, 0, 0 if small else -8, 26 if small else 52, PINK if _is_red(trump) else WHITE)
    said = [] if small else [_text(0, 42, words.say("trump"), 15, WHITE, "middle")]
    return tag("g", sign, *said)


def _trick_card(seat: Seat, card: Card, words: Words) -> Html:
    x, y = TRICK_AT[seat]
    colour = RED if _is_red(card.suit) else INK
    place = {"x": -CARD_WIDTH / 2, "y": -CARD_HEIGHT / 2, "width": CARD_WIDTH, "height": CARD_HEIGHT}
    return tag(
        "g",
        tag("rect", **place, rx=6, fill=PAPER, stroke="#00000055"),
        _text(0, -3, words.rank(card.rank), 20, colour, "middle", "bold"),
        _symbol(card.suit, 0, 13, 19, colour),
        transform=f"translate({x} {y})",
    )


def _count(scene: Scene, words: Words) -> Iterator[Html]:
    """Tricks won, in the lower corners."""
    if scene.won is None:
        return
    x, y = CENTRE
    for side, place, anchor in ((Side.NS, 24 - x, "start"), (Side.WE, WIDTH - 24 - x, "end")):
        text = f"{words.side(side)}: {words.number(scene.won[side])}"
        yield _text(place, HEIGHT - 24 - y, text, 15, WHITE, anchor)


def _symbol(suit: Suit, x: float, y: float, size: float, colour: str) -> Html:
    """A suit drawn around a point: a symbol of a font may be missing, or come out as a coloured picture."""
    place = f"translate({x - size / 2} {y - size / 2}) scale({size / 100})"
    return tag("path", d=SHAPES[suit], fill=colour, transform=place)


def _text(x: float, y: float, text: str, size: int, colour: str, anchor: str = "start", weight: str = "normal") -> Html:
    """A text that begins, ends or stands in the middle at x, whatever the direction of the page around it."""
    look = {"font_weight": weight, "text_anchor": anchor, "direction": "ltr"}
    return tag("text", text, x=round(x, 1), y=y, fill=colour, font_size=size, **look)


def _is_red(suit: Suit) -> bool:
    return suit in (Suit.HEARTS, Suit.DIAMONDS)
