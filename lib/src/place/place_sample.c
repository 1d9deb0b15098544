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

#include "base/watch.h"
#include "flood/flood.h"
#include "place/place_sample.h"

enum { WEIGHT_UNIT = 1024 };

typedef struct sampling {
    cn_sample *sample;
    cn_flooder *flooders[CN_THREADS_MAX];
    uint64_t *marks[CN_THREADS_MAX];
    uint64_t seed;
    size_t first; /* the query of task 0 */
    cn_watch watch;
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
    size_t taken = pair_count < CN_SAMPLE_QUERIES ? pair_count : CN_SAMPLE_QUERIES;
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
    for (size_t i = 0; i < CN_SAMPLE_QUERIES && cell_count; i++) {
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
    }
    sample->part_start[sample->part_count] = sample->query_count;
}

/* ------------------------------------------------------------------------------ cells -- */

typedef struct travel {
    const cairn_map *map;
    const cn_plane *plane;
    cairn_node goal;
    uint32_t goal_x, goal_y;
    cairn_cost length;
    bool is_classic;
} travel;

/* Costs of some cells of a row, out of the plane. */
enum { WINDOW_CELLS = 256 };

typedef struct window {
    cairn_node first;
    uint32_t count;
    uint32_t x, y;
    cairn_cost costs[WINDOW_CELLS];
} window;

static void open_window(window *view, const travel *at, cairn_node node)
{
    const cn_grid *grid = &at->map->grid;
    uint32_t x;

    cn_grid_xy(grid, node, &x, &view->y);
    view->x = x / 32 * 32;
    view->first = node - (x - view->x);
    view->count = grid->width - view->x < WINDOW_CELLS ? grid->width - view->x : WINDOW_CELLS;
    cn_plane_get(at->plane, &(cn_plane_run){.x = view->x,
                                            .y = view->y,
                                            .count = view->count,
                                            .never = CAIRN_UNREACHABLE,
                                            .entries = view->costs});
}

CN_ALWAYS_INLINE cairn_cost base_at(const travel *at, const window *view, cairn_node node)
{
    const uint32_t x = view->x + (node - view->first);
    if (at->is_classic)
        return cn_octile(at->map->metric, x, view->y, at->goal_x, at->goal_y);
    return cn_place_base(at->map, node, at->goal);
}

/* Marks the cells that must be expanded, by a bit each, and counts them. */
static uint32_t mark_cells(const travel *at, const cairn_node *cells, uint32_t count,
                           uint64_t *marks)
{
    window view = {.count = 0};
    uint32_t must = 0;

    memset(marks, 0, ((size_t)count + 63) / 64 * sizeof *marks);
    for (uint32_t i = 0; i < count; i++) {
        const cairn_node node = cells[i];
        if (CN_UNLIKELY(node - view.first >= view.count))
            open_window(&view, at, node);
        const cairn_cost cost = view.costs[node - view.first];
        if (cost >= at->length || at->length - cost <= base_at(at, &view, node))
            continue;
        cn_set_bit(marks, i);
        must++;
    }
    return must;
}

/* Adds every `stride`-th of the marked cells to the sample, after the first `wait` of them; returns
 * how many it has added. */
static uint32_t take_marked(cn_sample *sample, size_t index, const travel *at,
                            const cairn_node *cells, uint32_t count, const uint64_t *marks,
                            uint32_t stride, uint32_t wait)
{
    uint32_t taken = 0;

    for (uint32_t first = 0; first < count; first += 64) {
        uint64_t left = marks[first / 64];
        uint32_t here = cn_count_bits(left);
        for (; wait < here; here -= wait + 1, wait = stride - 1) {
            for (uint32_t skipped = 0; skipped < wait; skipped++)
                left &= left - 1;
            const cairn_node node = cells[first + cn_lowest_bit(left)];
            const size_t place = index * CN_SAMPLE_CELLS + taken++;
            sample->cells[place] = node;
            sample->needed[place] = at->length - cn_plane_cost_of(at->plane, at->map, node);
            left &= left - 1;
        }
        wait -= here;
    }
    return taken;
}

