/* Vectors of 128 bits by the vector extensions of GCC and Clang, for every processor that has
 * vectors at all. The functions are those of vec256.h, but loads and stores must be aligned. */
#ifndef CN_SIMD_VEC128_H
#define CN_SIMD_VEC128_H

#include "base/cpu.h"

#if defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__))
#  define CN_SIMD_PORTABLE 1
#else
#  define CN_SIMD_PORTABLE 0
#endif

#if CN_SIMD_PORTABLE

#include <string.h>

#define KERNEL
#define FUNCTION static inline __attribute__((always_inline, unused))

typedef uint16_t vector_16 __attribute__((vector_size(16)));
typedef uint32_t vector_32 __attribute__((vector_size(16)));

FUNCTION vector_16 load_16(const uint16_t *from)
{
    return *(const vector_16 *)from;
}

FUNCTION vector_32 load_32(const uint32_t *from)
{
    return *(const vector_32 *)from;
}

FUNCTION void store_16(uint16_t *to, vector_16 value)
{
    *(vector_16 *)to = value;
}

FUNCTION void store_32(uint32_t *to, vector_32 value)
{
    *(vector_32 *)to = value;
}

FUNCTION vector_16 all_16(uint16_t value)
{
    return (vector_16){0} + value;
}

FUNCTION vector_32 all_32(uint32_t value)
{
    return (vector_32){0} + value;
}

FUNCTION vector_32 add_32(vector_32 a, vector_32 b)
{
    return a + b;
}

#if defined(__SSE2__) && !defined(CAIRN_NO_X86)

#include <emmintrin.h>

/* There is no comparison of unsigned numbers here, but a subtraction that saturates at zero. */
FUNCTION vector_16 add_16(vector_16 a, vector_16 b)
{
    return (vector_16)_mm_adds_epu16((__m128i)a, (__m128i)b);
}

FUNCTION vector_16 min_16(vector_16 a, vector_16 b)
{
    return a - (vector_16)_mm_subs_epu16((__m128i)a, (__m128i)b);
}

/* A mask with a bit for each lane: set where all bits of the lane are ones, clear where they are
 * zeros. */
FUNCTION uint32_t lanes_of_16(vector_16 a)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)a, _mm_setzero_si128()));
}

FUNCTION uint32_t lanes_of_32(vector_32 a)
{
    return (uint32_t)_mm_movemask_ps((__m128)a);
}

FUNCTION uint32_t less_16(vector_16 a, vector_16 b)
{
    __m128i difference = _mm_subs_epu16((__m128i)b, (__m128i)a);
    return lanes_of_16((vector_16)_mm_cmpeq_epi16(difference, _mm_setzero_si128())) ^ 0xff;
}

FUNCTION uint32_t less_32(vector_32 a, vector_32 b)
{
    return lanes_of_32((vector_32)_mm_cmpgt_epi32((__m128i)b, (__m128i)a));
}

#else

FUNCTION vector_16 add_16(vector_16 a, vector_16 b)
{
    vector_16 sum = a + b;
    return sum | (vector_16)(sum < a);
}

FUNCTION vector_16 min_16(vector_16 a, vector_16 b)
{
    vector_16 chosen = (vector_16)(a < b);
    return (a & chosen) | (b & ~chosen);
}

FUNCTION uint32_t lanes_of_16(vector_16 a)
{
    vector_16 bits = a & (vector_16){1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t halves[2];
    memcpy(halves, &bits, sizeof bits);
    uint64_t sum = halves[0] | halves[1];
    sum |= sum >> 32;
    return (uint32_t)(sum | sum >> 16) & 0xff;
}

FUNCTION uint32_t lanes_of_32(vector_32 a)
{
    vector_32 bits = a & (vector_32){1, 2, 4, 8};
    return bits[0] | bits[1] | bits[2] | bits[3];
}

FUNCTION uint32_t less_16(vector_16 a, vector_16 b)
{
    return lanes_of_16((vector_16)(a < b));
}

FUNCTION uint32_t less_32(vector_32 a, vector_32 b)
{
    return lanes_of_32((vector_32)(a < b));
}

#endif

FUNCTION uint32_t equal_16(vector_16 a, vector_16 b)
{
    return lanes_of_16((vector_16)(a == b));
}

FUNCTION uint32_t equal_32(vector_32 a, vector_32 b)
{
    return lanes_of_32((vector_32)(a == b));
}

/* Lanes with all bits set where the mask has a bit, and zero elsewhere. */
FUNCTION vector_16 ones_16(uint32_t lanes)
{
    const vector_16 bits = {1, 2, 4, 8, 16, 32, 64, 128};
    return (vector_16)((all_16((uint16_t)lanes) & bits) != 0);
}

FUNCTION vector_32 ones_32(uint32_t lanes)
{
    const vector_32 bits = {1, 2, 4, 8};
    return (vector_32)((all_32(lanes) & bits) != 0);
}

FUNCTION vector_32 min_32(vector_32 a, vector_32 b)
{
    vector_32 chosen = (vector_32)(a < b);
    return (a & chosen) | (b & ~chosen);
}

#define either(a, b) ((a) | (b))

FUNCTION vector_16 min_where_16(vector_16 a, uint32_t lanes, vector_16 b)
{
    return min_16(a, either(b, ones_16(~lanes)));
}

FUNCTION vector_32 min_where_32(vector_32 a, uint32_t lanes, vector_32 b)
{
    return min_32(a, either(b, ones_32(~lanes)));
}

#endif

#endif
