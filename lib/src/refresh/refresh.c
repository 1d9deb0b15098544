/*
 * Steps of a refresh. Who calls whom:
 *
 *   cairn_refresh_step             refresh_policy.c: whether a step waits for more edits
 *     cn_refresh_step
 *       begin_step                 applies the edits: refresh_edits.c
 *       finish_step                then works on rows, each repaired or rebuilt: refresh_choice.c
 *         spend_allowance          until nothing is allowed, or no row is left:
 *           cn_refresh_side_by_side  all rows at once, where the budget has no end: refresh_lanes.c
 *           take_row               begins with the next row
 *             cn_refresh_rebuild_row   which is rebuilt at once, or in slices: refresh_rebuild.c
 *             cn_refresh_begin_row     or repaired: refresh_row.c
 *           rebuild_slice          goes on with it
 *           repair_slice
 *             cn_refresh_work_row
 *           take_earlier           a row that it needs to be exact comes first
 *           move_landmarks_of      its landmarks that joined others move: refresh_outliers.c
 *         cn_refresh_write_computed  rows that were rebuilt go into the table together
 */
#include "refresh/refresh.h"

#include <string.h>

#include "bound/gate_shelf.h"
#include "corner_refresh/corner_refresh.h"
#include "refresh/refresh_farthest.h"
#include "refresh/refresh_outliers.h"
#include "base/budget.h"

/* Rows of mazes, hexagons and terrain take up to so many times as long to rebuild as those of other
 * grids, and rows of graphs, whose floods go from node to node. */
enum { SLOWEST = 8, SLOWEST_GRAPH = 24 };

static void free_refresh(void *refresh)
{
    cn_refresh *self = refresh;
    cn_mem mem = self->mem;

    cn_release(&mem, self->pending.items);
    cn_release(&mem, self->row_start);
    cn_release(&mem, self->row_work);
    cn_release(&mem, self->row_lost);
    cn_release(&mem, self->marks);
    cn_release(&mem, self->visited.items);
    cn_release(&mem, self->joins.moved.items);
    cn_release(&mem, self->joins.joined.items);
    cn_release(&mem, self->joins.outliers.items);
    cn_release(&mem, self->repair.stack.items);
    cn_release(&mem, self->repair.unsettled.items);
    cn_release(&mem, self->repair.wide.items);
    cn_release(&mem, self->repair.seeds.items);
    cn_release(&mem, self->repair.straight.items);
    cn_release(&mem, self->repair.diagonal.items);
    cn_put_tiles_free(&mem, &self->computed.touched);
    cn_refresh_close_rebuild(self);
    cn_refresh_close_lanes(self);
    cn_farthest_end(self);
    cn_release(&mem, self);
}

static cairn_status new_refresh(cairn_table *table)
{
    cn_refresh *self = cn_zeroed(&table->mem, 1, sizeof *self);
    if (!self)
        return CAIRN_E_MEMORY;
    self->mem = table->mem;
    self->table = table;
    self->row_start = cn_zeroed(&table->mem, table->row_count, sizeof *self->row_start);
    self->row_work = cn_zeroed(&table->mem, table->row_count, sizeof *self->row_work);
    self->row_lost = cn_zeroed(&table->mem, table->row_count, sizeof *self->row_lost);
    self->marks = cn_zeroed(&table->mem, table->node_count, 1);
    const cairn_status status = cn_put_tiles_new(&table->mem, table->width, table->height,
                                                 &self->computed.touched);
    if (!self->row_start || !self->row_work || !self->row_lost || !self->marks ||
        status != CAIRN_OK) {
        free_refresh(self);
        return CAIRN_E_MEMORY;
    }
    self->joins.may_join = true;
    /* For a copy of a table whose repair had begun. */
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] == CAIRN_ROW_FRESH)
            continue;
        self->row_work[row] = CN_WORK_REBUILD | CN_WORK_ANYWHERE;
        self->may_be_unserved = true;
    }
    table->refresh = self;
    table->free_refresh = free_refresh;
    return CAIRN_OK;
}

/* Fails where single steps exceed 16 bits: then there is no room for costs. */
static cairn_status open_refresh(cairn_table *table, const cairn_map *map)
{
    if (table->width != map->grid.width || table->height != map->grid.height ||
        table->is_directed != cn_map_is_directed(map))
        return CAIRN_E_MISMATCH;
    cairn_status status = table->refresh ? CAIRN_OK : new_refresh(table);
    if (status == CAIRN_OK && table->entry_bits == 16 && cn_map_is_uniform(map) &&
        map->metric.diagonal >= UINT16_MAX)
        status = cn_table_widen(table);
    if (status == CAIRN_OK) {
        ((cn_refresh *)table->refresh)->table = table;
        ((cn_refresh *)table->refresh)->map = map;
    }
    return status;
}

