/* Reads the rows of a file: into a table, to verify some of them at a time, or as they are
 * packed. */
#include "file/file_read.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "table/corner_rows.h"
#include "base/tasks.h"

static cairn_status codec_is_missing(cn_reader *in, uint64_t offset, uint32_t codec_id)
{
    const char *name = cn_codec_name(codec_id), *expected = "a codec that this build has";
    if (!name)
        return cn_sections_unknown(&in->sections, offset, expected, codec_id);
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

/* `rows` are those of the table, from `first` on. What is wrong with one is told only where that is
 * what failed first. */
static cairn_status rows_failed(cn_reader *in, const cn_coded_row *rows, uint32_t first,
                                cairn_status status)
{
    const bool is_wrong = status == CAIRN_E_FORMAT || status == CAIRN_E_VERSION;
    for (uint32_t row = 0; is_wrong && row < in->table->row_count; row++) {
        uint64_t offset = in->rows[first + row].offset;
        if (rows[row].status == CAIRN_E_FORMAT)
            return row_is_damaged(in, first + row);
        if (rows[row].status == CAIRN_E_VERSION)
            return codec_is_missing(in, offset, rows[row].codec_id);
    }
    return cn_sections_failed(&in->sections, status);
}

/* The rows of the table from `first` on. */
static cairn_status unpack_rows(cn_reader *in, const uint8_t *bytes, uint32_t first)
{
    const uint32_t count = in->table->row_count;
    const uint64_t entries = (uint64_t)in->facts.node_count * count;
    const cairn_pool *pool = in->options.pool ? in->options.pool : &in->row_map->pool;
    const cn_crew crew = cn_tasks_crew(pool, in->options.thread_count, count, entries);
    cn_coded_row *rows = cn_zeroed(&in->mem, count, sizeof *rows);

    if (!rows)
        return cn_sections_failed(&in->sections, CAIRN_E_MEMORY);
    for (uint32_t row = 0; row < count; row++) {
        const cn_row_entry *entry = &in->rows[first + row];
        const size_t *start = in->landmark_start + first + row;
        rows[row] = (cn_coded_row){
            .codec_id = entry->codec_id,
            .crc = entry->crc,
            .bytes = bytes + (entry->offset - in->rows[0].offset),
            .size = (size_t)entry->size,
            .landmarks = {in->landmarks + start[0], start[1] - start[0]},
        };
    }
    cairn_status status = cn_codec_unpack_rows(&in->layout, in->table, rows, crew);
    if (status != CAIRN_OK)
        status = rows_failed(in, rows, first, status);
    cn_release(&in->mem, rows);
    return status;
}

/* Sets the offsets of the rows; *size becomes the size of those that are wanted. */
static cairn_status place_rows(cn_reader *in, const cn_section *section, uint64_t *size)
{
    uint64_t total = 0;

    for (uint32_t row = 0; row < in->row_count; row++) {
        cn_row_entry *entry = &in->rows[row];
        if (entry->size > section->size - total)
            return cn_sections_wrong_number(&in->sections, section->start,
                                            "as many bytes as the rows have", section->size);
        entry->offset = section->start + total;
        total += entry->size;
        if (row + 1 == in->rows_wanted)
            *size = total;
    }
    if (total != section->size)
        return cn_sections_wrong_number(&in->sections, section->start,
                                        "as many bytes as the rows have", section->size);
    return CAIRN_OK;
}

static cairn_status check_row_sizes(cn_reader *in)
{
    for (uint32_t row = 0; row < in->rows_wanted; row++) {
        const cn_row_entry *entry = &in->rows[row];
        if (!cn_codec_is_plausible(&in->layout, entry->codec_id, entry->size))
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

/* A table of `count` rows from `first` on. All has been checked already, except the entries of the
 * landmarks. If one of these is wrong, cairn_table_verify reports it, which needs a table. */
static cairn_status make_table(cn_reader *in, uint32_t first, uint32_t count)
{
    const cn_table_facts *facts = &in->facts;
    cairn_status status = cn_table_new(in->row_map, &in->mem, count, facts->entry_bits, &in->table);
    if (status == CAIRN_OK) {
        in->table->counts_steps = facts->counts_steps;
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
    const cn_table_facts *facts = &in->facts;
    const cn_table_shape shape = {in->row_map, in->rows_wanted, facts->entry_bits,
                                  facts->is_directed};
    const cn_landmark_lists landmarks = {in->landmark_start, in->landmarks};

    cairn_status status = check_checksums(in, bytes);
    if (status != CAIRN_OK)
        return status;
    status = facts->counts_steps ? CAIRN_E_RESIDENT
                                 : cn_corner_rows_new(in->row_map, &in->mem, shape, landmarks,
                                                      &in->watch, &in->table);
    return status == CAIRN_OK ? status : cn_sections_failed(&in->sections, status);
}

/* Begins with work on all entries of a number of rows. */
static cairn_status begin_stage(cn_reader *in, const char *stage, uint32_t row_count)
{
    return cn_watch_stage(&in->watch, stage, (uint64_t)in->facts.node_count * row_count)
               ? CAIRN_OK
               : cn_sections_failed(&in->sections, CAIRN_E_CANCELLED);
}

cairn_status cn_reader_verify(cn_reader *in, uint32_t first)
{
    cairn_fault *fault = in->options.fault;
    cairn_status status = begin_stage(in, "verify", in->table->row_count);
    if (status != CAIRN_OK)
        return status;
    status = cairn_table_verify(in->table, in->row_map, in->options.thread_count, fault);
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
        status = cn_reader_verify(in, first);
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
    cairn_status status = cn_reader_check_rows_fit(in, offset);
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

static cairn_status take_rows(cn_reader *in, const cn_section *section, uint64_t size,
                              cn_chunk *chunk)
{
    cairn_status status = cn_source_take(&in->sections.source, size, chunk);
    if (status != CAIRN_OK)
        cn_sections_source_failed(&in->sections, status, section->start, "the rows");
    return status;
}

static cairn_status read_packed_rows(cn_reader *in)
{
    cn_section section;
    uint64_t size = 0;

    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_ROWS, &section);
    if (status == CAIRN_OK)
        status = place_rows(in, &section, &size);
    if (status == CAIRN_OK)
        status = take_rows(in, &section, size, &in->packed_rows);
    return status == CAIRN_OK ? check_checksums(in, in->packed_rows.bytes) : status;
}

static cairn_status read_rows(cn_reader *in)
{
    cn_section section;
    uint64_t size = 0;
    cn_chunk chunk;

    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_ROWS, &section);
    if (status != CAIRN_OK)
        return status;
    status = cn_codec_layout_init(&in->layout, in->row_map, in->facts.metric, in->facts.entry_bits,
                                  &in->mem);
    in->layout.watch = &in->watch;
    if (status != CAIRN_OK)
        return cn_sections_failed(&in->sections, status);
    status = place_rows(in, &section, &size);
    if (status == CAIRN_OK)
        status = check_row_sizes(in);
    if (status != CAIRN_OK)
        return status;

    status = take_rows(in, &section, size, &chunk);
    if (status == CAIRN_OK)
        status = load_rows(in, &chunk, section.start);
    cn_chunk_free(&in->sections.source, &chunk);
    return status;
}

static cairn_status read_end(cn_reader *in)
{
    cn_section section;
    bool end = false;

    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_END, &section);
    if (status != CAIRN_OK)
        return status;
    cn_sections_close(&in->sections, &section);
    status = cn_source_is_at_end(&in->sections.source, &end);
    if (status != CAIRN_OK)
        return cn_sections_failed(&in->sections, status);
    return end ? CAIRN_OK : cn_sections_wrong(&in->sections, section.start, "the end of the file");
}

/* Skips rows that are not wanted; still the file must contain them. */
static cairn_status pass_rows(cn_reader *in)
{
    cn_section section;
    uint64_t size = 0;

    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_ROWS, &section);
    if (status == CAIRN_OK)
        status = place_rows(in, &section, &size);
    if (status != CAIRN_OK)
        return status;
    status = cn_source_skip(&in->sections.source, section.size);
    if (status != CAIRN_OK)
        return cn_sections_source_failed(&in->sections, status, section.start, "the rows");
    return read_end(in);
}

cairn_status cn_reader_take_rows(cn_reader *in)
{
    if (in->wants == CN_READ_OUTLINE)
        return pass_rows(in);
    const cairn_status status = (in->wants == CN_READ_PACKED ? read_packed_rows : read_rows)(in);
    return status == CAIRN_OK && in->rows_wanted == in->row_count ? read_end(in) : status;
}
