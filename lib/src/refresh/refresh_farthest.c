#include "refresh/refresh_farthest.h"

#include <string.h>

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

cairn_cost cn_farthest_consider(const cn_refresh *self, uint32_t row, cairn_node node,
                                cn_choice *best)
{
    return consider(self, row, node, best);
}

bool cn_farthest_is_reached(const cn_refresh *self, uint32_t row, cairn_node node)
{
    uint32_t before = 0;
    if (!self->table->is_directed)
        return true;
    while (before < row && cn_refresh_entry(self, before, node) != CAIRN_UNREACHABLE)
        before++;
    return before == row;
}

bool cn_farthest_ends_run(const cn_refresh *self, cairn_node node)
{
    const cn_grid *grid = &self->map->grid;
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    return x == 0 || x + 1 == grid->width || !cn_grid_is_open(grid, node - 1) ||
           !cn_grid_is_open(grid, node + 1);
}

/* ------------------------------------------------------------------------------- the search -- */

cairn_status cn_farthest_go_on(cn_refresh *self, cn_farthest_user user, uint32_t row)
{
    cn_farthest *farthest = &self->farthest;
    const cairn_status status = cn_map_connect(self->map, &self->components);
    if (status != CAIRN_OK)
        return status;
    if (farthest->user == user && farthest->row == row &&
        farthest->history == self->components->history)
        return CAIRN_OK;
    cn_farthest_lose(self);
    farthest->user = user;
    farthest->row = row;
    farthest->history = self->components->history;
    return CAIRN_OK;
}

cairn_status cn_farthest_choose(cn_refresh *self)
{
    cn_farthest *farthest = &self->farthest;
    const uint32_t limit = self->components->limit;
    if (farthest->choices)
        return CAIRN_OK;
    farthest->choices = cn_array(&self->mem, limit + (size_t)1, sizeof *farthest->choices);
    if (!farthest->choices)
        return CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < limit; i++)
        farthest->choices[i] = (cn_component_choice){.landmark = CAIRN_NO_NODE,
                                                     .best = {.node = CAIRN_NO_NODE}};
    return CAIRN_OK;
}

void cn_farthest_want(cn_refresh *self, uint32_t component)
{
    cn_component_choice *choice = &self->farthest.choices[component];
    self->farthest.sought += !choice->is_sought;
    choice->is_sought = true;
}

bool cn_farthest_has_visits(const cn_refresh *self)
{
    return self->visits_left > 0 || self->work_lost >= CN_LOST_MOST;
}

void cn_farthest_lose(cn_refresh *self)
{
    self->work_lost += self->farthest.user != CN_FARTHEST_NOBODY;
    cn_farthest_end(self);
}

void cn_farthest_end(cn_refresh *self)
{
    cn_release(&self->mem, self->farthest.choices);
    cn_release(&self->mem, self->farthest.chosen.items);
    self->farthest = (cn_farthest){.choices = NULL};
}

/* -------------------------------------------------------------------------------- the tiles -- */

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

static bool seeks_at_ends(const cn_refresh *self)
{
    return self->farthest.stage <= CN_FARTHEST_AT_ENDS;
}

static void consider_in(const cn_refresh *self, cn_component_choice *choice, cairn_node node)
{
    const cn_farthest *farthest = &self->farthest;
    if (farthest->user != CN_FARTHEST_MOVES || cn_farthest_is_reached(self, farthest->row, node))
        consider(self, farthest->row, node, &choice->best);
}

/* Fetches the entries of the candidates in a row of a tile. */
static void fetch_row(const cn_refresh *self, uint32_t x, uint32_t y)
{
    const cn_grid *grid = &self->map->grid;
    const cairn_table *table = self->table;
    unsigned left = y < grid->height ? cn_farthest_candidates(grid, x, y, seeks_at_ends(self)) : 0;
    for (; left; left &= left - 1) {
        const cairn_node node = y * grid->width + x + cn_lowest_bit(left);
        CN_PREFETCH(cn_table_entries_at(table, node, 0));
    }
}

