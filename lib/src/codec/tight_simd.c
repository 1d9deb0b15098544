#include "codec/tight.h"

#if CN_CPU_X86

#include <immintrin.h>

CN_TARGET_AVX2 static inline unsigned bits_32(__m256i lanes)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

CN_TARGET_AVX2 static inline unsigned bits_16(__m256i lanes)
{
    __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(lanes),
                                    _mm256_extracti128_si256(lanes, 1));
    return (unsigned)_mm_movemask_epi8(bytes);
}

#define ENTRY uint16_t
#define MOST (UINT16_MAX - 1)
#define LANES 16
#define VECTOR __m256i
#define LOAD(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define LOAD_ANY(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define SPLAT(x) _mm256_set1_epi16((short)(x))
#define ADD(a, b) _mm256_adds_epu16(a, b)
#define LESS(a, b) (~bits_16(_mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a)) & 0xffffu)
#define EQUAL(a, b) bits_16(_mm256_cmpeq_epi16(a, b))
#define TARGET CN_TARGET_AVX2
#define NAME find_avx2_16
#include "codec/tight_vector.h"

#define ENTRY uint32_t
#define MOST CAIRN_COST_MAX
#define LANES 8
#define VECTOR __m256i
#define LOAD(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define LOAD_ANY(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define SPLAT(x) _mm256_set1_epi32((int)(x))
#define ADD(a, b) _mm256_add_epi32(a, b)
#define LESS(a, b) (~bits_32(_mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a)) & 0xffu)
#define EQUAL(a, b) bits_32(_mm256_cmpeq_epi32(a, b))
#define TARGET CN_TARGET_AVX2
#define NAME find_avx2_32
#include "codec/tight_vector.h"

#define ENTRY uint16_t
#define MOST (UINT16_MAX - 1)
#define LANES 32
#define VECTOR __m512i
#define LOAD(p) _mm512_load_si512((const void *)(p))
#define LOAD_ANY(p) _mm512_loadu_si512((const void *)(p))
#define SPLAT(x) _mm512_set1_epi16((short)(x))
#define ADD(a, b) _mm512_adds_epu16(a, b)
#define LESS(a, b) _mm512_cmplt_epu16_mask(a, b)
#define EQUAL(a, b) _mm512_cmpeq_epi16_mask(a, b)
#define TARGET CN_TARGET_AVX512
#define NAME find_avx512_16
#include "codec/tight_vector.h"

#define ENTRY uint32_t
#define MOST CAIRN_COST_MAX
#define LANES 16
#define VECTOR __m512i
#define LOAD(p) _mm512_load_si512((const void *)(p))
#define LOAD_ANY(p) _mm512_loadu_si512((const void *)(p))
#define SPLAT(x) _mm512_set1_epi32((int)(x))
#define ADD(a, b) _mm512_add_epi32(a, b)
#define LESS(a, b) _mm512_cmplt_epu32_mask(a, b)
#define EQUAL(a, b) _mm512_cmpeq_epi32_mask(a, b)
#define TARGET CN_TARGET_AVX512
#define NAME find_avx512_32
#include "codec/tight_vector.h"

cn_tight_function *const cn_tight_avx2[2] = {find_avx2_16, find_avx2_32};
cn_tight_function *const cn_tight_avx512[2] = {find_avx512_16, find_avx512_32};

#else
typedef int codec_tight_is_portable_here;
#endif
