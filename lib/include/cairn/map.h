/* Maps: grids under any rule, terrain and heights, and graphs. Part of cairn/cairn.h, which says
 * what holds for all of them. */
#ifndef CAIRN_MAP_H
#define CAIRN_MAP_H

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_map cairn_map;

/* Which steps a grid has. A diagonal step passes two cells; what they must be differs. */
typedef enum cairn_rule {
    CAIRN_RULE_8 = 0,       /* 8 neighbours; both cells beside a diagonal step are open */
    CAIRN_RULE_4,           /* 4 neighbours */
    CAIRN_RULE_8_ONE_SIDE,  /* 8 neighbours; at least one of the two cells is open */
    CAIRN_RULE_8_ANY,       /* 8 neighbours, whatever the two cells are */
    CAIRN_RULE_HEX          /* 6 neighbours: hexagons, pointed side up, odd rows shifted right */
} cairn_rule;

/* What a step over terrain costs: the metric's cost times a factor. */
typedef enum cairn_charge {
    CAIRN_CHARGE_ENTERED = 0,  /* the factor of the cell that is entered: costs are directed */
    CAIRN_CHARGE_AVERAGE       /* the mean of the factors of both cells: the same both ways */
} cairn_charge;

/* A letter on which nobody walks. */
#define CAIRN_TERRAIN_BLOCKED UINT16_C(0xffff)

/* What the letters of a map mean: for each, the factor of its cost from 1 to 65534,
 * CAIRN_TERRAIN_BLOCKED, or 0 for a letter that a map must not hold.
 *
 * The letters ^ v < > are one-way cells where they have a factor: such a cell may be entered from
 * anywhere, and left only by a step that goes at least partly up, down, left or right. */
typedef struct cairn_alphabet {
    uint16_t cost[256];
} cairn_alphabet;

/* The terrain of Moving AI maps: . G S cost 1, @ O T W are blocked. */
CAIRN_API void cairn_alphabet_init(cairn_alphabet *alphabet);

/* Changes letters as a text says: items LETTER=FACTOR or LETTER=blocked, separated by commas,
 * spaces or line ends, and the word one-way, which gives ^ v < > the factor 1. */
CAIRN_API cairn_status cairn_alphabet_parse(const char *text, size_t size,
                                            cairn_alphabet *alphabet, cairn_error *error);

/* Heights of the cells of a grid. A step up costs `climb` more for each unit that it rises, a step
 * down `descend` more for each unit that it falls, both in thousandths of a straight step over
 * ground of factor 1, rounded to whole costs of the metric (but never to nothing). With different
 * numbers costs are directed. */
typedef struct cairn_heights {
    uint32_t width;         /* those of the map */
    uint32_t height;
    const uint16_t *cells;  /* in row order */
    uint32_t climb;
    uint32_t descend;
} cairn_heights;

typedef struct cairn_map_options {
    size_t size;                       /* sizeof(cairn_map_options) */
    cairn_metric metric;               /* {0, 0}: CAIRN_METRIC_OCTILE */
    const cairn_allocator *allocator;  /* copied; NULL: malloc */
    cairn_rule rule;
    cairn_charge charge;
    const cairn_alphabet *alphabet;    /* copied; NULL: as cairn_alphabet_init gives it */
    const cairn_heights *heights;      /* copied; NULL: level ground. CAIRN_E_ARGUMENT when they are
                                        * those of a map of another size */
} cairn_map_options;

/* Reads a grid in the Moving AI .map format ("type octile", "height", "width", "map", rows).
 *
 * Letters mean what the options' alphabet says; without one `.`, `G` and `S` are open, `@`, `O`,
 * `T` and `W` blocked; others are refused. Lines may end in LF or CRLF, with blanks before; a mark
 * of byte order may come first, the end-of-file of DOS (0x1a) last. Steps are those of the options'
 * rule; by default they lead to the 8 neighbours, and a diagonal step needs both cells beside it
 * open (no cutting of corners).
 *
 * Returns CAIRN_OK; CAIRN_E_IO, CAIRN_E_FORMAT, CAIRN_E_LIMIT, CAIRN_E_MEMORY, CAIRN_E_ARGUMENT.
 * `error` may be NULL. *map is the caller's, for cairn_map_free. */
CAIRN_API cairn_status cairn_map_load(const char *path, const cairn_map_options *options,
                                      cairn_map **map, cairn_error *error);

/* The same from `size` bytes of memory, which are not kept. */
CAIRN_API cairn_status cairn_map_parse(const char *text, size_t size,
                                       const cairn_map_options *options, cairn_map **map,
                                       cairn_error *error);

/* The same from width * height terrain letters in row order, which are copied. */
CAIRN_API cairn_status cairn_map_from_letters(uint32_t width, uint32_t height,
                                              const char *letters,
                                              const cairn_map_options *options, cairn_map **map,
                                              cairn_error *error);

