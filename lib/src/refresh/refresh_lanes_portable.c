#include "refresh/refresh_lanes.h"

#include "simd/vec128.h"

#if CN_SIMD_PORTABLE

#define NAME(x) x##_16
#define CELL uint16_t
#include "refresh/refresh_lanes_kernel.h"
#undef NAME
#undef CELL

#define NAME(x) x##_32
#define CELL uint32_t
#include "refresh/refresh_lanes_kernel.h"

const cn_lanes_kernel cn_lanes_kernels_portable[2] = {{8, drop_16, pull_16, flood_16, unreached_16},
                                                {4, drop_32, pull_32, flood_32, unreached_32}};

#else

const cn_lanes_kernel cn_lanes_kernels_portable[2] = {{0}};

#endif
