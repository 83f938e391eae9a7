# The card that settled a situation last time, found by a rough description of it.
#
# A direct-mapped table of 32-bit entries, 26 bits of tag and 6 of the card. A wrong hint costs time
# and nothing else.

from libc.stdint cimport uint32_t, uint64_t

from cards cimport cards_t, ctz, run_top
from context cimport HINTS, Context, Frame


cdef inline uint64_t hint_key(uint64_t key) noexcept nogil:
    key *= <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 32)


cdef inline uint64_t lead_key(int seat, cards_t hand, cards_t shape, int need) noexcept nogil:
    """A lead: the hand, which suit lengths of partner's are odd, and the tricks still needed."""
    return hint_key(hand * 3 + (((shape >> (16 * (seat ^ 2))) & 0x1111) << 5) + <cards_t>need)


cdef inline uint64_t suit_key(const Frame *f, int seat, int turn, cards_t best, int holder) noexcept nogil:
    """Following suit: the cards of the suit, and who holds the trick with which card."""
    return hint_key((f.all & f.lane) * 5 + <cards_t>(ctz(best) + 64 * holder + 256 * turn + 1024 * seat))


cdef inline uint64_t void_key(cards_t hand, int turn, cards_t best, int need) noexcept nogil:
    """A ruff or discard: the hand, the card that holds the trick, and the tricks still needed."""
    return hint_key(hand * 3 + <cards_t>(ctz(best) + 64 * need + 1024 * turn) * 0x10001)


cdef inline cards_t hinted(Context *c, uint64_t key, cards_t hand, cards_t others) noexcept nogil:
    """The card that cut here last time, or the top of its run; 0 if none is known."""
    cdef uint32_t hint = c.hints[key & (HINTS - 1)]
    cdef cards_t card
    if (hint ^ <uint32_t>(key >> 32)) >> 6:
        return 0
    card = <cards_t>1 << (hint & 63)
    return run_top(card, hand, others) if card & hand else 0


cdef inline void keep_hint(Context *c, uint64_t key, cards_t card) noexcept nogil:
    c.hints[key & (HINTS - 1)] = (<uint32_t>(key >> 32) & <uint32_t>0xFFFFFFC0) | <uint32_t>ctz(card)
