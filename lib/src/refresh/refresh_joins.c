/*
 * Landmarks after components were joined: each row keeps one landmark in the new component, that of
 * the largest part. Finding these needs the components of the map and all landmarks. So first each
 * opened cell is examined: if the open cells around it to which it has steps are connected among
 * themselves, it joins nothing.
 *
 * Afterwards the landmark of a row may be in a corner of the new component. So some cells of the
 * smaller parts, the outliers, are remembered until all rows before this row are exact: if one of
 * them is farther from the landmarks of these rows than the row's own landmark is, the row moves
 * its landmark to the farthest cell of all, as in placement. Where very many cells opened, finding
 * the parts would take longer than the rows: then any landmark is kept, and the outliers are those
 * that were removed.
 */
#include <string.h>

#include "refresh/joined_parts.h"
#include "refresh/refresh.h"

enum {
    CELLS_PER_VISIT = 16,    /* cells of the map that are scanned in the time of one visit */
    PARTS_OPENED_MOST = 1024 /* where more cells opened, it is not examined which parts they join */
};

/* ---------------------------------------------------------------- around a cell that opened -- */

enum { RING_MOST = 8 };

/* The cells around a cell, and which of them are connected: those of the same group. */
typedef struct ring {
    cairn_node cells[RING_MOST];
    unsigned group[RING_MOST];
    unsigned count;
} ring;

/* The directions in which a cell that opens may connect others, to itself or, next to a diagonal
 * step, to one another. Where straight steps may be one-way, diagonal ones may connect on their
 * own. */
static unsigned joining_steps(const cn_grid *grid, cairn_node node)
{
    return grid->has_one_way ? grid->moves[grid->around[node]] : cn_parts_joining_steps(grid, node);
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
            if (near == node || !cn_grid_is_open(grid, near) || self->marks[near] & CN_MARK_LATER)
                continue;
            found.cells[found.count] = near;
            found.group[found.count] = found.count;
            found.count++;
        }
    }
    return found;
}

/* The index of a node in the ring; the count where it is not there. */
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
        for (unsigned steps = cn_parts_joining_steps(grid, node); steps; steps &= steps - 1) {
            unsigned direction = cn_lowest_bit(steps);
            unsigned next = place_in(around,
                                     node + (cairn_node)cn_grid_offsets(grid, node)[direction]);
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
        found = found || is_landmark(self->table, cells[i]) || joins(self, cells[i]);
    }
    return found;
}

/* --------------------------------------------------------------- one landmark per component -- */

static uint32_t component_of(const cn_refresh *self, cairn_node node)
{
    return cn_component_of(self->joins.components, node);
}

/* Several landmarks of a row in one component: what is known of the first of them. */
typedef struct keeper {
    uint32_t row; /* counted from 1: the last row with a landmark here */
    cairn_node node;
    bool is_joined; /* some row has several */
} keeper;

/* How many landmarks are in the same component as an earlier one of their row. */
static size_t count_superfluous(const cn_refresh *self, keeper *keepers)
{
    const cairn_table *table = self->table;
    size_t count = 0;

    for (uint32_t row = 0; row < table->row_count; row++) {
        for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
            uint32_t component = component_of(self, table->landmarks[i]);
            if (component == CN_NO_COMPONENT)
                continue;
            if (keepers[component].row == row + 1) {
                keepers[component].is_joined = true;
                count++;
            }
            keepers[component].row = row + 1;
        }
    }
    return count;
}

static bool has_moved(const cn_refresh *self, cairn_node node)
{
    const cn_list *moved = &self->joins.moved;
    size_t i = 0;
    while (i < moved->count && ((const cairn_node *)moved->items)[i] != node)
        i++;
    return i < moved->count;
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

/* Raises the entry of a cell that is no longer a landmark: if it were 0 in every row, the cell
 * would be taken for a blocked one. */
static void raise_entry(cn_refresh *self, uint32_t row, cairn_node node)
{
    if (cn_table_entry(self->table, row, node) == 0)
        cairn_table_set_cost(self->table, row, node, 1);
}

static void drop_landmark(cn_refresh *self, const cn_parts *parts, uint32_t row, size_t index)
{
    const cairn_table *table = self->table;
    cairn_node node = table->landmarks[index];
    const uint32_t size = cn_parts_size(parts, node);

    self->row_lost[row] += size < UINT32_MAX ? size : 0;
    cn_refresh_remove_landmark(self, row, index);
    ((cairn_node *)self->joins.joined.items)[self->joins.joined.count++] = node;
    self->counts.landmarks_dropped++;
    raise_entry(self, row, node);
}

static void drop_superfluous(cn_refresh *self, const cn_parts *parts, keeper *keepers, uint32_t row)
{
    const cairn_table *table = self->table;

    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        const cairn_node node = table->landmarks[i];
        uint32_t component = component_of(self, node);
        if (component == CN_NO_COMPONENT)
            continue;
        keeper *kept = &keepers[component];
        if (kept->row == row + 1) {
            const bool stays = !goes_before(self, parts, node, kept->node);
            drop_landmark(self, parts, row,
                          stays ? i : cn_table_find_landmark(table, row, kept->node));
            i--;
            self->row_work[row] |= cn_refresh_first_of_pair(self, row) ? CN_ROW_JOINED : 0;
            if (stays)
                continue;
        }
        kept->row = row + 1;
        kept->node = node;
    }
}

