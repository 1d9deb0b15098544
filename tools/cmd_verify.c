#include <stdio.h>

#include "commands.h"
#include "kit/clock.h"
#include "kit/difference.h"
#include "kit/exits.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"

typedef struct settings {
    const char *table_path;
    const char *map_path;
    kit_map_choice map;
    uint32_t thread_count;
    uint64_t memory_limit;
    bool json;
} settings;

static const kit_option operands[] = {
    KIT_TABLE(settings, table_path),
    {.name = "MAP",
     .help = "the map it should be of; needed where TABLE has none",
     .read = kit_read_text,
     .offset = offsetof(settings, map_path),
     .optional = true},
    {0},
};

static const kit_option options[] = {
    KIT_MAP_CHOICE(settings, map),
    KIT_THREADS(settings),
    KIT_MEMORY_LIMIT(settings),
    KIT_JSON(settings),
    {0},
};

typedef struct finding {
    const settings *set;
    cairn_map *map;
    uint32_t row_count;
    bool map_matches;   /* true when no map was given */
    kit_difference why; /* it does not */
    cairn_status status;
    cairn_fault fault;
    double seconds;
} finding;

static bool is_good(const finding *found)
{
    return found->map_matches && found->status == CAIRN_OK;
}

static void print_fault(const cairn_map *map, const cairn_fault *fault)
{
    printf("row %u, %s %s: ", fault->row, kit_cells_word(map, 1),
           kit_node_text(map, fault->node).text);
    if (fault->stored == CAIRN_UNREACHABLE)
        printf("stored unreachable, ");
    else
        printf("stored %u, ", fault->stored);
    if (fault->possible == CAIRN_UNREACHABLE)
        printf("possible none: no neighbour and no landmark supports it\n");
    else
        printf("possible %u\n", fault->possible);
}

static void print_text(const finding *found)
{
    const char *name = kit_source_label(found->set->table_path);
    if (!found->map_matches)
        printf("%s: made for another map than %s: %s\n", name,
               kit_source_label(found->set->map_path), found->why.text);
    else if (found->status == CAIRN_OK)
        printf("%s: %u row%s x %s %s, every entry exact (%s)\n", name, found->row_count,
               kit_plural(found->row_count), kit_count(cairn_map_open_count(found->map)).text,
               kit_cells_word(found->map, cairn_map_open_count(found->map)),
               kit_seconds(found->seconds).text);
    else {
        printf("%s: %s\n", name, cairn_status_text(found->status));
        if (found->status == CAIRN_E_INEXACT)
            print_fault(found->map, &found->fault);
    }
}

/* A cost, or null where there is none. */
static void json_cost(kit_json *json, const char *name, cairn_cost cost)
{
    if (cost == CAIRN_UNREACHABLE)
        kit_json_null(json, name);
    else
        kit_json_count(json, name, cost);
}

static void print_json(const finding *found)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "table", found->set->table_path);
    kit_json_count(&json, "rows", found->row_count);
    kit_json_count(&json, "nodes", cairn_map_open_count(found->map));
    kit_json_bool(&json, "map_matches", found->map_matches);
    if (!found->map_matches)
        kit_json_text(&json, "difference", found->why.text);
    kit_json_bool(&json, "exact", found->status == CAIRN_OK);
    if (found->status == CAIRN_E_INEXACT) {
        kit_json_open(&json, "fault", '{');
        kit_json_count(&json, "row", found->fault.row);
        kit_json_node(&json, "cell", found->map, found->fault.node);
        json_cost(&json, "stored", found->fault.stored);
        json_cost(&json, "possible", found->fault.possible);
        kit_json_close(&json, '}');
    }
    kit_json_rounded(&json, "seconds", found->seconds, 6);
    kit_json_close(&json, '}');
}

/* Whether the table's map is the one of the file, in the table's metric. */
static int match_map(finding *found, const cairn_outline *outline)
{
    if (!found->set->map_path)
        return KIT_EXIT_OK;
    cairn_map *map;
    kit_map_choice choice = found->set->map;
    choice.of_table = cairn_map_metric(found->map);
    kit_follow_units(&choice, outline->unit_size, outline->unit_anchor);
    int code = kit_load_map(found->set->map_path, &choice, &map);
    if (code == KIT_EXIT_OK)
        found->map_matches = cairn_map_hash(map) == cairn_map_hash(found->map);
    if (code == KIT_EXIT_OK && !found->map_matches)
        found->why = kit_map_difference(found->map, map);
    cairn_map_free(map);
    return code;
}

/* Rows are verified as they are read, a few at a time. A table that was written without its map
 * needs MAP for that. */
static int verify_source(finding *found, const kit_source *source, const cairn_outline *outline)
{
    const settings *set = found->set;
    cairn_load_options loading = {
        .size = sizeof loading, .thread_count = set->thread_count, .fault = &found->fault};
    if (!outline->map_size && !set->map_path) {
        kit_complain(
            "%s: expected a map: the file has none; cairn verify TABLE MAP reads it from MAP",
            source->name);
        return KIT_EXIT_IO;
    }
    if (outline->map_size)
        return kit_source_load(source, &loading, &found->map, NULL);
    int code = kit_load_apart(source, outline, set->map_path, &set->map, &loading, &found->map,
                              NULL, &found->map_matches);
    if (code == KIT_EXIT_OK && !found->map_matches)
        found->why = kit_outline_difference(outline, found->map);
    return code;
}

/* A fault whose stored cost is the possible one means that no entry is wrong. */
static cairn_status status_of(const finding *found)
{
    if (!found->map_matches)
        return CAIRN_E_MISMATCH;
    return found->fault.stored == found->fault.possible ? CAIRN_OK : CAIRN_E_INEXACT;
}

static int examine(finding *found)
{
    cairn_outline outline;
    kit_source source;
    int code = kit_source_open(&source, found->set->table_path);
    if (code == KIT_EXIT_OK)
        code = kit_source_outline(&source, &outline);
    double started = kit_now();
    if (code == KIT_EXIT_OK)
        code = verify_source(found, &source, &outline);
    found->seconds = kit_now() - started;
    found->status = status_of(found);
    if (code == KIT_EXIT_OK && outline.map_size)
        code = match_map(found, &outline);
    found->row_count = code == KIT_EXIT_OK ? outline.row_count : 0;
    kit_source_close(&source);
    return code;
}

static int verify(finding *found)
{
    int code = examine(found);
    if (code != KIT_EXIT_OK)
        return code;
    kit_progress_end();
    (found->set->json ? print_json : print_text)(found);
    return is_good(found) ? KIT_EXIT_OK : KIT_EXIT_NO;
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    kit_source_limit(set.memory_limit);
    if (!set.map_path && kit_map_chosen(&set.map)) {
        kit_complain("verify: --%s says how to read MAP; there is none", kit_map_chosen(&set.map));
        return KIT_EXIT_USAGE;
    }

    finding found = {.set = &set, .map_matches = true};
    int code = verify(&found);
    cairn_map_free(found.map);
    return code;
}

const kit_command verify_command = {
    .name = "verify",
    .summary = "prove that every entry of a table is the exact cost",
    .about = "Loading checks the checksums (a damaged file is exit code 3). Then every entry must\n"
             "be 0 at a landmark or supported by a neighbour, and no step may improve any: that\n"
             "proves all of them. Exit code 1 names the first row and cell that fails. Only a few\n"
             "rows are in memory at a time, as many as fit --memory-limit.",
    .example = "cairn verify town.cairn data/maps/town.map",
    .operands = operands,
    .options = options,
    .run = run,
};
