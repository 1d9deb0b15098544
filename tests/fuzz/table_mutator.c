/*
 * Changes table files where it matters. A file changed by chance fails its checksums, and no
 * decoder is ever reached; so this one changes what is inside sections, rows and deflated streams,
 * puts sizes in order, and makes checksums and the hash of the map right again.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/buffer.h"
#include "fuzz.h"
#include "file/file_format.h"

enum { SECTIONS_MOST = 24, ROWS_MOST = 64, ROOM = 1 << 16, ROW_HEAD_MOST = 24 };

typedef struct part {
    uint8_t head[CN_SECTION_HEAD_SIZE];
    uint8_t *bytes;
    size_t size;
    uint64_t lie; /* added to the size that is announced */
} part;

typedef struct packed_row {
    uint64_t codec;
    uint8_t *bytes;
    size_t size;
} packed_row;

typedef struct table_file {
    uint8_t header[CN_HEADER_SIZE];
    part parts[SECTIONS_MOST];
    size_t part_count;
    packed_row rows[ROWS_MOST];
    size_t row_count; /* 0 where directory and rows do not fit each other */
} table_file;

static uint32_t luck_state;

static uint32_t luck(uint32_t below)
{
    luck_state = luck_state * 1664525u + 1013904223u;
    return (luck_state >> 8) % below;
}

static uint8_t *copy_of(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + ROOM);
    FUZZ_CHECK(copy);
    memcpy(copy, bytes, size);
    return copy;
}

/* ------------------------------------------------------------------------ apart and together -- */

static part *find_part(table_file *file, uint32_t type)
{
    for (size_t i = 0; i < file->part_count; i++) {
        if (cn_get_u32(file->parts[i].head) == type)
            return &file->parts[i];
    }
    return NULL;
}

static void split_rows(table_file *file)
{
    const part *directory = find_part(file, CN_TYPE_DIRECTORY);
    const part *rows = find_part(file, CN_TYPE_ROWS);

    if (!directory || !rows)
        return;
    cn_cursor at = {directory->bytes, directory->bytes + directory->size};
    cn_cursor from = {rows->bytes, rows->bytes + rows->size};
    size_t count = 0;
    for (; at.at < at.end && count < ROWS_MOST; count++) {
        packed_row *row = &file->rows[count];
        uint64_t size;
        if (!cn_cursor_varint(&at, &row->codec) || !cn_cursor_varint(&at, &size) ||
            !cn_cursor_take(&at, 4) || size > (size_t)(from.end - from.at))
            break;
        row->size = (size_t)size;
        row->bytes = copy_of(cn_cursor_take(&from, row->size), row->size);
    }
    file->row_count = count;
}

static bool split(table_file *file, const uint8_t *data, size_t size)
{
    cn_cursor at = {data, data + size};
    const uint8_t *header = cn_cursor_take(&at, CN_HEADER_SIZE);

    memset(file, 0, sizeof *file);
    if (!header)
        return false;
    memcpy(file->header, header, CN_HEADER_SIZE);
    while (at.at < at.end && file->part_count < SECTIONS_MOST) {
        const uint8_t *head = cn_cursor_take(&at, CN_SECTION_HEAD_SIZE);
        if (!head)
            break;
        uint64_t announced = cn_get_u64(head + 8) & (UINT64_MAX >> 8);
        size_t left = (size_t)(at.end - at.at);
        part *made = &file->parts[file->part_count++];
        memcpy(made->head, head, CN_SECTION_HEAD_SIZE);
        made->size = announced < left ? (size_t)announced : left;
        made->bytes = copy_of(cn_cursor_take(&at, made->size), made->size);
    }
    split_rows(file);
    return file->part_count > 0;
}

static void release(table_file *file)
{
    for (size_t i = 0; i < file->part_count; i++)
        free(file->parts[i].bytes);
    for (size_t i = 0; i < file->row_count; i++)
        free(file->rows[i].bytes);
}

static size_t put_varint(uint8_t *to, uint64_t value)
{
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        to[size++] = (uint8_t)(value | 0x80);
    to[size++] = (uint8_t)value;
    return size;
}

