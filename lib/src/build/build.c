#include <string.h>

#include "build/build.h"
#include "place/place.h"
#include "table/staged_table.h"
#include "base/tasks.h"

enum { DEFAULT_ROWS = 16 };

typedef struct cn_rows build;

struct cn_rows {
    cairn_map *map;
    const cairn_map *row_map;   /* whose costs are measured: the map, or without its terrain */
    cairn_build_options options;
    uint32_t row_count;      /* the landmarks of one, or of a pair on directed maps */
    const cn_row_taker *taker;  /* NULL: the rows go into the table */
    cn_plan plan;            /* made once, also when several metrics are tried */
    cn_placer placer;        /* the same */
    cairn_cost longest;      /* from the starting cells, in that metric; 0: not known */
    cairn_metric longest_in;
    cn_flooder *wide;        /* entries of 32 bits; NULL when the rows need others */
    cn_flooder *narrow;      /* 16 bits */
    cairn_table *table;
    cn_stage stage;
    size_t *landmark_start;
    void *landmarks;         /* of all rows so far */
    size_t landmark_capacity;
    uint32_t measured;       /* rows so far */
};

cairn_status cn_rows_report(const build *job, uint32_t done)
{
    const cairn_progress *progress = job->options.progress;
    if (!progress || !progress->report ||
        progress->report(progress->context, "rows", done, job->row_count))
        return CAIRN_OK;
    return CAIRN_E_CANCELLED;
}

/* Gives back what was made for one width of entries. A table that is still here was not handed on.
 */
static void drop_rows(build *job)
{
    const cn_mem *mem = &job->row_map->mem;
    if (job->taker && job->table)
        job->taker->give_up(job->taker->context);
    cn_flooder_free(job->narrow);
    cn_stage_free(&job->stage);
    cairn_table_free(job->table);
    cn_release(mem, job->landmark_start);
    cn_release(mem, job->landmarks);
    job->narrow = NULL;
    job->table = NULL;
    job->landmark_start = NULL;
    job->landmarks = NULL;
    job->landmark_capacity = 0;
    job->measured = 0;
}

static void close_build(build *job)
{
    drop_rows(job);
    cn_flooder_free(job->wide);
    cn_placer_free(&job->placer);
    cn_plan_free(&job->plan);
}

/* Components, starting cells, and what is planned in the map's present metric; nothing when there
 * is a plan already. CAIRN_E_LIMIT where planning meets a cost that is too large. */
static cairn_status open_build(build *job)
{
    if (job->placer.map)
        return CAIRN_OK;
    cairn_status status = cn_plan_make(&job->plan, job->row_map, &job->options);
    return status == CAIRN_OK
               ? cn_placer_init(&job->placer, job->row_map, &job->plan, job->options.seed)
               : status;
}

/* The first row's landmarks, and the largest cost from the starting cells, which row 0 will reach
 * or exceed. */
static cairn_status choose_first(build *job)
{
    cn_placer *placer = &job->placer;
    cairn_status status = CAIRN_OK;
    cn_plane plane;

    cn_placer_restart(placer);
    if (!job->wide)
        status = cn_flooder_new(job->row_map, 32, &job->wide);
    if (status == CAIRN_OK)
        status = cn_flooder_run(job->wide, placer->landmarks, placer->landmark_count, &plane);
    job->longest = status == CAIRN_OK ? cn_placer_start(placer, &plane) : 0;
    job->longest_in = job->row_map->metric;
    return status;
}

static cairn_status keep_landmarks(build *job, uint32_t row)
{
    size_t used = job->landmark_start[row], count = job->placer.landmark_count;
    if (!cn_grow(&job->row_map->mem, &job->landmarks, &job->landmark_capacity, used, used + count,
                 sizeof(cairn_node)))
        return CAIRN_E_MEMORY;
    if (count)
        memcpy((cairn_node *)job->landmarks + used, job->placer.landmarks,
               count * sizeof(cairn_node));
    job->landmark_start[row + 1] = used + count;
    return CAIRN_OK;
}

cn_flooder *cn_rows_flooder(const build *job)
{
    return job->narrow ? job->narrow : job->wide;
}

bool cn_rows_are_left(const build *job)
{
    return job->measured < job->row_count;
}

