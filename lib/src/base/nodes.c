#include "base/nodes.h"

#include <stdlib.h>

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
