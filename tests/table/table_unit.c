#include "table/table.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/tables.h"

static const cn_mem heap = {{0}};

static cairn_map *small_map(void)
{
    picture drawn = PICTURE("..@.", "..@.", "..@.");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    picture_free(&drawn);
    return map;
}

static void rows_of_a_node_lie_together_in_whole_vectors(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    for (uint32_t bits = 16; bits <= 32; bits += 16) {
        for (uint32_t rows = 1; rows <= CAIRN_ROWS_MAX; rows++) {
            cairn_table *table;
            assert_int_equal(cn_table_new(map, &heap, rows, bits, &table), CAIRN_OK);
            assert_true(table->lane_count >= rows);
            assert_int_equal(table->lane_count * bits % 128, 0);
            assert_true(table->lane_count - rows < 256 / bits);
            assert_true(cn_table_index(table, 1, 0) - cn_table_index(table, 0, 0) ==
                        table->lane_count);
            assert_int_equal((uintptr_t)table->entries % 64, 0);
            cairn_table_free(table);
        }
    }
    cairn_map_free(map);
}

static void an_entry_that_was_set_is_there_and_no_other_changed(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    for (uint32_t bits = 16; bits <= 32; bits += 16) {
        cairn_table *table;
        cairn_cost most = bits == 16 ? 65534 : CAIRN_COST_MAX;
        assert_int_equal(cn_table_new(map, &heap, 3, bits, &table), CAIRN_OK);
        assert_int_equal(cairn_table_set_cost(table, 1, 5, most), CAIRN_OK);
        assert_int_equal(cairn_table_set_cost(table, 2, 11, CAIRN_UNREACHABLE), CAIRN_OK);
        for (uint32_t row = 0; row < 3; row++) {
            for (uint32_t node = 0; node < 12; node++) {
                cairn_cost expected = row == 1 && node == 5    ? most
                                      : row == 2 && node == 11 ? CAIRN_UNREACHABLE
                                                               : 0;
                assert_int_equal(cn_table_entry(table, row, node), expected);
            }
        }
        cairn_table_free(table);
    }
    cairn_map_free(map);
}

