#include "flood/flood_tiles.h"

#if CN_CPU_X86

#include <string.h>

#include "simd/vec256.h"

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

#define NAME(x) x##_16
#define CELL uint16_t
#define INFINITE UINT16_MAX
#define LANE_SHIFT 4
#include "flood/flood_tiles_kernel.h"
#undef NAME
#undef CELL
#undef INFINITE
#undef LANE_SHIFT

#define NAME(x) x##_32
#define CELL uint32_t
#define INFINITE CN_PLANE_INFINITE
#define LANE_SHIFT 3
#include "flood/flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_avx2[2] = {{4, start_16, spread_16, exceeds_16},
                                                {3, start_32, spread_32, exceeds_32}};

#else

const cn_tile_kernel cn_tile_kernels_avx2[2] = {{0}};

#endif
