#include "map/corner_arcs.h"

_Static_assert(sizeof(cn_corner_runs) == 64, "a line of the cache");

enum { SLANTING_MOST = UINT8_MAX, MORE_AT_FIRST = 64 };

typedef struct arc_maker {
    const cn_corners *corners;
    const cn_grid *grid;
    const cn_jump *jump;
    const cn_corners *known; /* NULL: nothing is known */
    cn_mem mem;
    cn_corner_arcs *made;
    size_t more_capacity;
    cn_corner_runs *runs; /* of the present corner */
    size_t run_count;     /* of them */
    bool failed;
} arc_maker;

/* ------------------------------------------------------------------------------- one corner -- */

static void add_more(arc_maker *self, cn_corner_arc arc)
{
    cn_corner_arcs *made = self->made;
    void *more = made->more;

    if (made->more_count == self->more_capacity) {
        self->failed |= !cn_grow(&self->mem, &more, &self->more_capacity, made->more_count,
                                 self->more_capacity ? made->more_count + 1u : MORE_AT_FIRST,
                                 sizeof *made->more);
        made->more = more;
    }
    if (!self->failed)
        made->more[made->more_count++] = arc;
}

/* The cell is a corner. */
static void add_arc_to(arc_maker *self, cairn_node cell, unsigned arrival)
{
    uint32_t x, y;
    cn_grid_xy(self->grid, cell, &x, &y);
    const uint32_t number = cn_corners_find(self->corners, x, y);
    const cn_corner_arc arc = {number | arrival << CN_CORNER_ARRIVAL_SHIFT, cell};

    if (self->run_count < CN_CORNER_ARCS_FIRST)
        self->runs->first[self->run_count] = arc;
    else
        add_more(self, arc);
    self->run_count++;
}

/* A run in a straight direction from a cell, which ends at a turn. */
static void add_straight(arc_maker *self, uint32_t x, uint32_t y, unsigned direction)
{
    const unsigned axis = cn_jump_axis(CN_JUMP_CLASSIC, direction);
    const cn_axis *lines = &self->jump->axes[axis];
    const cn_stops *line = lines->stops + (axis == 0 ? y : x) * lines->words;
    const uint32_t from = axis == 0 ? x : y;
    const uint32_t stop = cn_jump_is_forward(direction) ? cn_jump_forward(line, from)
                                                        : cn_jump_backward(line, from);
    add_arc_to(self, axis == 0 ? y * self->grid->width + stop : stop * self->grid->width + x,
               direction);
}

/* The straight runs that leave from a diagonal. Very many are not kept. */
static void add_slanting(arc_maker *self, unsigned direction)
{
    const unsigned across = cn_step_x[direction] > 0 ? CN_E : CN_W;
    const unsigned down = cn_step_y[direction] > 0 ? CN_S : CN_N;
    const size_t first = self->run_count;
    cairn_node cell = self->runs->cell;
    unsigned hits;

    do {
        uint32_t x, y;
        cell += (cairn_node)self->grid->offset[direction];
        hits = self->jump->hits[cell];
        cn_grid_xy(self->grid, cell, &x, &y);
        if (hits >> across & 1)
            add_straight(self, x, y, across);
        if (hits >> down & 1)
            add_straight(self, x, y, down);
    } while (hits >> direction & 1 && self->run_count - first <= SLANTING_MOST);
    if (self->run_count - first <= SLANTING_MOST)
        self->runs->slanting[direction - CN_STRAIGHT] = (uint8_t)(self->run_count - first);
    else
        self->runs->known = 0;
}

/* The directions that may be taken after a straight run which turns here. */
static unsigned directions_from(const arc_maker *self, unsigned around)
{
    unsigned directions = 0;
    for (unsigned arrival = 0; arrival < CN_STRAIGHT; arrival++) {
        if (self->jump->turns[around] >> arrival & 1)
            directions |= self->grid->canonical[arrival][around];
    }
    return directions;
}