/* --------------------------------------------------------------------------------- the steps -- */

static uint64_t node_count_of(const cn_refresh *self)
{
    return cn_map_node_count(self->map);
}

bool cn_refresh_budget_covers(const cairn_map *row_map, cairn_budget budget, uint32_t rows)
{
    const bool is_slow = cn_budget_is_time(budget) && row_map->graph;
    const uint64_t nodes = (uint64_t)cn_map_node_count(row_map) * rows;
    return cn_budget_covers(budget, is_slow ? SLOWEST_GRAPH * nodes : nodes);
}

/* Where rows can be rebuilt in slices, which takes little longer, they are only rebuilt at once if
 * that ends in time on slow maps, too. */
static cn_allowance allow(const cn_refresh *self, cairn_budget budget)
{
    cn_allowance allowance = cn_allow(node_count_of(self), budget);
    allowance.may_rebuild = cn_refresh_budget_covers(self->map, budget, 1);
    if (allowance.is_time && cn_refresh_may_slice(self))
        allowance.may_rebuild = cn_budget_covers(budget, SLOWEST * node_count_of(self));
    return allowance;
}

static void spend(cn_refresh *self, cn_allowance *allowance, uint64_t slice)
{
    uint64_t spent = slice - self->visits_left;
    self->counts.cells += spent;
    cn_allowance_spend(allowance, spent);
}

/* Whether a row cannot become exact before the map is edited: its costs are too large, or it may
 * only take another landmark and `waits` for an earlier row of which this is true. */
static bool is_held(unsigned work, bool waits)
{
    return work & CN_WORK_BEYOND || (waits && work == CN_WORK_JOINED);
}

/* The next row to work on. Rows to be rebuilt come last if they can be written together, but before
 * a row that may take another landmark once they are exact; otherwise the first row that needs
 * work. The number of rows when none does, or all that do are held. */
static uint32_t next_row(const cn_refresh *self, const cn_allowance *allowance)
{
    const uint32_t row_count = self->table->row_count;
    const bool together = allowance->may_rebuild && self->computed.at_once > 1 &&
                          cn_refresh_chooses_early(self);
    uint32_t first = row_count;
    bool waits = false;

    for (uint32_t row = 0; row < row_count; row++) {
        unsigned work = self->row_work[row] & ~(unsigned)CN_WORK_COMPUTED;
        waits = waits || work & CN_WORK_BEYOND;
        if (!work || is_held(work, waits))
            continue;
        if (work & CN_WORK_JOINED)
            return first < row ? first : row;
        if (!(together && work & CN_WORK_REBUILD))
            return row;
        if (first == row_count)
            first = row;
    }
    return first;
}

/* All rows are exact: no cell is pending. */
static void clear_pending(cn_refresh *self)
{
    self->pending.count = self->computed.pending_touched = 0;
    self->joins.outliers.count = 0;
    cn_put_tiles_keep(&self->computed.touched, 0);
    self->may_be_unserved = self->table->lost_landmarks = false;
    memset(self->row_start, 0, self->table->row_count * sizeof *self->row_start);
}

static cairn_status move_landmarks_of(cn_refresh *self, cn_allowance *allowance, uint64_t slice,
                                      uint32_t row)
{
    self->visits_left = slice;
    const cairn_status status = cn_refresh_move_landmarks(self, row);
    spend(self, allowance, slice);
    return status;
}

/* Leaves out a row that is to be rebuilt until edits or landmarks change. Rows that wait to be
 * written are written first: the flooder has traded memory with one of them. */
static void set_aside(cn_refresh *self, uint32_t row)
{
    cn_refresh_write_computed(self);
    self->row_work[row] |= CN_WORK_BEYOND;
}

/* A cost above the limit leaves a row out. */
static cairn_status unless_beyond(cn_refresh *self, uint32_t row, cairn_status status)
{
    if (status != CAIRN_E_LIMIT)
        return status;
    set_aside(self, row);
    return CAIRN_OK;
}

/* Begins to work on the next row. */
static cairn_status take_row(cn_refresh *self, cn_allowance *allowance, uint32_t row)
{
    const bool is_rebuild = self->row_work[row] & CN_WORK_REBUILD;
    cairn_status status = CAIRN_OK;
    bool begun = false;

    if (is_rebuild && allowance->may_rebuild) {
        cn_allowance_spend_rebuild(allowance, node_count_of(self));
        return unless_beyond(self, row, cn_refresh_rebuild_row(self, row));
    }
    if (is_rebuild && cn_refresh_may_slice(self))
        status = cn_refresh_begin_slices(self, row, &begun);
    else if (is_rebuild && self->work_lost >= CN_LOST_MOST)
        status = cn_refresh_ready_landmarks(self, row); /* or edits would interrupt that as well */
    if (status == CAIRN_OK && !begun)
        cn_refresh_begin_row(self, row);
    return unless_beyond(self, row, status);
}

