#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#ifndef _WIN32
#  include <sys/resource.h>
#  include <sys/wait.h>
#endif

#include "base/bytes.h"
#include "cairn/cairn.h"
#include "io/deflate.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/tables.h"
#include "file/file_format.h"
#include "table/table.h"

static picture two_halls(void)
{
    return PICTURE(".....@....", "..@..@.SS.", ".@@..@.G..", ".....@....", "@@@@@@@.@@",
                   ".T.W......");
}

typedef struct saved {
    picture drawn;
    cairn_map *map;
    cairn_table *table;
    uint8_t *bytes;
    size_t size;
} saved;

static saved save_halls(uint32_t rows, cairn_codec codec)
{
    saved file = {.drawn = two_halls()};
    cairn_save_options options = {.size = sizeof options, .codec = codec};
    file.map = map_of(&file.drawn, CAIRN_METRIC_OCTILE);
    file.table = table_of(file.map, rows);
    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &file.bytes, &file.size),
                     CAIRN_OK);
    return file;
}

static void saved_free(saved *file)
{
    cairn_bytes_free(file->map, file->bytes);
    cairn_table_free(file->table);
    cairn_map_free(file->map);
    picture_free(&file->drawn);
}

static void assert_first_rows(const cairn_table *table, const cairn_table *full,
                              const cairn_map *map, uint32_t rows)
{
    assert_int_equal(cairn_table_row_count(table), rows);
    assert_int_equal(cairn_table_entry_bits(table), cairn_table_entry_bits(full));
    assert_true(cairn_table_map_hash(table) == cairn_map_hash(map));
    assert_same_rows(table, full);
}

static void a_file_gives_back_map_and_table(void **state)
{
    (void)state;
    for (int codec = CAIRN_CODEC_BEST; codec <= CAIRN_CODEC_SEEDS; codec++) {
        saved file = save_halls(20, (cairn_codec)codec);
        cairn_map *map;
        cairn_table *table;
        cairn_error error;
        assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, &map, &table, &error),
                         CAIRN_OK);
        assert_true(cairn_map_hash(map) == cairn_map_hash(file.map));
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            assert_int_equal(cairn_map_letter(map, node), cairn_map_letter(file.map, node));
        assert_first_rows(table, file.table, map, 20);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        saved_free(&file);
    }
}

static void either_output_may_be_left_out(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    cairn_map *map;
    cairn_table *table;
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, &map, NULL, NULL), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, map, 3);
    cairn_table_free(table);
    cairn_map_free(map);
    saved_free(&file);
}

/* The bytes of the rows behind the wanted ones are gone: nothing may ask for them. */
static void a_prefix_of_the_rows_needs_only_its_own_bytes(void **state)
{
    (void)state;
    saved file = save_halls(8, CAIRN_CODEC_RAW);
    size_t row_bytes = cairn_map_open_count(file.map) * (cairn_table_entry_bits(file.table) / 8u);
    cairn_load_options options = {.size = sizeof options};
    char *path = scratch_file("prefix.cairn");

    for (uint32_t rows = 1; rows < 8; rows++) {
        size_t enough = file.size - CN_SECTION_HEAD_SIZE - (8 - rows) * row_bytes;
        cairn_table *table;
        options.row_count = rows;
        assert_int_equal(cairn_load_bytes(file.bytes, file.size, &options, NULL, &table, NULL),
                         CAIRN_OK);
        assert_first_rows(table, file.table, file.map, rows);
        cairn_table_free(table);

        write_file(path, file.bytes, enough);
        assert_int_equal(cairn_load(path, &options, NULL, &table, NULL), CAIRN_OK);
        assert_first_rows(table, file.table, file.map, rows);
        cairn_table_free(table);
        assert_int_equal(cairn_load(path, NULL, NULL, &table, NULL), CAIRN_E_FORMAT);
        assert_null(table);
    }
    scratch_remove(path);
    saved_free(&file);
}

static void fewer_rows_may_be_written(void **state)
{
    (void)state;
    saved file = save_halls(6, CAIRN_CODEC_BEST);
    cairn_save_options options = {.size = sizeof options, .row_count = 2};
    uint8_t *bytes;
    size_t size;
    cairn_table *table;

    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 2);
    cairn_table_free(table);
    cairn_bytes_free(file.map, bytes);
    options.row_count = 7;
    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size),
                     CAIRN_E_ARGUMENT);
    assert_null(bytes);
    saved_free(&file);
}

static void the_bytes_are_the_same_at_any_thread_count(void **state)
{
    (void)state;
    saved file = save_halls(12, CAIRN_CODEC_BEST);
    for (uint32_t threads = 1; threads <= 8; threads++) {
        cairn_save_options options = {.size = sizeof options, .thread_count = threads};
        uint8_t *bytes;
        size_t size;
        assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
        assert_int_equal(size, file.size);
        assert_memory_equal(bytes, file.bytes, size);
        cairn_bytes_free(file.map, bytes);
    }
    saved_free(&file);
}

static void an_entry_that_is_not_the_true_cost_survives_the_file(void **state)
{
    (void)state;
    saved file = save_halls(2, CAIRN_CODEC_BEST);
    cairn_node landmark = 0;
    const cairn_node *landmarks;
    cairn_table_landmarks(file.table, 1, &landmarks);
    landmark = landmarks[0];

    for (cairn_node node = 0; node < cairn_map_node_count(file.map); node++) {
        if (!cairn_map_is_open(file.map, node))
            continue;
        cairn_cost cost = cairn_table_cost(file.table, 1, node);
        uint8_t *bytes;
        size_t size;
        cairn_map *map;
        cairn_table *table;
        cairn_fault fault;
        if (cost == CAIRN_UNREACHABLE)
            continue;
        assert_int_equal(cairn_table_set_cost(file.table, 1, node, cost + 1), CAIRN_OK);
        assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &bytes, &size), CAIRN_OK);
        assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &table, NULL), CAIRN_OK);
        assert_int_equal(cairn_table_cost(table, 1, node), cost + 1);
        assert_int_equal(cairn_table_verify(table, map, 1, &fault), CAIRN_E_INEXACT);
        assert_int_equal(fault.row, 1);
        cairn_map_free(map);
        cairn_table_free(table);
        cairn_bytes_free(file.map, bytes);
        cairn_table_set_cost(file.table, 1, node, cost);
    }
    assert_int_equal(cairn_table_cost(file.table, 1, landmark), 0);
    saved_free(&file);
}

/* ------------------------------------------------------------------------ hostile files -- */

/* Offset of the head of a section. */
static size_t find_section(const uint8_t *bytes, size_t size, uint32_t type)
{
    size_t at = CN_HEADER_SIZE;
    while (at < size && cn_get_u32(bytes + at) != type)
        at += CN_SECTION_HEAD_SIZE + (size_t)(cn_get_u64(bytes + at + 8) & UINT64_MAX >> 8);
    assert_true(at < size);
    return at;
}

/* Makes the checksum of a section right again after a change. */
static void seal(uint8_t *bytes, size_t at)
{
    uint64_t word = cn_get_u64(bytes + at + 8);
    uLong crc = crc32(0, bytes + at, 4);
    crc = crc32(crc, bytes + at + 8, 8);
    if (!(word >> 56 & CN_SECTION_SELF_CHECKED))
        crc = crc32(crc, bytes + at + CN_SECTION_HEAD_SIZE, (uInt)(word & UINT64_MAX >> 8));
    cn_put_u32(bytes + at + 4, (uint32_t)crc);
}

