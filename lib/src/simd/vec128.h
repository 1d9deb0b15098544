/*
 * Vectors of 128 bits by the vector extensions of GCC and Clang, for every processor: the kind v128
 * of simd/template.h. Where the compiler has no vectors, or CAIRN_NO_VECTORS is defined, one of
 * these has a single lane.
 */
#ifndef CN_SIMD_VEC128_H
#define CN_SIMD_VEC128_H

#include <string.h>

#include "base/cpu.h"

#if CN_COMPILER_HAS_VECTORS && !defined(CAIRN_NO_VECTORS)
#  define CN_HAS_VECTORS 1
#else
#  define CN_HAS_VECTORS 0
#endif

/* Whether they are faster than single entries: the processor has registers for them. */
#if CN_HAS_VECTORS && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__))
#  define CN_VEC128_IS_FAST 1
#else
#  define CN_VEC128_IS_FAST 0
#endif

#define v128_target

typedef uint16_t v128_entry_16;
typedef uint32_t v128_entry_32;

CN_ALWAYS_INLINE void v128_bytes_16(uint8_t to[64], uint64_t bits)
{
    for (unsigned i = 0; i < 64; i++)
        to[i] = (uint8_t)(0 - (bits >> i & 1));
}

CN_ALWAYS_INLINE void v128_bytes_32(uint8_t to[64], uint64_t bits)
{
    v128_bytes_16(to, bits);
}

#if CN_HAS_VECTORS

enum { v128_lanes_16 = 8, v128_lanes_32 = 4 };

typedef uint16_t v128_vector_16 CN_VECTOR(16);
typedef uint32_t v128_vector_32 CN_VECTOR(16);

