/*
 * One table with greedy placement by several processes together, as cairn-mpi builds it, beside one
 * alone. The processes are threads here, and what counts is their processor time: between two
 * meetings all wait for the one that took longest, and the sum of these is what the build would
 * take on a processor for each of them, without the time of messages. So it does not matter how
 * many processors there are, and what else runs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/kit.h"

enum { ROWS = 16, CANDIDATES = 512, RANKS_MAX = 4, ROUNDS_MAX = 101 };

static const uint32_t RANKS[] = {1, 2, 4}; /* the first one: a process alone */
enum { CONFIGURATIONS = sizeof RANKS / sizeof *RANKS };

typedef struct ranks_team {
    uint32_t processes;
    const char *path;
    pthread_mutex_t lock;
    pthread_cond_t all_came;
    uint32_t waiting;
    uint64_t meetings;
    double longest; /* of those that have come */
    double critical;
    cairn_status told[RANKS_MAX];
    char *items[RANKS_MAX];
    const void *mine[RANKS_MAX];
} ranks_team;

typedef struct ranks_process {
    ranks_team *all;
    uint32_t rank;
    double since; /* the last meeting, in its processor time */
    cairn_map *map;
    cairn_status status;
} ranks_process;

static void come(ranks_process *self)
{
    ranks_team *all = self->all;
    const double seconds = bench_thread_now() - self->since;

    pthread_mutex_lock(&all->lock);
    const uint64_t meeting = all->meetings;
    all->longest = seconds > all->longest ? seconds : all->longest;
    if (++all->waiting == all->processes) {
        all->critical += all->longest;
        all->longest = 0;
        all->waiting = 0;
        all->meetings++;
        pthread_cond_broadcast(&all->all_came);
    }
    while (meeting == all->meetings)
        pthread_cond_wait(&all->all_came, &all->lock);
    pthread_mutex_unlock(&all->lock);
    self->since = bench_thread_now();
}

/* ------------------------------------------------------------------------------ callbacks -- */

static cairn_status agree(void *context, cairn_status status)
{
    ranks_process *self = context;
    ranks_team *all = self->all;
    cairn_status agreed = CAIRN_OK;

    all->told[self->rank] = status;
    come(self);
    for (uint32_t rank = 0; rank < all->processes && agreed == CAIRN_OK; rank++)
        agreed = all->told[rank];
    come(self);
    return agreed;
}

static cairn_status share(void *context, void *items, size_t item_size, size_t count)
{
    ranks_process *self = context;
    ranks_team *all = self->all;
    char *own = items;

    all->items[self->rank] = own;
    come(self);
    for (uint32_t rank = 0; rank < all->processes; rank++) {
        const size_t first = count * rank / all->processes * item_size;
        const size_t end = count * (rank + 1) / all->processes * item_size;
        if (rank != self->rank && end > first)
            memcpy(own + first, all->items[rank] + first, end - first);
    }
    come(self);
    return CAIRN_OK;
}

