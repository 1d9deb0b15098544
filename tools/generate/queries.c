/* Queries: on a grid pairs of cells with the exact length of the way between them, on a graph any
 * pairs of nodes with a path. */
#include <stdlib.h>

#include "generate/generate.h"
#include "kit/progress.h"

enum { QUERIES_PER_START = 10, START_TRIES = 1000, GOAL_TRIES = 256, PAIR_TRIES = 64 };

typedef struct asker {
    const cairn_map *map;
    cairn_search *search;
    cairn_cost *costs; /* from the start of the moment */
    kit_rng rng;
} asker;

static cairn_status asker_open(asker *work, const cairn_map *map, const kit_rng *rng)
{
    *work = (asker){.map = map, .rng = *rng};
    work->costs = malloc((cairn_map_node_count(map) + (size_t)1) * sizeof *work->costs);
    return work->costs ? cairn_search_new(map, NULL, NULL, &work->search) : CAIRN_E_MEMORY;
}

static void asker_close(asker *work)
{
    cairn_search_free(work->search);
    free(work->costs);
}

static cairn_node random_node(asker *work)
{
    return kit_rng_below(&work->rng, cairn_map_node_count(work->map));
}

/* The first open cell at or behind `node`, the map's end being followed by its beginning. */
static cairn_node open_from(const asker *work, cairn_node node)
{
    const uint32_t count = cairn_map_node_count(work->map);
    for (uint32_t i = 0; i < count && !cairn_map_is_open(work->map, node); i++)
        node = node + 1 < count ? node + 1 : 0;
    return node;
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

/* Sets out from some cell that leads somewhere, and measures the costs from it. Where hardly a cell
 * is open, half of the attempts take the next one that is. */
static cairn_status set_out(asker *work, cairn_node *start, cairn_cost *most)
{
    if (cairn_map_node_count(work->map) == 0)
        return CAIRN_E_ARGUMENT;
    for (int attempt = 0; attempt < 2 * START_TRIES; attempt++) {
        *start = random_node(work);
        if (attempt >= START_TRIES)
            *start = open_from(work, *start);
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

/* Of two goals the one whose cost is nearer to what is wanted. The start is none, nor is a cell
 * that no path leads to. */
static cairn_node better_goal(const asker *work, cairn_node best, cairn_node node,
                              cairn_cost wanted)
{
    const cairn_cost cost = work->costs[node];
    if (cost == 0 || cost == CAIRN_UNREACHABLE)
        return best;
    if (best == CAIRN_NO_NODE)
        return node;
    return difference(cost, wanted) < difference(work->costs[best], wanted) ? node : best;
}

/* The best of some random cells, or where none can be reached, of all. */
static cairn_node choose_goal(asker *work, cairn_cost wanted)
{
    cairn_node best = CAIRN_NO_NODE;
    for (int attempt = 0; attempt < GOAL_TRIES; attempt++)
        best = better_goal(work, best, random_node(work), wanted);
    if (best != CAIRN_NO_NODE)
        return best;
    for (cairn_node node = 0; node < cairn_map_node_count(work->map); node++)
        best = better_goal(work, best, node, wanted);
    return best;
}

/* *found: a path leads from start to goal. */
static cairn_status ask(const asker *work, cairn_node start, cairn_node goal, drawn_query *query,
                        bool *found)
{
    cairn_path path;
    cairn_status status = cairn_search_run(work->search, start, goal, &path);
    if (status != CAIRN_OK)
        return status;
    *found = path.outcome == CAIRN_PATH_FOUND;
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

static cairn_status draw_on_grid(asker *work, uint32_t count, drawn_query *queries)
{
    cairn_node start = 0;
    cairn_cost most = 0;
    cairn_status status = CAIRN_OK;
    for (uint32_t index = 0; index < count && status == CAIRN_OK; index++) {
        uint32_t turn = index % QUERIES_PER_START;
        bool found;
        if (turn == 0)
            status = set_out(work, &start, &most);
        if (status != CAIRN_OK)
            break;
        cairn_cost share = most / QUERIES_PER_START;
        cairn_cost wanted = turn * share + kit_rng_below(&work->rng, share + 1);
        queries[index].number = index;
        status = ask(work, start, choose_goal(work, wanted), &queries[index], &found);
        if (!kit_progress_step("paths", index + 1, count) && status == CAIRN_OK)
            status = CAIRN_E_CANCELLED;
    }
    if (status == CAIRN_OK)
        qsort(queries, count, sizeof *queries, by_length);
    return status;
}

/* The first node at or behind `node` that an arc leaves; *found: there is one. */
static cairn_node leading_from(const asker *work, cairn_node node, bool *found)
{
    const uint32_t count = cairn_map_node_count(work->map);
    *found = false;
    for (uint32_t i = 0; i < count && !*found; i++) {
        *found = cairn_steps(work->map, node, NULL, 0) > 0;
        if (!*found)
            node = node + 1 < count ? node + 1 : 0;
    }
    return node;
}

/* One of the nodes that the costs reach, but not the start. */
static cairn_node reached_node(asker *work, cairn_node start)
{
    uint32_t reached = 0;
    cairn_node node = 0;
    for (; node < cairn_map_node_count(work->map); node++)
        reached += node != start && work->costs[node] != CAIRN_UNREACHABLE;
    uint32_t left = 1 + kit_rng_below(&work->rng, reached);
    for (node = 0; left; node++)
        left -= node != start && work->costs[node] != CAIRN_UNREACHABLE;
    return node - 1;
}

/* Where hardly two nodes have a path: a start that leads somewhere. */
static cairn_status draw_from_start(asker *work, drawn_query *query)
{
    bool found;
    cairn_node start = leading_from(work, random_node(work), &found);
    if (!found)
        return CAIRN_E_ARGUMENT;
    cairn_status status = cairn_costs_from(work->map, &start, 1, work->costs);
    return status == CAIRN_OK ? ask(work, start, reached_node(work, start), query, &found) : status;
}

/* Any two nodes with a path. */
static cairn_status draw_pair(asker *work, drawn_query *query)
{
    for (int attempt = 0; attempt < PAIR_TRIES; attempt++) {
        cairn_node start = random_node(work), goal = random_node(work);
        bool found;
        if (start == goal || !cairn_connected(work->map, start, goal))
            continue;
        cairn_status status = ask(work, start, goal, query, &found);
        if (status != CAIRN_OK || found)
            return status;
    }
    return draw_from_start(work, query);
}

static cairn_status draw_on_graph(asker *work, uint32_t count, drawn_query *queries)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t index = 0; index < count && status == CAIRN_OK; index++) {
        queries[index].number = index;
        status = draw_pair(work, &queries[index]);
        if (!kit_progress_step("paths", index + 1, count) && status == CAIRN_OK)
            status = CAIRN_E_CANCELLED;
    }
    return status;
}

cairn_status draw_queries(const cairn_map *map, const kit_rng *rng, uint32_t count,
                          drawn_query *queries)
{
    asker work;
    cairn_status status = asker_open(&work, map, rng);
    if (status == CAIRN_OK)
        status = (cairn_map_kind_of(map) == CAIRN_MAP_GRID ? draw_on_grid
                                                           : draw_on_graph)(&work, count, queries);
    asker_close(&work);
    return status;
}
