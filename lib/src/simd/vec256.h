/*
 * Vectors of 256 bits, the kind v256 of simd/template.h, and the kind x128 of 128 bits by the same
 * instructions. Empty where CN_CPU_X86 is not set.
 */
#ifndef CN_SIMD_VEC256_H
#define CN_SIMD_VEC256_H

#include "base/cpu.h"

#if CN_CPU_X86

#  include <immintrin.h>
#  include <string.h>

#  define v256_target CN_TARGET_AVX2
#  define x128_target CN_TARGET_AVX2
#  define CN_AVX2_INLINE CN_TARGET_AVX2 CN_ALWAYS_INLINE

enum { v256_lanes_16 = 16, v256_lanes_32 = 8, x128_lanes_16 = 8, x128_lanes_32 = 4 };

typedef uint16_t v256_entry_16;
typedef uint32_t v256_entry_32;
typedef __m256i v256_vector_16;
typedef __m256i v256_vector_32;
typedef uint16_t x128_entry_16;
typedef uint32_t x128_entry_32;
typedef __m128i x128_vector_16;
typedef __m128i x128_vector_32;

CN_AVX2_INLINE __m256i v256_load_16(const uint16_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

CN_AVX2_INLINE __m256i v256_load_any_16(const void *from)
{
    return _mm256_loadu_si256(from);
}

CN_AVX2_INLINE void v256_store_16(uint16_t *to, __m256i value)
{
    _mm256_storeu_si256((__m256i *)to, value);
}

CN_AVX2_INLINE void v256_store_any_16(void *to, __m256i value)
{
    _mm256_storeu_si256(to, value);
}

CN_AVX2_INLINE __m256i v256_load_32(const uint32_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

CN_AVX2_INLINE __m256i v256_load_any_32(const void *from)
{
    return _mm256_loadu_si256(from);
}

CN_AVX2_INLINE void v256_store_32(uint32_t *to, __m256i value)
{
    _mm256_storeu_si256((__m256i *)to, value);
}

CN_AVX2_INLINE void v256_store_any_32(void *to, __m256i value)
{
    _mm256_storeu_si256(to, value);
}

CN_AVX2_INLINE void v256_store_low_32(uint16_t *to, __m256i value)
{
    const __m256i lower = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1,
                                           0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1,
                                           -1);
    const __m256i halves = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(value, lower), 0x08);
    _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(halves));
}

CN_AVX2_INLINE __m256i v256_all_16(uint16_t value)
{
    return _mm256_set1_epi16((short)value);
}

CN_AVX2_INLINE __m256i v256_all_32(uint32_t value)
{
    return _mm256_set1_epi32((int)value);
}

CN_AVX2_INLINE __m256i v256_pairs_16(const uint16_t *from, unsigned lane)
{
    int32_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm256_set1_epi32(pair);
}

CN_AVX2_INLINE __m256i v256_pairs_32(const uint32_t *from, unsigned lane)
{
    long long pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm256_set1_epi64x(pair);
}

CN_AVX2_INLINE __m256i v256_either_16(__m256i a, __m256i b)
{
    return _mm256_or_si256(a, b);
}

CN_AVX2_INLINE __m256i v256_either_32(__m256i a, __m256i b)
{
    return _mm256_or_si256(a, b);
}

CN_AVX2_INLINE __m256i v256_add_16(__m256i a, __m256i b)
{
    return _mm256_adds_epu16(a, b);
}

CN_AVX2_INLINE __m256i v256_add_32(__m256i a, __m256i b)
{
    return _mm256_add_epi32(a, b);
}

CN_AVX2_INLINE __m256i v256_minus_16(__m256i a, __m256i b)
{
    return _mm256_sub_epi16(a, b);
}

CN_AVX2_INLINE __m256i v256_minus_32(__m256i a, __m256i b)
{
    return _mm256_sub_epi32(a, b);
}

CN_AVX2_INLINE __m256i v256_min_16(__m256i a, __m256i b)
{
    return _mm256_min_epu16(a, b);
}

CN_AVX2_INLINE __m256i v256_min_32(__m256i a, __m256i b)
{
    return _mm256_min_epu32(a, b);
}

CN_AVX2_INLINE __m256i v256_max_16(__m256i a, __m256i b)
{
    return _mm256_max_epu16(a, b);
}

