#include "table.h"

#include <string.h>

/* Entries are read in whole vectors of 16 bytes, or of 32 where one would not hold a node. */
static uint32_t lanes_for(uint32_t row_count, uint32_t entry_bits)
{
    uint32_t per_vector = 128 / entry_bits;
    if (row_count > per_vector)
        per_vector *= 2;
    return (row_count + per_vector - 1) / per_vector * per_vector;
}

cairn_status cn_table_new(const cairn_map *map, const cn_mem *mem, uint32_t row_count,
                          uint32_t entry_bits, cairn_table **table)
{
    CN_ASSERT(row_count > 0 && row_count <= CAIRN_ROWS_MAX);
    CN_ASSERT(entry_bits == 16 || entry_bits == 32);

    *table = NULL;
    cairn_table *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->mem = *mem;
    made->metric = map->metric;
    made->map_hash = map->hash;
    made->width = map->grid.width;
    made->height = map->grid.height;
    made->node_count = cn_map_node_count(map);
    made->row_count = row_count;
    made->is_directed = cn_map_is_directed(map);
    made->lane_count = lanes_for(row_count, entry_bits);
    made->entry_bits = entry_bits;
    made->entries = cn_zeroed(mem, (size_t)made->node_count * made->lane_count, entry_bits / 8);
    made->landmark_start = cn_zeroed(mem, row_count + 1u, sizeof *made->landmark_start);
    if (!made->entries || !made->landmark_start) {
        cairn_table_free(made);
        return CAIRN_E_MEMORY;
    }
    *table = made;
    return CAIRN_OK;
}

void cairn_table_free(cairn_table *table)
{
    if (!table)
        return;
    cn_mem mem = table->mem;
    cn_release(&mem, table->entries);
    cn_release(&mem, table->landmark_start);
    cn_release(&mem, table->landmarks);
    cn_release(&mem, table);
}

cairn_status cn_table_set_landmarks(cairn_table *table, const size_t *start,
                                    const cairn_node *landmarks)
{
    size_t count = start[table->row_count];
    cairn_node *copy = cn_array(&table->mem, count, sizeof *copy);
    if (!copy)
        return CAIRN_E_MEMORY;
    if (count)
        memcpy(copy, landmarks, count * sizeof *copy);
    memcpy(table->landmark_start, start, (table->row_count + 1u) * sizeof *start);
    cn_release(&table->mem, table->landmarks);
    table->landmarks = copy;
    return CAIRN_OK;
}

void cn_table_put_row(cairn_table *table, const cairn_map *map, uint32_t row,
                      const cn_plane *plane)
{
    CN_ASSERT(plane->bits == table->entry_bits);
    cairn_node node = 0;
    for (uint32_t y = 0; y < table->height; y++) {
        for (uint32_t x = 0; x < table->width; x++, node++) {
            if (!cn_grid_is_open(&map->grid, node))
                continue;
            size_t to = cn_table_index(table, node, row);
            if (table->entry_bits == 16)
                ((uint16_t *)table->entries)[to] = (uint16_t)cn_plane_at(plane, x, y);
            else
                ((uint32_t *)table->entries)[to] = cn_plane_at(plane, x, y);
        }
    }
}

bool cn_table_fits(const cairn_table *table, const cairn_map *map)
{
    return table->map_hash == map->hash && table->width == map->grid.width &&
           table->height == map->grid.height;
}

static bool landmarks_are_sound(const cairn_table *table, const cairn_map *map, uint32_t row)
{
    const size_t *start = table->landmark_start;

    if (start[row] > start[row + 1])
        return false;
    for (size_t i = start[row]; i < start[row + 1]; i++) {
        cairn_node landmark = table->landmarks[i];
        if (!cairn_map_is_open(map, landmark) || cairn_table_cost(table, row, landmark) != 0)
            return false;
        if (i > start[row] && landmark <= table->landmarks[i - 1])
            return false;
    }
    return true;
}

cairn_status cn_table_check(const cairn_table *table, const cairn_map *map)
{
    if (!cn_table_fits(table, map) || table->node_count != cn_map_node_count(map))
        return CAIRN_E_MISMATCH;
    if (table->row_count == 0 || table->row_count > CAIRN_ROWS_MAX ||
        (table->entry_bits != 16 && table->entry_bits != 32) ||
        table->lane_count != lanes_for(table->row_count, table->entry_bits) ||
        table->landmark_start[0] != 0 || (table->is_directed && table->row_count % 2) ||
        table->is_directed != cn_map_is_directed(map))
        return CAIRN_E_FORMAT;
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (!landmarks_are_sound(table, map, row))
            return CAIRN_E_FORMAT;
    }
    return CAIRN_OK;
}

uint32_t cairn_table_row_count(const cairn_table *table)
{
    return table->row_count;
}

uint32_t cairn_table_entry_bits(const cairn_table *table)
{
    return table->entry_bits;
}

cairn_metric cairn_table_metric(const cairn_table *table)
{
    return table->metric;
}

uint64_t cairn_table_map_hash(const cairn_table *table)
{
    return table->map_hash;
}

size_t cairn_table_memory(const cairn_table *table)
{
    return sizeof *table + (size_t)table->node_count * table->lane_count * table->entry_bits / 8 +
           (table->row_count + 1u) * sizeof *table->landmark_start +
           table->landmark_start[table->row_count] * sizeof *table->landmarks;
}

cairn_way cairn_table_way(const cairn_table *table, uint32_t row)
{
    if (!table->is_directed)
        return CAIRN_WAY_BOTH;
    return cn_table_way(table, row) == CN_FORWARD ? CAIRN_WAY_FROM : CAIRN_WAY_TO;
}

size_t cairn_table_landmarks(const cairn_table *table, uint32_t row, const cairn_node **landmarks)
{
    *landmarks = NULL;
    if (row >= table->row_count)
        return 0;
    *landmarks = table->landmarks + table->landmark_start[row];
    return table->landmark_start[row + 1] - table->landmark_start[row];
}

cairn_cost cairn_table_cost(const cairn_table *table, uint32_t row, cairn_node node)
{
    if (row >= table->row_count || node >= table->node_count)
        return CAIRN_UNREACHABLE;
    return cn_table_entry(table, row, node);
}

cairn_status cairn_table_set_cost(cairn_table *table, uint32_t row, cairn_node node,
                                  cairn_cost cost)
{
    if (!table || row >= table->row_count || node >= table->node_count)
        return CAIRN_E_ARGUMENT;
    cairn_cost most = table->entry_bits == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX;
    if (cost > most && cost != CAIRN_UNREACHABLE)
        return CAIRN_E_ARGUMENT;
    size_t index = cn_table_index(table, node, row);
    if (table->entry_bits == 16)
        ((uint16_t *)table->entries)[index] = (uint16_t)cost;
    else
        ((uint32_t *)table->entries)[index] = cost;
    return CAIRN_OK;
}
