#include "table/corner_rows.h"

#include <string.h>

bool cn_corner_rows_suit(const cairn_map *map)
{
    return cn_map_is_classic(map);
}

/* -------------------------------------------------------------------------------- floods -- */

static void put_entry(cairn_table *table, uint32_t row, uint32_t corner, cairn_cost cost)
{
    const size_t index = (size_t)corner * table->lane_count + row;
    if (table->entry_bits == 16)
        ((uint16_t *)table->entries)[index] = (uint16_t)cost;
    else
        ((uint32_t *)table->entries)[index] = cost;
}

void cn_corner_rows_put(cairn_table *table, uint32_t row, const cn_plane *plane)
{
    const cn_corners *corners = table->corners;
    uint32_t y = 0;
    cairn_node first = 0;

    for (uint32_t i = 0; i < corners->count; i++) {
        while (corners->nodes[i] - first >= table->width) {
            first += table->width;
            y++;
        }
        put_entry(table, row, i, cn_plane_at(plane, corners->nodes[i] - first, y));
    }
}

void cn_corner_rows_put_costs(cairn_table *table, uint32_t row, const cairn_cost *costs)
{
    for (uint32_t i = 0; i < table->corners->count; i++)
        put_entry(table, row, i, costs[i]);
}

cairn_status cn_corner_rows_flood(const cairn_table *table, cn_flooder *flooder, uint32_t row,
                                  cn_plane *plane)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    return cn_flooder_run(flooder, landmarks, count, plane);
}

static cairn_status fill(cairn_table *table, const cairn_map *map, cn_watch *watch)
{
    cn_flooder *flooder;
    cn_plane plane;
    cairn_status status = cn_flooder_new(map, table->entry_bits, &flooder);

    for (uint32_t row = 0; row < table->row_count && status == CAIRN_OK; row++) {
        status = cn_corner_rows_flood(table, flooder, row, &plane);
        if (status == CAIRN_OK)
            cn_corner_rows_put(table, row, &plane);
        if (status == CAIRN_OK && !cn_watch_advance(watch, 0, table->node_count))
            status = CAIRN_E_CANCELLED;
    }
    cn_flooder_free(flooder);
    return status;
}

static cairn_status open_table(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                               cn_landmark_lists landmarks, cairn_table **table)
{
    cn_corners *corners;
    cairn_status status = cn_corners_new(&map->grid, mem, landmarks.nodes,
                                         landmarks.start[shape.row_count], &corners);
    if (status == CAIRN_OK)
        status = cn_table_new_at(map, mem, shape.row_count, shape.entry_bits, corners, table);
    return status == CAIRN_OK ? cn_table_set_landmarks(*table, landmarks.start, landmarks.nodes)
                              : status;
}

cairn_status cn_corner_rows_open(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                 cairn_table **table)
{
    cn_corners *corners;
    cairn_status status = cn_corners_new(&map->grid, mem, NULL, 0, &corners);
    *table = NULL;
    return status == CAIRN_OK
               ? cn_table_new_at(map, mem, shape.row_count, shape.entry_bits, corners, table)
               : status;
}

cairn_status cn_corner_rows_new(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                cn_landmark_lists landmarks, cn_watch *watch, cairn_table **table)
{
    *table = NULL;
    if (!cn_corner_rows_suit(map))
        return CAIRN_E_RESIDENT;
    cairn_status status = open_table(map, mem, shape, landmarks, table);
    if (status == CAIRN_OK)
        status = fill(*table, map, watch);
    if (status != CAIRN_OK) {
        cairn_table_free(*table);
        *table = NULL;
    }
    return status;
}

/* --------------------------------------------------------------------- entries of any cell -- */

/* Puts the entries of a cell together from those of members that see it. */
typedef struct gathering {
    const uint8_t *from; /* by member */
    void *entries;
    uint32_t lane_count;
    uint32_t bits;
} gathering;

/* An unreachable entry stays so, and no other one becomes so: of rows that are too low, sums may
 * exceed what entries hold, and less says no more than they do. */
static void gather_16(const uint16_t *from, cairn_cost cost, uint16_t *entries, uint32_t lane_count)
{
    const uint32_t most = cost < UINT16_MAX ? cost : UINT16_MAX;
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint32_t sum = from[lane] + most;
        sum = sum < UINT16_MAX - 1 ? sum : UINT16_MAX - 1;
        sum = from[lane] == UINT16_MAX ? UINT16_MAX : sum;
        entries[lane] = (uint16_t)(sum < entries[lane] ? sum : entries[lane]);
    }
}