/* Directory and rows, with the checksums of the rows. */
static void join_rows(table_file *file)
{
    part *directory = find_part(file, CN_TYPE_DIRECTORY), *rows = find_part(file, CN_TYPE_ROWS);
    size_t total = 0;

    if (!directory || !rows || !file->row_count)
        return;
    for (size_t i = 0; i < file->row_count; i++)
        total += file->rows[i].size;
    free(directory->bytes);
    free(rows->bytes);
    directory->bytes = malloc(file->row_count * ROW_HEAD_MOST + ROOM);
    rows->bytes = malloc(total + ROOM);
    FUZZ_CHECK(directory->bytes && rows->bytes);
    directory->size = rows->size = 0;
    for (size_t i = 0; i < file->row_count; i++) {
        const packed_row *row = &file->rows[i];
        directory->size += put_varint(directory->bytes + directory->size, row->codec);
        directory->size += put_varint(directory->bytes + directory->size, row->size);
        cn_put_u32(directory->bytes + directory->size, (uint32_t)crc32_z(0, row->bytes, row->size));
        directory->size += 4;
        memcpy(rows->bytes + rows->size, row->bytes, row->size);
        rows->size += row->size;
    }
}

static void seal(part *made)
{
    uint64_t announced = (made->size + made->lie) & (UINT64_MAX >> 8);
    size_t covered = announced < made->size ? (size_t)announced : made->size;
    cn_put_u64(made->head + 8, announced | (uint64_t)made->head[15] << 56);
    uLong crc = crc32(0, made->head, 4);
    crc = crc32(crc, made->head + 8, 8);
    if (!(made->head[15] & CN_SECTION_SELF_CHECKED))
        crc = crc32_z(crc, made->bytes, covered);
    cn_put_u32(made->head + 4, (uint32_t)crc);
}

/* 0 when there is no room for all of it. */
static size_t join(table_file *file, uint8_t *data, size_t most)
{
    size_t size = CN_HEADER_SIZE;

    cn_put_u32(file->header + 12, (uint32_t)crc32(0, file->header, 12));
    if (size > most)
        return 0;
    memcpy(data, file->header, CN_HEADER_SIZE);
    for (size_t i = 0; i < file->part_count; i++) {
        part *made = &file->parts[i];
        seal(made);
        if (made->size + CN_SECTION_HEAD_SIZE > most - size)
            return 0;
        memcpy(data + size, made->head, CN_SECTION_HEAD_SIZE);
        memcpy(data + size + CN_SECTION_HEAD_SIZE, made->bytes, made->size);
        size += CN_SECTION_HEAD_SIZE + made->size;
    }
    return size;
}

/* -------------------------------------------------------------------------------- changing -- */

static size_t change(uint8_t *bytes, size_t size)
{
    return LLVMFuzzerMutate(bytes, size, size + ROOM / 16);
}

/* What a deflated stream that ends where the bytes end holds, until the next call; NULL for bytes
 * that are none. */
static uint8_t *inflated(const uint8_t *bytes, size_t size, size_t *plain_size)
{
    enum { PLAIN_MOST = 1 << 16 };
    static uint8_t plain[PLAIN_MOST + ROOM];
    static z_stream stream;

    FUZZ_CHECK((stream.state ? inflateReset(&stream) : inflateInit2(&stream, -15)) == Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = plain;
    stream.avail_out = PLAIN_MOST;
    bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
    *plain_size = stream.total_out;
    return whole ? plain : NULL;
}

static uint8_t *deflated(uint8_t *plain, size_t size, size_t *packed_size)
{
    static z_stream stream;

    FUZZ_CHECK((stream.state
                    ? deflateReset(&stream)
                    : deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY)) == Z_OK);
    stream.next_in = plain;
    stream.avail_in = (uInt)size;
    size_t bound = deflateBound(&stream, (uLong)size);
    uint8_t *packed = malloc(bound + ROOM);
    FUZZ_CHECK(packed);
    stream.next_out = packed;
    stream.avail_out = (uInt)bound;
    FUZZ_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    *packed_size = stream.total_out;
    return packed;
}

/* The bytes before a stream may end with the size of what is in it: it is kept right. */
static size_t front_of(const uint8_t *bytes, size_t front, size_t plain_size)
{
    uint8_t varint[10];
    size_t size = put_varint(varint, plain_size);
    return size <= front && memcmp(bytes + front - size, varint, size) == 0 ? front - size : front;
}

