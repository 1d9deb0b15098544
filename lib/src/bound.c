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

static cairn_cost pairs_16(const uint16_t *node, const uint16_t *goal, uint32_t lane_count)
{
    uint32_t most = 0;
    unsigned apart = 0;
    for (uint32_t lane = 0; lane < lane_count; lane += 2) {
        uint32_t a = node[lane], b = goal[lane], c = node[lane + 1], d = goal[lane + 1];
        uint32_t from = b > a ? b - a : 0;
        uint32_t to = c > d ? c - d : 0;
        apart |= (from && b == UINT16_MAX) || (to && c == UINT16_MAX);
        most = from > most ? from : most;
        most = to > most ? to : most;
    }
    return apart ? CAIRN_UNREACHABLE : most;
}

static cairn_cost pairs_32(const uint32_t *node, const uint32_t *goal, uint32_t lane_count)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < lane_count; lane += 2) {
        uint32_t from = goal[lane] > node[lane] ? goal[lane] - node[lane] : 0;
        uint32_t to = node[lane + 1] > goal[lane + 1] ? node[lane + 1] - goal[lane + 1] : 0;
        most = from > most ? from : most;
        most = to > most ? to : most;
    }
    return most > CAIRN_COST_MAX ? CAIRN_UNREACHABLE : most;
}

cairn_cost cn_bound_pairs(const cairn_bound *bound, cairn_node node)
{
    const cairn_table *table = bound->table;
    size_t index = cn_table_index(table, node, 0);
    if (table->entry_bits == 16)
        return pairs_16((const uint16_t *)table->entries + index, bound->goal_row,
                        table->lane_count);
    return pairs_32((const uint32_t *)table->entries + index, bound->goal_row, table->lane_count);
}

static cairn_cost bound_of_rows(const cairn_bound *bound, cairn_node node)
{
    const cairn_table *table = bound->table;
    if (table->is_directed)
        return cn_bound_pairs(bound, node);
    return table->entry_bits == 16 ? rows_16(bound, node) : cn_bound_table(bound, node, 32);
}

cairn_cost cairn_bound_at(const cairn_bound *bound, cairn_node node)
{
    cairn_cost plain = cn_bound_plain(bound, node);
    if (!bound->table)
        return plain;
    cairn_cost rows = bound_of_rows(bound, node);
    return rows > plain ? rows : plain;
}

bool cn_bound_separates(const cairn_table *table, cairn_node from, cairn_node to)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        bool reaches_from = cn_table_entry(table, row, from) != CAIRN_UNREACHABLE;
        bool reaches_to = cn_table_entry(table, row, to) != CAIRN_UNREACHABLE;
        if (reaches_from == reaches_to)
            continue;
        if (!table->is_directed || reaches_from == (cn_table_way(table, row) == CN_FORWARD))
            return true;
    }
    return false;
}
