/*
 * The shelf on which a table keeps gates, for each of its maps those of its last state, and the
 * list of what it lacks of that map. Gates are made when somebody asks first, and serve until map
 * or table change. They go with their map, which may be freed by any thread: so the lock is also
 * needed where nobody else may use the table.
 */
#ifndef CN_BOUND_GATE_SHELF_H
#define CN_BOUND_GATE_SHELF_H

#include "bound/gates.h"
#include "table/lacking.h"

/* Which rows of a table may be used on its map as it is now, and where these are not all, its
 * gates, made if nobody has asked before; NULL: there are none that can be used. Any number of
 * threads may ask at once. They belong to the table, and may be gone once map or table have changed
 * and somebody asks again. CAIRN_E_MEMORY; CAIRN_E_MISMATCH for a table of another map. */
cairn_status cn_gates_of(const cairn_table *table, const cairn_map *row_map, cn_trust *trust,
                         const cn_gates **gates);

/* The same, but makes no gates: *are_made tells whether anyone has made those that are needed. The
 * list of what the table lacks is kept up to date all the same. */
cairn_status cn_gates_if_made(const cairn_table *table, const cairn_map *row_map, cn_trust *trust,
                              const cn_gates **gates, bool *are_made);

/* How many cells the table lacked of its map in the last state in which anyone asked for gates; 0
 * also where that is not known. Any number of threads may ask at once. */
size_t cn_shelf_lacking_before(const cairn_table *table, const cairn_map *row_map);

/* What happened to a map since its edits were last applied to the table: as cn_table_journal_lag,
 * but known for longer where somebody has asked for gates meanwhile. Makes gates where they are
 * needed, and then takes as long as a bound that does. */
cn_lag cn_shelf_lag(const cairn_table *table, const cairn_map *row_map);

/* Both for calls that may change the table. Makes the list of the gates that somebody has asked for
 * last, which belongs to the table, one of what it lacks of the map as it is now.
 * CAIRN_E_MEMORY. */
cairn_status cn_shelf_follow(cairn_table *table, const cairn_map *row_map);

/* That list; NULL: what the table lacks is not known. */
const cn_lacking *cn_shelf_lacking(const cairn_table *table, const cairn_map *row_map);

/* Gives a table, which nobody uses meanwhile, the list of what another one with the same rows lacks
 * of its map, of which the other map is a copy or will be. CAIRN_E_MEMORY. */
cairn_status cn_shelf_hand_on(const cairn_table *from, const cairn_map *from_map, cairn_table *to,
                              const cairn_map *to_map);

#endif
