/* How time, memory and files grow with the map: caves from 10^4 cells to the limit of the library,
 * or any maps. Each step runs in a process of its own, so that its peak memory can be told. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "generate/generate.h"
#include "kit/kit.h"
#include "kit/process.h"

enum { ROWS = 8, QUERIES = 100, ROUNDS_MAX = 101, POINTS_MAX = 64, PATH_SIZE = 4096 };

/* No more rounds are begun when those of a step took so long. */
static const double ENOUGH_SECONDS = 10;

typedef struct scale_steps {
    const bench_options *options;
    char folder[PATH_SIZE]; /* temporary */
    char map_path[2 * PATH_SIZE];
    char table_path[2 * PATH_SIZE];
    cairn_metric_choice metric; /* of the tables that are built */
    uint32_t side;              /* of a cave that is drawn; 0: the map is there already */
} scale_steps;

/* One run of a step. */
typedef struct scale_run {
    double user, system; /* seconds of processor */
    size_t peak;         /* bytes */
    uint32_t cells, open;
    size_t file_size;
    double query, expanded; /* mean seconds, and nodes */
    uint32_t queries, wrong;
} scale_run;

typedef struct scale_point {
    scale_run build, compact, verify, load;
} scale_point;

/* ----------------------------------------------------------------------------- the steps -- */

typedef struct scale_begin {
    struct rusage used;
    size_t resident;
} scale_begin;

static scale_begin begin_run(void)
{
    scale_begin begin = {.resident = bench_resident()};
    getrusage(RUSAGE_SELF, &begin.used);
    return begin;
}

static double seconds_between(const struct timeval *first, const struct timeval *second)
{
    return (double)(second->tv_sec - first->tv_sec) +
           (double)(second->tv_usec - first->tv_usec) / 1e6;
}

static void end_run(scale_run *run, const scale_begin *begin)
{
    const size_t peak = bench_peak();
    struct rusage end;
    getrusage(RUSAGE_SELF, &end);
    run->user = seconds_between(&begin->used.ru_utime, &end.ru_utime);
    run->system = seconds_between(&begin->used.ru_stime, &end.ru_stime);
    run->peak = peak > begin->resident ? peak - begin->resident : 0;
}

static bool write_map(const canvas *map, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    canvas_write(map, file);
    bool whole = !ferror(file);
    return fclose(file) == 0 && whole;
}

/* That of `cairn generate cave --seed 1`. */
static bool draw(void *context, void *result)
{
    const scale_steps *steps = context;
    const size_t cells = (size_t)steps->side * steps->side;
    const recipe shape = {45, RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED};
    canvas map = {steps->side, steps->side, malloc(cells), malloc(cells * sizeof *map.work)};
    kit_rng rng = {1};

    (void)result;
    if (!map.letters || !map.work)
        return false;
    draw_cave(&map, &rng, &shape);
    return write_map(&map, steps->map_path);
}

