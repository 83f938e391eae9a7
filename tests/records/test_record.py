"""What a record may hold, and what is refused, with the place named."""

from dataclasses import replace
from random import Random

import pytest
from support import load_jsonl, random_deal

from hokm_solver.cards import Seat, Suit
from hokm_solver.deal import Position
from hokm_solver.errors import DealError, FieldError, HokmError, IllegalPlay, PositionError, Revoke
from hokm_solver.notation import parse_cards, parse_deal
from hokm_solver.records import Record, record_from_json
from hokm_solver.rules import Rules

STORED = [record_from_json(entry["record"]) for entry in load_jsonl("records")]
WHOLE = STORED[0]  # hakem N, trump ♦; the first trick is K♦ 6♦ Q♦ A♦, won by E
SUITS = parse_deal("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")


def with_plays(text, **changes):
    return replace(WHOLE, plays=tuple(card for part in text.split() for card in parse_cards(part)), **changes)


@pytest.mark.parametrize("record", STORED)
def test_stored_records_are_right(record):
    *_, last = record.positions()
    assert last.outcome() is not None
    assert record.deal.hakem == record.hakem
    assert record.deal.first_five is not None
    assert set(record.first_five) <= set(record.hands[record.hakem])


def test_a_record_may_stop_anywhere():
    for end in range(len(WHOLE.plays) + 1):
        assert len(replace(WHOLE, plays=WHOLE.plays[:end]).positions()) == end + 1


def test_what_is_not_known_may_be_left_out():
    record = Record(WHOLE.hands, WHOLE.hakem)
    assert record.deal.first_five is None
    with pytest.raises(PositionError, match="trump"):
        record.positions()


ILLEGAL = {
    "a card not held": ("KD 6D 9H", r"^plays\[2\]: trick 1: S cannot play 9H, which S does not hold$", IllegalPlay),
    "a revoke": ("KD 6D TS", r"^plays\[2\]: trick 1: S cannot play TS, a revoke: S holds QD 9D 5D", Revoke),
    "another seat's card": ("6D", r"^plays\[0\]: trick 1: N cannot play 6D, which N does not hold$", IllegalPlay),
    "a card twice": (
        "KD 6D QD AD KD",
        r"^plays\[4\]: trick 2: E cannot play KD, a card twice: N played it in trick 1$",
        IllegalPlay,
    ),
    "another leader": (
        "KD 6D QD AD 9S",
        r"^plays\[4\]: trick 2: E cannot play 9S, which E does not hold$",
        IllegalPlay,
    ),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_plays_that_cannot_be_made(case):
    plays, message, kind = ILLEGAL[case]
    with pytest.raises(kind, match=message) as caught:
        with_plays(plays)
    assert caught.value.field == message[1:].split(":")[0].replace("\\", "")


def test_play_after_the_seventh_trick():
    left = next(card for card in WHOLE.positions()[-1].hands[WHOLE.positions()[-1].to_play])
    with pytest.raises(IllegalPlay, match=rf"^plays\[48\]: trick 13: . cannot play {left}, a side has its seven"):
        replace(WHOLE, plays=(*WHOLE.plays, left))
    with pytest.raises(IllegalPlay, match="a side has its seven tricks and play has stopped"):
        replace(WHOLE, plays=(*WHOLE.plays, WHOLE.plays[0]))


def test_without_a_trump_the_plays_must_fit_one_of_the_four():
    assert replace(WHOLE, trump=None).plays == WHOLE.plays
    with pytest.raises(Revoke, match=r"plays\[2\]: .* a revoke: .* no other trump makes the plays possible"):
        with_plays("KD 6D TS", trump=None)


def one_suit_each(leader):
    """A trick in which N, W, S and E play a suit each, and the next card comes from `leader`."""
    tops, seconds = zip(*(tuple(hand)[:2] for hand in SUITS.hands))
    return (*tops, seconds[leader])


@pytest.mark.parametrize("leader", Seat)
def test_who_won_a_trick_of_four_suits_is_open_without_a_trump(leader):
    assert Record(SUITS.hands, Seat.N, plays=one_suit_each(leader)).trump is None


def test_the_error_without_a_trump_is_that_of_the_trump_that_goes_furthest():
    wrong = tuple(SUITS.hands[Seat.W])[2]
    with pytest.raises(IllegalPlay, match=rf"^plays\[6\]: trick 2: S cannot play {wrong}, which S does not hold"):
        Record(SUITS.hands, Seat.N, plays=(*one_suit_each(Seat.N), tuple(SUITS.hands[Seat.W])[1], wrong))


WRONG = {
    "four cards of hakem": ({"first_five": parse_cards("9S KD 6H JD")}, DealError, "^first_five: 4 cards"),
    "a card of another": (
        {"first_five": parse_cards("9S KD 6H JD AS")},
        DealError,
        "^first_five: AS is in the first five, but hakem N does not hold it$",
    ),
    "a card twice": (
        {"first_five": (*parse_cards("9S KD 6H JD"), *parse_cards("KD"))},
        DealError,
        r"^first_five\[4\]: duplicate card KD$",
    ),
    "a score below 0": ({"score": (0, -1)}, FieldError, "^score: WE cannot have -1 points$"),
    "a match that is over": ({"score": (7, 2)}, FieldError, "^score: the match is over, NS has won$"),
    "the score of a short match": (
        {"score": (5, 2), "rules": Rules(match_length=5)},
        FieldError,
        "^score: the match is over",
    ),
    "another field's name": ({"extra": {"hakem": "N"}}, FieldError, 'extra holds "hakem"'),
    "a trump of another kind": ({"trump": "H"}, FieldError, "trump must be a Suit"),
    "plays of another kind": ({"plays": ("AS",)}, FieldError, r"plays\[0\] must be a Card"),
    "rules of another kind": ({"rules": {}}, FieldError, "rules must be a Rules"),
    "no hakem": ({"hakem": None}, FieldError, "hakem must be a Seat, not null"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be(case):
    changes, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        replace(WHOLE, **changes)


def test_hands_that_are_no_deal():
    n, w, s, e = WHOLE.hands
    with pytest.raises(DealError, match=r"^hands: duplicate card .S: in the hands of N and W") as caught:
        Record((n, n, s, e), Seat.N)
    assert caught.value.field == "hands"
    with pytest.raises(DealError, match=r"^hands: N has 12 cards, a deal gives 13$"):
        Record((n - type(n).of([next(iter(n))]), w, s, e), Seat.N)


def test_every_play_of_random_deals_is_checked_by_the_rules():
    rng = Random(3)
    for _ in range(30):
        deal, trump = random_deal(rng), rng.choice(list(Suit))
        position, plays = Position.start(deal, trump, Seat.S), []
        while position.outcome() is None:
            plays.append(rng.choice(list(position.legal_cards())))
            position = position.play(plays[-1])
        record = Record(deal.hands, Seat.S, trump, plays=tuple(plays))
        assert record.positions()[-1] == position
        place = rng.randrange(len(plays))
        held = record.positions()[place]
        for card in deal.hands[held.to_play] - held.legal_cards():
            with pytest.raises(HokmError, match=rf"^plays\[{place}\]: trick {held.trick_number}: {held.to_play} "):
                replace(record, plays=(*plays[:place], card))
