"""Playouts: deals played to their end by policies that see one hand and the public record.

Cards are bit numbers (16·suit + rank − 2), card sets 64-bit words, seats N W S E = 0 1 2 3, worlds rows of four words in
that order. Margins are hakem's side's view: −7 … −1, +1 … +7.

What a policy may know is the argument list of `choose`: the record and the mover's own cards. The hands of a world are
read by `finish` alone, to hand each policy its own.
"""

cimport cython

from libc.math cimport log
from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t
from libc.string cimport memcpy

from cards cimport cards_t, count, ctz, lane_of, lowest
from position cimport relabelled
from learned cimport (
    MOST_TABLES, TABLE, TABLES, UNIT, WEIGHTS, Learned, Scene, Suit, describe, learned_card,
    look_around, look_at_suit, score_of
)
from record cimport (
    DECK, Record as Seen, above, beats, is_over, legal_cards, margin, one_of_each_run, put, to_play, unseen_by
)
from rng cimport Rng, rng_below, rng_seed
from rule_policies cimport greedy_card, random_card, rules_card

cdef enum:
    SEATS = 4
    RANKS = 13
    RANDOM = 0
    GREEDY = 1
    RULES = 2
    LEARNED = 3
    HOTTEST = 1000  # temperature: far beyond it noise would not fit its number

KINDS = ("random", "greedy", "rules", "learned")
WEIGHT_SHAPE = (TABLES, TABLE)
MOST_LOOK_UPS = MOST_TABLES  # of one card


cdef struct Mind:
    int kind
    Learned learned


cdef inline cards_t choose(const Mind* mind, const Seen* seen, cards_t hand, Rng* rng) noexcept nogil:
    """The card this policy plays from `hand`; of equal cards the lowest."""
    cdef cards_t legal = legal_cards(seen, hand)
    if not legal & (legal - 1):
        return legal
    if mind.kind == RANDOM:
        return random_card(legal, rng)
    legal = one_of_each_run(seen, hand, legal)
    if not legal & (legal - 1):
        return legal
    if mind.kind == GREEDY:
        return greedy_card(seen, hand, legal, to_play(seen))
    if mind.kind == RULES:
        return rules_card(seen, hand, legal, to_play(seen))
    return learned_card(&mind.learned, seen, hand, legal, to_play(seen), rng)


cdef inline int finish(Seen* seen, cards_t* hands, const Mind* even, const Mind* odd, Rng* rng) noexcept nogil:
    """Play on to the end of the deal, hakem's side by `even` and the others by `odd`; the margin."""
    cdef int seat
    cdef cards_t card
    while not is_over(seen):
        seat = to_play(seen)
        card = choose(odd if seat & 1 else even, seen, hands[seat], rng)
        hands[seat] ^= card
        put(seen, card)
    return margin(seen)


cdef inline bint is_won(Seen* seen, cards_t* hands, const Mind* mind, Rng* rng, int side) noexcept nogil:
    return (finish(seen, hands, mind, mind, rng) > 0) == (side == 0)


cdef bint wins_with_best_next(Seen* seen, cards_t* hands, const Mind* mind, Rng* rng, int side) noexcept nogil:
    """Whether some card of `side`, when it moves next, leads to a won deal; all other cards are the policy's."""
    cdef Seen after
    cdef cards_t left[SEATS]
    cdef cards_t cards, card
    cdef int seat = to_play(seen)
    while not is_over(seen) and (seat ^ side) & 1:
        card = choose(mind, seen, hands[seat], rng)
        hands[seat] ^= card
        put(seen, card)
        seat = to_play(seen)
    if is_over(seen):
        return (margin(seen) > 0) == (side == 0)
    cards = one_of_each_run(seen, hands[seat], legal_cards(seen, hands[seat]))
    while cards:
        card = lowest(cards)
        cards ^= card
        after = seen[0]
        memcpy(left, hands, sizeof(left))
        left[seat] ^= card
        put(&after, card)
        if is_won(&after, left, mind, rng, side):
            return True
    return False


