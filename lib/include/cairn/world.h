/* Worlds: a map and its table for many readers beside one writer. Part of cairn/cairn.h, which
 * says what holds for all of them. */
#ifndef CAIRN_WORLD_H
#define CAIRN_WORLD_H

#include "cairn/edit.h"
#include "cairn/refresh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A map and its table for any number of readers beside one writer, each in a thread of its own. The
 * writer edits and refreshes a draft, and publishes it when it likes; readers always find the state
 * that was published last, whole, and keep it for as long as they want. Readers never wait, neither
 * for the writer nor for one another. The writer never waits either: where it would have to, it is
 * told so (CAIRN_BUSY).
 *
 * There are two copies of map and table, so that a world takes twice their memory, whatever
 * changes. The copy that was published before becomes the draft again as soon as its last reader
 * has left: it takes the same edits, and copies what refreshing wrote, which takes time by what
 * changed. See docs/decisions/readers.md. */
typedef struct cairn_world cairn_world;

/* A state of a world. `map` and `table` are for every call that takes them as const: searches,
 * bounds, batches, cairn_save. */
typedef struct cairn_view {
    const cairn_map *map;
    const cairn_table *table;  /* NULL in a world without one */
    uint64_t version;          /* how often had been published then: 0 for the first state */
    uint32_t side;             /* for cairn_world_release */
} cairn_view;

/* Makes a world, whose first state is as `map` and `table` are now. They become the world's (after
 * a failure they stay the caller's); `table` may be NULL, or not be fresh. CAIRN_E_MISMATCH for a
 * table of another map, CAIRN_E_MEMORY. No other thread may use them meanwhile. */
CAIRN_API cairn_status cairn_world_new(cairn_map *map, cairn_table *table, cairn_world **world);

/* Frees map and table as well. All views must have been released; searches and bounds on them are
 * given back or forgotten before. */
CAIRN_API void cairn_world_free(cairn_world *world);

/* For readers, any number of threads at once, and the writer, too. Takes hold of the state that was
 * published last: one atomic addition, never a wait. Everything a reader did to the view before it
 * releases it is over when the memory is written again.
 *
 * A search is made once for each thread, on any view, and before a run is led to the one at hand by
 * cairn_search_use; its path holds numbers of nodes alone and stays valid. A cairn_bound is
 * valid until its view is released. Of NULL: an empty view. */
CAIRN_API cairn_view cairn_world_acquire(cairn_world *world);

/* Lets go of a view, and empties it, so that to release it again does nothing; to release a copy of
 * it again lets the writer write what is being read. */
CAIRN_API void cairn_world_release(cairn_world *world, cairn_view *view);

/* For one thread at a time, the writer. These work on the draft, which is the published state but
 * for what was done to it since. All return CAIRN_BUSY, with nothing done, while readers still hold
 * the state before the published one, which at most happens between a publication and the end of
 * the queries that ran then: try again later, for instance in the next frame. The thread itself may
 * be such a reader, so that it must not wait in a loop with a view in its hand. */

/* Applies edits as cairn_map_edit does, whose results it returns. Their data are copied and kept
 * until the other copy has taken them. */
CAIRN_API cairn_status cairn_world_edit(cairn_world *world, const cairn_edit *edits, size_t count);

/* Refreshes the table as cairn_refresh_step does, whose results it returns; the first steps after a
 * publication copy what that changed, within the same budget (CAIRN_CELLS(0) then does no more than
 * a little of that). A world without a table returns CAIRN_OK. */
CAIRN_API cairn_status cairn_world_refresh_step(cairn_world *world, cairn_budget budget);

/* Publishes the draft, whether it is refreshed or not: readers that come from now on find it, and
 * their searches are optimal either way. Does nothing when there is nothing new. Takes no time
 * worth mentioning, unless no step was made after the edits: then it first copies what the last
 * publication changed; and the first one makes planes of jump points where readers have.
 * CAIRN_E_MEMORY, with nothing published; never CAIRN_BUSY, since a draft that was changed has no
 * readers. */
CAIRN_API cairn_status cairn_world_publish(cairn_world *world);

/* The draft as it is, for the writer alone: to search on it before it is published, or to ask for
 * cairn_table_refresh_counts, which are zero on other views. Valid until the writer edits,
 * refreshes or publishes again; it need not be released. CAIRN_E_MEMORY, with an empty view. */
CAIRN_API cairn_status cairn_world_draft(cairn_world *world, cairn_view *view);

#ifdef __cplusplus
}
#endif

#endif
