/* A part of simd/vec128.h for other processors: one entry at a time, without what only those use
 * that ask for vectors. */
#ifndef CN_SIMD_VEC128_ONE_H
#define CN_SIMD_VEC128_ONE_H

#include "base/cpu.h"

#if !CN_HAS_VECTORS

enum { v128_lanes_16 = 1, v128_lanes_32 = 1 };

typedef uint16_t v128_vector_16;
typedef uint32_t v128_vector_32;

CN_ALWAYS_INLINE v128_vector_16 v128_load_16(const uint16_t *from)
{
    return *from;
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_32(const uint32_t *from)
{
    return *from;
}

CN_ALWAYS_INLINE void v128_store_low_32(uint16_t *to, v128_vector_32 value)
{
    *to = (uint16_t)value;
}

CN_ALWAYS_INLINE v128_vector_16 v128_all_16(uint16_t value)
{
    return value;
}

CN_ALWAYS_INLINE v128_vector_32 v128_all_32(uint32_t value)
{
    return value;
}

CN_ALWAYS_INLINE v128_vector_16 v128_pairs_16(const uint16_t *from, unsigned lane)
{
    return from[lane & 1];
}

CN_ALWAYS_INLINE v128_vector_32 v128_pairs_32(const uint32_t *from, unsigned lane)
{
    return from[lane & 1];
}

CN_ALWAYS_INLINE v128_vector_16 v128_either_16(v128_vector_16 a, v128_vector_16 b)
{
    return a | b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_either_32(v128_vector_32 a, v128_vector_32 b)
{
    return a | b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    return (uint16_t)(a + b > UINT16_MAX ? UINT16_MAX : a + b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_add_32(v128_vector_32 a, v128_vector_32 b)
{
    return a + b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_minus_16(v128_vector_16 a, v128_vector_16 b)
{
    return (uint16_t)(a - b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_minus_32(v128_vector_32 a, v128_vector_32 b)
{
    return a - b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return (uint16_t)(a > b ? a - b : 0);
}

CN_ALWAYS_INLINE v128_vector_32 v128_above_32(v128_vector_32 a, v128_vector_32 b)
{
    return a > b ? a - b : 0;
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    return a < b ? a : b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_32(v128_vector_32 a, v128_vector_32 b)
{
    return a < b ? a : b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    return a > b ? a : b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_max_32(v128_vector_32 a, v128_vector_32 b)
{
    return a > b ? a : b;
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    return a < b;
}

CN_ALWAYS_INLINE uint32_t v128_less_32(v128_vector_32 a, v128_vector_32 b)
{
    return a < b;
}

CN_ALWAYS_INLINE uint32_t v128_equal_16(v128_vector_16 a, v128_vector_16 b)
{
    return a == b;
}

CN_ALWAYS_INLINE uint32_t v128_equal_32(v128_vector_32 a, v128_vector_32 b)
{
    return a == b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_ones_16(uint32_t lanes)
{
    return (uint16_t)(0 - (lanes & 1));
}

CN_ALWAYS_INLINE v128_vector_32 v128_ones_32(uint32_t lanes)
{
    return 0 - (lanes & 1);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_16(v128_vector_16 a)
{
    return a;
}

CN_ALWAYS_INLINE uint32_t v128_greatest_32(v128_vector_32 a)
{
    return a;
}

#endif
#endif
