/*
 * A tile kernel: a template of vector code (simd/template.h), included once for each instruction
 * set and width of entries.
 */
#include "simd/template.h"

#define INFINITE (BITS == 16 ? UINT16_MAX : CN_PLANE_INFINITE)
#define LANES_MASK ((uint32_t)((UINT64_C(1) << LANES) - 1))

typedef struct NAME(steps) {
    VECTOR straight[5]; /* 1, 2, 4, ... straight steps */
    VECTOR diagonal;
    uint32_t straight_cost;
    uint32_t diagonal_cost;
    bool is_uneven;    /* a constant: costs of steps are sums of what their ends cost, and not the
                        * numbers above */
    bool pays_entered; /* a step costs what the cell costs that the flood enters by it, */
    bool pays_left;    /* or leaves; or both */
} NAME(steps);

/* What the cells of a row cost, straight and slanting: a pointer for steps that enter them, and one
 * for steps that leave them. Those that nothing is paid for point at zeros. */
typedef struct NAME(ends) {
    const ENTRY *entered;
    const ENTRY *left;
} NAME(ends);

typedef struct NAME(visit) {
    cn_tiles *tiles;
    uint32_t tile;
    ENTRY *cells;
    const cn_tile_row *rows;
    const NAME(steps) * steps;
    uint32_t down; /* rows in which entries fell, and from which no downward sweep
                    * has begun */
    uint32_t up;
    uint32_t fell[CN_TILE_ROWS]; /* lanes in which entries fell, by row */
} NAME(visit);

INSIDE ENTRY *NAME(row_at)(ENTRY *cells, unsigned row)
{
    return cells + row * LANES;
}

INSIDE ENTRY *NAME(cells_of)(const cn_tiles *tiles, uint32_t tile)
{
    return (ENTRY *)tiles->plane.costs + (size_t)tile * LANES * CN_TILE_ROWS;
}

static const _Alignas(64) ENTRY NAME(nothing)[2 * LANES];

INSIDE NAME(ends)
    NAME(ends_of)(const cn_tiles *tiles, uint32_t tile, unsigned row, const NAME(steps) * steps)
{
    if (!steps->is_uneven)
        return (NAME(ends)){NULL, NULL};
    const ENTRY *costs = (const ENTRY *)tiles->cell_costs +
                         ((size_t)tile * CN_TILE_ROWS + row) * 2 * LANES;
    return (NAME(ends)){steps->pays_entered ? costs : NAME(nothing),
                        steps->pays_left ? costs : NAME(nothing)};
}

/* A tile becomes live when its first entry falls. */
INSIDE ENTRY *NAME(live_cells)(cn_tiles *tiles, uint32_t tile)
{
    ENTRY *cells = NAME(cells_of)(tiles, tile);
    if (CN_LIKELY(tiles->plane.live[tile]))
        return cells;

    tiles->plane.live[tile] = 1;
    VECTOR infinite = V(all)(INFINITE);
    for (unsigned row = 0; row < CN_TILE_ROWS; row++)
        V(store)(NAME(row_at)(cells, row), infinite);
    return cells;
}

/* What strides along a row cost, by the lane at their end. */
typedef struct NAME(strides) {
    VECTOR upward;
    VECTOR downward;
} NAME(strides);

INSIDE NAME(strides) NAME(single_steps)(NAME(ends) ends, const NAME(steps) * steps)
{
    if (!steps->is_uneven)
        return (NAME(strides)){steps->straight[0], steps->straight[0]};
    const VECTOR entered = V(load)(ends.entered), left = V(load)(ends.left);
    return (NAME(strides)){V(add)(entered, V(ascend)(left, 1)),
                           V(add)(entered, V(descend)(left, 1))};
}

/* Strides of twice as many lanes. */
INSIDE void NAME(double_strides)(NAME(strides) * strides, unsigned power, const NAME(steps) * steps)
{
    const unsigned lanes = 1u << power;
    if (!steps->is_uneven) {
        strides->upward = strides->downward = steps->straight[power + 1];
        return;
    }
    strides->upward = V(add)(strides->upward, V(ascend)(strides->upward, lanes));
    strides->downward = V(add)(strides->downward, V(descend)(strides->downward, lanes));
}

