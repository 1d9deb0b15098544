/* The searches of uniform grids, each made of the core and one space. */
#ifndef CN_SEARCH_GRID_SEARCHERS_H
#define CN_SEARCH_GRID_SEARCHERS_H

#include "search/corner_space.h"

/* Defines a search: a constant space, inlined into the core. */
#define CN_DEFINE_SEARCH(target, name, arcs_of, bound_of, reads_of, is_jump)                     \
    target static CN_NOINLINE cairn_status name(const cn_query *query, cn_scratch *scratch,      \
                                                cairn_cost *cost)                                \
    {                                                                                            \
        static const cn_space space = {.arcs = arcs_of,                                          \
                                       .bound = bound_of,                                        \
                                       .reads = reads_of,                                        \
                                       .is_fetched = is_jump,                                    \
                                       .open = CN_OPEN_BUCKETS,                                  \
                                       .merges = is_jump};                                       \
        return cn_search_core(&space, query, scratch, query->start_record, CN_NOWHERE,           \
                              query->goal_record, cost);                                         \
    }

/* The searches with landmark rows for one instruction set; they need table/bound_kernels.h. */
#define CN_DEFINE_ROW_SEARCHES(target, cpu)                                                      \
    target CN_ALWAYS_INLINE cairn_cost bound_of_16(const void *context, cairn_node node)         \
    {                                                                                            \
        const cn_query *query = context;                                                         \
        cairn_cost rows = cn_rows_16_##cpu(query->entries + node * query->stride, query->above,  \
                                           query->below, query->lane_count);                     \
        cairn_cost base = cn_query_base(query, node);                                            \
        return rows > base ? rows : base;                                                        \
    }                                                                                            \
    target CN_ALWAYS_INLINE cairn_cost bound_of_32(const void *context, cairn_node node)         \
    {                                                                                            \
        const cn_query *query = context;                                                         \
        cairn_cost rows = cn_rows_32_##cpu(query->entries + node * query->stride, query->above,  \
                                           query->below, query->lane_count);                     \
        return cn_larger_cost(cn_query_base(query, node), rows);                                 \
    }                                                                                            \
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
    CN_DEFINE_SEARCH(target, cells_16, cn_arcs_of_cell, bound_of_16, cn_reads_rows, false)       \
    CN_DEFINE_SEARCH(target, cells_32, cn_arcs_of_cell, bound_of_32, cn_reads_rows, false)       \
    CN_DEFINE_SEARCH(target, canonical_16, cn_arcs_canonical, bound_of_16, cn_reads_rows, false) \
    CN_DEFINE_SEARCH(target, canonical_32, cn_arcs_canonical, bound_of_32, cn_reads_rows, false) \
    CN_DEFINE_SEARCH(target, jump_16, cn_arcs_of_jumps, bound_of_16, cn_reads_rows, true)        \
    CN_DEFINE_SEARCH(target, jump_32, cn_arcs_of_jumps, bound_of_32, cn_reads_rows, true)        \
    CN_DEFINE_SEARCH(target, corners_16, cn_arcs_of_corners, bound_of_corner_16, cn_reads_rows,  \
                     true)                                                                       \
    CN_DEFINE_SEARCH(target, corners_32, cn_arcs_of_corners, bound_of_corner_32, cn_reads_rows,  \
                     true)                                                                       \
    const cn_searchers cn_searchers_##cpu = {                                                    \
        .rows_16 = {cells_16, canonical_16, jump_16, corners_16},                                \
        .rows_32 = {cells_32, canonical_32, jump_32, corners_32},                                \
    };

#endif