static bool build(void *context, void *result)
{
    const scale_steps *steps = context;
    const bench_options *options = steps->options;
    const cairn_map_options terms = {.size = sizeof terms,
                                     .rule = options->rule,
                                     .charge = options->charge,
                                     .alphabet = &options->terrain};
    const cairn_build_options how = {
        .size = sizeof how, .landmark_count = ROWS, .metric = steps->metric, .thread_count = 1};
    scale_run *run = result;
    cairn_map *map = NULL;

    const scale_begin begin = begin_run();
    cairn_status status = cairn_map_load(steps->map_path, &terms, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_build_file(map, steps->table_path, &how, NULL, NULL);
    end_run(run, &begin);
    if (status == CAIRN_OK) {
        run->open = cairn_map_open_count(map);
        run->cells = cairn_map_node_count(map);
    }
    cairn_map_free(map);
    return status == CAIRN_OK;
}

static bool verify(void *context, void *result)
{
    const scale_steps *steps = context;
    cairn_fault fault;
    const cairn_load_options how = {.size = sizeof how, .thread_count = 1, .fault = &fault};
    scale_run *run = result;
    cairn_map *map = NULL;

    const scale_begin begin = begin_run();
    cairn_status status = cairn_load(steps->table_path, &how, &map, NULL, NULL);
    end_run(run, &begin);
    cairn_map_free(map);
    return status == CAIRN_OK;
}

/* ---------------------------------------------------------------------------- the queries -- */

static cairn_node any_open(const cairn_map *map, kit_rng *rng)
{
    cairn_node node;
    do
        node = kit_rng_below(rng, cairn_map_node_count(map));
    while (!cairn_map_is_open(map, node));
    return node;
}

/* Many queries from one cell, whose costs one flood tells. */
static cairn_status ask(const cairn_map *map, cairn_search *search, const cairn_cost *costs,
                        cairn_node start, scale_run *run)
{
    kit_rng rng = {2};
    cairn_status status = CAIRN_OK;
    double seconds = 0;
    uint64_t expanded = 0;

    for (run->queries = 0; run->queries < QUERIES && status == CAIRN_OK; run->queries++) {
        const cairn_node goal = any_open(map, &rng);
        cairn_path path;
        const double begin = bench_thread_now();
        status = cairn_search_run(search, start, goal, &path);
        seconds += bench_thread_now() - begin;
        expanded += path.expanded;
        run->wrong += path.cost != costs[goal];
    }
    run->query = seconds / QUERIES;
    run->expanded = (double)expanded / QUERIES;
    return status;
}

/* From a cell of the largest part that a few tries find. */
static cairn_status flood_widely(const cairn_map *map, cairn_cost *costs, cairn_node *start)
{
    enum { TRIES = 20 };
    cairn_flood *flood;
    kit_rng rng = {1};
    uint32_t reached = 0;
    cairn_status status = cairn_flood_new(map, &flood);

    for (unsigned i = 0; i < TRIES && status == CAIRN_OK && 2 * reached < cairn_map_open_count(map);
         i++) {
        *start = any_open(map, &rng);
        status = cairn_flood_from(flood, start, 1, costs);
        reached = 0;
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            reached += costs[node] != CAIRN_UNREACHABLE;
    }
    cairn_flood_free(flood);
    return status;
}

static cairn_status check_queries(const cairn_map *map, const cairn_table *table, scale_run *run)
{
    cairn_cost *costs = malloc(cairn_map_node_count(map) * sizeof *costs);
    cairn_search *search = NULL;
    cairn_node start = 0;
    cairn_status status = costs ? flood_widely(map, costs, &start) : CAIRN_E_MEMORY;

    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = ask(map, search, costs, start, run);
    cairn_search_free(search);
    free(costs);
    return status;
}

/* The memory is that of the loaded table. */
static bool load(void *context, void *result)
{
    const scale_steps *steps = context;
    const cairn_load_options how = {
        .size = sizeof how, .thread_count = 1, .memory_limit = UINT64_MAX};
    scale_run *run = result;
    cairn_map *map = NULL;
    cairn_table *table = NULL;

    const scale_begin begin = begin_run();
    cairn_status status = cairn_load(steps->table_path, &how, &map, &table, NULL);
    end_run(run, &begin);
    if (status == CAIRN_OK && cairn_map_open_count(map) > 0)
        status = check_queries(map, table, run);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK;
}

/* -------------------------------------------------------------------------------- a map -- */

static int by_time(const void *left, const void *right)
{
    const scale_run *a = left, *b = right;
    const double first = a->user + a->system, second = b->user + b->system;
    return (first > second) - (first < second);
}

/* The run of a step that took the middle time. */
static bool run_step(scale_steps *steps, bool (*step)(void *context, void *result),
                     scale_run *middle)
{
    scale_run runs[ROUNDS_MAX];
    double seconds = 0;
    unsigned count = 0;

    while (count < steps->options->repeat && seconds < ENOUGH_SECONDS) {
        if (!bench_in_child(step, steps, &runs[count], sizeof *runs))
            return false;
        seconds += runs[count].user + runs[count].system;
        count++;
    }
    qsort(runs, count, sizeof *runs, by_time);
    *middle = runs[count / 2];
    return true;
}

static size_t size_of_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = 0;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file)
        fclose(file);
    return size > 0 ? (size_t)size : 0;
}

