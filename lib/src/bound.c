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
    cn_trust trust = cn_table_trust(table, map);
    if (trust == CN_TRUST_STRANGER)
        return CAIRN_E_MISMATCH;
    if (trust == CN_TRUST_NONE) {
        bound->table = NULL;
        return CAIRN_OK;
    }
    size_t bytes = cn_table_index(table, goal, 0) * table->entry_bits / 8;
    bound->goal_row = (const uint8_t *)table->entries + bytes;
    if (trust == CN_TRUST_ALL)
        bound->rows = cn_rows_kernel_for(table->entry_bits, cn_cpu_level());
    return CAIRN_OK;
}

/* Row by row, leaving out those that are not safe. */
static cairn_cost safe_rows(const cairn_bound *bound, cairn_node node)
{
    const cairn_table *table = bound->table;
    cairn_cost most = 0;

    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] == CAIRN_ROW_UNSAFE)
            continue;
        cairn_cost a = cn_table_entry(table, row, node);
        cairn_cost b = cn_table_entry(table, row, bound->goal);
        if ((a == CAIRN_UNREACHABLE) != (b == CAIRN_UNREACHABLE))
            return CAIRN_UNREACHABLE;
        cairn_cost difference = a > b ? a - b : b - a;
        most = difference > most ? difference : most;
    }
    return most;
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

cairn_cost cairn_bound_at(const cairn_bound *bound, cairn_node node)
{
    cairn_cost plain = cn_bound_plain(bound, node);
    const cairn_table *table = bound->table;
    if (!table)
        return plain;
    if (!bound->rows) {
        cairn_cost safe = safe_rows(bound, node);
        return safe > plain ? safe : plain;
    }
    const uint8_t *entries = table->entries;
    entries += cn_table_index(table, node, 0) * table->entry_bits / 8;
    cairn_cost rows = bound->rows(entries, bound->goal_row, bound->goal_row, table->lane_count);
    if (rows > CAIRN_COST_MAX ||
        (table->entry_bits == 16 &&
         separates_16((const uint16_t *)entries, bound->goal_row, table->lane_count)))
        return CAIRN_UNREACHABLE;
    return rows > plain ? rows : plain;
}

bool cn_bound_separates(const cairn_table *table, cairn_node a, cairn_node b, cairn_cost *upper)
{
    *upper = CAIRN_UNREACHABLE;
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] == CAIRN_ROW_UNSAFE)
            continue;
        cairn_cost to_a = cn_table_entry(table, row, a), to_b = cn_table_entry(table, row, b);
        if ((to_a == CAIRN_UNREACHABLE) != (to_b == CAIRN_UNREACHABLE))
            return true;
        if (to_a != CAIRN_UNREACHABLE && to_a + to_b < *upper)
            *upper = to_a + to_b;
    }
    return false;
}
