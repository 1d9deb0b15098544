/*
 * Lowers entries to what those of other cells give at a cost: a template of vector code
 * (simd/template.h), included once for each instruction set and width of entries. Entries fill
 * whole vectors. The including file may define NARROWER, the kind of vector for fewer entries than
 * one of these holds.
 *
 * An unreachable entry lowers nothing. A sum that entries cannot hold, which only rows with entries
 * that are too low may have, counts as the largest cost: no reachable cell passes for unreachable.
 */
#include "simd/template.h"

#define UNREACHABLE (BITS == 16 ? UINT16_MAX : CAIRN_UNREACHABLE)
#define LARGEST (BITS == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX)

/* Sums of 16 bits saturate by themselves. */
INSIDE VECTOR NAME(sum)(VECTOR from, cairn_cost cost)
{
    if (BITS == 16)
        return V(add)(from, V(all)((ENTRY)(cost < UINT16_MAX ? cost : UINT16_MAX)));
    return V(add)(V(min)(from, V(all)((ENTRY)~cost)), V(all)((ENTRY)cost));
}

INSIDE void NAME(lower_lanes)(ENTRY *entries, const uint8_t *const *rows,
                              const cn_seen_corner *seen, size_t count, uint32_t lane)
{
    VECTOR sums = V(load_any)(entries + lane), least = sums;
    for (size_t i = 0; i < count; i++) {
        const VECTOR from = V(load_any)((const ENTRY *)rows[i] + lane);
        least = V(min)(least, from);
        sums = V(min)(sums, NAME(sum)(from, seen[i].cost));
    }
    const VECTOR unreached = V(ones)(V(equal)(least, V(all)(UNREACHABLE)));
    sums = V(min)(sums, V(either)(V(all)(LARGEST), unreached));
    V(store_any)(entries + lane, sums);
}

static KERNEL void NAME(lower)(void *entries, const uint8_t *const *rows,
                               const cn_seen_corner *seen, size_t count, uint32_t lane_count)
{
#ifdef NARROWER
    if (lane_count < LANES) {
        CN_JOINED(lower, NARROWER, BITS)(entries, rows, seen, count, lane_count);
        return;
    }
#endif
    for (uint32_t lane = 0; lane < lane_count; lane += LANES)
        NAME(lower_lanes)(entries, rows, seen, count, lane);
}

#undef UNREACHABLE
#undef LARGEST
#undef NARROWER
#include "simd/template_end.h"
