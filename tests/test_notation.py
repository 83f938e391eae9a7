"""Reading and writing cards, hands, deals and positions."""

import json
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import load_jsonl, random_deal, random_position

from hokm_solver.cards import FULL_PACK, PACK, Card, CardSet, Rank, Seat, Suit
from hokm_solver.errors import DealError, FieldError, HokmError, NotationError, PositionError, Revoke
from hokm_solver.notation import (
    format_card,
    format_cards,
    format_deal,
    format_hand,
    format_hands,
    parse_card,
    parse_cards,
    parse_deal,
    parse_hand,
    parse_hands,
    parse_score,
    parse_seat,
    parse_suit,
    parse_won,
    position_from_json,
    position_from_text,
    position_to_json,
)

FIVE = "AH QH 9H KC 4D"
ENGLISH = [rank.name for rank in Rank] + [suit.name for suit in Suit] + [suit.name[:-1] for suit in Suit]
cards = st.sampled_from(PACK)
card_lists = st.lists(cards, unique=True, max_size=13)
card_sets = st.integers(0, FULL_PACK).map(lambda word: CardSet(word & FULL_PACK))
seeds = st.integers(0, 2**32).map(Random)
seats = st.sampled_from(list(Seat))


def is_read_or_refused_in_one_line(read, value):
    """Tell whether the value is read, or refused in a short line that can be printed; other errors come through."""
    try:
        read(value)
    except HokmError as error:
        return str(error).isprintable() and len(str(error)) < 300
    return True


# Cards


@given(card_lists)
def test_written_cards_are_read_back(wanted):
    assert parse_cards(format_cards(wanted), len(wanted), strict=True) == tuple(wanted)
    assert parse_cards(format_cards(wanted, pretty=True)) == tuple(wanted)
    assert parse_cards("".join(map(str, wanted))) == tuple(wanted)


@given(cards)
def test_every_spelling_of_a_card(card):
    ranks = {card.rank.letter, card.rank.letter.lower(), card.rank.persian}
    suits = {card.suit.letter, card.suit.letter.lower(), card.suit.symbol, card.suit.persian}
    for rank in ranks:
        for suit in suits:
            assert parse_card(rank + suit) == parse_card(suit + rank) == card
    rank, suit = card.rank.persian, card.suit.persian
    for between in ("", " ", "\u200c", "\u200f  "):
        assert parse_card(rank + between + suit) == parse_card(suit + between + rank) == card
    assert parse_card(format_card(card, pretty=True)) == card


@pytest.mark.parametrize(
    "text",
    [
        "ah qh 9h kc 4d",
        "HA HQ H9 CK D4",
        "AHQH9HKC4D",
        "ah,qh, 9h ,kc  4d",
        "AH، QH، 9H، KC، 4D",
        "A♥ Q♥ 9♥ K♣ 4♦",
        "A♥\ufe0f Q♥\ufe0e 9♥\ufe0f K♣\ufe0f 4♦\ufe0f",
        "♡A ♡Q ♡9 ♧K ♢4",
        "\ufeffAH\u200f QH\u200e 9H KC 4D\n",
        "آس دل بی‌بی دل نه دل شاه گشنیز چهار خشت",
        "تک دل، بی بی دل، ۹ دل، شاه خاج، ۴ خشت",
        "دل‌تک دل‌بیبی دل‌۹ خاج‌شاه خشت‌۴",
        "تكدل بيبيدل ٩دل شاهگشنيز ٤خشت",
        "اس دل QH 9♥ شاه خاج ۴d",
        "ace of hearts, Queen of Hearts, 9 of hearts, KING of clubs, four of diamonds",
        "hearts ace QUEEN♥ 9 heart King Clubs diamonds 4",
        "آس hearts queen دل، 9H KC four♦",
    ],
)
def test_forgiving_forms(text):
    assert parse_cards(text, 5) == parse_cards(FIVE, strict=True)


@pytest.mark.parametrize("text", ["TS", "10S", "XS", "S10", "sx", "۱۰♠", "١٠پيك", "ده پیک", "پیک ده", "10♤"])
def test_tens(text):
    assert parse_card(text) == Card(Suit.SPADES, Rank.TEN)


