#include <stdatomic.h>
#include <string.h>
#include <zlib.h>

#include "io/buffer.h"
#include "codec/codec.h"
#include "codec/map_letters.h"
#include "io/deflate.h"
#include "io/atomic_file.h"
#include "file/file_format.h"
#include "file/file_map_kinds.h"
#include "file/file_write.h"
#include "base/tasks.h"

/* ----------------------------------------------------------------------------- sections -- */

static void seal_section(uint8_t *section, size_t size)
{
    uint32_t crc = (uint32_t)crc32(0, section, 4);
    crc = (uint32_t)crc32(crc, section + 8, 8);
    if (!(section[15] & CN_SECTION_SELF_CHECKED))
        crc = (uint32_t)crc32_z(crc, section + CN_SECTION_HEAD_SIZE, size);
    cn_put_u32(section + 4, crc);
}

static void put_section_head(uint8_t *head, uint32_t type, uint64_t size, uint8_t flags)
{
    cn_put_u32(head, type);
    cn_put_u64(head + 8, size | (uint64_t)flags << 56);
}

/* Leaves room for the head; the payload follows, then end_section. */
static size_t begin_section(cn_buffer *buffer)
{
    size_t start = buffer->size;
    cn_buffer_extend(buffer, CN_SECTION_HEAD_SIZE);
    return start;
}

static void end_section_as(cn_buffer *buffer, size_t start, uint32_t type, uint8_t flags)
{
    if (buffer->status != CAIRN_OK)
        return;
    uint8_t *section = (uint8_t *)buffer->bytes + start;
    size_t size = buffer->size - start - CN_SECTION_HEAD_SIZE;
    put_section_head(section, type, size, flags);
    seal_section(section, size);
}

static void end_section(cn_buffer *buffer, size_t start, uint32_t type)
{
    end_section_as(buffer, start, type, CN_SECTION_REQUIRED);
}

static void put_header(cn_buffer *buffer, uint16_t minor)
{
    uint8_t header[CN_HEADER_SIZE];
    memcpy(header, CN_MAGIC, CN_MAGIC_SIZE);
    cn_put_u16(header + 8, CN_VERSION_MAJOR);
    cn_put_u16(header + 10, minor);
    cn_put_u32(header + 12, (uint32_t)crc32(0, header, 12));
    cn_buffer_append(buffer, header, sizeof header);
}

/* Readers that do not know the section skip it. */
static void put_stamp(cn_buffer *buffer, uint64_t stamp)
{
    uint8_t payload[CN_STAMP_SIZE];
    size_t start = begin_section(buffer);

    cn_put_u64(payload, stamp);
    cn_buffer_append(buffer, payload, sizeof payload);
    end_section_as(buffer, start, CN_TYPE_STAMP, 0);
}

static void put_deflated(cn_buffer *buffer, const uint8_t *bytes, size_t size)
{
    uint8_t *packed = NULL;
    size_t packed_size = 0;
    cairn_status status = cn_deflate(buffer->mem, bytes, size, &packed, &packed_size);

    if (status != CAIRN_OK)
        buffer->status = status;
    cn_buffer_append(buffer, packed, packed_size);
    cn_release(buffer->mem, packed);
}

/* Whether the section kind for classic maps holds everything: letters have their usual factors. */
static bool is_classic_kind(const cairn_map *map)
{
    cn_rules usual;
    cn_rules_default(&usual);
    return cn_map_is_classic(map) &&
           memcmp(usual.factor, map->grid.rules.factor, sizeof usual.factor) == 0;
}

void cn_writer_pack_map(const cairn_map *map, cn_buffer *buffer)
{
    const cn_grid *grid = &map->grid;
    uint8_t head[CN_MAP_HEAD_SIZE] = {CN_MAP_KIND_GRID, CN_MAP_RULE_NO_CORNERS, CN_LETTERS_MODELLED,
                                      0};
    size_t start = begin_section(buffer);

    if (!is_classic_kind(map)) {
        cn_other_map_pack(map, buffer);
        end_section(buffer, start, CN_TYPE_MAP);
        return;
    }
    cn_put_u32(head + 4, grid->width);
    cn_put_u32(head + 8, grid->height);
    cn_buffer_append(buffer, head, sizeof head);
    cn_letters_pack(grid->letters, grid->width, grid->height, buffer);
    end_section(buffer, start, CN_TYPE_MAP);
}

