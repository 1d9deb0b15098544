/*
 * A sample of the work of A*: queries, and for each some of the cells that A* expands with the base
 * heuristic. With a consistent bound A* expands every cell v with
 *
 *     cost(start, v) + bound(v, goal) < cost(start, goal)
 *
 * and otherwise only some cells where both sides are equal (Dechter and Pearl, "Generalized
 * best-first search strategies and the optimality of A*", 1985). So a landmark L saves v as soon as
 * |cost(L, v) - cost(L, goal)| reaches the bound that is needed. The number of cells that a set of
 * landmarks saves is a coverage function: each landmark saves less the more there are
 * (submodularity).
 */
#include <stdlib.h>
#include <string.h>

#include "place/place_plan.h"
#include "base/tasks.h"

enum { SAMPLE_QUERIES = 256, WEIGHT_UNIT = 1024 };

typedef struct sampling {
    cn_sample *sample;
    cn_flooder *flooders[CN_THREADS_MAX];
    uint64_t seed;
    size_t first; /* the query of task 0 */
} sampling;

/* ---------------------------------------------------------------------------- queries -- */

static bool add_query(cn_sample *sample, cairn_node start, cairn_node goal)
{
    const cn_sites *sites = sample->sites;
    if (!cairn_map_is_open(sites->map, start) || !cairn_map_is_open(sites->map, goal) ||
        sites->component[start] != sites->component[goal])
        return false;
    sample->queries[sample->query_count++] =
        (cn_sampled_query){.start = start, .goal = goal, .component = sites->component[start]};
    return true;
}

static void take_pairs(cn_sample *sample, const cairn_query *pairs, size_t pair_count)
{
    size_t taken = pair_count < SAMPLE_QUERIES ? pair_count : SAMPLE_QUERIES;
    for (size_t i = 0; i < taken; i++) {
        const cairn_query *pair = &pairs[i * pair_count / taken];
        add_query(sample, pair->start, pair->goal);
    }
}

static void draw_pairs(cn_sample *sample, uint64_t seed)
{
    const cn_sites *sites = sample->sites;
    uint32_t cell_count = sites->first[sites->component_count];
    cn_rng rng = {seed ^ 0x7061697273u};
    for (size_t i = 0; i < SAMPLE_QUERIES && cell_count; i++) {
        cairn_node start = sites->cells[cn_rng_below(&rng, cell_count)];
        add_query(sample, start, cn_sites_draw(sites, sites->component[start], &rng));
    }
}

static int by_component(const void *a_, const void *b_)
{
    const cn_sampled_query *a = a_, *b = b_;
    if (a->component != b->component)
        return a->component < b->component ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->goal > b->goal) - (a->goal < b->goal);
}

static void form_parts(cn_sample *sample)
{
    qsort(sample->queries, sample->query_count, sizeof *sample->queries, by_component);
    for (size_t i = 0; i < sample->query_count; i++) {
        cn_sampled_query *query = &sample->queries[i];
        if (i == 0 || query->component != query[-1].component) {
            sample->parts[sample->part_count] = query->component;
            sample->part_start[sample->part_count++] = i;
        }
        query->part = sample->part_count - 1;
    }
    sample->part_start[sample->part_count] = sample->query_count;
}

/* ------------------------------------------------------------------------------ cells -- */

static cairn_cost cost_at(const cn_plane *plane, const cn_grid *grid, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    return cn_plane_at(plane, x, y);
}

typedef struct travel {
    const cairn_map *map;
    const cn_plane *plane;
    cairn_node goal;
    cairn_cost length;
} travel;

/* The bound with which the cell is not expanded; 0 where the base heuristic is enough. */
static cairn_cost needed_at(const travel *at, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(&at->map->grid, node, &x, &y);
    cairn_cost cost = cn_plane_at(at->plane, x, y);
    if (cost >= at->length)
        return 0;
    cairn_cost needed = at->length - cost;
    return needed > cn_place_base(at->map, node, at->goal) ? needed : 0;
}

/* Counts the cells that must be expanded, then samples some of them evenly. */
static void take_cells(cn_sample *sample, size_t index, const travel *at, uint64_t seed)
{
    const cn_sites *sites = sample->sites;
    cn_sampled_query *query = &sample->queries[index];
    const cairn_node *cells = sites->cells + sites->first[query->component];
    uint32_t cell_count = sites->component_size[query->component];
    uint32_t must = 0, taken = 0;

    for (uint32_t i = 0; i < cell_count; i++)
        must += needed_at(at, cells[i]) > 0;
    if (must == 0)
        return;
    uint32_t stride = (must + CN_SAMPLE_CELLS - 1) / CN_SAMPLE_CELLS;
    uint32_t wait = cn_rng_below(&(cn_rng){seed + index}, stride);
    for (uint32_t i = 0; i < cell_count; i++) {
        cairn_cost needed = needed_at(at, cells[i]);
        if (needed == 0 || wait-- > 0)
            continue;
        wait = stride - 1;
        sample->cells[index * CN_SAMPLE_CELLS + taken] = cells[i];
        sample->needed[index * CN_SAMPLE_CELLS + taken++] = needed;
    }
    query->cell_count = taken;
    query->weight = taken ? (uint64_t)must * WEIGHT_UNIT / taken : 0;
}

