# Policies made of rules. Each chooses one legal card from a record and one hand; `legal` has one card of every run of
# equal cards (the lowest), so no policy tells equal cards apart.

from cards cimport TRUMPS, cards_t, count, ctz, highest, lane_mask, lane_of, lowest
from record cimport Record, above, beats, unseen_by
from rng cimport Rng, rng_below

cdef enum:
    TRUMP_LANE = 3


cdef inline cards_t random_card(cards_t legal, Rng* rng) noexcept nogil:
    """Any of the legal cards, all equally likely."""
    cdef int skip = <int>rng_below(rng, <unsigned int>count(legal))
    while skip:
        legal &= legal - 1
        skip -= 1
    return lowest(legal)


cdef inline cards_t lowest_rank(cards_t cards) noexcept nogil:
    """The card of the lowest rank, side suits before trumps."""
    cdef cards_t side = cards & ~TRUMPS
    cdef cards_t card, found = 0
    cdef int lane, rank, least = 16
    if not side:
        return lowest(cards)
    for lane in range(TRUMP_LANE):
        if side & lane_mask(lane):
            card = lowest(side & lane_mask(lane))
            rank = ctz(card) & 15
            if rank < least:
                least = rank
                found = card
    return found


cdef inline cards_t winners_among(const Record* record, cards_t legal) noexcept nogil:
    """The legal cards that would hold the trick now."""
    return legal & (record.lane | TRUMPS) & ~(record.best | (record.best - 1))


cdef inline cards_t longest_lane(cards_t hand) noexcept nogil:
    """The longest side suit of a hand that has one."""
    cdef int lane, n, most = 0
    cdef cards_t found = 0
    for lane in range(TRUMP_LANE):
        n = count(hand & lane_mask(lane))
        if n > most:
            most = n
            found = lane_mask(lane)
    return found


cdef inline cards_t up_to_highest(cards_t cards) noexcept nogil:
    """In every lane all bits up to the highest card there; a shift must not reach the lane below."""
    cards |= (cards >> 1) & <cards_t>0x7FFF7FFF7FFF7FFF
    cards |= (cards >> 2) & <cards_t>0x3FFF3FFF3FFF3FFF
    cards |= (cards >> 4) & <cards_t>0x0FFF0FFF0FFF0FFF
    return cards | ((cards >> 8) & <cards_t>0x00FF00FF00FF00FF)


cdef inline cards_t boss_cards(cards_t cards, cards_t unseen) noexcept nogil:
    """The cards that no unseen card of their suit beats."""
    return cards & ~up_to_highest(unseen)


# ---- greedy: the sensible beginner -------------------------------------------------------------------------------


cdef inline cards_t greedy_lead(const Record* record, cards_t hand, cards_t legal) noexcept nogil:
    """A side card that nothing beats in its suit, else the lowest card of the longest side suit, else a high trump."""
    cdef cards_t side = legal & ~TRUMPS
    cdef cards_t boss = boss_cards(side, unseen_by(record, hand))
    if boss:
        return lowest(boss)
    return lowest(legal & longest_lane(hand)) if side else highest(legal)


cdef inline cards_t greedy_card(const Record* record, cards_t hand, cards_t legal, int seat) noexcept nogil:
    """Win if an opponent holds the trick, cheaply when last or when ruffing; otherwise play low."""
    cdef cards_t winners
    if record.turn == 0:
        return greedy_lead(record, hand, legal)
    winners = winners_among(record, legal)
    if not winners or (record.holder ^ seat) == 2:
        return lowest_rank(legal)
    if record.turn == 3 or (winners & TRUMPS and record.lane != TRUMPS):
        return lowest_rank(winners)
    if record.turn == 2 or not above(highest(winners)) & unseen_by(record, hand):
        return highest(winners)
    return lowest_rank(legal)


# ---- rules: what a careful player does ---------------------------------------------------------------------------


cdef inline bint may_trump(const Record* record, cards_t unseen, int seat) noexcept nogil:
    """Whether `seat` may still hold a trump."""
    return unseen & TRUMPS & ~record.out[seat] != 0


cdef inline bint may_ruff(const Record* record, cards_t unseen, int seat, cards_t lane) noexcept nogil:
    """Whether `seat` must be out of `lane`, a side suit, and may still hold a trump."""
    return lane != TRUMPS and not unseen & lane & ~record.out[seat] and may_trump(record, unseen, seat)


cdef inline bint may_beat(const Record* record, cards_t unseen, int seat, cards_t card) noexcept nogil:
    """Whether `seat`, still to play, may hold a card that beats `card`, as far as is known.

    A ruff is feared only of a seat that must be out of the suit led.
    """
    if may_ruff(record, unseen, seat, record.lane):
        return not card & TRUMPS or above(card) & unseen != 0
    if card & TRUMPS and record.lane != TRUMPS:
        return False
    return above(card) & unseen & ~record.out[seat] != 0


