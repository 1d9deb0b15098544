/* The reports for other programs: JSON and CSV. */
#include <inttypes.h>
#include <stdlib.h>

#include "compare/compare.h"
#include "compare/csv.h"
#include "kit/json.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/say.h"

/* ------------------------------------------------------------------------------- JSON -- */

static void json_search(kit_json *json, const comparison *work, size_t index, size_t first,
                        size_t end)
{
    totals base = comparison_totals(&work->searches[0], first, end);
    totals sum = comparison_totals(&work->searches[index], first, end);
    kit_json_open(json, NULL, '{');
    kit_json_text(json, "name", work->searches[index].name);
    kit_json_count(json, "expanded", sum.expanded);
    kit_json_count(json, "generated", sum.generated);
    kit_json_count(json, "open_peak", sum.open_peak);
    kit_json_rounded(json, "time_us", sum.time_us, 3);
    kit_json_rounded(json, "expanded_ratio", (double)base.expanded / (double)sum.expanded, 3);
    kit_json_rounded(json, "time_ratio", base.time_us / sum.time_us, 3);
    kit_json_close(json, '}');
}

static void json_searches(kit_json *json, const comparison *work, size_t first, size_t end)
{
    kit_json_open(json, "searches", '[');
    for (size_t index = 0; index < work->search_count; index++)
        json_search(json, work, index, first, end);
    kit_json_close(json, ']');
}

/* Every table against the first, query by query; nothing when there is but one. */
static bool json_paired(kit_json *json, const comparison *work)
{
    kit_interval ratio;
    if (work->table_count < 2)
        return true;
    kit_json_open(json, "expansion_ratio_to_first_table", '[');
    for (size_t table = 1; table < work->table_count; table++) {
        const contender *search = comparison_with(work, work->tables[table]);
        if (!comparison_paired(work, search, comparison_with(work, work->tables[0]), &ratio))
            return false;
        kit_json_open(json, NULL, '{');
        kit_json_text(json, "name", search->name);
        kit_json_number(json, "estimate", ratio.estimate);
        kit_json_number(json, "low", ratio.low);
        kit_json_number(json, "high", ratio.high);
        kit_json_close(json, '}');
    }
    kit_json_close(json, ']');
    return true;
}

static void json_bound(kit_json *json, const comparison *work, const contender *search)
{
    bound_facts facts = comparison_bound(work, search);
    kit_json_open(json, NULL, '{');
    kit_json_text(json, "name", search->name);
    kit_json_text(json, "base", facts.base);
    kit_json_bool(json, "landmarks", search->table != NULL);
    kit_json_bool(json, "admissible", facts.admissible);
    kit_json_bool(json, "consistent", facts.consistent);
    kit_json_bool(json, "reopens", facts.reopens);
    kit_json_count(json, "weight", facts.weight);
    if (facts.guarantee)
        kit_json_count(json, "guarantee", facts.guarantee);
    else
        kit_json_null(json, "guarantee");
    kit_json_count(json, "reopened", facts.reopened);
    kit_json_count(json, "longer", facts.longer_count);
    kit_json_rounded(json, "longer_mean", facts.longer_mean, 6);
    kit_json_rounded(json, "longer_most", facts.longer_most, 6);
    if (search->is_asked && work->asked.limit)
        kit_json_count(json, "limit", work->asked.limit);
    kit_json_count(json, "limited", facts.limited_count);
    kit_json_close(json, '}');
}

static void json_bounds(kit_json *json, const comparison *work)
{
    kit_json_open(json, "bounds", '[');
    for (size_t index = 0; index < work->search_count; index++)
        json_bound(json, work, &work->searches[index]);
    kit_json_close(json, ']');
}

static void json_tables(kit_json *json, const comparison *work)
{
    if (work->table_count < 2)
        return;
    kit_json_open(json, "tables", '[');
    for (size_t i = 0; i < work->table_count; i++) {
        const cairn_table *table = work->tables[i];
        kit_json_open(json, NULL, '{');
        kit_json_text(json, "name", work->table_names[i]);
        kit_json_count(json, "rows", cairn_table_row_count(table));
        kit_json_count(json, "entry_bits", cairn_table_entry_bits(table));
        kit_json_text(json, "counts", kit_metric_text(cairn_table_metric(table)).text);
        kit_json_count(json, "memory_bytes", cairn_table_memory(table));
        kit_json_count(json, "file_bytes", work->table_sizes[i]);
        kit_json_rounded(json, "rebuild_us", work->rebuild_us[i], 3);
        kit_json_close(json, '}');
    }
    kit_json_close(json, ']');
}

static void json_buckets(kit_json *json, const comparison *work)
{
    kit_json_open(json, "buckets", '[');
    size_t end;
    for (size_t first = 0; first < work->query_count; first = end) {
        uint32_t bucket = work->queries[first].bucket;
        end = comparison_range_end(work, first, bucket);
        kit_json_open(json, NULL, '{');
        kit_json_count(json, "bucket", bucket);
        kit_json_count(json, "queries", end - first);
        json_searches(json, work, first, end);
        kit_json_close(json, '}');
    }
    kit_json_close(json, ']');
}

