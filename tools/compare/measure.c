#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/compare.h"
#include "kit/clock.h"
#include "kit/exits.h"
#include "kit/progress.h"
#include "kit/team.h"

/* ------------------------------------------------------------------------ preparation -- */

static cairn_cost exact_bound(void *context, cairn_node node)
{
    const cairn_cost *goal_costs = context;
    return goal_costs[node];
}

/* A way of searching. The spaces other than cells give only corners, as a game would ask. */
typedef struct way {
    const char *name;
    cairn_space space;
    bool landmarks;
    bool exact;
    bool asked;
} way;

/* One table is "landmarks"; several go by their own names. */
static void name_search(const comparison *work, way kind, size_t table, contender *to)
{
    if (!kind.landmarks || work->table_count == 1) {
        snprintf(to->name, sizeof to->name, "%s", kind.name);
        return;
    }
    const char *space = kind.asked ? "asked " : kind.space == CAIRN_SPACE_JUMP ? "jump " : "";
    snprintf(to->name, sizeof to->name, "%s%s", space, work->table_names[table]);
}

static cairn_status add_search(comparison *work, way kind, size_t table)
{
    contender *added = &work->searches[work->search_count++];
    *added = (contender){.space = kind.space,
                         .is_asked = kind.asked,
                         .table = kind.landmarks ? work->tables[table] : NULL};
    name_search(work, kind, table, added);
    added->results = calloc(work->query_count + 1, sizeof *added->results);
    if (!added->results)
        return CAIRN_E_MEMORY;

    cairn_search_options options = {.size = sizeof options, .space = kind.space};
    if (kind.asked)
        kit_wish_put(&work->asked, &options);
    if (kind.space != CAIRN_SPACE_CELLS)
        options.form = CAIRN_FORM_CORNERS;
    if (kind.exact) {
        added->goal_costs = calloc(cairn_map_node_count(work->map), sizeof *added->goal_costs);
        if (!added->goal_costs)
            return CAIRN_E_MEMORY;
        options.bound = exact_bound;
        options.bound_context = added->goal_costs;
    }
    return cairn_search_new(work->map, added->table, &options, &added->search);
}

static void drop_last_search(comparison *work)
{
    contender *last = &work->searches[--work->search_count];
    cairn_search_free(last->search);
    free(last->goal_costs);
    free(last->results);
}

/* A search that takes cells in place of the space that it was asked to take tells nothing new. */
static cairn_status drop_if_unfit(comparison *work)
{
    contender *last = &work->searches[work->search_count - 1];
    if (last->space == CAIRN_SPACE_CELLS || work->query_count == 0)
        return CAIRN_OK;

    cairn_path path;
    cairn_node start = work->queries[0].start;
    cairn_status status = cairn_search_run(last->search, start, start, &path);
    if (status == CAIRN_OK && path.space == CAIRN_SPACE_CELLS)
        drop_last_search(work);
    return status;
}

static cairn_status add_way(comparison *work, way kind)
{
    cairn_status status = CAIRN_OK;
    size_t count = kind.landmarks ? work->table_count : 1;
    for (size_t table = 0; table < count && status == CAIRN_OK; table++) {
        status = add_search(work, kind, table);
        if (status == CAIRN_OK)
            status = drop_if_unfit(work);
    }
    return status;
}

cairn_status comparison_add_searches(comparison *work, bool exact, unsigned spaces)
{
    static const way ways[] = {
        {"base", CAIRN_SPACE_CELLS, .landmarks = false},
        {"landmarks", CAIRN_SPACE_CELLS, .landmarks = true},
        {"exact", CAIRN_SPACE_CELLS, .exact = true},
        {"jump", CAIRN_SPACE_JUMP, .landmarks = false},
        {"jump landmarks", CAIRN_SPACE_JUMP, .landmarks = true},
        {"asked", CAIRN_SPACE_CELLS, .asked = true},
        {"asked landmarks", CAIRN_SPACE_CELLS, .landmarks = true, .asked = true},
    };
    const bool is_asked = kit_wish_is_set(&work->asked);
    cairn_status status = CAIRN_OK;
    comparison_name_tables(work);
    for (size_t index = 0; index < sizeof ways / sizeof *ways && status == CAIRN_OK; index++) {
        bool wanted = ways[index].exact   ? exact
                      : ways[index].asked ? is_asked
                                          : spaces & 1u << ways[index].space;
        if (wanted)
            status = add_way(work, ways[index]);
    }
    return status;
}

void comparison_free(comparison *work)
{
    while (work->search_count > 0)
        drop_last_search(work);
    free(work->queries);
    free(work->numbers);
    free(work->wrong);
    *work = (comparison){0};
}

/* -------------------------------------------------------------------------- measuring -- */

/* The bound of the last run at its start. */
static cairn_cost bound_at_start(const cairn_search *search, cairn_node start)
{
    cairn_node_info info;
    return cairn_search_node_info(search, start, &info) == CAIRN_OK ? info.h : CAIRN_UNREACHABLE;
}

