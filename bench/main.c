/* cairn-bench: how fast the library is, beside others, in one run. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/kit.h"

enum { MAPS_MAX = 256 };

static const char USAGE[] =
    "usage: cairn-bench SUBJECT [--maps SET/NAME,...] [--data DIR] [--repeat N] [--json]\n"
    "                   [--moves 4|8|8-one|8-any|hex] [--terrain TEXT] [--charge entered|average]\n"
    "\n"
    "  flood   all costs from one cell, beside Dijkstra's algorithm with a heap;\n"
    "          --every-engine: not only by the engine that the library would choose\n"
    "  build   a whole table with its file, on one and two threads, and its memory\n"
    "  bound   one evaluation of 16 rows: every kernel beside a scalar loop\n"
    "  search  queries of scenarios: every space, with and without landmarks, beside others' A*\n"
    "          where costs are uniform; every path is checked against a flood;\n"
    "          --every-map: jump points with and without landmarks on all maps of DIR;\n"
    "          --every-query: all lines of scenarios, where otherwise one of 20 is asked;\n"
    "          --resident cells|corners: where the rows of tables live (default: cells);\n"
    "          --cold: 64 MiB of other memory are read before every query\n"
    "  first   the first search of a map, which finds where jump points are, beside a flood:\n"
    "          under every rule, on level ground, terrain, one-way cells and heights drawn on it\n"
    "  slices  searches in slices of some expansions or microseconds, beside whole ones\n"
    "  memory  bytes of map, table and search, the time of a query, hot and cold, and of a\n"
    "          load: rows at every cell beside rows at corners\n"
    "  refresh repair of single rows after edits, beside rebuilding them\n"
    "  openings queries right after walls were opened, with the table as it was, beside a rebuilt\n"
    "          one and none; --resident as above, also of frames, storm, dynamic and slices\n"
    "  frames  frames of edits, queries and 200 us of repair, beside repairing when it is worth\n"
    "          it, rebuilding in every frame, never repairing, and no table: mean, 99 % and worst\n"
    "  storm   a million edits without any refresh, with queries between them, beside no table\n"
    "  dynamic scenarios with changes (dynamic/NAME of DIR) as a whole: a table that is repaired\n"
    "          after each change, rebuilt, refreshed as it is worth it, or left, and none\n"
    "  goals   the nearest of 100 goals or starts, beside the query to it alone and Dijkstra's\n"
    "          algorithm\n"
    "  units   maps for units of 2 and 3 cells: edits followed and tables repaired, beside size 1\n"
    "  distances costs between 1,000 cells and 1,000 others, beside floods and searches\n"
    "  publish what readers beside a writer cost: repair, publication, and the copy that follows\n"
    "  graph   maps as nodes and arcs, and road networks, beside Dijkstra's algorithm\n"
    "  roads   placements on road networks, and what coordinates are worth beside landmarks\n"
    "  file    its size and the time to load it, beside the entries deflated by zlib\n"
    "  ranks   greedy placement and rows by 2 and 4 processes together, beside one: processor\n"
    "          time along the longest way\n"
    "  scale   caves of 10^4 to 2.7 * 10^8 cells: time, memory and file of a build, verifying,\n"
    "          loading, queries beside a flood, and how these grow; cave/SIDE draws one, so\n"
    "          --maps cave/100,cave/316,cave/1024 ends early\n"
    "\n"
    "Maps are read from DIR/movingai, roads/NAME from DIR/roads (default: CAIRN_TEST_DATA, else\n"
    "../shared/data), with the neighbours of a cell (default: 8), the costs of letters (TEXT is\n"
    "LETTER=FACTOR,...) and the charge for a step that the options say.\n"
    "  example: cairn-bench flood --maps dao/brc202d,sc1/Aurora --repeat 9\n";

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

#define MAPS(list) list, sizeof list / sizeof *list

static const struct {
    const char *name;
    bench_subject *run;
    const char *const *maps; /* without --maps */
    size_t map_count;
} SUBJECTS[] = {{"flood", bench_flood, MAPS(DEFAULT_MAPS)},
                {"build", bench_build, MAPS(DEFAULT_MAPS)},
                {"bound", bench_bound, MAPS(DEFAULT_MAPS)},
                {"search", bench_search, MAPS(DEFAULT_MAPS)},
                {"first", bench_first, MAPS(OPENINGS_MAPS)},
                {"slices", bench_slices, MAPS(OPENINGS_MAPS)},
                {"memory", bench_memory, MAPS(MEMORY_MAPS)},
                {"refresh", bench_refresh, MAPS(DEFAULT_MAPS)},
                {"openings", bench_openings, MAPS(OPENINGS_MAPS)},
                {"frames", bench_frames, MAPS(OPENINGS_MAPS)},
                {"storm", bench_storm, MAPS(OPENINGS_MAPS)},
                {"dynamic", bench_dynamic, MAPS(DYNAMIC_SCENARIOS)},
                {"goals", bench_goals, MAPS(DEFAULT_MAPS)},
                {"units", bench_units, MAPS(UNITS_MAPS)},
                {"distances", bench_distances, MAPS(UNITS_MAPS)},
                {"publish", bench_publish, MAPS(DEFAULT_MAPS)},
                {"file", bench_file, MAPS(FILE_MAPS)},
                {"scale", bench_scale, MAPS(CAVES)},
                {"ranks", bench_ranks, MAPS(DEFAULT_MAPS)},
                {"graph", bench_graphs, MAPS(GRAPH_MAPS)},
                {"roads", bench_roads, MAPS(ROADS)}};
