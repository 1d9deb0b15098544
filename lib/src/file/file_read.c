/* Reads files: as map and table, as their outline, or as they are packed. */
#include "file/file_read.h"

#include <string.h>

void cn_reader_free(cn_reader *in)
{
    cn_codec_layout_free(&in->layout);
    cn_release(&in->mem, in->landmark_start);
    cn_release(&in->mem, in->landmarks);
    cn_release(&in->mem, in->rows);
    cairn_map_free(in->own_map);
    cairn_table_free(in->table);
    cn_chunk_free(&in->sections.source, &in->packed_map);
    cn_chunk_free(&in->sections.source, &in->packed_rows);
    cn_source_close(&in->sections.source);
}

/* Where the caller goes on with a map of its own, that of the file has to equal it: the table would
 * otherwise be one of a map that is gone. */
static cairn_status check_own_map(cn_reader *in)
{
    const cairn_map *given = in->options.map;
    if (!in->own_map || !given || in->keeps_map || in->own_map->hash == given->hash)
        return CAIRN_OK;
    return cn_error_at_byte(in->sections.error, CAIRN_E_MISMATCH, CN_HEADER_SIZE,
                            "the map that was given: that of the file is another one", NULL, 0);
}

/* Reads as much as is wanted from the open source of the reader. */
static cairn_status read_sections(cn_reader *in)
{
    in->sections.source.watch = &in->watch;
    cairn_status status = cn_sections_header(&in->sections);
    if (status == CAIRN_OK)
        status = cn_reader_take_marks(in);
    if (status == CAIRN_OK)
        status = cn_reader_take_map(in);
    if (status == CAIRN_OK)
        status = check_own_map(in);
    if (status == CAIRN_OK && !in->own_map)
        in->map = in->options.map;
    if (status == CAIRN_OK && in->wants != CN_READ_MAP)
        status = cn_reader_take_table(in);
    return status == CAIRN_OK && in->wants != CN_READ_MAP ? cn_reader_take_rows(in) : status;
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
    in->keeps_map = map != NULL;
    in->keeps_table = table != NULL;
    in->wants = table || in->options.fault ? CN_READ_ALL : CN_READ_MAP;
    if (!table)
        in->options.resident = CAIRN_RESIDENT_CELLS;
    cairn_status status = read_sections(in);
    if (status == CAIRN_OK && table && in->options.fault)
        status = cn_reader_verify(in, 0);
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

/* An empty file, for callers that have NULL for it. */
static const uint8_t no_bytes[1];

cairn_status cairn_load_bytes(const uint8_t *bytes, size_t size, const cairn_load_options *options,
                              cairn_map **map, cairn_table **table, cairn_error *error)
{
    cn_reader reader;
    const uint8_t *from = bytes || size ? bytes : no_bytes;
    cairn_status status = begin(&reader, from, options, map, table, error);

    if (status != CAIRN_OK)
        return status;
    reader.sections.source = cn_source_of_bytes(from, size, &reader.mem);
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
    const cn_marks *marks = &in->marks;
    const cn_table_facts *facts = &in->facts;

    outline->stamp = marks->stamp;
    outline->part = marks->part;
    outline->unit_size = marks->unit_size;
    outline->unit_anchor = marks->unit_anchor;
    outline->map_size = in->map_size;
    outline->map_hash = facts->map_hash;
    outline->metric = facts->metric;
    outline->counts_steps = facts->counts_steps;
    outline->node_count = facts->node_count;
    outline->entry_bits = facts->entry_bits;
    outline->row_count = in->row_count;
    outline->is_directed = facts->is_directed;
    outline->landmark_count = in->landmark_start[in->row_count];
    outline->table_memory = cn_table_memory_for(facts->node_count, in->row_count, facts->entry_bits,
                                                outline->landmark_count);
    outline->map = in->map_outline;
    if (in->map_size > 0 && facts->is_directed)
        outline->map.is_directed = true;
    for (uint32_t row = 0; row < in->row_count; row++) {
        uint32_t id = in->rows[row].codec_id;
        outline->rows[row].codec = id < CN_CODEC_COUNT ? codecs[id] : CAIRN_CODEC_BEST;
        outline->rows[row].size = in->rows[row].size;
    }
}

/* Reads the outline from the open source of the reader, and closes that. */
static cairn_status read_outline(cn_reader *in, cairn_outline *outline)
{
    in->wants = CN_READ_OUTLINE;
    cairn_status status = read_sections(in);
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
    status = read_sections(in);
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
    const uint8_t *from = bytes || size ? bytes : no_bytes;
    cairn_status status = begin_outline(&reader, from, outline, error);

    if (status != CAIRN_OK)
        return status;
    reader.sections.source = cn_source_of_bytes(from, size, &reader.mem);
    return read_outline(&reader, outline);
}
