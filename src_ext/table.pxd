# Transposition table, generalised to relative ranks.
#
# A position at the start of a trick is looked up by its exact shape (sixteen suit lengths), the
# leader and the slack of the race (see search.pyx). Behind each such head stands a block of patterns,
# the most general first. A pattern fixes the owners of the top relative cards of each suit, as many
# as a proof needed, and holds what was proved of every position that agrees on those:
#
#     Head    shape 64 | tag 32: generation, slack, leader | first 32 | count 16 | class 8 | -    24 bytes
#     Entry   owner1 64 | owner0 64 | mask 64 | lo 8 | hi 8 | size 8 | -                          32 bytes
#
# owner1 and owner0 are the high and low bits of the owning seat of every card, packed so that the
# cards already played leave no gaps; a pattern matches when both agree under `mask`; size is the
# number of cards under it. `lo` is the largest number of tricks proved within reach of hakem's side,
# `hi` the smallest proved out of reach, for races of this slack (tricks of hakem's side, from here on).
#
# The patterns of a head stand side by side, so that a scan is not a chain of cache misses. A block
# of class k has room for 1 << k of them; a full one moves to the next class, and the old block waits
# on the free list of its class. Heads are open-addressed with linear probing and at most half full.
# When heads or blocks are used up the table starts a new generation: what was proved is forgotten
# and searched again where needed, and the search goes on. Nothing here allocates.

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove, memcpy, memset

from cards cimport cards_t, count

cdef enum:
    FIRST_HEADS = 2048      # heads in use after a reset; doubled as shapes come in
    GENERATIONS = 1 << 24
    CLASSES = 12            # the largest block has 2048 patterns; what comes after pushes out the last
    NO_BLOCK = 0xFFFFFFFF


cdef struct Head:
    uint64_t shape
    uint32_t tag
    uint32_t first
    uint16_t count
    uint8_t block_class


cdef struct Entry:
    cards_t owner1
    cards_t owner0
    cards_t mask
    int8_t lo
    int8_t hi
    uint8_t size


cdef struct Table:
    Head *heads             # max_heads of them
    Head *spare             # max_heads / 2, used while growing
    Entry *entries          # max_entries
    uint32_t size           # heads in use, a power of two
    uint32_t max_heads
    uint32_t filled
    uint32_t used
    uint32_t max_entries
    uint32_t generation
    uint32_t vacant[CLASSES]    # first free block of each class; each names the next in its `mask`


cdef inline void new_generation(Table *t) noexcept nogil:
    cdef int i
    t.generation += 1
    if t.generation == GENERATIONS:
        memset(t.heads, 0, t.max_heads * sizeof(Head))
        t.generation = 1
    t.filled = 0
    t.used = 0
    for i in range(CLASSES):
        t.vacant[i] = NO_BLOCK


cdef inline void reset_table(Table *t) noexcept nogil:
    """Forget everything, at a cost that does not depend on what was stored."""
    t.size = FIRST_HEADS if FIRST_HEADS < t.max_heads else t.max_heads
    new_generation(t)


cdef inline uint32_t tag_of(Table *t, int leader, int slack) noexcept nogil:
    return (t.generation << 8) | <uint32_t>(slack << 2) | <uint32_t>leader


cdef inline uint32_t slot_of(Table *t, uint64_t shape, int leader, int slack) noexcept nogil:
    cdef uint64_t h = (shape + <uint64_t>((slack << 2) | leader)) * <uint64_t>0x9E3779B97F4A7C15
    return <uint32_t>(h >> 40) & (t.size - 1)


cdef inline Head *find_head(Table *t, uint64_t shape, int leader, int slack) noexcept nogil:
    """The head of this shape, or the free one where it would stand (of an older generation)."""
    cdef uint32_t tag = tag_of(t, leader, slack)
    cdef uint32_t i = slot_of(t, shape, leader, slack)
    cdef Head *head
    while True:
        head = &t.heads[i]
        if head.tag == tag and head.shape == shape:
            return head
        if (head.tag >> 8) != t.generation:
            return head
        i = (i + 1) & (t.size - 1)