static void a_file_without_its_map_needs_that_map(void **state)
{
    (void)state;
    saved file = save_halls(5, CAIRN_CODEC_BEST);
    cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    cairn_load_options load = {.size = sizeof load};
    picture other_drawn = picture_filled(10, 6, '.');
    cairn_map *map, *other = map_of(&other_drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table;
    cairn_error error;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(file.map, file.table, &save, &bytes, &size), CAIRN_OK);
    assert_true(size < file.size);
    assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &table, &error), CAIRN_E_MISMATCH);
    assert_int_equal(error.status, CAIRN_E_MISMATCH);
    load.map = other;
    assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &table, NULL), CAIRN_E_MISMATCH);
    load.map = file.map;
    assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 5);
    cairn_table_free(table);
    assert_int_equal(cairn_load_bytes(bytes, size, &load, &map, &table, NULL), CAIRN_E_FORMAT);
    assert_null(map);
    assert_null(table);
    cairn_bytes_free(file.map, bytes);
    cairn_map_free(other);
    picture_free(&other_drawn);
    saved_free(&file);
}

/* The table alone would be one of a map that nobody has. */
static void a_file_with_its_map_is_not_taken_for_one_of_another(void **state)
{
    (void)state;
    saved file = save_halls(5, CAIRN_CODEC_BEST);
    picture other_drawn = picture_filled(10, 6, '.');
    cairn_map *map, *other = map_of(&other_drawn, CAIRN_METRIC_OCTILE);
    cairn_fault fault;
    cairn_load_options load = {.size = sizeof load, .map = other};
    cairn_table *table;
    cairn_error error;

    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, &table, &error),
                     CAIRN_E_MISMATCH);
    assert_null(table);
    assert_non_null(strstr(error.expected, "the map that was given"));
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, NULL, NULL),
                     CAIRN_E_MISMATCH);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, &map, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, map, 5);
    cairn_table_free(table);
    cairn_map_free(map);

    load.map = file.map;
    load.fault = &fault;
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, NULL, NULL), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 5);
    cairn_table_free(table);
    cairn_map_free(other);
    picture_free(&other_drawn);
    saved_free(&file);
}

static void a_limit_of_memory_loads_the_rows_that_fit(void **state)
{
    (void)state;
    saved file = save_halls(24, CAIRN_CODEC_BEST);
    cairn_load_options options = {.size = sizeof options};
    uint32_t before = 0;
    bool refused = false;
    for (options.memory_limit = 1; before < 24; options.memory_limit += 16) {
        cairn_map *map;
        cairn_table *table;
        cairn_error error;
        cairn_status status = cairn_load_bytes(file.bytes, file.size, &options, &map, &table,
                                               &error);
        if (before == 0 && status == CAIRN_E_LIMIT) {
            refused = true;
            assert_null(table);
            continue;
        }
        assert_int_equal(status, CAIRN_OK);
        uint32_t rows = cairn_table_row_count(table);
        assert_true(rows >= before);
        assert_in_range(cairn_map_memory(map) + cairn_table_memory(table), 1, options.memory_limit);
        assert_first_rows(table, file.table, file.map, rows);
        before = rows;
        cairn_table_free(table);
        cairn_map_free(map);
    }
    assert_true(refused);
    saved_free(&file);
}

static void a_limit_of_memory_holds_for_a_map_without_its_table(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    const size_t least = cairn_map_memory(file.map);
    cairn_load_options options = {.size = sizeof options};
    cairn_status status = CAIRN_E_LIMIT;
    cairn_map *map;
    for (options.memory_limit = 1; status == CAIRN_E_LIMIT; options.memory_limit += 16) {
        assert_true(options.memory_limit < 2 * least);
        status = cairn_load_bytes(file.bytes, file.size, &options, &map, NULL, NULL);
        if (status == CAIRN_OK)
            assert_in_range(cairn_map_memory(map), 1, options.memory_limit);
        else
            assert_null(map);
    }
    assert_int_equal(status, CAIRN_OK);
    cairn_map_free(map);
    saved_free(&file);
}

/* A map of 2^28 cells in a few bytes, and 256 rows of it. */
static void a_small_file_cannot_ask_for_vast_memory(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    failing_allocator failing;
    failing_allocator_init(&failing);
    size_t at = find_section(file.bytes, file.size, CN_TYPE_MAP);
    cairn_load_options options = {.size = sizeof options, .allocator = &failing.allocator};
    cairn_table *table;
    cairn_error error;

    options.memory_limit = UINT64_C(256) << 20;
    cn_put_u32(file.bytes + at + CN_SECTION_HEAD_SIZE + 4, 16384);
    cn_put_u32(file.bytes + at + CN_SECTION_HEAD_SIZE + 8, 16384);
    seal(file.bytes, at);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &options, NULL, &table, &error),
                     CAIRN_E_LIMIT);
    assert_int_equal(failing.calls, 0);

    /* The limit that the size of the file gives is no larger: who wants such a map says so. */
    options.memory_limit = 0;
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &options, NULL, &table, &error),
                     CAIRN_E_LIMIT);
    assert_int_equal(failing.calls, 0);
    assert_string_equal(error.expected, "a map that takes no more than the limit of memory");
    assert_string_equal(error.found, "536870912 bytes");
    options.memory_limit = UINT64_C(4) << 30;
    failing_allocator_arm(&failing, 1);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &options, NULL, &table, &error),
                     CAIRN_E_MEMORY);
    assert_true(failing_allocator_struck(&failing));
    saved_free(&file);
}

/* The file with the payload of a section replaced, and its checksum right. */
static void replace_section(const saved *file, uint32_t type, const uint8_t *payload,
                            size_t payload_size, uint8_t **bytes, size_t *size)
{
    size_t at = find_section(file->bytes, file->size, type), from = at + CN_SECTION_HEAD_SIZE;
    uint64_t word = cn_get_u64(file->bytes + at + 8);
    size_t old_size = (size_t)(word & UINT64_MAX >> 8);

    *size = file->size - old_size + payload_size;
    *bytes = malloc(*size);
    memcpy(*bytes, file->bytes, from);
    memcpy(*bytes + from, payload, payload_size);
    memcpy(*bytes + from + payload_size, file->bytes + from + old_size,
           file->size - from - old_size);
    cn_put_u64(*bytes + at + 8, (word & ~(UINT64_MAX >> 8)) | payload_size);
    seal(*bytes, at);
}

static const uint32_t section_types[] = {CN_TYPE_MAP,       CN_TYPE_METRIC,    CN_TYPE_TABLE,
                                         CN_TYPE_LANDMARKS, CN_TYPE_DIRECTORY, CN_TYPE_ROWS,
                                         CN_TYPE_END};

static void a_byte_more_or_less_in_any_section_is_refused(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_RAW);
    for (size_t i = 0; i < COUNT_OF(section_types); i++) {
        size_t at = find_section(file.bytes, file.size, section_types[i]);
        size_t old_size = (size_t)(cn_get_u64(file.bytes + at + 8) & UINT64_MAX >> 8);
        for (int change = -1; change <= 1; change += 2) {
            uint8_t payload[4096] = {0}, *bytes;
            size_t size;
            cairn_table *table;
            if (old_size == 0 && change < 0)
                continue;
            memcpy(payload, file.bytes + at + CN_SECTION_HEAD_SIZE, old_size);
            replace_section(&file, section_types[i], payload, old_size + (size_t)change, &bytes,
                            &size);
            /* Letters that lack a byte may be those of another map. */
            assert_int_equal(cairn_load_bytes(bytes, size, NULL, NULL, &table, NULL),
                             CAIRN_E_FORMAT);
            assert_null(table);
            free(bytes);
        }
    }
    saved_free(&file);
}

static void other_flags_of_a_section_are_named(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_RAW);
    for (size_t i = 0; i < COUNT_OF(section_types); i++) {
        const size_t at = find_section(file.bytes, file.size, section_types[i]);
        const uint8_t right = file.bytes[at + 15];
        for (unsigned flags = 0; flags < 4; flags++) {
            cairn_table *table;
            cairn_error error;
            if (flags == right)
                continue;
            file.bytes[at + 15] = (uint8_t)flags;
            seal(file.bytes, at);
            cairn_status status = cairn_load_bytes(file.bytes, file.size, NULL, NULL, &table,
                                                   &error);
            assert_int_equal(status, CAIRN_E_FORMAT);
            assert_string_equal(error.expected, right == 1 ? "section flags 1" : "section flags 3");
            assert_int_equal(error.offset, at + 15);
            assert_int_equal(error.found[0], '0' + (int)flags);
        }
        file.bytes[at + 15] = right;
        seal(file.bytes, at);
    }
    saved_free(&file);
}

