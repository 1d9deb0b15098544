/* The space of a grid on which a search moves from cell to cell. Like those of jump points
 * (jump_space.h, corner_space.h) it is compiled once for each set of vector instructions
 * (search_portable.c, search_avx2.c). */
#ifndef CN_SEARCH_GRID_SPACES_H
#define CN_SEARCH_GRID_SPACES_H

#include "search/query.h"

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

#endif