cdef inline Entry *look_up(Table *t, uint64_t shape, int leader, int slack,
                           cards_t p1, cards_t p0, int a, int *compared) noexcept nogil:
    """The first pattern that answers "a more tricks for hakem's side?", or NULL; how many were compared."""
    cdef Head *head = find_head(t, shape, leader, slack)
    cdef Entry *e
    cdef Entry *end
    compared[0] = 0
    if head.tag != tag_of(t, leader, slack):
        return NULL
    e = &t.entries[head.first]
    end = e + head.count
    while e != end:
        if (((p1 ^ e.owner1) | (p0 ^ e.owner0)) & e.mask) == 0 and (a <= e.lo or a >= e.hi):
            compared[0] = <int>(e - &t.entries[head.first]) + 1
            return e
        e += 1
    compared[0] = head.count
    return NULL


cdef inline void grow(Table *t) noexcept nogil:
    """Twice the heads; the patterns stay where they are."""
    cdef uint32_t i, j, n = 0
    cdef Head *head
    for i in range(t.size):
        if (t.heads[i].tag >> 8) == t.generation:
            t.spare[n] = t.heads[i]
            n += 1
    t.size *= 2
    memset(t.heads, 0, t.size * sizeof(Head))
    for j in range(n):
        head = find_head(t, t.spare[j].shape, t.spare[j].tag & 3, (t.spare[j].tag & 255) >> 2)
        head[0] = t.spare[j]


cdef inline uint32_t take_block(Table *t, int block_class) noexcept nogil:
    """A block from the free list or the arena; there must be room for one of the largest class."""
    cdef uint32_t block = t.vacant[block_class]
    if block != NO_BLOCK:
        t.vacant[block_class] = <uint32_t>t.entries[block].mask
        return block
    block = t.used
    t.used += <uint32_t>1 << block_class
    return block


cdef inline void make_room(Table *t) noexcept nogil:
    if t.used + (<uint32_t>1 << (CLASSES - 1)) > t.max_entries:
        new_generation(t)
    elif 2 * t.filled >= t.size:
        if t.size < t.max_heads:
            grow(t)
        else:
            new_generation(t)


cdef inline void widen(Table *t, Head *head) noexcept nogil:
    """Move the patterns of a head to a block of the next class."""
    cdef uint32_t old = head.first, block = take_block(t, head.block_class + 1)
    memcpy(&t.entries[block], &t.entries[old], head.count * sizeof(Entry))
    t.entries[old].mask = t.vacant[head.block_class]
    t.vacant[head.block_class] = old
    head.first = block
    head.block_class += 1


cdef inline void store(Table *t, uint64_t shape, int leader, int slack,
                       cards_t p1, cards_t p0, cards_t mask, int lo, int hi) noexcept nogil:
    """Keep a pattern, before all less general ones; drop those it makes useless."""
    cdef Head *head
    cdef Entry *first
    cdef Entry *e
    cdef Entry *end
    cdef Entry *kept
    cdef int size = count(mask)
    make_room(t)
    head = find_head(t, shape, leader, slack)
    if head.tag != tag_of(t, leader, slack):
        head.shape = shape
        head.tag = tag_of(t, leader, slack)
        head.first = take_block(t, 0)
        head.count = 0
        head.block_class = 0
        t.filled += 1
    p1 &= mask
    p0 &= mask
    first = &t.entries[head.first]
    end = first + head.count
    e = first
    while e != end and e.size < size:
        e += 1
    kept = e
    while kept != end and kept.size == size:
        if kept.mask == mask and kept.owner1 == p1 and kept.owner0 == p0:
            kept.lo = max(kept.lo, lo)
            kept.hi = min(kept.hi, hi)
            return
        kept += 1
    # Drop less general patterns that say no more.
    kept = e
    first = e
    while first != end:
        if not ((((p1 ^ first.owner1) | (p0 ^ first.owner0)) & mask) == 0 and (first.mask & mask) == mask
                and lo >= first.lo and hi <= first.hi):
            if kept != first:
                kept[0] = first[0]
            kept += 1
        first += 1
    head.count = <uint16_t>(kept - &t.entries[head.first])
    if head.count == <uint32_t>1 << head.block_class:
        if head.block_class == CLASSES - 1:
            if e == kept:
                return
            head.count -= 1
            kept -= 1
        else:
            size = <int>(e - &t.entries[head.first])
            widen(t, head)
            e = &t.entries[head.first] + size
            kept = &t.entries[head.first] + head.count
    memmove(e + 1, e, (kept - e) * sizeof(Entry))
    e.owner1 = p1
    e.owner0 = p0
    e.mask = mask
    e.lo = lo
    e.hi = hi
    e.size = count(mask)
    head.count += 1
