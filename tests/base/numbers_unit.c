#include "base/bits.h"
#include "base/bytes.h"
#include "base/heap.h"
#include "base/rng.h"

#include "support/check.h"

static void lowest_and_highest_bit_of_every_pair_of_bits(void **state)
{
    (void)state;
    for (unsigned low = 0; low < 64; low++) {
        for (unsigned high = low; high < 64; high++) {
            uint64_t bits = (uint64_t)1 << low | (uint64_t)1 << high;
            assert_int_equal(cn_lowest_bit(bits), low);
            assert_int_equal(cn_highest_bit(bits), high);
        }
    }
    assert_int_equal(cn_lowest_bit(UINT64_MAX), 0);
    assert_int_equal(cn_highest_bit(UINT64_MAX), 63);
}

static void numbers_are_stored_lowest_byte_first(void **state)
{
    (void)state;
    uint8_t bytes[10] = {0};

    cn_put_u16(bytes + 1, 0x0102);
    assert_memory_equal(bytes, ((uint8_t[]){0, 2, 1, 0}), 4);
    cn_put_u32(bytes + 1, 0x01020304);
    assert_memory_equal(bytes, ((uint8_t[]){0, 4, 3, 2, 1, 0}), 6);
    cn_put_u64(bytes + 1, 0x0102030405060708);
    assert_memory_equal(bytes, ((uint8_t[]){0, 8, 7, 6, 5, 4, 3, 2, 1, 0}), 10);
}

static void numbers_come_back_as_they_were_stored(void **state)
{
    (void)state;
    static const uint64_t values[] = {0,
                                      1,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x8000,
                                      0xffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x8000000000000000,
                                      UINT64_MAX,
                                      0x0123456789abcdef,
                                      0xfedcba9876543210};
    uint8_t bytes[9];

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        cn_put_u16(bytes + 1, (uint16_t)values[i]);
        assert_int_equal(cn_get_u16(bytes + 1), (uint16_t)values[i]);
        cn_put_u32(bytes + 1, (uint32_t)values[i]);
        assert_int_equal(cn_get_u32(bytes + 1), (uint32_t)values[i]);
        cn_put_u64(bytes + 1, values[i]);
        assert_true(cn_get_u64(bytes + 1) == values[i]);
    }
}

static void the_random_sequence_is_the_published_one(void **state)
{
    (void)state;
    /* SplitMix64 with state 0, as printed by its reference implementation. */
    static const uint64_t published[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
                                         0xf88bb8a8724c81ec};
    cn_rng rng = {0};
    for (size_t i = 0; i < COUNT_OF(published); i++)
        assert_true(cn_rng_next(&rng) == published[i]);
}

static void numbers_below_a_limit_reach_each_value_and_never_the_limit(void **state)
{
    (void)state;
    cn_rng rng = {42};
    for (uint32_t limit = 1; limit <= 20; limit++) {
        uint32_t seen = 0;
        for (int i = 0; i < 1000; i++) {
            uint32_t value = cn_rng_below(&rng, limit);
            assert_true(value < limit);
            seen |= (uint32_t)1 << value;
        }
        assert_int_equal(seen, ((uint32_t)1 << limit) - 1);
    }
    for (int i = 0; i < 1000; i++)
        assert_true(cn_rng_below(&rng, UINT32_MAX) < UINT32_MAX);
}

/* Numbers come and go in any order; which ones are there is known from a sorted list. */
static void a_heap_gives_the_least_of_its_numbers(void **state)
{
    (void)state;
    enum { ROOM = 40, TURNS = 20000 };
    uint64_t heap[ROOM], sorted[ROOM];
    size_t heap_count = 0, count = 0;
    cn_rng rng = {1};
    for (unsigned turn = 0; turn < TURNS; turn++) {
        if (count < ROOM && (count == 0 || cn_rng_below(&rng, 2))) {
            const uint64_t number = cn_rng_below(&rng, 100);
            size_t at = count++;
            for (; at > 0 && sorted[at - 1] < number; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = number;
            cn_heap_push(heap, &heap_count, number);
        } else {
            assert_int_equal(cn_heap_pop(heap, &heap_count), sorted[--count]);
        }
        assert_int_equal(heap_count, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowest_and_highest_bit_of_every_pair_of_bits),
        cmocka_unit_test(numbers_are_stored_lowest_byte_first),
        cmocka_unit_test(numbers_come_back_as_they_were_stored),
        cmocka_unit_test(the_random_sequence_is_the_published_one),
        cmocka_unit_test(numbers_below_a_limit_reach_each_value_and_never_the_limit),
        cmocka_unit_test(a_heap_gives_the_least_of_its_numbers),
    };
    return cmocka_run_group_tests_name("numbers", tests, NULL, NULL);
}
