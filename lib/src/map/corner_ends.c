#include "map/corner_ends.h"

/* Cells from which straight runs leave are collected, TURNS_AT_ONCE at most, before the ends of
 * their runs are found. Each has two runs, but the first one four, and counts as two cells. Of
 * TURNS_MANY cells it is worth it to find a limit (cn_end_limit.find). */
enum { TURNS_MANY = 24, TURNS_AT_ONCE = 64, CELLS_AT_ONCE = 4 };
enum { TURNS_ROOM = TURNS_AT_ONCE + CELLS_AT_ONCE, RUNS_ROOM = 2 * TURNS_ROOM + 1 };
enum { ALL_DIRECTIONS = (1 << CN_DIRECTIONS) - 1 };

/* A cell on a diagonal from which straight runs lead to corners: like a cn_side_run, but bit d of
 * the lowest 4 says that a run leads in direction d. */
typedef cn_side_run turning_cell;

typedef struct end_finder {
    const cn_run_field *field;
    cn_xy from;
    cn_end_limit *limit; /* NULL: there is none */
    cn_arc_list *arcs;
    bool failed; /* there was no room for an arc */
    size_t count;
    turning_cell cells[TURNS_ROOM];
} end_finder;

CN_ALWAYS_INLINE cn_arc end_of_run(const cn_run_field *field, cn_xy from, cn_side_run run)
{
    uint32_t minors;
    const cn_corner_arc end = cn_run_end(field->corners, field->jump, from, run, &minors);
    return (cn_arc){.to = end.label,
                    .cost = cn_run_steps(run) * field->metric.diagonal +
                            minors * field->metric.straight,
                    .arrival = end.xy};
}

/* Leaves out the cells by way of which every path to the target costs more than the limit. */
static void leave_out_cells(end_finder *self)
{
    const cn_end_limit *limit = self->limit;
    const cairn_metric metric = self->field->metric;
    const uint32_t to_x = CN_X_OF(limit->target), to_y = CN_Y_OF(limit->target);
    size_t count = 0;

    for (size_t i = 0; i < self->count; i++) {
        const turning_cell cell = self->cells[i];
        const uint32_t steps = cn_run_steps(cell);
        const cn_xy xy = self->from + steps * cn_run_diagonal(cell);
        const cairn_cost least = steps * metric.diagonal +
                                 cn_octile(metric, CN_X_OF(xy), CN_Y_OF(xy), to_x, to_y);
        self->cells[count] = cell;
        count += least <= limit->most;
    }
    self->count = count;
}

CN_ALWAYS_INLINE void keep_to_limit(end_finder *self)
{
    cn_end_limit *limit = self->limit;

    if (limit->find && self->count >= TURNS_MANY) {
        const cairn_cost found = limit->find(limit->context);
        limit->find = NULL;
        limit->was_lowered = found < limit->most;
        limit->most = found < limit->most ? found : limit->most;
    }
    if (limit->was_lowered)
        leave_out_cells(self);
}

/* Finds the ends of the runs from all cells, of which each has one or two. It is compiled for two
 * sets of instructions: bits are found and counted for each. */
CN_ALWAYS_INLINE void find_ends_now(end_finder *self)
{
    uint32_t runs[RUNS_ROOM];
    size_t count = 0;

    if (self->limit)
        keep_to_limit(self);
    for (size_t i = 0; i < self->count; i++) {
        const uint32_t directions = self->cells[i] & 0xf, cell = self->cells[i] - directions;
        runs[count] = cell | cn_lowest_bit(directions);
        runs[count + 1] = cell | cn_highest_bit(directions);
        count += 1u + ((directions & (directions - 1)) != 0);
    }
    self->count = 0;
    if (count == 0)
        return;
    if (CN_UNLIKELY(!cn_arc_list_reserve(self->arcs, self->arcs->count + count))) {
        self->failed = true;
        return;
    }
    cn_arc *next = self->arcs->items + self->arcs->count;
    self->arcs->count += count;
    for (size_t i = 0; i < count; i++)
        next[i] = end_of_run(self->field, self->from, runs[i]);
}

static CN_NOINLINE void find_ends_portable(end_finder *self)
{
    find_ends_now(self);
}

#if CN_CPU_X86
CN_TARGET_AVX2 static CN_NOINLINE void find_ends_avx2(end_finder *self)
{
    find_ends_now(self);
}
#endif

