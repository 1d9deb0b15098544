/* The file of queries. */
#include <stdio.h>
#include <stdlib.h>

#include "generate/generate.h"
#include "kit/exits.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"

/* Blanks end the fields of a scenario, so that a name has none there. */
static void put_name(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc((unsigned char)*name <= ' ' ? '_' : *name, file);
}

static void put_on_grid(FILE *file, const scenario_plan *plan, const cairn_map *map,
                        const drawn_query *queries)
{
    fputs("version 1\n", file);
    for (uint32_t index = 0; index < plan->query_count; index++) {
        const drawn_query *query = &queries[index];
        fprintf(file, "%u\t", (unsigned)(query->length / 4));
        put_name(file, kit_file_name(plan->map_path));
        fprintf(file, "\t%u\t%u\t%u\t%u\t%u\t%u\t%.8f\n", cairn_map_width(map),
                cairn_map_height(map), query->start[0], query->start[1], query->goal[0],
                query->goal[1], query->length);
    }
}

/* Nodes are counted from 1 there. */
static void put_on_graph(FILE *file, const scenario_plan *plan, const drawn_query *queries)
{
    fprintf(file, "p aux sp p2p %u\n", plan->query_count);
    for (uint32_t index = 0; index < plan->query_count; index++)
        fprintf(file, "q %u %u\n", queries[index].start[0] + 1, queries[index].goal[0] + 1);
}

/* Those of grids are in the order of their lengths. */
static void report(const scenario_plan *plan, const cairn_map *map, const drawn_query *queries)
{
    const uint32_t count = plan->query_count;
    if (!kit_reports(plan->path, false))
        return;
    printf("%s: %s quer%s", plan->path, kit_count(count).text, count == 1 ? "y" : "ies");
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        printf(", lengths from %s to %s", kit_decimal(queries[0].length).text,
               kit_decimal(queries[count - 1].length).text);
    printf("\n");
}

static int write_scenario(const scenario_plan *plan, const cairn_map *map,
                          const drawn_query *queries)
{
    kit_output output;
    if (!kit_output_open(&output, plan->path))
        return KIT_EXIT_IO;
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        put_on_grid(output.file, plan, map, queries);
    else
        put_on_graph(output.file, plan, queries);
    if (!kit_output_commit(&output))
        return KIT_EXIT_IO;
    report(plan, map, queries);
    return KIT_EXIT_OK;
}

/* Draws on the map in a metric; *far: paths are too long for it, and nothing was said. */
static int try_metric(const char *command, const scenario_plan *plan, cairn_metric metric,
                      drawn_query *queries, bool *far)
{
    cairn_map *map = NULL;
    int code = plan->make_map(plan->context, metric, &map);
    if (code != KIT_EXIT_OK) {
        cairn_map_free(map);
        return code;
    }

    kit_progress_begin("queries on %s", kit_file_name(plan->map_path));
    cairn_status status = draw_queries(map, &plan->rng, plan->query_count, queries);
    kit_progress_end();
    *far = status == CAIRN_E_LIMIT;
    if (status == CAIRN_OK) {
        code = write_scenario(plan, map, queries);
    } else if (status == CAIRN_E_ARGUMENT) {
        kit_complain("%s: there is no path on this map to ask for", command);
        code = KIT_EXIT_NO;
    } else if (status != CAIRN_E_LIMIT) {
        code = kit_fail(plan->path, status);
    }
    cairn_map_free(map);
    return code;
}

int make_scenario(const char *command, const scenario_plan *plan)
{
    /* The second is for mazes so long that costs in the first exceed the limit. */
    static const cairn_metric metrics[] = {{2378, 3363}, {70, 99}};
    drawn_query *queries = calloc(plan->query_count, sizeof *queries);
    if (!queries)
        return kit_fail(plan->path, CAIRN_E_MEMORY);

    bool far = true;
    int code = KIT_EXIT_OK;
    for (size_t i = 0; i < 2 && far && code == KIT_EXIT_OK; i++) {
        far = false;
        code = try_metric(command, plan, metrics[i], queries, &far);
    }
    free(queries);
    return far ? kit_fail(plan->path, CAIRN_E_LIMIT) : code;
}
