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

/* The difference of entry and goal, by lane. */
INSIDE VECTOR NAME(cn_distances)(const ENTRY *entries, const ENTRY *goal)
{
    const VECTOR a = V(load_any)(entries), b = V(load_any)(goal);
    if (BITS == 16)
        return V(either)(V(above)(a, b), V(above)(b, a));
    return V(minus)(V(max)(a, b), V(min)(a, b));
}

INSIDE VECTOR NAME(cn_apart)(const ENTRY *entries, const ENTRY *above, const ENTRY *below,
                             bool is_one)
{
    return is_one ? NAME(cn_distances)(entries, above)
                  : NAME(cn_differences)(entries, above, below);
}

/* Only where a vector has more than 32 bytes, there may be no whole number of them: then the last
 * one overlaps the one before it. */
INSIDE cairn_cost NAME(cn_largest)(const ENTRY *node, const ENTRY *above, const ENTRY *below,
                                   uint32_t lane_count, bool is_one)
{
    VECTOR most = NAME(cn_apart)(node, above, below, is_one);

    for (uint32_t lane = LANES; lane < lane_count; lane += LANES) {
        const bool fits = LANES * BITS <= 256 || lane + LANES <= lane_count;
        const uint32_t at = fits ? lane : lane_count - LANES;
        most = V(max)(most, NAME(cn_apart)(node + at, above + at, below + at, is_one));
    }
    return V(greatest)(most);
}

INSIDE cairn_cost NAME(cn_rows)(const void *entries, const void *above, const void *below,
                                uint32_t lane_count)
{
#ifdef NARROWER
    if (lane_count < LANES)
        return CN_JOINED(cn_rows, NARROWER, BITS)(entries, above, below, lane_count);
#endif
    if (CN_LIKELY(above == below))
        return NAME(cn_largest)(entries, above, above, lane_count, true);
    return NAME(cn_largest)(entries, above, below, lane_count, false);
}

#include "simd/template_end.h"