/* A stride along a row in both directions, for the lanes at the end of 1 << power straight steps:
 * `run` has those at the end of upward steps. */
INSIDE void NAME(stride)(VECTOR *upward, VECTOR *downward, uint32_t *run, unsigned power,
                         const NAME(strides) * strides)
{
    const unsigned lanes = 1u << power;
    *upward = V(min_where)(*upward, *run, V(add)(V(ascend)(*upward, lanes), strides->upward));
    *downward = V(min_where)(*downward, *run >> lanes,
                             V(add)(V(descend)(*downward, lanes), strides->downward));
    *run &= *run << lanes;
}

/* All steps along a row, in both directions: strides of 1, 2, 4, ... over runs of open lanes. */
INSIDE VECTOR NAME(settle_row)(VECTOR costs, uint32_t open, NAME(ends) ends,
                               const NAME(steps) * steps)
{
    VECTOR upward = costs, downward = costs;
    uint32_t run = open & open << 1;
    NAME(strides) strides = NAME(single_steps)(ends, steps);

    NAME(stride)(&upward, &downward, &run, 0, &strides);
    NAME(double_strides)(&strides, 0, steps);
    NAME(stride)(&upward, &downward, &run, 1, &strides);
    if (LANES > 4) {
        NAME(double_strides)(&strides, 1, steps);
        NAME(stride)(&upward, &downward, &run, 2, &strides);
    }
    if (LANES > 8) {
        NAME(double_strides)(&strides, 2, steps);
        NAME(stride)(&upward, &downward, &run, 3, &strides);
    }
    if (LANES > 16) {
        NAME(double_strides)(&strides, 3, steps);
        NAME(stride)(&upward, &downward, &run, 4, &strides);
    }
    return V(min)(upward, downward);
}

/* The lanes in which entries fell: they never rise. */
INSIDE uint32_t NAME(fallen)(VECTOR after, VECTOR before)
{
    return ~V(equal)(after, before) & LANES_MASK;
}

/* Whether a single step along the row would still improve it. */
INSIDE bool NAME(is_unsettled)(VECTOR costs, uint32_t open, NAME(ends) ends,
                               const NAME(steps) * steps)
{
    const NAME(strides) single = NAME(single_steps)(ends, steps);
    uint32_t run = open & open << 1;
    VECTOR upward = V(add)(V(ascend)(costs, 1), single.upward);
    VECTOR downward = V(add)(V(descend)(costs, 1), single.downward);
    return ((V(less)(upward, costs) & run) | (V(less)(downward, costs) & run >> 1)) != 0;
}

/* The row beside one, and the lanes of this one that steps from there lead to: straight ones all
 * open lanes, since blocked cells are never reached. */
typedef struct NAME(beside) {
    VECTOR costs;
    const ENTRY *left; /* what steps that leave it cost */
    uint32_t from_left;
    uint32_t from_right;
} NAME(beside);

/* The costs of a row after steps from the row beside it. */
INSIDE VECTOR NAME(step_into)(VECTOR costs, const NAME(beside) * beside, uint32_t open,
                              const ENTRY *entered, const NAME(steps) * steps)
{
    if (!steps->is_uneven) {
        VECTOR diagonal = V(add)(beside->costs, steps->diagonal);
        costs = V(min_where)(costs, open, V(add)(beside->costs, steps->straight[0]));
        costs = V(min_where)(costs, beside->from_left, V(ascend)(diagonal, 1));
        return V(min_where)(costs, beside->from_right, V(descend)(diagonal, 1));
    }
    const VECTOR slanting = V(load)(entered + LANES);
    const VECTOR straight = V(add)(beside->costs, V(load)(beside->left));
    const VECTOR diagonal = V(add)(beside->costs, V(load)(beside->left + LANES));
    costs = V(min_where)(costs, open, V(add)(straight, V(load)(entered)));
    costs = V(min_where)(costs, beside->from_left, V(add)(V(ascend)(diagonal, 1), slanting));
    return V(min_where)(costs, beside->from_right, V(add)(V(descend)(diagonal, 1), slanting));
}

