/*
 * Lowers entries to what those of other cells give at a cost: a template of vector code
 * (simd/template.h), included once for each instruction set and width of entries. `lower` takes
 * what many cells give to one, `give` passes on what one gives to many. The including file may
 * define NARROWER, the kind of vector for entries that do not fill whole ones of these; without it
 * they always do.
 *
 * An unreachable entry lowers nothing. A sum that entries cannot hold, which only rows with entries
 * that are too low may have, counts as the largest cost: no reachable cell passes for unreachable.
 */
#include "simd/template.h"

#define UNREACHABLE (BITS == 16 ? UINT16_MAX : CAIRN_UNREACHABLE)
#define LARGEST (BITS == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX)
#define USUAL_LANES 16

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
    if (lane_count % LANES) {
        CN_JOINED(lower, NARROWER, BITS)(entries, rows, seen, count, lane_count);
        return;
    }
#endif
    for (uint32_t lane = 0; lane < lane_count; lane += LANES)
        NAME(lower_lanes)(entries, rows, seen, count, lane);
}

/* Whether any entry fell. */
INSIDE bool NAME(give_one)(const ENTRY *from, ENTRY *to, cairn_cost cost, uint32_t lane_count)
{
    const uint32_t all = UINT32_MAX >> (32 - LANES);
    uint32_t same = all;

    for (uint32_t lane = 0; lane < lane_count; lane += LANES) {
        const VECTOR before = V(load_any)(to + lane);
        const VECTOR least = V(min)(before, NAME(sum)(V(load_any)(from + lane), cost));
        same &= V(equal)(before, least);
        V(store_any)(to + lane, least);
    }
    return same != all;
}

/* No branch depends on whether entries fell, which a processor could not predict. No link leads to
 * the giving cell. */
INSIDE void NAME(give_all)(ENTRY *first, const ENTRY *restrict from, const cn_link *links,
                           size_t count, uint32_t lane_count, uint64_t *due)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t to = links[i].place;
        const uint64_t fell = NAME(give_one)(from, first + (size_t)to * lane_count, links[i].cost,
                                             lane_count);
        due[to / 64] |= fell << to % 64;
    }
}

/* The usual number of entries is a constant, so that those of the giving cell stay in registers. */
static KERNEL void NAME(give)(void *entries, size_t place, const cn_link *links, size_t count,
                              uint32_t lane_count, uint64_t *due)
{
#ifdef NARROWER
    if (lane_count % LANES) {
        CN_JOINED(give, NARROWER, BITS)(entries, place, links, count, lane_count, due);
        return;
    }
#endif
    ENTRY *first = entries;
    const ENTRY *from = first + place * lane_count;
    if (lane_count == USUAL_LANES)
        NAME(give_all)(first, from, links, count, USUAL_LANES, due);
    else
        NAME(give_all)(first, from, links, count, lane_count, due);
}

#undef UNREACHABLE
#undef LARGEST
#undef USUAL_LANES
#include "simd/template_end.h"
