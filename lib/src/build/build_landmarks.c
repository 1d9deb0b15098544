/* Landmarks without a table: what a build would choose, row after row. */
#include <string.h>

#include "build/build_rows.h"
#include "build/team_build.h"

static cairn_status pass_all(cn_rows *rows)
{
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && cn_rows_are_left(rows)) {
        status = cn_rows_pass(rows, false);
        if (status == CAIRN_OK)
            status = cn_rows_report(rows, cn_rows_done(rows));
    }
    return status;
}

/* Rows in pairs have the same landmarks, which are listed once. */
static cairn_status list_landmarks(const cairn_map *map, const cn_rows *rows, cairn_node **nodes,
                                   size_t *count)
{
    const cn_table_shape shape = cn_rows_shape(rows);
    const cn_landmark_lists lists = cn_rows_landmarks(rows);
    const uint32_t step = shape.is_directed ? 2 : 1;
    size_t used = 0;

    cairn_node *list = cn_array(&map->mem, lists.start[shape.row_count] + 1, sizeof *list);
    if (!list)
        return CAIRN_E_MEMORY;
    for (uint32_t row = 0; row < shape.row_count; row += step) {
        const size_t size = lists.start[row + 1] - lists.start[row];
        if (size)
            memcpy(list + used, lists.nodes + lists.start[row], size * sizeof *list);
        used += size;
    }
    *nodes = list;
    *count = used;
    return CAIRN_OK;
}

static cairn_status place_all(cn_rows *rows)
{
    cairn_status status;
    do
        status = pass_all(rows);
    while (cn_rows_restart(rows, &status));
    return status;
}

/* All that may fail in one process of a team alone. */
static cairn_status place(cairn_map *map, const cairn_build_options *options, cn_team *team,
                          cairn_status status, cairn_node **nodes, size_t *count)
{
    cn_rows *rows = NULL;

    if (status == CAIRN_OK)
        status = cn_team_meet(team, map, options, 0);
    if (status == CAIRN_OK)
        status = cn_rows_open(map, options, team, &rows);
    if (status == CAIRN_OK)
        status = place_all(rows);
    if (status == CAIRN_OK)
        status = list_landmarks(map, rows, nodes, count);
    status = cn_team_end_call(team, status);
    cn_rows_close(rows, status);
    return status;
}

cairn_status cairn_landmarks_place(cairn_map *map, const cairn_build_options *options,
                                   cairn_node **nodes, size_t *count)
{
    cairn_build_options known;

    if (nodes)
        *nodes = NULL;
    if (count)
        *count = 0;
    if (!map || !nodes || !count || !cn_options_copy(&known, sizeof known, options) || known.part ||
        known.part_count || known.memory_limit || !cn_team_is_valid(known.team))
        return CAIRN_E_ARGUMENT;
    cn_team team;
    cairn_status status = cn_team_open(&team, known.team, &map->mem);
    status = place(map, &known, &team, status, nodes, count);
    cn_team_close(&team);
    if (status != CAIRN_OK) {
        cairn_nodes_free(map, *nodes);
        *nodes = NULL;
        *count = 0;
    }
    return status;
}

void cairn_nodes_free(const cairn_map *map, cairn_node *nodes)
{
    if (map)
        cn_release(&map->mem, nodes);
}
