#include "refresh/refresh_outliers.h"

#include <string.h>

#include "refresh/refresh.h"
#include "refresh/refresh_landmarks.h"

enum {
    CELLS_PER_VISIT = 16, /* cells of the map that are scanned in the time of one visit */
    FORMER_TILES = 4      /* those of earlier joins are kept up to so many times as all tiles */
};

/* ------------------------------------------------------------------- cells of smaller parts -- */

static const cn_regions *regions_of(const cn_refresh *self)
{
    return &self->joins.components->regions;
}

/* On a graph, whose arcs never change, only a file that says what is not so has others in the
 * component of a landmark. */
void cn_refresh_add_outlier(cn_refresh *self, cairn_node node)
{
    cn_outliers *outliers = &self->joins.outliers;
    const cn_regions *regions = regions_of(self);
    uint32_t x, y;

    if (!regions->grid)
        return;
    cn_grid_xy(regions->grid, node, &x, &y);
    cn_outlier *made = &outliers->items[outliers->count++];
    *made = (cn_outlier){.tile = cn_regions_tile_at(regions, x, y), .most = CAIRN_UNREACHABLE};
    made->cells[y % CN_TILE_SIDE] = (uint16_t)(1u << x % CN_TILE_SIDE);
}

static bool reserve_outliers(cn_refresh *self, size_t more)
{
    cn_outliers *outliers = &self->joins.outliers;
    cn_outlier *items = cn_grown(&self->mem, outliers->items, &outliers->capacity, outliers->count,
                                 outliers->count + more, sizeof *items);
    if (items)
        outliers->items = items;
    return items != NULL;
}

/* Of the cells of a tile in smaller parts those at the ends of runs, since the farthest cell is
 * usually one of them. Returns whether there are any. */
static bool find_outliers(const cn_refresh *self, const cn_parts *parts, const bool *is_joined,
                          cn_outlier *found)
{
    const cn_grid *grid = &self->map->grid;
    bool flags[CN_TILE_CELLS], any = false;
    uint32_t left, top;

    cn_regions_corner(regions_of(self), found->tile, &left, &top);
    if (!cn_parts_find_outlying(parts, found->tile, flags))
        return false;
    for (uint32_t y = 0; y < CN_TILE_SIDE && top + y < grid->height; y++) {
        unsigned ends = cn_refresh_candidates(grid, left, top + y, true);
        for (; ends; ends &= ends - 1) {
            const uint32_t x = cn_lowest_bit(ends);
            const bool is_one =
                flags[y * CN_TILE_SIDE + x] &&
                is_joined[cn_component_at(self->joins.components, left + x, top + y)];
            found->cells[y] |= (uint16_t)((unsigned)is_one << x);
            any |= is_one;
        }
    }
    return any;
}

cairn_status cn_refresh_list_outliers(cn_refresh *self, const cn_parts *parts,
                                      const bool *is_joined, size_t more)
{
    cn_outliers *outliers = &self->joins.outliers;
    const size_t former = outliers->count;
    const size_t most = FORMER_TILES * (size_t)regions_of(self)->tile_count;

    if (!reserve_outliers(self, parts->visited.count + more))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < parts->visited.count; i++) {
        cn_outlier found = {.tile = parts->visited.items[i], .most = CAIRN_UNREACHABLE};
        if (find_outliers(self, parts, is_joined, &found))
            outliers->items[outliers->count++] = found;
    }
    if (outliers->count <= most)
        return CAIRN_OK;
    outliers->count -= former;
    memmove(outliers->items, outliers->items + former, outliers->count * sizeof *outliers->items);
    return CAIRN_OK;
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
typedef struct replacement {
    /* The first one that an outlier is farther away than; CAIRN_NO_NODE: none. */
    cairn_node landmark;
    cn_choice best; /* the farthest of the outliers, and then of all cells */
} replacement;

/* What follows from the edits that were applied. */
static void know_outliers(cn_refresh *self)
{
    cn_outliers *outliers = &self->joins.outliers;
    for (size_t i = 0; outliers->are_stale && i < outliers->count; i++)
        outliers->items[i].most = CAIRN_UNREACHABLE;
    outliers->are_stale = false;
}

/* Whether some cell of a tile may be farther away than the best outlier of its component. */
static bool may_be_best(const cn_refresh *self, const cn_outlier *outlier,
                        const replacement *choices)
{
    const cn_regions *regions = regions_of(self);
    const unsigned count = regions->tiles[outlier->tile].count;
    unsigned i = 0;
    while (i < count &&
           outlier->most <
               choices[*cn_region_value(regions, cn_region_of(outlier->tile, i))].best.distance)
        i++;
    return i < count;
}

