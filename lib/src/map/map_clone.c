/* Copies of maps, with their journals. */
#include <string.h>

#include "map/map.h"

/* Copies the journal of a step map to the step map of the copy. After edits a map may itself have
 * the costs of the step map: then that of the copy is the copy itself, which has its own
 * journal. */
static bool copy_step_map(const cairn_map *step_map, cairn_map *copy)
{
    const cairn_map *made;
    if (cn_map_step_map(copy, step_map->metric, &made) != CAIRN_OK)
        return false;
    return made == copy || cn_journal_copy(&((cairn_map *)(uintptr_t)made)->journal, &made->mem,
                                           &step_map->journal);
}

/* Copies the journals, so that the former states of the map count as former states of the copy. */
static cairn_status copy_journals(const cairn_map *map, cairn_map *copy)
{
    bool done = cn_journal_copy(&copy->journal, &copy->mem, &map->journal);
    for (const cairn_map *step_map = map->step_maps; step_map && done;
         step_map = step_map->next_step_map)
        done = copy_step_map(step_map, copy);
    return done ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status clone_grid(const cairn_map *map, cairn_map **copy)
{
    cn_grid grid;
    size_t count = cn_map_node_count(map);
    uint8_t *letters = cn_array(&map->mem, count, 1);
    if (!letters)
        return CAIRN_E_MEMORY;
    memcpy(letters, map->grid.letters, count);
    cairn_status status = cn_grid_init_ruled(&grid, &map->mem, map->grid.width, map->grid.height,
                                             letters, &map->grid.rules);
    cairn_map_options options = {.metric = map->metric};
    cairn_heights heights;
    if (cairn_map_heights(map, &heights))
        options.heights = &heights;
    return status == CAIRN_OK ? cn_map_from_grid(&grid, &options, &map->mem, copy) : status;
}

static cairn_status clone_graph(const cairn_map *map, cairn_map **copy)
{
    cn_graph *graph;
    cairn_status status = cn_graph_clone(map->graph, &map->mem, &graph);
    return status == CAIRN_OK ? cn_map_new_graph(&map->mem, graph, copy) : status;
}

/* A copy of a unit map tells what units it is for, but follows nothing. */
static cairn_status copy_bodies(const cairn_map *map, cairn_map *copy)
{
    if (!map->bodies)
        return CAIRN_OK;
    copy->bodies = cn_array(&copy->mem, 1, sizeof *copy->bodies);
    if (!copy->bodies)
        return CAIRN_E_MEMORY;
    *copy->bodies = *map->bodies;
    return CAIRN_OK;
}

cairn_status cairn_map_clone(const cairn_map *map, cairn_map **copy)
{
    if (!copy)
        return CAIRN_E_ARGUMENT;
    *copy = NULL;
    if (!map)
        return CAIRN_E_ARGUMENT;
    cairn_status status = map->graph ? clone_graph(map, copy) : clone_grid(map, copy);
    if (status == CAIRN_OK) {
        cairn_map_use_pool(*copy, &map->pool);
        status = copy_journals(map, *copy);
    }
    if (status == CAIRN_OK)
        status = copy_bodies(map, *copy);
    if (status != CAIRN_OK) {
        cairn_map_free(*copy);
        *copy = NULL;
    }
    return status;
}
