/* Applies edits to a table: finds the rows that they make unsafe or too low, sets the entries of
 * cells that opened or closed, and moves landmarks whose cell closed. Rows are repaired
 * afterwards. */
#include <string.h>

#include "bound/gates.h"
#include "refresh/refresh.h"

/* How many blocked cells a search for another cell for a landmark crosses where it may cross
 * all. */
enum { CROSSED_MOST = 4096 };

/* Results of the checks by lane, as wide as the entries; not 0: found. */
typedef union lanes {
    uint16_t narrow[CN_LANES_MAX];
    uint32_t wide[CN_LANES_MAX];
} lanes;

typedef struct findings {
    lanes high;   /* an entry that a step could lower: the row is unsafe */
    lanes low;    /* an entry that nothing supports */
    lanes lonely; /* a cell that opened and is not reached; on directed maps any opened cell, since
                   * it may be cut off although no entry changes */
} findings;

/* The least costs that the neighbours give a node, in every row of one direction. `over` is set in
 * lanes where a cost was above `most`, and so counts as unreachable. The same text for both widths;
 * the loops are vectorised by compilers. */
#define DEFINE_LEAST(name, entry, never, most)                                           \
  CN_ALWAYS_INLINE void name##_by(const cairn_table *table, cn_arc_span arcs,            \
                                  entry *restrict least, entry *restrict over)           \
  {                                                                                      \
    const uint32_t lane_count = table->lane_count;                                       \
    memset(least, 0xff, lane_count * sizeof *least);                                     \
    for (size_t i = 0; i < arcs.count; i++) {                                            \
      const entry *from = (const entry *)table->entries +                                \
                          cn_table_index(table, arcs.arcs[i].to, 0);                     \
      const entry cost = (entry)(arcs.arcs[i].cost < never ? arcs.arcs[i].cost : never); \
      for (uint32_t lane = 0; lane < lane_count; lane++) {                               \
        entry sum = (entry)(from[lane] + cost);                                          \
        sum = sum < cost || sum > most ? (entry)never : sum;                             \
        over[lane] |= (entry)((sum == never) & (from[lane] != never));                   \
        least[lane] = sum < least[lane] ? sum : least[lane];                             \
      }                                                                                  \
    }                                                                                    \
  }                                                                                      \
                                                                                         \
  static void name(const cairn_table *table, const cairn_map *map, cairn_node node,      \
                   entry *restrict least, entry *restrict over)                          \
  {                                                                                      \
    cn_arc scratch[CN_ARCS_SCRATCH];                                                     \
    entry back[CN_LANES_MAX];                                                            \
    name##_by(table, cn_map_arcs(map, node, CN_REVERSE, scratch), least, over);          \
    if (!table->is_directed)                                                             \
      return;                                                                            \
    name##_by(table, cn_map_arcs(map, node, CN_FORWARD, scratch), back, over);           \
    for (uint32_t lane = 1; lane < table->lane_count; lane += 2)                         \
      least[lane] = back[lane];                                                          \
  }

DEFINE_LEAST(least_16, uint16_t, UINT16_MAX, UINT16_MAX - 1)
DEFINE_LEAST(least_32, uint32_t, UINT32_MAX, CAIRN_COST_MAX)

#define DEFINE_COMPARE(name, entry, never, member, least_of)                           \
  static void name(const cairn_table *table, const cairn_map *map, cairn_node node,    \
                   findings *found)                                                    \
  {                                                                                    \
    const entry *own = (const entry *)table->entries + cn_table_index(table, node, 0); \
    entry least[CN_LANES_MAX], *high = found->high.member, *low = found->low.member;   \
    least_of(table, map, node, least, high);                                           \
    for (uint32_t lane = 0; lane < table->lane_count; lane++) {                        \
      high[lane] |= (entry)(least[lane] < own[lane]);                                  \
      low[lane] |= (entry)((least[lane] > own[lane]) & (own[lane] != 0));              \
    }                                                                                  \
    for (uint32_t lane = 0; lane < table->lane_count && table->is_directed; lane++)    \
      found->lonely.member[lane] |= (entry)(own[lane] == never);                       \
  }

