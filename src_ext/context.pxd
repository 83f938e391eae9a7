# What one search owns: nothing is shared and nothing is allocated while it runs.

from libc.stdint cimport int64_t, uint32_t, uint64_t

from cards cimport cards_t
from table cimport Table

cdef enum:
    HINTS = 1 << 13         # entries of the table of cards that cut last time: 32 KB, stays in the cache
    MOST_WEIGHTS = 64


cdef enum:                  # what a profile counts, by tricks left
    PLAYS
    LOOK_UPS
    HITS
    COMPARES                # patterns looked at
    SETTLED                 # positions decided without search
    SEARCHED
    STORES
    LOOK_UP_TICKS           # of the processor's clock
    BOUND_TICKS
    STORE_TICKS
    ORDER_TICKS
    TALLIES


cdef struct Frame:
    # What stays the same through one trick.
    cards_t all             # cards held when it began
    cards_t lane            # of the suit led
    int a
    int b
    int n                   # tricks left, this one included


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
    uint64_t tallies[TALLIES][14]   # counted in a profile build only
    void *owner             # the Search object, for what needs Python: signals and the clock


cdef extern from *:
    """
    #ifdef HOKM_PROFILE
    #include <x86intrin.h>
    #define hokm_tally(c, kind, n, amount) ((c)->tallies[kind][n] += (amount))
    #define hokm_ticks() ((int64_t)__rdtsc())
    #else
    #define hokm_tally(c, kind, n, amount) ((void)0)
    #define hokm_ticks() ((int64_t)0)
    #endif
    """
    # Both vanish from an ordinary build; benchmarks/profile_search.py makes one in which they count.
    void tally "hokm_tally"(Context *c, int kind, int n, int64_t amount) nogil
    int64_t ticks "hokm_ticks"() nogil
