"""The race search: who takes enough tricks first, with all cards seen.

Built twice from this one source: `_search` runs anywhere, `_search_bmi2` uses BMI2 instructions and
is loaded only where the processor has them. Both give the same answers and the same node counts.

Every question is a race: do hakem's side (the even seats, counted from hakem) take `a` more tricks
before the others take `b` more? With n tricks to go, the slack n + 1 - a - b says by how many tricks
the race may end early; at slack 0 it is the question "at least a of n", and the tricks of both
sides add up. Slack stays the same all through a race, so it is a part of the key of the table.
"""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from bounds cimport Count, long_trumps, most, quick_tricks, slow_trump, top_trumps
from cards cimport (
    CARDS, OPEN, RANKS, TRUMPS, YES, cards_t, count, ctz, highest, lane_mask, lane_of, length, lowest, pack, pack2,
    run_tops, unpack,
)
from context cimport (
    BOUND_TICKS, COMPARES, HINTS, HITS, LOOK_UPS, LOOK_UP_TICKS, ORDER_TICKS, PLAYS, SEARCHED, SETTLED, STORES,
    STORE_TICKS, TALLIES, Context, Frame, tally, ticks,
)
from hints cimport hinted, keep_hint, lead_key, suit_key, void_key
from order cimport ORDER_WEIGHTS, WEIGHTS, Choices, only, order_in_suit, order_leads, order_void
from position cimport Root, Trick, add_to_trick, one_of, relabelled, shape_of
from ranks cimport beside, extended, extended_in, trimmed
from table cimport Entry, Head, look_up, reset_table, store

from time import perf_counter

cdef enum:
    CHECK_NODES = 1 << 14   # nodes between two looks at the clock and at signals
    MOST_MB = 4096          # of a table, whose entries have 32-bit numbers



cdef inline cards_t last_trick(Context *c, int leader) noexcept nogil:
    """One card each: who takes the trick?"""
    cdef cards_t led = c.hand[leader]
    cdef cards_t counts = lane_of(led) | TRUMPS
    cdef cards_t best = led, card, all = led
    cdef int winner = leader, i, seat
    for i in range(1, 4):
        seat = (leader + i) & 3
        card = c.hand[seat]
        all |= card
        if (card & counts) > best:
            best = card
            winner = seat
    cdef cards_t ranks = best if (all & lane_of(best)) != best else 0
    return ranks | (0 if winner & 1 else YES)


cdef inline cards_t settled(Context *c, int leader, int n, int a, int b, cards_t shape,
                            cards_t all) noexcept nogil:
    """The answer where tricks that need no search decide the race, else OPEN."""
    cdef cards_t leader_wins = 0 if leader & 1 else YES
    cdef int need = b if leader & 1 else a, others_need = a if leader & 1 else b
    cdef int next_seat = (leader + 1) & 3
    cdef Count sure
    if need <= n:
        sure = quick_tricks(c.hand, leader, n, need, c.slack, shape)
        if sure.tricks >= need:
            return trimmed(c, sure.ranks, all) | leader_wins
    if c.slack:
        return OPEN
    if long_trumps(shape, leader) >= need:
        return leader_wins
    if long_trumps(shape, next_seat) >= others_need:
        return leader_wins ^ YES
    if need == 1:
        sure = slow_trump(c.hand, leader & 1, n, leader, all)
        if sure.tricks:
            return trimmed(c, sure.ranks, all) | leader_wins
    sure = top_trumps((c.hand[next_seat] | c.hand[next_seat ^ 2]) & TRUMPS, (c.hand[leader] | c.hand[leader ^ 2]) & TRUMPS,
                      most(length(shape, next_seat, 3), length(shape, next_seat ^ 2, 3)), others_need)
    if sure.tricks < others_need and others_need == 1:
        sure = slow_trump(c.hand, next_seat & 1, n, leader, all)
    if sure.tricks >= others_need:
        return trimmed(c, sure.ranks, all) | (leader_wins ^ YES)
    return OPEN


