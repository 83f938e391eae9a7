"""Exactly uniform hidden hands, seeded.

A world is four 64-bit card sets in order of play N W S E (bit 16·suit + rank − 2). What is known of it is given as, for
every seat, the cards it certainly holds, how many unseen cards it holds besides, and the suits it is known to be out of.
Every world that fits has the same chance.

Two ways, both exact:

* no void binds: the unseen cards are shuffled and dealt out;
* otherwise the suits are taken in order. With at most three hidden hands, ``ways[s][i][j]`` counts the ways to deal suits
  s … 3 when the first two of them still need i and j cards (the third takes the rest)::

      ways[s][i][j] = Σ over x, y of  C(m, x) · C(m − x, y) · ways[s + 1][i − x][j − y]

  with m the unseen cards of suit s, and x, y or m − x − y forced to 0 by a void. A split is drawn in proportion to its
  term, then the suit's cards are shuffled. The largest count, 39!/13!³ ≈ 8.4·10¹⁶, fits 64 bits (a double would not hold it).

Dealing into the hands one after another and repairing voids would be shorter, and is not uniform.
"""

from math import factorial, prod

cimport cython
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from rng cimport Rng, rng_below, rng_below_64, rng_seed

cdef enum:
    SEATS = 4
    SUITS = 4
    LANE = 16
    RANKS = 13
    HIDDEN = 3  # hands the count of splits can tell apart

cdef const uint64_t ONE = 1


cdef struct Plan:
    uint64_t known[SEATS]
    int need[SEATS]              # unseen cards a seat holds
    int voids[SEATS]             # the suits it is out of, a 4-bit set
    int unseen[SEATS * RANKS]    # bit numbers of the unseen cards, suit after suit
    int suit_start[SUITS + 1]    # where a suit's cards stand in `unseen`
    int hidden[HIDDEN]           # the seats dealt to when suits are split
    bint closed[SUITS][HIDDEN]   # that seat is out of that suit
    uint64_t ways[SUITS + 1][RANKS + 1][RANKS + 1]


cdef uint64_t choose(int n, int k) noexcept nogil:
    """n over k for n ≤ 13; 0 outside the triangle."""
    cdef uint64_t result = 1
    cdef int i
    if k < 0 or k > n:
        return 0
    for i in range(k):
        result = result * <uint64_t>(n - i) // <uint64_t>(i + 1)
    return result


cdef inline uint64_t split_ways(const Plan* plan, int suit, int i, int j, int x, int y) noexcept nogil:
    """Ways to deal suits `suit` … 3 with x and y cards of `suit` to the first two hidden seats, which need i and j."""
    cdef int m = plan.suit_start[suit + 1] - plan.suit_start[suit]
    if (x and plan.closed[suit][0]) or (y and plan.closed[suit][1]) or (m - x - y and plan.closed[suit][2]):
        return 0
    return choose(m, x) * choose(m - x, y) * plan.ways[suit + 1][i - x][j - y]


cdef uint64_t count_suits_from(const Plan* plan, int suit, int i, int j) noexcept nogil:
    """ways[suit][i][j], when the row of the next suit is complete."""
    cdef int left = plan.suit_start[SUITS] - plan.suit_start[suit]
    cdef int m = plan.suit_start[suit + 1] - plan.suit_start[suit]
    cdef uint64_t total = 0
    cdef int x, y
    if i + j > left or left - i - j > plan.need[plan.hidden[2]]:
        return 0
    for x in range(min(i, m) + 1):
        for y in range(min(j, m - x) + 1):
            total += split_ways(plan, suit, i, j, x, y)
    return total


cdef void count_ways(Plan* plan) noexcept nogil:
    cdef int suit, i, j
    plan.ways[SUITS][0][0] = 1  # no suits and no needs left: one way; everything else stays 0
    for suit in range(SUITS - 1, -1, -1):
        for i in range(plan.need[plan.hidden[0]] + 1):
            for j in range(plan.need[plan.hidden[1]] + 1):
                plan.ways[suit][i][j] = count_suits_from(plan, suit, i, j)


cdef inline void shuffle(int* cards, int n, Rng* rng) noexcept nogil:
    """Fisher–Yates, from the last card down."""
    cdef int i, k
    for i in range(n - 1, 0, -1):
        k = <int>rng_below(rng, <unsigned int>(i + 1))
        cards[i], cards[k] = cards[k], cards[i]


