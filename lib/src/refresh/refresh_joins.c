/*
 * Landmarks that refreshing added, since a component had none, are not needed any more once that
 * component is joined to another: without them each row is again what it was. To find them takes
 * the components of the whole map. So first a look around each cell that opened: where the open
 * cells around it that it has steps to are joined among themselves, it joins nothing.
 */
#include <string.h>

#include "refresh/refresh.h"

/* A cell that is open, but was blocked when those before it in the list opened, or as good as. */
enum { MARK_LATER = 32 };

/* ---------------------------------------------------------------- around a cell that opened -- */

enum { RING_MOST = 8 };

/* Cells around one, and which of them are joined: those of the same group. */
typedef struct ring {
    cairn_node cells[RING_MOST];
    unsigned group[RING_MOST];
    unsigned count;
} ring;

/* Where a diagonal step wants open cells beside it, straight steps over them join the same cells.
 */
static bool straight_steps_join(const cn_rules *rules)
{
    return rules->rule == CAIRN_RULE_8 || rules->rule == CAIRN_RULE_4 ||
           rules->rule == CAIRN_RULE_8_ONE_SIDE;
}

/* Of some directions those whose steps are there whatever other cells are. */
static unsigned lasting_steps(const cn_grid *grid, unsigned steps)
{
    return straight_steps_join(&grid->rules) ? steps & ((1u << CN_STRAIGHT) - 1) : steps;
}

/* The directions in which a cell that opens may join others, to itself or, beside a diagonal step,
 * to one another. Where straight steps may lead one way only, diagonal ones may join alone. */
static unsigned joining_steps(const cn_grid *grid, cairn_node node)
{
    unsigned steps = grid->moves[grid->around[node]];
    return cn_rules_have_one_way(&grid->rules) ? steps : lasting_steps(grid, steps);
}

static ring ring_around(const cn_refresh *self, cairn_node node)
{
    const cn_grid *grid = &self->map->grid;
    uint32_t x, y;
    ring found = {.count = 0};

    cn_grid_xy(grid, node, &x, &y);
    for (uint32_t row = y - (y > 0); row <= y + 1 && row < grid->height; row++) {
        for (uint32_t column = x - (x > 0); column <= x + 1 && column < grid->width; column++) {
            cairn_node near = row * grid->width + column;
            if (near == node || !cn_grid_is_open(grid, near) || self->marks[near] & MARK_LATER)
                continue;
            found.cells[found.count] = near;
            found.group[found.count] = found.count;
            found.count++;
        }
    }
    return found;
}

/* Its place in the ring; the count where it is not there. */
static unsigned place_in(const ring *around, cairn_node node)
{
    unsigned i = 0;
    while (i < around->count && around->cells[i] != node)
        i++;
    return i;
}

static void join_groups(ring *around, unsigned one, unsigned other)
{
    const unsigned from = around->group[other], to = around->group[one];
    for (unsigned i = 0; i < around->count; i++) {
        if (around->group[i] == from)
            around->group[i] = to;
    }
}

static void join_ring(const cn_grid *grid, ring *around)
{
    for (unsigned i = 0; i < around->count; i++) {
        const cairn_node node = around->cells[i];
        for (unsigned steps = lasting_steps(grid, cn_grid_steps(grid, node)); steps;
             steps &= steps - 1) {
            unsigned direction = cn_lowest_bit(steps);
            unsigned next = place_in(around, node + (cairn_node)cn_grid_offsets(
                                                        grid, node)[direction]);
            if (next < around->count)
                join_groups(around, i, next);
        }
    }
}

static bool joins(const cn_refresh *self, cairn_node node)
{
    const cn_grid *grid = &self->map->grid;
    const int32_t *offset = cn_grid_offsets(grid, node);
    ring around = ring_around(self, node);
    unsigned first = RING_MOST;

    join_ring(grid, &around);
    for (unsigned steps = joining_steps(grid, node); steps; steps &= steps - 1) {
        unsigned next = place_in(&around, node + (cairn_node)offset[cn_lowest_bit(steps)]);
        if (next == around.count)
            continue;
        if (first < RING_MOST && around.group[next] != first)
            return true;
        first = around.group[next];
    }
    return false;
}

static bool is_landmark(const cairn_table *table, cairn_node node)
{
    uint32_t row = 0;
    while (row < table->row_count &&
           cn_refresh_find_landmark(table, row, node) == SIZE_MAX)
        row++;
    return row < table->row_count;
}

static void mark_later(cn_refresh *self, const cairn_node *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cn_grid_is_open(&self->map->grid, cells[i]))
            self->marks[cells[i]] |= MARK_LATER;
    }
}