cdef cards_t trick(Context *c, int leader, int a, int b, cards_t shape) noexcept nogil:
    """Does hakem's side (the even seats) take `a` more tricks before the others take `b` more?

    Returns the answer in the top bit, and the cards whose rank the proof used in the others.
    """
    cdef int n, compared
    cdef int64_t began
    cdef cards_t all, p1, p0, ranks, result
    cdef Entry *e
    if a <= 0:
        return YES
    if b <= 0:
        return 0
    n = a + b - 1 + c.slack
    if n == 1:
        return last_trick(c, leader)
    c.nodes += 1
    if c.nodes >= c.next_check:
        check(c)
        if c.stopped:
            return 0
    all = c.hand[0] | c.hand[1] | c.hand[2] | c.hand[3]
    began = ticks()
    pack2(c.owner1, c.owner0, all, &p1, &p0)
    e = look_up(&c.table, shape, leader, c.slack, p1, p0, a, &compared)
    tally(c, LOOK_UPS, n, 1)
    tally(c, COMPARES, n, compared)
    tally(c, LOOK_UP_TICKS, n, ticks() - began)
    if e != NULL:
        tally(c, HITS, n, 1)
        return unpack(e.mask, all) | (YES if a <= e.lo else 0)
    began = ticks()
    result = settled(c, leader, n, a, b, shape, all)
    tally(c, BOUND_TICKS, n, ticks() - began)
    if result != OPEN:
        tally(c, SETTLED, n, 1)
        return result
    tally(c, SEARCHED, n, 1)
    result = lead(c, leader, n, a, b, shape, all)
    if c.stopped:
        return 0
    ranks = trimmed(c, result & RANKS, all)
    began = ticks()
    store(&c.table, shape, leader, c.slack, p1, p0, pack(ranks, all), a if result & YES else -1, 127 if result & YES else a)
    tally(c, STORES, n, 1)
    tally(c, STORE_TICKS, n, ticks() - began)
    return ranks | (result & YES)


cdef cards_t lead(Context *c, int seat, int n, int a, int b, cards_t shape, cards_t all) noexcept nogil:
    """The search at the start of a trick: the leader's cards one after the other."""
    cdef Frame f
    cdef Choices list
    cdef cards_t hand = c.hand[seat], others = all & ~hand, tops = run_tops(hand, others)
    cdef cards_t card, lane, result, ranks = 0, skip = 0, first
    cdef cards_t want = 0 if seat & 1 else YES
    cdef uint64_t key = lead_key(seat, hand, shape, b if seat & 1 else a)
    cdef int i
    cdef int64_t began
    f.all = all
    f.a = a
    f.b = b
    f.n = n
    first = hinted(c, key, hand, others)
    if first:
        only(&list, first)
    else:
        began = ticks()
        order_leads(c, seat, shape, all, tops, &list)
        tally(c, ORDER_TICKS, n, ticks() - began)
    i = 0
    while i < list.n:
        card = list.card[i]
        i += 1
        if not card & skip:
            lane = lane_of(card)
            f.lane = lane
            tally(c, PLAYS, n, 1)
            c.hand[seat] = hand ^ card
            result = middle(c, &f, (seat + 1) & 3, 1, card, seat, card, shape - one_of(card, seat))
            c.hand[seat] = hand
            if c.stopped:
                return 0
            if (result & YES) == want:
                keep_hint(c, key, card)
                return result
            ranks |= result
            skip |= card | beside(result & RANKS, card, lane)
        if first:
            first = 0
            order_leads(c, seat, shape, all, tops & ~skip, &list)
            i = 0
    if tops != hand:
        ranks = extended(ranks & RANKS, hand, others)
    return (ranks & RANKS) | (want ^ YES)


