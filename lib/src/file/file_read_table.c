/* Reads what a file says of its table: size and kind of the rows, landmarks, and the directory of
 * the rows. */
#include "file/file_read.h"

#include <stdio.h>
#include <string.h>

#include "io/deflate.h"
#include "table/corner_rows.h"

static cairn_status check_table_head(cn_reader *in, const cn_section *section)
{
    const cn_table_facts *facts = &in->facts;
    const uint8_t *bytes = section->payload.bytes;
    cn_sections *sections = &in->sections;

    if (facts->node_count == 0 || facts->node_count > CAIRN_NODES_MAX)
        return cn_sections_wrong_number(sections, section->start + CN_TABLE_AT_NODES,
                                        "1 to 2^28 cells", facts->node_count);
    if (in->row_count == 0 || in->row_count > CAIRN_ROWS_MAX)
        return cn_sections_wrong_number(sections, section->start + CN_TABLE_AT_ROWS,
                                        "1 to 256 rows", in->row_count);
    if (facts->entry_bits != 16 && facts->entry_bits != 32)
        return cn_sections_unknown(sections, section->start + CN_TABLE_AT_BITS, "16 or 32 bits",
                                   bytes[CN_TABLE_AT_BITS]);
    if (bytes[CN_TABLE_AT_KIND] > CN_ROWS_PAIRS)
        return cn_sections_unknown(sections, section->start + CN_TABLE_AT_KIND,
                                   "kind of rows 0 or 1", bytes[CN_TABLE_AT_KIND]);
    if (bytes[CN_TABLE_AT_COSTS] > CN_COSTS_STEPS)
        return cn_sections_unknown(sections, section->start + CN_TABLE_AT_COSTS,
                                   "kind of costs 0 or 1", bytes[CN_TABLE_AT_COSTS]);
    if (bytes[CN_TABLE_AT_ZERO] != 0)
        return cn_sections_unknown(sections, section->start + CN_TABLE_AT_ZERO, "0",
                                   bytes[CN_TABLE_AT_ZERO]);
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
static cairn_status find_row_map(cn_reader *in, const cn_section *section)
{
    cn_sections *sections = &in->sections;

    if (!in->map)
        return cn_error_at_byte(sections->error, CAIRN_E_MISMATCH, section->start,
                                "a map: the file has none", NULL, 0);
    if (in->own_map && in->facts.node_count != cairn_map_node_count(in->map))
        return cn_sections_wrong_number(sections, section->start + CN_TABLE_AT_NODES,
                                        "the number of cells of the map", in->facts.node_count);
    in->row_map = in->map;
    if (!in->facts.counts_steps)
        return CAIRN_OK;
    uint64_t needed = step_map_memory(in->map);
    if (needed > cn_reader_memory_limit(in))
        return cn_reader_too_large(
            in, section->start + CN_TABLE_AT_NODES,
            "a map and its step map that take no more than the limit of memory", needed);
    cairn_status status = cn_map_step_map(in->map, in->facts.metric, &in->row_map);
    if (status == CAIRN_OK && in->row_map == in->own_map)
        return cn_sections_wrong_number(sections, section->start + CN_TABLE_AT_COSTS,
                                        "0: the map itself is without terrain", 1);
    if (status == CAIRN_E_ARGUMENT)
        return cn_sections_wrong(sections, section->start + CN_TABLE_AT_METRIC,
                                 "a metric: 0 < straight <= diagonal "
                                 "<= 2 straight, at most 2^24, or 1/1 "
                                 "for a graph");
    return status == CAIRN_OK ? status : cn_sections_failed(sections, status);
}

/* Edits may have made a graph undirected that was directed when its table was built: the table
 * still has rows for both directions. */
static cairn_status direct_graph(cn_reader *in)
{
    if (!in->facts.is_directed || !in->own_map || in->row_map != in->own_map || !in->own_map->graph)
        return CAIRN_OK;
    return cn_graph_direct(in->own_map->graph, &in->own_map->mem);
}

/* Whether the caller's map is for units, and the file for larger or smaller ones. */
static bool is_for_other_units(const cn_reader *in)
{
    const bool is_given = !in->own_map && in->options.map;
    const uint32_t size = is_given ? cairn_map_unit_size(in->options.map) : 1;
    return size > 1 && in->marks.unit_size > 1 && size != in->marks.unit_size;
}

/* Why the map of the caller, or of the file, is not that of the rows. */
static cairn_status refuse_map(cn_reader *in, const cn_section *section)
{
    const uint32_t size = in->options.map ? cairn_map_unit_size(in->options.map) : 1;
    char text[24];
    if (in->own_map)
        return cn_error_at_byte(in->sections.error, CAIRN_E_FORMAT, section->start,
                                "the hash and metric of the file's own map", NULL, 0);
    if (size == in->marks.unit_size)
        return cn_error_at_byte(in->sections.error, CAIRN_E_MISMATCH, section->start,
                                "a table of this map, with its cells, rule and metric", NULL, 0);
    const int length = snprintf(text, sizeof text, "size %u, not %u", size, in->marks.unit_size);
    return cn_error_at_byte(in->sections.error, CAIRN_E_MISMATCH, section->start,
                            "a map for units as large as those of the file", text, (size_t)length);
}

/* Whether the rows belong to the map. */
static cairn_status check_belonging(cn_reader *in, const cn_section *section)
{
    const cn_table_facts *facts = &in->facts;
    cn_sections *sections = &in->sections;
    cairn_status status = find_row_map(in, section);
    if (status != CAIRN_OK)
        return status;
    status = direct_graph(in);
    if (status != CAIRN_OK)
        return cn_sections_failed(sections, status);
    const cairn_map *map = in->row_map;

    if (in->own_map && facts->is_directed != cn_map_is_directed(map))
        return cn_sections_unknown(sections, section->start + CN_TABLE_AT_KIND,
                                   facts->is_directed ? "kind of rows 0" : "kind of rows 1",
                                   facts->is_directed);
    if (is_for_other_units(in) || facts->map_hash != map->hash ||
        !cn_metric_is_same(facts->metric, map->metric) ||
        facts->node_count != cairn_map_node_count(map) ||
        facts->is_directed != cn_map_is_directed(map))
        return refuse_map(in, section);
    return CAIRN_OK;
}

/* What rows at corners take, landmarks being such, and beside them a row of every cell or links
 * between corners while they are computed. */
static uint64_t memory_for_corners(const cn_reader *in, uint32_t row_count)
{
    const cn_table_facts *facts = &in->facts;
    const uint64_t corners = in->corner_count + (uint64_t)in->landmark_start[row_count];
    const uint32_t most = corners < facts->node_count ? (uint32_t)corners : facts->node_count;
    return cn_table_memory_for(most, row_count, facts->entry_bits, 0) +
           cn_corners_memory_of(&in->row_map->grid, most) + 4 * (uint64_t)facts->node_count +
           cn_map_runs_memory(in->row_map, in->landmark_start[1]);
}

/* A map of the caller's counts with two bytes for a cell, and its step map with two more. */
static uint64_t memory_for_map(const cn_reader *in)
{
    return in->own_map ? cairn_map_memory(in->own_map)
                       : (uint64_t)in->facts.node_count * (in->facts.counts_steps ? 4 : 2);
}

/* A landmark is in two lists, and temporarily in one of seeds. */
static uint64_t memory_for(const cn_reader *in, uint32_t row_count)
{
    const cn_table_facts *facts = &in->facts;
    const uint64_t for_a_landmark = 2 * sizeof(cairn_node) + 8;
    const uint64_t rows = in->options.resident == CAIRN_RESIDENT_CORNERS
                              ? memory_for_corners(in, row_count)
                              : cn_table_memory_for(facts->node_count, row_count, facts->entry_bits,
                                                    0);
    return memory_for_map(in) + in->landmark_start[row_count] * for_a_landmark + rows;
}

/* How many rows have together 16 bytes of entries for a node: sweeps write so many at once. */
static uint32_t rows_of_a_chunk(const cn_reader *in)
{
    return 16 / (in->facts.entry_bits / 8);
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
    uint32_t step = in->facts.is_directed ? 2 : 1, asked = in->options.row_count;
    uint32_t rows = asked && asked < in->row_count ? (asked + step - 1) / step * step
                                                   : in->row_count;

    if (in->options.resident == CAIRN_RESIDENT_CORNERS)
        in->corner_count = cn_corners_count(&in->row_map->grid);

    while (in->keeps_table && in->options.memory_limit && rows > step &&
           memory_for(in, rows) > in->options.memory_limit)
        rows -= step;
    in->rows_wanted = rows;
    in->rows_together = in->keeps_table ? rows : choose_rows_together(in);
}

cairn_status cn_reader_check_rows_fit(cn_reader *in, uint64_t offset)
{
    uint64_t needed = memory_for(in, in->rows_together);
    uint64_t visits = (uint64_t)cairn_map_arc_count(in->row_map) * in->rows_wanted;

    if (needed > cn_reader_memory_limit(in))
        return cn_reader_too_large(in, offset, "rows that take no more than the limit of memory",
                                   needed);
    if (visits > cn_reader_work_limit(in))
        return cn_reader_too_much(
            in, offset, "rows that take no more steps than the limit of memory has bytes", visits);
    return CAIRN_OK;
}

static cairn_status parse_table_head(cn_reader *in, const cn_section *section)
{
    cn_table_facts *facts = &in->facts;
    const uint8_t *bytes = section->payload.bytes;

    facts->map_hash = cn_get_u64(bytes + CN_TABLE_AT_HASH);
    facts->node_count = cn_get_u32(bytes + CN_TABLE_AT_NODES);
    in->row_count = cn_get_u32(bytes + CN_TABLE_AT_ROWS);
    facts->metric = cn_get_metric(bytes + CN_TABLE_AT_METRIC);
    facts->entry_bits = bytes[CN_TABLE_AT_BITS];
    facts->is_directed = bytes[CN_TABLE_AT_KIND] == CN_ROWS_PAIRS;
    facts->counts_steps = bytes[CN_TABLE_AT_COSTS] == CN_COSTS_STEPS;
    cairn_status status = check_table_head(in, section);
    if (status == CAIRN_OK && !cn_reader_wants_no_map(in))
        status = check_belonging(in, section);
    if (status == CAIRN_OK && facts->is_directed && in->row_count % 2)
        return cn_sections_wrong_number(&in->sections, section->start + CN_TABLE_AT_ROWS,
                                        "an even number of rows", in->row_count);
    return status;
}

static cairn_status read_table_head(cn_reader *in)
{
    cn_section section;
    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_TABLE, &section);
    if (status != CAIRN_OK)
        return status;
    status = parse_table_head(in, &section);
    cn_sections_close(&in->sections, &section);
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
    if (difference >= in->facts.node_count - before)
        return false;
    *landmark = before + difference;
    return !in->row_map || cairn_map_is_open(in->row_map, (cairn_node)*landmark);
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
    uint64_t cells = in->row_map ? cairn_map_open_count(in->row_map) : in->facts.node_count;
    return in->row_count * (COUNT_SIZE + cells + in->facts.node_count / 128);
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
               : cn_reader_check_rows_fit(in, offset);
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
    if (in->facts.is_directed && !cn_landmark_pairs_are_alike(taken, in->rows_wanted))
        return cn_sections_wrong(&in->sections, offset,
                                 "the same landmarks in both rows of a pair");
    return CAIRN_OK;
}