/* Samples the cells that must be expanded evenly. `marks` has a bit for each cell. */
static void take_cells(cn_sample *sample, size_t index, const travel *at, uint64_t seed,
                       uint64_t *marks)
{
    const cn_sites *sites = sample->sites;
    cn_sampled_query *query = &sample->queries[index];
    const cairn_node *cells = sites->cells + sites->first[query->component];
    const uint32_t count = sites->component_size[query->component];
    const uint32_t must = mark_cells(at, cells, count, marks);

    if (must == 0)
        return;
    uint32_t stride = (must + CN_SAMPLE_CELLS - 1) / CN_SAMPLE_CELLS;
    uint32_t wait = cn_rng_below(&(cn_rng){seed + index}, stride);
    query->cell_count = take_marked(sample, index, at, cells, count, marks, stride, wait);
    query->weight = query->cell_count ? (uint64_t)must * WEIGHT_UNIT / query->cell_count : 0;
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
                 .length = cn_plane_cost_of(&plane, map, query->goal),
                 .is_classic = cn_map_is_classic(map)};
    cn_grid_xy(&map->grid, query->goal, &at.goal_x, &at.goal_y);
    if (at.length != CAIRN_UNREACHABLE)
        take_cells(sample, index, &at, job->seed, job->marks[worker]);
    return cn_watch_advance(&job->watch, worker, cn_map_node_count(map)) ? CAIRN_OK
                                                                         : CAIRN_E_CANCELLED;
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

/* What each thread of the crew works with. */
static cairn_status open_tools(sampling *job, unsigned count)
{
    const cairn_map *map = job->sample->sites->map;
    const size_t words = ((size_t)map->grid.open_count + 63) / 64;

    for (unsigned i = 0; i < count; i++) {
        job->marks[i] = cn_array(&map->mem, words + 1, sizeof *job->marks[i]);
        cairn_status status = cn_flooder_new(map, 32, CN_FLOOD_MANY, &job->flooders[i]);
        if (status != CAIRN_OK || !job->marks[i])
            return status != CAIRN_OK ? status : CAIRN_E_MEMORY;
    }
    return CAIRN_OK;
}

static void close_tools(sampling *job, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        cn_release(&job->sample->sites->map->mem, job->marks[i]);
        cn_flooder_free(job->flooders[i]);
    }
}

static void number_words(cn_sample *sample)
{
    sample->word_count = 0;
    for (size_t i = 0; i < sample->query_count; i++) {
        sample->queries[i].first_word = (uint32_t)sample->word_count;
        sample->word_count += (sample->queries[i].cell_count + 63) / 64;
    }
}

static cairn_status sample_cells(cn_sample *sample, uint64_t seed, const cairn_progress *progress)
{
    const size_t first = cn_team_first(sample->team, sample->query_count);
    const size_t end = cn_team_end(sample->team, sample->query_count);
    const uint64_t node_count = cn_map_node_count(sample->sites->map);
    sampling job = {.sample = sample, .seed = seed, .first = first};
    cairn_status status = open_tools(&job, sample->crew.count);
    const uint64_t total = (end - first) * node_count;

    cn_watch_init(&job.watch, progress);
    if (status == CAIRN_OK && total && !cn_watch_stage(&job.watch, "queries", total))
        status = CAIRN_E_CANCELLED; /* which the processes agree on */
    if (status == CAIRN_OK)
        status = cn_tasks_run(sample->crew, end - first, sample_query, &job);
    close_tools(&job, sample->crew.count);
    status = share_cells(sample, status);
    number_words(sample);
    return status;
}

cairn_status cn_sample_init(cn_sample *sample, const cn_sites *sites,
                            const cairn_build_options *options, cn_team *team)
{
    const cn_mem *mem = &sites->map->mem;
    size_t places = (size_t)CN_SAMPLE_QUERIES * CN_SAMPLE_CELLS;

    memset(sample, 0, sizeof *sample);
    sample->sites = sites;
    sample->team = team;
    sample->crew = cn_tasks_crew(&sites->map->pool, options->thread_count, CN_SAMPLE_QUERIES,
                                 (uint64_t)cn_map_node_count(sites->map) * CN_SAMPLE_QUERIES);
    sample->queries = cn_zeroed(mem, CN_SAMPLE_QUERIES, sizeof *sample->queries);
    sample->cells = cn_zeroed(mem, places, sizeof *sample->cells);
    sample->needed = cn_zeroed(mem, places, sizeof *sample->needed);
    sample->parts = cn_zeroed(mem, CN_SAMPLE_QUERIES, sizeof *sample->parts);
    sample->part_start = cn_zeroed(mem, CN_SAMPLE_QUERIES + 1, sizeof *sample->part_start);
    cairn_status status = CAIRN_E_MEMORY;
    if (sample->queries && sample->cells && sample->needed && sample->parts && sample->part_start) {
        take_pairs(sample, options->pairs, options->pair_count);
        if (sample->query_count == 0)
            draw_pairs(sample, options->seed);
        form_parts(sample);
        status = sample_cells(sample, options->seed, options->progress);
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