/* ------------------------------------------------------------------- cells of smaller parts -- */

/* Outliers are the cells of smaller parts at the ends of runs, since the farthest cell is usually
 * one of them, and the landmarks that were removed. */
static bool is_outlier(const cn_refresh *self, const cn_parts *parts, const keeper *keepers,
                       cairn_node node)
{
    if (!cn_refresh_ends_run(self, node))
        return false;
    const uint32_t component = component_of(self, node);
    return component != CN_NO_COMPONENT && keepers[component].is_joined &&
           cn_parts_is_outlying(parts, node);
}

static void add_outlier(cn_refresh *self, cairn_node node)
{
    ((cn_outlier *)self->joins.outliers.items)[self->joins.outliers.count++] =
        (cn_outlier){.node = node};
}

/* Appends outliers to those of earlier joins, for which rows still have to be examined, or takes
 * their place: there are never more than the map has cells. */
static cairn_status list_outliers(cn_refresh *self, const cn_parts *parts, const keeper *keepers,
                                  size_t superfluous)
{
    cn_list *outliers = &self->joins.outliers;
    const size_t former = outliers->count;

    if (!cn_list_reserve(outliers, &self->mem, parts->visit_count + superfluous,
                         sizeof(cn_outlier)))
        return CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < parts->visit_count; i++) {
        if (is_outlier(self, parts, keepers, parts->visits[i].node))
            add_outlier(self, parts->visits[i].node);
    }
    if (outliers->count <= cn_map_node_count(self->map))
        return CAIRN_OK;
    outliers->count -= former;
    memmove(outliers->items, (cn_outlier *)outliers->items + former,
            outliers->count * sizeof(cn_outlier));
    return CAIRN_OK;
}

/* Allocates room for everything that follows, also in the caller, so that nothing fails half
 * done. */
static cairn_status reserve_for(cn_refresh *self, size_t superfluous, size_t changed)
{
    const size_t waiting = (CN_DIRECTIONS + 1u) * (superfluous + changed);
    if (!cn_list_reserve(&self->joins.joined, &self->mem, superfluous, sizeof(cairn_node)) ||
        !cn_list_reserve(&self->pending, &self->mem, waiting, sizeof(cairn_node)))
        return CAIRN_E_MEMORY;
    return CAIRN_OK;
}

/* `opened` may be part of `pending`. */
static cairn_status drop_all_superfluous(cn_refresh *self, keeper *keepers, size_t superfluous,
                                         const cn_opened *opened)
{
    const bool finds = opened->count <= PARTS_OPENED_MOST;
    cn_parts parts;
    cairn_status status = cn_parts_find(&parts, &self->mem, &self->map->grid, opened->cells,
                                        finds ? opened->count : 0);
    if (status != CAIRN_OK)
        return status;
    status = reserve_for(self, superfluous, opened->changed);
    if (status == CAIRN_OK)
        status = list_outliers(self, &parts, keepers, superfluous);
    for (uint32_t row = 0; row < self->table->row_count && status == CAIRN_OK; row++)
        drop_superfluous(self, &parts, keepers, row);
    cn_parts_free(&parts);
    for (size_t i = 0; i < self->joins.joined.count; i++)
        add_outlier(self, ((const cairn_node *)self->joins.joined.items)[i]);
    return status;
}