cdef inline uint64_t take(const int* cards, int n) noexcept nogil:
    """The set of n cards given by bit number."""
    cdef uint64_t bits = 0
    cdef int i
    for i in range(n):
        bits |= ONE << cards[i]
    return bits


cdef void deal_shuffled(const Plan* plan, Rng* rng, uint64_t* world) noexcept nogil:
    """No void binds: shuffle all unseen cards and hand them out in seat order."""
    cdef int cards[SEATS * RANKS]
    cdef int n = plan.suit_start[SUITS]
    cdef int k, seat, dealt = 0
    for k in range(n):
        cards[k] = plan.unseen[k]
    shuffle(cards, n, rng)
    for seat in range(SEATS):
        world[seat] = plan.known[seat] | take(cards + dealt, plan.need[seat])
        dealt += plan.need[seat]


cdef void draw_split(const Plan* plan, int suit, int i, int j, Rng* rng, int* first, int* second) noexcept nogil:
    """How many of `suit` the first two hidden seats get, in proportion to the ways each split leaves."""
    cdef uint64_t pick = rng_below_64(rng, plan.ways[suit][i][j])
    cdef uint64_t term
    cdef int m = plan.suit_start[suit + 1] - plan.suit_start[suit]
    cdef int x, y
    for x in range(min(i, m) + 1):
        for y in range(min(j, m - x) + 1):
            term = split_ways(plan, suit, i, j, x, y)
            if pick < term:
                first[0] = x
                second[0] = y
                return
            pick -= term


cdef void deal_by_suit(const Plan* plan, Rng* rng, uint64_t* world) noexcept nogil:
    """Voids bind: draw how each suit splits, then which cards."""
    cdef int cards[RANKS]
    cdef int suit, start, m, k
    cdef int x = 0, y = 0
    cdef int i = plan.need[plan.hidden[0]], j = plan.need[plan.hidden[1]]
    for k in range(SEATS):
        world[k] = plan.known[k]
    for suit in range(SUITS):
        start = plan.suit_start[suit]
        m = plan.suit_start[suit + 1] - start
        for k in range(m):
            cards[k] = plan.unseen[start + k]
        draw_split(plan, suit, i, j, rng, &x, &y)
        shuffle(cards, m, rng)
        world[plan.hidden[0]] |= take(cards, x)
        world[plan.hidden[1]] |= take(cards + x, y)
        world[plan.hidden[2]] |= take(cards + x + y, m - x - y)
        i -= x
        j -= y


cdef struct Listing:
    # All worlds that fit, as far as there is room for them.
    uint64_t* rows
    Py_ssize_t room
    Py_ssize_t n
    uint64_t world[SEATS]
    int need[SEATS]


cdef void list_from(const Plan* plan, int k, int suit, Listing* found) noexcept nogil:
    """Give the unseen cards from the k-th on to every seat that may hold them; `suit` is that of the card before."""
    cdef int seat
    if k == plan.suit_start[SUITS]:
        if found.n < found.room:
            memcpy(found.rows + SEATS * found.n, found.world, sizeof(found.world))
        found.n += 1
        return
    while k >= plan.suit_start[suit + 1]:
        suit += 1
    for seat in range(SEATS):
        if found.need[seat] and not plan.voids[seat] >> suit & 1:
            found.need[seat] -= 1
            found.world[seat] ^= ONE << plan.unseen[k]
            list_from(plan, k + 1, suit, found)
            found.world[seat] ^= ONE << plan.unseen[k]
            found.need[seat] += 1


cdef void shuffle_rows(uint64_t* rows, Py_ssize_t n, Rng* rng) noexcept nogil:
    """Fisher–Yates over rows of four words, from the last row down."""
    cdef uint64_t row[SEATS]
    cdef Py_ssize_t i, k
    for i in range(n - 1, 0, -1):
        k = <Py_ssize_t>rng_below_64(rng, <uint64_t>(i + 1))
        memcpy(row, rows + SEATS * i, sizeof(row))
        memcpy(rows + SEATS * i, rows + SEATS * k, sizeof(row))
        memcpy(rows + SEATS * k, row, sizeof(row))


