/*
 * Whether a row is repaired or rebuilt. Nothing tells beforehand what a repair will take, so most
 * rows begin with one, and are rebuilt
 *
 *   - after a limit of visits: below; of rows side by side, in refresh_lanes.c;
 *   - where it is known that the repair will take too long: landmarks of large parts were lost, or
 *     cells have changed everywhere (below);
 *   - where the repair cannot end: a cost does not fit or is above the limit, or an earlier row
 *     that the row needs to be exact is to be rebuilt (refresh.c), or landmarks are chosen while
 *     edits come and memory is short (put_off in refresh_row.c);
 *   - where it is not known what has changed: edits that are forgotten, more pending cells than the
 *     map has, or a step that failed while landmarks moved (refresh_edits.c), and a copy of a table
 *     that is not exact (new_refresh in refresh.c);
 *   - where a landmark moves to another cell of components that were joined (refresh_outliers.c).
 *
 * Where the caller lets queries decide what a refresh may spend, refresh_policy.c compares by the
 * prices of base/budget.h.
 */
#include "refresh/refresh.h"

#include "components/components.h"

enum {
    /* A row is rebuilt after its repair has visited one of so many open cells, which takes up to a
     * quarter of the time of a rebuild. With 16 some edits cost more than two rebuilds, with 32
     * more repairs are given up that would soon have been finished. */
    OPEN_PER_REPAIR_VISIT = 28,
    VISITS_PER_DROPPED = 2, /* visits that each dropped entry will need later */

    /* A row that has lost landmarks of parts which were joined is rebuilt at once if these parts
     * have more than one open cell in so many. A repair would visit all of these cells, and since
     * in each row they would be dropped from another landmark on, a visit would serve few rows: in
     * 48 trials with such parts no repair of a row came to its end. */
    OPEN_PER_LOST = 18,

    /* All rows are rebuilt at once if the changed cells lie in tiles of which three times as many
     * would hold all open cells: about one in three has a changed cell then. With changes in so
     * many tiles repairs took 1.4 to 3 rebuilds on five kinds of maps of 1000 x 1000 cells, and 0.5
     * to 0.9 on two open ones. On small maps it hardly matters. */
    TILES_PER_CHANGED = 3,
    CHANGED_LEAST = 64
};

uint64_t cn_refresh_visit_limit(const cn_refresh *self, bool may_rebuild)
{
    if (may_rebuild)
        return self->map->grid.open_count / OPEN_PER_REPAIR_VISIT + CN_REFRESH_VISITS_LEAST;
    return cn_refresh_may_slice(self) ? cn_refresh_visits_of_slices(self) / 2 : UINT64_MAX;
}

uint64_t cn_refresh_visits_worth(const cn_refresh *self)
{
    const cn_row_repair *repair = &self->repair;
    if (repair->phase == CN_PHASE_SERVE)
        return UINT64_MAX;
    const bool drops = repair->phase == CN_PHASE_DROP;
    uint64_t sure = repair->visit_count +
                    (drops ? repair->unsettled.count * VISITS_PER_DROPPED : 0);
    uint64_t left = repair->visit_limit > sure ? repair->visit_limit - sure : 0;
    const uint64_t each = drops ? 1 + VISITS_PER_DROPPED : 1;
    return left / each + (left % each != 0);
}

void cn_refresh_rebuild_lost(cn_refresh *self)
{
    const uint64_t most = self->map->grid.open_count / OPEN_PER_LOST + CN_REFRESH_VISITS_LEAST;
    for (uint32_t row = 0; row < self->table->row_count; row++) {
        if (self->row_lost[row] > most && !cn_refresh_is_repairing(self, row))
            self->row_work[row] |= CN_WORK_REBUILD;
    }
}

/* The mark of the tile that a cell lies in: of a node, since there are fewer tiles. */
static uint8_t *mark_of_tile(const cn_refresh *self, cairn_node cell)
{
    const uint32_t width = self->map->grid.width;
    uint32_t x, y;
    cn_grid_xy(&self->map->grid, cell, &x, &y);
    return &self->marks[y / CN_TILE_SIDE * width + x / CN_TILE_SIDE];
}

/* In how many tiles there are changed cells. */
static size_t count_changed_tiles(cn_refresh *self, const cairn_node *cells, size_t count)
{
    size_t tiles = 0;

    for (size_t i = 0; i < count; i++) {
        uint8_t *mark = mark_of_tile(self, cells[i]);
        tiles += !*mark;
        *mark = CN_MARK_TILE;
    }
    for (size_t i = 0; i < count; i++)
        *mark_of_tile(self, cells[i]) = 0;
    return tiles;
}

bool cn_refresh_changes_are_everywhere(cn_refresh *self)
{
    const uint64_t tiles = self->map->grid.open_count / CN_TILE_CELLS;
    const uint64_t least = tiles / TILES_PER_CHANGED + CHANGED_LEAST;
    const cairn_node *cells;
    size_t count;

    return !self->map->graph && cn_refresh_changes(self, &cells, &count) == CN_CHANGES_KNOWN &&
           count >= least && count_changed_tiles(self, cells, count) >= least;
}

void cn_refresh_give_up_repairs(cn_refresh *self)
{
    cn_refresh_abort_row(self);
    for (uint32_t row = 0; row < self->table->row_count; row++) {
        if (self->row_work[row] & CN_WORK_PENDING)
            self->row_work[row] |= CN_WORK_REBUILD;
    }
}
