/* The floods of the public interface: costs in an array, by node. */
#include <string.h>

#include "flood/costs.h"

cairn_status cairn_flood_new(const cairn_map *map, cairn_flood **flood)
{
    if (!flood)
        return CAIRN_E_ARGUMENT;
    *flood = NULL;
    if (!map)
        return CAIRN_E_ARGUMENT;
    cairn_flood *made = cn_zeroed(&map->mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->mem = map->mem;
    made->map = map;
    *flood = made;
    return CAIRN_OK;
}

void cairn_flood_free(cairn_flood *flood)
{
    if (!flood)
        return;
    cn_mem mem = flood->mem;
    cn_flooder_free(flood->flooder);
    cn_release(&mem, flood->costs);
    cn_release(&mem, flood);
}

/* Makes a flooder for the map as it is now. */
static cairn_status prepare(cairn_flood *flood)
{
    const uint64_t version = cairn_map_version(flood->map);
    if (flood->flooder && flood->version == version)
        return CAIRN_OK;
    cn_flooder_free(flood->flooder);
    flood->flooder = NULL;
    flood->version = version;
    return cn_flooder_new(flood->map, 32, &flood->flooder);
}

/* Copies up to 64 neighbouring cells, of which `open` has a bit for each open one: the entries of
 * the others in the plane are undefined. */
static void copy_chunk(const cn_plane *plane, const cn_plane_run *run, uint64_t open)
{
    cairn_cost *costs = run->entries;
    uint64_t blocked = ~open & (run->count < 64 ? (UINT64_C(1) << run->count) - 1 : UINT64_MAX);
    if (!open) {
        memset(costs, 0xff, run->count * sizeof *costs);
        return;
    }
    cn_plane_get(plane, run);
    for (; blocked; blocked &= blocked - 1)
        costs[cn_lowest_bit(blocked)] = CAIRN_UNREACHABLE;
}

/* Copies the cells of the plane, row after row, into an array without gaps. */
static void copy_out(const cn_grid *grid, const cn_plane *plane, cairn_cost *costs)
{
    cn_plane_run run = {.never = CAIRN_UNREACHABLE};
    for (; run.y < grid->height; run.y++) {
        const uint64_t *open = cn_grid_open_row(grid, run.y);
        for (run.x = 0; run.x < grid->width; run.x += 64, costs += run.count) {
            run.count = grid->width - run.x < 64 ? grid->width - run.x : 64;
            run.entries = costs;
            copy_chunk(plane, &run, open[run.x / 64]);
        }
    }
}

static bool are_open(const cairn_map *map, const cairn_node *nodes, size_t node_count)
{
    for (size_t i = 0; i < node_count; i++) {
        if (!cairn_map_is_open(map, nodes[i]))
            return false;
    }
    return true;
}

cairn_status cn_flood_run(cairn_flood *flood, cn_way way, const cairn_node *nodes,
                          size_t node_count, cairn_cost *costs)
{
    cn_plane plane;
    if (!flood || !costs || (!nodes && node_count) || !are_open(flood->map, nodes, node_count))
        return CAIRN_E_ARGUMENT;
    cairn_status status = prepare(flood);
    if (status == CAIRN_OK)
        status = way == CN_FORWARD ? cn_flooder_run(flood->flooder, nodes, node_count, &plane)
                                   : cn_flooder_run_back(flood->flooder, nodes, node_count, &plane);
    if (status == CAIRN_OK)
        copy_out(&flood->map->grid, &plane, costs);
    return status;
}

cairn_status cairn_flood_from(cairn_flood *flood, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return cn_flood_run(flood, CN_FORWARD, sources, source_count, costs);
}

cairn_status cairn_flood_to(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return cn_flood_run(flood, CN_REVERSE, targets, target_count, costs);
}

static cairn_status run_once(const cairn_map *map, cn_way way, const cairn_node *nodes,
                             size_t node_count, cairn_cost *costs)
{
    cairn_flood *flood;
    cairn_status status = cairn_flood_new(map, &flood);
    if (status == CAIRN_OK)
        status = cn_flood_run(flood, way, nodes, node_count, costs);
    cairn_flood_free(flood);
    return status;
}

cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return run_once(map, CN_FORWARD, sources, source_count, costs);
}

cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return run_once(map, CN_REVERSE, targets, target_count, costs);
}