/* Takes the landmarks from the placer, which then looks for the next row's. */
cairn_status cn_rows_measure(build *job, cn_measured_row *made)
{
    cn_placer *placer = &job->placer;
    const uint32_t row = job->measured;
    bool goes_back = cn_table_way(job->table, row) == CN_REVERSE;

    *made = (cn_measured_row){.row = row, .landmark_count = placer->landmark_count};
    cairn_status status = keep_landmarks(job, row);
    if (status == CAIRN_OK)
        status = (goes_back ? cn_flooder_run_back : cn_flooder_run)(
            cn_rows_flooder(job), placer->landmarks, placer->landmark_count, &made->plane);
    if (status == CAIRN_OK && row + 1 < job->row_count &&
        (goes_back || !job->table->is_directed))
        status = cn_placer_add_row(placer, &made->plane);
    if (made->landmark_count)
        made->landmarks = (const cairn_node *)job->landmarks + job->landmark_start[row];
    job->measured++;
    return status;
}

static cairn_status put_row(build *job)
{
    cn_measured_row made;
    cairn_status status = cn_rows_measure(job, &made);
    if (status == CAIRN_OK)
        status = cn_stage_put_row(&job->stage, made.row, &made.plane);
    return status == CAIRN_OK ? cn_rows_report(job, made.row + 1) : status;
}

static cairn_status measure_rows(build *job)
{
    const cn_row_taker *taker = job->taker;
    cairn_status status = taker ? taker->begin(taker->context, job->table) : CAIRN_OK;
    if (status == CAIRN_OK && taker)
        return taker->take(taker->context, job);
    while (status == CAIRN_OK && cn_rows_are_left(job))
        status = put_row(job);
    return status;
}

typedef struct finishing {
    const cn_stage *stage;
    size_t part_count;
} finishing;

static cairn_status finish_part(void *context, size_t part, unsigned worker)
{
    const finishing *job = context;
    size_t chunks = job->stage->chunk_count;
    (void)worker;
    return cn_stage_finish(job->stage, (uint32_t)(chunks * part / job->part_count),
                           (uint32_t)(chunks * (part + 1) / job->part_count));
}

static cairn_status finish_table(build *job)
{
    finishing parts = {&job->stage, 0};
    unsigned threads = cn_tasks_threads(job->options.thread_count, job->stage.chunk_count);
    parts.part_count = threads;
    return cn_tasks_run(threads, threads, finish_part, &parts);
}

static cairn_status open_rows(build *job, uint32_t entry_bits)
{
    const cn_mem *mem = &job->row_map->mem;
    uint32_t rows = job->row_count;

    job->landmark_start = cn_zeroed(mem, rows + 1u, sizeof *job->landmark_start);
    if (!job->landmark_start)
        return CAIRN_E_MEMORY;
    if (entry_bits == 16) {
        cn_flooder_free(job->wide);
        job->wide = NULL;
    }
    cairn_status status = CAIRN_OK;
    if (entry_bits == 16)
        status = cn_flooder_new(job->row_map, 16, &job->narrow);
    if (status == CAIRN_OK)
        status = (job->taker ? cn_table_new_bare : cn_table_new)(job->row_map, mem, rows,
                                                                 entry_bits, &job->table);
    if (status == CAIRN_OK)
        job->table->counts_steps = job->row_map != job->map;
    if (status == CAIRN_OK && !job->taker)
        status = cn_stage_init(&job->stage, job->row_map, job->table);
    return status;
}

static cairn_status build_rows(build *job, uint32_t entry_bits, cairn_table **table)
{
    cairn_status status = open_rows(job, entry_bits);
    if (status == CAIRN_OK)
        status = measure_rows(job);
    if (status == CAIRN_OK && !job->taker)
        status = finish_table(job);
    if (status == CAIRN_OK)
        status = cn_table_set_landmarks(job->table, job->landmark_start, job->landmarks);
    if (status == CAIRN_OK) {
        *table = job->table;
        job->table = NULL;
    }
    drop_rows(job);
    return status;
}

/* In the map's present metric. CAIRN_E_LIMIT when a cost does not fit 16 bits. */
static cairn_status build_narrow(build *job, cairn_table **table)
{
    cairn_status status = open_build(job);
    if (status == CAIRN_OK)
        status = choose_first(job);
    if (status == CAIRN_OK && job->longest >= UINT16_MAX)
        status = CAIRN_E_LIMIT;
    return status == CAIRN_OK ? build_rows(job, 16, table) : status;
}

/* After an attempt with 16 bits: mostly its starting flood already said that they are too few, and
 * still stands. */
