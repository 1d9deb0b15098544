/*
 * Rebuilds of rows: a flood of the whole row by the fastest engine. The engine's memory, as large
 * as a row, is kept and adapted to edits, since setting it up takes as long as a flood. Writing a
 * row accesses every cache line of the table, which takes longer than computing the row. So
 * computed rows wait, in planes that are kept as well, and several are written together, and only
 * in tiles where they may differ from the table.
 */
#include "refresh/refresh.h"
#include "refresh/refresh_farthest.h"
#include "refresh/refresh_landmarks.h"

void cn_refresh_close_rebuild(cn_refresh *self)
{
    CN_ASSERT(self->computed.count == 0);
    cn_kept_flooder_free(&self->flooder);
    cn_refresh_free_waiting(self);
}

void cn_refresh_free_waiting(cn_refresh *self)
{
    CN_ASSERT(self->computed.count == 0);
    for (size_t i = 0; i + 1 < CN_PUT_MOST; i++)
        cn_plane_memory_free(&self->flooder_mem, &self->computed.kept[i]);
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

    self->sliced.phase = CN_SLICES_NONE;
    if (!cn_kept_flooder_adapt(&self->flooder, self->map, bits)) {
        cn_refresh_close_rebuild(self);
        status = cn_kept_flooder_ready(&self->flooder, self->map, bits, CN_FLOOD_MANY);
    }
    self->flooder_mem = self->map->mem;
    if (status == CAIRN_OK)
        self->never_pauses = !cn_flooder_may_pause(self->flooder.flooder);
    return status;
}

static cairn_status flood_row(cn_refresh *self, uint32_t row, cn_plane *plane)
{
    cn_computed_rows *computed = &self->computed;
    const cairn_table *table = self->table;
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);

    cairn_status status = ready_flooder(self);
    if (status == CAIRN_OK && computed->count)
        status = cn_flooder_trade(self->flooder.flooder, &computed->kept[computed->count - 1]);
    if (status != CAIRN_OK)
        return status;
    return (cn_table_way(table, row) == CN_REVERSE ? cn_flooder_run_back : cn_flooder_run)(
        self->flooder.flooder, landmarks, count, plane);
}

/* ------------------------------------------------------------------------- rows that wait -- */

/* Lists the tiles within two steps of a node. */
static void touch_around(cn_refresh *self, cairn_node node)
{
    enum { STEPS = 2 };
    const cn_grid *grid = &self->map->grid;
    uint32_t x, y;

    cn_grid_xy(grid, node, &x, &y);
    const uint32_t left = (x < STEPS ? 0 : x - STEPS) / CN_PUT_TILE;
    const uint32_t above = (y < STEPS ? 0 : y - STEPS) / CN_PUT_TILE;
    const uint32_t right = (x + STEPS < grid->width ? x + STEPS : grid->width - 1) / CN_PUT_TILE;
    const uint32_t below = (y + STEPS < grid->height ? y + STEPS : grid->height - 1) / CN_PUT_TILE;
    for (uint32_t row = above; row <= below; row++) {
        for (uint32_t column = left; column <= right; column++)
            cn_put_tiles_list(&self->computed.touched, column, row);
    }
}

void cn_refresh_touch(cn_refresh *self, const cairn_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        touch_around(self, nodes[i]);
}

/* Those that were not when rows were last written. */
static void touch_pending(cn_refresh *self)
{
    cn_computed_rows *computed = &self->computed;
    const cairn_node *pending = self->pending.items;
    for (; computed->pending_touched < self->pending.count; computed->pending_touched++)
        touch_around(self, pending[computed->pending_touched]);
}

/* Whether a row may differ from the table in any tile. Otherwise, a cell whose cost has changed
 * since the row was exact can be reached over such cells from one whose steps have, which is
 * pending: if its cost rose, that of the cell before it on a shortest path of then has risen, or
 * the step between them is gone; if it fell, that of the cell before it now has fallen, or the step
 * is new. So what differs lies in tiles next to one another, beginning at those of pending cells,
 * but for what repairs have written, which is in or beside tiles that are listed too. */
static bool may_differ_anywhere(const cn_refresh *self, uint32_t row)
{
    return self->map->graph ||
           self->row_work[row] & (CN_WORK_ANYWHERE | CN_WORK_SCATTERED | CN_WORK_MOVED);
}

static void write_rows(cn_refresh *self, const uint32_t *rows, const cn_plane *planes,
                       uint32_t count, bool is_scattered)
{
    cn_computed_rows *computed = &self->computed;
    if (is_scattered) {
        cn_table_put_rows(self->table, self->map, rows, planes, count);
        return;
    }
    touch_pending(self);
    const uint32_t listed = computed->touched.count;
    cn_table_put_differing(self->table, self->map, rows, planes, count, &computed->touched);
    cn_put_tiles_keep(&computed->touched, listed);
}

