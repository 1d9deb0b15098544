#include <string.h>

#include "bound.h"
#include "search_core.h"

struct cairn_search {
    const cairn_map *map;
    const cairn_table *table;
    cairn_search_options options;
    cn_mem mem;
    cairn_metric metric;      /* of the map when the open list was made */
    cn_scratch scratch;
    void *nodes;              /* the last path */
    size_t node_capacity;
};

static cn_arc_span grid_arcs(const void *graph, cairn_node node, unsigned arrival, cn_arc *scratch)
{
    const cairn_map *map = graph;
    const cn_grid *grid = &map->grid;
    unsigned steps = grid->moves[grid->around[node]];
    size_t count = 0;

    (void)arrival;
    for (; steps; steps &= steps - 1) {
        unsigned direction = cn_lowest_bit(steps);
        scratch[count].to = node + (cairn_node)grid->offset[direction];
        scratch[count].cost = direction < CN_STRAIGHT ? map->metric.straight
                                                      : map->metric.diagonal;
        scratch[count].arrival = 0;
        count++;
    }
    return (cn_arc_span){scratch, count};
}

/* Any map: terrain, hexagons, graphs. */
static cn_arc_span any_arcs(const void *graph, cairn_node node, unsigned arrival, cn_arc *scratch)
{
    (void)arrival;
    return cn_map_arcs(graph, node, CN_FORWARD, scratch);
}

static cairn_cost any_bound(const void *context, cairn_node node)
{
    return cairn_bound_at(context, node);
}

static cairn_cost plain_bound(const void *context, cairn_node node)
{
    return cn_bound_plain(context, node);
}

static cairn_cost larger(cairn_cost a, cairn_cost b)
{
    return a > b ? a : b;
}

static cairn_cost bound_16(const void *context, cairn_node node)
{
    return larger(cn_bound_table(context, node, 16), cn_bound_plain(context, node));
}

static cairn_cost bound_32(const void *context, cairn_node node)
{
    return larger(cn_bound_table(context, node, 32), cn_bound_plain(context, node));
}

static cairn_cost own_bound(const void *context, cairn_node node)
{
    const cairn_search_options *options = context;
    cairn_cost bound = options->bound(options->bound_context, node);
    return bound > CAIRN_COST_MAX ? CAIRN_UNREACHABLE : bound;
}

#define DEFINE_SEARCH(name, arcs_of, bound_of, open_kind)                                        \
    static CN_NOINLINE cairn_status name(const cairn_map *map, const void *context,              \
                                         cn_scratch *scratch, cairn_node start, cairn_node goal, \
                                         cairn_cost *cost)                                       \
    {                                                                                            \
        static const cn_space space = {.arcs = arcs_of, .bound = bound_of, .open = open_kind};   \
        return cn_search_core(&space, map, context, scratch, start, 0, goal, cost);              \
    }

DEFINE_SEARCH(search_plain, grid_arcs, plain_bound, CN_OPEN_BUCKETS)
DEFINE_SEARCH(search_plain_wide, grid_arcs, plain_bound, CN_OPEN_HEAP)
DEFINE_SEARCH(search_16, grid_arcs, bound_16, CN_OPEN_BUCKETS)
DEFINE_SEARCH(search_16_wide, grid_arcs, bound_16, CN_OPEN_HEAP)
DEFINE_SEARCH(search_32, grid_arcs, bound_32, CN_OPEN_BUCKETS)
DEFINE_SEARCH(search_32_wide, grid_arcs, bound_32, CN_OPEN_HEAP)
DEFINE_SEARCH(search_any, any_arcs, any_bound, CN_OPEN_BUCKETS)
DEFINE_SEARCH(search_any_wide, any_arcs, any_bound, CN_OPEN_HEAP)
DEFINE_SEARCH(search_own, any_arcs, own_bound, CN_OPEN_HEAP)

typedef cairn_status (*searcher)(const cairn_map *, const void *, cn_scratch *, cairn_node,
                                 cairn_node, cairn_cost *);

static searcher choose_searcher(const cairn_search *search)
{
    bool wide = search->scratch.open.bucket_count == 0;
    if (search->options.bound)
        return search_own;
    if (!cn_map_is_uniform(search->map))
        return wide ? search_any_wide : search_any;
    if (!search->table)
        return wide ? search_plain_wide : search_plain;
    if (search->table->entry_bits == 16)
        return wide ? search_16_wide : search_16;
    return wide ? search_32_wide : search_32;
}

/* With a consistent bound, f rises by at most twice the dearest step; the caller's own bound is
 * taken at its word, but only a heap is safe when the word is broken. */
static uint32_t buckets_for(const cairn_search *search)
{
    if (search->options.bound)
        return 0;
    return cn_open_buckets_for(2 * (uint64_t)cn_map_dearest(search->map));
}

