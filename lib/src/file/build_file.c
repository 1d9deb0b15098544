/*
 * From a map to the file of its table without the table: a pipeline with one serial stage and a
 * parallel tail. Each row's landmarks follow from the row before, so rows are pulled one after
 * another; but whoever has pulled one packs it, while another thread pulls the next. A row stays
 * where it was computed, in the memory of that thread, and as a rule in the cache of its processor.
 */
#include <stdatomic.h>

#include "base/nodes.h"
#include "base/tasks.h"
#include "build/build_rows.h"
#include "build/team_build.h"
#include "file/build_memory.h"
#include "file/file_write.h"
#include "file/team_rows.h"

/* More threads than these would only wait: computing a row takes at least half as long as packing
 * it. */
enum { SEATS = 4, USUAL_ROWS = 16 };

/* What a thread keeps of the row that it packs. */
typedef struct seat {
    cn_plane_memory memory; /* all zeros while the flooder has it */
    cn_nodes landmarks;
} seat;

/* Flags of the pipeline. */
enum { PACKING_IS_KNOWN = 1, MAP_IS_PACKED = 2 };

typedef struct assembly {
    cairn_map *map;
    cairn_build_options build;
    cairn_save_options save;
    const char *path;
    cn_pipeline *pipeline;
    cn_rows *rows;
    seat seats[SEATS]; /* by worker */
    unsigned flooding; /* the worker whose memory the flooder has */
    cn_writer out;
    cn_buffer map_section;
    cairn_part part;    /* number 0: the whole table is built */
    uint32_t own_first; /* the rows that this process packs */
    uint32_t own_end;
    cn_team team;
    atomic_flag map_is_taken;     /* someone packs, or has packed, the map */
    atomic_flag rows_are_dropped; /* the same of what was needed for rows */
    atomic_uint unsurveyed;
    atomic_uint likely_style; /* CN_STYLES: nothing is known */
    atomic_int failure;       /* of the present rows: the first status that was not CAIRN_OK */
    cn_crew crew;
    bool is_led; /* the calling thread has done its part */
    cairn_build_summary summary;
    uint64_t counted; /* bytes, with a limit of memory; 0: there is none */
} assembly;

static cairn_status failure_of(assembly *job)
{
    return (cairn_status)atomic_load(&job->failure);
}

static bool has_failed(assembly *job)
{
    return failure_of(job) != CAIRN_OK;
}

/* Wakes the waiting threads after a failure. */
static void note_failure(assembly *job, cairn_status status)
{
    int none = CAIRN_OK;
    if (status == CAIRN_OK)
        return;
    atomic_compare_exchange_strong(&job->failure, &none, (int)status);
    cn_pipeline_raise(job->pipeline, PACKING_IS_KNOWN);
}

/* --------------------------------------------------------------------------------- packing -- */

/* The last row that is surveyed says how the others are packed. */
static cairn_status survey(assembly *job, cn_packer *packer, const cn_unpacked_row *unpacked,
                           uint32_t row)
{
    cairn_status status = cn_survey_row(&job->out.survey, packer, unpacked, row);
    if (status == CAIRN_OK)
        atomic_store(&job->likely_style,
                     cn_survey_guess(&job->out.survey, &job->out.layout, row).style);
    if (atomic_fetch_sub(&job->unsurveyed, 1) != 1 || status != CAIRN_OK || has_failed(job))
        return status;
    cn_writer_decide(&job->out);
    atomic_store(&job->likely_style, job->out.packing.style);
    cn_pipeline_raise(job->pipeline, PACKING_IS_KNOWN);
    return CAIRN_OK;
}

/* What the others wait for. */
static bool knows_packing(assembly *job)
{
    cn_pipeline_await(job->pipeline, PACKING_IS_KNOWN);
    return !has_failed(job);
}

/* Rather than wait, a row is packed as is likely to turn out right. */
static cairn_status pack(assembly *job, cn_packer *packer, const cn_unpacked_row *unpacked,
                         uint32_t row)
{
    cn_packed *packed = &job->out.rows[row];
    cn_packing packing = {job->save.codec, atomic_load(&job->likely_style)};
    cairn_status status = CAIRN_OK;

    if (packing.style < CN_STYLES)
        status = cn_pack_row(packer, unpacked, packing, packed);
    if (status != CAIRN_OK || !knows_packing(job) || packing.style == job->out.packing.style)
        return status;
    cn_release(job->out.mem, packed->bytes);
    return cn_pack_row(packer, unpacked, job->out.packing, packed);
}

