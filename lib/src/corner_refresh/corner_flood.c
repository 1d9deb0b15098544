#include "corner_refresh/corner_flood.h"

#include <string.h>

#include "base/heap.h"

#define NUMBER_BITS 32

/* Cells that a repair visits in the time that a member takes. */
enum { CELLS_PER_CORNER = 32 };

static void push(cn_corner_flood *flood, const cn_mem *mem, uint32_t corner, cairn_cost cost)
{
    uint64_t *heap = cn_grown(mem, flood->heap, &flood->heap_capacity, flood->heap_count,
                              flood->heap_count + 1, sizeof *heap);
    if (!heap) {
        flood->is_short = true;
        return;
    }
    flood->heap = heap;
    cn_heap_push(heap, &flood->heap_count, (uint64_t)cost << NUMBER_BITS | corner);
}

typedef struct leaving {
    cn_corner_flood *flood;
    const cn_mem *mem;
    cairn_cost cost;
} leaving;

static void reach(cn_corner_flood *flood, const cn_mem *mem, uint32_t corner, uint64_t cost)
{
    if (cost >= flood->costs[corner] || cost > CAIRN_COST_MAX)
        return;
    flood->costs[corner] = (cairn_cost)cost;
    push(flood, mem, corner, (cairn_cost)cost);
}

static void reach_all(void *context, const cn_seen_corner *seen, size_t count)
{
    const leaving *self = context;
    for (size_t i = 0; i < count; i++)
        reach(self->flood, self->mem, seen[i].corner, (uint64_t)self->cost + seen[i].cost);
}

cairn_status cn_corner_flood_begin(cn_corner_flood *flood, const cairn_table *table, uint32_t row)
{
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(table, row, &landmarks);

    cn_corner_flood_end(flood, &table->mem);
    flood->count = table->corners->count;
    flood->costs = cn_array(&table->mem, flood->count, sizeof *flood->costs);
    if (!flood->costs)
        return CAIRN_E_MEMORY;
    memset(flood->costs, 0xff, flood->count * sizeof *flood->costs);
    for (size_t i = 0; i < count; i++)
        reach(flood, &table->mem, cn_corners_find_node(table->corners, landmarks[i]), 0);
    if (!flood->is_short)
        return CAIRN_OK;
    cn_corner_flood_end(flood, &table->mem);
    return CAIRN_E_MEMORY;
}

/* One member; false where its costs were found to be less before. */
static bool leave(cn_corner_flood *flood, const cairn_table *table, const cairn_map *map)
{
    const uint64_t item = cn_heap_pop(flood->heap, &flood->heap_count);
    const uint32_t corner = (uint32_t)item;
    leaving self = {flood, &table->mem, (cairn_cost)(item >> NUMBER_BITS)};

    if (self.cost > flood->costs[corner])
        return false;
    flood->farthest = self.cost;
    cn_corners_around(table->corners, &map->grid, map->metric, table->corners->nodes[corner],
                      reach_all, &self);
    return true;
}

cairn_status cn_corner_flood_run(cn_corner_flood *flood, const cairn_table *table,
                                 const cairn_map *map, uint64_t *cells)
{
    while (flood->heap_count) {
        if (*cells == 0)
            return CAIRN_MORE;
        const uint64_t cost = leave(flood, table, map) ? CELLS_PER_CORNER : 1;
        *cells -= cost < *cells ? cost : *cells;
        if (flood->is_short) {
            cn_corner_flood_end(flood, &table->mem);
            return CAIRN_E_MEMORY;
        }
    }
    return CAIRN_OK;
}

void cn_corner_flood_end(cn_corner_flood *flood, const cn_mem *mem)
{
    cn_release(mem, flood->costs);
    cn_release(mem, flood->heap);
    *flood = (cn_corner_flood){0};
}
