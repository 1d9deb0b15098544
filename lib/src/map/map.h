/* The public map handle. */
#ifndef CN_MAP_MAP_H
#define CN_MAP_MAP_H

#include <stdatomic.h>

#include "grid/bodies.h"
#include "components/components.h"
#include "grid/corners.h"
#include "grid/grid.h"
#include "map/journal.h"
#include "map/jump_points.h"
#include "base/metric.h"
#include "base/rng.h"
#include "graph/graph.h"
#include "system/threads.h"

/* The map of a graph has, beside that, a grid of one row whose cells are all open and have
 * no steps: so tables, placement and files need not tell grids from graphs. */
struct cairn_map {
    cn_mem mem;
    cairn_pool pool; /* `run` NULL: none */
    cairn_metric metric;
    cn_grid grid;
    cn_graph *graph; /* NULL for grids */
    uint64_t hash;
    uint64_t version;     /* cairn_map_version */
    uint64_t layout_hash; /* of the heights of all cells, or of the ends of all arcs */
    uint64_t fixed_hash;  /* of all that edits do not change: size, rule, metric, letters, layout */
    bool is_even;         /* no graph or heights; every letter has factor 1, and none is one-way */
    bool is_directed;     /* a step may cost something else than the one back */
    bool hash_is_kept;    /* edits have changed it since it was computed from the whole map */
    uint32_t unit;        /* units of cost to one unit of the metric: 1 or 2 */
    cairn_cost step[2];   /* straight, diagonal; to be multiplied by a factor, or by the sum of two
                           * factors */
    cairn_cost slope[2];  /* added for each unit of height up, down */
    /* The least costs of a straight and of a diagonal step, for base heuristics; with 4 neighbours
     * two straight steps are a diagonal one, and hexagons have straight ones alone. */
    cairn_metric base_metric;
    cn_journal journal;                  /* the cells that edits changed */
    _Atomic(cn_jump *) jump;             /* NULL until a search first needs it */
    _Atomic(cn_corners *) corners;       /* NULL until first needed, and after edits */
    cn_corners *former_corners;          /* of a former state; NULL: none are known */
    uint64_t former_hash;                /* of that state */
    _Atomic(cn_components *) components; /* NULL until they are first needed: see cn_map_connect */
    _Atomic(cairn_map *) step_maps;      /* step maps of this map: see cn_map_step_map */
    cairn_map *next_step_map;            /* of a step map: the next one of the same map */
    bool is_step_map;                    /* and so its own */
    cn_bodies *bodies;               /* of a unit map: what its letters follow from; else NULL */
    cairn_map *cells_map;            /* of a unit map: that whose edits it follows, if any */
    cairn_map *unit_maps;            /* unit maps that follow the edits of this one */
    cairn_map *next_unit_map;        /* of a unit map: the next one of the same map */
    struct cn_dependent *dependents; /* what is kept for the map elsewhere: dependents.h */
    cn_spin dependents_lock;
};

/* A map around a grid, of which it takes ownership, also when it fails. Metric {0, 0}: the
 * default. */
cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map);

/* A map around a graph, of which it takes ownership, also when it fails. */
cairn_status cn_map_new_graph(const cn_mem *mem, cn_graph *graph, cairn_map **map);

/* The smallest and the largest cost of an arc or step; 1 for a map without arcs. */
cairn_cost cn_map_cheapest(const cairn_map *map);
cairn_cost cn_map_dearest(const cairn_map *map);

/* Whether all straight steps of a grid cost step[0] and all slanting ones step[1], in both
 * directions. */
CN_ALWAYS_INLINE bool cn_map_is_even(const cairn_map *map)
{
    return map->is_even;
}

/* Whether, in addition, steps lead along grid.offset from every row, and cost what the metric
 * says. */
CN_ALWAYS_INLINE bool cn_map_is_uniform(const cairn_map *map)
{
    return cn_map_is_even(map) && map->grid.rules.rule != CAIRN_RULE_HEX;
}