@cython.final
cdef class Record:
    """The public record of a deal: hakem, trump and the cards played so far.

    ValueError for numbers that are no seats, suits or cards, and for a card that was played before or after the end.

    Thread-safety: ``play`` changes the record; everything else only reads it.
    """

    cdef Seen seen
    cdef readonly int hakem
    cdef readonly int trump

    def __cinit__(self, int hakem, int trump, plays=()):
        if not (0 <= hakem < SEATS and 0 <= trump < SEATS):
            raise ValueError("seats and suits are numbers from 0 to 3")
        self.hakem = hakem
        self.trump = trump
        for card in plays:
            self.play(card)

    cpdef void play(self, int card) except *:
        """Add a card of the player to move."""
        if is_over(&self.seen) or not fresh(self, card):
            raise ValueError("no card that may be played: no card, played before, or after the end of the deal")
        put(&self.seen, relabelled(<cards_t>1 << card, self.trump))

    def copy(self):
        """An independent record of the same plays."""
        cdef Record other = Record(self.hakem, self.trump)
        other.seen = self.seen
        return other

    @property
    def over(self):
        """Whether a side has seven tricks."""
        return bool(is_over(&self.seen))

    @property
    def to_play(self):
        """The seat whose turn it is."""
        return (to_play(&self.seen) + self.hakem) & 3

    @property
    def turn(self):
        """Cards in the trick in progress."""
        return self.seen.turn

    @property
    def won(self):
        """Tricks of hakem's side and of the others."""
        return self.seen.won, self.seen.lost

    @property
    def gone(self):
        """Every card played."""
        return relabelled(self.seen.gone, self.trump)

    @property
    def sizes(self):
        """Cards held by each seat N W S E."""
        played = [(seat - self.hakem - self.seen.leader) & 3 for seat in range(SEATS)]
        return [13 - self.seen.won - self.seen.lost - (turn < self.seen.turn) for turn in played]

    @property
    def voids(self):
        """For each seat N W S E the suits it has shown to be out of: a 4-bit set, bit 0 ♠ … bit 3 ♣."""
        cdef int seat, suit
        cdef cards_t out
        found = [0] * SEATS
        for seat in range(SEATS):
            out = relabelled(self.seen.out[seat], self.trump)
            for suit in range(4):
                if out >> (16 * suit) & 1:
                    found[(seat + self.hakem) & 3] |= 1 << suit
        return found

    def legal(self, uint64_t hand):
        """The cards of `hand` that may be played."""
        return relabelled(legal_cards(&self.seen, relabelled(hand, self.trump)), self.trump)

    def distinct(self, uint64_t hand):
        """The lowest card of every run of equal cards among the legal ones of `hand`, as bit numbers."""
        cdef cards_t mine = relabelled(hand, self.trump)
        return _numbers(relabelled(one_of_each_run(&self.seen, mine, legal_cards(&self.seen, mine)), self.trump))

    cdef void load(self, const uint64_t* world, cards_t* hands) noexcept nogil:
        """The hands of a world, seats from hakem, trump in lane 3."""
        cdef int seat
        for seat in range(SEATS):
            hands[(seat - self.hakem) & 3] = relabelled(world[seat], self.trump)


cdef inline bint fresh(Record record, int card) noexcept nogil:
    """Whether it is the number of a card that has not been played."""
    cdef cards_t bit = <cards_t>1 << (card & 63)
    return card == card & 63 and bit & DECK and not relabelled(bit, record.trump) & record.seen.gone


cdef inline int left_to(const Seen* seen, int seat) noexcept nogil:
    """How many cards a seat, counted from hakem, holds now."""
    return RANKS - seen.won - seen.lost - (1 if (seat - seen.leader) & 3 < seen.turn else 0)


cdef inline bint fits(const Seen* seen, int seat, cards_t hand) noexcept nogil:
    """Whether a seat can hold these cards now, as far as their number and those played tell."""
    return not hand & (seen.gone | ~DECK) and count(hand) == left_to(seen, seat)


cdef int check_hand(Record record, uint64_t hand) except -1:
    """Check the cards of the player to move, or those among them that are to be chosen from."""
    cdef cards_t mine = relabelled(hand, record.trump)
    if is_over(&record.seen):
        raise ValueError("the deal is over")
    if not mine or mine & (record.seen.gone | ~DECK) or count(mine) > left_to(&record.seen, to_play(&record.seen)):
        raise ValueError("a hand holds a card or more, none of them played, and no more than its player has left")
    return 0


cdef int check_worlds(Record record, const uint64_t[:, ::1] worlds, Py_ssize_t room) except -1:
    """Check that rows are the four hands at this moment, and that there is room for so many results."""
    cdef Py_ssize_t row
    cdef int seat
    cdef cards_t hands[SEATS]
    cdef cards_t seen
    cdef bint good = True
    if worlds.shape[1] != SEATS or room < worlds.shape[0]:
        raise ValueError("worlds must have shape (n, 4), and results room for n")
    with nogil:
        for row in range(worlds.shape[0]):
            record.load(&worlds[row, 0], hands)
            seen = 0
            for seat in range(SEATS):
                good = good and fits(&record.seen, seat, hands[seat]) and not hands[seat] & seen
                seen |= hands[seat]
            if not good:
                break
    if not good:
        raise ValueError(f"world {row} is not four hands that fit the cards played")
    return 0


