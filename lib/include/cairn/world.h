/* Worlds: a map and its table for many readers and one writer at the same time. Part of
 * cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_WORLD_H
#define CAIRN_WORLD_H

#include "cairn/edit.h"
#include "cairn/refresh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A map and its table for any number of readers and one writer, each in its own thread. The writer
 * edits and refreshes a draft, and publishes it when it likes. Readers always get the complete
 * state that was published last, and keep it for as long as they want. Readers never wait for the
 * writer. They wait for one another only for some instructions under a lock, while one looks up
 * what all share of a table that is not completely refreshed. The writer never waits either: where
 * it would have to, its call returns CAIRN_BUSY.
 *
 * There are two copies of map and table, so a world takes twice their memory. After a publication,
 * the other copy becomes the draft as soon as its last reader has released it. Then the same edits
 * are applied to it, and what refreshing wrote is copied, which takes time in proportion to what
 * changed. See docs/decisions/readers.md. */
typedef struct cairn_world cairn_world;

/* A state of a world. `map` and `table` are for every call that takes them as const: searches,
 * bounds, batches, cairn_save. */
typedef struct cairn_view {
    const cairn_map *map;
    const cairn_table *table; /* NULL in a world without one */
    uint64_t version;         /* the number of publications before: 0 for the first state */
    uint32_t side;            /* for cairn_world_release */
} cairn_view;

/* Makes a world whose first state is `map` and `table` as they are now. The world owns them from
 * now on (after a failure the caller still does). `table` may be NULL, and need not be fresh.
 *
 * A map for units that follows the edits of another map (cairn_map_for_units) no longer follows
 * them: the world makes two copies of the map of cells, which remains the caller's.
 * cairn_world_edit then takes edits of cells, and views have the map for units. So a game has a
 * world for each size of units, makes the same edits in each, and publishes one after another.
 *
 * CAIRN_E_MISMATCH for a table of another map, CAIRN_E_ARGUMENT for a map that others follow,
 * CAIRN_E_MEMORY. No other thread may use them, nor the map of cells, meanwhile. */
CAIRN_API cairn_status cairn_world_new(cairn_map *map, cairn_table *table, cairn_world **world);

/* Frees the world with its maps and tables. All views must have been released and searches on them
 * freed, and bounds on them must not be used afterwards. */
CAIRN_API void cairn_world_free(cairn_world *world);

/* For readers, any number of threads at once, and also for the writer. Acquires the state that was
 * published last, by one atomic addition and without waiting. Its memory is not written before the
 * view is released: everything a reader does with it until then happens before the next write.
 *
 * Make one search for each thread, on any view, and call cairn_search_use with the current view
 * before a run; cairn_flood_use does so for floods. The path of a search stays valid after the
 * release, since it holds numbers of nodes only. A cairn_bound is valid until its view is released.
 * An empty view where `world` is NULL. */
CAIRN_API cairn_view cairn_world_acquire(cairn_world *world);

/* Releases a view and makes it empty, so that releasing it again does nothing. Releasing a copy of
 * a view as well is an error: the writer may then write what others read. */
CAIRN_API void cairn_world_release(cairn_world *world, cairn_view *view);

/* The calls below are for the writer, one thread at a time. They work on the draft, which is the
 * published state and what was changed since. All but cairn_world_publish return CAIRN_BUSY, and do
 * nothing, also in a world without a table, while readers still hold the state before the published
 * one: that is possible only between a publication and the end of the queries that ran during it.
 * Try again later, for instance in the next frame. A writer that holds a view itself must not wait
 * for this in a loop, since its own view may be the one that is still held. */

/* Applies edits, with the results of cairn_map_edit; in a world of a map for units, edits of cells.
 * Their data are copied, and kept until the edits have been applied to the other copy, too: until
 * the first edit, step or publication after the next publication. Without publications they take
 * some 80 bytes each for ever. */
CAIRN_API cairn_status cairn_world_edit(cairn_world *world, const cairn_edit *edits, size_t count);

/* Refreshes the table, with the results of cairn_refresh_step. The first steps after a publication
 * copy what it changed into the draft, within the same budget (CAIRN_CELLS(0) then copies only a
 * small part). With tables of corners (cairn_resident) nothing is copied: draft and published state
 * share corners and entries until a step changes them. CAIRN_OK for a world without a table. */
CAIRN_API cairn_status cairn_world_refresh_step(cairn_world *world, cairn_budget budget);

/* Publishes the draft, whether it is completely refreshed or not: views acquired from now on show
 * it, and searches on it are optimal either way. Does nothing when nothing was edited or refreshed
 * since (an edit counts, whether or not it finds the cells as it leaves them). It is fast,
 * except that it first copies what the last publication changed if no refresh step has done that,
 * and that the first publication makes the planes of jump points if readers use them.
 * CAIRN_E_MEMORY, with nothing published; never CAIRN_BUSY, since a draft that was changed has no
 * readers. */
CAIRN_API cairn_status cairn_world_publish(cairn_world *world);

/* The draft as it is, for the writer only: to search on it before it is published, or to get its
 * cairn_table_refresh_counts, which are zero on other views. Valid until the writer edits,
 * refreshes or publishes again; it need not be released. CAIRN_E_MEMORY, with an empty view. */
CAIRN_API cairn_status cairn_world_draft(cairn_world *world, cairn_view *view);

#ifdef __cplusplus
}
#endif

#endif
