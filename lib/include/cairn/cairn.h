/*
 * Cairn: exact landmark tables for pathfinding on maps.
 *
 * A build measures the cost from a few chosen cells ("landmarks") to every cell of a map. The
 * table of those costs gives a lower bound on any remaining cost,
 *
 *     h(a, z) = max(plain(a, z), |cost(L1, z) - cost(L1, a)|, |cost(L2, z) - cost(L2, a)|, ...)
 *
 * that an unchanged A* uses in place of plain distance (Goldberg and Harrelson, "Computing the
 * shortest path: A* search meets graph theory", SODA 2005; Sturtevant et al., "Memory-based
 * heuristics for explicit state spaces", IJCAI 2009).
 *
 * Conventions
 *   Status   Every call that can fail returns a cairn_status: CAIRN_E_ARGUMENT for NULL where an
 *            object is needed and for options that make no sense, CAIRN_E_MEMORY when there is
 *            none, and what its own comment says. Outputs come last and are NULL or zero after a
 *            failure. "No path" is an answer, not a failure. Calls that return an answer instead
 *            want objects that are there.
 *   Costs    Unsigned integers in the metric of the map. A table and a search share that metric
 *            exactly; nothing is ever rounded.
 *   Nodes    On a grid, the node of the cell in column x and row y is y * width + x.
 *   Options  Structs that start with `size`; NULL or a zeroed struct (with `size` set) means the
 *            defaults.
 *   Threads  A cairn_map and a cairn_table may be read by any number of threads while none
 *            changes them; a cairn_world lets them read while one changes them. A cairn_search
 *            belongs to one thread at a time.
 *   Memory   Comes from the cairn_allocator of the map (or of the call); it is given back by the
 *            matching cairn_*_free, which accepts NULL.
 *   Quiet    The library never prints, exits or aborts, and has no mutable global state.
 */
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_VERSION_MAJOR 0
#define CAIRN_VERSION_MINOR 1
#define CAIRN_VERSION_PATCH 0

#if defined(CAIRN_SHARED) && defined(_WIN32)
#  ifdef CAIRN_BUILDING
#    define CAIRN_API __declspec(dllexport)
#  else
#    define CAIRN_API __declspec(dllimport)
#  endif
#elif defined(__GNUC__)
#  define CAIRN_API __attribute__((visibility("default")))
#else
#  define CAIRN_API
#endif

/* The version of the library that is linked, as "major.minor.patch". Static; never freed. */
CAIRN_API const char *cairn_version(void);

/* ------------------------------------------------------------------ numbers and results -- */

/* A place on a map. */
typedef uint32_t cairn_node;

/* No node: what a lookup outside the map gives. */
#define CAIRN_NO_NODE UINT32_MAX

/* A cost in the metric of the map. */
typedef uint32_t cairn_cost;

/* No finite cost: there is no path. */
#define CAIRN_UNREACHABLE UINT32_MAX

/* The largest finite cost. A map on which a cost would be larger is refused with CAIRN_E_LIMIT,
 * never answered wrongly; a coarser metric then helps. */
#define CAIRN_COST_MAX UINT32_C(0x3ffffffe)

/* The most rows that one table holds. */
#define CAIRN_ROWS_MAX 256

/* The largest width or height of a grid, and the most nodes of any map. */
#define CAIRN_SIDE_MAX 65535
#define CAIRN_NODES_MAX (UINT32_C(1) << 28)

typedef enum cairn_status {
    CAIRN_OK = 0,
    CAIRN_E_ARGUMENT,    /* the caller broke the contract of the call */
    CAIRN_E_MEMORY,      /* the allocator returned NULL */
    CAIRN_E_IO,          /* a file could not be opened, read or written */
    CAIRN_E_FORMAT,      /* the bytes are not what the format asks for */
    CAIRN_E_VERSION,     /* a later version of the format, or a part this build leaves out */
    CAIRN_E_LIMIT,       /* larger than the documented limits */
    CAIRN_E_MISMATCH,    /* a table and a map that do not belong together */
    CAIRN_E_INEXACT,     /* a table entry that is not the exact cost */
    CAIRN_E_CANCELLED,   /* the progress callback asked to stop */
    CAIRN_MORE,          /* no failure: cairn_refresh_step has work left */
    CAIRN_BUSY,          /* no failure: readers have not left what a cairn_world would write */
    CAIRN_E_CHANGED      /* the map or the table changed between two calls that belong together */
} cairn_status;

/* A few words for a status, e.g. "out of memory". Static; never NULL. */
CAIRN_API const char *cairn_status_text(cairn_status status);

/* Where and why a file or a text was refused. All strings are constant or stored inside. */
typedef struct cairn_error {
    cairn_status status;
    uint64_t line;         /* 1-based line of a text format; 0 where lines mean nothing */
    uint64_t offset;       /* of what was found, in bytes from the start of the file or text */
    const char *expected;  /* what should have been there; constant; NULL when not known */
    char found[64];        /* what was there, a byte that does not print as \x00; may be empty */
} cairn_error;

/* Where memory comes from. `allocate` returns NULL when there is none; any alignment will do.
 * Both may be called from several threads at once. NULL instead of a struct: malloc and free. */
typedef struct cairn_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory);
    void *context;
} cairn_allocator;

/* Called now and then during long work, from the thread that made the call. `stage` is a
 * constant word: before a save makes its temporary file, and until that is renamed or gone, it is
 * "write". Returning false stops the work with CAIRN_E_CANCELLED and leaves nothing. */
typedef struct cairn_progress {
    bool (*report)(void *context, const char *stage, uint64_t done, uint64_t total);
    void *context;
} cairn_progress;

/* ------------------------------------------------------------------------------- metrics -- */

/* The cost of one straight and of one diagonal step on a grid; straight <= diagonal <=
 * 2 * straight, and straight > 0. Costs are counted in these units, so the ratio decides how
 * well they follow 1 and sqrt(2). */
typedef struct cairn_metric {
    uint32_t straight;
    uint32_t diagonal;
} cairn_metric;

/* The default: 2378/3363, in which the order of two paths is that of their true lengths while
 * they differ by fewer than 2,378 diagonal steps. */
#ifdef __cplusplus
#  define CAIRN_METRIC_OCTILE (cairn_metric{2378, 3363})
#else
#  define CAIRN_METRIC_OCTILE ((cairn_metric){2378, 3363})
#endif

/* ---------------------------------------------------------------------------------- maps -- */

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

