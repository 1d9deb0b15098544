/* Candidates in sectors around the middle of each component: of the cells of a grid, or by the
 * coordinates of the nodes of a graph. */
#include <stdlib.h>

#include "flood/flood.h"
#include "place/place_candidates.h"

typedef struct spoke {
    int32_t x, y; /* relative to the middle */
    cairn_node node;
} spoke;

static int half_of(const spoke *d)
{
    return d->y < 0 || (d->y == 0 && d->x < 0);
}

/* Compares by the angle around the middle, in integers; the middle itself comes first. */
static int by_angle(const void *a_, const void *b_)
{
    const spoke *a = a_, *b = b_;
    int a_middle = a->x == 0 && a->y == 0, b_middle = b->x == 0 && b->y == 0;
    if (a_middle != b_middle)
        return b_middle - a_middle;
    if (half_of(a) != half_of(b))
        return half_of(a) - half_of(b);
    int64_t cross = (int64_t)a->x * b->y - (int64_t)a->y * b->x;
    if (cross != 0)
        return cross > 0 ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static void position_of(const cn_sites *sites, cairn_node node, uint32_t *x, uint32_t *y)
{
    if (!sites->coordinates) {
        cn_grid_xy(&sites->map->grid, node, x, y);
        return;
    }
    *x = sites->coordinates->plane_x[node];
    *y = sites->coordinates->plane_y[node];
}

/* The cell of a component nearest to the mean of all its cells. */
static cairn_node middle_of(const cn_sites *sites, uint32_t component)
{
    const cairn_node *cells = sites->cells + sites->first[component];
    uint32_t count = sites->component_size[component];
    uint64_t sum_x = 0, sum_y = 0, nearest = UINT64_MAX;
    cairn_node middle = cells[0];
    uint32_t x, y;

    for (uint32_t i = 0; i < count; i++) {
        position_of(sites, cells[i], &x, &y);
        sum_x += x;
        sum_y += y;
    }
    for (uint32_t i = 0; i < count; i++) {
        position_of(sites, cells[i], &x, &y);
        int64_t dx = (int64_t)x - (int64_t)(sum_x / count);
        int64_t dy = (int64_t)y - (int64_t)(sum_y / count);
        uint64_t distance = (uint64_t)(dx * dx + dy * dy);
        if (distance < nearest) {
            nearest = distance;
            middle = cells[i];
        }
    }
    return middle;
}

static void sort_around(const cn_sites *sites, uint32_t component, cairn_node middle, spoke *around)
{
    const cairn_node *cells = sites->cells + sites->first[component];
    uint32_t count = sites->component_size[component];
    uint32_t middle_x, middle_y, x, y;

    position_of(sites, middle, &middle_x, &middle_y);
    for (uint32_t i = 0; i < count; i++) {
        position_of(sites, cells[i], &x, &y);
        around[i] = (spoke){(int32_t)x - (int32_t)middle_x, (int32_t)y - (int32_t)middle_y,
                            cells[i]};
    }
    qsort(around, count, sizeof *around, by_angle);
}

/* The farthest of some cells. */
static cairn_node farthest_of(const cairn_map *map, const cn_plane *plane, const spoke *some,
                              const spoke *end)
{
    cairn_node best = some->node;
    for (; some < end; some++) {
        if (cn_plane_cost_of(plane, map, some->node) > cn_plane_cost_of(plane, map, best))
            best = some->node;
    }
    return best;
}

/* The farthest cell of each sector. The sectors have equal numbers of cells, but at least one; if
 * that makes them fewer than the candidates, they are taken again. */
static void take_sectors(cn_candidates *pool, size_t count, uint32_t part, const cn_plane *plane,
                         const spoke *around)
{
    const cn_sites *sites = pool->sample->sites;
    const uint64_t cell_count = sites->component_size[pool->sample->parts[part]];
    const uint64_t sector_count = count < cell_count ? count : cell_count;

    for (size_t i = 0; i < count; i++) {
        const uint64_t sector = i % sector_count;
        const uint64_t first = sector * cell_count / sector_count;
        const uint64_t end = (sector + 1) * cell_count / sector_count;
        cn_candidates_at(pool, pool->count + i)[part] = farthest_of(sites->map, plane,
                                                                    around + first, around + end);
    }
}

/* The "planar" selection of Goldberg and Harrelson, 2005: sectors around the middle with equal
 * numbers of cells, and in each the cell farthest from the middle. */
cairn_status cn_place_border(cn_candidates *pool, size_t count)
{
    const cn_sample *sample = pool->sample;
    const cn_sites *sites = sample->sites;
    const cn_mem *mem = &sites->map->mem;
    cairn_node *middles = cn_array(mem, sample->part_count, sizeof *middles);
    spoke *around = cn_array(mem, sites->map->grid.open_count, sizeof *around);
    cn_flooder *flooder = NULL;
    cn_plane plane;

    CN_ASSERT(pool->count + count <= pool->capacity);
    cairn_status status = middles && around ? CAIRN_OK : CAIRN_E_MEMORY;
    for (uint32_t part = 0; status == CAIRN_OK && part < sample->part_count; part++)
        middles[part] = middle_of(sites, sample->parts[part]);
    if (status == CAIRN_OK)
        status = cn_flooder_new(sites->map, 32, CN_FLOOD_ONE, &flooder);
    if (status == CAIRN_OK)
        status = cn_flooder_run(flooder, middles, sample->part_count, &plane);
    for (uint32_t part = 0; status == CAIRN_OK && part < sample->part_count; part++) {
        sort_around(sites, sample->parts[part], middles[part], around);
        take_sectors(pool, count, part, &plane, around);
    }
    if (status == CAIRN_OK)
        pool->count += count;
    cn_flooder_free(flooder);
    cn_release(mem, around);
    cn_release(mem, middles);
    return status;
}