@given(cards, st.sampled_from(["", "s"]), st.sampled_from([str.lower, str.upper, str.title]))
def test_english_words(card, ending, case):
    rank, suit = case(card.rank.name), case(card.suit.name.removesuffix("S") + ending)
    for text in (f"{rank} of {suit}", f"{suit} {rank}", f"{rank}{card.suit.symbol}", f"{card.rank.letter} {suit}"):
        assert parse_card(text) == card


def test_no_run_of_letters_is_an_english_word():
    for word in ENGLISH:
        with pytest.raises(NotationError):
            parse_cards(word)


def test_persian_words_run_together_can_be_read_one_way_only():
    assert format_cards(parse_cards("دودلدهدلسهدل")) == "2H TH 3H"
    assert format_cards(parse_cards("دل دو دل ده بی بی دل بی بی پیک")) == "2H TH QH QS"
    assert format_cards(parse_cards("بیبی دل، پیک بیبی")) == "QH QS"


@pytest.mark.parametrize(
    ("text", "token", "problem"),
    [
        ("1H", '"1H"', 'unknown rank "1"'),
        ("0H", '"0H"', 'unknown rank "0"'),
        ("11H", '"11H"', 'unknown rank "11"'),
        ("AH 14h", '"14h"', 'unknown rank "14"'),
        ("AZ", '"AZ"', 'unknown suit "Z"'),
        ("²H", '"²H"', "unknown rank"),
        ("ßA", '"ßA"', "unknown suit"),
        ("foo", '"foo"', "not a card; cards are written AH, 10S"),
        ("joker", '"joker"', "not a card"),
        ("hello", '"hello"', "not a card"),
        ("AceHearts", '"AceHearts"', "not a card"),
        ("ace of", '"of"', "not a card"),
        ("A of H", '"A"', "a rank without a suit"),
        ("AH of KD", '"K"', '"of" stands between a rank and a suit'),
        ("hearts of ace", '"ace"', '"of" stands between'),
        ("A H", '"A"', "a rank without a suit"),
        ("H AK", '"H"', "a suit without a rank"),
        ("AHK", '"AHK"', '"K" is a rank without a suit'),
        ("AKH", '"AKH"', "two ranks"),
        ("HSA", '"HSA"', "two suits"),
        ("آس، دل", '"آس"', "a rank without a suit"),
        ("شاه ملکه", '"ملکه"', "not a card"),
        ("AH KD ha", '"ha"', "duplicate card AH"),
        ("A\x00H", '"A\\x00H"', "not a card"),
        ("AH\ud800", '"AH\\ud800"', "not a card"),
        ("AH;KD", '"AH;KD"', "not a card"),
        ("A" * 2000, '"' + "A" * 39 + '…"', "two ranks"),
        ("z" * 2000, '"' + "z" * 39 + '…"', "not a card"),
        ("A" * 10**5, '"' + "A" * 39 + '…"', "too long: 100,000 characters, 2,000 are the most"),
    ],
)
def test_a_bad_token_is_quoted_and_explained(text, token, problem):
    with pytest.raises(NotationError) as caught:
        parse_cards(text)
    assert token in str(caught.value)
    assert problem in str(caught.value)


def test_a_wrong_number_of_cards_is_counted():
    with pytest.raises(NotationError, match="4 cards where 5 are needed"):
        parse_cards("AH QH 9H KC", 5)
    with pytest.raises(NotationError, match="2 cards where 1 is needed"):
        parse_card("AH QH")
    with pytest.raises(NotationError, match="0 cards where 1 is needed"):
        parse_card("")
    with pytest.raises(NotationError, match="1 card where 5 are needed"):
        parse_cards("AH", 5)
    assert parse_cards(" ") == ()


@pytest.mark.parametrize("text", ["ah", "HA", "10S", "A♥", "AH  KD", "AHKD", "AH,KD", "AH ", "آس دل"])
def test_strict_reading_takes_the_canonical_form_only(text):
    assert parse_cards(text)
    with pytest.raises(NotationError, match="canonical"):
        parse_cards(text, strict=True)


@given(st.text())
@example("بی")
@example(",")
@example("۱")
def test_any_text_is_cards_or_a_clean_error(text):
    for read in (parse_cards, parse_hand, parse_hands, parse_seat, parse_suit, parse_won):
        assert is_read_or_refused_in_one_line(read, text)


