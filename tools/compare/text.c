#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "kit/columns.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/team.h"

/* More lines than these do not fit a screen. */
enum { BUCKET_LINES = 12, WRONG_LINES = 10 };

void comparison_edits_text(const comparison *work, char *text, size_t size)
{
    const char *end = work->edit_count == 1 ? "" : "s";
    if (work->is_refreshed)
        snprintf(text, size, "%s edit%s, every row repaired in %s",
                 kit_count(work->edit_count).text, end, kit_seconds(1e-6 * work->refresh_us).text);
    else
        snprintf(text, size, "%s edit%s, no row repaired", kit_count(work->edit_count).text, end);
}

static void print_head(const comparison *work)
{
    for (size_t i = 0; i < work->table_count; i++)
        printf("%s: %s, %u row%s of %u-bit entries, metric %s\n", work->table_names[i],
               kit_map_size(work->map).text, cairn_table_row_count(work->tables[i]),
               kit_plural(cairn_table_row_count(work->tables[i])),
               cairn_table_entry_bits(work->tables[i]),
               kit_metric_text(cairn_map_metric(work->map)).text);
    printf("%s: %s quer%s", kit_file_name(work->scenario_path), kit_count(work->query_count).text,
           work->query_count == 1 ? "y" : "ies");
    if (work->every > 1)
        printf(", one line of every %u", work->every);
    printf("\n");
    if (work->edits_path) {
        char text[120];
        comparison_edits_text(work, text, sizeof text);
        printf("%s: %s\n", kit_file_name(work->edits_path), text);
    }
}

/* ---------------------------------------------------------------------------- buckets -- */

/* Whether each search can have its time beside it. */
static bool shows_times(const comparison *work)
{
    enum { READABLE = 7 };
    return work->search_count <= READABLE;
}

/* A label, the count, the base; then one or two columns for each of the others. */
static size_t bucket_column_count(const comparison *work)
{
    return shows_times(work) ? 1 + 2 * work->search_count : 2 + work->search_count;
}

/* Columns of numbers are narrow: the names of files go without their end there. */
static void add_search_head(kit_columns *columns, const char *name)
{
    static const char end[] = ".cairn";
    char head[SEARCH_NAME_MAX];
    size_t size = strlen(name);
    if (size > strlen(end) && strcmp(name + size - strlen(end), end) == 0)
        size -= strlen(end);
    snprintf(head, sizeof head, "%.*s", (int)size, name);
    kit_columns_add(columns, head);
}

static void add_bucket_head(const comparison *work, kit_columns *columns)
{
    const bool is_graph = cairn_map_kind_of(work->map) == CAIRN_MAP_GRAPH;
    kit_columns_add(columns, is_graph ? "base expands" : "buckets");
    kit_columns_add(columns, "queries");
    kit_columns_add(columns, work->searches[0].name);
    for (size_t index = 1; index < work->search_count; index++) {
        add_search_head(columns, work->searches[index].name);
        if (shows_times(work))
            kit_columns_add(columns, "speed-up");
    }
    kit_columns_rule(columns);
}

static void add_bucket_line(const comparison *work, kit_columns *columns, const char *label,
                            size_t first, size_t end)
{
    double count = (double)(end - first);
    totals base = comparison_totals(&work->searches[0], first, end);
    kit_columns_add(columns, label);
    kit_columns_add(columns, kit_count(end - first).text);
    kit_columns_add(columns, kit_decimal((double)base.expanded / count).text);
    for (size_t index = 1; index < work->search_count; index++) {
        totals sum = comparison_totals(&work->searches[index], first, end);
        kit_columns_add(columns, kit_decimal((double)sum.expanded / count).text);
        if (shows_times(work))
            kit_columns_add(columns, kit_ratio(base.time_us, sum.time_us).text);
    }
}

/* Neighbouring buckets share a line where there are many. */
static bool print_buckets(const comparison *work)
{
    kit_columns columns;
    kit_columns_start(&columns, bucket_column_count(work));
    add_bucket_head(work, &columns);

    uint32_t top = work->queries[work->query_count - 1].bucket;
    uint32_t share = top / BUCKET_LINES + 1;
    uint32_t low = 0;
    for (size_t first = 0; first < work->query_count; low += share) {
        uint32_t high = UINT32_MAX - low < share ? UINT32_MAX : low + share - 1;
        size_t end = comparison_range_end(work, first, high);
        char label[64];
        comparison_buckets_text(work, low, high, label, sizeof label);
        if (end > first)
            add_bucket_line(work, &columns, label, first, end);
        first = end;
    }

    printf("\nNodes expanded per query%s%s:\n",
           shows_times(work) ? ", and how many times faster than " : "",
           shows_times(work) ? work->searches[0].name : "");
    return kit_columns_print(&columns, stdout);
}

/* ----------------------------------------------------------------------------- totals -- */

static bool print_totals(const comparison *work)
{
    static const char *const heads[] = {"all queries", "expanded",  "generated",       "heap peak",
                                        "time",        "per query", "expansion ratio", "speed-up"};
    kit_columns columns;
    kit_columns_heads(&columns, heads, sizeof heads / sizeof *heads);

    size_t count = work->query_count;
    totals base = comparison_totals(&work->searches[0], 0, count);
    for (size_t index = 0; index < work->search_count; index++) {
        totals sum = comparison_totals(&work->searches[index], 0, count);
        kit_columns_add(&columns, work->searches[index].name);
        kit_columns_add(&columns, kit_count(sum.expanded).text);
        kit_columns_add(&columns, kit_count(sum.generated).text);
        kit_columns_add(&columns, kit_count(sum.open_peak).text);
        kit_columns_add(&columns, kit_seconds(1e-6 * sum.time_us).text);
        kit_columns_add(&columns, kit_seconds(1e-6 * sum.time_us / (double)count).text);
        kit_columns_add(&columns, kit_ratio((double)base.expanded, (double)sum.expanded).text);
        kit_columns_add(&columns, kit_ratio(base.time_us, sum.time_us).text);
    }
    printf("\n");
    return kit_columns_print(&columns, stdout);
}

