#include "refresh.h"

#include <string.h>

#include "clock.h"

enum {
    SLICE = 256,          /* cells between two looks at the clock */
    CELLS_PER_WRITE = 4,  /* a row is measured anew rather than repaired when more than one cell in
                           * this many was written: see docs/decisions */
    NODES_PER_MICROSECOND = 100  /* measuring a row anew takes about that */
};

/* What a step may still do. */
typedef struct allowance {
    bool is_time;
    bool is_unlimited;
    uint64_t left;        /* cells; of time: until */
    bool may_rebuild;     /* large enough to measure a row anew */
} allowance;

static void free_refresh(void *refresh)
{
    cn_refresh *self = refresh;
    cn_mem mem = self->mem;

    cn_release(&mem, self->pending.items);
    cn_release(&mem, self->row_start);
    cn_release(&mem, self->row_work);
    cn_release(&mem, self->marks);
    cn_release(&mem, self->stack.items);
    cn_release(&mem, self->dropped.items);
    cn_release(&mem, self->seeds.items);
    cn_release(&mem, self->straight.items);
    cn_release(&mem, self->diagonal.items);
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
    self->marks = cn_zeroed(&table->mem, table->node_count, 1);
    if (!self->row_start || !self->row_work || !self->marks) {
        free_refresh(self);
        return CAIRN_E_MEMORY;
    }
    /* A copy of a table that was being repaired. */
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] != CAIRN_ROW_FRESH)
            self->row_work[row] = CN_ROW_REBUILD;
    }
    table->refresh = self;
    table->free_refresh = free_refresh;
    return CAIRN_OK;
}

/* Steps that alone exceed 16 bits leave no room for costs. */
static cairn_status open_refresh(cairn_table *table, const cairn_map *map)
{
    if (table->width != map->grid.width || table->height != map->grid.height)
        return CAIRN_E_MISMATCH;
    cairn_status status = table->refresh ? CAIRN_OK : new_refresh(table);
    if (status == CAIRN_OK && table->entry_bits == 16 && map->metric.diagonal >= UINT16_MAX)
        status = cn_table_widen(table);
    if (status == CAIRN_OK)
        ((cn_refresh *)table->refresh)->map = map;
    return status;
}

/* ----------------------------------------------------------------------- a row measured anew -- */

/* Cells that were reached and no longer are: components that want a landmark. */
static cairn_status list_lost(cn_refresh *self, const cn_plane *plane)
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

static cairn_status measure_row(cn_refresh *self, uint32_t row)
{
    cairn_table *table = self->table;
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    cairn_status status = CAIRN_OK;
    cn_plane plane;

    if (!self->flooder)
        status = cn_flooder_new(self->map, table->entry_bits, &self->flooder);
    if (status == CAIRN_OK)
        status = cn_flooder_run(self->flooder, landmarks, count, &plane);
    if (status == CAIRN_OK)
        status = list_lost(self, &plane);
    if (status == CAIRN_OK)
        cn_table_put_row(table, self->map, row, &plane);
    return status;
}

static void close_flooder(cn_refresh *self)
{
    cn_flooder_free(self->flooder);
    self->flooder = NULL;
}

/* What is left to do then is the end of a repair. With costs too large for 16 bits, the table gets
 * 32. */
static cairn_status rebuild_row(cn_refresh *self, uint32_t row)
{
    cairn_status status = measure_row(self, row);

    if (status == CAIRN_E_LIMIT && self->table->entry_bits == 16) {
        close_flooder(self);
        status = cn_table_widen(self->table);
        if (status == CAIRN_OK)
            status = measure_row(self, row);
    }
    if (status == CAIRN_OK)
        cn_refresh_begin_measured(self, row);
    return status;
}

/* --------------------------------------------------------------------------------- the steps -- */

static uint64_t node_cells(const cn_refresh *self)
{
    return cn_map_node_count(self->map);
}

static allowance allow(const cn_refresh *self, cairn_budget budget)
{
    allowance may = {.is_unlimited = budget == CAIRN_UNLIMITED, .is_time = budget & 1,
                     .left = budget >> 1};
    if (may.is_unlimited) {
        may.is_time = false;
        may.may_rebuild = true;
    } else if (may.is_time) {
        may.may_rebuild = may.left >= node_cells(self) / NODES_PER_MICROSECOND;
        may.left += cn_clock_microseconds();
    } else {
        may.may_rebuild = may.left >= node_cells(self) / CELLS_PER_WRITE;
    }
    return may;
}