cdef inline cards_t onward(Context *c, Frame *f, int seat, int turn, cards_t best, int holder, cards_t played,
                           cards_t shape) noexcept nogil:
    """The hand after the one that has just played as number `turn` (from 0)."""
    if turn == 1:
        return middle(c, f, (seat + 1) & 3, 2, best, holder, played, shape)
    return fourth(c, f, (seat + 1) & 3, best, holder, played, shape)


cdef inline cards_t no_choice(Context *c, Frame *f, int seat, int turn, cards_t card, cards_t best, int holder,
                              cards_t played, cards_t shape, cards_t others) noexcept nogil:
    """Follow suit with the only card there is, or with any of touching ones."""
    cdef cards_t hand = c.hand[seat], result
    tally(c, PLAYS, f.n, 1)
    c.hand[seat] = hand ^ card
    if card & (f.lane | TRUMPS) > best:
        best = card
        holder = seat
    result = onward(c, f, seat, turn, best, holder, played | card, shape - one_of(card, seat))
    c.hand[seat] = hand
    if (hand & f.lane) != card and (result & YES) != (0 if seat & 1 else YES):
        return extended_in(f.lane, result, hand, others)
    return result


cdef cards_t middle(Context *c, Frame *f, int seat, int turn, cards_t best, int holder, cards_t played,
                    cards_t shape) noexcept nogil:
    """Second and third hand."""
    cdef Choices list
    cdef cards_t hand = c.hand[seat], lane = f.lane, legal = hand & lane
    cdef cards_t others = f.all & ~hand & ~(played & ~best), tops
    cdef cards_t card, result, ranks = 0, skip = 0, first
    cdef cards_t want = 0 if seat & 1 else YES
    cdef uint64_t key
    cdef int i
    if legal:
        tops = run_tops(legal, others & lane)
        if tops & (tops - 1) == 0:
            return no_choice(c, f, seat, turn, tops, best, holder, played, shape, others)
        key = suit_key(f, seat, turn, best, holder)
    else:
        legal = hand
        tops = run_tops(hand, others)
        key = void_key(hand, turn, best, f.b if seat & 1 else f.a)
    first = hinted(c, key, legal, others)
    if first:
        only(&list, first)
    else:
        order_middle(c, f, seat, turn, best, holder, tops, shape, &list)
    i = 0
    while i < list.n:
        card = list.card[i]
        i += 1
        if not card & skip:
            tally(c, PLAYS, f.n, 1)
            c.hand[seat] = hand ^ card
            if card & (lane | TRUMPS) > best:
                result = onward(c, f, seat, turn, card, seat, played | card, shape - one_of(card, seat))
            else:
                result = onward(c, f, seat, turn, best, holder, played | card, shape - one_of(card, seat))
            c.hand[seat] = hand
            if c.stopped:
                return 0
            if (result & YES) == want:
                keep_hint(c, key, card)
                return result
            ranks |= result
            skip |= card | beside(result & RANKS, card, lane_of(card))
        if first:
            first = 0
            order_middle(c, f, seat, turn, best, holder, tops & ~skip, shape, &list)
            i = 0
    if tops != legal:
        ranks = extended(ranks & RANKS, hand, others) if legal == hand else extended_in(lane, ranks, hand, others)
    return (ranks & RANKS) | (want ^ YES)


cdef inline cards_t finish(Context *c, Frame *f, int seat, cards_t card, cards_t best, int holder, cards_t played,
                           cards_t shape) noexcept nogil:
    """Play the fourth card of a trick and go on with the next."""
    cdef cards_t result
    tally(c, PLAYS, f.n, 1)
    if card & (f.lane | TRUMPS) > best:
        best = card
        holder = seat
    c.hand[seat] ^= card
    result = trick(c, holder, f.a - 1 + (holder & 1), f.b - (holder & 1), shape - one_of(card, seat))
    c.hand[seat] ^= card
    if ((played | card) & lane_of(best)) != best:
        result |= best
    return result