@pytest.mark.parametrize("read", [parse_card, parse_cards, parse_hand, parse_hands, parse_seat, parse_suit, parse_won])
@pytest.mark.parametrize("value", [None, 5, True, b"AH", ["AH"]])
def test_what_is_not_text_is_a_clean_error(read, value):
    with pytest.raises(NotationError, match="text is needed"):
        read(value)


def test_suits_and_seats():
    assert [parse_suit(text) for text in ("s", "♥\ufe0f", "خشت", "خاج")] == list(Suit)
    assert [parse_suit(text) for text in ("Spades", "HEARTS", "diamond", "clubs ")] == list(Suit)
    assert [parse_seat(text) for text in ("n", "W", " s", "e")] == list(Seat)
    assert [parse_seat(text) for text in ("north", "West", "SOUTH", "east")] == list(Seat)
    assert [parse_seat(text) for text in ("شمال", "غرب", " جنوب ", "شرق")] == list(Seat)
    for read, text in (
        (parse_suit, "NT"),
        (parse_suit, ""),
        (parse_suit, "AS"),
        (parse_seat, "Northern"),
        (parse_suit, "heartss"),
        (parse_seat, ""),
    ):
        with pytest.raises(NotationError, match="unknown"):
            read(text)


# Hands and deals


@given(card_sets)
def test_written_hands_are_read_back(hand):
    assert parse_hand(format_hand(hand), strict=True) == hand
    assert parse_hand(format_hand(hand).lower().replace("t", "10")) == hand


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-", ""),
        ("...", ""),
        (".AKQ..", "AH KH QH"),
        ("10..2.", "TS 2D"),
        ("q2ka...", "AS KS QS 2S"),
        ("...۱۰۹", "TC 9C"),
    ],
)
def test_hands(text, expected):
    assert str(parse_hand(text)) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("AKQ", "has 1"),
        ("", "has 1"),
        ("A.K.Q", "has 3"),
        ("A.K.Q.J.", "has 5"),
        ("A1.K.Q.J", 'unknown rank "1"'),
        ("AA...", "duplicate card AS"),
        ("A-.K.Q.J", 'unknown rank "-"'),
        ("A K.Q.J.", 'unknown rank " "'),
        ("10T...", "duplicate card TS"),
        ("9" * 1000 + "...", "duplicate card 9S"),
        ("9" * 10**5 + "...", "is too long"),
    ],
)
def test_bad_hands(text, problem):
    with pytest.raises(NotationError) as caught:
        parse_hand(text)
    assert problem in str(caught.value)


@pytest.mark.parametrize("text", ["-", "ak...", "KA...", "10...", " A..."])
def test_strict_hands(text):
    assert parse_hand(text) is not None
    with pytest.raises(NotationError, match="canonical"):
        parse_hand(text, strict=True)


@given(seeds, seats)
def test_written_deals_are_read_back(rng, first):
    deal = random_deal(rng)
    text = format_deal(deal, first)
    assert parse_deal(text, strict=True) == deal
    assert text.startswith(f"{first.name}:")


@given(seeds, st.integers(1, 13), seats)
def test_positions_use_the_form_of_deals(rng, left, first):
    hands = random_position(rng, left).hands
    assert parse_hands(format_hands(hands, first), strict=True) == hands


def test_deals_run_clockwise():
    north, west, south, east = parse_hands("N:A... K... Q... J...")
    assert [str(hand) for hand in (north, east, south, west)] == ["AS", "KS", "QS", "JS"]
    assert parse_hands("e: k... q... j... a...") == (north, west, south, east)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A... K... Q... J...", "seat and a colon"),
        ("X:A... K... Q... J...", 'unknown seat "X"'),
        ("N:A... K... Q...", "3 hands"),
        ("N:A... K... Q... J... -", "5 hands"),
        ("N:A... K... Q1.. J...", "S: a hand has four suits"),
        ("N:A... K... Q... 1...", 'W: unknown rank "1"'),
    ],
)
def test_bad_deals(text, problem):
    with pytest.raises(NotationError) as caught:
        parse_hands(text)
    assert problem in str(caught.value)


def test_a_card_in_two_hands_is_named_with_both():
    with pytest.raises(DealError, match="duplicate card AS: in the hands of N and W"):
        parse_hands("N:A... K... Q... A...")


