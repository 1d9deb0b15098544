/*
 * Costs from many nodes to many. A flood from a node gives its costs to all others, so with enough
 * of them floods are faster than searches: from each source or to each target, whichever are fewer.
 * Before the first flood there is memory to take and to fill for every node of the map, also for
 * blocked ones, and that alone may take longer than all searches. What a search costs grows with
 * the map as well, but usually much more slowly. Where it does not, as on cluttered maps and with
 * terrain, the searches show it by their expansions, and floods take their place.
 */
#include "base/tasks.h"
#include "cairn/batch.h"
#include "flood/flood_engine.h"
#include "search/search.h"
#include "table/table_state.h"

/* On game maps a search takes at most as long as about so many expansions. */
enum { EXPANSIONS_PER_SEARCH = 64 };

/* Where searches seem to be slower, they are tried for one part in so many of what floods take, and
 * go on if they take half of that at most. */
enum { TRIAL = 32 };

/* A flooder is made in the time of one expansion for so many nodes, by tiles and otherwise. */
enum { NODES_BY_TILES = 128, NODES_OTHERWISE = 16 };

typedef struct matrix_job {
    const cairn_map *map;
    const cairn_table *table;
    const cairn_node *sources;
    const cairn_node *targets;
    size_t source_count;
    size_t target_count;
    cairn_cost *costs;
    bool is_reverse;                        /* floods lead to the targets */
    uint64_t making;                        /* of a flooder, in expansions, at least */
    int64_t share;                          /* of a flood for each of its costs, in expansions */
    int64_t credit[CN_THREADS_MAX];         /* of searches, by worker, in expansions: a flooder, a
                                             * flood and a share for each; once spent, floods are
                                             * faster */
    bool knows_making[CN_THREADS_MAX];      /* by worker: the whole of it is in the credit */
    cn_flooder *flooders[CN_THREADS_MAX];   /* by worker, made when it first gets work */
    cairn_search *searches[CN_THREADS_MAX]; /* the same */
} matrix_job;

static cairn_cost *entry_of(const matrix_job *job, size_t source, size_t target)
{
    return &job->costs[source * job->target_count + target];
}

/* The entry of the node that is flooded and one of the others. */
static cairn_cost *flooded_entry(const matrix_job *job, size_t flooded, size_t other)
{
    return job->is_reverse ? entry_of(job, other, flooded) : entry_of(job, flooded, other);
}

static void read_plane(const matrix_job *job, size_t flooded, const cn_plane *plane)
{
    const cairn_node *others = job->is_reverse ? job->sources : job->targets;
    const size_t count = job->is_reverse ? job->source_count : job->target_count;
    for (size_t i = 0; i < count; i++) {
        *flooded_entry(job, flooded, i) = plane ? cn_plane_cost_of(plane, job->map, others[i])
                                                : CAIRN_UNREACHABLE;
    }
}

static cairn_status search_pair(matrix_job *job, unsigned worker, size_t source, size_t target)
{
    const cairn_search_options options = {.size = sizeof options, .form = CAIRN_FORM_NONE};
    cairn_search **search = &job->searches[worker];
    cairn_status status = CAIRN_OK;
    cairn_path path;

    if (!*search)
        status = cairn_search_new(job->map, job->table, &options, search);
    if (status != CAIRN_OK)
        return status;
    status = cairn_search_run(*search, job->sources[source], job->targets[target], &path);
    *entry_of(job, source, target) = path.cost;
    job->credit[worker] += job->share - (int64_t)cn_scratch_work(&(*search)->scratch);
    return status;
}

static uint64_t making_of(const cairn_map *map)
{
    return cn_map_node_count(map) /
           (cn_flood_goes_by_tiles(map, 32) ? NODES_BY_TILES : NODES_OTHERWISE);
}

/* Whether floods are faster by now. How a flooder is made is asked last, since to tell takes as
 * long as some hundred expansions. */
static bool judge_credit(matrix_job *job, unsigned worker)
{
    if (job->credit[worker] < 0 && !job->knows_making[worker]) {
        job->knows_making[worker] = true;
        job->credit[worker] += (int64_t)(making_of(job->map) - job->making);
    }
    return job->credit[worker] < 0;
}

/* Leaves the row to floods once these are faster. */
static cairn_status search_row(void *context, size_t task, unsigned worker)
{
    matrix_job *job = context;
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; status == CAIRN_OK && i < job->target_count; i++) {
        if (judge_credit(job, worker))
            return CAIRN_MORE;
        status = search_pair(job, worker, task, i);
    }
    return status;
}

/* Finds by searches the costs that a flood of one node would give. */
static cairn_status search_others(matrix_job *job, size_t flooded, unsigned worker)
{
    const size_t count = job->is_reverse ? job->source_count : job->target_count;
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; status == CAIRN_OK && i < count; i++)
        status = search_pair(job, worker, job->is_reverse ? i : flooded,
                             job->is_reverse ? flooded : i);
    return status;
}

/* A flood fails with CAIRN_E_LIMIT even if the cost that is too large is one that nobody asked for:
 * then searches find those that were. */