cairn_status cn_refresh_drop_joined(cn_refresh *self, const cn_opened *opened)
{
    cn_joins *joins = &self->joins;
    cairn_status status = CAIRN_OK;

    joins->joined.count = 0;
    if (any_row_has_several(self->table)) {
        status = cn_map_connect(self->map, &joins->components);
        if (status != CAIRN_OK)
            return status;
        keeper *keepers = cn_zeroed(&self->mem, joins->components->limit, sizeof *keepers);
        if (!keepers)
            return CAIRN_E_MEMORY;
        size_t superfluous = count_superfluous(self, keepers);
        for (uint32_t i = 0; i < joins->components->limit; i++)
            keepers[i].row = 0;
        if (superfluous)
            status = drop_all_superfluous(self, keepers, superfluous, opened);
        cn_release(&self->mem, keepers);
    }
    joins->may_join = status != CAIRN_OK;
    return status;
}

/* --------------------------------------------------------------- rows that take another cell -- */

/* Where costs are directed, only cells that all earlier landmarks reach and that reach them have a
 * known distance. */
static bool is_reached(const cn_refresh *self, uint32_t row, cairn_node node)
{
    uint32_t before = 0;
    if (!self->table->is_directed)
        return true;
    while (before < row && cn_refresh_entry(self, before, node) != CAIRN_UNREACHABLE)
        before++;
    return before == row;
}

/* Whether a landmark of a component is to be replaced, and by which cell. */
typedef struct spread_choice {
    /* The first one that an outlier is farther away than; CAIRN_NO_NODE: none. */
    cairn_node landmark;
    cn_choice best; /* the farthest of the outliers, and then of all cells */
} spread_choice;

/* What follows from the edits that were applied. */
static void know_outliers(cn_refresh *self)
{
    cn_joins *joins = &self->joins;
    cn_outlier *outliers = joins->outliers.items;
    for (size_t i = 0; joins->outliers_changed && i < joins->outliers.count; i++)
        outliers[i].most = CAIRN_UNREACHABLE;
    joins->outliers_changed = false;
}

/* By component the outlier that is farthest from the landmarks of earlier rows. From row to row
 * distances only fall, so that most outliers are known to be nearer than the best one. */
static void choose_outliers(cn_refresh *self, uint32_t row, spread_choice *choices)
{
    cn_joins *joins = &self->joins;
    cn_outlier *outliers = joins->outliers.items;

    for (uint32_t i = 0; i < joins->components->limit; i++)
        choices[i] = (spread_choice){.landmark = CAIRN_NO_NODE, .best = {.node = CAIRN_NO_NODE}};
    know_outliers(self);
    for (size_t i = 0; i < joins->outliers.count; i++) {
        cn_outlier *outlier = &outliers[i];
        const uint32_t component = component_of(self, outlier->node);
        if (component == CN_NO_COMPONENT)
            continue;
        cn_choice *best = &choices[component].best;
        if (outlier->most >= best->distance && is_reached(self, row, outlier->node))
            outlier->most = cn_refresh_consider(self, row, outlier->node, best);
    }
}

/* Whether an outlier is farther from these than a landmark of the row. */
static bool is_farther(const cn_refresh *self, uint32_t row, const cn_choice *outlier,
                       cairn_node landmark)
{
    cn_choice own = {.node = CAIRN_NO_NODE};

    if (outlier->node == CAIRN_NO_NODE)
        return false;
    if (is_reached(self, row, landmark))
        cn_refresh_consider(self, row, landmark, &own);
    return outlier->distance > own.distance;
}

/* Finds the landmark of each component that is to be replaced. Returns whether there are any. */
static bool choose_replaced(const cn_refresh *self, uint32_t row, spread_choice *choices)
{
    const cairn_table *table = self->table;
    bool any = false;
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        const cairn_node landmark = table->landmarks[i];
        const uint32_t component = component_of(self, landmark);
        if (component == CN_NO_COMPONENT || choices[component].landmark != CAIRN_NO_NODE ||
            !is_farther(self, row, &choices[component].best, landmark))
            continue;
        choices[component].landmark = landmark;
        any = true;
    }
    return any;
}

static void consider_farthest(const cn_refresh *self, uint32_t row, cairn_node node,
                              spread_choice *choices)
{
    const uint32_t component = component_of(self, node);
    if (component != CN_NO_COMPONENT && choices[component].landmark != CAIRN_NO_NODE &&
        is_reached(self, row, node))
        cn_refresh_consider(self, row, node, &choices[component].best);
}