static uint64_t next_slice(const allowance *may)
{
    if (!may->is_time)
        return may->left;
    return cn_clock_microseconds() < may->left ? SLICE : 0;
}

static void spend(cn_refresh *self, allowance *may, uint64_t slice)
{
    uint64_t spent = slice - self->left;
    self->counts.cells += spent;
    if (!may->is_time && !may->is_unlimited)
        may->left -= spent;
}

static void spend_rebuild(const cn_refresh *self, allowance *may)
{
    uint64_t cells = node_cells(self) / CELLS_PER_WRITE;
    if (!may->is_time && !may->is_unlimited)
        may->left -= cells < may->left ? cells : may->left;
}

static bool row_waits(const cn_refresh *self, uint32_t row)
{
    return self->row_work[row] != 0;
}

/* The first row that waits, or the number of rows. */
static uint32_t next_row(const cn_refresh *self)
{
    uint32_t row = 0;
    while (row < self->table->row_count && !row_waits(self, row))
        row++;
    return row;
}

static void rest(cn_refresh *self)
{
    self->pending.count = 0;
    memset(self->row_start, 0, self->table->row_count * sizeof *self->row_start);
}

/* Takes the next row into work. */
static cairn_status take_row(cn_refresh *self, allowance *may)
{
    uint32_t row = next_row(self);

    if (!may->may_rebuild || !(self->row_work[row] & CN_ROW_REBUILD)) {
        cn_refresh_begin_row(self, row);
        return CAIRN_OK;
    }
    spend_rebuild(self, may);
    return rebuild_row(self, row);
}

/* One slice of the row in work. A row that turned out too wide or too dear is measured anew. */
static cairn_status work(cn_refresh *self, allowance *may, uint64_t slice)
{
    self->left = slice;
    self->touch_limit = may->may_rebuild ? self->map->grid.open_count / CELLS_PER_WRITE + SLICE
                                         : SIZE_MAX;
    cairn_status status = cn_refresh_work_row(self);
    spend(self, may, slice);
    if (status == CAIRN_OK && self->too_wide) {
        cn_refresh_abort_row(self);
        self->too_wide = false;
        close_flooder(self);
        return cn_table_widen(self->table);
    }
    if (status == CAIRN_OK && self->phase != CN_PHASE_NONE && self->touched > self->touch_limit)
        cn_refresh_abort_row(self);
    return status;
}

static cairn_status run(cn_refresh *self, allowance *may)
{
    cairn_status status = CAIRN_OK;

    while (status == CAIRN_OK) {
        if (self->phase == CN_PHASE_NONE && next_row(self) == self->table->row_count) {
            rest(self);
            return CAIRN_OK;
        }
        uint64_t slice = next_slice(may);
        if (slice == 0)
            return CAIRN_MORE;
        status = self->phase == CN_PHASE_NONE ? take_row(self, may) : work(self, may, slice);
    }
    return status;
}

/* A row that is left half repaired must not be used. */
static cairn_status step(cn_refresh *self, cairn_budget budget)
{
    allowance may = allow(self, budget);
    cairn_status status = run(self, &may);

    close_flooder(self);
    if (self->phase != CN_PHASE_NONE)
        cn_table_set_state(self->table, self->row, CAIRN_ROW_UNSAFE);
    return status;
}

cairn_status cairn_refresh_step(cairn_table *table, const cairn_map *map, cairn_budget budget)
{
    if (!table || !map)
        return CAIRN_E_ARGUMENT;
    cairn_status status = open_refresh(table, map);
    if (status == CAIRN_OK)
        status = cn_refresh_note(table->refresh);
    return status == CAIRN_OK ? step(table->refresh, budget) : status;
}

cairn_status cairn_table_rebuild(cairn_table *table, const cairn_map *map)
{
    if (!table || !map)
        return CAIRN_E_ARGUMENT;
    cairn_status status = open_refresh(table, map);
    if (status == CAIRN_OK)
        status = cn_refresh_note_all(table->refresh);
    return status == CAIRN_OK ? step(table->refresh, CAIRN_UNLIMITED) : status;
}

cairn_refresh_counts cairn_table_refresh_counts(const cairn_table *table)
{
    const cn_refresh *self = table->refresh;
    return self ? self->counts : (cairn_refresh_counts){0};
}
