#include "build/build_rows.h"

#include "base/nodes.h"
#include "base/watch.h"
#include "place/place.h"

enum { DEFAULT_ROWS = 16 };

struct cn_rows {
    cairn_map *map;
    const cairn_map *row_map; /* whose costs are computed: the map, or its step map */
    cairn_build_options options;
    cn_team *team;
    uint32_t row_count;              /* one for each landmark, on directed maps two */
    cairn_metric metric_before;      /* of the map */
    const cairn_metric *next_metric; /* to try with 16 bits; NULL: only that of the map */
    cairn_metric metric;             /* of the map in the present attempt */
    uint32_t entry_bits;             /* of the present attempt; 0: none yet */
    cn_plan plan;                    /* made once, also when several metrics are tried */
    cn_placer placer;                /* made once, too */
    cairn_cost longest;              /* from the starting cells, in that metric; 0: not known */
    cairn_metric longest_in;
    cn_flooder *wide;       /* entries of 32 bits; NULL when the rows need others */
    cn_flooder *narrow;     /* 16 bits */
    size_t *landmark_start; /* [row_count + 1] */
    cn_nodes landmarks;     /* of all rows so far */
    uint32_t done;          /* rows so far */
};

cairn_status cn_rows_report(const cn_rows *job, uint32_t done)
{
    return cn_progress_goes_on(job->options.progress, "rows", done, job->row_count)
               ? CAIRN_OK
               : CAIRN_E_CANCELLED;
}

static const cn_coordinates *coordinates_of(const cairn_map *map)
{
    return map->graph && map->graph->coordinates.x ? &map->graph->coordinates : NULL;
}

/* Components, starting cells, and what is planned in the map's present metric; nothing when there
 * is a plan already. CAIRN_E_LIMIT where planning meets a cost that is too large. */
static cairn_status make_plan(cn_rows *job)
{
    if (job->placer.map)
        return CAIRN_OK;
    cairn_status status = cn_plan_make(&job->plan, job->row_map, coordinates_of(job->map),
                                       &job->options, job->team);
    return status == CAIRN_OK
               ? cn_placer_init(&job->placer, job->row_map, &job->plan, job->options.seed)
               : status;
}

/* Makes the flooder one for the map in its present metric. */
static cairn_status ready_flooder(const cn_rows *job, cn_flooder **flooder, unsigned bits)
{
    if (*flooder && cn_flooder_update(*flooder, job->row_map, NULL, 0))
        return CAIRN_OK;
    cn_flooder_free(*flooder);
    *flooder = NULL;
    return cn_flooder_new(job->row_map, bits, CN_FLOOD_MANY, flooder);
}

/* The first row's landmarks without costs, since one from the starting cells is above
 * CAIRN_COST_MAX: those of the rows need not be. */
static cairn_status take_planned(cn_rows *job)
{
    cn_placer_start_planned(&job->placer);
    job->longest = CAIRN_UNREACHABLE;
    job->longest_in = job->row_map->metric;
    return CAIRN_OK;
}

/* The first row's landmarks, and the largest cost from the starting cells, which row 0 will reach
 * or exceed. */
static cairn_status choose_first(cn_rows *job, cn_flooder **flooder, unsigned bits)
{
    cn_placer *placer = &job->placer;
    cn_plane plane;

    cn_placer_restart(placer);
    cairn_status status = ready_flooder(job, flooder, bits);
    if (status == CAIRN_OK)
        status = cn_flooder_run(*flooder, placer->landmarks, placer->landmark_count, &plane);
    if (status == CAIRN_E_LIMIT && bits == 32 && placer->is_planned)
        return take_planned(job);
    if (status != CAIRN_OK)
        return status;
    job->longest = cn_placer_start(placer, &plane);
    job->longest_in = job->row_map->metric;
    return CAIRN_OK;
}

static cairn_status keep_landmarks(cn_rows *job, uint32_t row)
{
    if (!cn_nodes_append(&job->landmarks, &job->row_map->mem, job->placer.landmarks,
                         job->placer.landmark_count))
        return CAIRN_E_MEMORY;
    job->landmark_start[row + 1] = job->landmarks.count;
    return CAIRN_OK;
}

cn_flooder *cn_rows_flooder(const cn_rows *job)
{
    return job->narrow ? job->narrow : job->wide;
}

cn_table_shape cn_rows_shape(const cn_rows *job)
{
    return (cn_table_shape){job->row_map, job->row_count, job->entry_bits,
                            cn_map_is_directed(job->row_map)};
}

