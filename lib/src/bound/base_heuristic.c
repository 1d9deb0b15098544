/* Base heuristics: what each gives, and on which maps it is admissible and consistent. */
#include "bound/bound.h"

/* Up to this straight cost, its square times the square of any distance on a grid fits 62 bits. */
enum { EUCLIDEAN_EXACT = 1 << 14 };

/* From so many landmarks on, coordinates cost more time than they save. */
enum { LANDMARKS_ENOUGH = 4 };

cairn_plain cn_base_of(const cairn_map *map, cairn_plain plain)
{
    if (plain != CAIRN_PLAIN_BEST)
        return plain;
    if (map->graph)
        return map->graph->coordinates.x || map->graph->bound ? CAIRN_PLAIN_EUCLIDEAN
                                                              : CAIRN_PLAIN_ZERO;
    /* With 4 neighbours octile distance is Manhattan distance: a diagonal of the base metric costs
     * two straight steps there. */
    return map->grid.rules.rule == CAIRN_RULE_HEX ? CAIRN_PLAIN_HEX : CAIRN_PLAIN_OCTILE;
}

cairn_plain cn_base_beside(const cairn_map *map, const cairn_table *table, const cn_gates *gates,
                           cairn_plain plain)
{
    if (!table || plain != CAIRN_PLAIN_BEST || !map->graph || map->graph->bound)
        return cn_base_of(map, plain);
    uint32_t rows = gates ? gates->row_count : table->row_count - table->unsafe_count;
    return (table->is_directed ? rows / 2 : rows) < LANDMARKS_ENOUGH ? cn_base_of(map, plain)
                                                                     : CAIRN_PLAIN_ZERO;
}

bool cn_base_exists(const cairn_map *map, cairn_plain plain)
{
    if (map->graph)
        return plain == CAIRN_PLAIN_BEST || plain == CAIRN_PLAIN_ZERO ||
               plain == CAIRN_PLAIN_EUCLIDEAN;
    return (unsigned)plain <= CAIRN_PLAIN_SQUARED;
}

static uint64_t euclidean(uint64_t straight, uint64_t across, uint64_t down)
{
    unsigned shift = 0;
    while (straight >> shift > EUCLIDEAN_EXACT)
        shift++;
    uint64_t unit = straight >> shift;
    return (uint64_t)cn_root(unit * unit * (across * across + down * down)) << shift;
}

static uint64_t grid_distance(const cairn_map *map, cairn_plain plain, cairn_node a, cairn_node b)
{
    uint64_t straight = map->base_metric.straight;
    uint32_t ax, ay, bx, by;
    cn_grid_xy(&map->grid, a, &ax, &ay);
    cn_grid_xy(&map->grid, b, &bx, &by);
    uint64_t across = cn_apart_by(ax, bx), down = cn_apart_by(ay, by);
    uint64_t shorter = across < down ? across : down;
    uint64_t longer = across < down ? down : across;

    switch (plain) {
    case CAIRN_PLAIN_MANHATTAN: return straight * (across + down);
    case CAIRN_PLAIN_CHEBYSHEV: return straight * longer;
    case CAIRN_PLAIN_EUCLIDEAN: return euclidean(straight, across, down);
    case CAIRN_PLAIN_HEX: return straight * cn_hex_steps(ax, ay, bx, by);
    case CAIRN_PLAIN_SQUARED: return straight * (across * across + down * down);
    case CAIRN_PLAIN_ZERO: return 0;
    default: return straight * (longer - shorter) + map->base_metric.diagonal * shorter;
    }
}

uint64_t cn_base_uncapped(const cairn_map *map, cairn_plain plain, cairn_node node, cairn_node goal)
{
    const uint64_t distance = grid_distance(map, plain, node, goal);
    return plain == CAIRN_PLAIN_ZERO ? distance : distance + cn_slope_cost(map, node, goal);
}

cairn_cost cn_base_between(const cairn_map *map, cairn_plain plain, cairn_node node,
                           cairn_node goal)
{
    if (map->graph)
        return plain == CAIRN_PLAIN_ZERO ? 0 : cn_graph_bound(map->graph, node, goal);
    return cn_cost_capped(cn_base_uncapped(map, plain, node, goal));
}

/* Each heuristic below is a norm of the difference in columns and rows. So if it does not exceed
 * the cost of any single step, it is admissible and, apart from rounding, consistent. */
static bool fits_steps(const cairn_map *map, cairn_plain plain)
{
    cairn_rule rule = map->grid.rules.rule;
    uint64_t straight = map->base_metric.straight, diagonal = map->base_metric.diagonal;
    bool slants = cn_rule_has_diagonals(rule);

    switch (plain) {
    case CAIRN_PLAIN_ZERO: return true;
    case CAIRN_PLAIN_HEX: return rule == CAIRN_RULE_HEX;
    case CAIRN_PLAIN_CHEBYSHEV: return true;
    case CAIRN_PLAIN_MANHATTAN: return rule == CAIRN_RULE_4 || (slants && diagonal == 2 * straight);
    case CAIRN_PLAIN_OCTILE: return rule != CAIRN_RULE_HEX || diagonal == straight;
    case CAIRN_PLAIN_EUCLIDEAN:
        return rule == CAIRN_RULE_4 || (slants && diagonal * diagonal >= 2 * straight * straight);
    default: return false;
    }
}

bool cairn_bound_is_admissible(const cairn_map *map, cairn_plain plain)
{
    if (!map || !cn_base_exists(map, plain))
        return false;
    return map->graph || fits_steps(map, cn_base_of(map, plain));
}

bool cairn_bound_is_consistent(const cairn_map *map, cairn_plain plain)
{
    if (!cairn_bound_is_admissible(map, plain))
        return false;
    /* The caller's callback is trusted to be admissible, but not to be consistent. */
    if (map->graph && map->graph->bound)
        return plain == CAIRN_PLAIN_ZERO;
    return plain != CAIRN_PLAIN_EUCLIDEAN || map->graph ||
           map->base_metric.straight <= EUCLIDEAN_EXACT;
}
