#include "refresh/refresh_landmarks.h"

#include <string.h>

#include "base/nodes.h"

/* Writes the landmarks of a table with more of them in a row. Both lists ascend. */
static void write_with(const cairn_table *table, uint32_t row, const cairn_node *nodes,
                       size_t count, cairn_node *longer)
{
    const cairn_node *from = table->landmarks;
    const size_t end = table->landmark_start[row + 1];
    const size_t all = table->landmark_start[table->row_count];
    size_t at = 0;

    while (at < table->landmark_start[row])
        *longer++ = from[at++];
    for (size_t i = 0; i < count; i++) {
        while (at < end && from[at] < nodes[i])
            *longer++ = from[at++];
        *longer++ = nodes[i];
    }
    while (at < all)
        *longer++ = from[at++];
}

cairn_status cn_refresh_add_landmarks(cn_refresh *self, uint32_t row, const cairn_node *nodes,
                                      size_t count)
{
    cairn_table *table = self->table;
    cairn_node *longer = cn_array(&table->mem, table->landmark_start[table->row_count] + count,
                                  sizeof *longer);

    if (!longer)
        return CAIRN_E_MEMORY;
    write_with(table, row, nodes, count, longer);
    cn_refresh_try_again(self);
    cn_refresh_drop_slices(self, row);
    cn_table_mark_landmarks(table);
    cn_release(&table->mem, table->landmarks);
    table->landmarks = longer;
    for (uint32_t next = row + 1; next <= table->row_count; next++)
        table->landmark_start[next] += count;
    return CAIRN_OK;
}

void cn_refresh_remove_landmark(cn_refresh *self, uint32_t row, size_t index)
{
    cairn_table *table = self->table;
    size_t count = table->landmark_start[table->row_count];

    cn_refresh_try_again(self);
    cn_refresh_drop_slices(self, row);
    cn_table_mark_landmarks(table);
    memmove(table->landmarks + index, table->landmarks + index + 1,
            (count - index - 1) * sizeof *table->landmarks);
    for (uint32_t next = row + 1; next <= table->row_count; next++)
        table->landmark_start[next]--;
}

void cn_refresh_replace_landmark(cn_refresh *self, uint32_t row, size_t index, cairn_node node)
{
    const cairn_table *table = self->table;
    cairn_node *landmarks = table->landmarks;

    cn_refresh_try_again(self);
    cn_refresh_drop_slices(self, row);
    cn_table_mark_landmarks(table);
    for (; index > table->landmark_start[row] && landmarks[index - 1] > node; index--)
        landmarks[index] = landmarks[index - 1];
    for (; index + 1 < table->landmark_start[row + 1] && landmarks[index + 1] < node; index++)
        landmarks[index] = landmarks[index + 1];
    landmarks[index] = node;
}

size_t cn_refresh_filter_landmarks(cn_refresh *self, uint32_t row, cn_landmark_test *stays,
                                   void *context)
{
    cairn_table *table = self->table;
    cairn_node *landmarks = table->landmarks;
    const size_t end = table->landmark_start[row + 1];
    const size_t count = table->landmark_start[table->row_count];
    size_t kept = table->landmark_start[row];

    for (size_t i = kept; i < end; i++) {
        if (stays(self, row, landmarks[i], context))
            landmarks[kept++] = landmarks[i];
    }
    const size_t gone = end - kept;
    if (gone == 0)
        return 0;
    cn_refresh_try_again(self);
    cn_refresh_drop_slices(self, row);
    cn_table_mark_landmarks(table);
    memmove(landmarks + kept, landmarks + end, (count - end) * sizeof *landmarks);
    for (uint32_t next = row + 1; next <= table->row_count; next++)
        table->landmark_start[next] -= gone;
    return gone;
}

/* Removes landmarks of a row that others are to take the place of. */
static void filter_and_note(cn_refresh *self, uint32_t row, cn_landmark_test *stays, void *context)
{
    if (cn_refresh_filter_landmarks(self, row, stays, context) == 0)
        return;
    self->row_work[row] |= CN_ROW_MOVED;
    self->may_lack = true;
}

static bool is_in_open_cell(const cn_refresh *self, uint32_t row, cairn_node landmark,
                            void *context)
{
    (void)row, (void)context;
    return cn_grid_is_open(&self->map->grid, landmark);
}

void cn_refresh_drop_closed(cn_refresh *self, uint32_t row)
{
    filter_and_note(self, row, is_in_open_cell, NULL);
}

void cn_refresh_raise_entry(cn_refresh *self, uint32_t row, cairn_node node)
{
    if (cn_table_entry(self->table, row, node) == 0)
        cairn_table_set_cost(self->table, row, node, 1);
}

