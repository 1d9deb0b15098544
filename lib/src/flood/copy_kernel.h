/*
 * Copies costs out of tiles: a template of vector code (simd/template.h), included once for each
 * instruction set.
 */
#include "simd/template.h"

/* Rows of a live tile; costs above CAIRN_COST_MAX become CAIRN_UNREACHABLE. */
KERNEL static void NAME(copy_tile)(const cn_tile_copy *copy, const cairn_cost *from, cairn_cost *to)
{
    const VECTOR most = V(all)(CAIRN_COST_MAX);
    for (uint32_t row = 0; row < copy->row_count; row++, to += copy->stride) {
        for (uint32_t lane = 0; lane < copy->lanes; lane += LANES, from += LANES) {
            const VECTOR costs = V(load_any)(from);
            V(store_any)(to + lane, V(either)(costs, V(ones)(V(less)(most, costs))));
        }
    }
}

#include "simd/template_end.h"
