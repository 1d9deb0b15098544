#include "flood/flood_tiles.h"

#if CN_CPU_X86

#include <string.h>

#include "simd/vec512.h"

static const uint16_t ASCEND_16[32] __attribute__((aligned(64))) = {
    0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30};
static const uint16_t DESCEND_16[32] __attribute__((aligned(64))) = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 31};

#define ASCEND_32(a, lanes) _mm512_alignr_epi32(a, a, 16 - (lanes))
#define DESCEND_32(a, lanes) _mm512_alignr_epi32(a, a, lanes)

/* `lanes` is a constant where these are inlined. */
FUNCTION __m512i ascend_16(__m512i a, unsigned lanes)
{
    switch (lanes) {
    case 1: return _mm512_permutexvar_epi16(_mm512_load_si512(ASCEND_16), a);
    case 2: return ASCEND_32(a, 1);
    case 4: return ASCEND_32(a, 2);
    case 8: return ASCEND_32(a, 4);
    default: return ASCEND_32(a, 8);
    }
}

FUNCTION __m512i descend_16(__m512i a, unsigned lanes)
{
    switch (lanes) {
    case 1: return _mm512_permutexvar_epi16(_mm512_load_si512(DESCEND_16), a);
    case 2: return DESCEND_32(a, 1);
    case 4: return DESCEND_32(a, 2);
    case 8: return DESCEND_32(a, 4);
    default: return DESCEND_32(a, 8);
    }
}

FUNCTION __m512i ascend_32(__m512i a, unsigned lanes)
{
    switch (lanes) {
    case 1: return ASCEND_32(a, 1);
    case 2: return ASCEND_32(a, 2);
    case 4: return ASCEND_32(a, 4);
    default: return ASCEND_32(a, 8);
    }
}

FUNCTION __m512i descend_32(__m512i a, unsigned lanes)
{
    switch (lanes) {
    case 1: return DESCEND_32(a, 1);
    case 2: return DESCEND_32(a, 2);
    case 4: return DESCEND_32(a, 4);
    default: return DESCEND_32(a, 8);
    }
}

#define NAME(x) x##_16
#define CELL uint16_t
#define INFINITE UINT16_MAX
#define LANE_SHIFT 5
#include "flood/flood_tiles_kernel.h"
#undef NAME
#undef CELL
#undef INFINITE
#undef LANE_SHIFT

#define NAME(x) x##_32
#define CELL uint32_t
#define INFINITE CN_PLANE_INFINITE
#define LANE_SHIFT 4
#include "flood/flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_avx512[2] = {{5, start_16, spread_16, exceeds_16},
                                                  {4, start_32, spread_32, exceeds_32}};

#else

const cn_tile_kernel cn_tile_kernels_avx512[2] = {{0}};

#endif