static cairn_status survey_or_pack(assembly *job, unsigned worker, const cn_built_row *made)
{
    const cn_unpacked_row unpacked = {
        &made->plane, {job->seats[worker].landmarks.items, made->landmark_count}, made->way};
    cn_packer *packer;
    if (made->index >= job->out.row_count)
        return CAIRN_OK;
    cairn_status status = cn_writer_packer(&job->out, worker, &packer);
    if (status != CAIRN_OK)
        return status;
    return (made->index < job->out.survey.row_count ? survey : pack)(job, packer, &unpacked,
                                                                     made->index);
}

/* ---------------------------------------------------------------------- the serial stage -- */

/* The flooder works in this thread's memory from now on. */
static cairn_status take_flooder(assembly *job, unsigned worker)
{
    if (job->flooding == worker)
        return CAIRN_OK;
    cn_plane_memory memory = job->seats[worker].memory;
    cairn_status status = cn_flooder_trade(cn_rows_flooder(job->rows), &memory);
    if (status != CAIRN_OK)
        return status;
    job->seats[job->flooding].memory = memory;
    job->seats[worker].memory = (cn_plane_memory){.costs = NULL};
    job->flooding = worker;
    return CAIRN_OK;
}

static cairn_status keep_landmarks(assembly *job, seat *own, const cn_built_row *made)
{
    own->landmarks.count = 0;
    return cn_nodes_append(&own->landmarks, &job->map->mem, made->landmarks, made->landmark_count)
               ? CAIRN_OK
               : CAIRN_E_MEMORY;
}

static cairn_status pull(assembly *job, unsigned worker, cn_built_row *made)
{
    cairn_status status = take_flooder(job, worker);
    if (status == CAIRN_OK)
        status = cn_rows_next(job->rows, made);
    return status == CAIRN_OK ? keep_landmarks(job, &job->seats[worker], made) : status;
}

/* Rows of other parts are left out, but for those that tell how all rows are packed. */
static bool is_wanted(const assembly *job, uint32_t row)
{
    return row < job->out.survey.row_count || (row >= job->own_first && row < job->own_end);
}

static cairn_status pass_others(assembly *job, unsigned worker)
{
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && cn_rows_are_left(job->rows) &&
           !is_wanted(job, cn_rows_done(job->rows))) {
        status = take_flooder(job, worker);
        if (status == CAIRN_OK)
            status = cn_rows_pass(job->rows, job->team.processes != NULL);
        if (status == CAIRN_OK && worker == 0)
            status = cn_rows_report(job->rows, cn_rows_done(job->rows));
    }
    return status;
}

/* The next row, if there is one. */
static bool pull_in_turn(assembly *job, unsigned worker, cn_built_row *made)
{
    cn_pipeline_enter_serial(job->pipeline);
    if (!has_failed(job))
        note_failure(job, pass_others(job, worker));
    bool goes_on = !has_failed(job) && cn_rows_are_left(job->rows);
    if (goes_on)
        note_failure(job, pull(job, worker, made));
    cn_pipeline_exit_serial(job->pipeline);
    return goes_on && !has_failed(job);
}

/* Every thread does this, until no row is left. */
static void work_in_pipeline(assembly *job, unsigned worker)
{
    cn_built_row made;
    while (pull_in_turn(job, worker, &made)) {
        cairn_status status = worker == 0 ? cn_rows_report(job->rows, made.index + 1) : CAIRN_OK;
        if (status == CAIRN_OK)
            status = survey_or_pack(job, worker, &made);
        note_failure(job, status);
    }
}

/* --------------------------------------------------------------------- the calling thread -- */

static uint32_t rows_of_set(const assembly *job)
{
    return job->out.shape.is_directed ? 2 : 1;
}

/* The rows of this part, of pairs of rows whole ones; false where there are fewer than parts. */
static bool choose_part(assembly *job)
{
    cn_writer *out = &job->out;
    const uint32_t step = rows_of_set(job), sets = out->row_count / step;

    if (job->build.part_count > sets)
        return false;
    out->first_row = (job->build.part - 1) * sets / job->build.part_count * step;
    out->end_row = job->build.part * sets / job->build.part_count * step;
    job->own_first = out->first_row;
    job->own_end = out->end_row;
    job->part = (cairn_part){.number = job->build.part,
                             .count = job->build.part_count,
                             .first_row = out->first_row,
                             .row_count = out->row_count,
                             .seed = job->build.seed,
                             .codec = job->save.codec};
    return true;
}

/* Chooses the rows that are built here: those of the part, or the share of this process of a team,
 * which in a process alone is all of them. */
static bool choose_rows(assembly *job)
{
    const uint32_t step = rows_of_set(job), sets = job->out.shape.row_count / step;

    if (job->build.part_count > 0)
        return choose_part(job);
    job->own_first = (uint32_t)cn_team_first(&job->team, sets) * step;
    job->own_end = (uint32_t)cn_team_end(&job->team, sets) * step;
    return true;
}

