#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "compare/compare.h"
#include "compare/dynamic.h"
#include "compare/many.h"
#include "kit/clock.h"
#include "kit/difference.h"
#include "kit/edits.h"
#include "kit/exits.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/team.h"
#include "report/report.h"

typedef struct settings {
    const char *first_path;
    const char *second_path;
    kit_words more_paths;
    const char *list_path;
    const char *results_path;
    const char *report_path;
    const char *csv_path;
    const char *edits_path;
    int refresh; /* by place among the words of --refresh */
    uint32_t every;
    int space;
    uint32_t landmark_count;
    kit_wish wish;
    bool exact;
    bool dynamic;
    uint64_t memory_limit;
    int resident; /* a cairn_resident */
    bool json;
} settings;

enum { CELLS = 1 << CAIRN_SPACE_CELLS, JUMP = 1 << CAIRN_SPACE_JUMP };

/* The words of --space, and which spaces each asks for. */
static const char *const space_words[] = {"jump", "cells", NULL};
static const unsigned spaces[] = {CELLS | JUMP, CELLS};

/* The words of --refresh, numbered. */
enum { REFRESH_NONE, REFRESH_ALL };
static const char *const refresh_words[] = {"none", "all", NULL};

static const kit_option operands[] = {
    {.name = "TABLE",
     .help = "a file written by cairn build, or - for standard input",
     .read = kit_read_text,
     .optional = true,
     .offset = offsetof(settings, first_path)},
    {.name = "SCEN",
     .help = "queries on its map: Moving AI's .scen of a grid, DIMACS's .p2p of a graph",
     .read = kit_read_text,
     .offset = offsetof(settings, second_path),
     .optional = true},
    {.name = "TABLE...",
     .help = "more tables of the map, before SCEN; or many tables and scenarios",
     .read = kit_read_words,
     .optional = true,
     .repeats = true,
     .offset = offsetof(settings, more_paths)},
    {0},
};

static const kit_option options[] = {
    {.name = "every",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = UINT32_MAX,
     .help = "take lines 1, 1 + N, 1 + 2 N ... (default 1)",
     .offset = offsetof(settings, every)},
    {.name = "exact",
     .help = "also search with the exact heuristic, the limit of all bounds",
     .offset = offsetof(settings, exact)},
    {.name = "space",
     .value = "NAME",
     .read = kit_read_word,
     .words = space_words,
     .help = "jump: also search along jump points (default); or cells alone",
     .offset = offsetof(settings, space)},
    KIT_WISH(settings, wish),
    {.name = "edits",
     .value = "EDITS",
     .read = kit_read_text,
     .help = "apply edits first: a file as for cairn refresh, or - for standard input",
     .offset = offsetof(settings, edits_path)},
    {.name = "refresh",
     .value = "ROWS",
     .read = kit_read_word,
     .words = refresh_words,
     .help = "after the edits: none, tables as they were (default); or all",
     .offset = offsetof(settings, refresh)},
    {.name = "dynamic",
     .help = "TABLE is a .scen file of version 2 instead, a map that changes",
     .offset = offsetof(settings, dynamic)},
    KIT_LANDMARKS(settings, "rows of landmarks for --dynamic, 1 to 256 (default 16)"),
    {.name = "set",
     .value = "LIST",
     .read = kit_read_text,
     .help = "many comparisons: TABLE SCEN in each line of a file; - is standard input",
     .offset = offsetof(settings, list_path)},
    {.name = "results",
     .value = "FILE",
     .read = kit_read_output,
     .help = "append the results of many to FILE, and compare only what it has not yet",
     .offset = offsetof(settings, results_path)},
    {.name = "csv",
     .value = "FILE",
     .read = kit_read_output,
     .help = "write one line per query and search, with its bound at the start",
     .offset = offsetof(settings, csv_path)},
    {.name = "report",
     .value = "HTML",
     .read = kit_read_output,
     .help = "write a self-contained page with charts and pictures",
     .offset = offsetof(settings, report_path)},
    KIT_MEMORY_LIMIT(settings),
    KIT_RESIDENT(settings),
    KIT_JSON(settings),
    {0},
};

