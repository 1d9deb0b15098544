#include "search/open_list.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/random_maps.h"

static const cn_mem heap = {{0}};

/* An obvious open list: all items, searched from end to end. */
typedef struct slow_list {
    uint32_t keys[5000];
    uint32_t values[5000];
    size_t count;
} slow_list;

/* The least key; among equals the one that was added last. */
static uint32_t slow_pop(slow_list *list, uint32_t *value)
{
    size_t best = 0;
    for (size_t i = 1; i < list->count; i++)
        if (list->keys[i] <= list->keys[best])
            best = i;
    uint32_t key = list->keys[best];
    *value = list->values[best];
    for (size_t i = best + 1; i < list->count; i++) {
        list->keys[i - 1] = list->keys[i];
        list->values[i - 1] = list->values[i];
    }
    list->count--;
    return key;
}

static cn_open_kind kind_of(const cn_open_list *open)
{
    return open->bucket_count ? CN_OPEN_BUCKETS : CN_OPEN_HEAP;
}

/* Random pushes and pops; keys never fall below the last one taken nor rise by `rise` or more. */
static void compare_with_slow(cn_open_list *open, uint32_t first_key, uint32_t rise, uint64_t seed)
{
    slow_list *slow = calloc(1, sizeof *slow);
    dice luck = {seed + 1};
    uint32_t current = first_key;
    size_t peak = open->peak;

    assert_non_null(slow);
    cn_open_reset(open, first_key);
    for (uint32_t step = 0; step < 4000; step++) {
        bool add = slow->count == 0 || dice_below(&luck, 100) < (step < 2000 ? 60u : 40u);
        if (add) {
            uint32_t key = current + dice_below(&luck, rise);
            assert_true(cn_open_reserve(open, 1));
            cn_open_push(open, kind_of(open), key, (cn_open_item){step, ~step});
            slow->keys[slow->count] = key;
            slow->values[slow->count++] = step;
            peak = slow->count > peak ? slow->count : peak;
        } else {
            cn_open_item item;
            uint32_t expected;
            uint32_t expected_key = slow_pop(slow, &expected);
            current = cn_open_pop(open, kind_of(open), &item);
            assert_int_equal(current, expected_key);
            assert_int_equal(item.label, expected);
            assert_int_equal(item.value, ~expected);
        }
        assert_int_equal(open->count, slow->count);
    }
    assert_int_equal(open->peak, peak);
    free(slow);
}

static void both_kinds_give_the_least_key_and_the_last_added_first(void **state)
{
    (void)state;
    static const uint32_t rises[] = {1, 2, 7, 63, 64, 65, 1000, 4095, 4096, 5000, 9000, 65535};
    for (size_t i = 0; i < COUNT_OF(rises); i++) {
        uint32_t bucket_counts[] = {0, cn_open_buckets_for(rises[i])};
        for (size_t kind = 0; kind < COUNT_OF(bucket_counts); kind++) {
            cn_open_list open;
            assert_int_equal(cn_open_init(&open, &heap, bucket_counts[kind]), CAIRN_OK);
            /* The same list again and again: a reset leaves nothing behind. */
            compare_with_slow(&open, 0, rises[i], i);
            compare_with_slow(&open, 4000000000u, rises[i], i + 100);
            compare_with_slow(&open, 12345, rises[i], i + 200);
            cn_open_free(&open);
        }
    }
}

/* Items beyond the ring wait, and come out in the same order. */
static void few_buckets_serve_keys_that_rise_far(void **state)
{
    (void)state;
    static const uint32_t rises[] = {65, 100, 129, 1000, 20000};
    for (size_t i = 0; i < COUNT_OF(rises); i++) {
        for (uint32_t bucket_count = 64; bucket_count <= 256; bucket_count *= 4) {
            cn_open_list open;
            assert_int_equal(cn_open_init(&open, &heap, bucket_count), CAIRN_OK);
            compare_with_slow(&open, 0, rises[i], i + 300);
            compare_with_slow(&open, 4000000000u, rises[i], i + 400);
            compare_with_slow(&open, 777, rises[i], i + 500);
            cn_open_free(&open);
        }
    }
}

static void a_list_that_is_full_of_items_can_be_emptied_at_once(void **state)
{
    (void)state;
    for (uint32_t bucket_count = 0; bucket_count <= 8192; bucket_count += 8192) {
        cn_open_list open;
        assert_int_equal(cn_open_init(&open, &heap, bucket_count), CAIRN_OK);
        assert_true(cn_open_reserve(&open, 8192));
        for (uint32_t key = 0; key < 8192; key++)
            cn_open_push(&open, kind_of(&open), key, (cn_open_item){key, 0});
        cn_open_reset(&open, 7);
        assert_int_equal(open.count, 0);
        cn_open_push(&open, kind_of(&open), 9, (cn_open_item){1, 2});
        cn_open_item item;
        assert_int_equal(cn_open_pop(&open, kind_of(&open), &item), 9);
        assert_int_equal(item.label, 1);
        assert_int_equal(open.count, 0);
        cn_open_free(&open);
    }
}

static void there_are_more_buckets_than_keys_can_rise_or_there_is_a_heap(void **state)
{
    (void)state;
    static const uint64_t rises[] = {0, 1, 63, 64, 65, 6726, 65534, 65535};
    for (size_t i = 0; i < COUNT_OF(rises); i++) {
        uint32_t count = cn_open_buckets_for(rises[i]);
        assert_true(count > rises[i]);
        assert_int_equal(count & (count - 1), 0);
        assert_in_range(count, CN_BUCKETS_MIN, CN_BUCKETS_MAX);
    }
    assert_int_equal(cn_open_buckets_for(65536), 0);
    assert_int_equal(cn_open_buckets_for(UINT64_MAX), 0);
}

static void without_memory_the_list_stays_as_it_is(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);

    for (uint32_t bucket_count = 0; bucket_count <= 64; bucket_count += 64) {
        cn_open_list open;
        cn_open_item item;
        for (size_t n = 1; bucket_count && n <= 3; n++) {
            failing_allocator_arm(&failing, n);
            assert_int_equal(cn_open_init(&open, &mem, bucket_count), CAIRN_E_MEMORY);
            assert_int_equal(atomic_load(&failing.outstanding), 0);
        }
        failing_allocator_arm(&failing, 0);
        assert_int_equal(cn_open_init(&open, &mem, bucket_count), CAIRN_OK);
        assert_true(cn_open_reserve(&open, 1));
        cn_open_push(&open, kind_of(&open), 5, (cn_open_item){6, 7});
        failing_allocator_arm(&failing, 1);
        assert_false(cn_open_reserve(&open, 100000));
        assert_int_equal(cn_open_pop(&open, kind_of(&open), &item), 5);
        assert_int_equal(item.value, 7);
        cn_open_free(&open);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_give_the_least_key_and_the_last_added_first),
        cmocka_unit_test(few_buckets_serve_keys_that_rise_far),
        cmocka_unit_test(a_list_that_is_full_of_items_can_be_emptied_at_once),
        cmocka_unit_test(there_are_more_buckets_than_keys_can_rise_or_there_is_a_heap),
        cmocka_unit_test(without_memory_the_list_stays_as_it_is),
    };
    return cmocka_run_group_tests_name("open_list", tests, NULL, NULL);
}
