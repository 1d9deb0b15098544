#include "map/corner_arcs.h"

#include <string.h>

#include "map/corner_ends.h"

_Static_assert(sizeof(cn_corner_runs) == 64, "a line of the cache");

/* A corner with more runs than can be counted has none that are kept. */
enum { RUNS_MOST = UINT8_MAX, CHUNK_SHIFT_LEAST = 8, CORNERS_FOR_CHUNK_SHIFT = 2 };

_Static_assert(RUNS_MOST - CN_CORNER_ARCS_FIRST < 1 << CHUNK_SHIFT_LEAST,
               "those of a corner fit one chunk");

/* In place of arcs: they are not kept. */
#define NOT_KEPT UINT32_MAX

/* The runs of one corner while they are collected. */
typedef struct arc_finder {
    const cn_grid *grid;
    const cn_jump *jump;
    cn_corner_runs runs;
    size_t count;
    cn_side_run list[RUNS_MOST + CN_STRAIGHT];
} arc_finder;

/* ------------------------------------------------------------------------------- one corner -- */

/* Lists the runs that leave from a diagonal. */
static void add_slanting(arc_finder *self, cairn_node cell, unsigned direction)
{
    const unsigned across = cn_step_x[direction] > 0 ? CN_E : CN_W;
    const unsigned down = cn_step_y[direction] > 0 ? CN_S : CN_N;
    const cairn_node offset = (cairn_node)self->grid->offset[direction];
    const uint8_t *hits = self->jump->hits;
    cn_side_run run = cn_run_from_diagonal(direction);
    size_t count = self->count;
    unsigned now;

    do {
        cell += offset;
        now = hits[cell];
        run += CN_RUN_STEP;
        self->list[count] = run | across;
        count += now >> across & 1;
        self->list[count] = run | down;
        count += now >> down & 1;
    } while (now >> direction & 1 && count <= RUNS_MOST);
    self->count = count;
}

/* The directions that may be taken after a straight run which turns here. */
static unsigned directions_from(const arc_finder *self, unsigned around)
{
    const unsigned turns = self->jump->turns[around];
    unsigned directions = 0;
    for (unsigned arrival = 0; arrival < CN_STRAIGHT; arrival++)
        directions |= self->grid->canonical[arrival][around] & (0u - (turns >> arrival & 1));
    return directions;
}

/* Lists the runs. Returns the directions whose arcs may be kept. */
static unsigned list_runs(arc_finder *self, cairn_node cell)
{
    cn_corner_runs *runs = &self->runs;
    const unsigned directions = directions_from(self, runs->around);

    runs->straight = (uint8_t)(directions & self->jump->hits[cell] & ((1u << CN_STRAIGHT) - 1));
    for (unsigned left = runs->straight; left; left &= left - 1)
        self->list[self->count++] = cn_lowest_bit(left);
    runs->ends[0] = (uint8_t)self->count;
    for (unsigned direction = CN_STRAIGHT; direction < CN_DIRECTIONS; direction++) {
        if (directions >> direction & 1 && self->count <= RUNS_MOST)
            add_slanting(self, cell, direction);
        runs->ends[direction - CN_STRAIGHT + 1] = (uint8_t)self->count;
    }
    return self->count <= RUNS_MOST ? directions : 0;
}

static void begin_corner(arc_finder *self, const cn_corners *corners, uint32_t number)
{
    const cairn_node cell = corners->nodes[number];
    uint32_t x, y;

    cn_grid_xy(self->grid, cell, &x, &y);
    self->runs.xy = CN_XY_OF(x, y);
    self->runs.around = self->grid->around[cell];
    self->count = 0;
}

