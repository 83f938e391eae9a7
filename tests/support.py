"""What several tests need: the stored answers, and random positions that legal play can reach."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from hokm_solver.cards import PACK, Card, CardSet, Seat, Side, Suit
from hokm_solver.deal import Deal, Position

DATA = Path(__file__).parent / "data"


def load_jsonl(name: str) -> list[dict[str, Any]]:
    """Return the objects of ``tests/data/<name>.jsonl``."""
    with open(DATA / f"{name}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def random_deal(rng: Random, freak: bool = False) -> Deal:
    """Return a random deal; with ``freak`` one in which long suits stay together."""
    pack = list(PACK)
    if freak:
        for _ in range(rng.randint(4, 24)):
            one, two = rng.randrange(52), rng.randrange(52)
            pack[one], pack[two] = pack[two], pack[one]
    else:
        rng.shuffle(pack)
    blocks = [CardSet.of(pack[start : start + 13]) for start in (0, 13, 26, 39)]
    rng.shuffle(blocks)
    return Deal((blocks[0], blocks[1], blocks[2], blocks[3]))


def random_position(rng: Random, cards: int, freak: bool = False, sweep: bool = False) -> Position:
    """Return a position reached by random legal play in which the player to move holds ``cards`` cards, 1 to 13.

    With ``sweep`` one side has won every trick so far, which needs ``cards`` to be at least 7. Every number of cards
    in the trick occurs.
    """
    assert 1 <= cards <= 13
    assert cards >= 7 or not sweep
    while True:
        start = Position.start(random_deal(rng, freak), rng.choice(list(Suit)), rng.choice(list(Seat)))
        strong = rng.choice(list(Side)) if sweep else None
        position = _play_on(rng, start, cards, rng.randrange(4), strong)
        if position.outcome() is None and not (sweep and position.won[strong.other]):
            return position


def _play_on(rng: Random, position: Position, cards: int, in_trick: int, strong: Side | None) -> Position:
    """Play until the one to move holds ``cards`` cards and the trick ``in_trick``, or until the deal is decided."""
    while position.outcome() is None:
        if sum(position.won) == 13 - cards and len(position.trick) == in_trick:
            return position
        choice = rng.choice(list(position.legal_cards())) if strong is None else _favour(rng, position, strong)
        position = position.play(choice)
    return position


def _favour(rng: Random, position: Position, strong: Side) -> Card:
    """Choose a card that helps ``strong`` to win the trick: its side plays high, the other low."""
    by_rank = sorted(position.legal_cards(), key=lambda card: (card.rank, rng.random()))
    if position.to_play.side != strong:
        return by_rank[0]
    wins = [card for card in by_rank if _beats(position, card)]
    return wins[-1] if wins else by_rank[0]


def _beats(position: Position, card: Card) -> bool:
    trick = (*position.trick, card)
    trumps = [each for each in trick if each.suit == position.trump]
    following = [each for each in trick if each.suit == trick[0].suit]
    return card == max(trumps or following, key=lambda each: each.rank)
