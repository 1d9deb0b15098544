#include "arcs_oracle.h"

#include <stdlib.h>
#include <string.h>

static void *needed(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static uint32_t factor_at(const picture *map, const oracle_terrain *terrain, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= map->width || y >= map->height)
        return 0;
    return terrain->factor[(uint8_t)map->letters[y * map->width + x]];
}

/* Whether hexagons touch: centres are a whole column apart in a row, and odd rows lie half a
 * column to the right. */
static bool hexagons_touch(int64_t x, int64_t y, int64_t to_x, int64_t to_y)
{
    int64_t halves = (2 * to_x + (to_y & 1)) - (2 * x + (y & 1)), rows = to_y - y;
    if (rows == 0)
        return halves == 2 || halves == -2;
    return (rows == 1 || rows == -1) && (halves == 1 || halves == -1);
}

static bool rule_allows(const picture *map, const oracle_terrain *terrain, oracle_rule rule,
                        int64_t x, int64_t y, int64_t to_x, int64_t to_y)
{
    if (rule == ORACLE_HEX)
        return hexagons_touch(x, y, to_x, to_y);
    if (x == to_x || y == to_y)
        return true;
    unsigned sides = (factor_at(map, terrain, x, to_y) ? 1u : 0u) +
                     (factor_at(map, terrain, to_x, y) ? 1u : 0u);
    switch (rule) {
    case ORACLE_8: return sides == 2;
    case ORACLE_8_ONE_SIDE: return sides >= 1;
    case ORACLE_8_ANY: return true;
    default: return false;
    }
}

/* Where half columns count, a step to the right on hexagons is one to a larger half column. */
static bool may_leave(const picture *map, oracle_rule rule, int64_t x, int64_t y, int64_t to_x,
                      int64_t to_y)
{
    int64_t right = rule == ORACLE_HEX ? (2 * to_x + (to_y & 1)) - (2 * x + (y & 1)) : to_x - x;
    switch (map->letters[y * map->width + x]) {
    case '^': return to_y < y;
    case 'v': return to_y > y;
    case '<': return right < 0;
    case '>': return right > 0;
    default: return true;
    }
}

static uint64_t slope_cost(const picture *map, const oracle_terrain *terrain, const int64_t at[4])
{
    if (!terrain->heights)
        return 0;
    int64_t rise = (int64_t)terrain->heights[at[3] * map->width + at[2]] -
                   terrain->heights[at[1] * map->width + at[0]];
    return rise > 0 ? terrain->up * (uint64_t)rise : terrain->down * (uint64_t)-rise;
}

static uint64_t step_cost(const picture *map, oracle_rule rule, oracle_steps steps, uint64_t unit,
                          const oracle_terrain *terrain, const int64_t at[4])
{
    uint64_t left = factor_at(map, terrain, at[0], at[1]);
    uint64_t entered = factor_at(map, terrain, at[2], at[3]);
    bool diagonal = rule != ORACLE_HEX && at[0] != at[2] && at[1] != at[3];
    uint64_t base = (diagonal ? steps.diagonal : steps.straight) * unit;
    return (terrain->average ? base * (left + entered) / 2 : base * entered) +
           slope_cost(map, terrain, at);
}

oracle_arcs oracle_arcs_of(const picture *map, oracle_rule rule, oracle_steps steps, uint64_t unit,
                           const oracle_terrain *terrain)
{
    oracle_arcs arcs = {.node_count = picture_size(map)};
    arcs.list = needed(malloc((arcs.node_count * 8 + 1) * sizeof *arcs.list));
    for (int64_t y = 0; y < map->height; y++) {
        for (int64_t x = 0; x < map->width; x++) {
            for (unsigned near = 0; near < 9; near++) {
                int64_t at[4] = {x, y, x + near % 3 - 1, y + near / 3 - 1};
                if (near == 4 || !factor_at(map, terrain, x, y) ||
                    !factor_at(map, terrain, at[2], at[3]) ||
                    !rule_allows(map, terrain, rule, x, y, at[2], at[3]) ||
                    !may_leave(map, rule, x, y, at[2], at[3]))
                    continue;
                arcs.list[arcs.count++] = (oracle_arc){
                    (uint32_t)(y * map->width + x), (uint32_t)(at[3] * map->width + at[2]),
                    step_cost(map, rule, steps, unit, terrain, at)};
            }
        }
    }
    return arcs;
}