static void find_runs(arc_maker *self)
{
    cn_corner_runs *runs = self->runs;
    uint32_t x, y;

    cn_grid_xy(self->grid, runs->cell, &x, &y);
    runs->around = self->grid->around[runs->cell];
    runs->known = (uint8_t)directions_from(self, runs->around);
    runs->straight = runs->known & self->jump->hits[runs->cell] & ((1u << CN_STRAIGHT) - 1);
    for (unsigned left = runs->straight; left; left &= left - 1)
        add_straight(self, x, y, cn_lowest_bit(left));
    for (unsigned left = runs->known & ~((1u << CN_STRAIGHT) - 1); left; left &= left - 1)
        add_slanting(self, cn_lowest_bit(left));
}

/* ------------------------------------------------------------------------------- all of them -- */

static size_t count_arcs(const cn_corner_runs *runs)
{
    size_t count = cn_count_bits(runs->straight);
    for (unsigned i = 0; i < CN_DIRECTIONS - CN_STRAIGHT; i++)
        count += runs->slanting[i];
    return count;
}

/* The runs that are known of a corner; NULL: none are. */
static const cn_corner_runs *find_known(const arc_maker *self, cairn_node cell)
{
    uint32_t x, y;

    if (!self->known)
        return NULL;
    cn_grid_xy(self->grid, cell, &x, &y);
    const uint32_t number = cn_corners_find(self->known, x, y);
    const cn_corner_arcs *arcs = self->known->former_arcs;
    const bool is_known = number < arcs->count && arcs->runs[number].known &&
                          !(self->known->expired[number / 64] >> number % 64 & 1);
    return is_known ? &arcs->runs[number] : NULL;
}

/* Copies runs, whose ends may have other numbers. */
static void take_runs(arc_maker *self, const cn_corner_runs *from)
{
    const size_t count = count_arcs(from);

    *self->runs = *from;
    self->runs->more = self->made->more_count;
    for (size_t i = 0; i < count; i++) {
        const cn_corner_arc *arc = cn_corner_arc_at(self->known->former_arcs, from, i);
        add_arc_to(self, arc->cell, arc->label >> CN_CORNER_ARRIVAL_SHIFT);
    }
}

static void fill_runs(arc_maker *self, uint32_t number)
{
    const cairn_node cell = self->corners->nodes[number];
    const cn_corner_runs *known = find_known(self, cell);

    self->runs = &self->made->runs[number];
    self->runs->cell = cell;
    self->runs->more = self->made->more_count;
    self->run_count = 0;
    if (known)
        take_runs(self, known);
    else
        find_runs(self);
}

/* Gives back the room that was not needed. */
static void fit_more(arc_maker *self)
{
    cn_corner_arcs *made = self->made;
    cn_corner_arc *fitted = cn_array(&self->mem, made->more_count, sizeof *fitted);

    if (!fitted) {
        self->failed = true;
        return;
    }
    if (made->more_count)
        memcpy(fitted, made->more, made->more_count * sizeof *fitted);
    cn_release(&self->mem, made->more);
    made->more = fitted;
}

cairn_status cn_corner_arcs_new(const cn_corners *corners, const cn_grid *grid, const cn_jump *jump,
                                uint64_t hash, const cn_corners *known, const cn_mem *mem,
                                cn_corner_arcs **arcs)
{
    arc_maker self = {.corners = corners, .grid = grid, .jump = jump, .known = known, .mem = *mem};

    *arcs = NULL;
    self.made = cn_zeroed(mem, 1, sizeof *self.made);
    if (!self.made)
        return CAIRN_E_MEMORY;
    self.made->hash = hash;
    self.made->count = corners->count;
    self.made->runs = cn_zeroed(mem, corners->count, sizeof *self.made->runs);
    self.failed = !self.made->runs;
    for (uint32_t number = 0; number < corners->count && !self.failed; number++)
        fill_runs(&self, number);
    if (!self.failed)
        fit_more(&self);
    if (self.failed) {
        cn_corner_arcs_free(self.made, mem);
        return CAIRN_E_MEMORY;
    }
    *arcs = self.made;
    return CAIRN_OK;
}
