/* A small file of a map and a table. */
#ifndef CAIRN_TESTS_SAVED_FILE_H
#define CAIRN_TESTS_SAVED_FILE_H

#include <string.h>

#include "base/bytes.h"
#include "cairn/cairn.h"
#include "io/deflate.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/tables.h"
#include "file/file_format.h"
#include "table/table.h"

static inline picture two_halls(void)
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

static inline saved save_halls(uint32_t rows, cairn_codec codec)
{
    saved file = {.drawn = two_halls()};
    cairn_save_options options = {.size = sizeof options, .codec = codec};
    file.map = map_of(&file.drawn, CAIRN_METRIC_OCTILE);
    file.table = table_of(file.map, rows);
    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &file.bytes, &file.size),
                     CAIRN_OK);
    return file;
}

static inline void saved_free(saved *file)
{
    cairn_bytes_free(file->map, file->bytes);
    cairn_table_free(file->table);
    cairn_map_free(file->map);
    picture_free(&file->drawn);
}

static inline void assert_first_rows(const cairn_table *table, const cairn_table *full,
                                     const cairn_map *map, uint32_t rows)
{
    assert_int_equal(cairn_table_row_count(table), rows);
    assert_int_equal(cairn_table_entry_bits(table), cairn_table_entry_bits(full));
    assert_true(cairn_table_map_hash(table) == cairn_map_hash(map));
    assert_same_rows(table, full);
}

typedef struct drip {
    const uint8_t *bytes;
    size_t left;
    size_t fail_at; /* bytes left when reading fails; SIZE_MAX: never */
} drip;

static inline size_t drip_read(void *context, void *bytes, size_t size)
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

#endif
