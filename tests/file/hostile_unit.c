/* Files that are damaged or made to harm are refused, with what was expected where. */
#include <zlib.h>

#include "file/saved_file.h"

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
    assert_int_equal(cairn_map_from_arcs(3, arcs, 3, NULL, NULL, NULL, &file.map, NULL), CAIRN_OK);
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
    assert_int_equal(cairn_map_from_arcs(2, arcs, 2, NULL, NULL, NULL, &graph.map, NULL), CAIRN_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_file_cannot_ask_for_vast_memory),
        cmocka_unit_test(a_byte_more_or_less_in_any_section_is_refused),
        cmocka_unit_test(other_flags_of_a_section_are_named),
        cmocka_unit_test(landmarks_take_no_more_memory_than_the_map_can_have),
        cmocka_unit_test(a_graph_is_refused_by_a_limit_of_memory),
        cmocka_unit_test(a_stream_takes_memory_for_what_has_come),
        cmocka_unit_test(an_outline_is_given_of_whole_files_alone),
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
    };
    return cmocka_run_group_tests_name("hostile_unit", tests, NULL, NULL);
}
