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
    made->most = CAIRN_UNREACHABLE;
    *flood = made;
    return CAIRN_OK;
}

cairn_status cairn_flood_use(cairn_flood *flood, const cairn_map *map)
{
    if (!flood || !map)
        return CAIRN_E_ARGUMENT;
    if (flood->map != map && !cn_map_is_alike(flood->map, map))
        return CAIRN_E_MISMATCH;
    flood->map = map;
    return CAIRN_OK;
}

void cairn_flood_free(cairn_flood *flood)
{
    if (!flood)
        return;
    cn_mem mem = flood->mem;
    for (unsigned i = 0; i < CN_FLOOD_WIDTHS; i++)
        cn_kept_flooder_free(&flood->flooder[i]);
    cn_release(&mem, flood->until);
    cn_release(&mem, flood->ends.items);
    cn_release(&mem, flood->written);
    cn_release(&mem, flood->held);
    cn_release(&mem, flood->costs);
    cn_release(&mem, flood->band);
    cn_release(&mem, flood);
}

cairn_status cairn_flood_limit(cairn_flood *flood, cairn_cost most, const cairn_node *nodes,
                               size_t node_count)
{
    if (!flood || (!nodes && node_count))
        return CAIRN_E_ARGUMENT;
    cairn_node *until = node_count ? cn_array(&flood->mem, node_count, sizeof *until) : NULL;
    if (node_count && !until)
        return CAIRN_E_MEMORY;
    if (!cn_map_copy_nodes(flood->map, nodes, node_count, until)) {
        cn_release(&flood->mem, until);
        return CAIRN_E_ARGUMENT;
    }
    cn_release(&flood->mem, flood->until);
    flood->until = until;
    flood->until_count = node_count;
    flood->most = most;
    return CAIRN_OK;
}

/* Makes a flooder for the map as it is now, or lets the one that there is follow the edits. */
static cairn_status prepare(cairn_flood *flood, unsigned bits, cn_flooder **flooder)
{
    cn_kept_flooder *own = &flood->flooder[bits == 32];
    const cairn_status status = cn_kept_flooder_ready(own, flood->map, bits, flood->use);
    *flooder = own->flooder;
    return status;
}

/* ------------------------------------------------------------------------------------ lists -- */

/* Copies the parts that the flood reached, to an array that holds costs in listed parts alone. */
static void copy_parts(cairn_flood *flood, const cn_costs_copy *self, void *costs)
{
    const cn_plane *plane = self->plane;
    for (size_t i = 0; self->written && i < flood->held_count; i++) {
        if (!plane->live || !plane->live[flood->held[i]])
            cn_flood_copy_part(self, flood->held[i], costs);
    }
    for (size_t i = 0; i < plane->held_count; i++)
        cn_flood_copy_part(self, cn_flood_part_of(self, i), costs);
}

/* Lists the parts of the array that is lent that hold costs, which have been copied. */
static void list_parts(cairn_flood *flood, const cn_costs_copy *copy)
{
    const cn_plane *plane = copy->plane;
    flood->held_count = CN_HELD_ALL;
    if (!plane->held || plane->held_count > flood->held_room)
        return;
    for (size_t i = 0; i < plane->held_count; i++)
        flood->held[i] = cn_flood_part_of(copy, i);
    flood->held_count = plane->held_count;
}

/* ------------------------------------------------------------------------------ lent arrays -- */

/* A number of blocks that is enough for the planes of every engine. */
static size_t blocks_of(const cn_grid *grid)
{
    enum { LEAST_LANES = 4 };
    const size_t tiles = ((size_t)grid->width / LEAST_LANES + 1) *
                         (grid->height / CN_FLOOD_BAND + 1);
    const size_t chunks = ((size_t)grid->width / CN_FLOOD_CHUNK + 1) * grid->height;
    return tiles > chunks ? tiles : chunks;
}

void cn_flood_forget(cairn_flood *flood, const void *costs)
{
    if (flood->lent != costs || !flood->lent)
        return;
    memset(flood->written, 0xff, blocks_of(&flood->map->grid) * sizeof *flood->written);
    flood->held_count = CN_HELD_ALL;
}

/* Memory for what is known of such an array. */
static bool take_notes(cairn_flood *flood)
{
    const cairn_map *map = flood->map;
    if (!flood->written)
        flood->written = cn_array(&flood->mem, blocks_of(&map->grid), sizeof *flood->written);
    flood->held_room = cn_plane_held_most(map, 0);
    if (!flood->held)
        flood->held = cn_array(&flood->mem, flood->held_room, sizeof *flood->held);
    return flood->written && flood->held;
}

