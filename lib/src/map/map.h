/* The public map handle. */
#ifndef CN_MAP_MAP_H
#define CN_MAP_MAP_H

#include <stdatomic.h>

#include "map/components.h"
#include "grid/grid.h"
#include "map/journal.h"
#include "map/jump_points.h"
#include "base/metric.h"
#include "map/graph.h"

/* A map of nodes and arcs is kept as a grid of one row whose cells are all open and have no steps,
 * beside its roadmap: tables, placement and files then need not know the difference. */
struct cairn_map {
    cn_mem mem;
    cairn_metric metric;
    cn_grid grid;
    cn_roadmap *roads;   /* NULL for grids */
    uint64_t hash;
    uint64_t version;    /* cairn_map_version */
    uint64_t shape;      /* a hash of the heights of all cells, or of the ends of all arcs */
    uint64_t frame;      /* a hash of all that edits leave as it is: size, rule, metric, letters,
                          * shape */
    bool is_even;        /* one factor, 1, no one-way letters and no heights */
    uint32_t unit;       /* units of cost in one of the metric: 1 or 2 */
    cairn_cost step[2];  /* straight, diagonal: times a factor, or times the sum of two */
    cairn_cost slope[2]; /* more for each unit up, down */
    cairn_metric base_metric;  /* least costs of steps, for base heuristics; unused on hexagons */
    cn_journal journal;  /* what cairn_map_edit did to it */
    _Atomic(cn_jump *) jump;  /* NULL until a search first asks for it */
    _Atomic(cn_components *) components;  /* NULL until somebody first asks: see cn_map_connect */
    _Atomic(cairn_map *) step_maps; /* maps without its ground: see cn_map_step_map */
    cairn_map *next_step_map;    /* of a flat map: the next one of the same map */
};

/* A map around a grid that it takes over, also when it fails. Metric {0, 0}: the default. */
cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map);

/* A map around a roadmap that it takes over, also when it fails. */
cairn_status cn_map_new_roads(const cn_mem *mem, cn_roadmap *roads, cairn_map **map);

/* The least and the most that one arc costs; 1 for a map without arcs. */
cairn_cost cn_map_cheapest(const cairn_map *map);
cairn_cost cn_map_dearest(const cairn_map *map);

/* Whether every step of a grid costs step[0] or, slanting, step[1], the same both ways. */
CN_ALWAYS_INLINE bool cn_map_is_even(const cairn_map *map)
{
    return !map->roads && map->is_even;
}

/* Whether, besides, steps lead where grid.offset says: their costs are the metric's two. */
CN_ALWAYS_INLINE bool cn_map_is_uniform(const cairn_map *map)
{
    return cn_map_is_even(map) && map->grid.rules.rule != CAIRN_RULE_HEX;
}

/* Whether, besides, diagonal steps need both sides: canonical successors, jump points and the
 * vector floods hold on such maps alone. */
CN_ALWAYS_INLINE bool cn_map_is_classic(const cairn_map *map)
{
    return cn_map_is_uniform(map) && map->grid.rules.rule == CAIRN_RULE_8;
}

CN_ALWAYS_INLINE bool cn_map_is_directed(const cairn_map *map)
{
    return map->roads ? map->roads->is_directed
                      : cn_rules_are_directed(&map->grid.rules) ||
                            cn_heights_are_directed(&map->grid.heights);
}

/* Whether a way leads back wherever one leads, whatever it costs. */
CN_ALWAYS_INLINE bool cn_map_leads_back(const cairn_map *map)
{
    return map->roads ? !map->roads->is_directed : !cn_rules_have_one_way(&map->grid.rules);
}

/* The hash of a map is that of its size, rules and metric plus one number for each open cell, or
 * arc, so that an edit changes it at the cost of the edit. The mixer is the finalizer of
 * SplitMix64. */
CN_ALWAYS_INLINE uint64_t cn_map_mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

/* What decides the costs of a cell's steps, beside being open: nothing on uniform maps, else the
 * factor, the one-way directions and the height. */
