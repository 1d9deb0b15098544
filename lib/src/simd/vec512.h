/* Vectors of 512 bits: the kind v512 of simd/template.h. Empty where CN_CPU_X86 is not set. */
#ifndef CN_SIMD_VEC512_H
#define CN_SIMD_VEC512_H

#include "simd/vec256.h"

#if CN_CPU_X86

#  define v512_target CN_TARGET_AVX512
#  define CN_AVX512_INLINE CN_TARGET_AVX512 CN_ALWAYS_INLINE

enum { v512_lanes_16 = 32, v512_lanes_32 = 16 };

typedef uint16_t v512_entry_16;
typedef uint32_t v512_entry_32;
typedef __m512i v512_vector_16;
typedef __m512i v512_vector_32;

CN_AVX512_INLINE __m512i v512_load_16(const uint16_t *from)
{
    return _mm512_loadu_si512(from);
}

CN_AVX512_INLINE __m512i v512_load_any_16(const void *from)
{
    return _mm512_loadu_si512(from);
}

CN_AVX512_INLINE void v512_store_16(uint16_t *to, __m512i value)
{
    _mm512_storeu_si512(to, value);
}

CN_AVX512_INLINE void v512_store_any_16(void *to, __m512i value)
{
    _mm512_storeu_si512(to, value);
}

CN_AVX512_INLINE __m512i v512_load_32(const uint32_t *from)
{
    return _mm512_loadu_si512(from);
}

CN_AVX512_INLINE __m512i v512_load_any_32(const void *from)
{
    return _mm512_loadu_si512(from);
}

CN_AVX512_INLINE void v512_store_32(uint32_t *to, __m512i value)
{
    _mm512_storeu_si512(to, value);
}

CN_AVX512_INLINE void v512_store_any_32(void *to, __m512i value)
{
    _mm512_storeu_si512(to, value);
}

CN_AVX512_INLINE void v512_store_low_32(uint16_t *to, __m512i value)
{
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16(value));
}

CN_AVX512_INLINE __m512i v512_all_16(uint16_t value)
{
    return _mm512_set1_epi16((short)value);
}

CN_AVX512_INLINE __m512i v512_all_32(uint32_t value)
{
    return _mm512_set1_epi32((int)value);
}

CN_AVX512_INLINE __m512i v512_pairs_16(const uint16_t *from, unsigned lane)
{
    int32_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm512_set1_epi32(pair);
}

CN_AVX512_INLINE __m512i v512_pairs_32(const uint32_t *from, unsigned lane)
{
    long long pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return _mm512_set1_epi64(pair);
}

CN_AVX512_INLINE __m512i v512_either_16(__m512i a, __m512i b)
{
    return _mm512_or_si512(a, b);
}

CN_AVX512_INLINE __m512i v512_either_32(__m512i a, __m512i b)
{
    return _mm512_or_si512(a, b);
}

CN_AVX512_INLINE __m512i v512_add_16(__m512i a, __m512i b)
{
    return _mm512_adds_epu16(a, b);
}

CN_AVX512_INLINE __m512i v512_add_32(__m512i a, __m512i b)
{
    return _mm512_add_epi32(a, b);
}

CN_AVX512_INLINE __m512i v512_minus_16(__m512i a, __m512i b)
{
    return _mm512_sub_epi16(a, b);
}

CN_AVX512_INLINE __m512i v512_minus_32(__m512i a, __m512i b)
{
    return _mm512_sub_epi32(a, b);
}

CN_AVX512_INLINE __m512i v512_min_16(__m512i a, __m512i b)
{
    return _mm512_min_epu16(a, b);
}

CN_AVX512_INLINE __m512i v512_min_32(__m512i a, __m512i b)
{
    return _mm512_min_epu32(a, b);
}

CN_AVX512_INLINE __m512i v512_max_16(__m512i a, __m512i b)
{
    return _mm512_max_epu16(a, b);
}

CN_AVX512_INLINE __m512i v512_max_32(__m512i a, __m512i b)
{
    return _mm512_max_epu32(a, b);
}

CN_AVX512_INLINE __m512i v512_above_16(__m512i a, __m512i b)
{
    return _mm512_subs_epu16(a, b);
}

CN_AVX512_INLINE __m512i v512_above_32(__m512i a, __m512i b)
{
    return _mm512_sub_epi32(_mm512_max_epu32(a, b), b);
}