/* A cave of some side, or a map of the data. */
static bool take_map(scale_steps *steps, const char *name)
{
    static const char cave[] = "cave/";
    scale_run ignored;

    steps->side = 0;
    snprintf(steps->table_path, sizeof steps->table_path, "%s/table", steps->folder);
    if (strncmp(name, cave, sizeof cave - 1) == 0)
        steps->side = (uint32_t)strtoul(name + sizeof cave - 1, NULL, 10);
    if (!steps->side) {
        snprintf(steps->map_path, sizeof steps->map_path, "%s/movingai/%s.map",
                 steps->options->data, name);
        return true;
    }
    snprintf(steps->map_path, sizeof steps->map_path, "%s/map", steps->folder);
    return steps->side <= 16384 && bench_in_child(draw, steps, &ignored, sizeof ignored);
}

static bool measure_build(scale_steps *steps, cairn_metric_choice metric, scale_run *run)
{
    steps->metric = metric;
    return run_step(steps, build, run);
}

static bool measure_map(scale_steps *steps, scale_point *point)
{
    if (!measure_build(steps, CAIRN_METRIC_COMPACT, &point->compact) ||
        !measure_build(steps, CAIRN_METRIC_OF_MAP, &point->build))
        return false;
    point->build.file_size = size_of_file(steps->table_path);
    return run_step(steps, verify, &point->verify) && run_step(steps, load, &point->load);
}

/* --------------------------------------------------------------------------------- output -- */

/* Of a map without open cells, 1. */
static double entries(const scale_point *point)
{
    return point->build.open ? (double)point->build.open * ROWS : 1;
}

static double per_entry(const scale_point *point, double seconds)
{
    return seconds / entries(point) * 1e9;
}

static double bits_per_entry(const scale_point *point)
{
    return (double)point->build.file_size * 8 / entries(point);
}

static double per_cell(const scale_point *point, size_t bytes)
{
    return (double)bytes / point->build.cells;
}

static void print_build(const bench_options *options, const char *name, const scale_point *point,
                        const scale_run *run)
{
    const double user = per_entry(point, run->user), system = per_entry(point, run->system);
    const double bytes = per_cell(point, run->peak);

    if (options->json)
        printf(",\"%s_ns\":%.2f,\"%s_system_ns\":%.2f,\"%s_bytes\":%.2f", name, user, name, system,
               name, bytes);
    else
        printf("  %s %5.1f + %4.1f ns %6.1f bytes", name, user, system, bytes);
}

static void print_point(const bench_options *options, const char *name, const scale_point *point,
                        bool first)
{
    const scale_run *build = &point->build, *verify = &point->verify, *load = &point->load;
    printf(options->json ? "%s{\"map\":\"%s\",\"cells\":%u,\"open\":%u"
                         : "%s%-16s %9u cells %9u open",
           options->json && !first ? "," : "", name, build->cells, build->open);
    print_build(options, "build", point, build);
    print_build(options, "compact", point, &point->compact);
    printf(options->json ? ",\"verify_ns\":%.2f,"
                           "\"verify_bytes\":%.2f,\"load_ns\":%.2f,\"load_bytes\":%.2f,"
                           "\"file_bits\":%.4f,\"query_us\":%.2f,\"expanded\":%.1f,"
                           "\"queries\":%u,\"wrong\":%u}"
                         : "  verify %5.1f ns %6.1f bytes  load %5.1f ns %6.1f bytes  "
                           "file %.3f bits  query %8.1f us, %8.1f expanded; of %u %u wrong\n",
           per_entry(point, verify->user + verify->system), per_cell(point, verify->peak),
           per_entry(point, load->user + load->system), per_cell(point, load->peak),
           bits_per_entry(point), load->query * 1e6, load->expanded, load->queries, load->wrong);
    fflush(stdout);
}

