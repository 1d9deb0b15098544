/* Graphs: a map's cells as nodes and arcs, and road networks, beside Dijkstra's algorithm. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flood/flood_engine.h"
#include "kit/graph.h"
#include "kit/kit.h"
#include "map/map.h"
#include "peers/peer.h"
#include "base/rng.h"

enum { SOURCES = 4, LANDMARKS = 16, PAIRS = 1000, CHECKED = 40, REPEATS_MAX = 101 };

/* Whoever the library is measured against. */
static const bench_peer *peer(void)
{
#ifdef BENCH_BOOST
    return &bench_peer_boost;
#else
    return &bench_peer_heap;
#endif
}

/* A peer with its graph, and room for its costs. */
typedef struct rival {
    const bench_peer *peer;
    void *state;
    double *costs;
} rival;

static bool rival_init(rival *one, const bench_peer *chosen, const bench_graph *graph)
{
    one->peer = chosen;
    one->state = chosen->create(graph);
    one->costs = malloc(((size_t)graph->node_count + 1) * sizeof *one->costs);
    return one->state && one->costs;
}

static void rival_run(const rival *one, uint32_t source)
{
    one->peer->run(one->state, source, one->costs);
}

static void rival_free(rival *one)
{
    if (one->state)
        one->peer->destroy(one->state);
    free(one->costs);
}

static bool same_cost(cairn_cost cost, double of_peer)
{
    return cost == CAIRN_UNREACHABLE ? of_peer > CAIRN_COST_MAX : of_peer == (double)cost;
}

/* ------------------------------------------------------------------------ cells as a graph -- */

/* Floods of the same graph by the library and by a peer. */
typedef struct contest {
    rival against;
    cn_flooder *flooder;
    double seconds[2][REPEATS_MAX]; /* of the library and of the peer, for all sources */
} contest;

enum { BY_COST, BY_STEPS, CONTESTS };

typedef struct cells_bench {
    cairn_map *grid;
    cairn_map *graph_map;
    bench_graph graph;          /* costs in the metric of the grid */
    contest contests[CONTESTS]; /* all steps at cost 1: only where there is a peer */
    cairn_node cells[SOURCES];
    cairn_cost *by_grid;  /* costs by cell */
    cairn_cost *by_graph; /* costs by node */
    size_t wrong;
} cells_bench;

static cairn_status make_graph_map(cells_bench *bench)
{
    bench_graph *graph = &bench->graph;
    cairn_metric metric = cairn_map_metric(bench->grid);
    cairn_arc *arcs = malloc(((size_t)graph->arc_count + 1) * sizeof *arcs);
    if (!arcs)
        return CAIRN_E_MEMORY;
    for (uint32_t node = 0; node < graph->node_count; node++) {
        for (uint32_t i = graph->arc_start[node]; i < graph->arc_start[node + 1]; i++) {
            cairn_cost cost = graph->arc_cost[i] > 1 ? metric.diagonal : metric.straight;
            graph->arc_cost[i] = cost;
            arcs[i] = (cairn_arc){node, graph->arc_target[i], cost};
        }
    }
    cairn_status status = cairn_map_from_arcs(graph->node_count, arcs, graph->arc_count, NULL, NULL,
                                              NULL, &bench->graph_map, NULL);
    free(arcs);
    return status;
}

static cairn_status open_contests(cells_bench *bench)
{
    contest *costs = &bench->contests[BY_COST];
    if (!rival_init(&costs->against, peer(), &bench->graph))
        return CAIRN_E_MEMORY;
    cairn_status status = cn_flooder_new(bench->graph_map, 32, CN_FLOOD_MANY, &costs->flooder);
#ifdef BENCH_BOOST
    contest *steps = &bench->contests[BY_STEPS];
    const cairn_map *step_map;
    if (!rival_init(&steps->against, &bench_peer_boost_breadth, &bench->graph))
        return CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = cn_map_step_map(bench->graph_map, (cairn_metric){1, 1}, &step_map);
    if (status == CAIRN_OK)
        status = cn_flooder_new(step_map, 32, CN_FLOOD_MANY, &steps->flooder);
#endif
    return status;
}

static cairn_status open_cells(cells_bench *bench)
{
    if (bench_graph_init(&bench->graph, bench->grid) != 0)
        return CAIRN_E_MEMORY;
    cairn_status status = make_graph_map(bench);
    if (status != CAIRN_OK)
        return status;
    bench->by_grid = malloc(cairn_map_node_count(bench->grid) * sizeof *bench->by_grid);
    bench->by_graph = malloc(((size_t)bench->graph.node_count + 1) * sizeof *bench->by_graph);
    if (!bench->by_grid || !bench->by_graph)
        return CAIRN_E_MEMORY;
    cn_rng rng = {1};
    for (size_t i = 0; i < SOURCES; i++) {
        do
            bench->cells[i] = cn_rng_below(&rng, cairn_map_node_count(bench->grid));
        while (!cairn_map_is_open(bench->grid, bench->cells[i]));
    }
    return open_contests(bench);
}

