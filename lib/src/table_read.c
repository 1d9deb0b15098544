#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "buffer.h"
#include "codec.h"
#include "deflate.h"
#include "source.h"
#include "table_format.h"
#include "tasks.h"

/* One line of the directory. */
typedef struct row_entry {
    uint32_t codec;
    uint32_t crc;
    uint64_t size;
    uint64_t offset;       /* in the file */
    const uint8_t *bytes;
} row_entry;

typedef struct section {
    uint64_t start;    /* offset of its payload in the file */
    uint64_t size;
    uint8_t flags;
    cn_chunk payload;  /* empty for one that checks itself */
} section;

/* Rows are unpacked into planes, so many at a time, and then stored into the table together:
 * entries of one cell lie side by side, so that storing row by row would pass over the whole
 * table for each, and threads would write to the same cache lines. */
enum { ROWS_AT_ONCE = 16, CELLS_AT_ONCE = 32, BANDS = 64 };

typedef struct reader {
    cn_source source;
    cn_mem mem;
    cairn_load_options options;
    cairn_error *error;

    cairn_map *map;
    cairn_table *table;
    cn_grid grid;
    bool has_grid;

    uint64_t map_hash;
    cairn_metric metric;
    uint32_t entry_bits;
    uint32_t row_count;         /* in the file */
    uint32_t rows_wanted;
    size_t *landmark_start;     /* [row_count + 1] */
    cairn_node *landmarks;
    row_entry *rows;            /* [row_count] */

    cn_codec_frame frame;
    uint32_t first_row;         /* of the planes */
    uint32_t plane_count;
    void *planes[ROWS_AT_ONCE];
    cairn_status row_status[ROWS_AT_ONCE];
} reader;

/* ------------------------------------------------------------------------------- failures -- */

static cairn_status wrong(reader *reader, uint64_t offset, const char *expected)
{
    return cn_error_at_byte(reader->error, CAIRN_E_FORMAT, offset, expected, NULL, 0);
}

static cairn_status wrong_number(reader *reader, uint64_t offset, const char *expected,
                                 uint64_t found)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%" PRIu64, found);
    return cn_error_at_byte(reader->error, CAIRN_E_FORMAT, offset, expected, text, (size_t)size);
}

/* A number that this version gives no meaning. */
static cairn_status unknown_number(reader *reader, uint64_t offset, const char *expected,
                                   uint64_t found)
{
    wrong_number(reader, offset, expected, found);
    if (reader->error)
        reader->error->status = CAIRN_E_VERSION;
    return CAIRN_E_VERSION;
}

static cairn_status out_of_memory(reader *reader)
{
    return cn_error_plain(reader->error, CAIRN_E_MEMORY, NULL);
}

/* Says where the bytes ended, or that they could not be read. */
static cairn_status source_failed(reader *reader, cairn_status status, uint64_t offset,
                                  const char *expected)
{
    if (status == CAIRN_E_FORMAT)
        return cn_error_at_byte(reader->error, status, offset, expected, "the end of the file", 19);
    return cn_error_plain(reader->error, status, NULL);
}

/* ------------------------------------------------------------------------------- sections -- */

static cairn_status read_header(reader *reader)
{
    uint8_t header[CN_HEADER_SIZE];
    cairn_status status = cn_source_read(&reader->source, header, sizeof header);

    if (status != CAIRN_OK)
        return source_failed(reader, status, 0, "the header of a cairn file");
    if (memcmp(header, CN_MAGIC, CN_MAGIC_SIZE) != 0)
        return cn_error_at_byte(reader->error, CAIRN_E_FORMAT, 0,
                                "the first bytes of a cairn file", (const char *)header,
                                CN_MAGIC_SIZE);
    if (cn_get_u32(header + 12) != (uint32_t)crc32(0, header, 12))
        return wrong(reader, 12, "the checksum of the header");
    if (cn_get_u16(header + 8) != CN_VERSION_MAJOR)
        return unknown_number(reader, 8, "version 1", cn_get_u16(header + 8));
    return CAIRN_OK;
}

