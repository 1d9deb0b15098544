/* Vectors of 128 bits by SSE2, which every x86-64 has: a part of simd/vec128.h. */
#ifndef CN_SIMD_VEC128_SSE2_H
#define CN_SIMD_VEC128_SSE2_H

#include <string.h>

#include "base/cpu.h"

#if CN_CPU_SSE2

#  include <emmintrin.h>

enum { v128_lanes_16 = 8, v128_lanes_32 = 4 };

typedef __m128i v128_vector_16;
typedef __m128i v128_vector_32;

CN_ALWAYS_INLINE v128_vector_16 v128_load_16(const uint16_t *from)
{
    return _mm_load_si128((const void *)from);
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_32(const uint32_t *from)
{
    return _mm_load_si128((const void *)from);
}

CN_ALWAYS_INLINE void v128_store_16(uint16_t *to, v128_vector_16 value)
{
    _mm_store_si128((void *)to, value);
}

CN_ALWAYS_INLINE void v128_store_32(uint32_t *to, v128_vector_32 value)
{
    _mm_store_si128((void *)to, value);
}

/* The lower halves of entries come together in the lower half of the vector. */
CN_ALWAYS_INLINE void v128_store_low_32(uint16_t *to, v128_vector_32 value)
{
    value = _mm_shufflelo_epi16(value, _MM_SHUFFLE(3, 1, 2, 0));
    value = _mm_shufflehi_epi16(value, _MM_SHUFFLE(3, 1, 2, 0));
    _mm_storel_epi64((void *)to, _mm_shuffle_epi32(value, _MM_SHUFFLE(3, 1, 2, 0)));
}

CN_ALWAYS_INLINE v128_vector_16 v128_all_16(uint16_t value)
{
    return _mm_set1_epi16((short)value);
}

CN_ALWAYS_INLINE v128_vector_32 v128_all_32(uint32_t value)
{
    return _mm_set1_epi32((int)value);
}

CN_ALWAYS_INLINE v128_vector_16 v128_pairs_16(const uint16_t *from, unsigned lane)
{
    int32_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm_set1_epi32(pair);
}

CN_ALWAYS_INLINE v128_vector_32 v128_pairs_32(const uint32_t *from, unsigned lane)
{
    long long pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm_set1_epi64x(pair);
}

CN_ALWAYS_INLINE v128_vector_16 v128_either_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_or_si128(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_either_32(v128_vector_32 a, v128_vector_32 b)
{
    return _mm_or_si128(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_adds_epu16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_add_32(v128_vector_32 a, v128_vector_32 b)
{
    return _mm_add_epi32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_minus_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_sub_epi16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_minus_32(v128_vector_32 a, v128_vector_32 b)
{
    return _mm_sub_epi32(a, b);
}

/* There are comparisons of signed entries alone: those of 16 bits are compared by differences that
 * saturate at zero, those of 32 bits after their highest bit changed. */
CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_subs_epu16(a, b);
}

CN_ALWAYS_INLINE __m128i v128_is_above_32(__m128i a, __m128i b)
{
    const __m128i top = _mm_set1_epi32(INT32_MIN);
    return _mm_cmpgt_epi32(_mm_xor_si128(a, top), _mm_xor_si128(b, top));
}

CN_ALWAYS_INLINE v128_vector_32 v128_above_32(v128_vector_32 a, v128_vector_32 b)
{
    return _mm_and_si128(_mm_sub_epi32(a, b), v128_is_above_32(a, b));
}

CN_ALWAYS_INLINE __m128i v128_chosen(__m128i mask, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_sub_epi16(a, _mm_subs_epu16(a, b));
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_chosen(v128_is_above_32(b, a), a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_add_epi16(a, _mm_subs_epu16(b, a));
}

CN_ALWAYS_INLINE v128_vector_32 v128_max_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_chosen(v128_is_above_32(a, b), a, b);
}

/* A mask of the lanes that are all ones; the others are zero. */
CN_ALWAYS_INLINE uint32_t v128_lanes_of_16(__m128i a)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a, _mm_setzero_si128()));
}

CN_ALWAYS_INLINE uint32_t v128_lanes_of_32(__m128i a)
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(a));
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    const __m128i zero = _mm_setzero_si128();
    return v128_lanes_of_16(_mm_cmpeq_epi16(_mm_subs_epu16(b, a), zero)) ^ 0xff;
}

