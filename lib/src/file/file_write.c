#include <stdatomic.h>
#include <string.h>

#include "io/buffer.h"
#include "codec/codec.h"
#include "codec/map_letters.h"
#include "flood/flood.h"
#include "file/file_format.h"
#include "file/file_map_kinds.h"
#include "file/file_write.h"
#include "base/tasks.h"
#include "table/table_state.h"

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
    uint8_t head[CN_MAP_HEAD_SIZE];
    size_t start = cn_begin_section(buffer);

    if (!is_classic_kind(map)) {
        cn_other_map_pack(map, buffer);
        cn_end_section(buffer, start, CN_TYPE_MAP);
        return;
    }
    cn_put_map_head(head, (cn_map_head){.kind = CN_MAP_KIND_GRID,
                                        .rule = CN_MAP_RULE_NO_CORNERS,
                                        .coding = CN_LETTERS_MODELLED,
                                        .width = grid->width,
                                        .height = grid->height});
    cn_buffer_append(buffer, head, sizeof head);
    cn_letters_pack(grid->letters, grid->width, grid->height, buffer);
    cn_end_section(buffer, start, CN_TYPE_MAP);
}

/* --------------------------------------------------------------------------------- rows -- */

/* Only the calling thread, which is worker 0, may report progress. */
static bool report(cn_writer *out, unsigned worker)
{
    const unsigned done = atomic_fetch_add(&out->rows_done, 1) + 1;
    return worker != 0 || cn_progress_goes_on(out->options.progress, "pack", done, out->row_count);
}

cairn_status cn_writer_packer(cn_writer *out, unsigned worker, cn_packer **packer)
{
    cairn_status status = CAIRN_OK;
    if (!out->packers[worker])
        status = cn_packer_new(&out->layout, out->row_count, &out->packers[worker]);
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
    out->packing = cn_survey_decide(&out->survey, &out->layout);
    for (uint32_t row = 0; row < out->survey.row_count; row++)
        out->rows[row] = cn_survey_take(&out->survey, row, out->packing);
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
    cairn_status status = cn_flooder_new(job->out->shape.map, job->table->entry_bits, CN_FLOOD_MANY,
                                         &made->flooder);
    if (status == CAIRN_OK)
        status = cn_flooder_run(made->flooder, landmarks->nodes, landmarks->count, &made->plane);
    return status;
}

/* Surveys one of the first rows, or packs another. */
static cairn_status take_corner_row(const packing *job, cn_packer *packer, uint32_t row)
{
    cn_writer *out = job->out;
    computed_row made;
    cairn_status status = compute_row(job, row, &made);
    if (status == CAIRN_OK)
        status = row < out->survey.row_count
                     ? cn_survey_row(&out->survey, packer, &made.row, row)
                     : cn_pack_row(packer, &made.row, out->packing, &out->rows[row]);
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
               ? take_corner_row(job, packer, (uint32_t)row)
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
            status = job->table->corners ? take_corner_row(job, packer, row)
                                         : cn_pack_table_row(packer, job->table, row, out->packing,
                                                             &out->rows[row]);
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

/* Whether cairn_load will accept table and map. */
static cairn_status check_belonging(const cairn_map *map, const cairn_table *table,
                                    const cairn_map *row_map)
{
    if (!cn_table_is_fresh(table, row_map))
        return cn_table_journal_lag(table, row_map) == CN_LAG_STRANGER ? CAIRN_E_MISMATCH
                                                                       : CAIRN_E_STALE;
    if (!cn_map_hash_is_right(map) || !cn_map_hash_is_right(row_map))
        return CAIRN_E_MISMATCH;
    if (table->is_directed != cn_map_is_directed(row_map))
        return CAIRN_E_MISMATCH;
    const cn_landmark_lists landmarks = {table->landmark_start, table->landmarks};
    if (table->is_directed && !cn_landmark_pairs_are_alike(landmarks, table->row_count))
        return CAIRN_E_INEXACT;
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
    return status == CAIRN_OK ? check_belonging(map, table, shape->map) : status;
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
    out->end_row = row_count;
    out->own_map.mem = mem;
    out->file.head.mem = mem;
    out->file.tail.mem = mem;
    atomic_init(&out->rows_done, 0);
    out->rows = cn_zeroed(mem, row_count, sizeof *out->rows);
    if (!out->rows)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_codec_layout_init(&out->layout, shape.map, shape.map->metric,
                                               shape.entry_bits, mem);
    if (status == CAIRN_OK)
        cn_survey_init(&out->survey, &out->layout, options->codec, row_count);
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
    cn_codec_layout_free(&out->layout);
    cn_release(out->mem, out->rows);
    cn_buffer_free(&out->own_map);
    cn_composition_free(&out->file);
    memset(out, 0, sizeof *out);
}

/* All but the part. */
static void set_marks(const cn_writer *out, cn_marks *marks)
{
    marks->stamp = out->options.stamp;
    marks->unit_size = cairn_map_unit_size(out->map);
    if (out->map->bodies)
        marks->unit_anchor = cn_bodies_anchor(out->map->bodies);
}

static cn_table_facts facts_of(const cn_writer *out)
{
    const cairn_map *map = out->shape.map;
    return (cn_table_facts){.map_hash = map->hash,
                            .node_count = cn_map_node_count(map),
                            .entry_bits = out->shape.entry_bits,
                            .metric = map->metric,
                            .is_directed = out->shape.is_directed,
                            .counts_steps = cn_map_differs_from_step_map(out->map, map)};
}

cairn_status cn_writer_compose(cn_writer *out, cn_landmark_lists landmarks,
                               const cn_buffer *map_section)
{
    cn_composition *file = &out->file;

    set_marks(out, &file->marks);
    if (out->options.map_part == CAIRN_MAP_INCLUDED) {
        if (!map_section)
            cn_writer_pack_map(out->map, &out->own_map);
        file->map = map_section ? map_section : &out->own_map;
        file->map_metric = out->map->metric;
        if (file->map->status != CAIRN_OK)
            return file->map->status;
    }
    file->facts = facts_of(out);
    file->landmarks = (cn_landmark_lists){landmarks.start + out->first_row, landmarks.nodes};
    file->rows = out->rows + out->first_row;
    file->row_count = out->end_row - out->first_row;
    return cn_compose(file);
}

cairn_status cn_writer_replace(const cn_writer *out, const char *path)
{
    return cn_composition_write(&out->file, path, out->options.progress);
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
    cn_piece pieces[CN_PIECES_MAX];
    const size_t piece_count = cn_composition_pieces(&out->file, pieces);
    size_t total = 0, used = 0;

    for (size_t i = 0; i < piece_count; i++)
        total += pieces[i].size;
    uint8_t *all = cn_array(out->mem, total, 1);
    if (!all)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < piece_count; i++) {
        if (pieces[i].size)
            memcpy(all + used, pieces[i].bytes, pieces[i].size);
        used += pieces[i].size;
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

    if (bytes)
        *bytes = NULL;
    if (size)
        *size = 0;
    if (!bytes || !size)
        return CAIRN_E_ARGUMENT;
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
