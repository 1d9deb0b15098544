#include "tables.h"

#include "check.h"
#include "table/table.h"

/* Entries are read in whole vectors: of 16 bytes if one holds all entries of a node, else of 32. */
static uint32_t whole_lanes(const cairn_table *table)
{
    const uint32_t size = table->entry_bits / 8, vector = table->row_count * size > 16 ? 32 : 16;
    return (table->row_count * size + vector - 1) / vector * vector / size;
}

static bool counts_are_sound(const cairn_table *table, const cairn_map *map)
{
    return table->row_count > 0 && table->row_count <= CAIRN_ROWS_MAX &&
           (table->entry_bits == 16 || table->entry_bits == 32) &&
           table->lane_count == whole_lanes(table) && table->landmark_start[0] == 0 &&
           table->is_directed == cairn_map_is_directed(map) &&
           (!table->is_directed || table->row_count % 2 == 0);
}

static bool landmarks_are_sound(const cairn_table *table, const cairn_map *map, uint32_t row)
{
    const size_t first = table->landmark_start[row], end = table->landmark_start[row + 1];
    for (size_t i = first; i < end; i++) {
        const cairn_node landmark = table->landmarks[i];
        if (!cairn_map_is_open(map, landmark) || cairn_table_cost(table, row, landmark) != 0 ||
            (i > first && landmark <= table->landmarks[i - 1]))
            return false;
    }
    return first <= end;
}

cairn_status table_check(const cairn_table *table, const cairn_map *map)
{
    if (table->map_hash != map->hash || table->width != map->grid.width ||
        table->height != map->grid.height || table->node_count != cairn_map_node_count(map))
        return CAIRN_E_MISMATCH;
    bool is_sound = counts_are_sound(table, map);
    for (uint32_t row = 0; is_sound && row < table->row_count; row++)
        is_sound = landmarks_are_sound(table, map, row);
    return is_sound ? CAIRN_OK : CAIRN_E_FORMAT;
}

void assert_same_landmarks(const cairn_table *table, const cairn_table *full)
{
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks, *wanted;
        size_t count = cairn_table_landmarks(full, row, &wanted);
        assert_int_equal(cairn_table_landmarks(table, row, &landmarks), count);
        if (count)
            assert_memory_equal(landmarks, wanted, count * sizeof *wanted);
    }
}

void assert_same_rows(const cairn_table *table, const cairn_table *full)
{
    assert_same_landmarks(table, full);
    assert_int_equal(table->node_count, full->node_count);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        for (cairn_node node = 0; node < table->node_count; node++)
            assert_int_equal(cairn_table_cost(table, row, node), cairn_table_cost(full, row, node));
    }
}

static uint32_t held_by(const cairn_table *table)
{
    return table->corners ? table->corners->count : table->node_count;
}

static void assert_same_corners(const cairn_table *one, const cairn_table *other)
{
    assert_int_equal(!one->corners, !other->corners);
    assert_int_equal(held_by(one), held_by(other));
    if (one->corners && one->corners->count)
        assert_memory_equal(one->corners->nodes, other->corners->nodes,
                            one->corners->count * sizeof *one->corners->nodes);
}

void assert_same_table(const cairn_table *one, const cairn_table *other)
{
    assert_int_equal(one->row_count, other->row_count);
    assert_int_equal(one->node_count, other->node_count);
    assert_int_equal(one->entry_bits, other->entry_bits);
    assert_int_equal(one->lane_count, other->lane_count);
    assert_true(one->map_hash == other->map_hash);
    assert_same_landmarks(one, other);
    assert_same_corners(one, other);
    assert_memory_equal(one->entries, other->entries,
                        (size_t)held_by(one) * one->lane_count * one->entry_bits / 8);
}

void assert_equal_to_a_rebuilt_one(const cairn_table *table, const cairn_map *map)
{
    cairn_table *copy;
    assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
    assert_int_equal(cairn_table_rebuild(copy, map), CAIRN_OK);
    assert_same_table(copy, table);
    cairn_table_free(copy);
}