/* --------------------------------------------------------------------------------- edits -- */

typedef enum cairn_edit_kind {
    CAIRN_EDIT_FILL = 0,  /* every cell of the rectangle takes `letter` */
    CAIRN_EDIT_BITS,      /* absolute: bit i of `data` (its byte i / 8, from the lowest bit) tells
                           * whether cell i of the rectangle, in row order, is open */
    CAIRN_EDIT_LETTERS,   /* absolute: `data` holds the letters of the rectangle, in row order */
    CAIRN_EDIT_ARC        /* of a graph: `arc`, which it has, takes the cost that is told */
} cairn_edit_kind;

/* A change of the cells of a rectangle, or of an arc. Cells and arcs that are as the edit wants
 * them are no change. */
typedef struct cairn_edit {
    cairn_edit_kind kind;
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
    char letter;
    const void *data;  /* read during cairn_map_edit only */
    cairn_arc arc;
} cairn_edit;

/* Edits as values, made without a look at any map: cairn_map_edit checks them. A cell is a column
 * and a row, a rectangle its first cell and its size; bits and letters stay the caller's. */
CAIRN_API cairn_edit cairn_block(uint32_t x, uint32_t y);                 /* '@' */
CAIRN_API cairn_edit cairn_open(uint32_t x, uint32_t y);                  /* '.' */
CAIRN_API cairn_edit cairn_terrain(uint32_t x, uint32_t y, char letter);
CAIRN_API cairn_edit cairn_rectangle(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                                     char letter);
CAIRN_API cairn_edit cairn_patch_bits(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                                      const uint8_t *bits);
CAIRN_API cairn_edit cairn_patch_letters(uint32_t x, uint32_t y, uint32_t width,
                                         uint32_t height, const char *letters);
CAIRN_API cairn_edit cairn_arc_cost(cairn_node from, cairn_node to, cairn_cost cost);

/* Applies edits in order, all of them or (after a failure) none. An edit with bits writes '.' into
 * blocked cells that open and '@' into open cells that close, and leaves the letters of the others.
 *
 * Searches are right from this moment on: tables of the map are used as far as they are still safe,
 * and cairn_refresh_step repairs them. For that the map keeps a bounded journal of changed cells: a
 * table that lags behind further than it reaches, which the last 2,048 calls never do by their
 * number, is still a table of this map, but none of its rows is used until refreshing has rebuilt
 * them.
 *
 * Grids take edits of cells, graphs those of arcs. Where every way of a graph costs the same as the
 * way back (cairn_map_is_directed is false) it stays so: the arc back takes the cost as well. A
 * plain bound of the caller's own must hold for the new costs too.
 *
 * Takes time by the cells that change, not by the map. No other thread may use the map meanwhile.
 * Returns CAIRN_E_ARGUMENT for a cell or an arc that the map does not have and for a cost of 0,
 * CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX / 4, CAIRN_E_FORMAT for an unknown letter,
 * CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_map_edit(cairn_map *map, const cairn_edit *edits, size_t count);

/* ----------------------------------------------------------------------------- scenarios -- */

/* One line of a Moving AI .scen file. */
typedef struct cairn_query {
    uint32_t bucket;
    cairn_node start;
    cairn_node goal;
    double length;  /* the published optimal length, in steps; CAIRN_LENGTH_NONE of a query of a
                     * changing map: there is no path */
} cairn_query;

#define CAIRN_LENGTH_NONE (-1.0)

typedef struct cairn_scenario cairn_scenario;

/* Reads a .scen file (version 1, or none) for a map of the same size. The map's name in the file
 * is not compared. Cells outside the map are refused with the line. CAIRN_E_IO, CAIRN_E_FORMAT. The
 * memory is the map's allocator's; *scenario is the caller's, for cairn_scenario_free. */
CAIRN_API cairn_status cairn_scenario_load(const char *path, const cairn_map *map,
                                           cairn_scenario **scenario, cairn_error *error);
CAIRN_API cairn_status cairn_scenario_parse(const char *text, size_t size, const cairn_map *map,
                                            cairn_scenario **scenario, cairn_error *error);
CAIRN_API void cairn_scenario_free(cairn_scenario *scenario);

/* The queries in file order, and how many; valid until the scenario is freed. */
CAIRN_API const cairn_query *cairn_scenario_queries(const cairn_scenario *scenario);
CAIRN_API size_t cairn_scenario_count(const cairn_scenario *scenario);

/* ------------------------------------------------------------------------ edits as text -- */

/* A list of edits, one to a line: `block X Y`, `open X Y`, `terrain X Y LETTER`,
 * `rect X Y WIDTH HEIGHT LETTER`, where LETTER is a terrain letter or `block` or `open`; for a
 * graph `cost FROM TO COST`, where nodes are counted from 0. Empty lines and lines that begin
 * with # mean nothing. Whether cells and arcs are those of a map is seen when the edits are
 * applied. */
typedef struct cairn_edits cairn_edits;

/* From a file, or from `size` bytes of memory, which are not kept. CAIRN_E_IO, CAIRN_E_FORMAT. The
 * list comes from malloc, and is the caller's, for cairn_edits_free; its items live as long. */
CAIRN_API cairn_status cairn_edits_load(const char *path, cairn_edits **edits, cairn_error *error);
CAIRN_API cairn_status cairn_edits_parse(const char *text, size_t size, cairn_edits **edits,
                                         cairn_error *error);
CAIRN_API void cairn_edits_free(cairn_edits *edits);
CAIRN_API const cairn_edit *cairn_edits_items(const cairn_edits *edits);
CAIRN_API size_t cairn_edits_count(const cairn_edits *edits);

/* The line, from 1, that the edit at `index` (below the count) comes from. */
CAIRN_API uint64_t cairn_edits_line(const cairn_edits *edits, size_t index);

/* A map that changes between queries: a .scen file of version 2, as in the dynamic track of the
 * Grid-Based Path Planning Competition, with the patch file that it names, which is read from the
 * same folder. The grid starts with every cell open; edits and queries follow in file order. */
typedef struct cairn_dynamic cairn_dynamic;

typedef enum cairn_event_kind {
    CAIRN_EVENT_EDIT = 0,
    CAIRN_EVENT_QUERY
} cairn_event_kind;

typedef struct cairn_event {
    cairn_event_kind kind;
    uint32_t time;
    cairn_edit edit;    /* a patch; valid until the object is freed */
    cairn_query query;  /* its length is that of the moment */
} cairn_event;

