#include "commands.h"
#include "generate/generate.h"
#include "kit/exits.h"
#include "kit/load.h"
#include "kit/output.h"
#include "kit/say.h"

typedef struct settings {
    const char *map_path;
    const char *scenario_path;
    kit_map_choice map;
    uint64_t seed;
    uint32_t query_count;
} settings;

static const kit_option operands[] = {
    {.name = "MAP",
     .help = "a grid in the .map format, every step at the same cost, or roads (.gr)",
     .read = kit_read_text,
     .offset = offsetof(settings, map_path)},
    {0},
};

static const kit_option options[] = {
    KIT_OUTPUT(settings, scenario_path, "SCEN",
               "file to write (needed): .scen of a grid, .p2p of roads"),
    {.name = "queries",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = 1000000,
     .help = "how many (default 1000)",
     .offset = offsetof(settings, query_count)},
    KIT_SEED(settings, "same seed, same queries (default 0)"),
    KIT_MOVES(settings, map),
    KIT_TERRAIN(settings, map, "what letters mean: W=1,G=blocked,... or a file"),
    KIT_UNITS(settings, map),
    {0},
};

static int make_map(const void *context, cairn_metric metric, cairn_map **map)
{
    const settings *set = context;
    kit_map_choice choice = set->map;
    choice.of_table = metric;
    return kit_load_map(set->map_path, &choice, map);
}

static int run(const kit_command *command, char **words)
{
    settings set = {.query_count = 1000};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    if (!set.scenario_path) {
        kit_complain("queries: -o SCEN is missing (see cairn queries --help)");
        return KIT_EXIT_USAGE;
    }
    const kit_input inputs[] = {{set.map_path, "the map itself"}, {0}};
    if (kit_overwrites("queries", "output", set.scenario_path, inputs))
        return KIT_EXIT_USAGE;
    if (!kit_output_is_possible(set.scenario_path))
        return KIT_EXIT_IO;
    const int code = kit_need_uniform_terrain(&set.map);
    if (code != KIT_EXIT_OK)
        return code;

    const scenario_plan plan = {.path = set.scenario_path,
                                .map_path = set.map_path,
                                .query_count = set.query_count,
                                .rng = {set.seed},
                                .make_map = make_map,
                                .context = &set};
    return make_scenario("queries", &plan);
}

const kit_command queries_command = {
    .name = "queries",
    .summary = "draw queries on a map, as compare reads them",
    .about =
        "For maps that come without a scenario. On a grid: from short to long, ten goals for each\n"
        "start, with exact lengths, which compare checks on tables of the same --moves,\n"
        "--terrain and --unit-size. On roads: any two nodes with a path, in the DIMACS .p2p\n"
        "format, nodes counted from 1, without lengths.",
    .example = "cairn queries data/maps/town.map -o town.scen --queries 500",
    .operands = operands,
    .options = options,
    .run = run,
};
