#include "difference.h"

#include <stdio.h>
#include <string.h>

#include "load.h"
#include "nodes.h"

static kit_difference cells_differ(const cairn_map *own, const cairn_map *read, cairn_node node)
{
    kit_difference why;
    const bool open = cairn_map_is_open(own, node);
    snprintf(why.text, sizeof why.text, "the cell %s is %s on its map and %s on that one",
             kit_node_text(read, node).text, open ? "open" : "blocked", open ? "blocked" : "open");
    return why;
}

/* The first cell that is open on one map alone; CAIRN_NO_NODE where there is none. */
static cairn_node first_difference(const cairn_map *own, const cairn_map *read)
{
    for (cairn_node node = 0; node < cairn_map_node_count(own); node++) {
        if (cairn_map_is_open(own, node) != cairn_map_is_open(read, node))
            return node;
    }
    return CAIRN_NO_NODE;
}

/* What steps cost; and a cell that has another letter, where there is one. */
static kit_difference steps_differ(const cairn_map *own, const cairn_map *read)
{
    kit_difference why = {"steps over the same cells cost something else (--terrain, --charge, "
                          "--heights with --climb and --descend)"};
    const size_t size = strlen(why.text);
    cairn_node node = 0;

    while (node < cairn_map_node_count(own) &&
           cairn_map_letter(own, node) == cairn_map_letter(read, node))
        node++;
    if (node < cairn_map_node_count(own))
        snprintf(why.text + size, sizeof why.text - size,
                 "; the cell %s has the letter %c on its map and %c on that one",
                 kit_node_text(read, node).text, cairn_map_letter(own, node),
                 cairn_map_letter(read, node));
    return why;
}

static const char *with_or_without(const cairn_map *map)
{
    cairn_heights heights;
    return cairn_map_heights(map, &heights) ? "has heights" : "has none";
}

static kit_difference units_differ(uint32_t own, uint32_t read)
{
    kit_difference why;
    snprintf(why.text, sizeof why.text,
             "its map is for units of %u x %u cells, that one of %u x %u (--unit-size)", own, own,
             read, read);
    return why;
}

/* That of a map for units: of those in the middle of their unit, the first cell is another one. */
static cairn_anchor anchor_of(const cairn_map *map)
{
    cairn_node first = CAIRN_NO_NODE, node = 0;
    while (node < cairn_map_node_count(map) && !cairn_unit_cells(map, node, &first, 1))
        node++;
    return first == node || first == CAIRN_NO_NODE ? CAIRN_ANCHOR_TOP_LEFT : CAIRN_ANCHOR_MIDDLE;
}

static kit_difference anchors_differ(cairn_anchor own, cairn_anchor read)
{
    kit_difference why;
    snprintf(why.text, sizeof why.text,
             "the anchor of its units is %s, of those of that one %s (--unit-anchor)",
             kit_anchors[own], kit_anchors[read]);
    return why;
}

static bool have_one_metric(const cairn_map *own, const cairn_map *read)
{
    const cairn_metric one = cairn_map_metric(own), other = cairn_map_metric(read);
    return one.straight == other.straight && one.diagonal == other.diagonal;
}

static kit_difference metrics_differ(cairn_metric own, cairn_metric read)
{
    kit_difference why;
    snprintf(why.text, sizeof why.text, "the metric of its map is %s, of that one %s (--metric)",
             kit_metric_text(own).text, kit_metric_text(read).text);
    return why;
}

static bool has_heights(const cairn_map *map)
{
    cairn_heights heights;
    return cairn_map_heights(map, &heights);
}

/* Maps of one size. */
static kit_difference costs_differ(const cairn_map *own, const cairn_map *read)
{
    kit_difference why;
    cairn_node node = first_difference(own, read);

    if (cairn_map_kind_of(own) == CAIRN_MAP_GRAPH)
        return (kit_difference){"its arcs go elsewhere, or cost something else"};
    if (cairn_map_rule(own) != cairn_map_rule(read))
        snprintf(why.text, sizeof why.text,
                 "its map was read with --moves %s, that one with "
                 "--moves %s",
                 kit_moves[cairn_map_rule(own)], kit_moves[cairn_map_rule(read)]);
    else if (cairn_map_unit_size(own) != cairn_map_unit_size(read))
        return units_differ(cairn_map_unit_size(own), cairn_map_unit_size(read));
    else if (anchor_of(own) != anchor_of(read))
        return anchors_differ(anchor_of(own), anchor_of(read));
    else if (has_heights(own) != has_heights(read))
        snprintf(why.text, sizeof why.text, "its map %s, that one %s (--heights)",
                 with_or_without(own), with_or_without(read));
    else if (node != CAIRN_NO_NODE)
        return cells_differ(own, read, node);
    else if (!have_one_metric(own, read))
        return metrics_differ(cairn_map_metric(own), cairn_map_metric(read));
    else
        return steps_differ(own, read);
    return why;
}

kit_difference kit_map_difference(const cairn_map *own, const cairn_map *read)
{
    kit_difference why;
    const char *kinds[] = {"a grid", "a graph"};

    if (cairn_map_kind_of(own) != cairn_map_kind_of(read))
        snprintf(why.text, sizeof why.text, "its map is %s, that one %s",
                 kinds[cairn_map_kind_of(own)], kinds[cairn_map_kind_of(read)]);
    else if (cairn_map_width(own) != cairn_map_width(read) ||
             cairn_map_height(own) != cairn_map_height(read) ||
             cairn_map_arc_count(own) != cairn_map_arc_count(read))
        snprintf(why.text, sizeof why.text, "its map has %s, that one %s", kit_map_size(own).text,
                 kit_map_size(read).text);
    else
        why = costs_differ(own, read);
    return why;
}

/* What is known of a map that is not in its table is how many nodes it has. */
static kit_difference sizes_differ(uint32_t own, const cairn_map *read)
{
    kit_difference why;
    char sides[40] = "";
    if (cairn_map_kind_of(read) == CAIRN_MAP_GRID)
        snprintf(sides, sizeof sides, " (%u x %u)", cairn_map_width(read), cairn_map_height(read));
    snprintf(why.text, sizeof why.text, "its map has %s cells or nodes, that one %s%s",
             kit_count(own).text, kit_count(cairn_map_node_count(read)).text, sides);
    return why;
}

kit_difference kit_outline_difference(const cairn_outline *outline, const cairn_map *read)
{
    kit_difference why = {"other cells or arcs, or read in another way (--moves, --terrain, "
                          "--charge, --heights, --unit-size, --unit-anchor)"};
    const bool has_anchor = outline->unit_size > 2;
    if (outline->unit_size != cairn_map_unit_size(read))
        why = units_differ(outline->unit_size, cairn_map_unit_size(read));
    else if (has_anchor && outline->unit_anchor != anchor_of(read))
        why = anchors_differ(outline->unit_anchor, anchor_of(read));
    else if (outline->node_count != cairn_map_node_count(read))
        return sizes_differ(outline->node_count, read);
    else if (outline->is_directed != cairn_map_is_directed(read))
        snprintf(why.text, sizeof why.text,
                 "costs depend on the direction on %s alone (--terrain, "
                 "--charge, --descend)",
                 outline->is_directed ? "its map" : "that one");
    return why;
}