cdef cards_t fourth(Context *c, Frame *f, int seat, cards_t best, int holder, cards_t played,
                    cards_t shape) noexcept nogil:
    """The last player of the trick: the cheapest winner first unless partner holds it, then low cards."""
    cdef Choices list
    cdef cards_t hand = c.hand[seat], lane = f.lane, legal = hand & lane
    cdef cards_t others = f.all & ~hand & ~(played & ~best), tops, todo, card, result, ranks = 0
    cdef cards_t want = 0 if seat & 1 else YES
    cdef int i
    if legal:
        tops = run_tops(legal, others & lane)
        todo = tops
        card = lowest(tops)
        if (holder ^ seat) & 1 and best & lane:
            card = lowest(tops & ~(best - 1))
            if card == 0:
                card = lowest(tops)
        while True:
            result = finish(c, f, seat, card, best, holder, played, shape)
            if c.stopped:
                return 0
            if (result & YES) == want:
                return result
            ranks |= result
            todo &= ~(card | beside(result & RANKS, card, lane))
            if todo == 0:
                break
            card = lowest(todo)
        if tops != legal:
            ranks = extended_in(lane, ranks, hand, others)
    else:
        legal = hand
        tops = run_tops(hand, others)
        todo = tops
        order_void(c, f, seat, 3, best, holder, tops, shape, &list)
        for i in range(list.n):
            card = list.card[i]
            if not card & todo:
                continue
            result = finish(c, f, seat, card, best, holder, played, shape)
            if c.stopped:
                return 0
            if (result & YES) == want:
                return result
            ranks |= result
            todo &= ~(card | beside(result & RANKS, card, lane_of(card)))
        if tops != legal:
            ranks = extended(ranks & RANKS, hand, others)
    return (ranks & RANKS) | (want ^ YES)


cdef inline void order_middle(Context *c, Frame *f, int seat, int turn, cards_t best, int holder, cards_t tops,
                              cards_t shape, Choices *list) noexcept nogil:
    if tops & f.lane:
        order_in_suit(c, f, seat, turn, best, holder, tops, list)
    else:
        order_void(c, f, seat, turn, best, holder, tops, shape, list)


cdef void check(Context *c) noexcept nogil:
    """Stop when a limit is reached or somebody asked for it."""
    if c.nodes >= c.max_nodes:
        c.stopped = True
        return
    with gil:
        if (<Search>c.owner).should_stop():
            c.stopped = True
    c.next_check = c.nodes + CHECK_NODES
    if c.next_check > c.max_nodes:
        c.next_check = c.max_nodes


# Questions about the root: intervals of margins -----------------------------------------------------
#
# A value is kept as the interval of margins still possible, hakem's side's view, and narrowed by one
# race after the other until the objective is settled. There is no margin 0.

cdef enum:
    WIN = 0
    POINTS = 1
    MARGIN = 2
    BEST_MARGIN = 7


cdef struct Interval:
    int lo
    int hi


cdef inline int next_margin(int margin) noexcept nogil:
    return 1 if margin == -1 else margin + 1


cdef inline int previous_margin(int margin) noexcept nogil:
    return -1 if margin == 1 else margin - 1


cdef inline Interval possible(const Root *root) noexcept nogil:
    cdef Interval all
    all.lo = root.won - 7
    all.hi = 7 - root.lost
    return all


cdef int next_threshold(int objective, Interval v) noexcept nogil:
    """The margin to ask for next, or 0 when the objective is settled."""
    if v.lo < 0 < v.hi:
        return 1
    if objective == WIN or v.lo == v.hi:
        return 0
    if objective == POINTS:
        if v.hi == BEST_MARGIN:
            return BEST_MARGIN
        if v.lo == -BEST_MARGIN:
            return 1 - BEST_MARGIN
        return 0
    return v.hi if v.hi - v.lo == 1 else (v.lo + v.hi + 1) // 2