static int report(const settings *set, const comparison *work)
{
    if (!kit_team_is_first())
        return KIT_EXIT_OK;
    if (set->csv_path && !comparison_write_csv(work, set->csv_path))
        return KIT_EXIT_IO;
    if (set->report_path && !report_write(work, set->report_path))
        return KIT_EXIT_IO;
    kit_progress_end();
    if (!(set->json ? comparison_print_json : comparison_print_text)(work))
        return kit_fail(work->scenario_path, CAIRN_E_MEMORY);
    if (work->query_count == 0)
        comparison_tell_of_no_queries(work->scenario_path);
    return work->wrong_lengths + work->wrong_costs > 0 ? KIT_EXIT_NO : KIT_EXIT_OK;
}

/* Whether all processes have the same tables and queries, of which each measures some. An exit
 * code. */
static int check_team(const comparison *work, const cairn_scenario *scenario)
{
    const cairn_query *queries = cairn_scenario_queries(scenario);
    uint64_t rows = cairn_map_hash(work->map), word = 0;
    for (size_t i = 0; i < work->table_count; i++)
        rows = 31 * rows + work->table_sizes[i];
    for (size_t i = 0; i < cairn_scenario_count(scenario); i++)
        word = 31 * (31 * word + queries[i].start) + queries[i].goal;
    int code = kit_team_same(work->table_paths[0], rows);
    return code == KIT_EXIT_OK ? kit_team_same(work->scenario_path, word) : code;
}

static int measure(const settings *set, comparison *work, const cairn_scenario *scenario)
{
    int code = check_team(work, scenario);
    if (code != KIT_EXIT_OK)
        return code;
    kit_progress_begin("comparing");
    cairn_status status = comparison_take(work, scenario);
    if (status == CAIRN_OK)
        status = comparison_add_searches(work, set->exact, spaces[set->space]);
    if (status == CAIRN_OK)
        status = comparison_run(work);
    if (status != CAIRN_OK)
        return kit_fail_on_map(work->scenario_path, status, work->map, 0);
    return report(set, work);
}

static int compare(const settings *set, comparison *work)
{
    cairn_scenario *scenario;
    int code = kit_load_scenario(work->scenario_path, work->map, &scenario);
    if (code != KIT_EXIT_OK)
        return code;

    code = measure(set, work, scenario);
    comparison_free(work);
    cairn_scenario_free(scenario);
    return code;
}

/* The last operand is the scenario, those before are tables. */
static void sort_operands(const settings *set, comparison *work)
{
    const kit_words *more = &set->more_paths;
    work->table_paths[work->table_count++] = set->first_path;
    work->scenario_path = set->second_path;
    for (size_t i = 0; i < more->count; i++) {
        work->table_paths[work->table_count++] = work->scenario_path;
        work->scenario_path = more->words[i];
    }
}

/* Whether a report would overwrite a table, the scenario or the other report; complains. */
static bool overwrites(const comparison *work, const char *option, const char *path,
                       const char *other_report)
{
    kit_input inputs[TABLES_MAX + 4] = {{work->scenario_path, "one of the files to read"},
                                        {other_report, "the file of --report too"},
                                        {work->edits_path, "one of the files to read"}};
    for (size_t i = 0; i < work->table_count; i++)
        inputs[3 + i] = (kit_input){work->table_paths[i], "one of the files to read"};
    return kit_overwrites("compare", option, path, inputs);
}

