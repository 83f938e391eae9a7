"""What one seat can see when it is its turn, checked against the rules as far as that seat can."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from hokm_solver.cards import EMPTY_SET, FULL_SET, Card, CardSet, Seat, Side, Suit
from hokm_solver.deal import Deal, Trick
from hokm_solver.errors import FieldError, IllegalHistory, InconsistentVoids, check_type, counted
from hokm_solver.match import check_score
from hokm_solver.rules import FIRST_PACKET, TRICKS, TRICKS_TO_WIN, legal_cards

Voids = tuple[frozenset[Suit], frozenset[Suit], frozenset[Suit], frozenset[Suit]]
Sizes = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class View:
    """What the seat to move knows: its own cards and the public record, nothing of the other hands.

    Attributes:
        seat: whose view it is; it is this seat's turn.
        hakem: who named trump.
        trump: the trump suit.
        hand: the 13 cards dealt to this seat.
        plays: every card played so far, in order.
        first_five: the five cards from which trump was named, if this seat is hakem and they are known.
        score: the score of the match before this deal, indexed by `Side`, or None.
        tricks: the tricks so far, the last one in progress (perhaps still without a card).
        won: tricks taken so far, indexed by `Side`.
        held: the cards this seat still holds.
        unseen: the cards in the three other hands.
        sizes: how many cards each seat still holds, N W S E.
        voids: the suits each seat has shown to be out of, N W S E, the trick in progress included.
    """

    seat: Seat
    hakem: Seat
    trump: Suit
    hand: CardSet
    plays: tuple[Card, ...] = ()
    first_five: CardSet | None = None
    score: tuple[int, int] | None = None
    tricks: tuple[Trick, ...] = field(init=False, compare=False, repr=False)
    won: tuple[int, int] = field(init=False, compare=False, repr=False)
    held: CardSet = field(init=False, compare=False, repr=False)
    unseen: CardSet = field(init=False, compare=False, repr=False)
    sizes: Sizes = field(init=False, compare=False, repr=False)
    voids: Voids = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the view and work out what follows from it.

        Raises:
            FieldError: a hand that is not 13 cards, first five that cannot be, a score that cannot be, or a field of
                the wrong type.
            IllegalHistory: a play that cannot have happened (``plays[5]``), or another seat's turn (``plays``).
            InconsistentVoids: the unseen cards cannot be dealt so that every void shown is true.
        """
        _check_types(self)
        _check_hand(self)
        _check_first_five(self)
        if self.score is not None:
            check_score(self.hakem, self.score)
        walk = _Walk(self)
        for index, card in enumerate(self.plays):
            walk.play(index, card)
        walk.check_turn()
        walk.record.complete(self)
        _check_voids(self)

    @classmethod
    def of_deal(
        cls,
        deal: Deal,
        seat: Seat,
        trump: Suit,
        plays: tuple[Card, ...] = (),
        score: tuple[int, int] | None = None,
    ) -> View:
        """Return what ``seat`` sees of a deal with a known hakem after ``plays``.

        Raises:
            FieldError: the deal does not know its hakem; and the errors of making a view.
        """
        check_type(deal, Deal, "deal")
        check_type(seat, Seat, "seat")
        if deal.hakem is None:
            raise FieldError("the deal does not say who is hakem", field="deal")
        first_five = deal.first_five if seat == deal.hakem else None
        return cls(seat, deal.hakem, trump, deal.hands[seat], plays, first_five, score)

    @property
    def leader(self) -> Seat:
        """The seat that leads or led the trick in progress."""
        return self.tricks[-1].leader

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick in progress, in order."""
        return self.tricks[-1].cards

    @property
    def led(self) -> Suit | None:
        """The suit led to the trick in progress, None when this seat leads."""
        return self.tricks[-1].led

    @property
    def to_play(self) -> Seat:
        """The seat whose turn it is: always this one."""
        return self.seat

    def legal_cards(self) -> CardSet:
        """Return the cards this seat may play now; never empty."""
        return legal_cards(self.held, self.led)


class PublicRecord:
    """What everybody at the table sees of a deal. It is told the cards played, one after another; it checks nothing."""

    def __init__(self, hakem: Seat, trump: Suit) -> None:
        """Begin before the first lead."""
        self.hakem = hakem
        self.trump = trump
        self.plays: list[Card] = []
        self.played = EMPTY_SET
        self.done: list[Trick] = []
        self.trick = Trick(hakem)
        self.won = [0, 0]
        self.sizes = [TRICKS] * len(Seat)
        self.voids: list[frozenset[Suit]] = [frozenset()] * len(Seat)

    def add(self, card: Card) -> None:
        """Let the seat whose turn it is play a card."""
        player, led = self.trick.to_play, self.trick.led
        if led is not None and led != card.suit:
            self.voids[player] |= {led}
        self.plays.append(card)
        self.played |= CardSet(card.bit)
        self.sizes[player] -= 1
        self.trick = Trick(self.trick.leader, (*self.trick.cards, card))
        if self.trick.complete:
            winner = self.trick.winner(self.trump)
            self.won[winner.side] += 1
            self.done.append(self.trick)
            self.trick = Trick(winner)

    def view(self, hand: CardSet, first_five: CardSet | None = None, score: tuple[int, int] | None = None) -> View:
        """Return what the seat to move sees, ``hand`` being dealt to it, without any check.

        For those who know the whole deal and play by the rules; checking every view of a deal from its first play on
        would cost them more than anything else.
        """
        view = object.__new__(View)
        given = (self.trick.to_play, self.hakem, self.trump, hand, tuple(self.plays), first_five, score)
        for name, value in zip(("seat", "hakem", "trump", "hand", "plays", "first_five", "score"), given):
            object.__setattr__(view, name, value)
        self.complete(view)
        return view

    def complete(self, view: View) -> None:
        """Fill in the fields of a view that follow from the plays."""
        held = view.hand - self.played
        derived = {
            "tricks": (*self.done, self.trick),
            "won": tuple(self.won),
            "held": held,
            "unseen": FULL_SET - self.played - held,
            "sizes": tuple(self.sizes),
            "voids": tuple(self.voids),
        }
        for name, value in derived.items():
            object.__setattr__(view, name, value)


class _Walk:
    """Goes through the plays of a view and refuses the first that its seat can tell to be impossible."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._held = view.hand
        self.record = PublicRecord(view.hakem, view.trump)

    def play(self, index: int, card: Card) -> None:
        """Let the seat whose turn it is play a card, number ``index`` of the deal."""
        player = self.record.trick.to_play
        wrong = self._what_is_wrong(player, card)
        if wrong is not None:
            where = f"trick {len(self.record.done) + 1}: {player.name} cannot have played {card}"
            raise IllegalHistory(f"{where}, {wrong}", field=f"plays[{index}]")
        self._held -= CardSet(card.bit)
        self.record.add(card)

    def _what_is_wrong(self, player: Seat, card: Card) -> str | None:
        for side in Side:
            if self.record.won[side] >= TRICKS_TO_WIN:
                return f"{side.name} had its seven tricks and play had stopped"
        if card in self.record.played:
            return "it was played before"
        seat, trick = self._view.seat, self.record.trick
        if player != seat:
            return self._what_others_show(player, card)
        if card not in self._held:
            return f"which was not dealt to {seat.name}"
        if card not in legal_cards(self._held, trick.led):
            return f"a revoke: {seat.name} held {self._held.suit(trick.cards[0].suit)} and could follow suit"
        return None

    def _what_others_show(self, player: Seat, card: Card) -> str | None:
        if card in self._held:
            return f"which {self._view.seat.name} holds"
        if card.suit in self.record.voids[player]:
            return f"a revoke: {player.name} did not follow {card.suit.symbol} before"
        return None

    def check_turn(self) -> None:
        """Check that the deal goes on and that it is the turn of the view's seat."""
        for side in Side:
            if self.record.won[side] >= TRICKS_TO_WIN:
                raise IllegalHistory(f"{side.name} has its seven tricks, the deal is over", field="plays")
        turn = self.record.trick.to_play
        if turn != self._view.seat:
            said = f"after {counted(len(self._view.plays), 'play')} it is the turn of {turn.name}"
            raise IllegalHistory(f"{said}, not of {self._view.seat.name}", field="plays")


