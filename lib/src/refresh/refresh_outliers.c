#include "refresh/refresh_outliers.h"

#include <string.h>

#include "refresh/refresh.h"
#include "refresh/refresh_farthest.h"
#include "refresh/refresh_landmarks.h"

enum { FORMER_TILES = 4 }; /* those of earlier joins are kept up to so many times as all tiles */

/* ------------------------------------------------------------------- cells of smaller parts -- */

static const cn_regions *regions_of(const cn_refresh *self)
{
    return &self->components->regions;
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
    return CN_GROW(&self->mem, outliers->items, &outliers->capacity, outliers->count,
                   outliers->count + more);
}

/* Of the cells of a tile in smaller parts those at the ends of runs, since the farthest cell is
 * usually one of them. Returns whether there are any. */
static bool find_outliers(const cn_refresh *self, const cn_parts *parts, const bool *is_joined,
                          cn_outlier *found)
{
    const cn_grid *grid = &self->map->grid;
    uint32_t labels[CN_TILE_CELLS];
    bool any = false;
    uint32_t left, top;

    cn_regions_corner(regions_of(self), found->tile, &left, &top);
    if (!cn_parts_label(parts, found->tile, labels))
        return false;
    for (uint32_t y = 0; y < CN_TILE_SIDE && top + y < grid->height; y++) {
        unsigned ends = cn_farthest_candidates(grid, left, top + y, true);
        for (; ends; ends &= ends - 1) {
            const uint32_t x = cn_lowest_bit(ends);
            const bool is_one = labels[y * CN_TILE_SIDE + x] != 0 &&
                                is_joined[cn_component_at(self->components, left + x, top + y)];
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
                        const cn_component_choice *choices)
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
                              cn_component_choice *choices)
{
    const cn_grid *grid = &self->map->grid;
    cairn_cost most = 0;
    uint32_t left, top;

    cn_regions_corner(regions_of(self), outlier->tile, &left, &top);
    for (uint32_t y = 0; y < CN_TILE_SIDE; y++) {
        cn_refresh_spend(self, cn_count_bits(outlier->cells[y]));
        for (unsigned cells = outlier->cells[y]; cells; cells &= cells - 1) {
            const cairn_node node = (top + y) * grid->width + left + cn_lowest_bit(cells);
            const uint32_t component = cn_component_of(self->components, node);
            if (component == CN_NO_COMPONENT || !cn_farthest_is_reached(self, row, node))
                continue;
            const cairn_cost least = cn_farthest_consider(self, row, node,
                                                          &choices[component].best);
            most = least > most ? least : most;
        }
    }
    outlier->most = most < outlier->most ? most : outlier->most;
}

/* By component the outlier that is farthest from the landmarks of earlier rows. From row to row
 * distances only fall, so that most outliers are known to be nearer than the best one. Returns
 * whether all have been considered; otherwise visits are spent. */
static bool choose_outliers(cn_refresh *self, uint32_t row)
{
    cn_farthest *farthest = &self->farthest;
    const cn_outliers *outliers = &self->joins.outliers;

    know_outliers(self);
    for (; farthest->next < outliers->count && cn_farthest_has_visits(self); farthest->next++) {
        cn_outlier *outlier = &outliers->items[farthest->next];
        if (may_be_best(self, outlier, farthest->choices))
            consider_outliers(self, row, outlier, farthest->choices);
    }
    return farthest->next == outliers->count;
}

/* Whether an outlier is farther from these than a landmark of the row. */
static bool is_farther(const cn_refresh *self, uint32_t row, const cn_choice *outlier,
                       cairn_node landmark)
{
    cn_choice own = {.node = CAIRN_NO_NODE};

    if (outlier->node == CAIRN_NO_NODE)
        return false;
    if (cn_farthest_is_reached(self, row, landmark))
        cn_farthest_consider(self, row, landmark, &own);
    return outlier->distance > own.distance;
}

/* Finds the landmark of each component that is to be replaced: the first one that an outlier is
 * farther away than. */
static void choose_replaced(cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        const cairn_node landmark = table->landmarks[i];
        const uint32_t component = cn_component_of(self->components, landmark);
        if (component == CN_NO_COMPONENT)
            continue;
        cn_component_choice *choice = &self->farthest.choices[component];
        if (choice->landmark != CAIRN_NO_NODE || !is_farther(self, row, &choice->best, landmark))
            continue;
        choice->landmark = landmark;
        cn_farthest_want(self, component);
    }
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
    self->row_work[row] |= CN_WORK_REBUILD | CN_WORK_MOVED | CN_WORK_PENDING;
    self->counts.landmarks_moved++;
    if (self->table->row_state[row] == CAIRN_ROW_FRESH)
        cn_table_set_state(self->table, row, CAIRN_ROW_WEAKER);
}

static void replace_chosen(cn_refresh *self, uint32_t row)
{
    for (uint32_t i = 0; i < self->components->limit; i++) {
        const cn_component_choice *chosen = &self->farthest.choices[i];
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
    return self->row_work[row] & CN_WORK_JOINED && cn_refresh_first_inexact(self, first) == first;
}

/* Landmarks of a row or pair have moved as far as they should. */
static void end_moves(cn_refresh *self, uint32_t first)
{
    const uint32_t last = first + self->table->is_directed;
    for (uint32_t row = first; row <= last; row++) {
        self->row_work[row] &= (uint8_t)~CN_WORK_JOINED;
        if (self->row_work[row] == 0)
            cn_table_set_state(self->table, row, CAIRN_ROW_FRESH);
    }
}

cairn_status cn_refresh_move_landmarks(cn_refresh *self, uint32_t row)
{
    const uint32_t first = cn_refresh_first_of_pair(self, row);
    const cn_farthest *farthest = &self->farthest;

    cairn_status status = cn_farthest_go_on(self, CN_FARTHEST_MOVES, first);
    if (status == CAIRN_OK)
        status = cn_farthest_choose(self);
    if (status != CAIRN_OK)
        return status;
    if (self->row_work[row] & CN_WORK_COMPUTED)
        cn_refresh_write_computed(self);
    if (farthest->stage == CN_FARTHEST_LISTS) {
        if (!choose_outliers(self, first))
            return CAIRN_OK;
        choose_replaced(self, first);
    }
    if (!cn_farthest_seek(self))
        return CAIRN_OK;
    replace_chosen(self, first);
    cn_farthest_end(self);
    end_moves(self, first);
    return CAIRN_OK;
}
