#include "tables.h"

#include "check.h"
#include "table/table.h"

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
