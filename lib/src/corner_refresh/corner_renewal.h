/*
 * Another table in place of one of corners: with the same landmarks, as far as these remain, on the
 * map as it is, over several steps where need be. Until it is complete the old table stays as it
 * is, and serves by gates. All rows are computed at once where that is faster
 * (table/corner_spread.h), else one after another (corner_row_floods.h).
 */
#ifndef CN_CORNER_REFRESH_CORNER_RENEWAL_H
#define CN_CORNER_REFRESH_CORNER_RENEWAL_H

#include "corner_refresh/corner_landmarks.h"
#include "corner_refresh/corner_row_floods.h"
#include "table/corner_rows.h"
#include "table/corner_spread.h"

/* All zero: none has begun. */
typedef struct cn_corner_renewal {
    cairn_table *made; /* NULL: none has begun */
    bool has_rows;
    cn_spread *spread; /* of all rows at once, until it is done; else NULL */
    cn_corner_row_floods floods;
    cn_corner_copy taken; /* runs of members, after the rows */
    uint64_t map_hash;
    uint64_t vain_hash;          /* of a map whose rows cannot be computed at once; 0: of none */
    cn_landmark_changes changes; /* by the last one that was completed */
} cn_corner_renewal;

/* Goes on, or begins where none has begun for this map, for work that takes as long as floods take
 * for so many entries, of which *work becomes what is left. Without a limit a
 * flood does not pause. CAIRN_OK: the table has been replaced; CAIRN_E_LIMIT: it has, but rows with
 * costs above CAIRN_COST_MAX are unsafe; CAIRN_MORE. After other failures the renewal has ended. */
cairn_status cn_corner_renewal_run(cn_corner_renewal *self, cairn_table *table,
                                   const cairn_map *map, cn_budget_kind kind, uint64_t *work);

/* Frees memory of the map, without which the renewal goes on all the same. */
void cn_corner_renewal_shrink(cn_corner_renewal *self);
void cn_corner_renewal_end(cn_corner_renewal *self);

/* Puts a table in the place of another one. The state of refreshing stays. */
void cn_corner_renewal_replace(cairn_table *table, cairn_table *made);

#endif