INSIDE NAME(ends) NAME(own_ends)(const NAME(visit) * visit, unsigned row)
{
    return NAME(ends_of)(visit->tiles, visit->tile, row, visit->steps);
}

/* Settles the rows that other tiles changed, beginning with steps along them. The border rows and
 * columns count as fallen, since it is not known which of their entries fell. */
INSIDE void NAME(settle_dirty)(NAME(visit) * visit, uint32_t dirty)
{
    const uint32_t ends = 1 | 1u << (LANES - 1);
    memset(visit->fell, 0, sizeof visit->fell);
    for (; dirty; dirty &= dirty - 1) {
        unsigned row = cn_lowest_bit(dirty);
        uint32_t open = visit->rows[row].open;
        ENTRY *cells = NAME(row_at)(visit->cells, row);
        VECTOR before = V(load)(cells);
        VECTOR after = NAME(settle_row)(before, open, NAME(own_ends)(visit, row), visit->steps);
        V(store)(cells, after);
        visit->fell[row] = row == 0 || row == CN_TILE_ROWS - 1
                               ? open
                               : NAME(fallen)(after, before) | (open & ends);
    }
}

/* Takes the steps into a row from the row beside it, and becomes what is beside the next; false
 * when nothing fell. */
INSIDE bool NAME(sweep_row)(NAME(visit) * visit, unsigned row, NAME(beside) * beside)
{
    const NAME(ends) ends = NAME(own_ends)(visit, row);
    uint32_t open = visit->rows[row].open;
    ENTRY *cells = NAME(row_at)(visit->cells, row);
    VECTOR before = V(load)(cells);
    VECTOR after = NAME(step_into)(before, beside, open, ends.entered, visit->steps);
    uint32_t fell = NAME(fallen)(after, before);

    beside->left = ends.left;
    beside->costs = after;
    if (!fell)
        return false;
    if (NAME(is_unsettled)(after, open, ends, visit->steps)) {
        after = NAME(settle_row)(after, open, ends, visit->steps);
        fell = NAME(fallen)(after, before);
        beside->costs = after;
    }
    V(store)(cells, after);
    visit->fell[row] |= fell;
    return true;
}

INSIDE NAME(beside) NAME(beside_of)(const NAME(visit) * visit, unsigned row)
{
    return (NAME(beside)){.costs = V(load)(NAME(row_at)(visit->cells, row)),
                          .left = NAME(own_ends)(visit, row).left};
}

INSIDE void NAME(sweep_down)(NAME(visit) * visit)
{
    unsigned row = cn_lowest_bit(visit->down);
    uint32_t waiting = visit->down, fell = 0;
    NAME(beside) beside = NAME(beside_of)(visit, row);

    for (row++; row < CN_TILE_ROWS; row++) {
        beside.from_left = visit->rows[row].from_left;
        beside.from_right = visit->rows[row].from_right;
        if (NAME(sweep_row)(visit, row, &beside)) {
            fell |= 1u << row;
            waiting |= 1u << row;
        } else if (!(waiting >> row)) {
            break;
        }
    }
    visit->down = 0;
    visit->up |= fell;
}

INSIDE void NAME(sweep_up)(NAME(visit) * visit)
{
    unsigned row = cn_highest_bit(visit->up);
    uint32_t waiting = visit->up, fell = 0;
    NAME(beside) beside = NAME(beside_of)(visit, row);

    while (row-- > 0) {
        beside.from_left = visit->rows[row + 1].from_right << 1;
        beside.from_right = visit->rows[row + 1].from_left >> 1;
        if (NAME(sweep_row)(visit, row, &beside)) {
            fell |= 1u << row;
            waiting |= 1u << row;
        } else if (!(waiting & ((2u << row) - 1))) {
            break;
        }
    }
    visit->up = 0;
    visit->down |= fell;
}

