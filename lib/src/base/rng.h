/* Pseudo-random numbers (SplitMix64), the same for the same seed on every machine. */
#ifndef CN_BASE_RNG_H
#define CN_BASE_RNG_H

#include "base/base.h"

typedef struct cn_rng {
    uint64_t state;
} cn_rng;

/* The finalizer of SplitMix64, which mixes the bits of a word. */
CN_ALWAYS_INLINE uint64_t cn_mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

CN_ALWAYS_INLINE uint64_t cn_rng_next(cn_rng *rng)
{
    return cn_mix(rng->state += 0x9e3779b97f4a7c15u);
}

/* A number below `limit`, which is not zero. */
CN_ALWAYS_INLINE uint32_t cn_rng_below(cn_rng *rng, uint32_t limit)
{
    return (uint32_t)(((cn_rng_next(rng) >> 32) * limit) >> 32);
}

#endif