/* ----------------------------------------------------------------------------- bounds -- */

/* The search along cells whose bound a search along jump points has: "jump" that of the first one,
 * "jump NAME" that of NAME. */
static const char *name_along_cells(const comparison *work, const contender *search)
{
    return search->table ? search->name + strlen("jump ") : work->searches[0].name;
}

static void print_bounds(const comparison *work)
{
    printf("\n");
    for (size_t index = 0; index < work->search_count; index++) {
        const contender *search = &work->searches[index];
        char text[400];
        if (search->space == CAIRN_SPACE_CELLS) {
            comparison_bound_text(work, search, text, sizeof text);
            printf("%s: %s\n", search->name, text);
        } else {
            printf("%s: the bound of %s, along jump points (JPS)\n", search->name,
                   name_along_cells(work, search));
        }
    }
}

/* ------------------------------------------------------------------------------ pairs -- */

/* What several tables take. */
static bool print_tables(const comparison *work)
{
    static const char *const heads[] = {"tables", "rows", "count", "memory", "file", "rebuilt"};
    kit_columns columns;
    if (work->table_count < 2)
        return true;
    kit_columns_heads(&columns, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < work->table_count; i++) {
        const cairn_table *table = work->tables[i];
        kit_columns_add(&columns, work->table_names[i]);
        kit_columns_add(&columns, kit_count(cairn_table_row_count(table)).text);
        kit_columns_add(&columns, kit_metric_text(cairn_table_metric(table)).text);
        kit_columns_add(&columns, kit_bytes(cairn_table_memory(table)).text);
        kit_columns_add(&columns, kit_bytes(work->table_sizes[i]).text);
        kit_columns_add(&columns, kit_seconds(1e-6 * work->rebuild_us[i]).text);
    }
    printf("\n");
    return kit_columns_print(&columns, stdout);
}

/* Tables against the first of them, query by query. */
static bool print_paired(const comparison *work)
{
    const contender *first = comparison_with(work, work->tables[0]);
    kit_interval ratio;
    for (size_t table = 1; table < work->table_count; table++) {
        const contender *search = comparison_with(work, work->tables[table]);
        if (!comparison_paired(work, search, first, &ratio))
            return false;
        printf("%s%s: expansion ratio %s over %s (geometric mean of all queries%s), "
               "%s of the totals\n",
               table == 1 ? "\n" : "", search->name, kit_ratio(ratio.estimate, 1).text, first->name,
               kit_interval_remark(ratio).text, comparison_of_totals(work, search, first).text);
    }
    return true;
}

/* ------------------------------------------------------------------------ wrong lines -- */

static void print_wrong_query(const comparison *work, size_t index)
{
    const cairn_query *query = &work->queries[index];
    const bool has_length = comparison_has_lengths(work);
    printf("  query %u, %s to %s:", work->numbers[index],
           kit_node_text(work->map, query->start).text, kit_node_text(work->map, query->goal).text);
    if (has_length)
        printf(" published %.8g", query->length);
    for (size_t search = 0; search < work->search_count; search++) {
        const run_result *result = &work->searches[search].results[index];
        if (result->outcome == CAIRN_PATH_FOUND)
            printf("%s %s %.8g", search || has_length ? "," : "", work->searches[search].name,
                   result->length);
    }
    printf(" (%s)\n", wrong_text(work->wrong[index]));
}

static void print_verdict(const comparison *work)
{
    size_t wrong = work->wrong_lengths + work->wrong_costs;
    if (work->query_count == 0) {
        puts("\nThere is no query, so that nothing was compared.");
        return;
    }
    if (wrong == 0) {
        printf("\n%s on every cost%s.\n",
               comparison_has_lengths(work)
                   ? "Every length is the published one, and all searches agree"
                   : "All searches agree",
               comparison_may_be_longer(work) ? " but those asked for" : "");
        return;
    }
    printf("\n%s length%s not as published, %s cost%s not the one of %s:\n",
           kit_count(work->wrong_lengths).text, kit_plural(work->wrong_lengths),
           kit_count(work->wrong_costs).text, kit_plural(work->wrong_costs),
           work->searches[0].name);
    char other[OTHER_STEPS_ROOM];
    if (comparison_other_steps(work, other, sizeof other)) {
        printf("  %s\n  (%s; all of them: --json)\n", other, comparison_other_queries(work));
        return;
    }

    size_t shown = 0;
    for (size_t index = 0; index < work->query_count && shown < WRONG_LINES; index++) {
        if (work->wrong[index] != WRONG_NOT) {
            print_wrong_query(work, index);
            shown++;
        }
    }
    if (wrong > shown)
        printf("  and %s more (all of them: --json)\n", kit_count(wrong - shown).text);
}

bool comparison_print_text(const comparison *work)
{
    print_head(work);
    if (work->query_count > 0 &&
        (!print_buckets(work) || !print_totals(work) || !print_tables(work) || !print_paired(work)))
        return false;
    if (work->query_count > 0)
        print_bounds(work);
    print_verdict(work);
    return true;
}

void comparison_tell_of_no_queries(const char *scenario_path)
{
    kit_complain("%s: the scenario holds no queries", scenario_path);
    kit_team_tell();
}
