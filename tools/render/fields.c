#include "render/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/progress.h"
#include "kit/rng.h"
#include "render/ramp.h"

enum { BANDS = 20 };

void field_free(field *of)
{
    free(of->values);
    *of = (field){0};
}

static bool init(field *to, const cairn_map *map)
{
    uint32_t count = cairn_map_node_count(map);
    *to = (field){.values = malloc((count + 1u) * sizeof *to->values)};
    for (uint32_t node = 0; to->values && node < count; node++)
        to->values[node] = NAN;
    return to->values != NULL;
}

static void extend_scale(field *to, double value)
{
    if (value > to->full)
        to->full = value;
}

void field_fit(field *of, const cairn_map *map)
{
    of->full = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        extend_scale(of, of->values[node]);
}

double field_band(const field *of)
{
    return ramp_step(of->full, BANDS);
}

cairn_status field_of_row(const cairn_map *map, const cairn_table *table, uint32_t row, field *to)
{
    if (!init(to, map))
        return CAIRN_E_MEMORY;
    double step = cairn_table_counts_steps(table)
                      ? cairn_table_metric(table).straight
                      : (double)cairn_map_metric(map).straight * cairn_map_unit(map);
    for (uint32_t other = 0; other < cairn_table_row_count(table); other++) {
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
            cairn_cost cost = cairn_table_cost(table, other, node);
            if (!cairn_map_is_open(map, node) || cost == CAIRN_UNREACHABLE)
                continue;
            extend_scale(to, cost / step);
            if (other == row)
                to->values[node] = cost / step;
        }
    }
    return CAIRN_OK;
}

/* The costs from a node to every other one, and back: the same where the map is not directed. */
typedef struct ways {
    cairn_cost *from;
    cairn_cost *to;
} ways;

static void ways_free(ways *of)
{
    free(of->from);
    free(of->to);
}

static cairn_status find_ways(const cairn_map *map, cairn_node node, ways *found)
{
    const size_t size = (cairn_map_node_count(map) + (size_t)1) * sizeof *found->from;
    *found = (ways){malloc(size), malloc(size)};
    if (!found->from || !found->to)
        return CAIRN_E_MEMORY;
    cairn_status status = cairn_costs_to(map, &node, 1, found->to);
    if (status == CAIRN_OK && cairn_map_is_directed(map))
        return cairn_costs_from(map, &node, 1, found->from);
    memcpy(found->from, found->to, size);
    return status;
}

static bool are_connected(const ways *of, cairn_node node)
{
    return of->from[node] != CAIRN_UNREACHABLE || of->to[node] != CAIRN_UNREACHABLE;
}

static cairn_cost excess(cairn_cost longer, cairn_cost shorter)
{
    const bool are_reached = longer != CAIRN_UNREACHABLE && shorter != CAIRN_UNREACHABLE;
    return are_reached && longer > shorter ? longer - shorter : 0;
}

static cairn_cost larger(cairn_cost a, cairn_cost b)
{
    return a > b ? a : b;
}

/* The costs to the goal and the base heuristic towards it, which set the scale. */
static cairn_status measure_goal(const cairn_map *map, cairn_node goal, cairn_cost **costs,
                                 cairn_bound *base, field *to)
{
    *costs = NULL;
    if (!init(to, map))
        return CAIRN_E_MEMORY;
    *costs = malloc((cairn_map_node_count(map) + (size_t)1) * sizeof **costs);
    cairn_status status = *costs ? cairn_costs_to(map, &goal, 1, *costs) : CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = cairn_bound_to(map, NULL, goal, base);
    for (cairn_node node = 0; status == CAIRN_OK && node < cairn_map_node_count(map); node++)
        if (cairn_map_is_open(map, node) && (*costs)[node] != CAIRN_UNREACHABLE)
            extend_scale(to, cairn_length(map, (*costs)[node] - cairn_bound_at(base, node)));
    return status;
}

/* By way of a landmark, the bound of a node towards the goal is by how much farther the goal is
 * from the landmark than the node, or the landmark from the node than from the goal. */
static void fill_gain(const cairn_map *map, const ways *landmark, cairn_node goal,
                      const cairn_bound *base, field *to)
{
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        if (!cairn_map_is_open(map, node) || !are_connected(landmark, node) ||
            !are_connected(landmark, goal))
            continue;
        const cairn_cost bound = larger(excess(landmark->from[goal], landmark->from[node]),
                                        excess(landmark->to[node], landmark->to[goal]));
        to->values[node] = cairn_length(map, excess(bound, cairn_bound_at(base, node)));
    }
}

