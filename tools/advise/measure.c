#include <stdio.h>
#include <stdlib.h>

#include "advise/advise.h"
#include "kit/clock.h"
#include "kit/progress.h"
#include "kit/rng.h"
#include "kit/say.h"

/* ---------------------------------------------------------------------------- queries -- */

cairn_status advice_take(advice *work, const cairn_scenario *scenario)
{
    const cairn_query *queries = cairn_scenario_queries(scenario);
    size_t there = (cairn_scenario_count(scenario) + work->every - 1) / work->every;
    size_t count = work->query_limit && work->query_limit < there ? work->query_limit : there;

    work->queries = calloc(count + 1, sizeof *work->queries);
    if (!work->queries)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        work->queries[i] = queries[i * there / count * work->every];
    work->query_count = count;
    return CAIRN_OK;
}

/* Nodes by component: any two of one have a path. Where costs are directed many components may have
 * one node, and a flood tells where paths lead. */
typedef struct drawing {
    kit_rng rng;
    uint32_t *component; /* of each node */
    cairn_node *nodes;   /* the open ones, component by component */
    uint32_t *end;       /* of each component among them */
    uint32_t component_count;
    cairn_cost *costs; /* from a start; NULL: costs are not directed */
} drawing;

static void free_drawing(drawing *from)
{
    free(from->component);
    free(from->nodes);
    free(from->end);
    free(from->costs);
}

static void sort_by_component(const advice *work, drawing *from)
{
    const uint32_t node_count = cairn_map_node_count(work->map);
    uint32_t before = 0;
    for (cairn_node node = 0; node < node_count; node++)
        if (from->component[node] != CAIRN_NO_COMPONENT)
            from->end[from->component[node]]++;
    for (uint32_t i = 0; i < from->component_count; i++) {
        const uint32_t size = from->end[i];
        from->end[i] = before;
        before += size;
    }
    for (cairn_node node = 0; node < node_count; node++)
        if (from->component[node] != CAIRN_NO_COMPONENT)
            from->nodes[from->end[from->component[node]]++] = node;
}

static cairn_status begin_drawing(const advice *work, drawing *from)
{
    const uint32_t node_count = cairn_map_node_count(work->map);
    *from = (drawing){.rng = {work->seed}};
    from->component = calloc(node_count + 1u, sizeof *from->component);
    from->nodes = calloc(node_count + 1u, sizeof *from->nodes);
    if (!from->component || !from->nodes)
        return CAIRN_E_MEMORY;
    if (cairn_map_is_directed(work->map)) {
        from->costs = calloc(node_count + 1u, sizeof *from->costs);
        if (!from->costs)
            return CAIRN_E_MEMORY;
    }
    const cairn_status status = cairn_map_components(work->map, CAIRN_CONNECTED, from->component,
                                                     &from->component_count);
    if (status != CAIRN_OK)
        return status;
    from->end = calloc(from->component_count + 1u, sizeof *from->end);
    if (!from->end)
        return CAIRN_E_MEMORY;
    sort_by_component(work, from);
    return CAIRN_OK;
}

/* One of the nodes of a component that the costs reach. */
static cairn_node reached_node(drawing *from, uint32_t first, uint32_t end)
{
    uint32_t reached = 0, at = first;
    for (uint32_t i = first; i < end; i++)
        reached += from->costs[from->nodes[i]] != CAIRN_UNREACHABLE;
    for (uint32_t left = 1 + kit_rng_below(&from->rng, reached); left; at++)
        left -= from->costs[from->nodes[at]] != CAIRN_UNREACHABLE;
    return from->nodes[at - 1];
}

/* Any start, and a goal to which a path leads. */
static cairn_status draw_query(advice *work, drawing *from)
{
    const uint32_t open_count = from->end[from->component_count - 1];
    const cairn_node start = from->nodes[kit_rng_below(&from->rng, open_count)];
    const uint32_t part = from->component[start], first = part ? from->end[part - 1] : 0;
    const uint32_t end = from->end[part];
    cairn_status status = CAIRN_OK;
    if (from->costs)
        status = cairn_costs_from(work->map, &start, 1, from->costs);
    if (status == CAIRN_OK)
        work->queries[work->query_count++] = (cairn_query){
            .start = start,
            .goal = from->costs ? reached_node(from, first, end)
                                : from->nodes[first + kit_rng_below(&from->rng, end - first)]};
    return status;
}

cairn_status advice_draw(advice *work)
{
    const uint32_t count = work->query_limit ? work->query_limit : 1000;
    drawing from;

    cairn_status status = begin_drawing(work, &from);
    work->queries = calloc(count + 1u, sizeof *work->queries);
    if (!work->queries)
        status = CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < count && status == CAIRN_OK && from.component_count; i++) {
        status = draw_query(work, &from);
        if (!kit_progress_step("pairs", i + 1u, count))
            status = CAIRN_E_CANCELLED;
    }
    free_drawing(&from);
    return status;
}

/* -------------------------------------------------------------------------- measuring -- */

static size_t group_count(const advice *work)
{
    return work->query_count < ADVICE_GROUPS_MAX ? work->query_count : ADVICE_GROUPS_MAX;
}

/* The first query of a group, or the one behind the last group. */
static size_t first_of_group(const advice *work, size_t group)
{
    return group * work->query_count / group_count(work);
}

/* What reading the clock twice takes by itself, at least. */
static double clock_seconds(void)
{
    double least = 1;
    for (int i = 0; i < 50; i++) {
        double started = kit_thread_now();
        double took = kit_thread_now() - started;
        least = took < least ? took : least;
    }
    return least;
}

