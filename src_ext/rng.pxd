# The random generator of the whole project, as inline C: every sampled world and playout comes from here, so that
# one seed gives one answer on every machine, compiler and Python version.
#
# A stream belongs to a (seed, index) pair and to nothing else: world i can be drawn by any worker, in any order.
#   start   = mix(mix(seed + GOLDEN) + index)         distinct for distinct indices of one seed, since mix is a bijection
#   state   = four outputs of splitmix64 from `start`  (Steele, Lea, Flood 2014)
#   numbers = xoshiro256**                             (Blackman, Vigna 2018)
# Numbers below a bound are drawn by rejection and have no bias at all. 128-bit products are not used: not every
# compiler has them.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #define HOKM_GOLDEN 0x9E3779B97F4A7C15ULL
    #define HOKM_MIX_1  0xBF58476D1CE4E5B9ULL
    #define HOKM_MIX_2  0x94D049BB133111EBULL
    """
    const uint64_t GOLDEN "HOKM_GOLDEN"
    const uint64_t MIX_1 "HOKM_MIX_1"
    const uint64_t MIX_2 "HOKM_MIX_2"


cdef struct Rng:
    uint64_t s0
    uint64_t s1
    uint64_t s2
    uint64_t s3


cdef inline uint64_t mix(uint64_t z) noexcept nogil:
    """The finaliser of splitmix64: a bijection of 64-bit words."""
    z = (z ^ (z >> 30)) * MIX_1
    z = (z ^ (z >> 27)) * MIX_2
    return z ^ (z >> 31)


cdef inline uint64_t rotate_left(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline void rng_seed(Rng* rng, uint64_t seed, uint64_t index) noexcept nogil:
    """Start the stream of (seed, index)."""
    cdef uint64_t start = mix(mix(seed + GOLDEN) + index)
    rng.s0 = mix(start + GOLDEN)
    rng.s1 = mix(start + 2 * GOLDEN)
    rng.s2 = mix(start + 3 * GOLDEN)
    rng.s3 = mix(start + 4 * GOLDEN)


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    """Next 64 bits of the stream."""
    cdef uint64_t result = rotate_left(rng.s1 * 5, 7) * 9
    cdef uint64_t t = rng.s1 << 17
    rng.s2 ^= rng.s0
    rng.s3 ^= rng.s1
    rng.s1 ^= rng.s2
    rng.s0 ^= rng.s3
    rng.s2 ^= t
    rng.s3 = rotate_left(rng.s3, 45)
    return result


cdef inline uint32_t rng_below(Rng* rng, uint32_t bound) noexcept nogil:
    """Uniform in 0 … bound − 1, bound ≥ 1: upper half of a 32 × 32 product, rejecting the surplus (Lemire 2019)."""
    cdef uint64_t product = (rng_next(rng) >> 32) * bound
    cdef uint32_t surplus
    if <uint32_t>product < bound:
        surplus = (<uint32_t>0 - bound) % bound
        while <uint32_t>product < surplus:
            product = (rng_next(rng) >> 32) * bound
    return <uint32_t>(product >> 32)


cdef inline uint64_t rng_below_64(Rng* rng, uint64_t bound) noexcept nogil:
    """Uniform in 0 … bound − 1 for any 64-bit bound ≥ 1: as many bits as bound − 1 has, again until below."""
    cdef uint64_t mask = bound - 1
    cdef uint64_t value
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    value = rng_next(rng) & mask
    while value >= bound:
        value = rng_next(rng) & mask
    return value