cairn_status cairn_flood_lend(cairn_flood *flood, void *costs)
{
    if (!flood)
        return CAIRN_E_ARGUMENT;
    if (costs && !take_notes(flood))
        return CAIRN_E_MEMORY;
    flood->lent = costs;
    cn_flood_forget(flood, costs);
    return CAIRN_OK;
}

/* What is known of the array to which costs go: by block, the rows that may hold some. NULL for an
 * array that was not lent. */
static uint32_t *notes_of(cairn_flood *flood, const cn_plane *plane, const void *costs)
{
    if (!costs || costs != flood->lent)
        return NULL;
    if (flood->written_bits != plane->bits || flood->written_lanes != plane->lane_shift)
        cn_flood_forget(flood, costs);
    flood->written_bits = plane->bits;
    flood->written_lanes = plane->lane_shift;
    return flood->written;
}

/* -------------------------------------------------------------------------------- the floods -- */

cairn_status cn_flood_take_ends(cairn_flood *flood, const cairn_node *nodes, size_t count)
{
    if (!cn_nodes_reserve(&flood->ends, &flood->mem, count))
        return CAIRN_E_MEMORY;
    return cn_map_copy_nodes(flood->map, nodes, count, flood->ends.items) &&
                   cn_map_all_open(flood->map, flood->ends.items, count)
               ? CAIRN_OK
               : CAIRN_E_ARGUMENT;
}

cairn_status cn_flood_run(cairn_flood *flood, const cn_flood_call *call, cn_plane *plane)
{
    const cn_flood_task task = {.way = call->way,
                                .sources = call->nodes,
                                .source_count = call->node_count,
                                .most = flood->most,
                                .until = flood->until,
                                .until_count = flood->until_count};
    cn_flooder *flooder;
    const cairn_status status = prepare(flood, call->bits, &flooder);
    return status == CAIRN_OK ? cn_flooder_run_task(flooder, &task, plane) : status;
}

/* Writes the costs of a flood, where that suffices only those that it reached. */
static void copy_costs(cairn_flood *flood, const cn_plane *plane, void *costs)
{
    const cn_grid *grid = &flood->map->grid;
    const cn_costs_copy copy = {grid, plane, notes_of(flood, plane, costs), grid->width,
                                plane->bits};
    if (!plane->held || (copy.written && flood->held_count == CN_HELD_ALL)) {
        cn_flood_copy_all(&copy, costs);
    } else {
        if (!copy.written)
            memset(costs, 0xff, (size_t)cn_map_node_count(flood->map) * (plane->bits / 8));
        copy_parts(flood, &copy, costs);
    }
    if (copy.written)
        list_parts(flood, &copy);
}

/* A call with nodes of the caller. */
static cairn_status run(cairn_flood *flood, cn_flood_call call, void *costs)
{
    cn_plane plane;
    if (!flood || !costs || (!call.nodes && call.node_count))
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_flood_take_ends(flood, call.nodes, call.node_count);
    call.nodes = flood->ends.items;
    if (status == CAIRN_OK)
        status = cn_flood_run(flood, &call, &plane);
    if (status != CAIRN_OK)
        return status;
    copy_costs(flood, &plane, costs);
    return CAIRN_OK;
}

cairn_status cairn_flood_from(cairn_flood *flood, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return run(flood, (cn_flood_call){CN_FORWARD, sources, source_count, 32}, costs);
}

cairn_status cairn_flood_to(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return run(flood, (cn_flood_call){CN_REVERSE, targets, target_count, 32}, costs);
}

cairn_status cairn_flood_from_16(cairn_flood *flood, const cairn_node *sources, size_t source_count,
                                 uint16_t *costs)
{
    return run(flood, (cn_flood_call){CN_FORWARD, sources, source_count, 16}, costs);
}

cairn_status cairn_flood_to_16(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                               uint16_t *costs)
{
    return run(flood, (cn_flood_call){CN_REVERSE, targets, target_count, 16}, costs);
}

static cairn_status run_once(const cairn_map *map, cn_flood_call call, cairn_cost *costs)
{
    cairn_flood *flood;
    cairn_status status = cairn_flood_new(map, &flood);
    if (status == CAIRN_OK) {
        flood->use = CN_FLOOD_ONE;
        status = run(flood, call, costs);
    }
    cairn_flood_free(flood);
    return status;
}

cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return run_once(map, (cn_flood_call){CN_FORWARD, sources, source_count, 32}, costs);
}

cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return run_once(map, (cn_flood_call){CN_REVERSE, targets, target_count, 32}, costs);
}