static void json_wrong(kit_json *json, const comparison *work)
{
    kit_json_open(json, "wrong", '[');
    for (size_t index = 0; index < work->query_count; index++) {
        if (work->wrong[index] == WRONG_NOT)
            continue;
        const cairn_query *query = &work->queries[index];
        kit_json_open(json, NULL, '{');
        kit_json_count(json, "query", work->numbers[index]);
        kit_json_node(json, "start", work->map, query->start);
        kit_json_node(json, "goal", work->map, query->goal);
        if (comparison_has_lengths(work))
            kit_json_number(json, "published", query->length);
        for (size_t search = 0; search < work->search_count; search++)
            kit_json_number(json, work->searches[search].name,
                            work->searches[search].results[index].length);
        kit_json_text(json, "reason", wrong_text(work->wrong[index]));
        kit_json_close(json, '}');
    }
    kit_json_close(json, ']');
}

bool comparison_print_json(const comparison *work)
{
    char *map_name = kit_with_suffix(kit_file_name(work->table_paths[0]), ".cairn", "");
    if (!map_name)
        return false;

    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "map", map_name);
    kit_json_text(&json, "scenario", kit_file_name(work->scenario_path));
    kit_json_text(&json, "map_hash", kit_hash(cairn_map_hash(work->map)).text);
    kit_json_count(&json, "nodes", cairn_map_open_count(work->map));
    kit_json_text(&json, "metric", kit_metric_text(cairn_map_metric(work->map)).text);
    kit_json_count(&json, "unit", cairn_map_unit(work->map));
    kit_json_count(&json, "entry_bits", cairn_table_entry_bits(work->tables[0]));
    kit_json_count(&json, "rows", cairn_table_row_count(work->tables[0]));
    kit_json_count(&json, "every", work->every);
    kit_json_count(&json, "queries", work->query_count);
    if (work->edits_path) {
        kit_json_count(&json, "edits", work->edit_count);
        kit_json_text(&json, "refresh", work->is_refreshed ? "all" : "none");
        kit_json_rounded(&json, "refresh_us", work->refresh_us, 3);
    }
    kit_json_count(&json, "wrong_lengths", work->wrong_lengths);
    kit_json_count(&json, "wrong_costs", work->wrong_costs);
    json_searches(&json, work, 0, work->query_count);
    json_bounds(&json, work);
    json_tables(&json, work);
    bool whole = json_paired(&json, work);
    json_buckets(&json, work);
    json_wrong(&json, work);
    kit_json_close(&json, '}');
    free(map_name);
    return whole;
}

/* -------------------------------------------------------------------------------- CSV -- */

static void csv_query(FILE *file, const comparison *work, size_t index)
{
    const cairn_query *query = &work->queries[index];
    uint32_t from[2] = {0, 0};
    uint32_t to[2] = {0, 0};
    cairn_node_xy(work->map, query->start, &from[0], &from[1]);
    cairn_node_xy(work->map, query->goal, &to[0], &to[1]);

    fprintf(file, "%u,%u,%u,%u,%u,%u,", work->numbers[index], query->bucket, from[0], from[1],
            to[0], to[1]);
    if (comparison_has_lengths(work))
        fprintf(file, "%.10g", query->length);
}

static void csv_result(FILE *file, const contender *search, size_t index)
{
    const run_result *result = &search->results[index];

    fputc(',', file);
    csv_put_text(file, search->name);
    fputc(',', file);
    if (result->outcome == CAIRN_PATH_FOUND)
        fprintf(file, "%u,%.10g", result->cost, result->length);
    else
        fputc(',', file);
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,", result->expanded, result->generated,
            result->open_peak, result->time_us);
    if (result->bound != CAIRN_UNREACHABLE)
        fprintf(file, "%u", result->bound);
    fprintf(file, ",%" PRIu64 "\n", result->reopened);
}

/* Where the queries are that have been sorted into buckets, in the order of the scenario; NULL
 * without memory. To be freed. */
static size_t *order_of_scenario(const comparison *work)
{
    size_t *order = calloc(work->query_count + 1, sizeof *order);
    for (size_t index = 0; order && index < work->query_count; index++)
        order[(work->numbers[index] - 1) / work->every] = index;
    return order;
}

static void csv_all(FILE *file, const comparison *work, const size_t *order)
{
    fputs("query,bucket,start_x,start_y,goal_x,goal_y,published,search,cost,length,expanded,"
          "generated,open_peak,time_us,bound,reopened\n",
          file);
    for (size_t place = 0; place < work->query_count; place++) {
        for (size_t search = 0; search < work->search_count; search++) {
            csv_query(file, work, order[place]);
            csv_result(file, &work->searches[search], order[place]);
        }
    }
}

bool comparison_write_csv(const comparison *work, const char *path)
{
    kit_output output;
    size_t *order = order_of_scenario(work);

    if (!order) {
        kit_fail(path, CAIRN_E_MEMORY);
        return false;
    }
    const bool is_open = kit_output_open(&output, path);
    if (is_open)
        csv_all(output.file, work, order);
    free(order);
    return is_open && kit_output_commit(&output);
}