/* The section LAND with lists of so many zeros, deflated: rows without landmarks, and then more. */
static size_t bomb(uint8_t *payload, size_t room, size_t size)
{
    uint8_t *zeros = calloc(size, 1);
    z_stream stream = {.next_in = zeros, .avail_in = (uInt)size};
    size_t head = 0;

    for (uint64_t left = size; left || head == 0; left >>= 7)
        payload[head++] = (uint8_t)((left & 0x7f) | (left >> 7 ? 0x80 : 0));
    stream.next_out = payload + head;
    stream.avail_out = (uInt)(room - head);
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    free(zeros);
    return head + stream.total_out;
}

/* What can be landmarks is told by the map: however many bytes a file says that they take, memory
 * is taken for no more than that. */
static void landmarks_take_no_more_memory_than_the_map_can_have(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    uint8_t payload[1 << 14], *bytes;
    size_t most = 3 * (5 + (size_t)cairn_map_open_count(file.map));
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_load_options options = {.size = sizeof options, .allocator = &failing.allocator};
    cairn_table *table;

    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &options, NULL, &table, NULL),
                     CAIRN_OK);
    cairn_table_free(table);
    size_t usual = failing.largest;
    for (size_t size = most; size < 1 << 23; size = 2 * size + 1) {
        cairn_error error;
        size_t file_size, payload_size = bomb(payload, sizeof payload, size);
        size_t at = find_section(file.bytes, file.size, CN_TYPE_LANDMARKS);
        replace_section(&file, CN_TYPE_LANDMARKS, payload, payload_size, &bytes, &file_size);
        assert_int_equal(cairn_load_bytes(bytes, file_size, &options, NULL, &table, &error),
                         CAIRN_E_FORMAT);
        assert_int_equal(error.offset, at + CN_SECTION_HEAD_SIZE);
        assert_true(failing.largest == usual);
        free(bytes);
    }
    saved_free(&file);
}

/* A graph of millions of nodes without arcs, in some thousand bytes. */
static void a_graph_is_refused_by_a_limit_of_memory(void **state)
{
    (void)state;
    enum { NODES = 1 << 22 };
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    uint8_t payload[1 << 14] = {CN_MAP_KIND_GRAPH}, *bytes;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_load_options options = {
        .size = sizeof options, .allocator = &failing.allocator, .memory_limit = 8 * NODES};
    cairn_map *map;
    size_t size;

    cn_put_u32(payload + 4, NODES);
    cn_put_u32(payload + 8, 1);
    size_t payload_size = CN_MAP_HEAD_SIZE + bomb(payload + CN_MAP_HEAD_SIZE,
                                                  sizeof payload - CN_MAP_HEAD_SIZE, NODES);
    replace_section(&file, CN_TYPE_MAP, payload, payload_size, &bytes, &size);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, &map, NULL, NULL), CAIRN_E_LIMIT);
    assert_int_equal(failing.calls, 0);
    options.memory_limit = 0;
    size_t metric = find_section(bytes, size, CN_TYPE_METRIC) + CN_SECTION_HEAD_SIZE;
    cn_put_u32(bytes + metric, 1);
    cn_put_u32(bytes + metric + 4, 1);
    seal(bytes, metric - CN_SECTION_HEAD_SIZE);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, &map, NULL, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_node_count(map), NODES);
    cairn_map_free(map);
    free(bytes);
    saved_free(&file);
}

typedef struct drip {
    const uint8_t *bytes;
    size_t left;
    size_t fail_at; /* bytes left when reading fails; SIZE_MAX: never */
} drip;

static size_t drip_read(void *context, void *bytes, size_t size)
{
    drip *from = context;
    if (from->left <= from->fail_at && from->fail_at != SIZE_MAX)
        return SIZE_MAX;
    size_t count = size < from->left ? size : from->left;
    if (count)
        memcpy(bytes, from->bytes, count);
    from->bytes += count;
    from->left -= count;
    return count;
}

static void a_file_comes_from_a_stream_as_from_memory(void **state)
{
    (void)state;
    saved file = save_halls(5, CAIRN_CODEC_BEST);
    for (unsigned known = 0; known < 2; known++) {
        drip from = {file.bytes, file.size, SIZE_MAX};
        cairn_stream stream = {drip_read, &from, known ? file.size : 0};
        cairn_map *map;
        cairn_table *table;
        assert_int_equal(cairn_load_from(&stream, NULL, &map, &table, NULL), CAIRN_OK);
        assert_first_rows(table, file.table, map, 5);
        cairn_map_free(map);
        cairn_table_free(table);
        for (size_t size = 0; size < file.size; size += 3) {
            from = (drip){file.bytes, size, SIZE_MAX};
            assert_int_equal(cairn_load_from(&stream, NULL, &map, &table, NULL), CAIRN_E_FORMAT);
            if (size + CN_SECTION_HEAD_SIZE > file.size)
                break;
            from = (drip){file.bytes, file.size, file.size - size};
            assert_int_equal(cairn_load_from(&stream, NULL, &map, &table, NULL), CAIRN_E_IO);
            assert_null(map);
            assert_null(table);
        }
    }
    saved_free(&file);
}

/* A file of a few bytes that says that its map has 1 GiB, as much as 32 bits allow, from a stream
 * that says as much. */
static void a_stream_takes_memory_for_what_has_come(void **state)
{
    (void)state;
    enum { COME = 60, MOST = 1 << 21 };
    const uint64_t announced = UINT64_C(1) << 30;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    const size_t at = find_section(file.bytes, file.size, CN_TYPE_MAP);
    cn_put_u64(file.bytes + at + 8, announced | (uint64_t)CN_SECTION_REQUIRED << 56);
    for (unsigned known = 0; known < 2; known++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        const cairn_load_options options = {.size = sizeof options,
                                            .allocator = &failing.allocator};
        drip from = {file.bytes, COME, SIZE_MAX};
        const cairn_stream stream = {drip_read, &from, known ? UINT64_MAX / 2 : 0};
        cairn_table *table;
        assert_int_equal(cairn_load_from(&stream, &options, NULL, &table, NULL), CAIRN_E_FORMAT);
        assert_true(failing.calls > 0 && failing.largest <= MOST);
    }
    saved_free(&file);
}

/* Kinds of maps that differ in all that an outline tells of costs. */
static cairn_map *terrain_of_kind(unsigned kind, cairn_alphabet *alphabet)
{
    static const char letters[] = ".S^.@.";
    static const uint16_t cells[] = {1, 2, 3, 4, 5, 9};
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 7}};
    const cairn_heights heights = {3, 2, cells, 500, kind == 3 ? 500 : 50};
    cairn_map_options options = {.size = sizeof options, .alphabet = alphabet};
    cairn_map *map = NULL;

    cairn_alphabet_init(alphabet);
    if (kind == 0) {
        assert_int_equal(cairn_map_from_arcs(2, arcs, 2, NULL, NULL, NULL, &map), CAIRN_OK);
        return map;
    }
    alphabet->cost['S'] = kind < 3 ? 7 : 1;
    alphabet->cost['^'] = kind == 4 ? 1 : CAIRN_TERRAIN_BLOCKED;
    options.charge = kind == 1 ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED;
    options.rule = kind == 2 ? CAIRN_RULE_HEX : CAIRN_RULE_4;
    options.heights = kind == 3 || kind == 5 ? &heights : NULL;
    assert_int_equal(cairn_map_from_letters(3, 2, letters, &options, &map, NULL), CAIRN_OK);
    return map;
}

