/*
 * The cells at which something may cost less now than entries of a table allow: opened ones and, on
 * maps whose steps do not all cost the same, those with such a step. Only they need gates. Whatever
 * else changed, as a cell that closed or an arc that became dearer, leaves entries too low.
 *
 * The list follows a map from one state to the next, so that only what changed between the two is
 * compared with entries. So arcs may become dearer one after another, and thousands of them at
 * once, for as long as a graph lives.
 */
#ifndef CN_BOUND_GATE_CHEAPER_H
#define CN_BOUND_GATE_CHEAPER_H

#include "base/nodes.h"
#include "bound/gates.h"

/* All zero: nothing is known. */
typedef struct cn_cheaper {
    bool is_known;          /* these are all */
    uint64_t table_version; /* whose entries were compared */
    uint64_t map_hash;
    uint64_t map_fixed_hash;
    cn_nodes cells; /* ascending; of a graph nodes */
} cn_cheaper;

/* Makes an empty list that of gates which are prepared (cn_gates_prepare), from the list of a
 * former state, where that is of this state of the table and not NULL, or else from what the table
 * lacks. It is not known then where the map has forgotten what changed, but on graphs, where all
 * nodes are examined instead; or where no row may be used. CAIRN_E_MEMORY. */
cairn_status cn_cheaper_follow(cn_cheaper *self, const cn_cheaper *former, const cn_gates *gates,
                               const cairn_table *table, const cn_lacking *lacking);

/* Makes an empty list a copy of another one, for a table with the same entries. CAIRN_E_MEMORY: it
 * stays empty. */
cairn_status cn_cheaper_copy(cn_cheaper *self, const cn_mem *mem, const cn_cheaper *from,
                             const cairn_table *table);

void cn_cheaper_free(cn_cheaper *self, const cn_mem *mem);

/* The bytes that it has taken from its allocator. */
size_t cn_cheaper_memory(const cn_cheaper *self);

#endif
