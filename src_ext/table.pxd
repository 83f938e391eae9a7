# Transposition table, generalised to relative ranks.
#
# A position at the start of a trick is looked up by its exact shape (sixteen suit lengths), the
# leader and the slack of the race (see search.pxd). Behind each such head hangs a list of patterns,
# the most general first. A pattern fixes the owners of the top relative cards of each suit, as many
# as a proof needed, and holds what was proved of every position that agrees on those:
#
#     Head   | shape 64 | tag 32: generation, slack, leader | first entry 32 |            16 bytes
#     Entry  | owner1 64 | owner0 64 | mask 64 | next 32 | lo 8 | hi 8 | cards 8 | - 8 |  32 bytes
#
# owner1 and owner0 are the high and low bits of the owning seat of every card, packed so that the
# cards already played leave no gaps; a pattern matches when both agree under `mask`.
# `lo` is the largest number of tricks proved within reach of hakem's side, `hi` the smallest proved
# out of reach, for races of this slack (tricks of hakem's side, from here on).
#
# Heads are open-addressed with linear probing and at most half full; entries come from an arena.
# When either is full at its ceiling the table starts a new generation: what was proved is
# forgotten and searched again where needed, and the search goes on. Nothing here allocates.

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cards cimport cards_t, count

cdef enum:
    FIRST_HEADS = 2048      # heads in use after a reset; doubled as shapes come in
    GENERATIONS = 1 << 24


cdef struct Head:
    uint64_t shape
    uint32_t tag
    uint32_t first


cdef struct Entry:
    cards_t owner1
    cards_t owner0
    cards_t mask
    uint32_t next
    int8_t lo
    int8_t hi
    uint8_t size
    uint8_t unused


cdef struct Table:
    Head *heads             # max_heads of them
    Head *spare             # max_heads / 2, used while growing
    Entry *entries          # max_entries; number 0 is never used: it ends a list
    uint32_t size           # heads in use, a power of two
    uint32_t max_heads
    uint32_t filled
    uint32_t used
    uint32_t max_entries
    uint32_t generation


cdef inline void new_generation(Table *t) noexcept nogil:
    t.generation += 1
    if t.generation == GENERATIONS:
        memset(t.heads, 0, t.max_heads * sizeof(Head))
        t.generation = 1
    t.filled = 0
    t.used = 1


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
    """The head of this shape, or the free one where it would stand (its tag is of no use then)."""
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
                           cards_t p1, cards_t p0, int a) noexcept nogil:
    """The first pattern that answers "a more tricks for hakem's side?", or NULL."""
    cdef Head *head = find_head(t, shape, leader, slack)
    cdef Entry *e
    cdef uint32_t i
    if head.tag != tag_of(t, leader, slack):
        return NULL
    i = head.first
    while i:
        e = &t.entries[i]
        if (((p1 ^ e.owner1) | (p0 ^ e.owner0)) & e.mask) == 0 and (a <= e.lo or a >= e.hi):
            return e
        i = e.next
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


cdef inline void make_room(Table *t) noexcept nogil:
    if t.used == t.max_entries:
        new_generation(t)
    elif 2 * t.filled >= t.size:
        if t.size < t.max_heads:
            grow(t)
        else:
            new_generation(t)


cdef inline void store(Table *t, uint64_t shape, int leader, int slack,
                       cards_t p1, cards_t p0, cards_t mask, int lo, int hi) noexcept nogil:
    """Keep a pattern, before all less general ones; drop those it makes useless."""
    cdef Head *head
    cdef Entry *e
    cdef Entry *new
    cdef uint32_t *link
    cdef int size = count(mask)
    make_room(t)
    head = find_head(t, shape, leader, slack)
    if head.tag != tag_of(t, leader, slack):
        head.shape = shape
        head.tag = tag_of(t, leader, slack)
        head.first = 0
        t.filled += 1
    link = &head.first
    while link[0]:
        e = &t.entries[link[0]]
        if e.size >= size:
            break
        link = &e.next
    p1 &= mask
    p0 &= mask
    while link[0]:
        e = &t.entries[link[0]]
        if e.size > size:
            break
        if e.mask == mask and e.owner1 == p1 and e.owner0 == p0:
            e.lo = max(e.lo, lo)
            e.hi = min(e.hi, hi)
            return
        link = &e.next
    new = &t.entries[t.used]
    new.owner1 = p1
    new.owner0 = p0
    new.mask = mask
    new.lo = lo
    new.hi = hi
    new.size = size
    new.next = link[0]
    link[0] = t.used
    t.used += 1
    link = &new.next
    while link[0]:
        e = &t.entries[link[0]]
        if (((p1 ^ e.owner1) | (p0 ^ e.owner0)) & mask) == 0 and (e.mask & mask) == mask and lo >= e.lo and hi <= e.hi:
            link[0] = e.next
        else:
            link = &e.next
