/*
 * Landmarks after components were joined: each row keeps one landmark in the new component, that of
 * the largest part. Finding these needs the components of the map and all landmarks. So first each
 * opened cell is examined: components/opened_ring.c tells whether it may join any.
 */
#include "base/nodes.h"
#include "components/joined_parts.h"
#include "components/opened_ring.h"
#include "refresh/refresh.h"
#include "refresh/refresh_landmarks.h"
#include "refresh/refresh_outliers.h"

/* Where more cells opened, finding the parts that they join would take longer than the rows: then
 * any landmark is kept. */
enum { PARTS_OPENED_MOST = 1024 };

static bool any_row_has_several(const cairn_table *table)
{
    uint32_t row = 0;
    while (row < table->row_count &&
           table->landmark_start[row + 1] - table->landmark_start[row] < 2)
        row++;
    return row < table->row_count;
}

static bool is_landmark(const cairn_table *table, cairn_node node)
{
    uint32_t row = 0;
    while (row < table->row_count && cn_table_find_landmark(table, row, node) == SIZE_MAX)
        row++;
    return row < table->row_count;
}

static void mark_later(cn_refresh *self, const cairn_node *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cn_grid_is_open(&self->map->grid, cells[i]))
            self->marks[cells[i]] |= CN_MARK_LATER;
    }
}

bool cn_refresh_may_join(cn_refresh *self, const cairn_node *cells, size_t count)
{
    bool found = false;

    if (!any_row_has_several(self->table))
        return false;
    mark_later(self, cells, count);
    for (size_t i = 0; i < count; i++) {
        if (!cn_grid_is_open(&self->map->grid, cells[i]))
            continue;
        self->marks[cells[i]] &= (uint8_t)~CN_MARK_LATER;
        found = found || is_landmark(self->table, cells[i]) ||
                cn_opening_joins(&self->map->grid, self->marks, CN_MARK_LATER, cells[i]);
    }
    return found;
}

/* --------------------------------------------------------------- one landmark per component -- */

/* The landmark of a row in a component. */
typedef struct keeper {
    uint32_t row; /* counted from 1: the last row with a landmark here */
    cairn_node node;
} keeper;

/* Components while all landmarks of a row in one but the keeper are removed. */
typedef struct joining {
    keeper *keepers;    /* by component */
    bool *is_joined;    /* by component: some row has several landmarks in it */
    size_t superfluous; /* landmarks in the component of an earlier one of their row */
} joining;

static void free_joining(const cn_refresh *self, joining *found)
{
    cn_release(&self->mem, found->keepers);
    cn_release(&self->mem, found->is_joined);
}

static cairn_status new_joining(const cn_refresh *self, joining *found)
{
    const size_t limit = self->components->limit;
    *found = (joining){.keepers = cn_zeroed(&self->mem, limit, sizeof *found->keepers),
                       .is_joined = cn_zeroed(&self->mem, limit, sizeof *found->is_joined)};
    if (found->keepers && found->is_joined)
        return CAIRN_OK;
    free_joining(self, found);
    return CAIRN_E_MEMORY;
}

static void find_superfluous(const cn_refresh *self, joining *found)
{
    const cairn_table *table = self->table;

    for (uint32_t row = 0; row < table->row_count; row++) {
        for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
            uint32_t component = cn_component_of(self->components, table->landmarks[i]);
            if (component == CN_NO_COMPONENT)
                continue;
            if (found->keepers[component].row == row + 1) {
                found->is_joined[component] = true;
                found->superfluous++;
            }
            found->keepers[component].row = row + 1;
        }
    }
    for (uint32_t i = 0; i < self->components->limit; i++)
        found->keepers[i].row = 0;
}

static bool has_moved(const cn_refresh *self, cairn_node node)
{
    const cn_nodes *moved = &self->joins.moved;
    return cn_nodes_find(moved->items, moved->count, node) != SIZE_MAX;
}

/* Which of two landmarks is kept: that of the larger part; in one part, into which landmarks whose
 * cell closed have moved, one that was there before; of equals the one with the lower number. */
static bool goes_before(const cn_refresh *self, const cn_parts *parts, cairn_node one,
                        cairn_node other)
{
    const uint32_t size = cn_parts_size(parts, one), other_size = cn_parts_size(parts, other);
    if (size != other_size)
        return size > other_size;
    const bool moved = has_moved(self, one), other_moved = has_moved(self, other);
    return moved != other_moved ? other_moved : one < other;
}