static cairn_status check_crc(reader *reader, const uint8_t *head, const section *section)
{
    uint32_t crc = (uint32_t)crc32(0, head, 4);
    crc = (uint32_t)crc32(crc, head + 8, 8);
    if (!(section->flags & CN_SECTION_SELF_CHECKED))
        crc = (uint32_t)crc32_z(crc, section->payload.bytes, (size_t)section->size);
    if (crc != cn_get_u32(head + 4))
        return wrong(reader, section->start - 12, "the checksum of the section");
    return CAIRN_OK;
}

/* A section that this reader does not know. */
static cairn_status pass_over(reader *reader, const uint8_t *head, const section *section,
                              const char *expected)
{
    uint64_t start = section->start - CN_SECTION_HEAD_SIZE;

    if (section->flags & CN_SECTION_REQUIRED)
        return cn_error_at_byte(reader->error, CAIRN_E_VERSION, start, expected,
                                (const char *)head, 4);
    cairn_status status = cn_source_skip(&reader->source, section->size);
    return status == CAIRN_OK ? status
                              : source_failed(reader, status, section->start,
                                              "the bytes of a section");
}

static bool type_is_known(uint32_t type)
{
    return type == CN_TYPE_MAP || type == CN_TYPE_METRIC || type == CN_TYPE_TABLE ||
           type == CN_TYPE_LANDMARKS || type == CN_TYPE_DIRECTORY || type == CN_TYPE_ROWS ||
           type == CN_TYPE_END;
}

static cairn_status read_section_head(reader *reader, uint8_t *head, section *section,
                                      const char *expected)
{
    uint64_t start = reader->source.offset;
    cairn_status status = cn_source_read(&reader->source, head, CN_SECTION_HEAD_SIZE);

    if (status != CAIRN_OK)
        return source_failed(reader, status, start, expected);
    section->start = start + CN_SECTION_HEAD_SIZE;
    section->size = cn_get_u64(head + 8) & (UINT64_MAX >> 8);
    section->flags = head[15];
    section->payload = (cn_chunk){0};
    if (section->flags & ~(CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED))
        return wrong_number(reader, start + 15, "section flags 0 to 3", section->flags);
    return CAIRN_OK;
}

/* Reads up to the section of this type, which must be the next that is known. */
static cairn_status open_section(reader *reader, uint32_t type, const char *expected,
                                 section *section)
{
    uint8_t head[CN_SECTION_HEAD_SIZE];
    cairn_status status;

    for (;;) {
        status = read_section_head(reader, head, section, expected);
        if (status != CAIRN_OK)
            return status;
        if (type_is_known(cn_get_u32(head)))
            break;
        status = pass_over(reader, head, section, expected);
        if (status != CAIRN_OK)
            return status;
    }
    if (cn_get_u32(head) != type)
        return cn_error_at_byte(reader->error, CAIRN_E_FORMAT,
                                section->start - CN_SECTION_HEAD_SIZE, expected,
                                (const char *)head, 4);
    if (!(section->flags & CN_SECTION_SELF_CHECKED)) {
        status = cn_source_take(&reader->source, section->size, &section->payload);
        if (status != CAIRN_OK)
            return source_failed(reader, status, section->start, "the bytes of a section");
    }
    status = check_crc(reader, head, section);
    if (status != CAIRN_OK)
        cn_chunk_free(&reader->source, &section->payload);
    return status;
}

/* The same for one that its own checksum covers, with `least` bytes or more. */
static cairn_status open_checked(reader *reader, uint32_t type, const char *expected,
                                 uint64_t least, section *section)
{
    cairn_status status = open_section(reader, type, expected, section);
    if (status != CAIRN_OK)
        return status;
    if (section->flags == CN_SECTION_REQUIRED && section->size >= least)
        return CAIRN_OK;
    cn_chunk_free(&reader->source, &section->payload);
    return wrong_number(reader, section->start, "a longer section", section->size);
}

/* ------------------------------------------------------------------------ map and metric -- */

