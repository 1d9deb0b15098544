/*
 * From a map to the file of its table without the table. The calling thread measures row after
 * row and lays them on a belt, each in the memory that it was measured in; the others pack them.
 * Where the belt is full, the calling thread packs as well, so that no thread waits for long and
 * memory holds a few rows only. A thread alone packs each row as soon as it is measured.
 */
#include <stdatomic.h>
#include <string.h>

#include "build.h"
#include "table_file_write.h"
#include "tasks.h"

enum { SLOTS = 2 };

typedef struct slot {
    uint32_t row;
    cn_plane plane;
    cn_plane_memory memory;
    void *landmarks;
    size_t landmark_capacity;
    size_t landmark_count;
} slot;

typedef struct assembly {
    cairn_map *map;
    const cairn_build_options *build;
    cairn_save_options save;
    cn_belt *belt;
    slot slots[SLOTS];
    cn_writer out;
    cn_buffer map_section;
    atomic_flag map_is_taken;       /* someone packs, or has packed, the map */
    atomic_uint unsurveyed;
    atomic_bool rows_are_void;      /* those on the belt belong to a build that was given up */
    atomic_int failure;      /* the first status that was not CAIRN_OK */
    unsigned thread_count;
    bool measured;           /* the calling thread has done its part */
    cairn_table *table;      /* bare */
} assembly;

static bool has_failed(assembly *job)
{
    return atomic_load(&job->failure) != CAIRN_OK;
}

/* Others must not wait for what will not come. */
static void fail(assembly *job, cairn_status status)
{
    int none = CAIRN_OK;
    atomic_compare_exchange_strong(&job->failure, &none, (int)status);
    cn_belt_signal(job->belt, true);
}

/* The last row that is surveyed says how the others are packed. */
static cairn_status survey(assembly *job, cn_packer *packer, const cn_plain_row *plain,
                           uint32_t row)
{
    cairn_status status = cn_survey_row(&job->out.survey, packer, plain, row);
    if (atomic_fetch_sub(&job->unsurveyed, 1) != 1 || status != CAIRN_OK || has_failed(job))
        return status;
    cn_writer_decide(&job->out);
    cn_belt_signal(job->belt, true);
    return CAIRN_OK;
}

/* The others wait for that. */
static cairn_status pack(assembly *job, cn_packer *packer, const cn_plain_row *plain, uint32_t row)
{
    cn_belt_await_signal(job->belt);
    if (has_failed(job) || atomic_load(&job->rows_are_void))
        return CAIRN_OK;
    return cn_pack_row(packer, plain, job->out.way, &job->out.rows[row]);
}

static cairn_status survey_or_pack(assembly *job, unsigned worker, uint32_t row,
                                   const cn_plane *plane, const cairn_node *landmarks,
                                   size_t landmark_count)
{
    const cn_plain_row plain = {plane, {landmarks, landmark_count},
                                cn_table_way(job->out.table, row)};
    cn_packer *packer;
    cairn_status status = cn_writer_packer(&job->out, worker, &packer);
    if (status == CAIRN_OK)
        status = (row < job->out.survey.row_count ? survey : pack)(job, packer, &plain, row);
    if (status != CAIRN_OK)
        fail(job, status);
    return status;
}

/* After a failure rows are only taken off the belt. */
static cairn_status work_on_slot(assembly *job, unsigned worker, size_t index)
{
    const slot *one = &job->slots[index];
    cairn_status status = CAIRN_OK;
    if (!atomic_load(&job->rows_are_void) && !has_failed(job))
        status = survey_or_pack(job, worker, one->row, &one->plane, one->landmarks,
                                one->landmark_count);
    cn_belt_release(job->belt, index);
    return status;
}

static cairn_status work_while_there_is_some(assembly *job, unsigned worker,
                                             cn_belt_patience patience)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    while (cn_belt_take(job->belt, patience, &index)) {
        cairn_status one = work_on_slot(job, worker, index);
        status = status == CAIRN_OK ? one : status;
    }
    return status;
}

/* --------------------------------------------------------------------- the calling thread -- */

static void drop_planes(assembly *job)
{
    for (size_t i = 0; i < SLOTS; i++)
        cn_plane_memory_free(&job->map->mem, &job->slots[i].memory);
}

/* Nobody looks at the table afterwards. */
static void give_up_rows(void *context)
{
    assembly *job = context;

    atomic_store(&job->rows_are_void, true);
    cn_belt_signal(job->belt, true);
    (void)work_while_there_is_some(job, 0, CN_BELT_LOOK);
    cn_belt_clear(job->belt);
    drop_planes(job);
    cn_writer_close(&job->out);
    atomic_store(&job->rows_are_void, false);
}

