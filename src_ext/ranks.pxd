# Which ranks a proof needed.
#
# Every search returns, with its answer, a set of cards: the result holds for all positions of the
# same shape in which those cards, and all above them in their suits, have the same owners.

from cards cimport cards_t, highest, lane_mask, lowest
from context cimport Context


cdef inline cards_t closed(cards_t ranks, cards_t all) noexcept nogil:
    """With every card all cards above it in its suit."""
    ranks |= (ranks << 1) & <cards_t>0xFFFEFFFEFFFEFFFE
    ranks |= (ranks << 2) & <cards_t>0xFFFCFFFCFFFCFFFC
    ranks |= (ranks << 4) & <cards_t>0xFFF0FFF0FFF0FFF0
    ranks |= (ranks << 8) & <cards_t>0xFF00FF00FF00FF00
    return ranks & all


cdef inline cards_t extended_in(cards_t lane, cards_t ranks, cards_t hand, cards_t others) noexcept nogil:
    """Where the lowest needed card of a suit is in `hand`, go down to the bottom of its run."""
    cdef cards_t low = lowest(ranks & lane), run, fence
    if low & hand:
        run = lane & (low - 1)
        fence = others & run
        if fence:
            fence = highest(fence)
            run &= ~(fence | (fence - 1))
        ranks |= lowest(run & hand)
    return ranks


cdef inline cards_t extended(cards_t ranks, cards_t hand, cards_t others) noexcept nogil:
    """The same in all four suits."""
    cdef int lane
    for lane in range(4):
        ranks = extended_in(lane_mask(lane), ranks, hand, others)
    return ranks


cdef inline cards_t trimmed(Context *c, cards_t ranks, cards_t all) noexcept nogil:
    """Close the ranks upwards, and leave out bottom runs: their owner follows from the suit lengths."""
    cdef int lane
    cdef cards_t bits, low, rest, same      # same: cards of the hand that holds the lowest
    ranks = closed(ranks, all)
    for lane in range(4):
        bits = all & lane_mask(lane)
        if (ranks & bits) == 0:
            continue
        low = lowest(bits)
        same = (c.owner1 if c.owner1 & low else ~c.owner1) & (c.owner0 if c.owner0 & low else ~c.owner0)
        rest = bits & ~same
        if rest:
            bits &= lowest(rest) - 1
        ranks &= ~bits
    return ranks


cdef inline cards_t beside(cards_t ranks, cards_t card, cards_t lane) noexcept nogil:
    """Cards of the same suit that fail like `card`, whose failure needed these ranks.

    If the proof needed no rank as low as this card's, every card below the lowest it needed does the same.
    """
    cdef cards_t low = lowest(ranks & lane)
    if low == 0:
        return lane
    return lane & (low - 1) if card < low else 0
