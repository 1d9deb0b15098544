#include <stdio.h>

#include "commands.h"
#include "compare/compare.h"
#include "compare/dynamic.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/load.h"
#include "kit/output.h"
#include "kit/say.h"

typedef struct settings {
    const char *table_path;
    const char *scenario_path;
    const char *csv_path;
    uint32_t every;
    int space;
    uint32_t landmark_count;
    bool exact;
    bool dynamic;
    bool json;
} settings;

enum { CELLS = 1 << CAIRN_SPACE_CELLS, CANONICAL = 1 << CAIRN_SPACE_CANONICAL,
       JUMP = 1 << CAIRN_SPACE_JUMP };

/* By place among the words of --space. */
static const char *const space_words[] = {"jump", "cells", "canonical", "all", NULL};
static const unsigned spaces[] = {CELLS | JUMP, CELLS, CELLS | CANONICAL,
                                  CELLS | CANONICAL | JUMP};

static const kit_option operands[] = {
    {.name = "TABLE", .help = "a file written by cairn build", .read = kit_read_text,
     .offset = offsetof(settings, table_path)},
    {.name = "SCEN", .help = "queries on its map, in the Moving AI .scen format",
     .read = kit_read_text, .offset = offsetof(settings, scenario_path), .optional = true},
    {0},
};

static const kit_option options[] = {
    {.name = "every", .value = "N", .read = kit_read_number, .least = 1, .most = UINT32_MAX,
     .help = "take lines 1, 1 + N, 1 + 2 N ... (default 1)", .offset = offsetof(settings, every)},
    {.name = "exact", .help = "also search with the exact heuristic, the limit of all bounds",
     .offset = offsetof(settings, exact)},
    {.name = "space", .value = "NAME", .read = kit_read_word, .words = space_words,
     .help = "beside cells, search along: jump points (default), canonical, all, or cells alone",
     .offset = offsetof(settings, space)},
    {.name = "dynamic", .help = "TABLE is a .scen file of version 2 instead, a map that changes",
     .offset = offsetof(settings, dynamic)},
    {.name = "landmarks", .value = "K", .read = kit_read_number, .least = 1,
     .most = CAIRN_ROWS_MAX, .help = "rows for --dynamic (default 16)",
     .offset = offsetof(settings, landmark_count)},
    {.name = "csv", .value = "FILE", .read = kit_read_text,
     .help = "write one line per query and search", .offset = offsetof(settings, csv_path)},
    KIT_JSON(settings),
    {0},
};

static int report(const settings *set, const comparison *work)
{
    if (set->csv_path && !comparison_write_csv(work, set->csv_path))
        return KIT_EXIT_IO;
    if (!(set->json ? comparison_print_json : comparison_print_text)(work))
        return kit_fail(set->table_path, CAIRN_E_MEMORY);
    return work->wrong_lengths + work->wrong_costs > 0 ? KIT_EXIT_NO : KIT_EXIT_OK;
}

static int measure(const settings *set, comparison *work, const cairn_scenario *scenario)
{
    kit_progress progress;
    kit_progress_start(&progress);
    cairn_status status = comparison_take(work, scenario);
    if (status == CAIRN_OK)
        status = comparison_add_searches(work, set->exact, spaces[set->space]);
    if (status == CAIRN_OK)
        status = comparison_run(work, &progress);
    kit_progress_end(&progress);
    if (status != CAIRN_OK)
        return kit_fail(set->scenario_path, status);
    return report(set, work);
}

static int compare(const settings *set, const cairn_map *map, const cairn_table *table)
{
    cairn_error error;
    cairn_scenario *scenario;
    if (cairn_scenario_load(set->scenario_path, map, &scenario, &error) != CAIRN_OK)
        return kit_refuse(set->scenario_path, &error);

    comparison work = {.table_path = set->table_path, .scenario_path = set->scenario_path,
                       .every = set->every, .map = map, .table = table};
    int code = measure(set, &work, scenario);
    comparison_free(&work);
    cairn_scenario_free(scenario);
    return code;
}

static int run(const kit_command *command, char **words)
{
    settings set = {.every = 1};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    if (set.dynamic)
        return dynamic_compare(set.table_path, set.landmark_count, set.json);
    if (!set.scenario_path) {
        kit_complain("compare: SCEN is missing (see cairn compare --help)");
        return KIT_EXIT_USAGE;
    }
    if (set.csv_path && (kit_same_file(set.csv_path, set.table_path) ||
                         kit_same_file(set.csv_path, set.scenario_path))) {
        kit_complain("compare: --csv: %s is one of the files to read", set.csv_path);
        return KIT_EXIT_USAGE;
    }
    kit_interrupt_catch();
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    int code = kit_load_table(set.table_path, &map, &table);
    if (code == KIT_EXIT_OK)
        code = compare(&set, map, table);
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}

const kit_command compare_command = {
    .name = "compare",
    .summary = "nodes expanded and time: plain distance, landmarks, exact heuristic",
    .about = "Every length is compared with the published one (relative 1e-5, absolute 0.006),\n"
             "every cost with that of plain distance. Exit code 1 when any is wrong, also when\n"
             "the scenario itself is: such lines are listed. A published length of 0 between two\n"
             "cells says that there is no path.\n"
             "With --dynamic the map starts open and changes between queries; times of edits,\n"
             "refresh and queries are told apart for repair, rebuilding every time, using only\n"
             "rows that are still safe, and plain distance.",
    .example = "cairn compare town.cairn data/scen/town.map.scen --exact",
    .operands = operands,
    .options = options,
    .run = run,
};