/* One arc of a graph. */
typedef struct cairn_arc {
    cairn_node from;
    cairn_node to;
    cairn_cost cost;  /* 1 to CAIRN_COST_MAX / 4 */
} cairn_arc;

/* The most arcs of a graph. */
#define CAIRN_ARCS_MAX (UINT32_C(1) << 30)

/* A graph of nodes 0 .. node_count-1 and directed arcs, which are copied. Of parallel arcs the
 * cheapest counts; loops do not. `x` and `y`, both or neither, are coordinates of the nodes on a
 * plane, for a plain bound: their unit and scale do not matter. Costs are what the arcs say; the
 * metric is 1/1, and of the options only the allocator is used.
 *
 * CAIRN_E_ARGUMENT for an arc to a node that is not there or of cost 0, CAIRN_E_LIMIT for a cost
 * that is too large. */
CAIRN_API cairn_status cairn_map_from_arcs(uint32_t node_count, const cairn_arc *arcs,
                                           size_t arc_count, const int32_t *x, const int32_t *y,
                                           const cairn_map_options *options, cairn_map **map);

/* A graph of the caller's own, told by callbacks. */
typedef struct cairn_own_graph {
    size_t size;          /* sizeof(cairn_own_graph) */
    uint32_t node_count;
    /* Writes the arcs that leave a node, as many as there is room for, and returns how many there
     * are; when that is more, it is asked again with room for all of them. `from` is filled in
     * already. Any number of parallel arcs is fine, but a count that grows from one answer to the
     * next must not exceed node_count: CAIRN_E_ARGUMENT. */
    uint32_t (*arcs)(void *context, cairn_node node, cairn_arc *arcs, uint32_t room);
    /* A cost that no path between two nodes undercuts; NULL: none is known. */
    cairn_cost (*bound)(void *context, cairn_node node, cairn_node goal);
    void *context;        /* must outlive the map where there is a bound */
} cairn_own_graph;

/* The same as cairn_map_from_arcs with the arcs that the callback tells, once for each node; ways
 * back follow from them. A bound is taken at its word; it is not part of the hash or of files,
 * which cannot hold a callback: a loaded map has the bound zero beside its rows. */
CAIRN_API cairn_status cairn_map_from_own(const cairn_own_graph *graph,
                                          const cairn_map_options *options, cairn_map **map);

/* The same from a road network in the format of the 9th DIMACS challenge: lines "c ...",
 * "p sp NODES ARCS" and "a FROM TO COST", nodes counted from 1 (node 1 becomes node 0).
 * `places` is NULL or the text of its .co file: "p aux sp co NODES" and "v NODE X Y".
 * cairn_map_load and cairn_map_parse take such a text, without coordinates, by themselves. */
CAIRN_API cairn_status cairn_roads_load(const char *path, const char *places_path,
                                        const cairn_map_options *options, cairn_map **map,
                                        cairn_error *error);
CAIRN_API cairn_status cairn_roads_parse(const char *text, size_t size, const char *places,
                                         size_t places_size, const cairn_map_options *options,
                                         cairn_map **map, cairn_error *error);

/* A copy of its own, in the memory of the same allocator. It remembers edits as the map does. */
CAIRN_API cairn_status cairn_map_clone(const cairn_map *map, cairn_map **copy);

/* Searches, batches, bounds and scenarios of the map are given back or forgotten before it; tables
 * may outlive it, and serve any map that is the same (cairn_map_hash). */
CAIRN_API void cairn_map_free(cairn_map *map);

typedef enum cairn_map_kind {
    CAIRN_MAP_GRID = 0,
    CAIRN_MAP_GRAPH   /* nodes and arcs: one row of cells without steps in the calls for grids */
} cairn_map_kind;

/* Whether cells and rules, or arcs, make the steps. */
CAIRN_API cairn_map_kind cairn_map_kind_of(const cairn_map *map);

/* Number of arcs of a graph that count, 0 for grids. */
CAIRN_API uint32_t cairn_map_arc_count(const cairn_map *map);

/* The coordinates of a node of a graph as they were given; false where there are none. */
CAIRN_API bool cairn_node_place(const cairn_map *map, cairn_node node, int32_t *x, int32_t *y);

/* Size of a grid in cells; of a graph, its nodes in one row. */
CAIRN_API uint32_t cairn_map_width(const cairn_map *map);
CAIRN_API uint32_t cairn_map_height(const cairn_map *map);

/* Number of nodes, blocked cells included: every node is below it. */
CAIRN_API uint32_t cairn_map_node_count(const cairn_map *map);

/* Number of open cells. */
CAIRN_API uint32_t cairn_map_open_count(const cairn_map *map);

/* The terrain letter of a cell; 0 for a node that is not on the map. */
CAIRN_API char cairn_map_letter(const cairn_map *map, cairn_node node);

/* Whether a cell may be entered; false for a node that is not on the map. */
CAIRN_API bool cairn_map_is_open(const cairn_map *map, cairn_node node);