cn_landmark_lists cn_rows_landmarks(const cn_rows *job)
{
    return (cn_landmark_lists){job->landmark_start, job->landmarks.items};
}

uint32_t cn_rows_done(const cn_rows *job)
{
    return job->done;
}

bool cn_rows_are_left(const cn_rows *job)
{
    return job->done < job->row_count;
}

/* No cost of a row is greater: where a path costs the same both ways, none is longer than two that
 * meet in the starting cell. */
static cairn_cost most_in_rows(const cn_rows *job)
{
    return cn_map_is_directed(job->row_map) || job->longest > CAIRN_COST_MAX / 2 ||
                   !cn_metric_is_same(job->longest_in, job->row_map->metric)
               ? CAIRN_UNREACHABLE
               : 2 * job->longest;
}

/* Whether the costs of every row fit the entries of the present attempt. (In 32 bits the row that
 * does not fit is refused by whoever computes it.) */
static bool surely_fits(const cn_rows *job)
{
    return job->entry_bits == 32 || most_in_rows(job) < UINT16_MAX;
}

static cairn_status flood_row(cn_rows *job, cn_built_row *row)
{
    const cn_placer *placer = &job->placer;
    const cn_flood_task task = {.way = row->way,
                                .sources = placer->landmarks,
                                .source_count = placer->landmark_count,
                                .most = most_in_rows(job)};
    return cn_flooder_run_task(cn_rows_flooder(job), &task, &row->plane);
}

/* Takes the landmarks from the placer, which then chooses the next row's: on directed maps once
 * for both rows of a pair. */
static cairn_status advance(cn_rows *job, bool computes, cn_built_row *row)
{
    const bool is_directed = cn_map_is_directed(job->row_map);
    const uint32_t index = job->done++;

    *row = (cn_built_row){.index = index,
                          .way = cn_row_way(is_directed, index),
                          .landmark_count = job->placer.landmark_count};
    cairn_status status = keep_landmarks(job, index);
    if (status == CAIRN_OK && computes)
        status = flood_row(job, row);
    if (status == CAIRN_OK && cn_rows_are_left(job) && (row->way == CN_REVERSE || !is_directed))
        status = cn_placer_add_row(&job->placer, computes ? &row->plane : NULL);
    if (status == CAIRN_OK && row->landmark_count)
        row->landmarks = job->landmarks.items + job->landmark_start[index];
    return status;
}

cairn_status cn_rows_next(cn_rows *job, cn_built_row *row)
{
    return advance(job, true, row);
}

cairn_status cn_rows_pass(cn_rows *job, bool is_computed_elsewhere)
{
    cn_built_row row;
    const bool is_needed = !is_computed_elsewhere && !surely_fits(job);
    return advance(job, !job->placer.is_planned || is_needed, &row);
}

/* ------------------------------------------------------------------------------ attempts -- */

/* Releases what was made in one metric and width of entries; what floods stays for the next. */
static void drop_rows(cn_rows *job)
{
    if (!job->row_map)
        return;
    const cn_mem *mem = &job->row_map->mem;
    cn_release(mem, job->landmark_start);
    cn_release(mem, job->landmarks.items);
    job->landmark_start = NULL;
    job->landmarks = (cn_nodes){0};
    job->done = 0;
}

/* What the largest cost of the first rows is at least. Farthest-first, they have the largest cost
 * from the starting cells; with planned landmarks half of it, since a path by way of a landmark is
 * no shorter. */
static uint64_t least_in_rows(const cn_rows *job)
{
    return job->plan.count ? job->longest / 2 : job->longest;
}

/* Whether the first rows might fit 16 bits, by what they cost at least in another metric. A path
 * that is cheapest here cost no less than that there; with the smaller of the two ratios of steps,
 * that is what it costs here at least. */
static bool may_fit(const cn_rows *job, cairn_metric metric)
{
    const cairn_metric known = job->longest_in;
    const uint64_t least = least_in_rows(job);
    return least == 0 || !cn_map_is_classic(job->row_map) ||
           least * metric.straight < (uint64_t)UINT16_MAX * known.straight ||
           least * metric.diagonal < (uint64_t)UINT16_MAX * known.diagonal;
}

static cairn_status set_metric(cairn_map *map, cairn_metric metric)
{
    return cn_metric_is_same(metric, map->metric) ? CAIRN_OK : cairn_map_set_metric(map, metric);
}