cdef int check_cards(Record record, const uint64_t[:, ::1] worlds, const int32_t[::1] cards,
                     const int8_t[:, ::1] results) except -1:
    """Check worlds in which the player to move plays each of `cards`, and that `results` has a place for each."""
    cdef Py_ssize_t row, k
    cdef int seat = (to_play(&record.seen) + record.hakem) & 3
    check_worlds(record, worlds, results.shape[1])
    if results.shape[0] < cards.shape[0]:
        raise ValueError("results must have shape (cards, worlds)")
    if is_over(&record.seen):
        raise ValueError("the deal is over")
    for k in range(cards.shape[0]):
        if not fresh(record, cards[k]):
            raise ValueError(f"{cards[k]} is no card that may be played")
        for row in range(worlds.shape[0]):
            if not worlds[row, seat] >> cards[k] & 1:
                raise ValueError(f"card {cards[k]} is not in the hand of world {row}")
    return 0


cdef _numbers(cards_t cards):
    found = []
    while cards:
        found.append(ctz(cards))
        cards &= cards - 1
    return found


@cython.final
cdef class Policy:
    """A way to choose cards from one hand and the record.

    ``kind``: one of KINDS. ``weights``: for ``learned`` only, whole numbers of WEIGHT_SHAPE; 256 are one unit of log-odds.
    ``temperature``: 0 plays the best card of ``learned``, more draws from the softmax of its scores.

    Thread-safety: nothing changes after construction.
    """

    cdef Mind mind

    def __init__(self, str kind, weights=None, double temperature=0.0):
        cdef int i
        cdef int16_t[:, ::1] view
        if kind not in KINDS:
            raise ValueError(f"a kind of policy is one of {', '.join(KINDS)}")
        self.mind.kind = KINDS.index(kind)
        if self.mind.kind != LEARNED:
            return
        view = weights
        if view is None or (view.shape[0], view.shape[1]) != WEIGHT_SHAPE:
            raise ValueError(f"weights need shape {WEIGHT_SHAPE}")
        if not 0 <= temperature <= HOTTEST:
            raise ValueError(f"a temperature is a number from 0 to {HOTTEST}")
        for i in range(WEIGHTS):
            self.mind.learned.weights[i] = (&view[0, 0])[i]
        self.mind.learned.noise = <int>(temperature * UNIT + 0.5)
        for i in range(UNIT):
            self.mind.learned.gumbel[i] = <int>(-log(-log((i + 0.5) / UNIT)) * UNIT)

    def choose(self, Record record not None, uint64_t hand, uint64_t seed=0):
        """The card, as a bit number, that this policy plays from `hand`, the cards its player holds now or some of them."""
        cdef Rng rng
        check_hand(record, hand)
        rng_seed(&rng, seed, <uint64_t>count(record.seen.gone))
        return ctz(relabelled(choose(&self.mind, &record.seen, relabelled(hand, record.trump), &rng), record.trump))

    def play_out(self, Record record not None, const uint64_t[:, ::1] worlds not None, int8_t[::1] margins not None,
                 uint64_t seed=0, uint64_t start=0, Policy others=None):
        """Play every world on from the record; margins, shape (n,).

        ``others`` plays for the side that is not hakem's, by default this policy. Row i uses random stream
        (seed, start + i).
        """
        cdef Policy odd = self if others is None else others
        cdef Py_ssize_t row
        cdef Rng rng
        cdef Seen seen
        cdef cards_t hands[SEATS]
        check_worlds(record, worlds, margins.shape[0])
        with nogil:
            for row in range(worlds.shape[0]):
                rng_seed(&rng, seed, start + <uint64_t>row)
                seen = record.seen
                record.load(&worlds[row, 0], hands)
                margins[row] = finish(&seen, hands, &self.mind, &odd.mind, &rng)

    def next_cards(self, Record record not None, const uint64_t[:, ::1] worlds not None, int32_t[::1] cards not None,
                   uint64_t seed=0):
        """The card, as a bit number, that the player to move plays next in every world, as a playout would; shape (n,)."""
        cdef Py_ssize_t row
        cdef Rng rng
        cdef cards_t hands[SEATS]
        cdef cards_t card
        check_worlds(record, worlds, cards.shape[0])
        if is_over(&record.seen):
            raise ValueError("the deal is over")
        with nogil:
            for row in range(worlds.shape[0]):
                rng_seed(&rng, seed, 0)
                record.load(&worlds[row, 0], hands)
                card = choose(&self.mind, &record.seen, hands[to_play(&record.seen)], &rng)
                cards[row] = ctz(relabelled(card, record.trump))

    def card_margins(self, Record record not None, const uint64_t[:, ::1] worlds not None,
                     const int32_t[::1] cards not None, int8_t[:, ::1] margins not None, uint64_t seed=0,
                     uint64_t start=0):
        """Play every card of `cards` (bit numbers) in every world, then on; margins, shape (cards, worlds).

        All cards meet the same worlds and the same random numbers.
        """
        cdef Py_ssize_t row, k
        cdef Rng rng
        cdef Seen seen
        cdef cards_t dealt[SEATS]
        cdef cards_t hands[SEATS]
        cdef cards_t card
        cdef int seat = to_play(&record.seen)
        check_cards(record, worlds, cards, margins)
        with nogil:
            for row in range(worlds.shape[0]):
                record.load(&worlds[row, 0], dealt)
                for k in range(cards.shape[0]):
                    card = relabelled(<cards_t>1 << cards[k], record.trump)
                    hands = dealt
                    hands[seat] ^= card
                    seen = record.seen
                    put(&seen, card)
                    rng_seed(&rng, seed, start + <uint64_t>row)
                    margins[k, row] = finish(&seen, hands, &self.mind, &self.mind, &rng)

    def look_ahead_wins(self, Record record not None, const uint64_t[:, ::1] worlds not None,
                        const int32_t[::1] cards not None, int8_t[:, ::1] wins not None, uint64_t seed=0):
        """For every card and world, shape (cards, worlds): 1 if the mover's side can win the deal, else 0.

        The side tries the card and then each of its cards at its next turn, whoever of the two moves, with the world
        open; everything else is played by this policy.
        """
        cdef Py_ssize_t row, k
        cdef Rng rng
        cdef Seen seen
        cdef cards_t dealt[SEATS]
        cdef cards_t hands[SEATS]
        cdef cards_t card
        cdef int seat = to_play(&record.seen)
        check_cards(record, worlds, cards, wins)
        with nogil:
            for row in range(worlds.shape[0]):
                record.load(&worlds[row, 0], dealt)
                for k in range(cards.shape[0]):
                    card = relabelled(<cards_t>1 << cards[k], record.trump)
                    hands = dealt
                    hands[seat] ^= card
                    seen = record.seen
                    put(&seen, card)
                    rng_seed(&rng, seed, <uint64_t>row)
                    wins[k, row] = wins_with_best_next(&seen, hands, &self.mind, &rng, seat & 1)

    def scores(self, Record record not None, uint64_t hand):
        """Scores of `record.distinct(hand)` under ``learned``, 256 to one unit of log-odds, in that order."""
        cdef Scene scene
        cdef Suit suit
        cdef cards_t card, mine = relabelled(hand, record.trump)
        check_hand(record, hand)
        look_around(&record.seen, mine, legal_cards(&record.seen, mine), to_play(&record.seen), &scene)
        found = []
        for number in record.distinct(hand):
            card = relabelled(<cards_t>1 << <int>number, record.trump)
            look_at_suit(&record.seen, &scene, lane_of(card), &suit)
            found.append(score_of(self.mind.learned.weights, &record.seen, &scene, &suit, card))
        return found


def features(Record record not None, uint64_t hand, int32_t[:, ::1] out not None):
    """Write the look-up numbers of `record.distinct(hand)` into rows of `out`, shape (cards, MOST_LOOK_UPS).

    Numbers count through all weights, so that a score is the sum of ``weights.ravel()[row]``; −1 stands for none.
    """
    cdef Scene scene
    cdef Suit suit
    cdef int index[MOST_TABLES]
    cdef int row, k
    cdef cards_t card, mine = relabelled(hand, record.trump)
    check_hand(record, hand)
    numbers = record.distinct(hand)
    if out.shape[0] < len(numbers) or out.shape[1] != MOST_TABLES:
        raise ValueError(f"features need shape (cards, {MOST_TABLES})")
    look_around(&record.seen, mine, legal_cards(&record.seen, mine), to_play(&record.seen), &scene)
    for row, number in enumerate(numbers):
        card = relabelled(<cards_t>1 << <int>number, record.trump)
        look_at_suit(&record.seen, &scene, lane_of(card), &suit)
        describe(&record.seen, &scene, &suit, card, index)
        for k in range(MOST_TABLES):
            out[row, k] = (scene.first + k) * TABLE + index[k] if k < scene.tables else -1
