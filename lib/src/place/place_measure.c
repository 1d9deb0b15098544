/*
 * What each candidate saves, by a flood for each. Where each farthest-first candidate is follows
 * from the floods of those before it, so one thread measures them one after another, and places
 * them meanwhile; others measure the rest. Of a team, so do the processes.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/tasks.h"
#include "place/place_plan.h"

typedef struct measuring {
    cn_candidates *pool;
    const cairn_progress *progress;
    size_t first, end;   /* the candidates of this process */
    size_t placed_end;   /* farthest-first candidates of this process end here, and are placed from
                          * the first of all on; 0: it has none */
    size_t others_first; /* of the candidates of this process */
    size_t flood_count;
    atomic_size_t done; /* of these */
    cn_flooder *flooders[CN_THREADS_MAX];
} measuring;

/* -------------------------------------------------------------------- what a candidate saves -- */

static cairn_cost cost_at(const cn_plane *plane, const cn_grid *grid, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    return cn_plane_at(plane, x, y);
}

/* The bound that a landmark gives: costs from it bound by cost of the goal - cost of the cell,
 * costs to it by the reverse difference; where both directions cost the same, by either. */
static cairn_cost bound_by(cairn_way way, cairn_cost cost, cairn_cost goal)
{
    if (cost > goal)
        return way == CAIRN_WAY_FROM ? 0 : cost - goal;
    return way == CAIRN_WAY_TO ? 0 : goal - cost;
}

static void note_saved(const cn_sample *sample, const cn_plane *plane, cairn_way way,
                       uint64_t *saved)
{
    const cn_grid *grid = &sample->sites->map->grid;
    for (size_t i = 0; i < sample->query_count; i++, saved += CN_SAMPLE_WORDS) {
        const cn_sampled_query *query = &sample->queries[i];
        cairn_cost goal = cost_at(plane, grid, query->goal);
        for (uint32_t k = 0; k < query->cell_count; k++) {
            size_t place = i * CN_SAMPLE_CELLS + k;
            cairn_cost cost = cost_at(plane, grid, sample->cells[place]);
            cairn_cost bound = bound_by(way, cost, goal);
            saved[k / 64] |= (uint64_t)(bound >= sample->needed[place]) << k % 64;
        }
    }
}

/* The costs from the candidate are in the plane. */
static void note_forward(const measuring *job, size_t candidate, const cn_plane *plane)
{
    const cn_sample *sample = job->pool->sample;
    note_saved(sample, plane,
               cn_map_is_directed(sample->sites->map) ? CAIRN_WAY_FROM : CAIRN_WAY_BOTH,
               cn_candidates_saved(job->pool, candidate));
}

/* On directed maps, the costs to the candidate, too. */
static cairn_status measure_reverse(const measuring *job, size_t candidate, unsigned worker)
{
    const cn_sample *sample = job->pool->sample;
    cn_plane plane;

    if (!cn_map_is_directed(sample->sites->map))
        return CAIRN_OK;
    cairn_status status = cn_flooder_run_back(
        job->flooders[worker], cn_candidates_at(job->pool, candidate), sample->part_count, &plane);
    if (status == CAIRN_OK)
        note_saved(sample, &plane, CAIRN_WAY_TO, cn_candidates_saved(job->pool, candidate));
    return status;
}

/* The end of all is reported when it has come. */
static cairn_status note_done(measuring *job, unsigned worker)
{
    const size_t done = atomic_fetch_add(&job->done, 1) + 1;
    const cairn_progress *progress = job->progress;

    if (worker > 0 || done == job->flood_count || !progress || !progress->report ||
        progress->report(progress->context, "candidates", done, job->flood_count))
        return CAIRN_OK;
    return CAIRN_E_CANCELLED;
}

static cairn_status note_end(const measuring *job)
{
    const cairn_progress *progress = job->progress;

    if (job->flood_count == 0 || !progress || !progress->report ||
        progress->report(progress->context, "candidates", job->flood_count, job->flood_count))
        return CAIRN_OK;
    return CAIRN_E_CANCELLED;
}

static cairn_status measure_candidate(measuring *job, size_t candidate, unsigned worker)
{
    cn_plane plane;

    cairn_status status = cn_flooder_run(job->flooders[worker],
                                         cn_candidates_at(job->pool, candidate),
                                         job->pool->sample->part_count, &plane);
    if (status != CAIRN_OK)
        return status;
    note_forward(job, candidate, &plane);
    status = measure_reverse(job, candidate, worker);
    return status == CAIRN_OK ? note_done(job, worker) : status;
}

/* ----------------------------------------------------------------- farthest-first candidates -- */

/* The landmarks that CAIRN_PLACE_FARTHEST chooses with this seed (see place.h). */
void cn_place_farthest(cn_candidates *pool, size_t count, uint64_t seed)
{
    CN_ASSERT(pool->count == 0 && count <= pool->capacity);
    pool->count = pool->farthest_count = count;
    pool->seed = seed;
}

typedef struct chain {
    cn_placer placer;
    cairn_node *sources; /* of the present candidate's flood, in all components */
    size_t source_count;
} chain;

/* The sites of a candidate are the landmarks of the parts, among those of all components. A
 * component without unused cells gets its first one again, which changes nothing for the placer. */
