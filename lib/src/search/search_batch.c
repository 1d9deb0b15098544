/* Many queries at once: tasks of some queries, a search for each thread. */
#include <string.h>

#include "search/search.h"
#include "base/tasks.h"
#include "cairn/batch.h"

/* Queries per task: enough that the overhead is small, few enough that the threads finish at about
 * the same time. */
enum { QUERIES_PER_TASK = 16 };

struct cairn_batch {
    cn_mem mem;
    cairn_path *paths;
    size_t count;
};

typedef struct batch_job {
    const cairn_map *map;
    const cairn_table *table;
    const cairn_search_options *options;
    const cairn_query *queries;
    cairn_batch *batch;
    cairn_search *searches[CN_THREADS_MAX]; /* by worker, made when it first gets work */
} batch_job;

/* Copies the path, whose nodes belong to the search, into one block of its own, corners first. */
static cairn_status keep_path(const cn_mem *mem, cairn_path *path)
{
    size_t count = path->corner_count + path->node_count;
    if (count == 0)
        return CAIRN_OK;
    cairn_node *block = cn_array(mem, count, sizeof *block);
    if (!block) {
        *path = cn_no_path(path->space);
        return CAIRN_E_MEMORY;
    }
    memcpy(block, path->corners, path->corner_count * sizeof *block);
    path->corners = block;
    if (path->node_count) {
        memcpy(block + path->corner_count, path->nodes, path->node_count * sizeof *block);
        path->nodes = block + path->corner_count;
    }
    return CAIRN_OK;
}

static cairn_status run_task(void *context, size_t task, unsigned worker)
{
    batch_job *job = context;
    cairn_batch *batch = job->batch;
    cairn_search **search = &job->searches[worker];
    size_t first = task * QUERIES_PER_TASK, end = first + QUERIES_PER_TASK;
    cairn_status status = CAIRN_OK;

    if (!*search)
        status = cairn_search_new(job->map, job->table, job->options, search);
    for (size_t i = first; status == CAIRN_OK && i < end && i < batch->count; i++) {
        status = cairn_search_run(*search, job->queries[i].start, job->queries[i].goal,
                                  &batch->paths[i]);
        if (status == CAIRN_OK)
            status = keep_path(&batch->mem, &batch->paths[i]);
    }
    return status;
}

static cairn_status run_job(batch_job *job, uint32_t thread_count)
{
    size_t tasks = (job->batch->count + QUERIES_PER_TASK - 1) / QUERIES_PER_TASK;
    const cn_crew crew = cn_tasks_crew(&job->map->pool, thread_count, tasks, CN_WORTH_THREADS);
    cairn_status status = cn_tasks_run(crew, tasks, run_task, job);

    for (unsigned worker = 0; worker < crew.count; worker++)
        cairn_search_free(job->searches[worker]);
    return status;
}

cairn_status cairn_search_batch(const cairn_map *map, const cairn_table *table,
                                const cairn_query *queries, size_t query_count,
                                const cairn_search_options *options, uint32_t thread_count,
                                cairn_batch **batch)
{
    if (!batch)
        return CAIRN_E_ARGUMENT;
    *batch = NULL;
    if (!map || (!queries && query_count) || query_count > SIZE_MAX / sizeof *queries)
        return CAIRN_E_ARGUMENT;
    cairn_batch *made = cn_zeroed(&map->mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->mem = map->mem;
    made->paths = cn_zeroed(&made->mem, query_count + 1, sizeof *made->paths);
    made->count = made->paths ? query_count : 0;
    cairn_status status = CAIRN_E_MEMORY;
    if (made->paths) {
        batch_job job = {
            .map = map, .table = table, .options = options, .queries = queries, .batch = made};
        status = run_job(&job, thread_count);
    }
    if (status != CAIRN_OK) {
        cairn_batch_free(made);
        return status;
    }
    *batch = made;
    return CAIRN_OK;
}

void cairn_batch_free(cairn_batch *batch)
{
    if (!batch)
        return;
    cn_mem mem = batch->mem;
    for (size_t i = 0; i < batch->count; i++)
        cn_release(&mem, (void *)(uintptr_t)batch->paths[i].corners);
    cn_release(&mem, batch->paths);
    cn_release(&mem, batch);
}

size_t cairn_batch_count(const cairn_batch *batch)
{
    return batch->count;
}

const cairn_path *cairn_batch_paths(const cairn_batch *batch)
{
    return batch->paths;
}
