#include "bound.h"

cairn_status cairn_bound_to(const cairn_map *map, const cairn_table *table, cairn_node goal,
                            cairn_bound *bound)
{
    if (!map || !bound || goal >= cn_map_node_count(map))
        return CAIRN_E_ARGUMENT;
    *bound = (cairn_bound){.map = map, .table = table, .goal = goal};
    cn_grid_xy(&map->grid, goal, &bound->goal_x, &bound->goal_y);
    if (!table)
        return CAIRN_OK;
    if (!cn_table_fits(table, map))
        return CAIRN_E_MISMATCH;
    size_t bytes = cn_table_index(table, goal, 0) * table->entry_bits / 8;
    bound->goal_row = (const uint8_t *)table->entries + bytes;
    return CAIRN_OK;
}

/* In 16 bits the difference to an unreachable entry is no larger than a cost may be: it has to be
 * looked for. */
static bool separates_16(const uint16_t *entries, const uint16_t *goal, uint32_t lane_count)
{
    unsigned apart = 0;
    for (uint32_t lane = 0; lane < lane_count; lane++)
        apart |= (entries[lane] == UINT16_MAX) != (goal[lane] == UINT16_MAX);
    return apart != 0;
}

static cairn_cost rows_16(const cairn_bound *bound, cairn_node node)
{
    const cairn_table *table = bound->table;
    const uint16_t *entries = (const uint16_t *)table->entries + cn_table_index(table, node, 0);
    if (separates_16(entries, bound->goal_row, table->lane_count))
        return CAIRN_UNREACHABLE;
    return cn_bound_rows_16(entries, bound->goal_row, table->lane_count);
}

cairn_cost cairn_bound_at(const cairn_bound *bound, cairn_node node)
{
    cairn_cost plain = cn_bound_plain(bound, node);
    const cairn_table *table = bound->table;
    if (!table)
        return plain;
    cairn_cost rows = table->entry_bits == 16 ? rows_16(bound, node)
                                              : cn_bound_table(bound, node, 32);
    return rows > plain ? rows : plain;
}

bool cn_bound_separates(const cairn_table *table, cairn_node a, cairn_node b)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        bool reaches_a = cn_table_entry(table, row, a) != CAIRN_UNREACHABLE;
        bool reaches_b = cn_table_entry(table, row, b) != CAIRN_UNREACHABLE;
        if (reaches_a != reaches_b)
            return true;
    }
    return false;
}
