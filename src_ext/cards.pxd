# Card sets as 64-bit words.
#
# One suit is one 16-bit lane; the deuce is bit 0 of the lane and the ace bit 12:
#
#     63 .. 48   47 .. 32   31 .. 16   15 .. 0
#     lane 3     lane 2     lane 1     lane 0
#     trump      (the side suits, in any order)
#
# Inside the search trump is always lane 3. Then the winner of a trick is simply the numerically
# largest card among those of the suit led and of trump. Bits 13-15 of a lane are never cards.

from libc.stdint cimport uint64_t

ctypedef uint64_t cards_t


cdef extern from *:
    """
    #include <stdint.h>

    #define HOKM_TRUMPS 0xFFFF000000000000ULL
    #define HOKM_CARDS 0x1FFF1FFF1FFF1FFFULL
    #define HOKM_LANE0 0x000000000000FFFFULL
    #define HOKM_YES 0x8000000000000000ULL
    #define HOKM_OPEN 0x7FFFFFFFFFFFFFFFULL
    #define HOKM_RANKS 0x7FFFFFFFFFFFFFFFULL

    #if defined(__GNUC__) || defined(__clang__)
    #define hokm_ctz(x) __builtin_ctzll(x)
    #define hokm_clz(x) __builtin_clzll(x)
    #define hokm_likely(x) __builtin_expect(!!(x), 1)
    #else
    #include <intrin.h>
    static __inline int hokm_ctz(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static __inline int hokm_clz(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return 63 - (int)i; }
    #define hokm_likely(x) (x)
    #endif

    #if defined(__BMI2__)
    #include <immintrin.h>
    #define hokm_count(x) ((int)_mm_popcnt_u64(x))
    static inline void hokm_pack2(uint64_t x1, uint64_t x0, uint64_t mask, uint64_t *y1, uint64_t *y0) {
        *y1 = _pext_u64(x1, mask);
        *y0 = _pext_u64(x0, mask);
    }
    #define hokm_pack(x, mask) _pext_u64(x, mask)
    #define hokm_unpack(x, mask) _pdep_u64(x, mask)
    #define HOKM_TOPS 0x8000800080008000ULL
    static inline uint64_t hokm_run_tops(uint64_t mine, uint64_t others) {
        uint64_t held = mine | others | HOKM_TOPS, packed = _pext_u64(mine, held);
        return _pdep_u64(packed & ~(packed >> 1), held);
    }
    #else
    static inline uint64_t hokm_run_tops(uint64_t mine, uint64_t others) {
        uint64_t tops = 0, lane = HOKM_LANE0;
        for (int i = 0; i < 4; i++, lane <<= 16) {
            uint64_t suit = mine & lane;
            while (suit) {
                uint64_t top = 1ULL << (63 - hokm_clz(suit));
                uint64_t fence = others & lane & (top - 1);
                tops |= top;
                if (!fence)
                    break;
                suit &= (1ULL << (63 - hokm_clz(fence))) - 1;
            }
        }
        return tops;
    }
    static inline int hokm_count(uint64_t x) {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((x * 0x0101010101010101ULL) >> 56);
    }
    /* Compress the four 16-bit lanes at once (parallel suffix, Hacker's Delight 7-4, done lane by lane). */
    static inline uint64_t hokm_prefix(uint64_t m) {
        m ^= (m << 1) & 0xFFFEFFFEFFFEFFFEULL;
        m ^= (m << 2) & 0xFFFCFFFCFFFCFFFCULL;
        m ^= (m << 4) & 0xFFF0FFF0FFF0FFF0ULL;
        m ^= (m << 8) & 0xFF00FF00FF00FF00ULL;
        return m;
    }
    static inline void hokm_moves(uint64_t mask, uint64_t move[4]) {
        uint64_t gaps = (~mask << 1) & 0xFFFEFFFEFFFEFFFEULL;
        for (int i = 0; i < 4; i++) {
            uint64_t odd = hokm_prefix(gaps);
            move[i] = odd & mask;
            mask = (mask ^ move[i]) | (move[i] >> (1 << i));
            gaps &= ~odd;
        }
    }
    static inline void hokm_pack2(uint64_t x1, uint64_t x0, uint64_t mask, uint64_t *y1, uint64_t *y0) {
        uint64_t move[4], t;
        hokm_moves(mask, move);
        x1 &= mask;
        x0 &= mask;
        for (int i = 0; i < 4; i++) {
            t = x1 & move[i];
            x1 = (x1 ^ t) | (t >> (1 << i));
            t = x0 & move[i];
            x0 = (x0 ^ t) | (t >> (1 << i));
        }
        *y1 = x1;
        *y0 = x0;
    }
    static inline uint64_t hokm_pack(uint64_t x, uint64_t mask) {
        uint64_t packed, unused;
        hokm_pack2(x, 0, mask, &packed, &unused);
        return packed;
    }
    static inline uint64_t hokm_unpack(uint64_t x, uint64_t mask) {
        uint64_t move[4], t;
        hokm_moves(mask, move);
        for (int i = 3; i >= 0; i--) {
            t = x << (1 << i);
            x = (x & ~move[i]) | (t & move[i]);
        }
        return x & mask;
    }
    #endif
    """
    const cards_t TRUMPS "HOKM_TRUMPS"
    const cards_t LANE0 "HOKM_LANE0"
    const cards_t CARDS "HOKM_CARDS"    # all fifty-two
    # A result of the search is one word: the answer in the top bit, ranks needed in the others.
    const cards_t YES "HOKM_YES"
    const cards_t RANKS "HOKM_RANKS"
    const cards_t OPEN "HOKM_OPEN"      # no answer: bits that no set of cards has
    int ctz "hokm_ctz"(cards_t x) nogil
    int clz "hokm_clz"(cards_t x) nogil
    int count "hokm_count"(cards_t x) nogil
    bint likely "hokm_likely"(bint x) nogil
    # `pack` squeezes the bits of x that lie under `mask` together (the fast path over the whole
    # word, the portable one inside each lane); `unpack` is its inverse. Only words packed under
    # masks with equal suit lengths are ever compared, so the two layouts answer alike.
    cards_t pack "hokm_pack"(cards_t x, cards_t mask) nogil
    void pack2 "hokm_pack2"(cards_t x1, cards_t x0, cards_t mask, cards_t *y1, cards_t *y0) nogil
    # One card, the highest, of each run of touching cards of `mine`, none of `others` between them.
    cards_t run_tops "hokm_run_tops"(cards_t mine, cards_t others) nogil
    cards_t unpack "hokm_unpack"(cards_t x, cards_t mask) nogil


cdef inline cards_t lowest(cards_t x) noexcept nogil:
    """The lowest card of a set (0 if empty)."""
    return x & (0 - x)


cdef inline cards_t highest(cards_t x) noexcept nogil:
    """The highest card of a non-empty set."""
    return (<cards_t>1) << (63 - clz(x))


cdef inline cards_t lane_of(cards_t card) noexcept nogil:
    """All sixteen bits of the suit of a card."""
    return LANE0 << (ctz(card) & 48)


cdef inline cards_t run_top(cards_t card, cards_t hand, cards_t others) noexcept nogil:
    """The highest card of the hand that touches `card`, no card of others between."""
    cdef cards_t higher = lane_of(card) & ~(card | (card - 1)), fence = lowest(others & higher)
    if fence:
        higher &= fence - 1
    higher &= hand
    return highest(higher) if higher else card


cdef inline cards_t lane_mask(int lane) noexcept nogil:
    return LANE0 << (16 * lane)


cdef inline int length(cards_t shape, int seat, int lane) noexcept nogil:
    """Number of cards a seat holds in a lane; `shape` has 16 nibbles, seat by seat."""
    return (shape >> (16 * seat + 4 * lane)) & 15
