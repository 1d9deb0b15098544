#include "file/file_read.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "io/deflate.h"
#include "table/corner_rows.h"
#include "base/tasks.h"

/* -------------------------------------------------------------- table, landmarks, directory -- */

static cairn_status check_table_head(cn_reader *in, const cn_section *part)
{
    const uint8_t *bytes = part->payload.bytes;
    cn_sections *sections = &in->sections;

    if (in->node_count == 0 || in->node_count > CAIRN_NODES_MAX)
        return cn_sections_wrong_number(sections, part->start + 8, "1 to 2^28 cells",
                                        in->node_count);
    if (in->row_count == 0 || in->row_count > CAIRN_ROWS_MAX)
        return cn_sections_wrong_number(sections, part->start + 12, "1 to 256 rows", in->row_count);
    if (in->entry_bits != 16 && in->entry_bits != 32)
        return cn_sections_unknown(sections, part->start + 24, "16 or 32 bits", bytes[24]);
    if (bytes[25] > CN_ROWS_PAIRS)
        return cn_sections_unknown(sections, part->start + 25, "kind of rows 0 or 1", bytes[25]);
    if (bytes[26] > CN_COSTS_STEPS)
        return cn_sections_unknown(sections, part->start + 26, "kind of costs 0 or 1", bytes[26]);
    if (bytes[27] != 0)
        return cn_sections_unknown(sections, part->start + 27, "0", bytes[27]);
    return CAIRN_OK;
}

/* What a map and its step map take while the latter is made. */
static uint64_t step_map_memory(const cairn_map *map)
{
    enum { FOR_A_CELL = 4, FOR_AN_ARC = 84 };
    return (uint64_t)cairn_map_node_count(map) * FOR_A_CELL +
           (uint64_t)cairn_map_arc_count(map) * FOR_AN_ARC;
}

/* Finds the map of the rows: if the table counts steps, the step map of the map. */
static cairn_status find_row_map(cn_reader *in, const cn_section *part)
{
    cn_sections *sections = &in->sections;

    if (!in->map)
        return cn_error_at_byte(sections->error, CAIRN_E_MISMATCH, part->start,
                                "a map: the file has none", NULL, 0);
    if (in->own_map && in->node_count != cairn_map_node_count(in->map))
        return cn_sections_wrong_number(sections, part->start + 8, "the number of cells of the map",
                                        in->node_count);
    if (!in->counts_steps)
        return CAIRN_OK;
    uint64_t needed = step_map_memory(in->map);
    if (needed > cn_reader_memory_limit(in))
        return cn_reader_too_large(in, part->start + 8,
                                   "a map and its step map that take no more than memory_limit",
                                   needed);
    cairn_status status = cn_map_step_map(in->map, in->metric, &in->map);
    if (status == CAIRN_OK && in->map == in->own_map)
        return cn_sections_wrong_number(sections, part->start + 26,
                                        "0: the map itself is without terrain", 1);
    if (status == CAIRN_E_ARGUMENT)
        return cn_sections_wrong(sections, part->start + 16,
                                 "a metric: 0 < straight <= diagonal "
                                 "<= 2 straight, at most 2^24, or 1/1 "
                                 "for a graph");
    return status == CAIRN_OK ? status : cn_sections_failed(sections, status);
}

/* Edits may have made a graph undirected that was directed when its table was built: the table
 * still has rows for both directions. */
static cairn_status direct_graph(cn_reader *in)
{
    if (!in->is_directed || !in->own_map || in->map != in->own_map || !in->own_map->roads)
        return CAIRN_OK;
    return cn_roadmap_direct(in->own_map->roads, &in->own_map->mem);
}

/* Whether the caller's map is for units, and the file for larger or smaller ones. */
static bool is_for_other_units(const cn_reader *in)
{
    const bool is_given = !in->own_map && in->options.map;
    const uint32_t size = is_given ? cairn_map_unit_size(in->options.map) : 1;
    return size > 1 && in->unit_size > 1 && size != in->unit_size;
}

/* Why the map of the caller is not that of the rows. */
static cairn_status refuse_map(cn_reader *in, const cn_section *part)
{
    const uint32_t size = in->options.map ? cairn_map_unit_size(in->options.map) : 1;
    char text[24];
    if (in->own_map || size == in->unit_size)
        return cn_error_at_byte(in->sections.error, CAIRN_E_MISMATCH, part->start,
                                "the hash and metric of the map", NULL, 0);
    const int length = snprintf(text, sizeof text, "size %u, not %u", size, in->unit_size);
    return cn_error_at_byte(in->sections.error, CAIRN_E_MISMATCH, part->start,
                            "a map for units as large as those of the file", text, (size_t)length);
}