static cairn_status check_map_head(reader *reader, const section *section)
{
    const uint8_t *bytes = section->payload.bytes;
    uint32_t width = cn_get_u32(bytes + 4), height = cn_get_u32(bytes + 8);

    if (bytes[0] != CN_MAP_KIND_GRID)
        return unknown_number(reader, section->start, "map kind 0", bytes[0]);
    if (bytes[1] != CN_MAP_RULE_NO_CORNERS)
        return unknown_number(reader, section->start + 1, "movement rule 0", bytes[1]);
    if (bytes[2] != CN_LETTERS_DEFLATED)
        return unknown_number(reader, section->start + 2, "letter coding 0", bytes[2]);
    if (bytes[3] != 0)
        return unknown_number(reader, section->start + 3, "0", bytes[3]);
    if (width == 0 || width > CAIRN_SIDE_MAX)
        return wrong_number(reader, section->start + 4, "a width from 1 to 65535", width);
    if (height == 0 || height > CAIRN_SIDE_MAX || (uint64_t)width * height > CAIRN_NODES_MAX)
        return wrong_number(reader, section->start + 8,
                            "a height from 1 to 65535 and at most 2^28 cells", height);
    if ((uint64_t)width * height > cn_inflate_bound(section->size - CN_MAP_HEAD_SIZE))
        return wrong(reader, section->start + CN_MAP_HEAD_SIZE, "bytes enough for that size");
    return CAIRN_OK;
}

static bool letters_are_known(const uint8_t *letters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!cn_letter_is_known(letters[i]))
            return false;
    }
    return true;
}

static cairn_status unpack_letters(reader *reader, const section *section)
{
    const uint8_t *bytes = section->payload.bytes;
    uint64_t offset = section->start + CN_MAP_HEAD_SIZE;
    uint32_t width = cn_get_u32(bytes + 4), height = cn_get_u32(bytes + 8);
    size_t count = (size_t)width * height;
    uint8_t *letters = cn_array(&reader->mem, count, 1);

    if (!letters)
        return out_of_memory(reader);
    cairn_status status = cn_inflate(&reader->mem, bytes + CN_MAP_HEAD_SIZE,
                                     (size_t)section->size - CN_MAP_HEAD_SIZE, letters, count);
    if (status == CAIRN_E_FORMAT)
        wrong(reader, offset, "the letters of the map, deflated");
    if (status == CAIRN_OK && !letters_are_known(letters, count))
        status = wrong(reader, offset, "letters that are known");
    if (status != CAIRN_OK) {
        cn_release(&reader->mem, letters);
        return status == CAIRN_E_MEMORY ? out_of_memory(reader) : status;
    }

    status = cn_grid_init(&reader->grid, &reader->mem, width, height, letters);
    reader->has_grid = status == CAIRN_OK;
    return status == CAIRN_OK ? status : cn_error_plain(reader->error, status, NULL);
}

static cairn_status read_map(reader *reader)
{
    section section;
    cairn_status status = open_checked(reader, CN_TYPE_MAP, "section MAP", CN_MAP_HEAD_SIZE,
                                       &section);
    if (status == CAIRN_OK) {
        status = check_map_head(reader, &section);
        if (status == CAIRN_OK)
            status = unpack_letters(reader, &section);
        cn_chunk_free(&reader->source, &section.payload);
    }
    return status;
}

static cairn_metric get_metric(const uint8_t *bytes)
{
    return (cairn_metric){cn_get_u32(bytes), cn_get_u32(bytes + 4)};
}

static cairn_status read_metric(reader *reader)
{
    section section;
    cairn_status status = open_checked(reader, CN_TYPE_METRIC, "section METR", CN_METRIC_SIZE,
                                       &section);
    if (status != CAIRN_OK)
        return status;
    cairn_metric metric = get_metric(section.payload.bytes);
    cn_chunk_free(&reader->source, &section.payload);
    if (!cn_metric_is_valid(metric))
        return wrong(reader, section.start, "a metric: 0 < straight <= diagonal <= 2 straight");

    reader->has_grid = false;
    status = cn_map_new(&reader->mem, metric, &reader->grid, &reader->map);
    return status == CAIRN_OK ? status : cn_error_plain(reader->error, status, NULL);
}

/* -------------------------------------------------------------- table, landmarks, directory -- */

