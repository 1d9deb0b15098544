/*
 * Dependents of a map: what others keep for it, and has to go with it. Who keeps it may end before
 * the map or after it, in any thread, so two locks guard a dependent: that of the map, which is
 * taken last, and one of the keeper's own.
 */
#ifndef CN_MAP_DEPENDENTS_H
#define CN_MAP_DEPENDENTS_H

#include "map/map.h"

/* The first member of what is kept; all zero, no map knows of it. */
typedef struct cn_dependent {
    struct cn_dependent *next;
    struct cn_dependent **place; /* that points to this one */
    /* The map goes. Tries to take the keeper's lock, since whoever has that may wait for the map's,
     * which the caller has: false where it is taken. Else frees what is kept, after
     * cn_dependent_drop. */
    bool (*end)(struct cn_dependent *self);
} cn_dependent;

/* Both for callers who have the keeper's lock. The map is alive between them. */
void cn_dependent_begin(const cairn_map *map, cn_dependent *self);
void cn_dependent_end(const cairn_map *map, cn_dependent *self);

/* Takes a dependent from its map, whose lock the caller has. */
void cn_dependent_drop(cn_dependent *self);

/* Ends all dependents of a map that goes. */
void cn_map_end_dependents(cairn_map *map);

#endif