/* Whether the rows belong to the map. */
static cairn_status check_belonging(cn_reader *in, const cn_section *part)
{
    cn_sections *sections = &in->sections;
    cairn_status status = find_row_map(in, part);
    if (status != CAIRN_OK)
        return status;
    status = direct_graph(in);
    if (status != CAIRN_OK)
        return cn_sections_failed(sections, status);
    const cairn_map *map = in->map;

    if (in->own_map && in->is_directed != cn_map_is_directed(map))
        return cn_sections_unknown(sections, part->start + 25,
                                   in->is_directed ? "kind of rows 0" : "kind of rows 1",
                                   in->is_directed);
    if (is_for_other_units(in) || in->map_hash != map->hash ||
        !cn_metric_is_same(in->metric, map->metric) ||
        in->node_count != cairn_map_node_count(map) || in->is_directed != cn_map_is_directed(map))
        return refuse_map(in, part);
    return CAIRN_OK;
}

/* What rows at corners take, landmarks being such, and beside them a row of every cell or links
 * between corners while they are computed. */
static uint64_t memory_for_corners(const cn_reader *in, uint32_t row_count)
{
    const uint64_t corners = in->corner_count + (uint64_t)in->landmark_start[row_count];
    const uint32_t most = corners < in->node_count ? (uint32_t)corners : in->node_count;
    return cn_table_memory(most, row_count, in->entry_bits, 0) +
           cn_corners_memory_of(&in->map->grid, most) + 4 * (uint64_t)in->node_count +
           cn_map_runs_memory(in->map, in->landmark_start[1]);
}

/* A map of the caller's counts with two bytes for a cell, and its step map with two more. */
static uint64_t memory_for_map(const cn_reader *in)
{
    return in->own_map ? cairn_map_memory(in->own_map)
                       : (uint64_t)in->node_count * (in->counts_steps ? 4 : 2);
}

/* A landmark is in two lists, and temporarily in one of seeds. */
static uint64_t memory_for(const cn_reader *in, uint32_t row_count)
{
    const uint64_t for_a_landmark = 2 * sizeof(cairn_node) + 8;
    const uint64_t rows = in->options.resident == CAIRN_RESIDENT_CORNERS
                              ? memory_for_corners(in, row_count)
                              : cn_table_memory(in->node_count, row_count, in->entry_bits, 0);
    return memory_for_map(in) + in->landmark_start[row_count] * for_a_landmark + rows;
}

/* How many rows have together 16 bytes of entries for a node: sweeps write so many at once. */
static uint32_t rows_of_a_chunk(const cn_reader *in)
{
    return 16 / (in->entry_bits / 8);
}

/* Where rows are only verified: as many together as fit the caller's limit, or that of the file. */
static uint32_t choose_rows_together(const cn_reader *in)
{
    enum { USUAL_MEMORY = 1 << 30 };
    const uint64_t most = in->options.memory_limit ? UINT64_MAX : USUAL_MEMORY;
    const uint64_t allowed = cn_reader_memory_limit(in), limit = allowed < most ? allowed : most;
    const uint32_t chunk = rows_of_a_chunk(in);
    uint32_t rows = (in->rows_wanted + chunk - 1) / chunk * chunk;

    while (rows > chunk && memory_for(in, rows < in->rows_wanted ? rows : in->rows_wanted) > limit)
        rows -= chunk;
    return rows < in->rows_wanted ? rows : in->rows_wanted;
}

/* Chooses how many rows are loaded: those asked for, or as many as fit the caller's limit. */
static void choose_rows(cn_reader *in)
{
    uint32_t step = in->is_directed ? 2 : 1, asked = in->options.row_count;
    uint32_t rows = asked && asked < in->row_count ? (asked + step - 1) / step * step
                                                   : in->row_count;

    if (in->options.resident == CAIRN_RESIDENT_CORNERS)
        in->corner_count = cn_corners_count(&in->map->grid);

    while (in->keeps_table && in->options.memory_limit && rows > step &&
           memory_for(in, rows) > in->options.memory_limit)
        rows -= step;
    in->rows_wanted = rows;
    in->rows_together = in->keeps_table ? rows : choose_rows_together(in);
}

/* Refuses rows that would take more memory or work than the limits allow. The work is that of
 * graphs, of which every row visits every arc. */
static cairn_status check_rows_fit(cn_reader *in, uint64_t offset)
{
    uint64_t needed = memory_for(in, in->rows_together);
    uint64_t visits = (uint64_t)cairn_map_arc_count(in->map) * in->rows_wanted;

    if (needed > cn_reader_memory_limit(in))
        return cn_reader_too_large(in, offset, "rows that take no more than memory_limit", needed);
    if (visits > cn_reader_work_limit(in))
        return cn_reader_too_much(in, offset, "rows that take no more than memory_limit", visits);
    return CAIRN_OK;
}

