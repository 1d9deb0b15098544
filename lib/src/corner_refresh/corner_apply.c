#include "corner_refresh/corner_apply.h"

#include "bound/gate_shelf.h"
#include "table/corner_rows.h"
#include "table/table_state.h"

/* Rows that gates could use serve again, by the opened cells listed from `since` on. The others
 * stay unsafe, since it is not known which openings they lack. */
static void set_states(cairn_table *table, const cn_gates *gates, uint32_t since)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        const bool is_used = gates && gates->use[row] != CN_ROW_LEFT_OUT;
        cn_table_set_state(table, row, is_used ? CAIRN_ROW_WEAKER : CAIRN_ROW_UNSAFE);
        if (is_used && gates->cell_count)
            cn_table_fall_behind(table, row, since);
    }
}

static cairn_status change_set(cairn_table *table, const cairn_map *map,
                               const cn_corner_landmarks *lists)
{
    cn_corner_draft draft;
    const cn_gates *gates;
    cn_trust trust;
    uint32_t since = CN_SINCE_UNKNOWN;

    cairn_status status = cn_gates_of(table, map, &trust, &gates);
    if (status == CAIRN_OK)
        status = cn_corner_draft_make(table, map, cn_corner_landmark_lists(lists),
                                      gates ? &gates->extension->view : NULL, &draft);
    if (status != CAIRN_OK)
        return status;
    /* Opened cells are listed once more: entries of new members follow from other steps alone, so
     * no row holds any of them. */
    if (gates && gates->cell_count)
        status = cn_table_add_openings(table, gates->cells, gates->cell_count, &since);
    if (status == CAIRN_OK)
        status = cn_table_set_landmarks(table, lists->start, lists->nodes);
    if (status != CAIRN_OK) {
        cn_corner_draft_free(&draft, &table->mem);
        return status;
    }
    set_states(table, gates, since);
    cn_corner_draft_adopt(&draft, table);
    cn_table_set_map(table, map);
    return CAIRN_OK;
}

cairn_status cn_corner_apply(cairn_table *table, const cairn_map *map, cn_landmark_changes *changes)
{
    cn_corner_landmarks lists;

    *changes = (cn_landmark_changes){0, 0};
    if (cn_table_journal_lag(table, map) == CN_LAG_STRANGER)
        return CAIRN_E_MISMATCH;
    cairn_status status = cn_corner_landmarks_list(table, map, &lists);
    if (status != CAIRN_OK)
        return status;
    const cn_landmark_changes found = cn_corner_landmarks_compare(table, &lists);
    status = change_set(table, map, &lists);
    if (status == CAIRN_OK) {
        *changes = found;
        table->lost_landmarks = table->lost_landmarks || found.dropped > 0;
    }
    cn_corner_landmarks_free(&lists, &table->mem);
    return status;
}