static double build_seconds(const scale_point *point)
{
    return point->build.user + point->build.system;
}

static double build_user_seconds(const scale_point *point)
{
    return point->build.user;
}

static double build_peak(const scale_point *point)
{
    return (double)point->build.peak;
}

static double compact_seconds(const scale_point *point)
{
    return point->compact.user + point->compact.system;
}

static double compact_peak(const scale_point *point)
{
    return (double)point->compact.peak;
}

static double verify_seconds(const scale_point *point)
{
    return point->verify.user + point->verify.system;
}

static double load_seconds(const scale_point *point)
{
    return point->load.user + point->load.system;
}

static double file_bytes(const scale_point *point)
{
    return (double)point->build.file_size;
}

static double query_seconds(const scale_point *point)
{
    return point->load.query;
}

static double expanded_nodes(const scale_point *point)
{
    return point->load.expanded;
}

/* A figure is about factor * cells^exponent. */
typedef struct scale_fit {
    double factor, exponent;
} scale_fit;

/* Least squares of the logarithms. */
static scale_fit fit(const scale_point *points, size_t count, double (*figure)(const scale_point *))
{
    double x = 0, y = 0, xx = 0, xy = 0;
    const double n = (double)count;

    for (size_t i = 0; i < count; i++) {
        const double value = figure(&points[i]);
        const double a = log(points[i].build.cells), b = log(value > 0 ? value : 1e-9);
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    const double spread = n * xx - x * x;
    const double exponent = spread > 0 ? (n * xy - x * y) / spread : 0;
    return (scale_fit){exp((y - exponent * x) / n), exponent};
}

static void print_fits(const bench_options *options, const scale_point *points, size_t count)
{
    static const struct {
        const char *name;
        double (*figure)(const scale_point *);
    } figures[] = {{"build_seconds", build_seconds}, {"build_user_seconds", build_user_seconds},
                   {"build_bytes", build_peak},      {"compact_seconds", compact_seconds},
                   {"compact_bytes", compact_peak},  {"verify_seconds", verify_seconds},
                   {"load_seconds", load_seconds},   {"file_bytes", file_bytes},
                   {"query_seconds", query_seconds}, {"expanded", expanded_nodes}};

    printf(options->json ? ",{\"fits\":{" : "\nof the cells, fitted:\n");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const scale_fit found = fit(points, count, figures[i].figure);
        printf(options->json ? "%s\"%s\":{\"factor\":%.4g,\"exponent\":%.3f}"
                             : "%s  %-18s %10.3g * cells^%.3f\n",
               options->json && i ? "," : "", figures[i].name, found.factor, found.exponent);
    }
    printf(options->json ? "}}" : "");
}

/* ------------------------------------------------------------------------------- the call -- */

static int measure_all(scale_steps *steps)
{
    const bench_options *options = steps->options;
    scale_point points[POINTS_MAX];
    size_t count = 0;
    int code = 0;

    for (size_t i = 0; i < options->map_count && count < POINTS_MAX; i++) {
        const char *name = options->maps[i];
        if (take_map(steps, name) && measure_map(steps, &points[count])) {
            print_point(options, name, &points[count], count == 0);
            code = points[count].load.wrong ? 1 : code;
            count++;
        } else {
            code = bench_failed(name, CAIRN_E_IO);
        }
        remove(steps->table_path);
        if (steps->side)
            remove(steps->map_path);
    }
    if (count > 1)
        print_fits(options, points, count);
    return code;
}

int bench_scale(const bench_options *options)
{
    scale_steps steps = {.options = options};
    const char *parent = getenv("TMPDIR");

    if (options->repeat > ROUNDS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    snprintf(steps.folder, sizeof steps.folder, "%s/cairn-scale-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(steps.folder))
        return bench_failed(steps.folder, CAIRN_E_IO);
    int code = measure_all(&steps);
    rmdir(steps.folder);
    return code;
}
