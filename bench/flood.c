/* One flood: all costs from one cell, by every engine that this machine has and by the peers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "flood/flood_engine.h"
#include "map/map_parts.h"
#include "kit/graph.h"
#include "kit/kit.h"
#include "peers/peer.h"
#include "base/rng.h"

enum { SOURCES = 8, TARGETS = 50, REPEATS_MAX = 101 };

typedef struct flood_arena flood_arena;
typedef struct flood_entrant flood_entrant;

/* One line of the output: a peer, a flooder or a public call. `map` decides the metric. */
struct flood_entrant {
    char name[48];
    cairn_status (*run)(flood_arena *arena, flood_entrant *self, cairn_node source);
    const bench_peer *peer;
    void *peer_state;
    cairn_map *map;
    cn_flooder *flooder;
    cn_plane plane;              /* of the flooder's last run */
    cairn_flood *flood;          /* of a public call */
    bool is_narrow;              /* in costs of 16 bits */
    bool is_lent;                /* its array is lent to it, while it runs */
    uint64_t hash;               /* over all costs of all sources */
    double seconds[REPEATS_MAX]; /* of all sources together, by round */
};

struct flood_arena {
    const bench_options *options;
    cairn_map *map[2]; /* the default metric, and the finest that fits 16 bits */
    bench_graph graph;
    double *costs;       /* where peers put them */
    cairn_cost *by_node; /* where public calls put them */
    uint16_t *by_node_16;
    uint8_t *flow;
    cairn_node source[SOURCES];
    cairn_node target[TARGETS]; /* of a flow field to many, beside a source */
    size_t reached;             /* cells, over all sources */
    flood_entrant *list;
    size_t count;
    size_t room;
};

static const struct {
    const char *wish;
    cn_cpu level;
} LEVELS[] = {{"off", CN_CPU_PORTABLE}, {"avx2", CN_CPU_AVX2}, {"avx512", CN_CPU_AVX512}};

/* Sources lie in the largest component, so that one flood is one whole map. */
static cairn_status choose_sources(flood_arena *arena)
{
    const cn_grid *grid = &arena->map[0]->grid;
    const cn_mem mem = cn_mem_from(NULL);
    size_t cells = (size_t)grid->width * grid->height;
    uint32_t *label = cn_array(&mem, cells, sizeof *label);
    uint32_t *sizes = NULL;
    uint32_t count = 0;
    if (!label)
        return CAIRN_E_MEMORY;

    cairn_status status = cn_map_components(arena->map[0], &mem, label, &sizes, &count);
    if (status == CAIRN_OK && count == 0)
        status = CAIRN_E_ARGUMENT;
    if (status == CAIRN_OK) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < count; i++)
            largest = sizes[i] > sizes[largest] ? i : largest;
        cn_rng rng = {1};
        for (size_t i = 0; i < SOURCES; i++) {
            do {
                arena->source[i] = cn_rng_below(&rng, (uint32_t)cells);
            } while (label[arena->source[i]] != largest);
        }
        for (size_t i = 1; i < TARGETS; i++) {
            do {
                arena->target[i] = cn_rng_below(&rng, (uint32_t)cells);
            } while (label[arena->target[i]] != largest);
        }
        arena->reached = (size_t)sizes[largest] * SOURCES;
    }
    cn_release(&mem, sizes);
    cn_release(&mem, label);
    return status;
}

/* The finest metric whose costs from all sources fit 16 bits. */
static cairn_status choose_compact(flood_arena *arena)
{
    cairn_status status = CAIRN_E_LIMIT;
    for (size_t i = 0; status == CAIRN_E_LIMIT && cn_metric_compact[i].straight != 0; i++) {
        flood_entrant trial = {.map = arena->map[1]};
        status = cairn_map_set_metric(trial.map, cn_metric_compact[i]);
        if (status == CAIRN_OK)
            status = cn_flooder_new(trial.map, 16, CN_FLOOD_MANY, &trial.flooder);
        for (size_t source = 0; status == CAIRN_OK && source < SOURCES; source++) {
            cn_plane plane;
            status = cn_flooder_run(trial.flooder, &arena->source[source], 1, &plane);
        }
        cn_flooder_free(trial.flooder);
    }
    return status;
}

static cairn_status run_peer(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    self->peer->run(self->peer_state, arena->graph.node_of_cell[source], arena->costs);
    return CAIRN_OK;
}

static cairn_status run_flooder(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    (void)arena;
    return cn_flooder_run(self->flooder, &source, 1, &self->plane);
}

static cairn_status run_once(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    return cairn_costs_from(self->map, &source, 1, arena->by_node);
}

static cairn_status run_flood(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    return cairn_flood_from(self->flood, &source, 1, arena->by_node);
}

