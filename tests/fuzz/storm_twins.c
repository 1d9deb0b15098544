/* Maps that live in a storm. */
#include "storm.h"

#include "support/check.h"
#include "support/roads.h"

enum { ROUNDS = 100, LARGE_ROUNDS = 40, DENSE_ROUNDS = 200 };

/* Of dense lives. */
enum { MOST_SIDE = 12, MOST_NODES = 24 };

/* Longer than a word of a bit plane either way, or several tiles of components wide and high. */
static twin large_twin(unsigned kind, uint64_t seed, cairn_metric metric, dice *luck)
{
    const oracle_rule rule = (oracle_rule)(kind % ORACLE_RULES);
    const terrain_kind terrain = (terrain_kind)(kind / ORACLE_RULES);
    const bool is_long = dice_below(luck, 2), is_tall = dice_below(luck, 2);
    const uint32_t longer = is_long ? 30 + dice_below(luck, 100) : 17 + dice_below(luck, 22);
    const uint32_t other = is_long ? 2 + dice_below(luck, 9) : 17 + dice_below(luck, 18);
    return twin_sized(seed, rule, terrain, metric, is_tall ? other : longer,
                      is_tall ? longer : other);
}

/* Of few cells, in several components, and with tables of corners. */
static twin tiny_twin(uint64_t seed, dice *luck)
{
    const uint32_t width = 4 + dice_below(luck, 12), height = 4 + dice_below(luck, 12);
    return twin_sized(seed, ORACLE_8, TERRAIN_UNIFORM, CAIRN_METRIC_OCTILE, width, height);
}

static cairn_metric any_metric(dice *luck)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}, {1, 2}};
    return metrics[dice_below(luck, COUNT_OF(metrics))];
}

/* One of twelve is large, and one of five tiny. */
static unsigned make_usual(storm_scene *here, uint64_t seed)
{
    if (dice_below(&here->luck, 5) == 0) {
        here->both = tiny_twin(seed, &here->luck);
        return ROUNDS;
    }
    unsigned kind = dice_below(&here->luck, STORM_KINDS);
    bool is_large = kind < STORM_GRIDS && dice_below(&here->luck, 12) == 0;

    if (is_large)
        here->both = large_twin(kind, seed, any_metric(&here->luck), &here->luck);
    else
        here->both = storm_twin(kind, seed);
    return is_large ? LARGE_ROUNDS : ROUNDS;
}

static twin dense_graph(uint64_t seed, dice *luck)
{
    const uint32_t nodes = 2 + dice_below(luck, MOST_NODES - 1);
    const uint32_t arcs = nodes * (1 + dice_below(luck, 3)) / 2 * 2;
    const bool symmetric = dice_below(luck, 2);
    switch (dice_below(luck, 4)) {
    case 0: return twin_graph(seed, nodes, arcs, symmetric, dice_below(luck, 2));
    case 1: return twin_callback_graph(seed, nodes, arcs, symmetric);
    default: return twin_roads(seed, nodes, arcs, symmetric);
    }
}

static unsigned make_dense(storm_scene *here, uint64_t seed)
{
    dice *luck = &here->luck;
    const uint32_t width = 2 + dice_below(luck, MOST_SIDE - 1);
    const uint32_t height = 2 + dice_below(luck, MOST_SIDE - 1);
    const oracle_rule rule = (oracle_rule)dice_below(luck, ORACLE_RULES);
    const terrain_kind kind = dice_below(luck, 3) ? (terrain_kind)dice_below(luck, TERRAIN_KINDS)
                                                  : TERRAIN_UNIFORM;

    here->is_dense = true;
    if (dice_below(luck, 4) == 0)
        here->both = dense_graph(seed, luck);
    else
        here->both = twin_sized(seed, rule, kind, any_metric(luck), width, height);
    here->is_mild = !here->both.drawn.letters && dice_below(luck, 4);
    return DENSE_ROUNDS;
}

unsigned storm_any_twin(storm_scene *here, uint64_t seed)
{
    return dice_below(&here->luck, 2) ? make_dense(here, seed / 2) : make_usual(here, seed / 2);
}