static cairn_status run_query(const comparison *work, contender *search, size_t index)
{
    const cairn_query *query = &work->queries[index];
    if (search->goal_costs && cairn_map_is_open(work->map, query->goal)) {
        cairn_status status = cairn_costs_to(work->map, &query->goal, 1, search->goal_costs);
        if (status != CAIRN_OK)
            return status;
    }

    cairn_path path;
    const kit_watch started = kit_watch_start();
    cairn_status status = cairn_search_run(search->search, query->start, query->goal, &path);
    const double seconds = kit_watch_seconds(started);
    if (status != CAIRN_OK)
        return status;

    double time_us = 1e6 * seconds, earlier_us = search->results[index].time_us;
    search->results[index] = (run_result){
        .outcome = path.outcome,
        .cost = path.cost,
        .length = path.length,
        .bound = bound_at_start(search->search, query->start),
        .expanded = path.expanded,
        .generated = path.generated,
        .open_peak = path.open_peak,
        .reopened = path.reopened,
        .guarantee = path.guarantee,
        .time_us = earlier_us > 0 && earlier_us < time_us ? earlier_us : time_us,
    };
    return CAIRN_OK;
}

static size_t query_at(const comparison *work, size_t place)
{
    return (size_t)((uint64_t)place * work->stride % work->query_count);
}

static cairn_status run_pass(const comparison *work, contender *search)
{
    const size_t first = kit_team_begin(work->query_count), end = kit_team_end(work->query_count);
    cairn_status status = CAIRN_OK;
    for (size_t place = first; place < end && status == CAIRN_OK; place++) {
        status = run_query(work, search, query_at(work, place));
        if (!kit_progress_step(search->name, place - first + 1, end - first))
            return CAIRN_E_CANCELLED;
    }
    return status;
}

/* What each process has measured goes to all. */
static cairn_status share_results(const comparison *work, contender *search)
{
    const size_t count = work->query_count;
    if (!kit_team() || count == 0)
        return CAIRN_OK;
    run_result *all = calloc(count, sizeof *all);
    if (!all)
        return CAIRN_E_MEMORY;
    for (size_t place = kit_team_begin(count); place < kit_team_end(count); place++)
        all[place] = search->results[query_at(work, place)];
    const int code = kit_team_share(all, sizeof *all, count);
    for (size_t place = 0; place < count; place++)
        search->results[query_at(work, place)] = all[place];
    free(all);
    return code == KIT_EXIT_OK ? CAIRN_OK : CAIRN_E_CANCELLED;
}

/* Each search gets passes of its own, so that none finds its memory in the cache because another
 * has just used it. The least time of a query counts, which other work on the machine disturbs
 * least: three passes, or one where that already takes long. */
static cairn_status run_passes(const comparison *work, contender *search)
{
    double started = kit_now();
    cairn_status status = CAIRN_OK;
    for (int pass = 0; pass < PASSES && status == CAIRN_OK; pass++) {
        status = run_pass(work, search);
        if (kit_now() - started > LONG_PASS_SECONDS)
            break;
    }
    return status;
}

static cairn_status run_shared(const comparison *work, contender *search)
{
    cairn_status status = run_passes(work, search);
    return status == CAIRN_OK ? share_results(work, search) : status;
}

/* --------------------------------------------------------------------------- judging -- */

/* Published lengths were added up in single precision. */
static bool same_length(double published, double found)
{
    return fabs(published - found) <= fmax(0.006, 1e-5 * published);
}

/* Scenarios write a length of 0 where there is no path. */
static wrong_kind judge_no_path(const cairn_query *query, const run_result *first)
{
    if (first->outcome != CAIRN_PATH_NONE)
        return WRONG_COST;
    return query->length == 0 && query->start != query->goal ? WRONG_NOT : WRONG_NO_PATH;
}

static wrong_kind judge_result(const cairn_query *query, const run_result *first,
                               const run_result *result)
{
    switch (result->outcome) {
    case CAIRN_PATH_START_BLOCKED: return WRONG_START_BLOCKED;
    case CAIRN_PATH_GOAL_BLOCKED: return WRONG_GOAL_BLOCKED;
    case CAIRN_PATH_NEAREST:
    case CAIRN_PATH_PAUSED:
    case CAIRN_PATH_NONE: return judge_no_path(query, first);
    case CAIRN_PATH_FOUND: break;
    }
    if (result->cost != first->cost)
        return WRONG_COST;
    return same_length(query->length, result->length) ? WRONG_NOT : WRONG_LENGTH;
}

/* Where nothing is published. */
static wrong_kind judge_alone(const run_result *first, const run_result *result)
{
    return result->outcome == first->outcome && result->cost == first->cost ? WRONG_NOT
                                                                            : WRONG_COST;
}

