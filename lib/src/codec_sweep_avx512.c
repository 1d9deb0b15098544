#include "codec_sweep.h"

#if CN_CPU_X86

#include <immintrin.h>

#define ENTRY uint32_t
#define LANES 16
#define VECTOR __m512i
#define TARGET CN_TARGET_AVX512
#define NAME(x) x##_avx512_32
#define LOAD(p) _mm512_load_si512((const void *)(p))
#define LOAD_ANY(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_store_si512((void *)(p), v)
#define SPLAT(x) _mm512_set1_epi32((int)(x))
#define ADD(a, b) _mm512_add_epi32(a, b)
#define MIN_WHERE(bits, v, w) _mm512_mask_min_epu32(v, (__mmask16)(bits), v, w)
#define LESS(a, b) (unsigned)_mm512_cmplt_epu32_mask(a, b)
#define EQUAL(a, b) (unsigned)_mm512_cmpeq_epi32_mask(a, b)
#define BEFORE(v, previous) _mm512_alignr_epi32(v, previous, 15)
#define UP(v, n) _mm512_alignr_epi32(v, v, 16 - (n))
#define DOWN(v, n) _mm512_alignr_epi32(v, v, n)
#define FIRST(v) (uint32_t)_mm512_cvtsi512_si32(v)
#define NEVER CN_SWEEP_NEVER
#include "codec_sweep_vector.h"

/* Lane numbers 0 to 31, of which shifted ones name the lanes to take. */
CN_TARGET_AVX512 static inline __m512i lane_numbers(void)
{
    const __m128i low = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i bytes = _mm256_inserti128_si256(
        _mm256_castsi128_si256(low), _mm_add_epi8(low, _mm_set1_epi8(16)), 1);
    return _mm512_cvtepu8_epi16(bytes);
}

CN_TARGET_AVX512 static inline __m512i lane_shift(__m512i v, int by)
{
    return _mm512_permutexvar_epi16(_mm512_add_epi16(lane_numbers(), _mm512_set1_epi16((short)by)),
                                    v);
}

CN_TARGET_AVX512 static inline __m512i lane_before(__m512i v, __m512i previous)
{
    const __m512i from = _mm512_add_epi16(lane_numbers(), _mm512_set1_epi16(31));
    return _mm512_permutex2var_epi16(previous, from, v);
}

#define ENTRY uint16_t
#define LANES 32
#define VECTOR __m512i
#define TARGET CN_TARGET_AVX512
#define NAME(x) x##_avx512_16
#define LOAD(p) _mm512_load_si512((const void *)(p))
#define LOAD_ANY(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_store_si512((void *)(p), v)
#define SPLAT(x) _mm512_set1_epi16((short)(x))
#define ADD(a, b) _mm512_adds_epu16(a, b)
#define MIN_WHERE(bits, v, w) _mm512_mask_min_epu16(v, (__mmask32)(bits), v, w)
#define LESS(a, b) (unsigned)_mm512_cmplt_epu16_mask(a, b)
#define EQUAL(a, b) (unsigned)_mm512_cmpeq_epi16_mask(a, b)
#define BEFORE(v, previous) lane_before(v, previous)
#define UP(v, n) lane_shift(v, -(n))
#define DOWN(v, n) lane_shift(v, n)
#define FIRST(v) (uint16_t)_mm512_cvtsi512_si32(v)
#define NEVER UINT16_MAX
#include "codec_sweep_vector.h"

#else
typedef int codec_sweep_avx512_is_empty;
#endif
