/* Applies edits to a table: finds the rows that they make unsafe or too low, and sets the entries
 * of cells that opened or closed. Rows are repaired afterwards. */
#include <string.h>

#include "bound/gate_shelf.h"
#include "refresh/refresh.h"
#include "refresh/refresh_compare.h"
#include "refresh/refresh_farthest.h"
#include "refresh/refresh_landmarks.h"

static bool all_zero(const cairn_table *table, cairn_node node)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (cn_table_entry(table, row, node) != 0)
            return false;
    }
    return true;
}

/* Whether a cell was blocked for the table, as nodes of graphs never are: blocked cells are 0 in
 * all rows, and so is a cell that is a landmark of all. Where memory ended while landmarks moved,
 * some rows may have lost that one already. */
static bool was_blocked(const cn_refresh *self, cairn_node node)
{
    const cairn_table *table = self->table;
    uint32_t landmarks = 0;
    if (self->map->graph || !all_zero(table, node))
        return false;
    for (uint32_t row = 0; row < table->row_count; row++) {
        const bool is_landmark = cn_table_find_landmark(table, row, node) != SIZE_MAX;
        if (is_landmark && cn_refresh_has_its_landmarks(self, row))
            return false;
        landmarks += is_landmark;
    }
    return landmarks < table->row_count;
}

/* --------------------------------------------------------------------------- applying edits -- */

/* Those from `first` on; NULL before there are any. */
static const cairn_node *pending_from(const cn_refresh *self, size_t first)
{
    return self->pending.count ? self->pending.items + first : NULL;
}

static void add_pending(cn_refresh *self, cairn_node node)
{
    if (self->marks[node] & CN_MARK_CHECKED)
        return;
    self->marks[node] |= CN_MARK_CHECKED;
    self->pending.items[self->pending.count++] = node;
}

/* Adds to `pending` every cell whose steps may have changed: the cell and its neighbours. Both
 * nodes of an edited arc are listed already. */
static void add_pending_around(cn_refresh *self, cairn_node node)
{
    cairn_node around[CN_DIRECTIONS];
    unsigned count = self->map->graph ? 0 : cn_grid_neighbours(&self->map->grid, node, around);
    add_pending(self, node);
    for (unsigned i = 0; i < count; i++)
        add_pending(self, around[i]);
}

