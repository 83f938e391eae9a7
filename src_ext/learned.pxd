# The learned policy: a card's score is the sum of a few weights, each looked up by a number that describes the card in
# its situation; the best score is played. Three situations have tables of their own: leading, following suit, and
# being out of the suit led. Weights are whole numbers, so every processor plays alike.
#
# A number is put together from small fields, lowest first; the width of every field in bits stands where it is added.
# Everything comes from the record and one hand.

from libc.stdint cimport int16_t

from cards cimport TRUMPS, cards_t, count, ctz, highest, lane_mask, lane_of, lowest
from record cimport Record, above, below, beats, unseen_by
from rng cimport Rng, rng_next
from rule_policies cimport TRUMP_LANE, boss_cards, may_beat, may_trump

cdef enum:
    LEAD_TABLES = 14
    FOLLOW_TABLES = 7
    VOID_TABLES = 6
    MOST_TABLES = LEAD_TABLES    # of one situation: look-ups a card at most
    TABLES = LEAD_TABLES + FOLLOW_TABLES + VOID_TABLES
    TABLE = 2048                 # weights of one table
    WEIGHTS = TABLES * TABLE
    LEAD = 0                     # the first table of every situation
    FOLLOW = LEAD_TABLES
    VOID = LEAD_TABLES + FOLLOW_TABLES
    UNIT = 256                   # of scores, in one unit of log-odds


cdef struct Learned:
    int16_t weights[WEIGHTS]
    int noise                    # temperature, in UNIT; 0 plays the best card
    int gumbel[UNIT]             # quantiles of the Gumbel distribution, in UNIT


cdef struct Scene:
    # What the features of all cards of one decision share.
    cards_t hand
    cards_t unseen
    int seat
    int tables          # look-ups a card in this situation
    int first           # the first table of this situation
    int place           # turn − 1 and who holds the trick: 0 to 5
    int stage           # cards in hand − 1
    int trumps          # own trumps, up to 7
    int their_trumps    # unseen trumps, up to 7
    int score           # what the tricks so far make urgent: 0 to 7
    int bosses          # own side cards that no unseen card of their suit beats, up to 3
    int shorts          # leading: side suits without a card, up to 3
    int longest         # leading: cards in the longest side suit, up to 7
    int ruffs           # leading: next opponent, partner, other opponent: may have trumps: 3 bits
    int behind          # next opponent: out of the suit led, may have trumps: 2 bits
    int partner         # second to play, so that partner is last: partner out of the suit led, may have trumps: 2 bits
    int safe            # partner holds the trick and the next opponent cannot beat it as far as known


cdef struct Suit:
    # What the features of all cards of one suit share.
    cards_t lane
    cards_t mine
    cards_t theirs      # unseen
    int base[MOST_TABLES]


cdef inline int at_most(int n, int limit) noexcept nogil:
    return n if n < limit else limit


cdef inline int urgency(int ours, int theirs) noexcept nogil:
    """Tricks of both sides, in eight classes."""
    if ours == 0:
        return 0 if theirs < 4 else 1       # a kot against us threatens
    if theirs == 0:
        return 2 if ours < 4 else 3         # a kot of ours is near
    if ours >= 5:
        return 4 if theirs < 5 else 5
    return 6 if theirs < 5 else 7


cdef inline void look_around(const Record* record, cards_t hand, cards_t legal, int seat, Scene* scene) noexcept nogil:
    scene.hand = hand
    scene.unseen = unseen_by(record, hand)
    scene.seat = seat
    scene.stage = count(hand) - 1
    scene.trumps = at_most(count(hand & TRUMPS), 7)
    scene.their_trumps = at_most(count(scene.unseen & TRUMPS), 7)
    scene.score = urgency(record.lost, record.won) if seat & 1 else urgency(record.won, record.lost)
    scene.bosses = at_most(count(boss_cards(hand & ~TRUMPS, scene.unseen)), 3)
    if record.turn == 0:
        scene.first = LEAD
        scene.tables = LEAD_TABLES
        look_before_lead(record, scene)
    else:
        scene.first = FOLLOW if legal & record.lane else VOID
        scene.tables = FOLLOW_TABLES if legal & record.lane else VOID_TABLES
        look_at_trick(record, scene)


