#include "refresh/refresh_lanes.h"

#if CN_CPU_X86

#include "simd/vec256.h"

#define NAME(x) x##_16
#define CELL uint16_t
#include "refresh/refresh_lanes_kernel.h"
#undef NAME
#undef CELL

#define NAME(x) x##_32
#define CELL uint32_t
#include "refresh/refresh_lanes_kernel.h"

const cn_lanes_kernel cn_lanes_kernels_avx2[2] = {{16, drop_16, pull_16, flood_16, unreached_16},
                                                {8, drop_32, pull_32, flood_32, unreached_32}};

#else

const cn_lanes_kernel cn_lanes_kernels_avx2[2] = {{0}};

#endif
