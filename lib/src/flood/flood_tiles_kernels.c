/* The kernels of floods by tiles, for each kind of vector and width of entries. */
#include "flood/flood_tiles.h"

#include <string.h>

#if CN_HAS_VECTORS
#  define TEMPLATE "flood/flood_tiles_kernel.h"
#  include "simd/instances.h"
#endif

const cn_tile_kernel cn_tile_kernels[CN_CPU_LEVELS][2] = {
#if CN_HAS_VECTORS
    [CN_CPU_PORTABLE] =
        {
            {3, start_v128_16, spread_v128_16, spread_uneven_v128_16, spread_rough_v128_16,
             exceeds_v128_16},
            {2, start_v128_32, spread_v128_32, spread_uneven_v128_32, spread_rough_v128_32,
             exceeds_v128_32},
        },
#else
    [CN_CPU_PORTABLE] = {{0}},
#endif
#if CN_CPU_X86
    [CN_CPU_AVX2] =
        {
            {4, start_v256_16, spread_v256_16, spread_uneven_v256_16, spread_rough_v256_16,
             exceeds_v256_16},
            {3, start_v256_32, spread_v256_32, spread_uneven_v256_32, spread_rough_v256_32,
             exceeds_v256_32},
        },
    [CN_CPU_AVX512] =
        {
            {5, start_v512_16, spread_v512_16, spread_uneven_v512_16, spread_rough_v512_16,
             exceeds_v512_16},
            {4, start_v512_32, spread_v512_32, spread_uneven_v512_32, spread_rough_v512_32,
             exceeds_v512_32},
        },
#endif
};