/* Reads both files. CAIRN_E_IO, CAIRN_E_FORMAT, CAIRN_E_LIMIT for a map that is too large. *dynamic
 * comes from malloc, and is the caller's, for cairn_dynamic_free; its events live as long. */
CAIRN_API cairn_status cairn_dynamic_load(const char *path, cairn_dynamic **dynamic,
                                          cairn_error *error);

/* The same from memory, with the text of the patch file; the name in the scenario is passed over.
 * Lines of errors are those of the text that the error is in. */
CAIRN_API cairn_status cairn_dynamic_parse(const char *text, size_t size, const char *patches,
                                           size_t patches_size, cairn_dynamic **dynamic,
                                           cairn_error *error);
CAIRN_API void cairn_dynamic_free(cairn_dynamic *dynamic);
CAIRN_API uint32_t cairn_dynamic_width(const cairn_dynamic *dynamic);
CAIRN_API uint32_t cairn_dynamic_height(const cairn_dynamic *dynamic);
CAIRN_API const cairn_event *cairn_dynamic_events(const cairn_dynamic *dynamic);
CAIRN_API size_t cairn_dynamic_count(const cairn_dynamic *dynamic);

/* -------------------------------------------------------------------------------- tables -- */

/* Rows of exact costs. Row k holds the cost to the nearest node of a *set* of landmarks, one in
 * each connected component, so that every component is served and memory does not grow with
 * their number. Rows are ordered best first: the first k rows are a good table of k rows. */
typedef struct cairn_table cairn_table;

typedef enum cairn_metric_choice {
    CAIRN_METRIC_OF_MAP = 0,  /* keep the map's metric */
    CAIRN_METRIC_COMPACT      /* give the map the finest known pair whose costs fit 16 bits; where
                               * none does, the coarsest, 5/7; of a graph: as CAIRN_METRIC_OF_MAP */
} cairn_metric_choice;

/* Where landmarks go. Every placement serves every component, and gives the same landmarks for the
 * same seed at any thread count. All but the first and the last two look at sampled queries, to
 * order the rows by what each saves beyond those before it. */
typedef enum cairn_placement {
    CAIRN_PLACE_FARTHEST = 0,  /* each landmark is the cell farthest from all earlier ones */
    CAIRN_PLACE_RANDOM,        /* any cells, every one as likely */
    CAIRN_PLACE_BORDER,        /* the farthest cell of each sector around the middle */
    CAIRN_PLACE_AVOID,         /* where the bound of the earlier ones is poor */
    CAIRN_PLACE_GREEDY,        /* those among many candidates that save most expansions */
    CAIRN_PLACE_REFINED,       /* farthest, then swapped for candidates while that saves more */
    CAIRN_PLACE_LIST           /* the caller's, then farthest */
} cairn_placement;

typedef struct cairn_build_options {
    size_t size;                         /* sizeof(cairn_build_options) */
    uint32_t landmark_count;             /* rows, or pairs of rows; 0: 16; at most CAIRN_ROWS_MAX
                                          * rows */
    uint32_t thread_count;               /* 0: one per processor */
    uint64_t seed;                       /* one seed, same table, at any thread count */
    cairn_placement placement;
    cairn_metric_choice metric;
    const cairn_progress *progress;      /* NULL: none */

    /* The queries that a placement with samples looks at: a spread of at most 256 of them. None:
     * random ones. Pairs without a path between them are passed over. */
    const cairn_query *pairs;
    size_t pair_count;

    /* How many candidates GREEDY and REFINED measure, one flood each: their budget of work, counted
     * instead of timed so that the result does not depend on the machine. 0: 512. */
    uint32_t candidate_count;

    /* The landmarks of LIST, open cells: the first of each component is in row 0, the second in
     * row 1, and so on. Rows beyond them are placed farthest-first. With landmark_count 0 there
     * are as many rows as listed cells. */
    const cairn_node *listed;
    size_t listed_count;

    /* A table that counts steps: its rows hold costs on the map without its terrain, every
     * straight step at `straight`, every diagonal one at `diagonal`, and every arc of a graph,
     * whose pair is 1/1, at 1. {1, 1} is breadth-first search. Searches multiply the rows' bound
     * by the least that such a step costs on the map: paths stay shortest, the bound is weaker.
     * In return entries are small, a table suits every map of the same steps whatever they cost,
     * and on grids the fast engines, the small files and the local repair of uniform maps serve
     * for terrain and for directed costs. With a map that was made apart from it such a table is
     * best used once (a search, a bound, a refresh) before cells of that map open or close: after
     * that it is one that is behind further than the journal reaches. {0, 0}: rows hold the costs
     * of the map. Not with CAIRN_METRIC_COMPACT. */
    cairn_metric flat_metric;
} cairn_build_options;

/* Places landmarks on the map and measures their rows. With CAIRN_METRIC_COMPACT the map takes
 * the metric that was chosen; otherwise the map is not changed. The table does not point into
 * the map, and is the caller's, for cairn_table_free. Entries are 16 bits wide where every cost
 * fits, else 32.
 *
 * CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX and for more rows than CAIRN_ROWS_MAX,
 * CAIRN_E_ARGUMENT for a listed cell that is not open, CAIRN_E_CANCELLED. The sources of the
 * placements are in docs/ALGORITHMS.md. */
CAIRN_API cairn_status cairn_table_build(cairn_map *map, const cairn_build_options *options,
                                         cairn_table **table);

CAIRN_API void cairn_table_free(cairn_table *table);

/* Rows, two for each landmark set where costs are directed (see cairn_way); width of an entry. */
CAIRN_API uint32_t cairn_table_row_count(const cairn_table *table);
CAIRN_API uint32_t cairn_table_entry_bits(const cairn_table *table); /* 16 or 32 */

/* What the rows count in: the metric of the map, or the pair of a table that counts steps (see
 * cairn_build_options.flat_metric), which cairn_table_is_flat tells; such a table carries the hash
 * of its map without terrain in that metric. */
CAIRN_API cairn_metric cairn_table_metric(const cairn_table *table);
CAIRN_API bool cairn_table_is_flat(const cairn_table *table);
CAIRN_API uint64_t cairn_table_map_hash(const cairn_table *table);
CAIRN_API size_t cairn_table_memory(const cairn_table *table);       /* bytes */