oracle_arcs oracle_arcs_copy(const oracle_arcs *arcs)
{
    oracle_arcs copy = *arcs;
    copy.list = needed(malloc((arcs->count + 1) * sizeof *copy.list));
    if (arcs->count)
        memcpy(copy.list, arcs->list, arcs->count * sizeof *copy.list);
    return copy;
}

void oracle_arcs_free(oracle_arcs *arcs)
{
    free(arcs->list);
    *arcs = (oracle_arcs){0};
}

/* Bellman and Ford: over all arcs until nothing changes, forwards and backwards in turn, since arcs
 * are mostly listed by node: costs that one pass carries down the map the next one carries up. */
uint64_t *oracle_arc_costs(const oracle_arcs *arcs, oracle_way way, const uint32_t *nodes,
                           size_t node_count)
{
    uint64_t *costs = needed(malloc((arcs->node_count + 1u) * sizeof *costs));
    for (uint32_t node = 0; node < arcs->node_count; node++)
        costs[node] = ORACLE_NEVER;
    for (size_t i = 0; i < node_count; i++)
        costs[nodes[i]] = 0;
    bool changed = true;
    for (bool backwards = false; changed; backwards = !backwards) {
        changed = false;
        for (size_t i = 0; i < arcs->count; i++) {
            const oracle_arc *arc = &arcs->list[backwards ? arcs->count - 1 - i : i];
            uint32_t near = way == ORACLE_FROM ? arc->from : arc->to;
            uint32_t far = way == ORACLE_FROM ? arc->to : arc->from;
            if (costs[near] == ORACLE_NEVER || costs[near] + arc->cost >= costs[far])
                continue;
            costs[far] = costs[near] + arc->cost;
            changed = true;
        }
    }
    return costs;
}

uint64_t oracle_arc_between(const oracle_arcs *arcs, uint32_t from, uint32_t to)
{
    uint64_t least = ORACLE_NEVER;
    for (size_t i = 0; i < arcs->count; i++) {
        if (arcs->list[i].from == from && arcs->list[i].to == to && arcs->list[i].cost < least)
            least = arcs->list[i].cost;
    }
    return least;
}

uint64_t oracle_arc_path(const oracle_arcs *arcs, const uint32_t *nodes, size_t node_count)
{
    uint64_t cost = 0;
    for (size_t i = 1; i < node_count; i++) {
        uint64_t arc = oracle_arc_between(arcs, nodes[i - 1], nodes[i]);
        if (arc == ORACLE_NEVER)
            return ORACLE_NEVER;
        cost += arc;
    }
    return cost;
}

bool oracle_arcs_are_same(const oracle_arcs *one, const oracle_arcs *other)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        const oracle_arc *a = &one->list[i], *b = &other->list[i];
        if (a->from != b->from || a->to != b->to)
            return false;
        if (a->cost != b->cost && a->from != a->to &&
            oracle_arc_between(one, a->from, a->to) != oracle_arc_between(other, a->from, a->to))
            return false;
    }
    return true;
}

bool oracle_arcs_are_symmetric(const oracle_arcs *arcs)
{
    for (size_t i = 0; i < arcs->count; i++) {
        const oracle_arc *arc = &arcs->list[i];
        if (arc->from != arc->to && oracle_arc_between(arcs, arc->from, arc->to) !=
                                        oracle_arc_between(arcs, arc->to, arc->from))
            return false;
    }
    return true;
}