/* By costs in 32 bits, which say whether those of the first rows may fit 16, and are what the other
 * width begins with. */
static cairn_status begin_by_wide(cn_rows *job)
{
    cn_flooder_free(job->narrow);
    job->narrow = NULL;
    cairn_status status = choose_first(job, &job->wide, 32);
    if (status == CAIRN_OK && least_in_rows(job) >= UINT16_MAX)
        status = CAIRN_E_LIMIT;
    if (status != CAIRN_OK)
        return status;
    cn_flooder_free(job->wide);
    job->wide = NULL;
    return cn_flooder_new(job->row_map, 16, CN_FLOOD_MANY, &job->narrow);
}

/* Floods from the starting cells in the coarsest metric, which tells of nearly all metrics whether
 * their costs fit 16 bits. Where even its own do not, `longest` is a bound from below. */
static cairn_status try_coarsest(cn_rows *job)
{
    const cairn_metric *coarsest = cn_metric_compact;
    while (coarsest[1].straight)
        coarsest++;
    cairn_status status = set_metric(job->map, *coarsest);
    if (status == CAIRN_OK)
        status = choose_first(job, &job->narrow, 16);
    if (status != CAIRN_OK && status != CAIRN_E_LIMIT)
        return status;
    job->longest = status == CAIRN_OK ? job->longest : UINT16_MAX;
    job->longest_in = *coarsest;
    return set_metric(job->map, job->metric);
}

/* In one of several metrics, where the costs from the starting cells fit 16 bits if those of the
 * first rows do. */
static cairn_status begin_compact(cn_rows *job)
{
    const cn_placer *placer = &job->placer;
    cairn_status status = CAIRN_OK;

    if (job->longest == 0 && cn_map_is_classic(job->row_map))
        status = try_coarsest(job);
    if (status != CAIRN_OK)
        return status;
    if (!may_fit(job, job->metric))
        return CAIRN_E_LIMIT;
    if (cn_metric_is_same(job->longest_in, job->metric) && placer->stage == CN_PLACER_HAS_FIRST)
        return CAIRN_OK;
    return choose_first(job, &job->narrow, 16);
}

/* CAIRN_E_LIMIT when the first rows do not fit 16 bits. Rows may fit where the costs from the
 * starting cells do not: with planned landmarks, and where one-way steps lead out of the part that
 * has landmarks. */
static cairn_status begin_narrow(cn_rows *job)
{
    const bool fits_alike = job->plan.count == 0 && !cn_map_is_directed(job->row_map);
    return job->next_metric && fits_alike ? begin_compact(job) : begin_by_wide(job);
}

/* After an attempt with 16 bits: often its starting flood already said that they are too few, and
 * is still there. */
static cairn_status begin_wide(cn_rows *job)
{
    cn_flooder_free(job->narrow);
    job->narrow = NULL;
    return job->wide && job->placer.stage == CN_PLACER_HAS_FIRST
               ? CAIRN_OK
               : choose_first(job, &job->wide, 32);
}

