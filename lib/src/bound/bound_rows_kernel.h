/*
 * The kernel of bound_rows.h: a template of vector code (simd/template.h), included once for each
 * instruction set and width of entries. The including file may define NARROWER, the kind of vector
 * for nodes whose entries do not fill one of these.
 */
#include "simd/template.h"

/* The greater of entry - above and below - entry, by lane: at most one of them is positive. */
INSIDE VECTOR NAME(cn_differences)(const ENTRY *entries, const ENTRY *above, const ENTRY *below)
{
    const VECTOR a = V(load_any)(entries);
    return V(either)(V(above)(a, V(load_any)(above)), V(above)(V(load_any)(below), a));
}

/* Entries that are no multiple of a vector end with one that overlaps the one before it. */
INSIDE cairn_cost NAME(cn_rows)(const void *entries, const void *above, const void *below,
                                uint32_t lane_count)
{
    const ENTRY *node = entries, *high = above, *low = below;
#ifdef NARROWER
    if (lane_count < LANES)
        return CN_JOINED(cn_rows, NARROWER, BITS)(entries, above, below, lane_count);
#endif
    VECTOR most = NAME(cn_differences)(node, high, low);

    for (uint32_t lane = LANES; lane < lane_count; lane += LANES) {
        const uint32_t at = lane + LANES <= lane_count ? lane : lane_count - LANES;
        most = V(max)(most, NAME(cn_differences)(node + at, high + at, low + at));
    }
    return V(greatest)(most);
}

#undef NARROWER
#include "simd/template_end.h"