/* Wakes a tile for a cost that fell in it from outside. */
INSIDE void NAME(wake)(cn_tiles *tiles, uint32_t tile, uint32_t rows, uint32_t least, uint32_t most)
{
    tiles->most_crossing = most > tiles->most_crossing ? most : tiles->most_crossing;
    cn_tile_wake(tiles, tile, rows, least);
}

/* The same for some lanes of a row. */
INSIDE void NAME(wake_lanes)(cn_tiles *tiles, uint32_t tile, unsigned row, const ENTRY *cells,
                             uint32_t lanes)
{
    uint32_t least = INFINITE, most = 0;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t cost = cells[cn_lowest_bit(lanes)];
        least = cost < least ? cost : least;
        most = cost > most ? cost : most;
    }
    NAME(wake)(tiles, tile, 1u << row, least, most);
}

/* Steps over the upper or lower side into row `target` of another tile. */
INSIDE void NAME(step_over)(NAME(visit) * visit, unsigned from, uint32_t other, unsigned target,
                            uint32_t from_left, uint32_t from_right)
{
    cn_tiles *tiles = visit->tiles;
    uint32_t open = tiles->rows[(size_t)other * CN_TILE_ROWS + target].open;
    if (!((open & visit->rows[from].open) | from_left | from_right))
        return;

    NAME(beside) beside = NAME(beside_of)(visit, from);
    beside.from_left = from_left;
    beside.from_right = from_right;
    ENTRY *cells = NAME(row_at)(NAME(live_cells)(tiles, other), target);
    VECTOR before = V(load)(cells);
    VECTOR after = NAME(step_into)(before, &beside, open,
                                   NAME(ends_of)(tiles, other, target, visit->steps).entered,
                                   visit->steps);
    const uint32_t fell = NAME(fallen)(after, before);
    if (!fell)
        return;
    V(store)(cells, after);
    NAME(wake_lanes)(tiles, other, target, cells, fell);
}

INSIDE void NAME(step_up_and_down)(NAME(visit) * visit)
{
    const unsigned last = CN_TILE_ROWS - 1;
    cn_tiles *tiles = visit->tiles;

    if (visit->fell[0] && visit->tile >= tiles->columns) {
        const cn_tile_row *own = visit->rows;
        NAME(step_over)
        (visit, 0, visit->tile - tiles->columns, last, own->from_right << 1, own->from_left >> 1);
    }
    if (visit->fell[last] && visit->tile + tiles->columns < tiles->tile_count) {
        uint32_t other = visit->tile + tiles->columns;
        const cn_tile_row *target = &tiles->rows[(size_t)other * CN_TILE_ROWS];
        NAME(step_over)(visit, last, other, 0, target->from_left, target->from_right);
    }
}

/* The border columns on both sides of the step from one tile to the next beside it. */
typedef struct NAME(crossing) {
    uint32_t other;
    unsigned from;
    unsigned to;
} NAME(crossing);

/* One step from row `from` into the border column of the tile at the side; rows above and below a
 * tile belong to the tiles above and below it. */
INSIDE void NAME(step_aside)(NAME(visit) * visit, const NAME(crossing) * over, unsigned from,
                             int row, bool slants)
{
    const NAME(steps) *steps = visit->steps;
    const unsigned slanting = slants ? LANES : 0, target = (unsigned)row % CN_TILE_ROWS;
    uint32_t cost = NAME(row_at)(visit->cells, from)[over->from], other = over->other;
    if (row < 0)
        other -= visit->tiles->columns;
    if (row >= CN_TILE_ROWS)
        other += visit->tiles->columns;
    if (steps->is_uneven) {
        cost += NAME(own_ends)(visit, from).left[slanting + over->from];
        cost += NAME(ends_of)(visit->tiles, other, target, steps).entered[slanting + over->to];
    } else {
        cost += slants ? steps->diagonal_cost : steps->straight_cost;
    }
    ENTRY *cell = NAME(row_at)(NAME(live_cells)(visit->tiles, other), target) + over->to;
    if (cost >= *cell)
        return;
    *cell = (ENTRY)cost;
    NAME(wake)(visit->tiles, other, 1u << target, cost, cost);
}

/* The same steps for all rows of a column at once: of costs in the rows from which they start, to
 * those of the column that they lead to, in whose rows the bits of the masks are. Returns the rows
 * in which costs fell. */
