#include "base/nodes.h"

#include <stdlib.h>
#include <string.h>

bool cn_nodes_grow(cn_nodes *list, const cn_mem *mem, size_t count)
{
    return CN_GROW(mem, list->items, &list->capacity, list->count, count);
}

bool cn_nodes_append(cn_nodes *list, const cn_mem *mem, const cairn_node *nodes, size_t count)
{
    if (!cn_nodes_reserve(list, mem, list->count + count))
        return false;
    if (count)
        memcpy(list->items + list->count, nodes, count * sizeof *nodes);
    list->count += count;
    return true;
}

static int compare_nodes(const void *one, const void *other)
{
    const cairn_node a = *(const cairn_node *)one, b = *(const cairn_node *)other;
    return (a > b) - (a < b);
}

void cn_sort_nodes(cairn_node *nodes, size_t count)
{
    if (count)
        qsort(nodes, count, sizeof *nodes, compare_nodes);
}

/* By one digit of the node. False, with nothing moved, where all have the same. */
static bool sort_by_digit(const cn_placed_node *from, cn_placed_node *to, size_t count,
                          unsigned shift)
{
    enum { DIGITS = 256 };
    size_t first[DIGITS] = {0}, before = 0;

    for (size_t i = 0; i < count; i++)
        first[from[i] >> shift & (DIGITS - 1)]++;
    if (first[from[0] >> shift & (DIGITS - 1)] == count)
        return false;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const size_t here = first[digit];
        first[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        to[first[from[i] >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

/* By insertion. */
static void sort_few(cn_placed_node *nodes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const cn_placed_node one = nodes[i];
        size_t at = i;
        for (; at > 0 && cn_placed(nodes[at - 1]) > cn_placed(one); at--)
            nodes[at] = nodes[at - 1];
        nodes[at] = one;
    }
}

/* From the lowest digit to the highest one; a few are sorted in less time than digits are
 * counted. */
void cn_sort_placed(cn_placed_node *nodes, cn_placed_node *room, size_t count)
{
    enum { FEW = 24 };
    cn_placed_node *from = nodes, *to = room;

    if (count <= FEW) {
        sort_few(nodes, count);
        return;
    }
    for (unsigned shift = 32; shift < 64; shift += 8) {
        if (!sort_by_digit(from, to, count, shift))
            continue;
        cn_placed_node *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != nodes)
        memcpy(nodes, from, count * sizeof *nodes);
}
