/* Units of several cells: maps on which every path is one for a unit of N x N cells. Part of
 * cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_UNITS_H
#define CAIRN_UNITS_H

#include "cairn/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest size of units. */
#define CAIRN_UNIT_SIZE_MAX 64

/* Which cell of a unit stands for it. */
typedef enum cairn_anchor {
    CAIRN_ANCHOR_TOP_LEFT = 0, /* the unit reaches N - 1 columns to the right and N - 1 rows down */
    CAIRN_ANCHOR_MIDDLE        /* of an even number of cells, the one before the middle */
} cairn_anchor;

/* The map for units of size x size cells. It has the size of `map`, and its nodes are the anchors
 * of units: one is open where all cells of the unit are open cells of `map`. Steps are those of the
 * rule, so that the unit obeys it as a whole: beside a diagonal step the unit itself has to fit on
 * both sides, on one, or on none. A step costs what it would cost if all cells below the unit had
 * the largest factor and the largest height of any of them, and leads in a direction only if each
 * of them may be left in it. On hexagons a unit is a rhombus: `size` cells to the east, in `size`
 * rows, each beginning south-east of the one above.
 *
 * Tables, searches, floods and files work with it as with any map. It follows the edits of `map`:
 * each call of cairn_map_edit edits both, and cairn_refresh_step repairs the tables of each. It
 * cannot be edited by itself. A cairn_world may own it, with a copy of `map`. A map that others
 * follow cannot be given to a world, but a cairn_map_clone of it can.
 *
 * It keeps the metric that `map` has during this call. Either may be freed first: a unit map whose
 * map is gone is a map like any other. A file of a unit map holds which cells are open for units,
 * and the size of the units (cairn_outline); the map that is loaded from it follows no other. A
 * file without its map is refused for a map of units of another size (CAIRN_E_MISMATCH; the error
 * names the sizes).
 *
 * If one-way cells lie below units, the unit map has letters of its own. No other thread may use
 * `map` during this call, nor either of the two maps during edits. CAIRN_E_ARGUMENT for a graph, a
 * size of 0 and a map that is for units already, even a copy; CAIRN_E_LIMIT for a size above
 * CAIRN_UNIT_SIZE_MAX, and where there are not enough letters for all combinations of factors and
 * one-way directions; CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_map_for_units(cairn_map *map, uint32_t size, cairn_anchor anchor,
                                           cairn_map **units);

/* The size of the units that a map is for, also of one that was read from a file, unless a version
 * of Cairn before 0.2 wrote that; 1 for other maps. */
CAIRN_API uint32_t cairn_map_unit_size(const cairn_map *map);

/* The cells of the unit that stands at a node, row by row, as far as there is room; returns how
 * many there are: 0 where the unit would reach beyond the map. `cells` may be NULL if room is
 * 0. */
CAIRN_API uint32_t cairn_unit_cells(const cairn_map *units, cairn_node anchor, cairn_node *cells,
                                    uint32_t room);

/* The nodes of `units` at which a unit would share a cell with the unit that stands at node `at` of
 * `others`, row by row, as far as there is room; returns how many there are. These are the nodes
 * that a search on `units` has to avoid for that other unit (cairn_search_avoid). `others` is a map
 * of the same width, height and rule: for units of any size, or the map of cells, whose units are
 * single cells. Nodes whose unit would reach beyond the map are left out. 0 where the unit at `at`
 * would reach beyond the map, for a node that is not on it, and for maps that differ in size, rule
 * or kind. `anchors` may be NULL if room is 0; (N + M - 1)^2 nodes suffice for units of N x N cells
 * and others of M x M. */
CAIRN_API uint32_t cairn_unit_anchors(const cairn_map *units, const cairn_map *others,
                                      cairn_node at, cairn_node *anchors, uint32_t room);

/* For every cell the size of the largest unit for which it is an open anchor, 0 for a blocked cell:
 * `clearance` receives cairn_map_node_count numbers. A map for units of that size, or of one up to
 * CAIRN_UNIT_SIZE_MAX that is smaller, is open there. On a map for units these are sizes in its own
 * nodes. CAIRN_E_ARGUMENT for a graph, CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_clearance(const cairn_map *map, cairn_anchor anchor,
                                       uint16_t *clearance);

#ifdef __cplusplus
}
#endif

#endif