static bool has_partner(const cn_refresh *self, uint32_t row, cairn_node landmark, void *context)
{
    const uint32_t *partner = context;
    (void)row;
    return cn_table_find_landmark(self->table, *partner, landmark) != SIZE_MAX;
}

/* Removes the landmarks of a row that another one lacks. */
static void keep_common(cn_refresh *self, uint32_t row, uint32_t partner)
{
    filter_and_note(self, row, has_partner, &partner);
}

void cn_refresh_match_pairs(cn_refresh *self)
{
    const uint32_t end = self->table->is_directed ? self->table->row_count : 0;
    for (uint32_t row = 0; row < end; row += 2) {
        keep_common(self, row, row + 1);
        keep_common(self, row + 1, row);
    }
}

/* An entry of 0 says that the cell is a landmark of an earlier row, and so no candidate: the other
 * rows need not be asked. */
CN_ALWAYS_INLINE cairn_cost consider(const cn_refresh *self, uint32_t row, cairn_node node,
                                     cn_choice *best)
{
    cairn_cost least = row > 0 ? cn_refresh_entry(self, best->near_row, node) : CAIRN_UNREACHABLE;

    if (least < best->distance || least == 0)
        return least;
    least = CAIRN_UNREACHABLE;
    for (uint32_t before = 0; before < row; before++) {
        cairn_cost cost = cn_refresh_entry(self, before, node);
        if (cost >= least)
            continue;
        least = cost;
        best->near_row = before;
        if (least < best->distance || least == 0)
            return least;
    }
    if (least == best->distance && node > best->node)
        return least;
    best->node = node;
    best->distance = least;
    return least;
}

cairn_cost cn_refresh_consider(const cn_refresh *self, uint32_t row, cairn_node node,
                               cn_choice *best)
{
    return consider(self, row, node, best);
}

bool cn_refresh_ends_run(const cn_refresh *self, cairn_node node)
{
    const cn_grid *grid = &self->map->grid;
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    return x == 0 || x + 1 == grid->width || !cn_grid_is_open(grid, node - 1) ||
           !cn_grid_is_open(grid, node + 1);
}

static uint32_t first_of_pair(const cn_refresh *self)
{
    return cn_refresh_first_of_pair(self, self->repair.row);
}

/* Only cells at the ends of runs are candidates, since the farthest cell is usually one of them;
 * other cells only if all of those are landmarks of earlier rows. None if every cell is. */
static cairn_node choose_landmark(const cn_refresh *self, const cairn_node *cells, size_t count)
{
    cn_choice best = {.node = CAIRN_NO_NODE};
    for (size_t i = 0; i < count; i++) {
        if (cn_refresh_ends_run(self, cells[i]))
            consider(self, first_of_pair(self), cells[i], &best);
    }
    if (best.node != CAIRN_NO_NODE)
        return best.node;
    for (size_t i = 0; i < count; i++)
        consider(self, first_of_pair(self), cells[i], &best);
    return best.node;
}

/* ------------------------------------------------------------------- from known components -- */

typedef struct component_choice {
    cn_choice best;
    bool is_served; /* the component has a landmark */
} component_choice;

/* The components of the map while landmarks are chosen for those that a row has none in. */
typedef struct serving {
    cn_refresh *refresh;
    uint32_t row;
    const cn_components *components;
    component_choice *choices; /* by number of a component */
    uint32_t unserved;
    bool at_ends; /* cells at the ends of runs are considered now, not those between */
} serving;

/* A tile of 16 x 16 cells. */
typedef struct tile_view {
    uint32_t x; /* its first cell */
    uint32_t y;
    const uint8_t *labels;  /* of its cells, row by row; NULL where it has one region */
    const uint32_t *values; /* components of its regions, by label */
} tile_view;

static tile_view view_of(const cn_regions *regions, uint32_t tile)
{
    const bool has_labels = regions->tiles[tile].count > 1;
    tile_view view = {.labels = has_labels ? regions->labels + (size_t)tile * CN_TILE_CELLS : NULL,
                      .values = cn_region_value(regions, cn_region_of(tile, 0))};
    cn_regions_corner(regions, tile, &view.x, &view.y);
    return view;
}