static cairn_status parse_table_head(cn_reader *in, const cn_section *part)
{
    const uint8_t *bytes = part->payload.bytes;

    in->map_hash = cn_get_u64(bytes);
    in->node_count = cn_get_u32(bytes + 8);
    in->row_count = cn_get_u32(bytes + 12);
    in->metric = cn_get_metric(bytes + 16);
    in->entry_bits = bytes[24];
    in->is_directed = bytes[25] == CN_ROWS_PAIRS;
    in->counts_steps = bytes[26] == CN_COSTS_STEPS;
    cairn_status status = check_table_head(in, part);
    if (status == CAIRN_OK && !cn_reader_wants_no_map(in))
        status = check_belonging(in, part);
    if (status == CAIRN_OK && in->is_directed && in->row_count % 2)
        return cn_sections_wrong_number(&in->sections, part->start + 12, "an even number of rows",
                                        in->row_count);
    return status;
}

static cairn_status read_table_head(cn_reader *in)
{
    cn_section part;
    cairn_status status = cn_sections_open_checked(&in->sections, CN_TYPE_TABLE, "section TABL",
                                                   CN_TABLE_HEAD_SIZE, CN_TABLE_HEAD_SIZE, &part);
    if (status != CAIRN_OK)
        return status;
    status = parse_table_head(in, &part);
    cn_sections_close(&in->sections, &part);
    if (status != CAIRN_OK)
        return status;

    in->landmark_start = cn_zeroed(&in->mem, in->row_count + 1u, sizeof(size_t));
    in->rows = cn_zeroed(&in->mem, in->row_count, sizeof *in->rows);
    return in->landmark_start && in->rows ? CAIRN_OK
                                          : cn_sections_failed(&in->sections, CAIRN_E_MEMORY);
}

/* Reads the next landmark: an open cell, in ascending order. Where only the outline is wanted it is
 * not known which cells are open. */
static bool get_landmark(const cn_reader *in, cn_cursor *cursor, bool first, uint64_t before,
                         uint64_t *landmark)
{
    uint64_t difference;
    if (!cn_cursor_varint(cursor, &difference) || (!first && difference == 0))
        return false;
    if (difference >= in->node_count - before)
        return false;
    *landmark = before + difference;
    return !in->map || cairn_map_is_open(in->map, (cairn_node)*landmark);
}

/* Reads the landmarks of the first rows, into `landmarks` if that is not NULL. */
static bool parse_landmarks(cn_reader *in, cn_cursor *cursor, uint32_t row_count,
                            cairn_node *landmarks)
{
    size_t used = 0;

    for (uint32_t row = 0; row < row_count; row++) {
        uint64_t count, landmark = 0;
        if (!cn_cursor_varint(cursor, &count) || count > (uint64_t)(cursor->end - cursor->at))
            return false;
        for (uint64_t i = 0; i < count; i++, used++) {
            if (!get_landmark(in, cursor, i == 0, landmark, &landmark))
                return false;
            if (landmarks)
                landmarks[used] = (cairn_node)landmark;
        }
        in->landmark_start[row + 1] = used;
    }
    return true;
}

/* The largest size of lists of landmarks on this map: a varint of d takes at most 1 + d / 128
 * bytes, and the differences in a row add up to less than the number of cells. */
static uint64_t landmarks_size_most(const cn_reader *in)
{
    enum { COUNT_SIZE = 5 };
    uint64_t cells = in->map ? cairn_map_open_count(in->map) : in->node_count;
    return in->row_count * (COUNT_SIZE + cells + in->node_count / 128);
}

static cairn_status decide_rows(cn_reader *in, uint64_t offset)
{
    in->rows_wanted = in->row_count;
    if (in->wants == CN_READ_PACKED)
        return CAIRN_OK;
    choose_rows(in);
    /* If the size of the file is not sure, this check is made when its rows have been read. */
    return !cn_source_size_is_sure(&in->sections.source) && !in->options.memory_limit
               ? CAIRN_OK
               : check_rows_fit(in, offset);
}

