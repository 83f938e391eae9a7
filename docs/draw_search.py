"""Draws the pictures of docs/search.md: the race, the questions, sure tricks, an entry of the table.

What they show is taken from the solver: the deal is the first of docs/examples/match.pbn, and the position that needs
no search is solved to see that it needs none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from drawing import COLOURS, INK, PAPER, draw_suit, draw_text, picture_of

from hokm_solver import Card, Position, Rank, Seat, Side, Solver, Suit, position_from_json
from hokm_solver.records import Record, read_records

DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
MATCH = DOCS / "examples" / "match.pbn"
LINE, FADED, PATH, ASKED = "#cccccc", "#eeeeee", "#3d7ea6", "#d98e04"
MARGINS = [*range(-7, 0), *range(1, 8)]
SEATS = {Seat.N: "#3d7ea6", Seat.W: "#d98e04", Seat.S: "#7aaecb", Seat.E: "#efc26a"}  # blue and yellow sides

GRID, LEFT, BOTTOM = 44, 84, 410  # of the race: step, and the corner where both sides have no trick
ENDGAME = {
    "deal": "N:AK.A..2 985.J.. 2..AK.A 76.Q.5.",
    "trump": "H",
    "hakem": "N",
    "leader": "N",
    "won": {"NS": 4, "WE": 5},
}
HANDS_AT = {Seat.N: (150, 34), Seat.W: (24, 144), Seat.S: (150, 254), Seat.E: (276, 144)}
# The spades still in play in two positions, from the top down: who holds which.
FIRST = "AN KW JS TE 8N 5W 3E"
SECOND = "QN JW TE 9S 7N 4E 2W"
NEEDED = 2  # ranks that the proof used


def first_deal() -> Record:
    """Return the deal of the pictures."""
    with MATCH.open("rb") as stream:
        return next(iter(read_records(stream)))


# The race


def race(record: Record) -> str:
    """A deal as a path over the tricks of both sides, with the races as boxes in it."""
    lines = [
        *_grid(),
        *_box(7, 5, "by 3 or more?", 34),
        *_box(4, 7, "at worst lost by 3?", 18),
        *_path(record),
        *_ends(),
        *_words_of_the_race(),
    ]
    return picture_of("A deal as a path that ends at seven tricks; races are boxes in it", 760, 470, lines)


def _at(others: float, ours: float) -> tuple[float, float]:
    return LEFT + GRID * others, BOTTOM - GRID * ours


def _grid() -> Iterator[str]:
    for tricks in range(8):
        for (x, y), (to_x, to_y) in ((_at(tricks, 0), _at(tricks, 7)), (_at(0, tricks), _at(7, tricks))):
            yield f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{LINE}"/>'
        x, y = _at(tricks, 0)
        yield draw_text(x, y + 32, str(tricks), size=13, middle=True)
        x, y = _at(0, tricks)
        yield draw_text(x - 28, y + 5, str(tricks), size=13, middle=True)
    yield draw_text(LEFT, BOTTOM + 52, "tricks of the others", size=13)
    yield draw_text(LEFT - 60, 52, "tricks of hakem's side", size=13)


def _box(a: int, b: int, question: str, below: int) -> Iterator[str]:
    (x, y), (to_x, to_y) = _at(0, 0), _at(b, a)
    yield (
        f'<path d="M{x} {to_y}L{to_x} {to_y}L{to_x} {y}" fill="none" stroke="{ASKED}" stroke-width="3" '
        'stroke-dasharray="7 5"/>'
    )
    yield draw_text(LEFT + 8, to_y + below, question, size=13, colour=ASKED, bold=True)


def _path(record: Record) -> Iterator[str]:
    ours = record.hakem.side
    scores = [position.won for position in record.positions() if not position.trick]
    points = " ".join("{},{}".format(*_at(won[ours.other], won[ours])) for won in scores)
    yield f'<polyline points="{points}" fill="none" stroke="{PATH}" stroke-width="5" stroke-linejoin="round"/>'


def _ends() -> Iterator[str]:
    for margin in MARGINS:
        ours, others = (7, 7 - margin) if margin > 0 else (7 + margin, 7)
        x, y = _at(others, ours)
        yield f'<circle cx="{x}" cy="{y}" r="15" fill="{COLOURS[_kind(margin)]}"/>'
        yield draw_text(x, y + 5, _signed(margin), size=13, colour=_on(margin), middle=True, bold=True)


def _words_of_the_race() -> Iterator[str]:
    x = LEFT + 7 * GRID + 46
    words = (
        ("A deal is a path.", True),
        ("A trick of hakem's side goes up,", False),
        ("one of the others goes right.", False),
        ("At seven it is over: in the circles", False),
        ("stand the fourteen margins.", False),
        ("", False),
        ("A question is a box.", True),
        ("Leaving it through the top means yes,", False),
        ("through the right side no.", False),
        ("The whole square: is the deal won?", False),
        ("Up to five tricks of the others:", False),
        ("is it won by 3 or more?", False),
        ("", False),
        ("The blue deal is won, 7–5,", False),
        ("but not by 3: five came first.", False),
    )
    for i, (line, bold) in enumerate(words):
        yield draw_text(x, 96 + 22 * i, line, size=14, bold=bold)


def _kind(margin: int) -> str:
    if margin in (7, -7):
        return "kot" if margin > 0 else "hakem koti"
    return "win" if margin > 0 else "loss"


def _on(margin: int) -> str:
    return PAPER if abs(margin) == 7 else INK


def _signed(margin: int) -> str:
    return f"{margin:+d}".replace("-", "\N{MINUS SIGN}")


# The questions


def questions(margin: int) -> str:
    """Which margins are still possible after each race, for points and for the margin."""
    lines: list[str] = []
    y = 54
    for objective in ("points", "margin"):
        lines.append(draw_text(24, y, f"Objective: {objective}", size=16, bold=True))
        for words, lowest, highest in _steps(objective, margin):
            y += 38
            lines += _row(y, words, lowest, highest)
        y += 62
    return picture_of("Races asked one after the other, and the margins left after each", 760, y - 30, lines)


def _steps(objective: str, margin: int) -> Iterator[tuple[str, int, int]]:
    lowest, highest = -7, 7
    yield "at first", lowest, highest
    while asked := _next_question(objective, lowest, highest):
        if margin >= asked:
            lowest = asked
        else:
            highest = MARGINS[MARGINS.index(asked) - 1]
        yield f"{_signed(asked)} or more? {'yes' if margin >= asked else 'no'}", lowest, highest


def _next_question(objective: str, lowest: int, highest: int) -> int:
    """The margin asked about next, 0 for none: the order of ``next_threshold`` in the search."""
    if lowest < 0 < highest:
        return 1
    if objective == "points":
        if highest == 7 != lowest:
            return 7
        return -6 if lowest == -7 != highest else 0
    if lowest == highest:
        return 0
    return highest if highest - lowest == 1 else (lowest + highest + 1) // 2


def _row(y: int, words: str, lowest: int, highest: int) -> Iterator[str]:
    yield draw_text(24, y + 6, words, size=15)
    for i, margin in enumerate(MARGINS):
        left = lowest <= margin <= highest
        x = 180 + 40 * i
        fill = COLOURS[_kind(margin)] if left else FADED
        yield f'<rect x="{x}" y="{y - 14}" width="36" height="28" rx="4" fill="{fill}"/>'
        colour = _on(margin) if left else "#bbbbbb"
        yield draw_text(x + 18, y + 5, _signed(margin), size=14, colour=colour, middle=True)


# Sure tricks


def sure_tricks(position: Position) -> str:
    """Four hands and the count that settles the race before a card is tried."""
    lines = [line for seat in Seat for line in _hand(position, seat)]
    lines += [
        f'<rect x="150" y="144" width="110" height="96" rx="8" fill="{FADED}"/>',
        draw_text(205, 174, "N leads", size=14, middle=True),
        draw_text(205, 196, "needs 3 of 4", size=14, middle=True),
        draw_text(205, 218, "trump", size=14, middle=True),
        draw_suit(position.trump, 226, 205, 14),
        *_count(),
    ]
    return picture_of("Three sure tricks of the leader, counted without a search", 760, 370, lines)


def _hand(position: Position, seat: Seat) -> Iterator[str]:
    x, y = HANDS_AT[seat]
    yield f'<rect x="{x}" y="{y}" width="110" height="96" rx="8" fill="none" stroke="{SEATS[seat]}" stroke-width="2"/>'
    yield draw_text(x + 10, y + 18, seat.name, size=13, bold=True)
    y += 4
    for suit in Suit:
        cards = position.hands[seat].suit(suit)
        if cards:
            y += 22
            yield draw_suit(suit, x + 32, y - 12, 14)
            yield draw_text(x + 54, y, " ".join(card.pretty[:-1] for card in cards), size=15)


def _count() -> Iterator[str]:
    ace, king = Rank.ACE, Rank.KING
    rows = (
        ([Card(Suit.HEARTS, ace)], "draws the trumps of W, E", "1"),
        ([Card(Suit.SPADES, ace), Card(Suit.SPADES, king)], "win: nobody can ruff any more", "2"),
    )
    yield draw_text(420, 60, "The count", size=16, bold=True)
    y = 96
    for cards, words, tricks in rows:
        for i, card in enumerate(cards):
            yield draw_text(420 + 40 * i, y, card.pretty[:-1], size=16, bold=True)
            yield draw_suit(card.suit, 433 + 40 * i, y - 13, 15)
        yield draw_text(512, y, words, size=14)
        yield draw_text(740, y, tricks, size=16, bold=True)
        y += 34
    yield f'<path d="M420 {y - 16}H752" stroke="{INK}"/>'
    yield draw_text(420, y + 8, "sure, in every race", size=14)
    yield draw_text(740, y + 8, "3", size=16, bold=True)
    words = (
        "3 are needed: the race is won, and no card",
        "has been tried.",
        "The proof used the ranks of these cards, down",
        "to A of hearts and K of spades. So it holds for",
        "every position with the same suit lengths in",
        "which N has the highest heart and the two",
        "highest spades.",
    )
    for i, line in enumerate(words):
        yield draw_text(420, y + 52 + 22 * i, line, size=14)


# An entry of the table


def table_entry(first: str = FIRST, second: str = SECOND) -> str:
    """Two positions that differ in their cards and match the same entry."""
    lines = [
        *_suit_row(60, "Position 1", _holders(first)),
        *_suit_row(220, "Position 2", _holders(second)),
        *_pattern(390, _holders(first)),
    ]
    return picture_of("Two positions, packed without gaps, match one pattern of the table", 760, 470, lines)


def _holders(text: str) -> dict[Rank, Seat]:
    return {_rank(word[0]): Seat[word[1]] for word in text.split()}


def _rank(letter: str) -> Rank:
    return next(rank for rank in Rank if str(rank) == letter)


def _suit_row(y: int, title: str, holders: Mapping[Rank, Seat]) -> Iterator[str]:
    yield draw_text(24, y, title, size=16, bold=True)
    yield draw_suit(Suit.SPADES, 126, y - 14, 17)
    ranks = sorted(Rank, reverse=True)
    for i, rank in enumerate(ranks):
        x = 170 + 44 * i
        seat = holders.get(rank)
        yield draw_text(x + 18, y - 20, Card(Suit.SPADES, rank).pretty[:-1], size=13, middle=True)
        yield from _owner(x, y - 14, seat)
        if seat is not None:
            to_x = 170 + 44 * list(holders).index(rank)
            yield f'<path d="M{x + 18} {y + 18}L{to_x + 18} {y + 48}" stroke="{LINE}"/>'
    yield draw_text(24, y + 70, "packed", size=14)
    for i, seat in enumerate(holders.values()):
        yield from _owner(170 + 44 * i, y + 50, seat)


def _owner(x: float, y: float, seat: Seat | None) -> Iterator[str]:
    if seat is None:
        yield _place(x, y, "none") + f' stroke="{LINE}" stroke-dasharray="3 3"/>'
        return
    yield _place(x, y, SEATS[seat]) + "/>"
    yield draw_text(x + 18, y + 20, seat.name, size=15, colour=INK, middle=True, bold=True)


def _place(x: float, y: float, fill: str) -> str:
    return f'<rect x="{x}" y="{y}" width="36" height="30" rx="4" fill="{fill}"'


def _pattern(y: int, holders: Mapping[Rank, Seat]) -> Iterator[str]:
    seats: Sequence[Seat] = list(holders.values())
    yield draw_text(24, y, "The pattern", size=16, bold=True)
    for i, seat in enumerate(seats):
        x = 170 + 44 * i
        if i < NEEDED:
            yield from _owner(x, y - 20, seat)
        else:
            yield _place(x, y - 20, FADED) + "/>"
            yield draw_text(x + 18, y, "any", size=13, colour="#777777", middle=True)
    yield draw_text(500, y, "the two highest spades left:", size=14)
    yield draw_text(500, y + 20, "N the first, W the second", size=14)
    yield draw_text(24, y + 46, "Same suit lengths, leader and slack: what was proved of one is true of both.", size=14)


def pictures() -> dict[str, str]:
    """Return all pictures by the names of their files."""
    record, endgame = first_deal(), position_from_json(ENDGAME)[0]
    assert record.trump is not None
    solver = Solver()
    margin = solver.solve(Position.start(record.deal, record.trump), cards=False).margin
    settled = solver.solve(endgame, "win", cards=False)
    assert margin is not None
    assert (settled.points, settled.nodes, endgame.won[Side.NS]) == (1, 1, 4)
    return {
        "race.svg": race(record),
        "questions.svg": questions(margin),
        "sure-tricks.svg": sure_tricks(endgame),
        "table-entry.svg": table_entry(),
    }


if __name__ == "__main__":
    for name, picture in pictures().items():
        (IMAGES / name).write_text(picture, encoding="utf-8")