static void take_landmarks(chain *links, const cn_sample *sample, cairn_node *nodes)
{
    const cn_placer *placer = &links->placer;
    const cn_sites *sites = sample->sites;

    links->source_count = placer->landmark_count;
    if (placer->landmark_count)
        memcpy(links->sources, placer->landmarks, placer->landmark_count * sizeof *links->sources);
    for (uint32_t part = 0; part < sample->part_count; part++) {
        uint32_t component = sample->parts[part];
        nodes[part] = placer->next[component];
        if (nodes[part] != CAIRN_NO_NODE)
            continue;
        nodes[part] = sites->cells[sites->first[component]];
        links->sources[links->source_count++] = nodes[part];
    }
}

/* Chooses the first candidate. */
static cairn_status open_chain(chain *links, const measuring *job, cn_flooder *flooder)
{
    const cairn_map *map = job->pool->sample->sites->map;
    cn_placer *placer = &links->placer;
    cn_plane plane;

    cairn_status status = cn_placer_init(placer, map, NULL, job->pool->seed);
    if (status != CAIRN_OK)
        return status;
    links->sources = cn_array(&map->mem, placer->runs.component_count, sizeof *links->sources);
    if (!links->sources)
        return CAIRN_E_MEMORY;
    status = cn_flooder_run(flooder, placer->landmarks, placer->landmark_count, &plane);
    if (status == CAIRN_OK)
        cn_placer_start(placer, &plane);
    return status;
}

/* The flood of a candidate chooses the next one. */
static cairn_status add_link(chain *links, measuring *job, size_t candidate, unsigned worker)
{
    const bool is_mine = candidate >= job->first;
    cn_plane plane;

    cairn_status status = cn_flooder_run(job->flooders[worker], links->sources, links->source_count,
                                         &plane);
    if (status != CAIRN_OK)
        return status;
    if (is_mine)
        note_forward(job, candidate, &plane);
    status = cn_placer_add_row(&links->placer, &plane);
    if (status == CAIRN_OK && is_mine)
        status = measure_reverse(job, candidate, worker);
    return status == CAIRN_OK ? note_done(job, worker) : status;
}

static cairn_status place_and_measure(measuring *job, unsigned worker)
{
    const cn_sample *sample = job->pool->sample;
    const size_t last = job->placed_end - 1;
    chain links = {.sources = NULL};

    cairn_status status = open_chain(&links, job, job->flooders[worker]);
    for (size_t i = 0; i < job->placed_end && status == CAIRN_OK; i++) {
        take_landmarks(&links, sample, cn_candidates_at(job->pool, i));
        status = i < last ? add_link(&links, job, i, worker) : measure_candidate(job, i, worker);
    }
    cn_release(&sample->sites->map->mem, links.sources);
    cn_placer_free(&links.placer);
    return status;
}

/* --------------------------------------------------------------------------------- the whole -- */

/* Farthest-first candidates are the first task, because it is the longest. */
static cairn_status measure_task(void *context, size_t task, unsigned worker)
{
    measuring *job = context;
    if (job->placed_end == 0)
        return measure_candidate(job, job->others_first + task, worker);
    return task == 0 ? place_and_measure(job, worker)
                     : measure_candidate(job, job->others_first + task - 1, worker);
}

static void divide(measuring *job)
{
    const cn_candidates *pool = job->pool;
    const size_t farthest = pool->farthest_count;

    job->first = cn_team_first(pool->sample->team, pool->count);
    job->end = cn_team_end(pool->sample->team, pool->count);
    job->others_first = job->first > farthest ? job->first : farthest;
    if (job->others_first > job->end)
        job->others_first = job->end;
    if (job->first < job->end && job->first < farthest)
        job->placed_end = job->others_first;
    job->flood_count = job->placed_end + job->end - job->others_first;
}

static cairn_status measure_all(measuring *job)
{
    const cn_sample *sample = job->pool->sample;
    cairn_status status = CAIRN_OK;

    for (unsigned i = 0; i < sample->crew.count && status == CAIRN_OK; i++)
        status = cn_flooder_new(sample->sites->map, 32, &job->flooders[i]);
    if (status == CAIRN_OK)
        status = cn_tasks_run(sample->crew, (job->placed_end > 0) + job->end - job->others_first,
                              measure_task, job);
    for (unsigned i = 0; i < sample->crew.count; i++)
        cn_flooder_free(job->flooders[i]);
    return status == CAIRN_OK ? note_end(job) : status;
}

/* What each process has computed goes to all. */
static cairn_status share_measures(cn_candidates *pool, cairn_status status)
{
    const cn_sample *sample = pool->sample;
    cn_team *team = sample->team;

    status = cn_team_agree(team, status);
    if (status == CAIRN_OK && pool->farthest_count)
        status = cn_team_share(team, pool->nodes, sample->part_count * sizeof *pool->nodes,
                               pool->count);
    if (status == CAIRN_OK)
        status = cn_team_share(team, pool->saved,
                               sample->query_count * CN_SAMPLE_WORDS * sizeof *pool->saved,
                               pool->count);
    return status;
}

cairn_status cn_candidates_flood(cn_candidates *pool, const cairn_progress *progress)
{
    measuring job = {.pool = pool, .progress = progress};

    atomic_init(&job.done, 0);
    divide(&job);
    return share_measures(pool, measure_all(&job));
}