cdef cards_t ask(Context *c, const Root *root, cards_t card, int margin) noexcept nogil:
    """Does hakem's side reach this margin, after `card` is played (0: the player to move chooses)?"""
    cdef int a, b, seat
    cdef cards_t shape, result, all, top
    cdef Frame f
    cdef Trick trick_ = root.trick
    if c.stopped:
        return 0
    memcpy(c.hand, root.hand, sizeof(root.hand))
    if margin > 0:
        a = 7 - root.won
        b = 8 - margin - root.lost
        c.slack = margin - 1
    else:
        a = 7 + margin - root.won
        b = 7 - root.lost
        c.slack = -margin
    if a <= 0:
        return YES
    if b <= 0:
        return 0
    all = c.hand[0] | c.hand[1] | c.hand[2] | c.hand[3] | trick_.played
    seat = (trick_.leader + trick_.turn) & 3
    if card:
        c.hand[seat] ^= card
        add_to_trick(&trick_, card, seat)
        seat = (seat + 1) & 3
    shape = shape_of(c.hand)
    if trick_.turn == 0:
        return trick(c, trick_.leader, a, b, shape)
    if trick_.turn < 4:
        f.all = all
        f.lane = trick_.lane
        f.a = a
        f.b = b
        f.n = a + b - 1 + c.slack
        if trick_.turn < 3:
            return middle(c, &f, seat, trick_.turn, trick_.best, trick_.holder, trick_.played, shape)
        return fourth(c, &f, seat, trick_.best, trick_.holder, trick_.played, shape)
    top = trick_.best
    result = trick(c, trick_.holder, a - 1 + (trick_.holder & 1), b - (trick_.holder & 1), shape)
    return result | (top if (trick_.played & lane_of(top)) != top else 0)


cdef Interval narrow(Context *c, const Root *root, cards_t card, int objective, Interval v, int first,
                     cards_t *ranks) noexcept nogil:
    """Ask until the objective is settled, beginning with the margin `first` unless that is 0."""
    cdef int margin = first if first and v.lo < first <= v.hi else next_threshold(objective, v)
    cdef cards_t result
    while margin:
        result = ask(c, root, card, margin)
        if c.stopped:
            break
        ranks[0] |= result & RANKS
        if result & YES:
            v.lo = margin
        else:
            v.hi = previous_margin(margin)
        margin = next_threshold(objective, v)
    return v


cdef inline cards_t legal_cards(const Root *root, int seat) noexcept nogil:
    cdef cards_t follow_suit = root.hand[seat] & root.trick.lane if root.trick.turn else 0
    return follow_suit if follow_suit else root.hand[seat]


cdef void value_cards(Context *c, const Root *root, int objective, Interval best, Interval *values) noexcept nogil:
    """The interval of every legal card; `values` has one place for each bit of a card set.

    Cards that touch share a value, and so do the lower cards of a suit in which no proof needed a rank.
    """
    cdef int seat = (root.trick.leader + root.trick.turn) & 3, lane, first
    cdef cards_t hand = root.hand[seat], legal = legal_cards(root, seat), others, suit, card, tops, same, ranks, low
    cdef Interval v, range_ = possible(root)
    others = (root.hand[0] | root.hand[1] | root.hand[2] | root.hand[3]) & ~hand | root.trick.best
    for lane in range(4):
        suit = legal & lane_mask(lane)
        while suit:
            card = highest(suit)
            ranks = 0
            v.lo = range_.lo if seat & 1 == 0 else best.lo
            v.hi = best.hi if seat & 1 == 0 else range_.hi
            first = best.lo if seat & 1 == 0 else next_margin(best.hi)
            v = narrow(c, root, card, objective, v, first, &ranks)
            tops = others & lane_mask(lane) & (card - 1)
            same = suit & ~(highest(tops) - 1) if tops else suit
            low = lowest(ranks & lane_mask(lane))
            if low == 0:
                same = suit
            elif card < low:
                same |= suit & (low - 1)
            suit &= ~same
            while same:
                values[ctz(same)] = v
                same &= same - 1


