/*
 * Rebuilds of rows: a flood of the whole row by the fastest engine. The engine's memory, as large
 * as a row, is kept and adapted to edits, since setting it up takes as long as a flood. Writing a
 * row accesses every cache line of the table, which takes longer than computing the row. So
 * computed rows wait, in planes that are kept as well, and several are written together.
 */
#include "refresh/refresh.h"

void cn_refresh_close_rebuild(cn_refresh *self)
{
    CN_ASSERT(self->computed_count == 0);
    cn_kept_flooder_free(&self->flooder);
    for (size_t i = 0; i + 1 < CN_PUT_MOST; i++)
        cn_plane_memory_free(&self->flooder_mem, &self->kept[i]);
}

/* Memory from another allocator than the table's is freed, since that allocator may not exist as
 * long as the table. */
void cn_refresh_shrink_rebuild(cn_refresh *self)
{
    if (self->flooder.flooder && !cn_mem_is_same(&self->mem, &self->map->mem))
        cn_refresh_close_rebuild(self);
}

static cairn_status ready_flooder(cn_refresh *self)
{
    const unsigned bits = self->table->entry_bits;
    cairn_status status = CAIRN_OK;

    if (!cn_kept_flooder_serves(&self->flooder, self->map, bits)) {
        cn_refresh_close_rebuild(self);
        status = cn_kept_flooder_renew(&self->flooder, self->map, bits, cn_flooder_new);
    }
    self->flooder_mem = self->map->mem;
    return status;
}

static cairn_status flood_row(cn_refresh *self, uint32_t row, cn_plane *plane)
{
    const cairn_table *table = self->table;
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);

    cairn_status status = ready_flooder(self);
    if (status == CAIRN_OK && self->computed_count)
        status = cn_flooder_trade(self->flooder.flooder, &self->kept[self->computed_count - 1]);
    if (status != CAIRN_OK)
        return status;
    return (cn_table_way(table, row) == CN_REVERSE ? cn_flooder_run_back : cn_flooder_run)(
        self->flooder.flooder, landmarks, count, plane);
}

/* ------------------------------------------------------------------------- rows that wait -- */

void cn_refresh_write_computed(cn_refresh *self)
{
    uint32_t count = self->computed_count;

    if (count == 0)
        return;
    cn_table_put_rows(self->table, self->map, self->computed, self->planes, count);
    self->computed_count = 0;
    for (uint32_t i = 0; i < count; i++)
        cn_refresh_finish_row(self, self->computed[i], self->pending.count, true);
}

static void keep_row(cn_refresh *self, uint32_t row, const cn_plane *plane)
{
    self->computed[self->computed_count] = row;
    self->planes[self->computed_count++] = *plane;
    self->row_work[row] = CN_ROW_COMPUTED | (self->row_work[row] & CN_ROW_JOINED);
    if (self->computed_count == self->at_once)
        cn_refresh_write_computed(self);
}

cairn_status cn_refresh_widen(cn_refresh *self)
{
    cn_refresh_write_computed(self);
    cairn_status status = cn_table_widen(self->table);
    uint32_t most = cn_table_put_count(self->table);
    self->at_once = self->at_once < most ? self->at_once : most;
    return status;
}

/* ----------------------------------------------------------- rows written where they are -- */

/* Open cells that are not reached may need a landmark. */
static cairn_status list_unreached(cn_refresh *self, const cn_plane *plane)
{
    const cn_grid *grid = &self->map->grid;
    cairn_node node = 0;

    self->dropped.count = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (!cn_grid_is_open(grid, node) || cn_plane_at(plane, x, y) != CAIRN_UNREACHABLE)
                continue;
            if (!cn_list_reserve(&self->dropped, &self->mem, 1, sizeof node))
                return CAIRN_E_MEMORY;
            ((cairn_node *)self->dropped.items)[self->dropped.count++] = node;
        }
    }
    return CAIRN_OK;
}

static cairn_status write_row(cn_refresh *self, uint32_t row, const cn_plane *plane)
{
    cn_table_put_rows(self->table, self->map, &row, plane, 1);
    cairn_status status = self->map->roads ? CAIRN_OK : list_unreached(self, plane);
    if (status == CAIRN_OK)
        cn_refresh_begin_computed(self, row);
    return status;
}

cairn_status cn_refresh_rebuild_row(cn_refresh *self, uint32_t row)
{
    const bool is_classic = cn_map_is_classic(self->map);
    cn_plane plane;

    cn_refresh_drop_closed(self, row);
    cairn_status status = CAIRN_OK;
    /* Where a component has lost its landmark, it gets another one before the flood, so that one
     * flood is enough. */
    if (is_classic && self->may_lack)
        status = cn_refresh_settle_early(self, row);
    if (status != CAIRN_OK)
        return status;
    status = flood_row(self, row, &plane);
    if (status == CAIRN_E_LIMIT && self->table->entry_bits == 16) {
        status = cn_refresh_widen(self);
        if (status == CAIRN_OK)
            status = flood_row(self, row, &plane);
    }
    if (status != CAIRN_OK)
        return status;
    if (!is_classic)
        return write_row(self, row, &plane);
    keep_row(self, row, &plane);
    return CAIRN_OK;
}