static cairn_status open_writer(assembly *job)
{
    const cn_table_shape shape = cn_rows_shape(job->rows);

    atomic_store(&job->failure, CAIRN_OK);
    job->flooding = 0;
    if (job->save.row_count > shape.row_count || (shape.is_directed && job->save.row_count % 2))
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_writer_open(&job->out, job->map, shape, &job->save, job->crew.count);
    if (status != CAIRN_OK)
        return status;
    if (!choose_rows(job))
        return CAIRN_E_ARGUMENT;
    uint32_t surveyed = job->out.survey.row_count;
    atomic_store(&job->unsurveyed, surveyed);
    atomic_store(&job->likely_style, CN_STYLES);
    cn_pipeline_lower(job->pipeline, PACKING_IS_KNOWN);
    if (surveyed > 0)
        return CAIRN_OK;
    cn_writer_decide(&job->out);
    cn_pipeline_raise(job->pipeline, PACKING_IS_KNOWN);
    return CAIRN_OK;
}

static cairn_status pack_rows(assembly *job)
{
    cairn_status status = open_writer(job);
    if (status != CAIRN_OK)
        return status;
    cn_pipeline_start(job->pipeline);
    work_in_pipeline(job, 0);
    cn_pipeline_end(job->pipeline);
    status = failure_of(job);
    if (status == CAIRN_OK)
        status = cn_rows_report(job->rows, job->out.shape.row_count);
    return cn_team_agree(&job->team, status);
}

static void drop_rows(assembly *job)
{
    for (unsigned worker = 0; worker < SEATS; worker++) {
        cn_plane_memory_free(&job->map->mem, &job->seats[worker].memory);
        cn_writer_drop_packer(&job->out, worker);
    }
}

static void summarise(assembly *job)
{
    const cn_table_shape shape = job->out.shape;
    const size_t *start = cn_rows_landmarks(job->rows).start;
    const uint32_t end = job->part.number ? job->out.end_row : shape.row_count;
    const size_t landmarks = start[end] - start[job->out.first_row];
    job->summary = (cairn_build_summary){
        .row_count = job->out.end_row - job->out.first_row,
        .entry_bits = shape.entry_bits,
        .table_memory = (size_t)cn_table_memory_for(
            cn_map_node_count(shape.map), end - job->out.first_row, shape.entry_bits, landmarks),
        .counts_steps = shape.map != job->map};
}

static void pack_map(assembly *job)
{
    if (atomic_flag_test_and_set(&job->map_is_taken))
        return;
    if (cn_team_rank(&job->team) == 0)
        cn_writer_pack_map(job->map, &job->map_section);
    cn_pipeline_raise(job->pipeline, MAP_IS_PACKED);
}

/* Packs all rows of the table, in as few bits as their costs allow. */
static cairn_status pack_table(assembly *job)
{
    cairn_status status = job->rows ? CAIRN_OK
                                    : cn_rows_open(job->map, &job->build, &job->team, &job->rows);
    if (status != CAIRN_OK)
        return status;
    do {
        status = pack_rows(job);
        if (status == CAIRN_E_LIMIT) {
            drop_rows(job);
            cn_writer_close(&job->out);
        }
    } while (cn_rows_restart(job->rows, &status));
    return status;
}

static cairn_status compose(assembly *job)
{
    pack_map(job);
    cn_pipeline_await(job->pipeline, MAP_IS_PACKED);
    cairn_status status = job->map_section.status;
    if (status == CAIRN_OK && job->team.processes)
        status = cn_writer_collect(&job->out, &job->team, job->out.row_count / rows_of_set(job));
    if (status != CAIRN_OK || cn_team_rank(&job->team) > 0)
        return status;
    if (job->part.number) {
        job->part.landmarks = cn_landmarks_hash(cn_rows_landmarks(job->rows), job->out.row_count);
        job->out.file.marks.part = job->part;
    }
    return cn_writer_compose(&job->out, cn_rows_landmarks(job->rows), &job->map_section);
}