static void put_metric(cn_buffer *buffer, cairn_metric metric)
{
    uint8_t payload[CN_METRIC_SIZE];
    size_t start = begin_section(buffer);

    cn_put_u32(payload, metric.straight);
    cn_put_u32(payload + 4, metric.diagonal);
    cn_buffer_append(buffer, payload, sizeof payload);
    end_section(buffer, start, CN_TYPE_METRIC);
}

static void put_table_head(cn_buffer *buffer, const cn_table_shape *shape, uint32_t row_count,
                           bool counts_steps)
{
    const cairn_map *map = shape->map;
    uint8_t payload[CN_TABLE_HEAD_SIZE] = {0};
    size_t start = begin_section(buffer);

    cn_put_u64(payload, map->hash);
    cn_put_u32(payload + 8, cn_map_node_count(map));
    cn_put_u32(payload + 12, row_count);
    cn_put_u32(payload + 16, map->metric.straight);
    cn_put_u32(payload + 20, map->metric.diagonal);
    payload[24] = (uint8_t)shape->entry_bits;
    payload[25] = shape->is_directed ? CN_ROWS_PAIRS : CN_ROWS_SYMMETRIC;
    payload[26] = counts_steps ? CN_COSTS_STEPS : CN_COSTS_OF_MAP;
    cn_buffer_append(buffer, payload, sizeof payload);
    end_section(buffer, start, CN_TYPE_TABLE);
}

static void put_landmarks(cn_buffer *buffer, cn_landmark_lists landmarks, uint32_t row_count)
{
    cn_buffer unpacked = {.mem = buffer->mem};
    size_t start = begin_section(buffer);

    for (uint32_t row = 0; row < row_count; row++) {
        const size_t first = landmarks.start[row], end = landmarks.start[row + 1];
        cairn_node before = 0;
        cn_buffer_varint(&unpacked, end - first);
        for (size_t i = first; i < end; i++) {
            cn_buffer_varint(&unpacked, landmarks.nodes[i] - before);
            before = landmarks.nodes[i];
        }
    }
    if (unpacked.status != CAIRN_OK)
        buffer->status = unpacked.status;
    cn_buffer_varint(buffer, unpacked.size);
    if (unpacked.status == CAIRN_OK)
        put_deflated(buffer, unpacked.bytes, unpacked.size);
    cn_buffer_free(&unpacked);
    end_section(buffer, start, CN_TYPE_LANDMARKS);
}

static void put_directory(cn_buffer *buffer, const cn_packed *rows, uint32_t row_count)
{
    size_t start = begin_section(buffer);

    for (uint32_t row = 0; row < row_count; row++) {
        uint8_t crc[4];
        cn_put_u32(crc, (uint32_t)crc32_z(0, rows[row].bytes, rows[row].size));
        cn_buffer_varint(buffer, rows[row].codec);
        cn_buffer_varint(buffer, rows[row].size);
        cn_buffer_append(buffer, crc, sizeof crc);
    }
    end_section(buffer, start, CN_TYPE_DIRECTORY);
}

static void put_rows_head(cn_buffer *buffer, const cn_packed *rows, uint32_t row_count)
{
    uint8_t head[CN_SECTION_HEAD_SIZE] = {0};
    uint64_t size = 0;

    for (uint32_t row = 0; row < row_count; row++)
        size += rows[row].size;
    put_section_head(head, CN_TYPE_ROWS, size, CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED);
    seal_section(head, 0);
    cn_buffer_append(buffer, head, sizeof head);
}

/* --------------------------------------------------------------------------------- rows -- */

/* Only the calling thread, which is worker 0, may report progress. */
static bool report(cn_writer *out, unsigned worker)
{
    const cairn_progress *progress = out->options.progress;
    unsigned done = atomic_fetch_add(&out->rows_done, 1) + 1;

    if (!progress || !progress->report || worker != 0)
        return true;
    return progress->report(progress->context, "pack", done, out->row_count);
}