/* Grid, graph and peer must have the same costs. */
static cairn_status check_cells(cells_bench *bench)
{
    const uint32_t *node_of = bench->graph.node_of_cell;
    const rival *against = &bench->contests[BY_COST].against;
    for (size_t i = 0; i < SOURCES; i++) {
        cairn_node source = node_of[bench->cells[i]];
        cairn_status status = cairn_costs_from(bench->grid, &bench->cells[i], 1, bench->by_grid);
        if (status == CAIRN_OK)
            status = cairn_costs_from(bench->graph_map, &source, 1, bench->by_graph);
        if (status != CAIRN_OK)
            return status;
        rival_run(against, source);
        for (cairn_node cell = 0; cell < cairn_map_node_count(bench->grid); cell++) {
            uint32_t node = node_of[cell];
            if (node != UINT32_MAX)
                bench->wrong += bench->by_graph[node] != bench->by_grid[cell] ||
                                !same_cost(bench->by_graph[node], against->costs[node]);
        }
    }
    return CAIRN_OK;
}

static cairn_status check_steps(cells_bench *bench)
{
    const contest *held = &bench->contests[BY_STEPS];
    for (size_t i = 0; i < SOURCES && held->flooder; i++) {
        cairn_node source = bench->graph.node_of_cell[bench->cells[i]];
        cn_plane plane;
        cairn_status status = cn_flooder_run(held->flooder, &source, 1, &plane);
        if (status != CAIRN_OK)
            return status;
        rival_run(&held->against, source);
        for (uint32_t node = 0; node < bench->graph.node_count; node++)
            bench->wrong += !same_cost(cn_plane_at(&plane, node, 0), held->against.costs[node]);
    }
    return CAIRN_OK;
}

static void time_contest(const cells_bench *bench, contest *held, unsigned round)
{
    const uint32_t *node_of = bench->graph.node_of_cell;
    double started = bench_now();
    for (size_t i = 0; i < SOURCES && held->flooder; i++) {
        cn_plane plane;
        (void)cn_flooder_run(held->flooder, &node_of[bench->cells[i]], 1, &plane);
    }
    double middle = bench_now();
    for (size_t i = 0; i < SOURCES && held->flooder; i++)
        rival_run(&held->against, node_of[bench->cells[i]]);
    held->seconds[0][round] = middle - started;
    held->seconds[1][round] = bench_now() - middle;
}

static void print_contest(const bench_options *options, const cells_bench *bench, contest *held,
                          const char *what)
{
    double nodes = (double)SOURCES * bench->graph.node_count;
    double own = 1e9 * bench_median(held->seconds[0], options->repeat) / nodes;
    double other = 1e9 * bench_median(held->seconds[1], options->repeat) / nodes;
    if (!held->flooder)
        return;
    printf(options->json ? ",\"%s\":{\"engine\":\"%s\",\"ns_per_node\":%.2f,\"peer\":\"%s\","
                           "\"peer_ns_per_node\":%.2f,\"ratio\":%.2f}"
                         : "  %s: %s %.2f ns per node, %s %.2f, %.1f times faster\n",
           what, cn_flooder_engine(held->flooder), own, held->against.peer->name, other,
           other / own);
}

static void print_cells(const bench_options *options, cells_bench *bench, const char *name,
                        bool first)
{
    printf(options->json ? "%s{\"graph\":\"%s\",\"nodes\":%u,\"arcs\":%u,\"wrong\":%zu"
                         : "%s\n%s as a graph: %u nodes, %u arcs; %zu wrong costs\n",
           options->json && !first ? "," : "", name, bench->graph.node_count,
           bench->graph.arc_count, bench->wrong);
    print_contest(options, bench, &bench->contests[BY_COST], "costs");
    print_contest(options, bench, &bench->contests[BY_STEPS], "steps");
    if (options->json)
        printf("}");
    fflush(stdout);
}

