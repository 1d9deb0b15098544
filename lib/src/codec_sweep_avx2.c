#include "codec_sweep.h"

#if CN_CPU_X86

#include <immintrin.h>

/* All ones in the lanes whose bit is not set: the lesser of v and that is v. */
CN_TARGET_AVX2 static inline __m256i others_32(unsigned bits)
{
    const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), lane),
                              _mm256_setzero_si256());
}

CN_TARGET_AVX2 static inline __m256i others_16(unsigned bits)
{
    const __m256i lane =
        _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                          (short)-32768);
    return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((short)bits), lane),
                              _mm256_setzero_si256());
}

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

/* The upper half of `previous` and the lower half of `v`: what is before the halves of v. */
CN_TARGET_AVX2 static inline __m256i halves_before(__m256i v, __m256i previous)
{
    return _mm256_permute2x128_si256(previous, v, 0x21);
}

CN_TARGET_AVX2 static inline __m256i halves_behind(__m256i v)
{
    return _mm256_permute2x128_si256(v, v, 0x11);
}

#define SHIFT_UP(v, bytes) _mm256_alignr_epi8(v, halves_before(v, v), 16 - (bytes))
#define SHIFT_DOWN(v, bytes) _mm256_alignr_epi8(halves_behind(v), v, bytes)

#define ENTRY uint32_t
#define LANES 8
#define VECTOR __m256i
#define TARGET CN_TARGET_AVX2
#define NAME(x) x##_avx2_32
#define LOAD(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define LOAD_ANY(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_store_si256((__m256i *)(void *)(p), v)
#define SPLAT(x) _mm256_set1_epi32((int)(x))
#define ADD(a, b) _mm256_add_epi32(a, b)
#define MIN_WHERE(bits, v, w) _mm256_min_epu32(v, _mm256_or_si256(w, others_32(bits)))
#define LESS(a, b) (~bits_32(_mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a)) & 0xffu)
#define EQUAL(a, b) bits_32(_mm256_cmpeq_epi32(a, b))
#define BEFORE(v, previous) _mm256_alignr_epi8(v, halves_before(v, previous), 12)
#define UP(v, n) ((n) == 4 ? halves_before(v, v) : SHIFT_UP(v, (n) == 4 ? 4 : 4 * (n)))
#define DOWN(v, n) ((n) == 4 ? halves_behind(v) : SHIFT_DOWN(v, (n) == 4 ? 4 : 4 * (n)))
#define FIRST(v) (uint32_t)_mm256_cvtsi256_si32(v)
#define NEVER CN_SWEEP_NEVER
#include "codec_sweep_vector.h"

#define ENTRY uint16_t
#define LANES 16
#define VECTOR __m256i
#define TARGET CN_TARGET_AVX2
#define NAME(x) x##_avx2_16
#define LOAD(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define LOAD_ANY(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_store_si256((__m256i *)(void *)(p), v)
#define SPLAT(x) _mm256_set1_epi16((short)(x))
#define ADD(a, b) _mm256_adds_epu16(a, b)
#define MIN_WHERE(bits, v, w) _mm256_min_epu16(v, _mm256_or_si256(w, others_16(bits)))
#define LESS(a, b) (~bits_16(_mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a)) & 0xffffu)
#define EQUAL(a, b) bits_16(_mm256_cmpeq_epi16(a, b))
#define BEFORE(v, previous) _mm256_alignr_epi8(v, halves_before(v, previous), 14)
#define UP(v, n) ((n) == 8 ? halves_before(v, v) : SHIFT_UP(v, (n) == 8 ? 2 : 2 * (n)))
#define DOWN(v, n) ((n) == 8 ? halves_behind(v) : SHIFT_DOWN(v, (n) == 8 ? 2 : 2 * (n)))
#define FIRST(v) (uint16_t)_mm256_cvtsi256_si32(v)
#define NEVER UINT16_MAX
#include "codec_sweep_vector.h"

#else
typedef int codec_sweep_avx2_is_empty;
#endif
