#include "build/build_corners.h"

#include "table/corner_rows.h"

static cairn_status put_corner_rows(cn_rows *rows, cairn_table *table)
{
    cairn_status status = CAIRN_OK;
    cn_built_row row;

    while (status == CAIRN_OK && cn_rows_are_left(rows)) {
        status = cn_rows_next(rows, &row);
        if (status != CAIRN_OK)
            return status;
        cn_corner_rows_put(table, row.index, &row.plane);
        status = cn_rows_report(rows, row.index + 1);
    }
    return status;
}

cairn_status cn_build_corners(const cairn_map *map, cn_rows *rows, cairn_table **table)
{
    const cn_table_shape shape = cn_rows_shape(rows);
    bool is_complete = true;

    *table = NULL;
    if (shape.map != map || !cn_corner_rows_suit(map))
        return CAIRN_E_RESIDENT;
    cairn_status status = cn_corner_rows_open(map, &map->mem, shape, table);
    if (status == CAIRN_OK)
        status = put_corner_rows(rows, *table);
    if (status == CAIRN_OK)
        status = cn_corner_rows_close(*table, map, cn_rows_landmarks(rows), &is_complete);
    if (status == CAIRN_OK && is_complete)
        return CAIRN_OK;
    cairn_table_free(*table);
    *table = NULL;
    return status == CAIRN_OK
               ? cn_corner_rows_new(map, &map->mem, shape, cn_rows_landmarks(rows), NULL, table)
               : status;
}
