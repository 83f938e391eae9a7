"""A deal, a trick, a position: immutable, and checked once, when they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from hokm_solver.cards import EMPTY_SET, Card, CardSet, Seat, Side, Suit
from hokm_solver.errors import (
    DealError,
    FieldError,
    IllegalPlay,
    PositionError,
    Revoke,
    check_iterable,
    check_type,
    counted,
    is_whole,
    quote,
)
from hokm_solver.rules import (
    FIRST_PACKET,
    TRICKS,
    TRICKS_TO_WIN,
    Outcome,
    legal_cards,
    outcome_of,
    trick_winner_index,
)
from hokm_solver.showing import Shown

Hands = tuple[CardSet, CardSet, CardSet, CardSet]


def hand_text(hand: CardSet) -> str:
    """Write a hand as ``AKQ.JT9.876.5432``, each suit from the top down; no cards at all is ``...``."""
    return ".".join("".join(card.rank.letter for card in hand.suit(suit)) for suit in Suit)


def hands_text(hands: Sequence[CardSet], first: Seat = Seat.N) -> str:
    """Write four hands (in seat order N W S E) as PBN does: against the order of play, clockwise from ``first``."""
    clockwise = (first.after(-turn) for turn in range(4))
    return f"{first.name}:" + " ".join(hand_text(hands[seat]) for seat in clockwise)


def check_hands(hands: Sequence[CardSet]) -> None:
    """Check that there are four hands and no card is in two of them.

    Raises:
        DealError: names the card and the two seats. FieldError: something else than hands.
    """
    check_four_hands(hands)
    for one, two in combinations(Seat, 2):
        for card in hands[one] & hands[two]:
            raise DealError(f"duplicate card {card}: in the hands of {one.name} and {two.name}")


def check_four_hands(hands: Sequence[CardSet]) -> None:
    """Check that there are four hands, whatever they hold.

    Raises:
        DealError: three hands, or five. FieldError: something else than hands.
    """
    check_type(hands, Sequence, "hands")
    if len(hands) != 4:
        raise DealError(f"{counted(len(hands), 'hand')} where 4 are needed")
    for hand in hands:
        check_type(hand, CardSet, "hands")


@dataclass(frozen=True, slots=True)
class Deal(Shown):
    """The four hands of 13, in seat order N W S E, and where known hakem and the five cards dealt to him first."""

    hands: Hands
    hakem: Seat | None = None
    first_five: CardSet | None = None

    def __post_init__(self) -> None:
        """Check the deal.

        Raises:
            DealError: a hand has not 13 cards, a card is dealt twice, or ``first_five`` are not five cards of hakem.
            FieldError: a field is of the wrong type; it is named.
        """
        check_hands(self.hands)
        if self.hakem is not None:
            check_type(self.hakem, Seat, "hakem")
        for seat in Seat:
            if len(self.hands[seat]) != TRICKS:
                raise DealError(f"{seat.name} has {counted(len(self.hands[seat]), 'card')}, a deal gives {TRICKS}")
        if self.first_five is not None:
            check_type(self.first_five, CardSet, "first_five")
            self._check_first_five(self.first_five)

    def __str__(self) -> str:
        """Return the four hands in the PBN form, clockwise, and hakem if he is known."""
        return hands_text(self.hands) + (f", hakem {self.hakem.name}" if self.hakem is not None else "")

    def _check_first_five(self, first_five: CardSet) -> None:
        if self.hakem is None:
            raise DealError("the first five are given, but not who is hakem")
        if len(first_five) != FIRST_PACKET:
            raise DealError(f"{counted(len(first_five), 'card')} in the first five")
        for card in first_five - self.hands[self.hakem]:
            raise DealError(f"{card} is in the first five, but hakem {self.hakem.name} does not hold it")


@dataclass(frozen=True, slots=True)
class Trick:
    """Up to four cards in order of play, and the seat that led."""

    leader: Seat
    cards: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        """Check the types and the number of cards.

        Raises:
            FieldError: a field is of the wrong type; it is named. PositionError: more than four cards.
        """
        # Replaying a deal makes many tricks: calls only for what is wrong.
        if not isinstance(self.leader, Seat) or not isinstance(self.cards, tuple):
            check_type(self.leader, Seat, "leader")
            check_type(self.cards, tuple, "cards")
        for card in self.cards:
            if not isinstance(card, Card):
                check_type(card, Card, "cards")
        if len(self.cards) > 4:
            raise PositionError(f"{counted(len(self.cards), 'card')} in a trick: it has four")

    @property
    def led(self) -> Suit | None:
        """The suit led, or None before the lead."""
        return self.cards[0].suit if self.cards else None

    @property
    def to_play(self) -> Seat:
        """The seat whose turn it is; after four cards, the leader again."""
        return self.leader.after(len(self.cards))

    @property
    def complete(self) -> bool:
        """Whether all four have played."""
        return len(self.cards) == 4

    @property
    def plays(self) -> tuple[tuple[Seat, Card], ...]:
        """Who played what, in order."""
        return tuple((self.leader.after(turn), card) for turn, card in enumerate(self.cards))

    def winner(self, trump: Suit) -> Seat:
        """Return the seat that is winning the trick, which must hold at least one card.

        Raises:
            PositionError: it holds none. FieldError: ``trump`` is no suit.
        """
        check_type(trump, Suit, "trump")
        if not self.cards:
            raise PositionError("nobody is winning a trick without a card")
        return self.leader.after(trick_winner_index(self.cards, trump))


@dataclass(frozen=True, slots=True)
class Position(Shown):
    """A moment of play with all cards seen.

    ``hands`` are the cards still held, in seat order N W S E; ``trick`` the cards of the unfinished trick in order,
    led by ``leader``; ``won`` the tricks taken so far, indexed by :class:`~hokm_solver.cards.Side`.
    """

    hands: Hands
    trump: Suit
    hakem: Seat
    leader: Seat
    trick: tuple[Card, ...] = ()
    won: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        """Check that play can reach this position.

        Raises:
            DealError: a card is in two hands.
            PositionError: numbers of cards and tricks do not fit, or the leader cannot be right.
            Revoke: a hand could have followed suit in the trick shown.
            FieldError: a field is of the wrong type; it is named.
        """
        _check_types(self)
        check_hands(self.hands)
        _check_trick_cards(self)
        _check_won(self.won)
        _check_counts(self)
        _check_leader(self)
        _check_revoke(self)

    @classmethod
    def start(cls, deal: Deal, trump: Suit, hakem: Seat | None = None) -> Position:
        """Return the position before the first lead; ``hakem`` may be left out if the deal knows him.

        Raises:
            PositionError: nobody says who is hakem, or the deal says somebody else.
            FieldError: an argument is of the wrong type; it is named.
        """
        check_type(deal, Deal, "deal")
        if hakem is not None:
            check_type(hakem, Seat, "hakem")
        if hakem is None:
            hakem = deal.hakem
        if hakem is None:
            raise PositionError("the deal does not say who is hakem: he must be given", field="hakem")
        if deal.hakem not in (None, hakem):
            raise PositionError(f"hakem is {hakem.name}, but the deal was made for another hakem", field="hakem")
        return cls(deal.hands, trump, hakem, hakem)

    def __str__(self) -> str:
        """Return the cards still held, clockwise, and what else belongs to the position, in one line."""
        trick = f", trick {' '.join(map(str, self.trick))}" if self.trick else ""
        won = ",".join(f"{side.name}:{self.won[side]}" for side in Side)
        seats = f"hakem {self.hakem.name}, leader {self.leader.name}"
        return f"{hands_text(self.hands)}, trump {self.trump.letter}, {seats}{trick}, won {won}"

    @property
    def to_play(self) -> Seat:
        """The seat whose turn it is."""
        return self.leader.after(len(self.trick))

    @property
    def current_trick(self) -> Trick:
        """The unfinished trick."""
        return Trick(self.leader, self.trick)

    @property
    def trick_number(self) -> int:
        """The number of the trick being played, from 1."""
        return sum(self.won) + 1

    @property
    def cards_left(self) -> int:
        """The number of cards of the player to move."""
        return len(self.hands[self.to_play])

    @property
    def hakem_tricks(self) -> int:
        """Tricks won by hakem's side."""
        return self.won[self.hakem.side]

    @property
    def other_tricks(self) -> int:
        """Tricks won by the side that is not hakem's."""
        return self.won[self.hakem.side.other]

    def outcome(self) -> Outcome | None:
        """Return how the deal ended, or None while neither side has seven tricks."""
        return outcome_of(self.hakem_tricks, self.other_tricks)

    def legal_cards(self) -> CardSet:
        """Return the cards the player to move may play; none once a side has seven tricks."""
        if max(self.won) >= TRICKS_TO_WIN:
            return EMPTY_SET
        return legal_cards(self.hands[self.to_play], self.trick[0].suit if self.trick else None)

    def play(self, card: Card) -> Position:
        """Return the position after the player to move plays ``card``.

        Raises:
            Revoke: the player could follow suit and ``card`` does not.
            IllegalPlay: the player does not hold ``card``, or the deal is decided.
            FieldError: ``card`` is no card.
        """
        if card not in self.legal_cards():
            raise self._why_illegal(card)
        seat = self.to_play
        hands = list(self.hands)
        hands[seat] -= CardSet(card.bit)
        trick = Trick(self.leader, (*self.trick, card))
        left = (hands[0], hands[1], hands[2], hands[3])
        if not trick.complete:
            return self._with(left, self.leader, trick.cards, self.won)
        winner = trick.winner(self.trump)
        gained = (self.won[Side.NS] + (winner.side == Side.NS), self.won[Side.WE] + (winner.side == Side.WE))
        return self._with(left, winner, (), gained)

    def with_trump(self, trump: Suit) -> Position:
        """Return the same cards and tricks with another trump.

        Raises:
            FieldError: `trump` is no suit.
        """
        check_type(trump, Suit, "trump")
        return self._with(self.hands, self.leader, self.trick, self.won, trump)

    def _with(
        self, hands: Hands, leader: Seat, trick: tuple[Card, ...], won: tuple[int, int], trump: Suit | None = None
    ) -> Position:
        """Build a neighbour of this position without checks: legal play cannot leave what is legal.

        The checks would also refuse the end of a deal, which is no position to start from but must be reachable.
        """
        new = object.__new__(Position)
        values = (hands, self.trump if trump is None else trump, self.hakem, leader, trick, won)
        for name, value in zip(("hands", "trump", "hakem", "leader", "trick", "won"), values):
            object.__setattr__(new, name, value)
        return new

    def _why_illegal(self, card: Card) -> IllegalPlay:
        check_type(card, Card, "card")
        seat, led = self.to_play, self.current_trick.led
        where = f"trick {self.trick_number}: {seat.name} cannot play {card}"
        if max(self.won) >= TRICKS_TO_WIN:
            return IllegalPlay(f"{where}, a side has its seven tricks and play has stopped")
        if card not in self.hands[seat]:
            return IllegalPlay(f"{where}, which {seat.name} does not hold")
        assert led is not None
        return Revoke(f"{where}, a revoke: {seat.name} holds {self.hands[seat].suit(led)} and can follow suit")


