/* Scenarios: pairs of cells with the exact length of the way between them. */
#include <stdlib.h>

#include "generate/generate.h"
#include "kit/progress.h"

enum { QUERIES_PER_START = 10, START_TRIES = 1000, GOAL_TRIES = 256 };

typedef struct asker {
    cairn_map *map;
    cairn_search *search;
    cairn_cost *costs; /* from the start of the moment */
    kit_rng *rng;
} asker;

static cairn_cost exact_bound(void *context, cairn_node node)
{
    const cairn_cost *costs = context;
    return costs[node];
}

static cairn_status asker_open(asker *work, const canvas *map, cairn_metric metric, kit_rng *rng)
{
    *work = (asker){.rng = rng};
    cairn_map_options form = {.size = sizeof form, .metric = metric};
    cairn_status status = cairn_map_from_letters(map->width, map->height, map->letters, &form,
                                                 &work->map, NULL);
    if (status != CAIRN_OK)
        return status;
    work->costs = malloc(cairn_map_node_count(work->map) * sizeof *work->costs);
    if (!work->costs)
        return CAIRN_E_MEMORY;
    cairn_search_options options = {
        .size = sizeof options, .bound = exact_bound, .bound_context = work->costs};
    return cairn_search_new(work->map, NULL, &options, &work->search);
}

static void asker_close(asker *work)
{
    cairn_search_free(work->search);
    free(work->costs);
    cairn_map_free(work->map);
}

static cairn_node random_node(const asker *work)
{
    return kit_rng_below(work->rng, cairn_map_node_count(work->map));
}

/* The greatest finite cost from the start. */
static cairn_cost farthest(const asker *work)
{
    cairn_cost most = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(work->map); node++)
        if (work->costs[node] != CAIRN_UNREACHABLE && work->costs[node] > most)
            most = work->costs[node];
    return most;
}

/* Sets out from some cell that leads somewhere, and measures the costs from it. */
static cairn_status set_out(asker *work, cairn_node *start, cairn_cost *most)
{
    for (int attempt = 0; attempt < START_TRIES; attempt++) {
        *start = random_node(work);
        if (!cairn_map_is_open(work->map, *start))
            continue;
        cairn_status status = cairn_costs_from(work->map, start, 1, work->costs);
        if (status != CAIRN_OK)
            return status;
        *most = farthest(work);
        if (*most > 0)
            return CAIRN_OK;
    }
    return CAIRN_E_ARGUMENT;
}

static cairn_cost difference(cairn_cost a, cairn_cost b)
{
    return a > b ? a - b : b - a;
}

/* Of some random cells, the reachable one whose cost is nearest to what is wanted. */
static cairn_node choose_goal(const asker *work, cairn_node start, cairn_cost wanted)
{
    cairn_node best = start;
    for (int attempt = 0; attempt < GOAL_TRIES; attempt++) {
        cairn_node node = random_node(work);
        cairn_cost cost = work->costs[node];
        if (cost != CAIRN_UNREACHABLE &&
            difference(cost, wanted) < difference(work->costs[best], wanted))
            best = node;
    }
    return best;
}

/* The costs from the start guide a search from the goal back to it straight along a shortest
 * path; its length counts both kinds of steps. */
static cairn_status ask(const asker *work, cairn_node start, cairn_node goal, drawn_query *query)
{
    cairn_path path;
    cairn_status status = cairn_search_run(work->search, goal, start, &path);
    if (status != CAIRN_OK)
        return status;
    query->length = path.length;
    cairn_node_xy(work->map, start, &query->start[0], &query->start[1]);
    cairn_node_xy(work->map, goal, &query->goal[0], &query->goal[1]);
    return CAIRN_OK;
}

static int by_length(const void *left, const void *right)
{
    const drawn_query *a = left;
    const drawn_query *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static cairn_status draw_in_metric(const canvas *map, cairn_metric metric, kit_rng *rng,
                                   uint32_t count, drawn_query *queries)
{
    asker work;
    cairn_node start = 0;
    cairn_cost most = 0;
    cairn_status status = asker_open(&work, map, metric, rng);
    for (uint32_t index = 0; index < count && status == CAIRN_OK; index++) {
        uint32_t turn = index % QUERIES_PER_START;
        if (turn == 0)
            status = set_out(&work, &start, &most);
        if (status != CAIRN_OK)
            break;
        cairn_cost share = most / QUERIES_PER_START;
        cairn_cost wanted = turn * share + kit_rng_below(rng, share + 1);
        queries[index].number = index;
        status = ask(&work, start, choose_goal(&work, start, wanted), &queries[index]);
        kit_progress_step("paths", index + 1, count);
    }
    asker_close(&work);
    return status;
}

cairn_status draw_queries(const canvas *map, const kit_rng *rng, uint32_t count,
                          drawn_query *queries)
{
    /* The second is for mazes so long that costs in the first exceed the limit. */
    static const cairn_metric metrics[] = {{2378, 3363}, {70, 99}};
    cairn_status status = CAIRN_E_LIMIT;
    for (size_t index = 0; index < 2 && status == CAIRN_E_LIMIT; index++) {
        kit_rng copy = *rng;
        status = draw_in_metric(map, metrics[index], &copy, count, queries);
    }
    if (status == CAIRN_OK)
        qsort(queries, count, sizeof *queries, by_length);
    return status;
}
