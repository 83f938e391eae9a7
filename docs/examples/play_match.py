"""Plays a match of Hokm between four players of different strength and prints its deals as records.

    python play_match.py > match.pbn

A whole game loop: the deal, trump, cards, the score, the next hakem. Every seat is played by the engine, which is shown
what that seat can see. Run it with a number, the seed of the first deal, for another match.
"""

import sys

from hokm_solver import Match, Position, Seat, deal_cards
from hokm_solver.engine import Limits, Player, View
from hokm_solver.records import Record, write_records

NAMES = {Seat.N: "Sara", Seat.W: "Ali", Seat.S: "Mina", Seat.E: "Reza"}
PLAYERS = {Seat.N: Player(level=8), Seat.W: Player(level=4), Seat.S: Player(level=6), Seat.E: Player(level=2)}


def play_deal(match: Match, seed: int, number: int) -> Record:
    """Deal, name trump, and play until a side has seven tricks."""
    deal = deal_cards(seed, match.hakem)
    limits = Limits(seed=seed)
    trump = PLAYERS[match.hakem].choose_trump(deal.first_five, match.hakem, match.score, limits).trump
    position, plays = Position.start(deal, trump), []
    while position.outcome() is None:
        seat = position.to_play
        view = View.of_deal(deal, seat, trump, tuple(plays), match.score)
        plays.append(PLAYERS[seat].choose_card(view, limits).card)
        position = position.play(plays[-1])
    return Record(
        deal.hands,
        match.hakem,
        trump,
        tuple(deal.first_five),
        tuple(plays),
        match.score,
        players=NAMES,
        event=f"A match of four levels, deal {number}",
        date="2025-03-21",
    )


def play_match(seed: int) -> list[Record]:
    """Play deal after deal until a side has seven points."""
    match, records = Match(hakem=Seat.N), []
    while match.winner is None:
        record = play_deal(match, seed + len(records), len(records) + 1)
        records.append(record)
        match = match.after(record.positions()[-1].outcome())
    return records


if __name__ == "__main__":
    write_records(play_match(int(sys.argv[1]) if len(sys.argv) > 1 else 1100), sys.stdout, "text")