static cairn_status sample_query(void *context, size_t task, unsigned worker)
{
    sampling *job = context;
    cn_sample *sample = job->sample;
    const cairn_map *map = sample->sites->map;
    const size_t index = job->first + task;
    cn_sampled_query *query = &sample->queries[index];
    cn_plane plane;

    cairn_status status = cn_flooder_run(job->flooders[worker], &query->start, 1, &plane);
    if (status != CAIRN_OK)
        return status;
    travel at = {.map = map,
                 .plane = &plane,
                 .goal = query->goal,
                 .length = cost_at(&plane, &map->grid, query->goal)};
    if (at.length != CAIRN_UNREACHABLE)
        take_cells(sample, index, &at, job->seed);
    return CAIRN_OK;
}

/* What each process has found goes to all. */
static cairn_status share_cells(cn_sample *sample, cairn_status status)
{
    const size_t count = sample->query_count;
    cn_team *team = sample->team;

    status = cn_team_agree(team, status);
    if (status == CAIRN_OK)
        status = cn_team_share(team, sample->queries, sizeof *sample->queries, count);
    if (status == CAIRN_OK)
        status = cn_team_share(team, sample->cells, CN_SAMPLE_CELLS * sizeof *sample->cells, count);
    if (status == CAIRN_OK)
        status = cn_team_share(team, sample->needed, CN_SAMPLE_CELLS * sizeof *sample->needed,
                               count);
    return status;
}

static cairn_status sample_cells(cn_sample *sample, uint64_t seed)
{
    const size_t first = cn_team_first(sample->team, sample->query_count);
    const size_t end = cn_team_end(sample->team, sample->query_count);
    sampling job = {.sample = sample, .seed = seed, .first = first};
    cairn_status status = CAIRN_OK;

    for (unsigned i = 0; i < sample->crew.count && status == CAIRN_OK; i++)
        status = cn_flooder_new(sample->sites->map, 32, &job.flooders[i]);
    if (status == CAIRN_OK)
        status = cn_tasks_run(sample->crew, end - first, sample_query, &job);
    for (unsigned i = 0; i < sample->crew.count; i++)
        cn_flooder_free(job.flooders[i]);
    return share_cells(sample, status);
}

cairn_status cn_sample_init(cn_sample *sample, const cn_sites *sites,
                            const cairn_build_options *options, cn_team *team)
{
    const cn_mem *mem = &sites->map->mem;
    size_t places = (size_t)SAMPLE_QUERIES * CN_SAMPLE_CELLS;

    memset(sample, 0, sizeof *sample);
    sample->sites = sites;
    sample->team = team;
    sample->crew = cn_tasks_crew(&sites->map->pool, options->thread_count, SAMPLE_QUERIES,
                                 (uint64_t)cn_map_node_count(sites->map) * SAMPLE_QUERIES);
    sample->queries = cn_zeroed(mem, SAMPLE_QUERIES, sizeof *sample->queries);
    sample->cells = cn_zeroed(mem, places, sizeof *sample->cells);
    sample->needed = cn_zeroed(mem, places, sizeof *sample->needed);
    sample->parts = cn_zeroed(mem, SAMPLE_QUERIES, sizeof *sample->parts);
    sample->part_start = cn_zeroed(mem, SAMPLE_QUERIES + 1, sizeof *sample->part_start);
    cairn_status status = CAIRN_E_MEMORY;
    if (sample->queries && sample->cells && sample->needed && sample->parts && sample->part_start) {
        take_pairs(sample, options->pairs, options->pair_count);
        if (sample->query_count == 0)
            draw_pairs(sample, options->seed);
        form_parts(sample);
        status = sample_cells(sample, options->seed);
    }
    if (status != CAIRN_OK)
        cn_sample_free(sample);
    return status;
}

void cn_sample_free(cn_sample *sample)
{
    if (!sample->sites)
        return;
    const cn_mem *mem = &sample->sites->map->mem;
    cn_release(mem, sample->queries);
    cn_release(mem, sample->cells);
    cn_release(mem, sample->needed);
    cn_release(mem, sample->parts);
    cn_release(mem, sample->part_start);
    memset(sample, 0, sizeof *sample);
}
