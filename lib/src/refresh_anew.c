/*
 * Rows measured anew: a flood of the whole row by the fastest engine. The engine's memory, as large
 * as a row, is kept and follows the map from edit to edit, since setting it up takes as long as a
 * flood.
 */
#include "refresh.h"

static void close_flooder(cn_refresh *self)
{
    cn_flooder_free(self->flooder);
    self->flooder = NULL;
}

void cn_refresh_close_anew(cn_refresh *self)
{
    close_flooder(self);
    cn_runs_free(&self->runs, &self->mem);
}

/* Memory of another allocator than the table's may be gone before the table is. */
void cn_refresh_rest_anew(cn_refresh *self)
{
    if (self->flooder && !cn_mem_is_same(&self->mem, &self->map->mem))
        close_flooder(self);
}

/* False when there is none yet or too much changed. */
static bool follow(cn_refresh *self)
{
    const cairn_node *cells;
    size_t count;

    if (!self->flooder || self->flooder_bits != self->table->entry_bits)
        return false;
    switch (cn_map_changes(self->map, self->flooder_hash, &cells, &count)) {
    case CN_CHANGES_NONE:
    case CN_CHANGES_KNOWN: break;
    default: return false;
    }
    return cn_flooder_update(self->flooder, self->map, cells, count);
}

static cairn_status ready_flooder(cn_refresh *self)
{
    cairn_status status = CAIRN_OK;

    if (!follow(self)) {
        close_flooder(self);
        status = cn_flooder_new(self->map, self->table->entry_bits, &self->flooder);
    }
    self->flooder_hash = self->map->hash;
    self->flooder_bits = self->table->entry_bits;
    return status;
}

/* Open cells that are not reached may want a landmark. */
static cairn_status list_unreached(cn_refresh *self, uint32_t row, size_t count)
{
    self->dropped.count = 0;
    if (!cn_list_reserve(&self->dropped, &self->mem, count, sizeof(cairn_node)))
        return CAIRN_E_MEMORY;
    cairn_node *unreached = self->dropped.items;
    for (cairn_node node = 0; self->dropped.count < count; node++) {
        if (cn_table_entry(self->table, row, node) == CAIRN_UNREACHABLE)
            unreached[self->dropped.count++] = node;
    }
    return CAIRN_OK;
}

/* The components of the map as it is, on which straight steps make them. */
static cairn_status ready_runs(cn_refresh *self)
{
    if (self->runs.items && self->runs_hash == self->map->hash)
        return CAIRN_OK;
    cn_runs_free(&self->runs, &self->mem);
    self->runs_hash = self->map->hash;
    return cn_runs_new(&self->map->grid, &self->mem, &self->runs);
}

static bool may_be_split(const cn_refresh *self)
{
    return self->may_split && cn_map_is_classic(self->map);
}

static cairn_status flood_row(cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    cn_plane plane;

    cairn_status status = ready_flooder(self);
    if (status == CAIRN_OK)
        status = (cn_table_way(table, row) == CN_REVERSE ? cn_flooder_run_back : cn_flooder_run)(
            self->flooder, landmarks, count, &plane);
    if (status != CAIRN_OK)
        return status;
    return list_unreached(self, row, cn_table_put_row(self->table, self->map, row, &plane));
}

/* Where a component lost its landmark it gets another one before the flood, so that one is enough.
 * What this leaves out is settled after it. */
static cairn_status place_early(cn_refresh *self, uint32_t row)
{
    cairn_status status = ready_runs(self);
    return status == CAIRN_OK ? cn_refresh_settle_early(self, row) : status;
}

cairn_status cn_refresh_measure_row(cn_refresh *self, uint32_t row)
{
    cn_refresh_drop_closed(self, row);
    cairn_status status = may_be_split(self) ? place_early(self, row) : CAIRN_OK;
    if (status == CAIRN_OK)
        status = flood_row(self, row);
    if (status == CAIRN_E_LIMIT && self->table->entry_bits == 16) {
        status = cn_table_widen(self->table);
        if (status == CAIRN_OK)
            status = flood_row(self, row);
    }
    if (status == CAIRN_OK)
        cn_refresh_begin_measured(self, row);
    return status;
}
