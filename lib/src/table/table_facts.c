/* What can be asked of a table. */
#include "table/table_state.h"

uint32_t cairn_table_row_count(const cairn_table *table)
{
    return table->row_count;
}

uint32_t cairn_table_entry_bits(const cairn_table *table)
{
    return table->entry_bits;
}

cairn_metric cairn_table_metric(const cairn_table *table)
{
    return table->metric;
}

bool cairn_table_counts_steps(const cairn_table *table)
{
    return table->counts_steps;
}

uint64_t cairn_table_map_hash(const cairn_table *table)
{
    return table->map_hash;
}

uint64_t cairn_table_version(const cairn_table *table)
{
    return table->version;
}

cairn_direction cairn_table_direction(const cairn_table *table, uint32_t row)
{
    if (!table->is_directed)
        return CAIRN_DIRECTION_BOTH;
    return cn_table_way(table, row) == CN_FORWARD ? CAIRN_DIRECTION_FROM : CAIRN_DIRECTION_TO;
}

size_t cairn_table_landmarks(const cairn_table *table, uint32_t row, const cairn_node **landmarks)
{
    *landmarks = NULL;
    if (row >= table->row_count)
        return 0;
    if (table->landmarks)
        *landmarks = table->landmarks + table->landmark_start[row];
    return table->landmark_start[row + 1] - table->landmark_start[row];
}

cairn_resident cairn_table_resident(const cairn_table *table)
{
    return table->corners ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS;
}

/* Where the entries of a node lie, in nodes; CN_NO_CORNER: there are none. */
static uint32_t place_of(const cairn_table *table, cairn_node node)
{
    const cn_corners *corners = table->corners;
    return corners ? cn_corners_find_node(corners, node) : node;
}

bool cairn_table_holds(const cairn_table *table, cairn_node node)
{
    return node < table->node_count && place_of(table, node) != CN_NO_CORNER;
}

cairn_cost cairn_table_cost(const cairn_table *table, uint32_t row, cairn_node node)
{
    if (row >= table->row_count || node >= table->node_count)
        return CAIRN_UNREACHABLE;
    node = place_of(table, node);
    return node == CN_NO_CORNER ? 0 : cn_table_entry(table, row, node);
}

cairn_status cairn_table_row(const cairn_table *table, const cairn_map *map, uint32_t row,
                             cairn_cost *costs)
{
    if (!table || !map || !costs || row >= table->row_count)
        return CAIRN_E_ARGUMENT;
    const cairn_status status = cn_table_check_map(table, map);
    if (status != CAIRN_OK)
        return status;
    if (table->corners)
        return CAIRN_E_RESIDENT;
    for (cairn_node node = 0; node < table->node_count; node++) {
        const bool is_open = cn_grid_is_open(&map->grid, node);
        costs[node] = is_open ? cn_table_entry(table, row, node) : CAIRN_UNREACHABLE;
    }
    return CAIRN_OK;
}

cairn_status cairn_table_set_cost(cairn_table *table, uint32_t row, cairn_node node,
                                  cairn_cost cost)
{
    if (!table || row >= table->row_count || !cairn_table_holds(table, node))
        return CAIRN_E_ARGUMENT;
    if (cost > cn_entry_most(table->entry_bits) && cost != CAIRN_UNREACHABLE)
        return CAIRN_E_ARGUMENT;
    cn_table_mark(table, node);
    table->version++;
    cn_entry_put(table->entries, cn_table_index(table, place_of(table, node), row),
                 table->entry_bits, cost);
    return CAIRN_OK;
}