@cython.final
cdef class Sampler:
    """Draws worlds that fit what is known, or lists them all.

    ``known``: four card sets held for certain; ``unseen``: the cards to deal; ``sizes``: how many of them each seat gets;
    ``voids``: per seat a 4-bit set of suits (bit 0 ♠ … bit 3 ♣) of which it gets none. ValueError when no world fits, or when a void
    binds and more than three seats are hidden.

    Thread-safety: nothing changes after construction; any number of threads may draw from one sampler.
    """

    cdef Plan plan
    cdef bint by_suit

    def __cinit__(self, known, uint64_t unseen, sizes, voids):
        cdef int seat
        if not len(known) == len(sizes) == len(voids) == SEATS:
            raise ValueError("known cards, sizes and voids are needed of four seats")
        for seat in range(SEATS):
            self.plan.known[seat] = known[seat]
            self.plan.need[seat] = sizes[seat]
            self.plan.voids[seat] = voids[seat]
        self._lay_out(unseen)
        if sum(sizes) != self.plan.suit_start[SUITS] or min(sizes) < 0 or max(sizes) > RANKS:
            raise ValueError("the hidden hands do not have room for exactly the unseen cards")
        self.by_suit = self._void_binds()
        if self.by_suit:
            self._prepare_split()

    cdef void _lay_out(self, uint64_t unseen) noexcept:
        cdef int bit, suit, n = 0
        for suit in range(SUITS):
            self.plan.suit_start[suit] = n
            for bit in range(LANE * suit, LANE * suit + RANKS):
                if unseen >> bit & 1:
                    self.plan.unseen[n] = bit
                    n += 1
        self.plan.suit_start[SUITS] = n

    cdef bint _void_binds(self) noexcept:
        """Whether some seat that gets cards must not get one of the unseen suits."""
        cdef int seat, suit
        for seat in range(SEATS):
            for suit in range(SUITS):
                if self.plan.suit_start[suit] < self.plan.suit_start[suit + 1] and self.plan.voids[seat] >> suit & 1:
                    if self.plan.need[seat]:
                        return True
        return False

    cdef int _prepare_split(self) except -1:
        cdef int i, suit
        # Seats that get cards first; a seat that gets none may fill up the three.
        order = sorted(range(SEATS), key=[not need for need in self.plan.need].__getitem__)
        if self.plan.need[order[HIDDEN]]:
            raise ValueError("voids can be kept for at most three hidden hands")
        for i in range(HIDDEN):
            self.plan.hidden[i] = order[i]
            for suit in range(SUITS):
                self.plan.closed[suit][i] = self.plan.voids[order[i]] >> suit & 1
        count_ways(&self.plan)
        if self._split_ways() == 0:
            raise ValueError("no deal fits the hand sizes and voids")

    cdef uint64_t _split_ways(self) noexcept:
        """Number of worlds that fit, when a void binds."""
        return self.plan.ways[0][self.plan.need[self.plan.hidden[0]]][self.plan.need[self.plan.hidden[1]]]

    def ways(self):
        """Number of worlds that fit."""
        if self.by_suit:
            return self._split_ways()
        return factorial(self.plan.suit_start[SUITS]) // prod(map(factorial, self.plan.need))

    def fill(self, uint64_t[:, ::1] out not None, uint64_t seed, uint64_t start=0):
        """Write worlds start, start + 1, … of `seed` into the rows of `out`, shape (n, 4); the GIL is released."""
        cdef Py_ssize_t row
        cdef Rng rng
        if out.shape[1] != SEATS:
            raise ValueError("worlds need an array of shape (n, 4)")
        with nogil:
            for row in range(out.shape[0]):
                rng_seed(&rng, seed, start + <uint64_t>row)
                if self.by_suit:
                    deal_by_suit(&self.plan, &rng, &out[row, 0])
                else:
                    deal_shuffled(&self.plan, &rng, &out[row, 0])

    def fill_all(self, uint64_t[:, ::1] out not None, uint64_t seed):
        """Write every world that fits into the rows of `out`, shape (ways, 4), in an order drawn from `seed`."""
        cdef Rng rng
        cdef Listing found
        if out.shape[1] != SEATS or out.shape[0] != self.ways():
            raise ValueError("all worlds need an array of shape (ways, 4)")
        found.rows, found.room, found.n = &out[0, 0], out.shape[0], 0
        found.world, found.need = self.plan.known, self.plan.need
        with nogil:
            list_from(&self.plan, 0, 0, &found)
            rng_seed(&rng, seed, 0)
            shuffle_rows(found.rows, found.room, &rng)
