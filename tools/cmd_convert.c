#include <errno.h>
#include <stdio.h>

#include "commands.h"
#include "kit/codec.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"
#include "kit/target.h"

typedef struct settings {
    const char *table_path;
    kit_target target;
    uint32_t landmark_count;
    int codec;
    bool strip;
    const char *map_path;
    kit_map_choice map;
    uint32_t thread_count;
    uint64_t memory_limit;
    bool json;
} settings;

static const kit_option operands[] = {
    KIT_TABLE(settings, table_path),
    {0},
};

static const kit_option options[] = {
    KIT_TARGET(settings, target),
    KIT_CODEC(settings),
    KIT_LANDMARKS(settings, "keep only the first N landmarks, the best"),
    {.name = "strip", .help = "leave out the map", .offset = offsetof(settings, strip)},
    {.name = "map",
     .value = "MAP",
     .read = kit_read_text,
     .help = "the map of a table without one, to be put in",
     .offset = offsetof(settings, map_path)},
    KIT_MAP_CHOICE(settings, map),
    {.name = "metric",
     .value = "S/D",
     .read = kit_read_pair,
     .expects = KIT_PAIR_EXPECTS,
     .help = "costs of steps on MAP, for rows that count steps",
     .offset = offsetof(settings, map.metric.pair)},
    KIT_THREADS(settings),
    KIT_MEMORY_LIMIT(settings),
    KIT_JSON(settings),
    {0},
};

typedef struct conversion {
    const settings *set;
    kit_source source;
    uint64_t size_before; /* of the file */
    cairn_outline before;
    cairn_outline after;
    bool is_read_back; /* `after`, from the file that was written */
    cairn_map *map;
    cairn_table *table;
} conversion;

/* ---------------------------------------------------------------------------------- the report */

static uint64_t rows_size(const cairn_outline *outline)
{
    uint64_t size = 0;
    for (uint32_t row = 0; row < outline->row_count; row++)
        size += outline->rows[row].size;
    return size;
}

static void print_side(const char *title, const cairn_outline *outline, uint64_t file_size)
{
    printf("%s  %s bytes: ", title, kit_count(file_size).text);
    if (outline->map_size)
        printf("map %s", kit_count(outline->map_size).text);
    else
        printf("no map");
    printf(", %u row%s %s\n", outline->row_count, kit_plural(outline->row_count),
           kit_count(rows_size(outline)).text);
}

static void print_text(const conversion *work)
{
    print_side("before", &work->before, work->size_before);
    print_side("after ", &work->after, kit_file_size(work->set->target.path));
    printf("file    %s\n", work->set->target.path);
}

static void side_json(kit_json *json, const char *name, const cairn_outline *outline,
                      uint64_t file_size)
{
    kit_json_open(json, name, '{');
    kit_json_count(json, "file_bytes", file_size);
    kit_json_count(json, "map_bytes", outline->map_size);
    kit_json_count(json, "rows", outline->row_count);
    kit_json_count(json, "row_bytes", rows_size(outline));
    kit_json_close(json, '}');
}

static void print_json(const conversion *work)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "table", work->set->target.path);
    side_json(&json, "before", &work->before, work->size_before);
    if (work->is_read_back)
        side_json(&json, "after", &work->after, kit_file_size(work->set->target.path));
    else
        kit_json_null(&json, "after");
    kit_json_close(&json, '}');
}

/* ------------------------------------------------------------------------------------ the work */

/* Rows that -k leaves. */
static uint32_t rows_kept(const conversion *work)
{
    return work->set->landmark_count * (work->before.is_directed ? 2 : 1);
}

