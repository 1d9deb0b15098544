#include "refresh/refresh_lanes.h"
#include "simd/vec128.h"

#if CN_HAS_VECTORS

#  define VEC v128
#  define BITS 16
#  include "refresh/refresh_lanes_kernel.h"

#  define VEC v128
#  define BITS 32
#  include "refresh/refresh_lanes_kernel.h"

const cn_lanes_kernel cn_lanes_kernels_portable[2] = {
    {v128_lanes_16, drop_v128_16, pull_v128_16, flood_v128_16, unreached_v128_16},
    {v128_lanes_32, drop_v128_32, pull_v128_32, flood_v128_32, unreached_v128_32},
};

#else

const cn_lanes_kernel cn_lanes_kernels_portable[2] = {{0}};

#endif
