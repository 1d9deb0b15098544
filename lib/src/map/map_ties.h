/*
 * Ties: what is kept for a map elsewhere, and goes with it. Who keeps it may end before the map or
 * after it, in any thread, so a tie is guarded by two locks: that of the map, which is taken last,
 * and one of the keeper's own.
 */
#ifndef CN_MAP_MAP_TIES_H
#define CN_MAP_MAP_TIES_H

#include "map/map.h"

/* Part of what is kept; all zero, it is not tied. */
typedef struct cn_map_tie {
    struct cn_map_tie *next;
    struct cn_map_tie **place; /* that points to this one */
    /* The map goes. Tries to take the keeper's lock, since whoever has that may wait for the map's,
     * which the caller has: false where it is taken. Else drops what is kept, with the tie
     * (cn_map_tie_drop). */
    bool (*end)(struct cn_map_tie *tie);
} cn_map_tie;

/* Both for callers who have the keeper's lock. The map is alive as long as the tie is. */
void cn_map_tie_begin(const cairn_map *map, cn_map_tie *tie);
void cn_map_tie_end(const cairn_map *map, cn_map_tie *tie);

/* Takes a tie from its map, whose lock the caller has. */
void cn_map_tie_drop(cn_map_tie *tie);

/* Ends all ties of a map that goes. */
void cn_map_ties_end(cairn_map *map);

#endif
