/* A prepared query, which is the context of every space and bound of the core; the bounds of
 * uniform grids, the space of their cells, and how a search is made of a space and a bound. */
#ifndef CN_SEARCH_QUERY_H
#define CN_SEARCH_QUERY_H

#include "bound/bound.h"
#include "bound/gates.h"
#include "map/corner_arcs.h"
#include "map/jump_points.h"
#include "search/astar_core.h"
#include "search/avoidance.h"

/* The arcs for a set of directions, relative to the node that they leave. */
typedef struct cn_steps {
    cn_arc arcs[CN_DIRECTIONS];
    size_t count;
} cn_steps;

enum { CN_STEP_SETS = 1 << CN_DIRECTIONS };

typedef struct cn_query {
    const cn_grid *grid;
    const cn_jump *jump;   /* NULL where jump points are not used */
    const cn_steps *steps; /* by set of directions; NULL where no space over cells is used */
    cairn_metric metric;   /* diagonal is 2 * straight on grids without diagonal steps */
    cn_cpu cpu;
    cairn_node start;
    cairn_node goal;
    /* Records are indexed by node; or by number in a set of corners, with two more for a start and
     * a goal that are not in it. Entries of rows are by node or by number, too, as search_follow.c
     * chooses:
     *
     *     records                         entries
     *     by node                         none, or by node (a table of corners has none of most
     *                                     nodes: corner_table)
     *     by corner of the map            none, or by node
     *     by corner of a table of corners, or of the extended set of its gates
     *                                     by number in that set
     */
    const cn_corners *corners;         /* NULL: by node */
    const cn_corner_arcs *corner_arcs; /* runs that are known, by number; NULL: none are */
    /* A bit by number: runs of this corner may lead elsewhere now. NULL: of no corner. */
    const uint64_t *expired;
    cn_corner_arcs *found_arcs; /* corner_arcs, if runs may be added that are found; else NULL */
    uint32_t start_number; /* the index of its record: the node itself, or a number in the set */
    uint32_t goal_number;
    uint32_t goal_x;
    uint32_t goal_y;
    const uint8_t *entries; /* of the table; NULL: only the base heuristic is used */
    size_t stride;          /* bytes from one node's entries to the next */
    bool has_entries_by_node;
    uint32_t lane_count;
    uint32_t entry_bits;
    uint32_t row_count;
    bool limits_first_runs; /* of very many runs from the start those are left out by way of which
                             * every path costs more than one by way of a landmark */
    const void *above;      /* the goal's row: see bound_rows.h */
    const void *below;
    const cn_avoidance *avoided;   /* NULL: no node is avoided */
    const cn_gate_view *gate_view; /* for rows that do not hold every opening; NULL: all do */
    bool is_direct; /* the kernel of the rows gives their bound from the entries of a node, as they
                     * are in the table */
    /* For searches on any map (searchers.c): */
    const cairn_map *map;
    const cairn_table *corner_table; /* whose entries are read at members of its set; NULL: none */
    cn_rows_kernel rows;
    cn_scale scale; /* for the result of `rows` */
    cairn_heuristic heuristic;
    uint32_t weight; /* in thousandths */
    cairn_cost (*own_bound)(void *context, cairn_node node);
    void *own_context;
    void (*on_expand)(void *context, cairn_node node);
    void *expand_context;
} cn_query;

/* The arcs that leave a node on any map, and may be taken. */
CN_ALWAYS_INLINE cn_arc_span cn_query_arcs(const cn_query *query, cairn_node node, cn_arc *scratch)
{
    cn_arc_span span = cn_map_arcs(query->map, node, CN_FORWARD, scratch);
    return query->avoided ? cn_avoidance_arcs(query->avoided, span, scratch) : span;
}

/* ---------------------------------------------------------------------------------- bounds -- */

CN_ALWAYS_INLINE cairn_cost cn_query_base(const cn_query *query, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(query->grid, node, &x, &y);
    return cn_octile(query->metric, x, y, query->goal_x, query->goal_y);
}

