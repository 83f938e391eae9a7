"""Values that types forbid, from callers without a type checker: a clean error, never a wrong answer or a crash."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from enum import Enum
from functools import partial
from importlib.resources import files
from io import BytesIO, StringIO
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from support import random_deal

import hokm_solver
from hokm_solver import book, cluster, engine, notation, records
from hokm_solver import review as reviews
from hokm_solver.advice import advise
from hokm_solver.cards import Card, CardSet, Rank, Seat, Side, Suit
from hokm_solver.cluster import dask_crew
from hokm_solver.deal import Deal, Position, Trick, replay
from hokm_solver.dealing import deal_cards, deal_of_the_day
from hokm_solver.engine.arena import Duel, Standing, play_duel
from hokm_solver.engine.baselines import PimcPlayer, SearchPlayer
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.external import ExternalPlayer
from hokm_solver.engine.player import Player, PolicyPlayer, make_player
from hokm_solver.engine.view import View
from hokm_solver.equity import Equity, match_equity
from hokm_solver.errors import DealError, FieldError, HokmError, LimitError, MatchError, PositionError
from hokm_solver.match import Match
from hokm_solver.parallel import Crew, ordered_map
from hokm_solver.records import Record
from hokm_solver.review import Reviewer, ReviewOptions, Summary, review
from hokm_solver.rules import DEFAULT_RULES, Outcome, Rules
from hokm_solver.sampling import seen_by_hakem
from hokm_solver.solver import Limit, Solver, solve_many
from hokm_solver.table import table_values

NAN, INF = float("nan"), float("inf")
FIVE = "AH QH 9H KC 4D"
NO_COUNTS = [0, -1, 1.5, NAN, INF, True, "4", None, [4]]
NO_MEASURES = [0, -1, NAN, INF, -INF, True, "4", [4], 10**400]
DEAL = random_deal(Random(1))


def worlds(n=5):
    return seen_by_hakem(list(DEAL.hands[0])[:5]).worlds(n, 1)


@pytest.mark.parametrize("jobs", NO_COUNTS)
def test_jobs(jobs):
    with pytest.raises(LimitError, match="jobs must be at least 1"):
        list(ordered_map(lambda _, item: item, [1], state=object, jobs=jobs))
    if jobs is not None:
        with pytest.raises(LimitError, match="jobs must be at least 1"):
            advise(FIVE, 4, jobs=jobs)


@pytest.mark.parametrize("samples", [*NO_COUNTS, 1])
def test_samples(samples):
    if samples is not None:
        with pytest.raises(LimitError, match="samples must be 2 to 10000000"):
            advise(FIVE, samples)


@pytest.mark.parametrize("time", NO_MEASURES)
def test_time(time):
    with pytest.raises(LimitError, match="time must be a number of seconds above 0"):
        advise(FIVE, time=time)


@pytest.mark.parametrize("precision", NO_MEASURES)
def test_precision(precision):
    with pytest.raises(LimitError, match="precision must be a number of points above 0"):
        advise(FIVE, precision=precision)


@pytest.mark.parametrize(
    "score", ["5-6", 5, (5,), (5, 6, 1), (7, 0), (-1, 3), (1.0, 2), (True, 1), ("5", "6"), [NAN, 1], ([], 1)]
)
def test_score(score):
    with pytest.raises(MatchError, match=r"^(a score is two numbers|no deal is played at)"):
        advise(FIVE, 4, score=score)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, NAN, True, "1", None])
def test_seed(seed):
    with pytest.raises(FieldError, match="seed"):
        advise(FIVE, 4, seed)
    if seed is not None:
        with pytest.raises(LimitError, match="seed"):
            Limits(seed=seed)


def test_numbers_of_numpy_are_numbers():
    assert advise(FIVE, np.int64(4), np.uint64(1), np.int32(1)) == advise(FIVE, 4, 1, 1)


@pytest.mark.parametrize("value", NO_COUNTS)
def test_limits_that_count(value):
    with pytest.raises(LimitError):
        Solver(value)
    if value is not None:
        for make in (lambda: Limit(nodes=value), lambda: Limits(worlds=value), lambda: Limits(nodes=value)):
            with pytest.raises(LimitError):
                make()


@pytest.mark.parametrize("value", NO_MEASURES)
def test_limits_that_measure(value):
    for make in (lambda: Limit(seconds=value), lambda: Limits(time_ms=value)):
        with pytest.raises(LimitError):
            make()


@pytest.mark.parametrize("level", [0, 11, 1.0, True, "1", [1]])
def test_levels(level):
    with pytest.raises(LimitError):
        Limits(level=level)


@pytest.mark.parametrize("trump", [None, 0, 4, -1, 64, "H", Seat.N, True])
def test_trumps(trump):
    position = Position.start(DEAL, Suit.SPADES, Seat.N)
    with pytest.raises(FieldError, match="trump must be a Suit"):
        Position(DEAL.hands, trump, Seat.N, Seat.N)
    with pytest.raises(FieldError, match="trump must be a Suit"):
        position.with_trump(trump)
    with pytest.raises(FieldError, match="trump must be a Suit"):
        Solver(1).points_of_worlds(worlds(), Seat.N, trump)


@pytest.mark.parametrize("seat", [None, 0, 4, "N", Suit.SPADES, True])
def test_seats(seat):
    for hakem, leader in ((seat, Seat.N), (Seat.N, seat)):
        with pytest.raises(FieldError, match="must be a Seat"):
            Position(DEAL.hands, Suit.SPADES, hakem, leader)
    with pytest.raises(FieldError, match="hakem must be a Seat"):
        Solver(1).points_of_worlds(worlds(), seat, Suit.SPADES)


@pytest.mark.parametrize(
    "won", [None, (), (0,), (0, 0, 0), [0, 0], (0, False), (0.0, 0), ("0", "0"), "00", {0: 0, 1: 0}]
)
def test_tricks_won(won):
    with pytest.raises(HokmError, match="won"):
        Position(DEAL.hands, Suit.SPADES, Seat.N, Seat.N, (), won)


@pytest.mark.parametrize(
    "change",
    [
        lambda array: array[0],
        lambda array: array[:, :3],
        lambda array: array[None],
        lambda array: array.astype(np.int64),
        lambda array: array.astype(float),
        lambda array: array.tolist(),
        lambda array: None,
    ],
)
def test_worlds_of_another_form(change):
    with pytest.raises(FieldError, match="worlds must be an array of uint64"):
        Solver(1).points_of_worlds(change(worlds()), Seat.N, Suit.SPADES)


@pytest.mark.parametrize(
    "row",
    [
        [0, 0, 0, 0],
        [2**64 - 1] * 4,
        [0x1FFF, 0x1FFF << 16, 0x1FFF << 32, 0],
        [0x1FFF, 0x1FFF, 0x1FFF << 32, 0x1FFF << 48],
        [0x1FFF | 1 << 13, 0x1FFF << 16, 0x1FFF << 32, 0x1FFF << 48],
        [0x0FFF | 1 << 13, 0x1FFF << 16, 0x1FFF << 32, 0x1FFF << 48],
        [0x1FFF | 1 << 16, 0x1FFE << 16, 0x1FFF << 32, 0x1FFF << 48],
    ],
)
def test_worlds_that_are_no_deals(row):
    array = worlds()
    array[3] = np.array(row, dtype=np.uint64)
    with pytest.raises(DealError, match=r"worlds\[3\] is no deal"):
        Solver(1).points_of_worlds(array, Seat.N, Suit.SPADES)


def test_worlds_in_any_layout():
    array = worlds(8)
    expected = Solver(1).points_of_worlds(array, Seat.N, Suit.HEARTS).tolist()
    for same in (np.asfortranarray(array), np.repeat(array, 2, axis=0)[::2]):
        assert Solver(1).points_of_worlds(same, Seat.N, Suit.HEARTS).tolist() == expected
    assert Solver(1).points_of_worlds(array[:0], Seat.N, Suit.HEARTS).tolist() == []


# Every public function with every wrong value in every place


class Call(NamedTuple):
    """A call that is right, and the values of `WRONG` that mean something in it: ``hakem=None event=None,x``."""

    function: Callable[..., object]
    arguments: Mapping[str, object]
    meant: str = ""


WRONG = {"None": None, "1.5": 1.5, "x": "x", "[]": [], "object": object()}
CARD = Card(Suit.HEARTS, Rank.ACE)
CARDS = tuple(DEAL.hands[0])
START = Position.start(DEAL, Suit.HEARTS, Seat.N)
DEALT = deal_cards(1)
VIEW = View.of_deal(DEALT, Seat.N, Suit.HEARTS)
RECORD = Record(DEAL.hands, Seat.N)
FEW = Limits(worlds=1)
SMALL = Limit(nodes=1)
DUEL = Duel("random", "random", 1)
TEXT = "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"
SOLVER = Solver(1)
ASKED = {"objective": "win", "limit": SMALL}
CARD_ASKED = {"view": VIEW, "limits": FEW}
TRUMP_ASKED = {"five": CARDS[:5], "hakem": Seat.W, "score": (1, 2), "limits": FEW}
PLAYERS = {"Player": Player(), "Player 5": Player(5), "pimc": PimcPlayer(1, 1), "search": SearchPlayer(1, 1)}


def drained(function):
    """The same function; of what it returns step by step, every step is taken."""

    def call(**arguments):
        found = function(**arguments)
        return list(found) if isinstance(found, Iterator) else found

    return call


def opened(**arguments):
    with dask_crew(**arguments):
        raise AssertionError("nobody is there")


CALLS = {
    "Card": Call(Card, {"suit": Suit.HEARTS, "rank": Rank.ACE}),
    "CardSet": Call(CardSet, {"bits": 1}),
    "CardSet.of": Call(CardSet.of, {"cards": CARDS}, "cards=[]"),
    "CardSet.suit": Call(DEAL.hands[0].suit, {"suit": Suit.CLUBS}),
    "Seat.after": Call(Seat.N.after, {"steps": 1}),
    "Outcome.points": Call(Outcome.KOT.points, {"rules": DEFAULT_RULES}),
    "Rules": Call(Rules, {"win": 1, "kot": 2, "hakem_koti": 3, "match_length": 7, "second_ace": True}),
    "Rules.from_options": Call(Rules.from_options, {"options": {"kot": 3}}),
    "Match": Call(Match, {"hakem": Seat.N, "score": (0, 0), "rules": DEFAULT_RULES}),
    "Match.after": Call(Match(Seat.N).after, {"outcome": Outcome.KOT}),
    "Deal": Call(
        Deal,
        {"hands": DEALT.hands, "hakem": DEALT.hakem, "first_five": DEALT.first_five},
        "first_five=None",
    ),
    "Trick": Call(Trick, {"leader": Seat.N, "cards": (CARD,)}),
    "Trick.winner": Call(Trick(Seat.N, (CARD,)).winner, {"trump": Suit.CLUBS}),
    "Position": Call(
        Position,
        {
            **{"hands": DEAL.hands, "trump": Suit.HEARTS, "hakem": Seat.N},
            **{"leader": Seat.N, "trick": (), "won": (0, 0)},
        },
    ),
    "Position.start": Call(Position.start, {"deal": DEALT, "trump": Suit.HEARTS, "hakem": Seat.N}, "hakem=None"),
    "Position.play": Call(START.play, {"card": CARDS[0]}),
    "Position.with_trump": Call(START.with_trump, {"trump": Suit.CLUBS}),
    "replay": Call(replay, {"start": START, "plays": CARDS[:1]}, "plays=[]"),
    "deal_cards": Call(deal_cards, {"seed": 1, "hakem": Seat.N}),
    "deal_of_the_day": Call(deal_of_the_day, {"day": date(2025, 3, 21), "number": 1}),
    # Notation
    "parse_card": Call(notation.parse_card, {"text": "AH"}),
    "parse_cards": Call(notation.parse_cards, {"text": "AH", "count": 1}, "count=None"),
    "five_cards": Call(notation.five_cards, {"cards": FIVE}, "cards=[]"),
    "parse_suit": Call(notation.parse_suit, {"text": "H"}),
    "parse_seat": Call(notation.parse_seat, {"text": "N"}),
    "parse_won": Call(notation.parse_won, {"text": "NS:1"}),
    "parse_score": Call(notation.parse_score, {"text": "NS:1"}),
    "parse_hand": Call(notation.parse_hand, {"text": "A..."}),
    "parse_hands": Call(notation.parse_hands, {"text": TEXT}),
    "parse_deal": Call(notation.parse_deal, {"text": TEXT}),
    "format_card": Call(notation.format_card, {"card": CARD}),
    "format_cards": Call(notation.format_cards, {"cards": CARDS}, "cards=[]"),
    "format_hand": Call(notation.format_hand, {"hand": DEAL.hands[0]}),
    "format_hands": Call(notation.format_hands, {"hands": DEAL.hands, "first": Seat.W}),
    "format_deal": Call(notation.format_deal, {"deal": DEAL, "first": Seat.W}),
    "hands_to_json": Call(notation.hands_to_json, {"hands": DEAL.hands}),
    "hands_from_json": Call(notation.hands_from_json, {"value": TEXT}),
    "cards_from_json": Call(partial(notation.cards_from_json, field="trick"), {"value": "AH"}, "value=None,[]"),
    "sides_from_json": Call(partial(notation.sides_from_json, field="won"), {"value": {}}, "value=None"),
    "position_from_json": Call(notation.position_from_json, {"obj": notation.position_to_json(START)}),
    "position_to_json": Call(notation.position_to_json, {"position": START}),
    "position_from_text": Call(
        notation.position_from_text,
        {"deal": TEXT, "hakem": "N", "trump": "H", "leader": "N", "trick": "", "won": "NS:0"},
        "trump=None leader=None trick=None won=None",
    ),
    # Solver and adviser
    "Limit": Call(Limit, {"nodes": 1, "seconds": 1.0}, "nodes=None seconds=None,1.5"),
    "Solver": Call(Solver, {"table_mb": 1, "portable": False}, "portable=None"),
    "Solver.solve": Call(SOLVER.solve, {"position": START, **ASKED}),
    "Solver.solve_plays": Call(SOLVER.solve_plays, {"start": START, "plays": (), "objective": "win"}, "plays=[]"),
    "Solver.solve_trumps": Call(SOLVER.solve_trumps, {"deal": START, "hakem": Seat.N, **ASKED}, "hakem=None"),
    "Solver.points_of_worlds": Call(
        SOLVER.points_of_worlds, {"worlds": worlds(1), "hakem": Seat.N, "trump": Suit.HEARTS}
    ),
    "solve_many": Call(solve_many, {"positions": [START], "jobs": 1, **ASKED, "table_mb": 1}, "positions=[]"),
    "advise": Call(
        advise,
        {
            **{"cards": FIVE, "samples": 2, "seed": 1, "jobs": 1, "time": None, "precision": None},
            **{"score": (1, 2), "progress": bool, "solver": Solver},
        },
        "samples=None jobs=None time=None precision=None score=None progress=None",
    ),
    "table_values": Call(table_values, {"five": CARDS[:5], "worlds": 2, "seed": 1}),
    "Equity.of": Call(Equity.of, {"counts": dict.fromkeys(Outcome, 1)}),
    "Equity.chance": Call(partial(match_equity().chance, we_are_hakem=True), {"us": 1, "them": 2}),
    # Engine
    "Limits": Call(
        Limits,
        {"time_ms": 1, "worlds": 1, "nodes": 1, "seed": 1, "level": 1, "stop": bool},
        "time_ms=None,1.5 worlds=None nodes=None seed=None level=None stop=None",
    ),
    "View": Call(
        View,
        {
            **{"seat": Seat.N, "hakem": Seat.N, "trump": Suit.HEARTS, "hand": VIEW.hand, "plays": ()},
            **{"first_five": VIEW.first_five, "score": (1, 2)},
        },
        "first_five=None score=None",
    ),
    "View.of_deal": Call(
        View.of_deal,
        {"deal": DEALT, "seat": Seat.N, "trump": Suit.HEARTS, "plays": (), "score": (1, 2)},
        "score=None",
    ),
    "Player": Call(Player, {"level": 1, "seed": 1, "limits": FEW}),
    "PolicyPlayer": Call(PolicyPlayer, {"kind": "greedy", "temperature": 0.0, "seed": 1}, "temperature=1.5"),
    "PimcPlayer": Call(PimcPlayer, {"worlds": 1, "seed": 1}),
    "SearchPlayer": Call(SearchPlayer, {"worlds": 1, "seed": 1}),
    "ExternalPlayer": Call(ExternalPlayer, {"command": ""}),
    **{f"{name}: choose_card": Call(player.choose_card, CARD_ASKED) for name, player in PLAYERS.items()},
    **{
        f"{name}: choose_trump": Call(player.choose_trump, TRUMP_ASKED, "score=None")
        for name, player in PLAYERS.items()
    },
    "make_player": Call(make_player, {"name": "engine:level=1", "seed": 1}),
    "Duel": Call(Duel, {"a": "random", "b": "greedy", "pairs": 1, "seed": 1}, "a=x b=x"),
    "Duel.deal": Call(DUEL.deal, {"pair": 0}),
    "Standing": Call(Standing, {"duel": DUEL}),
    "Standing.add": Call(Standing(DUEL).add, {"game": next(play_duel(DUEL))}),
    "play_duel": Call(play_duel, {"duel": DUEL, "jobs": 1, "log": None}, "log=None"),
    # Records and reviews
    "Record": Call(
        Record,
        {
            **{"hands": DEAL.hands, "hakem": Seat.N, "trump": Suit.HEARTS, "first_five": CARDS[:5], "plays": ()},
            **{"score": (1, 2), "rules": DEFAULT_RULES, "players": {Seat.N: "Sara"}, "event": "", "date": ""},
            "extra": {"a": 1},
        },
        "trump=None first_five=None score=None event=None,x date=None,x",
    ),
    "record_from_json": Call(records.record_from_json, {"obj": records.record_to_json(RECORD)}),
    "record_to_json": Call(records.record_to_json, {"record": RECORD}),
    "record_from_text": Call(records.record_from_text, {"text": records.record_to_text(RECORD)}),
    "record_to_text": Call(records.record_to_text, {"record": RECORD}),
    "format_record": Call(records.format_record, {"record": RECORD, "form": "text"}),
    "read_records": Call(records.read_records, {"stream": BytesIO()}),
    "write_records": Call(
        records.write_records, {"records": [RECORD], "stream": StringIO(), "form": "json"}, "records=[]"
    ),
    "ReviewOptions": Call(ReviewOptions, {"advice_samples": 0, "seed": 1}),
    "Reviewer": Call(Reviewer, {"options": ReviewOptions(), "table_mb": 1}),
    "Reviewer.review": Call(Reviewer(ReviewOptions(0), 1).review, {"record": RECORD}),
    "review": Call(review, {"record": RECORD, "advice_samples": 0, "seed": 1}),
    "Summary": Call(Summary, {}),
    "review: of_seat": Call(review(RECORD, advice_samples=0).of_seat, {"seat": Seat.N}),
    "review: of_side": Call(review(RECORD, advice_samples=0).of_side, {"side": Side.NS}),
    # Books and clusters
    "Book": Call(book.Book, {"file": files("hokm_solver").joinpath("book.zip")}, "file=x"),
    "Book.lookup": Call(book.shipped().lookup, {"cards": FIVE}),
    "Book.all_cards_seen": Call(book.shipped().all_cards_seen, {"cards": FIVE}),
    "Book.advise": Call(book.shipped().advise, {"cards": FIVE, "score": (1, 2)}, "score=None"),
    "Book.column": Call(book.shipped().column, {"name": "table"}),
    "lookup": Call(book.lookup, {"cards": FIVE}),
    "shipped": Call(book.shipped, {}),
    "Crew": Call(Crew, {"executor": ThreadPoolExecutor(1), "jobs": 1, "together": 1, "check": dict}),
    "dask_crew": Call(opened, {"address": "x"}),
}

# What is returned, which nobody has reason to make; and helpers of the modules that read JSON.
RETURNED = "Advice TrumpValue CardValue Solution Choice TrumpChoice Balance KnownValue PlayReview PlayerSummary Review"
RETURNED += " Totals TrumpReview Column BookAdvice"
HELPERS = "named_from_json needed_from_json"


def wrong_calls():
    for name, call in CALLS.items():
        meant = dict(each.split("=") for each in call.meant.split())
        for argument in call.arguments:
            for value in WRONG:
                if value not in meant.get(argument, "").split(","):
                    yield pytest.param(call, argument, WRONG[value], id=f"{name}: {argument}={value}")


@pytest.mark.parametrize(("call", "argument", "value"), list(wrong_calls()))
def test_a_wrong_value_in_one_place(call, argument, value):
    with pytest.raises(HokmError) as caught:
        drained(call.function)(**{**call.arguments, argument: value})
    assert "\n" not in str(caught.value)


def test_what_means_something_is_taken_or_refused_in_words():
    for call in (call for name, call in CALLS.items() if name != "advise"):  # a thousand deals take long
        for argument, values in (each.split("=") for each in call.meant.split()):
            for value in values.split(","):
                with suppress(HokmError, OSError):
                    drained(call.function)(**{**call.arguments, argument: WRONG[value]})


@pytest.mark.parametrize(
    "name", [name for name in CALLS if name not in ("ExternalPlayer", "dask_crew", "Book.all_cards_seen")]
)
def test_the_right_call(name):
    call = CALLS[name]
    if name == "write_records":
        call = call._replace(arguments={**call.arguments, "stream": StringIO()})
    drained(call.function)(**call.arguments)


def callables():
    """What can be called by its public name."""
    for package in (hokm_solver, engine, records, reviews):
        yield from (getattr(package, name) for name in package.__all__)
    for module in (notation, book, cluster):
        yield from (value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__)


def test_every_public_name_is_called():
    names = {each.__name__ for each in callables() if callable(each) and not each.__name__.startswith("_")}
    kinds = [each for each in callables() if inspect.isclass(each)]
    # Enumerations refuse what they do not know as Python does, with ValueError.
    own = {kind.__name__ for kind in kinds if issubclass(kind, (HokmError, Enum))}
    called = {name.split(".")[0] for name in CALLS}
    assert names - own - {*RETURNED.split(), *HELPERS.split()} == (called & names) - own
    assert not called & {*RETURNED.split(), *HELPERS.split()}


@pytest.mark.parametrize(
    "make",
    [
        lambda: CardSet(True),
        lambda: CardSet.of([CARD, None]),
        lambda: Seat.N.after(True),
        lambda: Trick(Seat.N, [CARD]),
        lambda: Trick(Seat.N, ("AH",)),
        lambda: Deal({0: 1, 1: 2, 2: 3, 3: 4}),
        lambda: Deal("abcd"),
        lambda: list(replay(START, [None])),
        lambda: notation.format_cards("AH"),
        lambda: View(Seat.N, Seat.N, Suit.HEARTS, VIEW.hand, [CARD]),
        lambda: Player().choose_trump("AH QH 9H KC 4D"),
        lambda: Player().choose_trump(["AH", "QH", "9H", "KC", "4D"]),
        lambda: Record(DEAL.hands, Seat.N, players={"a": 1}),
        lambda: Record(DEAL.hands, Seat.N, players={"N": "Sara"}),
        lambda: Record(DEAL.hands, Seat.N, players={Seat.N: 1}),
        lambda: Record(DEAL.hands, Seat.N, extra={1: 2}),
        lambda: Record(DEAL.hands, Seat.N, extra={"a": object()}),
        lambda: Record(DEAL.hands, Seat.N, extra={"a": NAN}),
        lambda: list(records.read_records(StringIO("{}"))),
        lambda: records.write_records([RECORD], BytesIO()),
        lambda: records.write_records([None], StringIO()),
        lambda: list(solve_many([None])),
        lambda: Equity.of({Outcome.KOT: "1"}),
    ],
)
def test_wrong_values_inside(make):
    with pytest.raises(FieldError if make.__code__.co_names[0] != "Equity" else MatchError):
        make()


def test_a_trick_has_one_to_four_cards_and_a_winner():
    with pytest.raises(PositionError, match="5 cards in a trick"):
        Trick(Seat.N, CARDS[:5])
    with pytest.raises(PositionError, match="without a card"):
        Trick(Seat.N).winner(Suit.HEARTS)


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30, 2.5, NAN, "x", None, True])
@pytest.mark.parametrize(
    "make",
    [
        lambda seed: Player(5, seed),
        lambda seed: Player(10, seed),
        lambda seed: PolicyPlayer("random", seed=seed),
        lambda seed: PimcPlayer(1, seed),
        lambda seed: SearchPlayer(1, seed),
        lambda seed: make_player("greedy", seed),
        lambda seed: make_player("engine:level=3", seed),
        lambda seed: Duel("random", "random", 1, seed),
    ],
)
def test_seeds_of_players(make, seed):
    with pytest.raises(FieldError, match="seed"):
        make(seed)


def test_seeds_may_be_numbers_of_numpy():
    for level in (5, 10):
        mine, same = (Player(level, seed).choose_card(VIEW, FEW) for seed in (7, np.uint64(7)))
        assert mine == same
        assert Player(level).choose_card(VIEW, Limits(worlds=1, seed=np.int64(7))) == mine
    assert deal_cards(np.int64(1)) == deal_cards(1)


@pytest.mark.parametrize("worlds", [10**30, 10**7 + 1])
def test_worlds_without_end(worlds):
    for make in (lambda: Limits(worlds=worlds), lambda: PimcPlayer(worlds, 1), lambda: SearchPlayer(worlds, 1)):
        with pytest.raises(LimitError, match="worlds must be 1 to 1000000"):
            make()
    with pytest.raises(LimitError, match="worlds must be 2 to 10000000"):
        table_values(CARDS[:5], worlds=worlds)


def test_a_summary_counts_nothing_that_is_no_review():
    assert not any(map(Summary().add, [*WRONG.values(), {}, {"schema": "hokm-solver/review/1"}]))