void cn_refresh_write_computed(cn_refresh *self)
{
    cn_computed_rows *computed = &self->computed;
    uint32_t count = computed->count;

    if (count == 0)
        return;
    write_rows(self, computed->rows, computed->planes, count, computed->is_scattered);
    computed->is_scattered = false;
    computed->count = 0;
    for (uint32_t i = 0; i < count; i++)
        cn_refresh_finish_row(self, computed->rows[i], self->pending.count, true);
}

static void keep_row(cn_refresh *self, uint32_t row, const cn_plane *plane)
{
    cn_computed_rows *computed = &self->computed;
    computed->rows[computed->count] = row;
    computed->planes[computed->count++] = *plane;
    computed->is_scattered = computed->is_scattered || may_differ_anywhere(self, row);
    self->row_work[row] = CN_WORK_COMPUTED | (self->row_work[row] & CN_WORK_JOINED);
    if (computed->count == computed->at_once)
        cn_refresh_write_computed(self);
}

cairn_status cn_refresh_widen(cn_refresh *self)
{
    cn_computed_rows *computed = &self->computed;
    cn_refresh_write_computed(self);
    cairn_status status = cn_table_widen(self->table);
    uint32_t most = cn_table_put_count(self->table);
    computed->at_once = computed->at_once < most ? computed->at_once : most;
    return status;
}

/* ----------------------------------------------------------- rows written where they are -- */

/* Lists the open cells in rows `first` to before `end` of the map that the flood did not reach:
 * their components may need a landmark. */
static cairn_status list_unreached(cn_refresh *self, const cn_plane *plane, uint32_t first,
                                   uint32_t end)
{
    cn_nodes *unreached = &self->repair.unsettled;
    const cn_grid *grid = &self->map->grid;
    cairn_node node = first * grid->width;

    for (uint32_t y = first; y < end; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (!cn_grid_is_open(grid, node) || cn_plane_at(plane, x, y) != CAIRN_UNREACHABLE)
                continue;
            if (!cn_refresh_add(self, unreached, node))
                return CAIRN_E_MEMORY;
        }
    }
    return CAIRN_OK;
}

static cairn_status write_row(cn_refresh *self, uint32_t row, const cn_plane *plane)
{
    write_rows(self, &row, plane, 1, may_differ_anywhere(self, row));
    self->repair.unsettled.count = 0;
    cairn_status status = self->map->graph ? CAIRN_OK
                                           : list_unreached(self, plane, 0, self->map->grid.height);
    if (status == CAIRN_OK)
        cn_refresh_begin_computed(self, row);
    return status;
}

/* Where a component has lost its landmark, it gets another one before the flood, so that one flood
 * is enough. CAIRN_MORE when visits are spent. */
static cairn_status serve_before_flood(cn_refresh *self, uint32_t row)
{
    const size_t *start = self->table->landmark_start;
    const size_t before = start[row + 1] - start[row];

    if (!cn_refresh_chooses_early(self) || !self->may_be_unserved)
        return CAIRN_OK;
    const cairn_status status = cn_refresh_serve_early(self, row);
    if (start[row + 1] - start[row] != before)
        self->row_work[row] |= CN_WORK_MOVED;
    return status;
}

cairn_status cn_refresh_ready_landmarks(cn_refresh *self, uint32_t row)
{
    const uint64_t left = self->visits_left;

    cn_refresh_drop_closed(self, row);
    self->visits_left = UINT64_MAX;
    const cairn_status status = serve_before_flood(self, row);
    self->visits_left = left;
    return status;
}