static cairn_status begin_rows(void *context, const cairn_table *table)
{
    assembly *job = context;

    if (job->save.row_count > table->row_count ||
        (table->is_directed && job->save.row_count % 2))
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_writer_open(&job->out, job->map, table, &job->save,
                                         job->thread_count);
    if (status != CAIRN_OK)
        return status;
    uint32_t surveyed = job->out.survey.row_count;
    atomic_store(&job->unsurveyed, surveyed);
    if (surveyed == 0)
        cn_writer_decide(&job->out);
    cn_belt_signal(job->belt, surveyed == 0);
    return CAIRN_OK;
}

static cairn_status fill_slot(assembly *job, slot *one, uint32_t row, cn_flooder *flooder,
                              const cn_plane *plane, const cairn_node *landmarks,
                              size_t landmark_count)
{
    if (!cn_grow(&job->map->mem, &one->landmarks, &one->landmark_capacity, 0, landmark_count,
                 sizeof *landmarks))
        return CAIRN_E_MEMORY;
    if (landmark_count)
        memcpy(one->landmarks, landmarks, landmark_count * sizeof *landmarks);
    one->landmark_count = landmark_count;
    one->row = row;
    one->plane = *plane;
    return cn_flooder_trade(flooder, &one->memory);
}

static cairn_status take_row(void *context, uint32_t row, cn_flooder *flooder,
                             const cn_plane *plane, const cairn_node *landmarks,
                             size_t landmark_count)
{
    assembly *job = context;
    size_t index;

    if (row >= job->out.row_count)
        return CAIRN_OK;
    if (job->thread_count == 1)
        return survey_or_pack(job, 0, row, plane, landmarks, landmark_count);
    while (cn_belt_claim(job->belt, &index) == CN_BELT_TO_WORK_ON) {
        cairn_status status = work_on_slot(job, 0, index);
        if (status != CAIRN_OK)
            return status;
    }
    cairn_status status = (cairn_status)atomic_load(&job->failure);
    if (status == CAIRN_OK)
        status = fill_slot(job, &job->slots[index], row, flooder, plane, landmarks,
                           landmark_count);
    if (status == CAIRN_OK)
        cn_belt_offer(job->belt, index);
    else
        cn_belt_release(job->belt, index);
    return status;
}

static cairn_status measure_all(assembly *job)
{
    const cn_row_taker taker = {begin_rows, give_up_rows, take_row, job};
    return cn_table_build(job->map, job->build, &taker, &job->table);
}

static cairn_status pack_map(assembly *job)
{
    if (atomic_flag_test_and_set(&job->map_is_taken))
        return CAIRN_OK;
    cn_writer_pack_map(job->map, &job->map_section);
    if (job->map_section.status != CAIRN_OK)
        fail(job, job->map_section.status);
    return job->map_section.status;
}

/* One for each thread, unless some are so late that others come twice. */
static cairn_status work(void *context, size_t task, unsigned worker)
{
    assembly *job = context;
    cairn_status status = CAIRN_OK;
    (void)task;

    if (worker == 0 && !job->measured) {
        job->measured = true;
        status = measure_all(job);
        if (status != CAIRN_OK)
            fail(job, status);
        cn_belt_close(job->belt);
    }
    /* There is no row yet for the others, and none left for the calling thread. */
    cairn_status map_status = pack_map(job);
    cairn_status rest = work_while_there_is_some(job, worker, CN_BELT_WAIT);
    if (status == CAIRN_OK)
        status = map_status;
    return status == CAIRN_OK ? rest : status;
}

/* ------------------------------------------------------------------------------ the call -- */

static void close_assembly(assembly *job)
{
    drop_planes(job);
    for (size_t i = 0; i < SLOTS; i++)
        cn_release(&job->map->mem, job->slots[i].landmarks);
    cn_belt_free(job->belt);
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
    assembly job = {.map = map, .build = build, .map_is_taken = ATOMIC_FLAG_INIT};

    if (summary)
        *summary = (cairn_build_summary){0};
    if (!map || !path || !cn_options_copy(&job.save, sizeof job.save, save) ||
        !cn_options_copy(&known, sizeof known, build) ||
        (unsigned)job.save.codec > CAIRN_CODEC_SEEDS ||
        (unsigned)job.save.map_part > CAIRN_MAP_LEFT_OUT)
        return CAIRN_E_ARGUMENT;
    job.map_section.mem = &map->mem;
    atomic_init(&job.failure, CAIRN_OK);
    atomic_init(&job.rows_are_void, false);
    atomic_init(&job.unsurveyed, 0);
    job.thread_count = cn_tasks_threads(known.thread_count, CN_THREADS_MAX);
    cairn_status status = cn_belt_new(&map->mem, SLOTS, &job.belt);
    if (status == CAIRN_OK)
        status = cn_tasks_run(job.thread_count, job.thread_count, work, &job);
    if (status == CAIRN_OK)
        status = cn_writer_compose(&job.out, job.table, &job.map_section);
    if (status == CAIRN_OK)
        status = cn_writer_replace(&job.out, path);
    if (status == CAIRN_OK && summary)
        summarise(&job, summary);
    close_assembly(&job);
    return status;
}
