/* Lists of nodes. */
#ifndef CN_BASE_NODES_H
#define CN_BASE_NODES_H

#include "base/base.h"

/* Puts nodes into ascending order. */
void cn_sort_nodes(cairn_node *nodes, size_t count);

#endif
