#include "corner_refresh/corner_renewal.h"

#include "bound/gate_shelf.h"

void cn_corner_renewal_end(cn_corner_renewal *self)
{
    cn_spread_free(self->spread);
    cairn_table_free(self->made);
    self->spread = NULL;
    self->made = NULL;
}

cairn_status cn_corner_renewal_begin(cn_corner_renewal *self, const cairn_table *table,
                                     const cairn_map *map)
{
    const cn_table_shape shape = {map, table->row_count, table->entry_bits, false};
    cn_corner_landmarks lists;

    cn_corner_renewal_end(self);
    cairn_status status = cn_corner_landmarks_list(table, map, &lists);
    if (status != CAIRN_OK)
        return status;
    self->map_hash = map->hash;
    status = cn_corner_rows_empty(map, &table->mem, shape, cn_corner_landmark_lists(&lists),
                                  &self->made);
    if (status == CAIRN_OK)
        status = cn_spread_begin(self->made, map, self->made->entries, NULL, &self->spread);
    if (status != CAIRN_OK)
        cn_corner_renewal_end(self);
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

/* The runs of corners that searches have found, and that still end where they did. */
static cairn_status keep_runs(const cairn_table *table, const cairn_map *map, cairn_table *made)
{
    const cn_gates *gates = NULL;
    cn_trust trust;

    if (!cn_corner_rows_has_arcs(table))
        return CAIRN_OK;
    const cairn_status status = cn_gates_of(table, map, &trust, &gates);
    return status == CAIRN_OK
               ? cn_corner_rows_take_arcs(
                     table, map, gates && gates->extension ? gates->extension->corners : NULL,
                     made->corners)
               : status;
}

static cairn_status conclude(cn_corner_renewal *self, cairn_table *table, const cairn_map *map,
                             bool is_done)
{
    const cairn_status status = is_done ? keep_runs(table, map, self->made) : CAIRN_E_LIMIT;
    if (status != CAIRN_OK)
        return status;
    const cn_corner_landmarks lists = {self->made->landmark_start, self->made->landmarks};
    self->changes = cn_corner_landmarks_compare(table, &lists);
    cn_corner_renewal_replace(table, self->made);
    self->made = NULL;
    return CAIRN_OK;
}

cairn_status cn_corner_renewal_run(cn_corner_renewal *self, cairn_table *table,
                                   const cairn_map *map, uint64_t *work)
{
    bool is_done;
    cairn_status status = cn_spread_run(self->spread, map, work, &is_done);
    if (status == CAIRN_MORE)
        return status;
    if (status == CAIRN_OK)
        status = conclude(self, table, map, is_done);
    cn_corner_renewal_end(self);
    return status;
}
