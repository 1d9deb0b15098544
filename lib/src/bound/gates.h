/*
 * Gates: how rows give bounds although costs have fallen since they were exact.
 *
 * A cell is *opened* if it has opened or become cheaper since. A step is *new* if it enters or
 * leaves an opened cell, or is a diagonal beside one; the others are *old*. Entries of such a row
 * still differ between the ends of an old step by no more than it costs. A *gate* is a connected
 * group of opened cells; its *rim* is made of the cells from which a step leads into it; a *port*
 * is a part of the rim that old steps connect. A *crossing* leads from one rim cell of a gate to
 * another by new steps alone. Those whose ends differ by no more than they cost change nothing; of
 * the others the least cost from port to port is kept. A gate that has none of these is a *niche*:
 * it needs no ports. On a graph each arc that became too cheap is a crossing, and its ends are a
 * rim. docs/ALGORITHMS.md has the bound, and its proof.
 *
 * Tables of corners are served alike, from entries of some more cells: cn_gate_corners.
 */
#ifndef CN_BOUND_GATES_H
#define CN_BOUND_GATES_H

#include "bound/bound_rows.h"
#include "bound/gate_parts.h"
#include "grid/corner_view.h"
#include "table/lacking.h"
#include "table/table_state.h"

enum {
    CN_PORTS_MAX = 32, /* of more ports the nearest are merged */
    CN_SEEN_BITS = 12, /* of the hash of an opened cell */
    CN_SEEN_WORDS = (1 << CN_SEEN_BITS) / 64
};

#define CN_NO_INNER UINT32_MAX

/* How a row may be used. */
typedef enum cn_row_use {
    CN_ROW_LEFT_OUT,
    CN_ROW_BY_GATES,
    CN_ROW_WHOLE /* no crossing changes its entries: it also holds without gates */
} cn_row_use;

typedef struct cn_gate {
    uint32_t ports; /* a bit each; none: a niche, or nothing leads to it */
    uint32_t first; /* of its rim, */
    uint32_t end;   /* and behind it; equal: the rim was too long, and crossing counts as free */
} cn_gate;

/* Entries as limits of the kernels (bound_rows.h), by port; rows of lane_size. */
typedef struct cn_port_limits {
    uint8_t *above;
    uint8_t *below;
} cn_port_limits;

/* How gates serve tables with entries for corners alone. All that they need are entries whose
 * differences no old step exceeds, of the corners of the map as it is, where searches ask for them,
 * and of the rims. Those of the table's set keep theirs; an extension of the set has the others
 * as late members, whose entries are put together like those of any cell, along runs of old steps:
 * on a grid on which opened cells are still blocked. */
typedef struct cn_gate_corners {
    cn_corner_view view; /* along old steps */
    cn_corners *corners; /* the extended set */
    cn_grid grid;        /* the map's, with open cells of its own: those of old steps */
    uint64_t *open;      /* the block that contains them */
} cn_gate_corners;

struct cn_gate_view;
struct cn_cheaper;

/* A lower bound from a node that is not opened, which has these entries; of a grid, the node's
 * place. */
typedef cairn_cost cn_gate_outside(const struct cn_gate_view *view, cn_gate_xy at,
                                   const uint8_t *entries);

/* Such a bound where the rows without gates say `apart`, the base heuristic says less, `base`, and
 * the way by some port may be shorter than `apart`. */
typedef cairn_cost cn_gate_by_ports(const struct cn_gate_view *view, cn_gate_xy at,
                                    const uint8_t *entries, cairn_cost apart, cairn_cost base);

/* The bound of `outside` where there are several parts. */
typedef cairn_cost cn_gate_by_parts(const struct cn_gate_view *view, cn_gate_xy at,
                                    const uint8_t *entries, cairn_cost base);

typedef struct cn_gate_kernels {
    cn_gate_outside *outside;
    cn_gate_by_ports *by_ports;
    cn_gate_by_parts *by_parts;
} cn_gate_kernels;

