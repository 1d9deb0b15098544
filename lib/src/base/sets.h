/* Disjoint sets (union-find): each item has a parent, and the root of a set is its own. */
#ifndef CN_BASE_SETS_H
#define CN_BASE_SETS_H

#include "base/base.h"

/* The root of the set of an item; shortens the way to it. */
CN_ALWAYS_INLINE uint32_t cn_set_root(uint32_t *parent, uint32_t item)
{
    while (parent[item] != item) {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    return item;
}

/* Makes one set of those of two items; its root is the lower of the two roots. */
CN_ALWAYS_INLINE void cn_sets_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = cn_set_root(parent, a);
    b = cn_set_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#endif
