#include "map/corner_arcs.h"

_Static_assert(sizeof(cn_corner_runs) == 64, "a line of the cache");

enum { RUNS_MOST = UINT8_MAX, MORE_AT_FIRST = 64 };

typedef struct arc_maker {
    const cn_corners *corners;
    const cn_grid *grid;
    const cn_jump *jump;
    const cn_corners *known; /* NULL: nothing is known */
    cn_mem mem;
    cn_corner_arcs *made;
    size_t more_capacity;
    cairn_node cell;      /* of the present corner */
    cn_corner_runs *runs; /* its */
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

/* There is a corner. */
static void add_arc_to(arc_maker *self, cn_xy xy, unsigned arrival)
{
    const uint32_t number = cn_corners_find(self->corners, CN_X_OF(xy), CN_Y_OF(xy));
    const cn_corner_arc arc = {number | arrival << CN_CORNER_ARRIVAL_SHIFT, xy};

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
    add_arc_to(self, axis == 0 ? CN_XY_OF(stop, y) : CN_XY_OF(x, stop), direction);
}

/* The straight runs that leave from a diagonal. */
static void add_slanting(arc_maker *self, unsigned direction)
{
    const unsigned across = cn_step_x[direction] > 0 ? CN_E : CN_W;
    const unsigned down = cn_step_y[direction] > 0 ? CN_S : CN_N;
    cairn_node cell = self->cell;
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
    } while (hits >> direction & 1 && self->run_count <= RUNS_MOST);
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

/* Very many are not kept. */
static void find_runs(arc_maker *self)
{
    cn_corner_runs *runs = self->runs;

    runs->around = self->grid->around[self->cell];
    runs->known = (uint8_t)directions_from(self, runs->around);
    runs->straight = runs->known & self->jump->hits[self->cell] & ((1u << CN_STRAIGHT) - 1);
    for (unsigned left = runs->straight; left; left &= left - 1)
        add_straight(self, CN_X_OF(runs->xy), CN_Y_OF(runs->xy), cn_lowest_bit(left));
    runs->ends[0] = (uint8_t)self->run_count;
    for (unsigned direction = CN_STRAIGHT; direction < CN_DIRECTIONS; direction++) {
        if (runs->known >> direction & 1)
            add_slanting(self, direction);
        runs->ends[direction - CN_STRAIGHT + 1] = (uint8_t)self->run_count;
    }
    if (self->run_count > RUNS_MOST)
        runs->known = 0;
}

/* ------------------------------------------------------------------------------- all of them -- */

/* The runs that are known of a corner; NULL: none are. */
static const cn_corner_runs *find_known(const arc_maker *self, cn_xy xy)
{
    if (!self->known)
        return NULL;
    const uint32_t number = cn_corners_find(self->known, CN_X_OF(xy), CN_Y_OF(xy));
    const cn_corner_arcs *arcs = self->known->former_arcs;
    const bool is_known = number < arcs->count && arcs->runs[number].known &&
                          !(self->known->expired[number / 64] >> number % 64 & 1);
    return is_known ? &arcs->runs[number] : NULL;
}

/* Copies runs, whose ends may have other numbers. */
static void take_runs(arc_maker *self, const cn_corner_runs *from)
{
    const size_t count = from->ends[CN_DIRECTIONS - CN_STRAIGHT];

    *self->runs = *from;
    self->runs->more = self->made->more_count;
    for (size_t i = 0; i < count; i++) {
        const cn_corner_arc *arc = cn_corner_arc_at(self->known->former_arcs, from, i);
        add_arc_to(self, arc->xy, arc->label >> CN_CORNER_ARRIVAL_SHIFT);
    }
}

static void fill_runs(arc_maker *self, uint32_t number)
{
    uint32_t x, y;

    self->cell = self->corners->nodes[number];
    cn_grid_xy(self->grid, self->cell, &x, &y);
    const cn_corner_runs *known = find_known(self, CN_XY_OF(x, y));
    self->runs = &self->made->runs[number];
    self->runs->xy = CN_XY_OF(x, y);
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