static cairn_status run_flood_16(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    return cairn_flood_from_16(self->flood, &source, 1, arena->by_node_16);
}

static cairn_status run_flow(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    return cairn_flood_flow(self->flood, &source, 1, arena->flow, NULL);
}

static cairn_status run_flow_and_costs(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    return cairn_flood_flow(self->flood, &source, 1, arena->flow, arena->by_node);
}

/* To the source and the other targets: the engine alone, and a flow field. */
static cairn_status run_engine_to_many(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    arena->target[0] = source;
    return cn_flooder_run(self->flooder, arena->target, TARGETS, &self->plane);
}

static cairn_status run_flow_to_many(flood_arena *arena, flood_entrant *self, cairn_node source)
{
    arena->target[0] = source;
    return cairn_flood_flow(self->flood, arena->target, TARGETS, arena->flow, NULL);
}

/* Appends a copy, whose address holds until the next one is added. NULL: no memory. */
static flood_entrant *add(flood_arena *arena, const flood_entrant *entrant)
{
    if (arena->count == arena->room) {
        const size_t room = arena->room + 16;
        flood_entrant *list = realloc(arena->list, room * sizeof *list);
        if (!list)
            return NULL;
        arena->list = list;
        arena->room = room;
    }
    arena->list[arena->count] = *entrant;
    return &arena->list[arena->count++];
}

static cairn_status add_peer(flood_arena *arena, const bench_peer *peer)
{
    flood_entrant *added = add(arena, &(flood_entrant){.run = run_peer, .peer = peer});
    if (!added)
        return CAIRN_E_MEMORY;
    snprintf(added->name, sizeof added->name, "%s", peer->name);
    added->peer_state = peer->create(&arena->graph);
    return added->peer_state ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* `engine` NULL: the one that the library chooses. One that is not for this map is left out. */
static cairn_status add_flooder(flood_arena *arena, size_t level, unsigned bits,
                                const cn_flood_engine *engine)
{
    flood_entrant *added = add(arena,
                               &(flood_entrant){.run = run_flooder, .map = arena->map[bits == 16]});
    if (!added)
        return CAIRN_E_MEMORY;
    setenv("CAIRN_SIMD", LEVELS[level].wish, 1);
    cairn_status status = engine ? cn_flooder_open(added->map, bits, engine, &added->flooder)
                                 : cn_flooder_new(added->map, bits, CN_FLOOD_MANY, &added->flooder);
    unsetenv("CAIRN_SIMD");
    if (status == CAIRN_OK)
        snprintf(added->name, sizeof added->name, "cairn %u bits, %s, %s%s", bits,
                 LEVELS[level].wish, cn_flooder_engine(added->flooder), engine ? " *" : "");
    arena->count -= status != CAIRN_OK;
    return status == CAIRN_E_ARGUMENT && engine ? CAIRN_OK : status;
}

/* What callers have, in 32 bits with the vectors of this machine. */
static cairn_status add_calls(flood_arena *arena)
{
    const flood_entrant calls[] = {
        {.name = "cairn_costs_from", .run = run_once},
        {.name = "cairn_flood_from", .run = run_flood},
        {.name = "cairn_flood_from, lent", .run = run_flood, .is_lent = true},
        {.name = "cairn_flood_from_16", .run = run_flood_16, .is_narrow = true},
        {.name = "cairn_flood_from_16, lent",
         .run = run_flood_16,
         .is_narrow = true,
         .is_lent = true},
        {.name = "cairn_flood_flow", .run = run_flow},
        {.name = "cairn_flood_flow, and costs", .run = run_flow_and_costs},
        {.name = "cairn_flood_flow, 50 targets", .run = run_flow_to_many}};
    const size_t nodes = cairn_map_node_count(arena->map[0]);
    arena->by_node = malloc(nodes * sizeof *arena->by_node);
    arena->by_node_16 = malloc(nodes * sizeof *arena->by_node_16);
    arena->flow = malloc(nodes);
    cairn_status status = arena->by_node && arena->by_node_16 && arena->flow ? CAIRN_OK
                                                                             : CAIRN_E_MEMORY;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && status == CAIRN_OK; i++) {
        flood_entrant *added = add(arena, &calls[i]);
        if (!added)
            return CAIRN_E_MEMORY;
        added->map = arena->map[added->is_narrow];
        status = cairn_flood_new(added->map, &added->flood);
    }
    return status;
}

