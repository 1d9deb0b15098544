#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "kit/cells.h"
#include "kit/clock.h"
#include "kit/codec.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"

typedef struct settings {
    const char *map_path;
    const char *output_path;
    uint32_t landmark_count;
    uint32_t thread_count;
    uint64_t seed;
    int placement;
    uint32_t candidate_count;
    const char *pairs_path;
    const char *list;
    kit_metric metric;
    cairn_metric flat_metric;
    kit_map_choice map;
    int codec;
    bool json;
} settings;

static const kit_option operands[] = {
    {.name = "MAP",
     .help = "a grid in the Moving AI .map format, or roads as DIMACS .gr",
     .read = kit_read_text,
     .offset = offsetof(settings, map_path)},
    {0},
};

static const kit_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "TABLE",
     .read = kit_read_output,
     .help = "file to write (default: MAP with .cairn)",
     .offset = offsetof(settings, output_path)},
    {.name = "landmarks",
     .letter = 'k',
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = CAIRN_ROWS_MAX,
     .help = "rows of landmarks, 1 to 256 (default 16)",
     .offset = offsetof(settings, landmark_count)},
    {.name = "placement",
     .letter = 'p',
     .value = "NAME",
     .read = kit_read_word,
     .words = kit_placements,
     .help = "farthest (grids), random, border, avoid, greedy, refined (roads), auto",
     .offset = offsetof(settings, placement)},
    {.name = "list",
     .value = "CELLS",
     .read = kit_read_text,
     .help = "landmarks as X,Y;X,Y;... or a file of such cells",
     .offset = offsetof(settings, list)},
    {.name = "pairs",
     .value = "SCEN",
     .read = kit_read_text,
     .help = "queries to place landmarks for (default: random ones)",
     .offset = offsetof(settings, pairs_path)},
    {.name = "candidates",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = 65536,
     .help = "cells that greedy and refined try (default 512, of auto 64)",
     .offset = offsetof(settings, candidate_count)},
    {.name = "metric",
     .value = "METRIC",
     .read = kit_read_metric,
     .words = kit_build_metrics,
     .help = "octile (default), compact, or S/D such as 10/14",
     .expects = KIT_METRIC_EXPECTS,
     .offset = offsetof(settings, metric)},
    {.name = "table-metric",
     .value = "S/D",
     .read = kit_read_pair,
     .expects = KIT_PAIR_EXPECTS,
     .help = "rows that count steps, 1/1: small, weaker, for any terrain",
     .offset = offsetof(settings, flat_metric)},
    KIT_MAP_CHOICE(settings, map),
    KIT_THREADS(settings),
    KIT_SEED(settings, "same seed, same table (default 0)"),
    KIT_CODEC(settings),
    KIT_JSON(settings),
    {0},
};

typedef struct summary {
    cairn_build_summary table;
    double load_seconds;
    double build_seconds;
    unsigned long long file_size;
} summary;

static double bits_per_entry(const cairn_map *map, const summary *done)
{
    double entries = (double)cairn_map_open_count(map) * done->table.row_count;
    return entries > 0 ? 8.0 * (double)done->file_size / entries : 0;
}

static const char *placement_word(const settings *set, const cairn_map *map)
{
    return set->list ? "as listed" : kit_placement_on(map, (cairn_placement)set->placement);
}

/* Where no pair fits 16 bits, compact takes the coarsest that it knows. */
static const char *compact_text(const settings *set, const summary *done)
{
    if (set->metric.choice != CAIRN_METRIC_COMPACT)
        return "";
    return done->table.entry_bits == 16 ? " (finest that fits 16 bits here)"
                                        : " (none fits 16 bits here: the coarsest)";
}

static void print_metric(const settings *set, const cairn_map *map, const summary *done)
{
    char risk[160];
    kit_metric_risk(cairn_map_metric(map), risk, sizeof risk);
    printf("metric  %s%s: %s\n", kit_metric_text(cairn_map_metric(map)).text,
           compact_text(set, done), risk);
}

