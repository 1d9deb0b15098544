/*
 * From a map to the file of its table without the table. Each row's landmarks follow from the row
 * before, so rows are measured one after another; but whoever has measured one hands the baton on
 * and packs it, while the next is measured by another thread. A row stays where it was measured,
 * in the memory of that thread, and as a rule in the cache of its processor.
 */
#include <stdatomic.h>
#include <string.h>

#include "build/build.h"
#include "file/file_write.h"
#include "base/tasks.h"

/* More threads than these would only wait: measuring a row takes at least half as long as packing
 * it. */
enum { SEATS = 4 };

/* What a thread keeps of the row that it packs. */
typedef struct seat {
    cn_plane_memory memory;   /* all zeros while the flooder has it */
    void *landmarks;
    size_t landmark_capacity;
} seat;

/* Flags of the relay. */
enum { WAY_IS_KNOWN = 1, MAP_IS_PACKED = 2 };

typedef struct assembly {
    cairn_map *map;
    const cairn_build_options *build;
    cairn_save_options save;
    const char *path;
    cn_pipeline *pipeline;
    cn_rows *rows;           /* of the race that is on */
    seat seats[SEATS];       /* by worker */
    unsigned measurer;       /* whose memory the flooder has */
    cn_writer out;
    cn_buffer map_section;
    atomic_flag map_is_taken;       /* someone packs, or has packed, the map */
    atomic_flag rows_are_dropped;   /* the same of what was needed for rows */
    atomic_uint unsurveyed;
    atomic_uint likely_style;       /* CN_STYLES: nothing is known */
    atomic_int failure;      /* of the race: the first status that was not CAIRN_OK */
    unsigned thread_count;
    bool measured;           /* the calling thread has done its part */
    cairn_table *table;      /* bare */
} assembly;

static cairn_status failure_of(assembly *job)
{
    return (cairn_status)atomic_load(&job->failure);
}

static bool has_failed(assembly *job)
{
    return failure_of(job) != CAIRN_OK;
}

/* Others must not wait for what will not come. */
static void note_failure(assembly *job, cairn_status status)
{
    int none = CAIRN_OK;
    if (status == CAIRN_OK)
        return;
    atomic_compare_exchange_strong(&job->failure, &none, (int)status);
    cn_pipeline_raise(job->pipeline, WAY_IS_KNOWN);
}

/* --------------------------------------------------------------------------------- packing -- */

/* The last row that is surveyed says how the others are packed. */
static cairn_status survey(assembly *job, cn_packer *packer, const cn_unpacked_row *unpacked,
                           uint32_t row)
{
    cairn_status status = cn_survey_row(&job->out.survey, packer, unpacked, row);
    if (status == CAIRN_OK)
        atomic_store(&job->likely_style,
                     cn_survey_guess(&job->out.survey, &job->out.frame, row).style);
    if (atomic_fetch_sub(&job->unsurveyed, 1) != 1 || status != CAIRN_OK || has_failed(job))
        return status;
    cn_writer_decide(&job->out);
    atomic_store(&job->likely_style, job->out.way.style);
    cn_pipeline_raise(job->pipeline, WAY_IS_KNOWN);
    return CAIRN_OK;
}

/* What the others wait for. */
static bool knows_way(assembly *job)
{
    cn_pipeline_await(job->pipeline, WAY_IS_KNOWN);
    return !has_failed(job);
}

/* Rather than wait, a row is packed as is likely to turn out right. */
static cairn_status pack(assembly *job, cn_packer *packer, const cn_unpacked_row *unpacked,
                         uint32_t row)
{
    cn_packed *packed = &job->out.rows[row];
    cn_pack_way way = {job->save.codec, atomic_load(&job->likely_style)};
    cairn_status status = CAIRN_OK;

    if (way.style < CN_STYLES)
        status = cn_pack_row(packer, unpacked, way, packed);
    if (status != CAIRN_OK || !knows_way(job) || way.style == job->out.way.style)
        return status;
    cn_release(job->out.mem, packed->bytes);
    return cn_pack_row(packer, unpacked, job->out.way, packed);
}