static cairn_status check_table_head(reader *reader, const section *section)
{
    const uint8_t *bytes = section->payload.bytes;
    uint32_t node_count = cn_get_u32(bytes + 8);

    reader->map_hash = cn_get_u64(bytes);
    reader->row_count = cn_get_u32(bytes + 12);
    reader->metric = get_metric(bytes + 16);
    reader->entry_bits = bytes[24];
    if (node_count != cairn_map_node_count(reader->map))
        return wrong_number(reader, section->start + 8, "the number of cells of the map",
                            node_count);
    if (reader->row_count == 0 || reader->row_count > CAIRN_ROWS_MAX)
        return wrong_number(reader, section->start + 12, "1 to 256 rows", reader->row_count);
    if (reader->entry_bits != 16 && reader->entry_bits != 32)
        return unknown_number(reader, section->start + 24, "16 or 32 bits", bytes[24]);
    if (bytes[25] != CN_ROWS_SYMMETRIC)
        return unknown_number(reader, section->start + 25, "kind of rows 0", bytes[25]);
    if (cn_get_u16(bytes + 26) != 0)
        return unknown_number(reader, section->start + 26, "0", cn_get_u16(bytes + 26));
    if (reader->map_hash != reader->map->hash ||
        reader->metric.straight != reader->map->metric.straight ||
        reader->metric.diagonal != reader->map->metric.diagonal)
        return cn_error_at_byte(reader->error, CAIRN_E_MISMATCH, section->start,
                                "the hash and metric of the map", NULL, 0);
    return CAIRN_OK;
}

static cairn_status read_table_head(reader *reader)
{
    section section;
    cairn_status status = open_checked(reader, CN_TYPE_TABLE, "section TABL", CN_TABLE_HEAD_SIZE,
                                       &section);
    if (status != CAIRN_OK)
        return status;
    status = check_table_head(reader, &section);
    cn_chunk_free(&reader->source, &section.payload);
    if (status != CAIRN_OK)
        return status;

    uint32_t asked = reader->options.row_count;
    reader->rows_wanted = asked && asked < reader->row_count ? asked : reader->row_count;
    reader->landmark_start = cn_zeroed(&reader->mem, reader->row_count + 1u, sizeof(size_t));
    reader->rows = cn_zeroed(&reader->mem, reader->row_count, sizeof *reader->rows);
    return reader->landmark_start && reader->rows ? CAIRN_OK : out_of_memory(reader);
}

/* Open cells, ascending. */
static bool get_landmark(const reader *reader, cn_cursor *cursor, bool first, uint64_t before,
                         uint64_t *landmark)
{
    uint64_t difference;
    if (!cn_cursor_varint(cursor, &difference) || (!first && difference == 0))
        return false;
    if (difference >= cairn_map_node_count(reader->map) - before)
        return false;
    *landmark = before + difference;
    return cairn_map_is_open(reader->map, (cairn_node)*landmark);
}

static bool parse_landmarks(reader *reader, cn_cursor *cursor)
{
    size_t used = 0;

    for (uint32_t row = 0; row < reader->row_count; row++) {
        uint64_t count, landmark = 0;
        if (!cn_cursor_varint(cursor, &count) || count > (uint64_t)(cursor->end - cursor->at))
            return false;
        for (uint64_t i = 0; i < count; i++) {
            if (!get_landmark(reader, cursor, i == 0, landmark, &landmark))
                return false;
            reader->landmarks[used++] = (cairn_node)landmark;
        }
        reader->landmark_start[row + 1] = used;
    }
    return cursor->at == cursor->end;
}

/* A landmark takes at least one byte, so `size` of them are enough. */
static cairn_status unpack_landmarks(reader *reader, const section *section)
{
    cn_cursor cursor = {section->payload.bytes, section->payload.bytes + section->size};
    uint64_t size;

    if (!cn_cursor_varint(&cursor, &size))
        return wrong(reader, section->start, "the size of the landmarks");
    size_t packed_size = (size_t)(cursor.end - cursor.at);
    if (size > cn_inflate_bound(packed_size) || size > SIZE_MAX / 2)
        return wrong_number(reader, section->start, "a size that can be", size);

    uint8_t *plain = cn_array(&reader->mem, (size_t)size, 1);
    reader->landmarks = cn_array(&reader->mem, (size_t)size, sizeof *reader->landmarks);
    cairn_status status = CAIRN_E_MEMORY;
    if (plain && reader->landmarks)
        status = cn_inflate(&reader->mem, cursor.at, packed_size, plain, (size_t)size);
    if (status == CAIRN_OK) {
        cn_cursor list = {plain, plain + size};
        if (!parse_landmarks(reader, &list))
            status = CAIRN_E_FORMAT;
    }
    cn_release(&reader->mem, plain);
    if (status == CAIRN_E_FORMAT)
        return wrong(reader, section->start, "landmarks: open cells, ascending");
    return status == CAIRN_OK ? status : out_of_memory(reader);
}

