#include "flood/flood_tiles.h"
#include "simd/vec128.h"

#if CN_HAS_VECTORS

#  include <string.h>

#  define VEC v128
#  define BITS 16
#  include "flood/flood_tiles_kernel.h"

#  define VEC v128
#  define BITS 32
#  include "flood/flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_portable[2] = {
    {3, start_v128_16, spread_v128_16, spread_uneven_v128_16, spread_rough_v128_16,
     exceeds_v128_16},
    {2, start_v128_32, spread_v128_32, spread_uneven_v128_32, spread_rough_v128_32,
     exceeds_v128_32},
};

#else

const cn_tile_kernel cn_tile_kernels_portable[2] = {{0}};

#endif