static void check_terrain(const cairn_ground *ground, const cairn_map *map,
                          const cairn_alphabet *alphabet, bool averages)
{
    cairn_metric metric = cairn_map_metric(map);
    cairn_heights heights;

    cairn_map_heights(map, &heights);
    assert_int_equal(ground->kind, cairn_map_kind_of(map));
    assert_int_equal(ground->width, cairn_map_width(map));
    assert_int_equal(ground->height, cairn_map_height(map));
    assert_memory_equal(&ground->metric, &metric, sizeof metric);
    assert_int_equal(ground->is_directed, cairn_map_is_directed(map));
    if (ground->kind == CAIRN_MAP_GRAPH)
        return;
    assert_int_equal(ground->rule, cairn_map_rule(map));
    assert_int_equal(ground->charge, averages ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED);
    assert_memory_equal(ground->alphabet.cost, alphabet->cost, sizeof alphabet->cost);
    assert_int_equal(ground->climb, heights.climb);
    assert_int_equal(ground->descend, heights.descend);
}

static void an_outline_tells_what_decides_costs_and_what_the_table_takes(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        cairn_alphabet alphabet;
        cairn_map *map = terrain_of_kind(kind, &alphabet);
        cairn_table *table = table_of(map, 2);
        const cairn_node *nodes;
        cairn_outline outline;
        uint8_t *bytes;
        size_t size, landmarks = 0;

        assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
        assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, NULL), CAIRN_OK);
        check_terrain(&outline.ground, map, &alphabet, kind == 1);
        for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
            landmarks += cairn_table_landmarks(table, row, &nodes);
        assert_true(outline.landmark_count == landmarks);
        assert_true(outline.table_memory == cairn_table_memory(table));
        cairn_bytes_free(map, bytes);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

/* The outline is that of the map with its terrain, the metric that of the rows. */
static void an_outline_of_rows_that_count_steps_says_so(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        cairn_alphabet alphabet;
        cairn_map *map = terrain_of_kind(kind, &alphabet);
        cairn_build_options build = {
            .size = sizeof build, .landmark_count = 2, .flat_metric = {1, 1}};
        cairn_outline outline;
        cairn_table *table;
        uint8_t *bytes;
        size_t size;

        assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
        assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
        assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, NULL), CAIRN_OK);
        assert_true(outline.is_flat);
        assert_int_equal(outline.metric.straight, 1);
        assert_int_equal(outline.metric.diagonal, 1);
        assert_int_equal(outline.row_count, cairn_table_row_count(table));
        assert_int_equal(outline.entry_bits, cairn_table_entry_bits(table));
        assert_int_equal(outline.is_directed, cairn_table_way(table, 0) != CAIRN_WAY_BOTH);
        assert_true(outline.table_memory == cairn_table_memory(table));
        /* Only its arcs would tell whether costs of a graph are directed. */
        if (kind == 0)
            assert_false(outline.ground.is_directed);
        else
            check_terrain(&outline.ground, map, &alphabet, kind == 1);
        cairn_bytes_free(map, bytes);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

/* A file without a map is verified on the caller's, of which that leaves nothing behind. */
static void assert_loads_verified(const cairn_map *map, const cairn_table *table)
{
    const cairn_save_options saving = {.size = sizeof saving, .map_part = CAIRN_MAP_LEFT_OUT};
    cairn_fault fault;
    const cairn_load_options loading = {.size = sizeof loading, .map = map, .fault = &fault};
    const size_t before = cairn_map_memory(map);
    cairn_table *loaded;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(map, table, &saving, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &loading, NULL, &loaded, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_memory(map), before);
    cairn_table_free(loaded);
    cairn_bytes_free(map, bytes);
}

static void verify_before_and_after_an_edit(cairn_map *edited, cairn_map *map)
{
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 2, .flat_metric = {1, 1}};
    const cairn_edit block = cairn_block(0, 0);
    cairn_table *table;

    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    assert_loads_verified(map, table);
    if (cairn_map_kind_of(map) != CAIRN_MAP_GRAPH)
        assert_int_equal(cairn_map_edit(edited, &block, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_loads_verified(map, table);
    cairn_table_free(table);
}

static void rows_that_count_steps_are_verified_while_they_are_loaded(void **state)
{
    static const char letters[] = "..>....<.@......";
    cairn_alphabet alphabet;
    cairn_map *map, *units;

    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        map = terrain_of_kind(kind, &alphabet);
        verify_before_and_after_an_edit(map, map);
        cairn_map_free(map);
    }
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_letters(4, 4, letters, &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    verify_before_and_after_an_edit(map, units);
    verify_before_and_after_an_edit(map, map);
    cairn_map_free(units);
    cairn_map_free(map);
}

/* A file of two rows with one landmark each, in place of those that it has. */
static void replace_landmarks(const saved *file, cairn_node one, cairn_node other, uint8_t **bytes,
                              size_t *size)
{
    cn_buffer lists = {.mem = &file->map->mem}, payload = {.mem = &file->map->mem};
    cn_buffer_varint(&lists, 1);
    cn_buffer_varint(&lists, one);
    cn_buffer_varint(&lists, 1);
    cn_buffer_varint(&lists, other);
    cn_buffer_deflated(&payload, &lists, cn_deflate);
    replace_section(file, CN_TYPE_LANDMARKS, payload.bytes, payload.size, bytes, size);
    cn_buffer_free(&lists);
    cn_buffer_free(&payload);
}

/* Rows of a pair have the same landmarks; a file that says otherwise is no table, and a table that
 * has others is not written. */
static void pairs_of_rows_that_differ_in_their_landmarks_are_refused(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 2, 7}, {2, 0, 4}};
    cairn_map *again;
    cairn_table *loaded;
    cairn_error error;
    uint8_t *bytes;
    size_t size;
    saved file = {.map = NULL};

    (void)state;
    assert_int_equal(cairn_map_from_arcs(3, arcs, 3, NULL, NULL, NULL, &file.map), CAIRN_OK);
    file.table = table_of(file.map, 1);
    assert_int_equal(cairn_table_row_count(file.table), 2);
    assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &file.bytes, &file.size),
                     CAIRN_OK);
    const cairn_node landmark = file.table->landmarks[0];
    for (cairn_node other = 0; other < 3; other++) {
        replace_landmarks(&file, landmark, other, &bytes, &size);
        assert_int_equal(cairn_load_bytes(bytes, size, NULL, &again, &loaded, &error),
                         other == landmark ? CAIRN_OK : CAIRN_E_FORMAT);
        if (other != landmark)
            assert_string_equal(error.expected, "the same landmarks in both rows of a pair");
        free(bytes);
        cairn_table_free(loaded);
        cairn_map_free(again);
    }
    file.table->landmarks[1] = (landmark + 1) % 3;
    assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &bytes, &size), CAIRN_E_INEXACT);
    cairn_bytes_free(file.map, file.bytes);
    cairn_table_free(file.table);
    cairn_map_free(file.map);
}

/* Of a file that was cut off anywhere, also behind all that an outline tells of. */
static void an_outline_is_given_of_whole_files_alone(void **state)
{
    (void)state;
    saved file = save_halls(4, CAIRN_CODEC_BEST);
    char *path = scratch_file("short.cairn");
    cairn_outline outline;
    cairn_error error;

    for (size_t size = 0; size <= file.size + 1; size++) {
        const cairn_status expected = size == file.size ? CAIRN_OK : CAIRN_E_FORMAT;
        uint8_t *bytes = calloc(1, file.size + 1);
        memcpy(bytes, file.bytes, file.size);
        assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, &error), expected);
        assert_int_equal(error.status, expected);
        FILE *out = fopen(path, "wb");
        assert_true(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
        assert_int_equal(cairn_outline_load(path, &outline, &error), expected);
        assert_int_equal(error.status, expected);
        free(bytes);
    }
    scratch_remove(path);
    saved_free(&file);
}