/* Considers all cells of a tile. Returns how many. */
static uint32_t consider_cells(const cn_refresh *self, const tile_view *tile)
{
    enum { AHEAD = 4 }; /* rows */
    const cn_grid *grid = &self->map->grid;
    const uint32_t below = grid->height - tile->y;
    const uint32_t height = below < CN_TILE_SIDE ? below : CN_TILE_SIDE;
    uint32_t considered = 0;

    for (uint32_t i = 0; i < height; i++) {
        const uint32_t y = tile->y + i;
        fetch_row(self, tile->x, y + AHEAD);
        unsigned left = cn_farthest_candidates(grid, tile->x, y, seeks_at_ends(self));
        considered += cn_count_bits(left);
        for (; left; left &= left - 1) {
            const uint32_t x = cn_lowest_bit(left);
            const unsigned label = tile->labels ? tile->labels[i * CN_TILE_SIDE + x] : 0;
            cn_component_choice *here = &self->farthest.choices[tile->values[label]];
            if (here->is_sought)
                consider_in(self, here, y * grid->width + tile->x + x);
        }
    }
    return considered;
}

/* Considers the cells of one region. Returns how many. */
static uint32_t consider_region(const cn_refresh *self, const tile_view *tile, unsigned label)
{
    const uint8_t *at = tile->labels, *end = at + CN_TILE_CELLS;
    cn_component_choice *here = &self->farthest.choices[tile->values[label]];
    uint32_t considered = 0;

    while ((at = memchr(at, (int)label, (size_t)(end - at))) != NULL) {
        const uint32_t cell = (uint32_t)(at++ - tile->labels);
        const uint32_t x = tile->x + cell % CN_TILE_SIDE, y = tile->y + cell / CN_TILE_SIDE;
        const cairn_node node = y * self->map->grid.width + x;
        if (cn_farthest_ends_run(self, node) != seeks_at_ends(self))
            continue;
        consider_in(self, here, node);
        considered++;
    }
    return considered;
}

/* Considers cells of a tile for the components in which one is sought. There may be thousands of
 * small ones in which none is found, since their few cells are landmarks of earlier rows. Returns
 * how many cells. */
static uint32_t consider_tile(const cn_refresh *self, uint32_t tile)
{
    enum { FEW = 8 }; /* regions, whose cells are sought one by one */
    const cn_regions *regions = &self->components->regions;
    const unsigned count = regions->tiles[tile].count;
    unsigned labels[FEW], sought = 0;
    uint32_t considered = 0;

    if (count == 0)
        return 0;
    const tile_view view = view_of(regions, tile);
    for (unsigned label = 0; label < count; label++) {
        if (!self->farthest.choices[view.values[label]].is_sought)
            continue;
        if (sought < FEW)
            labels[sought] = label;
        sought++;
    }
    if (sought > FEW || (sought && !view.labels))
        return consider_cells(self, &view);
    for (unsigned i = 0; i < sought; i++)
        considered += consider_region(self, &view, labels[i]);
    return considered;
}

/* Considers cells of the tiles that are left of a stage. Returns whether none is. */
static bool consider_tiles(cn_refresh *self)
{
    cn_farthest *farthest = &self->farthest;
    const uint32_t tiles = self->components->regions.tile_count;
    while (farthest->next < tiles && cn_farthest_has_visits(self))
        cn_refresh_spend(self, consider_tile(self, (uint32_t)farthest->next++));
    return farthest->next == tiles;
}

/* Where a cell was found, none is sought any more. */
static void keep_found(cn_refresh *self)
{
    cn_farthest *farthest = &self->farthest;
    for (uint32_t i = 0; i < self->components->limit; i++) {
        cn_component_choice *choice = &farthest->choices[i];
        const bool is_found = choice->is_sought && choice->best.node != CAIRN_NO_NODE;
        farthest->sought -= is_found;
        choice->is_sought = choice->is_sought && !is_found;
    }
}

bool cn_farthest_seek(cn_refresh *self)
{
    cn_farthest *farthest = &self->farthest;
    const cn_farthest_stage last = farthest->user == CN_FARTHEST_MOVES ? CN_FARTHEST_AT_ENDS
                                                                       : CN_FARTHEST_BETWEEN;
    if (farthest->stage == CN_FARTHEST_LISTS) {
        farthest->stage = CN_FARTHEST_AT_ENDS;
        farthest->next = 0;
    }
    while (farthest->sought && farthest->stage <= last) {
        if (!consider_tiles(self))
            return false;
        keep_found(self);
        farthest->stage++;
        farthest->next = 0;
    }
    return true;
}
