#include "flood_tiles.h"

#if CN_CPU_X86

#include <immintrin.h>
#include <string.h>

#define KERNEL CN_TARGET_AVX2
#define VECTOR __m256i
#define FUNCTION static inline __attribute__((always_inline)) KERNEL

FUNCTION __m256i load(const void *from)
{
    return _mm256_load_si256(from);
}

FUNCTION void store(void *to, __m256i value)
{
    _mm256_store_si256(to, value);
}

#define load_16 load
#define load_32 load
#define store_16 store
#define store_32 store

/* The halves of 128 bits that the byte shifts below take their other bytes from. */
#define LOW_HALF_UP(a) _mm256_permute2x128_si256(a, a, 0x08)
#define HIGH_HALF_DOWN(a) _mm256_permute2x128_si256(a, a, 0x81)

FUNCTION __m256i ascend_bytes(__m256i a, unsigned bytes)
{
    switch (bytes) {
    case 2: return _mm256_alignr_epi8(a, LOW_HALF_UP(a), 14);
    case 4: return _mm256_alignr_epi8(a, LOW_HALF_UP(a), 12);
    case 8: return _mm256_alignr_epi8(a, LOW_HALF_UP(a), 8);
    default: return LOW_HALF_UP(a);
    }
}

FUNCTION __m256i descend_bytes(__m256i a, unsigned bytes)
{
    switch (bytes) {
    case 2: return _mm256_alignr_epi8(HIGH_HALF_DOWN(a), a, 2);
    case 4: return _mm256_alignr_epi8(HIGH_HALF_DOWN(a), a, 4);
    case 8: return _mm256_alignr_epi8(HIGH_HALF_DOWN(a), a, 8);
    default: return HIGH_HALF_DOWN(a);
    }
}

#define ascend_16(a, lanes) ascend_bytes(a, 2 * (lanes))
#define ascend_32(a, lanes) ascend_bytes(a, 4 * (lanes))
#define descend_16(a, lanes) descend_bytes(a, 2 * (lanes))
#define descend_32(a, lanes) descend_bytes(a, 4 * (lanes))

FUNCTION __m256i all_16(uint16_t value)
{
    return _mm256_set1_epi16((short)value);
}

FUNCTION __m256i add_16(__m256i a, __m256i b)
{
    return _mm256_adds_epu16(a, b);
}

FUNCTION __m256i min_16(__m256i a, __m256i b)
{
    return _mm256_min_epu16(a, b);
}

/* All ones in the lanes that a mask leaves out. */
FUNCTION __m256i lanes_outside_16(uint32_t lanes)
{
    const __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048,
                                           4096, 8192, 16384, (short)32768);
    __m256i chosen = _mm256_and_si256(_mm256_set1_epi16((short)lanes), bits);
    return _mm256_cmpeq_epi16(chosen, _mm256_setzero_si256());
}

FUNCTION __m256i min_where_16(__m256i a, uint32_t lanes, __m256i b)
{
    return _mm256_min_epu16(a, _mm256_or_si256(b, lanes_outside_16(lanes)));
}

FUNCTION uint32_t less_16(__m256i a, __m256i b)
{
    __m256i not_less = _mm256_cmpeq_epi16(_mm256_min_epu16(a, b), b);
    __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(not_less),
                                    _mm256_extracti128_si256(not_less, 1));
    return (uint32_t)_mm_movemask_epi8(bytes) ^ 0xffff;
}

FUNCTION __m256i all_32(uint32_t value)
{
    return _mm256_set1_epi32((int)value);
}

FUNCTION __m256i add_32(__m256i a, __m256i b)
{
    return _mm256_add_epi32(a, b);
}

FUNCTION __m256i min_32(__m256i a, __m256i b)
{
    return _mm256_min_epu32(a, b);
}

FUNCTION __m256i lanes_outside_32(uint32_t lanes)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i chosen = _mm256_and_si256(_mm256_set1_epi32((int)lanes), bits);
    return _mm256_cmpeq_epi32(chosen, _mm256_setzero_si256());
}

FUNCTION __m256i min_where_32(__m256i a, uint32_t lanes, __m256i b)
{
    return _mm256_min_epu32(a, _mm256_or_si256(b, lanes_outside_32(lanes)));
}

/* Entries of 32 bits stay below 2^31, so that the signed comparison will do. */
FUNCTION uint32_t less_32(__m256i a, __m256i b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)));
}

#define NAME(x) x##_16
#define CELL uint16_t
#define FAR UINT16_MAX
#define LANE_SHIFT 4
#include "flood_tiles_kernel.h"
#undef NAME
#undef CELL
#undef FAR
#undef LANE_SHIFT

#define NAME(x) x##_32
#define CELL uint32_t
#define FAR CN_PLANE_FAR
#define LANE_SHIFT 3
#include "flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_avx2[2] = {{4, start_16, spread_16, exceeds_16},
                                                {3, start_32, spread_32, exceeds_32}};

#else

const cn_tile_kernel cn_tile_kernels_avx2[2] = {{0}};

#endif
