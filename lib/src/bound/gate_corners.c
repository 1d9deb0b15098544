/* Extends the set of a table of corners for its gates. */
#include <string.h>

#include "base/nodes.h"
#include "table/corner_rows.h"
#include "bound/gate_rows.h"

enum {
    LATE_FEW = 8,     /* so many late members are never too many */
    VISITS_MAX = 8192 /* of members whose entries are put together after an edit */
};

typedef struct extending {
    const cairn_table *table;
    const cairn_map *map;
    cn_gate_corners *at;
    const cn_gate_corners *past;    /* NULL: there is none */
    const cn_gate_corners *follows; /* the past, if late members follow from it */
    const cairn_node *changed;      /* cells, since the set was made or since what it follows */
    size_t changed_count;
    cairn_node *around; /* cells that may be late members, or no longer */
    size_t around_count;
    cairn_node *late;
    uint32_t *unknown; /* late members that have no entries yet */
    size_t late_count;
    size_t unknown_count;
} extending;

/* ------------------------------------------------------------------------------ late members -- */

/* Lists a cell that is not in the set, and its neighbours. */
static void add_around(extending *self, cairn_node cell)
{
    cairn_node cells[CN_DIRECTIONS + 1];
    const unsigned count = cn_grid_neighbours(&self->map->grid, cell, cells);

    cells[count] = cell;
    for (unsigned i = 0; i <= count; i++) {
        if (cn_corners_find_node(self->table->corners, cells[i]) == CN_NO_CORNER)
            self->around[self->around_count++] = cells[i];
    }
}

static void sort_around(extending *self)
{
    cairn_node *around = self->around;
    size_t kept = 0;
    cn_sort_nodes(around, self->around_count);
    for (size_t i = 0; i < self->around_count; i++) {
        if (kept == 0 || around[kept - 1] != around[i])
            around[kept++] = around[i];
    }
    self->around_count = kept;
}

static bool is_beside_opened(const extending *self, cairn_node cell)
{
    cairn_node around[CN_DIRECTIONS];
    const unsigned count = cn_grid_neighbours(&self->map->grid, cell, around);
    unsigned i = 0;

    while (i < count && (cn_grid_shows(&self->at->grid, around[i]) ||
                         !cn_grid_is_open(&self->map->grid, around[i])))
        i++;
    return i < count;
}

/* Searches meet corners of the map; cells beside an opened one may be a rim, and corners of the
 * grid on which that is blocked. */
static bool is_late(const extending *self, cairn_node cell)
{
    return cn_grid_is_open(&self->map->grid, cell) &&
           (cn_corners_is_at(&self->map->grid, cell) ||
            (cn_grid_shows(&self->at->grid, cell) && is_beside_opened(self, cell)));
}

/* Late members stay where nothing changed around them. */
static void merge_late(extending *self)
{
    const cn_corners *past = self->follows ? self->follows->corners : NULL;
    uint32_t next = past ? past->late_from : 0;

    for (size_t i = 0; i < self->around_count; i++) {
        const cairn_node cell = self->around[i];
        while (past && next < past->count && past->nodes[next] < cell)
            self->late[self->late_count++] = past->nodes[next++];
        next += past && next < past->count && past->nodes[next] == cell;
        if (is_late(self, cell))
            self->late[self->late_count++] = cell;
    }
    while (past && next < past->count)
        self->late[self->late_count++] = past->nodes[next++];
}

static cairn_status find_late(extending *self, const cairn_node *opened, size_t opened_count)
{
    const cn_corners *past = self->follows ? self->follows->corners : NULL;
    const size_t cells = self->changed_count + (past ? 0 : opened_count);
    const size_t most = (CN_DIRECTIONS + 1) * cells,
                 kept = past ? past->count - past->late_from : 0;

    self->around = cn_array(&self->table->mem, most, sizeof *self->around);
    self->late = cn_array(&self->table->mem, most + kept, sizeof *self->late);
    if (!self->around || !self->late)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < self->changed_count; i++)
        add_around(self, self->changed[i]);
    for (size_t i = 0; !past && i < opened_count; i++)
        add_around(self, opened[i]);
    sort_around(self);
    merge_late(self);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------- old steps -- */

/* The open cells of the map without the opened ones. */
static cairn_status copy_open(extending *self, const cairn_node *opened, size_t opened_count)
{
    const cn_grid *from = &self->map->grid;
    cn_gate_corners *at = self->at;
    const size_t before = from->open_stride + 1;

    at->grid = *from;
    at->open = cn_array(&self->table->mem, cn_gate_open_words(from), sizeof *at->open);
    if (!at->open)
        return CAIRN_E_MEMORY;
    memcpy(at->open, from->open - before, cn_gate_open_words(from) * sizeof *at->open);
    at->grid.open = at->open + before;
    for (size_t i = 0; i < opened_count; i++) {
        const uint32_t x = opened[i] % from->width, y = opened[i] / from->width;
        at->grid.open[y * from->open_stride + x / 64] &= ~(UINT64_C(1) << x % 64);
    }
    return CAIRN_OK;
}

/* Whether every cell that is open on the grid was so in the past. Then entries of that time are
 * still too low for none of its steps. */
static bool only_shrank(const cn_gate_corners *at, const cn_gate_corners *past)
{
    uint64_t more = 0;
    for (size_t i = 0; i < cn_gate_open_words(&at->grid); i++)
        more |= at->open[i] & ~past->open[i];
    return !more;
}

