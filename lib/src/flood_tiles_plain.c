/* Vectors of 128 bits in the compilers' own notation: what every processor that has vectors at all
 * can do. */
#include "flood_tiles.h"

#if defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__))

#include <string.h>

#define KERNEL
#define FUNCTION static inline __attribute__((always_inline))

typedef uint16_t vector_16 __attribute__((vector_size(16)));
typedef uint32_t vector_32 __attribute__((vector_size(16)));

#ifdef __clang__
#  define SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#  define SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif

FUNCTION vector_16 load_16(const uint16_t *from)
{
    return *(const vector_16 *)from;
}

FUNCTION void store_16(uint16_t *to, vector_16 value)
{
    *(vector_16 *)to = value;
}

FUNCTION vector_16 all_16(uint16_t value)
{
    return (vector_16){0} + value;
}

#if defined(__SSE2__) && !defined(CAIRN_NO_X86)

#include <emmintrin.h>

/* No comparison of unsigned numbers here, but differences that stop at zero. */
FUNCTION vector_16 add_16(vector_16 a, vector_16 b)
{
    return (vector_16)_mm_adds_epu16((__m128i)a, (__m128i)b);
}

FUNCTION vector_16 min_16(vector_16 a, vector_16 b)
{
    return a - (vector_16)_mm_subs_epu16((__m128i)a, (__m128i)b);
}

FUNCTION uint32_t less_16(vector_16 a, vector_16 b)
{
    __m128i not_less = _mm_cmpeq_epi16(_mm_subs_epu16((__m128i)b, (__m128i)a),
                                       _mm_setzero_si128());
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(not_less, _mm_setzero_si128())) ^ 0xff;
}

FUNCTION uint32_t less_32(vector_32 a, vector_32 b)
{
    return (uint32_t)_mm_movemask_ps((__m128)_mm_cmpgt_epi32((__m128i)b, (__m128i)a));
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

FUNCTION uint32_t less_16(vector_16 a, vector_16 b)
{
    vector_16 bits = (vector_16)(a < b) & (vector_16){1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t halves[2];
    memcpy(halves, &bits, sizeof bits);
    uint64_t sum = halves[0] | halves[1];
    sum |= sum >> 32;
    return (uint32_t)(sum | sum >> 16) & 0xff;
}

FUNCTION uint32_t less_32(vector_32 a, vector_32 b)
{
    vector_32 bits = (vector_32)(a < b) & (vector_32){1, 2, 4, 8};
    return bits[0] | bits[1] | bits[2] | bits[3];
}

#endif

FUNCTION vector_16 min_where_16(vector_16 a, uint32_t lanes, vector_16 b)
{
    const vector_16 bits = {1, 2, 4, 8, 16, 32, 64, 128};
    return min_16(a, b | (vector_16)((all_16((uint16_t)lanes) & bits) == 0));
}

FUNCTION vector_16 ascend_16(vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return SHUFFLE(vector_16, a, a, 0, 0, 1, 2, 3, 4, 5, 6);
    case 2: return SHUFFLE(vector_16, a, a, 0, 1, 0, 1, 2, 3, 4, 5);
    default: return SHUFFLE(vector_16, a, a, 0, 1, 2, 3, 0, 1, 2, 3);
    }
}

FUNCTION vector_16 descend_16(vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return SHUFFLE(vector_16, a, a, 1, 2, 3, 4, 5, 6, 7, 7);
    case 2: return SHUFFLE(vector_16, a, a, 2, 3, 4, 5, 6, 7, 6, 7);
    default: return SHUFFLE(vector_16, a, a, 4, 5, 6, 7, 4, 5, 6, 7);
    }
}

FUNCTION vector_32 load_32(const uint32_t *from)
{
    return *(const vector_32 *)from;
}

FUNCTION void store_32(uint32_t *to, vector_32 value)
{
    *(vector_32 *)to = value;
}

FUNCTION vector_32 all_32(uint32_t value)
{
    return (vector_32){0} + value;
}

FUNCTION vector_32 add_32(vector_32 a, vector_32 b)
{
    return a + b;
}

/* Entries of 32 bits stay below 2^31: signed numbers compare faster on some processors. */
FUNCTION vector_32 min_32(vector_32 a, vector_32 b)
{
    typedef int32_t signed_32 __attribute__((vector_size(16)));
    vector_32 chosen = (vector_32)((signed_32)a < (signed_32)b);
    return (a & chosen) | (b & ~chosen);
}

FUNCTION vector_32 min_where_32(vector_32 a, uint32_t lanes, vector_32 b)
{
    const vector_32 bits = {1, 2, 4, 8};
    vector_32 outside = (vector_32)((all_32(lanes) & bits) == 0);
    return min_32(a, (b & ~outside) | (outside & CN_PLANE_FAR));
}

FUNCTION vector_32 ascend_32(vector_32 a, unsigned lanes)
{
    return lanes == 1 ? SHUFFLE(vector_32, a, a, 0, 0, 1, 2) : SHUFFLE(vector_32, a, a, 0, 1, 0, 1);
}

FUNCTION vector_32 descend_32(vector_32 a, unsigned lanes)
{
    return lanes == 1 ? SHUFFLE(vector_32, a, a, 1, 2, 3, 3) : SHUFFLE(vector_32, a, a, 2, 3, 2, 3);
}

#define NAME(x) x##_16
#define CELL uint16_t
#define FAR UINT16_MAX
#define VECTOR vector_16
#define LANE_SHIFT 3
#include "flood_tiles_kernel.h"
#undef NAME
#undef CELL
#undef FAR
#undef VECTOR
#undef LANE_SHIFT

#define NAME(x) x##_32
#define CELL uint32_t
#define FAR CN_PLANE_FAR
#define VECTOR vector_32
#define LANE_SHIFT 2
#include "flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_plain[2] = {{3, start_16, spread_16, exceeds_16},
                                                 {2, start_32, spread_32, exceeds_32}};

#else

const cn_tile_kernel cn_tile_kernels_plain[2] = {{0}};

#endif
