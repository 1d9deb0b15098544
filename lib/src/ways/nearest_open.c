/*
 * The open cell that stands in for a blocked one, or for one that leads nowhere: rows are examined
 * outwards, and in each of them the open cells to the left and to the right, outwards as well, by
 * words of openness.
 */
#include "bound/bound.h"
#include "cairn/ways.h"

/* The best cell so far. */
typedef struct open_choice {
    const cairn_map *map;
    cairn_node wanted;
    cairn_node with; /* the result is to be connected with it; CAIRN_NO_NODE: with none */
    uint32_t steps;  /* how far it may be away */
    cairn_node best;
    uint64_t distance;
} open_choice;

/* How many steps on an empty map lead from one cell to another. */
static uint32_t steps_between_cells(const cn_grid *grid, cairn_node a, cairn_node b)
{
    uint32_t ax, ay, bx, by;
    cn_grid_xy(grid, a, &ax, &ay);
    cn_grid_xy(grid, b, &bx, &by);
    const uint32_t across = cn_apart_by(ax, bx), down = cn_apart_by(ay, by);
    switch (grid->rules.rule) {
    case CAIRN_RULE_HEX: return cn_hex_steps(ax, ay, bx, by);
    case CAIRN_RULE_4: return across + down;
    default: return across > down ? across : down;
    }
}

/* Of an open cell. */
static bool is_connected(const open_choice *self, cairn_node node)
{
    return self->with == CAIRN_NO_NODE || cairn_connected(self->map, node, self->with);
}

static void consider_cell(open_choice *self, cairn_node node)
{
    const cairn_map *map = self->map;
    if (!is_connected(self, node))
        return;
    const uint64_t distance = cn_base_uncapped(map, cn_base_of(map, CAIRN_HEURISTIC_BEST), node,
                                               self->wanted);
    if (self->best != CAIRN_NO_NODE &&
        (distance > self->distance || (distance == self->distance && node > self->best)))
        return;
    self->best = node;
    self->distance = distance;
}

/* Whether a cell so many steps away may be chosen. */
static bool may_be_nearest(const open_choice *self, uint32_t steps)
{
    return steps <= self->steps &&
           (self->best == CAIRN_NO_NODE ||
            (uint64_t)steps * self->map->base_metric.straight <= self->distance);
}

static bool reaches(const open_choice *self, uint32_t x, uint32_t y)
{
    const cn_grid *grid = &self->map->grid;
    return may_be_nearest(self, steps_between_cells(grid, y * grid->width + x, self->wanted));
}

/* In a row the steps grow to both sides of the wanted cell's column. */
static void consider_to_the_right(open_choice *self, uint32_t x, uint32_t y)
{
    const cn_grid *grid = &self->map->grid;
    const uint64_t *open = cn_grid_open_row(grid, y);
    uint64_t word = open[x / 64] & ~UINT64_C(0) << x % 64;
    for (uint32_t at = x / 64;; word = open[at]) {
        for (; word; word &= word - 1) {
            const uint32_t column = at * 64 + cn_lowest_bit(word);
            if (column >= grid->width || !reaches(self, column, y))
                return;
            consider_cell(self, y * grid->width + column);
        }
        at++;
        if (at * 64 >= grid->width || !reaches(self, at * 64, y))
            return;
    }
}

/* The columns before x. */
static void consider_to_the_left(open_choice *self, uint32_t x, uint32_t y)
{
    const cn_grid *grid = &self->map->grid;
    const uint64_t *open = cn_grid_open_row(grid, y);
    uint64_t word = open[x / 64] & ((UINT64_C(1) << x % 64) - 1);
    for (uint32_t at = x / 64;; word = open[--at]) {
        while (word) {
            const unsigned bit = cn_highest_bit(word);
            word &= ~(UINT64_C(1) << bit);
            if (!reaches(self, at * 64 + bit, y))
                return;
            consider_cell(self, y * grid->width + at * 64 + bit);
        }
        if (at == 0 || !reaches(self, at * 64 - 1, y))
            return;
    }
}

static void consider_row(open_choice *self, uint32_t x, int64_t y)
{
    if (y < 0 || y >= self->map->grid.height)
        return;
    consider_to_the_right(self, x, (uint32_t)y);
    consider_to_the_left(self, x, (uint32_t)y);
}

cairn_node cairn_nearest_open(const cairn_map *map, cairn_node node, uint32_t steps,
                              cairn_node connected_with)
{
    if (node >= cn_map_node_count(map))
        return CAIRN_NO_NODE;
    open_choice self = {
        .map = map, .wanted = node, .with = connected_with, .steps = steps, .best = CAIRN_NO_NODE};
    if (map->graph || (cn_grid_is_open(&map->grid, node) && is_connected(&self, node)))
        return node;
    uint32_t x, y;
    cn_grid_xy(&map->grid, node, &x, &y);
    for (uint32_t rows = 0; rows < map->grid.height && may_be_nearest(&self, rows); rows++) {
        consider_row(&self, x, (int64_t)y - rows);
        if (rows > 0)
            consider_row(&self, x, (int64_t)y + rows);
    }
    return self.best;
}
