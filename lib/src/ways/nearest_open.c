/* The open cell that stands in for a blocked one: rings of cells are examined outwards. */
#include "table/bound.h"
#include "ways/sight.h"

/* The best cell so far. */
typedef struct stand_in {
    const cairn_map *map;
    cairn_node blocked;
    cairn_node with; /* the result is to be connected with it; CAIRN_NO_NODE: with none */
    uint32_t steps;  /* how far it may be away */
    cairn_node best;
    cairn_cost distance;
} stand_in;

/* How many steps on an empty map lead from one cell to another. */
static uint32_t steps_between_cells(const cn_grid *grid, cairn_node a, cairn_node b)
{
    uint32_t ax, ay, bx, by;
    cn_grid_xy(grid, a, &ax, &ay);
    cn_grid_xy(grid, b, &bx, &by);
    const uint32_t across = ax > bx ? ax - bx : bx - ax, down = ay > by ? ay - by : by - ay;
    switch (grid->rules.rule) {
    case CAIRN_RULE_HEX: return cn_hex_steps(ax, ay, bx, by);
    case CAIRN_RULE_4: return across + down;
    default: return across > down ? across : down;
    }
}

static void consider_cell(stand_in *self, cairn_node node)
{
    const cairn_map *map = self->map;
    if (!cn_grid_is_open(&map->grid, node) ||
        steps_between_cells(&map->grid, node, self->blocked) > self->steps ||
        (self->with != CAIRN_NO_NODE && !cairn_connected(map, node, self->with)))
        return;
    const cairn_cost distance = cn_base_between(map, cn_base_of(map, CAIRN_PLAIN_BEST), node,
                                                self->blocked);
    if (self->best != CAIRN_NO_NODE &&
        (distance > self->distance || (distance == self->distance && node > self->best)))
        return;
    self->best = node;
    self->distance = distance;
}

static int64_t within(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The cells of the square around the blocked cell whose border is `ring` away from it. */
static void consider_ring(stand_in *self, int64_t ring)
{
    const cn_grid *grid = &self->map->grid;
    uint32_t x, y;
    cn_grid_xy(grid, self->blocked, &x, &y);
    const int64_t left = x - ring, right = x + ring, top = y - ring, bottom = y + ring;

    for (int64_t row = within(top, grid->height - 1); row <= within(bottom, grid->height - 1);
         row++) {
        const cairn_node first = (cairn_node)(row * grid->width);
        const bool is_whole = row == top || row == bottom;
        for (int64_t i = within(left, grid->width - 1);
             is_whole && i <= within(right, grid->width - 1); i++)
            consider_cell(self, first + (cairn_node)i);
        if (!is_whole && left >= 0)
            consider_cell(self, first + (cairn_node)left);
        if (!is_whole && right < grid->width)
            consider_cell(self, first + (cairn_node)right);
    }
}

/* A cell on a ring is at least as many straight steps away as the ring is; on hexagons as many as
 * half of it, since `ring` columns may be crossed while rows are changed. */
static bool may_be_nearer(const stand_in *self, uint64_t ring)
{
    const uint64_t steps = self->map->grid.rules.rule == CAIRN_RULE_HEX ? ring / 2 : ring;
    return self->best == CAIRN_NO_NODE || steps * self->map->base_metric.straight <= self->distance;
}

cairn_node cairn_nearest_open(const cairn_map *map, cairn_node node, uint32_t steps,
                              cairn_node connected_with)
{
    if (node >= cn_map_node_count(map))
        return CAIRN_NO_NODE;
    if (map->roads || cn_grid_is_open(&map->grid, node))
        return node;
    stand_in self = {
        .map = map, .blocked = node, .with = connected_with, .steps = steps, .best = CAIRN_NO_NODE};
    const uint32_t side = map->grid.width > map->grid.height ? map->grid.width : map->grid.height;
    for (uint64_t ring = 1; ring <= steps && ring < side && may_be_nearer(&self, ring); ring++)
        consider_ring(&self, (int64_t)ring);
    return self.best;
}
