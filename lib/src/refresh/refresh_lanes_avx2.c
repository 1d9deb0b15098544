#include "refresh/refresh_lanes.h"

#if CN_CPU_X86

#  include "simd/vec256.h"

#  define VEC v256
#  define BITS 16
#  include "refresh/refresh_lanes_kernel.h"

#  define VEC v256
#  define BITS 32
#  include "refresh/refresh_lanes_kernel.h"

const cn_lanes_kernel cn_lanes_kernels_avx2[2] = {
    {v256_lanes_16, drop_v256_16, pull_v256_16, flood_v256_16, unreached_v256_16},
    {v256_lanes_32, drop_v256_32, pull_v256_32, flood_v256_32, unreached_v256_32},
};

#else

const cn_lanes_kernel cn_lanes_kernels_avx2[2] = {{0}};

#endif
