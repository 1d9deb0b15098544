/* Maps: grids with movement rules, terrain and heights, and graphs. Part of cairn/cairn.h, which
 * has the conventions of all calls. */
#ifndef CAIRN_MAP_H
#define CAIRN_MAP_H

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_map cairn_map;

/* Which steps a grid has. A diagonal step passes between two cells; the rules with 8 neighbours
 * differ in which of these must be open. */
typedef enum cairn_rule {
    CAIRN_RULE_8 = 0,      /* 8 neighbours; both cells beside a diagonal step must be open */
    CAIRN_RULE_4,          /* 4 neighbours */
    CAIRN_RULE_8_ONE_SIDE, /* 8 neighbours; at least one of the two cells must be open */
    CAIRN_RULE_8_ANY,      /* 8 neighbours; both cells may be blocked */
    CAIRN_RULE_HEX         /* 6 neighbours: hexagons, pointed side up, odd rows shifted right */
} cairn_rule;

/* What a step over terrain costs: the metric's cost times a factor. */
typedef enum cairn_charge {
    CAIRN_CHARGE_ENTERED = 0, /* the factor of the cell that is entered: costs are directed */
    CAIRN_CHARGE_AVERAGE      /* the mean of both factors: a step and its reverse cost the same */
} cairn_charge;

/* The factor of a letter whose cells are blocked. */
#define CAIRN_TERRAIN_BLOCKED UINT16_C(0xffff)

/* What the letters of a map mean: for each, the factor of its cost from 1 to 65534, or
 * CAIRN_TERRAIN_BLOCKED, or 0 for a letter that maps must not contain.
 *
 * The letters ^ v < > are one-way cells where they have a factor: such a cell may be entered from
 * anywhere, and left only by a step that goes at least partly up, down, left or right. */
typedef struct cairn_alphabet {
    uint16_t cost[256];
} cairn_alphabet;

/* Sets the terrain of Moving AI maps: . G S have factor 1, @ O T W are blocked. */
CAIRN_API void cairn_alphabet_init(cairn_alphabet *alphabet);

/* Changes letters as a text says: items LETTER=FACTOR or LETTER=blocked, separated by commas,
 * spaces or line ends, and the word one-way, which gives ^ v < > the factor 1. Later items win.
 * CAIRN_E_FORMAT for any other text, which changes no letter; `error`, which may be NULL, says
 * where. */
CAIRN_API cairn_status cairn_alphabet_parse(const char *text, size_t size, cairn_alphabet *alphabet,
                                            cairn_error *error);

/* Heights of the cells of a grid. A step up costs `climb` more for each unit that it rises, a step
 * down `descend` more for each unit that it falls, both in thousandths of a straight step over
 * terrain of factor 1. What a unit costs is rounded to the nearest whole cost (one of the metric
 * or, where cairn_map_unit is 2, half of one), and to 1 where that is zero, unless the number is.
 * Costs are directed where the two numbers differ. */
typedef struct cairn_heights {
    uint32_t width; /* width and height of the map */
    uint32_t height;
    const uint16_t *cells; /* in row order */
    uint32_t climb;
    uint32_t descend;
} cairn_heights;

typedef struct cairn_map_options {
    size_t size;                      /* sizeof(cairn_map_options) */
    cairn_metric metric;              /* {0, 0}: CAIRN_METRIC_OCTILE */
    const cairn_allocator *allocator; /* copied; NULL: malloc */
    cairn_rule rule;                  /* which steps there are */
    cairn_charge charge;              /* what steps between different letters cost */
    const cairn_alphabet *alphabet;   /* copied; NULL: as cairn_alphabet_init sets it. Also letters
                                       * that no cell has count, since edits may bring them: with a
                                       * one-way letter costs are directed, with two factors they
                                       * are not uniform, and the base heuristic goes by the least
                                       * factor of any: give letters that never come (., G and S
                                       * are there by default) the factor 0 */
    const cairn_heights *heights;     /* copied; NULL: the map is level. CAIRN_E_ARGUMENT if their
                                       * size is not that of the map */
} cairn_map_options;

/* Reads a grid in the Moving AI .map format ("type octile", "height", "width", "map", rows).
 *
 * Letters mean what the options' alphabet says; without one `.`, `G` and `S` are open and `@`, `O`,
 * `T` and `W` blocked. Other letters are refused. Lines end in LF or CRLF, and blanks before the
 * end are ignored; so are a byte order mark at the beginning and a DOS end-of-file byte (0x1a) at
 * the end of the text. Steps are those of the options' rule; by default a cell has 8 neighbours,
 * and a diagonal step needs both cells beside it open (no cutting of corners).
 *
 * Returns CAIRN_OK; CAIRN_E_IO, CAIRN_E_FORMAT, CAIRN_E_LIMIT, CAIRN_E_MEMORY, CAIRN_E_ARGUMENT.
 * `error` may be NULL. The caller frees *map with cairn_map_free. */
