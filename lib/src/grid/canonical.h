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

#endif