/* Whether what is asked for fits what the file holds. */
static int check_wishes(const conversion *work)
{
    const settings *set = work->set;
    const cairn_outline *before = &work->before;

    if (set->map_path && before->map_size) {
        kit_complain("convert: --map: %s has its map", work->source.name);
        return KIT_EXIT_USAGE;
    }
    if (!set->map_path && !before->map_size) {
        kit_complain("convert: %s has no map: --map MAP is needed", work->source.name);
        return KIT_EXIT_USAGE;
    }
    if (set->map.metric.is_given && !(set->map_path && before->counts_steps)) {
        kit_complain("convert: --metric: %s has its metric", work->source.name);
        return KIT_EXIT_USAGE;
    }
    if (!set->map_path && kit_map_chosen(&set->map)) {
        kit_complain("convert: --%s says how to read --map MAP; there is none",
                     kit_map_chosen(&set->map));
        return KIT_EXIT_USAGE;
    }
    if (rows_kept(work) > before->row_count) {
        kit_complain("convert: --landmarks: %s has %u", work->source.name,
                     before->row_count / (before->is_directed ? 2 : 1));
        return KIT_EXIT_USAGE;
    }
    return KIT_EXIT_OK;
}

static int load(conversion *work)
{
    const settings *set = work->set;
    cairn_load_options loading = {
        .size = sizeof loading, .row_count = rows_kept(work), .thread_count = set->thread_count};

    if (!set->map_path)
        return kit_source_load(&work->source, &loading, &work->map, &work->table);
    return kit_load_apart(&work->source, &work->before, set->map_path, &set->map, &loading,
                          &work->map, &work->table, NULL);
}

static int save(const conversion *work)
{
    const settings *set = work->set;
    cairn_save_options saving = {
        .size = sizeof saving,
        .codec = (cairn_codec)set->codec,
        .thread_count = set->thread_count,
        .progress = &kit_progress_hook,
        .map_part = set->strip ? CAIRN_MAP_LEFT_OUT : CAIRN_MAP_INCLUDED,
    };

    errno = 0;
    kit_progress_begin("writing %s", kit_file_name(set->target.path));
    cairn_status status = cairn_save(work->map, work->table, set->target.path, &saving);
    kit_interrupt_release();
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_fail(set->target.path, status);
}

static int convert(conversion *work)
{
    const settings *set = work->set;
    cairn_error error;

    work->size_before = kit_source_size(&work->source);
    int code = kit_source_outline(&work->source, &work->before);
    if (code == KIT_EXIT_OK)
        code = check_wishes(work);
    if (code == KIT_EXIT_OK)
        code = load(work);
    if (code == KIT_EXIT_OK)
        code = save(work);
    if (code != KIT_EXIT_OK)
        return code;
    kit_progress_end();
    /* A pipe has no size, and does not give back what it took. It may be standard output, so that
     * nothing is printed behind it unless that is asked for. */
    work->is_read_back = kit_file_size(set->target.path) > 0 &&
                         cairn_outline_load(set->target.path, &work->after, &error) == CAIRN_OK;
    if (set->json)
        print_json(work);
    else if (work->is_read_back)
        print_text(work);
    return KIT_EXIT_OK;
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    set.map.metric.is_given = set.map.metric.pair.straight > 0;
    kit_source_limit(set.memory_limit);
    int code = kit_target_settle(&set.target, command, set.table_path);
    if (code != KIT_EXIT_OK)
        return code;
    const kit_input inputs[] = {{set.map_path, "the map itself"},
                                {set.map.places, "the file of --places"},
                                {set.map.heights, "the file of --heights"},
                                {set.map.terrain, "the file of --terrain"},
                                {NULL, NULL}};
    if (kit_overwrites("convert", "output", set.target.path, inputs))
        return KIT_EXIT_USAGE;

    conversion work = {.set = &set};
    code = kit_source_open(&work.source, set.table_path);
    if (code == KIT_EXIT_OK)
        code = convert(&work);
    cairn_table_free(work.table);
    cairn_map_free(work.map);
    kit_source_close(&work.source);
    return code;
}

const kit_command convert_command = {
    .name = "convert",
    .summary = "another codec, fewer rows, without its map or with it again",
    .about = "The entries of the rows stay what they are. Where a row cannot have the codec that\n"
             "is asked for (seeds are for exact rows of grids), the predictor takes its\n"
             "place. A table without its map is smaller; a program that loads it needs the map.\n"
             "Options from --moves to --unit-anchor say how MAP is read, as in cairn build.",
    .example = "cairn convert town.cairn -k 8 --strip -o small.cairn",
    .operands = operands,
    .options = options,
    .run = run,
};
