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
from rule_policies cimport may_beat, may_trump

cdef enum:
    TABLES = 8                   # look-ups a card
    TABLE = 2048                 # weights of one table
    SITUATIONS = 3               # leading, following, void
    WEIGHTS = SITUATIONS * TABLES * TABLE
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
    int situation       # 0 leading, 1 following, 2 void
    int place           # turn − 1 and who holds the trick: 0 to 5
    int stage           # cards in hand − 1
    int trumps          # own trumps, up to 7
    int their_trumps    # unseen trumps, up to 7
    int score           # what the tricks so far make urgent: 0 to 7
    int behind          # next opponent: out of the suit led, may have trumps: 2 bits
    int safe            # partner holds the trick and the next opponent cannot beat it as far as known


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
    cdef int following = (seat + 1) & 3
    cdef bint partner_holds
    scene.hand = hand
    scene.unseen = unseen_by(record, hand)
    scene.seat = seat
    scene.stage = count(hand) - 1
    scene.trumps = at_most(count(hand & TRUMPS), 7)
    scene.their_trumps = at_most(count(scene.unseen & TRUMPS), 7)
    scene.score = urgency(record.lost, record.won) if seat & 1 else urgency(record.won, record.lost)
    scene.situation = 0
    if record.turn:
        partner_holds = (record.holder ^ seat) == 2
        scene.situation = 1 if legal & record.lane else 2
        scene.place = (record.turn - 1) * 2 + partner_holds
        scene.behind = (record.turn < 3) * (2 * may_trump(record, scene.unseen, following)
                                            + (record.out[following] & record.lane != 0))
        scene.safe = partner_holds and (
            record.turn == 3 or not may_beat(record, scene.unseen, following, record.best))


cdef inline int lead_voids(const Record* record, const Scene* scene, cards_t lane) noexcept nogil:
    """Next opponent, partner, other opponent: known to be out of the suit; 3 bits."""
    cdef int seat = scene.seat
    return (record.out[(seat + 1) & 3] & lane != 0) + 2 * (record.out[seat ^ 2] & lane != 0) \
        + 4 * (record.out[(seat + 3) & 3] & lane != 0)


cdef inline int lead_trumps(const Record* record, const Scene* scene) noexcept nogil:
    """Next opponent, partner, other opponent: may have trumps; 3 bits."""
    cdef int seat = scene.seat
    return may_trump(record, scene.unseen, (seat + 1) & 3) + 2 * may_trump(record, scene.unseen, seat ^ 2) \
        + 4 * may_trump(record, scene.unseen, (seat + 3) & 3)


cdef inline int led_before(const Record* record, const Scene* scene, cards_t lane) noexcept nogil:
    """This seat, partner, an opponent: has led the suit; 3 bits."""
    cdef int seat = scene.seat
    return (record.led[seat] & lane != 0) + 2 * (record.led[seat ^ 2] & lane != 0) \
        + 4 * ((record.led[(seat + 1) & 3] | record.led[(seat + 3) & 3]) & lane != 0)


cdef inline void describe_lead(const Record* record, const Scene* scene, cards_t card, int* index) noexcept nogil:
    cdef cards_t lane = lane_of(card), mine = scene.hand & lane, theirs = scene.unseen & lane
    cdef int t = lane == TRUMPS
    cdef int over = at_most(count(theirs & above(card)), 7)
    cdef int under = at_most(count(theirs & below(card)), 7)
    cdef int n = at_most(count(mine) - 1, 7)
    cdef int rest = at_most(count(theirs), 15)
    cdef int place = (mine & below(card) == 0) + 2 * (mine & above(card) == 0)
    cdef int top = at_most(count(theirs & above(highest(mine))), 3)
    cdef int over3 = at_most(over, 3), n3 = at_most(n, 3)
    cdef int voids = lead_voids(record, scene, lane), ruffs = lead_trumps(record, scene)
    index[0] = t + 2 * over + 16 * n + 128 * place + 512 * top                     # 1 3 3 2 2
    index[1] = t + 2 * over3 + 8 * voids + 64 * ruffs + 512 * n3                   # 1 2 3 3 2
    index[2] = t + 2 * over3 + 8 * rest + 128 * n + 1024 * (ruffs & 5 != 0)        # 1 2 4 3 1
    index[3] = t + 2 * place + 8 * scene.trumps + 64 * scene.their_trumps + 512 * scene.seat      # 1 2 3 3 2
    index[4] = t + 2 * over3 + 8 * led_before(record, scene, lane) + 64 * place + 256 * n   # 1 2 3 2 3
    index[5] = t + 2 * over3 + 8 * place + 32 * n3 + 128 * scene.score + 1024 * (scene.seat & 1)  # 1 2 2 2 3 1
    index[6] = t + 2 * over3 + 8 * place + 32 * scene.stage + 512 * n3             # 1 2 2 4 2
    index[7] = t + 2 * over + 16 * under + 128 * scene.trumps + 1024 * (scene.their_trumps != 0)  # 1 3 3 3 1


