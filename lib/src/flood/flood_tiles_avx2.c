#include "flood/flood_tiles.h"

#if CN_CPU_X86

#  include <string.h>

#  include "simd/vec256.h"

#  define VEC v256
#  define BITS 16
#  include "flood/flood_tiles_kernel.h"

#  define VEC v256
#  define BITS 32
#  include "flood/flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_avx2[2] = {
    {4, start_v256_16, spread_v256_16, spread_uneven_v256_16, spread_rough_v256_16,
     exceeds_v256_16},
    {3, start_v256_32, spread_v256_32, spread_uneven_v256_32, spread_rough_v256_32,
     exceeds_v256_32},
};

#else

const cn_tile_kernel cn_tile_kernels_avx2[2] = {{0}};

#endif