static cairn_status survey_or_pack(assembly *job, unsigned worker, const cn_measured_row *made)
{
    const cn_unpacked_row unpacked = {&made->plane,
                                {job->seats[worker].landmarks, made->landmark_count},
                                cn_table_way(job->out.table, made->row)};
    cn_packer *packer;
    if (made->row >= job->out.row_count)
        return CAIRN_OK;
    cairn_status status = cn_writer_packer(&job->out, worker, &packer);
    if (status != CAIRN_OK)
        return status;
    const uint32_t row = made->row;
    return (row < job->out.survey.row_count ? survey : pack)(job, packer, &unpacked, row);
}

/* ------------------------------------------------------------------------- with the baton -- */

/* The flooder works in this thread's memory from now on. */
static cairn_status take_flooder(assembly *job, unsigned worker)
{
    if (job->measurer == worker)
        return CAIRN_OK;
    cn_plane_memory memory = job->seats[worker].memory;
    cairn_status status = cn_flooder_trade(cn_rows_flooder(job->rows), &memory);
    if (status != CAIRN_OK)
        return status;
    job->seats[job->measurer].memory = memory;
    job->seats[worker].memory = (cn_plane_memory){.costs = NULL};
    job->measurer = worker;
    return CAIRN_OK;
}

static cairn_status keep_landmarks(assembly *job, seat *own, const cn_measured_row *made)
{
    if (!cn_grow(&job->map->mem, &own->landmarks, &own->landmark_capacity, 0,
                 made->landmark_count, sizeof(cairn_node)))
        return CAIRN_E_MEMORY;
    if (made->landmark_count)
        memcpy(own->landmarks, made->landmarks, made->landmark_count * sizeof(cairn_node));
    return CAIRN_OK;
}

static cairn_status measure(assembly *job, unsigned worker, cn_measured_row *made)
{
    cairn_status status = take_flooder(job, worker);
    if (status == CAIRN_OK)
        status = cn_rows_measure(job->rows, made);
    return status == CAIRN_OK ? keep_landmarks(job, &job->seats[worker], made) : status;
}

/* The next row, if there is one. */
static bool measure_in_turn(assembly *job, unsigned worker, cn_measured_row *made)
{
    cn_pipeline_enter_serial(job->pipeline);
    bool goes_on = !has_failed(job) && cn_rows_are_left(job->rows);
    if (goes_on)
        note_failure(job, measure(job, worker, made));
    cn_pipeline_exit_serial(job->pipeline);
    return goes_on && !has_failed(job);
}

static void work_in_pipeline(assembly *job, unsigned worker)
{
    cn_measured_row made;
    while (measure_in_turn(job, worker, &made)) {
        cairn_status status = worker == 0 ? cn_rows_report(job->rows, made.row + 1) : CAIRN_OK;
        if (status == CAIRN_OK)
            status = survey_or_pack(job, worker, &made);
        note_failure(job, status);
    }
}

/* --------------------------------------------------------------------- the calling thread -- */

static cairn_status begin_rows(void *context, const cairn_table *table)
{
    assembly *job = context;

    atomic_store(&job->failure, CAIRN_OK);
    job->measurer = 0;
    if (job->save.row_count > table->row_count ||
        (table->is_directed && job->save.row_count % 2))
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_writer_open(&job->out, job->map, table, &job->save,
                                         job->thread_count);
    if (status != CAIRN_OK)
        return status;
    uint32_t surveyed = job->out.survey.row_count;
    atomic_store(&job->unsurveyed, surveyed);
    atomic_store(&job->likely_style, CN_STYLES);
    cn_pipeline_lower(job->pipeline, WAY_IS_KNOWN);
    if (surveyed > 0)
        return CAIRN_OK;
    cn_writer_decide(&job->out);
    cn_pipeline_raise(job->pipeline, WAY_IS_KNOWN);
    return CAIRN_OK;
}

static cairn_status take_rows(void *context, cn_rows *rows)
{
    assembly *job = context;

    job->rows = rows;
    cn_pipeline_start(job->pipeline);
    work_in_pipeline(job, 0);
    cn_pipeline_end(job->pipeline);
    cairn_status status = failure_of(job);
    return status == CAIRN_OK ? cn_rows_report(rows, job->out.table->row_count) : status;
}

static void drop_rows(assembly *job)
{
    for (unsigned worker = 0; worker < SEATS; worker++) {
        cn_plane_memory_free(&job->map->mem, &job->seats[worker].memory);
        cn_writer_drop_packer(&job->out, worker);
    }
}