/* The version of a table: a number that grows whenever anything is written into it, be it entries,
 * landmarks or the states of rows: with every refresh that has work to do, every rebuild and every
 * cairn_table_set_cost. A refresh of a fresh table leaves it. Used as cairn_map_version is. */
CAIRN_API uint64_t cairn_table_version(const cairn_table *table);

/* Which costs a row holds. On maps where a way and the way back cost the same, a row serves both;
 * on others rows come in pairs with the same landmarks, costs from them and costs to them, and a
 * build of n landmarks gives 2 n rows. */
typedef enum cairn_way {
    CAIRN_WAY_BOTH = 0,
    CAIRN_WAY_FROM,      /* from the nearest landmark to the node */
    CAIRN_WAY_TO         /* from the node to the nearest landmark */
} cairn_way;

/* For a row that the table has. */
CAIRN_API cairn_way cairn_table_way(const cairn_table *table, uint32_t row);

/* The landmarks of a row, one per component that has one, ascending; valid until something is
 * written into the table (cairn_table_version). Returns their number; 0 for a row that is not
 * there. */
CAIRN_API size_t cairn_table_landmarks(const cairn_table *table, uint32_t row,
                                       const cairn_node **landmarks);

/* The exact cost between an open node and the landmarks of a row; CAIRN_UNREACHABLE where there is
 * none. Entries of blocked cells mean nothing: they take no memory, and read as 0. */
CAIRN_API cairn_cost cairn_table_cost(const cairn_table *table, uint32_t row, cairn_node node);

/* Overwrites one entry, for tests and experiments: the table is then what the caller made it.
 * CAIRN_E_ARGUMENT for a row, a node or a cost that the table has no room for. */
CAIRN_API cairn_status cairn_table_set_cost(cairn_table *table, uint32_t row, cairn_node node,
                                            cairn_cost cost);

/* What a row is good for on its map as it is now. */
typedef enum cairn_row_state {
    CAIRN_ROW_FRESH = 0,  /* exact */
    CAIRN_ROW_WEAKER,     /* some costs rose: entries may be low, bounds hold, and are used */
    CAIRN_ROW_UNSAFE      /* some costs fell: left out of bounds until it is repaired */
} cairn_row_state;

/* The state of a row for the map, edits that the table has not taken yet included: until
 * cairn_refresh_step takes them and finds out which rows are safe, any cell that was blocked for
 * the table and is open makes all of them unsafe, and so does an open cell, or an arc, whose cost
 * changed. CAIRN_ROW_UNSAFE too for a row that does not exist and for a map that the table is not
 * of. */
CAIRN_API cairn_row_state cairn_table_row_state(const cairn_table *table, const cairn_map *map,
                                                uint32_t row);

/* A copy of its own, in the memory of the map that the table was made with. */
CAIRN_API cairn_status cairn_table_clone(const cairn_table *table, cairn_table **copy);

/* What cairn_table_verify found wrong. */
typedef struct cairn_fault {
    uint32_t row;
    cairn_node node;
    cairn_cost stored;
    cairn_cost possible;  /* what the neighbours (or a landmark) prove the entry should be at
                           * most; CAIRN_UNREACHABLE when nothing supports it */
} cairn_fault;

/* The certificate that every entry is exact: each entry is 0 at a landmark or is supported by a
 * neighbour (entry = neighbour's entry + cost of the step), no step can improve any entry, and
 * only unreachable cells are marked so. Together these prove that all entries are shortest-path
 * costs. Returns CAIRN_OK, CAIRN_E_MISMATCH (not a table of this map), or CAIRN_E_INEXACT with
 * *fault filled. `fault` may be NULL. `thread_count` 0: one per processor. */
CAIRN_API cairn_status cairn_table_verify(const cairn_table *table, const cairn_map *map,
                                          uint32_t thread_count, cairn_fault *fault);

/* ----------------------------------------------------------------------------- the file -- */

typedef enum cairn_codec {
    CAIRN_CODEC_BEST = 0,   /* the smallest that this build has */
    CAIRN_CODEC_RAW,        /* plain little-endian entries */
    CAIRN_CODEC_PREDICTOR,  /* prediction from decoded neighbours, deflated */
    CAIRN_CODEC_SEEDS       /* a few exact cells, and sweeps over the map that fill the rest */
} cairn_codec;

/* Whether a file holds its map. Without it, it is smaller, and the game has to bring the map. */
typedef enum cairn_map_part {
    CAIRN_MAP_INCLUDED = 0,
    CAIRN_MAP_LEFT_OUT
} cairn_map_part;

typedef struct cairn_save_options {
    size_t size;                     /* sizeof(cairn_save_options) */
    cairn_codec codec;
    uint32_t row_count;              /* write only the first rows; 0: all */
    uint32_t thread_count;           /* 0: one per processor */
    const cairn_progress *progress;  /* NULL: none */
    cairn_map_part map_part;
} cairn_save_options;

typedef struct cairn_load_options {
    size_t size;                       /* sizeof(cairn_load_options) */
    uint32_t row_count;                /* load only the first rows; 0: all */
    uint32_t thread_count;             /* 0: one per processor */
    const cairn_allocator *allocator;  /* copied; NULL: malloc */

    /* Bytes that map and table may take: as many rows are loaded as fit, and CAIRN_E_LIMIT when
     * not even one does. 0: all rows, but CAIRN_E_LIMIT when they take more than 4 GiB and 8,192
     * times the size of the file, which only vast open maps do. A file of a few bytes may hold a
     * vast map in good faith: who loads files of strangers sets a limit. */
    uint64_t memory_limit;

    /* The map of a file that was written without it: CAIRN_E_MISMATCH for any other, and without
     * one. Not looked at when the file has a map. Must be there during the call alone. */
    const cairn_map *map;

    /* Called many times a second, also while the file is read and its map unpacked: returning
     * false stops with CAIRN_E_CANCELLED. NULL: none. */
    const cairn_progress *progress;
} cairn_load_options;

/* Bytes that come in order, from wherever a program keeps them. */
typedef struct cairn_stream {
    /* Writes the next bytes and returns how many: fewer than `size` at the end alone, SIZE_MAX
     * after a failure. */
    size_t (*read)(void *context, void *bytes, size_t size);
    void *context;
    uint64_t size;  /* of the whole, when known; 0: not known */
} cairn_stream;