uint32_t cn_corner_runs_mean(const cn_corners *corners, const cn_grid *grid, const cn_jump *jump)
{
    enum { EXAMINED = 64 };
    const uint32_t step = corners->count / EXAMINED + 1;
    arc_finder self = {.grid = grid, .jump = jump};
    size_t runs = 0, seen = 0;

    for (uint32_t number = 0; number < corners->count; number += step) {
        if (!cn_grid_is_open(grid, corners->nodes[number]))
            continue;
        begin_corner(&self, corners, number);
        list_runs(&self, corners->nodes[number]);
        runs += self.count;
        seen++;
    }
    return seen ? (uint32_t)(runs / seen) : 0;
}

/* ------------------------------------------------------------------------------ keeping them -- */

/* Takes a place for so many arcs; false when there is none. */
static bool take_place(cn_corner_arcs *arcs, uint32_t count, uint32_t *place)
{
    const uint32_t room = 1u << arcs->chunk_shift;
    uint32_t at = arcs->more_count;

    if (at % room + count > room)
        at += room - at % room;
    const uint32_t chunk = at >> arcs->chunk_shift;
    if (chunk >= CN_CORNER_CHUNKS)
        return false;
    if (!arcs->chunks[chunk]) {
        cn_corner_arc *made = cn_array(&arcs->mem, room, sizeof *made);
        if (!made)
            return false;
        atomic_store_explicit(&arcs->chunks[chunk], made, memory_order_relaxed);
    }
    *place = at;
    arcs->more_count = at + count;
    return true;
}

/* Stores runs, of which other threads see all or nothing. Without memory they are not kept. */
static void keep_runs(cn_corner_arcs *arcs, uint32_t number, const cn_corner_runs *found,
                      unsigned known, const cn_corner_arc *list, size_t count)
{
    const size_t here = count < CN_CORNER_ARCS_FIRST ? count : CN_CORNER_ARCS_FIRST;
    cn_corner_runs *runs = &arcs->runs[number];

    if (!known || (count > here && !take_place(arcs, (uint32_t)(count - here), &runs->more))) {
        runs->more = NOT_KEPT;
        return;
    }
    runs->xy = found->xy;
    runs->around = found->around;
    runs->straight = found->straight;
    memcpy(runs->ends, found->ends, sizeof runs->ends);
    memcpy(runs->first, list, here * sizeof *list);
    if (count > here)
        memcpy(cn_corner_more(arcs, runs->more), list + here, (count - here) * sizeof *list);
    atomic_store_explicit(&runs->known, (uint8_t)known, memory_order_release);
}

static void find_and_keep(cn_corner_arcs *arcs, const cn_corners *corners, const cn_grid *grid,
                          const cn_jump *jump, uint32_t number)
{
    cn_corner_arc ends[RUNS_MOST];
    arc_finder self;
    uint32_t steps;

    self.grid = grid;
    self.jump = jump;
    begin_corner(&self, corners, number);
    const unsigned known = list_runs(&self, corners->nodes[number]);
    for (size_t i = 0; known && i < self.count; i++)
        ends[i] = cn_run_end(corners, jump, self.runs.xy, self.list[i], &steps);
    keep_runs(arcs, number, &self.runs, known, ends, self.count);
}

/* A thread that finds another one at it goes without. */
unsigned cn_corner_arcs_find(cn_corner_arcs *arcs, const cn_corners *corners, const cn_grid *grid,
                             const cn_jump *jump, uint32_t number)
{
    cn_corner_runs *runs = &arcs->runs[number];

    if (atomic_exchange_explicit(&arcs->is_busy, true, memory_order_acquire))
        return cn_corner_known(runs);
    if (!cn_corner_known(runs) && runs->more != NOT_KEPT)
        find_and_keep(arcs, corners, grid, jump, number);
    atomic_store_explicit(&arcs->is_busy, false, memory_order_release);
    return cn_corner_known(runs);
}

/* ------------------------------------------------------------------------------- all of them -- */

typedef void *cn_allocate(const cn_mem *mem, size_t count, size_t size);

