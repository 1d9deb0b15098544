#include "kit/graph.h"

#include <math.h>
#include <stdlib.h>

#include "cairn/cairn.h"

/* Written from the movement rule alone, so that a peer never leans on the library's own tables. */
static bool is_open(const cairn_map *map, int64_t x, int64_t y)
{
    if (x < 0 || y < 0)
        return false;
    return cairn_map_is_open(map, cairn_node_at(map, (uint32_t)x, (uint32_t)y));
}

/* Whether a rule lets a slanting step through, by what lies beside it. Rows of hexagons lie half a
 * cell further right in turn, so that one of the two is no neighbour. */
static bool may_slant(const cairn_map *map, int64_t x, int64_t y, int dx, int dy)
{
    int beside = is_open(map, x + dx, y) + is_open(map, x, y + dy);
    switch (cairn_map_rule(map)) {
    case CAIRN_RULE_4: return false;
    case CAIRN_RULE_8: return beside == 2;
    case CAIRN_RULE_8_ONE_SIDE: return beside > 0;
    case CAIRN_RULE_HEX: return dx == (y % 2 ? 1 : -1);
    default: return true;
    }
}

static bool may_step(const cairn_map *map, int64_t x, int64_t y, int dx, int dy)
{
    return is_open(map, x + dx, y + dy) && (dx == 0 || dy == 0 || may_slant(map, x, y, dx, dy));
}

static void add_arcs(bench_graph *graph, const cairn_map *map, int64_t x, int64_t y)
{
    const double slanting = cairn_map_rule(map) == CAIRN_RULE_HEX ? 1.0 : sqrt(2.0);
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if ((dx == 0 && dy == 0) || !may_step(map, x, y, dx, dy))
                continue;
            cairn_node cell = cairn_node_at(map, (uint32_t)(x + dx), (uint32_t)(y + dy));
            graph->arc_target[graph->arc_count] = graph->node_of_cell[cell];
            graph->arc_cost[graph->arc_count] = dx != 0 && dy != 0 ? slanting : 1.0;
            graph->arc_count++;
        }
    }
}

int bench_graph_init(bench_graph *graph, const cairn_map *map)
{
    size_t cells = cairn_map_node_count(map);
    size_t nodes = cairn_map_open_count(map);
    *graph = (bench_graph){0};
    graph->arc_start = malloc((nodes + 1) * sizeof *graph->arc_start);
    graph->arc_target = malloc((nodes * 8 + 1) * sizeof *graph->arc_target);
    graph->arc_cost = malloc((nodes * 8 + 1) * sizeof *graph->arc_cost);
    graph->node_of_cell = malloc((cells + 1) * sizeof *graph->node_of_cell);
    graph->cell_of_node = malloc((nodes + 1) * sizeof *graph->cell_of_node);
    graph->map = map;
    if (!graph->arc_start || !graph->arc_target || !graph->arc_cost || !graph->node_of_cell ||
        !graph->cell_of_node) {
        bench_graph_free(graph);
        return -1;
    }

    graph->is_hex = cairn_map_rule(map) == CAIRN_RULE_HEX;
    graph->costs_are_equal = graph->is_hex || cairn_map_rule(map) == CAIRN_RULE_4;
    for (cairn_node cell = 0; cell < cells; cell++)
        graph->node_of_cell[cell] = cairn_map_is_open(map, cell) ? graph->node_count++ : UINT32_MAX;
    for (cairn_node cell = 0; cell < cells; cell++) {
        uint32_t node = graph->node_of_cell[cell];
        uint32_t x, y;
        if (node == UINT32_MAX || !cairn_node_xy(map, cell, &x, &y))
            continue;
        graph->arc_start[node] = graph->arc_count;
        graph->cell_of_node[node] = cell;
        add_arcs(graph, map, x, y);
    }
    graph->arc_start[nodes] = graph->arc_count;
    return 0;
}

void bench_graph_free(bench_graph *graph)
{
    free(graph->arc_start);
    free(graph->arc_target);
    free(graph->arc_cost);
    free(graph->node_of_cell);
    free(graph->cell_of_node);
    *graph = (bench_graph){0};
}
