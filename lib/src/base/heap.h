/* A binary heap of numbers in the caller's array: the least one is at its top. Williams,
 * "Algorithm 232: heapsort", CACM 1964. A sorted array is one already. */
#ifndef CN_BASE_HEAP_H
#define CN_BASE_HEAP_H

#include "base/base.h"

/* Adds an item; the array must have room for it. */
static inline void cn_heap_push(uint64_t *items, size_t *count, uint64_t item)
{
    size_t at = (*count)++;
    for (; at > 0 && items[(at - 1) / 2] > item; at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = item;
}

/* Removes and returns the least item; there must be one. */
static inline uint64_t cn_heap_pop(uint64_t *items, size_t *count)
{
    const uint64_t least = items[0], last = items[--*count];
    size_t at = 0;

    for (size_t child = 1; child < *count; child = 2 * at + 1) {
        child += child + 1 < *count && items[child + 1] < items[child];
        if (items[child] >= last)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return least;
}

#endif