static cairn_status move_all_landmarks(cn_refresh *self, const cairn_node *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        self->marks[cells[i]] |= CN_MARK_CHANGED;
    for (size_t i = 0; i < count; i++) {
        if (cn_grid_is_open(&self->map->grid, cells[i]))
            continue;
        cairn_status status = cn_refresh_move_landmarks_from(self, cells[i]);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

/* Cells that opened are unreachable at first, and come first in `pending`. */
static void open_entries(cn_refresh *self, const cairn_node *cells, size_t count)
{
    const cairn_table *table = self->table;
    for (size_t i = 0; i < count; i++) {
        if (!cn_grid_is_open(&self->map->grid, cells[i]) || !was_blocked(self, cells[i]))
            continue;
        memset(cn_refresh_entries_to_write(table, cells[i]), 0xff, cn_refresh_entries_size(table));
        add_pending(self, cells[i]);
    }
}

/* Undoes the changes of entries, since the map may become again what it was. Only these cells are
 * pending. */
static void close_entries(cn_refresh *self, size_t first)
{
    for (size_t i = first; i < self->pending.count; i++)
        memset(cn_refresh_entries_to_write(self->table, self->pending.items[i]), 0,
               cn_refresh_entries_size(self->table));
    self->pending.count = first;
}

/* Whether a component may have fallen apart: only if a cell closed, or can be left in other
 * directions. Edits of arcs change only costs. */
static bool closes_any(const cn_refresh *self, const cairn_node *cells, size_t count)
{
    if (!cn_map_is_even(self->map))
        return !self->map->graph;
    for (size_t i = 0; i < count; i++) {
        if (!cn_grid_is_open(&self->map->grid, cells[i]))
            return true;
    }
    return false;
}

/* Entries of blocked cells become 0 in all rows; those of opened cells what their neighbours
 * give. */
static void set_entries(cn_refresh *self, const cairn_node *cells, size_t count, size_t first,
                        cn_findings *found)
{
    for (size_t i = 0; i < count; i++) {
        if (!cn_grid_is_open(&self->map->grid, cells[i]))
            memset(cn_refresh_entries_to_write(self->table, cells[i]), 0,
                   cn_refresh_entries_size(self->table));
    }
    for (size_t i = first; i < self->pending.count; i++)
        cn_compare_and_pull(self, self->pending.items[i], found);
}

static void check_pending(cn_refresh *self, size_t first, cn_findings *found)
{
    for (size_t i = first; i < self->pending.count; i++) {
        if (cn_grid_is_open(&self->map->grid, self->pending.items[i]))
            cn_compare_cell(self, self->pending.items[i], found);
    }
}

/* Finds what the pending cells from `first` on need, and marks those at which a step could lower an
 * entry. */
static void check_and_mark_pending(cn_refresh *self, size_t first, cn_findings *found)
{
    /* All lanes of either width lie in as many words of 32 bits. */
    const size_t size = self->table->lane_count * sizeof *found->high.wide;
    cn_findings one;

    for (size_t i = first; i < self->pending.count; i++) {
        const cairn_node cell = self->pending.items[i];
        if (!cn_grid_is_open(&self->map->grid, cell))
            continue;
        memset(&one.high, 0, size);
        memset(&one.low, 0, size);
        memset(&one.lonely, 0, size);
        cn_compare_cell(self, cell, &one);
        if (cn_found_in_any(self->table, &one.high))
            self->marks[cell] |= CN_MARK_HIGH;
        cn_findings_add(self->table, &one, found);
    }
}

/* Lists the cells that opened, which are pending from `first` on, for the rows that fall behind.
 * Where steps differ in what they cost, any of the cells that changed may lead on at less. */
static cairn_status list_openings(cn_refresh *self, const cairn_node *cells, size_t changed,
                                  size_t first, uint32_t *since)
{
    return cn_map_is_even(self->map) ? cn_table_add_openings(self->table, pending_from(self, first),
                                                             self->pending.count - first, since)
                                     : cn_table_add_openings(self->table, cells, changed, since);
}

static void judge_rows(cn_refresh *self, const cn_findings *found, uint32_t since)
{
    cairn_table *table = self->table;
    cn_refresh_try_again(self);
    for (uint32_t row = 0; row < table->row_count; row++) {
        bool high = cn_found_in_row(table, &found->high, row);
        bool dirty = high || cn_found_in_row(table, &found->low, row) ||
                     cn_found_in_row(table, &found->lonely, row) || self->row_work[row] ||
                     cn_refresh_is_repairing(self, row);
        if (!dirty) {
            self->row_start[row] = self->pending.count;
            continue;
        }
        self->row_work[row] |= CN_WORK_PENDING;
        if (high)
            cn_table_fall_behind(table, row, since);
        else if (table->row_state[row] == CAIRN_ROW_FRESH)
            cn_table_set_state(table, row, CAIRN_ROW_WEAKER);
    }
}

/* Removes landmarks from components that have several. These may have been joined by cells that
 * opened, which are pending from `first` on, and on grids that are not even by those that may be
 * left or entered in other directions; in graphs no node opens. */
static cairn_status drop_joined(cn_refresh *self, const cairn_node *cells, size_t count,
                                size_t first)
{
    cn_joins *joins = &self->joins;
    cn_opened opened = {.cells = cells, .count = self->map->graph ? 0 : count, .changed = count};

    joins->may_join = joins->may_join || cn_refresh_may_join(self, cells, count);
    if (!joins->may_join)
        return CAIRN_OK;
    if (cn_map_is_even(self->map)) {
        opened.cells = pending_from(self, first);
        opened.count = self->pending.count - first;
    }
    return cn_refresh_drop_joined(self, &opened);
}

/* When there are more pending cells than the map has cells, rows are rebuilt instead. */
static void forget_pending(cn_refresh *self)
{
    cairn_table *table = self->table;
    cn_refresh_abort_row(self);
    for (uint32_t row = 0; row < table->row_count; row++) {
        self->row_start[row] = 0;
        if (self->row_work[row] & (CN_WORK_PENDING | CN_WORK_REBUILD))
            self->row_work[row] |= CN_WORK_REBUILD | CN_WORK_ANYWHERE;
    }
    self->pending.count = self->computed.pending_touched = 0;
}

/* The edits could not be applied, but some landmarks have moved already. If the map became again
 * what the table was made for, no edits would be left to apply, but these rows would still need
 * repair, and later ones may take the cells that they have left. */
static void doubt_moved_rows(cn_refresh *self)
{
    bool has_moved = false;

    cn_refresh_match_pairs(self);
    for (uint32_t row = 0; row < self->table->row_count; row++) {
        has_moved = has_moved || self->row_work[row] & CN_WORK_MOVED;
        if (!has_moved)
            continue;
        self->may_be_unserved = true;
        if (cn_refresh_is_repairing(self, row))
            cn_refresh_abort_row(self);
        self->row_work[row] |= CN_WORK_REBUILD | CN_WORK_ANYWHERE;
        if (self->table->row_state[row] == CAIRN_ROW_FRESH)
            cn_table_set_state(self->table, row, CAIRN_ROW_WEAKER);
    }
}

/* Whether a step at a cell or beside it could lower an entry, in any row. */
static bool breaks_around(const cn_refresh *self, cairn_node node)
{
    cairn_node around[CN_DIRECTIONS];
    const unsigned count = cn_grid_neighbours(&self->map->grid, node, around);
    unsigned marks = self->marks[node];
    for (unsigned i = 0; i < count; i++)
        marks |= self->marks[around[i]];
    return marks & CN_MARK_HIGH;
}

/* Keeps of the openings from `since` on those at which a step breaks the condition of rows. The
 * others are cells like any that was open before. */
static void drop_harmless_openings(const cn_refresh *self, const cn_findings *found, uint32_t since)
{
    cn_nodes *openings = &self->table->openings->cells;
    const bool any_breaks = cn_found_in_any(self->table, &found->high);
    size_t kept = since;

    for (size_t i = since; i < openings->count && any_breaks; i++) {
        const cairn_node cell = openings->items[i];
        if (breaks_around(self, cell))
            openings->items[kept++] = cell;
    }
    if (kept < openings->count && (kept > since || !any_breaks))
        openings->count = kept;
}

/* Whether it matters which openings break rows: some rows will need gates. */
static bool judges_openings(const cn_refresh *self, uint32_t since)
{
    const cn_openings *openings = self->table->openings;
    return openings && since < openings->cells.count && !self->map->graph && !self->to_the_end;
}

/* Sets the entries of changed cells, adds the cells whose steps changed to `pending`, and finds the
 * state of every row. Of the rows that fall behind, the list of opened cells begins at `since`. */
static void update_rows(cn_refresh *self, const cairn_node *cells, size_t count, size_t first,
                        uint32_t since)
{
    cn_findings found;

    memset(&found, 0, sizeof found);
    set_entries(self, cells, count, first, &found);
    for (size_t i = 0; i < count; i++)
        add_pending_around(self, cells[i]);
    for (size_t i = 0; i < self->joins.joined.count; i++)
        add_pending_around(self, self->joins.joined.items[i]);
    if (judges_openings(self, since)) {
        check_and_mark_pending(self, first, &found);
        drop_harmless_openings(self, &found, since);
    } else {
        check_pending(self, first, &found);
    }
    self->may_be_unserved = self->may_be_unserved || cn_found_in_any(self->table, &found.lonely);
    judge_rows(self, &found, since);
}

static void clear_marks(cn_refresh *self, const cairn_node *cells, size_t count, size_t first)
{
    for (size_t i = 0; i < count; i++)
        self->marks[cells[i]] = 0;
    for (size_t i = first; i < self->pending.count; i++)
        self->marks[self->pending.items[i]] = 0;
}

/* Applies the edits of cells, or of arcs at nodes, to landmarks, entries and states of rows. Where
 * that fails, entries are as they were before. */
static cairn_status apply_cells(cn_refresh *self, const cairn_node *cells, size_t count)
{
    cn_joins *joins = &self->joins;
    uint32_t since;

    if (self->pending.count > cn_map_node_count(self->map))
        forget_pending(self);
    if (!cn_refresh_reserve(self, &self->pending, (CN_DIRECTIONS + 1u) * count))
        return CAIRN_E_MEMORY;
    const size_t first = self->pending.count;
    self->may_be_unserved = self->may_be_unserved || closes_any(self, cells, count);
    open_entries(self, cells, count);
    joins->moved.count = joins->joined.count = 0;
    joins->outliers.are_stale = true;
    self->repair.wants_earlier = false;
    cairn_status status = list_openings(self, cells, count, first, &since);
    if (status == CAIRN_OK)
        status = move_all_landmarks(self, cells, count);
    if (status == CAIRN_OK)
        status = drop_joined(self, cells, count, first);
    if (status == CAIRN_OK)
        update_rows(self, cells, count, first, since);
    clear_marks(self, cells, count, first);
    if (status != CAIRN_OK) {
        close_entries(self, first);
        doubt_moved_rows(self);
    }
    return status;
}

cn_changes cn_refresh_changes(const cn_refresh *self, const cairn_node **cells, size_t *count)
{
    const cn_lacking *lacking = cn_shelf_lacking(self->table, self->map);
    if (!lacking || cn_table_fits(self->table, self->map))
        return cn_table_changes(self->table, self->map, cells, count);
    *cells = lacking->cells.nodes;
    *count = lacking->cells.count;
    return CN_CHANGES_KNOWN;
}

static void clear_blocked(const cn_refresh *self, cairn_node node)
{
    if (!cn_grid_is_open(&self->map->grid, node) && !all_zero(self->table, node))
        memset(cn_refresh_entries_to_write(self->table, node), 0,
               cn_refresh_entries_size(self->table));
}

/* Entries of blocked cells become 0 in all rows. Where they are 0 already, their memory is not
 * written. */
static void clear_closed(const cn_refresh *self)
{
    const cairn_node *cells;
    size_t count;

    switch (cn_refresh_changes(self, &cells, &count)) {
    case CN_CHANGES_NONE: break;
    case CN_CHANGES_KNOWN:
        for (size_t i = 0; i < count; i++)
            clear_blocked(self, cells[i]);
        break;
    default:
        for (cairn_node node = 0; node < self->table->node_count; node++)
            clear_blocked(self, node);
    }
}

/* The changed cells, where these are known, and how many. */
static bool known_changes(const cn_refresh *self, const cairn_node **cells, size_t *count)
{
    const cn_changes changes = cn_refresh_changes(self, cells, count);
    return changes == CN_CHANGES_NONE || changes == CN_CHANGES_KNOWN;
}

/* Appends an open cell that was blocked for the table, once. */
static cairn_status list_if_opened(cn_refresh *self, cairn_node node, cn_nodes *opened)
{
    if (self->marks[node] || !cn_grid_is_open(&self->map->grid, node) || !was_blocked(self, node))
        return CAIRN_OK;
    if (!cn_refresh_add(self, opened, node))
        return CAIRN_E_MEMORY;
    self->marks[node] |= CN_MARK_CHANGED;
    return CAIRN_OK;
}

/* Appends the open cells that were blocked for the table, whatever edits opened them: only changed
 * ones are examined where these are known. */
static cairn_status list_opened(cn_refresh *self, cn_nodes *opened)
{
    const cairn_node *cells;
    size_t count;
    const bool are_known = known_changes(self, &cells, &count);
    const size_t examined = are_known ? count : self->table->node_count;
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; i < examined && status == CAIRN_OK; i++)
        status = list_if_opened(self, are_known ? cells[i] : (cairn_node)i, opened);
    for (size_t i = 0; i < opened->count; i++)
        self->marks[opened->items[i]] &= (uint8_t)~CN_MARK_CHANGED;
    return status;
}

static void rebuild_all_rows(cn_refresh *self)
{
    for (uint32_t row = 0; row < self->table->row_count; row++) {
        self->row_start[row] = 0;
        self->row_work[row] = CN_WORK_REBUILD | CN_WORK_ANYWHERE |
                              (self->row_work[row] & CN_WORK_JOINED);
        cn_table_set_state(self->table, row, CAIRN_ROW_UNSAFE);
    }
}

/* Cells that opened are unreachable until their row is rebuilt. Were they 0 in the rows that wait,
 * a cell that is a landmark of the others would be taken for a blocked one. */
static void make_unreachable(const cn_refresh *self, const cn_nodes *cells)
{
    for (size_t i = 0; i < cells->count; i++)
        memset(cn_refresh_entries_to_write(self->table, cells->items[i]), 0xff,
               cn_refresh_entries_size(self->table));
}

/* Moves landmarks, and removes those that are superfluous; some have moved also where that fails.
 * Sets the entries of cells that closed or opened otherwise. */
static cairn_status apply_unknown_cells(cn_refresh *self, const cn_nodes *opened)
{
    cairn_status status = cn_refresh_move_closed_landmarks(self);
    if (status == CAIRN_OK)
        status = cn_refresh_drop_joined(
            self, &(cn_opened){.cells = opened->items, .count = opened->count});
    if (status != CAIRN_OK)
        return status;
    clear_closed(self);
    make_unreachable(self, opened);
    return CAIRN_OK;
}

cairn_status cn_refresh_apply_unknown(cn_refresh *self)
{
    cn_nodes opened = {0};

    cn_refresh_abort_row(self);
    cn_farthest_end(self);
    self->pending.count = self->computed.pending_touched = self->joins.moved.count = 0;
    self->may_be_unserved = self->joins.outliers.are_stale = true;
    rebuild_all_rows(self);
    cairn_status status = list_opened(self, &opened);
    if (status == CAIRN_OK)
        status = apply_unknown_cells(self, &opened);
    cn_release(&self->mem, opened.items);
    if (status == CAIRN_OK)
        cn_table_set_map(self->table, self->map);
    else
        cn_refresh_match_pairs(self);
    return status;
}

cairn_status cn_refresh_apply_edits(cn_refresh *self)
{
    const cairn_node *cells = NULL;
    size_t count;
    cairn_status status;

    switch (cn_refresh_changes(self, &cells, &count)) {
    case CN_CHANGES_NONE:
        if (!self->joins.may_join)
            return CAIRN_OK;
        count = 0;
        break;
    case CN_CHANGES_FORGOTTEN: return cn_refresh_apply_unknown(self);
    case CN_CHANGES_KNOWN: break;
    default: return CAIRN_E_MISMATCH;
    }
    status = apply_cells(self, cells, count);
    if (status == CAIRN_OK)
        cn_table_set_map(self->table, self->map);
    return status;
}
