# Which card first. An order can only cost or save time, never change an answer.

from cards cimport TRUMPS, cards_t, count, ctz, highest, lane_mask, lane_of, length, lowest

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


cdef inline cards_t run_top(cards_t card, cards_t hand, cards_t others) noexcept nogil:
    """The highest card of the hand that touches `card`, no card of others between."""
    cdef cards_t lane = lane_of(card)
    cdef cards_t higher = lane & ~(card | (card - 1))
    cdef cards_t fence = lowest(others & higher)
    if fence:
        higher &= fence - 1
    higher &= hand
    return highest(higher) if higher else card


