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

/* Whether costs spread in less time than so many floods take, and cannot be too large for entries
 * along one run. */
bool cn_corner_spread_is_faster(const cairn_table *table, const cairn_map *map, uint32_t floods);

/* No run costs more. So no cell costs more than a member that sees it by more than this. */
CN_ALWAYS_INLINE uint64_t cn_corner_run_most(const cairn_table *table, const cairn_map *map)
{
    return ((uint64_t)table->width + table->height) * map->metric.diagonal;
}

/* Computes the entries of all rows from the landmarks of the table, which must fit the map, into
 * zeroed entries for the members of its set, which may be its own. *is_done is false, and the
 * entries are undefined, where that would take much memory, or longer than floods, or may find
 * costs that entries cannot hold. The watch, at which a stage has begun, counts entries; it may be
 * NULL. CAIRN_E_CANCELLED, CAIRN_E_MEMORY. */
cairn_status cn_corner_spread(const cairn_table *table, const cairn_map *map, void *entries,
                              cn_watch *watch, bool *is_done);

/* The same in slices. cn_spread_begin takes time in proportion to the set. cn_spread_run goes on
 * for work that takes as long as floods take for so many entries, *work, of which it leaves what it
 * did not need; CAIRN_MORE: it has paused. The map is that of the beginning, or equals it. */
typedef struct cn_spread cn_spread;
cairn_status cn_spread_begin(const cairn_table *table, const cairn_map *map, void *entries,
                             cn_watch *watch, cn_spread **made);
cairn_status cn_spread_run(cn_spread *self, const cairn_map *map, uint64_t *work, bool *is_done);
void cn_spread_free(cn_spread *self);

#endif