cairn_status cn_writer_packer(cn_writer *out, unsigned worker, cn_packer **packer)
{
    cairn_status status = CAIRN_OK;
    if (!out->packers[worker])
        status = cn_packer_new(&out->frame, out->row_count, &out->packers[worker]);
    *packer = out->packers[worker];
    return status;
}

void cn_writer_drop_packer(cn_writer *out, unsigned worker)
{
    cn_packer_free(out->packers[worker]);
    out->packers[worker] = NULL;
}

void cn_writer_decide(cn_writer *out)
{
    out->way = cn_survey_decide(&out->survey, &out->frame);
    for (uint32_t row = 0; row < out->survey.row_count; row++)
        out->rows[row] = cn_survey_take(&out->survey, row, out->way);
    cn_survey_free(&out->survey, out->mem);
}

/* Packs the rows of a table in tasks. */
typedef struct packing {
    cn_writer *out;
    const cairn_table *table;
} packing;

/* A row of a table of corners, computed again for every cell. */
typedef struct computed_row {
    cn_flooder *flooder;
    cn_plane plane;
    cn_unpacked_row row;
} computed_row;

static cairn_status compute_row(const packing *job, uint32_t row, computed_row *made)
{
    cn_row_landmarks *landmarks = &made->row.landmarks;

    *made = (computed_row){.row = {.costs = &made->plane, .way = CN_FORWARD}};
    landmarks->count = cairn_table_landmarks(job->table, row, &landmarks->nodes);
    cairn_status status = cn_flooder_new(job->out->shape.map, job->table->entry_bits,
                                         &made->flooder);
    if (status == CAIRN_OK)
        status = cn_flooder_run(made->flooder, landmarks->nodes, landmarks->count, &made->plane);
    return status;
}

static cairn_status survey_corner_row(const packing *job, cn_packer *packer, uint32_t row)
{
    computed_row made;
    cairn_status status = compute_row(job, row, &made);
    if (status == CAIRN_OK)
        status = cn_survey_row(&job->out->survey, packer, &made.row, row);
    cn_flooder_free(made.flooder);
    return status;
}

static cairn_status pack_corner_row(const packing *job, cn_packer *packer, uint32_t row)
{
    computed_row made;
    cairn_status status = compute_row(job, row, &made);
    if (status == CAIRN_OK)
        status = cn_pack_row(packer, &made.row, job->out->way, &job->out->rows[row]);
    cn_flooder_free(made.flooder);
    return status;
}

static cairn_status survey_row(void *context, size_t row, unsigned worker)
{
    const packing *job = context;
    cn_packer *packer;
    cairn_status status = cn_writer_packer(job->out, worker, &packer);
    if (status != CAIRN_OK)
        return status;
    return job->table->corners
               ? survey_corner_row(job, packer, (uint32_t)row)
               : cn_survey_table_row(&job->out->survey, packer, job->table, (uint32_t)row);
}

static cairn_status pack_row(void *context, size_t task, unsigned worker)
{
    const packing *job = context;
    cn_writer *out = job->out;
    uint32_t row = (uint32_t)task;
    cn_packer *packer;
    cairn_status status = CAIRN_OK;

    if (row >= out->survey.row_count) {
        status = cn_writer_packer(out, worker, &packer);
        if (status == CAIRN_OK)
            status = job->table->corners
                         ? pack_corner_row(job, packer, row)
                         : cn_pack_table_row(packer, job->table, row, out->way, &out->rows[row]);
    }
    if (status == CAIRN_OK && !report(out, worker))
        status = CAIRN_E_CANCELLED;
    return status;
}

static cairn_status pack_rows(cn_writer *out, const cairn_table *table)
{
    packing job = {out, table};
    cairn_status status = cn_tasks_run(out->crew, out->survey.row_count, survey_row, &job);
    if (status != CAIRN_OK)
        return status;
    cn_writer_decide(out);
    return cn_tasks_run(out->crew, out->row_count, pack_row, &job);
}

/* ------------------------------------------------------------------------- the whole file -- */

/* Whether cairn_load will accept table and map. For a graph in the file, the reader makes it
 * directed if its rows are pairs; a map that is left out cannot be changed. */
