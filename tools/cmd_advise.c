#include <stdlib.h>

#include "advise/advise.h"
#include "commands.h"
#include "kit/cells.h"
#include "kit/exits.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"

typedef struct settings {
    const char *map_path;
    const char *scenario_path;
    uint32_t every; /* 0: not given */
    uint32_t query_limit;
    uint32_t most;
    uint32_t thread_count;
    uint64_t seed;
    int placement;
    cairn_metric step_metric;
    int resident; /* a cairn_resident */
    kit_map_choice map;
    uint64_t budget;
    double speedup;
    bool json;
} settings;

static bool read_factor(const kit_option *option, const char *text, void *to)
{
    char *end;
    (void)option;
    *(double *)to = strtod(text, &end);
    return end != text && *end == 0 && *(double *)to > 1 && *(double *)to < 1e6;
}

static const kit_option operands[] = {
    {.name = "MAP",
     .help = "a grid in the Moving AI .map format, or roads as DIMACS .gr",
     .read = kit_read_text,
     .offset = offsetof(settings, map_path)},
    {.name = "SCEN",
     .help = "queries like those to come (default: random pairs)",
     .read = kit_read_text,
     .optional = true,
     .offset = offsetof(settings, scenario_path)},
    {0},
};

static const kit_option options[] = {
    {.name = "budget",
     .value = "SIZE",
     .read = kit_read_size,
     .help = "choose the fastest that takes no more memory, e.g. 64K",
     .offset = offsetof(settings, budget)},
    {.name = "speedup",
     .value = "N",
     .read = read_factor,
     .expects = "a number above 1",
     .help = "choose the smallest that makes queries N times as fast",
     .offset = offsetof(settings, speedup)},
    {.name = "most",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = CAIRN_ROWS_MAX,
     .help = "try 1, 2, 4 ... N landmarks (default 64)",
     .offset = offsetof(settings, most)},
    {.name = "placement",
     .letter = 'p',
     .value = "NAME",
     .read = kit_read_word,
     .words = kit_placements,
     .help = "as for cairn build",
     .offset = offsetof(settings, placement)},
    {.name = "metric",
     .value = "METRIC",
     .read = kit_read_metric,
     .words = kit_metrics,
     .help = "octile (default) or S/D",
     .expects = KIT_METRIC_EXPECTS,
     .offset = offsetof(settings, map.metric)},
    {.name = "table-metric",
     .value = "S/D",
     .read = kit_read_pair,
     .expects = KIT_PAIR_EXPECTS,
     .help = "tables that count steps, as for cairn build",
     .offset = offsetof(settings, step_metric)},
    KIT_RESIDENT(settings),
    KIT_MAP_CHOICE(settings, map),
    {.name = "every",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = UINT32_MAX,
     .help = "take lines 1, 1 + N, 1 + 2 N ... of the scenario",
     .offset = offsetof(settings, every)},
    {.name = "queries",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = 1000000,
     .help = "at most so many queries (default: all of SCEN, or 1000 pairs)",
     .offset = offsetof(settings, query_limit)},
    KIT_SEED(settings, "of pairs and placement (default 0)"),
    KIT_THREADS(settings),
    KIT_JSON(settings),
    {0},
};

static int take_queries(advice *work)
{
    cairn_scenario *scenario;
    cairn_status status;

    if (!work->scenario_path) {
        kit_progress_begin("drawing pairs");
        status = advice_draw(work);
    } else {
        int code = kit_load_scenario(work->scenario_path, work->map, &scenario);
        if (code != KIT_EXIT_OK)
            return code;
        status = advice_take(work, scenario);
        cairn_scenario_free(scenario);
    }
    if (status == CAIRN_OK && work->scenario_path && work->query_count == 0) {
        kit_complain("%s: expected at least one query to judge by, found none",
                     work->scenario_path);
        return KIT_EXIT_IO;
    }
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_fail_on_map(work->map_path, status, work->map, 0);
}

static int measure(advice *work, bool json)
{
    int code = take_queries(work);
    kit_progress_begin("trying %s", kit_file_name(work->map_path));
    cairn_status status = CAIRN_OK;
    if (code == KIT_EXIT_OK)
        status = advice_measure(work);
    kit_progress_end();
    if (status == CAIRN_E_ARGUMENT && work->step_metric.straight)
        code = kit_refuse_step_metric(work->map_path, work->step_metric);
    else if (status == CAIRN_E_RESIDENT)
        code = kit_refuse_corners(work->map_path);
    else if (status != CAIRN_OK)
        code = kit_fail_on_map(work->map_path, status, work->map, work->most);
    if (code != KIT_EXIT_OK)
        return code;

    advice_choose(work);
    if (json)
        advice_print_json(work);
    else if (!advice_print_text(work))
        return kit_fail(work->map_path, CAIRN_E_MEMORY);
    return work->choice ? KIT_EXIT_OK : KIT_EXIT_NO;
}

static int run(const kit_command *command, char **words)
{
    settings set = {.most = 64};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    if (set.map.metric.choice == CAIRN_METRIC_COMPACT) {
        kit_complain("advise: expected one metric for all tables, octile or S/D");
        return KIT_EXIT_USAGE;
    }
    if (set.every && !set.scenario_path) {
        kit_complain("advise: --every goes with SCEN");
        return KIT_EXIT_USAGE;
    }

    advice work = {
        .map_path = set.map_path,
        .scenario_path = set.scenario_path,
        .every = set.every ? set.every : 1,
        .query_limit = set.query_limit,
        .most = set.most,
        .thread_count = set.thread_count,
        .seed = set.seed,
        .placement = (cairn_placement)set.placement,
        .step_metric = set.step_metric,
        .resident = (cairn_resident)set.resident,
        .budget = set.budget,
        .speedup = set.speedup,
    };
    int code = kit_load_map(set.map_path, &set.map, &work.map);
    if (code == KIT_EXIT_OK)
        code = measure(&work, set.json);
    advice_free(&work);
    cairn_map_free(work.map);
    return code;
}

const kit_command advise_command = {
    .name = "advise",
    .summary = "what landmarks gain on a map, and how many to take",
    .about = "Builds tables of 1, 2, 4 ... landmarks and runs the queries with each, by the\n"
             "library's default search: along jump points where they fit the map, with the\n"
             "table and without. The ratios are those of the means over all queries, with 95 %\n"
             "confidence intervals (bootstrap). Times are those of the processor. Exit code 1:\n"
             "landmarks are not worth it on this map.",
    .example = "cairn advise data/maps/town.map data/scen/town.map.scen --speedup 5",
    .operands = operands,
    .options = options,
    .run = run,
};
