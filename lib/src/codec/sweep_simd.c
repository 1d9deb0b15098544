#include "codec/codec_bits.h"
#include "codec/sweep.h"

#if CN_CPU_X86

#include <immintrin.h>

/* Two vectors as one. */
typedef struct pair {
    __m256i low;
    __m256i high;
} pair;

CN_TARGET_AVX2 static inline pair pair_load(const uint8_t *from)
{
    return (pair){_mm256_loadu_si256((const __m256i *)(const void *)from),
                  _mm256_loadu_si256((const __m256i *)(const void *)(from + 32))};
}

CN_TARGET_AVX2 static inline void pair_store(uint8_t *to, pair v)
{
    _mm256_storeu_si256((__m256i *)(void *)to, v.low);
    _mm256_storeu_si256((__m256i *)(void *)(to + 32), v.high);
}

#define DEFINE_PAIR(name, operation)                                                     \
    CN_TARGET_AVX2 static inline pair name(pair a, pair b)                               \
    {                                                                                    \
        return (pair){operation(a.low, b.low), operation(a.high, b.high)};               \
    }
DEFINE_PAIR(pair_add_16, _mm256_adds_epu16)
DEFINE_PAIR(pair_min_16, _mm256_min_epu16)
DEFINE_PAIR(pair_max_16, _mm256_max_epu16)
DEFINE_PAIR(pair_add_32, _mm256_add_epi32)
DEFINE_PAIR(pair_min_32, _mm256_min_epu32)
DEFINE_PAIR(pair_max_32, _mm256_max_epu32)

#define CELL __m128i
#define LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define ADD(a, b) _mm_adds_epu16(a, b)
#define MIN(a, b) _mm_min_epu16(a, b)
#define MAX(a, b) _mm_max_epu16(a, b)
#define TARGET CN_TARGET_AVX2
#define NAME sweep_16_16
#include "codec/sweep_lanes.h"

#define CELL __m128i
#define LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define ADD(a, b) _mm_add_epi32(a, b)
#define MIN(a, b) _mm_min_epu32(a, b)
#define MAX(a, b) _mm_max_epu32(a, b)
#define TARGET CN_TARGET_AVX2
#define NAME sweep_32_16
#include "codec/sweep_lanes.h"

#define CELL __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define ADD(a, b) _mm256_adds_epu16(a, b)
#define MIN(a, b) _mm256_min_epu16(a, b)
#define MAX(a, b) _mm256_max_epu16(a, b)
#define TARGET CN_TARGET_AVX2
#define NAME sweep_16_32
#include "codec/sweep_lanes.h"

#define CELL __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define ADD(a, b) _mm256_add_epi32(a, b)
#define MIN(a, b) _mm256_min_epu32(a, b)
#define MAX(a, b) _mm256_max_epu32(a, b)
#define TARGET CN_TARGET_AVX2
#define NAME sweep_32_32
#include "codec/sweep_lanes.h"

#define CELL pair
#define LOAD(p) pair_load(p)
#define STORE(p, v) pair_store(p, v)
#define ADD(a, b) pair_add_16(a, b)
#define MIN(a, b) pair_min_16(a, b)
#define MAX(a, b) pair_max_16(a, b)
#define TARGET CN_TARGET_AVX2
#define NAME sweep_16_64
#include "codec/sweep_lanes.h"

#define CELL pair
#define LOAD(p) pair_load(p)
#define STORE(p, v) pair_store(p, v)
#define ADD(a, b) pair_add_32(a, b)
#define MIN(a, b) pair_min_32(a, b)
#define MAX(a, b) pair_max_32(a, b)
#define TARGET CN_TARGET_AVX2
#define NAME sweep_32_64
#include "codec/sweep_lanes.h"

/* The smaller chunks serve AVX-512 as well, which widens the largest only. */
#define CELL __m512i
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define ADD(a, b) _mm512_adds_epu16(a, b)
#define MIN(a, b) _mm512_min_epu16(a, b)
#define MAX(a, b) _mm512_max_epu16(a, b)
#define TARGET CN_TARGET_AVX512
#define NAME sweep_16_64_avx512
#include "codec/sweep_lanes.h"

#define CELL __m512i
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define ADD(a, b) _mm512_add_epi32(a, b)
#define MIN(a, b) _mm512_min_epu32(a, b)
#define MAX(a, b) _mm512_max_epu32(a, b)
#define TARGET CN_TARGET_AVX512
#define NAME sweep_32_64_avx512
#include "codec/sweep_lanes.h"

const cn_sweep_engine cn_sweep_avx2 = {{
    {sweep_16_16, sweep_16_32, sweep_16_64},
    {sweep_32_16, sweep_32_32, sweep_32_64},
}};
const cn_sweep_engine cn_sweep_avx512 = {{
    {sweep_16_16, sweep_16_32, sweep_16_64_avx512},
    {sweep_32_16, sweep_32_32, sweep_32_64_avx512},
}};

#else
typedef int codec_sweep_is_portable_here;
#endif
