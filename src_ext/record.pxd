# The public record of a deal in play: everything the whole table has seen, and not one hidden card.
#
# Seats are counted from hakem in order of play and trump is moved to lane 3, as in the search. A policy is given a
# record and the cards of one hand, so what it must not see is not there to be read.

from cards cimport TRUMPS, cards_t, lane_of, lowest

cdef extern from *:
    """
    #define HOKM_DECK 0x1FFF1FFF1FFF1FFFULL
    """
    const cards_t DECK "HOKM_DECK"

cdef enum:
    TO_WIN = 7


cdef struct Record:
    cards_t gone        # every card played, the trick in progress included
    cards_t trick       # the cards of the trick in progress
    cards_t out[4]      # lanes each seat has shown to be out of
    cards_t led[4]      # lanes each seat has led
    cards_t thrown[4]   # side suits each seat has discarded from
    cards_t lane        # of the suit led, when turn > 0
    cards_t best        # the card that holds the trick, when turn > 0
    int holder          # its player
    int leader
    int turn            # cards played to the trick, 0 to 3
    int won             # tricks of hakem's side
    int lost            # tricks of the other side


cdef inline int to_play(const Record* record) noexcept nogil:
    return (record.leader + record.turn) & 3


cdef inline bint is_over(const Record* record) noexcept nogil:
    return record.won == TO_WIN or record.lost == TO_WIN


cdef inline int margin(const Record* record) noexcept nogil:
    """Margin of a deal that is over, hakem's side's view."""
    return TO_WIN - record.lost if record.won == TO_WIN else record.won - TO_WIN


cdef inline cards_t legal_cards(const Record* record, cards_t hand) noexcept nogil:
    cdef cards_t following = hand & record.lane
    return following if record.turn and following else hand


cdef inline bint beats(const Record* record, cards_t card) noexcept nogil:
    """Whether `card`, played now, would hold the trick; trumps are the highest lane, so numbers compare."""
    return (card & (record.lane | TRUMPS)) > record.best


cdef inline void close_trick(Record* record) noexcept nogil:
    if record.holder & 1:
        record.lost += 1
    else:
        record.won += 1
    record.leader = record.holder
    record.turn = 0
    record.trick = 0


cdef inline void put(Record* record, cards_t card) noexcept nogil:
    """The player to move plays `card`."""
    cdef int seat = to_play(record)
    if record.turn == 0:
        record.lane = lane_of(card)
        record.led[seat] |= record.lane
        record.best = card
        record.holder = seat
    else:
        if not card & record.lane:
            record.out[seat] |= record.lane
            record.thrown[seat] |= lane_of(card) & ~TRUMPS
        if beats(record, card):
            record.best = card
            record.holder = seat
    record.gone |= card
    record.trick |= card
    record.turn += 1
    if record.turn == 4:
        close_trick(record)


cdef inline cards_t run_from(cards_t card, cards_t near) noexcept nogil:
    """The cards of `near` that stand next to each other from `card`, one of them, upward.

    With `near` = own cards and those out of play, own cards in one run are equal. Adding a bit carries through the
    ones above it; the empty bits 13 to 15 keep the carry inside the lane.
    """
    return near & ~(near + card)


cdef inline cards_t own_or_gone(const Record* record, cards_t hand) noexcept nogil:
    """Cards between which nobody can put another: own cards and those of finished tricks."""
    return hand | (record.gone & ~record.trick)


cdef inline cards_t one_of_each_run(const Record* record, cards_t hand, cards_t legal) noexcept nogil:
    """The lowest card of every run of equal cards among `legal`."""
    cdef cards_t near = own_or_gone(record, hand)
    cdef cards_t left = legal, chosen = 0, card
    while left:
        card = lowest(left)
        chosen |= card
        left &= ~run_from(card, near)
    return chosen


cdef inline cards_t unseen_by(const Record* record, cards_t hand) noexcept nogil:
    """The cards in the three other hands."""
    return DECK & ~(record.gone | hand)


cdef inline cards_t above(cards_t card) noexcept nogil:
    """All higher bits of the lane of `card`."""
    return lane_of(card) & ~(card | (card - 1))


cdef inline cards_t below(cards_t card) noexcept nogil:
    """All lower bits of the lane of `card`."""
    return lane_of(card) & (card - 1)
