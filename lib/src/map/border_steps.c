/* Which steps searches take from the borders of jump planes (jump_points.h). */
#include <string.h>

#include "map/jump_points.h"
#include "map/map_steps.h"
#include "simd/vec128.h"

/* What steps cost from one cell of a border's neighbourhood to another (cn_hood); to itself,
 * nothing. */
typedef uint32_t hood_costs[CN_HOOD][CN_HOOD];

/* The cost of what is no step: above that of any two steps; twice as much has no highest bit. */
#define NEVER CAIRN_COST_MAX

static void price_hood(const cn_jump *jump, cairn_node border, hood_costs costs)
{
    const cn_grid *grid = &jump->map->grid;
    const int32_t *around = cn_grid_offsets(grid, border);
    const unsigned open = grid->around[border] | 1u << CN_NOWHERE;

    for (unsigned place = 0; place < CN_HOOD; place++) {
        for (unsigned to = 0; to < CN_HOOD; to++)
            costs[place][to] = to == place ? 0 : NEVER;
        if (!CN_HAS(open, place))
            continue;
        const cairn_node cell = border + (cairn_node)(place == CN_NOWHERE ? 0 : around[place]);
        const int32_t *offset = cn_grid_offsets(grid, cell);
        unsigned steps = cn_grid_steps(grid, cell) & jump->hood.steps[place];
        for (; steps; steps &= steps - 1) {
            unsigned direction = cn_lowest_bit(steps);
            cairn_node next = cell + (cairn_node)offset[direction];
            costs[place][jump->hood.to[place][direction]] = cn_grid_step_cost(jump->map, cell, next,
                                                                              direction);
        }
    }
}

/* Of the steps in v128_lanes_32 directions, from e on, those that a detour comes before, if a path
 * arrives at the border in a given direction; the lowest bit stands for e. The difference between
 * detour and path has its highest bit set where the detour is less. */
static unsigned beaten_steps(const cn_hood *hood, hood_costs costs, unsigned arrival, unsigned e)
{
    const unsigned last = cn_opposite(arrival);
    const v128_vector_32 through = v128_add_32(v128_all_32(costs[last][CN_NOWHERE]),
                                               v128_load_any_32(costs[CN_NOWHERE] + e));
    v128_vector_32 least = v128_all_32(0);

    for (unsigned left = hood->middles[arrival]; left; left &= left - 1) {
        unsigned middle = cn_lowest_bit(left);
        v128_vector_32 around = v128_add_32(v128_all_32(costs[last][middle]),
                                            v128_load_any_32(costs[middle] + e));
        v128_vector_32 ties = v128_load_any_32(hood->ties[arrival][middle] + e);
        least = v128_either_32(least, v128_minus_32(v128_minus_32(around, ties), through));
    }
    return v128_less_32(v128_all_32(INT32_MAX), least);
}

/* Of the steps from a border, those that a canonical path may take which arrives in a direction. */
static uint8_t keep_canonical(const cn_hood *hood, hood_costs costs, unsigned arrival,
                              unsigned steps)
{
    unsigned out = 1u << cn_opposite(arrival);
    for (unsigned e = 0; e < CN_DIRECTIONS; e += v128_lanes_32)
        out |= beaten_steps(hood, costs, arrival, e) << e;
    return (uint8_t)(steps & ~out);
}

void cn_jump_fill_border(cn_jump *jump, cairn_node border)
{
    const cn_grid *grid = &jump->map->grid;
    const unsigned steps = cn_grid_steps(grid, border);
    uint8_t *kept = jump->border_steps + (size_t)border * CN_DIRECTIONS;
    hood_costs costs;

    price_hood(jump, border, costs);
    for (unsigned arrival = 0; arrival < CN_DIRECTIONS; arrival++) {
        bool is_possible = CN_HAS(grid->around[border], cn_opposite(arrival));
        kept[arrival] = is_possible ? keep_canonical(&jump->hood, costs, arrival, steps) : 0;
    }
}

/* -------------------------------------------------------------------------- of a whole map -- */

/* What decides the steps at a border: alike borders have the same. */
typedef struct neighbourhood {
    uint64_t letters;             /* of the open neighbours: byte d, that in direction d */
    int16_t rises[CN_DIRECTIONS]; /* how much higher they lie */
    uint8_t around, letter;
} neighbourhood;

typedef struct kept_steps {
    neighbourhood at;
    bool is_filled;
    uint8_t steps[CN_DIRECTIONS];
} kept_steps;

enum { KEPT_BITS = 9 };

static neighbourhood neighbourhood_of(const cn_grid *grid, cairn_node border)
{
    const int32_t *offset = cn_grid_offsets(grid, border);
    const uint16_t *heights = grid->heights.cells;
    neighbourhood made = {.around = grid->around[border], .letter = grid->letters[border]};
    for (unsigned left = made.around; left; left &= left - 1) {
        const unsigned direction = cn_lowest_bit(left);
        const cairn_node next = border + (cairn_node)offset[direction];
        made.letters |= (uint64_t)grid->letters[next] << 8 * direction;
        if (heights)
            made.rises[direction] = (int16_t)((int)heights[next] - heights[border]);
    }
    return made;
}

static size_t place_of(const neighbourhood *like)
{
    uint64_t rises[2], mixed = like->letters ^ (uint64_t)like->around << 40 ^ like->letter;
    memcpy(rises, like->rises, sizeof rises);
    mixed = (mixed ^ mixed >> 29) * 0x9e3779b97f4a7c15u + rises[0];
    mixed = (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9u + rises[1];
    return (mixed ^ mixed >> 31) * 0x94d049bb133111ebu >> (64 - KEPT_BITS);
}

static bool are_alike(const neighbourhood *a, const neighbourhood *b)
{
    return a->letters == b->letters && a->around == b->around && a->letter == b->letter &&
           memcmp(a->rises, b->rises, sizeof a->rises) == 0;
}

/* Fills the steps at a border, or copies those that are kept of one like it. */
static void copy_border_steps(cn_jump *jump, cairn_node border, kept_steps *kept)
{
    uint8_t *const steps = jump->border_steps + (size_t)border * CN_DIRECTIONS;
    const neighbourhood like = neighbourhood_of(&jump->map->grid, border);
    kept_steps *const at = &kept[place_of(&like)];

    if (at->is_filled && are_alike(&at->at, &like)) {
        memcpy(steps, at->steps, CN_DIRECTIONS);
        return;
    }
    cn_jump_fill_border(jump, border);
    *at = (kept_steps){.at = like, .is_filled = true};
    memcpy(at->steps, steps, CN_DIRECTIONS);
}

void cn_jump_fill_borders(cn_jump *jump)
{
    const cn_grid *grid = &jump->map->grid;
    const bool rises_fit = !grid->heights.cells || grid->heights.range <= INT16_MAX;
    kept_steps kept[1 << KEPT_BITS] = {{.is_filled = false}};

    for (size_t word = 0; word < cn_border_words(grid); word++) {
        for (uint64_t left = jump->borders[word]; left; left &= left - 1) {
            const cairn_node border = (cairn_node)(word * 64) + cn_lowest_bit(left);
            if (rises_fit)
                copy_border_steps(jump, border, kept);
            else
                cn_jump_fill_border(jump, border);
        }
    }
}
