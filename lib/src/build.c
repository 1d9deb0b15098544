#include <string.h>

#include "place.h"
#include "table.h"

enum { DEFAULT_ROWS = 16 };

typedef struct build {
    cairn_map *map;
    cairn_build_options options;
    uint32_t row_count;      /* the landmarks of one, or of a pair on directed maps */
    cn_plan plan;            /* made once, also when several metrics are tried */
    cn_placer placer;
    cn_flooder *flooder;
    cairn_table *table;
    size_t *landmark_start;
    void *landmarks;         /* of all rows so far */
    size_t landmark_capacity;
} build;

static cairn_status report(const build *job, const char *stage, uint64_t done)
{
    const cairn_progress *progress = job->options.progress;
    if (!progress || !progress->report ||
        progress->report(progress->context, stage, done, job->row_count))
        return CAIRN_OK;
    return CAIRN_E_CANCELLED;
}

static void close_build(build *job)
{
    const cn_mem *mem = &job->map->mem;
    cn_placer_free(&job->placer);
    cn_flooder_free(job->flooder);
    cairn_table_free(job->table);
    cn_release(mem, job->landmark_start);
    cn_release(mem, job->landmarks);
    *job = (build){.map = job->map, .options = job->options, .row_count = job->row_count,
                   .plan = job->plan};
}

/* Components, starting cells, and the first row's landmarks. `longest` receives the largest cost
 * from the starting cells, which row 0 will reach or exceed. */
static cairn_status choose_first(build *job, cairn_cost *longest)
{
    cn_placer *placer = &job->placer;
    cn_flooder *flooder = NULL;
    cn_plane plane;

    cairn_status status = cn_placer_init(placer, job->map, &job->plan, job->options.seed);
    if (status == CAIRN_OK)
        status = cn_flooder_new(job->map, 32, &flooder);
    if (status == CAIRN_OK)
        status = cn_flooder_run(flooder, placer->landmarks, placer->landmark_count, &plane);
    if (status == CAIRN_OK)
        *longest = cn_placer_start(placer, &plane);
    cn_flooder_free(flooder);
    return status;
}

static cairn_status keep_landmarks(build *job, uint32_t row)
{
    size_t used = job->landmark_start[row], count = job->placer.landmark_count;
    if (!cn_grow(&job->map->mem, &job->landmarks, &job->landmark_capacity, used, used + count,
                 sizeof(cairn_node)))
        return CAIRN_E_MEMORY;
    if (count)
        memcpy((cairn_node *)job->landmarks + used, job->placer.landmarks,
               count * sizeof(cairn_node));
    job->landmark_start[row + 1] = used + count;
    return CAIRN_OK;
}

static cairn_status build_row(build *job, uint32_t row)
{
    cn_placer *placer = &job->placer;
    cn_plane plane;
    bool goes_back = cn_table_way(job->table, row) == CN_REVERSE;

    cairn_status status = keep_landmarks(job, row);
    if (status == CAIRN_OK)
        status = (goes_back ? cn_flooder_run_back : cn_flooder_run)(
            job->flooder, placer->landmarks, placer->landmark_count, &plane);
    if (status != CAIRN_OK)
        return status;
    cn_table_put_row(job->table, job->map, row, &plane);
    if (goes_back || !job->table->is_directed)
        cn_placer_add_row(placer, &plane);
    return report(job, "rows", row + 1u);
}

static cairn_status build_rows(build *job, uint32_t entry_bits)
{
    const cn_mem *mem = &job->map->mem;
    uint32_t rows = job->row_count;

    job->landmark_start = cn_zeroed(mem, rows + 1u, sizeof *job->landmark_start);
    if (!job->landmark_start)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_table_new(job->map, mem, rows, entry_bits, &job->table);
    if (status == CAIRN_OK)
        status = cn_flooder_new(job->map, entry_bits, &job->flooder);
    for (uint32_t row = 0; status == CAIRN_OK && row < rows; row++)
        status = build_row(job, row);
    if (status == CAIRN_OK)
        status = cn_table_set_landmarks(job->table, job->landmark_start, job->landmarks);
    return status;
}

/* One build in the map's present metric; CAIRN_E_LIMIT when a cost does not fit the entries. */
static cairn_status build_with(build *job, uint32_t entry_bits, cairn_table **table)
{
    cairn_cost longest = 0;
    cairn_status status = cn_plan_make(&job->plan, job->map, &job->options);
    if (status == CAIRN_OK)
        status = choose_first(job, &longest);
    if (status == CAIRN_OK && entry_bits == 16 && longest >= UINT16_MAX)
        status = CAIRN_E_LIMIT;
    if (status == CAIRN_OK)
        status = build_rows(job, entry_bits);
    if (status == CAIRN_OK) {
        *table = job->table;
        job->table = NULL;
    }
    close_build(job);
    return status;
}

/* 16 bits where every cost fits, else 32. */
static cairn_status build_narrowest(build *job, cairn_table **table)
{
    cairn_status status = build_with(job, 16, table);
    return status == CAIRN_E_LIMIT ? build_with(job, 32, table) : status;
}

/* The finest pair whose every cost fits 16 bits; where none does, the coarsest in 32. */
static cairn_status build_compact(build *job, cairn_table **table)
{
    cairn_metric before = job->map->metric;
    cairn_status status = CAIRN_E_LIMIT;

    for (size_t i = 0; status == CAIRN_E_LIMIT && cn_metric_compact[i].straight; i++) {
        status = cairn_map_set_metric(job->map, cn_metric_compact[i]);
        if (status == CAIRN_OK)
            status = build_with(job, 16, table);
    }
    if (status == CAIRN_E_LIMIT)
        status = build_with(job, 32, table);
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

cairn_status cairn_table_build(cairn_map *map, const cairn_build_options *options,
                               cairn_table **table)
{
    if (!map || !table)
        return CAIRN_E_ARGUMENT;
    *table = NULL;

    build job = {.map = map};
    if (!cn_options_copy(&job.options, sizeof job.options, options))
        return CAIRN_E_ARGUMENT;
    if (job.options.landmark_count == 0)
        job.options.landmark_count = default_rows(&job.options);
    uint32_t rows_each = cn_map_is_directed(map) ? 2 : 1;
    if (job.options.landmark_count > CAIRN_ROWS_MAX / rows_each)
        return CAIRN_E_LIMIT;
    job.row_count = job.options.landmark_count * rows_each;
    if (job.options.metric != CAIRN_METRIC_OF_MAP && job.options.metric != CAIRN_METRIC_COMPACT)
        return CAIRN_E_ARGUMENT;
    cairn_status status = job.options.metric == CAIRN_METRIC_COMPACT && !map->roads
                              ? build_compact(&job, table)
                              : build_narrowest(&job, table);
    cn_plan_free(&job.plan);
    return status;
}