static int bench_cells(const bench_options *options, const char *name, bool first)
{
    cells_bench *bench = calloc(1, sizeof *bench);
    cairn_status status = bench ? CAIRN_E_IO : CAIRN_E_MEMORY;

    if (bench)
        bench->grid = bench_load_map(options, name, (cairn_metric){0, 0});
    if (bench && bench->grid)
        status = open_cells(bench);
    if (status == CAIRN_OK)
        status = check_cells(bench);
    if (status == CAIRN_OK)
        status = check_steps(bench);
    for (unsigned i = 0; i < options->repeat * CONTESTS && status == CAIRN_OK; i++)
        time_contest(bench, &bench->contests[i % CONTESTS], i / CONTESTS);
    if (status == CAIRN_OK)
        print_cells(options, bench, name, first);
    int code = status == CAIRN_OK ? bench->wrong > 0 : bench_failed(name, status);
    if (!bench)
        return code;
    for (unsigned i = 0; i < CONTESTS; i++) {
        cn_flooder_free(bench->contests[i].flooder);
        rival_free(&bench->contests[i].against);
    }
    bench_graph_free(&bench->graph);
    cairn_map_free(bench->graph_map);
    cairn_map_free(bench->grid);
    free(bench->by_grid);
    free(bench->by_graph);
    free(bench);
    return code;
}

/* ------------------------------------------------------------------------------------ roads -- */

static const char *const WAYS[] = {"no bound", "coordinates", "landmarks"};
enum { WAY_COUNT = 3 };

typedef struct roads_bench {
    cairn_map *map;
    bench_graph graph;
    rival against;
    cairn_table *table;
    cairn_node pairs[PAIRS][2];
    cairn_search *search[WAY_COUNT];
    cairn_cost costs[PAIRS]; /* by the first way */
    uint64_t expanded[WAY_COUNT];
    size_t wrong;
    double build[2][REPEATS_MAX]; /* seconds: a table; as many floods of the peer */
    double queries[WAY_COUNT][REPEATS_MAX];
} roads_bench;

static cairn_status take_graph(roads_bench *bench)
{
    const cn_graph *roads = bench->map->graph;
    bench_graph *graph = &bench->graph;
    uint32_t used = 0;

    graph->node_count = roads->node_count;
    graph->arc_start = malloc(((size_t)roads->node_count + 1) * sizeof *graph->arc_start);
    graph->arc_target = malloc(((size_t)roads->arc_count + 1) * sizeof *graph->arc_target);
    graph->arc_cost = malloc(((size_t)roads->arc_count + 1) * sizeof *graph->arc_cost);
    if (!graph->arc_start || !graph->arc_target || !graph->arc_cost)
        return CAIRN_E_MEMORY;
    for (cairn_node node = 0; node < roads->node_count; node++) {
        cn_arc_span span = cn_graph_out(roads, node);
        graph->arc_start[node] = used;
        for (size_t i = 0; i < span.count; i++, used++) {
            graph->arc_target[used] = span.arcs[i].to;
            graph->arc_cost[used] = span.arcs[i].cost;
        }
    }
    graph->arc_start[roads->node_count] = graph->arc_count = used;
    return rival_init(&bench->against, peer(), graph) ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status build_table(roads_bench *bench, double *seconds)
{
    cairn_build_options options = {.size = sizeof options,
                                   .landmark_count = LANDMARKS,
                                   .thread_count = 1,
                                   .placement = CAIRN_PLACE_FARTHEST};
    cairn_table_free(bench->table);
    double started = bench_now();
    cairn_status status = cairn_table_build(bench->map, &options, &bench->table);
    *seconds = bench_now() - started;
    return status;
}

static cairn_status open_searches(roads_bench *bench)
{
    cairn_status status = CAIRN_OK;
    for (unsigned way = 0; way < WAY_COUNT && status == CAIRN_OK; way++) {
        cairn_search_options options = {.size = sizeof options,
                                        .heuristic = way == 0 ? CAIRN_HEURISTIC_ZERO
                                                              : CAIRN_HEURISTIC_BEST};
        status = cairn_search_new(bench->map, way == 2 ? bench->table : NULL, &options,
                                  &bench->search[way]);
    }
    return status;
}

static cairn_status run_queries(roads_bench *bench, unsigned way, double *seconds)
{
    cairn_path path;
    double started = bench_now();
    bench->expanded[way] = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        cairn_status status = cairn_search_run(bench->search[way], bench->pairs[i][0],
                                               bench->pairs[i][1], &path);
        if (status != CAIRN_OK)
            return status;
        bench->expanded[way] += path.expanded;
        if (way == 0)
            bench->costs[i] = path.cost;
        bench->wrong += path.cost != bench->costs[i];
    }
    *seconds = bench_now() - started;
    return CAIRN_OK;
}

/* The peer's costs for the first pairs; the certificate for the table. */
static cairn_status check_roads(roads_bench *bench)
{
    for (size_t i = 0; i < CHECKED; i++) {
        rival_run(&bench->against, bench->pairs[i][0]);
        bench->wrong += !same_cost(bench->costs[i], bench->against.costs[bench->pairs[i][1]]);
    }
    return cairn_table_verify(bench->table, bench->map, 0, NULL);
}