enum { SUBJECT_COUNT = sizeof SUBJECTS / sizeof *SUBJECTS };

static size_t split(char *text, const char **parts)
{
    size_t count = 0;
    for (char *part = strtok(text, ","); part && count < MAPS_MAX; part = strtok(NULL, ","))
        parts[count++] = part;
    return count;
}

static bool parse_moves(const char *name, cairn_rule *rule)
{
    static const char *const NAMES[] = {"8", "4", "8-one", "8-any", "hex"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            *rule = (cairn_rule)i;
            return true;
        }
    }
    return false;
}

static bool parse_charge(const char *name, cairn_charge *charge)
{
    *charge = strcmp(name, "average") == 0 ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED;
    return *charge == CAIRN_CHARGE_AVERAGE || strcmp(name, "entered") == 0;
}

/* What maps mean: the options of every subject. False for another option, or a wrong value. */
static bool parse_map_option(const char *option, const char *value, bench_options *options)
{
    if (strcmp(option, "--moves") == 0)
        return parse_moves(value, &options->rule);
    if (strcmp(option, "--terrain") == 0)
        return cairn_alphabet_parse(value, strlen(value), &options->terrain, NULL) == CAIRN_OK;
    return strcmp(option, "--charge") == 0 && parse_charge(value, &options->charge);
}

/* Whether a subject can measure tables of both kinds. */
static bool knows_resident(const char *subject)
{
    return strcmp(subject, "search") == 0 || strcmp(subject, "openings") == 0 ||
           strcmp(subject, "frames") == 0 || strcmp(subject, "storm") == 0 ||
           strcmp(subject, "dynamic") == 0 || strcmp(subject, "slices") == 0;
}

static bool parse_resident(const char *name, cairn_resident *resident)
{
    *resident = strcmp(name, "corners") == 0 ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS;
    return *resident == CAIRN_RESIDENT_CORNERS || strcmp(name, "cells") == 0;
}

/* What an option without a value sets; NULL: it is none, or not one of the subject. */
static bool *flag_of(const char *subject, const char *option, bench_options *options)
{
    const bool is_search = strcmp(subject, "search") == 0;
    if (strcmp(option, "--json") == 0)
        return &options->json;
    if (strcmp(option, "--every-engine") == 0)
        return &options->every_engine;
    if (strcmp(option, "--every-map") == 0)
        return &options->every_map;
    if (is_search && strcmp(option, "--every-query") == 0)
        return &options->every_query;
    return is_search && strcmp(option, "--cold") == 0 ? &options->cold : NULL;
}

