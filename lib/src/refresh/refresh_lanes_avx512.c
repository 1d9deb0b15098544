#include "refresh/refresh_lanes.h"

#if CN_CPU_X86

#  include "simd/vec512.h"

#  define VEC v512
#  define BITS 16
#  include "refresh/refresh_lanes_kernel.h"

#  define VEC v512
#  define BITS 32
#  include "refresh/refresh_lanes_kernel.h"

const cn_lanes_kernel cn_lanes_kernels_avx512[2] = {
    {v512_lanes_16, drop_v512_16, pull_v512_16, flood_v512_16, unreached_v512_16},
    {v512_lanes_32, drop_v512_32, pull_v512_32, flood_v512_32, unreached_v512_32},
};

#else

const cn_lanes_kernel cn_lanes_kernels_avx512[2] = {{0}};

#endif
