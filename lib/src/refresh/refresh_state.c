#include "refresh/refresh_state.h"

cairn_cost cn_refresh_entry(const cn_refresh *self, uint32_t row, cairn_node node)
{
    uint32_t x, y;

    if (CN_LIKELY(!(self->row_work[row] & CN_ROW_MEASURED)))
        return cn_table_entry(self->table, row, node);
    size_t i = 0;
    while (self->measured[i] != row)
        i++;
    cn_grid_xy(&self->map->grid, node, &x, &y);
    return cn_plane_at(&self->planes[i], x, y);
}

static cairn_status label_runs(const cairn_map *map, const cn_mem *mem, cn_runs *runs)
{
    uint32_t *label = cn_array(mem, cn_map_node_count(map), sizeof *label), *sizes = NULL;
    uint32_t count = 0;

    if (!label)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_map_components(map, mem, label, &sizes, &count);
    if (status == CAIRN_OK)
        status = cn_runs_from(&map->grid, mem, label, count, runs);
    cn_release(mem, label);
    cn_release(mem, sizes);
    return status;
}

cairn_status cn_refresh_ready_runs(cn_refresh *self)
{
    if (self->runs.items && self->runs_hash == self->map->hash)
        return CAIRN_OK;
    cn_runs_free(&self->runs, &self->mem);
    self->runs_hash = self->map->hash;
    if (cn_map_is_classic(self->map))
        return cn_runs_new(&self->map->grid, &self->mem, &self->runs);
    return label_runs(self->map, &self->mem, &self->runs);
}
