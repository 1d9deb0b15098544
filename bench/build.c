/* A whole build: map read, landmarks placed, rows measured, file written; on one and on two
 * threads, beside as many floods by a peer on one thread. What two processes gain that build at
 * once and know nothing of one another says what there is to gain from a second processor. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kit/graph.h"
#include "kit/kit.h"
#include "kit/process.h"
#include "peers/peer.h"

enum { ROWS = 16, THREADS_MAX = 2, REPEATS_MAX = 101 };

#ifdef BENCH_BOOST
static const bench_peer *const PEER = &bench_peer_boost;
#else
static const bench_peer *const PEER = &bench_peer_heap;
#endif

typedef struct build_job {
    const bench_options *options;
    const char *name;
    const char *path; /* of the table that is written */
    uint32_t thread_count;
    cairn_metric_choice metric;
} build_job;

/* What one build in a process of its own found out. */
typedef struct build_result {
    double began; /* on the clock of all processes */
    double read_seconds;
    double build_seconds; /* file included */
    size_t map_bytes;     /* resident, as are the next two */
    size_t table_bytes;
    size_t peak_bytes; /* over what the process had before the map */
    size_t file_bytes;
    unsigned entry_bits;
} build_result;

static size_t file_size(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    fclose(file);
    return size > 0 ? (size_t)size : 0;
}

/* The table that was written, in memory: what a build may be measured against. */
static cairn_status load_table(const build_job *job, build_result *result)
{
    cairn_load_options options = {.size = sizeof options, .thread_count = job->thread_count};
    cairn_table *table;
    cairn_error error;
    size_t before = bench_resident();
    cairn_status status = cairn_load(job->path, &options, NULL, &table, &error);
    if (status != CAIRN_OK)
        return status;

    result->table_bytes = bench_resident() - before;
    result->entry_bits = cairn_table_entry_bits(table);
    cairn_table_free(table);
    return CAIRN_OK;
}

/* From text to file; the map is left to the caller, unless this fails. */
static cairn_map *build_file(const build_job *job, build_result *result)
{
    size_t before = bench_resident();
    bench_forget_peak();
    result->began = bench_now();
    cairn_map *map = bench_load_map(job->options, job->name, (cairn_metric){0, 0});
    result->read_seconds = bench_now() - result->began;
    if (!map)
        return NULL;

    result->map_bytes = bench_resident() - before;
    cairn_build_options build = {.size = sizeof build,
                                 .landmark_count = ROWS,
                                 .thread_count = job->thread_count,
                                 .metric = job->metric};
    double start = bench_now();
    cairn_status status = cairn_build_file(map, job->path, &build, NULL, NULL);
    result->build_seconds = bench_now() - start;
    result->peak_bytes = bench_peak() - before;
    if (status == CAIRN_OK)
        return map;
    cairn_map_free(map);
    bench_failed(job->name, status);
    return NULL;
}

static bool build_only(void *context, void *output)
{
    cairn_map *map = build_file(context, output);
    cairn_map_free(map);
    return map != NULL;
}

static bool build_once(void *context, void *output)
{
    const build_job *job = context;
    build_result *result = output;
    cairn_map *map = build_file(job, result);
    if (!map)
        return false;
    cairn_status status = load_table(job, result);
    result->file_bytes = file_size(job->path);
    cairn_map_free(map);
    if (status != CAIRN_OK)
        bench_failed(job->name, status);
    return status == CAIRN_OK;
}

static double total_seconds(const build_result *result)
{
    return result->read_seconds + result->build_seconds;
}

static double end_of(const build_result *result)
{
    return result->began + total_seconds(result);
}

/* From the first of two builds to begin to the last to end. */
static bool pair_seconds(build_job *job, double *seconds)
{
    build_result both[2];
    if (!bench_in_two_children(build_only, job, both, sizeof *both))
        return false;
    double began = both[0].began < both[1].began ? both[0].began : both[1].began;
    double ended = end_of(&both[0]) > end_of(&both[1]) ? end_of(&both[0]) : end_of(&both[1]);
    *seconds = ended - began;
    return true;
}

typedef struct peer_run {
    bench_graph graph;
    void *state;
    double *costs;
} peer_run;

static bool peer_open(const build_job *job, peer_run *peer)
{
    *peer = (peer_run){.state = NULL};
    cairn_map *map = bench_load_map(job->options, job->name, (cairn_metric){0, 0});
    if (!map)
        return false;
    if (bench_graph_init(&peer->graph, map) == 0) {
        peer->costs = malloc(((size_t)peer->graph.node_count + 1) * sizeof *peer->costs);
        peer->state = PEER->create(&peer->graph);
    }
    cairn_map_free(map);
    if (peer->costs && peer->state && peer->graph.node_count > 0)
        return true;
    bench_failed(job->name, peer->state ? CAIRN_E_ARGUMENT : CAIRN_E_MEMORY);
    return false;
}

static void peer_close(peer_run *peer)
{
    if (peer->state)
        PEER->destroy(peer->state);
    free(peer->costs);
    bench_graph_free(&peer->graph);
}

/* The peer starts from nodes spread evenly over the map: which ones matters little to it. */
static double peer_seconds(peer_run *peer)
{
    double start = bench_now();
    for (uint32_t row = 0; row < ROWS; row++) {
        uint64_t node = (uint64_t)peer->graph.node_count * (2 * row + 1) / (2 * ROWS);
        PEER->run(peer->state, (uint32_t)node, peer->costs);
    }
    return bench_now() - start;
}

enum { CONFIGURATIONS = 2 * THREADS_MAX };

