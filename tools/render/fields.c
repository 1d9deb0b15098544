#include "render/fields.h"

#include <math.h>
#include <stdlib.h>

#include "kit/progress.h"
#include "kit/rng.h"

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

cairn_status field_of_row(const cairn_map *map, const cairn_table *table, uint32_t row, field *to)
{
    if (!init(to, map))
        return CAIRN_E_MEMORY;
    double step = cairn_table_is_flat(table)
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

static cairn_cost difference(cairn_cost a, cairn_cost b)
{
    return a > b ? a - b : b - a;
}

static cairn_status flood(const cairn_map *map, cairn_node from, cairn_cost **costs)
{
    *costs = malloc((cairn_map_node_count(map) + 1u) * sizeof **costs);
    return *costs ? cairn_costs_from(map, &from, 1, *costs) : CAIRN_E_MEMORY;
}

/* The costs to the goal and the base heuristic towards it, which set the scale. */
static cairn_status measure_goal(const cairn_map *map, cairn_node goal, cairn_cost **costs,
                                 cairn_bound *base, field *to)
{
    *costs = NULL;
    if (!init(to, map))
        return CAIRN_E_MEMORY;
    cairn_status status = flood(map, goal, costs);
    if (status == CAIRN_OK)
        status = cairn_bound_to(map, NULL, goal, base);
    for (cairn_node node = 0; status == CAIRN_OK && node < cairn_map_node_count(map); node++)
        if (cairn_map_is_open(map, node) && (*costs)[node] != CAIRN_UNREACHABLE)
            extend_scale(to, cairn_length(map, (*costs)[node] - cairn_bound_at(base, node)));
    return status;
}

static void fill_gain(const cairn_map *map, const cairn_cost *from_landmark, cairn_node goal,
                      const cairn_bound *base, field *to)
{
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        if (!cairn_map_is_open(map, node) || from_landmark[node] == CAIRN_UNREACHABLE ||
            from_landmark[goal] == CAIRN_UNREACHABLE)
            continue;
        cairn_cost bound = difference(from_landmark[node], from_landmark[goal]);
        cairn_cost known = cairn_bound_at(base, node);
        to->values[node] = bound > known ? cairn_length(map, bound - known) : 0;
    }
}

cairn_status field_of_gain(const cairn_map *map, cairn_node landmark, cairn_node goal, field *to)
{
    cairn_cost *to_goal, *from_landmark = NULL;
    cairn_bound base;

    cairn_status status = measure_goal(map, goal, &to_goal, &base, to);
    if (status == CAIRN_OK)
        status = flood(map, landmark, &from_landmark);
    if (status == CAIRN_OK)
        fill_gain(map, from_landmark, goal, &base, to);
    free(to_goal);
    free(from_landmark);
    return status;
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
            to->values[node] = cairn_length(map, costs[node] - cairn_bound_at(&bound, node));
    free(costs);
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
    cairn_cost *from_start = NULL, *from_goal = NULL;
    cairn_bound base;

    cairn_status status = flood(map, start, &from_start);
    if (status == CAIRN_OK)
        status = flood(map, goal, &from_goal);
    if (status == CAIRN_OK)
        status = cairn_bound_to(map, NULL, goal, &base);
    cairn_cost known = status == CAIRN_OK ? cairn_bound_at(&base, start) : 0;
    if (status == CAIRN_OK && from_start[goal] != CAIRN_UNREACHABLE)
        to->full += weight * cairn_length(map, from_start[goal] - known);
    for (cairn_node node = 0; status == CAIRN_OK && node < cairn_map_node_count(map); node++) {
        if (from_start[node] == CAIRN_UNREACHABLE || from_goal[node] == CAIRN_UNREACHABLE)
            continue;
        cairn_cost bound = difference(from_start[node], from_goal[node]);
        double gain = bound > known ? cairn_length(map, bound - known) : 0;
        to->values[node] += weight * gain;
    }
    free(from_start);
    free(from_goal);
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