static void an_entry_outside_or_too_large_is_refused(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *narrow, *wide;
    assert_int_equal(cn_table_new(map, &heap, 2, 16, &narrow), CAIRN_OK);
    assert_int_equal(cn_table_new(map, &heap, 2, 32, &wide), CAIRN_OK);
    assert_int_equal(cairn_table_set_cost(narrow, 0, 0, 65535), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_set_cost(wide, 0, 0, CAIRN_COST_MAX + 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_set_cost(wide, 2, 0, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_set_cost(wide, 0, 12, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_set_cost(NULL, 0, 0, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_cost(wide, 2, 0), CAIRN_UNREACHABLE);
    assert_int_equal(cairn_table_cost(wide, 0, 12), CAIRN_UNREACHABLE);
    cairn_table_free(narrow);
    cairn_table_free(wide);
    cairn_table_free(NULL);
    cairn_map_free(map);
}

static void a_row_that_does_not_exist_has_no_landmarks(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table = table_of(map, 2);
    const cairn_node *landmarks = (const cairn_node *)"";
    assert_int_equal(cairn_table_landmarks(table, 2, &landmarks), 0);
    assert_null(landmarks);
    assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), 2);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void landmarks_are_copied(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table;
    size_t start[] = {0, 2, 3};
    cairn_node landmarks[] = {0, 3, 9};
    const cairn_node *kept;

    assert_int_equal(cn_table_new(map, &heap, 2, 16, &table), CAIRN_OK);
    assert_int_equal(cn_table_set_landmarks(table, start, landmarks), CAIRN_OK);
    memset(start, 0xff, sizeof start);
    memset(landmarks, 0xff, sizeof landmarks);
    assert_int_equal(cairn_table_landmarks(table, 0, &kept), 2);
    assert_int_equal(kept[1], 3);
    assert_int_equal(cairn_table_landmarks(table, 1, &kept), 1);
    assert_int_equal(kept[0], 9);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void the_validator_accepts_what_was_built_and_sees_each_break(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table = table_of(map, 2);
    assert_int_equal(table_check(table, map), CAIRN_OK);

    cairn_node first = table->landmarks[0];
    table->landmarks[0] = 2; /* blocked */
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    table->landmarks[0] = 12;
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    table->landmarks[0] = table->landmarks[1];
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    table->landmarks[0] = first;

    assert_int_equal(cairn_table_set_cost(table, 0, first, 1), CAIRN_OK);
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    assert_int_equal(cairn_table_set_cost(table, 0, first, 0), CAIRN_OK);

    table->entry_bits = 8;
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    table->entry_bits = 16;
    table->lane_count++;
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    table->lane_count--;
    table->row_count = 0;
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    table->row_count = 2;
    table->landmark_start[1] = table->landmark_start[2] + 1;
    assert_int_equal(table_check(table, map), CAIRN_E_FORMAT);
    table->landmark_start[1] = 2;
    assert_int_equal(table_check(table, map), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void a_table_belongs_to_its_map_and_metric(void **state)
{
    (void)state;
    picture other_drawn = PICTURE("..@.", "..@.", "....");
    cairn_map *map = small_map(), *other = map_of(&other_drawn, (cairn_metric){5, 7});
    cairn_table *table = table_of(map, 2);
    cairn_bound bound;
    cairn_search *search;

    assert_int_equal(table_check(table, other), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_table_verify(table, other, 1, NULL), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_bound_to(other, table, 0, &bound), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_search_new(other, table, NULL, &search), CAIRN_E_MISMATCH);
    assert_null(search);
    assert_int_equal(cairn_map_set_metric(map, (cairn_metric){10, 14}), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_bound_to(map, table, 0, &bound), CAIRN_E_MISMATCH);
    cairn_table_free(table);
    cairn_map_free(map);
    cairn_map_free(other);
    picture_free(&other_drawn);
}

/* Their pages are never written, so that a map with few open cells has a small table. */
static void entries_of_blocked_cells_are_left_alone(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table = table_of(map, 2);
    for (uint32_t row = 0; row < 2; row++)
        for (cairn_node node = 2; node < 12; node += 4)
            assert_int_equal(cairn_table_cost(table, row, node), 0);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void a_whole_row_is_of_the_map_as_it_is_now(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "....", "....");
    cairn_map *map = small_map(), *other = map_of(&drawn, (cairn_metric){5, 7});
    cairn_table *table = table_of(map, 2);
    cairn_cost costs[12], before;

    assert_int_equal(cairn_table_row(table, map, 1, costs), CAIRN_OK);
    before = costs[0];
    assert_int_equal(costs[2], CAIRN_UNREACHABLE); /* blocked */
    assert_int_equal(before, cairn_table_cost(table, 1, 0));
    const cairn_edit edit = cairn_block(1, 0);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_table_row(table, map, 1, costs), CAIRN_OK);
    assert_int_equal(costs[1], CAIRN_UNREACHABLE);
    assert_int_equal(costs[0], before);

    assert_int_equal(cairn_table_row(table, map, 2, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_row(table, map, 0, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_row(table, NULL, 0, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_row(table, other, 0, costs), CAIRN_E_MISMATCH);
    cairn_table_free(table);
    cairn_map_free(other);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_memory_of_a_table_counts_its_entries(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table = table_of(map, 2);
    size_t entries = (size_t)table->node_count * table->lane_count * table->entry_bits / 8;
    assert_true(cairn_table_memory(table) > entries);
    assert_true(cairn_table_memory(table) < entries + CN_TABLE_GROUP_SIZE + 1000);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void *grant_little(void *context, size_t size)
{
    (void)context;
    return size < 1 << 20 ? malloc(size) : NULL;
}

static void release_little(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* Where a size has 32 bits the number of entries does not fit one. */
static void a_table_larger_than_a_size_can_tell_is_refused(void **state)
{
    const cairn_allocator little = {grant_little, release_little, NULL};
    const cn_mem mem = cn_mem_from(&little);
    cairn_map *map = calloc(1, sizeof *map);
    cairn_table *table;
    (void)state;

    assert_non_null(map);
    map->grid.width = map->grid.height = 1 << 14;
    for (uint32_t rows = 16; rows <= CAIRN_ROWS_MAX; rows *= 2) {
        const uint64_t entries = (uint64_t)CAIRN_NODES_MAX * rows * 4;
        assert_true(cn_table_memory_for(CAIRN_NODES_MAX, rows, 32, 0) > entries);
        assert_int_equal(cn_table_new(map, &mem, rows, 32, &table), CAIRN_E_MEMORY);
        assert_null(table);
    }
    free(map);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);
    cairn_map *map = small_map();
    for (size_t n = 1;; n++) {
        cairn_table *table;
        failing_allocator_arm(&failing, n);
        cairn_status status = cn_table_new(map, &mem, 5, 32, &table);
        if (!failing_allocator_struck(&failing)) {
            assert_int_equal(status, CAIRN_OK);
            assert_true(n > 3);
            cairn_table_free(table);
            break;
        }
        assert_int_equal(status, CAIRN_E_MEMORY);
        assert_null(table);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    cairn_map_free(map);
}

static void doors_that_close_and_open_again_leave_rows_safe(void **state)
{
    (void)state;
    picture drawn = PICTURE(".....", ".@.@.", ".....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 1);
    cairn_edit close[] = {cairn_block(2, 1), cairn_block(0, 1)}, again = cairn_open(2, 1);
    cairn_edit wall = cairn_open(3, 1);

    assert_int_equal(cairn_map_edit(map, close, 2), CAIRN_OK);
    assert_int_equal(cairn_table_row_state(table, map, 0), CAIRN_ROW_WEAKER);
    assert_int_equal(cairn_map_edit(map, &again, 1), CAIRN_OK);
    assert_int_equal(cairn_table_row_state(table, map, 0), CAIRN_ROW_WEAKER);
    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    assert_int_equal(cairn_table_row_state(table, map, 0), CAIRN_ROW_UNSAFE);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_node_lie_together_in_whole_vectors),
        cmocka_unit_test(an_entry_that_was_set_is_there_and_no_other_changed),
        cmocka_unit_test(an_entry_outside_or_too_large_is_refused),
        cmocka_unit_test(a_row_that_does_not_exist_has_no_landmarks),
        cmocka_unit_test(landmarks_are_copied),
        cmocka_unit_test(the_validator_accepts_what_was_built_and_sees_each_break),
        cmocka_unit_test(a_table_belongs_to_its_map_and_metric),
        cmocka_unit_test(entries_of_blocked_cells_are_left_alone),
        cmocka_unit_test(a_whole_row_is_of_the_map_as_it_is_now),
        cmocka_unit_test(the_memory_of_a_table_counts_its_entries),
        cmocka_unit_test(a_table_larger_than_a_size_can_tell_is_refused),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(doors_that_close_and_open_again_leave_rows_safe),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
