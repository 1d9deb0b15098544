/* cairn-bench: how fast the library is, beside others, in one run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/options.h"

static const char *const DEFAULT_MAPS[] = {
    "dao/brc202d", "dao/orz900d",  "bg512/AR0700SR",    "sc1/TheatreofWar",
    "sc1/Aurora",  "sc1/Cauldron", "mazes/maze512-1-0", "random/random512-10-0"};

static const char *const FILE_MAPS[] = {
    "dao/lak303d",     "dao/brc202d",           "dao/orz900d",       "bg512/AR0700SR",
    "sc1/Aurora",      "sc1/Cauldron",          "sc1/TheatreofWar",  "rooms/64room_000",
    "rooms/8room_005", "random/random512-35-0", "mazes/maze512-1-0", "roads/andorra-t"};

static const char *const MEMORY_MAPS[] = {"dao/lak303d",    "dao/brc202d", "dao/orz900d",
                                          "bg512/AR0700SR", "sc1/Aurora",  "sc1/Cauldron"};

static const char *const OPENINGS_MAPS[] = {"dao/brc202d", "dao/orz900d", "bg512/AR0700SR",
                                            "sc1/Aurora"};

static const char *const UNITS_MAPS[] = {"dao/brc202d", "bg512/AR0700SR", "sc1/Aurora"};

static const char *const DYNAMIC_SCENARIOS[] = {"dynamic/dao_arena2", "dynamic/switch_arctic_war"};

static const char *const GRAPH_MAPS[] = {"sc1/TheatreofWar", "sc1/Aurora", "roads/andorra-t",
                                         "roads/andorra-d", "roads/campo-grande-t"};

static const char *const ROADS[] = {"roads/andorra-d", "roads/andorra-t", "roads/campo-grande-t"};

static const char *const CAVES[] = {"cave/100",  "cave/316",  "cave/1024", "cave/2048",
                                    "cave/4096", "cave/8192", "cave/16384"};

enum { DEFAULT_REPEAT = 7 };

#define MAPS(list) list, sizeof list / sizeof *list

/* Each has a file of its own, its prototype in kit/kit.h, and its row here, from which the help and
 * the tests take it. */