DEFINE_COMPARE(compare_16, uint16_t, UINT16_MAX, narrow, least_16)
DEFINE_COMPARE(compare_32, uint32_t, UINT32_MAX, wide, least_32)

static void check_cell(const cn_refresh *self, cairn_node node, findings *found)
{
    if (self->table->entry_bits == 16)
        compare_16(self->table, self->map, node, found);
    else
        compare_32(self->table, self->map, node, found);
}

static void *entries_to_write(const cairn_table *table, cairn_node node)
{
    cn_table_mark(table, node);
    return (uint8_t *)table->entries + cn_table_index(table, node, 0) * (table->entry_bits / 8);
}

static size_t entries_size(const cairn_table *table)
{
    return (size_t)table->row_count * table->entry_bits / 8;
}

static bool all_zero(const cairn_table *table, cairn_node node)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (cn_table_entry(table, row, node) != 0)
            return false;
    }
    return true;
}

/* Whether the landmarks of a row are those that its entries have. */
static bool has_its_landmarks(const cn_refresh *self, uint32_t row)
{
    return !(self->row_work[row] & (CN_ROW_MOVED | CN_ROW_REBUILD));
}

/* Whether a cell was blocked for the table: blocked cells are 0 in all rows, and so is a cell that
 * is a landmark of all. Where memory ended while landmarks moved, some rows may have lost that one
 * already. */
static bool was_blocked(const cn_refresh *self, cairn_node node)
{
    const cairn_table *table = self->table;
    uint32_t landmarks = 0;
    if (!all_zero(table, node))
        return false;
    for (uint32_t row = 0; row < table->row_count; row++) {
        const bool is_landmark = cn_table_find_landmark(table, row, node) != SIZE_MAX;
        if (is_landmark && has_its_landmarks(self, row))
            return false;
        landmarks += is_landmark;
    }
    return landmarks < table->row_count;
}

/* Computes the entries of an opened cell from its neighbours. */
static void pull_cell(const cn_refresh *self, cairn_node node, findings *found)
{
    const cairn_table *table = self->table;
    if (table->entry_bits == 16) {
        uint16_t least[CN_LANES_MAX], *own = entries_to_write(table, node);
        least_16(table, self->map, node, least, found->high.narrow);
        memcpy(own, least, entries_size(table));
        for (uint32_t row = 0; row < table->row_count; row++)
            found->lonely.narrow[row] |= (uint16_t)(least[row] == UINT16_MAX);
    } else {
        uint32_t least[CN_LANES_MAX], *own = entries_to_write(table, node);
        least_32(table, self->map, node, least, found->high.wide);
        memcpy(own, least, entries_size(table));
        for (uint32_t row = 0; row < table->row_count; row++)
            found->lonely.wide[row] |= (uint32_t)(least[row] == UINT32_MAX);
    }
}

/* ------------------------------------------------------------------- landmarks that closed -- */

typedef struct walk {
    cn_refresh *self;
    cn_list *found;  /* visited cells, to be unmarked */
    bool everywhere; /* all blocked cells may be crossed, not only those that closed now */
    cairn_node landmark;
    cairn_node nearest;
    uint64_t distance;
} walk;

static void consider(walk *search, cairn_node node)
{
    const cairn_map *map = search->self->map;
    uint32_t ax, ay, bx, by;
    cn_grid_xy(&map->grid, node, &ax, &ay);
    cn_grid_xy(&map->grid, search->landmark, &bx, &by);
    const uint64_t distance = cn_octile_wide(map->metric, ax, ay, bx, by);
    if (distance > search->distance || (distance == search->distance && node > search->nearest))
        return;
    search->distance = distance;
    search->nearest = node;
}

