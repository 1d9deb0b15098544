#include "corner_refresh/corner_refresh.h"

#include <string.h>

#include "corner_refresh/corner_flood.h"
#include "corner_refresh/corner_renewal.h"
#include "base/budget.h"
#include "bound/gate_shelf.h"
#include "table/table_state.h"

typedef struct corner_refresh {
    cn_mem mem;
    cairn_refresh_counts counts;
    cn_kept_flooder flooder; /* of one row */
    cn_corner_flood flood;   /* of the first row that is not exact, while it pauses */
    uint32_t flood_row;
    uint64_t flood_hash;       /* of the map */
    cn_corner_renewal renewal; /* of all rows, while it pauses */
    uint64_t vain_hash;        /* of a map whose rows cannot be computed at once; 0: of none */
    bool may_hold_others;      /* members that serve no row, since all are exact again */
    uint8_t is_beyond[CAIRN_ROWS_MAX]; /* by row: costs are above CAIRN_COST_MAX; until edits are
                                        * applied */
} corner_refresh;

static void close_work(corner_refresh *self)
{
    cn_kept_flooder_free(&self->flooder);
    cn_corner_flood_end(&self->flood, &self->mem);
    cn_corner_renewal_end(&self->renewal);
}

static void free_corner_refresh(void *refresh)
{
    corner_refresh *self = refresh;
    cn_mem mem = self->mem;
    close_work(self);
    cn_release(&mem, self);
}

static cairn_status open_corner_refresh(cairn_table *table)
{
    if (table->refresh)
        return CAIRN_OK;
    corner_refresh *made = cn_zeroed(&table->mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->mem = table->mem;
    table->refresh = made;
    table->free_refresh = free_corner_refresh;
    return CAIRN_OK;
}

cairn_refresh_counts cn_corner_refresh_counts(const cairn_table *table)
{
    const corner_refresh *self = table->refresh;
    return self ? self->counts : (cairn_refresh_counts){0};
}

/* ------------------------------------------------------------------------- applying edits -- */

/* Lists the opened cells once more: entries of new members follow from other steps alone, so no row
 * holds any of them. */
static cairn_status list_openings(cairn_table *table, const cn_gates *gates, size_t *since)
{
    const size_t count = gates->cell_count;
    *since = SIZE_MAX;
    if (count == 0)
        return CAIRN_OK;
    cairn_status status = cn_table_add_openings(table, gates->cells, count);
    if (status == CAIRN_OK && table->openings->count >= count)
        *since = table->openings->count - count;
    return status;
}

/* Rows that gates could use serve again, by the opened cells listed from `since` on. The others
 * stay unsafe, since it is not known which openings they lack. */
static void set_states(cairn_table *table, const cn_gates *gates, size_t since)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        const bool is_used = gates && gates->use[row] != CN_ROW_LEFT_OUT;
        cn_table_set_state(table, row, is_used ? CAIRN_ROW_WEAKER : CAIRN_ROW_UNSAFE);
        if (is_used && gates->cell_count)
            cn_table_fall_behind(table, row, since);
    }
}

static cairn_status change_set(corner_refresh *self, cairn_table *table, const cairn_map *map,
                               const cn_corner_landmarks *lists)
{
    const cn_landmark_changes changes = cn_corner_landmarks_compare(table, lists);
    cn_corner_draft draft;
    const cn_gates *gates;
    cn_trust trust;
    size_t since = SIZE_MAX;

    cairn_status status = cn_gates_of(table, map, &trust, &gates);
    if (status == CAIRN_OK)
        status = cn_corner_draft_make(table, map, cn_corner_landmark_lists(lists),
                                      gates ? &gates->extension->view : NULL, &draft);
    if (status != CAIRN_OK)
        return status;
    if (gates)
        status = list_openings(table, gates, &since);
    if (status == CAIRN_OK)
        status = cn_table_set_landmarks(table, lists->start, lists->nodes);
    if (status != CAIRN_OK) {
        cn_corner_draft_free(&draft, &table->mem);
        return status;
    }
    set_states(table, gates, since);
    cn_corner_draft_adopt(&draft, table);
    memset(self->is_beyond, 0, sizeof self->is_beyond);
    cn_corner_flood_end(&self->flood, &self->mem);
    cn_table_set_map(table, map);
    self->counts.landmarks_added += changes.added;
    self->counts.landmarks_dropped += changes.dropped;
    table->lost_landmarks = table->lost_landmarks || changes.dropped > 0;
    return CAIRN_OK;
}

