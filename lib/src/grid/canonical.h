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

/* Where steps do not all cost the same, the costs decide whether a path p -> m -> n that avoids x,
 * or the step p -> n, comes before p -> x -> n: if it is cheaper, or costs the same and wins ties.
 * Cells of the neighbourhood are named by the directions that lead to them from x, which is itself
 * CN_NOWHERE. */
enum { CN_HOOD = CN_DIRECTIONS + 1 };
typedef struct cn_hood {
    uint8_t steps[CN_HOOD];             /* those that lead from one of these cells to another */
    uint8_t to[CN_HOOD][CN_DIRECTIONS]; /* the cell that such a step leads to */
    /* By the direction from p to x: */
    uint8_t middles[CN_DIRECTIONS]; /* the cells that steps from p lead to, as bits */
    /* [..][m][n]; 1: the path by m wins ties; for m = n, the step p -> n */
    uint32_t ties[CN_DIRECTIONS][CN_DIRECTIONS][CN_DIRECTIONS];
} cn_hood;

void cn_canonical_hood(cairn_rule rule, cn_hood *hood);

#endif
