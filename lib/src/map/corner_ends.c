#include "map/corner_ends.h"

/* Straight runs leave from so many cells at most before their ends are found; each has two, the
 * first one four, as two cells. */
enum { TURNS_MANY = 24, TURNS_AT_ONCE = 64, RUNS_OF_TURNS = 2 * TURNS_AT_ONCE };

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
    turning_cell cells[TURNS_AT_ONCE + 1];
} end_finder;

bool cn_arc_list_grow(cn_arc_list *list, size_t needed)
{
    void *items = list->items;
    const bool grown = cn_grow(list->mem, &items, &list->capacity, list->count, needed,
                               sizeof *list->items);
    list->items = items;
    return grown;
}

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

static void keep_to_limit(end_finder *self)
{
    cn_end_limit *limit = self->limit;

    if (limit->most == CAIRN_UNREACHABLE && self->count >= TURNS_MANY)
        limit->most = limit->find(limit->context);
    if (limit->most != CAIRN_UNREACHABLE)
        leave_out_cells(self);
}

/* Finds the ends of the runs from all cells, of which each has one or two. */
static void find_ends(end_finder *self)
{
    uint32_t runs[RUNS_OF_TURNS + 1];
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
    if (CN_UNLIKELY(!cn_arc_list_hold(self->arcs, self->arcs->count + count))) {
        self->failed = true;
        return;
    }
    cn_arc *next = self->arcs->items + self->arcs->count;
    self->arcs->count += count;
    for (size_t i = 0; i < count; i++)
        next[i] = end_of_run(self->field, self->from, runs[i]);
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

    if (CN_UNLIKELY(!cn_arc_list_hold(self->arcs, self->arcs->count + 1))) {
        self->failed = true;
        return;
    }
    const uint32_t number = cn_corners_find(field->corners, CN_X_OF(xy), CN_Y_OF(xy));
    self->arcs->items[self->arcs->count++] = (cn_arc){.to = number | direction
                                                                         << CN_CORNER_ARRIVAL_SHIFT,
                                                      .cost = steps * field->metric.diagonal,
                                                      .arrival = xy};
}

/* The bits of the cells of a diagonal in the marks of the set. */
typedef struct diagonal_marks {
    const uint64_t *words;
    size_t bit;
    size_t step; /* modulo the size of numbers */
} diagonal_marks;

CN_ALWAYS_INLINE diagonal_marks marks_along(const end_finder *self, unsigned direction)
{
    const cn_corners *corners = self->field->corners;
    const size_t row = corners->stride * 64, beside = direction == CN_SE || direction == CN_NE;
    const bool is_south = direction == CN_SE || direction == CN_SW;
    return (diagonal_marks){.words = corners->marks,
                            .bit = CN_Y_OF(self->from) * row + CN_X_OF(self->from),
                            .step = (is_south ? row : 0 - row) + 2 * beside - 1};
}

/* Follows a diagonal as far as it is legal, or where it is to end at a member of the set, up to the
 * first one; returns its length. */
CN_ALWAYS_INLINE uint32_t follow_diagonal(end_finder *self, cairn_node node, unsigned direction,
                                          bool ends_at_member)
{
    const uint8_t *hits = self->field->jump->hits;
    const ptrdiff_t offset = self->field->grid->offset[direction];
    const bool is_east = direction == CN_SE || direction == CN_NE;
    const bool is_south = direction == CN_SE || direction == CN_SW;
    const unsigned beside = 1u << (is_east ? CN_E : CN_W) | 1u << (is_south ? CN_S : CN_N);
    diagonal_marks marks = ends_at_member ? marks_along(self, direction) : (diagonal_marks){0};
    turning_cell place = cn_run_from_diagonal(direction, 0);
    size_t count = self->count;

    for (unsigned now = hits[node]; now >> direction & 1;) {
        node += (cairn_node)offset;
        now = hits[node];
        place += 1u << CN_RUN_LENGTH_SHIFT;
        marks.bit += marks.step;
        if (ends_at_member && marks.words[marks.bit / 64] >> marks.bit % 64 & 1) {
            add_member(self, place, direction);
            break;
        }
        self->cells[count] = place | (now & beside);
        count += (now & beside) != 0;
        if (CN_UNLIKELY(count == TURNS_AT_ONCE)) {
            self->count = count;
            find_ends(self);
            count = 0;
        }
    }
    self->count = count;
    return cn_run_steps(place);
}

