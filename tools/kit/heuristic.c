#include "heuristic.h"

#include "say.h"

const char *const kit_heuristic_words[] = {
    [CAIRN_HEURISTIC_BEST] = "best",
    [CAIRN_HEURISTIC_ZERO] = "zero",
    [CAIRN_HEURISTIC_MANHATTAN] = "manhattan",
    [CAIRN_HEURISTIC_CHEBYSHEV] = "chebyshev",
    [CAIRN_HEURISTIC_OCTILE] = "octile",
    [CAIRN_HEURISTIC_EUCLIDEAN] = "euclidean",
    [CAIRN_HEURISTIC_HEX] = "hex",
    [CAIRN_HEURISTIC_SQUARED] = "squared",
    NULL,
};
const char *const kit_ties_words[] = {
    [CAIRN_TIES_LAST] = "last",
    [CAIRN_TIES_FIRST] = "first",
    [CAIRN_TIES_LARGER_G] = "larger-g",
    NULL,
};

/* Whether best leaves coordinates out beside the rows of a table. */
static bool rows_are_enough(const cairn_table *table)
{
    enum { LANDMARKS_ENOUGH = 4 };
    if (!table || cairn_table_counts_steps(table))
        return false;
    const uint32_t rows = cairn_table_row_count(table);
    const bool in_pairs = cairn_table_direction(table, 0) != CAIRN_DIRECTION_BOTH;
    return (in_pairs ? rows / 2 : rows) >= LANDMARKS_ENOUGH;
}

static const char *name_of_graph(const cairn_map *map, const cairn_table *table,
                                 cairn_heuristic heuristic)
{
    int32_t x, y;
    const bool has_places = cairn_node_place(map, 0, &x, &y);
    const bool is_zero = heuristic == CAIRN_HEURISTIC_BEST ? rows_are_enough(table)
                                                           : heuristic == CAIRN_HEURISTIC_ZERO;
    return is_zero || !has_places ? "zero" : "distance by coordinates";
}

const char *kit_heuristic_name(const cairn_map *map, const cairn_table *table,
                               cairn_heuristic heuristic)
{
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRAPH)
        return name_of_graph(map, table, heuristic);
    if (heuristic != CAIRN_HEURISTIC_BEST)
        return kit_heuristic_words[heuristic];
    switch (cairn_map_rule(map)) {
    case CAIRN_RULE_HEX: return "hex";
    case CAIRN_RULE_4: return "manhattan";
    default: return "octile";
    }
}

bool kit_heuristic_is_there(const char *command, const cairn_map *map, int heuristic)
{
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID || heuristic == CAIRN_HEURISTIC_BEST ||
        heuristic == CAIRN_HEURISTIC_ZERO || heuristic == CAIRN_HEURISTIC_EUCLIDEAN)
        return true;
    kit_complain("%s: --heuristic: expected best, zero or euclidean of a graph, found \"%s\"",
                 command, kit_heuristic_words[heuristic]);
    return false;
}

bool kit_wish_is_set(const kit_wish *wish)
{
    return wish->heuristic || wish->ties || wish->weight || wish->limit || wish->no_reopening;
}

void kit_wish_put(const kit_wish *wish, cairn_search_options *options)
{
    options->heuristic = (cairn_heuristic)wish->heuristic;
    options->ties = (cairn_ties)wish->ties;
    options->weight = wish->weight;
    options->expansion_limit = wish->limit;
    options->never_reopen = wish->no_reopening;
}