static cairn_status flood_one(void *context, size_t task, unsigned worker)
{
    matrix_job *job = context;
    cn_flooder **flooder = &job->flooders[worker];
    const cairn_node *node = (job->is_reverse ? job->targets : job->sources) + task;
    cairn_status status = CAIRN_OK;
    cn_plane plane;

    if (!cn_grid_is_open(&job->map->grid, *node)) {
        read_plane(job, task, NULL);
        return CAIRN_OK;
    }
    if (!*flooder)
        status = cn_flooder_new(job->map, 32, CN_FLOOD_MANY, flooder);
    if (status == CAIRN_OK)
        status = (job->is_reverse ? cn_flooder_run_back : cn_flooder_run)(*flooder, node, 1,
                                                                          &plane);
    if (status == CAIRN_OK)
        read_plane(job, task, &plane);
    return status == CAIRN_E_LIMIT ? search_others(job, task, worker) : status;
}

static cn_crew crew_for(const matrix_job *job, uint32_t thread_count, size_t tasks)
{
    return cn_tasks_crew(&job->map->pool, thread_count, tasks, CN_WORTH_THREADS);
}

/* What searches for all costs take, in expansions. Small maps have no room for more. */
static uint64_t searches_in_expansions(const matrix_job *job)
{
    const uint64_t most = job->map->grid.open_count / EXPANSIONS_PER_SEARCH + 1;
    return (uint64_t)job->source_count * job->target_count *
           (most < EXPANSIONS_PER_SEARCH ? most : EXPANSIONS_PER_SEARCH);
}

/* Whether searches for all costs may be faster than floods of `fewer` nodes. Estimates what it
 * takes to make a flooder, only as well as that needs. */
static bool judge_searches(matrix_job *job, size_t fewer)
{
    const uint64_t flood = job->map->grid.open_count / CN_CELLS_PER_EXPANSION;
    const uint64_t searches = searches_in_expansions(job);
    job->making = cn_map_node_count(job->map) / NODES_BY_TILES;
    if (searches < job->making + fewer * flood)
        return true;
    job->making = making_of(job->map);
    return searches < job->making + fewer * flood;
}

/* A single search is never given up. Searches that are only tried are given up before all workers
 * together have taken much of the time of the floods of `fewer` nodes. */
static void give_credit(matrix_job *job, size_t fewer, size_t flood_costs, unsigned workers)
{
    const bool is_single = job->source_count == 1 && job->target_count == 1;
    const int64_t flood = is_single ? 0 : (int64_t)cn_flood_in_expansions(job->map);
    const bool is_trial = flood_costs > 1 && !judge_searches(job, fewer);
    const int64_t making = (int64_t)job->making;
    job->share = flood / (int64_t)flood_costs / (is_trial ? 2 : 1);
    const int64_t trial = (making + (int64_t)fewer * flood) / TRIAL / workers;
    for (unsigned worker = 0; worker < workers; worker++) {
        job->knows_making[worker] = is_trial;
        job->credit[worker] = is_trial ? trial : making + flood;
    }
}

/* CAIRN_MORE where floods of `fewer` nodes are faster after all. */
static cairn_status search_all(matrix_job *job, uint32_t thread_count, size_t fewer,
                               size_t flood_costs)
{
    const cn_crew crew = crew_for(job, thread_count, job->source_count);
    give_credit(job, fewer, flood_costs, crew.count);
    return cn_tasks_run(crew, job->source_count, search_row, job);
}

static cairn_status run_matrix(matrix_job *job, uint32_t thread_count)
{
    const bool is_reverse = job->target_count < job->source_count;
    const size_t fewer = is_reverse ? job->target_count : job->source_count;
    const size_t others = is_reverse ? job->source_count : job->target_count;

    job->is_reverse = is_reverse;
    cairn_status status = search_all(job, thread_count, fewer, others);
    if (status == CAIRN_MORE)
        status = cn_tasks_run(crew_for(job, thread_count, fewer), fewer, flood_one, job);
    for (unsigned worker = 0; worker < CN_THREADS_MAX; worker++) {
        cn_flooder_free(job->flooders[worker]);
        cairn_search_free(job->searches[worker]);
    }
    return status;
}

cairn_status cairn_distances(const cairn_map *map, const cairn_table *table,
                             const cairn_node *sources, size_t source_count,
                             const cairn_node *targets, size_t target_count, uint32_t thread_count,
                             cairn_cost *costs)
{
    if (!map || (!sources && source_count) || (!targets && target_count) ||
        (!costs && source_count && target_count) || target_count > SIZE_MAX - source_count)
        return CAIRN_E_ARGUMENT;
    cairn_node *nodes = cn_array(&map->mem, source_count + target_count, sizeof *nodes);
    if (!nodes)
        return CAIRN_E_MEMORY;
    cairn_status status = CAIRN_E_ARGUMENT;
    if (cn_map_copy_nodes(map, sources, source_count, nodes) &&
        cn_map_copy_nodes(map, targets, target_count, nodes + source_count))
        status = table ? cn_table_check_map(table, map) : CAIRN_OK;
    if (status == CAIRN_OK && source_count && target_count) {
        matrix_job job = {.map = map,
                          .table = table,
                          .sources = nodes,
                          .targets = nodes + source_count,
                          .source_count = source_count,
                          .target_count = target_count,
                          .costs = costs};
        status = run_matrix(&job, thread_count);
    }
    cn_release(&map->mem, nodes);
    return status;
}
