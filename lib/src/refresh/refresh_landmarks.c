#include "refresh/refresh_landmarks.h"

#include <string.h>

#include "base/nodes.h"
#include "refresh/refresh_farthest.h"

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
    self->row_work[row] |= CN_WORK_MOVED;
    self->may_be_unserved = true;
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

/* ------------------------------------------------------------------------ what was chosen -- */

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

/* The other row of a pair has the same landmarks; their entries are computed when it is repaired or
 * rebuilt. */
static cairn_status add_to_partner(cn_refresh *self, uint32_t row, const cn_nodes *nodes)
{
    cairn_table *table = self->table;
    const uint32_t partner = row ^ 1u;
    cn_nodes added = {0};

    if (!table->is_directed)
        return CAIRN_OK;
    const cairn_status status = add_missing(self, partner, nodes, &added);
    if (added.count) {
        self->row_work[partner] |= CN_WORK_MOVED | CN_WORK_PENDING;
        if (table->row_state[partner] == CAIRN_ROW_FRESH)
            cn_table_set_state(table, partner, CAIRN_ROW_WEAKER);
    }
    cn_release(&self->mem, added.items);
    return status;
}

/* Adds nodes to a row and its partner, or to none; all at once, since there may be tens of
 * thousands. */
static cairn_status add_to_both(cn_refresh *self, uint32_t row, const cn_nodes *nodes)
{
    cn_nodes added = {0};

    cairn_status status = add_missing(self, row, nodes, &added);
    if (status == CAIRN_OK) {
        status = add_to_partner(self, row, nodes);
        self->counts.landmarks_added += status == CAIRN_OK ? added.count : 0;
        for (size_t i = 0; status != CAIRN_OK && i < added.count; i++)
            cn_refresh_remove_landmark(self, row,
                                       cn_table_find_landmark(self->table, row, added.items[i]));
    }
    cn_release(&self->mem, added.items);
    return status;
}

/* Appends the cells that were found to those of small components. */
static cairn_status take_found(cn_refresh *self)
{
    cn_farthest *farthest = &self->farthest;
    for (uint32_t i = 0; farthest->choices && i < self->components->limit; i++) {
        const cairn_node node = farthest->choices[i].best.node;
        if (node != CAIRN_NO_NODE && !cn_refresh_add(self, &farthest->chosen, node))
            return CAIRN_E_MEMORY;
    }
    return CAIRN_OK;
}

/* Gathers what was chosen in `chosen`, which ascends then. */
static cairn_status gather_chosen(cn_refresh *self)
{
    cn_nodes *chosen = &self->farthest.chosen;
    const cairn_status status = take_found(self);
    if (status != CAIRN_OK)
        return status;
    cn_sort_nodes(chosen->items, chosen->count);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------- before a flood -- */

/* Seeks a cell in each component in which a row has no landmark, or a pair of rows none in common:
 * so nothing is added to the first one when the second is rebuilt, also in a table from a file in
 * which they differ. */
static void seek_unserved(cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    const size_t end = table->landmark_start[row + 1];
    uint32_t partner = table->is_directed ? row ^ 1u : row;
    cn_component_choice *choices = self->farthest.choices;

    for (size_t i = table->landmark_start[row]; i < end; i++) {
        const cairn_node landmark = table->landmarks[i];
        const uint32_t at = cn_component_of(self->components, landmark);
        CN_ASSERT(at != CN_NO_COMPONENT);
        choices[at].is_served |= has_partner(self, row, landmark, &partner);
    }
    for (uint32_t i = 0; i < self->components->limit; i++) {
        if (self->components->items[i].size && !choices[i].is_served)
            cn_farthest_want(self, i);
    }
}

/* Whether the costs of an earlier row, from which landmarks are chosen, are above the limit. */
static bool lacks_earlier(const cn_refresh *self, uint32_t row)
{
    for (uint32_t before = 0; before < row; before++) {
        if (self->row_work[before] & CN_WORK_BEYOND)
            return true;
    }
    return false;
}

static cairn_status begin_to_serve(cn_refresh *self, uint32_t row)
{
    const cairn_status status = cn_farthest_choose(self);
    if (status != CAIRN_OK)
        return status;
    seek_unserved(self, row);
    const bool lacks = lacks_earlier(self, cn_refresh_first_of_pair(self, row));
    return self->farthest.sought && lacks ? CAIRN_E_LIMIT : CAIRN_OK;
}

cairn_status cn_refresh_serve_early(cn_refresh *self, uint32_t row)
{
    const uint32_t first = cn_refresh_first_of_pair(self, row);
    cairn_status status = cn_farthest_go_on(self, CN_FARTHEST_SERVES_EARLY, first);
    if (status == CAIRN_OK && !self->farthest.choices)
        status = begin_to_serve(self, row);
    if (status == CAIRN_OK && !cn_farthest_seek(self))
        return CAIRN_MORE;
    if (status == CAIRN_OK)
        status = gather_chosen(self);
    if (status == CAIRN_OK && self->farthest.chosen.count)
        status = add_to_both(self, row, &self->farthest.chosen);
    cn_farthest_end(self);
    return status;
}

/* ------------------------------------------------------------------- from unreached cells -- */

/* A component whose cells are appended to a list. */
typedef struct listing {
    cn_nodes *cells;
    size_t first;
    bool is_served; /* it has a landmark: its other cells are not listed */
} listing;

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
        if (cn_farthest_ends_run(self, cells[i]))
            cn_farthest_consider(self, first_of_pair(self), cells[i], &best);
    }
    if (best.node != CAIRN_NO_NODE)
        return best.node;
    for (size_t i = 0; i < count; i++)
        cn_farthest_consider(self, first_of_pair(self), cells[i], &best);
    return best.node;
}

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

