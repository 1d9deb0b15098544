#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "commands.h"
#include "kit/codec.h"
#include "kit/exits.h"
#include "kit/cells.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"
#include "kit/team.h"
#include "kit/system.h"

typedef build_settings settings;

static const kit_option operands[] = {
    {.name = "MAP...",
     .help = "grids in the Moving AI .map format, or roads as DIMACS .gr",
     .read = kit_read_words,
     .optional = true,
     .repeats = true,
     .offset = offsetof(settings, maps)},
    {0},
};

static const kit_option options[] = {
    KIT_OUTPUT(settings, output_path, "TABLE",
               "file to write, or folder of several (default: MAP with .cairn)"),
    {.name = "maps",
     .value = "LIST",
     .read = kit_read_text,
     .help = "a file of further maps, one a line; - is standard input",
     .offset = offsetof(settings, maps_path)},
    {.name = "parents",
     .help = "keep the folders that MAP names, below the folder of tables",
     .offset = offsetof(settings, keeps_folders)},
    {.name = "force",
     .help = "of several maps: build also what is up to date",
     .offset = offsetof(settings, is_forced)},
    {.name = "depfile",
     .value = "FILE",
     .read = kit_read_output,
     .help = "write which tables are made of which files, for make and ninja",
     .offset = offsetof(settings, depfile_path)},
    KIT_LANDMARKS(settings,
                  "rows of landmarks, 1 to 256 (default 16); pairs if costs are directed"),
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
    {.name = "part",
     .value = "I/N",
     .read = build_read_part,
     .expects = "the number of a part and how many there are, as in 2/8",
     .help = "build only part I of N of the rows, for cairn merge",
     .offset = offsetof(settings, part)},
    {.name = "place",
     .value = "FILE",
     .read = kit_read_output,
     .help = "only place landmarks, and write them to FILE, for --list",
     .offset = offsetof(settings, place_path)},
    {.name = "pairs",
     .value = "SCEN",
     .read = kit_read_text,
     .help = "queries to place landmarks for (default: random ones)",
     .offset = offsetof(settings, pairs_path)},
    {.name = "candidates",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = CAIRN_CANDIDATES_MAX,
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
     .offset = offsetof(settings, step_metric)},
    KIT_MAP_CHOICE(settings, map),
    KIT_THREADS(settings),
    {.name = "memory-limit",
     .value = "SIZE",
     .read = kit_read_size,
     .help = "bytes for a build: fewer rows at the same time, or a refusal before the work",
     .offset = offsetof(settings, memory_limit)},
    KIT_SEED(settings, "same seed, same table (default 0)"),
    KIT_CODEC(settings),
    KIT_JSON(settings),
    {0},
};

/* ------------------------------------------------------------------------------ one map -- */

static int report(const build_settings *set, const build_job *job)
{
    const char *written = set->place_path ? set->place_path : job->table_path;
    if (kit_reports(written, set->json) && set->place_path)
        build_print_landmarks(set, job);
    else if (kit_reports(written, set->json))
        (set->json ? build_print_json : build_print_text)(set, job);
    if (!set->depfile_path)
        return KIT_EXIT_OK;
    build_task task = {.map_path = (char *)job->map_path,
                       .table_path = (char *)job->table_path,
                       .state = BUILD_DONE};
    return build_write_depfile(set, &(build_list){.tasks = &task, .count = 1});
}

static int build_alone(const build_settings *set, const char *map_path, const char *table_path)
{
    build_job job = {.map_path = map_path,
                     .table_path = table_path,
                     .thread_count = set->thread_count,
                     .progress = &kit_progress_hook};
    /* As many processes as processors are what a team is run with. */
    if (kit_team() && job.thread_count == 0)
        job.thread_count = 1;
    const kit_input inputs[] = {{map_path, "the map itself"},
                                {set->map.places, "the file of --places"},
                                {set->map.heights, "the file of --heights"},
                                {set->map.terrain, "the file of --terrain"},
                                {set->pairs_path, "the file of --pairs"},
                                {set->list, "the file of --list"},
                                {NULL, NULL}};
    const kit_input table[] = {{table_path, set->place_path ? "the file of --place" : "the table"},
                               {NULL, NULL}};
    if (kit_overwrites("build", set->place_path ? "place" : "output", table_path, inputs) ||
        kit_overwrites("build", "depfile", set->depfile_path, inputs) ||
        kit_overwrites("build", "depfile", set->depfile_path, table))
        return KIT_EXIT_USAGE;
    if (kit_team_is_first() &&
        (!kit_output_is_possible(table_path) || !kit_output_is_possible(set->depfile_path)))
        return KIT_EXIT_IO;
    int code = build_one(set, &job);
    if (code == KIT_EXIT_OK && kit_team_is_first())
        code = report(set, &job);
    cairn_nodes_free(job.map, job.landmarks);
    cairn_map_free(job.map);
    return code;
}

