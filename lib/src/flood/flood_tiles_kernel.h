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
    bool is_rough;     /* a constant: slopes cost something, or some cells are one-way */
    bool is_reverse;   /* the flood goes against the steps */
} NAME(steps);

/* What the cells of a row cost, straight and slanting: a pointer for steps that enter them, and one
 * for steps that leave them. Those that nothing is paid for point at zeros. The others are of rough
 * ground: what cells are above others counts by `rising` if the flood enters the higher one, and by
 * `falling` if the lower one; the lanes that it may leave, by the direction of its step, and those
 * that it may enter, by the opposite direction. */
typedef struct NAME(ends) {
    const ENTRY *entered;
    const ENTRY *left;
    const ENTRY *rising;
    const ENTRY *falling;
    const uint32_t *may_leave;
    const uint32_t *may_enter;
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
static const uint32_t NAME(all_lanes)[CN_DIRECTIONS] = {
    LANES_MASK, LANES_MASK, LANES_MASK, LANES_MASK, LANES_MASK, LANES_MASK, LANES_MASK, LANES_MASK,
};

INSIDE NAME(ends)
    NAME(ends_of)(const cn_tiles *tiles, uint32_t tile, unsigned row, const NAME(steps) * steps)
{
    NAME(ends) ends = {.entered = NULL};
    if (!steps->is_uneven)
        return ends;
    const size_t at = (size_t)tile * CN_TILE_ROWS + row;
    const ENTRY *costs = (const ENTRY *)tiles->cell_costs + at * 2 * LANES;
    ends.entered = steps->pays_entered ? costs : NAME(nothing);
    ends.left = steps->pays_left ? costs : NAME(nothing);
    if (!steps->is_rough)
        return ends;
    const ENTRY *up = tiles->slopes ? (const ENTRY *)tiles->slopes + at * 2 * LANES : NAME(nothing);
    const uint32_t *exits = tiles->exits ? tiles->exits + at * CN_DIRECTIONS : NAME(all_lanes);
    ends.rising = steps->is_reverse ? up + LANES : up;
    ends.falling = steps->is_reverse ? up : up + LANES;
    ends.may_leave = steps->is_reverse ? NAME(all_lanes) : exits;
    ends.may_enter = steps->is_reverse ? exits : NAME(all_lanes);
    return ends;
}

/* What slopes add to steps into the cells of a row: from cells whose `rising` and `falling` are
 * given. */
INSIDE VECTOR NAME(slopes)(NAME(ends) to, VECTOR rising, VECTOR falling)
{
    return V(add)(V(above)(V(load)(to.rising), rising), V(above)(falling, V(load)(to.falling)));
}

/* A tile becomes live when its first entry falls. */
INSIDE ENTRY *NAME(live_cells)(cn_tiles *tiles, uint32_t tile)
{
    ENTRY *cells = NAME(cells_of)(tiles, tile);
    if (CN_LIKELY(tiles->plane.live[tile]))
        return cells;

    tiles->plane.live[tile] = 1;
    cn_plane_hold_one(&tiles->plane, tile);
    VECTOR infinite = V(all)(INFINITE);
    for (unsigned row = 0; row < CN_TILE_ROWS; row++)
        V(store)(NAME(row_at)(cells, row), infinite);
    return cells;
}

/* What strides along a row cost, by the lane at their end; and the lanes that they lead to. */
typedef struct NAME(strides) {
    VECTOR upward;
    VECTOR downward;
    uint32_t up;
    uint32_t down;
} NAME(strides);

INSIDE NAME(strides) NAME(single_steps)(uint32_t open, NAME(ends) ends, const NAME(steps) * steps)
{
    const uint32_t run = open & open << 1;
    NAME(strides) single = {steps->straight[0], steps->straight[0], run, run >> 1};
    if (!steps->is_uneven)
        return single;
    const VECTOR entered = V(load)(ends.entered), left = V(load)(ends.left);
    single.upward = V(add)(entered, V(ascend)(left, 1));
    single.downward = V(add)(entered, V(descend)(left, 1));
    if (!steps->is_rough)
        return single;
    const VECTOR rising = V(load)(ends.rising), falling = V(load)(ends.falling);
    single.upward = V(add)(single.upward,
                           NAME(slopes)(ends, V(ascend)(rising, 1), V(ascend)(falling, 1)));
    single.downward = V(add)(single.downward,
                             NAME(slopes)(ends, V(descend)(rising, 1), V(descend)(falling, 1)));
    single.up &= ends.may_leave[CN_E] << 1 & ends.may_enter[CN_W];
    single.down &= ends.may_leave[CN_W] >> 1 & ends.may_enter[CN_E];
    return single;
}

/* Strides of twice as many lanes. */
INSIDE void NAME(double_strides)(NAME(strides) * strides, unsigned power, const NAME(steps) * steps)
{
    const unsigned lanes = 1u << power;
    strides->up &= strides->up << lanes;
    strides->down &= strides->down >> lanes;
    if (!steps->is_uneven) {
        strides->upward = strides->downward = steps->straight[power + 1];
        return;
    }
    strides->upward = V(add)(strides->upward, V(ascend)(strides->upward, lanes));
    strides->downward = V(add)(strides->downward, V(descend)(strides->downward, lanes));
}

/* A stride of 1 << power straight steps along a row in both directions. */
INSIDE void NAME(stride)(VECTOR *upward, VECTOR *downward, unsigned power,
                         const NAME(strides) * strides)
{
    const unsigned lanes = 1u << power;
    *upward = V(min_where)(*upward, strides->up,
                           V(add)(V(ascend)(*upward, lanes), strides->upward));
    *downward = V(min_where)(*downward, strides->down,
                             V(add)(V(descend)(*downward, lanes), strides->downward));
}

/* All steps along a row, in both directions: strides of 1, 2, 4, ... over runs of open lanes. */
INSIDE VECTOR NAME(settle_row)(VECTOR costs, uint32_t open, NAME(ends) ends,
                               const NAME(steps) * steps)
{
    VECTOR upward = costs, downward = costs;
    NAME(strides) strides = NAME(single_steps)(open, ends, steps);

    NAME(stride)(&upward, &downward, 0, &strides);
    NAME(double_strides)(&strides, 0, steps);
    NAME(stride)(&upward, &downward, 1, &strides);
    if (LANES > 4) {
        NAME(double_strides)(&strides, 1, steps);
        NAME(stride)(&upward, &downward, 2, &strides);
    }
    if (LANES > 8) {
        NAME(double_strides)(&strides, 2, steps);
        NAME(stride)(&upward, &downward, 3, &strides);
    }
    if (LANES > 16) {
        NAME(double_strides)(&strides, 3, steps);
        NAME(stride)(&upward, &downward, 4, &strides);
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
    const NAME(strides) single = NAME(single_steps)(open, ends, steps);
    VECTOR upward = V(add)(V(ascend)(costs, 1), single.upward);
    VECTOR downward = V(add)(V(descend)(costs, 1), single.downward);
    return ((V(less)(upward, costs) & single.up) | (V(less)(downward, costs) & single.down)) != 0;
}

/* The row beside one, and the lanes of this one that steps from there lead to: straight ones all
 * open lanes, since blocked cells are never reached. */
typedef struct NAME(beside) {
    VECTOR costs;
    NAME(ends) ends;
    uint32_t straight;
    uint32_t from_left;
    uint32_t from_right;
} NAME(beside);

/* Of the steps from the row beside one, keeps those that one-way cells allow: `vertical` is the
 * direction straight on. */
INSIDE void NAME(keep_allowed)(NAME(beside) * beside, NAME(ends) to, unsigned vertical,
                               const NAME(steps) * steps)
{
    if (!steps->is_rough)
        return;
    const unsigned opposite = vertical == CN_S ? CN_N : CN_S;
    const unsigned right = vertical == CN_S ? CN_SE : CN_NE;
    const unsigned left = vertical == CN_S ? CN_SW : CN_NW;
    const uint32_t *leave = beside->ends.may_leave, *enter = to.may_enter;
    beside->straight &= leave[vertical] & enter[opposite];
    beside->from_left &= leave[right] << 1 & enter[cn_opposite(right)];
    beside->from_right &= leave[left] >> 1 & enter[cn_opposite(left)];
}

/* The costs of a row after steps from the row beside it. */
INSIDE VECTOR NAME(step_into)(VECTOR costs, const NAME(beside) * beside, NAME(ends) to,
                              const NAME(steps) * steps)
{
    if (!steps->is_uneven) {
        VECTOR diagonal = V(add)(beside->costs, steps->diagonal);
        costs = V(min_where)(costs, beside->straight, V(add)(beside->costs, steps->straight[0]));
        costs = V(min_where)(costs, beside->from_left, V(ascend)(diagonal, 1));
        return V(min_where)(costs, beside->from_right, V(descend)(diagonal, 1));
    }
    const VECTOR slanting = V(load)(to.entered + LANES);
    const VECTOR diagonal = V(add)(beside->costs, V(load)(beside->ends.left + LANES));
    VECTOR straight = V(add)(V(add)(beside->costs, V(load)(beside->ends.left)),
                             V(load)(to.entered));
    VECTOR from_left = V(add)(V(ascend)(diagonal, 1), slanting);
    VECTOR from_right = V(add)(V(descend)(diagonal, 1), slanting);
    if (steps->is_rough) {
        const VECTOR rising = V(load)(beside->ends.rising), falling = V(load)(beside->ends.falling);
        straight = V(add)(straight, NAME(slopes)(to, rising, falling));
        from_left = V(add)(from_left,
                           NAME(slopes)(to, V(ascend)(rising, 1), V(ascend)(falling, 1)));
        from_right = V(add)(from_right,
                            NAME(slopes)(to, V(descend)(rising, 1), V(descend)(falling, 1)));
    }
    costs = V(min_where)(costs, beside->straight, straight);
    costs = V(min_where)(costs, beside->from_left, from_left);
    return V(min_where)(costs, beside->from_right, from_right);
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
INSIDE bool NAME(sweep_row)(NAME(visit) * visit, unsigned row, unsigned vertical,
                            NAME(beside) * beside)
{
    const NAME(ends) ends = NAME(own_ends)(visit, row);
    uint32_t open = visit->rows[row].open;
    ENTRY *cells = NAME(row_at)(visit->cells, row);
    VECTOR before = V(load)(cells);
    beside->straight = open;
    NAME(keep_allowed)(beside, ends, vertical, visit->steps);
    VECTOR after = NAME(step_into)(before, beside, ends, visit->steps);
    uint32_t fell = NAME(fallen)(after, before);

    beside->ends = ends;
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
                          .ends = NAME(own_ends)(visit, row)};
}

INSIDE void NAME(sweep_down)(NAME(visit) * visit)
{
    unsigned row = cn_lowest_bit(visit->down);
    uint32_t waiting = visit->down, fell = 0;
    NAME(beside) beside = NAME(beside_of)(visit, row);

    for (row++; row < CN_TILE_ROWS; row++) {
        beside.from_left = visit->rows[row].from_left;
        beside.from_right = visit->rows[row].from_right;
        if (NAME(sweep_row)(visit, row, CN_S, &beside)) {
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
        if (NAME(sweep_row)(visit, row, CN_N, &beside)) {
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

/* Wakes a tile for costs that fell in some lanes of one of its rows from outside. */
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
    const NAME(steps) *steps = visit->steps;
    cn_tiles *tiles = visit->tiles;
    uint32_t open = tiles->rows[(size_t)other * CN_TILE_ROWS + target].open;
    if (!((open & visit->rows[from].open) | from_left | from_right))
        return;

    NAME(beside) beside = NAME(beside_of)(visit, from);
    const NAME(ends) ends = NAME(ends_of)(tiles, other, target, steps);
    beside.straight = open;
    beside.from_left = from_left;
    beside.from_right = from_right;
    NAME(keep_allowed)(&beside, ends, target ? CN_N : CN_S, steps);
    ENTRY *cells = NAME(row_at)(NAME(live_cells)(tiles, other), target);
    VECTOR before = V(load)(cells);
    VECTOR after = NAME(step_into)(before, &beside, ends, steps);
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

/* What slopes add to a step over that border; INFINITE where one-way cells do not allow it. */
INSIDE uint32_t NAME(rough_cost)(NAME(ends) left, NAME(ends) entered, const NAME(crossing) * over,
                                 unsigned direction)
{
    const uint32_t before = left.rising[over->from], after = entered.rising[over->to];
    const uint32_t above = left.falling[over->from], below = entered.falling[over->to];
    const bool is_allowed = left.may_leave[direction] >> over->from &
                            entered.may_enter[cn_opposite(direction)] >> over->to & 1;
    if (!is_allowed)
        return INFINITE;
    return (after > before ? after - before : 0) + (above > below ? above - below : 0);
}

/* One step from row `from` into the border column of the tile at the side; rows above and below a
 * tile belong to the tiles above and below it. */
INSIDE void NAME(step_aside)(NAME(visit) * visit, const NAME(crossing) * over, unsigned from,
                             int row, unsigned direction)
{
    const NAME(steps) *steps = visit->steps;
    const bool slants = direction >= CN_STRAIGHT;
    const unsigned slanting = slants ? LANES : 0, target = (unsigned)row % CN_TILE_ROWS;
    uint32_t cost = NAME(row_at)(visit->cells, from)[over->from], other = over->other;
    if (row < 0)
        other -= visit->tiles->columns;
    if (row >= CN_TILE_ROWS)
        other += visit->tiles->columns;
    if (steps->is_uneven) {
        const NAME(ends) left = NAME(own_ends)(visit, from);
        const NAME(ends) entered = NAME(ends_of)(visit->tiles, other, target, steps);
        cost += left.left[slanting + over->from] + entered.entered[slanting + over->to];
        cost += steps->is_rough ? NAME(rough_cost)(left, entered, over, direction) : 0;
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
    const bool is_right = over.to == 0;
    for (rows &= level | down | up; rows; rows &= rows - 1) {
        int row = (int)cn_lowest_bit(rows);
        if (level >> row & 1)
            NAME(step_aside)(visit, &over, (unsigned)row, row, is_right ? CN_E : CN_W);
        if (down >> row & 1)
            NAME(step_aside)(visit, &over, (unsigned)row, row + 1, is_right ? CN_SE : CN_SW);
        if (up >> row & 1)
            NAME(step_aside)(visit, &over, (unsigned)row, row - 1, is_right ? CN_NE : CN_NW);
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

INSIDE void NAME(spread_in)(cn_tiles *tiles, cn_flood_end *end, cn_way way, bool is_uneven,
                            bool is_rough)
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
    steps.is_rough = is_rough;
    steps.is_reverse = way == CN_REVERSE;

    uint32_t bucket = tiles->queue.now;
    for (uint32_t tile; tiles->visits_left && cn_tile_next(tiles, &tile); tiles->visits_left--) {
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
    NAME(spread_in)(tiles, end, CN_FORWARD, false, false);
}

static KERNEL void NAME(spread_uneven)(cn_tiles *tiles, cn_flood_end *end, cn_way way)
{
    NAME(spread_in)(tiles, end, way, true, false);
}

static KERNEL void NAME(spread_rough)(cn_tiles *tiles, cn_flood_end *end, cn_way way)
{
    NAME(spread_in)(tiles, end, way, true, true);
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