CN_ALWAYS_INLINE cairn_cost cn_query_hex_base(const cn_query *query, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(query->grid, node, &x, &y);
    return query->metric.straight * cn_hex_steps(x, y, query->goal_x, query->goal_y);
}

/* The base heuristic with slopes. */
CN_ALWAYS_INLINE cairn_cost cn_query_sloping_base(const cn_query *query, bool is_hex,
                                                  cairn_node node)
{
    cairn_cost base = is_hex ? cn_query_hex_base(query, node) : cn_query_base(query, node);
    return base + cn_slope_cost(query->map, node, query->goal);
}

/* The base heuristic of the search, whatever its kind. */
CN_ALWAYS_INLINE cairn_cost cn_query_kind_base(const cn_query *query, cairn_node node)
{
    return cn_query_sloping_base(query, query->jump && query->jump->shape == CN_JUMP_HEX, node);
}

CN_ALWAYS_INLINE cairn_cost cn_bound_of_hex_base(const void *context, cairn_node node)
{
    return cn_query_hex_base(context, node);
}

CN_ALWAYS_INLINE cairn_cost cn_bound_of_base(const void *context, cairn_node node)
{
    return cn_query_base(context, node);
}

CN_ALWAYS_INLINE const void *cn_reads_rows(const void *context, cairn_node node)
{
    const cn_query *query = context;
    return query->entries + node * query->stride;
}

/* What a path costs from the start by way of a corner near it and a landmark; where a row has
 * several landmarks in one component, there need not be one so cheap. CAIRN_UNREACHABLE: nothing is
 * known. The context is a query with the exact entries of its goal. */
cairn_cost cn_query_corner_way(const void *context);

/* What cn_query_rows gives beside a table of corners: what the rows say at a member of its set, or
 * of that of its gates, and at the start of a search from cell to cell; 0 at any other node, whose
 * entries would have to be put together. */
cairn_cost cn_query_corner_rows(const cn_query *query, cairn_node node);

/* The bound of the rows for a node, whatever they count, by a kernel for all widths. */
CN_ALWAYS_INLINE cairn_cost cn_query_rows(const cn_query *query, cairn_node node)
{
    const uint8_t *entries = query->entries + node * query->stride;
    if (CN_LIKELY(query->is_direct))
        return query->rows(entries, query->above, query->below, query->lane_count);
    if (query->corner_table)
        return cn_query_corner_rows(query, node);
    if (query->gate_view)
        return cn_scale_up(query->scale, cn_gates_bound(query->gate_view, node));
    return cn_scale_up(query->scale,
                       query->rows(entries, query->above, query->below, query->lane_count));
}

CN_ALWAYS_INLINE cairn_cost cn_larger_cost(cairn_cost base, cairn_cost rows)
{
    if (rows <= base)
        return base;
    return CN_UNLIKELY(rows > CAIRN_COST_MAX) ? CAIRN_UNREACHABLE : rows;
}

/* ------------------------------------------------------------------------ the space of cells -- */

/* Every legal step. */
CN_ALWAYS_INLINE cn_leaving cn_arcs_of_cell(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    const cn_steps *steps = &query->steps[query->grid->moves[query->grid->around[visit->node]]];
    cn_record_take_all_steps(visit->record);
    return (cn_leaving){steps->arcs, steps->count, visit->node};
}

/* ---------------------------------------------------------------------------------- searches -- */

/* A search is made of the core and one space: of cells, or of jump points (jump_space.h,
 * corner_space.h). Those with rows are compiled once for each set of vector instructions
 * (search_portable.c, search_avx2.c), the others once (searchers.c). */
typedef cairn_status (*cn_searcher)(const cn_query *query, cn_scratch *scratch, cairn_cost *cost);

