#include "corner_refresh/corner_landmarks.h"

#include <string.h>

#include "base/nodes.h"

typedef struct corner_listing {
    const cairn_table *table;
    const cairn_map *map;
    cn_corner_landmarks *lists;
    const cn_components *components;
    uint8_t *is_wanting;  /* by component: some row has no open landmark there */
    cn_runs runs;         /* of those components */
    cairn_node *chosen;   /* [row][component]; CAIRN_NO_NODE: none */
    cairn_cost *distance; /* of the present row, by component: how far its new landmark is from
                           * those of earlier rows */
    cairn_cost *nearest;  /* [run][first, last cell]: the distance to the landmarks of known rows */
    uint32_t *known_rows; /* by component: `nearest` counts so many of the first rows */
} corner_listing;

static cairn_node *chosen_in(const corner_listing *self, uint32_t row)
{
    return self->chosen + (size_t)row * self->components->limit;
}

/* Rows of the table, one after another. */
typedef struct row_range {
    uint32_t first;
    uint32_t end;
} row_range;

/* The base heuristic to the nearest landmark of some rows. */
static cairn_cost distance_to_landmarks(const corner_listing *self, row_range rows,
                                        uint32_t component, cairn_node node)
{
    cairn_cost least = CAIRN_UNREACHABLE;
    uint32_t x, y, to_x, to_y;

    cn_grid_xy(&self->map->grid, node, &x, &y);
    for (uint32_t row = rows.first; row < rows.end; row++) {
        const cairn_node landmark = chosen_in(self, row)[component];
        if (landmark == CAIRN_NO_NODE)
            continue;
        cn_grid_xy(&self->map->grid, landmark, &to_x, &to_y);
        const cairn_cost distance = cn_octile_capped(self->map->metric, x, y, to_x, to_y);
        least = distance < least ? distance : least;
    }
    return least;
}

/* Where parts were joined, the landmark that is farthest from those of earlier rows is kept, of
 * equals the first. Many of the others may lie in a part as small as a room. */
static void keep_landmark(const corner_listing *self, uint32_t row, cairn_node node)
{
    const uint32_t component = cn_component_of(self->components, node);
    const row_range earlier = {0, row};
    cairn_node *kept = &chosen_in(self, row)[component];

    if (*kept == CAIRN_NO_NODE || distance_to_landmarks(self, earlier, component, node) >
                                      distance_to_landmarks(self, earlier, component, *kept))
        *kept = node;
}

/* The landmarks that a row has and keeps, one in each component. */
static void keep_landmarks(corner_listing *self, uint32_t row)
{
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(self->table, row, &landmarks);
    cairn_node *chosen = chosen_in(self, row);

    memset(chosen, 0xff, self->components->limit * sizeof *chosen);
    for (size_t i = 0; i < count; i++) {
        if (cairn_map_is_open(self->map, landmarks[i]))
            keep_landmark(self, row, landmarks[i]);
    }
}

/* The least cost between an end of a run and the landmarks of earlier rows, as far as these are
 * known. */
static cairn_cost distance_of_end(const corner_listing *self, uint32_t row, uint32_t run,
                                  bool is_last)
{
    const cn_run *at = &self->runs.items[run];
    cairn_cost *nearest = &self->nearest[2 * (size_t)run + is_last];
    const row_range rows = {self->known_rows[at->component], row};
    const cairn_cost distance = distance_to_landmarks(self, rows, at->component,
                                                      is_last ? at->end - 1 : at->first);
    return *nearest = distance < *nearest ? distance : *nearest;
}

/* Takes an end as the landmark of a row if it is farther than the one that was found so far. */
static void consider_end(corner_listing *self, uint32_t row, uint32_t run, bool is_last)
{
    const cn_run *at = &self->runs.items[run];
    const cairn_cost distance = distance_of_end(self, row, run, is_last);
    if (distance <= self->distance[at->component])
        return;
    self->distance[at->component] = distance;
    chosen_in(self, row)[at->component] = is_last ? at->end - 1 : at->first;
}

