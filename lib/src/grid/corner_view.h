/* Entries that only the members of a set of corners have, and those of other cells, which follow
 * from them (docs/ALGORITHMS.md). */
#ifndef CN_GRID_CORNER_VIEW_H
#define CN_GRID_CORNER_VIEW_H

#include "grid/corners.h"

/* Lowers the entries of a cell to what rows of entries give to it, each at its cost. */
typedef void (*cn_corner_kernel)(void *entries, const uint8_t *const *rows,
                                 const cn_seen_corner *seen, size_t count, uint32_t lane_count);

cn_corner_kernel cn_corner_kernel_for(uint32_t bits, cn_cpu cpu);

/* A place in memory for entries, and what they cost more there than at another one. */
typedef struct cn_link {
    uint32_t place;
    cairn_cost cost;
} cn_link;

/* Lowers the entries at the ends of links to what those at one place give; where any fall, the bit
 * of the place in `due` is set. */
typedef void (*cn_corner_giver)(void *entries, size_t place, const cn_link *links, size_t count,
                                uint32_t lane_count, uint64_t *due);

cn_corner_giver cn_corner_giver_for(uint32_t bits, cn_cpu cpu);

/* Entries of the members of a set, from which those of other cells follow. */
typedef struct cn_corner_view {
    const cn_corners *corners;
    const cn_grid *grid; /* where runs are followed */
    cairn_metric metric;
    uint8_t *entries; /* of the members that are not late, by number */
    uint8_t *late;    /* of the others; NULL: there are none */
    uint32_t row_count;
    uint32_t lane_count;
    uint32_t bits;
    cn_corner_kernel kernel;
} cn_corner_view;

/* Entries of a cell that are being put together from those of members. */
typedef struct cn_corner_gathering {
    const cn_corner_view *view;
    void *entries;
} cn_corner_gathering;

/* Begins, takes what some members give, which is a cn_corner_taker, and ends. */
cn_corner_gathering cn_corner_gathering_of(const cn_corner_view *view, void *entries);
void cn_corner_gather(void *gathering, const cn_seen_corner *seen, size_t count);
void cn_corner_gathering_end(cn_corner_gathering *gathering);

/* The entries of an open cell of its grid. */
void cn_corner_view_at(const cn_corner_view *view, cairn_node node, void *entries);

/* Lowers the entries of some members, unreachable at first, to what all others and they themselves
 * give to one another. False where more than so many computations would be necessary. */
bool cn_corner_view_settle(const cn_corner_view *view, const uint32_t *members, size_t count,
                           size_t most);

/* Makes the entries of a member unreachable. */
void cn_corner_view_clear(const cn_corner_view *view, uint32_t corner);

/* The entries of a member. */
CN_ALWAYS_INLINE uint8_t *cn_corner_view_row(const cn_corner_view *view, uint32_t corner)
{
    const size_t size = view->lane_count * (view->bits / 8);
    const uint32_t late_from = view->corners->late_from;
    return CN_LIKELY(corner < late_from) ? view->entries + corner * size
                                         : view->late + (corner - late_from) * size;
}

#endif