static cairn_status unpack_landmarks(cn_reader *in, const cn_section *section)
{
    cn_cursor cursor = {section->payload.bytes, section->payload.bytes + section->size};
    uint64_t size;

    if (!cn_cursor_varint(&cursor, &size))
        return cn_sections_wrong(&in->sections, section->start, "the size of the landmarks");
    size_t packed_size = (size_t)(cursor.end - cursor.at);
    if (size > cn_inflate_bound(packed_size) || size > landmarks_size_most(in))
        return cn_sections_wrong_number(&in->sections, section->start, "a size that can be", size);
    if (size > cn_reader_memory_limit(in) || size > SIZE_MAX / 2)
        return cn_reader_too_large(in, section->start,
                                   "landmarks that take no more than the limit of memory", size);

    uint8_t *unpacked = cn_array(&in->mem, (size_t)size, 1);
    cairn_status status = unpacked
                              ? cn_inflate(&in->mem, cursor.at, packed_size, unpacked, (size_t)size)
                              : CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = take_landmarks(in, section->start, (cn_cursor){unpacked, unpacked + size});
    else if (status == CAIRN_E_FORMAT)
        cn_sections_wrong(&in->sections, section->start, "the landmarks, deflated");
    else
        cn_sections_failed(&in->sections, status);
    cn_release(&in->mem, unpacked);
    return status;
}