static cairn_status read_landmarks(reader *reader)
{
    section section;
    cairn_status status = open_checked(reader, CN_TYPE_LANDMARKS, "section LAND", 1, &section);
    if (status != CAIRN_OK)
        return status;
    status = unpack_landmarks(reader, &section);
    cn_chunk_free(&reader->source, &section.payload);
    return status;
}

static bool parse_directory(reader *reader, cn_cursor *cursor)
{
    for (uint32_t row = 0; row < reader->row_count; row++) {
        uint64_t codec, size;
        const uint8_t *crc = NULL;
        if (cn_cursor_varint(cursor, &codec) && codec <= UINT32_MAX &&
            cn_cursor_varint(cursor, &size) && size <= UINT64_MAX >> 8)
            crc = cn_cursor_take(cursor, 4);
        if (!crc)
            return false;
        reader->rows[row].codec = (uint32_t)codec;
        reader->rows[row].size = size;
        reader->rows[row].crc = cn_get_u32(crc);
    }
    return cursor->at == cursor->end;
}

static cairn_status read_directory(reader *reader)
{
    section section;
    cairn_status status = open_checked(reader, CN_TYPE_DIRECTORY, "section RDIR", 1, &section);
    if (status != CAIRN_OK)
        return status;
    cn_cursor cursor = {section.payload.bytes, section.payload.bytes + section.size};
    if (!parse_directory(reader, &cursor))
        status = wrong(reader, section.start, "codec, size and checksum of each row");
    cn_chunk_free(&reader->source, &section.payload);
    return status;
}

/* --------------------------------------------------------------------------------- rows -- */

static cairn_status unpack_row(void *context, size_t task, unsigned worker)
{
    reader *reader = context;
    const row_entry *row = &reader->rows[reader->first_row + task];
    (void)worker;

    cairn_status status = CAIRN_E_FORMAT;
    if ((uint32_t)crc32_z(0, row->bytes, (size_t)row->size) == row->crc)
        status = cn_codec_unpack(&reader->frame, row->codec, row->bytes, (size_t)row->size,
                                 &reader->mem, reader->planes[task]);
    reader->row_status[task] = status;
    return status;
}

static cairn_status row_failed(reader *reader)
{
    for (uint32_t i = 0; i < reader->plane_count; i++) {
        const row_entry *row = &reader->rows[reader->first_row + i];
        if (reader->row_status[i] == CAIRN_E_FORMAT)
            return wrong_number(reader, row->offset, "a row that fits its checksum and codec",
                                reader->first_row + i);
        if (reader->row_status[i] == CAIRN_E_VERSION)
            return unknown_number(reader, row->offset, "a codec that this build has", row->codec);
        if (reader->row_status[i] != CAIRN_OK)
            return cn_error_plain(reader->error, reader->row_status[i], NULL);
    }
    return CAIRN_OK;
}

/* Row by row over a few cells, whose entries stay in the cache until all rows are stored. */
CN_ALWAYS_INLINE void store_cells(const reader *reader, uint32_t y, uint32_t x, uint32_t x_end,
                                  unsigned bits)
{
    const cairn_table *table = reader->table;
    const cn_grid *grid = &reader->map->grid;
    cairn_node first = y * grid->width;

    for (uint32_t i = 0; i < reader->plane_count; i++) {
        size_t to = cn_table_index(table, first + x, reader->first_row + i);
        size_t from = y * reader->frame.stride + x;
        for (uint32_t column = x; column < x_end; column++, from++, to += table->lane_count) {
            if (!cn_grid_is_open(grid, first + column))
                continue;
            if (bits == 16)
                ((uint16_t *)table->entries)[to] = ((const uint16_t *)reader->planes[i])[from];
            else
                ((uint32_t *)table->entries)[to] = ((const uint32_t *)reader->planes[i])[from];
        }
    }
}

