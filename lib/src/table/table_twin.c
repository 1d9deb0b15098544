#include "table/table_twin.h"

#include "table/table_state.h"

cairn_status cn_table_follow_twin(cairn_table *to, cairn_table *from)
{
    cairn_status status = cn_table_set_landmarks(to, from->landmark_start, from->landmarks);
    if (status == CAIRN_OK)
        status = cn_table_copy_openings(to, from);
    if (status == CAIRN_OK)
        status = cn_table_share_entries(to, from);
    if (status != CAIRN_OK)
        return status;
    cn_corners *corners = cn_corners_share(from->corners);
    cn_corners_free(to->corners, &to->mem);
    to->corners = corners;
    to->version++;
    to->lane_count = from->lane_count;
    to->entry_bits = from->entry_bits;
    cn_table_copy_states(to, from);
    return CAIRN_OK;
}

cairn_status cn_table_twin(cairn_table *table, cairn_table **twin)
{
    const cn_mem *mem = &table->mem;
    cairn_table *made = cn_zeroed(mem, 1, sizeof *made);

    *twin = NULL;
    if (!made)
        return CAIRN_E_MEMORY;
    cn_table_copy_head(made, table);
    made->landmark_start = cn_zeroed(mem, table->row_count + 1u, sizeof *made->landmark_start);
    cairn_status status = made->landmark_start ? cn_table_follow_twin(made, table) : CAIRN_E_MEMORY;
    if (status != CAIRN_OK) {
        cairn_table_free(made);
        return status;
    }
    *twin = made;
    return CAIRN_OK;
}
