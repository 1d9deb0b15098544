/*
 * What each candidate saves, by a flood for each. Where each farthest-first candidate is follows
 * from the floods of those before it, so one thread measures them one after another, and places
 * them meanwhile; others measure the rest. The processes of a team share the work likewise.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/watch.h"
#include "place/place.h"
#include "place/place_candidates.h"

/* Of each query: its goal, and its sampled cells. */
enum { PLACES = 1 + CN_SAMPLE_CELLS };

typedef struct measuring {
    cn_candidates *pool;
    const cairn_progress *progress;
    size_t first, end;   /* the candidates of this process */
    size_t placed_end;   /* farthest-first candidates of this process end here, and are placed from
                          * the first of all on; 0: it has none */
    size_t others_first; /* the first of the other candidates of this process */
    size_t flood_count;
    atomic_size_t done; /* how many of the floods are done */
    cn_flooder *flooders[CN_THREADS_MAX];
    uint32_t *places[CN_THREADS_MAX]; /* [query_count][PLACES]: indices in planes of the flooder */
    bool has_places[CN_THREADS_MAX];  /* they are known, from its first flood on */
} measuring;

/* -------------------------------------------------------------------- what a candidate saves -- */

/* Where the goals and sampled cells are in planes, which have all the same layout. */
static void find_places(const cn_sample *sample, const cn_plane *plane, uint32_t *places)
{
    const cn_grid *grid = &sample->sites->map->grid;
    uint32_t x, y;

    for (size_t i = 0; i < sample->query_count; i++, places += PLACES) {
        const cn_sampled_query *query = &sample->queries[i];
        cn_grid_xy(grid, query->goal, &x, &y);
        places[0] = (uint32_t)cn_plane_index(plane, x, y);
        for (uint32_t k = 0; k < query->cell_count; k++) {
            cn_grid_xy(grid, sample->cells[i * CN_SAMPLE_CELLS + k], &x, &y);
            places[k + 1] = (uint32_t)cn_plane_index(plane, x, y);
        }
    }
}

CN_ALWAYS_INLINE cairn_cost cost_in(const cn_plane *plane, uint32_t place)
{
    if (plane->live && !plane->live[place >> (plane->lane_shift + plane->row_shift)])
        return CAIRN_UNREACHABLE;
    const cairn_cost cost = ((const uint32_t *)plane->costs)[place];
    return cost > plane->most ? CAIRN_UNREACHABLE : cost;
}

/* The bound that a landmark gives: costs from it bound by cost of the goal - cost of the cell,
 * costs to it by the reverse difference; where both directions cost the same, by either. */
CN_ALWAYS_INLINE cairn_cost bound_by(cairn_direction way, cairn_cost cost, cairn_cost goal)
{
    if (cost > goal)
        return way == CAIRN_DIRECTION_FROM ? 0 : cost - goal;
    return way == CAIRN_DIRECTION_TO ? 0 : goal - cost;
}

/* Up to 64 sampled cells, a bit each. */
CN_ALWAYS_INLINE uint64_t saved_of(const cn_plane *plane, cairn_direction way, cairn_cost goal,
                                   const uint32_t *places, const cairn_cost *needed, uint32_t count)
{
    uint64_t saved = 0;
    for (uint32_t k = 0; k < count; k++)
        saved |= (uint64_t)(bound_by(way, cost_in(plane, places[k]), goal) >= needed[k]) << k;
    return saved;
}

/* `way` is a constant. */
CN_ALWAYS_INLINE void note_way(const cn_sample *sample, const uint32_t *places,
                               const cn_plane *plane, cairn_direction way, uint64_t *saved)
{
    const cairn_cost *needed = sample->needed;

    for (size_t i = 0; i < sample->query_count; i++) {
        const uint32_t count = sample->queries[i].cell_count;
        const cairn_cost goal = cost_in(plane, places[0]);
        for (uint32_t k = 0; k < count; k += 64)
            *saved++ |= saved_of(plane, way, goal, places + 1 + k, needed + k,
                                 count - k < 64 ? count - k : 64);
        places += PLACES;
        needed += CN_SAMPLE_CELLS;
    }
}

