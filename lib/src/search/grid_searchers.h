/* The searches of uniform grids, each made of the core and one space: that of cells, which is here,
 * or of jump points (jump_space.h, corner_space.h). Each is compiled once for each set of vector
 * instructions (search_portable.c, search_avx2.c). */
#ifndef CN_SEARCH_GRID_SEARCHERS_H
#define CN_SEARCH_GRID_SEARCHERS_H

#include "search/corner_space.h"

/* In the low byte of a mark, where a search moves from cell to cell; the byte becomes 0 again when
 * a node is reopened. */
enum { CN_EXPANDED = 1 };

/* Every legal step. */
CN_ALWAYS_INLINE cn_leaving cn_arcs_of_cell(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    const cn_steps *steps = &query->steps[query->grid->moves[query->grid->around[visit->node]]];
    visit->record->mark |= CN_EXPANDED;
    return (cn_leaving){steps->arcs, steps->count, visit->node};
}

/* Defines a search: a constant space, inlined into the core. `arrivals`: see cn_space.merges. */
#define CN_DEFINE_SEARCH(target, name, arcs_of, bound_of, reads_of, arrivals)             \
  target static CN_NOINLINE cairn_status name(const cn_query *query, cn_scratch *scratch, \
                                              cairn_cost *cost)                           \
  {                                                                                       \
    static const cn_space space = {.arcs = arcs_of,                                       \
                                   .bound = bound_of,                                     \
                                   .reads = reads_of,                                     \
                                   .is_fetched = (arrivals) > 0,                          \
                                   .open = CN_OPEN_BUCKETS,                               \
                                   .merges = (arrivals)};                                 \
    return cn_astar_run(&space, query, scratch, query->start_record, CN_NOWHERE,          \
                        query->goal_record, cost);                                        \
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
                                   .merges = 4};                                          \
    return cn_astar_run(&space, query, scratch, query->start_record, CN_NOWHERE,          \
                        query->goal_record, cost);                                        \
  }

/* A search for every kind of it: `bound` and `hex_bound` for squares and hexagons. */
#define CN_DEFINE_SEARCHES(target, what, bound, hex_bound, reads)                 \
  CN_DEFINE_SEARCH(target, cells_##what, cn_arcs_of_cell, bound, reads, 0)        \
  CN_DEFINE_SEARCH(target, jump_##what, cn_arcs_of_jumps, bound, reads, 4)        \
  CN_DEFINE_SEARCH(target, cut_##what, cn_arcs_of_cut_jumps, bound, reads, 8)     \
  CN_DEFINE_SEARCH(target, cross_##what, cn_arcs_of_cross_jumps, bound, reads, 4) \
  CN_DEFINE_SEARCH(target, hex_##what, cn_arcs_of_hex_jumps, hex_bound, reads, 8)

#define CN_LIST_SEARCHES(what, corners)                                      \
  {                                                                          \
    cells_##what, jump_##what, cut_##what, cross_##what, hex_##what, corners \
  }

/* CN_DEFINE_SEARCHES where `what` is made by a macro, which has to be expanded first. */
#define CN_DEFINE_SEARCHES_OF(target, what, bound, hex_bound, reads) \
  CN_DEFINE_SEARCHES(target, what, bound, hex_bound, reads)

#endif
