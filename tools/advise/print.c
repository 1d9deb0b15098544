#include <stdio.h>

#include "advise/advise.h"
#include "kit/cells.h"
#include "kit/columns.h"
#include "kit/json.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/source.h"
#include "kit/space.h"

/* Where the rows of all tables live. */
static cairn_resident resident_of(const advice *work)
{
    return work->trial_count ? work->trials[0].resident : CAIRN_RESIDENT_CELLS;
}

static void print_head(const advice *work)
{
    printf("%s: %s, metric %s, placement %s", kit_file_name(kit_source_label(work->map_path)),
           kit_map_size(work->map).text, kit_metric_text(cairn_map_metric(work->map)).text,
           kit_placement_on(work->map, work->placement));
    if (work->step_metric.straight)
        printf(", tables count %s", kit_metric_text(work->step_metric).text);
    if (resident_of(work) == CAIRN_RESIDENT_CORNERS)
        printf(", rows at corners");
    printf("\n");
    if (work->scenario_path)
        printf("%s quer%s of %s", kit_count(work->query_count).text,
               work->query_count == 1 ? "y" : "ies", kit_file_name(work->scenario_path));
    else
        printf("%s random pairs of %s, seed %llu", kit_count(work->query_count).text,
               kit_cells_word(work->map, 0), (unsigned long long)work->seed);
    if (work->scenario_path && work->every > 1)
        printf(", one line of every %u", work->every);
    printf("\n\n");
}

static void add_line(kit_columns *columns, const trial *of)
{
    kit_columns_add(columns, kit_count(of->landmark_count).text);
    kit_columns_add(columns, kit_decimal(of->mean_expanded).text);
    kit_columns_add_interval(columns, of->ratio);
    kit_columns_add(columns, kit_seconds(1e-6 * of->mean_us).text);
    kit_columns_add_interval(columns, of->speedup);
    kit_columns_add(columns, kit_bytes(of->memory).text);
    kit_columns_add(columns, of->file_size ? kit_bytes(of->file_size).text : "-");
    kit_columns_add(columns, kit_seconds(of->build_seconds).text);
    kit_columns_add(columns, of->breaks_even_after < 0
                                 ? "never"
                                 : kit_count((uint64_t)of->breaks_even_after + 1).text);
}

static void add_base(kit_columns *columns, const trial *base)
{
    kit_columns_add(columns, "none");
    kit_columns_add(columns, kit_decimal(base->mean_expanded).text);
    kit_columns_add(columns, "");
    kit_columns_add(columns, "");
    kit_columns_add(columns, kit_seconds(1e-6 * base->mean_us).text);
    for (int i = 0; i < 6; i++)
        kit_columns_add(columns, "");
}

bool advice_print_text(const advice *work)
{
    static const char *const heads[] = {
        "landmarks", "expanded", "expansion ratio",  "95 %", "time", "speed-up", "95 %", "memory",
        "file",      "build",    "breaks even after"};
    kit_columns columns;

    print_head(work);
    kit_columns_heads(&columns, heads, sizeof heads / sizeof *heads);
    add_base(&columns, &work->base);
    for (size_t i = 0; i < work->trial_count; i++)
        add_line(&columns, &work->trials[i]);
    if (!kit_columns_print(&columns, stdout))
        return false;
    if (work->stopped != CAIRN_OK)
        printf("No more were tried: %s.\n", cairn_status_text(work->stopped));
    printf("\n%s\n", work->sentence);
    return true;
}

/* ------------------------------------------------------------------------------- JSON -- */

static void json_trial(kit_json *json, const trial *of)
{
    kit_json_open(json, NULL, '{');
    kit_json_count(json, "landmarks", of->landmark_count);
    kit_json_number(json, "expanded", of->mean_expanded);
    kit_json_interval(json, "expansion_ratio", of->ratio);
    kit_json_number(json, "time_us", of->mean_us);
    kit_json_interval(json, "speed_up", of->speedup);
    kit_json_count(json, "memory_bytes", of->memory);
    kit_json_count(json, "file_bytes", of->file_size);
    kit_json_number(json, "build_seconds", of->build_seconds);
    if (of->breaks_even_after < 0)
        kit_json_null(json, "breaks_even_after_queries");
    else
        kit_json_number(json, "breaks_even_after_queries", of->breaks_even_after);
    kit_json_close(json, '}');
}

void advice_print_json(const advice *work)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "map", kit_file_name(work->map_path));
    if (work->scenario_path)
        kit_json_text(&json, "scenario", kit_file_name(work->scenario_path));
    else
        kit_json_null(&json, "scenario");
    kit_json_count(&json, "every", work->every);
    kit_json_count(&json, "seed", work->seed);
    kit_json_text(&json, "placement", kit_placement_on(work->map, work->placement));
    kit_json_text(&json, "metric", kit_metric_text(cairn_map_metric(work->map)).text);
    if (work->step_metric.straight)
        kit_json_text(&json, "table_metric", kit_metric_text(work->step_metric).text);
    kit_json_text(&json, "resident", kit_resident_words[resident_of(work)]);
    kit_json_text(&json, "space", kit_space_words[work->base.space]);
    kit_json_count(&json, "queries", work->query_count);
    kit_json_number(&json, "base_expanded", work->base.mean_expanded);
    kit_json_number(&json, "base_time_us", work->base.mean_us);
    kit_json_open(&json, "trials", '[');
    for (size_t i = 0; i < work->trial_count; i++)
        json_trial(&json, &work->trials[i]);
    kit_json_close(&json, ']');
    kit_json_count(&json, "recommended", work->choice ? work->choice->landmark_count : 0);
    kit_json_text(&json, "recommendation", work->sentence);
    kit_json_close(&json, '}');
}