/* Where no earlier row has a landmark, the first end is taken, and the others are passed over. */
static void find_landmarks(corner_listing *self, uint32_t row)
{
    const cairn_node *chosen = chosen_in(self, row);
    const uint32_t components = self->components->limit;
    uint32_t wanting = 0;

    for (uint32_t i = 0; i < components; i++) {
        const bool is_wanting = chosen[i] == CAIRN_NO_NODE && self->is_wanting[i];
        self->distance[i] = is_wanting ? 0 : CAIRN_UNREACHABLE;
        wanting += is_wanting;
    }
    for (uint32_t i = 0; wanting && i < self->runs.count; i++) {
        if (self->distance[self->runs.items[i].component] == CAIRN_UNREACHABLE)
            continue;
        consider_end(self, row, i, false);
        consider_end(self, row, i, true);
    }
    for (uint32_t i = 0; i < components; i++) {
        if (self->distance[i] != CAIRN_UNREACHABLE)
            self->known_rows[i] = row;
    }
}

static void list_row(corner_listing *self, uint32_t row)
{
    const cairn_node *chosen = chosen_in(self, row);
    cairn_node *listed = self->lists->nodes + self->lists->start[row];
    size_t count = 0;

    keep_landmarks(self, row);
    find_landmarks(self, row);
    for (uint32_t i = 0; i < self->components->limit; i++) {
        listed[count] = chosen[i];
        count += chosen[i] != CAIRN_NO_NODE;
    }
    cn_sort_nodes(listed, count);
    self->lists->start[row + 1] = self->lists->start[row] + count;
}

/* Finds the components in which some row has no open landmark. */
static cairn_status find_wanting(corner_listing *self)
{
    const cn_components *components = self->components;
    const cairn_table *table = self->table;
    const cn_mem *mem = &table->mem;
    uint32_t *served = cn_zeroed(mem, components->limit, sizeof *served);
    const cairn_node *landmarks;

    self->is_wanting = cn_zeroed(mem, components->limit, sizeof *self->is_wanting);
    if (!served || !self->is_wanting) {
        cn_release(mem, served);
        return CAIRN_E_MEMORY;
    }
    for (uint32_t row = 0; row < table->row_count; row++) {
        const size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++) {
            const uint32_t component = cn_component_of(components, landmarks[i]);
            if (component != CN_NO_COMPONENT && served[component] == row)
                served[component] = row + 1;
        }
    }
    for (uint32_t i = 0; i < components->limit; i++)
        self->is_wanting[i] = components->items[i].size && served[i] < table->row_count;
    cn_release(mem, served);
    return CAIRN_OK;
}

static bool tile_is_wanting(const corner_listing *self, uint32_t tile)
{
    const cn_regions *regions = &self->components->regions;
    uint32_t left = regions->tiles[tile].count;

    while (left && !self->is_wanting[*cn_region_value(regions, cn_region_of(tile, left - 1))])
        left--;
    return left > 0;
}

/* Tiles of a row of tiles: all that have cells of wanting components lie there. */
typedef struct tile_span {
    uint32_t first;
    uint32_t end;
} tile_span;

static tile_span wanting_tiles(const corner_listing *self, uint32_t first)
{
    tile_span span = {first, first + self->components->regions.tiles_across};
    while (span.first < span.end && !tile_is_wanting(self, span.first))
        span.first++;
    while (span.first < span.end && !tile_is_wanting(self, span.end - 1))
        span.end--;
    return (tile_span){span.first - first, span.end - first};
}

/* Leaves of the runs from a place on those of wanting components. */
static void keep_wanting(corner_listing *self, uint32_t from)
{
    cn_runs *runs = &self->runs;
    uint32_t kept = from;
    for (uint32_t i = from; i < runs->count; i++) {
        const uint32_t component = cn_component_of(self->components, runs->items[i].first);
        runs->items[kept] = (cn_run){runs->items[i].first, runs->items[i].end, component};
        kept += self->is_wanting[component];
    }
    runs->count = kept;
}