/* Whether, in addition, a diagonal step needs both cells beside it open. */
CN_ALWAYS_INLINE bool cn_map_is_classic(const cairn_map *map)
{
    return cn_map_is_uniform(map) && map->grid.rules.rule == CAIRN_RULE_8;
}

CN_ALWAYS_INLINE bool cn_map_is_directed(const cairn_map *map)
{
    return map->is_directed;
}

/* Whether each step or arc has a reverse, at whatever cost; false also for directed graphs of which
 * that is not known. */
CN_ALWAYS_INLINE bool cn_map_leads_back(const cairn_map *map)
{
    return map->graph ? !map->graph->is_directed : !map->grid.has_one_way;
}

/* Whether what a step of a grid costs follows from the factors of its ends, and each step has a
 * reverse: there are neither heights nor one-way cells. */
CN_ALWAYS_INLINE bool cn_map_ends_tell_costs(const cairn_map *map)
{
    return !map->graph && !map->grid.heights.cells && !map->grid.has_one_way;
}

/* What decides the costs of an open cell's steps if it has this letter: on even maps and in graphs
 * nothing, else the factor, the one-way directions and the height. */
CN_ALWAYS_INLINE uint64_t cn_map_terrain_as(const cairn_map *map, cairn_node node, uint8_t letter)
{
    if (cn_map_is_even(map) || map->graph)
        return 0;
    uint64_t height = map->grid.heights.cells ? map->grid.heights.cells[node] : 0;
    return map->grid.rules.factor[letter] | (uint64_t)map->grid.exits[letter] << 16 | height << 32;
}

/* The hash of a map is that of its size, rules and metric plus one number for each open cell, or
 * arc; so an edit updates it in time proportional to the edit. This is the number of a cell with
 * this letter; 0 for a blocked one. */
CN_ALWAYS_INLINE uint64_t cn_map_hash_as(const cairn_map *map, cairn_node node, uint8_t letter)
{
    if (!map->grid.open_letter[letter])
        return 0;
    return cn_mix((node + UINT64_C(1)) * 0x9e3779b97f4a7c15u ^
                  cn_map_terrain_as(map, node, letter));
}

CN_ALWAYS_INLINE uint64_t cn_map_cell_hash(const cairn_map *map, cairn_node node)
{
    return cn_map_hash_as(map, node, map->grid.letters[node]);
}

/* The number that an arc adds to the hash of a graph. */
CN_ALWAYS_INLINE uint64_t cn_map_arc_hash(cairn_node from, cairn_node to, cairn_cost cost)
{
    uint64_t ends = (uint64_t)from << 32 | to;
    return cn_mix(cn_mix((ends + 1) * 0x9e3779b97f4a7c15u) ^ cost);
}

/* Whether the hash, which edits keep up to date, is right. Visits the whole map after edits. */
bool cn_map_hash_is_right(const cairn_map *map);

/* Makes `units`, which follows no map, follow the edits of `map`: cairn_map_edit of `map` then
 * edits both. After cn_units_detach it follows none. */
void cn_units_attach(cairn_map *units, cairn_map *map);
void cn_units_detach(cairn_map *units);

/* What happened to a map since it had a given hash. */
typedef enum cn_changes {
    CN_CHANGES_NONE,      /* it has that hash now */
    CN_CHANGES_KNOWN,     /* the journal lists the cells that changed since */
    CN_CHANGES_FORGOTTEN, /* it had that hash, or may have had it, but the journal no longer
                           * reaches back so far */
    CN_CHANGES_STRANGER   /* it never had that hash */
} cn_changes;

/* *cells stays valid until the next edit. A cell may be listed more than once, and its state may be
 * the same again. Unless the changes are known, *count is 0. `fixed_hash` belongs to the map state
 * with that hash: if the map has another one, it has had the hash only if the journal says so. */
cn_changes cn_map_changes(const cairn_map *map, uint64_t hash, uint64_t fixed_hash,
                          const cairn_node **cells, size_t *count);

/* Whether two maps differ only in which cells are open, in letters and in costs of arcs. */
bool cn_map_is_alike(const cairn_map *one, const cairn_map *other);

