/*
 * Copies costs out of planes: a template of vector code (simd/template.h), included once for each
 * instruction set and width of entries.
 */
#include "simd/template.h"

/* Copies rows of a live tile; costs above copy->most become CAIRN_UNREACHABLE. `held` has a bit for
 * each row of the array that may hold costs: a row that has none before and after is not written.
 * Returns these bits as they are afterwards. */
KERNEL static uint32_t NAME(copy_tile)(const cn_tile_copy *copy, const void *from_, void *to_,
                                       uint32_t held)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << LANES) - 1);
    uint32_t holds = 0;
    const VECTOR most = V(all)((ENTRY)copy->most);
    const ENTRY *from = from_;
    ENTRY *to = to_;
    for (uint32_t row = 0; row < copy->row_count; row++, to += copy->stride, from += LANES) {
        const VECTOR costs = V(load)(from);
        const uint32_t beyond = V(less)(most, costs);
        if (beyond == all && !(held >> row & 1))
            continue;
        holds |= (uint32_t)(beyond != all) << row;
        V(store_any)(to, V(either)(costs, V(ones)(beyond)));
    }
    return holds;
}

#if BITS == 32
/* The same into an array of 16 bits, which takes the lower half of each cost. Writes all rows. */
KERNEL static uint32_t NAME(copy_low)(const cn_tile_copy *copy, const void *from_, void *to_,
                                      uint32_t held)
{
    const VECTOR most = V(all)(copy->most);
    const ENTRY *from = from_;
    uint16_t *to = to_;
    for (uint32_t row = 0; row < copy->row_count; row++, to += copy->stride, from += LANES) {
        const VECTOR costs = V(load)(from);
        V(store_low)(to, V(either)(costs, V(ones)(V(less)(most, costs))));
    }
    return held;
}
#endif

/* See cover_function. */
KERNEL static void NAME(cover_chunk)(void *costs_, uint64_t blocked, uint32_t most)
{
    const uint64_t lanes = (UINT64_C(1) << LANES) - 1;
    ENTRY *costs = costs_;
    for (unsigned i = 0; i < CN_FLOOD_CHUNK; i += LANES) {
        const VECTOR before = V(load_any)(costs + i);
        const uint32_t covered = V(less)(V(all)((ENTRY)most), before) |
                                 (uint32_t)(blocked >> i & lanes);
        V(store_any)(costs + i, V(either)(before, V(ones)(covered)));
    }
}

#include "simd/template_end.h"
