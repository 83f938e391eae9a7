# Which card first. An order can only cost or save time, never change an answer.
#
# A lead is weighed by who holds the two top cards left in its suit, by who could ruff it, and by its
# place in the leader's holding; a ruff or discard by who holds the trick and by the length of the
# suit. The weights were fitted with benchmarks/fit_order.py on deals that no benchmark measures.

from cards cimport TRUMPS, cards_t, highest, lane_mask, length, lowest, run_top
from context cimport Context, Frame

cdef enum:                  # places in the array of weights
    TOPS_TRUMP = 0          # 16: holder of the ace times 4 plus holder of the king, counted from the leader
    TOPS_SIDE = 16          # 16: the same of a side suit
    NEXT_RUFFS = 32         # the next player is void and has a trump
    LAST_RUFFS = 33         # the same of the one before the leader
    PARTNER_RUFFS = 34
    PARTNER_OVERRUFFED = 35     # partner and an opponent are void, all with trumps
    NEXT_DISCARDS = 36      # the next player is void and has no trump
    PARTNER_DISCARDS = 37
    LONGER = 38             # the leader has more cards of the suit than partner
    WINNER_SIDE = 39        # higher than all cards of the others
    WINNER_TRUMP = 40
    WINNER_RUFFED = 41
    ALONE_TO_ACE = 42       # the only card, or run, of the leader's; partner has the ace
    ALONE = 43
    HIGH = 44               # his highest
    LOW_TO_ACE = 45         # his lowest run; partner has the ace
    LOW = 46
    BETWEEN = 47
    RUFF_PARTNER = 48       # partner's card holds the trick for sure
    RUFF = 49
    RUFF_LOSES = 50         # a trump too low to hold
    DISCARD_LENGTH = 51     # for each card of the suit
    DISCARD_VOID = 52       # the last card of a suit, by a hand with trumps
    DISCARD_NEXT = 53       # any but the lowest of a suit
    WEIGHTS = 54


cdef extern from *:
    """
    static const short hokm_order_weights[] = {
        -46, -43, -75, -37, -75, -40, -28, -40, -28, -28, -34, -25, -81, -18, -33, -10,
        33, 23, 32, 11, 3, 9, 75, -14, 28, 53, 30, 13, -8, -6, -20, -20,
        -128, -186, 60, 40, -18, -67, 9,
        6, 20, -11, 23, 18, 1, 40, -63, -185,
        -1000, 1000, -2000, 10, 24, -200,
    };
    """
    const short ORDER_WEIGHTS "hokm_order_weights"[]


cdef struct Choices:
    cards_t card[13]
    int weight[13]
    int n


cdef inline void add(Choices *list, cards_t card, int weight) noexcept nogil:
    """Insert behind all cards of at least this weight."""
    cdef int i = list.n
    while i > 0 and list.weight[i - 1] < weight:
        list.card[i] = list.card[i - 1]
        list.weight[i] = list.weight[i - 1]
        i -= 1
    list.card[i] = card
    list.weight[i] = weight
    list.n += 1


cdef inline void append(Choices *list, cards_t cards, bint high_first) noexcept nogil:
    """Behind all others, by rank."""
    cdef cards_t card
    while cards:
        card = highest(cards) if high_first else lowest(cards)
        cards ^= card
        list.card[list.n] = card
        list.n += 1


cdef inline void only(Choices *list, cards_t card) noexcept nogil:
    """This card and no other."""
    list.card[0] = card
    list.n = 1


cdef inline int holder_of(Context *c, cards_t card, int seat) noexcept nogil:
    """Who holds a card, counted from `seat`: 0 himself, 1 the next player, 2 partner, 3 the one before."""
    return (((c.owner0 & card) != 0) + 2 * ((c.owner1 & card) != 0) - seat) & 3


cdef inline int tops_of(Context *c, cards_t suit, int seat) noexcept nogil:
    """The holders of the two highest cards of a suit, as one number from 0 to 15."""
    cdef cards_t ace = highest(suit), rest = suit ^ ace
    return 4 * holder_of(c, ace, seat) + (holder_of(c, highest(rest), seat) if rest else 0)


cdef inline int weigh_voids(Context *c, int seat, int lane, cards_t shape, bint *ruffed) noexcept nogil:
    """What voids of the others in a side suit make of a lead of it."""
    cdef int next_seat = (seat + 1) & 3, last = (seat + 3) & 3, partner = seat ^ 2, weight = 0
    ruffed[0] = False
    if length(shape, next_seat, lane) == 0:
        if length(shape, next_seat, 3):
            weight += c.weights[NEXT_RUFFS]
            ruffed[0] = True
        else:
            weight += c.weights[NEXT_DISCARDS]
    if length(shape, last, lane) == 0 and length(shape, last, 3):
        weight += c.weights[LAST_RUFFS]
        ruffed[0] = True
    if length(shape, partner, lane) == 0:
        if length(shape, partner, 3) == 0:
            weight += c.weights[PARTNER_DISCARDS]
        else:
            weight += c.weights[PARTNER_OVERRUFFED if ruffed[0] else PARTNER_RUFFS]
    if length(shape, seat, lane) > length(shape, partner, lane):
        weight += c.weights[LONGER]
    return weight


