#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_thread_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

void bench_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
}

double bench_median(double *values, size_t count)
{
    bench_sort(values, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

bool bench_read_other_memory(void)
{
    enum { BYTES = 64 << 20, LINE = 64 };
    static volatile char *other;
    if (!other && (other = malloc(BYTES)) != NULL)
        memset((char *)other, 1, BYTES);
    for (size_t i = 0; other && i < BYTES; i += LINE)
        (void)other[i];
    return other != NULL;
}

bool bench_is_roads(const char *name)
{
    return strncmp(name, "roads/", 6) == 0;
}

cairn_map *bench_load_map(const bench_options *options, const char *name, cairn_metric metric)
{
    char path[4096];
    int length = bench_is_roads(name)
                     ? snprintf(path, sizeof path, "%s/%s.gr", options->data, name)
                     : snprintf(path, sizeof path, "%s/movingai/%s.map", options->data, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return NULL;

    cairn_map_options map_options = {
        .size = sizeof map_options,
        .metric = metric,
        .rule = options->rule,
        .charge = options->charge,
        .alphabet = &options->terrain,
    };
    cairn_map *map;
    cairn_error error;
    if (cairn_map_load(path, &map_options, &map, &error) == CAIRN_OK)
        return map;

    char line[sizeof path + 400];
    cairn_error_text(&error, path, line, sizeof line);
    fprintf(stderr, "cairn-bench: %s\n", line);
    return NULL;
}

cairn_status bench_load_roads(const bench_options *options, const char *name, cairn_map **map)
{
    char path[4096], places[4096];
    const char *dash = strrchr(name, '-');
    int stem = (int)(dash ? dash - name : (long)strlen(name));

    snprintf(path, sizeof path, "%s/%s.gr", options->data, name);
    snprintf(places, sizeof places, "%s/%.*s.co", options->data, stem, name);
    return cairn_roads_load(path, places, NULL, map, NULL);
}

/* The cells of a grid as nodes, their columns and rows as coordinates. */
static cairn_status load_grid_as_graph(const bench_options *options, const char *name,
                                       cairn_map **map)
{
    cairn_map *grid = bench_load_map(options, name, (cairn_metric){0, 0});
    const uint32_t count = grid ? cairn_map_node_count(grid) : 0;
    cairn_arc *arcs = malloc(((size_t)count * CAIRN_STEPS_MAX + 1) * sizeof *arcs);
    int32_t *x = calloc(count + 1u, sizeof *x), *y = calloc(count + 1u, sizeof *y);
    cairn_status status = !grid ? CAIRN_E_IO : arcs && x && y ? CAIRN_OK : CAIRN_E_MEMORY;
    size_t used = 0;

    for (cairn_node node = 0; node < count && status == CAIRN_OK; node++) {
        x[node] = (int32_t)(node % cairn_map_width(grid));
        y[node] = (int32_t)(node / cairn_map_width(grid));
        used += cairn_steps(grid, node, arcs + used, CAIRN_STEPS_MAX);
    }
    if (status == CAIRN_OK)
        status = cairn_map_from_arcs(count, arcs, used, x, y, NULL, map, NULL);
    free(arcs);
    free(x);
    free(y);
    cairn_map_free(grid);
    return status;
}

cairn_status bench_load_graph(const bench_options *options, const char *name, cairn_map **map)
{
    return bench_is_roads(name) ? bench_load_roads(options, name, map)
                                : load_grid_as_graph(options, name, map);
}

cairn_status bench_load_scenario(const bench_options *options, const char *name,
                                 const cairn_map *map, cairn_scenario **scenario)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/movingai/%s.map.scen", options->data, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return CAIRN_E_LIMIT;
    return cairn_scenario_load(path, map, scenario, NULL);
}

bool bench_temporary_file(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    int length = snprintf(path, size, "%s/cairn-bench-XXXXXX", folder ? folder : "/tmp");
    int file = length > 0 && (size_t)length < size ? mkstemp(path) : -1;
    return file >= 0 && close(file) == 0;
}

int bench_run_maps(const bench_options *options, bench_map_run *run)
{
    bool is_first = true;

    for (size_t i = 0; i < options->map_count; i++) {
        cairn_status status = run(options, options->maps[i], &is_first);
        if (status != CAIRN_OK)
            return bench_failed(options->maps[i], status);
    }
    return 0;
}

/* The processor's name as Linux tells it; elsewhere unknown. */
static void processor_name(char *name, size_t size)
{
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;

    char line[256];
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n\"\\"), colon + 2);
        break;
    }
    fclose(file);
}

void bench_begin(const bench_options *options, const char *subject)
{
    char name[128];
    processor_name(name, sizeof name);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->json)
        printf("{\"subject\":\"%s\",\"processor\":\"%s\",\"processors\":%ld,"
               "\"compiler\":\"%s\",\"flags\":\"%s\"",
               subject, name, processors, BENCH_COMPILER, BENCH_FLAGS);
    else
        printf("%s | %ld x %s | %s %s", subject, processors, name, BENCH_COMPILER, BENCH_FLAGS);
    if (options->repeat)
        printf(options->json ? ",\"repeat\":%u" : " | rounds: %u", options->repeat);
    printf(options->json ? ",\"maps\":[" : "\n");
}

void bench_end(const bench_options *options)
{
    if (options->json)
        printf("]}\n");
}

int bench_failed(const char *what, cairn_status status)
{
    fprintf(stderr, "cairn-bench: %s: %s\n", what, cairn_status_text(status));
    return 3;
}