static void gather_32(const uint32_t *from, cairn_cost cost, uint32_t *entries, uint32_t lane_count)
{
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint32_t sum = from[lane] + cost;
        sum = sum < CAIRN_COST_MAX ? sum : CAIRN_COST_MAX;
        sum = from[lane] == CAIRN_UNREACHABLE ? CAIRN_UNREACHABLE : sum;
        entries[lane] = sum < entries[lane] ? sum : entries[lane];
    }
}

static void gather(void *context, const cn_seen_corner *seen, size_t count)
{
    const gathering *self = context;
    const size_t size = self->lane_count * (self->bits / 8);

    for (size_t i = 0; i < count; i++)
        CN_PREFETCH(self->from + seen[i].corner * size);
    for (size_t i = 0; i < count; i++) {
        const void *from = self->from + seen[i].corner * size;
        if (self->bits == 16)
            gather_16(from, seen[i].cost, self->entries, self->lane_count);
        else
            gather_32(from, seen[i].cost, self->entries, self->lane_count);
    }
}

void cn_corner_rows_at(const cairn_table *table, const cairn_map *map, cairn_node node,
                       void *entries)
{
    const size_t size = table->entry_bits / 8;
    gathering self = {table->entries, entries, table->lane_count, table->entry_bits};

    memset(entries, 0xff, table->lane_count * size);
    cn_corners_seeing(table->corners, &map->grid, map->metric, node, gather, &self);
    memset((uint8_t *)entries + table->row_count * size, 0,
           (table->lane_count - table->row_count) * size);
}

/* ----------------------------------------------------------------------------- another set -- */

/* New members are examined one after the other, those that lead on to one another several times:
 * after an edit at most so many, in a build one for so many entries that floods would compute. */
enum { NEW_VISITS_MAX = 8192, ENTRIES_PER_VISIT = 256 };

typedef struct changing {
    const cairn_table *table;
    const cairn_map *map;
    cn_corner_draft *draft;
    uint32_t *added; /* members that the table's set lacks */
    size_t added_count;
    size_t size; /* of the entries of a member */
} changing;

static uint8_t *draft_entries(const changing *self, uint32_t corner)
{
    return (uint8_t *)self->draft->entries + corner * self->size;
}

/* Copies the entries of members of both sets; lists the others. */
static void take_over_entries(changing *self)
{
    const cn_corners *old = self->table->corners, *corners = self->draft->corners;
    uint32_t x, y;

    for (uint32_t i = 0; i < corners->count; i++) {
        cn_grid_xy(&self->map->grid, corners->nodes[i], &x, &y);
        const uint32_t known = cn_corners_find(old, x, y);
        if (known != CN_NO_CORNER) {
            memcpy(draft_entries(self, i), cn_corner_rows_of(self->table, known), self->size);
        } else {
            const size_t used = self->table->row_count * (self->table->entry_bits / 8);
            memset(draft_entries(self, i), 0xff, used);
            self->added[self->added_count++] = i;
        }
    }
}

/* Lowers the entries of a member to what others give it; whether they fell. */
static bool settle_added(const changing *self, uint32_t corner)
{
    const cairn_table *table = self->table;
    uint32_t before[CAIRN_ROWS_MAX + 16];
    uint8_t *own = draft_entries(self, corner);
    gathering entries = {self->draft->entries, own, table->lane_count, table->entry_bits};

    memcpy(before, own, self->size);
    cn_corners_around(self->draft->corners, &self->map->grid, self->map->metric,
                      self->draft->corners->nodes[corner], gather, &entries);
    return memcmp(before, own, self->size) != 0;
}

/* Until nothing falls any more: shortest paths lead from member to member. False where that takes
 * too long. */
static bool settle_all_added(const changing *self, size_t most)
{
    bool changed = self->added_count > 0;

    for (size_t visits = 0; changed; visits += self->added_count) {
        if (visits + self->added_count > most)
            return false;
        changed = false;
        for (size_t i = 0; i < self->added_count; i++)
            changed |= settle_added(self, self->added[i]);
    }
    return true;
}