/* Changes what a deflated stream somewhere in the bytes holds; false where there is none. */
static bool change_inside(uint8_t **bytes, size_t *size)
{
    enum { FRONT_MOST = 24 };
    for (size_t front = 0; front < *size && front < FRONT_MOST; front++) {
        size_t plain_size, packed_size;
        uint8_t *plain = inflated(*bytes + front, *size - front, &plain_size);
        if (!plain)
            continue;
        size_t kept = front_of(*bytes, front, plain_size);
        size_t new_size = plain_size ? change(plain, plain_size) : 0;
        uint8_t *packed = deflated(plain, new_size, &packed_size);
        uint8_t *made = malloc(kept + 10 + packed_size + ROOM);
        FUZZ_CHECK(made);
        memcpy(made, *bytes, kept);
        size_t at = kept;
        if (kept < front)
            at += put_varint(made + at, new_size);
        memcpy(made + at, packed, packed_size);
        free(packed);
        free(*bytes);
        *bytes = made;
        *size = at + packed_size;
        return true;
    }
    return false;
}

static void change_bytes(uint8_t **bytes, size_t *size)
{
    if (luck(2) == 0 && change_inside(bytes, size))
        return;
    *size = change(*bytes, *size);
}

static void change_row(table_file *file)
{
    packed_row *row = &file->rows[luck((uint32_t)file->row_count)];
    if (luck(8) == 0)
        row->codec = luck(5);
    else
        change_bytes(&row->bytes, &row->size);
}

/* A section twice, elsewhere, not at all, or with other flags or a false size. */
static void change_order(table_file *file)
{
    size_t from = luck((uint32_t)file->part_count), to = luck((uint32_t)file->part_count);
    part moved = file->parts[from];

    switch (luck(5)) {
    case 0:
        file->parts[from] = file->parts[to];
        file->parts[to] = moved;
        break;
    case 1: file->parts[from].head[15] = (uint8_t)luck(5); break;
    case 2:
        if (file->part_count < SECTIONS_MOST) {
            file->parts[file->part_count] = moved;
            file->parts[file->part_count++].bytes = copy_of(moved.bytes, moved.size);
        }
        break;
    case 3:
        file->parts[from].lie = luck(2) ? luck(9) - 4u : (uint64_t)luck(1 << 24) << luck(32);
        break;
    default: memcpy(file->parts[from].head, "NEW ", luck(2) ? 4 : 1);
    }
}

static void change_something(table_file *file)
{
    part *chosen = &file->parts[luck((uint32_t)file->part_count)];
    uint32_t what = luck(16);

    if (what == 0) {
        change_order(file);
    } else if (what < 8 && file->row_count) {
        change_row(file);
        join_rows(file);
    } else {
        change_bytes(&chosen->bytes, &chosen->size);
    }
}

/* Gives the table the hash, metric and size of the map in the file, where that can be read. */
static void join_map(table_file *file, const uint8_t *data, size_t size)
{
    cairn_load_options options = {.size = sizeof options, .memory_limit = 1 << 20};
    part *head = find_part(file, CN_TYPE_TABLE);
    cairn_map *map;

    if (!head || head->size < CN_TABLE_HEAD_SIZE ||
        cairn_load_bytes(data, size, &options, &map, NULL, NULL) != CAIRN_OK)
        return;
    cairn_metric metric = cairn_map_metric(map);
    cn_put_u64(head->bytes, cairn_map_hash(map));
    cn_put_u32(head->bytes + 8, cairn_map_node_count(map));
    cn_put_u32(head->bytes + 16, metric.straight);
    cn_put_u32(head->bytes + 20, metric.diagonal);
    head->bytes[25] = cairn_map_is_directed(map);
    cairn_map_free(map);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    table_file file;

    luck_state = seed;
    if (luck(64) == 0 || !split(&file, data, size))
        return LLVMFuzzerMutate(data, size, most);
    for (uint32_t times = 1 + luck(3); times; times--)
        change_something(&file);
    size_t joined = join(&file, data, most);
    if (joined && luck(16)) {
        join_map(&file, data, joined);
        joined = join(&file, data, most);
    }
    release(&file);
    return joined ? joined : LLVMFuzzerMutate(data, size, most);
}