static cairn_status walk_from(walk *search, cairn_node node)
{
    const cn_grid *grid = &search->self->map->grid;
    uint8_t *marks = search->self->marks;
    uint32_t x, y;

    cn_grid_xy(grid, node, &x, &y);
    const bool inside[CN_STRAIGHT] = {x + 1 < grid->width, x > 0, y + 1 < grid->height, y > 0};
    for (unsigned direction = 0; direction < CN_STRAIGHT; direction++) {
        cairn_node next = node + (cairn_node)grid->offset[direction];
        if (!inside[direction] || (marks[next] & CN_MARK_WALKED))
            continue;
        if (cn_grid_is_open(grid, next)) {
            consider(search, next);
            continue;
        }
        if (!search->everywhere && !(marks[next] & CN_MARK_CHANGED))
            continue;
        if (!cn_list_reserve(search->found, &search->self->mem, 1, sizeof next))
            return CAIRN_E_MEMORY;
        marks[next] |= CN_MARK_WALKED;
        ((cairn_node *)search->found->items)[search->found->count++] = next;
    }
    return CAIRN_OK;
}

/* The open cell to which a closed landmark moves: among those next to closed cells that can be
 * reached from it in straight steps, the nearest by octile distance, of equals the one with the
 * lowest number. Where all blocked cells may be crossed, the first CROSSED_MOST are. CAIRN_NO_NODE
 * where there is none. */
static cairn_status find_refuge(cn_refresh *self, cairn_node landmark, bool everywhere,
                                cairn_node *refuge)
{
    cn_list *found = &self->stack;
    walk search = {.self = self,
                   .found = found,
                   .everywhere = everywhere,
                   .landmark = landmark,
                   .nearest = CAIRN_NO_NODE,
                   .distance = UINT64_MAX};
    size_t used = found->count;
    cairn_status status = CAIRN_E_MEMORY;

    if (cn_list_reserve(found, &self->mem, 1, sizeof landmark)) {
        status = CAIRN_OK;
        self->marks[landmark] |= CN_MARK_WALKED;
        ((cairn_node *)found->items)[found->count++] = landmark;
    }
    const size_t most = everywhere ? used + CROSSED_MOST : SIZE_MAX;
    for (size_t i = used; status == CAIRN_OK && i < found->count && i < most; i++)
        status = walk_from(&search, ((const cairn_node *)found->items)[i]);
    for (size_t i = used; i < found->count; i++)
        self->marks[((const cairn_node *)found->items)[i]] &= (uint8_t)~CN_MARK_WALKED;
    found->count = used;
    *refuge = search.nearest;
    return status;
}

static cairn_status add_refuge(cn_refresh *self, uint32_t row, cairn_node landmark, bool everywhere)
{
    cairn_node refuge;
    cairn_status status = find_refuge(self, landmark, everywhere, &refuge);
    if (status != CAIRN_OK || refuge == CAIRN_NO_NODE)
        return status;
    if (cn_table_find_landmark(self->table, row, refuge) != SIZE_MAX)
        return CAIRN_OK;
    if (!cn_list_reserve(&self->moved, &self->mem, 1, sizeof refuge))
        return CAIRN_E_MEMORY;
    status = cn_refresh_add_landmark(self, row, refuge);
    if (status == CAIRN_OK)
        ((cairn_node *)self->moved.items)[self->moved.count++] = refuge;
    return status;
}

static cairn_status move_landmark(cn_refresh *self, uint32_t row, size_t index, bool everywhere)
{
    const cairn_table *table = self->table;
    cairn_node landmark = table->landmarks[index];
    cairn_status status = add_refuge(self, row, landmark, everywhere);
    if (status != CAIRN_OK)
        return status;
    cn_refresh_remove_landmark(self, row, cn_table_find_landmark(table, row, landmark));
    self->row_work[row] |= CN_ROW_MOVED;
    self->may_join = true;
    self->counts.landmarks_moved++;
    return CAIRN_OK;
}

/* Where an entry is 0, the cell was a landmark of that row. Entries of landmarks whose row has not
 * been flooded since they were added or cleared are not 0 yet. */