static cairn_status begin(cn_rows *job)
{
    cairn_status status = make_plan(job);
    if (status == CAIRN_OK)
        status = (job->entry_bits == 16 ? begin_narrow : begin_wide)(job);
    if (status != CAIRN_OK)
        return status;
    job->landmark_start = cn_zeroed(&job->row_map->mem, job->row_count + 1u,
                                    sizeof *job->landmark_start);
    return job->landmark_start ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* The finest of several metrics that may fit 16 bits; false when none is left to try. */
static bool choose_metric(cn_rows *job, cairn_metric *metric)
{
    while (job->next_metric->straight) {
        *metric = *job->next_metric++;
        bool is_coarsest = job->next_metric->straight == 0;
        if (is_coarsest || may_fit(job, *metric))
            return true;
    }
    return false;
}

/* 16 bits where every cost fits, in one metric or in the finest of several; where none does, 32
 * bits in the last one. */
static bool choose_attempt(cn_rows *job)
{
    if (job->entry_bits == 32)
        return false;
    bool is_narrow = job->next_metric ? choose_metric(job, &job->metric) : job->entry_bits == 0;
    job->entry_bits = is_narrow ? 16 : 32;
    return true;
}

static cairn_status start_attempt(cn_rows *job)
{
    cairn_status status = CAIRN_E_LIMIT;
    while (status == CAIRN_E_LIMIT && choose_attempt(job)) {
        drop_rows(job);
        status = set_metric(job->map, job->metric);
        if (status == CAIRN_OK)
            status = begin(job);
    }
    return status;
}

bool cn_rows_restart(cn_rows *job, cairn_status *status)
{
    if (*status != CAIRN_E_LIMIT)
        return false;
    *status = start_attempt(job);
    return *status == CAIRN_OK;
}

/* ---------------------------------------------------------------------- open and close -- */

/* More cells than rows are refused as such a number of rows is. */
static uint32_t default_rows(const cairn_build_options *options)
{
    if (options->placement != CAIRN_PLACE_LIST || options->listed_count == 0)
        return DEFAULT_ROWS;
    return options->listed_count <= CAIRN_ROWS_MAX ? (uint32_t)options->listed_count
                                                   : CAIRN_ROWS_MAX + 1;
}

/* The map whose costs the options ask for. */
static cairn_status choose_terrain(cn_rows *job)
{
    cairn_metric step_metric = job->options.step_metric;
    job->row_map = job->map;
    if (step_metric.straight == 0 && step_metric.diagonal == 0)
        return CAIRN_OK;
    if (job->options.metric != CAIRN_METRIC_OF_MAP)
        return CAIRN_E_ARGUMENT;
    const cairn_status status = cn_map_step_map(job->map, step_metric, &job->row_map);
    if (status == CAIRN_OK && !cn_map_differs_from_step_map(job->map, job->row_map))
        job->row_map = job->map;
    return status;
}

static cairn_status count_rows(cn_rows *job)
{
    uint32_t rows_each = cn_map_is_directed(job->row_map) ? 2 : 1;
    if (job->options.landmark_count > CAIRN_ROWS_MAX / rows_each)
        return CAIRN_E_LIMIT;
    job->row_count = job->options.landmark_count * rows_each;
    return CAIRN_OK;
}

/* docs/decisions/graph-defaults.md has the measurements. */
void cn_rows_complete(const cairn_map *map, cairn_build_options *options)
{
    enum { CANDIDATES_OF_GRAPHS = 64 };

    if (options->landmark_count == 0)
        options->landmark_count = default_rows(options);
    if (options->placement != CAIRN_PLACE_AUTO)
        return;
    options->placement = map->graph ? CAIRN_PLACE_REFINED : CAIRN_PLACE_FARTHEST;
    if (options->candidate_count == 0)
        options->candidate_count = CANDIDATES_OF_GRAPHS;
}

static bool options_are_whole(const cairn_build_options *options)
{
    if (options->pair_count && !options->pairs)
        return false;
    return !options->listed_count || (options->listed && options->placement == CAIRN_PLACE_LIST);
}

static cairn_status prepare(cn_rows *job)
{
    const cairn_metric_choice choice = job->options.metric;
    cn_rows_complete(job->map, &job->options);
    if ((choice != CAIRN_METRIC_OF_MAP && choice != CAIRN_METRIC_COMPACT) ||
        !options_are_whole(&job->options))
        return CAIRN_E_ARGUMENT;
    cairn_status status = choose_terrain(job);
    if (status == CAIRN_OK && job->options.candidate_count > CAIRN_CANDIDATES_MAX)
        status = CAIRN_E_LIMIT;
    if (status == CAIRN_OK)
        status = count_rows(job);
    if (choice == CAIRN_METRIC_COMPACT && !job->map->graph)
        job->next_metric = cn_metric_compact;
    return status == CAIRN_OK ? start_attempt(job) : status;
}

cairn_status cn_rows_open(cairn_map *map, const cairn_build_options *options, cn_team *team,
                          cn_rows **rows)
{
    *rows = NULL;
    if (!map)
        return CAIRN_E_ARGUMENT;
    cn_rows *job = cn_zeroed(&map->mem, 1, sizeof *job);
    if (!job)
        return CAIRN_E_MEMORY;
    job->map = map;
    job->row_map = map;
    job->options = *options;
    job->team = team;
    job->metric = job->metric_before = map->metric;
    cairn_status status = prepare(job);
    if (status == CAIRN_OK)
        *rows = job;
    else
        cn_rows_close(job, status);
    return status;
}

void cn_rows_close(cn_rows *job, cairn_status status)
{
    if (!job)
        return;
    drop_rows(job);
    cn_flooder_free(job->narrow);
    cn_flooder_free(job->wide);
    cn_placer_free(&job->placer);
    cn_plan_free(&job->plan);
    if (status != CAIRN_OK)
        set_metric(job->map, job->metric_before);
    cn_release(&job->map->mem, job);
}