/* The first option that is there and that only the other way of comparing knows; NULL: none. */
static const char *misplaced_option(const settings *set)
{
    const struct {
        const char *name;
        bool is_given;
    } of_one_map[] = {
        {"edits", set->edits_path},
        {"csv", set->csv_path},
        {"report", set->report_path},
        {"exact", set->exact},
        {"space", set->space},
        {"every", set->every != 1},
        {"heuristic", set->wish.heuristic},
        {"ties", set->wish.ties},
        {"weight", set->wish.weight},
        {"limit", set->wish.limit},
        {"no-reopening", set->wish.no_reopening},
        {"resident", set->resident},
        {"memory-limit", set->memory_limit},
    };

    if (!set->dynamic)
        return set->landmark_count ? "landmarks" : NULL;
    for (size_t i = 0; i < sizeof of_one_map / sizeof *of_one_map; i++)
        if (of_one_map[i].is_given)
            return of_one_map[i].name;
    return NULL;
}

/* Whether options or operands do not go together; complains. */
static bool is_out_of_place(const settings *set)
{
    const char *option = misplaced_option(set);

    if (option)
        kit_complain("compare: --%s %s --dynamic", option,
                     set->dynamic ? "does not go with" : "goes with");
    else if (set->refresh && !set->edits_path)
        kit_complain("compare: --refresh goes with --edits");
    else if (set->dynamic && set->second_path)
        kit_complain("compare: --dynamic: one operand too many: \"%s\"", set->second_path);
    else
        return false;
    return true;
}

/* A further table, which has to belong to the map of the first, `first_path`. */
static int load_further(const char *path, const char *first_path, const cairn_map *map,
                        cairn_table **table, uint64_t *size)
{
    cairn_map *own;
    int code = kit_load_table(path, &own, table, size);
    if (code != KIT_EXIT_OK)
        return code;
    if (cairn_map_hash(own) != cairn_map_hash(map)) {
        kit_complain("%s: not of the same map and metric as %s: %s", path, first_path,
                     kit_map_difference(own, map).text);
        code = KIT_EXIT_IO;
    }
    cairn_map_free(own);
    return code;
}

static int load_tables(comparison *work, cairn_map **map, cairn_table **tables)
{
    int code = kit_load_table(work->table_paths[0], map, &tables[0], &work->table_sizes[0]);
    for (size_t i = 1; i < work->table_count && code == KIT_EXIT_OK; i++)
        code = load_further(work->table_paths[i], work->table_paths[0], *map, &tables[i],
                            &work->table_sizes[i]);
    return code;
}

/* Repairs every row of every table. */
static int refresh_tables(comparison *work, const cairn_map *map, cairn_table *const *tables)
{
    const kit_watch started = kit_watch_start();
    for (size_t i = 0; i < work->table_count; i++) {
        cairn_status status = cairn_refresh_step(tables[i], map, CAIRN_UNLIMITED);
        if (status != CAIRN_OK)
            return kit_fail_on_map(work->table_paths[i], status, map, 0);
    }
    work->is_refreshed = true;
    work->refresh_us = 1e6 * kit_watch_seconds(started);
    return KIT_EXIT_OK;
}

/* A map keeps its edits for tables that count steps only if it has met one before. */
static int meet_map(const comparison *work, const cairn_map *map, cairn_table *const *tables)
{
    for (size_t i = 0; i < work->table_count; i++) {
        cairn_status status = cairn_refresh_step(tables[i], map, CAIRN_CELLS(0));
        if (status != CAIRN_OK)
            return kit_fail_on_map(work->table_paths[i], status, map, 0);
    }
    return KIT_EXIT_OK;
}

/* Edits the map of the tables, if that is asked for. */
static int edit_map(const settings *set, comparison *work, cairn_map *map,
                    cairn_table *const *tables)
{
    if (!set->edits_path)
        return KIT_EXIT_OK;
    int code = meet_map(work, map, tables);
    if (code == KIT_EXIT_OK)
        code = kit_apply_edits(set->edits_path, map, &work->edit_count);
    return code == KIT_EXIT_OK && set->refresh == REFRESH_ALL ? refresh_tables(work, map, tables)
                                                              : code;
}

