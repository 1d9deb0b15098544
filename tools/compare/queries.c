/* The queries of a comparison: which are taken, and their buckets. */
#include <stdio.h>
#include <stdlib.h>

#include "compare/compare.h"
#include "kit/say.h"
#include "kit/team.h"

typedef struct taken_query {
    cairn_query query;
    uint32_t number;
} taken_query;

static int by_bucket(const void *left, const void *right)
{
    const taken_query *a = left;
    const taken_query *b = right;
    if (a->query.bucket != b->query.bucket)
        return a->query.bucket < b->query.bucket ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static size_t take_every(const cairn_scenario *scenario, uint32_t every, taken_query *taken)
{
    const cairn_query *queries = cairn_scenario_queries(scenario);
    size_t count = 0;
    for (size_t index = 0; index < cairn_scenario_count(scenario); index += every)
        taken[count++] = (taken_query){queries[index], (uint32_t)index + 1};
    return count;
}

static bool share_a_divisor(size_t a, size_t b)
{
    while (b > 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a > 1;
}

/* Queries of one length are neighbours: a process takes some from all over. */
static size_t stride_over(size_t count)
{
    size_t stride = kit_team() && count > 2 ? count * 5 / 8 : 1;
    while (share_a_divisor(count, stride))
        stride--;
    return stride;
}

cairn_status comparison_take(comparison *work, const cairn_scenario *scenario)
{
    size_t count = (cairn_scenario_count(scenario) + work->every - 1) / work->every;
    taken_query *taken = calloc(count + 1, sizeof *taken);
    work->queries = calloc(count + 1, sizeof *work->queries);
    work->numbers = calloc(count + 1, sizeof *work->numbers);
    work->wrong = calloc(count + 1, sizeof *work->wrong);
    cairn_status status = CAIRN_E_MEMORY;
    if (!taken || !work->queries || !work->numbers || !work->wrong)
        goto done;

    work->query_count = take_every(scenario, work->every, taken);
    work->stride = stride_over(work->query_count);
    qsort(taken, work->query_count, sizeof *taken, by_bucket);
    for (size_t index = 0; index < work->query_count; index++) {
        work->queries[index] = taken[index].query;
        work->numbers[index] = taken[index].number;
    }
    status = CAIRN_OK;

done:
    free(taken);
    return status;
}

/* ---------------------------------------------------------------------- buckets of graphs -- */

/* Of a query that makes the first search expand so many nodes. */
static uint32_t bucket_of(uint64_t expanded)
{
    uint32_t bucket = 0;
    for (; expanded > 1; expanded /= 2)
        bucket++;
    return bucket;
}

/* Puts the results of a search into an order; its numbers say where each result is now. */
static bool sort_results(const comparison *work, const taken_query *order, contender *search)
{
    run_result *sorted = calloc(work->query_count + 1, sizeof *sorted);
    for (size_t index = 0; sorted && index < work->query_count; index++)
        sorted[index] = search->results[order[index].number];
    if (!sorted)
        return false;
    free(search->results);
    search->results = sorted;
    return true;
}

cairn_status comparison_sort_into_buckets(comparison *work)
{
    taken_query *order = calloc(work->query_count + 1, sizeof *order);
    if (!order)
        return CAIRN_E_MEMORY;

    /* All have been of one bucket, and so in the order of the scenario. */
    for (size_t index = 0; index < work->query_count; index++) {
        work->queries[index].bucket = bucket_of(work->searches[0].results[index].expanded);
        order[index] = (taken_query){work->queries[index], (uint32_t)index};
    }
    qsort(order, work->query_count, sizeof *order, by_bucket);
    bool whole = true;
    for (size_t search = 0; search < work->search_count && whole; search++)
        whole = sort_results(work, order, &work->searches[search]);
    for (size_t index = 0; index < work->query_count && whole; index++) {
        work->queries[index] = order[index].query;
        work->numbers[index] = order[index].number * work->every + 1;
    }
    free(order);
    return whole ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* ------------------------------------------------------------------------------- reading -- */

bool comparison_has_lengths(const comparison *work)
{
    return !work->edits_path && cairn_map_kind_of(work->map) == CAIRN_MAP_GRID;
}

bool comparison_may_be_longer(const comparison *work)
{
    for (size_t index = 0; index < work->search_count; index++)
        if (comparison_bound(work, &work->searches[index]).guarantee != 1000)
            return true;
    return false;
}

size_t comparison_range_end(const comparison *work, size_t first, uint32_t bucket)
{
    size_t end = first;
    while (end < work->query_count && work->queries[end].bucket <= bucket)
        end++;
    return end;
}

void comparison_buckets_text(const comparison *work, uint32_t low, uint32_t high, char *text,
                             size_t size)
{
    if (cairn_map_kind_of(work->map) == CAIRN_MAP_GRAPH)
        snprintf(text, size, "%s-%s", kit_count(low ? (uint64_t)1 << low : 0).text,
                 kit_count(((uint64_t)2 << high) - 1).text);
    else if (low == high)
        snprintf(text, size, "%u", low);
    else
        snprintf(text, size, "%u-%u", low, high);
}