static void an_outline_tells_codecs_and_sizes(void **state)
{
    (void)state;
    saved file = save_halls(4, CAIRN_CODEC_RAW);
    char *path = scratch_file("outline.cairn");
    cairn_outline outline;

    assert_int_equal(cairn_save(file.map, file.table, path,
                                &(cairn_save_options){.size = sizeof(cairn_save_options),
                                                      .codec = CAIRN_CODEC_RAW}),
                     CAIRN_OK);
    assert_int_equal(cairn_outline_load(path, &outline, NULL), CAIRN_OK);
    assert_int_equal(outline.row_count, 4);
    assert_int_equal(outline.node_count, cairn_map_node_count(file.map));
    assert_int_equal(outline.entry_bits, cairn_table_entry_bits(file.table));
    assert_true(outline.map_hash == cairn_map_hash(file.map));
    assert_true(outline.map_size > 0);
    for (uint32_t row = 0; row < 4; row++) {
        assert_int_equal(outline.rows[row].codec, CAIRN_CODEC_RAW);
        assert_int_equal(outline.rows[row].size,
                         cairn_map_open_count(file.map) * (outline.entry_bits / 8));
    }
    cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    assert_int_equal(cairn_save(file.map, file.table, path, &save), CAIRN_OK);
    assert_int_equal(cairn_outline_load(path, &outline, NULL), CAIRN_OK);
    assert_true(outline.map_size == 0);
    assert_int_equal(outline.rows[3].codec, CAIRN_CODEC_SEEDS);
    assert_int_equal(cairn_outline_load_bytes(file.bytes, file.size, &outline, NULL), CAIRN_OK);
    assert_int_equal(outline.row_count, 4);
    assert_true(outline.map_size > 0 && !outline.is_directed);
    assert_int_equal(cairn_outline_load_bytes(file.bytes, 20, &outline, NULL), CAIRN_E_FORMAT);
    assert_int_equal(outline.row_count, 0);
    scratch_remove(path);
    saved_free(&file);
}


typedef struct patch {
    uint32_t section;
    size_t offset; /* in the payload */
    uint8_t size;  /* of the number: 1, 2 or 4 */
    uint32_t number;
    cairn_status status;
    size_t error_at; /* in the payload */
} patch;

static void check_patch(const saved *file, patch change)
{
    uint8_t *bytes = malloc(file->size);
    cairn_map *map = (cairn_map *)1;
    cairn_table *table = (cairn_table *)1;
    cairn_error error;

    memcpy(bytes, file->bytes, file->size);
    size_t at = find_section(bytes, file->size, change.section);
    uint8_t *place = bytes + at + CN_SECTION_HEAD_SIZE + change.offset;
    if (change.size == 1)
        *place = (uint8_t)change.number;
    else if (change.size == 2)
        cn_put_u16(place, (uint16_t)change.number);
    else
        cn_put_u32(place, change.number);
    seal(bytes, at);
    assert_int_equal(cairn_load_bytes(bytes, file->size, NULL, &map, &table, &error),
                     change.status);
    assert_null(map);
    assert_null(table);
    assert_int_equal(error.status, change.status);
    assert_int_equal(error.offset, at + CN_SECTION_HEAD_SIZE + change.error_at);
    free(bytes);
}

static void numbers_that_cannot_be_are_refused_with_their_place(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_RAW);
    static const patch patches[] = {
        {CN_TYPE_MAP, 0, 1, 9, CAIRN_E_VERSION, 0},
        {CN_TYPE_MAP, 1, 1, 1, CAIRN_E_VERSION, 1},
        {CN_TYPE_MAP, 2, 1, 200, CAIRN_E_VERSION, 2},
        {CN_TYPE_MAP, 4, 4, 0, CAIRN_E_FORMAT, 4},
        {CN_TYPE_MAP, 4, 4, 65536, CAIRN_E_FORMAT, 4},
        {CN_TYPE_MAP, 8, 4, 0, CAIRN_E_FORMAT, 8},
        {CN_TYPE_MAP, 8, 4, UINT32_MAX, CAIRN_E_FORMAT, 8},
        {CN_TYPE_METRIC, 0, 4, 0, CAIRN_E_FORMAT, 0},
        {CN_TYPE_METRIC, 4, 4, 4757, CAIRN_E_FORMAT, 0},
        {CN_TYPE_TABLE, 0, 4, 1, CAIRN_E_FORMAT, 0},
        {CN_TYPE_TABLE, 8, 4, 59, CAIRN_E_FORMAT, 8},
        {CN_TYPE_TABLE, 12, 4, 0, CAIRN_E_FORMAT, 12},
        {CN_TYPE_TABLE, 12, 4, 257, CAIRN_E_FORMAT, 12},
        {CN_TYPE_TABLE, 16, 4, 2379, CAIRN_E_FORMAT, 0},
        {CN_TYPE_TABLE, 24, 1, 8, CAIRN_E_VERSION, 24},
        {CN_TYPE_TABLE, 25, 1, 1, CAIRN_E_VERSION, 25},
        {CN_TYPE_TABLE, 26, 1, 1, CAIRN_E_FORMAT, 26},
        {CN_TYPE_TABLE, 26, 1, 2, CAIRN_E_VERSION, 26},
        {CN_TYPE_TABLE, 27, 1, 1, CAIRN_E_VERSION, 27},
        {CN_TYPE_LANDMARKS, 0, 1, 0x7f, CAIRN_E_FORMAT, 0},
        {CN_TYPE_DIRECTORY, 0, 1, 0x80, CAIRN_E_FORMAT, 0},
    };
    for (size_t i = 0; i < COUNT_OF(patches); i++)
        check_patch(&file, patches[i]);
    saved_free(&file);
}

/* Also where the map is not read, as of parts that are merged. */
static void half_a_pair_of_rows_is_refused(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_RAW);
    const size_t at = find_section(file.bytes, file.size, CN_TYPE_TABLE);
    cairn_outline outline;
    cairn_error error;

    file.bytes[at + CN_SECTION_HEAD_SIZE + 25] = 1;
    seal(file.bytes, at);
    assert_int_equal(cairn_outline_load_bytes(file.bytes, file.size, &outline, &error),
                     CAIRN_E_FORMAT);
    assert_int_equal(error.offset, at + CN_SECTION_HEAD_SIZE + 12);
    saved_free(&file);
}

static void letters_of_a_map_of_another_size_are_refused(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    size_t at = find_section(file.bytes, file.size, CN_TYPE_MAP);
    uint8_t *size = file.bytes + at + CN_SECTION_HEAD_SIZE + 4;
    for (uint32_t width = 1; width < 70; width++) {
        for (uint32_t height = 1; height < 20; height++) {
            cairn_map *map;
            cairn_table *table;
            if (width == 10 && height == 6)
                continue;
            cn_put_u32(size, width);
            cn_put_u32(size + 4, height);
            seal(file.bytes, at);
            assert_int_not_equal(cairn_load_bytes(file.bytes, file.size, NULL, &map, &table, NULL),
                                 CAIRN_OK);
            assert_null(map);
            assert_null(table);
        }
    }
    saved_free(&file);
}

static void insert_section(const saved *file, uint32_t before, const char *type, uint8_t flags,
                           uint8_t **bytes, size_t *size)
{
    size_t at = find_section(file->bytes, file->size, before);
    *size = file->size + CN_SECTION_HEAD_SIZE + 5;
    *bytes = calloc(1, *size);
    memcpy(*bytes, file->bytes, at);
    memcpy(*bytes + at, type, 4);
    cn_put_u64(*bytes + at + 8, 5 | (uint64_t)flags << 56);
    memcpy(*bytes + at + CN_SECTION_HEAD_SIZE, "hello", 5);
    seal(*bytes, at);
    memcpy(*bytes + at + CN_SECTION_HEAD_SIZE + 5, file->bytes + at, file->size - at);
}