static cairn_status store_band(void *context, size_t band, unsigned worker)
{
    const reader *reader = context;
    const cn_grid *grid = &reader->map->grid;
    uint32_t y_end = (uint32_t)((band + 1) * grid->height / BANDS);
    (void)worker;

    for (uint32_t y = (uint32_t)(band * grid->height / BANDS); y < y_end; y++) {
        for (uint32_t x = 0; x < grid->width; x += CELLS_AT_ONCE) {
            uint32_t x_end = grid->width - x < CELLS_AT_ONCE ? grid->width : x + CELLS_AT_ONCE;
            if (reader->entry_bits == 16)
                store_cells(reader, y, x, x_end, 16);
            else
                store_cells(reader, y, x, x_end, 32);
        }
    }
    return CAIRN_OK;
}

static cairn_status make_planes(reader *reader)
{
    for (uint32_t i = 0; i < reader->rows_wanted && i < ROWS_AT_ONCE; i++) {
        reader->planes[i] = cn_array(&reader->mem, reader->frame.size, 1);
        if (!reader->planes[i])
            return out_of_memory(reader);
    }
    return CAIRN_OK;
}

static cairn_status unpack_rows(reader *reader)
{
    unsigned thread_count = cn_tasks_threads(reader->options.thread_count, ROWS_AT_ONCE);
    cairn_status status = make_planes(reader);

    for (uint32_t row = 0; row < reader->rows_wanted && status == CAIRN_OK; row += ROWS_AT_ONCE) {
        uint32_t left = reader->rows_wanted - row;
        reader->first_row = row;
        reader->plane_count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        memset(reader->row_status, 0, sizeof reader->row_status);
        status = cn_tasks_run(thread_count, reader->plane_count, unpack_row, reader);
        if (status != CAIRN_OK)
            return row_failed(reader);
        status = cn_tasks_run(thread_count, BANDS, store_band, reader);
    }
    return status;
}

/* Gives the rows their places; *size is what the wanted ones take. */
static cairn_status place_rows(reader *reader, const section *section, uint64_t *size)
{
    uint64_t total = 0;

    for (uint32_t row = 0; row < reader->row_count; row++) {
        row_entry *entry = &reader->rows[row];
        if (entry->size > section->size - total)
            return wrong_number(reader, section->start, "as many bytes as the rows have",
                                section->size);
        entry->offset = section->start + total;
        total += entry->size;
        if (row + 1 == reader->rows_wanted)
            *size = total;
    }
    if (total != section->size)
        return wrong_number(reader, section->start, "as many bytes as the rows have",
                            section->size);
    return CAIRN_OK;
}

static cairn_status check_row_sizes(reader *reader)
{
    for (uint32_t row = 0; row < reader->rows_wanted; row++) {
        const row_entry *entry = &reader->rows[row];
        if (!cn_codec_is_plausible(&reader->frame, entry->codec, entry->size))
            return wrong_number(reader, entry->offset, "bytes enough for a row", entry->size);
    }
    return CAIRN_OK;
}

static cairn_status make_table(reader *reader)
{
    cairn_status status = cn_table_new(reader->map, &reader->mem, reader->rows_wanted,
                                       reader->entry_bits, &reader->table);
    if (status == CAIRN_OK)
        status = cn_table_set_landmarks(reader->table, reader->landmark_start, reader->landmarks);
    return status == CAIRN_OK ? status : cn_error_plain(reader->error, status, NULL);
}

static cairn_status load_rows(reader *reader, const cn_chunk *chunk)
{
    cairn_status status = make_table(reader);
    for (uint32_t row = 0; row < reader->rows_wanted; row++)
        reader->rows[row].bytes = chunk->bytes + (reader->rows[row].offset -
                                                  reader->rows[0].offset);
    return status == CAIRN_OK ? unpack_rows(reader) : status;
}

