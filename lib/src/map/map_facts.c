/* Queries about a map: the public ones, how much memory it has, and checks of nodes that callers
 * give. */
#include <math.h>
#include <string.h>

#include "map/map.h"

uint32_t cairn_map_width(const cairn_map *map)
{
    return map->grid.width;
}

uint32_t cairn_map_height(const cairn_map *map)
{
    return map->grid.height;
}

uint32_t cairn_map_node_count(const cairn_map *map)
{
    return cn_map_node_count(map);
}

uint32_t cairn_map_open_count(const cairn_map *map)
{
    return map->grid.open_count;
}

char cairn_map_letter(const cairn_map *map, cairn_node node)
{
    return node < cn_map_node_count(map) ? (char)map->grid.letters[node] : '\0';
}

cairn_status cairn_map_letters(const cairn_map *map, char *letters)
{
    if (!map || !letters)
        return CAIRN_E_ARGUMENT;
    memcpy(letters, map->grid.letters, cn_map_node_count(map));
    return CAIRN_OK;
}

bool cairn_map_is_open(const cairn_map *map, cairn_node node)
{
    return node < cn_map_node_count(map) && cn_grid_is_open(&map->grid, node);
}

bool cn_map_all_open(const cairn_map *map, const cairn_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!cairn_map_is_open(map, nodes[i]))
            return false;
    }
    return true;
}

bool cn_map_copy_nodes(const cairn_map *map, const cairn_node *nodes, size_t count,
                       cairn_node *copies)
{
    cairn_node most = 0;
    if (count == 0)
        return true;
    memmove(copies, nodes, count * sizeof *copies);
    for (size_t i = 0; i < count; i++)
        most = copies[i] > most ? copies[i] : most;
    return most < cn_map_node_count(map);
}

cairn_node cairn_node_at(const cairn_map *map, uint32_t x, uint32_t y)
{
    if (x >= map->grid.width || y >= map->grid.height)
        return CAIRN_NO_NODE;
    return y * map->grid.width + x;
}

bool cairn_node_xy(const cairn_map *map, cairn_node node, uint32_t *x, uint32_t *y)
{
    if (node >= cn_map_node_count(map))
        return false;
    cn_grid_xy(&map->grid, node, x, y);
    return true;
}

cairn_node cairn_node_at_axial(const cairn_map *map, int32_t q, int32_t r)
{
    int64_t x = r < 0 ? -1 : (int64_t)q + r / 2;
    if (r < 0 || x < 0 || x >= map->grid.width)
        return CAIRN_NO_NODE;
    return cairn_node_at(map, (uint32_t)x, (uint32_t)r);
}

bool cairn_node_axial(const cairn_map *map, cairn_node node, int32_t *q, int32_t *r)
{
    uint32_t x, y;
    if (!cairn_node_xy(map, node, &x, &y))
        return false;
    *q = (int32_t)x - (int32_t)(y / 2);
    *r = (int32_t)y;
    return true;
}

cairn_metric cairn_map_metric(const cairn_map *map)
{
    return map->metric;
}

cairn_rule cairn_map_rule(const cairn_map *map)
{
    return map->grid.rules.rule;
}

uint32_t cairn_map_unit(const cairn_map *map)
{
    return map->unit;
}

bool cairn_map_heights(const cairn_map *map, cairn_heights *heights)
{
    const cn_heights *own = &map->grid.heights;
    *heights = (cairn_heights){0};
    if (own->cells)
        *heights = (cairn_heights){map->grid.width, map->grid.height, own->cells, own->climb,
                                   own->descend};
    return own->cells != NULL;
}

bool cairn_map_is_directed(const cairn_map *map)
{
    return cn_map_is_directed(map);
}

uint64_t cairn_map_hash(const cairn_map *map)
{
    return map->hash;
}

uint64_t cairn_map_version(const cairn_map *map)
{
    return map->version;
}

double cairn_length(const cairn_map *map, cairn_cost cost)
{
    return cost == CAIRN_UNREACHABLE ? INFINITY
                                     : (double)cost / ((double)map->metric.straight * map->unit);
}

cairn_map_kind cairn_map_kind_of(const cairn_map *map)
{
    return map->graph ? CAIRN_MAP_GRAPH : CAIRN_MAP_GRID;
}

uint32_t cairn_map_arc_count(const cairn_map *map)
{
    return map->graph ? map->graph->arc_count : 0;
}

bool cairn_node_place(const cairn_map *map, cairn_node node, int32_t *x, int32_t *y)
{
    if (!map->graph || !map->graph->coordinates.x || node >= map->graph->node_count)
        return false;
    *x = map->graph->coordinates.x[node];
    *y = map->graph->coordinates.y[node];
    return true;
}

uint64_t cn_map_runs_memory(const cairn_map *map, uint64_t component_count)
{
    return cn_jump_memory_of(&map->grid) + cn_components_memory_of(&map->grid, component_count);
}

/* Each room counts its own blocks. */
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