static void unknown_sections_are_skipped_unless_required(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    static const uint32_t places[] = {CN_TYPE_MAP,       CN_TYPE_METRIC,    CN_TYPE_TABLE,
                                      CN_TYPE_LANDMARKS, CN_TYPE_DIRECTORY, CN_TYPE_ROWS,
                                      CN_TYPE_END};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        for (unsigned flags = 0; flags < 4; flags++) {
            uint8_t *bytes;
            size_t size;
            cairn_table *table;
            cairn_error error;
            insert_section(&file, places[i], "NEW!", (uint8_t)flags, &bytes, &size);
            cairn_status status = cairn_load_bytes(bytes, size, NULL, NULL, &table, &error);
            if (flags & CN_SECTION_REQUIRED) {
                assert_int_equal(status, CAIRN_E_VERSION);
                assert_string_equal(error.found, "NEW!");
            } else {
                assert_int_equal(status, CAIRN_OK);
                assert_first_rows(table, file.table, file.map, 3);
            }
            cairn_table_free(table);
            free(bytes);
        }
    }
    saved_free(&file);
}

/* Else a stamp or the size of units would get lost with a single byte of the type. */
static void a_skipped_section_has_the_right_checksum(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    for (unsigned flags = 0; flags < 4; flags += CN_SECTION_SELF_CHECKED) {
        for (size_t byte = 0; byte < CN_SECTION_HEAD_SIZE + 5; byte++) {
            uint8_t *bytes;
            size_t size;
            const bool is_covered = flags == 0 || byte < CN_SECTION_HEAD_SIZE;
            insert_section(&file, CN_TYPE_MAP, "NEW!", (uint8_t)flags, &bytes, &size);
            bytes[CN_HEADER_SIZE + byte] ^= 4;
            cairn_map *map;
            cairn_status status = cairn_load_bytes(bytes, size, NULL, &map, NULL, NULL);
            assert_int_equal(status, is_covered ? CAIRN_E_FORMAT : CAIRN_OK);
            cairn_map_free(map);
            free(bytes);
        }
    }
    saved_free(&file);
}

static void a_damaged_type_does_not_hide_a_section(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    cairn_save_options options = {.size = sizeof options, .stamp = 7};
    cairn_outline outline;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
    bytes[CN_HEADER_SIZE + 1] ^= 1;
    assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, NULL), CAIRN_E_FORMAT);
    cairn_bytes_free(file.map, bytes);
    saved_free(&file);
}

/* The section with the stamp, and the minor version, are all that a stamp adds. */
static void a_stamp_is_kept_in_a_section_of_its_own(void **state)
{
    (void)state;
    enum { ADDED = CN_SECTION_HEAD_SIZE + CN_STAMP_SIZE };
    const uint64_t stamp = 0xfedcba9876543210u;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    cairn_save_options options = {.size = sizeof options, .stamp = stamp};
    cairn_outline outline;
    cairn_table *table;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_outline_load_bytes(file.bytes, file.size, &outline, NULL), CAIRN_OK);
    assert_true(outline.stamp == 0);
    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
    assert_int_equal(size, file.size + ADDED);
    assert_int_equal(bytes[10], CN_VERSION_MARKED);
    assert_int_equal(cn_get_u32(bytes + CN_HEADER_SIZE), CN_TYPE_STAMP);
    assert_memory_equal(bytes + CN_HEADER_SIZE + ADDED, file.bytes + CN_HEADER_SIZE,
                        file.size - CN_HEADER_SIZE);
    assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, NULL), CAIRN_OK);
    assert_true(outline.stamp == stamp);
    assert_true(outline.map_hash == cairn_map_hash(file.map));
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 3);
    cairn_table_free(table);
    cairn_bytes_free(file.map, bytes);
    saved_free(&file);
}

static void a_stamp_that_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t size, flags, stamp;
    } wrong[] = {{8, 0, 0}, {7, 0, 1}, {9, 0, 1}, {0, 0, 0}, {8, 1, 1}, {8, 2, 1}, {8, 3, 1}};
    saved file = save_halls(1, CAIRN_CODEC_BEST);

    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        size_t added = CN_SECTION_HEAD_SIZE + wrong[i].size, size = file.size + added;
        uint8_t *bytes = calloc(1, size);
        cairn_outline outline;
        cairn_error error;
        memcpy(bytes, file.bytes, CN_HEADER_SIZE);
        cn_put_u32(bytes + CN_HEADER_SIZE, CN_TYPE_STAMP);
        cn_put_u64(bytes + CN_HEADER_SIZE + 8, wrong[i].size | (uint64_t)wrong[i].flags << 56);
        bytes[CN_HEADER_SIZE + CN_SECTION_HEAD_SIZE] = wrong[i].stamp;
        memcpy(bytes + CN_HEADER_SIZE + added, file.bytes + CN_HEADER_SIZE,
               file.size - CN_HEADER_SIZE);
        seal(bytes, CN_HEADER_SIZE);
        assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, &error), CAIRN_E_FORMAT);
        assert_in_range(error.offset, CN_HEADER_SIZE, CN_HEADER_SIZE + CN_SECTION_HEAD_SIZE);
        free(bytes);
    }
    saved_free(&file);
}

/* A file of a graph or of a grid, with a section that names units. */
static void assert_units_are_refused(const saved *file, uint8_t size, uint8_t flags,
                                     const uint8_t *payload)
{
    const size_t added = CN_SECTION_HEAD_SIZE + size;
    uint8_t *bytes = calloc(1, file->size + added);
    cairn_outline outline;
    cairn_map *map;
    cairn_error error;
    memcpy(bytes, file->bytes, CN_HEADER_SIZE);
    cn_put_u32(bytes + CN_HEADER_SIZE, CN_TYPE_UNITS);
    cn_put_u64(bytes + CN_HEADER_SIZE + 8, size | (uint64_t)flags << 56);
    memcpy(bytes + CN_HEADER_SIZE + CN_SECTION_HEAD_SIZE, payload, size);
    memcpy(bytes + CN_HEADER_SIZE + added, file->bytes + CN_HEADER_SIZE,
           file->size - CN_HEADER_SIZE);
    seal(bytes, CN_HEADER_SIZE);
    assert_int_equal(cairn_outline_load_bytes(bytes, file->size + added, &outline, &error),
                     CAIRN_E_FORMAT);
    assert_in_range(error.offset, CN_HEADER_SIZE, CN_HEADER_SIZE + CN_SECTION_HEAD_SIZE + 2);
    assert_int_equal(cairn_load_bytes(bytes, file->size + added, NULL, &map, NULL, &error),
                     CAIRN_E_FORMAT);
    free(bytes);
}

static void units_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t size, flags, payload[9];
    } wrong[] = {{8, 0, {0}},    {8, 0, {1}},    {8, 0, {65}}, {8, 0, {2, 1}}, {8, 0, {3, 0, 2}},
                 {7, 0, {2, 0}}, {9, 0, {2, 0}}, {0, 0, {0}},  {8, 1, {2}},    {8, 2, {2}}};
    const uint8_t pairs[] = {2, 0, 0, 0, 0, 0, 0, 0};
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_units_are_refused(&file, wrong[i].size, wrong[i].flags, wrong[i].payload);
    saved_free(&file);

    const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 5}};
    saved graph = {.map = NULL};
    assert_int_equal(cairn_map_from_arcs(2, arcs, 2, NULL, NULL, NULL, &graph.map), CAIRN_OK);
    graph.table = table_of(graph.map, 1);
    assert_int_equal(cairn_save_bytes(graph.map, graph.table, NULL, &graph.bytes, &graph.size),
                     CAIRN_OK);
    assert_units_are_refused(&graph, 8, 0, pairs);
    saved_free(&graph);
}

static void a_later_major_version_is_refused_and_a_minor_one_is_not(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    cairn_map *map;
    cairn_error error;

    cn_put_u16(file.bytes + 10, 7);
    cn_put_u32(file.bytes + 12, (uint32_t)crc32(0, file.bytes, 12));
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, &map, NULL, &error), CAIRN_OK);
    cairn_map_free(map);
    cn_put_u16(file.bytes + 8, 2);
    cn_put_u32(file.bytes + 12, (uint32_t)crc32(0, file.bytes, 12));
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, &map, NULL, &error),
                     CAIRN_E_VERSION);
    assert_int_equal(error.offset, 8);
    assert_string_equal(error.found, "2");
    saved_free(&file);
}