CN_AVX2_INLINE __m256i v256_max_32(__m256i a, __m256i b)
{
    return _mm256_max_epu32(a, b);
}

CN_AVX2_INLINE __m256i v256_above_16(__m256i a, __m256i b)
{
    return _mm256_subs_epu16(a, b);
}

CN_AVX2_INLINE __m256i v256_above_32(__m256i a, __m256i b)
{
    return _mm256_sub_epi32(_mm256_max_epu32(a, b), b);
}

/* A mask of the lanes that are all ones; the others are zero. */
CN_AVX2_INLINE uint32_t v256_lanes_of_16(__m256i a)
{
    __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    return (uint32_t)_mm_movemask_epi8(bytes);
}

CN_AVX2_INLINE uint32_t v256_lanes_of_32(__m256i a)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a));
}

CN_AVX2_INLINE uint32_t v256_equal_16(__m256i a, __m256i b)
{
    return v256_lanes_of_16(_mm256_cmpeq_epi16(a, b));
}

CN_AVX2_INLINE uint32_t v256_equal_32(__m256i a, __m256i b)
{
    return v256_lanes_of_32(_mm256_cmpeq_epi32(a, b));
}

CN_AVX2_INLINE uint32_t v256_less_16(__m256i a, __m256i b)
{
    return v256_equal_16(_mm256_max_epu16(a, b), a) ^ 0xffff;
}

CN_AVX2_INLINE uint32_t v256_less_32(__m256i a, __m256i b)
{
    return v256_equal_32(_mm256_max_epu32(a, b), a) ^ 0xff;
}

CN_AVX2_INLINE __m256i v256_ones_16(uint32_t lanes)
{
    const __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                           8192, 16384, (short)32768);
    return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((short)lanes), bits), bits);
}

CN_AVX2_INLINE __m256i v256_ones_32(uint32_t lanes)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes), bits), bits);
}

CN_AVX2_INLINE void v256_bytes_16(uint8_t to[64], uint64_t bits)
{
    const __m256i bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202,
                                             0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    for (unsigned i = 0; i < 64; i += 32, bits >>= 32) {
        const __m256i all = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(uint32_t)bits), bytes);
        _mm256_storeu_si256((void *)(to + i), _mm256_cmpeq_epi8(_mm256_and_si256(all, bit), bit));
    }
}

CN_AVX2_INLINE void v256_bytes_32(uint8_t to[64], uint64_t bits)
{
    v256_bytes_16(to, bits);
}

CN_AVX2_INLINE __m256i v256_min_where_16(__m256i a, uint32_t lanes, __m256i b)
{
    return _mm256_min_epu16(a, _mm256_or_si256(b, v256_ones_16(~lanes)));
}

CN_AVX2_INLINE __m256i v256_min_where_32(__m256i a, uint32_t lanes, __m256i b)
{
    return _mm256_min_epu32(a, _mm256_or_si256(b, v256_ones_32(~lanes)));
}

/* One half in the place of the other: what the shifts by bytes below need. */
CN_AVX2_INLINE __m256i v256_low_half_up(__m256i a)
{
    return _mm256_permute2x128_si256(a, a, 0x08);
}

CN_AVX2_INLINE __m256i v256_high_half_down(__m256i a)
{
    return _mm256_permute2x128_si256(a, a, 0x81);
}

CN_AVX2_INLINE __m256i v256_ascend_bytes(__m256i a, unsigned bytes)
{
    switch (bytes) {
    case 2: return _mm256_alignr_epi8(a, v256_low_half_up(a), 14);
    case 4: return _mm256_alignr_epi8(a, v256_low_half_up(a), 12);
    case 8: return _mm256_alignr_epi8(a, v256_low_half_up(a), 8);
    default: return v256_low_half_up(a);
    }
}

CN_AVX2_INLINE __m256i v256_descend_bytes(__m256i a, unsigned bytes)
{
    switch (bytes) {
    case 2: return _mm256_alignr_epi8(v256_high_half_down(a), a, 2);
    case 4: return _mm256_alignr_epi8(v256_high_half_down(a), a, 4);
    case 8: return _mm256_alignr_epi8(v256_high_half_down(a), a, 8);
    default: return v256_high_half_down(a);
    }
}