cdef inline void describe_follow(const Record* record, const Scene* scene, cards_t card, int* index) noexcept nogil:
    cdef cards_t lane = record.lane, mine = scene.hand & lane, theirs = scene.unseen & lane
    cdef int t = lane == TRUMPS
    cdef int place = 2 * scene.place + beats(record, card)                          # 4 bits, below 12
    cdef int over = at_most(count(theirs & above(card)), 7)
    cdef int under = at_most(count(theirs & below(card)), 7)
    cdef int n = at_most(count(mine) - 1, 7)
    cdef int rest = at_most(count(theirs), 7)
    cdef int ends = (mine & below(card) == 0) + 2 * (mine & above(card) == 0)
    cdef int lead = at_most(count(theirs & above(record.best)), 3) if record.best & lane else 0
    cdef int over3 = at_most(over, 3)
    index[0] = place + 16 * over + 128 * lead + 512 * ends                         # 4 3 2 2
    index[1] = place + 16 * t + 32 * scene.behind + 128 * over3 + 512 * scene.safe + 1024 * (n == 0)  # 4 1 2 2 1 1
    index[2] = place + 16 * ends + 64 * over + 512 * at_most(n, 3)                 # 4 2 3 2
    index[3] = place + 16 * scene.score + 128 * ends + 512 * over3                 # 4 3 2 2
    index[4] = place + 16 * over + 128 * under + 1024 * t                          # 4 3 3 1
    index[5] = place + 16 * scene.stage + 256 * ends + 1024 * t                    # 4 4 2 1
    index[6] = place + 16 * at_most(scene.trumps, 3) + 64 * scene.their_trumps + 512 * ends  # 4 2 3 2
    index[7] = place + 16 * rest + 128 * over3 + 512 * scene.behind                # 4 3 2 2


cdef inline void describe_void(const Record* record, const Scene* scene, cards_t card, int* index) noexcept nogil:
    cdef cards_t lane = lane_of(card), mine = scene.hand & lane, theirs = scene.unseen & lane
    cdef int t = lane == TRUMPS
    cdef int place = 2 * scene.place + beats(record, card)                          # 4 bits, below 12
    cdef int over = at_most(count(theirs & above(card)), 7)
    cdef int under = at_most(count(theirs & below(card)), 7)
    cdef int n = at_most(count(mine) - 1, 7)
    cdef int ends = (mine & below(card) == 0) + 2 * (mine & above(card) == 0)
    cdef int lead = at_most(count(scene.unseen & above(record.best)), 3)
    cdef int over3 = at_most(over, 3), n3 = at_most(n, 3)
    index[0] = place + 16 * t + 32 * scene.trumps + 256 * scene.safe + 512 * ends  # 4 1 3 1 2
    index[1] = place + 16 * t + 32 * over + 256 * scene.behind + 1024 * scene.safe  # 4 1 3 2 1
    index[2] = t + 2 * n + 16 * over + 128 * ends + 512 * (scene.trumps != 0) + 1024 * (scene.their_trumps != 0)
    index[3] = place + 16 * t + 32 * scene.score + 256 * ends + 1024 * scene.safe  # 4 1 3 2 1
    index[4] = t + 2 * over3 + 8 * at_most(under, 3) + 32 * lead_voids(record, scene, lane) + 256 * n3 \
        + 1024 * (scene.trumps != 0)                                                # 1 2 2 3 2 1
    index[5] = place + 16 * t + 32 * scene.stage + 512 * over3                     # 4 1 4 2
    index[6] = place + 16 * t + 32 * scene.their_trumps + 256 * lead + 1024 * (over3 != 0)   # 4 1 3 2 1
    index[7] = t + 2 * over + 16 * n + 128 * led_before(record, scene, lane) + 1024 * (scene.place & 1)  # 1 3 3 3 1


cdef inline void describe(const Record* record, const Scene* scene, cards_t card, int* index) noexcept nogil:
    """The numbers that describe `card`, one for each table of the situation."""
    if scene.situation == 0:
        describe_lead(record, scene, card, index)
    elif scene.situation == 1:
        describe_follow(record, scene, card, index)
    else:
        describe_void(record, scene, card, index)


cdef inline int score_of(const int16_t* weights, const Record* record, const Scene* scene, cards_t card) noexcept nogil:
    cdef int index[TABLES]
    cdef const int16_t* table = weights + scene.situation * (TABLES * TABLE)
    cdef int k, total = 0
    describe(record, scene, card, index)
    for k in range(TABLES):
        total += table[k * TABLE + index[k]]
    return total


cdef inline cards_t learned_card(
    const Learned* learned, const Record* record, cards_t hand, cards_t legal, int seat, Rng* rng
) noexcept nogil:
    """The card of the highest score, the lowest word of equals.

    Gumbel noise of size `noise` on every score makes that a draw from the softmax at this temperature.
    """
    cdef Scene scene
    cdef cards_t card, found = 0
    cdef int score, most = 0
    look_around(record, hand, legal, seat, &scene)
    while legal:
        card = lowest(legal)
        legal ^= card
        score = score_of(learned.weights, record, &scene, card)
        if learned.noise:
            score += learned.noise * learned.gumbel[rng_next(rng) >> 56] // UNIT
        if not found or score > most:
            most = score
            found = card
    return found