/* The parts that need the map. */
static int compare_on(const settings *set, comparison *work, cairn_map *map,
                      cairn_table *const *tables)
{
    for (size_t i = 0; i < work->table_count; i++)
        work->tables[i] = tables[i];
    work->map = map;
    if (!kit_heuristic_is_there("compare", map, set->wish.heuristic))
        return KIT_EXIT_USAGE;
    int code = edit_map(set, work, map, tables);
    return code == KIT_EXIT_OK ? compare(set, work) : code;
}

/* Files that cannot be read and written, or both be read, as the command says; complains. */
static bool are_at_odds(const settings *set, const comparison *work)
{
    if (set->edits_path && kit_is_stdin(set->edits_path) && kit_is_stdin(set->first_path)) {
        kit_complain("compare: TABLE and EDITS cannot both come from standard input");
        return true;
    }
    return overwrites(work, "csv", set->csv_path, set->report_path) ||
           overwrites(work, "report", set->report_path, NULL);
}

static void complain_of_one_operand(const char *path)
{
    if (many_is_scenario(path))
        kit_complain("compare: TABLE is missing before %s; of version 2 it goes with --dynamic",
                     path);
    else
        kit_complain("compare: SCEN is missing (see cairn compare --help)");
}

static int compare_one(const settings *set, char **words)
{
    comparison work = {0};
    cairn_table *tables[TABLES_MAX] = {NULL};
    cairn_map *map = NULL;

    if (set->more_paths.count >= TABLES_MAX) {
        kit_complain("compare: at most %d tables", TABLES_MAX);
        return KIT_EXIT_USAGE;
    }
    if (!set->second_path) {
        complain_of_one_operand(set->first_path);
        return KIT_EXIT_USAGE;
    }
    sort_operands(set, &work);
    work.edits_path = set->edits_path;
    if (are_at_odds(set, &work))
        return KIT_EXIT_USAGE;
    if (kit_team_is_first() &&
        (!kit_output_is_possible(set->csv_path) || !kit_output_is_possible(set->report_path)))
        return KIT_EXIT_IO;
    int code = load_tables(&work, &map, tables);
    work.every = set->every;
    work.asked = set->wish;
    work.words = words;
    if (code == KIT_EXIT_OK)
        code = compare_on(set, &work, map, tables);
    for (size_t i = 0; i < TABLES_MAX; i++)
        cairn_table_free(tables[i]);
    cairn_map_free(map);
    return code;
}

/* --------------------------------------------------------------------------------- many */

/* All operands in order; they are to be freed. */
static bool list_operands(const settings *set, kit_words *files)
{
    const char *const first[] = {set->first_path, set->second_path};
    bool whole = true;
    for (size_t i = 0; i < 2 && whole && first[i]; i++)
        whole = kit_words_add(files, first[i]);
    for (size_t i = 0; i < set->more_paths.count && whole; i++)
        whole = kit_words_add(files, set->more_paths.words[i]);
    return whole;
}

/* Several scenarios, or what only many comparisons have. */
static bool are_many(const settings *set, const kit_words *files)
{
    size_t scenarios = 0;
    for (size_t i = 0; i < files->count; i++)
        scenarios += many_is_scenario(files->words[i]);
    return (scenarios > 1 && !set->dynamic) || set->results_path || set->list_path;
}

/* What makes the comparisons many: an option, or the scenarios themselves. */
static const char *reason_for_many(const settings *set)
{
    return set->results_path ? "--results" : set->list_path ? "--set" : "several scenarios";
}

/* Whether an option is there that many comparisons do not know; complains. */
static bool is_for_one(const settings *set)
{
    const char *option = set->dynamic ? "dynamic" : set->edits_path ? "edits" : NULL;
    if (!option)
        option = set->csv_path ? "csv" : NULL;
    if (option)
        kit_complain("compare: --%s does not go with %s", option, reason_for_many(set));
    return option;
}