static cairn_status build_wide(build *job, cairn_table **table)
{
    cairn_status status = open_build(job);
    if (status == CAIRN_OK && !job->wide)
        status = choose_first(job);
    return status == CAIRN_OK ? build_rows(job, 32, table) : status;
}

/* 16 bits where every cost fits, else 32. */
static cairn_status build_narrowest(build *job, cairn_table **table)
{
    cairn_status status = build_narrow(job, table);
    return status == CAIRN_E_LIMIT ? build_wide(job, table) : status;
}

/* Whether the costs from the starting cells might fit 16 bits, by what they are in another metric.
 * A cheapest path here cost no less than `longest` there; with the smaller of the two ratios of
 * steps, that is what it costs here at least. */
static bool may_fit(const build *job, cairn_metric metric)
{
    const cairn_metric known = job->longest_in;
    const uint64_t longest = job->longest;
    return longest == 0 || !cn_map_is_classic(job->row_map) ||
           longest * metric.straight < (uint64_t)UINT16_MAX * known.straight ||
           longest * metric.diagonal < (uint64_t)UINT16_MAX * known.diagonal;
}

/* The finest pair whose every cost fits 16 bits; where none does, the coarsest in 32. */
static cairn_status build_compact(build *job, cairn_table **table)
{
    const cairn_metric *const metrics = cn_metric_compact;
    cairn_metric before = job->map->metric;
    cairn_status status = CAIRN_E_LIMIT;

    for (size_t i = 0; status == CAIRN_E_LIMIT && metrics[i].straight; i++) {
        bool is_coarsest = metrics[i + 1].straight == 0;
        if (!is_coarsest && !may_fit(job, metrics[i]))
            continue;
        status = cairn_map_set_metric(job->map, metrics[i]);
        if (status == CAIRN_OK)
            status = build_narrow(job, table);
    }
    if (status == CAIRN_E_LIMIT)
        status = build_wide(job, table);
    if (status != CAIRN_OK)
        cairn_map_set_metric(job->map, before);
    return status;
}

static uint32_t default_rows(const cairn_build_options *options)
{
    if (options->placement != CAIRN_PLACE_LIST || options->listed_count == 0)
        return DEFAULT_ROWS;
    return options->listed_count < CAIRN_ROWS_MAX ? (uint32_t)options->listed_count
                                                  : CAIRN_ROWS_MAX;
}

/* The map whose costs the options ask for. */
static cairn_status choose_terrain(build *job)
{
    cairn_metric step_metric = job->options.flat_metric;
    job->row_map = job->map;
    if (step_metric.straight == 0 && step_metric.diagonal == 0)
        return CAIRN_OK;
    if (job->options.metric != CAIRN_METRIC_OF_MAP)
        return CAIRN_E_ARGUMENT;
    return cn_map_step_map(job->map, step_metric, &job->row_map);
}

static cairn_status count_rows(build *job)
{
    if (job->options.landmark_count == 0)
        job->options.landmark_count = default_rows(&job->options);
    uint32_t rows_each = cn_map_is_directed(job->row_map) ? 2 : 1;
    if (job->options.landmark_count > CAIRN_ROWS_MAX / rows_each)
        return CAIRN_E_LIMIT;
    job->row_count = job->options.landmark_count * rows_each;
    return CAIRN_OK;
}

cairn_status cn_table_build(cairn_map *map, const cairn_build_options *options,
                            const cn_row_taker *taker, cairn_table **table)
{
    if (!map || !table)
        return CAIRN_E_ARGUMENT;
    *table = NULL;

    build job = {.map = map, .taker = taker};
    if (!cn_options_copy(&job.options, sizeof job.options, options))
        return CAIRN_E_ARGUMENT;
    if (job.options.metric != CAIRN_METRIC_OF_MAP && job.options.metric != CAIRN_METRIC_COMPACT)
        return CAIRN_E_ARGUMENT;
    cairn_status status = choose_terrain(&job);
    if (status == CAIRN_OK)
        status = count_rows(&job);
    if (status != CAIRN_OK)
        return status;
    status = job.options.metric == CAIRN_METRIC_COMPACT && !map->roads
                 ? build_compact(&job, table)
                 : build_narrowest(&job, table);
    close_build(&job);
    return status;
}

cairn_status cairn_table_build(cairn_map *map, const cairn_build_options *options,
                               cairn_table **table)
{
    return cn_table_build(map, options, NULL, table);
}
