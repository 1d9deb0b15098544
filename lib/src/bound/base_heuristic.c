/* Base heuristics: what each gives, and on which maps it is admissible and consistent. */
#include "bound/bound.h"

/* Up to this straight cost, its square times the square of any distance on a grid fits 62 bits. */
enum { EUCLIDEAN_EXACT = 1 << 14 };

/* From so many landmarks on, coordinates cost more time than they save. */
enum { LANDMARKS_ENOUGH = 4 };

cairn_heuristic cn_base_of(const cairn_map *map, cairn_heuristic heuristic)
{
    if (heuristic != CAIRN_HEURISTIC_BEST)
        return heuristic;
    if (map->graph)
        return map->graph->coordinates.x || map->graph->bound ? CAIRN_HEURISTIC_EUCLIDEAN
                                                              : CAIRN_HEURISTIC_ZERO;
    /* With 4 neighbours octile distance is Manhattan distance: a diagonal of the base metric costs
     * two straight steps there. */
    return map->grid.rules.rule == CAIRN_RULE_HEX ? CAIRN_HEURISTIC_HEX : CAIRN_HEURISTIC_OCTILE;
}

cairn_heuristic cn_base_beside(const cairn_map *map, const cairn_table *table,
                               const cn_gates *gates, cairn_heuristic heuristic)
{
    if (!table || table->counts_steps || heuristic != CAIRN_HEURISTIC_BEST || !map->graph ||
        map->graph->bound)
        return cn_base_of(map, heuristic);
    uint32_t rows = gates ? gates->row_count : table->row_count - table->unsafe_count;
    return (table->is_directed ? rows / 2 : rows) < LANDMARKS_ENOUGH ? cn_base_of(map, heuristic)
                                                                     : CAIRN_HEURISTIC_ZERO;
}

bool cn_base_exists(const cairn_map *map, cairn_heuristic heuristic)
{
    if (map->graph)
        return heuristic == CAIRN_HEURISTIC_BEST || heuristic == CAIRN_HEURISTIC_ZERO ||
               heuristic == CAIRN_HEURISTIC_EUCLIDEAN;
    return (unsigned)heuristic <= CAIRN_HEURISTIC_SQUARED;
}

static uint64_t euclidean(uint64_t straight, uint64_t across, uint64_t down)
{
    unsigned shift = 0;
    while (straight >> shift > EUCLIDEAN_EXACT)
        shift++;
    uint64_t unit = straight >> shift;
    return (uint64_t)cn_root(unit * unit * (across * across + down * down)) << shift;
}

static uint64_t grid_distance(const cairn_map *map, cairn_heuristic heuristic, cairn_node a,
                              cairn_node b)
{
    uint64_t straight = map->base_metric.straight;
    uint32_t ax, ay, bx, by;
    cn_grid_xy(&map->grid, a, &ax, &ay);
    cn_grid_xy(&map->grid, b, &bx, &by);
    uint64_t across = cn_apart_by(ax, bx), down = cn_apart_by(ay, by);
    uint64_t shorter = across < down ? across : down;
    uint64_t longer = across < down ? down : across;

    switch (heuristic) {
    case CAIRN_HEURISTIC_MANHATTAN: return straight * (across + down);
    case CAIRN_HEURISTIC_CHEBYSHEV: return straight * longer;
    case CAIRN_HEURISTIC_EUCLIDEAN: return euclidean(straight, across, down);
    case CAIRN_HEURISTIC_HEX: return straight * cn_hex_steps(ax, ay, bx, by);
    case CAIRN_HEURISTIC_SQUARED: return straight * (across * across + down * down);
    case CAIRN_HEURISTIC_ZERO: return 0;
    default: return straight * (longer - shorter) + map->base_metric.diagonal * shorter;
    }
}

uint64_t cn_base_uncapped(const cairn_map *map, cairn_heuristic heuristic, cairn_node node,
                          cairn_node goal)
{
    const uint64_t distance = grid_distance(map, heuristic, node, goal);
    return heuristic == CAIRN_HEURISTIC_ZERO ? distance : distance + cn_slope_cost(map, node, goal);
}

cairn_cost cn_base_between(const cairn_map *map, cairn_heuristic heuristic, cairn_node node,
                           cairn_node goal)
{
    if (map->graph)
        return heuristic == CAIRN_HEURISTIC_ZERO ? 0 : cn_graph_bound(map->graph, node, goal);
    return cn_cost_capped(cn_base_uncapped(map, heuristic, node, goal));
}

/* Each heuristic below is a norm of the difference in columns and rows. So if it does not exceed
 * the cost of any single step, it is admissible and, apart from rounding, consistent. */
static bool fits_steps(const cairn_map *map, cairn_heuristic heuristic)
{
    cairn_rule rule = map->grid.rules.rule;
    uint64_t straight = map->base_metric.straight, diagonal = map->base_metric.diagonal;
    bool slants = cn_rule_has_diagonals(rule);

    switch (heuristic) {
    case CAIRN_HEURISTIC_ZERO: return true;
    case CAIRN_HEURISTIC_HEX: return rule == CAIRN_RULE_HEX;
    case CAIRN_HEURISTIC_CHEBYSHEV: return true;
    case CAIRN_HEURISTIC_MANHATTAN:
        return rule == CAIRN_RULE_4 || (slants && diagonal == 2 * straight);
    case CAIRN_HEURISTIC_OCTILE: return rule != CAIRN_RULE_HEX || diagonal == straight;
    case CAIRN_HEURISTIC_EUCLIDEAN:
        return rule == CAIRN_RULE_4 || (slants && diagonal * diagonal >= 2 * straight * straight);
    default: return false;
    }
}

bool cairn_bound_is_admissible(const cairn_map *map, cairn_heuristic heuristic)
{
    if (!map || !cn_base_exists(map, heuristic))
        return false;
    return map->graph || fits_steps(map, cn_base_of(map, heuristic));
}

bool cairn_bound_is_consistent(const cairn_map *map, cairn_heuristic heuristic)
{
    if (!cairn_bound_is_admissible(map, heuristic))
        return false;
    /* The caller's callback is trusted to be admissible, but not to be consistent. */
    if (map->graph && map->graph->bound)
        return heuristic == CAIRN_HEURISTIC_ZERO;
    return heuristic != CAIRN_HEURISTIC_EUCLIDEAN || map->graph ||
           map->base_metric.straight <= EUCLIDEAN_EXACT;
}