static cairn_status move_landmarks_from(cn_refresh *self, cairn_node node)
{
    const cairn_table *table = self->table;
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (cn_table_entry(table, row, node) != 0 && has_its_landmarks(self, row))
            continue;
        size_t index = cn_table_find_landmark(table, row, node);
        if (index == SIZE_MAX)
            continue;
        cairn_status status = move_landmark(self, row, index, false);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------- applying edits -- */

static cairn_node *pending_cells(const cn_refresh *self)
{
    return self->pending.items;
}

/* Those from `first` on; NULL before there are any. */
static const cairn_node *pending_from(const cn_refresh *self, size_t first)
{
    return self->pending.count ? pending_cells(self) + first : NULL;
}

static void add_pending(cn_refresh *self, cairn_node node)
{
    if (self->marks[node] & CN_MARK_CHECKED)
        return;
    self->marks[node] |= CN_MARK_CHECKED;
    pending_cells(self)[self->pending.count++] = node;
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
        cairn_status status = move_landmarks_from(self, cells[i]);
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
        memset(entries_to_write(table, cells[i]), 0xff, entries_size(table));
        add_pending(self, cells[i]);
    }
}

/* Undoes the changes of entries, since the map may become again what it was. Only these cells are
 * pending. */
static void close_entries(cn_refresh *self, size_t first)
{
    for (size_t i = first; i < self->pending.count; i++)
        memset(entries_to_write(self->table, pending_cells(self)[i]), 0, entries_size(self->table));
    self->pending.count = first;
}

/* Whether a component may have fallen apart: only if a cell closed, or can be left in other
 * directions. Edits of arcs change only costs. */
static bool closes_any(const cn_refresh *self, const cairn_node *cells, size_t count)
{
    if (!self->map->has_even_grid)
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
                        findings *found)
{
    for (size_t i = 0; i < count; i++) {
        if (!cn_grid_is_open(&self->map->grid, cells[i]))
            memset(entries_to_write(self->table, cells[i]), 0, entries_size(self->table));
    }
    for (size_t i = first; i < self->pending.count; i++)
        pull_cell(self, pending_cells(self)[i], found);
}

static bool lane_of(const cairn_table *table, const lanes *found, uint32_t row)
{
    return table->entry_bits == 16 ? found->narrow[row] != 0 : found->wide[row] != 0;
}

static bool any_lane(const cairn_table *table, const lanes *found)
{
    uint32_t row = 0;
    while (row < table->row_count && !lane_of(table, found, row))
        row++;
    return row < table->row_count;
}

static void check_pending(cn_refresh *self, size_t first, findings *found)
{
    for (size_t i = first; i < self->pending.count; i++) {
        if (cn_grid_is_open(&self->map->grid, pending_cells(self)[i]))
            check_cell(self, pending_cells(self)[i], found);
    }
}

/* All lanes of either width lie in as many words of 32 bits. */
static void add_findings(const cairn_table *table, const findings *more, findings *found)
{
    for (uint32_t i = 0; i < table->lane_count; i++) {
        found->high.wide[i] |= more->high.wide[i];
        found->low.wide[i] |= more->low.wide[i];
        found->lonely.wide[i] |= more->lonely.wide[i];
    }
}

/* Finds what the pending cells from `first` on need, and marks those at which a step could lower an
 * entry. */
static void check_and_mark_pending(cn_refresh *self, size_t first, findings *found)
{
    const size_t size = self->table->lane_count * sizeof *found->high.wide;
    findings one;

    for (size_t i = first; i < self->pending.count; i++) {
        const cairn_node cell = pending_cells(self)[i];
        if (!cn_grid_is_open(&self->map->grid, cell))
            continue;
        memset(&one.high, 0, size);
        memset(&one.low, 0, size);
        memset(&one.lonely, 0, size);
        check_cell(self, cell, &one);
        if (any_lane(self->table, &one.high))
            self->marks[cell] |= CN_MARK_HIGH;
        add_findings(self->table, &one, found);
    }
}

static bool row_is_in_work(const cn_refresh *self, uint32_t row)
{
    return self->phase != CN_PHASE_NONE && self->row == row;
}