static cairn_status list_runs(corner_listing *self)
{
    const cn_grid *grid = &self->map->grid;
    size_t capacity = 0;
    tile_span span = {0, 0};

    for (uint32_t y = 0; y < grid->height; y++) {
        const uint32_t from = self->runs.count;
        if (y % CN_TILE_SIDE == 0)
            span = wanting_tiles(self, cn_regions_tile_at(&self->components->regions, 0, y));
        const uint32_t x = span.first * CN_TILE_SIDE, end = span.end * CN_TILE_SIDE;
        if (x < end && !cn_runs_add(&self->runs, &self->table->mem, &capacity, grid, y, x,
                                    end < grid->width ? end : grid->width))
            return CAIRN_E_MEMORY;
        keep_wanting(self, from);
    }
    return CAIRN_OK;
}

/* Of a component with very many runs some serve as well: every second, third, and so on, from its
 * first one. */
static cairn_status thin_runs(corner_listing *self)
{
    enum { RUNS_ENOUGH = 4096 };
    const cn_mem *mem = &self->table->mem;
    cn_runs *runs = &self->runs;
    uint32_t *counts = cn_zeroed(mem, self->components->limit, sizeof *counts);
    uint32_t *passed = cn_zeroed(mem, self->components->limit, sizeof *passed);
    uint32_t kept = 0;

    for (uint32_t i = 0; counts && passed && i < runs->count; i++)
        counts[runs->items[i].component]++;
    for (uint32_t i = 0; counts && passed && i < runs->count; i++) {
        const uint32_t component = runs->items[i].component;
        const uint32_t apart = 1 + counts[component] / RUNS_ENOUGH;
        runs->items[kept] = runs->items[i];
        kept += passed[component]++ % apart == 0;
    }
    runs->count = kept;
    const bool has_room = counts && passed;
    cn_release(mem, counts);
    cn_release(mem, passed);
    return has_room ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status reserve_rows(corner_listing *self)
{
    const cn_mem *mem = &self->table->mem;
    const uint32_t rows = self->table->row_count, components = self->components->limit;
    const size_t ends = 2 * (size_t)self->runs.count;

    self->chosen = cn_array(mem, components, rows * sizeof *self->chosen);
    self->distance = cn_array(mem, components, sizeof *self->distance);
    self->known_rows = cn_zeroed(mem, components, sizeof *self->known_rows);
    self->nearest = cn_array(mem, ends, sizeof *self->nearest);
    self->lists->start = cn_zeroed(mem, rows + 1u, sizeof *self->lists->start);
    self->lists->nodes = cn_array(mem, (size_t)components * rows + 1, sizeof *self->lists->nodes);
    if (!self->chosen || !self->distance || !self->known_rows || !self->nearest ||
        !self->lists->start || !self->lists->nodes)
        return CAIRN_E_MEMORY;
    memset(self->nearest, 0xff, ends * sizeof *self->nearest);
    return CAIRN_OK;
}

static cairn_status list_rows(corner_listing *self)
{
    cairn_status status = find_wanting(self);
    if (status == CAIRN_OK)
        status = list_runs(self);
    if (status == CAIRN_OK)
        status = thin_runs(self);
    if (status == CAIRN_OK)
        status = reserve_rows(self);
    for (uint32_t row = 0; status == CAIRN_OK && row < self->table->row_count; row++)
        list_row(self, row);
    return status;
}

static void close_listing(corner_listing *self)
{
    const cn_mem *mem = &self->table->mem;
    cn_runs_free(&self->runs, mem);
    cn_release(mem, self->is_wanting);
    cn_release(mem, self->chosen);
    cn_release(mem, self->distance);
    cn_release(mem, self->nearest);
    cn_release(mem, self->known_rows);
}

/* What is known of a component while rows are examined. */
typedef struct served_component {
    uint32_t landmarks; /* in earlier rows, mostly each another cell */
    uint32_t row;       /* the last one that has a landmark here, plus 1 */
} served_component;

static bool landmarks_serve(const cairn_table *table, const cn_components *components, uint32_t row,
                            served_component *served)
{
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(table, row, &landmarks);

    for (size_t i = 0; i < count; i++) {
        const uint32_t component = cn_component_of(components, landmarks[i]);
        if (component == CN_NO_COMPONENT || served[component].row == row + 1)
            return false;
        served[component] = (served_component){served[component].landmarks + 1, row + 1};
    }
    return true;
}

/* Whether a row has one landmark in each component, all of them open, but for components whose
 * cells are all landmarks of earlier rows. */
static bool row_is_served(const cairn_table *table, const cn_components *components, uint32_t row,
                          served_component *served)
{
    if (!landmarks_serve(table, components, row, served))
        return false;
    for (uint32_t i = 0; i < components->limit; i++) {
        if (served[i].row != row + 1 && served[i].landmarks < components->items[i].size)
            return false;
    }
    return true;
}

/* Most edits leave all landmarks as they are, which the map's components tell. */
static bool all_are_served(const cairn_table *table, const cn_components *components)
{
    uint32_t row = 0;

    served_component *served = cn_zeroed(&table->mem, components->limit, sizeof *served);
    while (served && row < table->row_count && row_is_served(table, components, row, served))
        row++;
    cn_release(&table->mem, served);
    return served && row == table->row_count;
}

static cairn_status copy_lists(const cairn_table *table, cn_corner_landmarks *lists)
{
    const size_t starts = table->row_count + 1u, count = table->landmark_start[table->row_count];

    lists->start = cn_array(&table->mem, starts, sizeof *lists->start);
    lists->nodes = cn_array(&table->mem, count, sizeof *lists->nodes);
    if (!lists->start || !lists->nodes)
        return CAIRN_E_MEMORY;
    memcpy(lists->start, table->landmark_start, starts * sizeof *lists->start);
    if (count)
        memcpy(lists->nodes, table->landmarks, count * sizeof *lists->nodes);
    return CAIRN_OK;
}

cairn_status cn_corner_landmarks_list(const cairn_table *table, const cairn_map *map,
                                      cn_corner_landmarks *lists)
{
    corner_listing self = {.table = table, .map = map, .lists = lists};

    *lists = (cn_corner_landmarks){NULL, NULL};
    cairn_status status = cn_map_connect(map, &self.components);
    if (status != CAIRN_OK)
        return status;
    if (all_are_served(table, self.components)) {
        status = copy_lists(table, lists);
    } else {
        status = list_rows(&self);
        close_listing(&self);
    }
    if (status != CAIRN_OK)
        cn_corner_landmarks_free(lists, &table->mem);
    return status;
}

void cn_corner_landmarks_free(cn_corner_landmarks *lists, const cn_mem *mem)
{
    cn_release(mem, lists->start);
    cn_release(mem, lists->nodes);
    *lists = (cn_corner_landmarks){NULL, NULL};
}

/* How many of the first nodes are not among the others. Both ascend. */
static uint64_t count_missing(const cairn_node *nodes, size_t count, const cairn_node *others,
                              size_t other_count)
{
    uint64_t missing = 0;
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        while (k < other_count && others[k] < nodes[i])
            k++;
        missing += k == other_count || others[k] != nodes[i];
    }
    return missing;
}

cn_landmark_changes cn_corner_landmarks_compare(const cairn_table *table,
                                                const cn_corner_landmarks *lists)
{
    cn_landmark_changes changes = {0, 0};

    for (uint32_t row = 0; row < table->row_count; row++) {
        const cairn_node *old, *new = lists->nodes + lists->start[row];
        const size_t old_count = cairn_table_landmarks(table, row, &old);
        const size_t new_count = lists->start[row + 1] - lists->start[row];
        changes.added += count_missing(new, new_count, old, old_count);
        changes.dropped += count_missing(old, old_count, new, new_count);
    }
    return changes;
}
