#include "base/mem.h"

#include "support/check.h"
#include "support/failing_allocator.h"

static void every_block_is_aligned_and_whole(void **state)
{
    (void)state;
    failing_allocator counting;
    failing_allocator_init(&counting);
    cn_mem sources[] = {cn_mem_from(NULL), cn_mem_from(&counting.allocator)};

    for (size_t source = 0; source < COUNT_OF(sources); source++) {
        for (size_t size = 0; size < 200; size++) {
            uint8_t *block = cn_array(&sources[source], size, 3);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 64, 0);
            memset(block, 0x5a, size * 3);
            cn_release(&sources[source], block);
        }
    }
    assert_int_equal(atomic_load(&counting.outstanding), 0);
}

static void a_zeroed_block_is_zero_also_from_a_dirty_allocator(void **state)
{
    (void)state;
    failing_allocator dirty;
    failing_allocator_init(&dirty);
    cn_mem sources[] = {cn_mem_from(NULL), cn_mem_from(&dirty.allocator)};

    for (size_t source = 0; source < COUNT_OF(sources); source++) {
        uint8_t *block = cn_zeroed(&sources[source], 1000, 7);
        assert_non_null(block);
        for (size_t i = 0; i < 7000; i++)
            assert_int_equal(block[i], 0);
        cn_release(&sources[source], block);
    }
}

/* Around the sizes at which a page more is taken, also in memory that was used before. */
static void dense_blocks_are_aligned_whole_and_zero_where_asked(void **state)
{
    (void)state;
    failing_allocator dirty;
    failing_allocator_init(&dirty);
    cn_mem sources[] = {cn_mem_from(NULL), cn_mem_from(&dirty.allocator)};

    for (size_t source = 0; source < COUNT_OF(sources); source++) {
        for (size_t quarters = 0; quarters < 9; quarters++) {
            size_t size = (quarters << 19) + quarters % 3 - 1 + !quarters;
            uint8_t *used = cn_array_for(&sources[source], CN_USED_ALL_OVER, size, 1);
            assert_non_null(used);
            assert_int_equal((uintptr_t)used % 64, 0);
            memset(used, 0x5a, size);
            cn_release(&sources[source], used);
            uint8_t *block = cn_zeroed_for(&sources[source], CN_USED_ALL_OVER, size, 1);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 64, 0);
            for (size_t i = 0; i < size; i++) {
                if (block[i])
                    fail_msg("byte %zu of %zu is not zero", i, size);
            }
            memset(block, 0x5a, size);
            cn_release(&sources[source], block);
        }
        assert_null(cn_array_for(&sources[source], CN_USED_ALL_OVER, SIZE_MAX, 2));
        assert_null(cn_zeroed_for(&sources[source], CN_USED_ALL_OVER, SIZE_MAX / 2, 2));
    }
    assert_int_equal(atomic_load(&dirty.outstanding), 0);
}

static void a_size_that_overflows_is_refused_before_the_allocator_is_asked(void **state)
{
    (void)state;
    failing_allocator counting;
    failing_allocator_init(&counting);
    cn_mem mem = cn_mem_from(&counting.allocator);

    assert_null(cn_array(&mem, SIZE_MAX, 2));
    assert_null(cn_array(&mem, 2, SIZE_MAX));
    assert_null(cn_array(&mem, SIZE_MAX / 8 + 2, 8));
    assert_null(cn_array(&mem, SIZE_MAX, 1));
    assert_null(cn_array(&mem, SIZE_MAX - 64, 1));
    assert_null(cn_zeroed(&mem, SIZE_MAX / 2, 2));
    assert_int_equal(atomic_load(&counting.calls), 0);
}

static void a_failing_allocator_gives_null(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);

    failing_allocator_arm(&failing, 1);
    assert_null(cn_array(&mem, 4, 4));
    failing_allocator_arm(&failing, 1);
    assert_null(cn_zeroed(&mem, 4, 4));
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

static void releasing_nothing_is_allowed(void **state)
{
    (void)state;
    failing_allocator counting;
    failing_allocator_init(&counting);
    cn_mem mem = cn_mem_from(&counting.allocator);

    cn_release(&mem, NULL);
    assert_int_equal(atomic_load(&counting.outstanding), 0);
}

static void growing_keeps_what_was_there(void **state)
{
    (void)state;
    failing_allocator counting;
    failing_allocator_init(&counting);
    cn_mem mem = cn_mem_from(&counting.allocator);
    uint32_t *items = NULL;
    size_t capacity = 0;

    for (uint32_t used = 0; used < 5000; used++) {
        assert_true(CN_GROW(&mem, items, &capacity, used, used + 1));
        assert_true(capacity > used);
        items[used] = used * 3;
    }
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(items[i], i * 3);
    assert_true(atomic_load(&counting.calls) < 20);
    cn_release(&mem, items);
    assert_int_equal(atomic_load(&counting.outstanding), 0);
}

static void growing_far_at_once_reaches_what_is_needed(void **state)
{
    (void)state;
    cn_mem mem = cn_mem_from(NULL);
    size_t capacity = 0;

    void *items = NULL;
    assert_true(cn_grow(&mem, &items, &capacity, 0, 12345, 8));
    assert_non_null(items);
    assert_true(capacity >= 12345);
    memset(items, 1, 12345 * 8);
    cn_release(&mem, items);
}

static void growing_without_memory_changes_nothing(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);
    size_t capacity = 0;

    uint8_t *items = NULL;
    assert_true(CN_GROW(&mem, items, &capacity, 0, 10));
    memset(items, 7, 10);
    const size_t before_capacity = capacity;
    const uint8_t *const before = items;
    failing_allocator_arm(&failing, 1);
    assert_false(CN_GROW(&mem, items, &capacity, 10, capacity + 1));
    assert_int_equal(capacity, before_capacity);
    assert_ptr_equal(items, before);
    assert_int_equal(items[9], 7);
    cn_release(&mem, items);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_aligned_and_whole),
        cmocka_unit_test(a_zeroed_block_is_zero_also_from_a_dirty_allocator),
        cmocka_unit_test(dense_blocks_are_aligned_whole_and_zero_where_asked),
        cmocka_unit_test(a_size_that_overflows_is_refused_before_the_allocator_is_asked),
        cmocka_unit_test(a_failing_allocator_gives_null),
        cmocka_unit_test(releasing_nothing_is_allowed),
        cmocka_unit_test(growing_keeps_what_was_there),
        cmocka_unit_test(growing_far_at_once_reaches_what_is_needed),
        cmocka_unit_test(growing_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
