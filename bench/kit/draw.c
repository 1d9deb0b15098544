#include "kit/draw.h"

enum { TRIES = 1000000, PATH_TRIES = 1000, PATH_NODES = 20 };

bool bench_is_reached(const cairn_map *map, const cairn_table *table, uint32_t row, cairn_node node)
{
    return cairn_map_is_open(map, node) && cairn_table_cost(table, row, node) != CAIRN_UNREACHABLE;
}

cairn_node bench_any_cell(const cairn_map *map, const cairn_table *table, uint32_t row, cn_rng *rng)
{
    for (unsigned i = 0; i < TRIES; i++) {
        cairn_node node = cn_rng_below(rng, cairn_map_node_count(map));
        if (bench_is_reached(map, table, row, node))
            return node;
    }
    return CAIRN_NO_NODE;
}

cairn_node bench_path_cell(const cairn_map *map, const cairn_table *table, uint32_t row,
                           cairn_search *search, cn_rng *rng)
{
    for (unsigned i = 0; i < PATH_TRIES; i++) {
        cairn_path path;
        cairn_node start = bench_any_cell(map, table, row, rng);
        cairn_node goal = bench_any_cell(map, table, row, rng);
        if (start == CAIRN_NO_NODE || goal == CAIRN_NO_NODE)
            return CAIRN_NO_NODE;
        if (cairn_search_run(search, start, goal, &path) == CAIRN_OK &&
            path.node_count > PATH_NODES)
            return path
                .nodes[path.node_count / 4 + cn_rng_below(rng, (uint32_t)path.node_count / 2)];
    }
    return CAIRN_NO_NODE;
}
