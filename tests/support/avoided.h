/* Nodes that a search avoids, and the oracle's arcs without them. */
#ifndef SUPPORT_AVOIDED_H
#define SUPPORT_AVOIDED_H

#include "cairn/cairn.h"
#include "arcs_oracle.h"

enum { AVOIDED_MOST = 90 };

typedef struct avoided {
    cairn_node nodes[AVOIDED_MOST];
    cairn_cost extra[AVOIDED_MOST];
    size_t count;
} avoided;

/* The most that is listed for a node; 0 for one that is not listed. */
cairn_cost avoided_extra(const avoided *list, uint32_t node);

/* The arcs that may be taken, at what they cost with the extras. */
oracle_arcs avoided_arcs(const avoided *list, const oracle_arcs *from);

#endif
