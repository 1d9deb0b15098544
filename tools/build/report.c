#include <stdio.h>

#include "build/build.h"
#include "kit/cells.h"
#include "kit/map_words.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/source.h"

static double bits_per_entry(const build_job *job)
{
    double entries = (double)cairn_map_open_count(job->map) * job->table.row_count;
    return entries > 0 ? 8.0 * (double)job->file_size / entries : 0;
}

static const char *placement_word(const build_settings *set, const cairn_map *map)
{
    return set->list ? "as listed" : kit_placement_on(map, (cairn_placement)set->placement);
}

/* Where no pair fits 16 bits, compact takes the coarsest that it knows. */
static const char *compact_text(const build_settings *set, const build_job *job)
{
    if (set->metric.choice != CAIRN_METRIC_COMPACT)
        return "";
    return job->table.entry_bits == 16 ? " (finest that fits 16 bits here)"
                                       : " (none fits 16 bits here: the coarsest)";
}

static void print_metric(const build_settings *set, const build_job *job)
{
    const cairn_map *map = job->map;
    char risk[160] = "paths are shortest in the costs of the map";
    if (!set->map.terrain && !set->map.heights)
        kit_metric_risk(map, risk, sizeof risk);
    printf("metric  %s%s: %s\n", kit_metric_text(cairn_map_metric(map)).text,
           compact_text(set, job), risk);
}

/* Which steps and units the map was read for, where they are not the usual ones. */
static void print_steps(const build_settings *set, const cairn_map *map)
{
    if (cairn_map_rule(map) != CAIRN_RULE_8)
        printf("steps   --moves %s\n", kit_moves[cairn_map_rule(map)]);
    if (cairn_map_unit_size(map) > 1)
        printf("units   --unit-size %u --unit-anchor %s\n", cairn_map_unit_size(map),
               kit_anchors[set->map.unit_anchor.number]);
}

void build_print_text(const build_settings *set, const build_job *job)
{
    const cairn_map *map = job->map;
    printf("map     %s: %s\n", kit_file_name(kit_source_label(job->map_path)),
           kit_map_size(map).text);
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID) {
        print_steps(set, map);
        print_metric(set, job);
    }
    if (cairn_map_open_count(map) == 0)
        printf(
            "rows    hold nothing, as no cell is open: edits that open some give them landmarks\n");
    if (job->table.counts_steps)
        printf("rows    count steps as %s, and bounds are multiplied: never too high, weaker\n",
               kit_metric_text(set->step_metric).text);
    printf("table   %u row%s of %u-bit entries, placed %s, %s in memory\n", job->table.row_count,
           kit_plural(job->table.row_count), job->table.entry_bits, placement_word(set, map),
           kit_bytes(job->table.table_memory).text);
    printf("time    load %s, place, compute and write %s\n", kit_seconds(job->load_seconds).text,
           kit_seconds(job->build_seconds).text);
    printf("file    %s: %s bytes, %.2f bits per entry\n", job->table_path,
           kit_count(job->file_size).text, bits_per_entry(job));
}

static void put_sizes(kit_json *json, const build_job *job)
{
    kit_json_count(json, "entry_bits", job->table.entry_bits);
    kit_json_count(json, "memory_bytes", job->table.table_memory);
    kit_json_size(json, "file_bytes", job->file_size);
    if (job->file_size > 0)
        kit_json_rounded(json, "bits_per_entry", bits_per_entry(job), 4);
    else
        kit_json_null(json, "bits_per_entry");
    kit_json_rounded(json, "load_seconds", job->load_seconds, 6);
    kit_json_rounded(json, "build_seconds", job->build_seconds, 6);
}

void build_json_members(kit_json *json, const build_settings *set, const build_job *job)
{
    const cairn_map *map = job->map;
    kit_json_count(json, "width", cairn_map_width(map));
    kit_json_count(json, "height", cairn_map_height(map));
    kit_json_count(json, "nodes", cairn_map_open_count(map));
    kit_json_count(json, "rows", job->table.row_count);
    kit_json_text(json, "placement", placement_word(set, map));
    kit_json_text(json, "metric", kit_metric_text(cairn_map_metric(map)).text);
    if (job->table.counts_steps)
        kit_json_text(json, "table_metric", kit_metric_text(set->step_metric).text);
    put_sizes(json, job);
}

void build_print_json(const build_settings *set, const build_job *job)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "map", job->map_path);
    kit_json_text(&json, "table", job->table_path);
    build_json_members(&json, set, job);
    kit_json_close(&json, '}');
}