/* Writes map and table into one file: to a temporary name beside it, flushed to the disk, then
 * renamed, so that the file is the old one or the new one, whole, whatever happens. A process that
 * is killed on the way leaves the temporary, PATH.*.tmp, which nothing reads. Where the path is a
 * link, the file that it leads to is replaced; pipes and devices are written to as they are.
 * Returns CAIRN_E_MISMATCH for a table of another map or one whose rows are not all fresh,
 * CAIRN_E_INEXACT where a landmark lies in a blocked cell (only a table with wrong entries comes to
 * that; cairn_table_rebuild moves it), CAIRN_E_IO (errno tells why), and CAIRN_E_MEMORY: what is
 * written can be loaded. `options` may be NULL. */
CAIRN_API cairn_status cairn_save(const cairn_map *map, const cairn_table *table,
                                  const char *path, const cairn_save_options *options);

/* What cairn_build_file made. */
typedef struct cairn_build_summary {
    uint32_t row_count;
    uint32_t entry_bits;   /* 16 or 32 */
    size_t table_memory;   /* bytes that the table will take when it is loaded */
} cairn_build_summary;

/* Builds and saves in one go. The file is the one that cairn_table_build and cairn_save would give,
 * byte for byte, but the table is never in memory as a whole, and rows are packed while later ones
 * are measured. Threads and progress are those of `build`; either of the options may be NULL, and
 * so may `summary`. Returns what those two would. */
CAIRN_API cairn_status cairn_build_file(cairn_map *map, const cairn_build_options *build,
                                        const cairn_save_options *save, const char *path,
                                        cairn_build_summary *summary);

/* The same into memory; *bytes is the caller's, for cairn_bytes_free. */
CAIRN_API cairn_status cairn_save_bytes(const cairn_map *map, const cairn_table *table,
                                        const cairn_save_options *options, uint8_t **bytes,
                                        size_t *size);
CAIRN_API void cairn_bytes_free(const cairn_map *map, uint8_t *bytes);

/* Reads what cairn_save wrote. Nothing in the file is trusted: sizes are checked before memory
 * is taken, checksums and structure before anything is used. `map` or `table` may be NULL when
 * it is not wanted. `error` may be NULL; its offset is the byte in the file. */
CAIRN_API cairn_status cairn_load(const char *path, const cairn_load_options *options,
                                  cairn_map **map, cairn_table **table, cairn_error *error);
CAIRN_API cairn_status cairn_load_bytes(const uint8_t *bytes, size_t size,
                                        const cairn_load_options *options, cairn_map **map,
                                        cairn_table **table, cairn_error *error);
CAIRN_API cairn_status cairn_load_from(const cairn_stream *stream,
                                       const cairn_load_options *options, cairn_map **map,
                                       cairn_table **table, cairn_error *error);

/* What a file holds, told without unpacking map or rows. */
typedef struct cairn_outline {
    uint64_t map_size;   /* bytes of the map; 0: it was left out */
    uint64_t map_hash;
    cairn_metric metric;  /* of the rows */
    bool is_flat;         /* the table counts steps: see cairn_build_options.flat_metric */
    uint32_t node_count;
    uint32_t entry_bits;
    uint32_t row_count;
    bool is_directed;    /* rows come in pairs: see cairn_way */
    struct {
        cairn_codec codec;  /* CAIRN_CODEC_BEST for one that this build does not have */
        uint64_t size;      /* bytes */
    } rows[CAIRN_ROWS_MAX];
} cairn_outline;

CAIRN_API cairn_status cairn_outline_load(const char *path, cairn_outline *outline,
                                          cairn_error *error);
CAIRN_API cairn_status cairn_outline_load_bytes(const uint8_t *bytes, size_t size,
                                                cairn_outline *outline, cairn_error *error);

/* ------------------------------------------------------------------------------- refresh -- */

/* How much a step may do: a number of cells to look at, or of microseconds. A step may exceed it
 * by one batch of new edits and, where it is large enough to measure a row anew (as the number of
 * all nodes says, blocked ones included), by that. Smaller steps repair cell by cell. */
typedef uint64_t cairn_budget;
#ifdef __cplusplus
#  define CAIRN_CELLS(count) (static_cast<cairn_budget>(count) << 1)
#else
#  define CAIRN_CELLS(count) ((cairn_budget)(count) << 1)
#endif
#define CAIRN_MICROSECONDS(count) (CAIRN_CELLS(count) | 1)
#define CAIRN_UNLIMITED UINT64_MAX

/* Brings a table towards its edited map. First takes the edits made since the last step: entries
 * of cells that opened, landmarks that closed (each moves to the nearest open cell, see
 * docs/ALGORITHMS.md), and the state of every row; CAIRN_CELLS(0) does only that. Then repairs
 * rows, first row first, until the budget is spent. A component that no landmark of a row is left
 * in gets one. Of components that are joined a row keeps one landmark, that of the largest, or takes
 * the cell that is farthest from those of all earlier rows: of a landmark that a build placed, a file
 * held or a refresh added alike.
 *
 * Returns CAIRN_OK when every entry is exact again: the table then equals one measured anew from
 * the same landmarks, byte for byte. CAIRN_MORE when work is left; between steps, edits and
 * searches are welcome, and searches are optimal. Edits that the map's journal no longer tells of
 * leave no row worth repairing: all are rebuilt, within the same budgets. CAIRN_E_MISMATCH for a
 * map that the table is not of, CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX, CAIRN_E_MEMORY; the
 * table stays safe to use.
 *
 * 16-bit entries become 32 bits wide when a cost no longer fits. Entries are written in place: no
 * other thread may use the table meanwhile (for that there is cairn_world), and bounds made before
 * are void. Beside the table, repairs keep a byte per node, 8 to 12 more once a step had no budget,
 * and memory for one more row once one was measured anew. */
CAIRN_API cairn_status cairn_refresh_step(cairn_table *table, const cairn_map *map,
                                          cairn_budget budget);

/* Measures every row anew from its landmarks, on the map as it is, which may be any map of the same
 * size on which costs are the same both ways, or not, as on the table's own (cairn_map_is_directed;
 * else CAIRN_E_MISMATCH); landmarks move as they do in cairn_refresh_step. A component with one-way
 * cells that had no landmark in a row, since builds choose among cells that all reach one another,
 * gets one wherever that row is measured anew. */
CAIRN_API cairn_status cairn_table_rebuild(cairn_table *table, const cairn_map *map);