CN_ALWAYS_INLINE void find_ends(end_finder *self)
{
#if CN_CPU_X86
    if (self->field->cpu >= CN_CPU_AVX2) {
        find_ends_avx2(self);
        return;
    }
#endif
    find_ends_portable(self);
}

/* Adds the first cell, with some of its runs. */
CN_ALWAYS_INLINE void add_first(end_finder *self, unsigned runs)
{
    self->cells[self->count] = runs;
    self->count += runs != 0;
}

/* A member of the set on a diagonal from the cell. */
static void add_member(end_finder *self, turning_cell place, unsigned direction)
{
    const cn_run_field *field = self->field;
    const uint32_t steps = cn_run_steps(place);
    const cn_xy xy = self->from + steps * cn_run_diagonal(place);

    if (CN_UNLIKELY(!cn_arc_list_reserve(self->arcs, self->arcs->count + 1))) {
        self->failed = true;
        return;
    }
    const uint32_t number = cn_corners_find(field->corners, CN_X_OF(xy), CN_Y_OF(xy));
    self->arcs->items[self->arcs->count++] = (cn_arc){.to = CN_LABEL_OF(number, direction),
                                                      .cost = steps * field->metric.diagonal,
                                                      .arrival = xy};
}

/* The bits of the cells of a diagonal in the marks of the set. */
typedef struct diagonal_marks {
    const uint64_t *words;
    size_t bit;
    size_t step; /* modulo the size of numbers */
} diagonal_marks;

static diagonal_marks marks_along(const end_finder *self, unsigned direction)
{
    const cn_corners *corners = self->field->corners;
    const size_t row = corners->stride * 64, beside = direction == CN_SE || direction == CN_NE;
    const bool is_south = direction == CN_SE || direction == CN_SW;
    return (diagonal_marks){.words = corners->marks,
                            .bit = CN_Y_OF(self->from) * row + CN_X_OF(self->from),
                            .step = (is_south ? row : 0 - row) + 2 * beside - 1};
}

/* Lists a cell of a diagonal if runs leave from it, which no branch depends on. */
CN_ALWAYS_INLINE size_t list_cell(end_finder *self, size_t count, turning_cell place, unsigned runs)
{
    self->cells[count] = place | runs;
    return count + (runs != 0);
}

CN_ALWAYS_INLINE size_t find_ends_if_many(end_finder *self, size_t count)
{
    if (CN_LIKELY(count < TURNS_AT_ONCE))
        return count;
    self->count = count;
    find_ends(self);
    return 0;
}

/* Follows a diagonal as far as it is legal, for so many steps at most; returns its length. Most
 * cells of open ground have no runs, and are passed by some at once. */
static uint32_t follow_diagonal(end_finder *self, cairn_node node, unsigned direction,
                                uint32_t most)
{
    const uint8_t *at = self->field->jump->hits + node;
    const ptrdiff_t offset = self->field->grid->offset[direction];
    const unsigned beside = self->field->jump->beside[direction], bit = 1u << direction;
    turning_cell place = cn_run_from_diagonal(direction);
    size_t count = self->count;

    for (; most >= CELLS_AT_ONCE; most -= CELLS_AT_ONCE) {
        const unsigned one = at[offset], two = at[2 * offset], three = at[3 * offset];
        const unsigned four = at[4 * offset];
        if (!(*at & one & two & three & bit))
            break;
        if ((one | two | three | four) & beside) {
            count = list_cell(self, count, place + CN_RUN_STEP, one & beside);
            count = list_cell(self, count, place + 2 * CN_RUN_STEP, two & beside);
            count = list_cell(self, count, place + 3 * CN_RUN_STEP, three & beside);
            count = list_cell(self, count, place + 4 * CN_RUN_STEP, four & beside);
            count = find_ends_if_many(self, count);
        }
        at += CELLS_AT_ONCE * offset;
        place += CELLS_AT_ONCE * CN_RUN_STEP;
    }
    for (; *at & bit && most; most--) {
        at += offset;
        place += CN_RUN_STEP;
        count = find_ends_if_many(self, list_cell(self, count, place, *at & beside));
    }
    self->count = count;
    return cn_run_steps(place);
}

