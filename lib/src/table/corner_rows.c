#include "table/corner_rows.h"

#include <string.h>

bool cn_corner_rows_suit(const cairn_map *map)
{
    return cn_map_is_classic(map);
}

/* -------------------------------------------------------------------------------- floods -- */

static void put_row(cairn_table *table, uint32_t row, const cn_plane *plane)
{
    const cn_corners *corners = table->corners;
    uint32_t y = 0;
    cairn_node first = 0;

    for (uint32_t i = 0; i < corners->count; i++) {
        while (corners->nodes[i] - first >= table->width) {
            first += table->width;
            y++;
        }
        cairn_cost cost = cn_plane_at(plane, corners->nodes[i] - first, y);
        size_t index = (size_t)i * table->lane_count + row;
        if (table->entry_bits == 16)
            ((uint16_t *)table->entries)[index] = (uint16_t)cost;
        else
            ((uint32_t *)table->entries)[index] = cost;
    }
}

static cairn_status flood_row(cn_flooder *flooder, const cairn_table *table, uint32_t row,
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
        status = flood_row(flooder, table, row, &plane);
        if (status == CAIRN_OK)
            put_row(table, row, &plane);
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

typedef struct gathering {
    const cairn_table *table;
    void *entries;
} gathering;

/* 16-bit additions saturate at the value of unreachable; an unreachable entry stays so. */
static void gather_16(const uint16_t *from, cairn_cost cost, uint16_t *entries, uint32_t lane_count)
{
    const uint32_t most = cost < UINT16_MAX ? cost : UINT16_MAX;
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint32_t sum = from[lane] + most;
        sum = sum < UINT16_MAX ? sum : UINT16_MAX;
        entries[lane] = (uint16_t)(sum < entries[lane] ? sum : entries[lane]);
    }
}

static void gather_32(const uint32_t *from, cairn_cost cost, uint32_t *entries, uint32_t lane_count)
{
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint32_t sum = from[lane] == CAIRN_UNREACHABLE ? CAIRN_UNREACHABLE : from[lane] + cost;
        entries[lane] = sum < entries[lane] ? sum : entries[lane];
    }
}

static void gather(void *context, const cn_seen_corner *seen, size_t count)
{
    const gathering *self = context;
    const cairn_table *table = self->table;

    for (size_t i = 0; i < count; i++)
        CN_PREFETCH(cn_corner_rows_of(table, seen[i].corner));
    for (size_t i = 0; i < count; i++) {
        const void *from = cn_corner_rows_of(table, seen[i].corner);
        if (table->entry_bits == 16)
            gather_16(from, seen[i].cost, self->entries, table->lane_count);
        else
            gather_32(from, seen[i].cost, self->entries, table->lane_count);
    }
}

void cn_corner_rows_at(const cairn_table *table, const cairn_map *map, cairn_node node,
                       void *entries)
{
    const size_t size = table->entry_bits / 8;
    gathering self = {table, entries};

    memset(entries, 0xff, table->lane_count * size);
    cn_corners_seeing(table->corners, &map->grid, map->metric, node, gather, &self);
    memset((uint8_t *)entries + table->row_count * size, 0,
           (table->lane_count - table->row_count) * size);
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
        status = flood_row(flooder, table, row, &plane);
        if (status == CAIRN_OK)
            status = compare_row(table, row, &plane, fault);
    }
    cn_flooder_free(flooder);
    return status;
}