CAIRN_API cairn_status cairn_map_load(const char *path, const cairn_map_options *options,
                                      cairn_map **map, cairn_error *error);

/* Like cairn_map_load, from `size` bytes of memory, which are not kept. */
CAIRN_API cairn_status cairn_map_parse(const char *text, size_t size,
                                       const cairn_map_options *options, cairn_map **map,
                                       cairn_error *error);

/* A grid from width * height terrain letters in row order, which are copied. CAIRN_E_ARGUMENT for a
 * width or height of 0, CAIRN_E_LIMIT for more than CAIRN_SIDE_MAX or CAIRN_NODES_MAX and where a
 * step could cost more than CAIRN_COST_MAX / 4 (counting diagonal ones, whatever the rule),
 * CAIRN_E_FORMAT for a letter without a meaning, whose row is the line of `error`,
 * CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_map_from_letters(uint32_t width, uint32_t height, const char *letters,
                                              const cairn_map_options *options, cairn_map **map,
                                              cairn_error *error);

/* One arc of a graph. */
typedef struct cairn_arc {
    cairn_node from;
    cairn_node to;
    cairn_cost cost; /* 1 to CAIRN_COST_MAX / 4 */
} cairn_arc;

/* The most arcs of a graph. */
#define CAIRN_ARCS_MAX (UINT32_C(1) << 30)

/* A graph of nodes 0 .. node_count-1 and directed arcs, which are copied. Of parallel arcs only the
 * cheapest is kept, and none from a node to itself, though these are checked as well. `x` and `y`,
 * both or neither, are coordinates of the nodes on a plane, from which a base heuristic is
 * computed; their unit and scale do not matter. The metric of a graph is 1/1, and of the options
 * only the allocator is used.
 *
 * CAIRN_E_ARGUMENT for an arc from or to a node that does not exist, for a cost of 0 and for a
 * graph without nodes, CAIRN_E_LIMIT for a larger cost than an arc may have and for more than
 * CAIRN_NODES_MAX nodes or CAIRN_ARCS_MAX arcs, CAIRN_E_MEMORY. `error`, which may be NULL, then
 * says what was expected and found; its `line` is the number of the arc, from 1, where one is
 * refused. */
CAIRN_API cairn_status cairn_map_from_arcs(uint32_t node_count, const cairn_arc *arcs,
                                           size_t arc_count, const int32_t *x, const int32_t *y,
                                           const cairn_map_options *options, cairn_map **map,
                                           cairn_error *error);

/* A graph that callbacks of the caller describe. */
typedef struct cairn_callback_graph {
    size_t size; /* sizeof(cairn_callback_graph) */
    uint32_t node_count;
    /* Writes the arcs that leave a node, as many as there is room for, and returns how many there
     * are. If there are more, it is called again with room for all of them. `from` is already
     * filled in; what is written there does not count. Parallel arcs are allowed. When a second
     * call for a node returns more arcs than the first, and more than node_count, the result is
     * CAIRN_E_ARGUMENT. */
    uint32_t (*arcs)(void *context, cairn_node node, cairn_arc *arcs, uint32_t room);
    /* A cost that no path from `node` to `goal` undercuts; NULL: none is known. */
    cairn_cost (*bound)(void *context, cairn_node node, cairn_node goal);
    void *context; /* must outlive the map where there is a bound */
} cairn_callback_graph;

/* Like cairn_map_from_arcs, with the arcs that the callback gives for each node. The bound is not
 * checked. It is part neither of the hash nor of files, since these cannot hold a callback: on a
 * map that was loaded from a file the base heuristic is zero. Arcs are asked for only during this
 * call. */
CAIRN_API cairn_status cairn_map_from_callbacks(const cairn_callback_graph *graph,
                                                const cairn_map_options *options, cairn_map **map);

/* A graph from a road network in the format of the 9th DIMACS challenge: lines "c ...",
 * "p sp NODES ARCS" and "a FROM TO COST", nodes counted from 1 (node 1 becomes node 0). It may have
 * 65,536 nodes or, if that is more, as many as the text has bytes, comments too: memory is taken by
 * the length of a text, not by what it announces.
 * `places` is NULL or the text of its .co file: "p aux sp co NODES" and "v NODE X Y".
 * cairn_map_load and cairn_map_parse recognise such a text as well, but take no coordinates.
 * Returns what cairn_map_load returns; of the options only the allocator is used. If the places are
 * at fault, `expected` begins with "in the file of places: ", or with CAIRN_E_IO is "the file of
 * places". */
CAIRN_API cairn_status cairn_roads_load(const char *path, const char *places_path,
                                        const cairn_map_options *options, cairn_map **map,
                                        cairn_error *error);
CAIRN_API cairn_status cairn_roads_parse(const char *text, size_t size, const char *places,
                                         size_t places_size, const cairn_map_options *options,
                                         cairn_map **map, cairn_error *error);

