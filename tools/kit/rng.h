/* A small, fixed random sequence (SplitMix64): one seed, same maps everywhere. */
#ifndef KIT_RNG_H
#define KIT_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kit_rng {
    uint64_t state;
} kit_rng;

static inline uint64_t kit_rng_next(kit_rng *rng)
{
    uint64_t value = rng->state += 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

/* A number below `limit`, which is not zero. */
static inline uint32_t kit_rng_below(kit_rng *rng, uint32_t limit)
{
    return (uint32_t)(((kit_rng_next(rng) >> 32) * limit) >> 32);
}

/* A number from `least` to `most`, both included. */
static inline uint32_t kit_rng_between(kit_rng *rng, uint32_t least, uint32_t most)
{
    return least + kit_rng_below(rng, most - least + 1);
}

/* True `percent` times in a hundred. */
static inline bool kit_rng_percent(kit_rng *rng, uint32_t percent)
{
    return kit_rng_below(rng, 100) < percent;
}

#endif