/* What refreshing has done so far, over the life of a table. */
typedef struct cairn_refresh_counts {
    uint64_t cells;            /* looks at cells; without a budget one may serve as many rows as the
                                * processor's vectors hold, so that the count depends on those */
    uint64_t rows_repaired;    /* rows that became exact by repair */
    uint64_t rows_rebuilt;     /* rows that were measured anew */
    uint64_t landmarks_moved;
    uint64_t landmarks_added;
    uint64_t landmarks_dropped;  /* since their components were joined to others */
} cairn_refresh_counts;
CAIRN_API cairn_refresh_counts cairn_table_refresh_counts(const cairn_table *table);

/* -------------------------------------------------------------------------------- bounds -- */

/* A lower bound on the cost to one goal, for an A* of your own. By value; takes no memory; valid
 * while its map and table live unchanged (cairn_bound_is_current). The members are private. */
typedef struct cairn_bound {
    const void *map;
    const void *table;
    const void *goal_row;
    cairn_cost (*rows)(const void *, const void *, const void *, uint32_t);
    cairn_node goal;
    uint32_t goal_x;
    uint32_t goal_y;
    uint32_t plain;
    uint32_t scale;
    uint32_t scale_shift;
    uint32_t apart_from;
    uint64_t map_version;
    uint64_t table_version;
} cairn_bound;

/* Distances over an empty map, in units of its cheapest steps. */
typedef enum cairn_plain {
    CAIRN_PLAIN_BEST = 0,   /* what the map's rule, costs and coordinates make of it */
    CAIRN_PLAIN_ZERO,
    CAIRN_PLAIN_MANHATTAN,  /* straight steps alone */
    CAIRN_PLAIN_CHEBYSHEV,  /* diagonal steps cost what straight ones do */
    CAIRN_PLAIN_OCTILE,
    CAIRN_PLAIN_EUCLIDEAN,  /* as the crow flies, rounded down; of graphs: BEST */
    CAIRN_PLAIN_HEX,
    CAIRN_PLAIN_SQUARED     /* the square of the Euclidean: never admissible */
} cairn_plain;

/* Whether a plain distance never exceeds the cost of a path on maps of this rule and metric, and
 * whether it differs between neighbours by no more than the step between them. The first keeps
 * paths shortest, the second keeps closed nodes closed. Both false for a distance that the map does
 * not have (a graph has BEST, ZERO and EUCLIDEAN). */
CAIRN_API bool cairn_bound_is_admissible(const cairn_map *map, cairn_plain plain);
CAIRN_API bool cairn_bound_is_consistent(const cairn_map *map, cairn_plain plain);

/* Prepares the bound for a goal. `table` may be NULL: plain distance only. Returns
 * CAIRN_E_ARGUMENT for a goal that is not on the map, CAIRN_E_MISMATCH for a table of another
 * map (see cairn_search_new). On an edited map only rows that are still safe are used, be it none.
 * Once per query; tens of nanoseconds, and as long as it takes to look at the edits that the table
 * has not taken. */
CAIRN_API cairn_status cairn_bound_to(const cairn_map *map, const cairn_table *table,
                                      cairn_node goal, cairn_bound *bound);

/* The same with another plain distance, which may not be admissible. */
CAIRN_API cairn_status cairn_bound_with(const cairn_map *map, const cairn_table *table,
                                        cairn_node goal, cairn_plain plain, cairn_bound *bound);

/* Whether map and table, which must still live, are as they were when the bound was made. The calls
 * below must not be made with a bound that is no longer current: entries may have moved to other
 * memory. One comparison, or two. */
CAIRN_API bool cairn_bound_is_current(const cairn_bound *bound);

/* A cost that no path from `node` to the goal can undercut; CAIRN_UNREACHABLE where the table
 * proves that there is none. The node must be on the map. Admissible and consistent: a node that
 * A* has closed never opens again. Once per discovered node; one or two cache lines. */
CAIRN_API cairn_cost cairn_bound_at(const cairn_bound *bound, cairn_node node);

/* The same for `count` nodes, in any order and number: bounds[i] is that of nodes[i]. For callers
 * that know beforehand what they will ask for (targets sorted by their bound, a heuristic looked at
 * over a whole map): entries of later nodes are fetched while earlier ones are compared. The arrays
 * must not overlap. */
CAIRN_API void cairn_bounds_at(const cairn_bound *bound, const cairn_node *nodes, size_t count,
                               cairn_cost *bounds);

/* ------------------------------------------------------------------------------ searches -- */

typedef struct cairn_search cairn_search;

/* What a search moves along. All give paths of the same cost; they differ in time. */
typedef enum cairn_space {
    CAIRN_SPACE_AUTO = 0,   /* the fastest that is exact for the map's rule and costs */
    CAIRN_SPACE_CELLS,      /* every step */
    CAIRN_SPACE_CANONICAL,  /* of the steps that make paths of equal cost, one */
    CAIRN_SPACE_JUMP        /* jump points: straight and diagonal runs from turn to turn */
} cairn_space;

/* How much of a path is written out. */
typedef enum cairn_form {
    CAIRN_FORM_CELLS = 0,  /* corners and every cell */
    CAIRN_FORM_CORNERS     /* corners; cells only when cairn_search_cells asks for them */
} cairn_form;

/* What to do with rows that an edit made unsafe, until they are repaired. */
typedef enum cairn_stale {
    CAIRN_STALE_LEAVE_OUT = 0,  /* paths stay optimal */
    CAIRN_STALE_USE             /* for a few frames of speed: a path may then cost more than the
                                 * best one (path.state says so, path.guarantee how much at most),
                                 * and the search goes cell by cell, from its begin to its end.
                                 * Edits that the table has not taken yet leave all rows out. */
} cairn_stale;

/* Which of the nodes with the same f comes first. */
typedef enum cairn_ties {
    CAIRN_TIES_LAST = 0,   /* the one that was added last */
    CAIRN_TIES_FIRST,      /* the one that was added first */
    CAIRN_TIES_LARGER_G    /* the one farther from the start */
} cairn_ties;