/* Whether a landmark of the row lies in a component of the map. */
static bool has_landmark(const cn_refresh *self, uint32_t component)
{
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(self->table, self->repair.row, &landmarks);
    size_t i = 0;
    while (i < count && (cn_component_of(self->components, landmarks[i]) != component ||
                         cn_table_entry(self->table, self->repair.row, landmarks[i]) != 0))
        i++;
    return i < count;
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
            component->is_served = has_landmark(self, cn_component_of(self->components, start));
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

static bool earlier_rows_are_exact(const cn_refresh *self)
{
    return cn_refresh_first_inexact(self, first_of_pair(self)) == first_of_pair(self);
}

/* Chooses a landmark for the component of a cell, whose cells are few. It may have one although the
 * cell is not reached: on maps with one-way steps, and when this is repeated after a lack of
 * memory. */
static cairn_status choose_in_list(cn_refresh *self, cairn_node start)
{
    cn_nodes *seen = &self->visited;
    listing component = {.cells = seen, .first = seen->count};

    cairn_status status = list_component(self, &component, start);
    if (status != CAIRN_OK)
        return status;
    const size_t count = seen->count - component.first;
    cn_refresh_spend(self, count);
    if (component.is_served)
        return CAIRN_OK;
    if (!earlier_rows_are_exact(self)) {
        self->repair.wants_earlier = true;
        return CAIRN_OK;
    }
    self->farthest.cells += count;
    const cairn_node node = choose_landmark(self, seen->items + component.first, count);
    const bool is_listed = node == CAIRN_NO_NODE ||
                           cn_refresh_add(self, &self->farthest.chosen, node);
    return is_listed ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* Whether a component has so many cells that they are not listed: more than there are landmarks,
 * which are examined instead, or components. */
static bool is_large(const cn_refresh *self, uint32_t component)
{
    enum { LISTED_MOST = 1024, COMPONENTS_PER_CELL = 16 };
    const cairn_node *landmarks;
    const uint32_t size = self->components->items[component].size;
    return size > LISTED_MOST && size > self->components->limit / COMPONENTS_PER_CELL &&
           size > cairn_table_landmarks(self->table, self->repair.row, &landmarks);
}

/* Seeks a landmark for a large component, once. */
static cairn_status seek_in_tiles(cn_refresh *self, uint32_t component)
{
    const cairn_status status = cn_farthest_choose(self);
    if (status != CAIRN_OK)
        return status;
    cn_component_choice *choice = &self->farthest.choices[component];
    if (choice->is_sought)
        return CAIRN_OK;
    choice->is_served = has_landmark(self, component);
    if (choice->is_served)
        return CAIRN_OK;
    if (!earlier_rows_are_exact(self)) {
        self->repair.wants_earlier = true;
        return CAIRN_OK;
    }
    self->farthest.cells += self->components->items[component].size;
    cn_farthest_want(self, component);
    return CAIRN_OK;
}

static cairn_status choose_for(cn_refresh *self, cairn_node node)
{
    if (cn_table_entry(self->table, self->repair.row, node) != CAIRN_UNREACHABLE ||
        !cn_grid_is_open(&self->map->grid, node) || self->marks[node] & CN_MARK_SEEN)
        return CAIRN_OK;
    const uint32_t component = cn_component_of(self->components, node);
    if (self->farthest.choices && self->farthest.choices[component].is_served)
        return CAIRN_OK;
    return is_large(self, component) ? seek_in_tiles(self, component) : choose_in_list(self, node);
}

/* A component that has lost its landmark has cells around an edit. On maps with one-way cells
 * builds leave some without any, which get one only where edits are not known: otherwise it would
 * depend on the processor which do, as that decides which rows are rebuilt. */
static size_t first_to_serve(const cn_refresh *self)
{
    const bool is_known = !(self->row_work[self->repair.row] & CN_WORK_ANYWHERE);
    return self->table->is_directed && is_known ? self->repair.unsettled.count : 0;
}

static void forget_seen(cn_refresh *self)
{
    for (size_t i = 0; i < self->visited.count; i++)
        self->marks[self->visited.items[i]] = 0;
    self->visited.count = 0;
}

/* Before a pause, at which marks are forgotten. */
static cairn_status note_examined(cn_refresh *self)
{
    const cn_nodes *seen = &self->visited;
    const cairn_status status = seen->count ? cn_farthest_choose(self) : CAIRN_OK;
    if (status != CAIRN_OK)
        return status;
    for (size_t i = 0; i < seen->count; i++)
        self->farthest.choices[cn_component_of(self->components, seen->items[i])].is_served = true;
    return CAIRN_MORE;
}

/* Notes which components have a landmark of the row, where a round begins that has more cells than
 * there are components. */
static cairn_status note_landmarks(cn_refresh *self, size_t round_count)
{
    const cairn_table *table = self->table;
    const uint32_t row = self->repair.row;
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(table, row, &landmarks);

    if (self->farthest.next || round_count <= self->components->limit + count)
        return CAIRN_OK;
    const cairn_status status = cn_farthest_choose(self);
    for (size_t i = 0; status == CAIRN_OK && i < count; i++) {
        if (cn_grid_is_open(&self->map->grid, landmarks[i]) &&
            cn_table_entry(table, row, landmarks[i]) == 0)
            self->farthest.choices[cn_component_of(self->components, landmarks[i])].is_served =
                true;
    }
    return status;
}

/* Examines the components of the cells of a round. */
static cairn_status choose_for_round(cn_refresh *self)
{
    enum { CELLS_PER_VISIT = 4 };
    cn_farthest *farthest = &self->farthest;
    const size_t first = first_to_serve(self), count = cn_refresh_round_count(self);
    cairn_status status = note_landmarks(self, count - first);

    while (status == CAIRN_OK && !self->repair.wants_earlier && first + farthest->next < count) {
        if (!cn_farthest_has_visits(self))
            status = note_examined(self);
        else
            status = choose_for(self, cn_refresh_round_cell(self, first + farthest->next));
        farthest->next += status == CAIRN_OK;
        cn_refresh_spend(self, farthest->next % CELLS_PER_VISIT == 0);
    }
    forget_seen(self);
    return status;
}

/* The chosen cells become landmarks of the row that is being repaired, and seeds. */
static cairn_status seed_chosen(cn_refresh *self)
{
    const cn_nodes *chosen = &self->farthest.chosen;
    cairn_status status = gather_chosen(self);

    if (status != CAIRN_OK || chosen->count == 0)
        return status;
    if (!cn_refresh_reserve_seeds(self, chosen->count))
        return CAIRN_E_MEMORY;
    self->repair.served_cells = self->farthest.cells;
    status = add_to_both(self, self->repair.row, chosen);
    for (size_t i = 0; status == CAIRN_OK && i < chosen->count; i++) {
        cairn_table_set_cost(self->table, self->repair.row, chosen->items[i], 0);
        cn_refresh_push_seed(self, 0, chosen->items[i]);
    }
    return status;
}

cairn_status cn_refresh_serve(cn_refresh *self)
{
    const cn_farthest *farthest = &self->farthest;
    cairn_status status = cn_farthest_go_on(self, CN_FARTHEST_SERVES, self->repair.row);
    if (status == CAIRN_OK && farthest->stage == CN_FARTHEST_LISTS)
        status = choose_for_round(self);
    if (status == CAIRN_OK && !self->repair.wants_earlier)
        status = cn_farthest_seek(self) ? seed_chosen(self) : CAIRN_MORE;
    if (status != CAIRN_MORE)
        cn_farthest_end(self);
    return status;
}