static cairn_status check_belonging(const cairn_map *map, const cairn_table *table,
                                    cairn_map_part map_part, const cairn_map *row_map)
{
    if (!cn_table_is_fresh(table, row_map))
        return cn_table_lag(table, row_map) == CN_LAG_STRANGER ? CAIRN_E_MISMATCH : CAIRN_E_STALE;
    if (!cn_map_hash_is_right(map) || !cn_map_hash_is_right(row_map))
        return CAIRN_E_MISMATCH;
    if (map_part == CAIRN_MAP_LEFT_OUT && table->is_directed != cn_map_is_directed(row_map))
        return CAIRN_E_MISMATCH;
    return cn_table_landmarks_are_open(table, row_map) ? CAIRN_OK : CAIRN_E_INEXACT;
}

static cairn_status check_arguments(const cairn_map *map, const cairn_table *table,
                                    const cairn_save_options *from, cairn_save_options *options,
                                    cn_table_shape *shape)
{
    if (!map || !table || !cn_options_copy(options, sizeof *options, from))
        return CAIRN_E_ARGUMENT;
    if (options->row_count > table->row_count || (unsigned)options->codec > CAIRN_CODEC_SEEDS ||
        (unsigned)options->map_part > CAIRN_MAP_LEFT_OUT)
        return CAIRN_E_ARGUMENT;
    if (table->is_directed && options->row_count % 2)
        return CAIRN_E_ARGUMENT;
    *shape = (cn_table_shape){map, table->row_count, table->entry_bits, table->is_directed};
    cairn_status status = cn_table_row_map(table, map, &shape->map);
    return status == CAIRN_OK ? check_belonging(map, table, options->map_part, shape->map) : status;
}

cairn_status cn_writer_open(cn_writer *out, const cairn_map *map, cn_table_shape shape,
                            const cairn_save_options *options, uint32_t thread_count)
{
    const cn_mem *mem = &map->mem;
    uint32_t row_count = options->row_count ? options->row_count : shape.row_count;

    memset(out, 0, sizeof *out);
    out->map = map;
    out->shape = shape;
    out->mem = mem;
    out->options = *options;
    out->row_count = row_count;
    out->crew = cn_tasks_crew(&map->pool, thread_count, row_count,
                              (uint64_t)cn_map_node_count(shape.map) * row_count);
    out->head.mem = mem;
    out->tail.mem = mem;
    atomic_init(&out->rows_done, 0);
    out->rows = cn_zeroed(mem, row_count, sizeof *out->rows);
    if (!out->rows)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_codec_frame_init(&out->frame, shape.map, shape.map->metric,
                                              shape.entry_bits, mem);
    if (status == CAIRN_OK)
        cn_survey_init(&out->survey, &out->frame, options->codec, row_count);
    return status;
}

void cn_writer_close(cn_writer *out)
{
    if (!out->map)
        return;
    for (uint32_t row = 0; out->rows && row < out->row_count; row++)
        cn_release(out->mem, out->rows[row].bytes);
    for (unsigned worker = 0; worker < CN_THREADS_MAX; worker++)
        cn_writer_drop_packer(out, worker);
    cn_survey_free(&out->survey, out->mem);
    cn_codec_frame_free(&out->frame);
    cn_release(out->mem, out->rows);
    cn_buffer_free(&out->head);
    cn_buffer_free(&out->tail);
    memset(out, 0, sizeof *out);
}

/* Edits may have made every arc of a graph cost 1: read from the file, the graph is its own step
 * map. Where the map is left out, the rows must fit the map in memory, which may still be
 * directed. */
static bool counts_steps_only(const cn_writer *out)
{
    const cairn_map *map = out->map, *row_map = out->shape.map;
    if (row_map == map || !map->roads || row_map->hash != map->hash)
        return row_map != map;
    return out->options.map_part == CAIRN_MAP_LEFT_OUT &&
           cn_map_is_directed(row_map) != cn_map_is_directed(map);
}