/* The entry of a landmark in its own row. */
static void put_landmarks(const changing *self, cn_landmark_lists landmarks)
{
    const size_t size = self->table->entry_bits / 8;
    uint32_t x, y;

    for (uint32_t row = 0; row < self->table->row_count; row++) {
        for (size_t i = landmarks.start[row]; i < landmarks.start[row + 1]; i++) {
            cn_grid_xy(&self->map->grid, landmarks.nodes[i], &x, &y);
            const uint32_t corner = cn_corners_rank(self->draft->corners, x, y);
            memset(draft_entries(self, corner) + row * size, 0, size);
        }
    }
}

/* `are_new`: the table lacks the landmarks. */
static cairn_status make_draft(const cairn_table *table, const cairn_map *map,
                               cn_landmark_lists landmarks, size_t most_visits, bool are_new,
                               cn_corner_draft *draft, bool *is_complete)
{
    const cn_mem *mem = &table->mem;
    changing self = {.table = table, .map = map, .draft = draft};

    *draft = (cn_corner_draft){NULL, NULL};
    self.size = table->lane_count * (table->entry_bits / 8);
    cairn_status status = cn_corners_new(&map->grid, mem, landmarks.nodes,
                                         landmarks.start[table->row_count], &draft->corners);
    if (status != CAIRN_OK)
        return status;
    draft->entries = cn_table_entries_for(table, draft->corners->count);
    self.added = cn_array(mem, draft->corners->count, sizeof *self.added);
    if (!draft->entries || !self.added) {
        cn_release(mem, self.added);
        cn_corner_draft_free(draft, mem);
        return CAIRN_E_MEMORY;
    }
    take_over_entries(&self);
    if (are_new)
        put_landmarks(&self, landmarks);
    *is_complete = settle_all_added(&self, most_visits);
    cn_release(mem, self.added);
    return CAIRN_OK;
}

cairn_status cn_corner_draft_make(const cairn_table *table, const cairn_map *map,
                                  cn_landmark_lists landmarks, bool is_lower,
                                  cn_corner_draft *draft, bool *is_complete)
{
    cairn_status status = make_draft(table, map, landmarks, is_lower ? NEW_VISITS_MAX : 0, false,
                                     draft, is_complete);
    *is_complete = status == CAIRN_OK && *is_complete && is_lower;
    return status;
}

void cn_corner_draft_free(cn_corner_draft *draft, const cn_mem *mem)
{
    cn_corners_free(draft->corners, mem);
    cn_release(mem, draft->entries);
    *draft = (cn_corner_draft){NULL, NULL};
}

void cn_corner_draft_adopt(cn_corner_draft *draft, cairn_table *table)
{
    cn_corners_free(table->corners, &table->mem);
    table->corners = draft->corners;
    cn_table_set_entries(table, draft->entries);
    *draft = (cn_corner_draft){NULL, NULL};
}

cairn_status cn_corner_rows_close(cairn_table *table, const cairn_map *map,
                                  cn_landmark_lists landmarks, bool *is_complete)
{
    const uint64_t entries = (uint64_t)table->node_count * table->row_count;
    cn_corner_draft draft;

    cairn_status status = make_draft(table, map, landmarks, (size_t)(entries / ENTRIES_PER_VISIT),
                                     true, &draft, is_complete);
    if (status != CAIRN_OK)
        return status;
    cn_corner_draft_adopt(&draft, table);
    return cn_table_set_landmarks(table, landmarks.start, landmarks.nodes);
}

/* ----------------------------------------------------------------------------------- proven -- */

static cairn_status compare_row(const cairn_table *table, uint32_t row, const cn_plane *plane,
                                cairn_fault *fault)
{
    const cn_corners *corners = table->corners;

    for (uint32_t i = 0; i < corners->count; i++) {
        cairn_node node = corners->nodes[i];
        cairn_cost right = cn_plane_at(plane, node % table->width, node / table->width);
        cairn_cost stored = cairn_table_cost(table, row, node);
        if (stored == right)
            continue;
        if (fault)
            *fault = (cairn_fault){row, node, stored, right};
        return CAIRN_E_INEXACT;
    }
    return CAIRN_OK;
}

cairn_status cn_corner_rows_verify(const cairn_table *table, const cairn_map *map,
                                   cairn_fault *fault)
{
    cn_flooder *flooder;
    cn_plane plane;
    cairn_status status = cn_flooder_new(map, 32, &flooder);

    for (uint32_t row = 0; row < table->row_count && status == CAIRN_OK; row++) {
        status = cn_corner_rows_flood(table, flooder, row, &plane);
        if (status == CAIRN_OK)
            status = compare_row(table, row, &plane, fault);
    }
    cn_flooder_free(flooder);
    return status;
}
