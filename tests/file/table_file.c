/* Table files: what is saved comes back, and nothing that was changed on the way crashes. */
#include "table/table.h"

#include "base/bytes.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"
#include "support/tables.h"

enum { MAPS = 6 * MAP_KINDS, HEADER = 16, SECTION_HEAD = 16, SELF_CHECKED = 2 };

static const cairn_codec codecs[] = {CAIRN_CODEC_RAW, CAIRN_CODEC_PREDICTOR};

static void save_with(const cairn_map *map, const cairn_table *table, cairn_codec codec,
                      uint8_t **bytes, size_t *size)
{
    cairn_save_options options = {.size = sizeof options, .codec = codec, .thread_count = 1};
    assert_int_equal(cairn_save_bytes(map, table, &options, bytes, size), CAIRN_OK);
}

static void assert_same_map(const cairn_map *map, const picture *drawn, cairn_metric metric)
{
    assert_int_equal(cairn_map_width(map), drawn->width);
    assert_int_equal(cairn_map_height(map), drawn->height);
    assert_int_equal(cairn_map_metric(map).straight, metric.straight);
    assert_int_equal(cairn_map_metric(map).diagonal, metric.diagonal);
    for (uint32_t node = 0; node < picture_size(drawn); node++)
        assert_int_equal(cairn_map_letter(map, node), drawn->letters[node]);
}

static void any_map_and_table_come_back_from_a_file(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_metric metric = fixture_metrics[seed / MAP_KINDS % FIXTURE_METRICS];
        cairn_map *map = map_of(&drawn, metric);
        cairn_table *table = table_with(map, 1 + (uint32_t)(seed % 10), 1, seed);
        for (size_t i = 0; i < COUNT_OF(codecs); i++) {
            uint8_t *bytes;
            size_t size;
            cairn_map *map_again;
            cairn_table *table_again;
            cairn_error error;
            save_with(map, table, codecs[i], &bytes, &size);
            assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map_again, &table_again, &error),
                             CAIRN_OK);
            assert_same_map(map_again, &drawn, metric);
            assert_same_table(table, table_again);
            cairn_table_free(table_again);
            cairn_map_free(map_again);
            cairn_bytes_free(map, bytes);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Landmarks are open cells in order, entries are costs: what a search relies on. Only the entries
 * themselves may be wrong, and then the certificate says so. */
static void assert_sound(const cairn_table *table, const cairn_map *map)
{
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++) {
            assert_true(cairn_map_is_open(map, landmarks[i]));
            assert_true(i == 0 || landmarks[i] > landmarks[i - 1]);
        }
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
            cairn_cost cost = cairn_table_cost(table, row, node);
            assert_true(cost <= CAIRN_COST_MAX || cost == CAIRN_UNREACHABLE);
        }
    }
    cairn_status exact = cairn_table_verify(table, map, 1, NULL);
    assert_true(exact == CAIRN_OK || exact == CAIRN_E_INEXACT);
    assert_true(table_check(table, map) == CAIRN_OK || exact == CAIRN_E_INEXACT);
}

/* Loads from a copy of just that size, so that a read beyond it is noticed. */
static cairn_status load_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + !size);
    cairn_map *map = (cairn_map *)"";
    cairn_table *table = (cairn_table *)"";
    cairn_error error;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    cairn_status status = cairn_load_bytes(copy, size, NULL, &map, &table, &error);
    free(copy);
    assert_int_equal(map != NULL, status == CAIRN_OK);
    assert_int_equal(table != NULL, status == CAIRN_OK);
    if (status != CAIRN_OK) {
        assert_int_equal(error.status, status);
        assert_true(error.offset <= size);
        return status;
    }
    assert_sound(table, map);
    cairn_table_free(table);
    cairn_map_free(map);
    return status;
}

typedef struct saved {
    cairn_map *map;
    uint8_t *bytes;
    size_t size;
} saved;

static saved small_file(cairn_codec codec, cairn_metric metric)
{
    picture drawn = PICTURE("..@...S.", "..@.@...", "....@.G.", "@@T@@@@@", "...W....");
    saved file = {.map = map_of(&drawn, metric)};
    cairn_table *table = table_of(file.map, 3);
    save_with(file.map, table, codec, &file.bytes, &file.size);
    assert_int_equal(load_copy(file.bytes, file.size), CAIRN_OK);
    cairn_table_free(table);
    picture_free(&drawn);
    return file;
}

