#include "table/table_state.h"

#include <string.h>

cairn_status cn_table_row_map(const cairn_table *table, const cairn_map *map,
                              const cairn_map **row_map)
{
    *row_map = map;
    if (CN_LIKELY(!table->counts_steps))
        return CAIRN_OK;
    if (table->width != map->grid.width || table->height != map->grid.height)
        return CAIRN_E_MISMATCH;
    cairn_status status = cn_map_step_map(map, table->metric, row_map);
    return status == CAIRN_E_ARGUMENT ? CAIRN_E_MISMATCH : status;
}

bool cn_table_fits(const cairn_table *table, const cairn_map *map)
{
    return table->map_hash == map->hash && table->width == map->grid.width &&
           table->height == map->grid.height;
}

static cn_trust trust_of_rows(const cairn_table *table)
{
    if (table->unsafe_count == 0)
        return CN_TRUST_ALL;
    /* Pairs of rows can only be used together. */
    bool none = table->is_directed || table->unsafe_count == table->row_count;
    return none ? CN_TRUST_NONE : CN_TRUST_SOME;
}

/* Whether a cell may have become cheaper to enter. On even maps only a cell that was blocked
 * can: its entries in the table are 0. Those of landmarks are 0 as well, and are treated alike. */
static bool may_be_cheaper(const cairn_table *table, const cairn_map *map, cairn_node cell)
{
    if (!cn_grid_is_open(&map->grid, cell))
        return false;
    return !cn_map_is_even(map) || cn_table_entry(table, 0, cell) == 0;
}

bool cn_table_any_cheaper(const cairn_table *table, const cairn_map *map, const cairn_node *cells,
                          size_t count)
{
    size_t i = 0;
    while (i < count && !may_be_cheaper(table, map, cells[i]))
        i++;
    return i < count;
}

cn_changes cn_table_changes(const cairn_table *table, const cairn_map *map,
                            const cairn_node **cells, size_t *count)
{
    return cn_map_changes(map, table->map_hash, table->map_fixed_hash, cells, count);
}

cn_lag cn_table_journal_lag(const cairn_table *table, const cairn_map *map)
{
    const cairn_node *cells;
    size_t count;

    if (cn_table_fits(table, map))
        return CN_LAG_NONE;
    if (table->width != map->grid.width || table->height != map->grid.height)
        return CN_LAG_STRANGER;
    switch (cn_table_changes(table, map, &cells, &count)) {
    case CN_CHANGES_KNOWN:
        if (table->corners)
            return CN_LAG_HARMFUL;
        break;
    case CN_CHANGES_FORGOTTEN: return CN_LAG_HARMFUL;
    default: return CN_LAG_STRANGER;
    }
    return cn_table_any_cheaper(table, map, cells, count) ? CN_LAG_HARMFUL : CN_LAG_HARMLESS;
}

cairn_status cn_table_check_map(const cairn_table *table, const cairn_map *map)
{
    const cairn_map *row_map;
    const cairn_status status = cn_table_row_map(table, map, &row_map);
    if (status != CAIRN_OK)
        return status;
    return cn_table_journal_lag(table, row_map) == CN_LAG_STRANGER ? CAIRN_E_MISMATCH : CAIRN_OK;
}

cn_trust cn_table_trust(const cairn_table *table, cn_lag lag)
{
    return lag == CN_LAG_NONE || lag == CN_LAG_HARMLESS ? trust_of_rows(table) : CN_TRUST_NONE;
}

uint32_t cn_table_stale_rows(const cairn_table *table)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < table->row_count; row++)
        count += table->row_state[row] != CAIRN_ROW_FRESH;
    return count;
}

bool cn_table_is_fresh(const cairn_table *table, const cairn_map *map)
{
    return cn_table_fits(table, map) && cn_table_stale_rows(table) == 0;
}

void cn_table_set_state(cairn_table *table, uint32_t row, cairn_row_state state)
{
    bool was_unsafe = table->row_state[row] == CAIRN_ROW_UNSAFE;
    bool is_unsafe = state == CAIRN_ROW_UNSAFE;

    table->row_state[row] = (uint8_t)state;
    if (table->openings)
        table->openings->since[row] = CN_SINCE_UNKNOWN;
    if (was_unsafe != is_unsafe)
        table->unsafe_count += is_unsafe ? 1u : UINT32_MAX;
}

/* ------------------------------------------------------------------------------- openings -- */

enum { OPENINGS_MAX = 4096 };

static void forget_openings(const cairn_table *table)
{
    table->openings->cells.count = 0;
    for (uint32_t row = 0; row < table->row_count; row++)
        table->openings->since[row] = CN_SINCE_UNKNOWN;
}

uint32_t cn_table_since(const cairn_table *table, uint32_t row)
{
    return table->openings ? table->openings->since[row] : CN_SINCE_UNKNOWN;
}

void cn_table_fall_behind(cairn_table *table, uint32_t row, uint32_t since)
{
    if (table->row_state[row] == CAIRN_ROW_UNSAFE)
        return;
    cn_table_set_state(table, row, CAIRN_ROW_UNSAFE);
    if (table->openings && since < table->openings->cells.count)
        table->openings->since[row] = since;
}

static cn_openings *openings_of(cairn_table *table)
{
    if (table->openings)
        return table->openings;
    table->openings = cn_zeroed(&table->mem, 1, sizeof *table->openings);
    /* Rows that are unsafe already lack what nobody listed. */
    if (table->openings)
        forget_openings(table);
    return table->openings;
}

cairn_status cn_table_add_openings(cairn_table *table, const cairn_node *cells, size_t count,
                                   uint32_t *since)
{
    cn_openings *openings = openings_of(table);

    *since = CN_SINCE_UNKNOWN;
    if (!openings)
        return CAIRN_E_MEMORY;
    if (table->unsafe_count == 0 || openings->cells.count + count > OPENINGS_MAX)
        forget_openings(table);
    if (count == 0 || count > OPENINGS_MAX)
        return CAIRN_OK;
    if (!cn_nodes_append(&openings->cells, &table->mem, cells, count))
        return CAIRN_E_MEMORY;
    *since = (uint32_t)(openings->cells.count - count);
    return CAIRN_OK;
}

cairn_status cn_table_copy_openings(cairn_table *to, const cairn_table *from)
{
    if (to->openings)
        forget_openings(to);
    if (!from->openings)
        return CAIRN_OK;
    const cn_nodes *cells = &from->openings->cells;
    uint32_t since;
    const cairn_status status = cn_table_add_openings(to, cells->items, cells->count, &since);
    if (status == CAIRN_OK)
        memcpy(to->openings->since, from->openings->since, sizeof to->openings->since);
    return status;
}

void cn_table_copy_states(cairn_table *to, const cairn_table *from)
{
    to->metric = from->metric;
    to->map_hash = from->map_hash;
    to->map_fixed_hash = from->map_fixed_hash;
    to->unsafe_count = from->unsafe_count;
    to->account = from->account;
    to->lost_landmarks = from->lost_landmarks;
    memcpy(to->row_state, from->row_state, sizeof to->row_state);
}
