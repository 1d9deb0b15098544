#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "generate/generate.h"
#include "kit/exits.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"

typedef struct settings {
    int kind;
    const char *map_path;
    const char *scenario_path;
    kit_extent extent;
    uint64_t seed;
    uint32_t query_count; /* 0: not given */
    recipe shape;
} settings;

typedef struct generator {
    void (*draw)(canvas *map, kit_rng *rng, const recipe *shape);
    recipe defaults;
} generator;

static const char *const kinds[] = {"cave", "rooms", "maze", "scatter", "town", "field", NULL};

/* In the order of the kinds. */
static const generator generators[] = {
    {draw_cave, {45, RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED}},
    {draw_rooms, {RECIPE_UNUSED, RECIPE_UNUSED, 6, 30}},
    {draw_maze, {RECIPE_UNUSED, 1, RECIPE_UNUSED, 0}},
    {draw_scatter, {20, RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED}},
    {draw_town, {RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED}},
    {draw_field, {4, RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED}},
};

static const kit_option operands[] = {
    {.name = "KIND",
     .help = "cave, rooms, maze, scatter, town or field",
     .read = kit_read_word,
     .words = kinds,
     .offset = offsetof(settings, kind)},
    {0},
};

static const kit_option options[] = {
    KIT_OUTPUT(settings, map_path, "MAP", "file to write (needed)"),
    {.name = "size",
     .value = "WxH",
     .read = kit_read_extent,
     .least = 16,
     .most = 16384,
     .help = "width and height in cells (default 128x128)",
     .offset = offsetof(settings, extent)},
    KIT_SEED(settings, "same seed, same map (default 0)"),
    {.name = "scen",
     .value = "FILE",
     .read = kit_read_output,
     .help = "also write queries on the map, with exact lengths",
     .offset = offsetof(settings, scenario_path)},
    {.name = "queries",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = 1000000,
     .help = "how many (default 200)",
     .offset = offsetof(settings, query_count)},
    {.name = "fill",
     .value = "PERCENT",
     .read = kit_read_number,
     .most = 100,
     .help = "blocked cells: cave (45, before smoothing), scatter (20), field (4)",
     .offset = offsetof(settings, shape.fill)},
    {.name = "corridor",
     .value = "CELLS",
     .read = kit_read_number,
     .least = 1,
     .most = 15,
     .help = "width of corridors: maze (1)",
     .offset = offsetof(settings, shape.corridor)},
    {.name = "room",
     .value = "CELLS",
     .read = kit_read_number,
     .least = 2,
     .most = 1000,
     .help = "shortest side of a room: rooms (6)",
     .offset = offsetof(settings, shape.room)},
    {.name = "loops",
     .value = "PERCENT",
     .read = kit_read_number,
     .most = 100,
     .help = "walls with a second door: rooms (30), maze (0)",
     .offset = offsetof(settings, shape.loops)},
    {0},
};

/* --------------------------------------------------------------------------- settings -- */

/* Puts the default where nothing was given; false for what the kind does not know. */
static bool settle(uint32_t *value, uint32_t standard, const char *option, const char *kind)
{
    if (*value == RECIPE_UNUSED) {
        *value = standard;
        return true;
    }
    if (standard != RECIPE_UNUSED)
        return true;
    kit_complain("generate: --%s means nothing for %s", option, kind);
    return false;
}

/* Whether a corridor and the walls beside it fit the map. */
static bool corridors_fit(const settings *set)
{
    const uint32_t needed = set->shape.corridor + 2;
    if (set->shape.corridor == RECIPE_UNUSED ||
        (set->extent.width >= needed && set->extent.height >= needed))
        return true;
    kit_complain("generate: --corridor %u needs a --size of at least %ux%u", set->shape.corridor,
                 needed, needed);
    return false;
}