/* False for an argument that is not understood. */
static bool parse(int count, char **words, bench_options *options)
{
    for (int i = 2; i < count; i++) {
        bool *flag = flag_of(words[1], words[i], options);
        if (flag) {
            *flag = true;
            continue;
        }
        if (i + 1 == count)
            return false;
        char *value = words[++i];
        if (strcmp(words[i - 1], "--maps") == 0)
            options->map_count = split(value, options->maps);
        else if (strcmp(words[i - 1], "--data") == 0)
            options->data = value;
        else if (strcmp(words[i - 1], "--repeat") == 0)
            options->repeat = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(words[i - 1], "--resident") == 0 && knows_resident(words[1]) &&
                 parse_resident(value, &options->resident))
            continue;
        else if (!parse_map_option(words[i - 1], value, options))
            return false;
    }
    return options->repeat > 0 && options->map_count > 0;
}

static size_t find_subject(const char *name)
{
    size_t found = 0;
    while (found < SUBJECT_COUNT && strcmp(SUBJECTS[found].name, name) != 0)
        found++;
    return found;
}

static bool data_is_there(const char *folder)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/movingai", folder);
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

static int in_order(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Adds the maps of one set, "set/NAME" each; the names are never freed. */
static void add_maps_of(bench_options *options, const char *set)
{
    static const char ending[] = ".map";
    char path[4096];
    snprintf(path, sizeof path, "%s/movingai/%s", options->data, set);
    DIR *folder = set[0] == '.' ? NULL : opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) && options->map_count < MAPS_MAX;) {
        size_t length = strlen(entry->d_name), name = length - (sizeof ending - 1);
        if (length < sizeof ending || strcmp(entry->d_name + name, ending) != 0)
            continue;
        char *map = malloc(strlen(set) + name + 2);
        if (!map)
            break;
        sprintf(map, "%s/%.*s", set, (int)name, entry->d_name);
        options->maps[options->map_count++] = map;
    }
    closedir(folder);
}

static void take_every_map(bench_options *options)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/movingai", options->data);
    DIR *folder = opendir(path);
    options->map_count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        add_maps_of(options, entry->d_name);
    if (folder)
        closedir(folder);
    qsort(options->maps, options->map_count, sizeof *options->maps, in_order);
}

int main(int count, char **words)
{
    const char *maps[MAPS_MAX];
    const char *data = getenv("CAIRN_TEST_DATA");
    bench_options options = {.data = data ? data : "../shared/data", .maps = maps, .repeat = 7};
    cairn_alphabet_init(&options.terrain);

    if (count == 2 && strcmp(words[1], "--help") == 0) {
        fputs(USAGE, stdout);
        return 0;
    }
    size_t subject = count > 1 ? find_subject(words[1]) : SUBJECT_COUNT;
    if (subject < SUBJECT_COUNT) {
        options.map_count = SUBJECTS[subject].map_count;
        memcpy(maps, SUBJECTS[subject].maps, options.map_count * sizeof *maps);
    }
    if (subject == SUBJECT_COUNT || !parse(count, words, &options)) {
        fputs(USAGE, stderr);
        return 2;
    }
    if (SUBJECTS[subject].run != bench_scale && !data_is_there(options.data)) {
        fprintf(stderr, "cairn-bench: skipped: no maps in %s/movingai (see CAIRN_TEST_DATA)\n",
                options.data);
        return 0;
    }

    if (options.every_map)
        take_every_map(&options);
    bench_begin(&options, words[1]);
    int code = SUBJECTS[subject].run(&options);
    bench_end(&options);
    return fflush(stdout) == 0 ? code : 3;
}
