/* Tables in memory: their entries and landmarks, how they are made, copied and freed. */
#include "table/table_state.h"

#include <stddef.h>
#include <string.h>

#include "base/nodes.h"

/* Entries are read in whole vectors: of 16 bytes if one holds all entries of a node, else of 32. */
static uint32_t lanes_for(uint32_t row_count, uint32_t entry_bits)
{
    uint32_t per_vector = 128 / entry_bits;
    if (row_count > per_vector)
        per_vector *= 2;
    return (row_count + per_vector - 1) / per_vector * per_vector;
}

/* There is memory for whole groups of nodes. */
static uint64_t entry_count(uint32_t node_count, uint32_t lane_count, uint32_t entry_bits)
{
    const uint64_t group = cn_table_group_nodes(lane_count, entry_bits);
    return (node_count + group - 1) / group * group * lane_count;
}

/* All zero; NULL also where there are more than a size can hold. */
static void *new_entries(const cairn_table *table, uint64_t count, uint32_t entry_bits)
{
    if (count > SIZE_MAX / 2)
        return NULL;
    return cn_zeroed_for(&table->mem, table->use, (size_t)count, entry_bits / 8);
}

uint64_t cn_table_memory_for(uint32_t node_count, uint32_t row_count, uint32_t entry_bits,
                             uint64_t landmark_count)
{
    const uint32_t lanes = lanes_for(row_count, entry_bits);
    return (uint64_t)cn_block_size(1, sizeof(cairn_table)) +
           cn_block_size(row_count + 1u, sizeof(size_t)) + 2 * cn_block_size(0, 0) +
           entry_count(node_count, lanes, entry_bits) * (entry_bits / 8) +
           landmark_count * sizeof(cairn_node);
}

/* How many nodes have entries. */
static uint32_t held_count(const cairn_table *table)
{
    return table->corners ? table->corners->count : table->node_count;
}

void *cn_table_entries_new(const cairn_table *table, uint32_t lane_count, uint32_t entry_bits)
{
    return new_entries(table, entry_count(held_count(table), lane_count, entry_bits), entry_bits);
}

void *cn_table_entries_for(const cairn_table *table, uint32_t node_count)
{
    const uint64_t count = entry_count(node_count, table->lane_count, table->entry_bits);
    return new_entries(table, count, table->entry_bits);
}

void cn_table_set_entries(cairn_table *table, void *entries)
{
    if (!table->sharers || --*table->sharers == 0) {
        cn_release(&table->mem, table->sharers);
        cn_release(&table->mem, table->entries);
    }
    table->sharers = NULL;
    table->entries = entries;
}

cairn_status cn_table_share_entries(cairn_table *to, cairn_table *from)
{
    if (!from->sharers) {
        from->sharers = cn_zeroed(&from->mem, 1, sizeof *from->sharers);
        if (!from->sharers)
            return CAIRN_E_MEMORY;
        *from->sharers = 1;
    }
    cn_table_set_entries(to, from->entries);
    to->sharers = from->sharers;
    ++*to->sharers;
    return CAIRN_OK;
}

static size_t held_size(const cairn_table *table)
{
    return (size_t)held_count(table) * table->lane_count * (table->entry_bits / 8);
}

cairn_status cn_table_new(const cairn_map *map, const cn_mem *mem, uint32_t row_count,
                          uint32_t entry_bits, cairn_table **table)
{
    return cn_table_new_at(map, mem, row_count, entry_bits, NULL, table);
}

cairn_status cn_table_new_at(const cairn_map *map, const cn_mem *mem, uint32_t row_count,
                             uint32_t entry_bits, cn_corners *corners, cairn_table **table)
{
    CN_ASSERT(row_count > 0 && row_count <= CAIRN_ROWS_MAX);
    CN_ASSERT(entry_bits == 16 || entry_bits == 32);

    *table = NULL;
    cairn_table *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made) {
        cn_corners_free(corners, mem);
        return CAIRN_E_MEMORY;
    }
    made->mem = *mem;
    made->version = 1;
    made->corners = corners;
    cn_table_set_map(made, map);
    made->width = map->grid.width;
    made->height = map->grid.height;
    made->node_count = cn_map_node_count(map);
    made->row_count = row_count;
    made->is_directed = cn_map_is_directed(map);
    made->lane_count = lanes_for(row_count, entry_bits);
    made->entry_bits = entry_bits;
    made->use = corners ? CN_USED_IN_PARTS : cn_grid_use(&map->grid);
    made->cpu = cn_cpu_level();
    made->landmark_start = cn_zeroed(mem, row_count + 1u, sizeof *made->landmark_start);
    made->entries = cn_table_entries_new(made, made->lane_count, entry_bits);
    if (!made->landmark_start || !made->entries) {
        cairn_table_free(made);
        return CAIRN_E_MEMORY;
    }
    *table = made;
    return CAIRN_OK;
}

void cn_table_drop_gates(const cairn_table *table)
{
    if (table->shelf.clear)
        table->shelf.clear(table);
}