def test_a_deal_needs_all_cards():
    with pytest.raises(DealError, match="N has 1 card,"):
        parse_deal("N:A... K... Q... J...")


# Positions

HANDS = {"N": ".K643..9", "W": "..94.KQ8", "S": "2..A863.", "E": "T95...J4"}
ENTRY = {"hands": HANDS, "trump": "H", "hakem": "E", "leader": "N", "trick": [], "won": {"NS": 6, "WE": 2}}


@given(seeds, st.integers(1, 13))
def test_written_positions_are_read_back(rng, left):
    position = random_position(rng, left)
    text = json.dumps(position_to_json(position))
    assert position_from_json(json.loads(text)) == (position,)


@pytest.mark.parametrize(
    "name", ["positions_play", "positions_early", "positions_kot", "positions_freak", "positions_full"]
)
def test_stored_positions(name):
    for entry in load_jsonl(name):
        (position,) = position_from_json(entry)
        assert position.to_play.name == entry["to_play"]
        assert set(position.legal_cards()) == {parse_card(card) for card in entry["cards"]}


def test_other_forms_of_the_same_position():
    (position,) = position_from_json(ENTRY)
    pbn = format_hands(position.hands, Seat.S)
    without_hands = {key: value for key, value in ENTRY.items() if key != "hands"}
    assert position_from_json(without_hands | {"deal": pbn, "event": 7}) == (position,)
    assert position_from_json(ENTRY | {"deal": pbn, "trick": ""}) == (position,)
    assert position_from_json(ENTRY | {"trick": None, "trump": "دل", "hakem": "e"}) == (position,)
    assert position_from_text(pbn, "E", "h", "N", "", "we:2, ns=6") == (position,)


def test_without_a_trump_all_four():
    for missing in ({"trump": None}, {}):
        entry = {key: value for key, value in ENTRY.items() if key != "trump"} | missing
        positions = position_from_json(entry)
        assert [position.trump for position in positions] == list(Suit)
        assert {position.with_trump(Suit.HEARTS) for position in positions} == set(position_from_json(ENTRY))
    assert len(position_from_text(format_hands(positions[0].hands), "E", leader="N", won="NS:6,WE:2")) == 4


def test_in_the_first_trick_leader_and_tricks_may_be_left_out():
    deal = random_deal(Random(4))
    (position,) = position_from_text(format_deal(deal), "W", "S")
    assert (position.leader, position.won, position.trick) == (Seat.W, (0, 0), ())
    lead = next(iter(position.legal_cards()))
    hands = format_hands(position.play(lead).hands)
    assert position_from_text(hands, "W", "S", trick=str(lead)) == (position.play(lead),)


def test_a_trick_as_list_or_as_text():
    (position,) = position_from_json(ENTRY)
    after = position.play(parse_card("3H")).play(parse_card("4D"))
    entry = position_to_json(after)
    for trick in (["H3", "4d"], "3H4D", "۳♥ ۴♦", "3 دل، ۴ خشت"):
        assert position_from_json(entry | {"trick": trick}) == (after,)


