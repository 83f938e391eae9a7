# Tricks that need no search.
#
# A race may end before the last trick, so two kinds are kept apart:
#  - tricks that the side on lead can cash one after the other, at once: valid in every race;
#  - tricks that must come sooner or later (a top trump): valid only when the race runs to the last
#    trick, that is when its slack is 0.
# Each count comes with the cards whose rank it relies on, and no more of them than are needed.

from cards cimport TRUMPS, cards_t, count, highest, lane_mask, length, lowest

cdef struct Count:
    int tricks
    cards_t ranks


cdef inline cards_t above(cards_t others, cards_t lane) noexcept nogil:
    """The part of a lane above the highest of the other side's cards in it."""
    cdef cards_t top
    if others == 0:
        return lane
    top = highest(others)
    return lane & ~(top | (top - 1))


cdef inline cards_t top_cards(cards_t hand, int n) noexcept nogil:
    """The n highest cards of a set that holds at least n."""
    cdef cards_t rest = hand
    cdef int drop = count(hand) - n
    while drop > 0:
        rest &= rest - 1
        drop -= 1
    return rest


cdef inline int unblocked(cards_t winners, int k, cards_t partner, int partner_length) noexcept nogil:
    """How many of the leader's top k winners partner can surely stay below, playing his lowest first."""
    cdef cards_t last
    cdef int follows
    while k > 0:
        last = lowest(top_cards(winners, k))
        follows = k if k < partner_length else partner_length
        if count(partner & (last - 1)) >= follows:
            return k
        k -= 1
    return 0


