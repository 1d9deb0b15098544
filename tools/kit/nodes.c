#include "nodes.h"

#include <stdio.h>

static bool is_graph(const cairn_map *map)
{
    return cairn_map_kind_of(map) == CAIRN_MAP_GRAPH;
}

/* Of a grid. The cells of a map for units are where these can stand. */
static kit_phrase grid_size(const cairn_map *map)
{
    const uint64_t open = cairn_map_open_count(map);
    const uint32_t unit = cairn_map_unit_size(map);
    kit_phrase phrase;
    int size = snprintf(phrase.text, sizeof phrase.text, "%u x %u, %s %s%s", cairn_map_width(map),
                        cairn_map_height(map), kit_count(open).text,
                        unit > 1 ? "place" : "open cell", kit_plural(open));
    if (unit > 1)
        snprintf(phrase.text + size, sizeof phrase.text - (size_t)size, " for units of %u x %u",
                 unit, unit);
    return phrase;
}

kit_phrase kit_map_size(const cairn_map *map)
{
    uint64_t open = cairn_map_open_count(map);
    uint64_t arcs = cairn_map_arc_count(map);
    kit_phrase phrase;
    if (!is_graph(map))
        return grid_size(map);
    snprintf(phrase.text, sizeof phrase.text, "%s node%s, %s arc%s", kit_count(open).text,
             kit_plural(open), kit_count(arcs).text, kit_plural(arcs));
    return phrase;
}

kit_text kit_node_text(const cairn_map *map, cairn_node node)
{
    uint32_t x;
    uint32_t y;
    kit_text text = {""};
    if (cairn_node_xy(map, node, &x, &y))
        snprintf(text.text, sizeof text.text, is_graph(map) ? "%u" : "%u,%u", x, y);
    return text;
}

void kit_json_node(kit_json *json, const char *name, const cairn_map *map, cairn_node node)
{
    uint32_t x = 0;
    uint32_t y = 0;
    if (is_graph(map))
        kit_json_count(json, name, node);
    else if (cairn_node_xy(map, node, &x, &y))
        kit_json_pair(json, name, x, y);
}

const char *kit_cells_word(const cairn_map *map, uint64_t count)
{
    if (is_graph(map))
        return count == 1 ? "node" : "nodes";
    return count == 1 ? "cell" : "cells";
}

bool kit_find_node(const char *name, const cairn_map *map, kit_cell cell, cairn_node *node)
{
    *node = CAIRN_NO_NODE;
    if (cell.is_number == is_graph(map))
        *node = cairn_node_at(map, cell.x, cell.is_number ? 0 : cell.y);
    if (*node != CAIRN_NO_NODE)
        return true;

    char found[24];
    snprintf(found, sizeof found, cell.is_number ? "%u" : "%u,%u", cell.x, cell.y);
    if (is_graph(map) && !cell.is_number)
        kit_complain("%s: expected the number of a node, since the map is a graph, found \"%s\"",
                     name, found);
    else if (is_graph(map))
        kit_complain("%s: expected a node from 0 to %u of the graph, found %s", name,
                     cairn_map_node_count(map) - 1, found);
    else if (cell.is_number)
        kit_complain("%s: expected a cell as X,Y, since the map is a grid, found \"%s\"", name,
                     found);
    else
        kit_complain("%s: %s is outside the map of %u x %u cells", name, found,
                     cairn_map_width(map), cairn_map_height(map));
    return false;
}