/* Allocates the landmarks of the rows that are wanted, after counting them. */
static cairn_status take_landmarks(cn_reader *in, uint64_t offset, cn_cursor lists)
{
    cn_cursor counting = lists;

    if (!parse_landmarks(in, &counting, in->row_count, NULL) || counting.at != counting.end)
        return cn_sections_wrong(&in->sections, offset, "landmarks: open cells, ascending");
    if (in->wants == CN_READ_OUTLINE)
        return CAIRN_OK;
    cairn_status status = decide_rows(in, offset);
    if (status != CAIRN_OK)
        return status;
    in->landmarks = cn_array(&in->mem, in->landmark_start[in->rows_wanted], sizeof *in->landmarks);
    if (!in->landmarks)
        return cn_sections_failed(&in->sections, CAIRN_E_MEMORY);
    parse_landmarks(in, &lists, in->rows_wanted, in->landmarks);
    const cn_landmark_lists taken = {in->landmark_start, in->landmarks};
    if (in->is_directed && !cn_landmark_pairs_are_alike(taken, in->rows_wanted))
        return cn_sections_wrong(&in->sections, offset,
                                 "the same landmarks in both rows of a pair");
    return CAIRN_OK;
}

static cairn_status unpack_landmarks(cn_reader *in, const cn_section *part)
{
    cn_cursor cursor = {part->payload.bytes, part->payload.bytes + part->size};
    uint64_t size;

    if (!cn_cursor_varint(&cursor, &size))
        return cn_sections_wrong(&in->sections, part->start, "the size of the landmarks");
    size_t packed_size = (size_t)(cursor.end - cursor.at);
    if (size > cn_inflate_bound(packed_size) || size > landmarks_size_most(in))
        return cn_sections_wrong_number(&in->sections, part->start, "a size that can be", size);
    if (size > cn_reader_memory_limit(in) || size > SIZE_MAX / 2)
        return cn_reader_too_large(in, part->start, "landmarks that take no more than memory_limit",
                                   size);

    uint8_t *unpacked = cn_array(&in->mem, (size_t)size, 1);
    cairn_status status = unpacked
                              ? cn_inflate(&in->mem, cursor.at, packed_size, unpacked, (size_t)size)
                              : CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = take_landmarks(in, part->start, (cn_cursor){unpacked, unpacked + size});
    else if (status == CAIRN_E_FORMAT)
        cn_sections_wrong(&in->sections, part->start, "the landmarks, deflated");
    else
        cn_sections_failed(&in->sections, status);
    cn_release(&in->mem, unpacked);
    return status;
}

static cairn_status read_landmarks(cn_reader *in)
{
    cn_section part;
    cairn_status status = cn_sections_open_checked(&in->sections, CN_TYPE_LANDMARKS, "section LAND",
                                                   1, UINT64_MAX, &part);
    if (status != CAIRN_OK)
        return status;
    status = unpack_landmarks(in, &part);
    cn_sections_close(&in->sections, &part);
    return status;
}

static bool parse_directory(cn_reader *in, cn_cursor *cursor)
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

static cairn_status read_directory(cn_reader *in)
{
    cn_section part;
    cairn_status status = cn_sections_open_checked(&in->sections, CN_TYPE_DIRECTORY, "section RDIR",
                                                   1, UINT64_MAX, &part);
    if (status != CAIRN_OK)
        return status;
    cn_cursor cursor = {part.payload.bytes, part.payload.bytes + part.size};
    if (!parse_directory(in, &cursor))
        status = cn_sections_wrong(&in->sections, part.start,
                                   "codec, size and checksum of each row");
    cn_sections_close(&in->sections, &part);
    return status;
}

/* --------------------------------------------------------------------------------- rows -- */

static cairn_status codec_is_missing(cn_reader *in, uint64_t offset, uint32_t codec)
{
    const char *name = cn_codec_name(codec), *expected = "a codec that this build has";
    if (!name)
        return cn_sections_unknown(&in->sections, offset, expected, codec);
    return cn_error_at_byte(in->sections.error, CAIRN_E_VERSION, offset, expected, name,
                            strlen(name));
}

static cairn_status row_is_damaged(cn_reader *in, uint32_t row)
{
    char text[24];
    int size = snprintf(text, sizeof text, "row %u", row);
    return cn_error_at_byte(in->sections.error, CAIRN_E_FORMAT, in->rows[row].offset,
                            "a row that fits its checksum and codec", text, (size_t)size);
}

/* `rows` are those of the table, from `first` on. */
static cairn_status rows_failed(cn_reader *in, const cn_coded_row *rows, uint32_t first,
                                cairn_status status)
{
    for (uint32_t row = 0; row < in->table->row_count; row++) {
        uint64_t offset = in->rows[first + row].offset;
        if (rows[row].status == CAIRN_E_FORMAT)
            return row_is_damaged(in, first + row);
        if (rows[row].status == CAIRN_E_VERSION)
            return codec_is_missing(in, offset, rows[row].codec);
    }
    return cn_sections_failed(&in->sections, status);
}

