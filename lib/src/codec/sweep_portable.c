/* Sweeps by vectors of 128 bits, for every processor; the others must give the same results. */
#include "codec/step_costs.h"
#include "codec/sweep.h"
#include "simd/vec128.h"

#define VEC v128
#define BITS 16
#define CHUNK 16
#include "codec/sweep_kernel.h"

#define VEC v128
#define BITS 16
#define CHUNK 32
#include "codec/sweep_kernel.h"

#define VEC v128
#define BITS 16
#define CHUNK 64
#include "codec/sweep_kernel.h"

#define VEC v128
#define BITS 32
#define CHUNK 16
#include "codec/sweep_kernel.h"

#define VEC v128
#define BITS 32
#define CHUNK 32
#include "codec/sweep_kernel.h"

#define VEC v128
#define BITS 32
#define CHUNK 64
#include "codec/sweep_kernel.h"

const cn_sweep_engine cn_sweep_portable = {
    .even =
        {
            {sweep_v128_16_16, sweep_v128_16_32, sweep_v128_16_64},
            {sweep_v128_32_16, sweep_v128_32_32, sweep_v128_32_64},
        },
    .uneven =
        {
            {sweep_uneven_v128_16_16, sweep_uneven_v128_16_32, sweep_uneven_v128_16_64},
            {sweep_uneven_v128_32_16, sweep_uneven_v128_32_32, sweep_uneven_v128_32_64},
        },
};
