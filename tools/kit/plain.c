#include "plain.h"

#include "say.h"

const char *const kit_plain_words[] = {"best", "zero", "manhattan", "chebyshev", "octile",
                                       "euclidean", "hex", "squared", NULL};
const char *const kit_ties_words[] = {"last", "first", "larger-g", NULL};

static const char *name_of_graph(const cairn_map *map, cairn_plain plain)
{
    int32_t x, y;
    bool placed = cairn_node_place(map, 0, &x, &y);
    return plain == CAIRN_PLAIN_ZERO || !placed ? "zero" : "distance by coordinates";
}

const char *kit_plain_name(const cairn_map *map, cairn_plain plain)
{
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRAPH)
        return name_of_graph(map, plain);
    if (plain != CAIRN_PLAIN_BEST)
        return kit_plain_words[plain];
    switch (cairn_map_rule(map)) {
    case CAIRN_RULE_HEX: return "hex";
    case CAIRN_RULE_4: return "manhattan";
    default: return "octile";
    }
}

bool kit_bound_is_there(const char *command, const cairn_map *map, int plain)
{
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID || plain == CAIRN_PLAIN_BEST ||
        plain == CAIRN_PLAIN_ZERO || plain == CAIRN_PLAIN_EUCLIDEAN)
        return true;
    kit_complain("%s: --bound: expected best, zero or euclidean of a graph, found \"%s\"", command,
                 kit_plain_words[plain]);
    return false;
}