static cairn_status apply_edits(corner_refresh *self, cairn_table *table, const cairn_map *map)
{
    cn_corner_landmarks lists;

    if (cn_table_fits(table, map))
        return CAIRN_OK;
    if (cn_table_journal_lag(table, map) == CN_LAG_STRANGER)
        return CAIRN_E_MISMATCH;
    cairn_status status = cn_corner_landmarks_list(table, map, &lists);
    if (status != CAIRN_OK)
        return status;
    status = change_set(self, table, map, &lists);
    cn_corner_landmarks_free(&lists, &table->mem);
    return status;
}

/* ------------------------------------------------------------------------------------ rows -- */

static uint32_t next_stale_row(const corner_refresh *self, const cairn_table *table)
{
    uint32_t row = 0;
    while (row < table->row_count &&
           (table->row_state[row] == CAIRN_ROW_FRESH || self->is_beyond[row]))
        row++;
    return row;
}

static cairn_status prepare_flooder(corner_refresh *self, const cairn_table *table,
                                    const cairn_map *map)
{
    if (cn_kept_flooder_adapt(&self->flooder, map, table->entry_bits))
        return CAIRN_OK;
    return cn_kept_flooder_renew(&self->flooder, map, table->entry_bits, cn_flooder_new);
}

static void finish_corner_row(corner_refresh *self, cairn_table *table, uint32_t row)
{
    cn_table_set_state(table, row, CAIRN_ROW_FRESH);
    table->lost_landmarks = table->lost_landmarks && cn_table_stale_rows(table) > 0;
    cn_corner_flood_end(&self->flood, &self->mem);
    self->counts.rows_rebuilt++;
    self->may_hold_others = true;
}

/* A flood over all cells. Costs that do not fit 16 bits make the table 32 bits wide. */
static cairn_status rebuild_row(corner_refresh *self, cairn_table *table, const cairn_map *map,
                                uint32_t row)
{
    cn_plane plane;

    cairn_status status = prepare_flooder(self, table, map);
    if (status == CAIRN_OK)
        status = cn_corner_rows_flood(table, self->flooder.flooder, row, &plane);
    if (status == CAIRN_E_LIMIT && table->entry_bits == 16) {
        status = cn_table_widen(table);
        return status == CAIRN_OK ? rebuild_row(self, table, map, row) : status;
    }
    if (status == CAIRN_OK)
        status = cn_table_own_entries(table);
    if (status != CAIRN_OK)
        return status;
    cn_corner_rows_put(table, row, &plane);
    finish_corner_row(self, table, row);
    return CAIRN_OK;
}

/* Whether a cell that is no corner may cost more than entries hold. */
static bool may_not_fit(const corner_refresh *self, const cairn_table *table, const cairn_map *map)
{
    return self->flood.farthest + cn_corner_run_most(table, map) > cn_plane_most(table->entry_bits);
}

/* One slice of a flood over the corners, which begins again after an edit, also where another one
 * has undone it: edits that are applied change the set, and so the numbers of its members. */
static cairn_status flood_some(corner_refresh *self, cairn_table *table, const cairn_map *map,
                               uint32_t row, uint64_t *cells)
{
    cairn_status status = CAIRN_OK;

    if (!self->flood.costs || self->flood_row != row || self->flood_hash != map->hash)
        status = cn_corner_flood_begin(&self->flood, table, row);
    self->flood_row = row;
    self->flood_hash = map->hash;
    if (status == CAIRN_OK)
        status = cn_corner_flood_run(&self->flood, table, map, cells);
    if (status == CAIRN_OK && may_not_fit(self, table, map))
        return rebuild_row(self, table, map, row);
    if (status == CAIRN_OK)
        status = cn_table_own_entries(table);
    if (status != CAIRN_OK)
        return status;
    cn_corner_rows_put_costs(table, row, self->flood.costs);
    finish_corner_row(self, table, row);
    return CAIRN_OK;
}