static void saved_free(saved *file)
{
    cairn_bytes_free(file->map, file->bytes);
    cairn_map_free(file->map);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(codecs); i++) {
        saved file = small_file(codecs[i], CAIRN_METRIC_OCTILE);
        for (size_t size = 0; size < file.size; size++)
            assert_int_not_equal(load_copy(file.bytes, size), CAIRN_OK);
        saved_free(&file);
    }
}

static void every_flipped_bit_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(codecs); i++) {
        saved file = small_file(codecs[i], CAIRN_METRIC_OCTILE);
        for (size_t bit = 0; bit < file.size * 8; bit++) {
            file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (load_copy(file.bytes, file.size) == CAIRN_OK)
                print_error("bit %u of byte %u went unnoticed\n", (unsigned)bit % 8,
                            (unsigned)bit / 8);
            assert_int_not_equal(load_copy(file.bytes, file.size), CAIRN_OK);
            file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        assert_int_equal(load_copy(file.bytes, file.size), CAIRN_OK);
        saved_free(&file);
    }
}

/* CRC-32 bit by bit: slow, obvious, and not the library's. */
static uint32_t crc_over(uint32_t crc, const uint8_t *bytes, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static size_t payload_size(const uint8_t *head)
{
    return (size_t)(cn_get_u64(head + 8) & 0x00ffffffffffffffu);
}

static const uint8_t *read_varint(const uint8_t *at, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0;; shift += 7) {
        *value |= (uint64_t)(*at & 0x7f) << shift;
        if (!(*at++ & 0x80))
            return at;
    }
}

/* Computes the checksum of every row again; `directory` and `rows` are the payloads. */
static void seal_rows(uint8_t *directory, const uint8_t *end, const uint8_t *rows)
{
    while (directory < end) {
        uint64_t codec, size;
        const uint8_t *at = read_varint(read_varint(directory, &codec), &size);
        directory += at - directory;
        cn_put_u32(directory, crc_over(0, rows, size));
        directory += 4;
        rows += size;
    }
}

/* Makes all checksums right again, as one who means harm would, wherever sizes are as they were. */
static void seal(uint8_t *bytes, size_t size, bool rows_too)
{
    uint8_t *directory = NULL;
    size_t directory_size = 0;

    cn_put_u32(bytes + 12, crc_over(0, bytes, 12));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t at = HEADER; at + SECTION_HEAD <= size;) {
            uint8_t *head = bytes + at;
            size_t payload = payload_size(head);
            if (payload > size - at - SECTION_HEAD)
                break;
            if (memcmp(head, "RDIR", 4) == 0) {
                directory = head + SECTION_HEAD;
                directory_size = payload;
            }
            if (rows_too && pass == 0 && directory && memcmp(head, "ROWS", 4) == 0)
                seal_rows(directory, directory + directory_size, head + SECTION_HEAD);
            uint32_t crc = crc_over(crc_over(0, head, 4), head + 8, 8);
            if (!(head[15] & SELF_CHECKED))
                crc = crc_over(crc, head + SECTION_HEAD, payload);
            cn_put_u32(head + 4, crc);
            at += SECTION_HEAD + payload;
        }
    }
}

static void sealing_a_good_file_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(codecs); i++) {
        saved file = small_file(codecs[i], CAIRN_METRIC_OCTILE);
        uint8_t *copy = malloc(file.size);
        assert_non_null(copy);
        memcpy(copy, file.bytes, file.size);
        seal(copy, file.size, true);
        assert_memory_equal(copy, file.bytes, file.size);
        free(copy);
        saved_free(&file);
    }
}

static size_t offset_of(const saved *file, const char *type)
{
    for (size_t at = HEADER; at + SECTION_HEAD <= file->size;) {
        if (memcmp(file->bytes + at, type, 4) == 0)
            return at + SECTION_HEAD;
        at += SECTION_HEAD + payload_size(file->bytes + at);
    }
    fail_msg("no section %s", type);
    return 0;
}

/* The checksums do not protect from intent: behind them, every bit and every byte that can be
 * wrong must be caught, or give a table that is sound. */