cdef inline void look_before_lead(const Record* record, Scene* scene) noexcept nogil:
    cdef int lane, n
    scene.shorts = 0
    scene.longest = 0
    for lane in range(TRUMP_LANE):
        n = count(scene.hand & lane_mask(lane))
        scene.shorts += n == 0
        if n > scene.longest:
            scene.longest = n
    scene.longest = at_most(scene.longest, 7)
    scene.ruffs = may_trump(record, scene.unseen, (scene.seat + 1) & 3) \
        + 2 * may_trump(record, scene.unseen, scene.seat ^ 2) + 4 * may_trump(record, scene.unseen, (scene.seat + 3) & 3)


cdef inline void look_at_trick(const Record* record, Scene* scene) noexcept nogil:
    cdef int seat = scene.seat, following = (seat + 1) & 3
    cdef bint partner_holds = (record.holder ^ seat) == 2
    scene.place = (record.turn - 1) * 2 + partner_holds
    scene.behind = (record.turn < 3) * (2 * may_trump(record, scene.unseen, following)
                                        + (record.out[following] & record.lane != 0))
    scene.partner = (record.turn == 1) * (2 * may_trump(record, scene.unseen, seat ^ 2)
                                          + (record.out[seat ^ 2] & record.lane != 0))
    scene.safe = partner_holds and (
        record.turn == 3 or not may_beat(record, scene.unseen, following, record.best))


cdef inline int of_three(const cards_t* lanes, int seat, cards_t lane) noexcept nogil:
    """Which of next opponent, partner, other opponent have `lane` in their set of lanes; 3 bits."""
    return (lanes[(seat + 1) & 3] & lane != 0) + 2 * (lanes[seat ^ 2] & lane != 0) \
        + 4 * (lanes[(seat + 3) & 3] & lane != 0)


cdef inline int led_before(const Record* record, int seat, cards_t lane) noexcept nogil:
    """This seat, partner, an opponent: has led the suit; 3 bits."""
    return (record.led[seat] & lane != 0) + 2 * (record.led[seat ^ 2] & lane != 0) \
        + 4 * ((record.led[(seat + 1) & 3] | record.led[(seat + 3) & 3]) & lane != 0)


cdef inline void look_at_lead(const Record* record, const Scene* scene, Suit* suit) noexcept nogil:
    cdef cards_t lane = suit.lane
    cdef int t = lane == TRUMPS, side = scene.seat & 1
    cdef int n = at_most(count(suit.mine) - 1, 7), n3 = at_most(n, 3)
    cdef int rest = at_most(count(suit.theirs), 15), rest7 = at_most(rest, 7)
    cdef int top = at_most(count(suit.theirs & above(highest(suit.mine))), 3)
    cdef int voids = of_three(record.out, scene.seat, lane)
    cdef int led = led_before(record, scene.seat, lane)
    suit.base[0] = t + 16 * n + 512 * top                                                   # 1 . 3 . 2
    suit.base[1] = t + 8 * voids + 64 * scene.ruffs + 512 * n3                              # 1 . 3 3 2
    suit.base[2] = t + 8 * rest + 128 * n + 1024 * (scene.ruffs & 5 != 0)                   # 1 . 4 3 1
    suit.base[3] = t + 8 * scene.trumps + 64 * scene.their_trumps + 512 * scene.seat        # 1 . 3 3 2
    suit.base[4] = t + 8 * led + 256 * n                                                    # 1 . 3 . 3
    suit.base[5] = t + 32 * n3 + 128 * scene.score + 1024 * side                            # 1 . . 2 3 1
    suit.base[6] = t + 32 * scene.stage + 512 * n3                                          # 1 . . 4 2
    suit.base[7] = t + 128 * scene.trumps + 1024 * (scene.their_trumps != 0)                # 1 . . 3 1
    suit.base[8] = t + 8 * n3 + 32 * scene.trumps + 256 * scene.their_trumps                # 1 . 2 3 3
    suit.base[9] = t + 2 * top + 8 * rest7 + 64 * scene.bosses + 1024 * side                # 1 2 3 2 . 1
    suit.base[10] = t + 2 * led + 16 * voids + 128 * scene.ruffs                            # 1 3 3 3 .
    suit.base[11] = t + 8 * of_three(record.thrown, scene.seat, lane) + 64 * rest7 + 512 * n3   # 1 . 3 3 2
    suit.base[12] = t + 8 * scene.bosses + 32 * scene.trumps + 256 * scene.ruffs            # 1 . 2 3 3
    suit.base[13] = t + 4 * scene.shorts + 16 * scene.trumps + 128 * scene.longest + 1024 * side    # 1 . 2 3 3 1