/* Lists the cells that opened, which are pending from `first` on, for the rows that fall behind;
 * *since is where they begin. Where steps differ in what they cost, any of the cells that changed
 * may lead on at less. */
static cairn_status list_openings(cn_refresh *self, const cairn_node *cells, size_t changed,
                                  size_t first, size_t *since)
{
    cairn_table *table = self->table;
    const bool is_even = cn_map_is_even(self->map);
    const size_t count = is_even ? self->pending.count - first : changed;
    cairn_status status = cn_table_add_openings(table, is_even ? pending_from(self, first) : cells,
                                                count);
    *since = 0;
    if (status == CAIRN_OK && table->openings->count >= count)
        *since = table->openings->count - count;
    return status;
}

static void judge_rows(cn_refresh *self, const findings *found, size_t since)
{
    cairn_table *table = self->table;
    cn_refresh_try_again(self);
    for (uint32_t row = 0; row < table->row_count; row++) {
        bool high = lane_of(table, &found->high, row);
        bool dirty = high || lane_of(table, &found->low, row) ||
                     lane_of(table, &found->lonely, row) || self->row_work[row] ||
                     row_is_in_work(self, row);
        if (!dirty) {
            self->row_start[row] = self->pending.count;
            continue;
        }
        self->row_work[row] |= CN_ROW_DIRTY;
        if (high)
            cn_table_fall_behind(table, row, since);
        else if (table->row_state[row] == CAIRN_ROW_FRESH)
            cn_table_set_state(table, row, CAIRN_ROW_WEAKER);
    }
}

/* Removes landmarks from components that have several. These may have been joined by cells that
 * opened, which are pending from `first` on, and on maps that are not even by those that may be
 * left or entered in other directions. */
static cairn_status drop_joined(cn_refresh *self, const cairn_node *cells, size_t count,
                                size_t first)
{
    const bool is_even = self->map->has_even_grid;

    self->may_join = self->may_join || cn_refresh_may_join(self, cells, count);
    if (!self->may_join)
        return CAIRN_OK;
    const cn_opened opened = {.cells = is_even ? pending_from(self, first) : cells,
                              .count = is_even ? self->pending.count - first : count,
                              .changed = count};
    return cn_refresh_drop_joined(self, &opened);
}

/* When there are more pending cells than the map has cells, rows are rebuilt instead. */
static void forget_pending(cn_refresh *self)
{
    cairn_table *table = self->table;
    cn_refresh_abort_row(self);
    for (uint32_t row = 0; row < table->row_count; row++) {
        self->row_start[row] = 0;
        if (self->row_work[row] & CN_ROW_DIRTY)
            self->row_work[row] |= CN_ROW_REBUILD | CN_ROW_ANYWHERE;
    }
    self->pending.count = 0;
}

/* The edits could not be applied, but some landmarks have moved already. If the map became again
 * what the table was made for, no edits would be left to apply, but these rows would still need
 * repair. */
