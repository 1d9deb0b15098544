#include <errno.h>
#include <stdio.h>

#include "commands.h"
#include "kit/clock.h"
#include "kit/edits.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/nodes.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"
#include "kit/target.h"

typedef struct settings {
    const char *table_path;
    const char *edits_path;
    kit_target target;
    bool rebuild;
    uint64_t memory_limit;
    bool json;
} settings;

static const kit_option operands[] = {
    KIT_TABLE(settings, table_path),
    {.name = "EDITS",
     .help = "edits, one per line (- for standard input), or a .scen file of version 2",
     .read = kit_read_text,
     .offset = offsetof(settings, edits_path)},
    {0},
};

static const kit_option options[] = {
    KIT_TARGET(settings, target),
    {.name = "time-rebuild",
     .help = "also rebuild all rows, to compare the times",
     .offset = offsetof(settings, rebuild)},
    KIT_MEMORY_LIMIT(settings),
    KIT_JSON(settings),
    {0},
};

typedef struct summary {
    size_t edit_count;
    cairn_refresh_counts counts;
    double edit_seconds;
    double refresh_seconds;
    double rebuild_seconds;
} summary;

static int apply_edits(const settings *set, cairn_map *map, summary *done)
{
    double started = kit_now();
    int code = kit_apply_edits(set->edits_path, map, &done->edit_count);
    done->edit_seconds = kit_now() - started;
    return code;
}

/* ---------------------------------------------------------------------------------- the report */

static void print_text(const settings *set, const cairn_map *map, const cairn_table *table,
                       const summary *done)
{
    const cairn_refresh_counts *counts = &done->counts;
    printf("edits   %s, in %s; the map is now %s\n", kit_count(done->edit_count).text,
           kit_seconds(done->edit_seconds).text, kit_map_size(map).text);
    printf("rows    %s repaired, %s rebuilt, of %u; %s %s visited\n",
           kit_count(counts->rows_repaired).text, kit_count(counts->rows_rebuilt).text,
           cairn_table_row_count(table), kit_count(counts->cells).text,
           kit_cells_word(map, counts->cells));
    if (counts->landmarks_moved || counts->landmarks_added)
        printf("landmarks  %s moved, %s added\n", kit_count(counts->landmarks_moved).text,
               kit_count(counts->landmarks_added).text);
    printf("time    refresh %s", kit_seconds(done->refresh_seconds).text);
    if (set->rebuild)
        printf(", rebuild %s (%s)", kit_seconds(done->rebuild_seconds).text,
               kit_ratio(done->rebuild_seconds, done->refresh_seconds).text);
    printf("\nfile    %s\n", set->target.path);
}

static void print_json(const settings *set, const cairn_map *map, const cairn_table *table,
                       const summary *done)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "table", set->target.path);
    kit_json_count(&json, "edits", done->edit_count);
    kit_json_count(&json, "nodes", cairn_map_open_count(map));
    kit_json_count(&json, "rows", cairn_table_row_count(table));
    kit_json_count(&json, "rows_repaired", done->counts.rows_repaired);
    kit_json_count(&json, "rows_rebuilt", done->counts.rows_rebuilt);
    kit_json_count(&json, "visited", done->counts.cells);
    kit_json_count(&json, "landmarks_moved", done->counts.landmarks_moved);
    kit_json_count(&json, "landmarks_added", done->counts.landmarks_added);
    kit_json_number(&json, "edit_seconds", done->edit_seconds);
    kit_json_number(&json, "refresh_seconds", done->refresh_seconds);
    if (set->rebuild)
        kit_json_number(&json, "rebuild_seconds", done->rebuild_seconds);
    kit_json_close(&json, '}');
}

/* ------------------------------------------------------------------------------------ the work */

static cairn_status time_rebuild(const cairn_map *map, const cairn_table *table, summary *done)
{
    cairn_table *copy;
    cairn_status status = cairn_table_clone(table, &copy);
    if (status != CAIRN_OK)
        return status;
    double started = kit_now();
    status = cairn_table_rebuild(copy, map);
    done->rebuild_seconds = kit_now() - started;
    cairn_table_free(copy);
    return status;
}

static cairn_status refresh_table(const settings *set, const cairn_map *map, cairn_table *table,
                                  summary *done)
{
    double started = kit_now();
    cairn_status status = cairn_refresh_step(table, map, CAIRN_UNLIMITED);
    done->refresh_seconds = kit_now() - started;
    done->counts = cairn_table_refresh_counts(table);
    if (status == CAIRN_OK && set->rebuild)
        status = time_rebuild(map, table, done);
    return status;
}

static int refresh(const settings *set, cairn_map *map, cairn_table *table)
{
    summary done = {0};
    cairn_save_options saving = {.size = sizeof saving, .progress = &kit_progress_hook};
    int code = apply_edits(set, map, &done);
    if (code != KIT_EXIT_OK)
        return code;

    kit_progress_begin("refreshing %s", kit_file_name(set->table_path));
    cairn_status status = refresh_table(set, map, table, &done);
    if (status != CAIRN_OK)
        return kit_fail_on_map(set->table_path, status, map, 0);
    errno = 0;
    kit_progress_begin("writing %s", kit_file_name(set->target.path));
    status = cairn_save(map, table, set->target.path, &saving);
    kit_interrupt_release();
    kit_progress_end();
    if (status != CAIRN_OK)
        return kit_fail(set->target.path, status);
    if (kit_reports(set->target.path, set->json))
        (set->json ? print_json : print_text)(set, map, table, &done);
    return KIT_EXIT_OK;
}

/* The edits, or the patches that they name; complains. */
static bool overwrites_edits(const settings *set)
{
    char patches[4096];
    const char *what = NULL;

    if (kit_same_file(set->target.path, set->edits_path))
        what = "edits";
    else if (kit_edits_patches(set->edits_path, patches, sizeof patches) &&
             kit_same_file(set->target.path, patches))
        what = "patches";
    if (what)
        kit_complain("refresh: --%s: %s holds the %s", set->target.in_place ? "in-place" : "output",
                     set->target.path, what);
    return what;
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    kit_source_limit(set.memory_limit);
    int code = kit_target_settle(&set.target, command, set.table_path);
    if (code != KIT_EXIT_OK)
        return code;
    if (kit_is_stdin(set.table_path) && kit_is_stdin(set.edits_path)) {
        kit_complain("refresh: TABLE and EDITS cannot both come from standard input");
        return KIT_EXIT_USAGE;
    }
    if (overwrites_edits(&set))
        return KIT_EXIT_USAGE;

    cairn_map *map = NULL;
    cairn_table *table = NULL;
    code = kit_load_table(set.table_path, &map, &table, NULL);
    if (code == KIT_EXIT_OK)
        code = refresh(&set, map, table);
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}

const kit_command refresh_command = {
    .name = "refresh",
    .summary = "apply edits to the map of a table and repair what they changed",
    .about = "EDITS holds lines `block X Y`, `open X Y`, `terrain X Y LETTER` and\n"
             "`rect X Y WIDTH HEIGHT LETTER`, where LETTER is a terrain letter, block or open;\n"
             "for a graph `cost FROM TO COST`, nodes counted from 0. Lines that begin with # are\n"
             "comments. The result equals a table rebuilt from the same landmarks.\n"
             "Landmarks that were closed move to the nearest open cell.",
    .example = "cairn refresh town.cairn door.edits --in-place",
    .operands = operands,
    .options = options,
    .run = run,
};