/* Makes parallel work on the map (builds, saves, batches and checks) run on threads of the caller,
 * and also such work on copies and maps for units that are made of the map later (cairn_map_clone,
 * cairn_world, cairn_map_for_units). `thread_count` of such a call is then the most jobs of a
 * cairn_pool.run. The pool is copied; NULL: threads of the library, as before the first call. No
 * other thread may use the map meanwhile. */
CAIRN_API void cairn_map_use_pool(cairn_map *map, const cairn_pool *pool);

/* An independent copy, from the same allocator, with the same journal of edits. What searches and
 * connected components first need of a map is found again for the copy. CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_map_clone(const cairn_map *map, cairn_map **copy);

/* Frees the map. Its searches, floods, batches and scenarios must be freed before, and its bounds
 * must not be used afterwards. Tables may outlive it, and fit any map with the same hash
 * (cairn_map_hash); to refresh or save them also takes one that is directed if it was
 * (cairn_map_is_directed). */
CAIRN_API void cairn_map_free(cairn_map *map);

typedef enum cairn_map_kind {
    CAIRN_MAP_GRID = 0,
    CAIRN_MAP_GRAPH /* nodes and arcs; calls for grids see one row of cells without steps */
} cairn_map_kind;

/* Whether the map is a grid or a graph. */
CAIRN_API cairn_map_kind cairn_map_kind_of(const cairn_map *map);

/* Number of arcs of a graph, without parallel arcs and loops; 0 for grids. */
CAIRN_API uint32_t cairn_map_arc_count(const cairn_map *map);

/* Size of a grid in cells; of a graph, the number of nodes and 1. */
CAIRN_API uint32_t cairn_map_width(const cairn_map *map);
CAIRN_API uint32_t cairn_map_height(const cairn_map *map);

/* Number of nodes, blocked cells included: nodes are the numbers below it; and number of open
 * cells, of a graph of all nodes. */
CAIRN_API uint32_t cairn_map_node_count(const cairn_map *map);
CAIRN_API uint32_t cairn_map_open_count(const cairn_map *map);

/* The metric of the map; 1/1 for a graph. */
CAIRN_API cairn_metric cairn_map_metric(const cairn_map *map);

/* The movement rule of a grid. Undefined for a graph. */
CAIRN_API cairn_rule cairn_map_rule(const cairn_map *map);

/* How many units of cost there are to one unit of the metric: 2 with CAIRN_CHARGE_AVERAGE where a
 * number of the metric is odd, since the mean of two factors may then end in a half; else 1, also
 * where the letters have one factor. cairn_map_set_metric may change it. A straight step between
 * cells of factor 1 costs straight * unit. */
CAIRN_API uint32_t cairn_map_unit(const cairn_map *map);

/* The heights of a grid; the array belongs to the map. False, and all zero, where there are none or
 * where they change no cost. */
CAIRN_API bool cairn_map_heights(const cairn_map *map, cairn_heights *heights);

/* Whether costs are directed: a step and its reverse may cost differently. Found when the map is
 * made, and not changed by edits. */
CAIRN_API bool cairn_map_is_directed(const cairn_map *map);

/* Changes the metric of a grid. Tables built in another metric no longer fit this map.
 * CAIRN_E_ARGUMENT for a pair that is no metric and for a graph, CAIRN_E_LIMIT where one step would
 * cost too much. No other thread may use the map meanwhile. */
CAIRN_API cairn_status cairn_map_set_metric(cairn_map *map, cairn_metric metric);

/* A hash of everything that decides costs: cells, movement rule, terrain, heights, arcs, metric. A
 * table stores the hash of the map it was built for. The map keeps it up to date through edits, so
 * asking for it takes no time. */
CAIRN_API uint64_t cairn_map_hash(const cairn_map *map);

/* The version of a map: a number that grows with every cairn_map_set_metric, and with every
 * cairn_map_edit (of the map that it follows, too) after which other cells are open, or an open
 * cell or an arc costs something else. What a program has derived from the map stays valid while
 * the number is the same. Versions of different maps cannot be compared. Never 0. */
CAIRN_API uint64_t cairn_map_version(const cairn_map *map);

/* How many bytes the map has allocated, including what it keeps for searches and tables:
 * components, jump planes, corners. The letters of a map that was read from a file lie in the
 * memory of its text, which takes a few bytes more for each row; these are not counted. */
CAIRN_API size_t cairn_map_memory(const cairn_map *map);

/* A cost as a length in straight steps: the cost divided by that of a straight step between cells
 * of factor 1. It is the length of a path without diagonal steps; for others cairn_path.length,
 * which counts both kinds of step, is exact. Infinity for CAIRN_UNREACHABLE. */
CAIRN_API double cairn_length(const cairn_map *map, cairn_cost cost);

#ifdef __cplusplus
}
#endif

#endif