typedef struct build_contest {
    build_job job[CONFIGURATIONS]; /* by metric, then by threads */
    build_result result[CONFIGURATIONS][REPEATS_MAX];
    double pair[CONFIGURATIONS][REPEATS_MAX]; /* of those with one thread */
    double peer[REPEATS_MAX];
} build_contest;

/* Medians of the times, the largest of the sizes. */
static build_result summary(const build_result *results, unsigned count)
{
    double read[REPEATS_MAX], build[REPEATS_MAX];
    build_result sum = results[0];
    for (unsigned i = 0; i < count; i++) {
        read[i] = results[i].read_seconds;
        build[i] = results[i].build_seconds;
        if (results[i].peak_bytes > sum.peak_bytes)
            sum.peak_bytes = results[i].peak_bytes;
    }
    sum.read_seconds = bench_median(read, count);
    sum.build_seconds = bench_median(build, count);
    return sum;
}

static void print_line(const build_job *job, const build_result *sum, double peer,
                       double one_thread)
{
    double seconds = total_seconds(sum);
    double room = 1.3 * (double)sum->table_bytes + (double)sum->map_bytes;
    if (job->options->json) {
        printf(",{\"threads\":%u,\"entry_bits\":%u,\"seconds\":%.5f,\"read\":%.5f,"
               "\"build\":%.5f,\"ratio\":%.2f,\"speedup\":%.3f,"
               "\"map_bytes\":%zu,\"table_bytes\":%zu,\"peak_bytes\":%zu,\"file_bytes\":%zu}",
               job->thread_count, sum->entry_bits, seconds, sum->read_seconds, sum->build_seconds,
               peer / seconds, one_thread / seconds, sum->map_bytes, sum->table_bytes,
               sum->peak_bytes, sum->file_bytes);
        return;
    }
    printf("  %2u bits, %u thread%s %7.1f ms (read %.1f, build %.1f)"
           " %6.1f x peer %5.2f x one thread | peak %.1f of %.1f MiB | file %zu KiB\n",
           sum->entry_bits, job->thread_count, job->thread_count == 1 ? ", " : "s,", seconds * 1e3,
           sum->read_seconds * 1e3, sum->build_seconds * 1e3, peer / seconds, one_thread / seconds,
           (double)sum->peak_bytes / 0x100000, room / 0x100000, sum->file_bytes / 1024);
}

/* How the machine serves two builds that share nothing. */
static void print_pair(const build_job *job, const build_result *sum, double seconds)
{
    double gain = 2 * total_seconds(sum) / seconds;
    if (job->options->json)
        printf(",{\"builds_at_once\":2,\"entry_bits\":%u,\"seconds\":%.5f,\"speedup\":%.3f}",
               sum->entry_bits, seconds, gain);
    else
        printf("  %2u bits, two builds at once %7.1f ms: %.2f x the builds of one thread\n",
               sum->entry_bits, seconds * 1e3, gain);
}

static void print_contest(build_contest *contest, const bench_options *options, const char *name,
                          bool first)
{
    double peer = bench_median(contest->peer, options->repeat);
    if (options->json)
        printf("%s{\"map\":\"%s\",\"rows\":%d,\"runs\":[{\"peer\":\"%s\",\"seconds\":%.5f}",
               first ? "" : ",", name, ROWS, PEER->name, peer);
    else
        printf("\n%s: %d x %s on one thread %.1f ms; room is 1.3 x table + map\n", name, ROWS,
               PEER->name, peer * 1e3);

    double one_thread = 0;
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        build_result sum = summary(contest->result[i], options->repeat);
        const build_job *job = &contest->job[i];
        if (job->thread_count == 1)
            one_thread = total_seconds(&sum);
        print_line(job, &sum, peer, one_thread);
        if (job->thread_count == 1)
            print_pair(job, &sum, bench_median(contest->pair[i], options->repeat));
    }
    if (options->json)
        printf("]}");
    fflush(stdout);
}

static bool run_contest(build_contest *contest, peer_run *peer, unsigned repeat)
{
    for (unsigned round = 0; round < repeat; round++) {
        contest->peer[round] = peer_seconds(peer);
        for (size_t i = 0; i < CONFIGURATIONS; i++) {
            build_result *result = &contest->result[i][round];
            if (!bench_in_child(build_once, &contest->job[i], result, sizeof *result))
                return false;
            if (contest->job[i].thread_count == 1 &&
                !pair_seconds(&contest->job[i], &contest->pair[i][round]))
                return false;
        }
    }
    return true;
}

static int build_map(const bench_options *options, const char *name, bool first)
{
    char path[4096];
    build_contest *contest = calloc(1, sizeof *contest);
    if (!contest || !bench_temporary_file(path, sizeof path)) {
        free(contest);
        return bench_failed("temporary file", CAIRN_E_IO);
    }

    for (uint32_t i = 0; i < CONFIGURATIONS; i++)
        contest->job[i] = (build_job){options, name, path, 1 + i % THREADS_MAX,
                                      i < THREADS_MAX ? CAIRN_METRIC_OF_MAP : CAIRN_METRIC_COMPACT};
    peer_run peer;
    bool done = peer_open(&contest->job[0], &peer) && run_contest(contest, &peer, options->repeat);
    if (done)
        print_contest(contest, options, name, first);
    peer_close(&peer);
    unlink(path);
    free(contest);
    return done ? 0 : 3;
}

int bench_build(const bench_options *options)
{
    if (options->repeat > REPEATS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);

    int code = 0;
    for (size_t i = 0; i < options->map_count; i++) {
        int one = build_map(options, options->maps[i], i == 0);
        code = one > code ? one : code;
    }
    return code;
}