/* Queries are as short as a reading of the clock: it is read before and after a group. */
static cairn_status run_group(const advice *work, cairn_search *search, trial *to, size_t group,
                              double *seconds)
{
    size_t end = first_of_group(work, group + 1);
    cairn_status status = CAIRN_OK;
    cairn_path path;

    double started = kit_thread_now();
    for (size_t i = first_of_group(work, group); i < end && status == CAIRN_OK; i++) {
        status = cairn_search_run(search, work->queries[i].start, work->queries[i].goal, &path);
        to->expanded[i] = (double)path.expanded;
        to->space = path.space;
    }
    *seconds = kit_thread_now() - started;
    return status;
}

static cairn_status run_pass(const advice *work, cairn_search *search, trial *to, bool is_first)
{
    char part[40];
    double clock = clock_seconds();
    cairn_status status = CAIRN_OK;

    snprintf(part, sizeof part, to->landmark_count ? "%u landmark%s" : "no landmarks",
             to->landmark_count, kit_plural(to->landmark_count));
    for (size_t group = 0; group < group_count(work) && status == CAIRN_OK; group++) {
        double seconds;
        status = run_group(work, search, to, group, &seconds);
        double time_us = seconds > clock ? 1e6 * (seconds - clock) : 0;
        if (is_first || time_us < to->time_us[group])
            to->time_us[group] = time_us;
        size_t done = first_of_group(work, group + 1);
        if (!kit_progress_step(part, done, work->query_count))
            status = CAIRN_E_CANCELLED;
    }
    return status;
}

/* Several passes while they are short, and of each group the shortest time: what it finds in the
 * cache depends on what else runs on the machine. */
static cairn_status run_all(const advice *work, cairn_search *search, trial *to)
{
    enum { PASSES = 3 };
    static const double long_pass = 1.5; /* seconds */
    double started = kit_now();
    cairn_status status = run_pass(work, search, to, true);
    bool is_long = kit_now() - started > long_pass;

    for (int pass = 1; pass < PASSES && !is_long && status == CAIRN_OK; pass++)
        status = run_pass(work, search, to, false);
    for (size_t group = 0; group < group_count(work); group++)
        to->mean_us += to->time_us[group] / (double)work->query_count;
    for (size_t i = 0; i < work->query_count; i++)
        to->mean_expanded += to->expanded[i] / (double)work->query_count;
    return status;
}

static cairn_status run_trial(const advice *work, const cairn_table *table, trial *to)
{
    cairn_search *search = NULL;

    to->expanded = calloc(work->query_count + 1, sizeof *to->expanded);
    if (!to->expanded)
        return CAIRN_E_MEMORY;
    cairn_status status = cairn_search_new(work->map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = run_all(work, search, to);
    cairn_search_free(search);
    return status;
}

/* A kind of map that this build cannot write has no size. */
static cairn_status measure_file(const advice *work, const cairn_table *table, trial *to)
{
    uint8_t *bytes = NULL;
    cairn_status status = cairn_save_bytes(work->map, table, NULL, &bytes, &to->file_size);
    cairn_bytes_free(work->map, bytes);
    return status == CAIRN_E_VERSION ? CAIRN_OK : status;
}

static void weigh(const advice *work, trial *to)
{
    double saved = 1e-6 * (work->base.mean_us - to->mean_us);
    to->ratio = kit_ratio_of_means(work->base.expanded, to->expanded, work->query_count,
                                   work->seed);
    to->speedup = kit_ratio_of_means(work->base.time_us, to->time_us, group_count(work),
                                     work->seed);
    to->breaks_even_after = saved > 0 ? to->build_seconds / saved : -1;
}

static cairn_status measure_trial(advice *work, uint32_t landmark_count)
{
    trial *to = &work->trials[work->trial_count];
    cairn_table *table = NULL;
    cairn_build_options options = {
        .size = sizeof options,
        .landmark_count = landmark_count,
        .thread_count = work->thread_count,
        .seed = work->seed,
        .placement = work->placement,
        .step_metric = work->step_metric,
        .resident = work->resident,
        .pairs = work->scenario_path ? work->queries : NULL,
        .pair_count = work->scenario_path ? work->query_count : 0,
        .progress = &kit_progress_hook,
    };
    *to = (trial){.landmark_count = landmark_count};
    double started = kit_now();
    cairn_status status = cairn_table_build(work->map, &options, &table);
    to->build_seconds = kit_now() - started;
    if (status == CAIRN_OK)
        status = run_trial(work, table, to);
    to->memory = status == CAIRN_OK ? cairn_table_memory(table) : 0;
    to->resident = status == CAIRN_OK ? cairn_table_resident(table) : CAIRN_RESIDENT_CELLS;
    if (status == CAIRN_OK)
        status = measure_file(work, table, to);
    if (status == CAIRN_OK)
        weigh(work, to);
    work->trial_count++;
    cairn_table_free(table);
    return status;
}

static void free_trial(trial *of)
{
    free(of->expanded);
    *of = (trial){0};
}

cairn_status advice_measure(advice *work)
{
    cairn_status status = run_trial(work, NULL, &work->base);
    for (uint32_t count = 0; count < work->most && status == CAIRN_OK;) {
        const uint32_t next = count ? 2 * count : 1;
        count = next < work->most ? next : work->most;
        status = measure_trial(work, count);
    }
    if (status == CAIRN_E_MEMORY && work->trial_count > 1) {
        /* Tables larger than the memory are no choice; those before are. */
        free_trial(&work->trials[--work->trial_count]);
        work->stopped = status;
        status = CAIRN_OK;
    }
    return status;
}

void advice_free(advice *work)
{
    free_trial(&work->base);
    for (size_t i = 0; i < work->trial_count; i++)
        free_trial(&work->trials[i]);
    free(work->queries);
}