/* The rows of the table from `first` on. */
static cairn_status unpack_rows(cn_reader *in, const uint8_t *bytes, uint32_t first)
{
    const uint32_t count = in->table->row_count;
    const uint64_t entries = (uint64_t)in->node_count * count;
    const cairn_pool *pool = in->options.pool ? in->options.pool : &in->map->pool;
    const cn_crew crew = cn_tasks_crew(pool, in->options.thread_count, count, entries);
    cn_coded_row *rows = cn_zeroed(&in->mem, count, sizeof *rows);

    if (!rows)
        return cn_sections_failed(&in->sections, CAIRN_E_MEMORY);
    for (uint32_t row = 0; row < count; row++) {
        const cn_row_entry *entry = &in->rows[first + row];
        const size_t *start = in->landmark_start + first + row;
        rows[row] = (cn_coded_row){
            .codec = entry->codec,
            .crc = entry->crc,
            .bytes = bytes + (entry->offset - in->rows[0].offset),
            .size = (size_t)entry->size,
            .landmarks = {in->landmarks + start[0], start[1] - start[0]},
        };
    }
    cairn_status status = cn_codec_unpack_rows(&in->frame, in->table, rows, crew);
    if (status != CAIRN_OK)
        rows_failed(in, rows, first, status);
    cn_release(&in->mem, rows);
    return status;
}

/* Sets the offsets of the rows; *size becomes the size of those that are wanted. */
static cairn_status place_rows(cn_reader *in, const cn_section *part, uint64_t *size)
{
    uint64_t total = 0;

    for (uint32_t row = 0; row < in->row_count; row++) {
        cn_row_entry *entry = &in->rows[row];
        if (entry->size > part->size - total)
            return cn_sections_wrong_number(&in->sections, part->start,
                                            "as many bytes as the rows have", part->size);
        entry->offset = part->start + total;
        total += entry->size;
        if (row + 1 == in->rows_wanted)
            *size = total;
    }
    if (total != part->size)
        return cn_sections_wrong_number(&in->sections, part->start,
                                        "as many bytes as the rows have", part->size);
    return CAIRN_OK;
}

static cairn_status check_row_sizes(cn_reader *in)
{
    for (uint32_t row = 0; row < in->rows_wanted; row++) {
        const cn_row_entry *entry = &in->rows[row];
        if (!cn_codec_is_plausible(&in->frame, entry->codec, entry->size))
            return cn_sections_wrong_number(&in->sections, entry->offset, "bytes enough for a row",
                                            entry->size);
    }
    return CAIRN_OK;
}

/* The landmarks of some rows, as lists that begin with the first of these. */
static cairn_status set_landmarks(cn_reader *in, uint32_t first)
{
    const size_t *from = in->landmark_start + first;
    size_t start[CAIRN_ROWS_MAX + 1];

    for (uint32_t row = 0; row <= in->table->row_count; row++)
        start[row] = from[row] - from[0];
    return cn_table_set_landmarks(in->table, start, in->landmarks + from[0]);
}

/* A table of `count` rows from `first` on. Everything that cn_table_check checks has been checked
 * already, except the entries of the landmarks. If one of these is wrong, cairn_table_verify
 * reports it, which needs a table. */
static cairn_status make_table(cn_reader *in, uint32_t first, uint32_t count)
{
    cairn_status status = cn_table_new(in->map, &in->mem, count, in->entry_bits, &in->table);
    if (status == CAIRN_OK) {
        in->table->counts_steps = in->counts_steps;
        status = set_landmarks(in, first);
    }
    return status == CAIRN_OK ? status : cn_sections_failed(&in->sections, status);
}

/* Checks packed rows by their checksums alone, without unpacking them. */
static cairn_status check_checksums(cn_reader *in, const uint8_t *bytes)
{
    for (uint32_t row = 0; row < in->rows_wanted; row++) {
        const cn_row_entry *entry = &in->rows[row];
        const uint8_t *packed = bytes + (entry->offset - in->rows[0].offset);
        if ((uint32_t)crc32_z(0, packed, (size_t)entry->size) != entry->crc)
            return row_is_damaged(in, row);
    }
    return CAIRN_OK;
}

static cairn_status make_corner_rows(cn_reader *in, const uint8_t *bytes)
{
    const cn_table_shape shape = {in->map, in->rows_wanted, in->entry_bits, in->is_directed};
    const cn_landmark_lists landmarks = {in->landmark_start, in->landmarks};

    cairn_status status = check_checksums(in, bytes);
    if (status != CAIRN_OK)
        return status;
    status = in->counts_steps
                 ? CAIRN_E_RESIDENT
                 : cn_corner_rows_new(in->map, &in->mem, shape, landmarks, &in->watch, &in->table);
    return status == CAIRN_OK ? status : cn_sections_failed(&in->sections, status);
}