cairn_status cn_writer_compose(cn_writer *out, cn_landmark_lists landmarks,
                               const cn_buffer *map_section)
{
    cn_buffer *head = &out->head;

    put_header(head, out->options.stamp ? CN_VERSION_STAMPED : CN_VERSION_MINOR);
    if (out->options.stamp)
        put_stamp(head, out->options.stamp);
    if (out->options.map_part == CAIRN_MAP_INCLUDED) {
        if (map_section)
            cn_buffer_append(head, map_section->bytes, map_section->size);
        else
            cn_writer_pack_map(out->map, head);
        put_metric(head, out->map->metric);
    }
    put_table_head(head, &out->shape, out->row_count, counts_steps_only(out));
    put_landmarks(head, landmarks, out->row_count);
    put_directory(head, out->rows, out->row_count);
    put_rows_head(head, out->rows, out->row_count);
    end_section(&out->tail, begin_section(&out->tail), CN_TYPE_END);
    return head->status != CAIRN_OK ? head->status : out->tail.status;
}

/* The pieces of the file in order: head, rows, tail. */
static cn_piece piece_of(const cn_writer *out, size_t index)
{
    if (index == 0)
        return (cn_piece){out->head.bytes, out->head.size};
    if (index == out->row_count + 1u)
        return (cn_piece){out->tail.bytes, out->tail.size};
    return (cn_piece){out->rows[index - 1].bytes, out->rows[index - 1].size};
}

cairn_status cn_writer_replace(const cn_writer *out, const char *path)
{
    cn_piece pieces[CAIRN_ROWS_MAX + 2];
    size_t piece_count = out->row_count + 2u;

    for (size_t i = 0; i < piece_count; i++)
        pieces[i] = piece_of(out, i);
    return cn_file_replace(path, pieces, piece_count, out->options.progress);
}

/* Does everything but writing the bytes out. */
static cairn_status write_table(cn_writer *out, const cairn_map *map, const cairn_table *table,
                                cn_table_shape shape, const cairn_save_options *options)
{
    const cn_landmark_lists landmarks = {table->landmark_start, table->landmarks};
    cairn_status status = cn_writer_open(out, map, shape, options, options->thread_count);
    if (status == CAIRN_OK)
        status = pack_rows(out, table);
    return status == CAIRN_OK ? cn_writer_compose(out, landmarks, NULL) : status;
}

cairn_status cairn_save(const cairn_map *map, const cairn_table *table, const char *path,
                        const cairn_save_options *options)
{
    cairn_save_options known;
    cn_table_shape shape;
    cn_writer out;

    cairn_status status = path ? check_arguments(map, table, options, &known, &shape)
                               : CAIRN_E_ARGUMENT;
    if (status != CAIRN_OK)
        return status;
    status = write_table(&out, map, table, shape, &known);
    if (status == CAIRN_OK)
        status = cn_writer_replace(&out, path);
    cn_writer_close(&out);
    return status;
}

static cairn_status join(const cn_writer *out, uint8_t **bytes, size_t *size)
{
    size_t piece_count = out->row_count + 2u, total = 0, used = 0;

    for (size_t i = 0; i < piece_count; i++)
        total += piece_of(out, i).size;
    uint8_t *all = cn_array(out->mem, total, 1);
    if (!all)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < piece_count; i++) {
        cn_piece piece = piece_of(out, i);
        if (piece.size)
            memcpy(all + used, piece.bytes, piece.size);
        used += piece.size;
    }
    *bytes = all;
    *size = total;
    return CAIRN_OK;
}

cairn_status cairn_save_bytes(const cairn_map *map, const cairn_table *table,
                              const cairn_save_options *options, uint8_t **bytes, size_t *size)
{
    cairn_save_options known;
    cn_table_shape shape;
    cn_writer out;

    if (!bytes || !size)
        return CAIRN_E_ARGUMENT;
    *bytes = NULL;
    *size = 0;
    cairn_status status = check_arguments(map, table, options, &known, &shape);
    if (status != CAIRN_OK)
        return status;
    status = write_table(&out, map, table, shape, &known);
    if (status == CAIRN_OK)
        status = join(&out, bytes, size);
    cn_writer_close(&out);
    return status;
}

void cairn_bytes_free(const cairn_map *map, uint8_t *bytes)
{
    if (map)
        cn_release(&map->mem, bytes);
}
