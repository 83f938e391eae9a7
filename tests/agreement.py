"""Random positions with their values by the reference solver, and the comparison of a solution with those."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random

from support import random_position

from hokm_solver import reference
from hokm_solver.cards import PACK, Card, CardSet, Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.notation import position_to_json
from hokm_solver.reference import ReferenceSolution
from hokm_solver.rules import TRICKS, TRICKS_TO_WIN, points_of_margin
from hokm_solver.solver import OBJECTIVES, Objective, Solution, Solver

Known = tuple[Position, ReferenceSolution]  # a position and the margins of all its legal cards

SMALL_SIZES = (1, 2, 3, 4, 5, 6)
SMALL_WEIGHTS = (1, 3, 6, 9, 12, 12)
SHARE_OPEN = 0.6  # of the positions with a choice, those in which it matters which card is played
SHARE_FREAK = 0.25


def builds() -> dict[str, Solver]:
    """Return a solver of each build; on a machine without fast BMI2 both are the portable one."""
    return {"portable": Solver(portable=True), "default": Solver()}


def as_line(position: Position) -> str:
    """Return the position as ``hokm-solver solve --batch`` reads it."""
    return json.dumps(position_to_json(position))


def small_position(rng: Random) -> Known:
    """Return a position of one to six cards."""
    cards = rng.choices(SMALL_SIZES, SMALL_WEIGHTS)[0]
    return _draw(rng, lambda: random_position(rng, cards, freak=rng.random() < SHARE_FREAK), cards > 1)


def sweep_position(rng: Random) -> Known:
    """Return a position of seven or eight cards in which one side has won every trick so far."""
    cards = rng.choice((7, 7, 8))
    return _draw(rng, lambda: random_position(rng, cards, rng.random() < SHARE_FREAK, sweep=True), True)


def larger_position(rng: Random) -> Known:
    """Return a position of seven or eight cards in which both sides may have tricks."""
    cards = rng.choice((7, 7, 7, 8))
    return _draw(rng, lambda: random_position(rng, cards, rng.random() < SHARE_FREAK), True)


def drawn_position(rng: Random) -> Known:
    """Return a position of two to six cards that was not played to: hands full of trumps, no low cards, anything."""
    cards = rng.choice((2, 3, 3, 4, 4, 4, 5, 5, 6))
    return _draw(rng, lambda: _any_position(rng, cards), True)


def _any_position(rng: Random, cards: int) -> Position:
    """Return a position made up of random hands, tricks won, leader and hakem, and of up to three cards played."""
    pack = _drawn_cards(rng, 4 * cards)
    hands = [CardSet.of(pack[start : start + cards]) for start in range(0, 4 * cards, cards)]
    most = TRICKS_TO_WIN - 1
    ours = rng.randint(max(0, TRICKS - cards - most), min(TRICKS - cards, most))
    won = (ours, TRICKS - cards - ours)
    leader = rng.choice([seat for seat in Seat if won[seat.side]])
    trump = rng.choice(pack).suit
    position = Position((hands[0], hands[1], hands[2], hands[3]), trump, rng.choice(list(Seat)), leader, (), won)
    for _ in range(rng.choice((0, 0, 0, 1, 2, 3))):
        position = position.play(rng.choice(list(position.legal_cards())))
    return position


def _drawn_cards(rng: Random, count: int) -> list[Card]:
    """Draw cards, more of some suits than of others; more often than not most cards of a suit stay together."""
    weight = {suit: rng.choice((0.01, 0.15, 0.5, 1, 2, 4)) for suit in Suit}
    pack = sorted(PACK, key=lambda card: rng.random() ** (1 / weight[card.suit]))[-count:]
    if rng.random() < 0.4:
        rng.shuffle(pack)
        return pack
    pack.sort(key=lambda card: card.suit)
    for _ in range(rng.randint(1, count // 2)):
        one, two = rng.randrange(count), rng.randrange(count)
        pack[one], pack[two] = pack[two], pack[one]
    return pack


def _draw(rng: Random, draw: Callable[[], Position], choice: bool) -> Known:
    """Draw until the position is open, if that is what the dice ask for; most random positions are decided."""
    must_be_open = choice and rng.random() < SHARE_OPEN
    while True:
        position = draw()
        known = reference.solve(position)
        if not must_be_open or is_open(known):
            return position, known


def is_open(known: ReferenceSolution) -> bool:
    """Return whether it matters which card is played."""
    return len(set(known.cards.values())) > 1


def worth(objective: Objective, margin: int) -> int:
    """Return what an objective makes of a margin."""
    if objective == "margin":
        return margin
    return points_of_margin(margin) if objective == "points" else 1 if margin > 0 else -1


def shown(objective: Objective, margin: int) -> tuple[int, int | None]:
    """Return the points and the margin that a solution shows for a position or a card with this margin."""
    if objective == "margin":
        return points_of_margin(margin), margin
    return worth(objective, margin), None


def disagreements(solver: Solver, position: Position, known: ReferenceSolution) -> Iterator[str]:
    """Solve for every objective and yield what is not as it should be, with the position ready to be pasted."""
    for objective in OBJECTIVES:
        compared = _compared(solver.solve(position, objective), known)
        wrong = [f"{what} is {found}, not {expected}" for what, found, expected in compared if found != expected]
        if wrong:
            yield f"{objective}: {'; '.join(wrong)}\n{as_line(position)}"


def _compared(solution: Solution, known: ReferenceSolution) -> Iterator[tuple[str, object, object]]:
    """Yield the name of every value, the value found and the value expected."""
    objective = solution.objective
    margins = {card: value.margin for card, value in known.cards.items() if value.margin is not None}
    assert known.value.margin is not None
    yield "exact", solution.exact, True
    yield "the value", (solution.points, solution.margin), shown(objective, known.value.margin)
    yield "the order of the cards", [value.card for value in solution.cards], list(margins)
    for value in solution.cards:
        yield str(value.card), (value.points, value.margin), shown(objective, margins[value.card])


def extremes(position: Position) -> tuple[int, int]:
    """Return the margins of losing and of winning every trick to come."""
    return position.hakem_tricks - TRICKS_TO_WIN, TRICKS_TO_WIN - position.other_tricks