void cairn_table_free(cairn_table *table)
{
    if (!table)
        return;
    cn_mem mem = table->mem;
    if (table->refresh)
        table->free_refresh(table->refresh);
    cn_table_drop_gates(table);
    cn_table_set_entries(table, NULL);
    cn_corners_free(table->corners, &mem);
    cn_release(&mem, table->landmark_start);
    cn_release(&mem, table->landmarks);
    if (table->openings)
        cn_release(&mem, table->openings->cells.items);
    cn_release(&mem, table->openings);
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

size_t cn_table_find_landmark(const cairn_table *table, uint32_t row, cairn_node node)
{
    const size_t first = table->landmark_start[row], end = table->landmark_start[row + 1];
    if (first == end)
        return SIZE_MAX;
    const size_t place = cn_nodes_find(table->landmarks + first, end - first, node);
    return place == SIZE_MAX ? place : first + place;
}

static void widen_entries(const cairn_table *table, uint32_t lane_count, uint32_t *wide)
{
    const uint16_t *narrow = table->entries;
    for (cairn_node node = 0; node < held_count(table); node++) {
        for (uint32_t row = 0; row < table->row_count; row++)
            wide[row] = cn_entry_cost(narrow, row, 16);
        narrow += table->lane_count;
        wide += lane_count;
    }
}

/* Marks all entries as written: see cn_table_mark. */
static void mark_all(const cairn_table *table)
{
    if (table->dirty)
        table->dirty->lines = UINT32_MAX;
}

cairn_status cn_table_widen(cairn_table *table)
{
    uint32_t lane_count = lanes_for(table->row_count, 32);
    uint32_t *wide = cn_table_entries_new(table, lane_count, 32);

    if (!wide)
        return CAIRN_E_MEMORY;
    widen_entries(table, lane_count, wide);
    cn_table_set_entries(table, wide);
    mark_all(table);
    table->version++;
    table->entry_bits = 32;
    table->lane_count = lane_count;
    return CAIRN_OK;
}

/* Copies into zeroed memory. Pages that are zero, as those of blocked regions are, are not
 * written. */
static void copy_pages(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t at = 0; at < size; at += CN_TABLE_GROUP_SIZE) {
        size_t count = size - at < CN_TABLE_GROUP_SIZE ? size - at : CN_TABLE_GROUP_SIZE;
        if (from[at] != 0 || memcmp(from + at, from + at + 1, count - 1) != 0)
            memcpy(to + at, from + at, count);
    }
}

void cn_table_copy_head(cairn_table *to, const cairn_table *from)
{
    memcpy(to, from, offsetof(cairn_table, corners));
}

/* The copy has no state of refreshing, so its rows that are not exact have to be rebuilt. */
cairn_status cairn_table_clone(const cairn_table *table, cairn_table **copy_)
{
    if (!copy_)
        return CAIRN_E_ARGUMENT;
    *copy_ = NULL;
    if (!table)
        return CAIRN_E_ARGUMENT;
    cairn_table *copy = cn_zeroed(&table->mem, 1, sizeof *copy);
    if (!copy)
        return CAIRN_E_MEMORY;

    const cn_mem *mem = &table->mem;
    cn_table_copy_head(copy, table);
    copy->entries = cn_table_entries_new(table, table->lane_count, table->entry_bits);
    copy->landmark_start = cn_zeroed(mem, table->row_count + 1u, sizeof *copy->landmark_start);
    if (table->corners)
        cn_corners_clone(table->corners, mem, &copy->corners);
    if (!copy->corners != !table->corners || !copy->entries || !copy->landmark_start ||
        cn_table_set_landmarks(copy, table->landmark_start, table->landmarks) != CAIRN_OK ||
        cn_table_copy_openings(copy, table) != CAIRN_OK) {
        cairn_table_free(copy);
        return CAIRN_E_MEMORY;
    }
    copy_pages(copy->entries, table->entries, held_size(table));
    *copy_ = copy;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------ landmarks -- */

static bool row_landmarks_are_open(const cairn_table *table, const cairn_map *map, uint32_t row)
{
    const size_t *start = table->landmark_start;

    if (start[row] > start[row + 1])
        return false;
    for (size_t i = start[row]; i < start[row + 1]; i++) {
        cairn_node landmark = table->landmarks[i];
        if (!cairn_map_is_open(map, landmark) ||
            (i > start[row] && landmark <= table->landmarks[i - 1]))
            return false;
    }
    return true;
}

bool cn_table_landmarks_are_open(const cairn_table *table, const cairn_map *map)
{
    uint32_t row = 0;
    while (row < table->row_count && row_landmarks_are_open(table, map, row))
        row++;
    return row == table->row_count;
}

bool cn_landmark_pairs_are_alike(cn_landmark_lists lists, uint32_t row_count)
{
    for (uint32_t row = 0; row < row_count; row += 2) {
        const size_t *start = lists.start + row, count = start[1] - start[0];
        if (start[2] - start[1] != count ||
            (count && memcmp(lists.nodes + start[0], lists.nodes + start[1],
                             count * sizeof *lists.nodes) != 0))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------------------------- memory -- */

size_t cairn_table_memory(const cairn_table *table)
{
    return cn_gate_shelf_memory(&table->shelf) +
           (size_t)cn_table_memory_for(held_count(table), table->row_count, table->entry_bits,
                                       table->landmark_start[table->row_count]) +
           (table->corners ? cn_corners_memory(table->corners) : 0);
}
