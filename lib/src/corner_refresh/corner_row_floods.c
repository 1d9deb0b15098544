#include "corner_refresh/corner_row_floods.h"

#include "base/budget.h"
#include "table/table_state.h"

/* Entries that a flood computes in the time in which one is put into the table. */
enum { ENTRIES_PER_PUT = 2 };

void cn_corner_row_floods_begin(cn_corner_row_floods *self)
{
    self->row = 0;
    self->phase = CN_ROW_NOT_BEGUN;
    self->beyond = 0;
}

void cn_corner_row_floods_end(cn_corner_row_floods *self)
{
    self->phase = CN_ROW_NOT_BEGUN;
    cn_kept_flooder_free(&self->flooder);
}

static void finish_row(cn_corner_row_floods *self)
{
    self->phase = CN_ROW_NOT_BEGUN;
    self->row++;
}

/* A row whose costs its entries do not hold: it begins again with wider ones, or is left out. */
static cairn_status widen_or_leave_out(cn_corner_row_floods *self, cairn_table *table)
{
    self->phase = CN_ROW_NOT_BEGUN;
    if (table->entry_bits == 16)
        return cn_table_widen(table);
    cn_table_set_state(table, self->row, CAIRN_ROW_UNSAFE);
    self->beyond++;
    finish_row(self);
    return CAIRN_OK;
}

static cairn_status flood_at_once(cn_corner_row_floods *self, cairn_table *table,
                                  const cairn_map *map, uint64_t *work)
{
    cn_plane plane;

    cairn_status status = cn_kept_flooder_ready(&self->flooder, map, table->entry_bits,
                                                CN_FLOOD_MANY);
    if (status == CAIRN_OK)
        status = cn_corner_rows_flood(table, self->flooder.flooder, self->row, &plane);
    cn_spend(work, table->node_count);
    if (status == CAIRN_E_LIMIT)
        return widen_or_leave_out(self, table);
    if (status != CAIRN_OK)
        return status;
    cn_corner_rows_put(table, self->row, &plane);
    finish_row(self);
    return CAIRN_OK;
}

static cn_flood_task flood_of(const cairn_table *table, uint32_t row)
{
    cn_flood_task task = {.way = CN_FORWARD, .most = CAIRN_UNREACHABLE};
    task.source_count = cairn_table_landmarks(table, row, &task.sources);
    return task;
}

static cairn_status begin_flood(cn_corner_row_floods *self, const cairn_table *table,
                                const cairn_map *map)
{
    const cn_flood_task task = flood_of(table, self->row);
    const cairn_status status = cn_kept_flooder_ready(&self->flooder, map, table->entry_bits,
                                                      CN_FLOOD_PAUSES);
    if (status != CAIRN_OK)
        return status;
    CN_ASSERT(cn_flooder_may_pause(self->flooder.flooder)); /* that of a flood at once is gone */
    cn_priced_run_begin(&self->run, self->flooder.flooder, &task);
    self->phase = CN_ROW_FLOOD;
    return CAIRN_OK;
}

static cairn_status flood_some(cn_corner_row_floods *self, cairn_table *table, cn_budget_kind kind,
                               uint64_t *work)
{
    const cn_flood_task task = flood_of(table, self->row);
    const cairn_status status = cn_priced_run_resume(&self->run, self->flooder.flooder, &task, kind,
                                                     work, &self->plane);
    if (status == CAIRN_E_LIMIT)
        return widen_or_leave_out(self, table);
    if (status == CAIRN_OK) {
        self->phase = CN_ROW_PUT;
        self->put = (cn_corner_copy){0};
    }
    return status;
}

static void put_some(cn_corner_row_floods *self, cairn_table *table, uint64_t *work)
{
    const uint32_t left = table->corners->count - self->put.next;
    const uint64_t most = *work / ENTRIES_PER_PUT + 1;
    const uint32_t count = most < left ? (uint32_t)most : left;

    cn_corner_rows_put_some(table, self->row, &self->plane, &self->put, count);
    cn_spend(work, (uint64_t)count * ENTRIES_PER_PUT);
    if (count == left)
        finish_row(self);
}

static cairn_status run_phase(cn_corner_row_floods *self, cairn_table *table, const cairn_map *map,
                              cn_budget_kind kind, uint64_t *work)
{
    /* What pauses is in memory of the map, which may be gone before the next step. */
    const bool at_once = kind == CN_BUDGET_UNLIMITED || !cn_mem_is_same(&table->mem, &map->mem);

    switch (self->phase) {
    case CN_ROW_FLOOD: return flood_some(self, table, kind, work);
    case CN_ROW_PUT: put_some(self, table, work); return CAIRN_OK;
    default: return at_once ? flood_at_once(self, table, map, work) : begin_flood(self, table, map);
    }
}

/* Where the flooder cannot follow to the map of this step, its flood begins again. */
static void follow_map(cn_corner_row_floods *self, const cairn_table *table, const cairn_map *map)
{
    if (self->phase != CN_ROW_NOT_BEGUN &&
        !cn_kept_flooder_adapt(&self->flooder, map, table->entry_bits))
        self->phase = CN_ROW_NOT_BEGUN;
}

cairn_status cn_corner_row_floods_run(cn_corner_row_floods *self, cairn_table *table,
                                      const cairn_map *map, cn_budget_kind kind, uint64_t *work)
{
    cairn_status status = CAIRN_OK;

    follow_map(self, table, map);
    while (status == CAIRN_OK && self->row < table->row_count) {
        if (*work == 0)
            return CAIRN_MORE;
        status = run_phase(self, table, map, kind, work);
    }
    return status;
}
