#include "components/opened_ring.h"

enum { RING_MOST = 8 };

/* The cells around a cell, and which of them are connected: those of the same group. */
typedef struct ring {
    cairn_node cells[RING_MOST];
    unsigned group[RING_MOST];
    unsigned count;
} ring;

/* The directions in which steps connect a cell to others, in either direction of the step, whatever
 * other cells are. */
static unsigned connecting_steps(const cn_grid *grid, cairn_node node)
{
    unsigned steps = grid->moves[grid->around[node]];

    if (cn_rule_joins_straight(grid->rules.rule))
        steps &= (1u << CN_STRAIGHT) - 1;
    return grid->has_one_way ? cn_grid_joined_steps(grid, node, steps) : steps;
}

/* The directions in which a cell that opens may connect others, to itself or, next to a diagonal
 * step, to one another. Where straight steps may be one-way, diagonal ones may connect on their
 * own. */
static unsigned joining_steps(const cn_grid *grid, cairn_node node)
{
    return grid->has_one_way ? grid->moves[grid->around[node]] : connecting_steps(grid, node);
}

static ring ring_around(const cn_grid *grid, const uint8_t *marks, uint8_t later, cairn_node node)
{
    uint32_t x, y;
    ring found = {.count = 0};

    cn_grid_xy(grid, node, &x, &y);
    for (uint32_t row = y - (y > 0); row <= y + 1 && row < grid->height; row++) {
        for (uint32_t column = x - (x > 0); column <= x + 1 && column < grid->width; column++) {
            cairn_node near = row * grid->width + column;
            if (near == node || !cn_grid_is_open(grid, near) || marks[near] & later)
                continue;
            found.cells[found.count] = near;
            found.group[found.count] = found.count;
            found.count++;
        }
    }
    return found;
}

/* The index of a node in the ring; the count where it is not there. */
static unsigned place_in(const ring *around, cairn_node node)
{
    unsigned i = 0;
    while (i < around->count && around->cells[i] != node)
        i++;
    return i;
}

static void join_groups(ring *around, unsigned one, unsigned other)
{
    const unsigned from = around->group[other], to = around->group[one];
    for (unsigned i = 0; i < around->count; i++) {
        if (around->group[i] == from)
            around->group[i] = to;
    }
}

static void join_ring(const cn_grid *grid, ring *around)
{
    for (unsigned i = 0; i < around->count; i++) {
        const cairn_node node = around->cells[i];
        for (unsigned steps = connecting_steps(grid, node); steps; steps &= steps - 1) {
            unsigned direction = cn_lowest_bit(steps);
            unsigned next = place_in(around,
                                     node + (cairn_node)cn_grid_offsets(grid, node)[direction]);
            if (next < around->count)
                join_groups(around, i, next);
        }
    }
}

bool cn_opening_joins(const cn_grid *grid, const uint8_t *marks, uint8_t later, cairn_node node)
{
    const int32_t *offset = cn_grid_offsets(grid, node);
    ring around = ring_around(grid, marks, later, node);
    unsigned first = RING_MOST;

    join_ring(grid, &around);
    for (unsigned steps = joining_steps(grid, node); steps; steps &= steps - 1) {
        unsigned next = place_in(&around, node + (cairn_node)offset[cn_lowest_bit(steps)]);
        if (next == around.count)
            continue;
        if (first < RING_MOST && around.group[next] != first)
            return true;
        first = around.group[next];
    }
    return false;
}