cdef inline void weigh_suit(Context *c, int seat, int lane, cards_t shape, cards_t all, cards_t tops,
                            Choices *list) noexcept nogil:
    """Add the leads of one suit."""
    cdef cards_t bits = lane_mask(lane), mine = c.hand[seat] & bits, card
    cdef cards_t others = (c.hand[(seat + 1) & 3] | c.hand[(seat + 3) & 3]) & bits
    cdef cards_t top = highest(mine), bottom = run_top(lowest(mine), mine, all & ~mine)
    cdef int holders = tops_of(c, all & bits, seat), weight, place
    cdef bint to_ace = holders >> 2 == 2, ruffed = False
    if lane == 3:
        weight = c.weights[TOPS_TRUMP + holders]
    else:
        weight = c.weights[TOPS_SIDE + holders] + weigh_voids(c, seat, lane, shape, &ruffed)
    while tops:
        card = highest(tops)
        tops ^= card
        if card > others:
            place = WINNER_RUFFED if ruffed else WINNER_TRUMP if lane == 3 else WINNER_SIDE
        elif card == top:
            place = HIGH if card != bottom else ALONE_TO_ACE if to_ace else ALONE
        elif card == bottom:
            place = LOW_TO_ACE if to_ace else LOW
        else:
            place = BETWEEN
        add(list, card, weight + c.weights[place])


cdef inline void order_leads(Context *c, int seat, cards_t shape, cards_t all, cards_t tops,
                             Choices *list) noexcept nogil:
    """The leads among `tops`, one card of each run."""
    cdef int lane
    list.n = 0
    for lane in range(4):
        if tops & lane_mask(lane):
            weigh_suit(c, seat, lane, shape, all, tops & lane_mask(lane), list)


cdef inline bint others_will_take(Context *c, Frame *f, int seat, int turn, cards_t best, int holder,
                                  cards_t higher, cards_t tops) noexcept nogil:
    """Whether a high card would be wasted: partner holds the trick, or will, or forces the same card out."""
    cdef cards_t following = c.hand[(seat + 1) & 3] & f.lane, his
    if ((holder ^ seat) & 1) == 0:
        return following < best or (following & ~(best | (best - 1))) == (following & ~(highest(higher) - 1))
    if turn == 2:
        return False
    his = c.hand[seat ^ 2] & f.lane
    if his < best:
        return False
    if highest(his) > following:
        return True
    return following > (his | tops) and (
        (following & ~(highest(his) - 1)) == (following & ~(highest(tops) - 1)))


cdef inline void order_in_suit(Context *c, Frame *f, int seat, int turn, cards_t best, int holder,
                               cards_t tops, Choices *list) noexcept nogil:
    """Following suit: the cheapest card that surely holds, else one that may, else low."""
    cdef cards_t higher = tops & ~(best | (best - 1)) if best & f.lane else 0
    cdef cards_t following = c.hand[(seat + 1) & 3] & f.lane, sure
    list.n = 0
    if higher and not others_will_take(c, f, seat, turn, best, holder, higher, tops):
        tops ^= higher
        if lowest(higher) > following:
            append(list, higher, False)
        else:
            sure = lowest(higher & ~(highest(following) - 1))
            append(list, sure, False)
            append(list, higher ^ sure, True)
    append(list, tops, False)


cdef inline void order_void(Context *c, Frame *f, int seat, int turn, cards_t best, int holder, cards_t tops,
                            cards_t shape, Choices *list) noexcept nogil:
    """Ruffs and discards."""
    cdef cards_t trumps = tops & TRUMPS, suit, card
    cdef bint partner_holds = ((holder ^ seat) & 1) == 0 and (
        turn == 3 or (turn == 2 and c.hand[(seat + 1) & 3] & f.lane < best))
    cdef int lane, weight
    list.n = 0
    while trumps:
        card = lowest(trumps)
        trumps ^= card
        add(list, card, c.weights[RUFF_LOSES if card < best else RUFF_PARTNER if partner_holds else RUFF])
    for lane in range(3):
        suit = tops & lane_mask(lane)
        weight = c.weights[DISCARD_LENGTH] * length(shape, seat, lane)
        if length(shape, seat, lane) == 1 and c.hand[seat] & TRUMPS:
            weight += c.weights[DISCARD_VOID]
        while suit:
            card = lowest(suit)
            suit ^= card
            add(list, card, weight)
            weight = c.weights[DISCARD_NEXT]