static void doubt_moved_rows(cn_refresh *self)
{
    cn_refresh_match_pairs(self);
    for (uint32_t row = 0; row < self->table->row_count; row++) {
        if (!(self->row_work[row] & CN_ROW_MOVED))
            continue;
        if (row_is_in_work(self, row))
            cn_refresh_abort_row(self);
        self->row_work[row] |= CN_ROW_REBUILD | CN_ROW_ANYWHERE;
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
static void drop_harmless_openings(const cn_refresh *self, const findings *found, size_t since)
{
    cn_openings *openings = self->table->openings;
    const bool any_breaks = any_lane(self->table, &found->high);
    size_t kept = since;

    for (size_t i = since; i < openings->count && any_breaks; i++) {
        const cairn_node cell = ((const cairn_node *)openings->cells)[i];
        if (breaks_around(self, cell))
            ((cairn_node *)openings->cells)[kept++] = cell;
    }
    if (kept < openings->count && (kept > since || !any_breaks))
        openings->count = kept;
}

/* Whether it matters which openings break rows: some rows will need gates. */
static bool judges_openings(const cn_refresh *self, size_t since)
{
    const cn_openings *openings = self->table->openings;
    return openings && since < openings->count && !self->map->graph && !self->to_the_end;
}

/* Sets the entries of changed cells, adds the cells whose steps changed to `pending`, and finds the
 * state of every row. Of the rows that fall behind, the list of opened cells begins at `since`. */
static void settle_rows(cn_refresh *self, const cairn_node *cells, size_t count, size_t first,
                        size_t since)
{
    findings found;

    memset(&found, 0, sizeof found);
    set_entries(self, cells, count, first, &found);
    for (size_t i = 0; i < count; i++)
        add_pending_around(self, cells[i]);
    for (size_t i = 0; i < self->joined.count; i++)
        add_pending_around(self, ((const cairn_node *)self->joined.items)[i]);
    if (judges_openings(self, since)) {
        check_and_mark_pending(self, first, &found);
        drop_harmless_openings(self, &found, since);
    } else {
        check_pending(self, first, &found);
    }
    self->may_lack = self->may_lack || any_lane(self->table, &found.lonely);
    judge_rows(self, &found, since);
}

static void clear_marks(cn_refresh *self, const cairn_node *cells, size_t count, size_t first)
{
    for (size_t i = 0; i < count; i++)
        self->marks[cells[i]] = 0;
    for (size_t i = first; i < self->pending.count; i++)
        self->marks[pending_cells(self)[i]] = 0;
}

/* Applies the edits of cells, or of arcs at nodes, to landmarks, entries and states of rows. Where
 * that fails, entries are as they were before. */
static cairn_status take_cells(cn_refresh *self, const cairn_node *cells, size_t count)
{
    size_t since;

    if (self->pending.count > cn_map_node_count(self->map))
        forget_pending(self);
    if (!cn_list_reserve(&self->pending, &self->mem, (CN_DIRECTIONS + 1u) * count,
                         sizeof(cairn_node)))
        return CAIRN_E_MEMORY;
    const size_t first = self->pending.count;
    self->may_lack = self->may_lack || closes_any(self, cells, count);
    open_entries(self, cells, count);
    self->moved.count = self->joined.count = 0;
    self->outliers_changed = true;
    cairn_status status = list_openings(self, cells, count, first, &since);
    if (status == CAIRN_OK)
        status = move_all_landmarks(self, cells, count);
    if (status == CAIRN_OK)
        status = drop_joined(self, cells, count, first);
    if (status == CAIRN_OK)
        settle_rows(self, cells, count, first, since);
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
    *cells = lacking->cells;
    *count = lacking->count;
    return CN_CHANGES_KNOWN;
}

static void clear_blocked(const cn_refresh *self, cairn_node node)
{
    if (!cn_grid_is_open(&self->map->grid, node) && !all_zero(self->table, node))
        memset(entries_to_write(self->table, node), 0, entries_size(self->table));
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
static cairn_status list_if_opened(cn_refresh *self, cairn_node node, cn_list *opened)
{
    if (self->marks[node] || !cn_grid_is_open(&self->map->grid, node) || !was_blocked(self, node))
        return CAIRN_OK;
    if (!cn_list_reserve(opened, &self->mem, 1, sizeof node))
        return CAIRN_E_MEMORY;
    self->marks[node] |= CN_MARK_CHANGED;
    ((cairn_node *)opened->items)[opened->count++] = node;
    return CAIRN_OK;
}

/* Lists the open cells that were blocked for the table, whatever edits opened them: only changed
 * ones are examined where these are known. */
static cairn_status list_opened(cn_refresh *self, cn_list *opened)
{
    const cairn_node *cells;
    size_t count;
    const bool are_known = known_changes(self, &cells, &count);
    const size_t examined = are_known ? count : self->table->node_count;
    cairn_status status = CAIRN_OK;

    opened->count = 0;
    for (size_t i = 0; i < examined && status == CAIRN_OK; i++)
        status = list_if_opened(self, are_known ? cells[i] : (cairn_node)i, opened);
    for (size_t i = 0; i < opened->count; i++)
        self->marks[((const cairn_node *)opened->items)[i]] &= (uint8_t)~CN_MARK_CHANGED;
    return status;
}

static size_t count_closed_landmarks(const cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    size_t count = 0;
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++)
        count += !cn_grid_is_open(&self->map->grid, table->landmarks[i]);
    return count;
}

/* Closed landmarks of a row for which the cells nearest to them are sought: that may go through all
 * blocked cells for each. */
enum { MOVED_MOST = 4 };

/* Moves the landmarks of a row that are in blocked cells now; where they are many, components that
 * lack one get others later. */
static cairn_status move_closed_landmarks(cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    cairn_status status = CAIRN_OK;

    if (count_closed_landmarks(self, row) > MOVED_MOST) {
        cn_refresh_drop_closed(self, row);
        return CAIRN_OK;
    }
    for (size_t i = table->landmark_start[row];
         status == CAIRN_OK && i < table->landmark_start[row + 1];) {
        const cairn_node landmark = table->landmarks[i];
        if (cn_grid_is_open(&self->map->grid, landmark)) {
            i++;
            continue;
        }
        status = move_landmark(self, row, i, true);
        /* The list is ascending, and what was added is open. */
        i = table->landmark_start[row];
        while (i < table->landmark_start[row + 1] && table->landmarks[i] < landmark)
            i++;
    }
    return status;
}

static cairn_status move_landmarks_anywhere(cn_refresh *self)
{
    cairn_status status = CAIRN_OK;

    for (uint32_t row = 0; row < self->table->row_count && status == CAIRN_OK; row++)
        status = move_closed_landmarks(self, row);
    return status;
}

static void rebuild_all_rows(cn_refresh *self)
{
    for (uint32_t row = 0; row < self->table->row_count; row++) {
        self->row_start[row] = 0;
        self->row_work[row] = CN_ROW_REBUILD | CN_ROW_ANYWHERE |
                              (self->row_work[row] & CN_ROW_JOINED);
        cn_table_set_state(self->table, row, CAIRN_ROW_UNSAFE);
    }
}

/* Cells that opened are unreachable until their row is rebuilt. Were they 0 in the rows that wait,
 * a cell that is a landmark of the others would be taken for a blocked one. */
static void make_unreachable(const cn_refresh *self, const cn_list *cells)
{
    for (size_t i = 0; i < cells->count; i++)
        memset(entries_to_write(self->table, ((const cairn_node *)cells->items)[i]), 0xff,
               entries_size(self->table));
}

cairn_status cn_refresh_apply_unknown(cn_refresh *self)
{
    cn_list *opened = &self->stack;

    cn_refresh_abort_row(self);
    self->pending.count = self->moved.count = 0;
    self->may_lack = self->outliers_changed = true;
    rebuild_all_rows(self);
    cairn_status status = list_opened(self, opened);
    if (status == CAIRN_OK)
        status = move_landmarks_anywhere(self);
    if (status == CAIRN_OK)
        status = cn_refresh_drop_joined(
            self, &(cn_opened){.cells = opened->items, .count = opened->count});
    if (status != CAIRN_OK) {
        cn_refresh_match_pairs(self);
        return status;
    }
    clear_closed(self);
    make_unreachable(self, opened);
    cn_table_set_map(self->table, self->map);
    return CAIRN_OK;
}

cairn_status cn_refresh_apply_edits(cn_refresh *self)
{
    const cairn_node *cells = NULL;
    size_t count;
    cairn_status status;

    switch (cn_refresh_changes(self, &cells, &count)) {
    case CN_CHANGES_NONE:
        if (!self->may_join)
            return CAIRN_OK;
        count = 0;
        break;
    case CN_CHANGES_FORGOTTEN: return cn_refresh_apply_unknown(self);
    case CN_CHANGES_KNOWN: break;
    default: return CAIRN_E_MISMATCH;
    }
    status = take_cells(self, cells, count);
    if (status == CAIRN_OK)
        cn_table_set_map(self->table, self->map);
    return status;
}
