#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "difference.h"
#include "exits.h"
#include "heights.h"
#include "output.h"
#include "progress.h"
#include "say.h"
#include "system.h"

int kit_load_table(const char *path, cairn_map **map, cairn_table **table, uint64_t *size)
{
    kit_source source;
    int code = kit_source_open(&source, path);
    if (code == KIT_EXIT_OK)
        code = kit_source_load(&source, NULL, map, table);
    if (code == KIT_EXIT_OK && size)
        *size = kit_source_size(&source);
    kit_source_close(&source);
    return code;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* How what was found in place of text begins, where that is a table. */
static const char table_start[] = "\\x89CARN";

/* Terrain is items, or else the name of a file of items. */
static bool is_items(const char *terrain)
{
    return strchr(terrain, '=') || strcmp(terrain, "one-way") == 0;
}

enum { TERRAIN_MOST = 1 << 16 };

static int read_terrain(const char *terrain, cairn_alphabet *alphabet)
{
    cairn_error error = {.status = CAIRN_E_IO};
    static _Thread_local char text[TERRAIN_MOST];

    cairn_alphabet_init(alphabet);
    if (is_items(terrain)) {
        if (cairn_alphabet_parse(terrain, strlen(terrain), alphabet, &error) == CAIRN_OK)
            return KIT_EXIT_OK;
        kit_complain("%s: --terrain: expected %s, found \"%s\"", kit_command_name(), error.expected,
                     error.found);
        return KIT_EXIT_USAGE;
    }
    FILE *file = kit_file_open(terrain, "rb");
    if (!file) {
        if (!kit_is_stdin(terrain))
            error.expected = "expected LETTER=FACTOR,LETTER=blocked,... or a file of these";
        return kit_refuse(terrain, &error);
    }
    size_t size = fread(text, 1, sizeof text, file);
    const bool is_longer = size == sizeof text && fgetc(file) != EOF;
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (is_longer)
        error = (cairn_error){.status = CAIRN_E_LIMIT, .expected = "terrain of at most 64 KiB"};
    if (failed || is_longer || cairn_alphabet_parse(text, size, alphabet, &error) != CAIRN_OK)
        return kit_refuse(terrain, &error);
    return KIT_EXIT_OK;
}

/* Whether letters with these factors make all steps cost the same, both ways. */
static bool is_uniform(const cairn_alphabet *alphabet)
{
    for (unsigned letter = 1; letter < 256; letter++) {
        const uint16_t cost = alphabet->cost[letter];
        const bool is_open = cost != 0 && cost != CAIRN_TERRAIN_BLOCKED;
        if (is_open && (cost > 1 || strchr("^v<>", (int)letter)))
            return false;
    }
    return true;
}

int kit_need_uniform_terrain(const kit_map_choice *choice)
{
    cairn_alphabet alphabet;
    const int code = choice->terrain ? read_terrain(choice->terrain, &alphabet) : KIT_EXIT_OK;
    if (code != KIT_EXIT_OK || !choice->terrain || is_uniform(&alphabet))
        return code;
    kit_complain(
        "%s: --terrain: expected factors of 1 and blocked, since lengths are of steps that "
        "cost the same; cairn advise draws queries of its own on any map",
        kit_command_name());
    return KIT_EXIT_USAGE;
}

uint32_t kit_climb(const kit_map_choice *choice)
{
    return choice->climb.is_given ? choice->climb.number : KIT_CLIMB;
}

/* The first of the options that were given and say something of cells; NULL: none. */
static const char *option_of_cells(const kit_map_choice *choice)
{
    return choice->moves.is_given         ? "moves"
           : choice->terrain              ? "terrain"
           : choice->charge.is_given      ? "charge"
           : choice->heights              ? "heights"
           : choice->climb.is_given       ? "climb"
           : choice->descend.is_given     ? "descend"
           : choice->unit_size.is_given   ? "unit-size"
           : choice->unit_anchor.is_given ? "unit-anchor"
                                          : NULL;
}

const char *kit_map_chosen(const kit_map_choice *choice)
{
    const char *option = choice->metric.is_given ? "metric" : option_of_cells(choice);
    return option ? option : choice->places ? "places" : NULL;
}

int kit_need_grid(const char *option, const char *path, const cairn_map *map)
{
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        return KIT_EXIT_OK;
    kit_complain("%s: --%s is for grids; %s is a graph", kit_command_name(), option, path);
    return KIT_EXIT_USAGE;
}

/* What is said of cells means nothing to a graph. */
static int check_choice(const char *path, const kit_map_choice *choice, const cairn_map *map)
{
    const cairn_metric pair = choice->metric.pair;
    const bool has_metric = choice->metric.is_given && (pair.straight != 1 || pair.diagonal != 1);
    const char *option = has_metric ? "metric" : option_of_cells(choice);
    return option ? kit_need_grid(option, path, map) : KIT_EXIT_OK;
}

/* Tells a table by its first byte. Of a file that cannot be read the loader complains. */
static bool is_table(const kit_source *source)
{
    if (source->bytes)
        return source->size > 0 && source->bytes[0] == KIT_TABLE_START;
    return kit_is_table(source->path);
}

/* Which option gives a letter a meaning; nothing where another thing is wrong. */
static void advise_terrain(const cairn_error *error, char *advice, size_t size)
{
    const char *letter = error->found;
    if (!error->expected || !strstr(error->expected, "terrain") || !kit_command_has("terrain"))
        return;
    if (letter[0] > ' ' && letter[1] == '\0' && !strchr(",=", letter[0]))
        snprintf(advice, size, " (--terrain %c=1 or %c=blocked says what it means)", letter[0],
                 letter[0]);
    else
        snprintf(advice, size, " (--terrain says what letters mean)");
}

static int refuse_text(const kit_source *source, const cairn_error *error)
{
    char advice[80] = "";
    if (error->status != CAIRN_E_FORMAT || !begins_with(error->found, table_start)) {
        if (error->status == CAIRN_E_FORMAT)
            advise_terrain(error, advice, sizeof advice);
        return kit_refuse_advising(source->name, error, advice);
    }
    kit_complain("%s: expected a map as text, found a table of cairn build; cairn export --map "
                 "writes its map",
                 source->name);
    return KIT_EXIT_IO;
}

static int load_text(const kit_source *source, const char *heights_path,
                     const cairn_map_options *options, cairn_map **map)
{
    cairn_error error;
    kit_progress_begin("reading %s", kit_file_name(source->name));
    cairn_status status = source->bytes ? cairn_map_parse((const char *)source->bytes, source->size,
                                                          options, map, &error)
                                        : cairn_map_load(source->path, options, map, &error);
    if (status == CAIRN_OK)
        return KIT_EXIT_OK;
    if (status != CAIRN_E_ARGUMENT || !options->heights)
        return refuse_text(source, &error);
    kit_complain("%s: expected the height of every cell of %s, found %u x %u of them", heights_path,
                 source->name, options->heights->width, options->heights->height);
    return KIT_EXIT_IO;
}

static cairn_status try_places(kit_source *source, kit_source *places,
                               const cairn_map_options *options, cairn_map **map,
                               cairn_error *error)
{
    kit_progress_begin("reading %s", kit_file_name(source->name));
    if (!source->bytes && !places->bytes)
        return cairn_roads_load(source->path, places->path, options, map, error);
    if (kit_source_hold(source) != CAIRN_OK || kit_source_hold(places) != CAIRN_OK)
        return error->status = CAIRN_E_IO;
    return cairn_roads_parse((const char *)source->bytes, source->size, (const char *)places->bytes,
                             places->size, options, map, error);
}

/* What was expected, without the words that it is in the file of places, which is named. */
static const char *of_places(const char *expected)
{
    static const char start[] = "in the file of places: ";
    return expected && begins_with(expected, start) ? expected + strlen(start) : expected;
}

/* Coordinates are in a file of their own, and what is wrong may be in either: it is in theirs where
 * the other is good alone, and of roads. */
static int blame_places(const kit_source *source, const kit_source *places,
                        const cairn_map_options *options, const cairn_error *error)
{
    cairn_map *alone = NULL;
    int reason = errno;
    int code = load_text(source, NULL, options, &alone);

    if (code == KIT_EXIT_OK && cairn_map_kind_of(alone) == CAIRN_MAP_GRID) {
        kit_complain("%s: --places are the coordinates of roads; this is a grid", source->name);
        code = KIT_EXIT_USAGE;
    } else if (code == KIT_EXIT_OK) {
        cairn_error own = *error;
        own.expected = own.status == CAIRN_E_IO ? NULL : of_places(own.expected);
        errno = reason;
        code = kit_refuse(places->name, &own);
    }
    cairn_map_free(alone);
    return code;
}

static int load_places(kit_source *source, const char *path, const cairn_map_options *options,
                       cairn_map **map)
{
    cairn_error error = {.status = CAIRN_OK};
    kit_source places;
    int code = kit_source_open(&places, path);

    if (code == KIT_EXIT_OK && try_places(source, &places, options, map, &error) != CAIRN_OK)
        code = blame_places(source, &places, options, &error);
    kit_source_close(&places);
    return code;
}

static int load_as(kit_source *source, const kit_map_choice *choice, cairn_map_options *options,
                   cairn_map **map)
{
    cairn_heights heights;

    if (choice->places)
        return load_places(source, choice->places, options, map);
    if (!choice->heights)
        return load_text(source, NULL, options, map);
    int code = kit_heights_read(choice->heights, &heights);
    if (code != KIT_EXIT_OK)
        return code;
    heights.climb = kit_climb(choice);
    heights.descend = choice->descend.number;
    options->heights = &heights;
    code = load_text(source, choice->heights, options, map);
    kit_heights_free(&heights);
    return code;
}

/* Puts the map for units in the place of the map. */
static int take_units(const char *path, const kit_map_choice *choice, cairn_map **map)
{
    cairn_map *units;
    if (choice->unit_size.number < 2)
        return KIT_EXIT_OK;
    cairn_status status = cairn_map_for_units(*map, choice->unit_size.number,
                                              (cairn_anchor)choice->unit_anchor.number, &units);
    if (status == CAIRN_E_LIMIT) {
        kit_complain("%s: units of several cells meet more combinations of factors and one-way "
                     "directions than there are letters",
                     path);
        return KIT_EXIT_IO;
    }
    if (status != CAIRN_OK)
        return kit_fail(path, status);
    cairn_map_free(*map);
    *map = units;
    return KIT_EXIT_OK;
}

/* Refuses options that describe what was not given: slopes without heights, an anchor without a
 * unit size. */
static int check_pairs(const kit_map_choice *choice)
{
    if (!choice->heights && (choice->climb.is_given || choice->descend.is_given)) {
        kit_complain("%s: --climb and --descend are the cost of --heights, and there are none",
                     kit_command_name());
        return KIT_EXIT_USAGE;
    }
    if (!choice->unit_size.is_given && choice->unit_anchor.is_given) {
        kit_complain("%s: --unit-anchor is the anchor of units of --unit-size, which is missing",
                     kit_command_name());
        return KIT_EXIT_USAGE;
    }
    return KIT_EXIT_OK;
}

int kit_map_choice_check(const kit_map_choice *choice)
{
    cairn_alphabet alphabet;
    int code = check_pairs(choice);
    return code == KIT_EXIT_OK && choice->terrain ? read_terrain(choice->terrain, &alphabet) : code;
}

static int load_map(kit_source *source, const kit_map_choice *choice, cairn_map **map)
{
    cairn_alphabet alphabet;
    cairn_map_options options = {.size = sizeof options,
                                 .metric = choice->metric.is_given ? choice->metric.pair
                                                                   : choice->of_table,
                                 .rule = (cairn_rule)choice->moves.number,
                                 .charge = (cairn_charge)choice->charge.number};
    int code = check_pairs(choice);

    *map = NULL;
    if (code == KIT_EXIT_OK && choice->terrain) {
        code = read_terrain(choice->terrain, &alphabet);
        options.alphabet = &alphabet;
    }
    if (code == KIT_EXIT_OK)
        code = load_as(source, choice, &options, map);
    if (code == KIT_EXIT_OK)
        code = check_choice(source->name, choice, *map);
    if (code == KIT_EXIT_OK)
        code = take_units(source->name, choice, map);
    if (code != KIT_EXIT_OK) {
        cairn_map_free(*map);
        *map = NULL;
    }
    return code;
}

int kit_load_map(const char *path, const kit_map_choice *choice, cairn_map **map)
{
    kit_source source;
    int code = kit_source_open(&source, path);

    *map = NULL;
    if (code == KIT_EXIT_OK)
        code = load_map(&source, choice, map);
    kit_source_close(&source);
    return code;
}

void kit_follow_units(kit_map_choice *choice, uint32_t size, cairn_anchor anchor)
{
    if (choice->unit_size.is_given || size < 2)
        return;
    choice->unit_size = (kit_given){size, true};
    if (!choice->unit_anchor.is_given)
        choice->unit_anchor = (kit_given){(uint32_t)anchor, true};
}

int kit_load_apart(const kit_source *source, const cairn_outline *outline, const char *map_path,
                   const kit_map_choice *choice, cairn_load_options *loading, cairn_map **map,
                   cairn_table **table, bool *matches)
{
    kit_map_choice own = *choice;
    cairn_error error;

    if (!outline->counts_steps)
        own.of_table = outline->metric;
    kit_follow_units(&own, outline->unit_size, outline->unit_anchor);
    int code = kit_load_map(map_path, &own, map);
    if (code != KIT_EXIT_OK)
        return code;
    loading->map = *map;
    cairn_status status = kit_source_try(source, loading, NULL, table, &error);
    if (matches)
        *matches = status != CAIRN_E_MISMATCH;
    if (status == CAIRN_OK || status == CAIRN_E_INEXACT || (matches && !*matches))
        return KIT_EXIT_OK;
    if (status != CAIRN_E_MISMATCH)
        return kit_refuse_table(source->name, &error);
    kit_complain("%s: not the map of %s: %s", map_path, source->name,
                 kit_outline_difference(outline, *map).text);
    return KIT_EXIT_IO;
}

/* Refuses for a map as text what only loading a table heeds. */
static int check_table_options(const kit_source *source)
{
    const char *option = kit_source_option();
    if (!option)
        return KIT_EXIT_OK;
    kit_complain("%s: --%s is for tables; this is a map", source->name, option);
    return KIT_EXIT_USAGE;
}

int kit_load_either(const char *path, const kit_map_choice *choice, cairn_map **map,
                    cairn_table **table)
{
    kit_source source;
    int code = kit_source_open(&source, path);

    *map = NULL;
    *table = NULL;
    if (code == KIT_EXIT_OK && !is_table(&source)) {
        code = load_map(&source, choice, map);
        if (code == KIT_EXIT_OK)
            code = check_table_options(&source);
    } else if (code == KIT_EXIT_OK && kit_map_chosen(choice)) {
        kit_complain("%s: --%s is for maps as text; %s is a table, which knows its map",
                     kit_command_name(), kit_map_chosen(choice), path);
        code = KIT_EXIT_USAGE;
    } else if (code == KIT_EXIT_OK) {
        code = kit_source_load(&source, NULL, map, table);
    }
    kit_source_close(&source);
    return code;
}

/* What a file that holds no queries is instead, as far as the words tell that were found there. */
static const char *kind_of_other(const cairn_error *error)
{
    if (error->status != CAIRN_E_FORMAT)
        return NULL;
    if (begins_with(error->found, table_start))
        return "a table of cairn build";
    if (begins_with(error->found, "type") || begins_with(error->found, "p sp "))
        return "a map as text";
    return NULL;
}

/* Where queries do not fit the map, says what its size is. */
static int refuse_scenario(const char *path, const cairn_map *map, cairn_error error)
{
    static const char sides[] = "the width and height of the map in use";
    static const char nodes[] = "nodes from 1 to their number";
    char expected[sizeof sides + 24];
    if (error.expected && strcmp(error.expected, sides) == 0) {
        snprintf(expected, sizeof expected, "%s, %u %u", sides, cairn_map_width(map),
                 cairn_map_height(map));
        error.expected = expected;
    } else if (error.expected && strcmp(error.expected, nodes) == 0) {
        snprintf(expected, sizeof expected, "%s, %u", nodes, cairn_map_node_count(map));
        error.expected = expected;
    }
    return kit_refuse(path, &error);
}

int kit_load_scenario(const char *path, const cairn_map *map, cairn_scenario **scenario)
{
    cairn_error error;
    kit_progress_begin("reading %s", kit_file_name(path));
    if (cairn_scenario_load(path, map, scenario, &error) == CAIRN_OK)
        return KIT_EXIT_OK;
    const char *kind = kind_of_other(&error);
    if (kind) {
        kit_complain("%s: expected a scenario, found %s", path, kind);
        return KIT_EXIT_IO;
    }
    if (strcmp(error.found, "version 2") != 0)
        return refuse_scenario(path, map, error);
    kit_complain("%s: a scenario of version 2, whose map changes, is for cairn compare --dynamic",
                 path);
    return KIT_EXIT_IO;
}