/* Begins with work on all entries of a number of rows. */
static cairn_status begin_stage(cn_reader *in, const char *stage, uint32_t row_count)
{
    return cn_watch_stage(&in->watch, stage, (uint64_t)in->node_count * row_count)
               ? CAIRN_OK
               : cn_sections_failed(&in->sections, CAIRN_E_CANCELLED);
}

/* The rows of the table, which are `first` and those after it. */
static cairn_status verify_table(cn_reader *in, uint32_t first)
{
    cairn_fault *fault = in->options.fault;
    cairn_status status = begin_stage(in, "verify", in->table->row_count);
    if (status != CAIRN_OK)
        return status;
    status = cairn_table_verify(in->table, in->map, in->options.thread_count, fault);
    fault->row += status == CAIRN_E_INEXACT ? first : 0;
    return status == CAIRN_OK ? status : cn_sections_failed(&in->sections, status);
}

/* Loads some rows, verifies them and drops them again. */
static cairn_status verify_some(cn_reader *in, const uint8_t *bytes, uint32_t first, uint32_t count)
{
    cairn_status status = begin_stage(in, "rows", count);
    if (status == CAIRN_OK)
        status = make_table(in, first, count);
    if (status == CAIRN_OK)
        status = unpack_rows(in, bytes, first);
    if (status == CAIRN_OK)
        status = verify_table(in, first);
    cairn_table_free(in->table);
    in->table = NULL;
    return status;
}

static cairn_status verify_rows(cn_reader *in, const uint8_t *bytes)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t row = 0, count; status == CAIRN_OK && row < in->rows_wanted; row += count) {
        const uint32_t left = in->rows_wanted - row;
        count = left < in->rows_together ? left : in->rows_together;
        status = verify_some(in, bytes, row, count);
    }
    return status;
}

static cairn_status load_rows(cn_reader *in, const cn_chunk *chunk, uint64_t offset)
{
    cairn_status status = check_rows_fit(in, offset);
    if (status == CAIRN_OK && !in->keeps_table)
        return verify_rows(in, chunk->bytes);
    if (status == CAIRN_OK)
        status = begin_stage(in, "rows", in->rows_wanted);
    if (status == CAIRN_OK && in->options.resident == CAIRN_RESIDENT_CORNERS)
        return make_corner_rows(in, chunk->bytes);
    if (status == CAIRN_OK)
        status = make_table(in, 0, in->rows_wanted);
    return status == CAIRN_OK ? unpack_rows(in, chunk->bytes, 0) : status;
}

static cairn_status open_rows(cn_reader *in, cn_section *part)
{
    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_ROWS, "section ROWS", part);
    if (status != CAIRN_OK)
        return status;
    cn_sections_close(&in->sections, part);
    if (part->flags == (CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED))
        return CAIRN_OK;
    return cn_sections_wrong_number(&in->sections, part->start - 1, "section flags 3", part->flags);
}

static cairn_status take_rows(cn_reader *in, const cn_section *part, uint64_t size, cn_chunk *chunk)
{
    cairn_status status = cn_source_take(&in->sections.source, size, chunk);
    if (status != CAIRN_OK)
        cn_sections_source_failed(&in->sections, status, part->start, "the rows");
    return status;
}

static cairn_status read_packed_rows(cn_reader *in)
{
    cn_section part;
    uint64_t size = 0;

    cairn_status status = open_rows(in, &part);
    if (status == CAIRN_OK)
        status = place_rows(in, &part, &size);
    if (status == CAIRN_OK)
        status = take_rows(in, &part, size, &in->packed_rows);
    return status == CAIRN_OK ? check_checksums(in, in->packed_rows.bytes) : status;
}

static cairn_status read_rows(cn_reader *in)
{
    cn_section part;
    uint64_t size = 0;
    cn_chunk chunk;

    cairn_status status = open_rows(in, &part);
    if (status != CAIRN_OK)
        return status;
    status = cn_codec_frame_init(&in->frame, in->map, in->metric, in->entry_bits, &in->mem);
    in->frame.watch = &in->watch;
    if (status != CAIRN_OK)
        return cn_sections_failed(&in->sections, status);
    status = place_rows(in, &part, &size);
    if (status == CAIRN_OK)
        status = check_row_sizes(in);
    if (status != CAIRN_OK)
        return status;

    status = take_rows(in, &part, size, &chunk);
    if (status == CAIRN_OK)
        status = load_rows(in, &chunk, part.start);
    cn_chunk_free(&in->sections.source, &chunk);
    return status;
}