static const struct {
    const char *name;
    bench_subject *run;
    const char *const *maps; /* without --maps */
    size_t map_count;
    unsigned known; /* of the options that not all subjects know */
    const char *help;
} SUBJECTS[] = {
    {"flood", bench_flood, MAPS(DEFAULT_MAPS), BENCH_EVERY_MAP | BENCH_EVERY_ENGINE | BENCH_REPEAT,
     "all costs from one cell, beside Dijkstra's algorithm with a heap"},
    {"build", bench_build, MAPS(DEFAULT_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "a whole table with its file, on one and two threads, and its memory"},
    {"bound", bench_bound, MAPS(DEFAULT_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "one evaluation of 16 rows: every kernel beside a scalar loop"},
    {"search", bench_search, MAPS(DEFAULT_MAPS),
     BENCH_EVERY_MAP | BENCH_EVERY_QUERY | BENCH_RESIDENT | BENCH_COLD | BENCH_ALL_PAIRS |
         BENCH_REPEAT,
     "queries of scenarios: every space, with and without landmarks, beside others' A*\n"
     "where costs are uniform; every path is checked against a flood"},
    {"first", bench_first, MAPS(OPENINGS_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "the first search of a map, which finds where jump points are, beside a flood:\n"
     "under every rule, on level ground, terrain, one-way cells and heights drawn on it"},
    {"slices", bench_slices, MAPS(OPENINGS_MAPS), BENCH_EVERY_MAP | BENCH_RESIDENT | BENCH_REPEAT,
     "searches in slices of some expansions or microseconds, beside whole ones"},
    {"memory", bench_memory, MAPS(MEMORY_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "bytes of map, table and search, the time of a query, hot and cold, and of a\n"
     "load: rows at every cell beside rows at corners"},
    {"refresh", bench_refresh, MAPS(DEFAULT_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "repair of single rows after edits, beside rebuilding them"},
    {"openings", bench_openings, MAPS(OPENINGS_MAPS), BENCH_EVERY_MAP | BENCH_RESIDENT,
     "queries right after walls were opened, with the table as it was, beside a rebuilt\n"
     "one and none"},
    {"halves", bench_halves, MAPS(OPENINGS_MAPS), BENCH_EVERY_MAP,
     "queries through a door that opens between halves of a map, and refreshes after it\n"
     "has opened and closed, in steps of 200 us"},
    {"frames", bench_frames, MAPS(OPENINGS_MAPS), BENCH_EVERY_MAP | BENCH_RESIDENT,
     "frames of edits, queries and 200 us of repair, beside repairing when it is worth\n"
     "it, rebuilding where there are edits, never repairing, and no table: mean, 99 % and worst"},
    {"storm", bench_storm, MAPS(OPENINGS_MAPS), BENCH_EVERY_MAP | BENCH_RESIDENT,
     "a million edits without any refresh, with queries between them, beside no table"},
    {"dynamic", bench_dynamic, MAPS(DYNAMIC_SCENARIOS), BENCH_RESIDENT | BENCH_REPEAT,
     "scenarios with changes (dynamic/NAME of DIR) as a whole: a table that is repaired\n"
     "after each change, rebuilt, refreshed as it is worth it, or left, and none"},
    {"goals", bench_goals, MAPS(DEFAULT_MAPS), BENCH_EVERY_MAP,
     "the nearest of 100 goals or starts, beside the query to it alone and Dijkstra's\n"
     "algorithm"},
    {"crowds", bench_crowds, MAPS(OPENINGS_MAPS), BENCH_EVERY_MAP | BENCH_RESIDENT | BENCH_REPEAT,
     "queries that avoid 16 to 1,000 cells, beside those that avoid nothing, and beside\n"
     "edits of the map"},
    {"units", bench_units, MAPS(UNITS_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "maps for units of 2 and 3 cells: edits followed and tables repaired, beside size 1"},
    {"distances", bench_distances, MAPS(UNITS_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "costs between 1,000 cells and 1,000 others, beside floods and searches"},
    {"publish", bench_publish, MAPS(DEFAULT_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "what readers beside a writer cost: repair, publication, and the copy that follows"},
    {"graph", bench_graphs, MAPS(GRAPH_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "maps as nodes and arcs, and road networks, beside Dijkstra's algorithm"},
    {"roads", bench_roads, MAPS(ROADS), BENCH_REPEAT,
     "placements on road networks, and what coordinates are worth beside landmarks"},
    {"traffic", bench_traffic, MAPS(ROADS), BENCH_REPEAT,
     "queries while thousands of arcs become dearer and nothing is refreshed, beside none"},
    {"file", bench_file, MAPS(FILE_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "its size and the time to load it, beside the entries deflated by zlib"},
    {"ranks", bench_ranks, MAPS(DEFAULT_MAPS), BENCH_EVERY_MAP | BENCH_REPEAT,
     "greedy placement and rows by 2 and 4 processes together, beside one: processor\n"
     "time along the longest way"},
    {"scale", bench_scale, MAPS(CAVES), BENCH_REPEAT,
     "caves of 10^4 to 2.7 * 10^8 cells: time, memory and file of a build, verifying,\n"
     "loading, queries beside a flood, and how these grow; cave/SIDE draws one, so\n"
     "--maps cave/100,cave/316,cave/1024 ends early"}};
enum { SUBJECT_COUNT = sizeof SUBJECTS / sizeof *SUBJECTS };

static size_t find_subject(const char *name)
{
    size_t found = 0;
    while (found < SUBJECT_COUNT && strcmp(SUBJECTS[found].name, name) != 0)
        found++;
    return found;
}

static void print_subjects(void)
{
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        puts(SUBJECTS[i].name);
}

static void print_help(FILE *to)
{
    fputs("usage: cairn-bench SUBJECT [OPTION...]\n"
          "       cairn-bench --help | --subjects\n\n"
          "Subjects, and which of the last options each has:\n",
          to);
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        const int length = fprintf(to, "  %s", SUBJECTS[i].name);
        bench_print_words(to, length, 12, SUBJECTS[i].help);
        if (SUBJECTS[i].known)
            bench_print_names(to, 12, SUBJECTS[i].known);
    }
    fputs("\nOptions:\n", to);
    bench_print_options(to);
    fputs("  example: cairn-bench flood --maps dao/brc202d,sc1/Aurora --repeat 9\n", to);
}

static bool data_is_there(const char *folder)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/movingai", folder);
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

/* Measures a subject; returns the exit code. */
static int run(size_t subject, bench_options *options)
{
    if (SUBJECTS[subject].run != bench_scale && !data_is_there(options->data)) {
        fprintf(stderr, "cairn-bench: skipped: no maps in %s/movingai (see CAIRN_TEST_DATA)\n",
                options->data);
        return 0;
    }
    if (options->every_map)
        bench_take_every_map(options);
    bench_begin(options, SUBJECTS[subject].name);
    int code = SUBJECTS[subject].run(options);
    bench_end(options);
    return fflush(stdout) == 0 ? code : 3;
}

int main(int count, char **words)
{
    const char *maps[BENCH_MAPS_MAX];
    const char *data = getenv("CAIRN_TEST_DATA");
    bench_options options = {.data = data ? data : "../shared/data", .maps = maps};
    cairn_alphabet_init(&options.terrain);

    if (count == 2 && strcmp(words[1], "--help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (count == 2 && strcmp(words[1], "--subjects") == 0) {
        print_subjects();
        return 0;
    }
    size_t subject = count > 1 ? find_subject(words[1]) : SUBJECT_COUNT;
    if (subject == SUBJECT_COUNT) {
        print_help(stderr);
        return 2;
    }
    options.repeat = SUBJECTS[subject].known & BENCH_REPEAT ? DEFAULT_REPEAT : 0;
    options.map_count = SUBJECTS[subject].map_count;
    memcpy(maps, SUBJECTS[subject].maps, options.map_count * sizeof *maps);
    if (!bench_parse(words[1], SUBJECTS[subject].known, words + 2, &options))
        return 2;
    return run(subject, &options);
}
