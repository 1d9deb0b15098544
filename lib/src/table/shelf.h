/* Where a table keeps gates. Only `bound/gate_shelf` knows them. */
#ifndef CN_TABLE_SHELF_H
#define CN_TABLE_SHELF_H

#include "base/base.h"
#include "system/threads.h"

/* The gates that searches and bounds have made for the table, which is constant to them:
 * bound/gates.h. */
typedef struct cn_gate_shelf {
    cn_spin lock;                                   /* of the rest */
    struct cn_shelved *first;                       /* of each map those of its last state */
    void (*clear)(const struct cairn_table *table); /* NULL: none were kept yet */
    size_t memory;
} cn_gate_shelf;

/* The bytes of the gates that are kept, while other threads may make some. */
CN_ALWAYS_INLINE size_t cn_gate_shelf_memory(const cn_gate_shelf *shelf)
{
    cn_spin *lock = &((cn_gate_shelf *)(uintptr_t)shelf)->lock;
    cn_spin_take(lock);
    const size_t memory = shelf->memory;
    cn_spin_leave(lock);
    return memory;
}

#endif
