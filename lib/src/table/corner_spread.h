/*
 * All rows of a table of corners at once: costs spread from the landmarks from member to member of
 * its set, until none falls any more.
 *
 * A member costs the least of what the ends of its runs cost and the runs to them, and of the run
 * to a landmark that it sees (corner_ends.h, docs/ALGORITHMS.md). So costs are passed on from each
 * end to the members whose runs end there, in vectors of all rows. Members are visited down the map
 * and up again, those alone whose costs fell: a few times each on maps of games, in a small part of
 * the time that floods over all cells take.
 */
#ifndef CN_TABLE_CORNER_SPREAD_H
#define CN_TABLE_CORNER_SPREAD_H

#include "base/watch.h"
#include "table/table.h"

/* Computes the entries of all members from the landmarks of the table, which must fit the map.
 * *is_done is false, and the entries are undefined, where floods are faster, would take less
 * memory, or may find costs that entries cannot hold. The watch, at which a stage has begun, counts
 * entries; it may be NULL. CAIRN_E_CANCELLED, CAIRN_E_MEMORY. */
cairn_status cn_corner_spread(cairn_table *table, const cairn_map *map, cn_watch *watch,
                              bool *is_done);

#endif