/* Follows a diagonal up to the first member of the set on it, or its end. */
static void follow_to_member(end_finder *self, cairn_node node, unsigned direction)
{
    const uint8_t *at = self->field->jump->hits + node;
    const ptrdiff_t offset = self->field->grid->offset[direction];
    const unsigned beside = self->field->jump->beside[direction];
    diagonal_marks marks = marks_along(self, direction);
    turning_cell place = cn_run_from_diagonal(direction);
    size_t count = self->count;

    while (*at >> direction & 1) {
        at += offset;
        place += CN_RUN_STEP;
        marks.bit += marks.step;
        if (cn_has_bit(marks.words, marks.bit)) {
            add_member(self, place, direction);
            break;
        }
        count = find_ends_if_many(self, list_cell(self, count, place, *at & beside));
    }
    self->count = count;
}

/* Begins with the runs from a cell in some directions, and returns its node. Other cells are left
 * as they are in the array. */
CN_ALWAYS_INLINE cairn_node begin(end_finder *self, const cn_run_field *field, cn_xy xy,
                                  unsigned directions, cn_end_limit *limit, cn_arc_list *arcs)
{
    const cairn_node node = CN_Y_OF(xy) * field->grid->width + CN_X_OF(xy);
    const unsigned straight = directions & field->jump->hits[node];

    arcs->count = 0;
    self->field = field;
    self->from = xy;
    self->limit = limit;
    self->arcs = arcs;
    self->failed = false;
    self->count = 0;
    add_first(self, straight & (1u << CN_E | 1u << CN_W));
    add_first(self, straight & (1u << CN_S | 1u << CN_N));
    return node;
}

/* How far diagonals need to be followed: beyond, every path to the target costs more than a limit,
 * or there is none. */
typedef struct diagonal_limits {
    uint32_t across, down; /* to the target */
    bool is_west, is_north;
    uint32_t aside, back, away; /* steps that the limit allows where a step leads past the target
                                 * on the longer way, from it on the longer way, or on both */
} diagonal_limits;

static diagonal_limits diagonal_limits_of(const end_finder *self)
{
    const cn_end_limit *limit = self->limit;
    const cairn_metric metric = self->field->metric;
    const uint32_t x = CN_X_OF(self->from), y = CN_Y_OF(self->from);
    const uint32_t to_x = CN_X_OF(limit->target), to_y = CN_Y_OF(limit->target);
    const cairn_cost least = cn_octile(metric, x, y, to_x, to_y);
    const cairn_cost above = limit->most > least ? limit->most - least : 0;
    const cairn_cost aside = 2 * (metric.diagonal - metric.straight);

    return (diagonal_limits){.across = cn_apart_by(to_x, x),
                             .down = cn_apart_by(to_y, y),
                             .is_west = to_x < x,
                             .is_north = to_y < y,
                             .aside = aside ? above / aside : UINT32_MAX,
                             .back = above / (2 * metric.straight),
                             .away = above / (2 * metric.diagonal)};
}

/* How many steps of a diagonal the limit allows. The cost of a path by way of a cell never falls
 * along the diagonal: it stays the same as long as steps lead nearer to the target by column and by
 * row, and then rises with every step. */
static uint32_t most_steps(const diagonal_limits *limits, unsigned direction)
{
    const bool leads_west = direction == CN_SW || direction == CN_NW;
    const bool leads_north = direction == CN_NE || direction == CN_NW;
    const bool nears_across = limits->across && leads_west == limits->is_west;
    const bool nears_down = limits->down && leads_north == limits->is_north;
    const uint32_t shorter = limits->across < limits->down ? limits->across : limits->down;

    if (nears_across && nears_down)
        return limits->aside < UINT32_MAX - shorter ? shorter + limits->aside : UINT32_MAX;
    if (nears_across)
        return limits->across > limits->down ? limits->aside : limits->back;
    if (nears_down)
        return limits->down > limits->across ? limits->aside : limits->back;
    return limits->away;
}

/* How far a diagonal may lead within the map. */
static uint32_t room_along(const cn_grid *grid, cn_xy xy, unsigned direction)
{
    const bool leads_west = direction == CN_SW || direction == CN_NW;
    const bool leads_north = direction == CN_NE || direction == CN_NW;
    const uint32_t across = leads_west ? CN_X_OF(xy) : grid->width - 1 - CN_X_OF(xy);
    const uint32_t down = leads_north ? CN_Y_OF(xy) : grid->height - 1 - CN_Y_OF(xy);
    return across < down ? across : down;
}