cairn_status cn_refresh_rebuild_row(cn_refresh *self, uint32_t row)
{
    cn_plane plane;

    cairn_status status = cn_refresh_ready_landmarks(self, row);
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
    if (!cn_refresh_chooses_early(self))
        return write_row(self, row, &plane);
    keep_row(self, row, &plane);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------- slices -- */

/* In the time of a visit of a repair. */
enum { EVEN_CELLS_FLOODED = 16, UNEVEN_CELLS_FLOODED = 6, CELLS_WRITTEN = 4 };

/* Where work is counted, an engine that cannot pause runs when its flood has been paid. */
static bool may_pause(const cn_refresh *self)
{
    return !self->never_pauses || self->budget_kind == CN_BUDGET_COUNTED;
}

bool cn_refresh_may_slice(const cn_refresh *self)
{
    return !self->map->graph && may_pause(self) && self->work_lost < CN_LOST_MOST &&
           cn_mem_is_same(&self->mem, &self->map->mem);
}

static uint64_t cells_flooded(const cn_refresh *self)
{
    return cn_map_is_even(self->map) ? EVEN_CELLS_FLOODED : UNEVEN_CELLS_FLOODED;
}

uint64_t cn_refresh_visits_of_slices(const cn_refresh *self)
{
    const uint64_t cells = self->map->grid.open_count;
    return cells / cells_flooded(self) + cells / CELLS_WRITTEN + 1;
}

cairn_status cn_refresh_begin_slices(cn_refresh *self, uint32_t row, bool *begun)
{
    const cairn_status status = ready_flooder(self);
    *begun = status == CAIRN_OK && may_pause(self);
    if (*begun) {
        cn_refresh_drop_closed(self, row);
        self->sliced =
            (cn_sliced_row){.phase = CN_SLICES_CHOOSE, .row = row, .map_hash = self->map->hash};
    }
    return status;
}

void cn_refresh_check_slices(cn_refresh *self, bool may_rebuild)
{
    cn_sliced_row *sliced = &self->sliced;
    if (sliced->phase == CN_SLICES_NONE)
        return;
    const bool is_wanted = !may_rebuild || sliced->phase == CN_SLICES_WRITE;
    const bool fits = sliced->map_hash == self->map->hash &&
                      cn_kept_flooder_adapt(&self->flooder, self->map, self->table->entry_bits);
    if (is_wanted && fits)
        return;
    if (sliced->phase != CN_SLICES_CHOOSE)
        self->work_lost += is_wanted;
    else if (is_wanted)
        cn_farthest_lose(self);
    else
        cn_farthest_end(self);
    sliced->phase = CN_SLICES_NONE;
}

/* Takes from the visits that are left what so many cells cost, at least one. */
static void spend_cells(cn_refresh *self, uint64_t cells, uint64_t per_visit)
{
    cn_refresh_spend(self, cells / per_visit + 1);
}

static cn_flood_task flood_of(const cn_refresh *self, uint32_t row)
{
    cn_flood_task task = {.way = cn_table_way(self->table, row), .most = CAIRN_UNREACHABLE};
    task.source_count = cairn_table_landmarks(self->table, row, &task.sources);
    return task;
}

/* Landmarks are chosen before the flood begins. */
static cairn_status choose_slice(cn_refresh *self)
{
    const uint32_t row = self->sliced.row;
    const cairn_status status = serve_before_flood(self, row);
    if (status == CAIRN_MORE)
        return CAIRN_OK;
    self->sliced.phase = status == CAIRN_OK ? CN_SLICES_FLOOD : CN_SLICES_NONE;
    if (status != CAIRN_OK)
        return status;
    const cn_flood_task task = flood_of(self, row);
    cn_priced_run_begin(&self->sliced.run, self->flooder.flooder, &task);
    return CAIRN_OK;
}

static cairn_status flood_slice(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    cn_sliced_row *sliced = &self->sliced;
    const uint64_t rate = cells_flooded(self);
    const uint64_t most = self->visits_left < UINT64_MAX / rate ? self->visits_left * rate
                                                                : UINT64_MAX;
    const cn_flood_task task = flood_of(self, sliced->row);
    uint64_t cells = most;

    cairn_status status = cn_priced_run_resume(&sliced->run, self->flooder.flooder, &task,
                                               self->budget_kind, &cells, &sliced->plane);
    spend_cells(self, most - cells, rate);
    if (status == CAIRN_MORE)
        return CAIRN_OK;
    sliced->phase = status == CAIRN_OK ? CN_SLICES_WRITE : CN_SLICES_NONE;
    if (status == CAIRN_E_LIMIT && self->table->entry_bits == 16)
        return cn_refresh_widen(self);
    if (status != CAIRN_OK)
        return status;
    self->row_work[sliced->row] |= CN_WORK_SCATTERED;
    repair->unsettled.count = 0;
    cn_table_set_state(self->table, sliced->row, CAIRN_ROW_UNSAFE);
    return CAIRN_OK;
}

static void finish_slices(cn_refresh *self)
{
    self->sliced.phase = CN_SLICES_NONE;
    if (cn_refresh_chooses_early(self))
        cn_refresh_finish_row(self, self->sliced.row, self->pending.count, true);
    else
        cn_refresh_begin_computed(self, self->sliced.row);
}

static cairn_status write_slice(cn_refresh *self)
{
    cn_sliced_row *sliced = &self->sliced;
    const uint32_t width = self->table->width, height = self->table->height;
    const uint64_t lines = self->visits_left / width * CELLS_WRITTEN + 1;
    const uint32_t first = sliced->written, left = height - first;
    const uint32_t end = lines < left ? first + (uint32_t)lines : height;
    cairn_status status = CAIRN_OK;

    cn_table_put_part(self->table, self->map, sliced->row, &sliced->plane, first, end);
    if (!cn_refresh_chooses_early(self))
        status = list_unreached(self, &sliced->plane, first, end);
    spend_cells(self, (uint64_t)(end - first) * width, CELLS_WRITTEN);
    sliced->written = end;
    if (status != CAIRN_OK)
        sliced->phase = CN_SLICES_NONE;
    else if (end == height)
        finish_slices(self);
    return status;
}

cairn_status cn_refresh_next_slice(cn_refresh *self)
{
    switch (self->sliced.phase) {
    case CN_SLICES_CHOOSE: return choose_slice(self);
    case CN_SLICES_FLOOD: return flood_slice(self);
    default: return write_slice(self);
    }
}