static cairn_status measure_roads(const bench_options *options, roads_bench *bench)
{
    const uint32_t floods = LANDMARKS * (cairn_map_is_directed(bench->map) ? 2 : 1);
    cairn_status status = CAIRN_OK;

    for (unsigned round = 0; round < options->repeat && status == CAIRN_OK; round++) {
        status = build_table(bench, &bench->build[0][round]);
        double started = bench_now();
        for (uint32_t i = 0; i < floods; i++)
            rival_run(&bench->against, bench->pairs[i][0]);
        bench->build[1][round] = bench_now() - started;
    }
    if (status == CAIRN_OK)
        status = open_searches(bench);
    for (unsigned round = 0; round < options->repeat; round++) {
        for (unsigned way = 0; way < WAY_COUNT && status == CAIRN_OK; way++)
            status = run_queries(bench, way, &bench->queries[way][round]);
    }
    return status == CAIRN_OK ? check_roads(bench) : status;
}

static void print_roads(const bench_options *options, roads_bench *bench, const char *name,
                        bool first)
{
    double own = bench_median(bench->build[0], options->repeat);
    double other = bench_median(bench->build[1], options->repeat);
    printf(options->json
               ? "%s{\"graph\":\"%s\",\"nodes\":%u,\"arcs\":%u,\"rows\":%u,\"wrong\":%zu,"
                 "\"build_ms\":%.3f,\"peer\":\"%s\",\"peer_ms\":%.3f,\"ratio\":%.2f,\"ways\":["
               : "%s\n%s: %u nodes, %u arcs, table of %u rows, %zu wrong costs\n"
                 "  build %.2f ms, as many floods of %s %.2f ms, %.1f times faster\n",
           options->json && !first ? "," : "", name, bench->graph.node_count,
           bench->graph.arc_count, cairn_table_row_count(bench->table), bench->wrong, 1e3 * own,
           peer()->name, 1e3 * other, other / own);
    if (!options->json)
        printf("  %-12s %12s %10s %14s\n", "search", "expanded", "ratio", "ns per query");
    for (unsigned way = 0; way < WAY_COUNT; way++) {
        double seconds = bench_median(bench->queries[way], options->repeat);
        double ratio = (double)bench->expanded[0] / (double)bench->expanded[way];
        printf(options->json ? "%s{\"name\":\"%s\",\"expanded\":%llu,\"expansion_ratio\":%.3f,"
                               "\"ns_per_query\":%.0f}"
                             : "%s  %-12s %12llu %10.2f %14.0f\n",
               options->json && way > 0 ? "," : "", WAYS[way],
               (unsigned long long)bench->expanded[way], ratio, 1e9 * seconds / PAIRS);
    }
    if (options->json)
        printf("]}");
    else
        printf("  expansion ratio of landmarks to coordinates alone: %.2f\n",
               (double)bench->expanded[1] / (double)bench->expanded[2]);
    fflush(stdout);
}

static cairn_status open_roads(const bench_options *options, roads_bench *bench, const char *name)
{
    cairn_status status = bench_load_roads(options, name, &bench->map);
    if (status == CAIRN_OK)
        status = take_graph(bench);
    cn_rng rng = {1};
    for (size_t i = 0; i < PAIRS && status == CAIRN_OK; i++) {
        bench->pairs[i][0] = cn_rng_below(&rng, bench->graph.node_count);
        bench->pairs[i][1] = cn_rng_below(&rng, bench->graph.node_count);
    }
    return status;
}

static int bench_network(const bench_options *options, const char *name, bool first)
{
    roads_bench *bench = calloc(1, sizeof *bench);
    cairn_status status = bench ? open_roads(options, bench, name) : CAIRN_E_MEMORY;

    if (status == CAIRN_OK)
        status = measure_roads(options, bench);
    if (status == CAIRN_OK)
        print_roads(options, bench, name, first);
    int code = status == CAIRN_OK ? bench->wrong > 0 : bench_failed(name, status);
    if (!bench)
        return code;
    for (unsigned way = 0; way < WAY_COUNT; way++)
        cairn_search_free(bench->search[way]);
    cairn_table_free(bench->table);
    rival_free(&bench->against);
    bench_graph_free(&bench->graph);
    cairn_map_free(bench->map);
    free(bench);
    return code;
}

int bench_graphs(const bench_options *options)
{
    int code = 0;

    if (options->repeat > REPEATS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    for (size_t i = 0; i < options->map_count; i++) {
        const char *name = options->maps[i];
        bool is_roads = strncmp(name, "roads/", 6) == 0;
        int one = (is_roads ? bench_network : bench_cells)(options, name, i == 0);
        code = one > code ? one : code;
    }
    return code;
}
