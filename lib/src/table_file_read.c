#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "buffer.h"
#include "codec.h"
#include "deflate.h"
#include "source.h"
#include "table_file_format.h"
#include "table_file_kinds.h"
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
    cn_roadmap *roads;          /* instead of the grid, for a graph */

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

static cairn_status wrong(reader *in, uint64_t offset, const char *expected)
{
    return cn_error_at_byte(in->error, CAIRN_E_FORMAT, offset, expected, NULL, 0);
}

static cairn_status wrong_number(reader *in, uint64_t offset, const char *expected,
                                 uint64_t found)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%" PRIu64, found);
    return cn_error_at_byte(in->error, CAIRN_E_FORMAT, offset, expected, text, (size_t)size);
}

/* A number that this version gives no meaning. */
static cairn_status unknown_number(reader *in, uint64_t offset, const char *expected,
                                   uint64_t found)
{
    wrong_number(in, offset, expected, found);
    if (in->error)
        in->error->status = CAIRN_E_VERSION;
    return CAIRN_E_VERSION;
}

static cairn_status out_of_memory(reader *in)
{
    return cn_error_plain(in->error, CAIRN_E_MEMORY, NULL);
}

/* Says where the bytes ended, or that they could not be read. */
static cairn_status source_failed(reader *in, cairn_status status, uint64_t offset,
                                  const char *expected)
{
    if (status == CAIRN_E_FORMAT)
        return cn_error_at_byte(in->error, status, offset, expected, "the end of the file", 19);
    return cn_error_plain(in->error, status, NULL);
}

/* ------------------------------------------------------------------------------- sections -- */

static cairn_status read_header(reader *in)
{
    uint8_t header[CN_HEADER_SIZE];
    cairn_status status = cn_source_read(&in->source, header, sizeof header);

    if (status != CAIRN_OK)
        return source_failed(in, status, 0, "the header of a cairn file");
    if (memcmp(header, CN_MAGIC, CN_MAGIC_SIZE) != 0)
        return cn_error_at_byte(in->error, CAIRN_E_FORMAT, 0,
                                "the first bytes of a cairn file", (const char *)header,
                                CN_MAGIC_SIZE);
    if (cn_get_u32(header + 12) != (uint32_t)crc32(0, header, 12))
        return wrong(in, 12, "the checksum of the header");
    if (cn_get_u16(header + 8) != CN_VERSION_MAJOR)
        return unknown_number(in, 8, "version 1", cn_get_u16(header + 8));
    return CAIRN_OK;
}

static cairn_status check_crc(reader *in, const uint8_t *head, const section *part)
{
    uint32_t crc = (uint32_t)crc32(0, head, 4);
    crc = (uint32_t)crc32(crc, head + 8, 8);
    if (!(part->flags & CN_SECTION_SELF_CHECKED) && part->size > 0)
        crc = (uint32_t)crc32_z(crc, part->payload.bytes, (size_t)part->size);
    if (crc != cn_get_u32(head + 4))
        return wrong(in, part->start - 12, "the checksum of the section");
    return CAIRN_OK;
}

/* A section that this reader does not know. */
static cairn_status pass_over(reader *in, const uint8_t *head, const section *part,
                              const char *expected)
{
    uint64_t start = part->start - CN_SECTION_HEAD_SIZE;

    if (part->flags & CN_SECTION_REQUIRED)
        return cn_error_at_byte(in->error, CAIRN_E_VERSION, start, expected,
                                (const char *)head, 4);
    cairn_status status = cn_source_skip(&in->source, part->size);
    return status == CAIRN_OK ? status
                              : source_failed(in, status, part->start,
                                              "the bytes of a section");
}

static bool type_is_known(uint32_t type)
{
    return type == CN_TYPE_MAP || type == CN_TYPE_METRIC || type == CN_TYPE_TABLE ||
           type == CN_TYPE_LANDMARKS || type == CN_TYPE_DIRECTORY || type == CN_TYPE_ROWS ||
           type == CN_TYPE_END;
}