/* Chooses the landmark of a row in each component. Whether some component has others. */
static bool choose_keepers(const cn_refresh *self, const cn_parts *parts, keeper *keepers,
                           uint32_t row)
{
    const cairn_table *table = self->table;
    bool has_others = false;

    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        const cairn_node node = table->landmarks[i];
        const uint32_t component = cn_component_of(self->components, node);
        if (component == CN_NO_COMPONENT)
            continue;
        keeper *kept = &keepers[component];
        const bool is_other = kept->row == row + 1;
        has_others |= is_other;
        if (!is_other || goes_before(self, parts, node, kept->node))
            *kept = (keeper){row + 1, node};
    }
    return has_others;
}

static bool is_kept(const cn_refresh *self, uint32_t row, cairn_node landmark, void *context)
{
    const keeper *keepers = context;
    const uint32_t component = cn_component_of(self->components, landmark);
    (void)row;
    return component == CN_NO_COMPONENT || keepers[component].node == landmark;
}

/* The landmarks of a row that are no keepers join the list. */
static void list_others(cn_refresh *self, keeper *keepers, uint32_t row)
{
    const cairn_table *table = self->table;
    cn_nodes *joined = &self->joins.joined;

    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        if (!is_kept(self, row, table->landmarks[i], keepers))
            joined->items[joined->count++] = table->landmarks[i];
    }
}

static void drop_superfluous(cn_refresh *self, const cn_parts *parts, keeper *keepers, uint32_t row)
{
    const cn_nodes *joined = &self->joins.joined;
    const size_t before = joined->count;

    if (!choose_keepers(self, parts, keepers, row))
        return;
    list_others(self, keepers, row);
    cn_refresh_filter_landmarks(self, row, is_kept, keepers);
    const bool has_earlier_rows = cn_refresh_first_of_pair(self, row) > 0;
    self->row_work[row] |= has_earlier_rows ? CN_WORK_JOINED : 0;
    self->counts.landmarks_dropped += joined->count - before;
    self->table->lost_landmarks = true;
    for (size_t i = before; i < joined->count; i++) {
        const cairn_node node = joined->items[i];
        const uint32_t size = cn_parts_size(parts, node);
        self->row_lost[row] += size < UINT32_MAX ? size : 0;
        cn_refresh_raise_entry(self, row, node);
    }
}

/* Allocates room for everything that follows, also in the caller, so that nothing fails half
 * done. */
static cairn_status reserve_for(cn_refresh *self, size_t superfluous, size_t changed)
{
    const size_t waiting = (CN_DIRECTIONS + 1u) * (superfluous + changed);
    if (!cn_refresh_reserve(self, &self->joins.joined, superfluous) ||
        !cn_refresh_reserve(self, &self->pending, waiting))
        return CAIRN_E_MEMORY;
    return CAIRN_OK;
}

/* `opened` may be part of `pending`. */
static cairn_status drop_all_superfluous(cn_refresh *self, const joining *found,
                                         const cn_opened *opened)
{
    const bool finds = opened->count <= PARTS_OPENED_MOST;
    const cn_nodes *joined = &self->joins.joined;
    cn_parts parts;
    cairn_status status = cn_parts_find(&parts, &self->mem, &self->components->regions,
                                        opened->cells, finds ? opened->count : 0);
    if (status != CAIRN_OK)
        return status;
    status = reserve_for(self, found->superfluous, opened->changed);
    if (status == CAIRN_OK)
        status = cn_refresh_list_outliers(self, &parts, found->is_joined, found->superfluous);
    cn_sort_nodes(self->joins.moved.items, self->joins.moved.count);
    for (uint32_t row = 0; row < self->table->row_count && status == CAIRN_OK; row++)
        drop_superfluous(self, &parts, found->keepers, row);
    cn_parts_free(&parts);
    for (size_t i = 0; i < joined->count; i++)
        cn_refresh_add_outlier(self, joined->items[i]);
    return status;
}

cairn_status cn_refresh_drop_joined(cn_refresh *self, const cn_opened *opened)
{
    cn_joins *joins = &self->joins;
    cairn_status status = CAIRN_OK;
    joining found;

    joins->joined.count = 0;
    if (any_row_has_several(self->table)) {
        status = cn_map_connect(self->map, &self->components);
        if (status == CAIRN_OK)
            status = new_joining(self, &found);
        if (status != CAIRN_OK)
            return status;
        find_superfluous(self, &found);
        if (found.superfluous)
            status = drop_all_superfluous(self, &found, opened);
        free_joining(self, &found);
    }
    joins->may_join = status != CAIRN_OK;
    return status;
}
