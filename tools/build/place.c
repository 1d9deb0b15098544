/* Landmarks alone, as a list for --list. */
#include <stdio.h>
#include <stdlib.h>

#include "build/build.h"
#include "kit/exits.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/say.h"

static void put_landmark(FILE *file, const cairn_map *map, cairn_node node)
{
    uint32_t x = 0, y = 0;
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRAPH)
        fprintf(file, "%u\n", node);
    else if (cairn_node_xy(map, node, &x, &y))
        fprintf(file, "%u,%u\n", x, y);
}

int build_write_landmarks(const build_job *job)
{
    kit_output output;
    if (job->landmark_count == 0) {
        kit_complain("%s: expected an open cell to place landmarks on, found none", job->map_path);
        return KIT_EXIT_IO;
    }
    if (!kit_output_open(&output, job->table_path))
        return KIT_EXIT_IO;
    for (size_t i = 0; i < job->landmark_count; i++)
        put_landmark(output.file, job->map, job->landmarks[i]);
    return kit_output_commit(&output) ? KIT_EXIT_OK : KIT_EXIT_IO;
}

static void print_text(const build_settings *set, const build_job *job)
{
    printf("map     %s: %s\n", kit_file_name(job->map_path), kit_map_size(job->map).text);
    if (set->metric.choice == CAIRN_METRIC_COMPACT)
        printf("metric  %s, as --metric for tables of this list\n",
               kit_metric_text(cairn_map_metric(job->map)).text);
    printf("time    load %s, place %s\n", kit_seconds(job->load_seconds).text,
           kit_seconds(job->build_seconds).text);
    printf("list    %s: %s landmark%s\n", job->table_path, kit_count(job->landmark_count).text,
           kit_plural(job->landmark_count));
}

static void print_json(const build_job *job)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "map", job->map_path);
    kit_json_text(&json, "list", job->table_path);
    kit_json_count(&json, "landmark_cells", job->landmark_count);
    kit_json_text(&json, "metric", kit_metric_text(cairn_map_metric(job->map)).text);
    kit_json_rounded(&json, "load_seconds", job->load_seconds, 6);
    kit_json_rounded(&json, "place_seconds", job->build_seconds, 6);
    kit_json_close(&json, '}');
}

void build_print_landmarks(const build_settings *set, const build_job *job)
{
    if (set->json)
        print_json(job);
    else
        print_text(set, job);
}