def replay(start: Position, plays: Iterable[Card]) -> Iterator[Position]:
    """Yield ``start`` and then the position after each of ``plays`` in turn.

    Raises:
        IllegalPlay: naming trick, seat and card, when the play that cannot be made is reached.
        FieldError: at once, that ``start`` is no position or ``plays`` no list; when it is reached, what is no card.
    """
    check_type(start, Position, "start")
    check_iterable(plays, "plays")
    return _replay(start, plays)


def _replay(position: Position, plays: Iterable[Card]) -> Iterator[Position]:
    yield position
    for card in plays:
        position = position.play(card)
        yield position


def _check_types(position: Position) -> None:
    check_type(position.trump, Suit, "trump")
    for field in ("hakem", "leader"):
        check_type(getattr(position, field), Seat, field)
    check_type(position.trick, tuple, "trick")
    for card in position.trick:
        check_type(card, Card, "trick")
    check_type(position.won, tuple, "won")
    for tricks in position.won:
        if not is_whole(tricks):
            raise FieldError(f"won must be whole numbers, not {quote(tricks)}", field="won")


def _check_trick_cards(position: Position) -> None:
    trick = position.trick
    if len(trick) > 3:
        raise PositionError(f"{len(trick)} cards in the trick: a trick in progress has at most three")
    for card in trick:
        if trick.count(card) > 1:
            raise PositionError(f"duplicate card {card}: twice in the trick")
        for seat in Seat:
            if card in position.hands[seat]:
                raise PositionError(f"duplicate card {card}: in the trick and in the hand of {seat.name}")