/* Copies nodes that a caller gave (`copies` may be these nodes themselves), and tells whether all
 * are on the map. The copies are checked, so that they can be relied on even if another thread
 * writes to the originals meanwhile. */
bool cn_map_copy_nodes(const cairn_map *map, const cairn_node *nodes, size_t count,
                       cairn_node *copies);

/* Whether all of some nodes are on the map and open. */
bool cn_map_all_open(const cairn_map *map, const cairn_node *nodes, size_t count);

CN_ALWAYS_INLINE uint32_t cn_map_node_count(const cairn_map *map)
{
    return map->grid.width * map->grid.height;
}

/* The step map: the same nodes and steps, where every straight step costs metric.straight, every
 * diagonal one metric.diagonal, and every arc of a graph 1 (the metric must be 1/1, else
 * CAIRN_E_ARGUMENT). It is the map itself if that has these costs. Otherwise it is made on the
 * first call, belongs to the map, and follows its edits. Any number of threads may call it at once.
 * CAIRN_E_MEMORY. */
cairn_status cn_map_step_map(const cairn_map *map, cairn_metric metric, const cairn_map **step_map);

/* Whether rows for that map are not rows for the map itself: edits may have made each arc of a
 * graph cost 1, so that both are alike, unless one is directed and the other not. */
bool cn_map_differs_from_step_map(const cairn_map *map, const cairn_map *step_map);

/* The map's components, which are found on the first call. Any number of threads may call it at
 * once. They belong to the map, and follow its edits; an edit drops them when there is no memory,
 * so call it again after an edit. CAIRN_E_MEMORY. */
cairn_status cn_map_connect(const cairn_map *map, const cn_components **components);

/* Finds them again if the map has been edited since they were found: then their numbers are those
 * of any map that is the same. No other thread may use the map. CAIRN_E_MEMORY. */
cairn_status cn_map_renumber_components(cairn_map *map);

/* Updates the components, if the map has them, after cells were edited. */
void cn_map_reconnect(cairn_map *map);

/* The map's jump planes, which are made on the first call. Any number of threads may call it at
 * once. They belong to the map. CAIRN_E_MEMORY. */
cairn_status cn_map_jump(const cairn_map *map, const cn_jump **jump);

/* The bytes that jump planes and components take on a grid with 8 neighbours and uniform costs, and
 * at most so many components: see cn_jump_memory_of, cn_components_memory_of. */
uint64_t cn_map_runs_memory(const cairn_map *map, uint64_t component_count);

/* The map's corners, made now if they are not there yet; any number of threads may ask at once.
 * They belong to the map, and are gone with its next edit. CAIRN_E_MEMORY. */
cairn_status cn_map_corners(const cairn_map *map, const cn_corners **corners);

/* To be called after cells have opened or closed; `hash` is that of the map before. The corners of
 * then are kept for tables that lack these edits. */
void cn_map_set_corners_aside(cairn_map *map, uint64_t hash);

/* ------------------------------------------------------- what the ways to make a map share -- */

/* The options of the caller, complete, and what follows from them. CAIRN_E_ARGUMENT for a metric,
 * a rule or letters that make no sense. */
cairn_status cn_map_read_options(const cairn_map_options *from, cairn_map_options *options,
                                 cn_rules *rules, cn_mem *mem);

/* The options for a graph, of which only the allocator counts. */
cairn_status cn_map_read_graph_options(const cairn_map_options *from, cn_mem *mem);

/* A map around a grid that it takes over, also when it fails, with the heights of the options. */
cairn_status cn_map_from_grid(cn_grid *grid, const cairn_map_options *options, const cn_mem *mem,
                              cairn_map **map);

/* What CAIRN_E_LIMIT says of a metric. */
#define CN_METRIC_FITS \
  "steps that cost at most " CN_ARC_COST_MAX_TEXT ": metric times factor, plus climb or descent"

/* Says of a failure of cn_map_from_grid what the metric should have been. */
cairn_status cn_map_refuse_metric(cairn_status status, cairn_error *error);

#endif
