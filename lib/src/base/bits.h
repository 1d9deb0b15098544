/* Bits of a word, and of arrays of words. */
#ifndef CN_BASE_BITS_H
#define CN_BASE_BITS_H

#include <string.h>

#include "base/base.h"
#include "base/cpu.h"

#if CN_CPU_X86
#  include <emmintrin.h>
#endif

/* Index of the lowest and of the highest set bit; the argument is not zero. */
CN_ALWAYS_INLINE unsigned cn_lowest_bit(uint64_t bits)
{
#ifdef CN_TRAILING_ZEROS
    return CN_TRAILING_ZEROS(bits);
#else
    unsigned index = 0;
    while (!(bits >> index & 1))
        index++;
    return index;
#endif
}

CN_ALWAYS_INLINE unsigned cn_highest_bit(uint64_t bits)
{
#ifdef CN_LEADING_ZEROS
    return 63u - CN_LEADING_ZEROS(bits);
#else
    unsigned index = 63;
    while (!(bits >> index & 1))
        index--;
    return index;
#endif
}

/* How many bits are set. */
CN_ALWAYS_INLINE unsigned cn_count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(bits * 0x0101010101010101u >> 56);
}

/* The bit of a number in an array of words. */
CN_ALWAYS_INLINE bool cn_has_bit(const uint64_t *words, size_t bit)
{
    return words[bit / 64] >> bit % 64 & 1;
}

/* 64 bits of an array of so many words, from any bit on; those behind its end are 0. */
CN_ALWAYS_INLINE uint64_t cn_bits_from(const uint64_t *words, size_t word_count, size_t first)
{
    const size_t at = first / 64;
    const unsigned shift = first % 64;
    const bool has_more = shift && at + 1 < word_count;
    return words[at] >> shift | (has_more ? words[at + 1] << (64 - shift) : 0);
}

CN_ALWAYS_INLINE void cn_set_bit(uint64_t *words, size_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

CN_ALWAYS_INLINE void cn_put_bit(uint64_t *words, size_t bit, bool value)
{
    const uint64_t is_one = UINT64_C(1) << bit % 64;
    words[bit / 64] = value ? words[bit / 64] | is_one : words[bit / 64] & ~is_one;
}

#define CN_ROOT_2 1.41421356237309504880

/* Near the square root of a number that is not 0, without libm: every x86-64 has an instruction for
 * it; elsewhere it is found by Newton's method, whose first estimate halves the exponent. */
CN_ALWAYS_INLINE double cn_near_root(double target)
{
#if CN_CPU_X86
    __m128d both = _mm_set_sd(target);
    return _mm_cvtsd_f64(_mm_sqrt_sd(both, both));
#else
    double near;
    uint64_t bits;

    memcpy(&bits, &target, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(0x3ff) << 51);
    memcpy(&near, &bits, sizeof near);
    for (unsigned i = 0; i < 4; i++)
        near = (near + target / near) / 2;
    return near;
#endif
}

/* The square root of a number below 2^62, rounded down. */
CN_ALWAYS_INLINE uint32_t cn_root(uint64_t square)
{
    if (square == 0)
        return 0;
    uint64_t root = (uint64_t)cn_near_root((double)square);
    while (root * root > square)
        root--;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return (uint32_t)root;
}

/* Bit i of the result: bit i - 1, or bit i + 1, of the row. */
CN_ALWAYS_INLINE uint64_t cn_bits_before(const uint64_t *words)
{
    return words[0] << 1 | words[-1] >> 63;
}

CN_ALWAYS_INLINE uint64_t cn_bits_behind(const uint64_t *words)
{
    return words[0] >> 1 | words[1] << 63;
}

#endif
