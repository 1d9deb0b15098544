#include "refresh/refresh.h"

void cn_refresh_try_again(cn_refresh *self)
{
    for (uint32_t row = 0; row < self->table->row_count; row++)
        self->row_work[row] &= (uint8_t)~CN_ROW_BEYOND;
}

void cn_refresh_drop_slices(cn_refresh *self, uint32_t row)
{
    if (self->sliced.is_begun && self->sliced.row == row) {
        self->sliced.is_begun = false;
        self->slices_lost++;
    }
}

cairn_cost cn_refresh_entry(const cn_refresh *self, uint32_t row, cairn_node node)
{
    uint32_t x, y;

    if (CN_LIKELY(!(self->row_work[row] & CN_ROW_COMPUTED)))
        return cn_table_entry(self->table, row, node);
    size_t i = 0;
    while (self->computed.rows[i] != row)
        i++;
    cn_grid_xy(&self->map->grid, node, &x, &y);
    return cn_plane_at(&self->computed.planes[i], x, y);
}
