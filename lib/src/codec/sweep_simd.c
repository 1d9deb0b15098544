/* Sweeps by vectors of x86, for each width of entries and size of a chunk. */
#include "codec/step_costs.h"
#include "codec/sweep.h"

#if CN_CPU_X86

#  include "simd/vec512.h"

#  define VEC x128
#  define BITS 16
#  define CHUNK 16
#  include "codec/sweep_kernel.h"

#  define VEC v256
#  define BITS 16
#  define CHUNK 32
#  include "codec/sweep_kernel.h"

#  define VEC v256
#  define BITS 16
#  define CHUNK 64
#  include "codec/sweep_kernel.h"

#  define VEC v512
#  define BITS 16
#  define CHUNK 64
#  include "codec/sweep_kernel.h"

#  define VEC x128
#  define BITS 32
#  define CHUNK 16
#  include "codec/sweep_kernel.h"

#  define VEC v256
#  define BITS 32
#  define CHUNK 32
#  include "codec/sweep_kernel.h"

#  define VEC v256
#  define BITS 32
#  define CHUNK 64
#  include "codec/sweep_kernel.h"

#  define VEC v512
#  define BITS 32
#  define CHUNK 64
#  include "codec/sweep_kernel.h"

const cn_sweep_engine cn_sweep_avx2 = {
    .even =
        {
            {sweep_x128_16_16, sweep_v256_16_32, sweep_v256_16_64},
            {sweep_x128_32_16, sweep_v256_32_32, sweep_v256_32_64},
        },
    .uneven =
        {
            {sweep_uneven_x128_16_16, sweep_uneven_v256_16_32, sweep_uneven_v256_16_64},
            {sweep_uneven_x128_32_16, sweep_uneven_v256_32_32, sweep_uneven_v256_32_64},
        },
};

/* Smaller chunks than 64 bytes do not fill a vector of AVX-512. */
const cn_sweep_engine cn_sweep_avx512 = {
    .even =
        {
            {sweep_x128_16_16, sweep_v256_16_32, sweep_v512_16_64},
            {sweep_x128_32_16, sweep_v256_32_32, sweep_v512_32_64},
        },
    .uneven =
        {
            {sweep_uneven_x128_16_16, sweep_uneven_v256_16_32, sweep_uneven_v512_16_64},
            {sweep_uneven_x128_32_16, sweep_uneven_v256_32_32, sweep_uneven_v512_32_64},
        },
};

#endif