CN_ALWAYS_INLINE uint64_t cn_map_cell_terrain(const cairn_map *map, cairn_node node)
{
    uint8_t letter = map->grid.letters[node];
    if (map->is_even)
        return 0;
    uint64_t height = map->grid.heights.cells ? map->grid.heights.cells[node] : 0;
    return map->grid.rules.factor[letter] | (uint64_t)map->grid.exits[letter] << 16 | height << 32;
}

CN_ALWAYS_INLINE uint64_t cn_map_open_cell_hash(const cairn_map *map, cairn_node node)
{
    return cn_map_mix((node + UINT64_C(1)) * 0x9e3779b97f4a7c15u ^ cn_map_cell_terrain(map, node));
}

/* A cell's part of the hash; 0 for a blocked one. */
CN_ALWAYS_INLINE uint64_t cn_map_cell_hash(const cairn_map *map, cairn_node node)
{
    return cn_grid_is_open(&map->grid, node) ? cn_map_open_cell_hash(map, node) : 0;
}

/* An arc's part of the hash of a graph. */
CN_ALWAYS_INLINE uint64_t cn_map_arc_hash(cairn_node from, cairn_node to, cairn_cost cost)
{
    uint64_t ends = (uint64_t)from << 32 | to;
    return cn_map_mix(cn_map_mix((ends + 1) * 0x9e3779b97f4a7c15u) ^ cost);
}

/* Whether the hash, which edits keep up, is that of the map as it is. Looks at the whole map. */
bool cn_map_hash_is_right(const cairn_map *map);

/* Whether cairn_map_edit would take the edits; it needs memory as well. */
cairn_status cn_map_check_edits(const cairn_map *map, const cairn_edit *edits, size_t count);

/* What happened to a map since it had a certain hash. */
typedef enum cn_changes {
    CN_CHANGES_NONE,       /* it has that hash now */
    CN_CHANGES_KNOWN,      /* the cells that opened or closed are listed */
    CN_CHANGES_FORGOTTEN,  /* it had that hash, or may have had it: the journal no longer reaches
                            * back so far */
    CN_CHANGES_STRANGER    /* it never had */
} cn_changes;

/* *cells stay valid until the next edit; a cell may be listed more than once, and may be back to
 * what it was. `frame` is that of the map whose hash it was: a map with another frame only had the
 * hash where the journal says so. */
cn_changes cn_map_changes(const cairn_map *map, uint64_t hash, uint64_t frame,
                          const cairn_node **cells, size_t *count);

/* Whether maps differ in cells and costs of arcs alone. */
bool cn_map_is_alike(const cairn_map *one, const cairn_map *other);

CN_ALWAYS_INLINE uint32_t cn_map_node_count(const cairn_map *map)
{
    return map->grid.width * map->grid.height;
}

/* The same nodes and steps without ground: every straight step costs metric.straight, every
 * diagonal one metric.diagonal, every arc of a graph 1 (the metric is 1/1, else CAIRN_E_ARGUMENT).
 * The map itself where it is like that. Made now if it is not there yet; any number of threads may
 * ask at once. It belongs to the map, and follows its edits. CAIRN_E_MEMORY. */
cairn_status cn_map_step_map(const cairn_map *map, cairn_metric metric, const cairn_map **step_map);

/* The map's components, found now if they are not there yet; any number of threads may ask at once.
 * They belong to the map, and follow its edits, which drop them when there is no memory: ask again
 * after an edit. CAIRN_E_MEMORY. */
cairn_status cn_map_connect(const cairn_map *map, const cn_components **components);

/* Makes the components right after cells were edited, where the map has them. */
void cn_map_reconnect(cairn_map *map);

/* The map's jump planes, made now if they are not there yet; any number of threads may ask at
 * once. They belong to the map. CAIRN_E_MEMORY. */
cairn_status cn_map_jump(const cairn_map *map, const cn_jump **jump);

#endif