CN_ALWAYS_INLINE v128_vector_16 v128_load_16(const uint16_t *from)
{
    return *(const v128_vector_16 *)from;
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_32(const uint32_t *from)
{
    return *(const v128_vector_32 *)from;
}

CN_ALWAYS_INLINE v128_vector_16 v128_load_any_16(const void *from)
{
    v128_vector_16 value;
    memcpy(&value, from, sizeof value);
    return value;
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_any_32(const void *from)
{
    v128_vector_32 value;
    memcpy(&value, from, sizeof value);
    return value;
}

CN_ALWAYS_INLINE void v128_store_16(uint16_t *to, v128_vector_16 value)
{
    *(v128_vector_16 *)to = value;
}

CN_ALWAYS_INLINE void v128_store_32(uint32_t *to, v128_vector_32 value)
{
    *(v128_vector_32 *)to = value;
}

CN_ALWAYS_INLINE void v128_store_any_16(void *to, v128_vector_16 value)
{
    memcpy(to, &value, sizeof value);
}

CN_ALWAYS_INLINE void v128_store_any_32(void *to, v128_vector_32 value)
{
    memcpy(to, &value, sizeof value);
}

CN_ALWAYS_INLINE void v128_store_low_32(uint16_t *to, v128_vector_32 value)
{
    for (unsigned i = 0; i < v128_lanes_32; i++)
        to[i] = (uint16_t)value[i];
}

CN_ALWAYS_INLINE v128_vector_16 v128_all_16(uint16_t value)
{
    return (v128_vector_16){0} + value;
}

CN_ALWAYS_INLINE v128_vector_32 v128_all_32(uint32_t value)
{
    return (v128_vector_32){0} + value;
}

CN_ALWAYS_INLINE v128_vector_16 v128_pairs_16(const uint16_t *from, unsigned lane)
{
    (void)lane;
    return (v128_vector_16){from[0], from[1], from[0], from[1], from[0], from[1], from[0], from[1]};
}

CN_ALWAYS_INLINE v128_vector_32 v128_pairs_32(const uint32_t *from, unsigned lane)
{
    (void)lane;
    return (v128_vector_32){from[0], from[1], from[0], from[1]};
}

CN_ALWAYS_INLINE v128_vector_16 v128_either_16(v128_vector_16 a, v128_vector_16 b)
{
    return a | b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_either_32(v128_vector_32 a, v128_vector_32 b)
{
    return a | b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_add_32(v128_vector_32 a, v128_vector_32 b)
{
    return a + b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_minus_16(v128_vector_16 a, v128_vector_16 b)
{
    return a - b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_minus_32(v128_vector_32 a, v128_vector_32 b)
{
    return a - b;
}

#  if defined(__AARCH64EL__) && defined(__ARM_NEON)

#    include <arm_neon.h>

/* One or two instructions each, where compilers make two to eight of operators on vectors. */
CN_ALWAYS_INLINE v128_vector_32 v128_above_32(v128_vector_32 a, v128_vector_32 b)
{
    return (v128_vector_32)vqsubq_u32((uint32x4_t)a, (uint32x4_t)b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_32(v128_vector_32 a, v128_vector_32 b)
{
    return (v128_vector_32)vminq_u32((uint32x4_t)a, (uint32x4_t)b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_max_32(v128_vector_32 a, v128_vector_32 b)
{
    return (v128_vector_32)vmaxq_u32((uint32x4_t)a, (uint32x4_t)b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    return (v128_vector_16)vqaddq_u16((uint16x8_t)a, (uint16x8_t)b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return (v128_vector_16)vqsubq_u16((uint16x8_t)a, (uint16x8_t)b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    return (v128_vector_16)vminq_u16((uint16x8_t)a, (uint16x8_t)b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    return (v128_vector_16)vmaxq_u16((uint16x8_t)a, (uint16x8_t)b);
}

/* A mask of the lanes that are all ones; the others are zero. */
CN_ALWAYS_INLINE uint32_t v128_lanes_of_16(v128_vector_16 a)
{
    const v128_vector_16 bits = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16((uint16x8_t)(a & bits));
}

CN_ALWAYS_INLINE uint32_t v128_lanes_of_32(v128_vector_32 a)
{
    const v128_vector_32 bits = {1, 2, 4, 8};
    return vaddvq_u32((uint32x4_t)(a & bits));
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    return v128_lanes_of_16((v128_vector_16)(a < b));
}

CN_ALWAYS_INLINE uint32_t v128_greatest_16(v128_vector_16 a)
{
    return vmaxvq_u16((uint16x8_t)a);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_32(v128_vector_32 a)
{
    return vmaxvq_u32((uint32x4_t)a);
}

#  else

CN_ALWAYS_INLINE v128_vector_32 v128_above_32(v128_vector_32 a, v128_vector_32 b)
{
    return (a - b) & (v128_vector_32)(a > b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_32(v128_vector_32 a, v128_vector_32 b)
{
    v128_vector_32 chosen = (v128_vector_32)(a < b);
    return (a & chosen) | (b & ~chosen);
}

CN_ALWAYS_INLINE v128_vector_32 v128_max_32(v128_vector_32 a, v128_vector_32 b)
{
    v128_vector_32 chosen = (v128_vector_32)(a > b);
    return (a & chosen) | (b & ~chosen);
}

#    if defined(__SSE2__) && !defined(CAIRN_NO_X86)

#      include <emmintrin.h>

/* There is no comparison of unsigned entries of 16 bits, but differences that saturate at zero. */
CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    return (v128_vector_16)_mm_adds_epu16((__m128i)a, (__m128i)b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return (v128_vector_16)_mm_subs_epu16((__m128i)a, (__m128i)b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    return a - v128_above_16(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    return a + v128_above_16(b, a);
}

/* A mask of the lanes that are all ones; the others are zero. */
CN_ALWAYS_INLINE uint32_t v128_lanes_of_16(v128_vector_16 a)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)a, _mm_setzero_si128()));
}

CN_ALWAYS_INLINE uint32_t v128_lanes_of_32(v128_vector_32 a)
{
    return (uint32_t)_mm_movemask_ps((__m128)a);
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    const v128_vector_16 zero = {0};
    return v128_lanes_of_16((v128_vector_16)(v128_above_16(b, a) == zero)) ^ 0xff;
}

#    else

CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    v128_vector_16 sum = a + b;
    return sum | (v128_vector_16)(sum < a);
}

CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return (a - b) & (v128_vector_16)(a > b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    v128_vector_16 chosen = (v128_vector_16)(a < b);
    return (a & chosen) | (b & ~chosen);
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    v128_vector_16 chosen = (v128_vector_16)(a > b);
    return (a & chosen) | (b & ~chosen);
}

CN_ALWAYS_INLINE uint32_t v128_lanes_of_16(v128_vector_16 a)
{
    v128_vector_16 bits = a & (v128_vector_16){1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t halves[2];
    memcpy(halves, &bits, sizeof bits);
    uint64_t sum = halves[0] | halves[1];
    sum |= sum >> 32;
    return (uint32_t)(sum | sum >> 16) & 0xff;
}

CN_ALWAYS_INLINE uint32_t v128_lanes_of_32(v128_vector_32 a)
{
    v128_vector_32 bits = a & (v128_vector_32){1, 2, 4, 8};
    return bits[0] | bits[1] | bits[2] | bits[3];
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    return v128_lanes_of_16((v128_vector_16)(a < b));
}

#    endif

CN_ALWAYS_INLINE uint32_t v128_greatest_16(v128_vector_16 a)
{
    a = v128_max_16(a, CN_SHUFFLE(v128_vector_16, a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = v128_max_16(a, CN_SHUFFLE(v128_vector_16, a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return a[0] > a[1] ? a[0] : a[1];
}

CN_ALWAYS_INLINE uint32_t v128_greatest_32(v128_vector_32 a)
{
    uint32_t low = a[0] > a[1] ? a[0] : a[1], high = a[2] > a[3] ? a[2] : a[3];
    return low > high ? low : high;
}

#  endif

CN_ALWAYS_INLINE uint32_t v128_less_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_lanes_of_32((v128_vector_32)(a < b));
}

CN_ALWAYS_INLINE uint32_t v128_equal_16(v128_vector_16 a, v128_vector_16 b)
{
    return v128_lanes_of_16((v128_vector_16)(a == b));
}

CN_ALWAYS_INLINE uint32_t v128_equal_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_lanes_of_32((v128_vector_32)(a == b));
}

CN_ALWAYS_INLINE v128_vector_16 v128_ones_16(uint32_t lanes)
{
    const v128_vector_16 bits = {1, 2, 4, 8, 16, 32, 64, 128};
    return (v128_vector_16)((v128_all_16((uint16_t)lanes) & bits) != 0);
}

CN_ALWAYS_INLINE v128_vector_32 v128_ones_32(uint32_t lanes)
{
    const v128_vector_32 bits = {1, 2, 4, 8};
    return (v128_vector_32)((v128_all_32(lanes) & bits) != 0);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_where_16(v128_vector_16 a, uint32_t lanes,
                                                  v128_vector_16 b)
{
    return v128_min_16(a, b | v128_ones_16(~lanes));
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_where_32(v128_vector_32 a, uint32_t lanes,
                                                  v128_vector_32 b)
{
    return v128_min_32(a, b | v128_ones_32(~lanes));
}

CN_ALWAYS_INLINE v128_vector_16 v128_ascend_16(v128_vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return CN_SHUFFLE(v128_vector_16, a, a, 0, 0, 1, 2, 3, 4, 5, 6);
    case 2: return CN_SHUFFLE(v128_vector_16, a, a, 0, 1, 0, 1, 2, 3, 4, 5);
    default: return CN_SHUFFLE(v128_vector_16, a, a, 0, 1, 2, 3, 0, 1, 2, 3);
    }
}

CN_ALWAYS_INLINE v128_vector_16 v128_descend_16(v128_vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return CN_SHUFFLE(v128_vector_16, a, a, 1, 2, 3, 4, 5, 6, 7, 7);
    case 2: return CN_SHUFFLE(v128_vector_16, a, a, 2, 3, 4, 5, 6, 7, 6, 7);
    default: return CN_SHUFFLE(v128_vector_16, a, a, 4, 5, 6, 7, 4, 5, 6, 7);
    }
}

CN_ALWAYS_INLINE v128_vector_32 v128_ascend_32(v128_vector_32 a, unsigned lanes)
{
    return lanes == 1 ? CN_SHUFFLE(v128_vector_32, a, a, 0, 0, 1, 2)
                      : CN_SHUFFLE(v128_vector_32, a, a, 0, 1, 0, 1);
}

CN_ALWAYS_INLINE v128_vector_32 v128_descend_32(v128_vector_32 a, unsigned lanes)
{
    return lanes == 1 ? CN_SHUFFLE(v128_vector_32, a, a, 1, 2, 3, 3)
                      : CN_SHUFFLE(v128_vector_32, a, a, 2, 3, 2, 3);
}

#else

enum { v128_lanes_16 = 1, v128_lanes_32 = 1 };

typedef uint16_t v128_vector_16;
typedef uint32_t v128_vector_32;

/* Without what only those use that ask for fast vectors. */
CN_ALWAYS_INLINE v128_vector_16 v128_load_16(const uint16_t *from)
{
    return *from;
}

CN_ALWAYS_INLINE v128_vector_16 v128_load_any_16(const void *from)
{
    v128_vector_16 value;
    memcpy(&value, from, sizeof value);
    return value;
}

CN_ALWAYS_INLINE void v128_store_any_16(void *to, v128_vector_16 value)
{
    memcpy(to, &value, sizeof value);
}

CN_ALWAYS_INLINE void v128_store_low_32(uint16_t *to, v128_vector_32 value)
{
    *to = (uint16_t)value;
}

CN_ALWAYS_INLINE v128_vector_16 v128_all_16(uint16_t value)
{
    return value;
}

CN_ALWAYS_INLINE v128_vector_16 v128_pairs_16(const uint16_t *from, unsigned lane)
{
    return from[lane & 1];
}

CN_ALWAYS_INLINE v128_vector_16 v128_either_16(v128_vector_16 a, v128_vector_16 b)
{
    return a | b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    return (uint16_t)(a + b > UINT16_MAX ? UINT16_MAX : a + b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return (uint16_t)(a > b ? a - b : 0);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    return a < b ? a : b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    return a > b ? a : b;
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    return a < b;
}

CN_ALWAYS_INLINE uint32_t v128_equal_16(v128_vector_16 a, v128_vector_16 b)
{
    return a == b;
}

CN_ALWAYS_INLINE v128_vector_16 v128_ones_16(uint32_t lanes)
{
    return (uint16_t)(0 - (lanes & 1));
}

CN_ALWAYS_INLINE uint32_t v128_greatest_16(v128_vector_16 a)
{
    return a;
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_32(const uint32_t *from)
{
    return *from;
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_any_32(const void *from)
{
    v128_vector_32 value;
    memcpy(&value, from, sizeof value);
    return value;
}

CN_ALWAYS_INLINE void v128_store_any_32(void *to, v128_vector_32 value)
{
    memcpy(to, &value, sizeof value);
}

CN_ALWAYS_INLINE v128_vector_32 v128_all_32(uint32_t value)
{
    return value;
}

CN_ALWAYS_INLINE v128_vector_32 v128_pairs_32(const uint32_t *from, unsigned lane)
{
    return from[lane & 1];
}

CN_ALWAYS_INLINE v128_vector_32 v128_either_32(v128_vector_32 a, v128_vector_32 b)
{
    return a | b;
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

CN_ALWAYS_INLINE v128_vector_32 v128_above_32(v128_vector_32 a, v128_vector_32 b)
{
    return a > b ? a - b : 0;
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_32(v128_vector_32 a, v128_vector_32 b)
{
    return a < b ? a : b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_max_32(v128_vector_32 a, v128_vector_32 b)
{
    return a > b ? a : b;
}

CN_ALWAYS_INLINE uint32_t v128_less_32(v128_vector_32 a, v128_vector_32 b)
{
    return a < b;
}

CN_ALWAYS_INLINE uint32_t v128_equal_32(v128_vector_32 a, v128_vector_32 b)
{
    return a == b;
}

CN_ALWAYS_INLINE v128_vector_32 v128_ones_32(uint32_t lanes)
{
    return 0 - (lanes & 1);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_32(v128_vector_32 a)
{
    return a;
}

#endif

#endif