static void every_change_behind_right_checksums_is_refused_or_sound(void **state)
{
    (void)state;
    static const cairn_metric metrics[] = {{2378, 3363}, {5, 7}};
    static const uint8_t extremes[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    for (size_t i = 0; i < COUNT_OF(codecs) * COUNT_OF(metrics); i++) {
        saved file = small_file(codecs[i % 2], metrics[i / 2]);
        size_t rows = offset_of(&file, "ROWS"), loaded = 0;
        uint8_t *copy = malloc(file.size);
        assert_non_null(copy);
        for (size_t at = 0; at < file.size; at++) {
            for (unsigned change = 0; change < 8 + COUNT_OF(extremes); change++) {
                memcpy(copy, file.bytes, file.size);
                copy[at] = (uint8_t)(change < 8 ? copy[at] ^ 1u << change : extremes[change - 8]);
                seal(copy, file.size, at >= rows);
                loaded += load_copy(copy, file.size) == CAIRN_OK;
            }
        }
        /* If nothing passed, the checksums are not right and this checks nothing. */
        assert_true(loaded > 20);
        free(copy);
        saved_free(&file);
    }
}

static void bytes_by_chance_are_refused(void **state)
{
    (void)state;
    dice luck = {17};
    uint8_t bytes[300];
    for (int round = 0; round < 5000; round++) {
        size_t size = dice_below(&luck, sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)dice_below(&luck, 256);
        assert_int_not_equal(load_copy(bytes, size), CAIRN_OK);
    }
}

/* Runs of bytes overwritten, moved or doubled, with the checksums made right. */
static void files_mangled_by_chance_are_refused_or_sound(void **state)
{
    (void)state;
    dice luck = {23};
    for (size_t i = 0; i < COUNT_OF(codecs); i++) {
        saved file = small_file(codecs[i], CAIRN_METRIC_OCTILE);
        uint8_t *copy = malloc(file.size);
        assert_non_null(copy);
        for (int round = 0; round < 4000; round++) {
            memcpy(copy, file.bytes, file.size);
            for (uint32_t times = 1 + dice_below(&luck, 3); times; times--) {
                size_t run = 1 + dice_below(&luck, 12);
                size_t from = dice_below(&luck, (uint32_t)(file.size - run));
                size_t to = dice_below(&luck, (uint32_t)(file.size - run));
                if (dice_below(&luck, 2))
                    memmove(copy + to, copy + from, run);
                else
                    memset(copy + to, (int)dice_below(&luck, 256), run);
            }
            seal(copy, file.size, false);
            load_copy(copy, file.size);
        }
        free(copy);
        saved_free(&file);
    }
}

/* Verifies the rows of a file without a table of them. */
static void assert_file_says(const uint8_t *bytes, size_t size, uint64_t memory_limit,
                             cairn_status expected, const cairn_fault *wrong)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        cairn_fault fault = {.row = 99};
        cairn_load_options options = {.size = sizeof options,
                                      .thread_count = threads,
                                      .memory_limit = memory_limit,
                                      .fault = &fault};
        cairn_map *map;
        cairn_table *table;
        assert_int_equal(cairn_load_bytes(bytes, size, &options, &map, NULL, NULL), expected);
        assert_non_null(map);
        assert_memory_equal(&fault, wrong, sizeof fault);
        cairn_map_free(map);
        options.memory_limit = 0;
        assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, &table, NULL), expected);
        assert_non_null(table);
        assert_memory_equal(&fault, wrong, sizeof fault);
        cairn_table_free(table);
    }
}

/* Makes one entry of an open node wrong. */
static void spoil(const cairn_map *map, cairn_table *table, dice *luck)
{
    const uint32_t row = dice_below(luck, cairn_table_row_count(table));
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    while (!cairn_map_is_open(map, node))
        node = (node + 1) % cairn_map_node_count(map);
    const cairn_cost cost = cairn_table_cost(table, row, node);
    assert_int_equal(cairn_table_set_cost(table, row, node, cost == 7 ? 8 : 7), CAIRN_OK);
}

