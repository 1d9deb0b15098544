/* How many bytes a map has allocated, block by block. */
#include "map/map.h"

static size_t grid_memory(const cn_grid *grid)
{
    const size_t cells = (size_t)grid->width * grid->height;
    return cn_held_size(grid->letters, cells, 1) + cn_held_size(grid->around, cells, 1) +
           cn_held_size(grid->open, (grid->height + 2u) * grid->open_stride, sizeof *grid->open) +
           cn_held_size(grid->heights.cells, cells, sizeof *grid->heights.cells);
}

static size_t graph_memory(const cn_graph *graph)
{
    if (!graph)
        return 0;
    const cn_places *places = &graph->places;
    const size_t nodes = graph->node_count, sides = graph->in == graph->out ? 1 : 2;
    return cn_held_size(graph, 1, sizeof *graph) +
           sides * (cn_held_size(graph->out, graph->arc_count, sizeof *graph->out) +
                    cn_held_size(graph->out_start, nodes + 1, sizeof *graph->out_start)) +
           2 * cn_held_size(places->x, nodes, sizeof *places->x) +
           2 * cn_held_size(places->plane_x, nodes, sizeof *places->plane_x);
}

static size_t journal_memory(const cn_journal *journal)
{
    return cn_held_size(journal->cells, journal->cell_capacity, sizeof(cairn_node)) +
           cn_held_size(journal->letters, journal->letter_capacity, 1) +
           cn_held_size(journal->marks, journal->mark_capacity, sizeof(cn_journal_mark));
}

size_t cn_jump_memory(const cn_jump *jump, const cn_grid *grid)
{
    if (!jump)
        return 0;
    return cn_held_size(jump, 1, sizeof *jump) +
           cn_held_size(jump->stops, jump->word_count, sizeof *jump->stops) +
           cn_held_size(jump->clear, jump->word_count, sizeof *jump->clear) +
           cn_held_size(jump->hits, (size_t)grid->width * grid->height, 1) +
           cn_held_size(jump->borders, cn_border_words(grid), sizeof *jump->borders) +
           cn_held_size(jump->border_steps, (size_t)grid->width * grid->height, CN_DIRECTIONS);
}

static size_t components_memory(const cn_components *components, const cairn_map *map)
{
    if (!components)
        return 0;
    const cn_regions *regions = &components->regions;
    const size_t tiles = regions->tile_count;
    return cn_held_size(components, 1, sizeof *components) +
           cn_held_size(components->label, cn_map_node_count(map), sizeof *components->label) +
           cn_held_size(components->items, components->capacity, sizeof *components->items) +
           cn_held_size(components->dirty, tiles, sizeof *components->dirty) +
           cn_held_size(regions->tiles, tiles, sizeof *regions->tiles) +
           cn_held_size(regions->labels, tiles * CN_TILE_CELLS, 1) +
           cn_held_size(regions->values, regions->value_capacity, sizeof *regions->values);
}

uint64_t cn_map_runs_memory(const cairn_map *map, uint64_t component_count)
{
    enum { A_FEW_ITEMS = 16, BLOCKS = 9 };
    const cn_grid *grid = &map->grid;
    const uint64_t width = grid->width, height = grid->height;
    const uint64_t words = (width / 64 + 1) * height + (height / 64 + 1) * width;
    const uint64_t tiles = ((width + CN_TILE_SIDE - 1) / CN_TILE_SIDE) *
                           ((height + CN_TILE_SIDE - 1) / CN_TILE_SIDE);
    const uint64_t for_a_tile = sizeof(cn_tile) + CN_TILE_CELLS + sizeof(uint32_t);
    const uint64_t heads = sizeof(cn_jump) + sizeof(cn_components) + BLOCKS * cn_block_size(0, 1);

    return heads + words * (sizeof(cn_stops) + sizeof(uint64_t)) + width * height +
           tiles * for_a_tile + (2 * component_count + A_FEW_ITEMS) * sizeof(cn_component);
}

static size_t own_memory(const cairn_map *map)
{
    return cn_held_size(map, 1, sizeof *map) + grid_memory(&map->grid) + graph_memory(map->graph) +
           cn_held_size(map->bodies, 1, sizeof *map->bodies) + journal_memory(&map->journal) +
           cn_jump_memory(map->jump, &map->grid) +
           (map->corners ? cn_corners_memory(map->corners) : 0) +
           (map->former_corners ? cn_corners_memory(map->former_corners) : 0) +
           components_memory(map->components, map);
}

size_t cairn_map_memory(const cairn_map *map)
{
    size_t bytes = own_memory(map);
    for (const cairn_map *step_map = map->step_maps; step_map; step_map = step_map->next_step_map)
        bytes += own_memory(step_map);
    return bytes;
}