static cairn_status read_section_head(reader *in, uint8_t *head, section *part,
                                      const char *expected)
{
    uint64_t start = in->source.offset;
    cairn_status status = cn_source_read(&in->source, head, CN_SECTION_HEAD_SIZE);

    if (status != CAIRN_OK)
        return source_failed(in, status, start, expected);
    part->start = start + CN_SECTION_HEAD_SIZE;
    part->size = cn_get_u64(head + 8) & (UINT64_MAX >> 8);
    part->flags = head[15];
    part->payload = (cn_chunk){0};
    if (part->flags & ~(CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED))
        return wrong_number(in, start + 15, "section flags 0 to 3", part->flags);
    return CAIRN_OK;
}

/* Reads up to the section of this type, which must be the next that is known. */
static cairn_status open_section(reader *in, uint32_t type, const char *expected,
                                 section *part)
{
    uint8_t head[CN_SECTION_HEAD_SIZE];
    cairn_status status;

    for (;;) {
        status = read_section_head(in, head, part, expected);
        if (status != CAIRN_OK)
            return status;
        if (type_is_known(cn_get_u32(head)))
            break;
        status = pass_over(in, head, part, expected);
        if (status != CAIRN_OK)
            return status;
    }
    if (cn_get_u32(head) != type)
        return cn_error_at_byte(in->error, CAIRN_E_FORMAT,
                                part->start - CN_SECTION_HEAD_SIZE, expected,
                                (const char *)head, 4);
    if (!(part->flags & CN_SECTION_SELF_CHECKED)) {
        status = cn_source_take(&in->source, part->size, &part->payload);
        if (status != CAIRN_OK)
            return source_failed(in, status, part->start, "the bytes of a section");
    }
    status = check_crc(in, head, part);
    if (status != CAIRN_OK)
        cn_chunk_free(&in->source, &part->payload);
    return status;
}

/* The same for one that its own checksum covers, with `least` bytes or more. */
static cairn_status open_checked(reader *in, uint32_t type, const char *expected,
                                 uint64_t least, section *part)
{
    cairn_status status = open_section(in, type, expected, part);
    if (status != CAIRN_OK)
        return status;
    if (part->flags == CN_SECTION_REQUIRED && part->size >= least)
        return CAIRN_OK;
    cn_chunk_free(&in->source, &part->payload);
    return wrong_number(in, part->start, "a longer section", part->size);
}

/* ------------------------------------------------------------------------ map and metric -- */