/* Considers all cells of a tile. */
static void consider_cells(const serving *self, const tile_view *tile)
{
    const cn_grid *grid = &self->refresh->map->grid;
    const uint32_t below = grid->height - tile->y;
    const uint32_t height = below < CN_TILE_SIDE ? below : CN_TILE_SIDE;

    for (uint32_t i = 0; i < height; i++) {
        const uint32_t y = tile->y + i;
        unsigned left = cn_refresh_candidates(grid, tile->x, y, self->at_ends);
        for (; left; left &= left - 1) {
            const uint32_t x = cn_lowest_bit(left);
            const unsigned label = tile->labels ? tile->labels[i * CN_TILE_SIDE + x] : 0;
            component_choice *here = &self->choices[tile->values[label]];
            if (!here->is_served)
                consider(self->refresh, self->row, y * grid->width + tile->x + x, &here->best);
        }
    }
}

/* Considers the cells of one region. */
static void consider_region(const serving *self, const tile_view *tile, unsigned label)
{
    const uint8_t *at = tile->labels, *end = at + CN_TILE_CELLS;
    component_choice *here = &self->choices[tile->values[label]];

    while ((at = memchr(at, (int)label, (size_t)(end - at))) != NULL) {
        const uint32_t cell = (uint32_t)(at++ - tile->labels);
        const uint32_t x = tile->x + cell % CN_TILE_SIDE, y = tile->y + cell / CN_TILE_SIDE;
        const cairn_node node = y * self->refresh->map->grid.width + x;
        if (cn_refresh_ends_run(self->refresh, node) == self->at_ends)
            consider(self->refresh, self->row, node, &here->best);
    }
}

/* Considers cells of a tile for the components that have no landmark. There may be thousands of
 * small ones that get none, since their few cells are landmarks of earlier rows. */
static void consider_tile(const serving *self, uint32_t tile)
{
    enum { FEW = 8 }; /* regions, which are sought one by one */
    const cn_regions *regions = &self->components->regions;
    const unsigned count = regions->tiles[tile].count;
    unsigned labels[FEW], unserved = 0;

    if (count == 0)
        return;
    const tile_view view = view_of(regions, tile);
    for (unsigned label = 0; label < count; label++) {
        if (self->choices[view.values[label]].is_served)
            continue;
        if (unserved < FEW)
            labels[unserved] = label;
        unserved++;
    }
    if (unserved > FEW || (unserved && !view.labels)) {
        consider_cells(self, &view);
        return;
    }
    for (unsigned i = 0; i < unserved; i++)
        consider_region(self, &view, labels[i]);
}

/* Marks the components that have a landmark, and counts the others. */
static void find_unserved(serving *self)
{
    const cairn_table *table = self->refresh->table;
    const size_t end = table->landmark_start[self->row + 1];

    self->unserved = self->components->count;
    for (uint32_t i = 0; i < self->components->limit; i++)
        self->choices[i] = (component_choice){.best = {.node = CAIRN_NO_NODE}};
    for (size_t i = table->landmark_start[self->row]; i < end; i++) {
        const uint32_t at = cn_component_of(self->components, table->landmarks[i]);
        CN_ASSERT(at != CN_NO_COMPONENT);
        self->unserved -= !self->choices[at].is_served;
        self->choices[at].is_served = true;
    }
}

/* Adds the chosen landmarks, all at once: there may be tens of thousands. */
static cairn_status add_chosen(serving *self)
{
    cn_refresh *refresh = self->refresh;
    cairn_node *chosen = cn_array(&refresh->mem, self->unserved, sizeof *chosen);
    size_t count = 0;

    if (!chosen)
        return CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < self->components->limit; i++) {
        component_choice *here = &self->choices[i];
        if (here->is_served || here->best.node == CAIRN_NO_NODE)
            continue;
        here->is_served = true;
        chosen[count++] = here->best.node;
    }
    cn_sort_nodes(chosen, count);
    const cairn_status status = count ? cn_refresh_add_landmarks(refresh, self->row, chosen, count)
                                      : CAIRN_OK;
    refresh->counts.landmarks_added += status == CAIRN_OK ? count : 0;
    self->unserved -= (uint32_t)count;
    cn_release(&refresh->mem, chosen);
    return status;
}

/* Chooses landmarks as choose_landmark does: of the cells between the ends of runs only where all
 * ends are landmarks of earlier rows. */
static cairn_status serve(serving *self, bool at_ends)
{
    self->at_ends = at_ends;
    for (uint32_t tile = 0; tile < self->components->regions.tile_count; tile++)
        consider_tile(self, tile);
    return add_chosen(self);
}

/* Whether the costs of an earlier row, from which landmarks are chosen, are above the limit. */
static bool lacks_earlier(const cn_refresh *self, uint32_t row)
{
    for (uint32_t before = 0; before < row; before++) {
        if (self->row_work[before] & CN_ROW_BEYOND)
            return true;
    }
    return false;
}

