/* What edits need of each row: whether a cell's entries are those that its neighbours give. */
#ifndef CN_REFRESH_REFRESH_COMPARE_H
#define CN_REFRESH_REFRESH_COMPARE_H

#include <string.h>

#include "refresh/refresh_state.h"

/* Results of the checks by lane, as wide as the entries; not 0: found. */
typedef union cn_row_flags {
    uint16_t narrow[CN_LANES_MAX];
    uint32_t wide[CN_LANES_MAX];
} cn_row_flags;

typedef struct cn_findings {
    cn_row_flags high;   /* an entry that a step could lower, or one beside it to which a step leads
                          * that costs more than entries hold: the row is unsafe */
    cn_row_flags low;    /* an entry that nothing supports */
    cn_row_flags lonely; /* a cell that opened and is not reached; on directed maps any opened
                          * cell, since it may be cut off although no entry changes */
} cn_findings;

/* Compares the entries of an open cell, or a node, with those that its neighbours give. */
void cn_compare_cell(const cn_refresh *self, cairn_node node, cn_findings *found);

/* Gives an opened cell the entries that its neighbours give. */
void cn_compare_and_pull(const cn_refresh *self, cairn_node node, cn_findings *found);

/* Adds what was found at one cell to what was found so far. */
void cn_findings_add(const cairn_table *table, const cn_findings *more, cn_findings *found);

bool cn_found_in_row(const cairn_table *table, const cn_row_flags *found, uint32_t row);
bool cn_found_in_any(const cairn_table *table, const cn_row_flags *found);

/* The entries of a node in all rows, which count as changed. */
CN_ALWAYS_INLINE void *cn_refresh_entries_to_write(const cairn_table *table, cairn_node node)
{
    cn_table_mark(table, node);
    return cn_table_entries_at(table, node, 0);
}

CN_ALWAYS_INLINE size_t cn_refresh_entries_size(const cairn_table *table)
{
    return (size_t)table->row_count * table->entry_bits / 8;
}

#endif