cdef Interval points_of_world(Context *c, const Root *root) noexcept nogil:
    cdef cards_t ranks = 0
    forget(c)
    note_owners(c, root)
    return narrow(c, root, 0, POINTS, possible(root), 0, &ranks)


cdef inline bint sound(const Root *root) noexcept nogil:
    """Four hands of at most thirteen cards, no card twice, and nothing that is not a card."""
    cdef cards_t seen = root.trick.played
    cdef int seat
    for seat in range(4):
        if root.hand[seat] & (seen | ~CARDS) or count(root.hand[seat]) > 13:
            return False
        seen |= root.hand[seat]
    return root.trick.played & ~CARDS == 0


cdef inline bint full(const Root *root) noexcept nogil:
    return (root.hand[0] | root.hand[1] | root.hand[2] | root.hand[3]) == CARDS


cdef inline void forget(Context *c) noexcept nogil:
    reset_table(&c.table)
    memset(c.hints, 0, HINTS * sizeof(uint32_t))


cdef inline void note_owners(Context *c, const Root *root) noexcept nogil:
    """Whose card is which: those in the trick count for their players."""
    c.owner0 = root.hand[1] | root.hand[3]
    c.owner1 = root.hand[2] | root.hand[3]


# The Python face ---------------------------------------------------------------------------------------

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1


cdef check_seats(int hakem, int leader, int trump):
    if not (0 <= hakem < 4 and 0 <= leader < 4 and 0 <= trump < 4):
        raise ValueError("seats and suits are numbers from 0 to 3")