static cairn_status collect(void *context, const void *mine, size_t size, void *to,
                            const size_t *starts)
{
    ranks_process *self = context;
    ranks_team *all = self->all;

    (void)size;
    all->mine[self->rank] = mine;
    come(self);
    for (uint32_t rank = 0; to && rank < all->processes; rank++) {
        if (starts[rank + 1] > starts[rank])
            memcpy((char *)to + starts[rank], all->mine[rank], starts[rank + 1] - starts[rank]);
    }
    come(self);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------ the builds -- */

static void *build(void *context)
{
    ranks_process *self = context;
    const ranks_team *all = self->all;
    const cairn_team team = {all->processes, self->rank, agree, share, collect, self};
    const cairn_build_options how = {.size = sizeof how,
                                     .landmark_count = ROWS,
                                     .thread_count = 1,
                                     .placement = CAIRN_PLACE_GREEDY,
                                     .candidate_count = CANDIDATES,
                                     .team = all->processes > 1 ? &team : NULL};

    self->since = bench_thread_now();
    self->status = cairn_build_file(self->map, all->path, &how, NULL, NULL);
    come(self);
    return NULL;
}

/* Seconds of the longest way through the build. */
static cairn_status build_together(cairn_map *const *maps, uint32_t processes, const char *path,
                                   double *seconds)
{
    ranks_team all = {.processes = processes, .path = path};
    ranks_process each[RANKS_MAX];
    pthread_t threads[RANKS_MAX];
    cairn_status status = CAIRN_OK;
    uint32_t started = 0;

    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.all_came, NULL);
    for (; started < processes; started++) {
        each[started] = (ranks_process){.all = &all, .rank = started, .map = maps[started]};
        if (pthread_create(&threads[started], NULL, build, &each[started]) != 0)
            exit(bench_failed("thread", CAIRN_E_MEMORY)); /* the others would wait for it */
    }
    for (uint32_t rank = 0; rank < processes; rank++) {
        pthread_join(threads[rank], NULL);
        status = each[rank].status == CAIRN_OK ? status : each[rank].status;
    }
    pthread_cond_destroy(&all.all_came);
    pthread_mutex_destroy(&all.lock);
    *seconds = all.critical;
    return status;
}

static void print_map(const bench_options *options, const char *name, const cairn_map *map,
                      double seconds[CONFIGURATIONS][ROUNDS_MAX], bool first)
{
    double alone = 0;
    if (options->json)
        printf("%s{\"map\":\"%s\",\"open_cells\":%u,\"runs\":[", first ? "" : ",", name,
               cairn_map_open_count(map));
    else
        printf("%-28s %9u open cells", name, cairn_map_open_count(map));
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        const double median = bench_median(seconds[i], options->repeat);
        alone = i == 0 ? median : alone;
        if (options->json)
            printf("%s{\"processes\":%u,\"seconds\":%.6f,\"speedup\":%.3f}", i ? "," : "", RANKS[i],
                   median, alone / median);
        else if (i == 0)
            printf(" | one %8.1f ms", 1e3 * median);
        else
            printf(" | %u: %8.1f ms, %.2f x", RANKS[i], 1e3 * median, alone / median);
    }
    printf(options->json ? "]}" : "\n");
    fflush(stdout);
}

static cairn_status measure(const bench_options *options, cairn_map *const *maps, const char *path,
                            double seconds[CONFIGURATIONS][ROUNDS_MAX])
{
    cairn_status status = CAIRN_OK;
    for (unsigned round = 0; round < options->repeat; round++) {
        for (size_t i = 0; i < CONFIGURATIONS && status == CAIRN_OK; i++)
            status = build_together(maps, RANKS[i], path, &seconds[i][round]);
    }
    return status;
}

static int build_map(const bench_options *options, const char *name, const char *path, bool first)
{
    double seconds[CONFIGURATIONS][ROUNDS_MAX];
    cairn_map *maps[RANKS_MAX] = {NULL};
    bool are_there = true;

    for (uint32_t rank = 0; rank < RANKS_MAX && are_there; rank++) {
        maps[rank] = bench_load_map(options, name, (cairn_metric){0, 0});
        are_there = maps[rank] != NULL;
    }
    cairn_status status = are_there ? measure(options, maps, path, seconds) : CAIRN_OK;
    if (are_there && status == CAIRN_OK)
        print_map(options, name, maps[0], seconds, first);
    for (uint32_t rank = 0; rank < RANKS_MAX; rank++)
        cairn_map_free(maps[rank]);
    if (!are_there)
        return 3;
    return status == CAIRN_OK ? 0 : bench_failed(name, status);
}

int bench_ranks(const bench_options *options)
{
    char path[4096];
    bool is_first = true;
    int code = 0;

    if (options->repeat > ROUNDS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    if (!bench_temporary_file(path, sizeof path))
        return bench_failed("temporary file", CAIRN_E_IO);
    for (size_t i = 0; i < options->map_count; i++) {
        const int one = build_map(options, options->maps[i], path, is_first);
        is_first = is_first && one != 0;
        code = one > code ? one : code;
    }
    unlink(path);
    return code;
}