static void a_codec_that_is_missing_is_named(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_RAW);
    cairn_table *table;
    cairn_error error;
    size_t at = find_section(file.bytes, file.size, CN_TYPE_DIRECTORY);

    file.bytes[at + CN_SECTION_HEAD_SIZE] = 77;
    seal(file.bytes, at);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, NULL, &table, &error),
                     CAIRN_E_VERSION);
    assert_string_equal(error.found, "77");
    saved_free(&file);
}

static void a_damaged_row_is_named(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_RAW);
    cairn_table *table;
    cairn_error error;
    size_t rows = find_section(file.bytes, file.size, CN_TYPE_ROWS) + CN_SECTION_HEAD_SIZE;
    size_t row_size = cairn_map_open_count(file.map) * (cairn_table_entry_bits(file.table) / 8u);

    file.bytes[rows + 2 * row_size + 1] ^= 1;
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, NULL, &table, &error),
                     CAIRN_E_FORMAT);
    assert_int_equal(error.offset, rows + 2 * row_size);
    assert_string_equal(error.found, "row 2");
    saved_free(&file);
}

static void anything_behind_the_end_is_refused(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_RAW);
    uint8_t *longer = calloc(1, file.size + 1);
    cairn_table *table;
    memcpy(longer, file.bytes, file.size);
    assert_int_equal(cairn_load_bytes(longer, file.size + 1, NULL, NULL, &table, NULL),
                     CAIRN_E_FORMAT);
    free(longer);
    saved_free(&file);
}

/* ------------------------------------------------------------------------------- writing -- */

static void assert_file_holds(const char *path, const void *bytes, size_t size)
{
    char *found = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, size + 1, file), size);
    fclose(file);
    assert_memory_equal(found, bytes, size);
    free(found);
}

/* Number of files beside `path`, itself included. */
static unsigned files_beside(const char *path)
{
    char folder[4096];
    unsigned count = 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    DIR *names = opendir(folder);
    assert_non_null(names);
    for (const struct dirent *name = readdir(names); name; name = readdir(names))
        count += strcmp(name->d_name, ".") != 0 && strcmp(name->d_name, "..") != 0;
    closedir(names);
    return count;
}

static void a_saved_file_replaces_the_old_one_and_leaves_nothing_else(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    struct stat fresh, ordinary;

    write_text(path, "old");
    assert_int_equal(stat(path, &ordinary), 0);
    assert_int_equal(cairn_save(file.map, file.table, path, NULL), CAIRN_OK);
    assert_file_holds(path, file.bytes, file.size);
    assert_int_equal(stat(path, &fresh), 0);
    assert_int_equal(fresh.st_mode, ordinary.st_mode);
    assert_int_equal(files_beside(path), 1);
    scratch_remove(path);
    saved_free(&file);
}

#ifndef _WIN32

static void a_private_file_stays_private(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    struct stat fresh;

    write_text(path, "old");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(cairn_save(file.map, file.table, path, NULL), CAIRN_OK);
    assert_int_equal(stat(path, &fresh), 0);
    assert_int_equal(fresh.st_mode & 0777, 0600);
    scratch_remove(path);
    saved_free(&file);
}

#endif

/* Stops a save that has told for the so-many-th time that it writes. */
typedef struct stopper {
    const char *path;
    unsigned stop_at;    /* from 1 */
    unsigned told;       /* the stage "write" */
    unsigned most_files; /* beside the path, at the last of them */
} stopper;

static bool stop_writing(void *context, const char *stage, uint64_t done, uint64_t total)
{
    stopper *by = context;
    assert_true(done <= total);
    if (strcmp(stage, "write") != 0)
        return true;
    by->told++;
    by->most_files = files_beside(by->path);
    return by->told != by->stop_at;
}

static void a_save_that_is_stopped_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    unsigned told = 0;

    for (unsigned stop_at = 1; told + 1 == stop_at; stop_at++) {
        stopper by = {.path = path, .stop_at = stop_at};
        cairn_progress progress = {stop_writing, &by};
        cairn_save_options options = {.size = sizeof options, .progress = &progress};
        write_text(path, "old");
        cairn_status status = cairn_save(file.map, file.table, path, &options);
        told = by.told;
        assert_int_equal(status, told == stop_at ? CAIRN_E_CANCELLED : CAIRN_OK);
        /* The first time, nothing is there yet: who is told may get ready. */
        assert_int_equal(by.most_files, stop_at == 1 ? 1 : 2);
        assert_int_equal(files_beside(path), 1);
        if (told == stop_at)
            assert_file_holds(path, "old", 3);
        else
            assert_file_holds(path, file.bytes, file.size);
    }
    assert_true(told > 2);
    scratch_remove(path);
    saved_free(&file);
}

static void a_build_that_is_stopped_as_it_writes_leaves_no_file(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    stopper by = {.path = path, .stop_at = 2};
    cairn_progress progress = {stop_writing, &by};
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = 3, .progress = &progress};

    assert_int_equal(cairn_build_file(file.map, &options, NULL, path, NULL), CAIRN_E_CANCELLED);
    assert_int_equal(by.told, 2);
    assert_int_equal(by.most_files, 1);
    assert_int_equal(files_beside(path), 0);
    scratch_remove(path);
    saved_free(&file);
}

static void progress_without_a_callback_is_none(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    cairn_progress nobody = {NULL, NULL};
    cairn_save_options options = {.size = sizeof options, .progress = &nobody};
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
    assert_int_equal(size, file.size);
    cairn_bytes_free(file.map, bytes);
    saved_free(&file);
}

#ifndef _WIN32

/* What killed writers leave behind. */
static void remove_unfinished(const char *path)
{
    char command[512];
    snprintf(command, sizeof command, "rm -f '%s'.*.tmp", path);
    assert_int_equal(system(command), 0);
}

/* In a child whose files may not grow beyond `limit`: as on a full disk when the signal is
 * ignored, as killed in the middle of a write when it is not. */
static int save_in_child(const saved *file, const char *path, rlim_t limit, void (*on_limit)(int))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit smallest = {limit, limit};
        cairn_save_options options = {.size = sizeof options, .thread_count = 1};
        signal(SIGXFSZ, on_limit);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        setrlimit(RLIMIT_FSIZE, &smallest);
        cairn_status status = cairn_save(file->map, file->table, path, &options);
        _exit(status == CAIRN_E_IO && errno == EFBIG ? 41 : (int)status);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static void a_full_disk_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");

    write_text(path, "old");
    for (size_t limit = 0; limit < file.size; limit += 1 + limit / 8) {
        int ended = save_in_child(&file, path, limit, SIG_IGN);
        assert_true(WIFEXITED(ended));
        assert_int_equal(WEXITSTATUS(ended), 41);
        assert_file_holds(path, "old", 3);
        assert_int_equal(files_beside(path), 1);
    }
    assert_int_equal(save_in_child(&file, path, file.size, SIG_IGN), 0);
    assert_file_holds(path, file.bytes, file.size);
    scratch_remove(path);
    saved_free(&file);
}

static void a_killed_writer_leaves_the_old_file_whole(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    unsigned kills = 0;

    write_text(path, "old");
    for (size_t limit = 0; limit < file.size; limit += 1 + limit / 8) {
        int ended = save_in_child(&file, path, limit, SIG_DFL);
        assert_true(WIFSIGNALED(ended));
        assert_file_holds(path, "old", 3);
        kills++;
    }
    assert_true(kills > 10);
    assert_int_equal(cairn_save(file.map, file.table, path, NULL), CAIRN_OK);
    assert_file_holds(path, file.bytes, file.size);
    remove_unfinished(path);
    assert_int_equal(files_beside(path), 1);
    scratch_remove(path);
    saved_free(&file);
}

#endif