static int build_the_only_one(const build_settings *set)
{
    const char *map_path = set->maps.words[0];
    if (set->place_path)
        return build_alone(set, map_path, set->place_path);
    if (!set->output_path && kit_has_no_folder("build", map_path))
        return KIT_EXIT_USAGE;
    char *default_path = build_default_path(set, map_path);
    if (!default_path)
        return kit_fail(map_path, CAIRN_E_MEMORY);
    int code = build_alone(set, map_path, set->output_path ? set->output_path : default_path);
    free(default_path);
    return code;
}

/* ------------------------------------------------------------------------------- choice -- */

/* Whether a path is that of a folder, or says so by its last slash. */
static bool is_folder(const char *path)
{
    kit_file_facts facts;
    const char *last = path + strlen(path) - 1;
    return strchr(kit_file_separators, *last) || (kit_file_look(path, &facts) && facts.is_folder);
}

static bool are_many(const build_settings *set)
{
    return set->maps.count > 1 || set->maps_path ||
           (set->output_path && is_folder(set->output_path));
}

static bool excludes(const char *one, const char *other)
{
    kit_complain("build: --%s and --%s exclude each other", one, other);
    return true;
}

/* What only one map can have, or only several; complains. */
static bool is_out_of_place(const build_settings *set, bool is_many)
{
    const char *option = set->place_path ? "place" : set->part.count ? "part" : NULL;
    if (kit_team() && (is_many || set->part.count)) {
        kit_complain("build: cairn-mpi builds one table, all of it; %s, without waiting for others",
                     is_many ? "cairn build takes many maps" : "cairn build makes each part");
        return true;
    }
    if (option && is_many) {
        kit_complain("build: --%s goes with one map, and no folder as -o", option);
        return true;
    }
    option = set->list ? "list" : set->pairs_path ? "pairs" : NULL;
    if (!option)
        option = set->map.places ? "places" : set->map.heights ? "heights" : NULL;
    if (option && (set->maps.count > 1 || set->maps_path)) {
        kit_complain("build: --%s belongs to one map, and there are several", option);
        return true;
    }
    option = set->is_forced ? "force" : set->keeps_folders ? "parents" : NULL;
    if (!option || is_many)
        return false;
    kit_complain("build: --%s goes with several maps, or with the folder of tables as -o", option);
    return true;
}

/* Without a folder for their tables, several operands may be meant as options: complains of the
 * first that is not there, or a table. */
static bool names_no_map(const build_settings *set)
{
    kit_file_facts facts;
    for (size_t i = 0; !set->output_path && set->maps.count > 1 && i < set->maps.count; i++) {
        const char *word = set->maps.words[i];
        const bool is_there = kit_is_stdin(word) || kit_file_look(word, &facts);
        if (is_there && !kit_is_table(word))
            continue;
        kit_complain("build: expected maps, found \"%s\", which is %s; -o FILE names the table, "
                     "-k N says how many rows",
                     word, is_there ? "a table" : "no file");
        return true;
    }
    return false;
}

static bool are_at_odds(const build_settings *set)
{
    if (set->maps.count == 0 && !set->maps_path) {
        kit_complain("build: MAP is missing (see cairn build --help)");
        return true;
    }
    if (set->step_metric.straight && set->metric.choice == CAIRN_METRIC_COMPACT)
        return excludes("table-metric", "metric compact");
    if (set->list && set->placement != CAIRN_PLACE_AUTO)
        return excludes("list", "placement");
    if (set->place_path && (set->output_path || set->part.count || set->memory_limit))
        return excludes("place", set->output_path  ? "output"
                                 : set->part.count ? "part"
                                                   : "memory-limit");
    return is_out_of_place(set, are_many(set)) || names_no_map(set);
}

static int run(const kit_command *command, char **words)
{
    build_settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    int code = kit_parsed_exit(parsed);
    if (parsed == KIT_PARSED && are_at_odds(&set))
        code = KIT_EXIT_USAGE;
    else if (parsed == KIT_PARSED)
        code = (are_many(&set) ? build_many : build_the_only_one)(&set);
    kit_words_free(&set.maps);
    return code;
}

const kit_command build_command = {
    .name = "build",
    .summary = "place landmarks on a map, compute their costs, write the table",
    .about = "The table holds the map: one file is enough to search. `compact` takes the finest\n"
             "metric whose costs fit 16 bits on this map: half the memory, and paths that may\n"
             "be slightly longer where two paths differ by many diagonal steps.\n"
             "Placements other than farthest sample queries first; on most maps searches expand\n"
             "least with greedy and refined, which take some tens of times as long to build.\n"
             "Several maps are built by as many threads, the largest first, each into the\n"
             "folder of -o, or beside its map. Tables that are up to date, by a hash of map and\n"
             "options that they hold, are left alone. A map that fails does not stop the\n"
             "others: it is named in the end, and the exit code is 3.",
    .example = "cairn build data/maps/town.map -k 16 -o town.cairn",
    .usage = "MAP...",
    .operands = operands,
    .options = options,
    .run = run,
};
