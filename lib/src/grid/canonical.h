/*
 * The canonical ordering of a rule: of the shortest paths between two cells, the one with the
 * fewest steps, of those the one with the fewest diagonal steps, and of those the one that takes
 * its major steps earliest. After a step p -> x, a step x -> n belongs to no such path if a path p
 * -> n that avoids x, inside the neighbourhood of x, comes before it in this order. The steps that
 * remain are found by enumeration, under any rule and for any metric with straight <= diagonal <= 2
 * * straight. (Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", AAAI
 * 2011; Sturtevant and Rabin, "Canonical orderings on grids", IJCAI 2016; for 4 neighbours: Baum,
 * "Jump point search pathfinding in 4-connected grids", 2025.)
 */
#ifndef CN_GRID_CANONICAL_H
#define CN_GRID_CANONICAL_H

#include "grid/directions.h"

/* For each direction of arrival, and for none (CN_NOWHERE), and the openness around a cell: which
 * of its legal steps, `moves`, a canonical path may take. The previous cell counts as open, and the
 * step from it as legal, whatever the openness says. */
void cn_canonical_fill(cairn_rule rule, const uint8_t moves[256], uint8_t steps[][256]);

/* Where steps do not all cost the same, the costs decide whether a path p -> n that avoids x comes
 * before p -> x -> n: if it is cheaper, or costs the same and wins ties. */
typedef struct cn_detour {
    uint8_t middle; /* the direction from x to the cell between p and n; to n where p -> n is a
                     * single step */
    uint8_t first;  /* the direction from p to that cell */
    uint8_t second; /* the direction from there to n; CN_NOWHERE: it is n */
    bool wins_ties;
} cn_detour;

enum { CN_DETOURS = 24 };
typedef struct cn_detours {
    cn_detour list[CN_DETOURS];
    uint8_t end[CN_DIRECTIONS + 1]; /* list[end[e]] up to list[end[e + 1]] avoid the step from x in
                                     * direction e */
} cn_detours;

/* The detours inside the neighbourhood of x, for a direction of arrival. None avoids the step
 * back. */
void cn_canonical_detours(cairn_rule rule, unsigned arrival, cn_detours *detours);

#endif