INSIDE uint32_t NAME(step_from_column)(const ENTRY *from, ENTRY *to, uint32_t level, uint32_t down,
                                       uint32_t up, const NAME(steps) * steps)
{
    uint32_t fell = 0;
    for (unsigned row = 0; row < CN_TILE_ROWS; row += LANES) {
        const VECTOR before = V(load_any)(to + row);
        const VECTOR above = V(add)(V(load_any)(from + row - 1), steps->diagonal);
        const VECTOR beside = V(add)(V(load_any)(from + row), steps->straight[0]);
        const VECTOR below = V(add)(V(load_any)(from + row + 1), steps->diagonal);
        VECTOR after = V(min_where)(before, level >> row & LANES_MASK, beside);
        after = V(min_where)(after, down >> row & LANES_MASK, above);
        after = V(min_where)(after, up >> row & LANES_MASK, below);
        V(store_any)(to + row, after);
        fell |= NAME(fallen)(after, before) << row;
    }
    return fell;
}

/* Steps of equal costs from some rows into rows of the tile beside this one. */
INSIDE void NAME(step_from_many)(NAME(visit) * visit, uint32_t rows, const NAME(crossing) * over,
                                 uint32_t level, uint32_t down, uint32_t up)
{
    ENTRY from[1 + CN_TILE_ROWS + 1], to[CN_TILE_ROWS];
    uint32_t least = INFINITE, most = 0;

    level &= rows;
    down = (down & rows) << 1;
    up = (up & rows) >> 1;
    if (!(level | down | up))
        return;
    ENTRY *cells = NAME(live_cells)(visit->tiles, over->other) + over->to;
    from[0] = from[CN_TILE_ROWS + 1] = INFINITE;
    for (unsigned row = 0; row < CN_TILE_ROWS; row++) {
        from[row + 1] = visit->cells[row * LANES + over->from];
        to[row] = cells[row * LANES];
    }
    const uint32_t fell = NAME(step_from_column)(from + 1, to, level, down, up, visit->steps);
    for (uint32_t left = fell; left; left &= left - 1) {
        const unsigned row = cn_lowest_bit(left);
        cells[row * LANES] = to[row];
        least = to[row] < least ? to[row] : least;
        most = to[row] > most ? to[row] : most;
    }
    if (fell)
        NAME(wake)(visit->tiles, over->other, fell, least, most);
}

INSIDE void NAME(step_sideways)(NAME(visit) * visit, uint32_t rows, NAME(crossing) over,
                                uint32_t level, uint32_t down, uint32_t up)
{
    if (!visit->steps->is_uneven) {
        NAME(step_from_many)(visit, rows, &over, level, down, up);
        level = 0;
        down &= UINT32_C(1) << (CN_TILE_ROWS - 1);
        up &= 1;
    }
    for (rows &= level | down | up; rows; rows &= rows - 1) {
        int row = (int)cn_lowest_bit(rows);
        if (level >> row & 1)
            NAME(step_aside)(visit, &over, (unsigned)row, row, false);
        if (down >> row & 1)
            NAME(step_aside)(visit, &over, (unsigned)row, row + 1, true);
        if (up >> row & 1)
            NAME(step_aside)(visit, &over, (unsigned)row, row - 1, true);
    }
}

INSIDE void NAME(step_left_and_right)(NAME(visit) * visit)
{
    const cn_tile_sides *sides = &visit->tiles->sides[visit->tile];
    const NAME(crossing) to_left = {visit->tile - 1, 0, LANES - 1};
    const NAME(crossing) to_right = {visit->tile + 1, LANES - 1, 0};
    uint32_t left = 0, right = 0;

    for (unsigned row = 0; row < CN_TILE_ROWS; row++) {
        left |= (visit->fell[row] & 1) << row;
        right |= (visit->fell[row] >> (LANES - 1)) << row;
    }
    NAME(step_sideways)
    (visit, left, to_left, sides->left, sides->left_down, sides->left_up);
    NAME(step_sideways)
    (visit, right, to_right, sides->right, sides->right_down, sides->right_up);
}