/* Standard input can be read once, and not by its name in a file of results; complains. */
static bool has_standard_input(const kit_words *files)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->words[i], "-") == 0) {
            kit_fail("-", CAIRN_E_IO);
            return true;
        }
    }
    return false;
}

static int compare_many(const settings *set, const kit_words *files, char **words)
{
    const many_options many = {.files = files->words,
                               .file_count = files->count,
                               .list_path = set->list_path,
                               .results_path = set->results_path,
                               .report_path = set->report_path,
                               .words = words,
                               .every = set->every,
                               .space = space_words[set->space],
                               .spaces = spaces[set->space],
                               .exact = set->exact,
                               .wish = set->wish,
                               .resident = kit_resident_words[set->resident],
                               .json = set->json};
    return is_for_one(set) || has_standard_input(files) ? KIT_EXIT_USAGE : many_compare(&many);
}

/* ------------------------------------------------------------------------------- choice */

static int choose(const settings *set, const kit_words *files, char **words)
{
    kit_source_limit(set->memory_limit);
    kit_source_resident(set->resident);
    if (are_many(set, files))
        return compare_many(set, files, words);
    if (is_out_of_place(set))
        return KIT_EXIT_USAGE;
    if (files->count == 0) {
        kit_complain("compare: TABLE is missing (see cairn compare --help)");
        return KIT_EXIT_USAGE;
    }
    return set->dynamic ? dynamic_compare(set->first_path, set->landmark_count, set->json)
                        : compare_one(set, words);
}

static int run(const kit_command *command, char **words)
{
    settings set = {.every = 1};
    kit_words files = {0};

    kit_parsed parsed = kit_parse(command, words, &set);
    int code = kit_parsed_exit(parsed);
    if (parsed == KIT_PARSED)
        code = list_operands(&set, &files) ? choose(&set, &files, words)
                                           : kit_fail("compare", CAIRN_E_MEMORY);
    kit_words_free(&files);
    kit_words_free(&set.more_paths);
    return code;
}

const kit_command compare_command = {
    .name = "compare",
    .summary = "nodes expanded and time: base heuristic, landmarks, exact heuristic",
    .about = "Every length is compared with the published one (relative 1e-5, absolute 0.006),\n"
             "every cost with that of the base heuristic. Exit code 1 when one is wrong, also\n"
             "when the scenario itself is: such lines are listed. A published length of 0\n"
             "between two cells says that there is no path. With several tables, each is\n"
             "compared with the first, query by query, and the time to rebuild its rows is\n"
             "given. With --heuristic, --weight, --ties, --no-reopening or --limit there are two\n"
             "further searches, `asked` and `asked landmarks`, with these options; where their\n"
             "bounds promise shortest paths and one is longer, that is exit code 1.\n"
             "With --edits the queries are those of the map after the edits, along the tables as\n"
             "they were or repaired; lengths are then not compared. Nor are they on graphs, whose\n"
             "queries have none: there the lines of the report are by how many nodes the base\n"
             "heuristic expands (without coordinates it is Dijkstra's search).\n"
             "With several scenarios each is compared with the tables of its name, a.map.scen\n"
             "with a.cairn, and one summary tells of all: geometric means over the scenarios,\n"
             "confidence, the worst cases. Tables of several folders are several sets. With\n"
             "--results the same call goes on where an earlier one was ended; cairn\n"
             "merge-results puts such files together.\n"
             "With --dynamic the map starts open and changes between queries; times of edits,\n"
             "refresh and queries are given separately for repairing, rebuilding every time,\n"
             "repairing when it is worth it, never repairing, and the base\n"
             "heuristic.\n" KIT_WISH_ABOUT,
    .example = "cairn compare town.cairn data/scen/town.map.scen --exact",
    .usage = "TABLE... SCEN...",
    .operands = operands,
    .options = options,
    .run = run,
};
