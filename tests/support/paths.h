/* Paths checked by the oracle. */
#ifndef SUPPORT_PATHS_H
#define SUPPORT_PATHS_H

#include "cairn/cairn.h"
#include "oracle.h"

/* A path given cell by cell is legal and costs what the oracle says; if that is ORACLE_NEVER, there
 * is none. */
void assert_shortest_path(const picture *drawn, oracle_steps steps, const cairn_path *path,
                          cairn_node start, cairn_node goal, uint64_t cost);

#endif