static cairn_status read_landmarks(cn_reader *in)
{
    cn_section section;
    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_LANDMARKS, &section);
    if (status != CAIRN_OK)
        return status;
    status = unpack_landmarks(in, &section);
    cn_sections_close(&in->sections, &section);
    return status;
}

static bool parse_directory(cn_reader *in, cn_cursor *cursor)
{
    for (uint32_t row = 0; row < in->row_count; row++) {
        uint64_t codec_id, size;
        const uint8_t *crc = NULL;
        if (cn_cursor_varint(cursor, &codec_id) && codec_id <= UINT32_MAX &&
            cn_cursor_varint(cursor, &size) && size <= UINT64_MAX >> 8)
            crc = cn_cursor_take(cursor, 4);
        if (!crc)
            return false;
        in->rows[row].codec_id = (uint32_t)codec_id;
        in->rows[row].size = size;
        in->rows[row].crc = cn_get_u32(crc);
    }
    return cursor->at == cursor->end;
}

static cairn_status read_directory(cn_reader *in)
{
    cn_section section;
    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_DIRECTORY, &section);
    if (status != CAIRN_OK)
        return status;
    cn_cursor cursor = {section.payload.bytes, section.payload.bytes + section.size};
    if (!parse_directory(in, &cursor))
        status = cn_sections_wrong(&in->sections, section.start,
                                   "codec, size and checksum of each row");
    cn_sections_close(&in->sections, &section);
    return status;
}

cairn_status cn_reader_take_table(cn_reader *in)
{
    cairn_status status = read_table_head(in);
    if (status == CAIRN_OK)
        status = read_landmarks(in);
    return status == CAIRN_OK ? read_directory(in) : status;
}