static cairn_status read_rows(reader *reader)
{
    section section;
    uint64_t size = 0;
    cn_chunk chunk;

    cairn_status status = open_section(reader, CN_TYPE_ROWS, "section ROWS", &section);
    if (status != CAIRN_OK)
        return status;
    cn_chunk_free(&reader->source, &section.payload);
    if (section.flags != (CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED))
        return wrong_number(reader, section.start - 1, "section flags 3", section.flags);
    reader->frame = cn_codec_frame_of(reader->map, reader->metric, reader->entry_bits);
    status = place_rows(reader, &section, &size);
    if (status == CAIRN_OK)
        status = check_row_sizes(reader);
    if (status != CAIRN_OK)
        return status;

    status = cn_source_take(&reader->source, size, &chunk);
    if (status == CAIRN_OK)
        status = load_rows(reader, &chunk);
    else
        source_failed(reader, status, section.start, "the rows");
    cn_chunk_free(&reader->source, &chunk);
    return status;
}

static cairn_status read_end(reader *reader)
{
    section section;
    bool end = false;

    cairn_status status = open_section(reader, CN_TYPE_END, "section END", &section);
    if (status != CAIRN_OK)
        return status;
    cn_chunk_free(&reader->source, &section.payload);
    if (section.flags != CN_SECTION_REQUIRED || section.size != 0)
        return wrong_number(reader, section.start, "an empty section", section.size);
    status = cn_source_is_at_end(&reader->source, &end);
    if (status != CAIRN_OK)
        return cn_error_plain(reader->error, status, NULL);
    return end ? CAIRN_OK : wrong(reader, section.start, "the end of the file");
}

/* ------------------------------------------------------------------------- the whole file -- */

static cairn_status read_table(reader *reader)
{
    cairn_status status = read_table_head(reader);
    if (status == CAIRN_OK)
        status = read_landmarks(reader);
    if (status == CAIRN_OK)
        status = read_directory(reader);
    if (status == CAIRN_OK)
        status = read_rows(reader);
    if (status == CAIRN_OK && reader->rows_wanted == reader->row_count)
        status = read_end(reader);
    return status;
}

static void finish(reader *reader)
{
    for (unsigned i = 0; i < ROWS_AT_ONCE; i++)
        cn_release(&reader->mem, reader->planes[i]);
    cn_release(&reader->mem, reader->landmark_start);
    cn_release(&reader->mem, reader->landmarks);
    cn_release(&reader->mem, reader->rows);
    if (reader->has_grid)
        cn_grid_free(&reader->grid, &reader->mem);
    cairn_map_free(reader->map);
    cairn_table_free(reader->table);
}

/* Reads what is wanted from the open source of the reader, and closes it. */
static cairn_status read_file(reader *reader, cairn_map **map, cairn_table **table)
{
    cairn_status status = read_header(reader);
    if (status == CAIRN_OK)
        status = read_map(reader);
    if (status == CAIRN_OK)
        status = read_metric(reader);
    if (status == CAIRN_OK && table)
        status = read_table(reader);
    if (status == CAIRN_OK && map) {
        *map = reader->map;
        reader->map = NULL;
    }
    if (status == CAIRN_OK && table) {
        *table = reader->table;
        reader->table = NULL;
    }
    finish(reader);
    cn_source_close(&reader->source);
    return status;
}

static cairn_status begin(reader *reader, const cairn_load_options *options, cairn_map **map,
                          cairn_table **table, cairn_error *error)
{
    memset(reader, 0, sizeof *reader);
    reader->error = error;
    if (map)
        *map = NULL;
    if (table)
        *table = NULL;
    if (error)
        memset(error, 0, sizeof *error);
    if (!cn_options_copy(&reader->options, sizeof reader->options, options))
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    reader->mem = cn_mem_from(reader->options.allocator);
    return CAIRN_OK;
}

cairn_status cairn_load(const char *path, const cairn_load_options *options, cairn_map **map,
                        cairn_table **table, cairn_error *error)
{
    reader reader;
    cairn_status status = begin(&reader, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    if (!path)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    status = cn_source_open(path, &reader.mem, &reader.source);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, NULL);
    return read_file(&reader, map, table);
}

cairn_status cairn_load_bytes(const uint8_t *bytes, size_t size,
                              const cairn_load_options *options, cairn_map **map,
                              cairn_table **table, cairn_error *error)
{
    reader reader;
    cairn_status status = begin(&reader, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    if (!bytes)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    reader.source = cn_source_of_bytes(bytes, size, &reader.mem);
    return read_file(&reader, map, table);
}