CN_ALWAYS_INLINE uint32_t v128_less_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_lanes_of_32(v128_is_above_32(b, a));
}

CN_ALWAYS_INLINE uint32_t v128_equal_16(v128_vector_16 a, v128_vector_16 b)
{
    return v128_lanes_of_16(_mm_cmpeq_epi16(a, b));
}

CN_ALWAYS_INLINE uint32_t v128_equal_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_lanes_of_32(_mm_cmpeq_epi32(a, b));
}

CN_ALWAYS_INLINE v128_vector_16 v128_ones_16(uint32_t lanes)
{
    const __m128i bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)lanes), bits), bits);
}

CN_ALWAYS_INLINE v128_vector_32 v128_ones_32(uint32_t lanes)
{
    const __m128i bits = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)lanes), bits), bits);
}

CN_ALWAYS_INLINE __m128i v128_ascend_bytes(__m128i a, unsigned bytes)
{
    switch (bytes) {
    case 2: return _mm_slli_si128(a, 2);
    case 4: return _mm_slli_si128(a, 4);
    default: return _mm_slli_si128(a, 8);
    }
}

CN_ALWAYS_INLINE __m128i v128_descend_bytes(__m128i a, unsigned bytes)
{
    switch (bytes) {
    case 2: return _mm_srli_si128(a, 2);
    case 4: return _mm_srli_si128(a, 4);
    default: return _mm_srli_si128(a, 8);
    }
}

CN_ALWAYS_INLINE v128_vector_16 v128_ascend_16(v128_vector_16 a, unsigned lanes)
{
    return v128_ascend_bytes(a, 2 * lanes);
}

CN_ALWAYS_INLINE v128_vector_32 v128_ascend_32(v128_vector_32 a, unsigned lanes)
{
    return v128_ascend_bytes(a, 4 * lanes);
}

CN_ALWAYS_INLINE v128_vector_16 v128_descend_16(v128_vector_16 a, unsigned lanes)
{
    return v128_descend_bytes(a, 2 * lanes);
}

CN_ALWAYS_INLINE v128_vector_32 v128_descend_32(v128_vector_32 a, unsigned lanes)
{
    return v128_descend_bytes(a, 4 * lanes);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_16(v128_vector_16 a)
{
    a = v128_max_16(a, _mm_srli_si128(a, 8));
    a = v128_max_16(a, _mm_srli_si128(a, 4));
    a = v128_max_16(a, _mm_srli_si128(a, 2));
    return (uint16_t)_mm_cvtsi128_si32(a);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_32(v128_vector_32 a)
{
    const uint32_t entries[4] = {
        (uint32_t)_mm_cvtsi128_si32(a),
        (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(a, _MM_SHUFFLE(1, 1, 1, 1))),
        (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(a, _MM_SHUFFLE(2, 2, 2, 2))),
        (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(a, _MM_SHUFFLE(3, 3, 3, 3)))};
    const uint32_t low = entries[0] > entries[1] ? entries[0] : entries[1];
    const uint32_t high = entries[2] > entries[3] ? entries[2] : entries[3];
    return low > high ? low : high;
}

CN_ALWAYS_INLINE v128_vector_16 v128_zip_low_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_unpacklo_epi16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_zip_low_32(v128_vector_32 a, v128_vector_32 b)
{
    return _mm_unpacklo_epi32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_zip_high_16(v128_vector_16 a, v128_vector_16 b)
{
    return _mm_unpackhi_epi16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_zip_high_32(v128_vector_32 a, v128_vector_32 b)
{
    return _mm_unpackhi_epi32(a, b);
}

#endif
#endif