static cairn_status rebuild_slice(cn_refresh *self, cn_allowance *allowance, uint64_t slice)
{
    const uint32_t row = self->sliced.row;
    self->visits_left = slice;
    const cairn_status status = cn_refresh_next_slice(self);
    spend(self, allowance, slice);
    return unless_beyond(self, row, status);
}

/* Rebuilds the first of the earlier rows that the current row needs to be exact, or finds that all
 * are. If one cannot be rebuilt while the current row is being repaired, that row is to be rebuilt
 * as well, after it; if one cannot be rebuilt at all, neither can that row. */
static cairn_status take_earlier(cn_refresh *self, cn_allowance *allowance)
{
    cn_row_repair *repair = &self->repair;
    const uint32_t row = cn_refresh_first_inexact(self, repair->row);

    if (row == repair->row) {
        repair->wants_earlier = false;
        return CAIRN_OK;
    }
    if (allowance->may_rebuild && self->row_work[row] & CN_WORK_REBUILD &&
        cn_refresh_chooses_early(self) &&
        !(self->row_work[row] & (CN_WORK_JOINED | CN_WORK_BEYOND)))
        return take_row(self, allowance, row);
    cn_refresh_abort_row(self);
    if (self->row_work[row] & CN_WORK_BEYOND)
        set_aside(self, repair->row);
    return CAIRN_OK;
}

/* The current row has a cost above the limit. It is to be rebuilt, and left out where it was being
 * rebuilt and no edits came meanwhile: entries may be higher until these are applied. */
static void exceed_limit(cn_refresh *self)
{
    const cn_row_repair *repair = &self->repair;
    const uint32_t row = repair->row;
    const bool is_certain = repair->is_rebuild && repair->round_end == self->pending.count;
    cn_refresh_abort_row(self);
    if (is_certain)
        set_aside(self, row);
}

/* One slice of work on the current row. A row with costs that do not fit, or are above the limit,
 * or whose repair takes too long, is to be rebuilt. */
static cairn_status repair_slice(cn_refresh *self, cn_allowance *allowance, uint64_t slice)
{
    cn_row_repair *repair = &self->repair;
    repair->visit_limit = cn_refresh_visit_limit(self, allowance->may_rebuild);
    uint64_t worth = cn_refresh_visits_worth(self);
    slice = slice < worth ? slice : worth;
    self->visits_left = slice;
    repair->uncounted = 0;
    cairn_status status = cn_refresh_work_row(self);
    repair->visit_count += slice - self->visits_left - repair->uncounted;
    spend(self, allowance, slice);
    if (status == CAIRN_E_LIMIT) {
        exceed_limit(self);
        return CAIRN_OK;
    }
    if (status == CAIRN_OK && repair->too_wide) {
        cn_refresh_abort_row(self);
        return cn_refresh_widen(self);
    }
    if (status == CAIRN_OK && repair->phase != CN_PHASE_NONE && cn_refresh_visits_worth(self) == 0)
        cn_refresh_abort_row(self);
    return status;
}

static uint64_t rows_done(const cn_refresh *self)
{
    return self->counts.rows_repaired + self->counts.rows_rebuilt;
}

/* When no row is left that could be made exact. */
static cairn_status outcome(cn_refresh *self)
{
    self->work_lost = 0; /* others come after other edits */
    for (uint32_t row = 0; row < self->table->row_count; row++) {
        if (self->row_work[row] & CN_WORK_BEYOND)
            return CAIRN_E_LIMIT;
    }
    return CAIRN_OK;
}

/* One slice of work on a row: the current one, or one to begin with where there is none. */
static cairn_status work_on(cn_refresh *self, cn_allowance *allowance, uint64_t slice, uint32_t row)
{
    if (self->repair.phase != CN_PHASE_NONE)
        return self->repair.wants_earlier ? take_earlier(self, allowance)
                                          : repair_slice(self, allowance, slice);
    if (self->sliced.phase != CN_SLICES_NONE)
        return rebuild_slice(self, allowance, slice);
    if (cn_refresh_may_move_landmarks(self, row))
        return move_landmarks_of(self, allowance, slice, row);
    return take_row(self, allowance, row);
}

static cairn_status spend_allowance(cn_refresh *self, cn_allowance *allowance)
{
    const cn_row_repair *repair = &self->repair;
    const uint64_t rows_before = rows_done(self);
    bool may_together = allowance->is_unlimited && !allowance->one_row;
    cairn_status status = CAIRN_OK;

    while (status == CAIRN_OK) {
        if (may_together && repair->phase == CN_PHASE_NONE) {
            may_together = false;
            status = cn_refresh_side_by_side(self);
            continue;
        }
        uint32_t row = repair->phase == CN_PHASE_NONE ? next_row(self, allowance) : repair->row;
        if (row == self->table->row_count)
            return outcome(self);
        uint64_t slice = cn_allowance_slice(allowance);
        if (slice == 0 || (allowance->one_row && rows_done(self) > rows_before))
            return CAIRN_MORE;
        status = work_on(self, allowance, slice, row);
    }
    return status;
}