/* ----------------------------------------------------------------------------------- entries -- */

/* Copies the entries of late members that the past knows, and lists the members that are left. */
static void take_past(extending *self, const cn_gate_corners *past)
{
    const cn_corner_view *view = &self->at->view;
    const size_t size = view->lane_count * (view->bits / 8);

    for (uint32_t i = view->corners->late_from; i < view->corners->count; i++) {
        const cairn_node node = view->corners->nodes[i];
        const uint32_t known = past ? cn_corners_find_late(past->corners, node) : CN_NO_CORNER;
        if (known != CN_NO_CORNER && cn_grid_shows(&past->grid, node)) {
            memcpy(cn_corner_view_row(view, i), cn_corner_view_row(&past->view, known), size);
            continue;
        }
        cn_corner_view_clear(view, i);
        if (cn_grid_shows(&self->at->grid, node))
            self->unknown[self->unknown_count++] = i;
    }
}

static cairn_status reserve_entries(extending *self)
{
    cn_gate_corners *at = self->at;

    at->view = cn_corner_view_of(self->table, self->map);
    at->view.corners = at->corners;
    at->view.grid = &at->grid;
    at->view.late = cn_zeroed(&self->table->mem, self->late_count,
                              at->view.lane_count * (at->view.bits / 8));
    self->unknown = cn_array(&self->table->mem, self->late_count, sizeof *self->unknown);
    return at->view.late && self->unknown ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status extend(extending *self, bool *is_complete)
{
    const cn_gate_corners *past = self->past;
    const cn_corners *corners = self->table->corners;
    const cn_mem *mem = &self->table->mem;
    cn_gate_corners *at = self->at;

    cairn_status status = cn_corners_extend(corners, &at->grid, mem, self->late, self->late_count,
                                            &at->corners);
    if (status == CAIRN_OK)
        status = cn_corners_keep_arcs(at->corners, corners,
                                      self->follows ? self->follows->corners : NULL,
                                      &self->map->grid, mem, self->changed, self->changed_count);
    if (status == CAIRN_OK)
        status = reserve_entries(self);
    if (status != CAIRN_OK)
        return status;
    take_past(self, past && only_shrank(at, past) ? past : NULL);
    *is_complete = cn_corner_view_settle(&at->view, self->unknown, self->unknown_count, VISITS_MAX);
    return CAIRN_OK;
}

/* Whether the arcs of the set are those that an extension tells about. */
static bool tells_of_arcs(const cairn_table *table, const cn_gate_corners *past)
{
    return past->corners->former_arcs ==
           atomic_load_explicit(&table->corners->arcs, memory_order_acquire);
}

/* Finds the cells that changed since the past, or since the set was made; false where these are not
 * known. */
static bool find_changes(extending *self, const cn_lacking *lacking, const cn_gate_past *past)
{
    const cairn_map *map = self->map;
    cn_changes changes = CN_CHANGES_FORGOTTEN;

    self->past = past ? past->gates->extension : NULL;
    if (self->past && tells_of_arcs(self->table, self->past))
        changes = cn_map_changes(map, past->map_hash, past->map_fixed_hash, &self->changed,
                                 &self->changed_count);
    if (changes == CN_CHANGES_KNOWN || changes == CN_CHANGES_NONE) {
        self->follows = self->past;
        return true;
    }
    self->changed = lacking->cells.nodes;
    self->changed_count = lacking->cells.count;
    return lacking->is_known;
}

/* Whether there are more late members than corners in the set. Runs from them are not kept, and
 * their numbers have to be searched for, which takes longer than the rows save. Where corners are
 * few, what late members see is wide and takes long to find, and distances say as much as rows. */
static bool is_outgrown_by_late(const extending *self)
{
    const cairn_table *table = self->table;
    const size_t members = table->corners->count;
    const size_t landmarks = table->landmark_start[table->row_count];
    const size_t corners = members > landmarks ? members - landmarks : 0;
    return self->late_count > (corners > LATE_FEW ? corners : LATE_FEW);
}

cairn_status cn_gate_corners_make(const cairn_table *table, const cairn_map *map,
                                  const cairn_node *opened, size_t opened_count,
                                  const cn_lacking *lacking, const cn_gate_past *past,
                                  cn_gate_corners **made, bool *is_outgrown)
{
    extending self = {.table = table, .map = map};
    bool is_complete = false;

    *made = NULL;
    *is_outgrown = past && past->gates->is_outgrown;
    if (*is_outgrown || !find_changes(&self, lacking, past))
        return CAIRN_OK;
    self.at = cn_zeroed(&table->mem, 1, sizeof *self.at);
    if (!self.at)
        return CAIRN_E_MEMORY;
    cairn_status status = copy_open(&self, opened, opened_count);
    if (status == CAIRN_OK)
        status = find_late(&self, opened, opened_count);
    *is_outgrown = status == CAIRN_OK && is_outgrown_by_late(&self);
    if (status == CAIRN_OK && !*is_outgrown)
        status = extend(&self, &is_complete);
    cn_release(&table->mem, self.around);
    cn_release(&table->mem, self.late);
    cn_release(&table->mem, self.unknown);
    if (is_complete)
        *made = self.at;
    else
        cn_gate_corners_free(self.at, &table->mem);
    return status;
}
