#include "corner_refresh/corner_renewal.h"

#include "base/budget.h"
#include "bound/gate_shelf.h"

/* The floods keep their memory for another renewal. */
static void drop_made(cn_corner_renewal *self)
{
    cn_spread_free(self->spread);
    cn_corner_row_floods_begin(&self->floods);
    cairn_table_free(self->made);
    self->spread = NULL;
    self->made = NULL;
    self->has_rows = false;
    self->taken = (cn_corner_copy){0};
}

void cn_corner_renewal_end(cn_corner_renewal *self)
{
    drop_made(self);
    cn_corner_row_floods_end(&self->floods);
}

void cn_corner_renewal_shrink(cn_corner_renewal *self)
{
    cn_corner_row_floods_end(&self->floods);
}

static bool may_spread(const cn_corner_renewal *self, const cairn_map *map)
{
    return self->vain_hash != map->hash &&
           cn_corner_spread_is_faster(self->made, map, self->made->row_count);
}

static cairn_status begin(cn_corner_renewal *self, const cairn_table *table, const cairn_map *map)
{
    const cn_table_shape shape = {map, table->row_count, table->entry_bits, false};
    cn_corner_landmarks lists;

    drop_made(self);
    cairn_status status = cn_corner_landmarks_list(table, map, &lists);
    if (status != CAIRN_OK)
        return status;
    self->map_hash = map->hash;
    status = cn_corner_rows_empty(map, &table->mem, shape, cn_corner_landmark_lists(&lists),
                                  &self->made);
    if (status == CAIRN_OK && may_spread(self, map))
        status = cn_spread_begin(self->made, map, self->made->entries, NULL, &self->spread);
    cn_corner_landmarks_free(&lists, &table->mem);
    return status;
}

void cn_corner_renewal_replace(cairn_table *table, cairn_table *made)
{
    cn_table_drop_gates(table); /* maps that go know where they are */
    cairn_table old = *table;
    made->version = old.version + 1;
    made->refresh = old.refresh;
    made->free_refresh = old.free_refresh;
    made->pace = old.pace;
    old.refresh = NULL;
    *table = *made;
    *made = old;
    cairn_table_free(made);
}

/* ------------------------------------------------------------------------------------ rows -- */

/* Rows that cannot be computed at once are computed one after another, from the beginning. */
static cairn_status spread_some(cn_corner_renewal *self, const cairn_table *table,
                                const cairn_map *map, uint64_t *work)
{
    bool is_done;
    cairn_status status = cn_spread_run(self->spread, map, work, &is_done);
    if (status != CAIRN_OK || is_done)
        return status;
    self->vain_hash = map->hash;
    status = begin(self, table, map);
    return status == CAIRN_OK ? CAIRN_MORE : status;
}

static cairn_status make_rows(cn_corner_renewal *self, const cairn_table *table,
                              const cairn_map *map, cn_budget_kind kind, uint64_t *work)
{
    if (self->has_rows)
        return CAIRN_OK;
    const cairn_status status = self->spread ? spread_some(self, table, map, work)
                                             : cn_corner_row_floods_run(&self->floods, self->made,
                                                                        map, kind, work);
    self->has_rows = status == CAIRN_OK;
    return status;
}

/* ------------------------------------------------------------------------------------ runs -- */

/* Entries that floods compute in the time in which the runs of a member are taken over. */
enum { ENTRIES_PER_MEMBER = 32 };

/* Takes over the runs of corners that searches have found, and that still end where they did. */
static cairn_status take_runs(cn_corner_renewal *self, const cairn_table *table,
                              const cairn_map *map, uint64_t *work)
{
    cn_corners *corners = self->made->corners;
    const uint32_t left = corners->count - self->taken.next;
    const uint64_t most = *work / ENTRIES_PER_MEMBER + 1;
    const uint32_t count = most < left ? (uint32_t)most : left;
    const cn_gates *gates = NULL;
    cn_trust trust;

    if (!cn_corner_rows_has_arcs(table) && !corners->arcs)
        return CAIRN_OK;
    cairn_status status = cn_gates_of(table, map, &trust, &gates);
    if (status == CAIRN_OK)
        status = cn_corner_rows_take_arcs(
            table, map, gates && gates->extension ? gates->extension->corners : NULL, corners,
            &self->taken, count);
    cn_spend(work, (uint64_t)count * ENTRIES_PER_MEMBER);
    return status == CAIRN_OK && self->taken.next < corners->count ? CAIRN_MORE : status;
}

static cairn_status conclude(cn_corner_renewal *self, cairn_table *table)
{
    const cn_corner_landmarks lists = {self->made->landmark_start, self->made->landmarks};
    self->changes = cn_corner_landmarks_compare(table, &lists);
    cn_corner_renewal_replace(table, self->made);
    self->made = NULL;
    return self->floods.beyond ? CAIRN_E_LIMIT : CAIRN_OK;
}

cairn_status cn_corner_renewal_run(cn_corner_renewal *self, cairn_table *table,
                                   const cairn_map *map, cn_budget_kind kind, uint64_t *work)
{
    cairn_status status = CAIRN_OK;

    if (!self->made || self->map_hash != map->hash)
        status = begin(self, table, map);
    if (status == CAIRN_OK)
        status = make_rows(self, table, map, kind, work);
    if (status == CAIRN_OK)
        status = take_runs(self, table, map, work);
    if (status == CAIRN_OK)
        status = conclude(self, table);
    if (status != CAIRN_MORE)
        drop_made(self);
    return status;
}
