/* From a map to its table in memory: each row is pulled into the stage, and when all are there, the
 * entries of each node are brought together. */
#include "base/tasks.h"
#include "build/build_corners.h"
#include "table/staged_table.h"

static cairn_status put_rows(cn_rows *rows, const cn_stage *stage)
{
    cairn_status status = CAIRN_OK;
    cn_built_row row;

    while (status == CAIRN_OK && cn_rows_are_left(rows)) {
        status = cn_rows_next(rows, &row);
        if (status == CAIRN_OK)
            status = cn_stage_put_row(stage, row.index, &row.plane);
        if (status == CAIRN_OK)
            status = cn_rows_report(rows, row.index + 1);
    }
    return status;
}

typedef struct finishing {
    const cn_stage *stage;
    size_t part_count;
} finishing;

static cairn_status finish_part(void *context, size_t part, unsigned worker)
{
    const finishing *job = context;
    size_t chunks = job->stage->chunk_count;
    (void)worker;
    return cn_stage_finish(job->stage, (uint32_t)(chunks * part / job->part_count),
                           (uint32_t)(chunks * (part + 1) / job->part_count));
}

static cairn_status finish(const cn_stage *stage, const cairn_pool *pool, uint32_t thread_count)
{
    const cn_crew crew =
        cn_tasks_crew(pool, thread_count, stage->chunk_count,
                      (uint64_t)stage->chunk_count * stage->table->lane_count * stage->group_nodes);
    finishing parts = {stage, crew.count};
    return cn_tasks_run(crew, crew.count, finish_part, &parts);
}

static cairn_status fill(cn_rows *rows, uint32_t thread_count, cairn_table *table)
{
    const cn_table_shape shape = cn_rows_shape(rows);
    cn_stage stage;
    cairn_status status = cn_stage_init(&stage, shape.map, table);

    if (status == CAIRN_OK)
        status = put_rows(rows, &stage);
    if (status == CAIRN_OK)
        status = finish(&stage, &shape.map->pool, thread_count);
    cn_stage_free(&stage);
    if (status != CAIRN_OK)
        return status;
    const cn_landmark_lists landmarks = cn_rows_landmarks(rows);
    return cn_table_set_landmarks(table, landmarks.start, landmarks.nodes);
}

static cairn_status build_cells(const cairn_map *map, cn_rows *rows, uint32_t thread_count,
                                cairn_table **table)
{
    const cn_table_shape shape = cn_rows_shape(rows);
    cairn_status status = cn_table_new(shape.map, &map->mem, shape.row_count, shape.entry_bits,
                                       table);
    if (status != CAIRN_OK)
        return status;
    (*table)->counts_steps = shape.map != map;
    status = fill(rows, thread_count, *table);
    if (status != CAIRN_OK) {
        cairn_table_free(*table);
        *table = NULL;
    }
    return status;
}

static cairn_status build(const cairn_map *map, cn_rows *rows, const cairn_build_options *options,
                          cairn_table **table)
{
    return options->resident == CAIRN_RESIDENT_CORNERS
               ? cn_build_corners(map, rows, table)
               : build_cells(map, rows, options->thread_count, table);
}

cairn_status cairn_table_build(cairn_map *map, const cairn_build_options *options,
                               cairn_table **table)
{
    cairn_build_options known;
    cn_rows *rows;

    if (!table)
        return CAIRN_E_ARGUMENT;
    *table = NULL;
    if (!map || !cn_options_copy(&known, sizeof known, options) ||
        (unsigned)known.resident > CAIRN_RESIDENT_CORNERS || known.part || known.part_count ||
        known.team || known.memory_limit)
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_rows_open(map, &known, &(cn_team){0}, &rows);
    if (status != CAIRN_OK)
        return status;
    do
        status = build(map, rows, &known, table);
    while (cn_rows_restart(rows, &status));
    cn_rows_close(rows, status);
    return status;
}
