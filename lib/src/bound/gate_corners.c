/* Extends the set of a table of corners for its gates. */
#include <stdlib.h>
#include <string.h>

#include "table/corner_rows.h"
#include "bound/gate_rows.h"

typedef struct extending {
    const cairn_table *table;
    const cairn_map *map;
    cn_gate_corners *at;
    const cairn_node *changed; /* cells, since the set was made */
    size_t changed_count;
    cairn_node *late;
    uint32_t *unknown; /* late members that have no entries yet */
    size_t late_count;
    size_t unknown_count;
} extending;

/* ------------------------------------------------------------------------------ late members -- */

static bool is_in_set(const cairn_table *table, cairn_node node)
{
    return cn_corners_find(table->corners, node % table->width, node / table->width) !=
           CN_NO_CORNER;
}

static void add_late(extending *self, cairn_node node)
{
    if (!is_in_set(self->table, node))
        self->late[self->late_count++] = node;
}

/* What searches meet: a cell beside a changed one may have become a corner. */
static void add_corner(extending *self, cairn_node node)
{
    if (cn_grid_is_open(&self->map->grid, node) && cn_corners_is_at(&self->map->grid, node))
        add_late(self, node);
}

static void add_corners_around(extending *self, cairn_node changed)
{
    cairn_node around[CN_DIRECTIONS];
    const unsigned count = cn_grid_neighbours(&self->map->grid, changed, around);

    add_corner(self, changed);
    for (unsigned i = 0; i < count; i++)
        add_corner(self, around[i]);
}

/* Cells beside an opened one may be a border, and corners of the grid on which it is blocked. */
static void add_border(extending *self, cairn_node opened)
{
    cairn_node around[CN_DIRECTIONS];
    const unsigned count = cn_grid_neighbours(&self->map->grid, opened, around);

    for (unsigned i = 0; i < count; i++) {
        if (cn_grid_shows(&self->at->grid, around[i]))
            add_late(self, around[i]);
    }
}

static int compare_late(const void *one, const void *other)
{
    const cairn_node a = *(const cairn_node *)one, b = *(const cairn_node *)other;
    return (a > b) - (a < b);
}

static void sort_late(extending *self)
{
    size_t kept = 0;
    qsort(self->late, self->late_count, sizeof *self->late, compare_late);
    for (size_t i = 0; i < self->late_count; i++) {
        if (kept == 0 || self->late[kept - 1] != self->late[i])
            self->late[kept++] = self->late[i];
    }
    self->late_count = kept;
}

static cairn_status find_late(extending *self, const cairn_node *opened, size_t opened_count)
{
    const size_t most = (CN_DIRECTIONS + 1) * self->changed_count + CN_DIRECTIONS * opened_count;

    self->late = cn_array(&self->table->mem, most, sizeof *self->late);
    if (!self->late)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < self->changed_count; i++)
        add_corners_around(self, self->changed[i]);
    for (size_t i = 0; i < opened_count; i++)
        add_border(self, opened[i]);
    sort_late(self);
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

static cairn_status extend(extending *self, const cn_gate_corners *past, bool *is_complete)
{
    const cn_corners *corners = self->table->corners;
    const cn_mem *mem = &self->table->mem;
    cn_gate_corners *at = self->at;

    cairn_status status = cn_corners_extend(corners, &at->grid, mem, self->late, self->late_count,
                                            &at->corners);
    if (status == CAIRN_OK)
        status = cn_corners_keep_arcs(at->corners, corners, &self->map->grid, mem, self->changed,
                                      self->changed_count);
    if (status == CAIRN_OK)
        status = reserve_entries(self);
    if (status != CAIRN_OK)
        return status;
    take_past(self, past && only_shrank(at, past) ? past : NULL);
    *is_complete = cn_corner_view_settle(&at->view, self->unknown, self->unknown_count,
                                         CN_CORNER_VISITS_MAX);
    return CAIRN_OK;
}

cairn_status cn_gate_corners_make(const cairn_table *table, const cairn_map *map,
                                  const cairn_node *opened, size_t opened_count,
                                  const cn_gate_corners *past, cn_gate_corners **made)
{
    extending self = {.table = table, .map = map};
    bool is_complete = false;

    *made = NULL;
    const cn_changes changes = cn_table_changes(table, map, &self.changed, &self.changed_count);
    if (changes != CN_CHANGES_KNOWN && changes != CN_CHANGES_NONE)
        return CAIRN_OK;
    if (changes == CN_CHANGES_NONE)
        self.changed_count = 0;
    self.at = cn_zeroed(&table->mem, 1, sizeof *self.at);
    if (!self.at)
        return CAIRN_E_MEMORY;
    cairn_status status = copy_open(&self, opened, opened_count);
    if (status == CAIRN_OK)
        status = find_late(&self, opened, opened_count);
    if (status == CAIRN_OK)
        status = extend(&self, past, &is_complete);
    cn_release(&table->mem, self.late);
    cn_release(&table->mem, self.unknown);
    if (is_complete)
        *made = self.at;
    else
        cn_gate_corners_free(self.at, &table->mem);
    return status;
}