cdef inline cards_t safe_bosses(const Record* record, cards_t legal, cards_t unseen, int seat) noexcept nogil:
    """Side cards that win unless an opponent ruffs who is not known to be out of the suit."""
    cdef cards_t boss = boss_cards(legal & ~TRUMPS, unseen)
    cdef int lane
    for lane in range(TRUMP_LANE):
        if may_ruff(record, unseen, (seat + 1) & 3, lane_mask(lane)) or \
                may_ruff(record, unseen, (seat + 3) & 3, lane_mask(lane)):
            boss &= ~lane_mask(lane)
    return boss


cdef inline cards_t from_fullest(cards_t cards, cards_t unseen) noexcept nogil:
    """The highest of `cards` in the suit of which the others hold most: the one least likely to be ruffed."""
    cdef int lane, n, most = -1
    cdef cards_t found = 0
    for lane in range(4):
        if cards & lane_mask(lane):
            n = count(unseen & lane_mask(lane))
            if n > most:
                most = n
                found = highest(cards & lane_mask(lane))
    return found


cdef inline cards_t quiet_lead(const Record* record, cards_t legal, cards_t hand, cards_t unseen, int seat) noexcept nogil:
    """A low side card: for partner to ruff if he can, not for an opponent, best from length."""
    cdef int lane, worth, most = -100
    cdef cards_t found = 0, mine
    for lane in range(TRUMP_LANE):
        mine = hand & lane_mask(lane)
        if not mine:
            continue
        worth = count(mine)
        if may_ruff(record, unseen, seat ^ 2, lane_mask(lane)):
            worth += 8
        if may_ruff(record, unseen, (seat + 1) & 3, lane_mask(lane)):
            worth -= 6
        if may_ruff(record, unseen, (seat + 3) & 3, lane_mask(lane)):
            worth -= 6
        if worth > most:
            most = worth
            found = lowest(mine & legal)
    return found


cdef inline cards_t rules_lead(const Record* record, cards_t hand, cards_t legal, int seat) noexcept nogil:
    """Draw trumps from length, cash side cards that cannot lose, then lead low from a good suit."""
    cdef cards_t unseen = unseen_by(record, hand)
    cdef cards_t mine = hand & TRUMPS, theirs = unseen & TRUMPS
    cdef bint fear = may_trump(record, unseen, (seat + 1) & 3) or may_trump(record, unseen, (seat + 3) & 3)
    cdef cards_t boss
    if mine and fear and not above(highest(mine)) & unseen and count(mine) >= 3 and count(mine) + 2 >= count(theirs):
        return highest(legal & TRUMPS)
    boss = safe_bosses(record, legal, unseen, seat)
    if boss:
        return from_fullest(boss, unseen)
    if not hand & ~TRUMPS:
        return lowest(legal) if above(highest(mine)) & unseen else highest(legal)
    if fear and count(mine) >= 5:
        return lowest(legal & TRUMPS)
    return quiet_lead(record, legal, hand, unseen, seat)


cdef inline cards_t worst_card(const Record* record, cards_t hand, cards_t legal) noexcept nogil:
    """The side card least likely to win: most unseen cards above it; of equals the one from the shorter suit."""
    cdef cards_t unseen = unseen_by(record, hand), left = legal & ~TRUMPS
    cdef cards_t card, found = 0
    cdef int doubt, most = -1
    if not left:
        return lowest(legal)
    while left:
        card = lowest(left)
        left ^= card
        doubt = 16 * count(above(card) & unseen) - count(hand & lane_of(card))
        if doubt > most or not found:
            most = doubt
            found = card
    return found


cdef inline cards_t rules_follow(const Record* record, cards_t hand, cards_t legal, int seat) noexcept nogil:
    """Following suit: nothing is wasted on partner's trick or on a lost one; win as cheaply as is safe."""
    cdef cards_t unseen = unseen_by(record, hand)
    cdef cards_t winners = winners_among(record, legal)
    cdef bint partner_holds = (record.holder ^ seat) == 2
    cdef cards_t top
    if not winners or (partner_holds and record.turn == 3):
        return lowest(legal)
    if record.turn == 3:
        return lowest(winners)
    if partner_holds and not may_beat(record, unseen, (seat + 1) & 3, record.best):
        return lowest(legal)
    top = highest(winners)
    if not may_beat(record, unseen, (seat + 1) & 3, top):
        return top
    return top if record.turn == 2 and not partner_holds and not may_ruff(
        record, unseen, (seat + 1) & 3, record.lane) else lowest(legal)


cdef inline cards_t rules_void(const Record* record, cards_t hand, cards_t legal, int seat) noexcept nogil:
    """Out of the suit led: ruff what an opponent holds, as low as wins; otherwise throw the worst card."""
    cdef cards_t winners = winners_among(record, legal)
    if not winners:
        return worst_card(record, hand, legal)
    if (record.holder ^ seat) == 2:
        if record.turn == 3 or record.best & TRUMPS or count(above(record.best) & unseen_by(record, hand)) < 3:
            return worst_card(record, hand, legal)
    return lowest(winners)


cdef inline cards_t rules_card(const Record* record, cards_t hand, cards_t legal, int seat) noexcept nogil:
    if record.turn == 0:
        return rules_lead(record, hand, legal, seat)
    if legal & record.lane:
        return rules_follow(record, hand, legal, seat)
    return rules_void(record, hand, legal, seat)