/* Considers the cells of a tile, and notes how far away they are at most. */
static void consider_outliers(cn_refresh *self, uint32_t row, cn_outlier *outlier,
                              replacement *choices)
{
    const cn_grid *grid = &self->map->grid;
    cairn_cost most = 0;
    uint32_t left, top;

    cn_regions_corner(regions_of(self), outlier->tile, &left, &top);
    for (uint32_t y = 0; y < CN_TILE_SIDE; y++) {
        cn_refresh_spend(self, cn_count_bits(outlier->cells[y]));
        for (unsigned cells = outlier->cells[y]; cells; cells &= cells - 1) {
            const cairn_node node = (top + y) * grid->width + left + cn_lowest_bit(cells);
            const uint32_t component = cn_component_of(self->joins.components, node);
            if (component == CN_NO_COMPONENT || !is_reached(self, row, node))
                continue;
            const cairn_cost least = cn_refresh_consider(self, row, node, &choices[component].best);
            most = least > most ? least : most;
        }
    }
    outlier->most = most < outlier->most ? most : outlier->most;
}

/* By component the outlier that is farthest from the landmarks of earlier rows. From row to row
 * distances only fall, so that most outliers are known to be nearer than the best one. */
static void choose_outliers(cn_refresh *self, uint32_t row, replacement *choices)
{
    cn_outliers *outliers = &self->joins.outliers;

    for (uint32_t i = 0; i < self->joins.components->limit; i++)
        choices[i] = (replacement){.landmark = CAIRN_NO_NODE, .best = {.node = CAIRN_NO_NODE}};
    know_outliers(self);
    for (size_t i = 0; i < outliers->count; i++) {
        if (may_be_best(self, &outliers->items[i], choices))
            consider_outliers(self, row, &outliers->items[i], choices);
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
static bool choose_replaced(const cn_refresh *self, uint32_t row, replacement *choices)
{
    const cairn_table *table = self->table;
    bool any = false;
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        const cairn_node landmark = table->landmarks[i];
        const uint32_t component = cn_component_of(self->joins.components, landmark);
        if (component == CN_NO_COMPONENT || choices[component].landmark != CAIRN_NO_NODE ||
            !is_farther(self, row, &choices[component].best, landmark))
            continue;
        choices[component].landmark = landmark;
        any = true;
    }
    return any;
}

static void consider_farthest(const cn_refresh *self, uint32_t row, cairn_node node,
                              replacement *choices)
{
    const uint32_t component = cn_component_of(self->joins.components, node);
    if (component != CN_NO_COMPONENT && choices[component].landmark != CAIRN_NO_NODE &&
        is_reached(self, row, node))
        cn_refresh_consider(self, row, node, &choices[component].best);
}

/* Whether a region of a tile belongs to a component whose landmark is to be replaced. */
static bool concerns_tile(const cn_refresh *self, uint32_t tile, const replacement *choices)
{
    const cn_regions *regions = regions_of(self);
    const unsigned count = regions->tiles[tile].count;
    unsigned i = 0;
    while (i < count &&
           choices[*cn_region_value(regions, cn_region_of(tile, i))].landmark == CAIRN_NO_NODE)
        i++;
    return i < count;
}

static void consider_tile(const cn_refresh *self, uint32_t row, uint32_t tile, replacement *choices)
{
    const cn_grid *grid = &self->map->grid;
    uint32_t left, top;

    cn_regions_corner(regions_of(self), tile, &left, &top);
    for (uint32_t y = top; y < top + CN_TILE_SIDE && y < grid->height; y++) {
        unsigned ends = cn_refresh_candidates(grid, left, y, true);
        for (; ends; ends &= ends - 1)
            consider_farthest(self, row, y * grid->width + left + cn_lowest_bit(ends), choices);
    }
}

/* In one pass over the tiles of a grid the farthest cell of every component whose landmark is to be
 * replaced, beginning with its outlier. */
static void choose_farthest(cn_refresh *self, uint32_t row, replacement *choices)
{
    const uint32_t tiles = regions_of(self)->tile_count;

    for (uint32_t tile = 0; tile < tiles; tile++) {
        if (concerns_tile(self, tile, choices))
            consider_tile(self, row, tile, choices);
    }
    self->counts.cells += cn_map_node_count(self->map) / CELLS_PER_VISIT;
    cn_refresh_spend(self, cn_map_node_count(self->map) / CELLS_PER_VISIT);
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
    cn_refresh_raise_entry(self, row, landmark);
    self->row_work[row] |= CN_ROW_REBUILD | CN_ROW_MOVED | CN_ROW_DIRTY;
    self->counts.landmarks_moved++;
    if (self->table->row_state[row] == CAIRN_ROW_FRESH)
        cn_table_set_state(self->table, row, CAIRN_ROW_WEAKER);
}

static void replace_chosen(cn_refresh *self, uint32_t row, const replacement *choices)
{
    for (uint32_t i = 0; i < self->joins.components->limit; i++) {
        const replacement *chosen = &choices[i];
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
    replacement *choices = cn_array(&self->mem, self->joins.components->limit, sizeof *choices);
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