cdef inline int most(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline int least(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline Count sure_trumps(cards_t ours, cards_t others, int longest, int need) noexcept nogil:
    """Top trumps of one side, wherever the lead is; `longest` is the length of its longer hand."""
    cdef Count sure
    cdef cards_t tops = ours & above(others, TRUMPS)
    sure.tricks = least(least(count(tops), longest), need)
    sure.ranks = top_cards(tops, sure.tricks) if others else 0
    return sure


cdef inline Count quick_tricks(const cards_t *hand, int leader, int need, int slack, cards_t shape) noexcept nogil:
    """Tricks the leader's side takes before it can lose one, counted up to `need`.

    The leader cashes his winners, partner staying below them; then, if a low card reaches a winner
    of partner's, partner cashes his. A suit counts only for as many rounds as every opponent who
    holds a trump must follow, unless the leader's own top trumps draw them all first. With slack 0
    trumps that are sure to win later count as well.
    """
    cdef Count total
    cdef int x = (leader + 1) & 3, y = (leader + 3) & 3, pd = leader ^ 2
    cdef cards_t mine = hand[leader], his = hand[pd], others = hand[x] | hand[y]
    cdef int trumps_x = length(shape, x, 3), trumps_y = length(shape, y, 3)
    cdef int rounds = most(trumps_x, trumps_y)
    cdef int trumps = length(shape, leader, 3), his_trumps = length(shape, pd, 3)
    cdef int his_tricks = 0, k, h, cap, long_x, long_y, mine_long, his_long, lane
    cdef bint entry = False, drawn, his_turn
    cdef cards_t his_ranks = 0, free, my_tops, his_tops, bits, rest
    total.tricks = 0
    total.ranks = 0
    # Trumps.
    bits = others & TRUMPS
    free = above(bits, TRUMPS)
    my_tops = mine & free
    his_tops = his & free
    k = count(my_tops)
    if k and his_trumps:
        k = unblocked(my_tops, k, his & TRUMPS, his_trumps)
    drawn = k >= rounds
    his_turn = rounds == 0 or not drawn or his_trumps >= rounds
    if slack == 0:
        h = least(count(my_tops | his_tops), most(trumps, his_trumps))
        if drawn and trumps > h:
            h = trumps
        total.tricks = least(h, need)
        if rounds:
            total.ranks = top_cards(my_tops | his_tops, least(total.tricks, count(my_tops | his_tops)))
    elif k:
        total.tricks = least(k, need)
        if drawn and his_trumps <= k:
            total.tricks = least(trumps, need)
        total.ranks = top_cards(my_tops, least(k, total.tricks)) if rounds or his_trumps else 0
    if total.tricks >= need:
        return total
    if drawn and rounds:
        total.ranks |= top_cards(my_tops, rounds)
    # Side suits.
    for lane in range(3):
        mine_long = length(shape, leader, lane)
        his_long = length(shape, pd, lane)
        if mine_long == 0 and his_long == 0:
            continue
        long_x = length(shape, x, lane)
        long_y = length(shape, y, lane)
        cap = 13
        if not drawn:
            if trumps_x:
                cap = long_x
            if trumps_y and long_y < cap:
                cap = long_y
            if cap == 0:
                continue
        bits = lane_mask(lane)
        free = above(others & bits, bits)
        my_tops = mine & free
        his_tops = his & free
        if (my_tops | his_tops) == 0:
            continue
        h = count(my_tops)
        k = least(h, cap)
        if k and his_long:
            k = unblocked(my_tops, k, his & bits, his_long)
        if k:
            rest = my_tops
            if cap == 13 and k == h and k >= long_x and k >= long_y and k >= his_long:
                # The others run out: the leader's small cards are good as well.
                h = mine_long
                k = most(most(long_x, long_y), his_long)
                total.ranks |= top_cards(rest, k)
                total.tricks += h
                if total.tricks >= need:
                    return total
                continue
            if total.tricks + k >= need:
                total.ranks |= top_cards(rest, need - total.tricks)
                total.tricks = need
                return total
            total.ranks |= top_cards(rest, k)
            total.tricks += k
        if k == h and his_turn and his_tops and cap > k and his_long > k:
            h = least(least(count(his_tops), his_long - k), cap - k)
            his_tricks += h
            his_ranks |= top_cards(his_tops, h)
            if mine_long > k:
                entry = True
    if entry and his_tricks:
        total.tricks += his_tricks
        total.ranks |= his_ranks
    return total


cdef inline Count slow_trumps(const cards_t *hand, int side, int n, int leader, cards_t all) noexcept nogil:
    """A trump trick of one side (0: even seats) that must come although the others hold the ace.

    Valid with slack 0 only. A guarded king is safe when its holder plays behind the ace, a guarded
    queen when he plays behind ace and king; a holder who is on lead needs another card to lead.
    """
    cdef Count slow
    cdef cards_t rest = all & TRUMPS, a, k, q, h0, h1, mine, before
    cdef int seat
    slow.tricks = 0
    slow.ranks = 0
    if rest & (rest - 1) == 0:
        return slow
    a = highest(rest)
    rest ^= a
    k = highest(rest)
    rest ^= k
    h0 = hand[side] & TRUMPS
    h1 = hand[side + 2] & TRUMPS
    if rest == 0 or (h0 | h1) & a:
        return slow
    q = highest(rest)
    if (h0 | h1) & k:
        seat = side if h0 & k else side + 2
        mine = hand[seat] & TRUMPS
        before = hand[(seat + 3) & 3] & TRUMPS
        if mine != k and (leader != seat or n >= 3):
            if before & a or (hand[(seat + 1) & 3] & TRUMPS) == a:
                slow.tricks = 1
                slow.ranks = a | k
                return slow
        if (h0 | h1) & q and (h0 & (h0 - 1) or h1 & (h1 - 1)):
            slow.tricks = 1
            slow.ranks = a | k | q
            return slow
    elif (h0 | h1) & q:
        seat = side if h0 & q else side + 2
        mine = hand[seat] & TRUMPS
        before = hand[(seat + 3) & 3] & TRUMPS
        if count(mine) >= 3 and (leader != seat or n >= 4):
            if (before & a and before & k) or (hand[(seat + 1) & 3] & TRUMPS) == (a | k):
                slow.tricks = 1
                slow.ranks = a | k | q
    return slow