bool cn_corner_ends(const cn_run_field *field, cn_xy xy, unsigned directions, cn_end_limit *limit,
                    cn_arc_list *arcs, uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT])
{
    const bool is_limited = limit && limit->most != CAIRN_UNREACHABLE;
    diagonal_limits limits;
    end_finder self;

    const cairn_node node = begin(&self, field, xy, directions, limit, arcs);
    if (is_limited)
        limits = diagonal_limits_of(&self);
    for (unsigned left = directions >> CN_STRAIGHT; left; left &= left - 1) {
        const unsigned side = cn_lowest_bit(left), direction = CN_STRAIGHT + side;
        const uint32_t room = room_along(field->grid, xy, direction);
        const uint32_t most = is_limited ? most_steps(&limits, direction) : room;
        reach[side] = follow_diagonal(&self, node, direction, most < room ? most : room);
    }
    find_ends(&self);
    return !self.failed;
}

bool cn_corner_near_ends(const cn_run_field *field, cn_xy xy, cn_arc_list *arcs)
{
    end_finder self;

    const cairn_node node = begin(&self, field, xy, ALL_DIRECTIONS, NULL, arcs);
    for (unsigned direction = CN_STRAIGHT; direction < CN_DIRECTIONS; direction++)
        follow_to_member(&self, node, direction);
    find_ends(&self);
    return !self.failed;
}

/* Adds the first cell of a diagonal from which a run leads to a corner. */
static void add_nearest(end_finder *self, cairn_node node, unsigned direction)
{
    const uint8_t *hits = self->field->jump->hits;
    const unsigned beside = self->field->jump->beside[direction];
    turning_cell cell = cn_run_from_diagonal(direction);

    while (hits[node] >> direction & 1) {
        node += (cairn_node)self->field->grid->offset[direction];
        cell += CN_RUN_STEP;
        if (hits[node] & beside) {
            self->cells[self->count++] = cell | (hits[node] & beside);
            return;
        }
    }
}

size_t cn_corner_some_ends(const cn_run_field *field, cn_xy xy, cn_arc arcs[CN_SOME_ENDS])
{
    cn_arc_list list = {.items = arcs, .capacity = CN_SOME_ENDS};
    end_finder self;

    const cairn_node node = begin(&self, field, xy, ALL_DIRECTIONS, NULL, &list);
    for (unsigned direction = CN_STRAIGHT; direction < CN_DIRECTIONS; direction++)
        add_nearest(&self, node, direction);
    find_ends(&self);
    return list.count;
}

/* How many cells of a line are clear from one on, itself counted, where columns or rows fall. */
static uint32_t clear_before(const uint64_t *line, uint32_t at)
{
    uint32_t word = at / 64, count = at % 64 + 1;
    uint64_t blocked = ~line[word] << (63 - at % 64);

    if (blocked)
        return 63 - cn_highest_bit(blocked);
    for (; word > 0; count += 64) {
        blocked = ~line[--word];
        if (blocked)
            return count + 63 - cn_highest_bit(blocked);
    }
    return count;
}

/* How many cells of a line are clear from one on, itself counted, where columns or rows rise.
 * Nothing is clear beyond the grid. */
static uint32_t clear_behind(const uint64_t *line, uint32_t at, size_t words)
{
    uint32_t word = at / 64, count = 64 - at % 64;
    uint64_t blocked = ~line[word] >> at % 64;

    if (blocked)
        return cn_lowest_bit(blocked);
    for (; ++word < words; count += 64) {
        blocked = ~line[word];
        if (blocked)
            return count + cn_lowest_bit(blocked);
    }
    return count;
}

cn_run_target cn_run_target_of(const cn_run_field *field, cn_xy xy)
{
    const uint32_t x = CN_X_OF(xy), y = CN_Y_OF(xy);
    const cn_axis *rows = &field->jump->axes[0], *columns = &field->jump->axes[1];
    const uint64_t *row = rows->clear + y * rows->words,
                   *column = columns->clear + x * columns->words;
    cn_run_target made = {.number = cn_corners_find(field->corners, x, y), .xy = xy};

    made.most[CN_E] = (uint16_t)clear_before(row, x);
    made.most[CN_W] = (uint16_t)clear_behind(row, x, rows->words);
    made.most[CN_S] = (uint16_t)clear_before(column, y);
    made.most[CN_N] = (uint16_t)clear_behind(column, y, columns->words);
    return made;
}