/* The kinds of searches; CN_KIND_JUMP + cn_jump_shape. Jump points by corner are classic ones. */
enum { CN_KIND_CELLS, CN_KIND_JUMP, CN_KIND_CORNERS = CN_KIND_JUMP + CN_JUMP_SHAPES, CN_KINDS };

/* The searches of one instruction set, by kind and bound. */
typedef struct cn_searchers {
    cn_searcher rows_16[CN_KINDS];
    cn_searcher rows_32[CN_KINDS];
    cn_searcher gates_16[CN_KINDS]; /* for rows that are used by gates */
    cn_searcher gates_32[CN_KINDS];
    cn_searcher corners_base; /* jump points by corner, with the base heuristic alone */
} cn_searchers;

extern const cn_searchers cn_searchers_portable;
#if CN_CPU_X86
extern const cn_searchers cn_searchers_avx2;
#endif

/* Defines a search: a constant space, inlined into the core. `how`: a cn_merging. */
#define CN_DEFINE_SEARCH(target, name, arcs_of, bound_of, reads_of, how)                  \
  target static CN_NOINLINE cairn_status name(const cn_query *query, cn_scratch *scratch, \
                                              cairn_cost *cost)                           \
  {                                                                                       \
    static const cn_space space = {.arcs = arcs_of,                                       \
                                   .bound = bound_of,                                     \
                                   .reads = reads_of,                                     \
                                   .is_fetched = (how) != CN_MERGE_NEVER,                 \
                                   .open = CN_OPEN_BUCKETS,                               \
                                   .merging = (how)};                                     \
    return cn_astar_run(&space, query, scratch, query->start_number, CN_NOWHERE,          \
                        query->goal_number, cost);                                        \
  }

/* Defines a search along jump points whose records are indexed by corner. */
#define CN_DEFINE_CORNER_SEARCH(target, name, bound_of, reads_of)                         \
  target static CN_NOINLINE cairn_status name(const cn_query *query, cn_scratch *scratch, \
                                              cairn_cost *cost)                           \
  {                                                                                       \
    static const cn_space space = {.arcs = cn_arcs_of_corners,                            \
                                   .xy = cn_xy_of_corner,                                 \
                                   .bound_at = bound_of,                                  \
                                   .reads = reads_of,                                     \
                                   .is_fetched = true,                                    \
                                   .open = CN_OPEN_BUCKETS,                               \
                                   .merging = CN_MERGE_BY_STRAIGHT};                      \
    return cn_astar_run(&space, query, scratch, query->start_number, CN_NOWHERE,          \
                        query->goal_number, cost);                                        \
  }

/* A search for every kind of it: `bound` and `hex_bound` for squares and hexagons. */
#define CN_DEFINE_SEARCHES(target, what, bound, hex_bound, reads)                             \
  CN_DEFINE_SEARCH(target, cells_##what, cn_arcs_of_cell, bound, reads, CN_MERGE_NEVER)       \
  CN_DEFINE_SEARCH(target, jump_##what, cn_arcs_of_jumps, bound, reads, CN_MERGE_BY_STRAIGHT) \
  CN_DEFINE_SEARCH(target, cut_##what, cn_arcs_of_cut_jumps, bound, reads, CN_MERGE_BY_ALL)   \
  CN_DEFINE_SEARCH(target, cross_##what, cn_arcs_of_cross_jumps, bound, reads,                \
                   CN_MERGE_BY_STRAIGHT)                                                      \
  CN_DEFINE_SEARCH(target, hex_##what, cn_arcs_of_hex_jumps, hex_bound, reads, CN_MERGE_BY_ALL)

#define CN_LIST_SEARCHES(what, corners)                                      \
  {                                                                          \
    cells_##what, jump_##what, cut_##what, cross_##what, hex_##what, corners \
  }

/* CN_DEFINE_SEARCHES where `what` is made by a macro, which has to be expanded first. */
#define CN_DEFINE_SEARCHES_OF(target, what, bound, hex_bound, reads) \
  CN_DEFINE_SEARCHES(target, what, bound, hex_bound, reads)

#endif
