#include "flood/flood_tiles.h"

#if CN_CPU_X86

#  include <string.h>

#  include "simd/vec512.h"

#  define VEC v512
#  define BITS 16
#  include "flood/flood_tiles_kernel.h"

#  define VEC v512
#  define BITS 32
#  include "flood/flood_tiles_kernel.h"

const cn_tile_kernel cn_tile_kernels_avx512[2] = {
    {5, start_v512_16, spread_v512_16, spread_uneven_v512_16, spread_rough_v512_16,
     exceeds_v512_16},
    {4, start_v512_32, spread_v512_32, spread_uneven_v512_32, spread_rough_v512_32,
     exceeds_v512_32},
};

#else

const cn_tile_kernel cn_tile_kernels_avx512[2] = {{0}};

#endif
