# What one search owns: nothing is shared and nothing is allocated while it runs.

from libc.stdint cimport uint32_t, uint64_t

from cards cimport cards_t
from table cimport Table

cdef enum:
    HINTS = 1 << 13         # entries of the table of cards that cut last time: 32 KB, stays in the cache
    MOST_WEIGHTS = 64


cdef struct Frame:
    # What stays the same through one trick.
    cards_t all             # cards held when it began
    cards_t lane            # of the suit led
    int a
    int b


cdef struct Context:
    cards_t hand[4]
    cards_t owner1          # high bit of the seat that holds, or held, each card
    cards_t owner0          # low bit
    Table table
    uint32_t *hints         # tag 26 bits | card 6 bits
    int slack
    int weights[MOST_WEIGHTS]
    uint64_t nodes          # trick starts searched
    uint64_t next_check
    uint64_t max_nodes
    bint stopped
    void *owner             # the Search object, for what needs Python: signals and the clock