typedef struct cn_gates {
    cn_mem mem;
    const cairn_map *map; /* whose costs the rows hold */
    const uint8_t *entries;
    cn_gate_corners *extension; /* of a table of corners; NULL: entries are by node */
    bool is_hex;
    bool is_octile;     /* the base heuristic is that of squares, or nothing, and fits a cost */
    bool is_directed;   /* rows in pairs, each of which gives one difference */
    bool is_usable;     /* some rows may be used by gates */
    bool is_outgrown;   /* the map has far more corners than the table's set */
    uint32_t row_count; /* rows that may be used by gates */
    uint32_t lane_count;
    uint32_t entry_bits;
    cn_rows_kernel rows;
    cn_gate_kernels kernels;
    cairn_metric metric;       /* of the base heuristic; nothing on a graph */
    uint8_t use[CN_LANES_MAX]; /* cn_row_use, by lane */
    bool has_whole;

    cairn_node *cells;    /* the opened cells, ascending; of a graph none */
    uint32_t *cell_gate;  /* by cell */
    uint32_t *cell_inner; /* by cell: where its costs to the rim of its gate begin in `inner`;
                           * CN_NO_INNER: the base heuristic tells them */
    cairn_cost *inner;
    size_t inner_count;
    size_t inner_room;
    size_t cell_count;
    size_t opened_count;          /* for how many opened cells there is room in items and rim */
    uint64_t seen[CN_SEEN_WORDS]; /* a bit by a hash of each opened cell */
    cn_gate *items;
    cairn_node *rim; /* of one gate after another */
    size_t rim_count;

    uint32_t port_count;
    uint8_t *high; /* by port: the greatest and the least entry of each lane; rows of lane_size */
    uint8_t *low;
    cn_port_limits to;   /* for a node's entries: what separates it from the port */
    cn_port_limits from; /* for a goal's entries: what separates the port from it */
    size_t lane_size;
    cn_gate_xy centre[CN_PORTS_MAX + 1]; /* by port: a cell, and the greatest base heuristic from it
                                          * to another one */
    cairn_cost radius[CN_PORTS_MAX + 1];
    cn_gate_parts parts;                   /* of a grid */
    uint32_t port_parts[CN_PORTS_MAX + 1]; /* by port: a bit for each part that its cells are in */
    cairn_cost across[CN_PORTS_MAX][CN_PORTS_MAX];  /* from a cell of one port to one of another,
                                                     * by crossings, of which one comes first and
                                                     * one last; CAIRN_COST_MAX: none */
    cairn_cost between[CN_PORTS_MAX][CN_PORTS_MAX]; /* by old steps */
} cn_gates;

/* The goal's row as wide as entries, for rows by gates and for those that also hold without. */
typedef struct cn_gate_limits {
    uint32_t above[CN_LANES_MAX];
    uint32_t below[CN_LANES_MAX];
    uint32_t whole_above[CN_LANES_MAX];
    uint32_t whole_below[CN_LANES_MAX];
} cn_gate_limits;

/* The gates for one goal. */
typedef struct cn_gate_aim {
    uint32_t goal_ports; /* of the gate in which the goal lies */
    uint32_t goal_gate;  /* which */
    cn_gate_xy goal;
    bool is_inside; /* it lies in one that is no niche */
    uint32_t part;  /* of the goal, where it is not inside */
    uint32_t count; /* of ports that lead on */
    uint8_t port[CN_PORTS_MAX];
    cairn_cost rest[CN_PORTS_MAX];    /* from port[i] to the goal, by a crossing first; ascending */
    cairn_cost crossed[CN_PORTS_MAX]; /* the same by port; CAIRN_COST_MAX: it does not lead on */
    cairn_cost direct[CN_PORTS_MAX];  /* by port: to the goal by old steps, or to its gate */
} cn_gate_aim;

/* A port that leads on, with a lane of its interval that is likely to show that the way by it is
 * too long: the one that showed it last. */
typedef struct cn_gate_way {
    cairn_cost rest;
    uint32_t lane;
    uint32_t above;
    uint32_t below;
} cn_gate_way;

/* What a bound is made from. */
typedef struct cn_gate_view {
    const cn_gates *gates;
    const cn_gate_aim *aim;
    const cn_gate_limits *limits;
    cairn_cost *inside; /* room for bounds of the rim, of which those that are known are not
                         * CAIRN_UNREACHABLE; NULL: none */
    cn_gate_way *ways;  /* [CN_PORTS_MAX + 1] like aim->port, and an end with the largest rest */
} cn_gate_view;

/* Gates of the same table on a former state of its map. */
typedef struct cn_gate_past {
    const cn_gates *gates;
    uint64_t map_hash;
    uint64_t map_fixed_hash;
} cn_gate_past;

/* Prepares gates of a table on its map as it is now, in place of former ones: chooses the rows that
 * they may use. */