INSIDE void NAME(visit_tile)(cn_tiles *tiles, uint32_t tile, const NAME(steps) * steps)
{
    NAME(visit) visit;
    visit.tiles = tiles;
    visit.tile = tile;
    visit.cells = NAME(cells_of)(tiles, tile);
    visit.rows = tiles->rows + (size_t)tile * CN_TILE_ROWS;
    visit.steps = steps;
    visit.down = visit.up = tiles->waits[tile].dirty;
    tiles->waits[tile].dirty = 0;

    NAME(settle_dirty)(&visit, visit.down);
    while (visit.down | visit.up) {
        if (visit.down)
            NAME(sweep_down)(&visit);
        if (visit.up)
            NAME(sweep_up)(&visit);
    }
    NAME(step_up_and_down)(&visit);
    NAME(step_left_and_right)(&visit);
}

INSIDE void NAME(spread_in)(cn_tiles *tiles, cn_flood_end *end, cn_way way, bool is_uneven)
{
    const bool average = tiles->map->grid.rules.charge == CAIRN_CHARGE_AVERAGE;
    const cairn_cost *step = tiles->map->step;
    NAME(steps) steps;
    for (unsigned power = 0; 1u << power < LANES; power++) {
        uint64_t cost = (uint64_t)step[0] << power;
        steps.straight[power] = V(all)(cost < INFINITE ? (ENTRY)cost : INFINITE);
    }
    steps.diagonal = V(all)(step[1] < INFINITE ? (ENTRY)step[1] : INFINITE);
    steps.straight_cost = step[0];
    steps.diagonal_cost = step[1];
    steps.is_uneven = is_uneven;
    steps.pays_entered = average || way == CN_FORWARD;
    steps.pays_left = average || way == CN_REVERSE;

    uint32_t bucket = tiles->queue.now;
    for (uint32_t tile; cn_tile_next(tiles, &tile);) {
        if (tiles->queue.now != bucket && cn_flood_may_end(end, cn_tile_floor(&tiles->queue))) {
            cn_tile_give_up(tiles, tile);
            return;
        }
        bucket = tiles->queue.now;
        NAME(visit_tile)(tiles, tile, &steps);
    }
}

static KERNEL void NAME(spread)(cn_tiles *tiles, cn_flood_end *end)
{
    NAME(spread_in)(tiles, end, CN_FORWARD, false);
}

static KERNEL void NAME(spread_uneven)(cn_tiles *tiles, cn_flood_end *end, cn_way way)
{
    NAME(spread_in)(tiles, end, way, true);
}

/* Whether the cost of some reached cell is more than `cost`. */
static KERNEL bool NAME(exceeds)(const cn_tiles *tiles, uint32_t cost)
{
    const VECTOR most = V(all)((ENTRY)cost), infinite = V(all)(INFINITE);
    for (uint32_t tile = 0; tile < tiles->tile_count; tile++) {
        ENTRY *cells = NAME(cells_of)(tiles, tile);
        uint32_t above = 0;
        if (!tiles->plane.live[tile])
            continue;
        for (unsigned row = 0; row < CN_TILE_ROWS; row++) {
            VECTOR costs = V(load)(NAME(row_at)(cells, row));
            above |= V(less)(most, costs) & V(less)(costs, infinite);
        }
        if (above)
            return true;
    }
    return false;
}

static KERNEL void NAME(start)(cn_tiles *tiles, const cairn_node *sources, size_t source_count)
{
    for (size_t i = 0; i < source_count; i++) {
        uint32_t x, y;
        cn_grid_xy(&tiles->map->grid, sources[i], &x, &y);
        uint32_t tile = (y >> CN_TILE_ROWS_SHIFT) * tiles->columns + x / LANES;
        unsigned row = y % CN_TILE_ROWS;
        NAME(row_at)(NAME(live_cells)(tiles, tile), row)[x % LANES] = 0;
        cn_tile_wake(tiles, tile, 1u << row, 0);
    }
}

#undef INFINITE
#undef LANES_MASK
#include "simd/template_end.h"
