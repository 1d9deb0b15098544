/*
 * From a map to the file of its table without the table. The calling thread measures row after
 * row and lays them on a belt; the others pack them. Where the belt is full, the calling thread
 * packs as well, so that no thread waits for long and memory holds a few rows only.
 */
#include <stdatomic.h>
#include <string.h>

#include "build.h"
#include "table_file_write.h"
#include "tasks.h"

/* Rows that are surveyed wait for each other; one more keeps the work going. */
enum { SLOTS = CN_SURVEYED_ROWS + 1 };

typedef struct slot {
    uint32_t row;
    cn_way way;              /* of the row */
    void *plane;             /* of the codec */
    void *landmarks;
    size_t landmark_capacity;
    size_t landmark_count;
    bool surveyed;
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
    cn_survey survey;
    size_t kept[CN_SURVEYED_ROWS];  /* slots of the surveyed rows */
    atomic_uint unsurveyed;
    atomic_bool rows_are_void;      /* those on the belt belong to a build that was given up */
    atomic_int failure;      /* the first status that was not CAIRN_OK */
    unsigned thread_count;
    bool measured;           /* the calling thread has done its part */
    cairn_table *table;      /* bare */
} assembly;

static cn_row_landmarks landmarks_of(const slot *one)
{
    return (cn_row_landmarks){one->landmarks, one->landmark_count};
}

/* The last row that is surveyed says how all are packed; then those rows come again. */
static cairn_status survey_slot(assembly *job, size_t index)
{
    slot *one = &job->slots[index];
    cairn_status status = cn_survey_row(&job->out.frame, one->plane, landmarks_of(one), one->row,
                                        &job->survey);
    one->surveyed = true;
    job->kept[one->row] = index;
    cn_belt_keep(job->belt, index);
    if (atomic_fetch_sub(&job->unsurveyed, 1) != 1)
        return status;
    job->out.way = cn_survey_decide(&job->out.frame, &job->survey, job->save.codec);
    for (uint32_t row = 0; row < job->survey.row_count; row++)
        cn_belt_offer(job->belt, job->kept[row]);
    cn_belt_signal(job->belt, true);
    return status;
}

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

static cairn_status pack_slot(assembly *job, size_t index)
{
    slot *one = &job->slots[index];
    cairn_status status = CAIRN_OK;
    cn_belt_await_signal(job->belt);
    if (!has_failed(job) && !atomic_load(&job->rows_are_void))
        status = cn_codec_pack(&job->out.frame, one->plane, landmarks_of(one),
                               one->way, job->out.way, &job->out.rows[one->row]);
    one->surveyed = false;
    cn_belt_release(job->belt, index);
    return status;
}

/* After a failure rows are only taken off the belt. */
static cairn_status work_on_slot(assembly *job, size_t index)
{
    const slot *one = &job->slots[index];
    if (atomic_load(&job->rows_are_void) || has_failed(job)) {
        cn_belt_release(job->belt, index);
        return CAIRN_OK;
    }
    bool survey = one->row < job->survey.row_count && !one->surveyed;
    cairn_status status = survey ? survey_slot(job, index) : pack_slot(job, index);
    if (status != CAIRN_OK)
        fail(job, status);
    return status;
}

static cairn_status work_while_there_is_some(assembly *job, cn_belt_patience patience)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    while (cn_belt_take(job->belt, patience, &index)) {
        cairn_status one = work_on_slot(job, index);
        status = status == CAIRN_OK ? one : status;
    }
    return status;
}

/* --------------------------------------------------------------------- the calling thread -- */

static void drop_planes(assembly *job)
{
    for (size_t i = 0; i < SLOTS; i++) {
        cn_codec_plane_free(&job->out.frame, job->slots[i].plane);
        job->slots[i].plane = NULL;
        job->slots[i].surveyed = false;
    }
}

static void give_up_rows(assembly *job)
{
    if (!job->out.map)
        return;
    atomic_store(&job->rows_are_void, true);
    cn_belt_signal(job->belt, true);
    (void)work_while_there_is_some(job, CN_BELT_LOOK);
    cn_belt_clear(job->belt);
    drop_planes(job);
    cn_writer_close(&job->out);
    atomic_store(&job->rows_are_void, false);
}

static cairn_status begin_rows(void *context, const cairn_table *table)
{
    assembly *job = context;

    give_up_rows(job);
    if (job->save.row_count > table->row_count ||
        (table->is_directed && job->save.row_count % 2))
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_writer_open(&job->out, job->map, table, &job->save,
                                         job->build ? job->build->thread_count : 0);
    if (status != CAIRN_OK)
        return status;
    memset(&job->survey, 0, sizeof job->survey);
    job->survey.row_count = cn_survey_rows(&job->out.frame, job->save.codec, job->out.row_count);
    job->out.way = cn_survey_decide(&job->out.frame, &job->survey, job->save.codec);
    atomic_store(&job->unsurveyed, job->survey.row_count);
    cn_belt_signal(job->belt, job->survey.row_count == 0);
    return CAIRN_OK;
}

static cairn_status fill_slot(assembly *job, slot *one, uint32_t row, const cn_plane *plane,
                              const cairn_node *landmarks, size_t landmark_count)
{
    const cn_mem *mem = &job->map->mem;

    if (!one->plane)
        one->plane = cn_codec_plane_new(&job->out.frame);
    if (!one->plane || !cn_grow(mem, &one->landmarks, &one->landmark_capacity, 0, landmark_count,
                                sizeof *landmarks))
        return CAIRN_E_MEMORY;
    cn_codec_plane_take(&job->out.frame, plane, one->plane);
    if (landmark_count)
        memcpy(one->landmarks, landmarks, landmark_count * sizeof *landmarks);
    one->landmark_count = landmark_count;
    one->row = row;
    one->way = cn_table_way(job->out.table, row);
    one->surveyed = false;
    return CAIRN_OK;
}

static cairn_status take_row(void *context, uint32_t row, const cn_plane *plane,
                             const cairn_node *landmarks, size_t landmark_count)
{
    assembly *job = context;
    cairn_status status = CAIRN_OK;
    size_t index;

    if (row >= job->out.row_count)
        return CAIRN_OK;
    if (job->thread_count == 1)
        status = work_while_there_is_some(job, CN_BELT_LOOK);
    if (status != CAIRN_OK)
        return status;
    while (cn_belt_claim(job->belt, &index) == CN_BELT_TO_WORK_ON) {
        status = work_on_slot(job, index);
        if (status != CAIRN_OK)
            return status;
    }
    if (has_failed(job)) {
        cn_belt_release(job->belt, index);
        return (cairn_status)atomic_load(&job->failure);
    }
    status = fill_slot(job, &job->slots[index], row, plane, landmarks, landmark_count);
    if (status == CAIRN_OK)
        cn_belt_offer(job->belt, index);
    else
        cn_belt_release(job->belt, index);
    return status;
}

static cairn_status measure_all(assembly *job)
{
    const cn_row_taker taker = {begin_rows, take_row, job};
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
    cairn_status rest = work_while_there_is_some(job, CN_BELT_WAIT);
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