typedef struct cairn_search_options {
    size_t size;                       /* sizeof(cairn_search_options) */
    /* A bound of the caller's own instead of plain distance and table: called once per discovered
     * node. It must never exceed the true cost, nor differ between neighbours by more than the
     * step costs (admissible and consistent). NULL: Cairn's own bound. */
    cairn_cost (*bound)(void *context, cairn_node node);
    void *bound_context;
    const cairn_allocator *allocator;  /* copied; NULL: the map's */
    cairn_space space;                 /* where it does not fit the map, cells are taken */
    cairn_form form;
    cairn_stale stale;
    /* Called with each node as it is expanded, for pictures: the search then moves along cells.
     * NULL: nothing is called. */
    void (*on_expand)(void *context, cairn_node node);
    void *expand_context;
    /* Any of the following leaves the fast spaces for one that takes every step. */
    cairn_plain plain;                 /* the plain distance beside the table's rows */
    uint32_t weight;                   /* of the bound, in thousandths from 1000; 0: 1000 */
    cairn_ties ties;
    bool nearest;                      /* where no path leads to the goal: one to the node that is
                                        * nearest to it by plain distance, of those that the start
                                        * leads to at no more than CAIRN_COST_MAX */
    bool resumable;                    /* for cairn_search_begin and cairn_search_resume */
    uint64_t expansion_limit;          /* pause after so many; 0: none; makes it resumable */
} cairn_search_options;

typedef enum cairn_outcome {
    CAIRN_PATH_FOUND = 0,
    CAIRN_PATH_NONE,           /* no path leads from start to goal */
    CAIRN_PATH_START_BLOCKED,
    CAIRN_PATH_GOAL_BLOCKED,
    CAIRN_PATH_NEAREST,        /* none leads to the goal: the path to the node nearest to it */
    CAIRN_PATH_PAUSED          /* the expansion limit was reached: cairn_search_resume goes on */
} cairn_outcome;

typedef struct cairn_path {
    cairn_outcome outcome;
    cairn_cost cost;          /* in the metric; CAIRN_UNREACHABLE when there is no path */
    double length;            /* straight steps + sqrt(2) * diagonal steps */
    const cairn_node *nodes;  /* from start to goal; borrowed until the next run or free */
    size_t node_count;        /* 0 when there is no path, or only corners are wanted */
    uint64_t expanded;        /* nodes taken from the open list and expanded */
    uint64_t generated;       /* nodes put on the open list */
    uint64_t open_peak;       /* most entries on the open list at once */
    const cairn_node *corners;  /* start, every cell where the direction changes, goal; borrowed */
    size_t corner_count;
    cairn_space space;        /* what the search moved along; never CAIRN_SPACE_AUTO */
    cairn_row_state state;    /* the worst state of the rows that were used. Where none was: UNSAFE
                               * when edits left none to be used (the path is then as short as
                               * without a table), else FRESH */
    uint32_t row_count;       /* how many rows were used */
    uint32_t guarantee;       /* of a path that was found: its cost is at most guarantee / 1000 of
                               * the least. 1000, or the weight; with a plain distance that is not
                               * admissible, or with unsafe rows, what can be told from a bound that
                               * holds; 0 where nothing is known */
    uint64_t reopened;        /* closed nodes that a cheaper way opened again; 0 with a bound that
                               * is consistent, and has no weight */
    uint64_t run;             /* of the search, from which the path is; private */
} cairn_path;

/* Makes a search over a map. `table` may be NULL: plain distance. Both must outlive the search;
 * they may be edited and refreshed between runs. Takes the memory that a run needs, once: 16 bytes
 * for each node, and what open list and paths grow to. CAIRN_E_MISMATCH for a table of another map:
 * one that differs from this in what edits leave as it is (size, rule, metric, terrain letters,
 * heights, the ends of arcs), or of cells or costs of arcs that this map never had. A table that is
 * only behind its map is no mismatch, however far. Where the journal of edits has lost its
 * beginning nobody knows what the map once was: then a table of any map that edits could have made
 * of it is taken for one that is behind.
 * (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
 * paths", 1968; for what a search moves along see docs/ALGORITHMS.md.) */
CAIRN_API cairn_status cairn_search_new(const cairn_map *map, const cairn_table *table,
                                        const cairn_search_options *options,
                                        cairn_search **search);
CAIRN_API void cairn_search_free(cairn_search *search);

/* Lets the runs to come go over another map, which differs from the first in its cells or arc costs
 * alone, and along its table: a copy, or another state of a cairn_world. Nothing is cleared, and no
 * memory is taken but for planes of jump points that the map has not got yet: it costs less than a
 * tenth of a microsecond. Map and table must outlive the runs, the ones before this call.
 * CAIRN_E_MISMATCH for a map that is not alike, CAIRN_E_MEMORY; the search then stays where it was.
 * A table of another map is found out by the next run. */
CAIRN_API cairn_status cairn_search_use(cairn_search *search, const cairn_map *map,
                                        const cairn_table *table);

/* A shortest path: A* with the best bound there is. A blocked end is an outcome, not an error;
 * CAIRN_E_ARGUMENT is for nodes that are not on the map. CAIRN_E_CHANGED where the map has taken
 * another metric since the search was made. CAIRN_E_LIMIT where a path leads to the
 * goal and costs more than CAIRN_COST_MAX. CAIRN_E_MEMORY when the open list could not grow. */
CAIRN_API cairn_status cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                                        cairn_path *path);

/* Refreshes as far as pays, where the time of refreshing and of searching count together: to be
 * called after every search along the table, instead of cairn_refresh_step, with the path that the
 * search gave. Nothing is to be called after an edit.
 *
 * It waits until searches since the last edit have expanded as much beside their paths as a refresh
 * is expected to cost, and spends no more than they have: both are counted in nodes and cells, so
 * the same queries and edits give the same table on every machine. A map that changes more often
 * than a refresh pays is then searched with what is safe of the table, at no cost. Not for programs
 * whose frames have time to spare: they refresh in steps, and search faster.
 *
 * Returns what cairn_refresh_step does, and has its conditions; CAIRN_MORE also where nothing was
 * done since it does not pay yet. */
CAIRN_API cairn_status cairn_refresh_as_it_pays(cairn_table *table, const cairn_map *map,
                                                const cairn_path *path);

/* A search that stops on the way, for options with `resumable`. begin leaves the start on the open
 * list; resume expands at most `expansions` more nodes. While there is more to do the outcome is
 * CAIRN_PATH_PAUSED. Counts in the path are those since begin.
 *
 * What a paused search knows is true of its map and table as they were when it began. resume
 * returns CAIRN_E_CHANGED, and does nothing, once one of them has another version
 * (cairn_map_version, cairn_table_version) or cairn_search_use led the search elsewhere: it is then
 * to begin again. A view of a cairn_world stays acquired until the search has ended.
 * CAIRN_E_ARGUMENT where no search is paused. */
CAIRN_API cairn_status cairn_search_begin(cairn_search *search, cairn_node start, cairn_node goal,
                                          cairn_path *path);
