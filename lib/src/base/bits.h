/* Counting and finding bits. */
#ifndef CN_BASE_BITS_H
#define CN_BASE_BITS_H

#include <string.h>

#include "base/base.h"

/* Index of the lowest and of the highest set bit; the argument is not zero. */
CN_ALWAYS_INLINE unsigned cn_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned index = 0;
    while (!(bits >> index & 1))
        index++;
    return index;
#endif
}

CN_ALWAYS_INLINE unsigned cn_highest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return 63u - (unsigned)__builtin_clzll(bits);
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

/* The square root of a number below 2^62, rounded down, by Newton's method; the first estimate
 * halves the exponent. Avoids linking libm. */
CN_ALWAYS_INLINE uint32_t cn_root(uint64_t square)
{
    double target = (double)square, near;
    uint64_t bits;

    if (square == 0)
        return 0;
    memcpy(&bits, &target, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(0x3ff) << 51);
    memcpy(&near, &bits, sizeof near);
    for (unsigned i = 0; i < 4; i++)
        near = (near + target / near) / 2;

    uint64_t root = (uint64_t)near;
    while (root * root > square)
        root--;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return (uint32_t)root;
}

#endif