static void print_text(const settings *set, const cairn_map *map, const summary *done)
{
    printf("map     %s: %s\n", kit_file_name(set->map_path), kit_map_size(map).text);
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        print_metric(set, map, done);
    if (set->flat_metric.straight)
        printf("rows    count steps as %s, and bounds are multiplied: never too high, weaker\n",
               kit_metric_text(set->flat_metric).text);
    printf("table   %u row%s of %u-bit entries, placed %s, %s in memory\n", done->table.row_count,
           kit_plural(done->table.row_count), done->table.entry_bits, placement_word(set, map),
           kit_bytes(done->table.table_memory).text);
    printf("time    load %s, place, measure and write %s\n", kit_seconds(done->load_seconds).text,
           kit_seconds(done->build_seconds).text);
    printf("file    %s: %s bytes, %.2f bits per entry\n", set->output_path,
           kit_count(done->file_size).text, bits_per_entry(map, done));
}

static void print_json(const settings *set, const cairn_map *map, const summary *done)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "map", set->map_path);
    kit_json_text(&json, "table", set->output_path);
    kit_json_count(&json, "width", cairn_map_width(map));
    kit_json_count(&json, "height", cairn_map_height(map));
    kit_json_count(&json, "nodes", cairn_map_open_count(map));
    kit_json_count(&json, "rows", done->table.row_count);
    kit_json_text(&json, "placement", placement_word(set, map));
    kit_json_text(&json, "metric", kit_metric_text(cairn_map_metric(map)).text);
    if (set->flat_metric.straight)
        kit_json_text(&json, "table_metric", kit_metric_text(set->flat_metric).text);
    kit_json_count(&json, "entry_bits", done->table.entry_bits);
    kit_json_count(&json, "memory_bytes", done->table.table_memory);
    kit_json_count(&json, "file_bytes", done->file_size);
    kit_json_rounded(&json, "bits_per_entry", bits_per_entry(map, done), 4);
    kit_json_rounded(&json, "load_seconds", done->load_seconds, 6);
    kit_json_rounded(&json, "build_seconds", done->build_seconds, 6);
    kit_json_close(&json, '}');
}

static int call_build(const settings *set, cairn_map *map, const cairn_scenario *pairs,
                      const kit_cells *list, cairn_build_summary *table)
{
    cairn_build_options build = {
        .size = sizeof build,
        .landmark_count = set->landmark_count,
        .thread_count = set->thread_count,
        .seed = set->seed,
        .placement = set->list ? CAIRN_PLACE_LIST : (cairn_placement)set->placement,
        .metric = set->metric.choice,
        .flat_metric = set->flat_metric,
        .progress = &kit_progress_hook,
        .candidate_count = set->candidate_count,
        .pairs = pairs ? cairn_scenario_queries(pairs) : NULL,
        .pair_count = pairs ? cairn_scenario_count(pairs) : 0,
        .listed = list->nodes,
        .listed_count = list->count,
    };
    cairn_save_options save = {.size = sizeof save, .codec = (cairn_codec)set->codec};
    errno = 0;
    kit_progress_begin("building %s", kit_file_name(set->output_path));
    cairn_status status = cairn_build_file(map, &build, &save, set->output_path, table);
    kit_interrupt_release();
    kit_progress_end();
    if (status == CAIRN_OK)
        return KIT_EXIT_OK;
    if (status == CAIRN_E_IO)
        return kit_fail(set->output_path, status);
    if (status == CAIRN_E_ARGUMENT && set->flat_metric.straight)
        return kit_refuse_flat_metric(set->map_path, set->flat_metric);
    if (status != CAIRN_E_LIMIT)
        return kit_fail(set->map_path, status);
    kit_complain("%s: costs in metric %s exceed the limit of %u; a coarser --metric helps",
                 set->map_path, kit_metric_text(cairn_map_metric(map)).text, CAIRN_COST_MAX);
    return KIT_EXIT_IO;
}

