#include "grid/corner_view.h"

#include <string.h>

/* ---------------------------------------------------------------------------------- kernels -- */

#define TEMPLATE "grid/corner_view_kernel.h"
#include "simd/instances.h"

cn_corner_kernel cn_corner_kernel_for(uint32_t bits, cn_cpu cpu)
{
    static const cn_corner_kernel lower[CN_CPU_LEVELS][2] = CN_INSTANCES(lower);
    return lower[cpu][bits == 32];
}

cn_corner_giver cn_corner_giver_for(uint32_t bits, cn_cpu cpu)
{
    static const cn_corner_giver give[CN_CPU_LEVELS][2] = CN_INSTANCES(give);
    return give[cpu][bits == 32];
}

/* -------------------------------------------------------------------------------- gathering -- */

void cn_corner_gather(void *context, const cn_seen_corner *seen, size_t count)
{
    const cn_corner_gathering *self = context;
    const cn_corner_view *view = self->view;
    const uint8_t *rows[CN_SEEN_MOST];

    for (size_t i = 0; i < count; i++) {
        rows[i] = cn_corner_view_row(view, seen[i].corner);
        CN_PREFETCH(rows[i]);
    }
    view->kernel(self->entries, rows, seen, count, view->lane_count);
}

cn_corner_gathering cn_corner_gathering_of(const cn_corner_view *view, void *entries)
{
    memset(entries, 0xff, view->lane_count * (view->bits / 8));
    return (cn_corner_gathering){view, entries};
}

void cn_corner_gathering_end(cn_corner_gathering *gathering)
{
    const cn_corner_view *view = gathering->view;
    const size_t size = view->bits / 8;
    memset((uint8_t *)gathering->entries + view->row_count * size, 0,
           (view->lane_count - view->row_count) * size);
}

void cn_corner_view_at(const cn_corner_view *view, cairn_node node, void *entries)
{
    cn_corner_gathering gathering = cn_corner_gathering_of(view, entries);
    cn_corners_seeing(view->corners, view->grid, view->metric, node, cn_corner_gather, &gathering);
    cn_corner_gathering_end(&gathering);
}

/* Lowers the entries of a member by those of the members around it; true if any fell. */
static bool settle_member(const cn_corner_view *view, uint32_t corner)
{
    const size_t size = view->lane_count * (view->bits / 8);
    uint32_t before[CN_LANES_MAX];
    uint8_t *own = cn_corner_view_row(view, corner);
    cn_corner_gathering self = {view, own};

    memcpy(before, own, size);
    cn_corners_around(view->corners, view->grid, view->metric, view->corners->nodes[corner],
                      cn_corner_gather, &self);
    return memcmp(before, own, size) != 0;
}

/* Repeats this until no entry falls any more: shortest paths lead from member to member. */
bool cn_corner_view_settle(const cn_corner_view *view, const uint32_t *members, size_t count,
                           size_t most)
{
    bool changed = count > 0;

    for (size_t visits = 0; changed; visits += count) {
        if (visits + count > most)
            return false;
        changed = false;
        for (size_t i = 0; i < count; i++)
            changed |= settle_member(view, members[i]);
    }
    return true;
}

void cn_corner_view_clear(const cn_corner_view *view, uint32_t corner)
{
    memset(cn_corner_view_row(view, corner), 0xff, view->row_count * (view->bits / 8));
}
