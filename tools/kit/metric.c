#include "metric.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exits.h"

const char *const kit_build_metrics[] = {"octile", "compact", NULL};
const char *const kit_metrics[] = {"octile", NULL};

bool kit_read_pair(const kit_option *option, const char *text, void *to)
{
    char straight[24] = "";
    const char *slash = strchr(text, '/');
    (void)option;
    if (!slash || (size_t)(slash - text) >= sizeof straight)
        return false;
    memcpy(straight, text, (size_t)(slash - text));

    uint64_t pair[2];
    if (!kit_number(straight, CAIRN_METRIC_MAX, &pair[0]) ||
        !kit_number(slash + 1, CAIRN_METRIC_MAX, &pair[1]))
        return false;
    *(cairn_metric *)to = (cairn_metric){(uint32_t)pair[0], (uint32_t)pair[1]};
    return pair[0] > 0 && pair[0] <= pair[1] && pair[1] <= 2 * pair[0];
}

bool kit_read_metric(const kit_option *option, const char *text, void *to)
{
    kit_metric *metric = to;
    *metric = (kit_metric){.is_given = true};
    if (strcmp(text, "octile") == 0)
        return true;
    if (strcmp(text, "compact") == 0) {
        metric->choice = CAIRN_METRIC_COMPACT;
        return true;
    }
    return kit_read_pair(option, text, &metric->pair);
}

int kit_refuse_step_metric(const char *map_path, cairn_metric metric)
{
    kit_complain("%s: --table-metric: expected 1/1 for a graph, found %s", map_path,
                 kit_metric_text(metric).text);
    return KIT_EXIT_USAGE;
}

int kit_fail_on_map(const char *path, cairn_status status, const cairn_map *map,
                    uint32_t landmark_count)
{
    if (status != CAIRN_E_LIMIT)
        return kit_fail(path, status);
    const bool is_directed = cairn_map_is_directed(map);
    if (landmark_count > CAIRN_ROWS_MAX / (is_directed ? 2 : 1)) {
        kit_complain("%s: expected at most %d landmarks%s, found %" PRIu32, path,
                     CAIRN_ROWS_MAX / (is_directed ? 2 : 1),
                     is_directed ? " where costs depend on the direction" : "", landmark_count);
        return KIT_EXIT_USAGE;
    }
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRAPH)
        kit_complain("%s: costs exceed the limit of %u; smaller costs of arcs help", path,
                     CAIRN_COST_MAX);
    else
        kit_complain("%s: costs in metric %s exceed the limit of %u; a coarser --metric helps",
                     path, kit_metric_text(cairn_map_metric(map)).text, CAIRN_COST_MAX);
    return KIT_EXIT_IO;
}

kit_text kit_metric_text(cairn_metric metric)
{
    kit_text text;
    snprintf(text.text, sizeof text.text, "%" PRIu32 "/%" PRIu32, metric.straight, metric.diagonal);
    return text;
}

kit_text kit_cost_unit_text(const cairn_map *map)
{
    const cairn_metric metric = cairn_map_metric(map);
    kit_text text;
    snprintf(text.text, sizeof text.text, "%smetric %" PRIu32 "/%" PRIu32,
             cairn_map_unit(map) == 2 ? "halves of " : "", metric.straight, metric.diagonal);
    return text;
}

static cairn_metric reduced(cairn_metric metric)
{
    uint32_t a = metric.straight;
    uint32_t b = metric.diagonal;
    while (b > 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return (cairn_metric){metric.straight / a, metric.diagonal / a};
}

/* The convergents S/D of the square root of 2 are those with D * D - 2 * S * S = 1 or -1: no
 * other fraction comes as near with so small a denominator. */
static bool is_convergent(cairn_metric metric)
{
    int64_t excess = (int64_t)metric.diagonal * metric.diagonal -
                     2 * (int64_t)metric.straight * metric.straight;
    return excess == 1 || excess == -1;
}

void kit_metric_risk(const cairn_map *map, char *sentence, size_t size)
{
    const cairn_rule rule = cairn_map_rule(map);
    cairn_metric pair = reduced(cairn_map_metric(map));
    if (rule == CAIRN_RULE_4 || rule == CAIRN_RULE_HEX)
        snprintf(sentence, size, "all steps cost the same: paths are shortest in true length");
    else if (is_convergent(pair))
        snprintf(sentence, size,
                 "shortest in true length too while rival paths differ by fewer than %s "
                 "diagonal step%s",
                 kit_count(pair.straight).text, kit_plural(pair.straight));
    else
        snprintf(sentence, size, "paths are shortest in these costs, not in true length");
}