/* Does what a step is allowed to. If it ends in the middle of a repair, that row must not be used
 * until it is exact. */
static cairn_status finish_step(cn_refresh *self, cn_allowance allowance)
{
    self->budget_kind = cn_allowance_kind(&allowance);
    self->computed.at_once = allowance.one_row ? 1 : cn_table_put_count(self->table);
    cn_refresh_check_slices(self, allowance.may_rebuild);
    if (allowance.may_rebuild || cn_refresh_may_slice(self))
        cn_refresh_rebuild_lost(self);
    cairn_status status = spend_allowance(self, &allowance);
    cn_refresh_write_computed(self);
    if (status == CAIRN_OK)
        clear_pending(self);

    if (!allowance.one_row || status != CAIRN_MORE)
        cn_refresh_shrink_rebuild(self);
    if (self->repair.phase != CN_PHASE_NONE)
        cn_table_set_state(self->table, self->repair.row, CAIRN_ROW_UNSAFE);
    return status;
}

/* Whether every row is exact on the map as it is. */
static bool is_idle(const cn_refresh *self)
{
    const uint32_t row_count = self->table->row_count;
    return cn_refresh_first_inexact(self, row_count) == row_count &&
           self->repair.phase == CN_PHASE_NONE && cn_table_is_fresh(self->table, self->map);
}

typedef enum step_kind {
    STEP_APPLIES, /* edits, and nothing more */
    STEP,
    STEP_TO_THE_END, /* all rows are repaired in it */
    STEP_REBUILDS    /* all rows are rebuilt in it */
} step_kind;

static cairn_status begin_step(cairn_table *table, const cairn_map *map, step_kind kind)
{
    if (!table || !map)
        return CAIRN_E_ARGUMENT;
    const cairn_map *row_map;
    cairn_status status = cn_table_row_map(table, map, &row_map);
    if (status == CAIRN_OK)
        status = open_refresh(table, row_map);
    if (status == CAIRN_OK)
        status = cn_shelf_follow(table, row_map);
    if (status != CAIRN_OK)
        return status;
    cn_refresh *self = table->refresh;
    const bool was_idle = is_idle(self), lacks_edits = !cn_table_fits(table, row_map);
    self->to_the_end = kind > STEP;
    const bool is_everywhere = kind == STEP_TO_THE_END && cn_refresh_changes_are_everywhere(self);
    status = kind == STEP_REBUILDS ? cn_refresh_apply_unknown(self) : cn_refresh_apply_edits(self);
    if (status == CAIRN_OK && is_everywhere)
        cn_refresh_give_up_repairs(self);
    if (status != CAIRN_E_MISMATCH) /* after a mismatch nothing has been written */
        table->version += kind == STEP_APPLIES ? lacks_edits
                                               : !was_idle || status != CAIRN_OK || !is_idle(self);
    return status;
}

cairn_status cn_refresh_step(cairn_table *table, const cairn_map *map, cairn_budget budget)
{
    if (table && map && table->corners)
        return cn_corner_refresh_step(table, map, budget);
    const step_kind kind = budget == CAIRN_UNLIMITED  ? STEP_TO_THE_END
                           : budget == CAIRN_CELLS(0) ? STEP_APPLIES
                                                      : STEP;
    cairn_status status = begin_step(table, map, kind);
    if (status != CAIRN_OK)
        return status;
    return finish_step(table->refresh, allow(table->refresh, budget));
}

cairn_status cn_refresh_one_row(cairn_table *table, const cairn_map *map)
{
    cairn_status status = begin_step(table, map, STEP);
    if (status != CAIRN_OK)
        return status;
    cn_allowance allowance = allow(table->refresh, CAIRN_UNLIMITED);
    allowance.one_row = true;
    return finish_step(table->refresh, allowance);
}

cairn_status cairn_table_rebuild(cairn_table *table, const cairn_map *map)
{
    if (table && map && table->corners)
        return cn_corner_refresh_rebuild(table, map);
    cairn_status status = begin_step(table, map, STEP_REBUILDS);
    if (status != CAIRN_OK)
        return status;
    status = finish_step(table->refresh, allow(table->refresh, CAIRN_UNLIMITED));
    cn_refresh_free_waiting(table->refresh);
    return status;
}

cairn_refresh_counts cairn_table_refresh_counts(const cairn_table *table)
{
    if (table->corners)
        return cn_corner_refresh_counts(table);
    const cn_refresh *self = table->refresh;
    return self ? self->counts : (cairn_refresh_counts){0};
}
