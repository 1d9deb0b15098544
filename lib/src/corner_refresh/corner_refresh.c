#include "corner_refresh/corner_refresh.h"

#include "corner_refresh/corner_apply.h"
#include "corner_refresh/corner_renewal.h"
#include "base/budget.h"
#include "table/table_state.h"

typedef struct corner_refresh {
    cn_mem mem;
    cairn_refresh_counts counts;
    cn_corner_renewal renewal; /* while it pauses */
    uint64_t beyond_hash; /* of a map on which rows have costs above CAIRN_COST_MAX; 0: of none */
} corner_refresh;

static void free_corner_refresh(void *refresh)
{
    corner_refresh *self = refresh;
    cn_mem mem = self->mem;
    cn_corner_renewal_end(&self->renewal);
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

/* ------------------------------------------------------------------------ whole tables -- */

static void note_changes(cairn_table *table, cn_landmark_changes changes)
{
    corner_refresh *self = table->refresh;
    self->counts.landmarks_added += changes.added;
    self->counts.landmarks_dropped += changes.dropped;
}

/* Another table has taken its place. */
static void note_rebuilt(cairn_table *table, cn_landmark_changes changes)
{
    corner_refresh *self = table->refresh;
    if (!self)
        return;
    cn_corner_renewal_end(&self->renewal);
    self->beyond_hash = 0;
    self->counts.rows_rebuilt += table->row_count - cn_table_stale_rows(table);
    note_changes(table, changes);
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
        const cn_landmark_changes changes = cn_corner_landmarks_compare(table, &lists);
        cn_corner_renewal_replace(table, made);
        note_rebuilt(table, changes);
    }
    cn_corner_landmarks_free(&lists, &table->mem);
    return status;
}

/* ------------------------------------------------------------------------------- steps -- */

/* Works for as long as the allowance lasts. */
static cairn_status renew(corner_refresh *self, cairn_table *table, const cairn_map *map,
                          cn_allowance *allowance)
{
    const uint64_t rate = CN_NODES_REBUILT_PER_VISIT;
    cairn_status status = CAIRN_MORE;

    while (status == CAIRN_MORE) {
        const uint64_t slice = cn_allowance_slice(allowance);
        const uint64_t most = slice < UINT64_MAX / rate ? slice * rate : UINT64_MAX;
        uint64_t work = most;
        if (slice == 0)
            return CAIRN_MORE;
        status = cn_corner_renewal_run(&self->renewal, table, map, cn_allowance_kind(allowance),
                                       &work);
        const uint64_t visits = (most - work) / rate + 1;
        self->counts.cells += visits;
        cn_allowance_spend(allowance, visits);
    }
    return status;
}

/* Takes over the edits, and nothing more. It leaves a renewal as it would have begun afterwards. */
static cairn_status apply(cairn_table *table, const cairn_map *map)
{
    corner_refresh *self = table->refresh;
    cn_landmark_changes changes;

    if (cn_table_fits(table, map))
        return cn_table_stale_rows(table) ? CAIRN_MORE : CAIRN_OK;
    const cairn_status status = cn_corner_apply(table, map, &changes);
    if (status == CAIRN_E_MISMATCH) /* nothing has been written */
        return status;
    table->version++;
    self->beyond_hash = 0; /* no row is exact any more */
    note_changes(table, changes);
    return status == CAIRN_OK && cn_table_stale_rows(table) ? CAIRN_MORE : status;
}

static cairn_status make_exact(cairn_table *table, const cairn_map *map, cn_allowance *allowance)
{
    corner_refresh *self = table->refresh;

    const cairn_status status = renew(self, table, map, allowance);
    if (status == CAIRN_OK || status == CAIRN_E_LIMIT)
        note_rebuilt(table, self->renewal.changes);
    if (status == CAIRN_E_LIMIT)
        self->beyond_hash = map->hash;
    if (status != CAIRN_MORE)
        cn_corner_renewal_end(&self->renewal);
    else if (!cn_mem_is_same(&self->mem, &map->mem))
        cn_corner_renewal_shrink(&self->renewal);
    return status;
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
    corner_refresh *self = table->refresh;
    if (cn_table_is_fresh(table, map)) {
        cn_corner_renewal_end(&self->renewal);
        return CAIRN_OK;
    }
    if (cn_table_journal_lag(table, map) == CN_LAG_STRANGER)
        return CAIRN_E_MISMATCH;
    if (self->beyond_hash == map->hash && cn_table_fits(table, map))
        return CAIRN_E_LIMIT;
    cn_allowance allowance = cn_allow(table->node_count, budget);
    return cn_allowance_slice(&allowance) ? make_exact(table, map, &allowance) : apply(table, map);
}