static cairn_status read_end(cn_reader *in)
{
    cn_section part;
    bool end = false;

    cairn_status status = cn_sections_open_checked(&in->sections, CN_TYPE_END, "section END", 0, 0,
                                                   &part);
    if (status != CAIRN_OK)
        return status;
    cn_sections_close(&in->sections, &part);
    status = cn_source_is_at_end(&in->sections.source, &end);
    if (status != CAIRN_OK)
        return cn_sections_failed(&in->sections, status);
    return end ? CAIRN_OK : cn_sections_wrong(&in->sections, part.start, "the end of the file");
}

/* Skips rows that are not wanted; still the file must contain them. */
static cairn_status pass_rows(cn_reader *in)
{
    cn_section part;
    uint64_t size = 0;

    cairn_status status = open_rows(in, &part);
    if (status == CAIRN_OK)
        status = place_rows(in, &part, &size);
    if (status != CAIRN_OK)
        return status;
    status = cn_source_skip(&in->sections.source, part.size);
    if (status != CAIRN_OK)
        return cn_sections_source_failed(&in->sections, status, part.start, "the rows");
    return read_end(in);
}

/* ------------------------------------------------------------------------- the whole file -- */

static cairn_status read_table(cn_reader *in)
{
    cairn_status status = read_table_head(in);
    if (status == CAIRN_OK)
        status = read_landmarks(in);
    if (status == CAIRN_OK)
        status = read_directory(in);
    if (status != CAIRN_OK || in->wants == CN_READ_OUTLINE)
        return status == CAIRN_OK ? pass_rows(in) : status;
    status = (in->wants == CN_READ_PACKED ? read_packed_rows : read_rows)(in);
    return status == CAIRN_OK && in->rows_wanted == in->row_count ? read_end(in) : status;
}

void cn_reader_free(cn_reader *in)
{
    cn_codec_frame_free(&in->frame);
    cn_release(&in->mem, in->landmark_start);
    cn_release(&in->mem, in->landmarks);
    cn_release(&in->mem, in->rows);
    cairn_map_free(in->own_map);
    cairn_table_free(in->table);
    cn_chunk_free(&in->sections.source, &in->packed_map);
    cn_chunk_free(&in->sections.source, &in->packed_rows);
    cn_source_close(&in->sections.source);
}

/* Reads as much as is wanted from the open source of the reader. */
static cairn_status read_parts(cn_reader *in)
{
    in->sections.source.watch = &in->watch;
    cairn_status status = cn_sections_header(&in->sections);
    if (status == CAIRN_OK)
        status = cn_reader_take_marks(in);
    if (status == CAIRN_OK)
        status = cn_reader_take_map(in);
    if (status == CAIRN_OK && !in->own_map)
        in->map = in->options.map;
    return status == CAIRN_OK && in->wants != CN_READ_MAP ? read_table(in) : status;
}

static bool is_read(cairn_status status)
{
    return status == CAIRN_OK || status == CAIRN_E_INEXACT;
}

static void hand_over(cn_reader *in, cairn_map **map, cairn_table **table)
{
    if (map) {
        *map = in->own_map;
        in->own_map = NULL;
    }
    if (table) {
        *table = in->table;
        in->table = NULL;
    }
}

/* Reads the source, or what is wanted of it, and closes it. */
static cairn_status read_file(cn_reader *in, cairn_map **map, cairn_table **table)
{
    in->keeps_table = table != NULL;
    in->wants = table || in->options.fault ? CN_READ_ALL : CN_READ_MAP;
    if (!table)
        in->options.resident = CAIRN_RESIDENT_CELLS;
    cairn_status status = read_parts(in);
    if (status == CAIRN_OK && table && in->options.fault)
        status = verify_table(in, 0);
    if (is_read(status) && map && !in->own_map)
        status = cn_sections_wrong(&in->sections, CN_HEADER_SIZE, "section MAP");
    if (is_read(status))
        hand_over(in, map, table);
    cn_reader_free(in);
    return status;
}

/* `from` is what is read. */
static cairn_status begin(cn_reader *in, const void *from, const cairn_load_options *options,
                          cairn_map **map, cairn_table **table, cairn_error *error)
{
    memset(in, 0, sizeof *in);
    in->sections.error = error;
    if (map)
        *map = NULL;
    if (table)
        *table = NULL;
    if (error)
        memset(error, 0, sizeof *error);
    if (!cn_options_copy(&in->options, sizeof in->options, options) ||
        (unsigned)in->options.resident > CAIRN_RESIDENT_CORNERS)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    if (in->options.fault)
        *in->options.fault = (cairn_fault){0};
    if (!from)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    in->mem = cn_mem_from(in->options.allocator);
    cn_watch_init(&in->watch, in->options.progress);
    return CAIRN_OK;
}

