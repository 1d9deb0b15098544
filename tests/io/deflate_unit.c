#include "io/deflate.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/random_maps.h"

/* Above what zlib packs in any case. */
enum { SIZE = 20000 };

/* Memory of the caller's own, which leaves zlib alone to do the work, and malloc. */
typedef struct memories {
    failing_allocator counting;
    cn_mem of[2];
} memories;

static void memories_init(memories *both)
{
    failing_allocator_init(&both->counting);
    both->of[0] = cn_mem_from(&both->counting.allocator);
    both->of[1] = cn_mem_from(NULL);
}

/* Text of few letters, random bytes, and one byte over and over. */
static void fill(uint8_t *bytes, size_t size, unsigned kind, dice *luck)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(kind == 0   ? 'a' + dice_below(luck, 4)
                             : kind == 1 ? dice_below(luck, 256)
                                         : 7);
}

static void either_engine_reads_what_either_wrote(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 300, SIZE};
    uint8_t bytes[SIZE], again[SIZE], *packed;
    memories both;
    dice luck = {5};
    memories_init(&both);

    for (unsigned kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            fill(bytes, sizes[i], kind, &luck);
            for (unsigned ways = 0; ways < 4; ways++) {
                const cn_mem *writer = &both.of[ways & 1], *reader = &both.of[ways >> 1];
                size_t packed_size;
                assert_int_equal(cn_deflate(writer, bytes, sizes[i], &packed, &packed_size),
                                 CAIRN_OK);
                assert_int_equal(cn_inflate(reader, packed, packed_size, again, sizes[i]),
                                 CAIRN_OK);
                assert_memory_equal(again, bytes, sizes[i]);
                cn_release(writer, packed);
            }
        }
    }
    assert_int_equal(both.counting.outstanding, 0);
}

static void streams_of_another_size_are_refused_by_either_engine(void **state)
{
    (void)state;
    uint8_t bytes[SIZE], again[SIZE + 1], longer[2 * SIZE] = {0}, *packed;
    size_t packed_size;
    memories both;
    dice luck = {6};
    memories_init(&both);
    fill(bytes, SIZE, 0, &luck);
    assert_int_equal(cn_deflate(&both.of[0], bytes, SIZE, &packed, &packed_size), CAIRN_OK);
    memcpy(longer, packed, packed_size);
    cn_release(&both.of[0], packed);

    for (unsigned i = 0; i < 2; i++) {
        const cn_mem *mem = &both.of[i];
        assert_int_equal(cn_inflate(mem, longer, packed_size, again, SIZE), CAIRN_OK);
        assert_int_equal(cn_inflate(mem, longer, packed_size, again, SIZE - 1), CAIRN_E_FORMAT);
        assert_int_equal(cn_inflate(mem, longer, packed_size, again, SIZE + 1), CAIRN_E_FORMAT);
        assert_int_equal(cn_inflate(mem, longer, packed_size + 1, again, SIZE), CAIRN_E_FORMAT);
        for (size_t size = 0; size < packed_size; size += 7)
            assert_int_equal(cn_inflate(mem, longer, size, again, SIZE), CAIRN_E_FORMAT);
        assert_int_equal(cn_inflate(mem, longer, 1, again, 1 << 20), CAIRN_E_FORMAT);
    }
}

/* The window of a stream is taken when it first has to look back. */
static void a_part_without_memory_is_no_damage(void **state)
{
    (void)state;
    uint8_t bytes[SIZE], again[SIZE], *packed;
    size_t packed_size, refused = 0;
    cairn_status status = CAIRN_E_MEMORY;
    memories both;
    dice luck = {7};
    memories_init(&both);
    const cn_mem *mem = &both.of[0];
    fill(bytes, SIZE, 0, &luck);
    assert_int_equal(cn_deflate(mem, bytes, SIZE, &packed, &packed_size), CAIRN_OK);
    for (size_t n = 1; status == CAIRN_E_MEMORY; n++) {
        failing_allocator_arm(&both.counting, n);
        status = cn_inflate_part(mem, packed, packed_size, SIZE / 2, again, SIZE / 4);
        refused += status == CAIRN_E_MEMORY;
    }
    assert_int_equal(status, CAIRN_OK);
    assert_memory_equal(again, bytes + SIZE / 2, SIZE / 4);
    assert_true(refused > 1);
    failing_allocator_arm(&both.counting, 0);
    cn_release(mem, packed);
    assert_int_equal(both.counting.outstanding, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_engine_reads_what_either_wrote),
        cmocka_unit_test(streams_of_another_size_are_refused_by_either_engine),
        cmocka_unit_test(a_part_without_memory_is_no_damage),
    };
    return cmocka_run_group_tests_name("deflate", tests, NULL, NULL);
}
