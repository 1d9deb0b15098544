#include "grid/corner_view.h"

#include <string.h>

/* Puts the entries of a cell together from those of members that see it. */
typedef struct gathering {
    const cn_corner_view *view;
    void *entries;
} gathering;

/* An unreachable entry stays so, and no other one becomes so: of rows that are too low, sums may
 * exceed what entries hold, and less says no more than they do. */
static void gather_16(const uint16_t *from, cairn_cost cost, uint16_t *entries, uint32_t lane_count)
{
    const uint32_t most = cost < UINT16_MAX ? cost : UINT16_MAX;
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint32_t sum = from[lane] + most;
        sum = sum < UINT16_MAX - 1 ? sum : UINT16_MAX - 1;
        sum = from[lane] == UINT16_MAX ? UINT16_MAX : sum;
        entries[lane] = (uint16_t)(sum < entries[lane] ? sum : entries[lane]);
    }
}

static void gather_32(const uint32_t *from, cairn_cost cost, uint32_t *entries, uint32_t lane_count)
{
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint32_t sum = from[lane] + cost;
        sum = sum < CAIRN_COST_MAX ? sum : CAIRN_COST_MAX;
        sum = from[lane] == CAIRN_UNREACHABLE ? CAIRN_UNREACHABLE : sum;
        entries[lane] = sum < entries[lane] ? sum : entries[lane];
    }
}

static void gather(void *context, const cn_seen_corner *seen, size_t count)
{
    const gathering *self = context;
    const cn_corner_view *view = self->view;

    for (size_t i = 0; i < count; i++)
        CN_PREFETCH(cn_corner_view_row(view, seen[i].corner));
    for (size_t i = 0; i < count; i++) {
        const void *from = cn_corner_view_row(view, seen[i].corner);
        if (view->bits == 16)
            gather_16(from, seen[i].cost, self->entries, view->lane_count);
        else
            gather_32(from, seen[i].cost, self->entries, view->lane_count);
    }
}

void cn_corner_view_at(const cn_corner_view *view, cairn_node node, void *entries)
{
    const size_t size = view->bits / 8;
    gathering self = {view, entries};

    memset(entries, 0xff, view->lane_count * size);
    cn_corners_seeing(view->corners, view->grid, view->metric, node, gather, &self);
    memset((uint8_t *)entries + view->row_count * size, 0,
           (view->lane_count - view->row_count) * size);
}

/* Whether the entries of a member fell. */
static bool settle_member(const cn_corner_view *view, uint32_t corner)
{
    const size_t size = view->lane_count * (view->bits / 8);
    uint32_t before[CAIRN_ROWS_MAX + 16];
    uint8_t *own = cn_corner_view_row(view, corner);
    gathering self = {view, own};

    memcpy(before, own, size);
    cn_corners_around(view->corners, view->grid, view->metric, view->corners->nodes[corner], gather,
                      &self);
    return memcmp(before, own, size) != 0;
}

/* Until nothing falls any more: shortest paths lead from member to member. */
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