cairn_status cairn_load(const char *path, const cairn_load_options *options, cairn_map **map,
                        cairn_table **table, cairn_error *error)
{
    cn_reader reader;
    cairn_status status = begin(&reader, path, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    status = cn_source_open(path, &reader.mem, &reader.sections.source);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    return read_file(&reader, map, table);
}

cairn_status cairn_load_bytes(const uint8_t *bytes, size_t size, const cairn_load_options *options,
                              cairn_map **map, cairn_table **table, cairn_error *error)
{
    cn_reader reader;
    cairn_status status = begin(&reader, bytes, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    reader.sections.source = cn_source_of_bytes(bytes, size, &reader.mem);
    return read_file(&reader, map, table);
}

cairn_status cairn_load_from(const cairn_stream *stream, const cairn_load_options *options,
                             cairn_map **map, cairn_table **table, cairn_error *error)
{
    cn_reader reader;
    const cairn_stream *from = stream && stream->read ? stream : NULL;
    cairn_status status = begin(&reader, from, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    reader.sections.source = cn_source_of_stream(stream, &reader.mem);
    return read_file(&reader, map, table);
}

static void fill_outline(const cn_reader *in, cairn_outline *outline)
{
    static const cairn_codec codecs[CN_CODEC_COUNT] = {
        [CN_CODEC_RAW] = CAIRN_CODEC_RAW,
        [CN_CODEC_PREDICTOR] = CAIRN_CODEC_PREDICTOR,
        [CN_CODEC_SEEDS] = CAIRN_CODEC_SEEDS,
        [CN_CODEC_RULED_SEEDS] = CAIRN_CODEC_SEEDS,
    };

    outline->stamp = in->stamp;
    outline->part = in->part;
    outline->unit_size = in->unit_size;
    outline->unit_anchor = in->unit_anchor;
    outline->map_size = in->map_size;
    outline->map_hash = in->map_hash;
    outline->metric = in->metric;
    outline->is_flat = in->counts_steps;
    outline->node_count = in->node_count;
    outline->entry_bits = in->entry_bits;
    outline->row_count = in->row_count;
    outline->is_directed = in->is_directed;
    outline->landmark_count = in->landmark_start[in->row_count];
    outline->table_memory = cn_table_memory(in->node_count, in->row_count, in->entry_bits,
                                            outline->landmark_count);
    outline->ground = in->ground;
    if (in->map_size > 0 && in->is_directed)
        outline->ground.is_directed = true;
    for (uint32_t row = 0; row < in->row_count; row++) {
        uint32_t codec = in->rows[row].codec;
        outline->rows[row].codec = codec < CN_CODEC_COUNT ? codecs[codec] : CAIRN_CODEC_BEST;
        outline->rows[row].size = in->rows[row].size;
    }
}

/* Reads the outline from the open source of the reader, and closes that. */
static cairn_status read_outline(cn_reader *in, cairn_outline *outline)
{
    in->wants = CN_READ_OUTLINE;
    cairn_status status = read_parts(in);
    if (status == CAIRN_OK)
        fill_outline(in, outline);
    cn_reader_free(in);
    return status;
}

cairn_status cn_reader_take_packed(cn_reader *in, const char *path, const cn_mem *mem)
{
    in->mem = *mem;
    in->wants = CN_READ_PACKED;
    cn_watch_init(&in->watch, NULL);
    cairn_status status = cn_source_open(path, &in->mem, &in->sections.source);
    if (status != CAIRN_OK)
        return cn_error_general(in->sections.error, status, NULL);
    status = read_parts(in);
    cn_source_close(&in->sections.source);
    return status;
}

static cairn_status begin_outline(cn_reader *in, const void *from, cairn_outline *outline,
                                  cairn_error *error)
{
    if (outline)
        memset(outline, 0, sizeof *outline);
    return begin(in, outline ? from : NULL, NULL, NULL, NULL, error);
}

cairn_status cairn_outline_load(const char *path, cairn_outline *outline, cairn_error *error)
{
    cn_reader reader;
    cairn_status status = begin_outline(&reader, path, outline, error);

    if (status != CAIRN_OK)
        return status;
    status = cn_source_open(path, &reader.mem, &reader.sections.source);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    return read_outline(&reader, outline);
}

cairn_status cairn_outline_load_bytes(const uint8_t *bytes, size_t size, cairn_outline *outline,
                                      cairn_error *error)
{
    cn_reader reader;
    cairn_status status = begin_outline(&reader, bytes, outline, error);

    if (status != CAIRN_OK)
        return status;
    reader.sections.source = cn_source_of_bytes(bytes, size, &reader.mem);
    return read_outline(&reader, outline);
}