def _check_won(won: tuple[int, int]) -> None:
    if len(won) != 2:
        raise PositionError("tricks won must be two numbers, for NS and for WE")
    for side in Side:
        tricks = won[side]
        if tricks < 0:
            raise PositionError(f"{side.name} cannot have won {quote(tricks)} tricks")
        if tricks >= TRICKS_TO_WIN:
            raise PositionError(f"{side.name} has won {quote(tricks)} tricks: the deal is over at {TRICKS_TO_WIN}")


def _check_counts(position: Position) -> None:
    """Check the size of every hand, counting a card in the trick as one its player held when the trick began."""
    played = {position.leader.after(turn) for turn in range(len(position.trick))}
    began_with = {seat: len(position.hands[seat]) + (seat in played) for seat in Seat}
    needed = TRICKS - sum(position.won)
    if set(began_with.values()) == {needed}:
        return
    sizes = Counter(began_with.values())
    if len(sizes) == 1:
        have = f"{position.to_play.name} to play has {counted(position.cards_left, 'card')}"
        raise PositionError(f"{have}, but the tricks won (NS {position.won[0]}, WE {position.won[1]}) leave {needed}")
    common = max(sizes, key=lambda size: (sizes[size], size == needed))
    odd = next(seat for seat in Seat if began_with[seat] != common)
    expected = common - (odd in played)
    have = f"{odd.name} has {counted(len(position.hands[odd]), 'card')}"
    raise PositionError(f"{have} where {expected} {'is' if expected == 1 else 'are'} needed")


def _check_leader(position: Position) -> None:
    leader = position.leader
    if not sum(position.won):
        if leader != position.hakem:
            raise PositionError(f"{leader.name} leads, but hakem {position.hakem.name} leads the first trick")
    elif not position.won[leader.side]:
        raise PositionError(f"{leader.name} leads, but {leader.side.name} has won no trick")


def _check_revoke(position: Position) -> None:
    led = position.current_trick.led
    for seat, card in position.current_trick.plays:
        could_follow = position.hands[seat].suit(led) if led is not None else EMPTY_SET
        if card.suit != led and could_follow:
            raise Revoke(
                f"trick {position.trick_number}: {seat.name} played {card}, a revoke: "
                f"{seat.name} holds {could_follow} and could follow suit"
            )