static void note_saved(measuring *job, size_t candidate, unsigned worker, const cn_plane *plane,
                       cairn_direction way)
{
    const cn_sample *sample = job->pool->sample;
    uint64_t *saved = cn_candidates_saved(job->pool, candidate);
    uint32_t *places = job->places[worker];

    CN_ASSERT(plane->bits == 32);
    if (!job->has_places[worker])
        find_places(sample, plane, places);
    job->has_places[worker] = true;
    switch (way) {
    case CAIRN_DIRECTION_FROM: note_way(sample, places, plane, CAIRN_DIRECTION_FROM, saved); break;
    case CAIRN_DIRECTION_TO: note_way(sample, places, plane, CAIRN_DIRECTION_TO, saved); break;
    default: note_way(sample, places, plane, CAIRN_DIRECTION_BOTH, saved); break;
    }
}

/* The costs from the candidate are in the plane. */
static void note_forward(measuring *job, size_t candidate, unsigned worker, const cn_plane *plane)
{
    const bool is_directed = cn_map_is_directed(job->pool->sample->sites->map);
    note_saved(job, candidate, worker, plane,
               is_directed ? CAIRN_DIRECTION_FROM : CAIRN_DIRECTION_BOTH);
}

/* On directed maps, the costs to the candidate, too. */
static cairn_status measure_reverse(measuring *job, size_t candidate, unsigned worker)
{
    const cn_sample *sample = job->pool->sample;
    cn_plane plane;

    if (!cn_map_is_directed(sample->sites->map))
        return CAIRN_OK;
    cairn_status status = cn_flooder_run_back(
        job->flooders[worker], cn_candidates_at(job->pool, candidate), sample->part_count, &plane);
    if (status == CAIRN_OK)
        note_saved(job, candidate, worker, &plane, CAIRN_DIRECTION_TO);
    return status;
}

/* Counts a measured candidate and reports it, unless it is the last one: note_end reports that. */
static cairn_status note_done(measuring *job, unsigned worker)
{
    const size_t done = atomic_fetch_add(&job->done, 1) + 1;
    return worker > 0 || done == job->flood_count ||
                   cn_progress_goes_on(job->progress, "candidates", done, job->flood_count)
               ? CAIRN_OK
               : CAIRN_E_CANCELLED;
}

static cairn_status note_end(const measuring *job)
{
    const size_t all = job->flood_count;
    return all == 0 || cn_progress_goes_on(job->progress, "candidates", all, all)
               ? CAIRN_OK
               : CAIRN_E_CANCELLED;
}

static cairn_status measure_candidate(measuring *job, size_t candidate, unsigned worker)
{
    cn_plane plane;

    cairn_status status = cn_flooder_run(job->flooders[worker],
                                         cn_candidates_at(job->pool, candidate),
                                         job->pool->sample->part_count, &plane);
    if (status != CAIRN_OK)
        return status;
    note_forward(job, candidate, worker, &plane);
    status = measure_reverse(job, candidate, worker);
    return status == CAIRN_OK ? note_done(job, worker) : status;
}

/* ----------------------------------------------------------------- farthest-first candidates -- */

/* The landmarks that CAIRN_PLACE_FARTHEST chooses with this seed (see place.h). */
void cn_candidates_begin_with_farthest(cn_candidates *pool, size_t count, uint64_t seed)
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
        note_forward(job, candidate, worker, &plane);
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

static cairn_status open_flooder(measuring *job, unsigned worker)
{
    const cn_sample *sample = job->pool->sample;
    const cairn_map *map = sample->sites->map;

    job->places[worker] = cn_array(&map->mem, sample->query_count * PLACES,
                                   sizeof *job->places[worker]);
    return job->places[worker] ? cn_flooder_new(map, 32, CN_FLOOD_MANY, &job->flooders[worker])
                               : CAIRN_E_MEMORY;
}

static cairn_status measure_all(measuring *job)
{
    const cn_sample *sample = job->pool->sample;
    cairn_status status = CAIRN_OK;

    for (unsigned i = 0; i < sample->crew.count && status == CAIRN_OK; i++)
        status = open_flooder(job, i);
    if (status == CAIRN_OK)
        status = cn_tasks_run(sample->crew, (job->placed_end > 0) + job->end - job->others_first,
                              measure_task, job);
    for (unsigned i = 0; i < sample->crew.count; i++) {
        cn_flooder_free(job->flooders[i]);
        cn_release(&sample->sites->map->mem, job->places[i]);
    }
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
        status = cn_team_share(team, pool->saved, sample->word_count * sizeof *pool->saved,
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