/* Works on a row for one slice. A row with costs above the limit is left out from then on. */
static cairn_status work_on_row(corner_refresh *self, cairn_table *table, const cairn_map *map,
                                cn_allowance *may, uint32_t row)
{
    uint64_t slice = cn_allowance_slice(may), left = slice;

    cairn_status status;
    if (may->may_rebuild) {
        cn_allowance_spend_rebuild(may, table->node_count);
        status = rebuild_row(self, table, map, row);
    } else {
        status = flood_some(self, table, map, row, &left);
        self->counts.cells += slice - left;
        cn_allowance_spend(may, slice - left);
    }
    if (status == CAIRN_E_LIMIT) {
        cn_corner_flood_end(&self->flood, &self->mem);
        self->is_beyond[row] = true;
    }
    return status == CAIRN_MORE || status == CAIRN_E_LIMIT ? CAIRN_OK : status;
}

/* When all rows are exact, members that served rows which were not are dropped. */
static cairn_status drop_others(cairn_table *table, const cairn_map *map)
{
    const cn_landmark_lists landmarks = {table->landmark_start, table->landmarks};
    const cn_corner_view view = cn_corner_view_of(table, map);
    cn_corner_draft draft;

    cairn_status status = cn_corner_draft_make(table, map, landmarks, &view, &draft);
    if (status != CAIRN_OK)
        return status;
    if (draft.corners->count >= table->corners->count) {
        cn_corner_draft_free(&draft, &table->mem);
        return CAIRN_OK;
    }
    cn_corner_draft_adopt(&draft, table);
    table->version++;
    return CAIRN_OK;
}

/* When every row is exact or left out. */
static cairn_status end_rows(corner_refresh *self, cairn_table *table, const cairn_map *map)
{
    if (memchr(self->is_beyond, true, table->row_count))
        return CAIRN_E_LIMIT;
    const cairn_status status = self->may_hold_others ? drop_others(table, map) : CAIRN_OK;
    self->may_hold_others &= status != CAIRN_OK;
    return status;
}

static cairn_status rebuild_rows(corner_refresh *self, cairn_table *table, const cairn_map *map,
                                 cn_allowance *may)
{
    cairn_status status = CAIRN_OK;

    while (status == CAIRN_OK) {
        const uint32_t row = next_stale_row(self, table);
        if (row == table->row_count)
            return end_rows(self, table, map);
        if (cn_allowance_slice(may) == 0)
            return CAIRN_MORE;
        status = work_on_row(self, table, map, may, row);
    }
    return status;
}

/* ------------------------------------------------------------------------ whole tables -- */

static void note_rebuilt(const cairn_table *table, cn_landmark_changes changes)
{
    corner_refresh *self = table->refresh;
    if (!self)
        return;
    close_work(self);
    memset(self->is_beyond, 0, sizeof self->is_beyond);
    self->may_hold_others = false;
    self->counts.rows_rebuilt += table->row_count;
    self->counts.landmarks_added += changes.added;
    self->counts.landmarks_dropped += changes.dropped;
}

/* In entries of 32 bits where a cost no longer fits 16. */
static cairn_status make_table(const cairn_table *table, const cairn_map *map,
                               const cn_corner_landmarks *lists, cairn_table **made)
{
    cn_table_shape shape = {map, table->row_count, table->entry_bits, false};
    const cn_landmark_lists landmarks = cn_corner_landmark_lists(lists);
    cairn_status status = cn_corner_rows_new(map, &table->mem, shape, landmarks, NULL, made);
    if (status != CAIRN_E_LIMIT || shape.entry_bits == 32)
        return status;
    shape.entry_bits = 32;
    return cn_corner_rows_new(map, &table->mem, shape, landmarks, NULL, made);
}

cairn_status cn_corner_refresh_rebuild(cairn_table *table, const cairn_map *map)
{
    cn_corner_landmarks lists;
    cairn_table *made;

    if (table->width != map->grid.width || table->height != map->grid.height)
        return CAIRN_E_MISMATCH;
    if (!cn_corner_rows_suit(map))
        return CAIRN_E_RESIDENT;
    cairn_status status = cn_corner_landmarks_list(table, map, &lists);
    if (status != CAIRN_OK)
        return status;
    status = make_table(table, map, &lists, &made);
    if (status == CAIRN_OK) {
        note_rebuilt(table, cn_corner_landmarks_compare(table, &lists));
        cn_corner_renewal_replace(table, made);
    }
    cn_corner_landmarks_free(&lists, &table->mem);
    return status;
}