/* Without queries the landmarks would be placed for random ones, which nobody asked for. */
static int load_pairs(const settings *set, const cairn_map *map, cairn_scenario **pairs)
{
    int code = kit_load_scenario(set->pairs_path, map, pairs);
    if (code != KIT_EXIT_OK || cairn_scenario_count(*pairs) > 0)
        return code;
    kit_complain("%s: expected at least one query to place landmarks for, found none",
                 kit_file_name(set->pairs_path));
    return KIT_EXIT_IO;
}

static int build_table(const settings *set, cairn_map *map, cairn_build_summary *table)
{
    cairn_scenario *pairs = NULL;
    kit_cells list = {0};
    int code = KIT_EXIT_OK;

    if (set->list)
        code = kit_cells_read(&list, set->list, map);
    if (code == KIT_EXIT_OK && set->pairs_path)
        code = load_pairs(set, map, &pairs);
    if (code == KIT_EXIT_OK)
        code = call_build(set, map, pairs, &list, table);
    cairn_scenario_free(pairs);
    kit_cells_free(&list);
    return code;
}

static int build(const settings *set)
{
    cairn_map *map = NULL;
    summary done = {0};
    double started = kit_now();
    kit_map_choice choice = set->map;
    choice.metric = set->metric.pair;
    int code = kit_load_map(set->map_path, &choice, &map);
    if (code == KIT_EXIT_OK && set->metric.choice == CAIRN_METRIC_COMPACT)
        code = kit_need_grid(set->map_path, map);
    double loaded = kit_now();
    if (code == KIT_EXIT_OK)
        code = build_table(set, map, &done.table);
    if (code == KIT_EXIT_OK) {
        done.load_seconds = loaded - started;
        done.build_seconds = kit_now() - loaded;
        done.file_size = kit_file_size(set->output_path);
        (set->json ? print_json : print_text)(set, map, &done);
    }

    cairn_map_free(map);
    return code;
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    if (set.flat_metric.straight && set.metric.choice == CAIRN_METRIC_COMPACT) {
        kit_complain("build: --table-metric and --metric compact exclude each other");
        return KIT_EXIT_USAGE;
    }
    if (set.list && set.placement != CAIRN_PLACE_AUTO) {
        kit_complain("build: --list and --placement exclude each other");
        return KIT_EXIT_USAGE;
    }
    const kit_input inputs[] = {{set.map_path, "the map itself"},
                                {set.map.places, "the file of --places"},
                                {set.map.heights, "the file of --heights"},
                                {set.map.terrain, "the file of --terrain"},
                                {set.pairs_path, "the file of --pairs"},
                                {set.list, "the file of --list"},
                                {NULL, NULL}};
    if (kit_overwrites("build", "output", set.output_path, inputs))
        return KIT_EXIT_USAGE;
    if (!set.output_path && kit_is_stdin(set.map_path)) {
        kit_complain("build: -o FILE is needed for what comes from standard input");
        return KIT_EXIT_USAGE;
    }
    char *default_path = kit_with_suffix(set.map_path, ".map", ".cairn");
    if (!default_path)
        return kit_fail(set.map_path, CAIRN_E_MEMORY);
    if (!set.output_path)
        set.output_path = default_path;
    int code = build(&set);
    free(default_path);
    return code;
}

const kit_command build_command = {
    .name = "build",
    .summary = "place landmarks on a map, compute their costs, write the table",
    .about = "The table holds the map: one file is enough to search. `compact` takes the finest\n"
             "metric whose costs fit 16 bits on this map: half the memory, and paths that may\n"
             "be slightly longer where two paths differ by many diagonal steps.\n"
             "Placements other than farthest sample queries first; greedy expands least, and\n"
             "takes some hundred times as long to build.",
    .example = "cairn build data/maps/town.map -k 16 -o town.cairn",
    .operands = operands,
    .options = options,
    .run = run,
};