cairn_status cn_refresh_serve_early(cn_refresh *self, uint32_t row)
{
    serving rest = {.refresh = self, .row = row};

    cairn_status status = cn_map_connect(self->map, &rest.components);
    if (status != CAIRN_OK)
        return status;
    rest.choices = cn_array(&self->mem, rest.components->limit + 1u, sizeof *rest.choices);
    if (!rest.choices)
        return CAIRN_E_MEMORY;
    find_unserved(&rest);
    if (rest.unserved && lacks_earlier(self, row))
        status = CAIRN_E_LIMIT;
    if (status == CAIRN_OK && rest.unserved)
        status = serve(&rest, true);
    if (status == CAIRN_OK && rest.unserved)
        status = serve(&rest, false);
    cn_release(&self->mem, rest.choices);
    return status;
}

/* --------------------------------------------------------------------- from unreached cells -- */

/* A component whose cells are appended to a list. */
typedef struct listing {
    cn_nodes *cells;
    size_t first;
    bool is_served; /* it has a landmark: its other cells are not listed */
} listing;

static cairn_status see(cn_refresh *self, listing *component, cairn_node node)
{
    uint8_t marks = self->marks[node];

    component->is_served = component->is_served || marks & CN_MARK_SERVED;
    if (marks & CN_MARK_SEEN)
        return CAIRN_OK;
    if (!cn_refresh_add(self, component->cells, node))
        return CAIRN_E_MEMORY;
    self->marks[node] |= CN_MARK_SEEN;
    if (cn_table_entry(self->table, self->repair.row, node) == 0)
        component->is_served = true;
    return CAIRN_OK;
}

static cairn_status see_beside(cn_refresh *self, listing *component, cairn_node node, cn_way way)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_arc_span span = cn_map_arcs(self->map, node, way, scratch);
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; status == CAIRN_OK && i < span.count; i++)
        status = see(self, component, span.arcs[i].to);
    return status;
}

/* Whether a landmark of the row lies in the component of a cell, by the components of the map. */
static cairn_status find_landmark(const cn_refresh *self, cairn_node cell, bool *is_found)
{
    const cn_components *components;
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(self->table, self->repair.row, &landmarks);
    const cairn_status status = cn_map_connect(self->map, &components);

    *is_found = false;
    if (status != CAIRN_OK)
        return status;
    const uint32_t component = cn_component_of(components, cell);
    for (size_t i = 0; i < count && !*is_found; i++)
        *is_found = cn_component_of(components, landmarks[i]) == component &&
                    cn_table_entry(self->table, self->repair.row, landmarks[i]) == 0;
    return CAIRN_OK;
}

/* Ends at a landmark. With one-way steps it may be far away: once as many cells are listed as the
 * row has landmarks, these are examined first. */
static cairn_status list_component(cn_refresh *self, listing *component, cairn_node start)
{
    const cairn_node *landmarks;
    const size_t few = cairn_table_landmarks(self->table, self->repair.row, &landmarks);
    cairn_status status = see(self, component, start);

    for (size_t i = component->first;
         status == CAIRN_OK && !component->is_served && i < component->cells->count; i++) {
        cairn_node node = component->cells->items[i];
        if (i - component->first == few)
            status = find_landmark(self, start, &component->is_served);
        if (status == CAIRN_OK && !component->is_served)
            status = see_beside(self, component, node, CN_FORWARD);
        if (status == CAIRN_OK && !component->is_served && self->table->is_directed)
            status = see_beside(self, component, node, CN_REVERSE);
    }
    if (!component->is_served)
        return status;
    for (size_t i = component->first; i < component->cells->count; i++)
        self->marks[component->cells->items[i]] |= CN_MARK_SERVED;
    return status;
}

/* Adds those of some nodes, which ascend, that are no landmarks of a row, and lists them. In a
 * table from a file that nobody verified a node may be a landmark that has another entry. */
static cairn_status add_missing(cn_refresh *self, uint32_t row, const cn_nodes *nodes,
                                cn_nodes *added)
{
    const cairn_node *from = nodes->items;

    if (!cn_refresh_reserve(self, added, nodes->count))
        return CAIRN_E_MEMORY;
    cairn_node *to = added->items;
    for (size_t i = 0; i < nodes->count; i++) {
        if (cn_table_find_landmark(self->table, row, from[i]) == SIZE_MAX)
            to[added->count++] = from[i];
    }
    return added->count ? cn_refresh_add_landmarks(self, row, to, added->count) : CAIRN_OK;
}

/* The other row of a pair has the same landmarks; their entries are computed when it is
 * repaired. */