/* Engines that the library would not choose here. */
static cairn_status add_others(flood_arena *arena, cn_cpu level)
{
    const cn_flood_engine *engines[] = {&cn_flood_bucket, &cn_flood_breadth, &cn_flood_trees,
                                        &cn_flood_lists};
    cairn_status status = CAIRN_OK;
    for (unsigned bits = 32; bits >= 16; bits -= 16) {
        for (size_t i = 0; i < sizeof engines / sizeof *engines && status == CAIRN_OK; i++)
            status = add_flooder(arena, 0, bits, engines[i]);
        for (size_t i = 0; i < sizeof LEVELS / sizeof *LEVELS && LEVELS[i].level <= level; i++) {
            if (status == CAIRN_OK)
                status = add_flooder(arena, i, bits, &cn_flood_tiles);
        }
    }
    return status;
}

/* What a flow field to many targets takes without directions, by the engine that the library
 * chooses on this machine. */
static cairn_status add_engine_to_many(flood_arena *arena)
{
    flood_entrant *added = add(arena, &(flood_entrant){.name = "cairn 32 bits, 50 targets",
                                                       .run = run_engine_to_many,
                                                       .map = arena->map[0]});
    return added ? cn_flooder_new(added->map, 32, CN_FLOOD_MANY, &added->flooder) : CAIRN_E_MEMORY;
}

static cairn_status add_peers(flood_arena *arena)
{
    cairn_status status = CAIRN_OK;
#ifdef BENCH_BOOST
    if (arena->graph.costs_are_equal)
        status = add_peer(arena, &bench_peer_boost_breadth);
    if (status == CAIRN_OK)
        status = add_peer(arena, &bench_peer_boost);
    if (status == CAIRN_OK)
        status = add_peer(arena, &bench_peer_boost_predecessors);
#endif
    if (status == CAIRN_OK)
        status = add_peer(arena, &bench_peer_heap);
    if (status == CAIRN_OK && cn_map_is_even(arena->map[0]))
        status = add_peer(arena, &bench_peer_canonical);
    return status;
}

static cairn_status add_contestants(flood_arena *arena)
{
    cairn_status status = add_peers(arena);
    cn_cpu level = cn_cpu_level();
    for (size_t i = 0; i < sizeof LEVELS / sizeof *LEVELS; i++) {
        for (unsigned bits = 32; bits >= 16 && LEVELS[i].level <= level; bits -= 16) {
            if (status == CAIRN_OK)
                status = add_flooder(arena, i, bits, NULL);
        }
    }
    if (status == CAIRN_OK)
        status = add_engine_to_many(arena);
    if (status == CAIRN_OK)
        status = add_calls(arena);
    return arena->options->every_engine && status == CAIRN_OK ? add_others(arena, level) : status;
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9e3779b97f4a7c15u;
}

static cairn_cost cost_in(const flood_arena *arena, const flood_entrant *self, cairn_node node,
                          uint32_t x, uint32_t y)
{
    if (self->flooder)
        return cn_plane_at(&self->plane, x, y);
    if (!self->is_narrow)
        return arena->by_node[node];
    const uint16_t cost = arena->by_node_16[node];
    return cost == CAIRN_UNREACHABLE_16 ? CAIRN_UNREACHABLE : cost;
}

/* Over all costs of an entrant's last flood but those of peers. */
static uint64_t hash_of(const flood_arena *arena, const flood_entrant *self, uint64_t hash)
{
    const cn_grid *grid = &self->map->grid;
    cairn_node node = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (cn_grid_is_open(grid, node))
                hash = mixed(hash, cost_in(arena, self, node, x, y));
        }
    }
    return hash;
}

/* Flow fields compute costs to their targets: on directed maps these are other costs. */
static bool is_comparable(const flood_arena *arena, const flood_entrant *self)
{
    return !self->peer && self->run != run_engine_to_many && self->run != run_flow &&
           self->run != run_flow_to_many &&
           (self->run != run_flow_and_costs || !cn_rules_are_directed(&arena->map[0]->grid.rules));
}

/* Lends an entrant its array for so long as no other writes to it. */
static cairn_status lend(flood_arena *arena, flood_entrant *self)
{
    void *costs = self->is_narrow ? (void *)arena->by_node_16 : (void *)arena->by_node;
    return self->is_lent ? cairn_flood_lend(self->flood, costs) : CAIRN_OK;
}

/* All sources once, without the clock: fills caches and takes the hash. */
static cairn_status warm_up(flood_arena *arena, flood_entrant *contestant)
{
    cairn_status status = lend(arena, contestant);
    for (size_t i = 0; i < SOURCES && status == CAIRN_OK; i++) {
        status = contestant->run(arena, contestant, arena->source[i]);
        if (status == CAIRN_OK && is_comparable(arena, contestant))
            contestant->hash = hash_of(arena, contestant, contestant->hash);
    }
    return status;
}

/* A lent array is written whole by the first of the floods, which is not measured: a game has its
 * own for each object. */