static void rows_are_verified_without_their_table_as_with_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(2 * STORM_KINDS); seed = seed_after(seed)) {
        twin both = storm_twin((unsigned)(seed % STORM_KINDS), seed);
        cairn_table *table = table_with(both.map, 1 + (uint32_t)(seed % 21), 1, seed);
        dice luck = {seed};
        uint8_t *bytes;
        size_t size;
        cairn_fault wrong = {0};
        if (cairn_map_open_count(both.map) > 0 && seed % 3)
            spoil(both.map, table, &luck);
        cairn_status expected = cairn_table_verify(table, both.map, 1, &wrong);
        save_with(both.map, table, CAIRN_CODEC_RAW, &bytes, &size);
        uint64_t least = 1 << 15; /* for the map, and for some bytes of each node */
        least += UINT64_C(1000) * cairn_map_node_count(both.map);
        assert_file_says(bytes, size, 0, expected, &wrong);
        assert_file_says(bytes, size, least, expected, &wrong);
        cairn_bytes_free(both.map, bytes);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* Of 64 rows, 8 at a time. */
static void rows_are_verified_in_little_memory(void **state)
{
    (void)state;
    enum { WIDTH = 90, HEIGHT = 70, ROWS = 64 };
    picture drawn = random_map(MAP_CAVE, WIDTH, HEIGHT, 3);
    cairn_map *map = map_of(&drawn, (cairn_metric){1, 1});
    cairn_table *table = table_of(map, ROWS);
    failing_allocator memory;
    uint8_t *bytes;
    size_t size;
    cairn_fault fault;
    save_with(map, table, CAIRN_CODEC_BEST, &bytes, &size);
    failing_allocator_init(&memory);
    cairn_load_options options = {.size = sizeof options,
                                  .thread_count = 1,
                                  .allocator = &memory.allocator,
                                  .memory_limit = WIDTH * HEIGHT * 20,
                                  .fault = &fault};
    assert_int_equal(cairn_table_entry_bits(table), 16);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, NULL, NULL), CAIRN_OK);
    assert_in_range(memory.peak, 1, cairn_table_memory(table) / 4);
    assert_int_equal(memory.outstanding, 0);
    options.memory_limit = WIDTH * HEIGHT * 10;
    assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, NULL, NULL), CAIRN_E_LIMIT);
    for (size_t n = 1; failing_allocator_struck(&memory) || n == 1; n++) {
        options.memory_limit = 0;
        failing_allocator_arm(&memory, n);
        cairn_status status = cairn_load_bytes(bytes, size, &options, NULL, NULL, NULL);
        assert_int_equal(status, failing_allocator_struck(&memory) ? CAIRN_E_MEMORY : CAIRN_OK);
        assert_int_equal(memory.outstanding, 0);
    }
    cairn_bytes_free(map, bytes);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Files of open maps are so small that few rows may be in memory where nobody asks for more. */
static void more_rows_are_verified_than_may_be_loaded(void **state)
{
    (void)state;
    enum { SIDE = 1024, ROWS = 32 };
    char *letters = malloc(SIDE * SIDE);
    const cairn_build_options wishes = {.size = sizeof wishes, .landmark_count = ROWS};
    cairn_map *map;
    cairn_table *table;
    uint8_t *bytes;
    size_t size;
    cairn_fault fault;
    memset(letters, '.', SIDE * SIDE);
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, letters, NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &wishes, &table), CAIRN_OK);
    save_with(map, table, CAIRN_CODEC_BEST, &bytes, &size);
    cairn_table_free(table);
    cairn_load_options options = {.size = sizeof options, .fault = &fault};
    assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, &table, NULL), CAIRN_E_LIMIT);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, NULL, NULL), CAIRN_OK);
    cairn_bytes_free(map, bytes);
    cairn_map_free(map);
    free(letters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_map_and_table_come_back_from_a_file),
        cmocka_unit_test(rows_are_verified_without_their_table_as_with_it),
        cmocka_unit_test(rows_are_verified_in_little_memory),
        cmocka_unit_test(more_rows_are_verified_than_may_be_loaded),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(sealing_a_good_file_changes_nothing),
        cmocka_unit_test(every_change_behind_right_checksums_is_refused_or_sound),
        cmocka_unit_test(bytes_by_chance_are_refused),
        cmocka_unit_test(files_mangled_by_chance_are_refused_or_sound),
    };
    return cmocka_run_group_tests_name("table_file", tests, NULL, NULL);
}
