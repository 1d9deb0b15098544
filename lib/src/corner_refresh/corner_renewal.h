/*
 * Another table in place of one of corners: with the same landmarks, as far as these remain, on the
 * map as it is, and with all rows computed at once (table/corner_spread.h), over several steps
 * where need be. Until it is complete the old table stays as it is, and serves by gates.
 */
#ifndef CN_CORNER_REFRESH_CORNER_RENEWAL_H
#define CN_CORNER_REFRESH_CORNER_RENEWAL_H

#include "corner_refresh/corner_landmarks.h"
#include "table/corner_rows.h"
#include "table/corner_spread.h"

/* All zero: none has begun. */
typedef struct cn_corner_renewal {
    cairn_table *made;
    cn_spread *spread;
    uint64_t map_hash;
    cn_landmark_changes changes; /* by the last one that was completed */
} cn_corner_renewal;

/* CAIRN_E_MEMORY: none has begun. */
cairn_status cn_corner_renewal_begin(cn_corner_renewal *self, const cairn_table *table,
                                     const cairn_map *map);

/* Goes on for work that takes as long as floods take for so many entries, of which *work becomes
 * what is left. CAIRN_OK: the table has been replaced; CAIRN_MORE; CAIRN_E_LIMIT where rows cannot
 * be computed so, and after other failures the renewal has ended. */
cairn_status cn_corner_renewal_run(cn_corner_renewal *self, cairn_table *table,
                                   const cairn_map *map, uint64_t *work);
void cn_corner_renewal_end(cn_corner_renewal *self);

/* Puts a table in the place of another one. The state of refreshing stays. */
void cn_corner_renewal_replace(cairn_table *table, cairn_table *made);

#endif