/* Whether steps or arcs join two nodes, whatever their direction; false for a blocked cell and for
 * a node that is not on the map. False proves that no path leads from one to the other. True
 * promises one, both ways, unless the map has one-way cells or is a graph with arcs that have no
 * arc back.
 *
 * Takes constant time: the map keeps its components through edits. The first question, or the first
 * search, finds them; true, too, where there is no memory to do so. */
CAIRN_API bool cairn_connected(const cairn_map *map, cairn_node a, cairn_node b);

/* The most steps that leave a cell of a grid. Nodes of graphs may have more arcs. */
#define CAIRN_STEPS_MAX 8

/* The steps that leave a node with what each costs now, under every rule, terrain, heights and
 * direction; of a graph, its arcs. Writes those that there is room for and returns how many there
 * are: 0 for a blocked cell and for a node that is not on the map. Steps of a cell come in a fixed
 * order, arcs in the order of their ends. `steps` may be NULL where room is 0. Costs are those that
 * tables and searches count, so an A* of one's own that takes its steps here and its heuristic from
 * cairn_bound_at finds shortest paths on every map. Several threads may ask at once. */
CAIRN_API uint32_t cairn_steps(const cairn_map *map, cairn_node node, cairn_arc *steps,
                               uint32_t room);

/* The same for the steps that end in a node, by the nodes that they leave; `from` and `to` are
 * those of the step itself. */
CAIRN_API uint32_t cairn_steps_to(const cairn_map *map, cairn_node node, cairn_arc *steps,
                                  uint32_t room);

/* The node of a cell; CAIRN_NO_NODE outside the grid. */
CAIRN_API cairn_node cairn_node_at(const cairn_map *map, uint32_t x, uint32_t y);

/* The cell of a node; false, and nothing written, for a node that is not on the map. */
CAIRN_API bool cairn_node_xy(const cairn_map *map, cairn_node node, uint32_t *x, uint32_t *y);

/* What costs are counted in; 1/1 for a graph. */
CAIRN_API cairn_metric cairn_map_metric(const cairn_map *map);

/* Which steps a grid has. Means nothing for a graph. */
CAIRN_API cairn_rule cairn_map_rule(const cairn_map *map);

/* How many units of cost make one of the metric: 2 where a mean of two factors needs halves of an
 * odd metric, else 1. A straight step between cells of factor 1 costs straight * unit. */
CAIRN_API uint32_t cairn_map_unit(const cairn_map *map);

/* The heights of a grid, which belong to the map; false, and all zero, where there are none or they
 * change no cost. */
CAIRN_API bool cairn_map_heights(const cairn_map *map, cairn_heights *heights);

/* Whether costs are directed: a step and the step back may cost differently. */
CAIRN_API bool cairn_map_is_directed(const cairn_map *map);

/* Hexagons in axial coordinates (q to the east, r down along the rows: q = x - (y - y % 2) / 2,
 * r = y), and back; CAIRN_NO_NODE or false outside the grid. */
CAIRN_API cairn_node cairn_node_at_axial(const cairn_map *map, int32_t q, int32_t r);
CAIRN_API bool cairn_node_axial(const cairn_map *map, cairn_node node, int32_t *q, int32_t *r);

/* Changes the unit of all costs of a grid. Tables built in another metric no longer fit this map.
 * CAIRN_E_ARGUMENT for a pair that is no metric and for a graph, CAIRN_E_LIMIT where one step would
 * cost too much. No other thread may use the map meanwhile. */
CAIRN_API cairn_status cairn_map_set_metric(cairn_map *map, cairn_metric metric);

/* A hash of everything that decides costs: cells, movement rule, terrain, arcs, metric. A table
 * carries the hash of the map it was built for. */
CAIRN_API uint64_t cairn_map_hash(const cairn_map *map);

/* The version of a map: a number that grows whenever the cost of a step changes, with every
 * cairn_map_edit that changes one and with every cairn_map_set_metric. What was made from the map
 * and is kept between calls is still right while the number is the same. Versions of different maps
 * are not to be compared. Takes one load; never 0. */
CAIRN_API uint64_t cairn_map_version(const cairn_map *map);

/* A cost as a length in straight steps: cost / straight. Exact for paths without diagonal steps;
 * for others cairn_path.length, which counts both kinds of step, is the exact length. */
CAIRN_API double cairn_length(const cairn_map *map, cairn_cost cost);

/* Costs from the nearest of `source_count` nodes to every node: `costs` receives
 * cairn_map_node_count values, CAIRN_UNREACHABLE where no path leads.
 * Returns CAIRN_E_ARGUMENT for a source that is blocked or not on the map, CAIRN_E_LIMIT for a
 * cost above CAIRN_COST_MAX, CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources,
                                        size_t source_count, cairn_cost *costs);

/* The same in the other direction: from every node to the nearest of `target_count` nodes. */
CAIRN_API cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets,
                                      size_t target_count, cairn_cost *costs);

#ifdef __cplusplus
}
#endif

#endif
