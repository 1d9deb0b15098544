/* The heap of the textbook: binary, with double keys; entries that a better one has made stale stay
 * in it. The room for them is the caller's. */
#ifndef PEERS_BINARY_HEAP_H
#define PEERS_BINARY_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct heap_item {
    double key;
    uint32_t node;
} heap_item;

typedef struct binary_heap {
    heap_item *items;
    size_t count;
} binary_heap;

static inline void heap_push(binary_heap *heap, double key, uint32_t node)
{
    size_t place = heap->count++;
    while (place > 0 && heap->items[(place - 1) / 2].key > key) {
        heap->items[place] = heap->items[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap->items[place] = (heap_item){key, node};
}

static inline heap_item heap_pop(binary_heap *heap)
{
    heap_item top = heap->items[0];
    heap_item last = heap->items[--heap->count];
    size_t place = 0;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && heap->items[child + 1].key < heap->items[child].key)
            child++;
        if (heap->items[child].key >= last.key)
            break;
        heap->items[place] = heap->items[child];
        place = child;
    }
    heap->items[place] = last;
    return top;
}

#endif