CN_AVX2_INLINE __m256i v256_ascend_16(__m256i a, unsigned lanes)
{
    return v256_ascend_bytes(a, 2 * lanes);
}

CN_AVX2_INLINE __m256i v256_ascend_32(__m256i a, unsigned lanes)
{
    return v256_ascend_bytes(a, 4 * lanes);
}

CN_AVX2_INLINE __m256i v256_descend_16(__m256i a, unsigned lanes)
{
    return v256_descend_bytes(a, 2 * lanes);
}

CN_AVX2_INLINE __m256i v256_descend_32(__m256i a, unsigned lanes)
{
    return v256_descend_bytes(a, 4 * lanes);
}

CN_AVX2_INLINE __m128i x128_load_any_16(const void *from)
{
    return _mm_loadu_si128(from);
}

CN_AVX2_INLINE void x128_store_any_16(void *to, __m128i value)
{
    _mm_storeu_si128(to, value);
}

CN_AVX2_INLINE __m128i x128_load_any_32(const void *from)
{
    return _mm_loadu_si128(from);
}

CN_AVX2_INLINE void x128_store_any_32(void *to, __m128i value)
{
    _mm_storeu_si128(to, value);
}

CN_AVX2_INLINE __m128i x128_pairs_16(const uint16_t *from, unsigned lane)
{
    int32_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm_set1_epi32(pair);
}

CN_AVX2_INLINE __m128i x128_pairs_32(const uint32_t *from, unsigned lane)
{
    long long pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm_set1_epi64x(pair);
}

CN_AVX2_INLINE __m128i x128_either_16(__m128i a, __m128i b)
{
    return _mm_or_si128(a, b);
}

CN_AVX2_INLINE __m128i x128_either_32(__m128i a, __m128i b)
{
    return _mm_or_si128(a, b);
}

CN_AVX2_INLINE __m128i x128_add_16(__m128i a, __m128i b)
{
    return _mm_adds_epu16(a, b);
}

CN_AVX2_INLINE __m128i x128_add_32(__m128i a, __m128i b)
{
    return _mm_add_epi32(a, b);
}

CN_AVX2_INLINE __m128i x128_minus_16(__m128i a, __m128i b)
{
    return _mm_sub_epi16(a, b);
}

CN_AVX2_INLINE __m128i x128_minus_32(__m128i a, __m128i b)
{
    return _mm_sub_epi32(a, b);
}

CN_AVX2_INLINE __m128i x128_min_16(__m128i a, __m128i b)
{
    return _mm_min_epu16(a, b);
}

CN_AVX2_INLINE __m128i x128_min_32(__m128i a, __m128i b)
{
    return _mm_min_epu32(a, b);
}

CN_AVX2_INLINE __m128i x128_max_16(__m128i a, __m128i b)
{
    return _mm_max_epu16(a, b);
}

CN_AVX2_INLINE __m128i x128_max_32(__m128i a, __m128i b)
{
    return _mm_max_epu32(a, b);
}

CN_AVX2_INLINE __m128i x128_above_16(__m128i a, __m128i b)
{
    return _mm_subs_epu16(a, b);
}

CN_AVX2_INLINE __m128i x128_above_32(__m128i a, __m128i b)
{
    return _mm_sub_epi32(_mm_max_epu32(a, b), b);
}

/* The one horizontal instruction there is finds the least of eight. */
CN_AVX2_INLINE uint32_t x128_greatest_16(__m128i a)
{
    __m128i least = _mm_minpos_epu16(_mm_xor_si128(a, _mm_set1_epi16(-1)));
    return 0xffff ^ (uint32_t)(uint16_t)_mm_extract_epi16(least, 0);
}

CN_AVX2_INLINE uint32_t x128_greatest_32(__m128i a)
{
    a = _mm_max_epu32(a, _mm_shuffle_epi32(a, 0x4e));
    a = _mm_max_epu32(a, _mm_shuffle_epi32(a, 0xb1));
    return (uint32_t)_mm_cvtsi128_si32(a);
}

CN_AVX2_INLINE uint32_t v256_greatest_16(__m256i a)
{
    return x128_greatest_16(
        _mm_max_epu16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)));
}

CN_AVX2_INLINE uint32_t v256_greatest_32(__m256i a)
{
    return x128_greatest_32(
        _mm_max_epu32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)));
}

#endif
#endif