/* All that only the calling thread does. */
static cairn_status lead(assembly *job)
{
    cairn_status status = pack_table(job);
    cn_pipeline_close(job->pipeline);
    if (status == CAIRN_OK)
        status = compose(job);
    if (status == CAIRN_OK)
        summarise(job);
    cn_rows_close(job->rows, status);
    return status == CAIRN_OK && cn_team_rank(&job->team) == 0
               ? cn_writer_replace(&job->out, job->path)
               : status;
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

/* There is a task for each thread. If a thread comes late, another may take its task as a second
 * one. */
static cairn_status work(void *context, size_t task, unsigned worker)
{
    assembly *job = context;
    (void)task;

    if (worker > 0) {
        follow(job, worker);
        return CAIRN_OK;
    }
    if (job->is_led)
        return CAIRN_OK;
    job->is_led = true;
    return lead(job);
}

/* ------------------------------------------------------------------------------ the call -- */

static void close_assembly(assembly *job)
{
    drop_rows(job);
    for (unsigned worker = 0; worker < SEATS; worker++)
        cn_release(&job->map->mem, job->seats[worker].landmarks.items);
    cn_pipeline_free(job->pipeline);
    cn_team_close(&job->team);
    cn_buffer_free(&job->map_section);
    cn_writer_close(&job->out);
}

/* A part, or a process of a team, but not both; and then of all rows. */
static bool share_is_valid(const assembly *job)
{
    const cairn_build_options *build = &job->build;
    const bool is_part = build->part > 0 && build->part <= build->part_count;

    if (!build->part && !build->part_count && !build->team)
        return true;
    return job->save.row_count == 0 &&
           (build->team ? !build->part && !build->part_count && cn_team_is_valid(build->team)
                        : is_part);
}

/* One number of all options of saving that shape the file, to be compared between processes. */
static uint64_t word_of(const cairn_save_options *save)
{
    return cn_mix(save->stamp) ^ (uint64_t)save->codec ^ (uint64_t)save->map_part << 8;
}

/* Takes as many threads as fit the memory limit of the caller. CAIRN_E_LIMIT where not even one
 * does. */
static cairn_status limit_crew(assembly *job)
{
    const uint64_t limit = job->build.memory_limit;
    cn_build_needs needs;
    if (!limit)
        return CAIRN_OK;
    cairn_status status = cn_build_needs_of(job->map, &job->build, &job->save, &needs);
    if (status != CAIRN_OK)
        return status;
    while (job->crew.count > 1 && needs.shared + job->crew.count * needs.each_row > limit)
        job->crew.count--;
    job->build.thread_count = job->crew.count;
    job->counted = needs.shared + job->crew.count * needs.each_row;
    return job->counted <= limit ? CAIRN_OK : CAIRN_E_LIMIT;
}

/* All that may fail in one process of a team alone. */
static cairn_status assemble(assembly *job)
{
    if (!cn_map_hash_is_right(job->map))
        return CAIRN_E_MISMATCH;
    cairn_status status = limit_crew(job);
    if (status == CAIRN_OK)
        status = cn_team_meet(&job->team, job->map, &job->build, word_of(&job->save));
    if (status == CAIRN_OK)
        status = cn_pipeline_new(&job->map->mem, &job->pipeline);
    /* The jobs of a pool must not wait for other jobs of it, which placing landmarks may need. */
    if (status == CAIRN_OK && job->crew.pool)
        status = cn_rows_open(job->map, &job->build, &job->team, &job->rows);
    return status == CAIRN_OK ? cn_tasks_run(job->crew, job->crew.count, work, job) : status;
}

cairn_status cairn_build_file(cairn_map *map, const char *path, const cairn_build_options *build,
                              const cairn_save_options *save, cairn_build_summary *summary)
{
    assembly job = {.map = map,
                    .path = path,
                    .map_is_taken = ATOMIC_FLAG_INIT,
                    .rows_are_dropped = ATOMIC_FLAG_INIT};

    if (summary)
        *summary = (cairn_build_summary){0};
    if (!map || !path || !cn_options_copy(&job.save, sizeof job.save, save) ||
        !cn_options_copy(&job.build, sizeof job.build, build) ||
        (unsigned)job.save.codec > CAIRN_CODEC_SEEDS ||
        (unsigned)job.save.map_part > CAIRN_MAP_LEFT_OUT || !share_is_valid(&job))
        return CAIRN_E_ARGUMENT;
    job.save.progress = job.build.progress;
    job.map_section.mem = &map->mem;
    atomic_init(&job.failure, CAIRN_OK);
    atomic_init(&job.unsurveyed, 0);
    atomic_init(&job.likely_style, CN_STYLES);
    job.crew = cn_tasks_crew(&map->pool, job.build.thread_count, SEATS,
                             (uint64_t)cn_map_node_count(map) * USUAL_ROWS);
    cairn_status status = cn_team_open(&job.team, job.build.team, &map->mem);
    if (status == CAIRN_OK)
        status = assemble(&job);
    status = cn_team_end_call(&job.team, status);
    if (status == CAIRN_OK && summary)
        *summary = job.summary;
    if (summary)
        summary->memory = job.counted;
    close_assembly(&job);
    return status;
}