cairn_status cairn_search_new(const cairn_map *map, const cairn_table *table,
                              const cairn_search_options *options, cairn_search **search)
{
    cairn_search_options known;

    if (!map || !search)
        return CAIRN_E_ARGUMENT;
    *search = NULL;
    if (!cn_options_copy(&known, sizeof known, options))
        return CAIRN_E_ARGUMENT;
    if (table && !cn_table_fits(table, map))
        return CAIRN_E_MISMATCH;
    cn_mem mem = known.allocator ? cn_mem_from(known.allocator) : map->mem;
    cairn_search *made = cn_zeroed(&mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->map = map;
    made->table = table;
    made->options = known;
    made->mem = mem;
    made->metric = map->metric;
    made->scratch.records = cn_zeroed(&mem, cn_map_node_count(map), sizeof(cn_record));
    cairn_status status = cn_open_init(&made->scratch.open, &mem, buckets_for(made));
    if (status == CAIRN_OK && !made->scratch.records)
        status = CAIRN_E_MEMORY;
    if (status != CAIRN_OK) {
        cairn_search_free(made);
        return status;
    }
    *search = made;
    return CAIRN_OK;
}

void cairn_search_free(cairn_search *search)
{
    if (!search)
        return;
    cn_mem mem = search->mem;
    cn_open_free(&search->scratch.open);
    cn_release(&mem, search->scratch.records);
    cn_release(&mem, search->nodes);
    cn_release(&mem, search);
}

/* After 2^32 - 1 searches the stamps begin anew. */
static void next_stamp(cairn_search *search)
{
    cn_scratch *scratch = &search->scratch;
    if (++scratch->stamp != 0)
        return;
    memset(scratch->records, 0, cn_map_node_count(search->map) * sizeof *scratch->records);
    scratch->stamp = 1;
}

static bool is_diagonal(const cn_grid *grid, cairn_node a, cairn_node b)
{
    uint32_t ax, ay, bx, by;
    cn_grid_xy(grid, a, &ax, &ay);
    cn_grid_xy(grid, b, &bx, &by);
    return ax != bx && ay != by;
}

/* Straight and diagonal steps are counted apart and added once, so that rounding does not depend
 * on their order. */
static double path_length(const cairn_map *map, const cairn_path *path)
{
    static const double root_2 = 1.41421356237309504880;
    size_t steps = path->node_count - 1, diagonal = 0;
    if (map->roads)
        return path->cost;
    if (map->grid.rules.rule == CAIRN_RULE_HEX)
        return (double)steps;
    for (size_t i = 1; i <= steps; i++)
        diagonal += is_diagonal(&map->grid, path->nodes[i - 1], path->nodes[i]);
    return (double)(steps - diagonal) + root_2 * (double)diagonal;
}

static cairn_status trace(cairn_search *search, cairn_node goal, cairn_path *path)
{
    const cn_record *records = search->scratch.records;
    size_t count = 0;

    for (cairn_node node = goal; node != CAIRN_NO_NODE; node = records[node].parent)
        count++;
    if (!cn_grow(&search->mem, &search->nodes, &search->node_capacity, 0, count,
                 sizeof(cairn_node)))
        return CAIRN_E_MEMORY;

    cairn_node *nodes = search->nodes, node = goal;
    for (size_t i = count; i-- > 0; node = records[node].parent)
        nodes[i] = node;
    path->nodes = nodes;
    path->node_count = count;
    path->length = path_length(search->map, path);
    return CAIRN_OK;
}

static cairn_status run_between(cairn_search *search, cairn_node start, cairn_node goal,
                                cairn_path *path)
{
    cn_scratch *scratch = &search->scratch;
    const void *context = &search->options;
    cairn_bound bound;

    if (!search->options.bound) {
        cairn_status status = cairn_bound_to(search->map, search->table, goal, &bound);
        if (status != CAIRN_OK)
            return status;
        context = &bound;
    }
    next_stamp(search);
    cairn_status status = choose_searcher(search)(search->map, context, scratch, start, goal,
                                                  &path->cost);
    path->expanded = scratch->expanded;
    path->generated = scratch->generated;
    path->open_peak = scratch->open.peak;
    if (status != CAIRN_OK || path->cost == CAIRN_UNREACHABLE)
        return status;
    path->outcome = CAIRN_PATH_FOUND;
    return trace(search, goal, path);
}

cairn_status cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                              cairn_path *path)
{
    if (!search || !path)
        return CAIRN_E_ARGUMENT;
    *path = (cairn_path){.outcome = CAIRN_PATH_NONE, .cost = CAIRN_UNREACHABLE};

    const cairn_map *map = search->map;
    if (start >= cn_map_node_count(map) || goal >= cn_map_node_count(map))
        return CAIRN_E_ARGUMENT;
    if (search->metric.straight != map->metric.straight ||
        search->metric.diagonal != map->metric.diagonal)
        return CAIRN_E_MISMATCH;
    if (!cn_grid_is_open(&map->grid, start)) {
        path->outcome = CAIRN_PATH_START_BLOCKED;
        return CAIRN_OK;
    }
    if (!cn_grid_is_open(&map->grid, goal)) {
        path->outcome = CAIRN_PATH_GOAL_BLOCKED;
        return CAIRN_OK;
    }
    if (search->table && cn_bound_separates(search->table, start, goal))
        return CAIRN_OK;

    cairn_status status = run_between(search, start, goal, path);
    if (status != CAIRN_OK)
        *path = (cairn_path){.outcome = CAIRN_PATH_NONE, .cost = CAIRN_UNREACHABLE};
    return status;
}