cdef class Search:
    """One context: a table, hints and a position. Hands are words in seat order N W S E.

    Not safe for two threads at once, but any number of objects may work side by side: nothing is
    shared, and the GIL is released while searching. `interrupt` may be called from any thread.
    """

    cdef Context c
    cdef Root root
    cdef int hakem
    cdef int trump
    cdef bint ready  # a position is loaded, so that there is something to be searched
    cdef volatile bint wanted
    cdef object pending
    cdef double deadline

    def __cinit__(self, int table_mb):
        cdef size_t room = <size_t>table_mb << 20
        cdef uint32_t heads = 1024
        if not 1 <= table_mb <= MOST_MB:
            raise ValueError(f"a table of {table_mb} MB: it takes 1 to {MOST_MB}")
        while 2 * heads * sizeof(Head) * 3 // 2 <= room // 4:
            heads *= 2
        memset(&self.c, 0, sizeof(Context))
        self.c.table.max_heads = heads
        self.c.table.max_entries = <uint32_t>((room - heads * sizeof(Head) * 3 // 2 - HINTS * 4) // sizeof(Entry))
        self.c.table.heads = <Head *>calloc(heads, sizeof(Head))
        self.c.table.spare = <Head *>malloc(heads // 2 * sizeof(Head))
        self.c.table.entries = <Entry *>malloc(self.c.table.max_entries * sizeof(Entry))
        self.c.hints = <uint32_t *>calloc(HINTS, 4)
        self.c.owner = <void *>self
        if not (self.c.table.heads and self.c.table.spare and self.c.table.entries and self.c.hints):
            raise MemoryError(f"no memory for a table of {table_mb} MB")
        for i in range(WEIGHTS):
            self.c.weights[i] = ORDER_WEIGHTS[i]
        forget(&self.c)

    def __dealloc__(self):
        free(self.c.table.heads)
        free(self.c.table.spare)
        free(self.c.table.entries)
        free(self.c.hints)

    cdef bint should_stop(self):
        if self.wanted:
            return True
        if self.deadline and perf_counter() >= self.deadline:
            return True
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            self.pending = error
            return True
        return False

    def clock(self):
        """The processor's clock as a profile build reads it; 0 in others."""
        return ticks()

    @property
    def tallies(self):
        """What a profile build has counted: TALLIES rows (see context.pxd) of 14 numbers, by tricks left."""
        return [[self.c.tallies[kind][n] for n in range(14)] for kind in range(TALLIES)]

    @property
    def order_weights(self):
        """The weights by which cards are ordered (see order.pxd); set them only to fit them."""
        return [self.c.weights[i] for i in range(WEIGHTS)]

    @order_weights.setter
    def order_weights(self, weights):
        if len(weights) != WEIGHTS:
            raise ValueError(f"{WEIGHTS} weights are needed")
        for i in range(WEIGHTS):
            self.c.weights[i] = weights[i]

    def interrupt(self):
        """Make a running call stop soon; a call made later is not touched."""
        self.wanted = True

    @property
    def nodes(self):
        """Trick starts searched since the last `begin`."""
        return self.c.nodes

    @property
    def stopped(self):
        """Whether a limit or an interrupt ended the last search early."""
        return bool(self.c.stopped)

    @property
    def interrupted(self):
        """Whether `interrupt` ended the last search early."""
        return bool(self.c.stopped and self.wanted)

    def begin(self, uint64_t max_nodes, double seconds):
        """Start counting: limits hold until the next `begin`; 0 is no limit."""
        self.c.nodes = 0
        self.c.max_nodes = max_nodes if max_nodes else <uint64_t>1 << 62
        self.c.next_check = CHECK_NODES if CHECK_NODES < self.c.max_nodes else self.c.max_nodes
        self.c.stopped = False
        self.wanted = False
        self.pending = None
        self.deadline = perf_counter() + seconds if seconds else 0.0

    def load(self, hands, int trump, int hakem, int leader, trick, int won, int lost, bint keep):
        """Take a position; `keep` what the table knows, from an earlier one of the same deal, hakem and trump.

        `trick` holds the cards played to the trick, one bit each, in order; `won` and `lost` are the
        tricks of hakem's side and of the others.
        """
        cdef int seat
        cdef cards_t card
        cdef cards_t hand[4]
        check_seats(hakem, leader, trump)
        if keep and not (self.ready and trump == self.trump and hakem == self.hakem):
            raise ValueError("what is kept must be of the same deal, hakem and trump")
        self.ready = False
        if len(hands) != 4 or len(trick) > 3 or not (0 <= won < 7 and 0 <= lost < 7):
            raise ValueError("no position: four hands, at most three cards in the trick, fewer than seven tricks won")
        self.trump = trump
        self.hakem = hakem
        memset(&self.root, 0, sizeof(Root))
        for seat in range(4):
            self.root.hand[(seat - hakem) & 3] = relabelled(hands[seat], trump)
        memcpy(hand, self.root.hand, sizeof(hand))
        self.root.won = won
        self.root.lost = lost
        self.root.trick.leader = (leader - hakem) & 3
        for seat, card in enumerate(trick):
            card = relabelled(card, trump)
            seat = (seat + leader - hakem) & 3
            hand[seat] |= card
            if card == 0 or card & (card - 1):
                raise ValueError("a card of the trick is not one bit")
            add_to_trick(&self.root.trick, card, seat)
        if not sound(&self.root):
            raise ValueError("a card twice, a hand of more than thirteen, or bits that are no cards")
        for seat in range(4):
            if count(hand[seat]) != 13 - won - lost:
                raise ValueError("a hand whose size does not fit the tricks won")
        if not keep:
            forget(&self.c)
            self.c.owner0 = hand[1] | hand[3]
            self.c.owner1 = hand[2] | hand[3]
        elif not self._owned(hand):
            raise ValueError("what is kept must be of the same deal, hakem and trump")
        self.ready = True

    cdef bint _owned(self, const cards_t *hand) noexcept:
        """Whether these hands are what is left of those in whose table the answers are."""
        cdef cards_t all = hand[0] | hand[1] | hand[2] | hand[3]
        return self.c.owner0 & all == hand[1] | hand[3] and self.c.owner1 & all == hand[2] | hand[3]

    cdef int _check_question(self, int objective) except -1:
        if not self.ready:
            raise ValueError("no position is loaded")
        if not WIN <= objective <= MARGIN:
            raise ValueError(f"an objective is a number from {WIN} to {MARGIN}")
        return 0

    cdef raise_pending(self):
        if self.pending is not None:
            error, self.pending = self.pending, None
            raise error

    def value(self, int objective):
        """The margins (lowest, highest) proved possible, hakem's side's view."""
        cdef Interval v
        cdef cards_t ranks = 0
        self._check_question(objective)
        with nogil:
            v = narrow(&self.c, &self.root, 0, objective, possible(&self.root), 0, &ranks)
        self.raise_pending()
        return v.lo, v.hi

    def card_values(self, int objective, int lo, int hi):
        """(bit, lowest, highest margin) of every legal card, given the value of the position."""
        cdef Interval best
        cdef Interval values[64]
        cdef int i, seat = (self.root.trick.leader + self.root.trick.turn) & 3
        cdef cards_t legal = legal_cards(&self.root, seat)
        self._check_question(objective)
        # Otherwise an interval could be empty, and would be narrowed for ever.
        if not possible(&self.root).lo <= lo <= hi <= possible(&self.root).hi or lo == 0 or hi == 0:
            raise ValueError("the value of a position is two margins that it can have, the lower one first")
        best.lo = lo
        best.hi = hi
        with nogil:
            value_cards(&self.c, &self.root, objective, best, values)
        self.raise_pending()
        result = []
        while legal:
            i = ctz(legal)
            result.append((ctz(relabelled(<cards_t>1 << i, self.trump)), values[i].lo, values[i].hi))
            legal &= legal - 1
        return result

    def reaches(self, int bit, int margin):
        """Whether hakem's side reaches `margin` after this card; None when stopped."""
        cdef cards_t result, card
        self._check_question(MARGIN)
        card = relabelled(<cards_t>1 << (bit & 63), self.trump)
        if bit != bit & 63 or not card & legal_cards(&self.root, (self.root.trick.leader + self.root.trick.turn) & 3):
            raise ValueError("no card that may be played")
        if not -BEST_MARGIN <= margin <= BEST_MARGIN or margin == 0:
            raise ValueError("no margin of a deal")
        with nogil:
            result = ask(&self.c, &self.root, card, margin)
        self.raise_pending()
        return None if self.c.stopped else (result >> 63) != 0

    def points_of_worlds(self, const uint64_t[:, :] worlds not None, int hakem, int trump, int8_t[:] points not None):
        """Fill `points` with the values of full deals, hakem on lead; returns how many were solved."""
        cdef Py_ssize_t i, n = worlds.shape[0]
        cdef int seat
        cdef Interval v
        check_seats(hakem, hakem, trump)
        if worlds.shape[1] != 4 or points.shape[0] < n:
            raise ValueError("worlds must have shape (n, 4), and points room for n")
        self.ready = False
        memset(&self.root, 0, sizeof(Root))
        with nogil:
            for i in range(n):
                for seat in range(4):
                    self.root.hand[(seat - hakem) & 3] = relabelled(worlds[i, seat], trump)
                if not sound(&self.root) or not full(&self.root):
                    with gil:
                        raise ValueError(f"world {i} is no deal of four hands of thirteen")
                v = points_of_world(&self.c, &self.root)
                if self.c.stopped:
                    break
                points[i] = 2 if v.lo == 7 else 1 if v.lo > 0 else -1 if v.hi > -7 else -3
            else:
                i = n
        self.raise_pending()
        return i


cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__)
    static int hokm_fast_bmi2(void) {
        __builtin_cpu_init();
        /* Zen 1 and 2 have the instructions, in microcode: slower than doing without. */
        return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")
            && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
    }
    #else
    static int hokm_fast_bmi2(void) { return 0; }
    #endif
    """
    int hokm_fast_bmi2() nogil


def has_fast_bmi2():
    """Whether this processor runs pext and pdep in hardware."""
    return bool(hokm_fast_bmi2())