void cn_gates_prepare(cn_gates *gates, const cairn_table *table, const cairn_map *row_map);

/* Makes gates that are prepared, where the table lacks these changes and these cells are cheaper
 * for it (gate_cheaper.h). They are not usable where it is not known which cells opened, where too
 * many did, or where no row is left. The past, from which those of a table of corners follow, may
 * be NULL. CAIRN_E_MEMORY. */
cairn_status cn_gates_make(cn_gates *gates, const cairn_table *table, const cn_lacking *lacking,
                           const struct cn_cheaper *cheaper, const cn_gate_past *past);
void cn_gates_free(cn_gates *gates);

/* Extends the set of a table by the cells beside the opened ones, which ascend, and by the cells of
 * the map that have become corners since the edits were last applied to the table. The past may be
 * NULL, or have no extension; otherwise only what changed since is found again. *made is NULL where
 * changes are not known, where entries would take too long, or where the map has outgrown the set:
 * *is_outgrown is then true, also for all gates of which these are the past. CAIRN_E_MEMORY. */
cairn_status cn_gate_corners_make(const cairn_table *table, const cairn_map *map,
                                  const cairn_node *opened, size_t opened_count,
                                  const cn_lacking *lacking, const cn_gate_past *past,
                                  cn_gate_corners **made, bool *is_outgrown);
void cn_gate_corners_free(cn_gate_corners *extension, const cn_mem *mem);

/* The bytes that they have taken from their allocator. */
size_t cn_gates_memory(const cn_gates *gates);

/* The entries of any cell: a member's own, or put together in the room. Those of an opened cell
 * tell nothing. */
const uint8_t *cn_gate_corners_at(const cn_gate_corners *extension, cairn_node node, void *room);

/* The entries of a node, which may be put together in the room. */
CN_ALWAYS_INLINE const uint8_t *cn_gates_entries(const cn_gates *gates, cairn_node node,
                                                 uint32_t room[CN_LANES_MAX])
{
    return CN_LIKELY(!gates->extension) ? gates->entries + node * gates->lane_size
                                        : cn_gate_corners_at(gates->extension, node, room);
}

/* The entries of a cell that need not be put together: of any in a table of all cells, of a member
 * in a table of corners, and there all cells of rims are members. */
CN_ALWAYS_INLINE const uint8_t *cn_gate_own_entries(const cn_gates *gates, cairn_node node)
{
    return cn_gates_entries(gates, node, NULL);
}

/* The entries of a member of the extension, of a table of corners. */
CN_ALWAYS_INLINE const uint8_t *cn_gates_corner_row(const cn_gates *gates, uint32_t corner)
{
    return cn_corner_view_row(&gates->extension->view, corner);
}

/* Prepares a goal with its entries, for which there are limits first. */
void cn_gates_limit(const cn_gates *gates, cairn_node goal, const void *entries,
                    cn_gate_limits *limits);
void cn_gates_aim(const cn_gates *gates, cairn_node goal, const cn_gate_limits *limits,
                  cn_gate_aim *aim);

/* Begins the view's ways for another goal, with lanes that show nothing. */
void cn_gate_begin_ways(const cn_gate_view *view);

/* The kernels for entries of 16 or 32 bits and a level of the processor. */
cn_gate_kernels cn_gate_kernels_for(unsigned entry_bits, cn_cpu cpu);

/* A lower bound on the cost from a node to the goal, in costs of the rows, which contains the base
 * heuristic; at most CAIRN_COST_MAX. It is consistent. */
cairn_cost cn_gates_bound(const cn_gate_view *view, cairn_node node);

/* Where opened cells may be, by a hash: a bit of cn_gates.seen. */
CN_ALWAYS_INLINE uint32_t cn_gate_seen_bit(cairn_node node)
{
    return (uint32_t)(node * UINT32_C(2654435761)) >> (32 - CN_SEEN_BITS);
}

CN_ALWAYS_INLINE bool cn_gate_may_be_opened(const cn_gates *gates, cairn_node node)
{
    const uint32_t bit = cn_gate_seen_bit(node);
    return cn_has_bit(gates->seen, bit);
}

/* Where a node lies; nowhere in particular on a graph. */
CN_ALWAYS_INLINE cn_gate_xy cn_gate_place(const cn_gates *gates, cairn_node node)
{
    cn_gate_xy at;
    cn_grid_xy(&gates->map->grid, node, &at.x, &at.y);
    return at;
}

#endif
