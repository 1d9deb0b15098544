#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "kit/map_words.h"

/* What decides lengths, and is not so on the maps of published scenarios. */
typedef struct other_costs {
    bool terrain; /* letters have other meanings: factors, blocked, one-way */
    bool heights;
} other_costs;

/* On a map for units of one cell, whose letters are those of its text. */
static bool has_other_letter(const cairn_map *map, cairn_node node, const cairn_alphabet *usual)
{
    const char letter = cairn_map_letter(map, node);
    const uint16_t factor = usual->cost[(unsigned char)letter];
    const bool is_open = cairn_map_is_open(map, node);
    const bool is_one_way = is_open && letter != '\0' && strchr("^v<>", letter);
    return is_one_way || is_open != (factor != 0 && factor != CAIRN_TERRAIN_BLOCKED);
}

static bool is_diagonal(const cairn_map *map, const cairn_arc *step)
{
    const uint32_t width = cairn_map_width(map);
    return cairn_map_rule(map) != CAIRN_RULE_HEX && step->from % width != step->to % width &&
           step->from / width != step->to / width;
}

/* Whether a step from here costs otherwise than by the metric, and that not by what it rises. */
static bool has_other_step(const cairn_map *map, cairn_node node, const cairn_heights *heights)
{
    const cairn_metric metric = cairn_map_metric(map);
    const uint32_t unit = cairn_map_unit(map);
    cairn_arc steps[CAIRN_STEPS_MAX];
    const uint32_t count = cairn_steps(map, node, steps, CAIRN_STEPS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cost = is_diagonal(map, &steps[i]) ? metric.diagonal : metric.straight;
        const bool is_level = !heights->cells ||
                              heights->cells[steps[i].from] == heights->cells[steps[i].to];
        if (is_level && steps[i].cost != cost * unit)
            return true;
    }
    return false;
}

static other_costs costs_of(const cairn_map *map)
{
    cairn_alphabet usual;
    cairn_heights heights = {0};
    other_costs others = {.terrain = false};
    const bool has_letters = cairn_map_unit_size(map) == 1;

    cairn_alphabet_init(&usual);
    others.heights = cairn_map_heights(map, &heights);
    for (cairn_node node = 0; node < cairn_map_node_count(map) && !others.terrain; node++)
        others.terrain = (has_letters && has_other_letter(map, node, &usual)) ||
                         has_other_step(map, node, &heights);
    return others;
}

bool comparison_other_steps(const comparison *work, char *text, size_t size)
{
    const cairn_map *map = work->map;
    const uint32_t unit = cairn_map_unit_size(map);
    if (work->wrong_lengths == 0 || work->wrong_costs > 0)
        return false;

    const other_costs costs = costs_of(map);
    const bool has_costs = costs.terrain || costs.heights;
    const bool is_usual = cairn_map_rule(map) == CAIRN_RULE_8 && unit == 1;
    if (!has_costs && (is_usual || 2 * work->wrong_lengths <= work->query_count))
        return false;

    char cells[32] = "";
    if (unit > 1)
        snprintf(cells, sizeof cells, " --unit-size %u", unit);
    snprintf(text, size, "the table is for --moves %s%s%s%s%s", kit_moves[cairn_map_rule(map)],
             cells, costs.terrain ? " --terrain" : "", costs.heights ? " --heights" : "",
             has_costs ? "; scenarios have no lengths for costs of letters and heights"
                       : ", the scenario most likely for --moves 8 and units of one cell");
    return true;
}

const char *comparison_other_queries(const comparison *work)
{
    const other_costs costs = costs_of(work->map);
    return costs.terrain || costs.heights ? "cairn advise draws queries of its own"
                                          : "cairn queries draws queries for such tables";
}