/* Whether all rows are computed from corner to corner in less time than those that are not exact by
 * floods. */
static bool may_renew(const cairn_table *table, const cairn_map *map)
{
    const corner_refresh *self = table->refresh;
    const uint32_t stale = cn_table_fits(table, map) ? cn_table_stale_rows(table)
                                                     : table->row_count;
    return stale && self->vain_hash != map->hash && cn_corner_spread_is_faster(table, map, stale) &&
           cn_table_journal_lag(table, map) != CN_LAG_STRANGER;
}

/* Works for as long as the allowance lasts. */
static cairn_status renew_some(corner_refresh *self, cairn_table *table, const cairn_map *map,
                               cn_allowance *may)
{
    const uint64_t rate = CN_NODES_REBUILT_PER_VISIT;
    cairn_status status = CAIRN_MORE;

    while (status == CAIRN_MORE) {
        const uint64_t slice = cn_allowance_slice(may);
        const uint64_t most = slice < UINT64_MAX / rate ? slice * rate : UINT64_MAX;
        uint64_t work = most;
        if (slice == 0)
            return CAIRN_MORE;
        status = cn_corner_renewal_run(&self->renewal, table, map, &work);
        const uint64_t visits = (most - work) / rate + 1;
        self->counts.cells += visits;
        cn_allowance_spend(may, visits);
    }
    return status;
}

/* CAIRN_E_LIMIT: edits have to be applied, and rows rebuilt one by one. A step without a budget
 * applies edits, which leave a renewal as it would have begun after them. */
static cairn_status renew(cairn_table *table, const cairn_map *map, cn_allowance *may)
{
    corner_refresh *self = table->refresh;
    cairn_status status = CAIRN_OK;

    if (!may_renew(table, map)) {
        cn_corner_renewal_end(&self->renewal);
        return CAIRN_E_LIMIT;
    }
    if (cn_allowance_slice(may) == 0)
        return CAIRN_E_LIMIT;
    if (!self->renewal.spread || self->renewal.map_hash != map->hash)
        status = cn_corner_renewal_begin(&self->renewal, table, map);
    if (status == CAIRN_OK)
        status = renew_some(self, table, map, may);
    if (status == CAIRN_OK)
        note_rebuilt(table, self->renewal.changes);
    if (status == CAIRN_E_LIMIT)
        self->vain_hash = map->hash;
    return status;
}

/* -------------------------------------------------------------------------------- steps -- */

/* Memory from another allocator than the table's may not exist as long as the table. A renewal, and
 * a flood over the corners, which continue with the next step, are the table's. */
static void shrink_after(corner_refresh *self, const cairn_map *map, cairn_status status)
{
    if (status != CAIRN_MORE)
        close_work(self);
    else if (!cn_mem_is_same(&self->mem, &map->mem))
        cn_kept_flooder_free(&self->flooder);
}

static cairn_status refresh_rows(cairn_table *table, const cairn_map *map, cn_allowance *may)
{
    corner_refresh *self = table->refresh;
    const bool is_stale = !cn_table_is_fresh(table, map);

    cairn_status status = apply_edits(self, table, map);
    if (status != CAIRN_E_MISMATCH) /* after a mismatch nothing has been written */
        table->version += is_stale;
    return status == CAIRN_OK ? rebuild_rows(self, table, map, may) : status;
}

cairn_status cn_corner_refresh_step(cairn_table *table, const cairn_map *map, cairn_budget budget)
{
    if (table->width != map->grid.width || table->height != map->grid.height)
        return CAIRN_E_MISMATCH;
    if (!cn_corner_rows_suit(map))
        return CAIRN_E_RESIDENT;
    cairn_status status = open_corner_refresh(table);
    if (status != CAIRN_OK)
        return status;
    cn_allowance may = cn_allow(table->node_count, budget);
    status = renew(table, map, &may);
    if (status == CAIRN_E_LIMIT)
        status = refresh_rows(table, map, &may);
    shrink_after(table->refresh, map, status);
    return status;
}