cdef inline void look_at_follow(const Record* record, const Scene* scene, Suit* suit) noexcept nogil:
    cdef int t = suit.lane == TRUMPS, place = 2 * scene.place                               # 4 bits, below 12
    cdef int n3 = at_most(count(suit.mine) - 1, 3), rest = at_most(count(suit.theirs), 7)
    cdef int lead = at_most(count(suit.theirs & above(record.best)), 3) if record.best & suit.lane else 0
    suit.base[0] = place + 128 * lead                                                       # 4 . 2 .
    suit.base[1] = place + 16 * t + 32 * scene.behind + 512 * scene.safe + 1024 * (n3 == 0)     # 4 1 2 . 1 1
    suit.base[2] = place + 512 * n3                                                         # 4 . . 2
    suit.base[3] = place + 16 * scene.score                                                 # 4 3 . .
    suit.base[4] = place + 1024 * t                                                         # 4 . . 1
    suit.base[5] = place + 16 * scene.partner + 256 * (rest // 2) + 1024 * scene.safe       # 4 2 . 2 1
    suit.base[6] = place + 16 * scene.bosses + 256 * at_most(scene.trumps, 3) + 1024 * t    # 4 2 . 2 1


cdef inline void look_at_void(const Record* record, const Scene* scene, Suit* suit) noexcept nogil:
    cdef int t = suit.lane == TRUMPS, place = 2 * scene.place + 16 * t                      # 5 bits
    cdef int n3 = at_most(count(suit.mine) - 1, 3)
    cdef int lead = at_most(count(scene.unseen & above(record.best)), 3)
    cdef int top = at_most(count(suit.theirs & above(highest(suit.mine))), 7)
    suit.base[0] = place + 32 * scene.trumps + 256 * scene.safe                             # 5 3 1 .
    suit.base[1] = place + 256 * scene.behind + 1024 * scene.safe                           # 5 . 2 1
    suit.base[2] = place + 32 * scene.score + 1024 * scene.safe                             # 5 3 . 1
    suit.base[3] = place + 32 * scene.their_trumps + 256 * lead                             # 5 3 2 .
    suit.base[4] = t + 2 * n3 + 8 * top + 256 * scene.bosses + 1024 * (scene.trumps != 0)   # 1 2 3 . 2 1
    suit.base[5] = place + 32 * scene.partner + 128 * lead + 512 * at_most(scene.trumps, 3)     # 5 2 2 2


cdef inline void look_at_suit(const Record* record, const Scene* scene, cards_t lane, Suit* suit) noexcept nogil:
    """What all cards of one suit share."""
    suit.lane = lane
    suit.mine = scene.hand & lane
    suit.theirs = scene.unseen & lane
    if scene.first == LEAD:
        look_at_lead(record, scene, suit)
    elif scene.first == FOLLOW:
        look_at_follow(record, scene, suit)
    else:
        look_at_void(record, scene, suit)


cdef inline void describe(const Record* record, const Scene* scene, const Suit* suit, cards_t card, int* index) noexcept nogil:
    """The numbers that describe `card` of a suit, one for each table of the situation."""
    cdef int over = at_most(count(suit.theirs & above(card)), 7), over3 = at_most(over, 3)
    cdef int under = at_most(count(suit.theirs & below(card)), 7)
    cdef int ends = (suit.mine & below(card) == 0) + 2 * (suit.mine & above(card) == 0)
    if scene.first == LEAD:
        describe_lead(suit.base, over, under, ends, index)
    elif scene.first == FOLLOW:
        describe_follow(suit.base, over, under, ends, beats(record, card), index)
    else:
        describe_void(suit.base, over, ends, beats(record, card), index)


cdef inline void describe_lead(const int* base, int over, int under, int ends, int* index) noexcept nogil:
    cdef int over3 = at_most(over, 3)
    index[0] = base[0] + 2 * over + 128 * ends
    index[1] = base[1] + 2 * over3
    index[2] = base[2] + 2 * over3
    index[3] = base[3] + 2 * ends
    index[4] = base[4] + 2 * over3 + 64 * ends
    index[5] = base[5] + 2 * over3 + 8 * ends
    index[6] = base[6] + 2 * over3 + 8 * ends
    index[7] = base[7] + 2 * over + 16 * under
    index[8] = base[8] + 2 * over3
    index[9] = base[9] + 256 * ends
    index[10] = base[10] + 1024 * (over == 0)
    index[11] = base[11] + 2 * over3
    index[12] = base[12] + 2 * over3
    index[13] = base[13] + 2 * (over == 0)


cdef inline void describe_follow(const int* base, int over, int under, int ends, int wins, int* index) noexcept nogil:
    cdef int over3 = at_most(over, 3)
    index[0] = base[0] + wins + 16 * over + 512 * ends
    index[1] = base[1] + wins + 128 * over3
    index[2] = base[2] + wins + 16 * ends + 64 * over
    index[3] = base[3] + wins + 128 * ends + 512 * over3
    index[4] = base[4] + wins + 16 * over + 128 * under
    index[5] = base[5] + wins + 64 * over3
    index[6] = base[6] + wins + 64 * over3


cdef inline void describe_void(const int* base, int over, int ends, int wins, int* index) noexcept nogil:
    index[0] = base[0] + wins + 512 * ends
    index[1] = base[1] + wins + 32 * over
    index[2] = base[2] + wins + 256 * ends
    index[3] = base[3] + wins + 1024 * (over > 2)
    index[4] = base[4] + 64 * ends
    index[5] = base[5] + wins


cdef inline int sum_up(const int16_t* table, const int* index, int tables) noexcept nogil:
    cdef int k, total = 0
    for k in range(tables):
        total += table[k * TABLE + index[k]]
    return total


cdef inline int score_of(
    const int16_t* weights, const Record* record, const Scene* scene, const Suit* suit, cards_t card
) noexcept nogil:
    cdef int index[MOST_TABLES]
    describe(record, scene, suit, card, index)
    if scene.first == LEAD:  # with constant numbers of tables the sums are unrolled
        return sum_up(weights, index, LEAD_TABLES)
    if scene.first == FOLLOW:
        return sum_up(weights + FOLLOW * TABLE, index, FOLLOW_TABLES)
    return sum_up(weights + VOID * TABLE, index, VOID_TABLES)


cdef inline cards_t learned_card(
    const Learned* learned, const Record* record, cards_t hand, cards_t legal, int seat, Rng* rng
) noexcept nogil:
    """The card of the highest score, the lowest word of equals.

    Gumbel noise of size `noise` on every score makes that a draw from the softmax at this temperature.
    """
    cdef Scene scene
    cdef Suit suit
    cdef cards_t card, found = 0
    cdef int score, most = 0
    look_around(record, hand, legal, seat, &scene)
    suit.lane = 0
    while legal:
        card = lowest(legal)
        legal ^= card
        if not card & suit.lane:
            look_at_suit(record, &scene, lane_of(card), &suit)
        score = score_of(learned.weights, record, &scene, &suit, card)
        if learned.noise:
            score += learned.noise * learned.gumbel[rng_next(rng) >> 56] // UNIT
        if not found or score > most:
            most = score
            found = card
    return found
