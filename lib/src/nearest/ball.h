/* The ball around the common end of a hunt: how it grows. */
#ifndef CN_NEAREST_BALL_H
#define CN_NEAREST_BALL_H

#include "search/search.h"

/* Begins a ball around a node, from which paths lead to the members or, with `CN_REVERSE`, to which
 * they lead from them. The search must have followed its map. CAIRN_E_MEMORY. */
cairn_status cn_ball_begin(cairn_search *search, cairn_node center, cn_way way,
                           const cairn_node *members, size_t count);

/* Expands so many nodes more, of those below the ceiling, but fewer if that takes until `end`, a
 * time of the clock in microseconds (0: none); then scratch.is_paused is set. Otherwise *cost is
 * that of the nearest member, CAIRN_UNREACHABLE if there is none below the ceiling. CAIRN_E_LIMIT
 * where costs are too high to tell, CAIRN_E_MEMORY, CAIRN_E_CANCELLED. */
cairn_status cn_ball_grow(cairn_search *search, uint64_t expansions, uint64_t end,
                          cairn_cost ceiling, cairn_cost *cost);

/* Of the members, the first one at the cost at which the ball reached one of them. */
uint32_t cn_ball_member_at(const cn_ball *ball, const cairn_node *members, cairn_cost cost);

/* How many nodes it would have to expand to reach a cost, if it grows as a disc does, which it does
 * not in corridors: at most all of the map. */
uint64_t cn_ball_size_at(const cn_ball *ball, cairn_cost cost);

#endif
