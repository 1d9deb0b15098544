/* How many bytes a map has allocated: each room counts its own blocks. */
#include "map/map.h"

uint64_t cn_map_runs_memory(const cairn_map *map, uint64_t component_count)
{
    return cn_jump_memory_of(&map->grid) + cn_components_memory_of(&map->grid, component_count);
}

static size_t own_memory(const cairn_map *map)
{
    return cn_held_size(map, 1, sizeof *map) + cn_grid_memory(&map->grid) +
           cn_graph_memory(map->graph) + cn_held_size(map->bodies, 1, sizeof *map->bodies) +
           cn_journal_memory(&map->journal) + cn_jump_memory(map->jump, &map->grid) +
           (map->corners ? cn_corners_memory(map->corners) : 0) +
           (map->former_corners ? cn_corners_memory(map->former_corners) : 0) +
           cn_components_memory(map->components, cn_map_node_count(map));
}

size_t cairn_map_memory(const cairn_map *map)
{
    size_t bytes = own_memory(map);
    for (const cairn_map *step_map = map->step_maps; step_map; step_map = step_map->next_step_map)
        bytes += own_memory(step_map);
    return bytes;
}