static cairn_status add_to_partner(cn_refresh *self, const cn_nodes *nodes)
{
    cairn_table *table = self->table;
    const uint32_t partner = self->repair.row ^ 1u;
    cn_nodes added = {0};

    if (!table->is_directed)
        return CAIRN_OK;
    const cairn_status status = add_missing(self, partner, nodes, &added);
    if (added.count) {
        self->row_work[partner] |= CN_ROW_MOVED | CN_ROW_DIRTY;
        if (table->row_state[partner] == CAIRN_ROW_FRESH)
            cn_table_set_state(table, partner, CAIRN_ROW_WEAKER);
    }
    cn_release(&self->mem, added.items);
    return status;
}

/* Adds nodes to the row and its partner, or to none. */
static cairn_status add_to_both(cn_refresh *self, const cn_nodes *nodes)
{
    const uint32_t row = self->repair.row;
    cn_nodes added = {0};

    cairn_status status = add_missing(self, row, nodes, &added);
    if (status == CAIRN_OK) {
        status = add_to_partner(self, nodes);
        self->counts.landmarks_added += status == CAIRN_OK ? added.count : 0;
        for (size_t i = 0; status != CAIRN_OK && i < added.count; i++)
            cn_refresh_remove_landmark(self, row,
                                       cn_table_find_landmark(self->table, row, added.items[i]));
    }
    cn_release(&self->mem, added.items);
    return status;
}

/* Makes nodes landmarks of the row, all at once: there may be tens of thousands. */
static cairn_status add_here(cn_refresh *self, cn_nodes *nodes)
{
    if (nodes->count == 0)
        return CAIRN_OK;
    if (!cn_refresh_reserve_seeds(self, nodes->count))
        return CAIRN_E_MEMORY;
    cn_sort_nodes(nodes->items, nodes->count);
    const cairn_status status = add_to_both(self, nodes);
    for (size_t i = 0; status == CAIRN_OK && i < nodes->count; i++) {
        cairn_table_set_cost(self->table, self->repair.row, nodes->items[i], 0);
        cn_refresh_push_seed(self, 0, nodes->items[i]);
    }
    return status;
}

static bool earlier_rows_are_exact(const cn_refresh *self)
{
    return cn_refresh_first_inexact(self, first_of_pair(self)) == first_of_pair(self);
}

/* Chooses a landmark for the component of a cell. It may have one although the cell is not reached:
 * on maps with one-way steps, and when this is repeated after a lack of memory. */
static cairn_status choose_for(cn_refresh *self, cn_nodes *seen, cairn_node start, cn_nodes *chosen)
{
    listing component = {.cells = seen, .first = seen->count};

    cairn_status status = list_component(self, &component, start);
    if (status != CAIRN_OK)
        return status;
    size_t count = seen->count - component.first;
    self->counts.cells += count;
    if (component.is_served)
        return CAIRN_OK;
    if (!earlier_rows_are_exact(self)) {
        self->repair.wants_earlier = true;
        return CAIRN_OK;
    }
    self->repair.served_cells += count;
    const cairn_node node = choose_landmark(self, seen->items + component.first, count);
    const bool is_listed = node == CAIRN_NO_NODE || cn_refresh_add(self, chosen, node);
    return is_listed ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* A component that has lost its landmark has cells around an edit. On maps with one-way cells
 * builds leave some without any, which get one only where edits are not known: otherwise it would
 * depend on the processor which do, as that decides which rows are rebuilt. */
static size_t first_to_serve(const cn_refresh *self)
{
    const bool is_known = !(self->row_work[self->repair.row] & CN_ROW_ANYWHERE);
    return self->table->is_directed && is_known ? self->repair.dropped.count : 0;
}

cairn_status cn_refresh_serve(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    const size_t count = cn_refresh_round_count(self);
    cn_nodes *seen = &self->visited, chosen = {0};
    cairn_status status = CAIRN_OK;

    repair->served_cells = 0;
    for (size_t i = first_to_serve(self); status == CAIRN_OK && !repair->wants_earlier && i < count;
         i++) {
        const cairn_node node = cn_refresh_round_cell(self, i);
        if (cn_table_entry(self->table, repair->row, node) == CAIRN_UNREACHABLE &&
            cn_grid_is_open(&self->map->grid, node) && !(self->marks[node] & CN_MARK_SEEN))
            status = choose_for(self, seen, node, &chosen);
    }
    if (status == CAIRN_OK)
        status = add_here(self, &chosen);
    cn_release(&self->mem, chosen.items);
    for (size_t i = 0; i < seen->count; i++)
        self->marks[seen->items[i]] = 0;
    seen->count = 0;
    return status;
}
