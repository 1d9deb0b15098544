/* The summary for people and for programs. */
#include <stdio.h>

#include "compare/results.h"
#include "kit/columns.h"
#include "kit/json.h"
#include "kit/say.h"

/* -------------------------------------------------------------------------------- text */

static void add_line(const summary *of, const summary_line *line, kit_columns *columns)
{
    char name[SUMMARY_NAME_MAX];
    summary_name(of, line, name, sizeof name);
    kit_columns_add(columns, name);
    kit_columns_add(columns, kit_count(line->scenario_count).text);
    kit_columns_add_interval(columns, line->expansion_ratio);
    kit_columns_add_interval(columns, line->speed_up);
    kit_columns_add(columns, line->least ? kit_ratio(line->least->expansion_ratio, 1).text : "-");
    kit_columns_add(columns,
                    line->least_query ? kit_ratio(line->least_query->least_ratio, 1).text : "-");
    kit_columns_add(columns,
                    line->slowest ? kit_seconds(1e-6 * line->slowest->slowest_us).text : "-");
}

static bool print_means(const summary *of)
{
    static const char *const heads[] = {
        "geometric means", "scenarios",  "expansion ratio", "95 %", "speed-up", "95 %",
        "least",           "of a query", "slowest query"};
    kit_columns columns;
    kit_columns_heads(&columns, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < of->line_count; i++)
        if (!summary_repeats(of, &of->lines[i]))
            add_line(of, &of->lines[i], &columns);
    printf("\n");
    return kit_columns_print(&columns, stdout);
}

static void print_worst(const summary *of)
{
    printf("\n");
    for (size_t i = 0; i < of->line_count; i++) {
        const summary_line *line = &of->lines[i];
        char name[SUMMARY_NAME_MAX];
        if (!line->least || line->place == 0)
            continue;
        summary_name(of, line, name, sizeof name);
        printf("%s: least on %s (%s); query %s of %s (%s); slowest query %s of %s (%s)\n", name,
               result_scenario(line->least), kit_ratio(line->least->expansion_ratio, 1).text,
               kit_count(line->least_query->least_query).text, result_scenario(line->least_query),
               kit_ratio(line->least_query->least_ratio, 1).text,
               kit_count(line->slowest->slowest_query).text, result_scenario(line->slowest),
               kit_seconds(1e-6 * line->slowest->slowest_us).text);
    }
}

static void print_pairs(const summary *of)
{
    for (size_t i = 0; i < of->pair_count; i++) {
        const summary_pair *pair = &of->pairs[i];
        char first[SUMMARY_NAME_MAX], second[SUMMARY_NAME_MAX];
        summary_name(of, pair->first, first, sizeof first);
        summary_name(of, pair->second, second, sizeof second);
        printf("%s%s: expansion ratio %s over %s (geometric mean of %s scenario%s%s)\n",
               i ? "" : "\n", second, kit_ratio(pair->expansion_ratio.estimate, 1).text, first,
               kit_count(pair->scenario_count).text, kit_plural(pair->scenario_count),
               kit_interval_remark(pair->expansion_ratio).text);
    }
}

static void print_wrong(const summary *of)
{
    const results *from = of->from;
    if (of->queries == 0) {
        printf("\nThere is no query, so that nothing was compared.\n");
        return;
    }
    if (of->wrong_lengths + of->wrong_costs == 0) {
        printf("\nEvery published length was found, and all searches agree %s.\n",
               summary_agreement(of));
        return;
    }
    printf("\n%s length%s not as published, %s cost%s not those of the base heuristic:\n",
           kit_count(of->wrong_lengths).text, kit_plural(of->wrong_lengths),
           kit_count(of->wrong_costs).text, kit_plural(of->wrong_costs));
    for (size_t i = 0; i < from->count; i += from->lines[i].searches) {
        const result *unit = &from->lines[i];
        if (unit->wrong_lengths + unit->wrong_costs > 0)
            printf("  %s on %s: %s and %s\n", unit->scenario, unit->table,
                   kit_count(unit->wrong_lengths).text, kit_count(unit->wrong_costs).text);
    }
}

bool summary_print_text(const summary *of)
{
    printf("%s comparison%s of a table on a scenario, %s quer%s\n", kit_count(of->unit_count).text,
           kit_plural(of->unit_count), kit_count(of->queries).text, of->queries == 1 ? "y" : "ies");
    if (of->unit_count == 0)
        return true;
    if (of->queries > 0) {
        if (!print_means(of))
            return false;
        print_worst(of);
        print_pairs(of);
    }
    print_wrong(of);
    return true;
}

/* -------------------------------------------------------------------------------- JSON */

static void put_worst(kit_json *json, const summary_line *line)
{
    if (!line->least)
        return;
    kit_json_open(json, "least", '{');
    kit_json_text(json, "scenario", line->least->scenario);
    kit_json_number(json, "expansion_ratio", line->least->expansion_ratio);
    kit_json_close(json, '}');
    kit_json_open(json, "least_query", '{');
    kit_json_text(json, "scenario", line->least_query->scenario);
    kit_json_count(json, "query", line->least_query->least_query);
    kit_json_number(json, "expansion_ratio", line->least_query->least_ratio);
    kit_json_close(json, '}');
    kit_json_open(json, "slowest_query", '{');
    kit_json_text(json, "scenario", line->slowest->scenario);
    kit_json_count(json, "query", line->slowest->slowest_query);
    kit_json_rounded(json, "time_us", line->slowest->slowest_us, 3);
    kit_json_close(json, '}');
}

static void put_folder(kit_json *json, const char *name, const summary_line *line)
{
    char text[FILENAME_MAX];
    snprintf(text, sizeof text, "%.*s", (int)line->folder_size, line->folder);
    kit_json_text(json, name, text);
}

static void put_line(kit_json *json, const summary_line *line)
{
    kit_json_open(json, NULL, '{');
    put_folder(json, "folder", line);
    kit_json_text(json, "name", line->search);
    kit_json_count(json, "scenarios", line->scenario_count);
    kit_json_count(json, "queries", line->queries);
    kit_json_count(json, "expanded", line->expanded);
    kit_json_rounded(json, "time_us", line->time_us, 3);
    kit_json_interval(json, "expansion_ratio", line->expansion_ratio);
    kit_json_interval(json, "speed_up", line->speed_up);
    put_worst(json, line);
    kit_json_close(json, '}');
}

static void put_pair(kit_json *json, const summary_pair *pair)
{
    kit_json_open(json, NULL, '{');
    put_folder(json, "folder", pair->second);
    put_folder(json, "against", pair->first);
    kit_json_text(json, "name", pair->second->search);
    kit_json_count(json, "scenarios", pair->scenario_count);
    kit_json_interval(json, "expansion_ratio", pair->expansion_ratio);
    kit_json_interval(json, "speed_up", pair->speed_up);
    kit_json_close(json, '}');
}

void summary_print_json(const summary *of)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_count(&json, "comparisons", of->unit_count);
    kit_json_count(&json, "queries", of->queries);
    kit_json_count(&json, "wrong_lengths", of->wrong_lengths);
    kit_json_count(&json, "wrong_costs", of->wrong_costs);
    kit_json_open(&json, "searches", '[');
    for (size_t i = 0; i < of->line_count; i++)
        put_line(&json, &of->lines[i]);
    kit_json_close(&json, ']');
    kit_json_open(&json, "pairs", '[');
    for (size_t i = 0; i < of->pair_count; i++)
        put_pair(&json, &of->pairs[i]);
    kit_json_close(&json, ']');
    kit_json_close(&json, '}');
}
