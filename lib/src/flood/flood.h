/* Floods: costs from a set of nodes to every node. One interface to several engines, which all give
 * the same result. */
#ifndef CN_FLOOD_FLOOD_H
#define CN_FLOOD_FLOOD_H

#include "base/budget.h"
#include "flood/plane.h"

typedef struct cn_flooder cn_flooder;

/* What a flooder is for. */
typedef enum cn_flood_use {
    CN_FLOOD_MANY,  /* many runs */
    CN_FLOOD_ONE,   /* a single run: less is prepared, and a run may take longer */
    CN_FLOOD_PAUSES /* runs that pause (cn_flooder_may_pause), where there is an engine that can: a
                     * run may take longer */
} cn_flood_use;

/* A flooder holds the scratch memory for floods of one map, by one thread at a time. `bits` is the
 * width of the entries. After a change of the map, update or free the flooder before its next
 * run. */
cairn_status cn_flooder_new(const cairn_map *map, unsigned bits, cn_flood_use use,
                            cn_flooder **flooder);

void cn_flooder_free(cn_flooder *flooder);

/* Adapts the flooder to edits of its map, or to another map with the same fixed_hash: `cells` are
 * all cells that differ. False when that is not possible; the flooder can then only be freed. */
bool cn_flooder_update(cn_flooder *flooder, const cairn_map *map, const cairn_node *cells,
                       size_t cell_count);

/* A flooder that is kept from call to call. */
typedef struct cn_kept_flooder {
    cn_flooder *flooder; /* NULL: there is none yet */
    const cairn_map *map;
    uint64_t hash; /* of the map that it is for */
    uint64_t fixed_hash;
    unsigned bits;
} cn_kept_flooder;

/* Whether there is a flooder of such entries for the map as it is, if need be after it has followed
 * edits. */
bool cn_kept_flooder_adapt(cn_kept_flooder *kept, const cairn_map *map, unsigned bits);

/* Makes it ready for the map as it is: adapts it, whatever it was made for, or puts a new one in
 * its place. */
cairn_status cn_kept_flooder_ready(cn_kept_flooder *kept, const cairn_map *map, unsigned bits,
                                   cn_flood_use use);
void cn_kept_flooder_free(cn_kept_flooder *kept);

/* How long a flood of the whole map takes, in expansions of a search: one for
 * CN_CELLS_PER_EXPANSION open cells on even maps and where tiles serve, elsewhere one for
 * CN_NODES_PER_EXPANSION. To tell whether tiles serve takes as long as some hundred expansions. */
enum { CN_CELLS_PER_EXPANSION = 32, CN_NODES_PER_EXPANSION = 4 };
uint64_t cn_flood_in_expansions(const cairn_map *map);

/* A flood that need not reach every node. */
typedef struct cn_flood_task {
    cn_way way; /* CN_REVERSE: costs to the nearest source */
    const cairn_node *sources;
    size_t source_count;
    /* Costs above `most` are not needed (CAIRN_UNREACHABLE: all are), nor, if all nodes of `until`
     * are reached, costs above the greatest of theirs. */
    cairn_cost most;
    const cairn_node *until;
    size_t until_count;
} cn_flood_task;

/* What is not needed may be infinite or too high in the plane; cn_plane_at counts it as infinite.
 * CAIRN_E_LIMIT when a cost that is needed does not fit. */
cairn_status cn_flooder_run_task(cn_flooder *flooder, const cn_flood_task *task, cn_plane *plane);

/* Costs from the nearest source; sources are open nodes of the map. CAIRN_E_LIMIT when a cost
 * exceeds CAIRN_COST_MAX or does not fit the entries. */
cairn_status cn_flooder_run(cn_flooder *flooder, const cairn_node *sources, size_t source_count,
                            cn_plane *plane);

/* The reverse: costs from every node to the nearest target. */
cairn_status cn_flooder_run_back(cn_flooder *flooder, const cairn_node *targets,
                                 size_t target_count, cn_plane *plane);

/* A run in parts, which some engines can do: it begins, and continues until CAIRN_OK or
 * CAIRN_E_LIMIT. CAIRN_MORE: about so many cells have been visited, from which *cells is reduced.
 * Between the parts the flooder may follow to another map that is the same as its own; a run, or
 * another beginning, ends the one that pauses. CAIRN_E_MEMORY: it has ended. */
bool cn_flooder_may_pause(const cn_flooder *flooder);
void cn_flooder_begin(cn_flooder *flooder, cn_way way, const cairn_node *sources,
                      size_t source_count);
cairn_status cn_flooder_resume(cn_flooder *flooder, cn_way way, uint64_t *cells, cn_plane *plane);

/* A run of all costs in steps. Engines visit different numbers of cells, and some cannot pause; so
 * where work is counted (CN_BUDGET_COUNTED), the run has a fixed price, and ends in the step in
 * which that has been paid: on every processor the same one. */
typedef struct cn_priced_run {
    uint64_t price;      /* cells that are not yet paid */
    cairn_status status; /* of the engine; CAIRN_MORE: it has not ended */
} cn_priced_run;

void cn_priced_run_begin(cn_priced_run *self, cn_flooder *flooder, const cn_flood_task *task);

/* As cn_flooder_resume, with the same plane and task in every call. An engine that cannot pause
 * runs wholly. */
cairn_status cn_priced_run_resume(cn_priced_run *self, cn_flooder *flooder,
                                  const cn_flood_task *task, cn_budget_kind kind, uint64_t *cells,
                                  cn_plane *plane);

/* Hands the memory of the plane of the last run, unchanged, over to the caller. The flooder
 * continues in what `memory` held before: that of another plane of the same flooder, or all zeros,
 * for which it allocates memory. CAIRN_E_MEMORY: nothing has changed. */
cairn_status cn_flooder_trade(cn_flooder *flooder, cn_plane_memory *memory);

#endif
