#include "codec/map_letters.h"

#include "io/range_coder.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/random_maps.h"

static const cn_letters_bounds unbounded = {UINT64_MAX, NULL};

static void check_round_trip(const picture *map)
{
    cn_mem mem = cn_mem_from(NULL);
    cn_buffer out = {.mem = &mem};
    size_t count = picture_size(map);
    uint8_t *back = malloc(count);

    cn_letters_pack((const uint8_t *)map->letters, map->width, map->height, &out);
    assert_int_equal(out.status, CAIRN_OK);
    assert_int_equal(
        cn_letters_unpack(out.bytes, out.size, map->width, map->height, &mem, &unbounded, back),
        CAIRN_OK);
    assert_memory_equal(back, map->letters, count);
    assert_int_not_equal(
        cn_letters_unpack(out.bytes, 0, map->width, map->height, &mem, &unbounded, back), CAIRN_OK);
    free(back);
    cn_buffer_free(&out);
}

static void letters_come_back_as_they_were(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        picture map = any_map(seed);
        dice luck = {seed};
        check_round_trip(&map);
        for (uint32_t i = 0; i < picture_size(&map); i++) {
            if (dice_below(&luck, 10) < seed % 10)
                map.letters[i] = ".GS@OTW"[dice_below(&luck, 7)];
        }
        check_round_trip(&map);
        picture_free(&map);
    }
}

static void large_areas_cost_next_to_nothing(void **state)
{
    (void)state;
    picture map = picture_filled(3000, 1000, '.');
    cn_mem mem = cn_mem_from(NULL);
    cn_buffer out = {.mem = &mem};
    for (uint32_t x = 500; x < 900; x++)
        map.letters[300 * 3000 + x] = '@';
    check_round_trip(&map);
    cn_letters_pack((const uint8_t *)map.letters, map.width, map.height, &out);
    assert_true(out.size < 64);
    cn_buffer_free(&out);
    picture_free(&map);
}

/* What one version writes the others read: writer and reader cannot change together. Stretches of
 * either letter end before the letters above them do. */
static void letters_are_always_the_same_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {0x02, 0x2e, 0x40, 0x9c, 0xd5, 0x1b, 0x03, 0xc8,
                                       0x66, 0x43, 0x58, 0x6b, 0x99, 0x2f, 0xf0};
    picture map = picture_filled(64, 8, '.');
    cn_mem mem = cn_mem_from(NULL);
    cn_buffer out = {.mem = &mem};
    for (uint32_t y = 1; y < 6; y++)
        memset(map.letters + y * 64 + 10, '@', y < 4 ? 40 : 15);
    cn_letters_pack((const uint8_t *)map.letters, map.width, map.height, &out);
    assert_int_equal(out.size, sizeof expected);
    assert_memory_equal(out.bytes, expected, sizeof expected);
    check_round_trip(&map);
    cn_buffer_free(&out);
    picture_free(&map);
}

static void any_bytes_are_letters_or_are_refused(void **state)
{
    (void)state;
    cn_mem mem = cn_mem_from(NULL);
    dice luck = {3};
    uint8_t letters[37 * 23];
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t bytes[32];
        size_t size = dice_below(&luck, sizeof bytes);
        for (size_t j = 0; j < size; j++)
            bytes[j] = (uint8_t)dice_below(&luck, 256);
        bytes[0] = (uint8_t)dice_below(&luck, 20);
        cairn_status status = cn_letters_unpack(bytes, size, 37, 23, &mem, &unbounded, letters);
        assert_true(status == CAIRN_OK || status == CAIRN_E_FORMAT);
    }
}

static void a_limit_of_decisions_refuses_letters_or_changes_nothing(void **state)
{
    (void)state;
    cn_mem mem = cn_mem_from(NULL);
    picture map = random_map(MAP_CLUTTERED, 40, 30, 5);
    cn_buffer out = {.mem = &mem};
    uint8_t letters[40 * 30];
    bool refused = false, taken = false;

    cn_letters_pack((const uint8_t *)map.letters, 40, 30, &out);
    for (uint64_t most = 1; !taken; most *= 2) {
        cn_letters_bounds bounds = {most, NULL};
        cairn_status status = cn_letters_unpack(out.bytes, out.size, 40, 30, &mem, &bounds,
                                                letters);
        assert_true(status == CAIRN_OK || status == CAIRN_E_LIMIT);
        refused = refused || status == CAIRN_E_LIMIT;
        taken = status == CAIRN_OK;
        assert_true(most <= 40 * 30 * 7);
    }
    assert_true(refused);
    assert_memory_equal(letters, map.letters, sizeof letters);
    cn_buffer_free(&out);
    picture_free(&map);
}

static void numbers_of_any_size_pass_the_range_coder(void **state)
{
    (void)state;
    cn_mem mem = cn_mem_from(NULL);
    cn_buffer out = {.mem = &mem};
    cn_range_encoder encoder;
    cn_chance chances[CN_GAMMA_CHANCES], bit_chance;
    enum { NUMBERS = 20000 };
    dice luck = {11};

    cn_buffer_append(&out, "\0\0\0", 3);
    cn_range_begin(&encoder, &out);
    cn_chances_init(chances, CN_GAMMA_CHANCES);
    cn_chances_init(&bit_chance, 1);
    for (unsigned i = 0; i < NUMBERS; i++) {
        uint32_t number = (dice_below(&luck, UINT32_MAX) >> dice_below(&luck, 32)) + (i % 97 == 0);
        cn_range_put_gamma(&encoder, chances, number ? number : 1);
        cn_range_put(&encoder, &bit_chance, i % 1000 == 0);
        cn_range_put_direct(&encoder, number, i % 33);
    }
    cn_range_end(&encoder);
    assert_int_equal(out.status, CAIRN_OK);
    assert_memory_equal(out.bytes, "\0\0\0", 3);

    cn_range_decoder decoder = cn_range_open((uint8_t *)out.bytes + 3, out.size - 3);
    luck = (dice){11};
    cn_chances_init(chances, CN_GAMMA_CHANCES);
    cn_chances_init(&bit_chance, 1);
    for (unsigned i = 0; i < NUMBERS; i++) {
        uint32_t number = (dice_below(&luck, UINT32_MAX) >> dice_below(&luck, 32)) + (i % 97 == 0);
        uint32_t mask = i % 33 == 32 ? UINT32_MAX : (1u << i % 33) - 1;
        assert_int_equal(cn_range_get_gamma(&decoder, chances), number ? number : 1);
        assert_int_equal(cn_range_get(&decoder, &bit_chance), i % 1000 == 0);
        assert_int_equal(cn_range_get_direct(&decoder, i % 33), number & mask);
    }
    assert_true(cn_range_is_spent(&decoder));
    cn_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_come_back_as_they_were),
        cmocka_unit_test(large_areas_cost_next_to_nothing),
        cmocka_unit_test(letters_are_always_the_same_bytes),
        cmocka_unit_test(any_bytes_are_letters_or_are_refused),
        cmocka_unit_test(a_limit_of_decisions_refuses_letters_or_changes_nothing),
        cmocka_unit_test(numbers_of_any_size_pass_the_range_coder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