static void places_that_cannot_be_written_or_read_are_input_and_output_errors(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    cairn_map *map;
    cairn_table *table;
    cairn_error error;

    assert_int_equal(cairn_save(file.map, file.table, "/nonexistent/a.cairn", NULL), CAIRN_E_IO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(cairn_save(file.map, file.table, "/", NULL), CAIRN_E_IO);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(cairn_save(file.map, file.table, "/dev/full", NULL), CAIRN_E_IO);
        assert_int_equal(errno, ENOSPC);
    }
    assert_int_equal(cairn_load("/nonexistent/a.cairn", NULL, &map, &table, &error), CAIRN_E_IO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(error.status, CAIRN_E_IO);
    assert_int_equal(cairn_load("/", NULL, &map, &table, &error), CAIRN_E_IO);
    assert_int_equal(errno, EISDIR);
    assert_null(map);
    assert_null(table);
    saved_free(&file);
}

#ifndef _WIN32

static void a_pipe_can_be_read(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("pipe.cairn");
    cairn_table *table;

    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child == 0)
        _exit((int)cairn_save(file.map, file.table, path, NULL));
    assert_int_equal(cairn_load(path, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 3);
    int ended;
    waitpid(child, &ended, 0);
    assert_int_equal(ended, 0);
    cairn_table_free(table);
    scratch_remove(path);
    saved_free(&file);
}

#endif

/* ----------------------------------------------------------------------- arguments, memory -- */

static void a_table_behind_its_map_is_stale_and_no_table_of_another(void **state)
{
    (void)state;
    saved file = save_halls(2, CAIRN_CODEC_BEST);
    picture other = picture_filled(10, 6, '.');
    cairn_map *stranger = map_of(&other, CAIRN_METRIC_OCTILE);
    const cairn_edit edit = cairn_block(0, 0);
    uint8_t *bytes = NULL;
    size_t size;

    assert_int_equal(cairn_map_edit(file.map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &bytes, &size), CAIRN_E_STALE);
    assert_null(bytes);
    assert_int_equal(cairn_save_bytes(stranger, file.table, NULL, &bytes, &size), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_refresh_step(file.table, file.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &bytes, &size), CAIRN_OK);
    cairn_bytes_free(file.map, bytes);
    cairn_map_free(stranger);
    picture_free(&other);
    saved_free(&file);
}

static void a_table_of_another_map_is_not_saved(void **state)
{
    (void)state;
    saved file = save_halls(2, CAIRN_CODEC_BEST);
    picture other = picture_filled(10, 6, '.');
    cairn_map *map = map_of(&other, CAIRN_METRIC_OCTILE);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(cairn_save_bytes(map, file.table, NULL, &bytes, &size), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_save_bytes(NULL, file.table, NULL, &bytes, &size), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_save_bytes(map, NULL, NULL, &bytes, &size), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_save(map, file.table, NULL, NULL), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    picture_free(&other);
    saved_free(&file);
}

static void every_allocation_of_a_load_may_fail(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_load_options options = {
        .size = sizeof options, .thread_count = 1, .allocator = &failing.allocator};

    for (size_t n = 1;; n++) {
        cairn_map *map;
        cairn_table *table;
        cairn_error error;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_load_bytes(file.bytes, file.size, &options, &map, &table,
                                               &error);
        bool struck = failing_allocator_struck(&failing);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        cairn_map_free(map);
        cairn_table_free(table);
        assert_int_equal(failing.outstanding, 0);
        if (!struck)
            break;
    }
    saved_free(&file);
}

static void every_allocation_of_a_save_may_fail(void **state)
{
    (void)state;
    picture drawn = two_halls();
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = table_of(map, 3);
    size_t before = failing.outstanding;
    cairn_save_options options = {.size = sizeof options, .thread_count = 1};

    for (size_t n = 1;; n++) {
        uint8_t *bytes;
        size_t size;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_save_bytes(map, table, &options, &bytes, &size);
        bool struck = failing_allocator_struck(&failing);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        cairn_bytes_free(map, bytes);
        assert_int_equal(failing.outstanding, before);
        if (!struck)
            break;
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gives_back_map_and_table),
        cmocka_unit_test(either_output_may_be_left_out),
        cmocka_unit_test(a_prefix_of_the_rows_needs_only_its_own_bytes),
        cmocka_unit_test(fewer_rows_may_be_written),
        cmocka_unit_test(the_bytes_are_the_same_at_any_thread_count),
        cmocka_unit_test(an_entry_that_is_not_the_true_cost_survives_the_file),
        cmocka_unit_test(a_file_without_its_map_needs_that_map),
        cmocka_unit_test(a_file_with_its_map_is_not_taken_for_one_of_another),
        cmocka_unit_test(a_limit_of_memory_loads_the_rows_that_fit),
        cmocka_unit_test(a_limit_of_memory_holds_for_a_map_without_its_table),
        cmocka_unit_test(a_small_file_cannot_ask_for_vast_memory),
        cmocka_unit_test(a_byte_more_or_less_in_any_section_is_refused),
        cmocka_unit_test(other_flags_of_a_section_are_named),
        cmocka_unit_test(landmarks_take_no_more_memory_than_the_map_can_have),
        cmocka_unit_test(a_graph_is_refused_by_a_limit_of_memory),
        cmocka_unit_test(a_file_comes_from_a_stream_as_from_memory),
        cmocka_unit_test(a_stream_takes_memory_for_what_has_come),
        cmocka_unit_test(an_outline_tells_what_decides_costs_and_what_the_table_takes),
        cmocka_unit_test(an_outline_tells_codecs_and_sizes),
        cmocka_unit_test(an_outline_is_given_of_whole_files_alone),
        cmocka_unit_test(an_outline_of_rows_that_count_steps_says_so),
        cmocka_unit_test(rows_that_count_steps_are_verified_while_they_are_loaded),
        cmocka_unit_test(pairs_of_rows_that_differ_in_their_landmarks_are_refused),
        cmocka_unit_test(numbers_that_cannot_be_are_refused_with_their_place),
        cmocka_unit_test(half_a_pair_of_rows_is_refused),
        cmocka_unit_test(letters_of_a_map_of_another_size_are_refused),
        cmocka_unit_test(unknown_sections_are_skipped_unless_required),
        cmocka_unit_test(a_skipped_section_has_the_right_checksum),
        cmocka_unit_test(a_damaged_type_does_not_hide_a_section),
        cmocka_unit_test(a_stamp_is_kept_in_a_section_of_its_own),
        cmocka_unit_test(a_stamp_that_cannot_be_is_refused),
        cmocka_unit_test(units_that_cannot_be_are_refused),
        cmocka_unit_test(a_later_major_version_is_refused_and_a_minor_one_is_not),
        cmocka_unit_test(a_codec_that_is_missing_is_named),
        cmocka_unit_test(a_damaged_row_is_named),
        cmocka_unit_test(anything_behind_the_end_is_refused),
        cmocka_unit_test(a_saved_file_replaces_the_old_one_and_leaves_nothing_else),
        cmocka_unit_test(a_save_that_is_stopped_leaves_the_old_file_and_no_other),
        cmocka_unit_test(a_build_that_is_stopped_as_it_writes_leaves_no_file),
        cmocka_unit_test(progress_without_a_callback_is_none),
        cmocka_unit_test(places_that_cannot_be_written_or_read_are_input_and_output_errors),
#ifndef _WIN32
        cmocka_unit_test(a_private_file_stays_private),
        cmocka_unit_test(a_full_disk_leaves_the_old_file_and_no_other),
        cmocka_unit_test(a_killed_writer_leaves_the_old_file_whole),
        cmocka_unit_test(a_pipe_can_be_read),
#endif
        cmocka_unit_test(a_table_behind_its_map_is_stale_and_no_table_of_another),
        cmocka_unit_test(a_table_of_another_map_is_not_saved),
        cmocka_unit_test(every_allocation_of_a_load_may_fail),
        cmocka_unit_test(every_allocation_of_a_save_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
