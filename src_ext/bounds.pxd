# Tricks that need no search.
#
# A race may end before the last trick, so two kinds are kept apart:
#  - tricks that the side on lead can take one after the other, at once: valid in every race;
#  - tricks that must come sooner or later (a top trump): valid only when the race runs to the last
#    trick, that is when its slack is 0.
# Each count comes with the cards whose rank it relies on, and no more of them than are needed.

from cards cimport TRUMPS, cards_t, count, highest, lane_mask, length, lowest


cdef struct Count:
    int tricks
    cards_t ranks


cdef struct Cashing:
    # The leader's plan: his own winners first, then those of partner ("his" from here on).
    int leader
    int partner
    int next                # the two others
    int last
    int need
    int most_side           # side-suit tricks for which partner has cards other than trumps
    int side                # side-suit tricks of the leader found so far
    int his_tricks
    cards_t others          # the cards of the two others
    cards_t his_ranks
    bint drawn              # the others will have no trumps
    bint entry              # a low card of the leader's reaches a winner of partner's
    Count found


cdef inline int most(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline int least(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline cards_t above(cards_t others, cards_t lane) noexcept nogil:
    """The part of a lane above the highest of the other side's cards in it."""
    cdef cards_t top
    if others == 0:
        return lane
    top = highest(others)
    return lane & ~(top | (top - 1))


cdef inline cards_t top_cards(cards_t hand, int n) noexcept nogil:
    """The n highest cards of a set of one suit, all of it if it has no more."""
    cdef int drop = count(hand) - n
    while drop > 0:
        hand &= hand - 1
        drop -= 1
    return hand


cdef inline int unblocked(cards_t winners, int k, cards_t his, int his_length) noexcept nogil:
    """How many of the leader's top k winners partner can surely stay below, playing his lowest first."""
    while k > 0:
        if count(his & (lowest(top_cards(winners, k)) - 1)) >= least(k, his_length):
            return k
        k -= 1
    return 0


cdef inline void cash_trumps(Cashing *q, const cards_t *hand, int slack, cards_t shape) noexcept nogil:
    """Trumps: those the leader can cash at once, and with slack 0 those of both hands that win later."""
    cdef cards_t others = q.others & TRUMPS, free = above(others, TRUMPS)
    cdef cards_t tops = hand[q.leader] & free, all_tops
    cdef int rounds = most(length(shape, q.next, 3), length(shape, q.last, 3))
    cdef int trumps = length(shape, q.leader, 3), his_trumps = length(shape, q.partner, 3)
    cdef int k = count(tops)
    if k and his_trumps:
        k = unblocked(tops, k, hand[q.partner] & TRUMPS, his_trumps)
    q.drawn = k >= rounds
    if slack == 0:
        all_tops = (hand[q.leader] | hand[q.partner]) & free
        q.found.tricks = least(count(all_tops), most(trumps, his_trumps))
        if q.drawn:
            q.found.tricks = most(q.found.tricks, trumps)
        q.found.tricks = least(q.found.tricks, q.need)
        if rounds:
            q.found.ranks = top_cards(all_tops, q.found.tricks)
    else:
        q.found.tricks = least(trumps if q.drawn and his_trumps <= k else k, q.need)
        if rounds or his_trumps:
            q.found.ranks = top_cards(tops, least(k, q.found.tricks))
    if q.drawn and rounds and q.found.tricks < q.need:
        q.found.ranks |= top_cards(tops, rounds)


cdef inline void cash_suit(Cashing *q, const cards_t *hand, int lane, cards_t shape) noexcept nogil:
    """A side suit: the leader's winners, and the winners partner will have after them."""
    cdef cards_t bits = lane_mask(lane), free = above(q.others & bits, bits)
    cdef cards_t tops = hand[q.leader] & free, his_tops = hand[q.partner] & free
    cdef int long_, his_long, next_long, last_long, rounds = 13, winners, k
    if (tops | his_tops) == 0:
        return
    long_ = length(shape, q.leader, lane)
    his_long = length(shape, q.partner, lane)
    next_long = length(shape, q.next, lane)
    last_long = length(shape, q.last, lane)
    if not q.drawn:
        # Whoever holds a trump must still follow suit.
        if length(shape, q.next, 3):
            rounds = next_long
        if length(shape, q.last, 3):
            rounds = least(rounds, last_long)
    winners = count(tops)
    k = least(winners, rounds)
    if k and his_long:
        k = unblocked(tops, k, hand[q.partner] & bits, his_long)
    if k and k == winners and rounds == 13 and k >= his_long and k >= most(next_long, last_long):
        # Everybody else runs out: the leader's small cards are good as well.
        k = least(least(long_, q.most_side - q.side), q.need - q.found.tricks)
        q.found.ranks |= top_cards(tops, least(k, most(his_long, most(next_long, last_long))))
        q.found.tricks += k
        q.side += k
        return
    k = least(least(k, q.most_side - q.side), q.need - q.found.tricks)
    if k:
        q.found.ranks |= top_cards(tops, k)
        q.found.tricks += k
        q.side += k
    if k == winners and his_tops and rounds > k and his_long > k:
        winners = least(least(count(his_tops), his_long - k), rounds - k)
        q.his_tricks += winners
        q.his_ranks |= top_cards(his_tops, winners)
        q.entry |= long_ > k


cdef inline Count quick_tricks(const cards_t *hand, int leader, int n, int need, int slack, cards_t shape) noexcept nogil:
    """Tricks the leader's side takes before it can lose one, counted up to `need`; n are left.

    The leader cashes his winners, partner staying below them and throwing what he does not need;
    then, if a low card reaches a winner of partner's, partner cashes his. A suit counts only for as
    many rounds as every opponent who holds a trump must follow, unless the leader's own top trumps
    draw them all first. Neither hand may be forced to ruff on the way: that would move the lead.
    With slack 0 trumps that are sure to win later count as well.
    """
    cdef Cashing q
    cdef int lane, his
    q.leader = leader
    q.partner = leader ^ 2
    q.next = (leader + 1) & 3
    q.last = (leader + 3) & 3
    q.need = need
    q.most_side = n - length(shape, q.partner, 3)
    q.side = 0
    q.his_tricks = 0
    q.others = hand[q.next] | hand[q.last]
    q.his_ranks = 0
    q.entry = False
    q.found.ranks = 0
    cash_trumps(&q, hand, slack, shape)
    for lane in range(3):
        if q.found.tricks >= need:
            return q.found
        cash_suit(&q, hand, lane, shape)
    if q.entry:
        his = least(q.his_tricks, least(q.most_side, n - length(shape, leader, 3)) - q.side)
        if his > 0 and q.found.tricks < need:
            q.found.tricks += his
            q.found.ranks |= q.his_ranks
    return q.found


cdef inline Count top_trumps(cards_t ours, cards_t others, int longest, int need) noexcept nogil:
    """Trumps of one side that nothing beats, wherever the lead is; slack 0 only.

    `longest` is the length of its longer hand: two of them may fall on one trick otherwise.
    """
    cdef Count sure
    cdef cards_t tops = ours & above(others, TRUMPS)
    sure.tricks = least(least(count(tops), longest), need)
    sure.ranks = top_cards(tops, sure.tricks) if others else 0
    return sure


cdef inline Count slow_trump(const cards_t *hand, int side, int n, int leader, cards_t all) noexcept nogil:
    """A trump trick that one side (0: even seats) must take although the others hold the ace; slack 0 only.

    A guarded king is safe when its holder plays behind the ace, a guarded queen when he plays behind
    ace and king; a holder on lead needs other cards to lead. King and queen against the ace are safe
    when either is guarded. A bare ace in front of a guarded king is not enough: its holder may throw
    another card while the king's has nothing but trumps.
    """
    cdef Count slow
    cdef cards_t rest = all & TRUMPS, ace, king, queen, one, two
    cdef int holder
    slow.tricks = 0
    slow.ranks = 0
    if count(rest) < 3:
        return slow
    ace = highest(rest)
    rest ^= ace
    king = highest(rest)
    queen = highest(rest ^ king)
    one = hand[side] & TRUMPS
    two = hand[side + 2] & TRUMPS
    if (one | two) & ace:
        return slow
    if (one | two) & king:
        holder = side if one & king else side + 2
        if (hand[holder] & TRUMPS) != king and (leader != holder or n >= 3) and in_front(hand, holder, ace):
            slow.tricks = 1
            slow.ranks = ace | king
        elif (one | two) & queen and (one & (one - 1) or two & (two - 1)):
            slow.tricks = 1
            slow.ranks = ace | king | queen
    elif (one | two) & queen:
        holder = side if one & queen else side + 2
        if count(hand[holder] & TRUMPS) >= 3 and (leader != holder or n >= 4) and in_front(hand, holder, ace | king):
            slow.tricks = 1
            slow.ranks = ace | king | queen
    return slow


cdef inline bint in_front(const cards_t *hand, int holder, cards_t honours) noexcept nogil:
    """Whether the player before holds these trumps: then they are played before the holder must choose."""
    return (honours & ~hand[(holder + 3) & 3]) == 0


cdef inline int long_trumps(cards_t shape, int one) noexcept nogil:
    """Trump tricks a side takes by sheer length, whatever the ranks; slack 0 only. `one` is either seat."""
    cdef int other = (one + 1) & 3
    return most(length(shape, one, 3), length(shape, one ^ 2, 3)) - length(shape, other, 3) - length(shape, other ^ 2, 3)