static bool settle_all(settings *set)
{
    const char *kind = kinds[set->kind];
    const recipe *standard = &generators[set->kind].defaults;
    recipe *shape = &set->shape;
    if (!set->map_path) {
        kit_complain("generate: -o MAP is missing (see cairn generate --help)");
        return false;
    }
    if (set->query_count && !set->scenario_path) {
        kit_complain("generate: --queries goes with --scen");
        return false;
    }
    set->query_count = set->query_count ? set->query_count : 200;
    return settle(&shape->fill, standard->fill, "fill", kind) &&
           settle(&shape->corridor, standard->corridor, "corridor", kind) &&
           settle(&shape->room, standard->room, "room", kind) &&
           settle(&shape->loops, standard->loops, "loops", kind) && corridors_fit(set);
}

/* ---------------------------------------------------------------------------- writing -- */

static uint64_t count_open(const canvas *map)
{
    uint64_t open = 0;
    for (size_t i = 0; i < (size_t)map->width * map->height; i++)
        open += strchr(".GS", map->letters[i]) != NULL;
    return open;
}

static int make_map(const void *context, cairn_metric metric, cairn_map **map)
{
    const canvas *drawn = context;
    cairn_map_options form = {.size = sizeof form, .metric = metric};
    cairn_status status = cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &form,
                                                 map, NULL);
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_fail("generate", status);
}

static int make_queries(const settings *set, const canvas *map, const kit_rng *rng)
{
    const scenario_plan plan = {.path = set->scenario_path,
                                .map_path = set->map_path,
                                .query_count = set->query_count,
                                .rng = *rng,
                                .make_map = make_map,
                                .context = map};
    return make_scenario("generate", &plan);
}

/* The map takes its place once the queries are there: neither is written without the other. */
static int write_both(const settings *set, const canvas *map, const kit_rng *rng)
{
    kit_output output;
    if (!kit_output_open(&output, set->map_path))
        return KIT_EXIT_IO;
    canvas_write(map, output.file);
    const int code = set->scenario_path ? make_queries(set, map, rng) : KIT_EXIT_OK;
    if (code != KIT_EXIT_OK)
        kit_output_discard(&output);
    else if (!kit_output_commit(&output))
        return KIT_EXIT_IO;
    return code;
}

static int generate(const settings *set)
{
    size_t count = (size_t)set->extent.width * set->extent.height;
    canvas map = {.width = set->extent.width,
                  .height = set->extent.height,
                  .letters = malloc(count),
                  .work = malloc(count * sizeof *map.work)};
    kit_rng rng = {set->seed};
    int code = KIT_EXIT_IO;
    if (!map.letters || !map.work) {
        kit_fail(set->map_path, CAIRN_E_MEMORY);
        goto done;
    }

    kit_progress_begin("drawing %s", kit_file_name(set->map_path));
    generators[set->kind].draw(&map, &rng, &set->shape);
    code = write_both(set, &map, &rng);
    kit_progress_end();
    if (code == KIT_EXIT_OK && kit_reports(set->map_path, false))
        printf("%s: %u x %u, %s open cells\n", set->map_path, map.width, map.height,
               kit_count(count_open(&map)).text);

done:
    free(map.letters);
    free(map.work);
    return code;
}

static int run(const kit_command *command, char **words)
{
    settings set = {
        .extent = {128, 128},
        .shape = {RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED, RECIPE_UNUSED},
    };
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    if (!settle_all(&set))
        return KIT_EXIT_USAGE;
    if (set.scenario_path && kit_same_file(set.map_path, set.scenario_path)) {
        kit_complain("generate: --scen: %s is the map itself", set.scenario_path);
        return KIT_EXIT_USAGE;
    }
    if (!kit_output_is_possible(set.map_path) || !kit_output_is_possible(set.scenario_path))
        return KIT_EXIT_IO;
    return generate(&set);
}

const kit_command generate_command = {
    .name = "generate",
    .summary = "draw a random map, and queries on it with exact lengths",
    .example = "cairn generate town -o town.map --size 192x192 --seed 7 --scen town.map.scen",
    .operands = operands,
    .options = options,
    .run = run,
};