/* Nobody looks at the table afterwards. */
static void give_up_rows(void *context)
{
    assembly *job = context;
    drop_rows(job);
    cn_writer_close(&job->out);
}

static cairn_status measure_all(assembly *job)
{
    const cn_row_taker taker = {begin_rows, take_rows, give_up_rows, job};
    return cn_table_build(job->map, job->build, &taker, &job->table);
}

static void pack_map(assembly *job)
{
    if (atomic_flag_test_and_set(&job->map_is_taken))
        return;
    cn_writer_pack_map(job->map, &job->map_section);
    cn_pipeline_raise(job->pipeline, MAP_IS_PACKED);
}

/* All that only the calling thread does. */
static cairn_status write_file(assembly *job)
{
    pack_map(job);
    cn_pipeline_await(job->pipeline, MAP_IS_PACKED);
    cairn_status status = job->map_section.status;
    if (status == CAIRN_OK)
        status = cn_writer_compose(&job->out, job->table, &job->map_section);
    return status == CAIRN_OK ? cn_writer_replace(&job->out, job->path) : status;
}

static cairn_status lead(assembly *job)
{
    cairn_status status = measure_all(job);
    cn_pipeline_close(job->pipeline);
    return status == CAIRN_OK ? write_file(job) : status;
}

/* There is no row yet for the others, so they begin with the map; and while the file is written,
 * one of them clears up. */
static void follow(assembly *job, unsigned worker)
{
    uint64_t run = 0;
    pack_map(job);
    while (cn_pipeline_join(job->pipeline, &run)) {
        work_in_pipeline(job, worker);
        cn_pipeline_leave(job->pipeline);
    }
    if (!atomic_flag_test_and_set(&job->rows_are_dropped))
        drop_rows(job);
}

/* One for each thread, unless some are so late that others come twice. */
static cairn_status work(void *context, size_t task, unsigned worker)
{
    assembly *job = context;
    (void)task;

    if (worker > 0) {
        follow(job, worker);
        return CAIRN_OK;
    }
    if (job->measured)
        return CAIRN_OK;
    job->measured = true;
    return lead(job);
}

/* ------------------------------------------------------------------------------ the call -- */

static void close_assembly(assembly *job)
{
    drop_rows(job);
    for (unsigned worker = 0; worker < SEATS; worker++)
        cn_release(&job->map->mem, job->seats[worker].landmarks);
    cn_pipeline_free(job->pipeline);
    cn_buffer_free(&job->map_section);
    cn_writer_close(&job->out);
    cairn_table_free(job->table);
}

static void summarise(const assembly *job, cairn_build_summary *summary)
{
    *summary = (cairn_build_summary){.row_count = job->out.row_count,
                                     .entry_bits = job->table->entry_bits,
                                     .table_memory = cairn_table_memory(job->table)};
}

cairn_status cairn_build_file(cairn_map *map, const cairn_build_options *build,
                              const cairn_save_options *save, const char *path,
                              cairn_build_summary *summary)
{
    cairn_build_options known;
    assembly job = {.map = map, .build = build, .path = path,
                    .map_is_taken = ATOMIC_FLAG_INIT, .rows_are_dropped = ATOMIC_FLAG_INIT};

    if (summary)
        *summary = (cairn_build_summary){0};
    if (!map || !path || !cn_options_copy(&job.save, sizeof job.save, save) ||
        !cn_options_copy(&known, sizeof known, build) ||
        (unsigned)job.save.codec > CAIRN_CODEC_SEEDS ||
        (unsigned)job.save.map_part > CAIRN_MAP_LEFT_OUT)
        return CAIRN_E_ARGUMENT;
    if (!cn_map_hash_is_right(map))
        return CAIRN_E_MISMATCH;
    job.save.progress = known.progress;
    job.map_section.mem = &map->mem;
    atomic_init(&job.failure, CAIRN_OK);
    atomic_init(&job.unsurveyed, 0);
    atomic_init(&job.likely_style, CN_STYLES);
    job.thread_count = cn_tasks_threads(known.thread_count, SEATS);
    cairn_status status = cn_pipeline_new(&map->mem, &job.pipeline);
    if (status == CAIRN_OK)
        status = cn_tasks_run(job.thread_count, job.thread_count, work, &job);
    if (status == CAIRN_OK && summary)
        summarise(&job, summary);
    close_assembly(&job);
    return status;
}
