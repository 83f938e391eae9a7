# The position at the root of a search, and the small steps that the search shares with it.
#
# Seats are counted from hakem in order of play, so hakem's side are the even seats; trump is moved
# to lane 3. A position is the four hands, the cards of the trick in progress and who holds it.

from cards cimport TRUMPS, cards_t, count, ctz, lane_mask, lane_of

cdef struct Trick:
    int leader
    int turn            # cards played to it, 0 to 3
    cards_t lane        # of the suit led
    cards_t best        # the card that holds it so far
    int holder          # its player
    cards_t played


cdef struct Root:
    cards_t hand[4]
    Trick trick
    int won             # tricks of hakem's side
    int lost            # tricks of the other side


cdef inline cards_t one_of(cards_t card, int seat) noexcept nogil:
    """One card of the shape: sixteen nibbles, seat by seat, the lengths of the four lanes."""
    return <cards_t>1 << (16 * seat + ((ctz(card) >> 4) << 2))


cdef inline cards_t shape_of(const cards_t *hand) noexcept nogil:
    cdef cards_t shape = 0
    cdef int seat, lane
    for seat in range(4):
        for lane in range(4):
            shape |= (<cards_t>count(hand[seat] & lane_mask(lane))) << (16 * seat + 4 * lane)
    return shape


cdef inline cards_t relabelled(cards_t cards, int trump) noexcept nogil:
    """Exchange the trump lane and lane 3."""
    cdef cards_t mine = (cards >> (16 * trump)) & 0xFFFF, last = cards >> 48
    cards &= ~(lane_mask(trump) | lane_mask(3))
    return cards | (last << (16 * trump)) | (mine << 48)


cdef inline void add_to_trick(Trick *trick, cards_t card, int seat) noexcept nogil:
    if trick.turn == 0:
        trick.leader = seat
        trick.lane = lane_of(card)
        trick.best = card
        trick.holder = seat
        trick.played = 0
    elif (card & (trick.lane | TRUMPS)) > trick.best:
        trick.best = card
        trick.holder = seat
    trick.played |= card
    trick.turn += 1