/* The array of cells is left as it is. */
CN_ALWAYS_INLINE void begin(end_finder *self, const cn_run_field *field, cn_xy xy,
                            cn_arc_list *arcs)
{
    self->field = field;
    self->from = xy;
    self->arcs = arcs;
    self->failed = false;
    self->count = 0;
}

bool cn_corner_ends(const cn_run_field *field, cn_xy xy, unsigned directions, cn_end_limit *limit,
                    cn_arc_list *arcs, uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT])
{
    const cairn_node node = CN_Y_OF(xy) * field->grid->width + CN_X_OF(xy);
    const unsigned straight = directions & field->jump->hits[node];
    end_finder self;

    arcs->count = 0;
    begin(&self, field, xy, arcs);
    self.limit = limit;
    add_first(&self, straight & (1u << CN_E | 1u << CN_W));
    add_first(&self, straight & (1u << CN_S | 1u << CN_N));
    if (directions >> CN_SE & 1)
        reach[CN_SE - CN_STRAIGHT] = follow_diagonal(&self, node, CN_SE, false);
    if (directions >> CN_SW & 1)
        reach[CN_SW - CN_STRAIGHT] = follow_diagonal(&self, node, CN_SW, false);
    if (directions >> CN_NE & 1)
        reach[CN_NE - CN_STRAIGHT] = follow_diagonal(&self, node, CN_NE, false);
    if (directions >> CN_NW & 1)
        reach[CN_NW - CN_STRAIGHT] = follow_diagonal(&self, node, CN_NW, false);
    find_ends(&self);
    return !self.failed;
}

bool cn_corner_near_ends(const cn_run_field *field, cn_xy xy, cn_arc_list *arcs)
{
    const cairn_node node = CN_Y_OF(xy) * field->grid->width + CN_X_OF(xy);
    const unsigned straight = field->jump->hits[node];
    end_finder self;

    arcs->count = 0;
    begin(&self, field, xy, arcs);
    self.limit = NULL;
    add_first(&self, straight & (1u << CN_E | 1u << CN_W));
    add_first(&self, straight & (1u << CN_S | 1u << CN_N));
    follow_diagonal(&self, node, CN_SE, true);
    follow_diagonal(&self, node, CN_SW, true);
    follow_diagonal(&self, node, CN_NE, true);
    follow_diagonal(&self, node, CN_NW, true);
    find_ends(&self);
    return !self.failed;
}

/* Adds the first cell of a diagonal from which a run leads to a corner. */
static void add_nearest(end_finder *self, cairn_node node, unsigned direction)
{
    const uint8_t *hits = self->field->jump->hits;
    const unsigned beside = self->field->jump->beside[direction];
    turning_cell cell = cn_run_from_diagonal(direction, 0);

    while (hits[node] >> direction & 1) {
        node += (cairn_node)self->field->grid->offset[direction];
        cell += 1u << CN_RUN_LENGTH_SHIFT;
        if (hits[node] & beside) {
            self->cells[self->count++] = cell | (hits[node] & beside);
            return;
        }
    }
}

size_t cn_corner_some_ends(const cn_run_field *field, cn_xy xy, cn_arc arcs[CN_SOME_ENDS])
{
    const cairn_node node = CN_Y_OF(xy) * field->grid->width + CN_X_OF(xy);
    const unsigned straight = field->jump->hits[node];
    cn_arc_list list = {.items = arcs, .capacity = CN_SOME_ENDS};
    end_finder self;

    begin(&self, field, xy, &list);
    self.limit = NULL;
    add_first(&self, straight & (1u << CN_E | 1u << CN_W));
    add_first(&self, straight & (1u << CN_S | 1u << CN_N));
    for (unsigned direction = CN_STRAIGHT; direction < CN_DIRECTIONS; direction++)
        add_nearest(&self, node, direction);
    find_ends(&self);
    return list.count;
}

bool cn_cell_sees_beyond(const cn_run_field *field, cn_xy from, cn_xy to)
{
    const uint32_t x = CN_X_OF(to), y = CN_Y_OF(to);
    const cn_leg leg = cn_jump_leg(CN_JUMP_CLASSIC, CN_X_OF(from), CN_Y_OF(from), x, y);
    const bool is_row = cn_jump_is_row(leg.minor);
    const cn_axis *lines = &field->jump->axes[!is_row];
    const uint64_t *line = lines->clear + (is_row ? y : x) * lines->words;
    const uint32_t at = is_row ? x : y;

    if (!leg.minors)
        return true;
    return cn_jump_is_forward(leg.minor) ? cn_jump_is_clear(line, at - leg.minors + 1, at)
                                         : cn_jump_is_clear(line, at, at + leg.minors - 1);
}