static void time_round(flood_arena *arena, flood_entrant *contestant, unsigned round)
{
    if (contestant->is_lent && lend(arena, contestant) == CAIRN_OK)
        (void)contestant->run(arena, contestant, arena->source[0]);
    double start = bench_thread_now();
    for (size_t i = 0; i < SOURCES; i++)
        (void)contestant->run(arena, contestant, arena->source[i]);
    contestant->seconds[round] = bench_thread_now() - start;
}

/* Rounds go over all contestants, so that a machine that slows down slows all of them. */
static cairn_status compete(flood_arena *arena)
{
    for (size_t i = 0; i < arena->count; i++) {
        cairn_status status = warm_up(arena, &arena->list[i]);
        if (status != CAIRN_OK)
            return status;
    }
    for (unsigned round = 0; round < arena->options->repeat; round++) {
        for (size_t i = 0; i < arena->count; i++)
            time_round(arena, &arena->list[i], round);
    }
    return CAIRN_OK;
}

/* Whether all engines of one metric gave the same costs. */
static bool all_agree(const flood_arena *arena)
{
    for (size_t i = 0; i < arena->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (arena->list[i].hash && arena->list[j].hash &&
                arena->list[i].map == arena->list[j].map &&
                arena->list[i].hash != arena->list[j].hash)
                return false;
        }
    }
    return true;
}

static void print_result(flood_arena *arena, const char *name, bool first)
{
    bool json = arena->options->json;
    cairn_metric compact = cairn_map_metric(arena->map[1]);
    if (json)
        printf("%s{\"map\":\"%s\",\"cells\":%zu,\"compact\":\"%u/%u\",\"agree\":%s,\"engines\":[",
               first ? "" : ",", name, arena->reached / SOURCES, compact.straight, compact.diagonal,
               all_agree(arena) ? "true" : "false");
    else
        printf("\n%s: %zu cells, 16 bits hold %u/%u%s\n  %-32s %12s %10s\n", name,
               arena->reached / SOURCES, compact.straight, compact.diagonal,
               all_agree(arena) ? "" : " -- THE ENGINES DISAGREE", "engine", "ns per cell",
               "times peer");

    double peer = 0;
    for (size_t i = 0; i < arena->count; i++) {
        flood_entrant *one = &arena->list[i];
        double cost = bench_median(one->seconds, arena->options->repeat) * 1e9 /
                      (double)arena->reached;
        peer = i == 0 ? cost : peer;
        printf(json ? "%s{\"name\":\"%s\",\"ns_per_cell\":%.3f,\"ratio\":%.2f}"
                    : "%s  %-32s %12.2f %10.1f\n",
               json && i > 0 ? "," : "", one->name, cost, peer / cost);
    }
    if (json)
        printf("]}");
    fflush(stdout);
}

static void clear(flood_arena *arena)
{
    for (size_t i = 0; i < arena->count; i++) {
        if (arena->list[i].peer_state)
            arena->list[i].peer->destroy(arena->list[i].peer_state);
        cn_flooder_free(arena->list[i].flooder);
        cairn_flood_free(arena->list[i].flood);
    }
    free(arena->list);
    free(arena->flow);
    free(arena->by_node_16);
    free(arena->by_node);
    free(arena->costs);
    bench_graph_free(&arena->graph);
    cairn_map_free(arena->map[1]);
    cairn_map_free(arena->map[0]);
    free(arena);
}

static int flood_map(const bench_options *options, const char *name, bool first)
{
    flood_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return bench_failed(name, CAIRN_E_MEMORY);

    arena->options = options;
    cairn_status status = CAIRN_E_IO;
    arena->map[0] = bench_load_map(options, name, (cairn_metric){0, 0});
    arena->map[1] = bench_load_map(options, name, (cairn_metric){0, 0});
    if (arena->map[0] && arena->map[1])
        status = choose_sources(arena);
    if (status == CAIRN_OK)
        status = choose_compact(arena);
    if (status == CAIRN_OK && bench_graph_init(&arena->graph, arena->map[0]) != 0)
        status = CAIRN_E_MEMORY;
    arena->costs = malloc(((size_t)arena->graph.node_count + 1) * sizeof *arena->costs);
    if (status == CAIRN_OK && !arena->costs)
        status = CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = add_contestants(arena);
    if (status == CAIRN_OK)
        status = compete(arena);

    int code = status == CAIRN_OK ? !all_agree(arena) : bench_failed(name, status);
    if (status == CAIRN_OK)
        print_result(arena, name, first);
    clear(arena);
    return code;
}

int bench_flood(const bench_options *options)
{
    if (options->repeat > REPEATS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);

    int code = 0;
    for (size_t i = 0; i < options->map_count; i++) {
        int one = flood_map(options, options->maps[i], i == 0);
        code = one > code ? one : code;
    }
    return code;
}
