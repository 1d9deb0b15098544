/* Many queries in one call, over several threads: paths, or costs alone from many nodes to many.
 * Part of cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_BATCH_H
#define CAIRN_BATCH_H

#include "cairn/search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The answers to many queries. */
typedef struct cairn_batch cairn_batch;

/* Runs all queries on `thread_count` threads (0: one per processor), each with a search of its
 * own. The bucket and the length of a query are ignored. The callbacks of the options (`bound`,
 * `cancel`, `on_expand`) are called from several threads at once. Paths have the form that the
 * options say; cells that are left out cannot be written later, and a query that meets the
 * expansion_limit cannot be resumed. Map and table must not change meanwhile. If a query fails, the
 * batch fails with the status of one that did, as cairn_search_run would, or with that of
 * cairn_search_new. The caller frees *batch with cairn_batch_free, before the map. */
CAIRN_API cairn_status cairn_search_batch(const cairn_map *map, const cairn_table *table,
                                          const cairn_query *queries, size_t query_count,
                                          const cairn_search_options *options,
                                          uint32_t thread_count, cairn_batch **batch);
CAIRN_API void cairn_batch_free(cairn_batch *batch);

/* One path per query, in the order of the queries, and how many; they and their nodes belong to the
 * batch. */
CAIRN_API const cairn_path *cairn_batch_paths(const cairn_batch *batch);
CAIRN_API size_t cairn_batch_count(const cairn_batch *batch);

/* The costs of the cheapest paths from each source to each target, without the paths: costs[i *
 * target_count + j] is that from sources[i] to targets[j], CAIRN_UNREACHABLE where no path leads
 * or one of them is blocked. Computed on `thread_count` threads (0: one per processor), by a flood
 * from each source or to each target where there are many of the others or searches turn out to
 * take longer, else by searches with `table`, which may be NULL; the results are the same. So the
 * call takes about as long as the faster of the two, and up to three times as long where that is
 * hard to tell, as for one source; in long corridors longer (docs/benchmarks/slow-cases.md). Its
 * memory is taken and given back in each call: for floods, that takes time for every node of the
 * map, also for blocked ones. For single costs use a search that is kept, with CAIRN_FORM_NONE.
 *
 * CAIRN_E_ARGUMENT for a node that is not on the map, CAIRN_E_MISMATCH for a table of another map,
 * even if no search uses it, CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX, CAIRN_E_MEMORY; and
 * what cairn_search_new returns. After a failure the costs are undefined. */
CAIRN_API cairn_status cairn_distances(const cairn_map *map, const cairn_table *table,
                                       const cairn_node *sources, size_t source_count,
                                       const cairn_node *targets, size_t target_count,
                                       uint32_t thread_count, cairn_cost *costs);

#ifdef __cplusplus
}
#endif

#endif