/* Within what the bound promises, and no cheaper than the cheapest. */
static wrong_kind judge_asked(const run_result *first, const run_result *result)
{
    if (result->outcome == CAIRN_PATH_PAUSED)
        return WRONG_NOT;
    if (result->outcome != first->outcome)
        return WRONG_COST;
    if (result->outcome != CAIRN_PATH_FOUND)
        return WRONG_NOT;
    bool fits = !result->guarantee ||
                (uint64_t)result->cost * 1000 <= (uint64_t)first->cost * result->guarantee;
    return result->cost >= first->cost && fits ? WRONG_NOT : WRONG_COST;
}

static wrong_kind judge_query(const comparison *work, size_t index)
{
    wrong_kind worst = WRONG_NOT;
    for (size_t search = 0; search < work->search_count; search++) {
        const run_result *first = &work->searches[0].results[index];
        const run_result *result = &work->searches[search].results[index];
        wrong_kind kind = work->searches[search].is_asked ? judge_asked(first, result)
                          : comparison_has_lengths(work)
                              ? judge_result(&work->queries[index], first, result)
                              : judge_alone(first, result);
        if (kind > worst)
            worst = kind;
    }
    return worst;
}

static void judge(comparison *work)
{
    for (size_t index = 0; index < work->query_count; index++) {
        wrong_kind kind = judge_query(work, index);
        work->wrong[index] = kind;
        work->wrong_costs += kind == WRONG_COST;
        work->wrong_lengths += kind != WRONG_NOT && kind != WRONG_COST;
    }
}

/* How long it takes to rebuild a table's rows, on one thread. */
static cairn_status time_rebuild(comparison *work, size_t table)
{
    cairn_table *copy;
    kit_progress_step("rows rebuilt", table, work->table_count);
    cairn_status status = cairn_table_clone(work->tables[table], &copy);
    const kit_watch started = kit_watch_start();
    if (status == CAIRN_OK)
        status = cairn_table_rebuild(copy, work->map);
    work->rebuild_us[table] = 1e6 * kit_watch_seconds(started);
    cairn_table_free(copy);
    return status;
}

cairn_status comparison_run(comparison *work)
{
    cairn_status status = CAIRN_OK;
    for (size_t index = 0; index < work->search_count && status == CAIRN_OK; index++)
        status = run_shared(work, &work->searches[index]);
    for (size_t i = 0; work->table_count > 1 && i < work->table_count && status == CAIRN_OK; i++)
        status = time_rebuild(work, i);
    if (status == CAIRN_OK && cairn_map_kind_of(work->map) == CAIRN_MAP_GRAPH)
        status = comparison_sort_into_buckets(work);
    if (status == CAIRN_OK)
        judge(work);
    return status;
}

/* --------------------------------------------------------------------------- reading -- */

totals comparison_totals(const contender *search, size_t first, size_t end)
{
    totals sum = {0};
    for (size_t index = first; index < end; index++) {
        const run_result *result = &search->results[index];
        sum.expanded += result->expanded;
        sum.generated += result->generated;
        sum.time_us += result->time_us;
        if (result->open_peak > sum.open_peak)
            sum.open_peak = result->open_peak;
    }
    return sum;
}

const char *wrong_text(wrong_kind kind)
{
    switch (kind) {
    case WRONG_NOT: return "right";
    case WRONG_START_BLOCKED: return "start blocked";
    case WRONG_GOAL_BLOCKED: return "goal blocked";
    case WRONG_NO_PATH: return "no path";
    case WRONG_LENGTH: return "another length";
    case WRONG_COST: return "another cost than the base heuristic";
    }
    return "unknown";
}

bool comparison_paired(const comparison *work, const contender *of, const contender *against,
                       kit_interval *ratio)
{
    double *ratios = calloc(work->query_count + 1, sizeof *ratios);
    size_t count = 0;

    for (size_t index = 0; ratios && index < work->query_count; index++) {
        const uint64_t over = against->results[index].expanded;
        const uint64_t under = of->results[index].expanded;
        if (of->results[index].outcome == CAIRN_PATH_FOUND)
            ratios[count++] = (double)(over ? over : 1) / (double)(under ? under : 1);
    }
    const bool whole = ratios != NULL;
    if (whole)
        *ratio = kit_geometric_mean(ratios, count);
    free(ratios);
    return whole;
}

kit_text comparison_of_totals(const comparison *work, const contender *of, const contender *against)
{
    const totals over = comparison_totals(against, 0, work->query_count);
    const totals under = comparison_totals(of, 0, work->query_count);
    return kit_ratio((double)over.expanded, (double)under.expanded);
}

const contender *comparison_with(const comparison *work, const cairn_table *table)
{
    for (size_t index = 0; index < work->search_count; index++) {
        const contender *search = &work->searches[index];
        if (search->table == table && search->space == CAIRN_SPACE_CELLS && !search->goal_costs &&
            !search->is_asked)
            return search;
    }
    return NULL;
}