static cn_corner_arcs *open_arcs(const cn_corners *corners, uint64_t hash, const cn_mem *mem,
                                 cn_allocate *allocate)
{
    cn_corner_arcs *made = cn_zeroed(mem, 1, sizeof *made);

    if (!made)
        return NULL;
    made->mem = *mem;
    made->hash = hash;
    made->count = corners->count;
    made->chunk_shift = CHUNK_SHIFT_LEAST;
    while (corners->count >> CORNERS_FOR_CHUNK_SHIFT >> made->chunk_shift)
        made->chunk_shift++;
    made->runs = allocate(mem, corners->count, sizeof *made->runs);
    if (made->runs)
        return made;
    cn_corner_arcs_free(made);
    return NULL;
}

cn_corner_arcs *cn_corner_arcs_new(const cn_corners *corners, uint64_t hash, const cn_mem *mem)
{
    return open_arcs(corners, hash, mem, cn_zeroed);
}

cn_corner_arcs *cn_corner_arcs_for_copies(const cn_corners *corners, uint64_t hash,
                                          const cn_mem *mem)
{
    return open_arcs(corners, hash, mem, cn_array);
}

/* If two threads make them at once, one frees its own. */
cairn_status cn_corner_arcs_of(const cn_corners *corners, uint64_t hash, const cn_mem *mem,
                               cn_corner_arcs **arcs)
{
    _Atomic(cn_corner_arcs *) *place = (_Atomic(cn_corner_arcs *) *)&corners->arcs;
    cn_corner_arcs *there = atomic_load_explicit(place, memory_order_acquire);

    *arcs = there;
    if (there)
        return CAIRN_OK;
    cn_corner_arcs *made = cn_corner_arcs_new(corners, hash, mem);
    if (!made)
        return CAIRN_E_MEMORY;
    if (atomic_compare_exchange_strong(place, &there, made))
        there = made;
    else
        cn_corner_arcs_free(made);
    *arcs = there;
    return CAIRN_OK;
}

/* The runs that are known of a member and still hold; NULL: there are none. */
static const cn_corner_runs *find_known(const cn_corner_arcs *arcs, const uint64_t *expired,
                                        uint32_t number)
{
    if (number >= arcs->count || (expired && cn_has_bit(expired, number)))
        return NULL;
    return cn_corner_known(&arcs->runs[number]) ? &arcs->runs[number] : NULL;
}

static void set_unknown(cn_corner_runs *runs)
{
    runs->more = 0;
    atomic_store_explicit(&runs->known, 0, memory_order_relaxed);
}

/* Copies runs, whose ends may have other numbers. */
static void copy_runs(cn_corner_arcs *arcs, const cn_corners *corners, uint32_t number,
                      const cn_corner_arcs *former, const cn_corner_runs *runs)
{
    cn_corner_arc list[RUNS_MOST];
    const size_t count = runs->ends[CN_DIRECTIONS - CN_STRAIGHT];

    for (size_t i = 0; i < count; i++) {
        const cn_corner_arc *arc = cn_corner_arc_at(former, runs, i);
        const uint32_t to = cn_corners_find(corners, CN_X_OF(arc->xy), CN_Y_OF(arc->xy));
        list[i] = (cn_corner_arc){CN_LABEL_OF(to, CN_ARRIVAL_OF(arc->label)), arc->xy};
    }
    keep_runs(arcs, number, runs, cn_corner_known(runs), list, count);
}

void cn_corner_arcs_copy(cn_corner_arcs *arcs, const cn_corners *corners, const cn_corners *known,
                         const cn_corner_arcs *known_arcs, const uint64_t *expired,
                         cn_corner_copy *copy, uint32_t count)
{
    for (const uint32_t end = copy->next + count; copy->next < end; copy->next++) {
        const cn_xy xy = cn_corner_walk_to(&copy->walk, corners->width, corners->nodes[copy->next]);
        const uint32_t former = cn_corners_find(known, CN_X_OF(xy), CN_Y_OF(xy));
        const cn_corner_runs *runs = find_known(known_arcs, expired, former);
        set_unknown(&arcs->runs[copy->next]);
        if (runs)
            copy_runs(arcs, corners, copy->next, known_arcs, runs);
    }
}
