/* The kernels of repairs side by side, for each kind of vector and width of entries. */
#include "refresh/refresh_lanes.h"

#if CN_HAS_VECTORS
#  define TEMPLATE "refresh/refresh_lanes_kernel.h"
#  include "simd/instances.h"
#endif

const cn_lanes_kernel cn_lanes_kernels[CN_CPU_LEVELS][2] = {
#if CN_HAS_VECTORS
    [CN_CPU_PORTABLE] =
        {
            {v128_lanes_16, drop_v128_16, pull_v128_16, flood_v128_16, unreached_v128_16},
            {v128_lanes_32, drop_v128_32, pull_v128_32, flood_v128_32, unreached_v128_32},
        },
#else
    [CN_CPU_PORTABLE] = {{0}},
#endif
#if CN_CPU_X86
    [CN_CPU_AVX2] =
        {
            {v256_lanes_16, drop_v256_16, pull_v256_16, flood_v256_16, unreached_v256_16},
            {v256_lanes_32, drop_v256_32, pull_v256_32, flood_v256_32, unreached_v256_32},
        },
    [CN_CPU_AVX512] =
        {
            {v512_lanes_16, drop_v512_16, pull_v512_16, flood_v512_16, unreached_v512_16},
            {v512_lanes_32, drop_v512_32, pull_v512_32, flood_v512_32, unreached_v512_32},
        },
#endif
};