def _check_types(view: View) -> None:
    fields = {"seat": Seat, "hakem": Seat, "trump": Suit, "hand": CardSet}
    for name, kind in fields.items():
        check_type(getattr(view, name), kind, name)
    check_type(view.plays, tuple, "plays")
    if view.first_five is not None:
        check_type(view.first_five, CardSet, "first_five")
    for index, card in enumerate(view.plays):
        check_type(card, Card, f"plays[{index}]")


def _check_hand(view: View) -> None:
    if len(view.hand) != TRICKS:
        raise FieldError(f"a deal gives {view.seat.name} {TRICKS} cards, not {len(view.hand)}", field="hand")


def _check_first_five(view: View) -> None:
    five = view.first_five
    if five is None:
        return
    if view.seat != view.hakem:
        raise FieldError(f"only hakem {view.hakem.name} has a first five, not {view.seat.name}", field="first_five")
    if len(five) != FIRST_PACKET:
        raise FieldError(f"{counted(len(five), 'card')} in the first five", field="first_five")
    for card in five - view.hand:
        raise FieldError(f"{card} is in the first five, but not in the hand", field="first_five")


def _check_voids(view: View) -> None:
    """Hall's condition: any suits together need room in the hands that may hold one of them.

    Since the unseen cards are exactly as many as the places, this is enough as well as needed, and with four suits
    there are few groups to look at.
    """
    others = [seat for seat in Seat if seat != view.seat]
    for count in range(1, len(Suit) + 1):
        for suits in combinations(Suit, count):
            cards = sum(len(view.unseen.suit(suit)) for suit in suits)
            takers = [seat for seat in others if not view.voids[seat].issuperset(suits)]
            room = sum(view.sizes[seat] for seat in takers)
            if cards > room:
                raise InconsistentVoids(_no_room(suits, cards, takers, room), field="plays")


def _no_room(suits: tuple[Suit, ...], cards: int, takers: list[Seat], room: int) -> str:
    shown = "".join(suit.symbol for suit in suits)
    unseen = f"{counted(cards, 'card')} of {shown} {'is' if cards == 1 else 'are'}"
    if not takers:
        return f"{unseen} not seen, but all others have shown to be void there"
    names = " and ".join(seat.name for seat in takers)
    return f"{unseen} not seen, but only {names} can hold them and have room for {room}"
