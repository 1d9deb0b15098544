/* Nodes that a search avoids, and the oracle's arcs without them. */
#ifndef SUPPORT_AVOIDED_H
#define SUPPORT_AVOIDED_H

#include "cairn/cairn.h"
#include "arcs_oracle.h"
#include "random_maps.h"

enum { AVOIDED_MOST = 90 };

typedef struct avoided {
    cairn_node nodes[AVOIDED_MOST];
    cairn_cost extra[AVOIDED_MOST];
    size_t count;
} avoided;

/* Draws a list: none, or some nodes that may not be entered, cost more, or both. They lie anywhere,
 * near a node, or all around it but for a gap now and then. */
void avoided_draw(avoided *list, dice *luck, const oracle_arcs *arcs, cairn_node centre);

/* Whether no node of the list may be entered. */
bool avoided_forbids_all(const avoided *list);

/* The most that is listed for a node; 0 for one that is not listed. */
cairn_cost avoided_extra(const avoided *list, uint32_t node);

/* The arcs that may be taken, at what they cost with the extras. */
oracle_arcs avoided_arcs(const avoided *list, const oracle_arcs *from);

#endif
