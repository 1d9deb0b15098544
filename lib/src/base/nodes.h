/* Lists of nodes, and of other numbers. */
#ifndef CN_BASE_NODES_H
#define CN_BASE_NODES_H

#include "base/mem.h"

/* A list that grows; all zero, it is empty. */
typedef struct cn_nodes {
    cairn_node *items;
    size_t count;
    size_t capacity;
} cn_nodes;

/* The same of other numbers, costs or indices. */
typedef cn_nodes cn_numbers;

_Static_assert(sizeof(cairn_node) == sizeof(cairn_cost), "lists of nodes hold costs too");

/* The bytes that a list has taken from its allocator. */
CN_ALWAYS_INLINE size_t cn_nodes_memory(const cn_nodes *list)
{
    return cn_held_size(list->items, list->capacity, sizeof *list->items);
}

/* Takes more memory, for `count` nodes in all; false when there is none. */
bool cn_nodes_grow(cn_nodes *list, const cn_mem *mem, size_t count);

/* Makes room for `count` nodes in all; false when there is no memory. */
CN_ALWAYS_INLINE bool cn_nodes_reserve(cn_nodes *list, const cn_mem *mem, size_t count)
{
    return CN_LIKELY(count <= list->capacity) || cn_nodes_grow(list, mem, count);
}

/* Appends a node, for which there is room. */
CN_ALWAYS_INLINE void cn_nodes_push(cn_nodes *list, cairn_node node)
{
    list->items[list->count++] = node;
}

CN_ALWAYS_INLINE bool cn_nodes_add(cn_nodes *list, const cn_mem *mem, cairn_node node)
{
    if (!cn_nodes_reserve(list, mem, list->count + 1))
        return false;
    cn_nodes_push(list, node);
    return true;
}

bool cn_nodes_append(cn_nodes *list, const cn_mem *mem, const cairn_node *nodes, size_t count);

/* Puts nodes into ascending order. */
void cn_sort_nodes(cairn_node *nodes, size_t count);

/* A node in the upper half, and in the lower one its place in the list that it comes from. */
typedef uint64_t cn_placed_node;

CN_ALWAYS_INLINE cn_placed_node cn_place_node(cairn_node node, size_t place)
{
    return (uint64_t)node << 32 | place;
}

CN_ALWAYS_INLINE cairn_node cn_placed(cn_placed_node one)
{
    return (cairn_node)(one >> 32);
}

CN_ALWAYS_INLINE size_t cn_place_of(cn_placed_node one)
{
    return (size_t)(one & UINT32_MAX);
}

/* The index of the first one of a node, where they are in ascending order; SIZE_MAX: there is
 * none. */
CN_ALWAYS_INLINE size_t cn_placed_find(const cn_placed_node *nodes, size_t count, cairn_node node)
{
    size_t first = 0, end = count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (cn_placed(nodes[middle]) < node)
            first = middle + 1;
        else
            end = middle;
    }
    return first < count && cn_placed(nodes[first]) == node ? first : SIZE_MAX;
}

/* Puts them into ascending order of nodes; those of one node stay in the order that they are in.
 * There is room for as many again. */
void cn_sort_placed(cn_placed_node *nodes, cn_placed_node *room, size_t count);

/* The index of a node among others in ascending order, or the one that it would have. */
CN_ALWAYS_INLINE size_t cn_nodes_place(const cairn_node *nodes, size_t count, cairn_node node)
{
    size_t first = 0, end = count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (nodes[middle] < node)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Its index; SIZE_MAX: it is none of them. */
CN_ALWAYS_INLINE size_t cn_nodes_find(const cairn_node *nodes, size_t count, cairn_node node)
{
    const size_t place = cn_nodes_place(nodes, count, node);
    return place < count && nodes[place] == node ? place : SIZE_MAX;
}

#endif