@pytest.mark.parametrize(
    ("change", "kind", "field", "problem"),
    [
        ({"hands": None}, FieldError, "hands", "missing"),
        ({"hands": 5}, FieldError, "hands", "not 5"),
        ({"hands": []}, FieldError, "hands", "a list"),
        ({"hands": "N:- -"}, NotationError, "hands", "2 hands"),
        ({"hands": {"N": "A..."}}, FieldError, "hands.W", "missing"),
        ({"hands": HANDS | {"X": "..."}}, FieldError, "hands", '"X"'),
        ({"hands": HANDS | {"N": None}}, FieldError, "hands.N", "null"),
        ({"hands": HANDS | {"N": "1..."}}, NotationError, "hands.N", 'unknown rank "1"'),
        ({"hands": HANDS | {"N": ".K643..J"}}, DealError, None, "JC"),
        ({"deal": "N:... ... ... ..."}, FieldError, "deal", "differ"),
        ({"deal": 5}, FieldError, "deal", "not 5"),
        ({"hakem": None}, FieldError, "hakem", "missing"),
        ({"hakem": "X"}, NotationError, "hakem", '"X"'),
        ({"hakem": 1}, FieldError, "hakem", "text, not 1"),
        ({"trump": "N"}, NotationError, "trump", '"N"'),
        ({"trump": ""}, NotationError, "trump", '""'),
        ({"trump": True}, FieldError, "trump", "true"),
        ({"leader": []}, FieldError, "leader", "a list"),
        ({"leader": None}, PositionError, None, "leader is missing"),
        ({"trick": 5}, FieldError, "trick", "not 5"),
        ({"trick": {}}, FieldError, "trick", "an object"),
        ({"trick": [5]}, FieldError, "trick[0]", "not 5"),
        ({"trick": ["1H"]}, NotationError, "trick[0]", 'unknown rank "1"'),
        ({"trick": "AH K"}, NotationError, "trick", '"K"'),
        ({"won": None}, PositionError, None, "tricks won are missing"),
        ({"won": 8}, FieldError, "won", "not 8"),
        ({"won": "NS:6"}, FieldError, "won", '"NS:6"'),
        ({"won": {"EW": 2}}, FieldError, "won", '"EW"'),
        ({"won": {"NS": True, "WE": 2}}, FieldError, "won.NS", "true"),
        ({"won": {"NS": 6.0, "WE": 2}}, FieldError, "won.NS", "6.0"),
        ({"won": {"NS": float("nan")}}, FieldError, "won.NS", "nan"),
        ({"won": {"NS": 6, "WE": None}}, FieldError, "won.WE", "null"),
        ({"won": {"NS": 6, "WE": -1}}, PositionError, None, "-1"),
        ({"won": {"NS": 6}}, PositionError, None, "leave 7"),
        ({"won": {"NS": 10**20}}, PositionError, None, "a huge number"),
    ],
)
def test_a_bad_field_is_named(change, kind, field, problem):
    with pytest.raises(kind) as caught:
        position_from_json(ENTRY | change)
    assert problem in str(caught.value)
    assert caught.value.field == field
    assert field is None or field in str(caught.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["N", "AH", "-"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["N", "W", "S", "E", "NS", "WE", "x"]), inner)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*ENTRY, "deal"]), json_values))
def test_any_json_is_a_position_or_a_clean_error(change):
    assert is_read_or_refused_in_one_line(position_from_json, ENTRY | change)


@pytest.mark.parametrize("value", [None, [], "N", 5, [ENTRY]])
def test_a_position_is_an_object(value):
    with pytest.raises(FieldError, match="JSON object"):
        position_from_json(value)


def test_a_revoke_in_the_trick_is_refused():
    hands = HANDS | {"N": ".K64..9", "W": ".8.9.KQ"}
    with pytest.raises(Revoke, match="W played 4D, a revoke: W holds 8H"):
        position_from_json(ENTRY | {"hands": hands, "trick": ["3H", "4D"]})


@pytest.mark.parametrize(
    "text", ["", "6-2", "NS:", "NS:1;WE:2", "EW:2", "NS:1,NS:2", "NS:-1", "NS:1.0", "NS:1234567890", "NS:²"]
)
def test_bad_tricks_won(text):
    with pytest.raises(NotationError, match="NS"):
        parse_won(text)


def test_scores_are_read_like_tricks_won():
    assert parse_score("ns:12, WE:3") == (12, 3)
    with pytest.raises(NotationError, match='a score is written NS:2,WE:3, not "3-5"'):
        parse_score("3-5")


@pytest.mark.parametrize(("text", "won"), [("NS:2,WE:3", (2, 3)), ("we:3", (0, 3)), ("WE=۳، NS : 2", (2, 3))])
def test_tricks_won(text, won):
    assert parse_won(text) == won


@pytest.mark.parametrize("read", [parse_cards, parse_card, parse_hand, parse_hands, parse_deal, parse_seat, parse_suit])
def test_accents_without_end_are_refused_at_once(read):
    # Composing them takes quadratic time, minutes for a line as long as a batch allows.
    with pytest.raises(NotationError, match="too long: 1,000,001 characters"):
        read("A" + "\u0301\u0323" * 500_000)


def test_tricks_won_without_end_are_refused():
    with pytest.raises(NotationError, match="too long"):
        position_from_text("N:A... K... Q... J...", "N", won="\u0301\u0323" * 5000)