static cairn_status check_map_head(reader *in, const section *part)
{
    const uint8_t *bytes = part->payload.bytes;
    uint32_t width = cn_get_u32(bytes + 4), height = cn_get_u32(bytes + 8);

    if (bytes[0] != CN_MAP_KIND_GRID)
        return unknown_number(in, part->start, "map kind 0", bytes[0]);
    if (bytes[1] != CN_MAP_RULE_NO_CORNERS)
        return unknown_number(in, part->start + 1, "movement rule 0", bytes[1]);
    if (bytes[2] != CN_LETTERS_DEFLATED)
        return unknown_number(in, part->start + 2, "letter coding 0", bytes[2]);
    if (bytes[3] != 0)
        return unknown_number(in, part->start + 3, "0", bytes[3]);
    if (width == 0 || width > CAIRN_SIDE_MAX)
        return wrong_number(in, part->start + 4, "a width from 1 to 65535", width);
    if (height == 0 || height > CAIRN_SIDE_MAX || (uint64_t)width * height > CAIRN_NODES_MAX)
        return wrong_number(in, part->start + 8,
                            "a height from 1 to 65535 and at most 2^28 cells", height);
    if ((uint64_t)width * height > cn_inflate_bound(part->size - CN_MAP_HEAD_SIZE))
        return wrong(in, part->start + CN_MAP_HEAD_SIZE, "bytes enough for that size");
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

static cairn_status unpack_letters(reader *in, const section *part)
{
    const uint8_t *bytes = part->payload.bytes;
    uint64_t offset = part->start + CN_MAP_HEAD_SIZE;
    uint32_t width = cn_get_u32(bytes + 4), height = cn_get_u32(bytes + 8);
    size_t count = (size_t)width * height;
    uint8_t *letters = cn_array(&in->mem, count, 1);

    if (!letters)
        return out_of_memory(in);
    cairn_status status = cn_inflate(&in->mem, bytes + CN_MAP_HEAD_SIZE,
                                     (size_t)part->size - CN_MAP_HEAD_SIZE, letters, count);
    if (status == CAIRN_E_FORMAT)
        wrong(in, offset, "the letters of the map, deflated");
    if (status == CAIRN_OK && !letters_are_known(letters, count))
        status = wrong(in, offset, "letters that are known");
    if (status != CAIRN_OK) {
        cn_release(&in->mem, letters);
        return status == CAIRN_E_MEMORY ? out_of_memory(in) : status;
    }

    status = cn_grid_init(&in->grid, &in->mem, width, height, letters);
    in->has_grid = status == CAIRN_OK;
    return status == CAIRN_OK ? status : cn_error_plain(in->error, status, NULL);
}

static cairn_status unpack_other_map(reader *in, const section *part)
{
    cairn_status status = cn_other_map_unpack(&in->mem, part->payload.bytes, (size_t)part->size,
                                              &in->grid, &in->roads);
    in->has_grid = status == CAIRN_OK && !in->roads;
    if (status == CAIRN_E_FORMAT)
        return wrong(in, part->start, "a map: cells with known letters, or nodes and arcs");
    if (status == CAIRN_E_VERSION)
        return unknown_number(in, part->start, "map kind 0, 1 or 2", part->payload.bytes[0]);
    return status == CAIRN_OK ? status : cn_error_plain(in->error, status, NULL);
}

static cairn_status read_map(reader *in)
{
    section part;
    cairn_status status = open_checked(in, CN_TYPE_MAP, "section MAP", CN_MAP_HEAD_SIZE,
                                       &part);
    if (status == CAIRN_OK) {
        bool is_other = ((const uint8_t *)part.payload.bytes)[0] != CN_MAP_KIND_GRID;
        status = is_other ? unpack_other_map(in, &part) : check_map_head(in, &part);
        if (status == CAIRN_OK && !is_other)
            status = unpack_letters(in, &part);
        cn_chunk_free(&in->source, &part.payload);
    }
    return status;
}

static cairn_metric get_metric(const uint8_t *bytes)
{
    return (cairn_metric){cn_get_u32(bytes), cn_get_u32(bytes + 4)};
}

static cairn_status read_metric(reader *in)
{
    section part;
    cairn_status status = open_checked(in, CN_TYPE_METRIC, "section METR", CN_METRIC_SIZE,
                                       &part);
    if (status != CAIRN_OK)
        return status;
    cairn_metric metric = get_metric(part.payload.bytes);
    cn_chunk_free(&in->source, &part.payload);
    if (!cn_metric_is_valid(metric))
        return wrong(in, part.start, "a metric: 0 < straight <= diagonal <= 2 straight");

    if (in->roads && (metric.straight != 1 || metric.diagonal != 1))
        return wrong(in, part.start, "the metric 1/1 for nodes and arcs");

    cn_roadmap *roads = in->roads;
    in->has_grid = false;
    in->roads = NULL;
    status = roads ? cn_map_new_roads(&in->mem, roads, &in->map)
                   : cn_map_new(&in->mem, metric, &in->grid, &in->map);
    return status == CAIRN_OK ? status : cn_error_plain(in->error, status, NULL);
}

/* -------------------------------------------------------------- table, landmarks, directory -- */

static cairn_status check_table_head(reader *in, const section *part)
{
    const uint8_t *bytes = part->payload.bytes;
    uint32_t node_count = cn_get_u32(bytes + 8);

    in->map_hash = cn_get_u64(bytes);
    in->row_count = cn_get_u32(bytes + 12);
    in->metric = get_metric(bytes + 16);
    in->entry_bits = bytes[24];
    if (node_count != cairn_map_node_count(in->map))
        return wrong_number(in, part->start + 8, "the number of cells of the map",
                            node_count);
    if (in->row_count == 0 || in->row_count > CAIRN_ROWS_MAX)
        return wrong_number(in, part->start + 12, "1 to 256 rows", in->row_count);
    if (in->entry_bits != 16 && in->entry_bits != 32)
        return unknown_number(in, part->start + 24, "16 or 32 bits", bytes[24]);
    bool pairs = cn_map_is_directed(in->map);
    if (bytes[25] != (pairs ? CN_ROWS_PAIRS : CN_ROWS_SYMMETRIC))
        return unknown_number(in, part->start + 25,
                              pairs ? "kind of rows 1" : "kind of rows 0", bytes[25]);
    if (pairs && in->row_count % 2)
        return wrong_number(in, part->start + 12, "an even number of rows", in->row_count);
    if (cn_get_u16(bytes + 26) != 0)
        return unknown_number(in, part->start + 26, "0", cn_get_u16(bytes + 26));
    if (in->map_hash != in->map->hash ||
        in->metric.straight != in->map->metric.straight ||
        in->metric.diagonal != in->map->metric.diagonal)
        return cn_error_at_byte(in->error, CAIRN_E_MISMATCH, part->start,
                                "the hash and metric of the map", NULL, 0);
    return CAIRN_OK;
}

static cairn_status read_table_head(reader *in)
{
    section part;
    cairn_status status = open_checked(in, CN_TYPE_TABLE, "section TABL", CN_TABLE_HEAD_SIZE,
                                       &part);
    if (status != CAIRN_OK)
        return status;
    status = check_table_head(in, &part);
    cn_chunk_free(&in->source, &part.payload);
    if (status != CAIRN_OK)
        return status;

    uint32_t asked = in->options.row_count;
    if (cn_map_is_directed(in->map))
        asked += asked & 1;
    in->rows_wanted = asked && asked < in->row_count ? asked : in->row_count;
    in->landmark_start = cn_zeroed(&in->mem, in->row_count + 1u, sizeof(size_t));
    in->rows = cn_zeroed(&in->mem, in->row_count, sizeof *in->rows);
    return in->landmark_start && in->rows ? CAIRN_OK : out_of_memory(in);
}

/* Open cells, ascending. */
static bool get_landmark(const reader *in, cn_cursor *cursor, bool first, uint64_t before,
                         uint64_t *landmark)
{
    uint64_t difference;
    if (!cn_cursor_varint(cursor, &difference) || (!first && difference == 0))
        return false;
    if (difference >= cairn_map_node_count(in->map) - before)
        return false;
    *landmark = before + difference;
    return cairn_map_is_open(in->map, (cairn_node)*landmark);
}

static bool parse_landmarks(reader *in, cn_cursor *cursor)
{
    size_t used = 0;

    for (uint32_t row = 0; row < in->row_count; row++) {
        uint64_t count, landmark = 0;
        if (!cn_cursor_varint(cursor, &count) || count > (uint64_t)(cursor->end - cursor->at))
            return false;
        for (uint64_t i = 0; i < count; i++) {
            if (!get_landmark(in, cursor, i == 0, landmark, &landmark))
                return false;
            in->landmarks[used++] = (cairn_node)landmark;
        }
        in->landmark_start[row + 1] = used;
    }
    return cursor->at == cursor->end;
}

/* A landmark takes at least one byte, so `size` of them are enough. */
static cairn_status unpack_landmarks(reader *in, const section *part)
{
    cn_cursor cursor = {part->payload.bytes, part->payload.bytes + part->size};
    uint64_t size;

    if (!cn_cursor_varint(&cursor, &size))
        return wrong(in, part->start, "the size of the landmarks");
    size_t packed_size = (size_t)(cursor.end - cursor.at);
    if (size > cn_inflate_bound(packed_size) || size > SIZE_MAX / 2)
        return wrong_number(in, part->start, "a size that can be", size);

    uint8_t *plain = cn_array(&in->mem, (size_t)size, 1);
    in->landmarks = cn_array(&in->mem, (size_t)size, sizeof *in->landmarks);
    cairn_status status = CAIRN_E_MEMORY;
    if (plain && in->landmarks)
        status = cn_inflate(&in->mem, cursor.at, packed_size, plain, (size_t)size);
    if (status == CAIRN_OK) {
        cn_cursor list = {plain, plain + size};
        if (!parse_landmarks(in, &list))
            status = CAIRN_E_FORMAT;
    }
    cn_release(&in->mem, plain);
    if (status == CAIRN_E_FORMAT)
        return wrong(in, part->start, "landmarks: open cells, ascending");
    return status == CAIRN_OK ? status : out_of_memory(in);
}

static cairn_status read_landmarks(reader *in)
{
    section part;
    cairn_status status = open_checked(in, CN_TYPE_LANDMARKS, "section LAND", 1, &part);
    if (status != CAIRN_OK)
        return status;
    status = unpack_landmarks(in, &part);
    cn_chunk_free(&in->source, &part.payload);
    return status;
}

static bool parse_directory(reader *in, cn_cursor *cursor)
{
    for (uint32_t row = 0; row < in->row_count; row++) {
        uint64_t codec, size;
        const uint8_t *crc = NULL;
        if (cn_cursor_varint(cursor, &codec) && codec <= UINT32_MAX &&
            cn_cursor_varint(cursor, &size) && size <= UINT64_MAX >> 8)
            crc = cn_cursor_take(cursor, 4);
        if (!crc)
            return false;
        in->rows[row].codec = (uint32_t)codec;
        in->rows[row].size = size;
        in->rows[row].crc = cn_get_u32(crc);
    }
    return cursor->at == cursor->end;
}

static cairn_status read_directory(reader *in)
{
    section part;
    cairn_status status = open_checked(in, CN_TYPE_DIRECTORY, "section RDIR", 1, &part);
    if (status != CAIRN_OK)
        return status;
    cn_cursor cursor = {part.payload.bytes, part.payload.bytes + part.size};
    if (!parse_directory(in, &cursor))
        status = wrong(in, part.start, "codec, size and checksum of each row");
    cn_chunk_free(&in->source, &part.payload);
    return status;
}

/* --------------------------------------------------------------------------------- rows -- */

static cairn_status unpack_row(void *context, size_t task, unsigned worker)
{
    reader *in = context;
    const row_entry *row = &in->rows[in->first_row + task];
    (void)worker;

    cairn_status status = CAIRN_E_FORMAT;
    if ((uint32_t)crc32_z(0, row->bytes, (size_t)row->size) == row->crc)
        status = cn_codec_unpack(&in->frame, row->codec, row->bytes, (size_t)row->size,
                                 &in->mem, in->planes[task]);
    in->row_status[task] = status;
    return status;
}

static cairn_status row_failed(reader *in)
{
    for (uint32_t i = 0; i < in->plane_count; i++) {
        const row_entry *row = &in->rows[in->first_row + i];
        if (in->row_status[i] == CAIRN_E_FORMAT)
            return wrong_number(in, row->offset, "a row that fits its checksum and codec",
                                in->first_row + i);
        if (in->row_status[i] == CAIRN_E_VERSION)
            return unknown_number(in, row->offset, "a codec that this build has", row->codec);
        if (in->row_status[i] != CAIRN_OK)
            return cn_error_plain(in->error, in->row_status[i], NULL);
    }
    return CAIRN_OK;
}

/* Row by row over a few cells, whose entries stay in the cache until all rows are stored. */
CN_ALWAYS_INLINE void store_cells(const reader *in, uint32_t y, uint32_t x, uint32_t x_end,
                                  unsigned bits)
{
    const cairn_table *table = in->table;
    const cn_grid *grid = &in->map->grid;
    cairn_node first = y * grid->width;

    for (uint32_t i = 0; i < in->plane_count; i++) {
        size_t to = cn_table_index(table, first + x, in->first_row + i);
        size_t from = y * in->frame.stride + x;
        for (uint32_t column = x; column < x_end; column++, from++, to += table->lane_count) {
            if (!cn_grid_is_open(grid, first + column))
                continue;
            if (bits == 16)
                ((uint16_t *)table->entries)[to] = ((const uint16_t *)in->planes[i])[from];
            else
                ((uint32_t *)table->entries)[to] = ((const uint32_t *)in->planes[i])[from];
        }
    }
}

static cairn_status store_band(void *context, size_t band, unsigned worker)
{
    const reader *in = context;
    const cn_grid *grid = &in->map->grid;
    uint32_t y_end = (uint32_t)((band + 1) * grid->height / BANDS);
    (void)worker;

    for (uint32_t y = (uint32_t)(band * grid->height / BANDS); y < y_end; y++) {
        for (uint32_t x = 0; x < grid->width; x += CELLS_AT_ONCE) {
            uint32_t x_end = grid->width - x < CELLS_AT_ONCE ? grid->width : x + CELLS_AT_ONCE;
            if (in->entry_bits == 16)
                store_cells(in, y, x, x_end, 16);
            else
                store_cells(in, y, x, x_end, 32);
        }
    }
    return CAIRN_OK;
}

static cairn_status make_planes(reader *in)
{
    for (uint32_t i = 0; i < in->rows_wanted && i < ROWS_AT_ONCE; i++) {
        in->planes[i] = cn_array(&in->mem, in->frame.size, 1);
        if (!in->planes[i])
            return out_of_memory(in);
    }
    return CAIRN_OK;
}

static cairn_status unpack_rows(reader *in)
{
    unsigned thread_count = cn_tasks_threads(in->options.thread_count, ROWS_AT_ONCE);
    cairn_status status = make_planes(in);

    for (uint32_t row = 0; row < in->rows_wanted && status == CAIRN_OK; row += ROWS_AT_ONCE) {
        uint32_t left = in->rows_wanted - row;
        in->first_row = row;
        in->plane_count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        memset(in->row_status, 0, sizeof in->row_status);
        status = cn_tasks_run(thread_count, in->plane_count, unpack_row, in);
        if (status != CAIRN_OK)
            return row_failed(in);
        status = cn_tasks_run(thread_count, BANDS, store_band, in);
    }
    return status;
}

/* Gives the rows their places; *size is what the wanted ones take. */
static cairn_status place_rows(reader *in, const section *part, uint64_t *size)
{
    uint64_t total = 0;

    for (uint32_t row = 0; row < in->row_count; row++) {
        row_entry *entry = &in->rows[row];
        if (entry->size > part->size - total)
            return wrong_number(in, part->start, "as many bytes as the rows have",
                                part->size);
        entry->offset = part->start + total;
        total += entry->size;
        if (row + 1 == in->rows_wanted)
            *size = total;
    }
    if (total != part->size)
        return wrong_number(in, part->start, "as many bytes as the rows have",
                            part->size);
    return CAIRN_OK;
}

static cairn_status check_row_sizes(reader *in)
{
    for (uint32_t row = 0; row < in->rows_wanted; row++) {
        const row_entry *entry = &in->rows[row];
        if (!cn_codec_is_plausible(&in->frame, entry->codec, entry->size))
            return wrong_number(in, entry->offset, "bytes enough for a row", entry->size);
    }
    return CAIRN_OK;
}

/* Everything that cn_table_check looks at has been checked on the way, but for the entries of the
 * landmarks: a wrong one is for cairn_table_verify to name, which needs a table to look at. */
static cairn_status make_table(reader *in)
{
    cairn_status status = cn_table_new(in->map, &in->mem, in->rows_wanted,
                                       in->entry_bits, &in->table);
    if (status == CAIRN_OK)
        status = cn_table_set_landmarks(in->table, in->landmark_start, in->landmarks);
    return status == CAIRN_OK ? status : cn_error_plain(in->error, status, NULL);
}

static cairn_status load_rows(reader *in, const cn_chunk *chunk)
{
    cairn_status status = make_table(in);
    for (uint32_t row = 0; row < in->rows_wanted; row++)
        in->rows[row].bytes = chunk->bytes + (in->rows[row].offset -
                                                  in->rows[0].offset);
    return status == CAIRN_OK ? unpack_rows(in) : status;
}

static cairn_status read_rows(reader *in)
{
    section part;
    uint64_t size = 0;
    cn_chunk chunk;

    cairn_status status = open_section(in, CN_TYPE_ROWS, "section ROWS", &part);
    if (status != CAIRN_OK)
        return status;
    cn_chunk_free(&in->source, &part.payload);
    if (part.flags != (CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED))
        return wrong_number(in, part.start - 1, "section flags 3", part.flags);
    in->frame = cn_codec_frame_of(in->map, in->metric, in->entry_bits);
    status = place_rows(in, &part, &size);
    if (status == CAIRN_OK)
        status = check_row_sizes(in);
    if (status != CAIRN_OK)
        return status;

    status = cn_source_take(&in->source, size, &chunk);
    if (status == CAIRN_OK)
        status = load_rows(in, &chunk);
    else
        source_failed(in, status, part.start, "the rows");
    cn_chunk_free(&in->source, &chunk);
    return status;
}

static cairn_status read_end(reader *in)
{
    section part;
    bool end = false;

    cairn_status status = open_section(in, CN_TYPE_END, "section END", &part);
    if (status != CAIRN_OK)
        return status;
    cn_chunk_free(&in->source, &part.payload);
    if (part.flags != CN_SECTION_REQUIRED || part.size != 0)
        return wrong_number(in, part.start, "an empty section", part.size);
    status = cn_source_is_at_end(&in->source, &end);
    if (status != CAIRN_OK)
        return cn_error_plain(in->error, status, NULL);
    return end ? CAIRN_OK : wrong(in, part.start, "the end of the file");
}

/* ------------------------------------------------------------------------- the whole file -- */

static cairn_status read_table(reader *in)
{
    cairn_status status = read_table_head(in);
    if (status == CAIRN_OK)
        status = read_landmarks(in);
    if (status == CAIRN_OK)
        status = read_directory(in);
    if (status == CAIRN_OK)
        status = read_rows(in);
    if (status == CAIRN_OK && in->rows_wanted == in->row_count)
        status = read_end(in);
    return status;
}

static void finish(reader *in)
{
    for (unsigned i = 0; i < ROWS_AT_ONCE; i++)
        cn_release(&in->mem, in->planes[i]);
    cn_release(&in->mem, in->landmark_start);
    cn_release(&in->mem, in->landmarks);
    cn_release(&in->mem, in->rows);
    if (in->has_grid)
        cn_grid_free(&in->grid, &in->mem);
    cn_roadmap_free(in->roads, &in->mem);
    cairn_map_free(in->map);
    cairn_table_free(in->table);
}

/* Reads what is wanted from the open source of the reader, and closes it. */
static cairn_status read_file(reader *in, cairn_map **map, cairn_table **table)
{
    cairn_status status = read_header(in);
    if (status == CAIRN_OK)
        status = read_map(in);
    if (status == CAIRN_OK)
        status = read_metric(in);
    if (status == CAIRN_OK && table)
        status = read_table(in);
    if (status == CAIRN_OK && map) {
        *map = in->map;
        in->map = NULL;
    }
    if (status == CAIRN_OK && table) {
        *table = in->table;
        in->table = NULL;
    }
    finish(in);
    cn_source_close(&in->source);
    return status;
}

static cairn_status begin(reader *in, const cairn_load_options *options, cairn_map **map,
                          cairn_table **table, cairn_error *error)
{
    memset(in, 0, sizeof *in);
    in->error = error;
    if (map)
        *map = NULL;
    if (table)
        *table = NULL;
    if (error)
        memset(error, 0, sizeof *error);
    if (!cn_options_copy(&in->options, sizeof in->options, options))
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    in->mem = cn_mem_from(in->options.allocator);
    return CAIRN_OK;
}

cairn_status cairn_load(const char *path, const cairn_load_options *options, cairn_map **map,
                        cairn_table **table, cairn_error *error)
{
    reader in;
    cairn_status status = begin(&in, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    if (!path)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    status = cn_source_open(path, &in.mem, &in.source);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, NULL);
    return read_file(&in, map, table);
}

cairn_status cairn_load_bytes(const uint8_t *bytes, size_t size,
                              const cairn_load_options *options, cairn_map **map,
                              cairn_table **table, cairn_error *error)
{
    reader in;
    cairn_status status = begin(&in, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    if (!bytes)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    in.source = cn_source_of_bytes(bytes, size, &in.mem);
    return read_file(&in, map, table);
}