cairn_status field_of_gain(const cairn_map *map, cairn_node landmark, cairn_node goal, field *to)
{
    cairn_cost *to_goal;
    ways by_landmark = {NULL, NULL};
    cairn_bound base;

    cairn_status status = measure_goal(map, goal, &to_goal, &base, to);
    if (status == CAIRN_OK)
        status = find_ways(map, landmark, &by_landmark);
    if (status == CAIRN_OK)
        fill_gain(map, &by_landmark, goal, &base, to);
    free(to_goal);
    ways_free(&by_landmark);
    return status;
}

/* By wrong entries a bound may be above the cost. */
static cairn_cost above(cairn_cost cost, cairn_cost bound)
{
    return bound < cost ? cost - bound : 0;
}

cairn_status field_of_error(const cairn_map *map, const cairn_table *table, cairn_node goal,
                            field *to)
{
    cairn_cost *costs;
    cairn_bound base, bound;

    cairn_status status = measure_goal(map, goal, &costs, &base, to);
    if (status == CAIRN_OK)
        status = cairn_bound_to(map, table, goal, &bound);
    for (cairn_node node = 0; status == CAIRN_OK && node < cairn_map_node_count(map); node++)
        if (cairn_map_is_open(map, node) && costs[node] != CAIRN_UNREACHABLE)
            to->values[node] = cairn_length(map, above(costs[node], cairn_bound_at(&bound, node)));
    free(costs);
    return status;
}

cairn_status field_of_clearance(const cairn_map *map, field *to)
{
    uint16_t *sizes = malloc((cairn_map_node_count(map) + (size_t)1) * sizeof *sizes);
    if (!init(to, map) || !sizes) {
        free(sizes);
        return CAIRN_E_MEMORY;
    }
    cairn_status status = cairn_clearance(map, CAIRN_ANCHOR_TOP_LEFT, sizes);
    for (cairn_node node = 0; status == CAIRN_OK && node < cairn_map_node_count(map); node++) {
        if (!cairn_map_is_open(map, node))
            continue;
        to->values[node] = sizes[node];
        extend_scale(to, sizes[node]);
    }
    free(sizes);
    return status;
}

/* ------------------------------------------------------------------------------ sites -- */

static cairn_node draw_open(const cairn_map *map, kit_rng *rng)
{
    cairn_node node = kit_rng_below(rng, cairn_map_node_count(map));
    while (!cairn_map_is_open(map, node))
        node = kit_rng_below(rng, cairn_map_node_count(map));
    return node;
}

static cairn_status add_pair(const cairn_map *map, cairn_node start, cairn_node goal, double weight,
                             field *to)
{
    ways of_start = {NULL, NULL}, of_goal = {NULL, NULL};
    cairn_bound base;

    cairn_status status = find_ways(map, start, &of_start);
    if (status == CAIRN_OK)
        status = find_ways(map, goal, &of_goal);
    if (status == CAIRN_OK)
        status = cairn_bound_to(map, NULL, goal, &base);
    const cairn_cost known = status == CAIRN_OK ? cairn_bound_at(&base, start) : 0;
    if (status == CAIRN_OK)
        to->full += weight * cairn_length(map, excess(of_start.from[goal], known));
    for (cairn_node node = 0; status == CAIRN_OK && node < cairn_map_node_count(map); node++) {
        const cairn_cost bound = larger(excess(of_goal.to[node], of_start.to[node]),
                                        excess(of_start.from[node], of_goal.from[node]));
        to->values[node] += weight * cairn_length(map, excess(bound, known));
    }
    ways_free(&of_start);
    ways_free(&of_goal);
    return status;
}

cairn_status field_of_sites(const cairn_map *map, uint32_t pair_count, uint64_t seed, field *to)
{
    kit_rng rng = {seed};
    cairn_status status = CAIRN_OK;

    if (!init(to, map))
        return CAIRN_E_MEMORY;
    if (cairn_map_open_count(map) == 0)
        return CAIRN_OK;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        if (cairn_map_is_open(map, node))
            to->values[node] = 0;
    for (uint32_t i = 0; i < pair_count && status == CAIRN_OK; i++) {
        cairn_node start = draw_open(map, &rng), goal = draw_open(map, &rng);
        status = add_pair(map, start, goal, 1.0 / pair_count, to);
        if (!kit_progress_step("pairs", i + 1u, pair_count))
            status = CAIRN_E_CANCELLED;
    }
    return status;
}