CAIRN_API cairn_status cairn_search_resume(cairn_search *search, uint64_t expansions,
                                           cairn_path *path);

typedef enum cairn_node_state {
    CAIRN_NODE_UNSEEN = 0,
    CAIRN_NODE_OPEN,
    CAIRN_NODE_CLOSED
} cairn_node_state;

/* What a search with any of the options after `form`, or on a map that is no uniform grid of rule
 * CAIRN_RULE_8, knows of a node. */
typedef struct cairn_node_info {
    cairn_node_state state;
    cairn_node parent;   /* of the start: itself; CAIRN_NO_NODE when unseen */
    cairn_cost g;
    cairn_cost h;        /* with its weight; CAIRN_UNREACHABLE: known to lead nowhere */
    uint64_t f;
} cairn_node_info;

/* Of the last run, or between two steps, whatever became of the map since. CAIRN_E_ARGUMENT for a
 * node that is not on the map. */
CAIRN_API cairn_status cairn_search_look(const cairn_search *search, cairn_node node,
                                         cairn_node_info *info);

/* Writes out the cells of the path of the last run of this search, when they are not there yet: on
 * any map, whatever the outcome. They are those of the path as it was found, whatever became of the
 * map since. CAIRN_E_ARGUMENT when the path is not that path, CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_search_cells(cairn_search *search, cairn_path *path);

/* The answers to many queries. */
typedef struct cairn_batch cairn_batch;

/* Runs every query, over `thread_count` threads (0: one per processor) with a search each. The
 * bucket and the length of a query are not read. A bound of the caller's own is called from
 * several threads at once. Fails as a whole when one query does, with the status of one that did.
 * *batch is the caller's, for cairn_batch_free, before its map is freed. */
CAIRN_API cairn_status cairn_search_batch(const cairn_map *map, const cairn_table *table,
                                          const cairn_search_options *options,
                                          uint32_t thread_count, const cairn_query *queries,
                                          size_t query_count, cairn_batch **batch);
CAIRN_API void cairn_batch_free(cairn_batch *batch);

/* One path per query, in the order of the queries; they and their nodes belong to the batch. */
CAIRN_API const cairn_path *cairn_batch_paths(const cairn_batch *batch);

/* -------------------------------------------------------------------------------- worlds -- */

/* A map and its table for any number of readers beside one writer, each in a thread of its own. The
 * writer edits and refreshes a draft, and publishes it when it likes; readers always find the state
 * that was published last, whole, and keep it for as long as they want. Readers never wait, neither
 * for the writer nor for one another. The writer never waits either: where it would have to, it is
 * told so (CAIRN_BUSY).
 *
 * There are two copies of map and table, so that a world takes twice their memory, whatever
 * changes. The copy that was published before becomes the draft again as soon as its last reader
 * has left: it takes the same edits, and copies what refreshing wrote, which takes time by what
 * changed. See docs/decisions/readers.md. */
typedef struct cairn_world cairn_world;

/* A state of a world. `map` and `table` are for every call that takes them as const: searches,
 * bounds, batches, cairn_save. */
typedef struct cairn_view {
    const cairn_map *map;
    const cairn_table *table;  /* NULL in a world without one */
    uint64_t version;          /* how often had been published then: 0 for the first state */
    uint32_t side;             /* for cairn_world_release */
} cairn_view;

/* Makes a world, whose first state is as `map` and `table` are now. They become the world's (after
 * a failure they stay the caller's); `table` may be NULL, or not be fresh. CAIRN_E_MISMATCH for a
 * table of another map, CAIRN_E_MEMORY. No other thread may use them meanwhile. */
CAIRN_API cairn_status cairn_world_new(cairn_map *map, cairn_table *table, cairn_world **world);

/* Frees map and table as well. All views must have been released; searches and bounds on them are
 * given back or forgotten before. */
CAIRN_API void cairn_world_free(cairn_world *world);

/* For readers, any number of threads at once, and the writer, too. Takes hold of the state that was
 * published last: one atomic addition, never a wait. Everything a reader did to the view before it
 * releases it is over when the memory is written again.
 *
 * A search is made once for each thread, on any view, and before a run is led to the one at hand by
 * cairn_search_use; its path holds numbers of nodes alone and stays valid. A cairn_bound is
 * valid until its view is released. Of NULL: an empty view. */
CAIRN_API cairn_view cairn_world_acquire(cairn_world *world);

/* Lets go of a view, and empties it, so that to release it again does nothing; to release a copy of
 * it again lets the writer write what is being read. */
CAIRN_API void cairn_world_release(cairn_world *world, cairn_view *view);

/* For one thread at a time, the writer. These work on the draft, which is the published state but
 * for what was done to it since. All return CAIRN_BUSY, with nothing done, while readers still hold
 * the state before the published one, which at most happens between a publication and the end of
 * the queries that ran then: try again later, for instance in the next frame. The thread itself may
 * be such a reader, so that it must not wait in a loop with a view in its hand. */

/* Applies edits as cairn_map_edit does, whose results it returns. Their data are copied and kept
 * until the other copy has taken them. */
CAIRN_API cairn_status cairn_world_edit(cairn_world *world, const cairn_edit *edits, size_t count);

/* Refreshes the table as cairn_refresh_step does, whose results it returns; the first steps after a
 * publication copy what that changed, within the same budget (CAIRN_CELLS(0) then does no more than
 * a little of that). A world without a table returns CAIRN_OK. */
CAIRN_API cairn_status cairn_world_refresh_step(cairn_world *world, cairn_budget budget);

/* Publishes the draft, whether it is refreshed or not: readers that come from now on find it, and
 * their searches are optimal either way. Does nothing when there is nothing new. Takes no time
 * worth mentioning, unless no step was made after the edits: then it first copies what the last
 * publication changed; and the first one makes planes of jump points where readers have.
 * CAIRN_E_MEMORY, with nothing published; never CAIRN_BUSY, since a draft that was changed has no
 * readers. */
CAIRN_API cairn_status cairn_world_publish(cairn_world *world);

/* The draft as it is, for the writer alone: to search on it before it is published, or to ask for
 * cairn_table_refresh_counts, which are zero on other views. Valid until the writer edits,
 * refreshes or publishes again; it need not be released. CAIRN_E_MEMORY, with an empty view. */
CAIRN_API cairn_status cairn_world_draft(cairn_world *world, cairn_view *view);

#ifdef __cplusplus
}
#endif

#endif