CN_AVX512_INLINE __m512i v512_min_where_16(__m512i a, uint32_t lanes, __m512i b)
{
    return _mm512_mask_min_epu16(a, lanes, a, b);
}

CN_AVX512_INLINE __m512i v512_min_where_32(__m512i a, uint32_t lanes, __m512i b)
{
    return _mm512_mask_min_epu32(a, (__mmask16)lanes, a, b);
}

/* A mask as a number in a general register. GCC 12 may widen a mask to 64 bits by writing its 32
 * into memory and reading 64 there: the upper half is then whatever was there before. The empty
 * instruction makes it widen a register instead. */
CN_AVX512_INLINE uint32_t v512_lanes_of(uint32_t mask)
{
    CN_IN_REGISTER(mask);
    return mask;
}

CN_AVX512_INLINE uint32_t v512_less_16(__m512i a, __m512i b)
{
    return v512_lanes_of(_mm512_cmplt_epu16_mask(a, b));
}

CN_AVX512_INLINE uint32_t v512_less_32(__m512i a, __m512i b)
{
    return v512_lanes_of(_mm512_cmplt_epu32_mask(a, b));
}

CN_AVX512_INLINE uint32_t v512_equal_16(__m512i a, __m512i b)
{
    return v512_lanes_of(_mm512_cmpeq_epi16_mask(a, b));
}

CN_AVX512_INLINE uint32_t v512_equal_32(__m512i a, __m512i b)
{
    return v512_lanes_of(_mm512_cmpeq_epi32_mask(a, b));
}

CN_AVX512_INLINE __m512i v512_ones_16(uint32_t lanes)
{
    return _mm512_movm_epi16(lanes);
}

CN_AVX512_INLINE __m512i v512_ones_32(uint32_t lanes)
{
    return _mm512_movm_epi32((__mmask16)lanes);
}

CN_AVX512_INLINE void v512_bytes_16(uint8_t to[64], uint64_t bits)
{
    _mm512_storeu_si512(to, _mm512_movm_epi8(bits));
}

CN_AVX512_INLINE void v512_bytes_32(uint8_t to[64], uint64_t bits)
{
    v512_bytes_16(to, bits);
}

static const _Alignas(64) uint16_t cn_ascend_16[32] = {0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                       10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                                       21, 22, 23, 24, 25, 26, 27, 28, 29, 30};
static const _Alignas(64) uint16_t cn_descend_16[32] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                                        12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                                        23, 24, 25, 26, 27, 28, 29, 30, 31, 31};

CN_AVX512_INLINE __m512i v512_ascend_32(__m512i a, unsigned lanes)
{
    switch (lanes) {
    case 1: return _mm512_alignr_epi32(a, a, 15);
    case 2: return _mm512_alignr_epi32(a, a, 14);
    case 4: return _mm512_alignr_epi32(a, a, 12);
    default: return _mm512_alignr_epi32(a, a, 8);
    }
}

CN_AVX512_INLINE __m512i v512_descend_32(__m512i a, unsigned lanes)
{
    switch (lanes) {
    case 1: return _mm512_alignr_epi32(a, a, 1);
    case 2: return _mm512_alignr_epi32(a, a, 2);
    case 4: return _mm512_alignr_epi32(a, a, 4);
    default: return _mm512_alignr_epi32(a, a, 8);
    }
}

CN_AVX512_INLINE __m512i v512_ascend_16(__m512i a, unsigned lanes)
{
    return lanes == 1 ? _mm512_permutexvar_epi16(_mm512_load_si512(cn_ascend_16), a)
                      : v512_ascend_32(a, lanes / 2);
}

CN_AVX512_INLINE __m512i v512_descend_16(__m512i a, unsigned lanes)
{
    return lanes == 1 ? _mm512_permutexvar_epi16(_mm512_load_si512(cn_descend_16), a)
                      : v512_descend_32(a, lanes / 2);
}

CN_AVX512_INLINE uint32_t v512_greatest_16(__m512i a)
{
    return v256_greatest_16(
        _mm256_max_epu16(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1)));
}

CN_AVX512_INLINE uint32_t v512_greatest_32(__m512i a)
{
    return v256_greatest_32(
        _mm256_max_epu32(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1)));
}

#endif
#endif
