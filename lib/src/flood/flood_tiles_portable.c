/* Vectors of 128 bits in the compilers' own notation: what every processor that has vectors at all
 * can do. */
#include "flood/flood_tiles.h"
#include "simd/vec128.h"

#if CN_SIMD_PORTABLE

#ifdef __clang__
#  define SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#  define SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif

FUNCTION vector_16 ascend_16(vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return SHUFFLE(vector_16, a, a, 0, 0, 1, 2, 3, 4, 5, 6);
    case 2: return SHUFFLE(vector_16, a, a, 0, 1, 0, 1, 2, 3, 4, 5);
    default: return SHUFFLE(vector_16, a, a, 0, 1, 2, 3, 0, 1, 2, 3);
    }
}

FUNCTION vector_16 descend_16(vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return SHUFFLE(vector_16, a, a, 1, 2, 3, 4, 5, 6, 7, 7);
    case 2: return SHUFFLE(vector_16, a, a, 2, 3, 4, 5, 6, 7, 6, 7);
    default: return SHUFFLE(vector_16, a, a, 4, 5, 6, 7, 4, 5, 6, 7);
    }
}

FUNCTION vector_32 ascend_32(vector_32 a, unsigned lanes)
{
    return lanes == 1 ? SHUFFLE(vector_32, a, a, 0, 0, 1, 2) : SHUFFLE(vector_32, a, a, 0, 1, 0, 1);
}

FUNCTION vector_32 descend_32(vector_32 a, unsigned lanes)
{
    return lanes == 1 ? SHUFFLE(vector_32, a, a, 1, 2, 3, 3) : SHUFFLE(vector_32, a, a, 2, 3, 2, 3);
}

#define NAME(x) x##_16
#define CELL uint16_t
#define INFINITE UINT16_MAX
#define LANE_SHIFT 3
#include "flood/flood_tiles_kernel.h"
#undef NAME
#undef CELL
#undef INFINITE
#undef LANE_SHIFT

#define NAME(x) x##_32
#define CELL uint32_t
#define INFINITE CN_PLANE_INFINITE
#define LANE_SHIFT 2
#include "flood/flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_portable[2] = {{3, start_16, spread_16, exceeds_16},
                                                 {2, start_32, spread_32, exceeds_32}};

#else

const cn_tile_kernel cn_tile_kernels_portable[2] = {{0}};

#endif
