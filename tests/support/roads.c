#include "roads.h"

#include "check.h"

enum { SIDE = 12, UNIT = 100 };

static uint64_t distance(const twin *both, uint32_t from, uint32_t to)
{
    const int64_t x = (int64_t)both->x[from] - both->x[to];
    const int64_t y = (int64_t)both->y[from] - both->y[to];
    const uint64_t square = (uint64_t)(x * x + y * y);
    uint64_t root = 0;
    while (root * root < square)
        root++;
    return root;
}

static void place(twin *both, dice *luck)
{
    const uint32_t nodes = both->arcs.node_count;
    both->x = calloc(nodes, sizeof *both->x);
    both->y = calloc(nodes, sizeof *both->y);
    assert_true(both->x && both->y);
    for (uint32_t node = 0; node < nodes; node++) {
        both->x[node] = (int32_t)dice_below(luck, SIDE) * UNIT;
        both->y[node] = (int32_t)dice_below(luck, SIDE) * UNIT;
    }
}

/* The nearest of a few nodes drawn. */
static uint32_t node_near(const twin *both, dice *luck, uint32_t node)
{
    enum { TRIES = 3 };
    uint32_t nearest = dice_below(luck, both->arcs.node_count);
    for (unsigned i = 0; i < TRIES; i++) {
        const uint32_t other = dice_below(luck, both->arcs.node_count);
        if (other != node && distance(both, node, other) < distance(both, node, nearest))
            nearest = other;
    }
    return nearest;
}

static oracle_arc draw_arc(const twin *both, dice *luck)
{
    const uint32_t from = dice_below(luck, both->arcs.node_count);
    const uint32_t to = node_near(both, luck, from);
    const uint64_t apart = distance(both, from, to) + 1;
    return (oracle_arc){from, to, apart + dice_below(luck, (uint32_t)apart / 2 + 1)};
}

twin twin_roads(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric)
{
    dice luck = {seed};
    twin made = {.arcs = {.node_count = nodes}};

    made.arcs.list = calloc(arcs + 1u, sizeof *made.arcs.list);
    assert_non_null(made.arcs.list);
    place(&made, &luck);
    for (uint32_t i = 0; i < arcs; i++) {
        const oracle_arc *last = i ? &made.arcs.list[i - 1] : NULL;
        made.arcs.list[made.arcs.count++] = symmetric && i % 2
                                                ? (oracle_arc){last->to, last->from, last->cost}
                                                : draw_arc(&made, &luck);
    }
    made.is_directed = !oracle_arcs_are_symmetric(&made.arcs);
    made.map = twin_rebuilt(&made);
    return made;
}