bool cn_refresh_may_join(cn_refresh *self, const cairn_node *cells, size_t count)
{
    bool found = false;

    mark_later(self, cells, count);
    for (size_t i = 0; i < count; i++) {
        if (!cn_grid_is_open(&self->map->grid, cells[i]))
            continue;
        self->marks[cells[i]] &= (uint8_t)~MARK_LATER;
        found = found || is_landmark(self->table, cells[i]) || joins(self, cells[i]);
    }
    return found;
}

/* ------------------------------------------------------------------------------ components -- */

static cairn_status label_runs(const cairn_map *map, const cn_mem *mem, cn_runs *runs)
{
    uint32_t *label = cn_array(mem, cn_map_node_count(map), sizeof *label), *sizes = NULL;
    uint32_t count = 0;

    if (!label)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_map_components(map, mem, label, &sizes, &count);
    if (status == CAIRN_OK)
        status = cn_runs_from(&map->grid, mem, label, count, runs);
    cn_release(mem, label);
    cn_release(mem, sizes);
    return status;
}

cairn_status cn_refresh_ready_runs(cn_refresh *self)
{
    const cn_rules *rules = &self->map->grid.rules;

    if (self->runs.items && self->runs_hash == self->map->hash)
        return CAIRN_OK;
    cn_runs_free(&self->runs, &self->mem);
    self->runs_hash = self->map->hash;
    if (straight_steps_join(rules) && !cn_rules_have_one_way(rules))
        return cn_runs_new(&self->map->grid, &self->mem, &self->runs);
    return label_runs(self->map, &self->mem, &self->runs);
}

/* ------------------------------------------------------------ landmarks that are dropped -- */

/* Whether a landmark is superfluous; `served` has, by component, the last row that has a landmark
 * there, counted from 1. */
static bool is_superfluous(const cn_refresh *self, uint32_t row, size_t index, uint32_t *served)
{
    const cairn_table *table = self->table;
    if (cn_refresh_origin(table, index) == CN_LANDMARK_OWN)
        return false;
    uint32_t component = cn_runs_component(&self->runs, table->landmarks[index]);
    if (component == CN_NO_COMPONENT)
        return false;
    bool is_served = served[component] == row + 1;
    served[component] = row + 1;
    return is_served;
}

static void serve_own(const cn_refresh *self, uint32_t row, uint32_t *served)
{
    const cairn_table *table = self->table;
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        if (cn_refresh_origin(table, i) != CN_LANDMARK_OWN)
            continue;
        uint32_t component = cn_runs_component(&self->runs, table->landmarks[i]);
        if (component != CN_NO_COMPONENT)
            served[component] = row + 1;
    }
}

/* An entry that is not 0 yet, or no more, is not that of a landmark. */
static void drop_landmark(cn_refresh *self, uint32_t row, size_t index)
{
    const cairn_table *table = self->table;
    cairn_node node = table->landmarks[index];

    cn_refresh_remove_landmark(self, row, index);
    ((cairn_node *)self->joined.items)[self->joined.count++] = node;
    self->counts.landmarks_dropped++;
    if (cn_table_entry(table, row, node) == 0)
        cairn_table_set_cost(self->table, row, node, 1);
}

static bool has_added(const cairn_table *table, uint32_t row)
{
    const size_t start = table->landmark_start[row], end = table->landmark_start[row + 1];
    return table->landmark_origin && start < end &&
           memchr(table->landmark_origin + start, CN_LANDMARK_ADDED, end - start);
}

static void drop_joined_of(cn_refresh *self, uint32_t row, uint32_t *served)
{
    const cairn_table *table = self->table;

    if (!has_added(table, row))
        return;
    serve_own(self, row, served);
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1];) {
        if (is_superfluous(self, row, i, served))
            drop_landmark(self, row, i);
        else
            i++;
    }
}

cairn_status cn_refresh_drop_joined(cn_refresh *self)
{
    self->joined.count = 0;
    if (!cn_list_reserve(&self->joined, &self->mem, self->table->added_count, sizeof(cairn_node)))
        return CAIRN_E_MEMORY;
    cairn_status status = cn_refresh_ready_runs(self);
    if (status != CAIRN_OK)
        return status;
    uint32_t *served = cn_zeroed(&self->mem, self->runs.component_count + 1u, sizeof *served);
    if (!served)
        return CAIRN_E_MEMORY;
    for (uint32_t row = 0; row < self->table->row_count; row++)
        drop_joined_of(self, row, served);
    cn_release(&self->mem, served);
    self->may_join = false;
    return CAIRN_OK;
}