/* Whether a region of a tile belongs to a component whose landmark is to be replaced. */
static bool concerns_tile(const cn_refresh *self, uint32_t tile, const spread_choice *choices)
{
    const cn_regions *regions = &self->joins.components->regions;
    const unsigned count = regions->tiles[tile].count;
    unsigned i = 0;
    while (i < count &&
           choices[*cn_region_value(regions, cn_region_of(tile, i))].landmark == CAIRN_NO_NODE)
        i++;
    return i < count;
}

static void consider_tile(const cn_refresh *self, uint32_t row, uint32_t tile,
                          spread_choice *choices)
{
    const cn_grid *grid = &self->map->grid;
    const uint32_t across = self->joins.components->regions.tiles_across;
    const uint32_t left = tile % across * CN_TILE_SIDE, top = tile / across * CN_TILE_SIDE;

    for (uint32_t y = top; y < top + CN_TILE_SIDE && y < grid->height; y++) {
        unsigned ends = cn_refresh_candidates(grid, left, y, true);
        for (; ends; ends &= ends - 1)
            consider_farthest(self, row, y * grid->width + left + cn_lowest_bit(ends), choices);
    }
}

/* In one pass over the tiles of a grid the farthest cell of every component whose landmark is to be
 * replaced, beginning with its outlier. */
static void choose_farthest(cn_refresh *self, uint32_t row, spread_choice *choices)
{
    const uint32_t tiles = self->joins.components->regions.tile_count;

    for (uint32_t tile = 0; tile < tiles; tile++) {
        if (concerns_tile(self, tile, choices))
            consider_tile(self, row, tile, choices);
    }
    self->counts.cells += cn_map_node_count(self->map) / CELLS_PER_VISIT;
}

/* Replaces the landmark; the row is then to be rebuilt, and its other entries stay until that
 * begins. */
static void replace_landmark(cn_refresh *self, uint32_t row, cairn_node landmark, cairn_node node)
{
    const size_t index = cn_table_find_landmark(self->table, row, landmark);

    /* Rows of a pair have the same landmarks, unless they come from a file that says otherwise or
     * had wrong entries. */
    if (index == SIZE_MAX || cn_table_find_landmark(self->table, row, node) != SIZE_MAX)
        return;
    cn_refresh_replace_landmark(self, row, index, node);
    raise_entry(self, row, landmark);
    self->row_work[row] |= CN_ROW_REBUILD | CN_ROW_MOVED | CN_ROW_DIRTY;
    self->counts.landmarks_moved++;
    if (self->table->row_state[row] == CAIRN_ROW_FRESH)
        cn_table_set_state(self->table, row, CAIRN_ROW_WEAKER);
}

static void replace_chosen(cn_refresh *self, uint32_t row, const spread_choice *choices)
{
    for (uint32_t i = 0; i < self->joins.components->limit; i++) {
        const spread_choice *chosen = &choices[i];
        if (chosen->landmark == CAIRN_NO_NODE)
            continue;
        if (self->table->is_directed)
            replace_landmark(self, row + 1, chosen->landmark, chosen->best.node);
        replace_landmark(self, row, chosen->landmark, chosen->best.node);
    }
}

bool cn_refresh_may_move_landmarks(const cn_refresh *self, uint32_t row)
{
    const uint32_t first = cn_refresh_first_of_pair(self, row);
    return self->row_work[row] & CN_ROW_JOINED && cn_refresh_first_inexact(self, first) == first;
}

cairn_status cn_refresh_move_landmarks(cn_refresh *self, uint32_t row)
{
    const uint32_t first = cn_refresh_first_of_pair(self, row),
                   last = first + self->table->is_directed;
    cairn_status status = cn_map_connect(self->map, &self->joins.components);

    if (status != CAIRN_OK)
        return status;
    spread_choice *choices = cn_array(&self->mem, self->joins.components->limit, sizeof *choices);
    if (!choices)
        return CAIRN_E_MEMORY;
    if (self->row_work[row] & CN_ROW_COMPUTED)
        cn_refresh_write_computed(self);
    choose_outliers(self, first, choices);
    if (choose_replaced(self, first, choices)) {
        choose_farthest(self, first, choices);
        replace_chosen(self, first, choices);
    }
    cn_release(&self->mem, choices);
    for (uint32_t each = first; each <= last; each++) {
        self->row_work[each] &= (uint8_t)~CN_ROW_JOINED;
        if (self->row_work[each] == 0)
            cn_table_set_state(self->table, each, CAIRN_ROW_FRESH);
    }
    return CAIRN_OK;
}
