/* The searches of uniform grids, each made of the core and one space. */
#ifndef CN_SEARCH_GRID_SEARCHERS_H
#define CN_SEARCH_GRID_SEARCHERS_H

#include "search/corner_space.h"

/* Defines a search: a constant space, inlined into the core. `arrivals`: see cn_space.merges. */
#define CN_DEFINE_SEARCH(target, name, arcs_of, bound_of, reads_of, arrivals)                    \
    target static CN_NOINLINE cairn_status name(const cn_query *query, cn_scratch *scratch,      \
                                                cairn_cost *cost)                                \
    {                                                                                            \
        static const cn_space space = {.arcs = arcs_of,                                          \
                                       .bound = bound_of,                                        \
                                       .reads = reads_of,                                        \
                                       .is_fetched = (arrivals) > 0,                             \
                                       .open = CN_OPEN_BUCKETS,                                  \
                                       .merges = (arrivals)};                                    \
        return cn_search_core(&space, query, scratch, query->start_record, CN_NOWHERE,           \
                              query->goal_record, cost);                                         \
    }

/* A search for every kind of it: `bound` and `hex_bound` for squares and hexagons. */
#define CN_DEFINE_SEARCHES(target, what, bound, hex_bound, reads)                                \
    CN_DEFINE_SEARCH(target, cells_##what, cn_arcs_of_cell, bound, reads, 0)                     \
    CN_DEFINE_SEARCH(target, canonical_##what, cn_arcs_canonical, bound, reads, 0)               \
    CN_DEFINE_SEARCH(target, jump_##what, cn_arcs_of_jumps, bound, reads, 4)                     \
    CN_DEFINE_SEARCH(target, cut_##what, cn_arcs_of_cut_jumps, bound, reads, 8)                  \
    CN_DEFINE_SEARCH(target, cross_##what, cn_arcs_of_cross_jumps, bound, reads, 4)              \
    CN_DEFINE_SEARCH(target, hex_##what, cn_arcs_of_hex_jumps, hex_bound, reads, 8)

#define CN_LIST_SEARCHES(what, corners)                                                          \
    {cells_##what, canonical_##what, jump_##what, cut_##what, cross_##what, hex_##what, corners}

/* The bounds of rows for one instruction set, together with a base heuristic. */
#define CN_DEFINE_ROW_BOUNDS(target, cpu, suffix, base_of)                                       \
    target CN_ALWAYS_INLINE cairn_cost bound_of_16##suffix(const void *context, cairn_node node) \
    {                                                                                            \
        const cn_query *query = context;                                                         \
        cairn_cost rows = cn_rows_16_##cpu(query->entries + node * query->stride, query->above,  \
                                           query->below, query->lane_count);                     \
        cairn_cost base = base_of(query, node);                                                  \
        return rows > base ? rows : base;                                                        \
    }                                                                                            \
    target CN_ALWAYS_INLINE cairn_cost bound_of_32##suffix(const void *context, cairn_node node) \
    {                                                                                            \
        const cn_query *query = context;                                                         \
        cairn_cost rows = cn_rows_32_##cpu(query->entries + node * query->stride, query->above,  \
                                           query->below, query->lane_count);                     \
        return cn_larger_cost(base_of(query, node), rows);                                       \
    }

/* The searches with rows for one instruction set; they need table/bound_kernels.h. */
#define CN_DEFINE_ROW_SEARCHES(target, cpu)                                                      \
    CN_DEFINE_ROW_BOUNDS(target, cpu, , cn_query_base)                                           \
    CN_DEFINE_ROW_BOUNDS(target, cpu, _hex, cn_query_hex_base)                                   \
    target CN_ALWAYS_INLINE cairn_cost bound_of_corner_16(const void *context, uint32_t record)  \
    {                                                                                            \
        const cn_query *query = context;                                                         \
        cairn_cost base = cn_corner_base(query, record);                                         \
        cairn_cost rows = cn_corner_has_entries(query, record)                                   \
                              ? cn_rows_16_##cpu(query->entries + record * query->stride,        \
                                                 query->above, query->below, query->lane_count)  \
                              : 0;                                                               \
        return rows > base ? rows : base;                                                        \
    }                                                                                            \
    target CN_ALWAYS_INLINE cairn_cost bound_of_corner_32(const void *context, uint32_t record)  \
    {                                                                                            \
        const cn_query *query = context;                                                         \
        cairn_cost base = cn_corner_base(query, record);                                         \
        cairn_cost rows = cn_corner_has_entries(query, record)                                   \
                              ? cn_rows_32_##cpu(query->entries + record * query->stride,        \
                                                 query->above, query->below, query->lane_count)  \
                              : 0;                                                               \
        return cn_larger_cost(base, rows);                                                       \
    }                                                                                            \
    CN_DEFINE_SEARCHES(target, 16, bound_of_16, bound_of_16_hex, cn_reads_rows)                  \
    CN_DEFINE_SEARCHES(target, 32, bound_of_32, bound_of_32_hex, cn_reads_rows)                  \
    CN_DEFINE_SEARCH(target, corners_16, cn_arcs_of_corners, bound_of_corner_16, cn_reads_rows,  \
                     4)                                                                          \
    CN_DEFINE_SEARCH(target, corners_32, cn_arcs_of_corners, bound_of_corner_32, cn_reads_rows,  \
                     4)                                                                          \
    const cn_searchers cn_searchers_##cpu = {                                                    \
        .rows_16 = CN_LIST_SEARCHES(16, corners_16),                                             \
        .rows_32 = CN_LIST_SEARCHES(32, corners_32),                                             \
    };

#endif
