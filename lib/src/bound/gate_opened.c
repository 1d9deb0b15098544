/* Making gates: which cells opened or became cheaper, and which rows may be used. */
#include <string.h>

#include "base/nodes.h"
#include "bound/gate_maker.h"

/* Whether some row proves that no path leads from a node with these entries to another one. In 16
 * bits that is not seen by the difference: it may be less than a step costs. */
static bool proves_apart(const cn_gates *gates, const uint8_t *entries, const void *above,
                         const void *below)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const uint32_t entry = cn_gate_lane(gates, entries, lane);
        if (entry == UINT16_MAX ? cn_gate_lane(gates, above, lane) != UINT16_MAX
                                : cn_gate_lane(gates, below, lane) == UINT16_MAX)
            return true;
    }
    return false;
}

bool cn_gate_step_breaks(const cn_gates *gates, cairn_node from, cairn_node to, cairn_cost cost)
{
    uint32_t above[CN_LANES_MAX], below[CN_LANES_MAX];
    const uint8_t *entries = cn_gate_own_entries(gates, from);
    cn_gate_limit_row(gates, cn_gate_own_entries(gates, to), CN_ROW_BY_GATES, above, below);
    return gates->rows(entries, above, below, gates->lane_count) > cost ||
           (gates->entry_bits == 16 && proves_apart(gates, entries, above, below));
}

/* The place of a cell among others that ascend, of which it most often comes last. */
static size_t place_among(const cairn_node *cells, size_t count, cairn_node cell)
{
    return count && cells[count - 1] < cell ? count : cn_nodes_place(cells, count, cell);
}

/* Sorts the opened cells and drops doubles. By insertion, since most are in order. */
static void sort_cells(cn_gates *gates)
{
    cairn_node *cells = gates->cells;
    size_t kept = 0;
    for (size_t i = 0; i < gates->cell_count; i++) {
        const cairn_node cell = cells[i];
        const size_t at = place_among(cells, kept, cell);
        if (at < kept && cells[at] == cell)
            continue;
        memmove(&cells[at + 1], &cells[at], (kept - at) * sizeof *cells);
        cells[at] = cell;
        kept++;
    }
    gates->cell_count = kept;
}

/* Adds a cell to the list; false where there are too many. */
static bool take_opened(cn_gates *gates, cairn_node cell)
{
    if (gates->cell_count == CN_GATE_CELLS_MAX)
        sort_cells(gates);
    if (gates->cell_count == CN_GATE_CELLS_MAX)
        return false;
    gates->cells[gates->cell_count++] = cell;
    return true;
}

/* Whether a row does not hold all openings that were applied to the table. */
static bool lacks_applied(const cn_gates *gates, const cairn_table *table, uint32_t row)
{
    return gates->use[row] != CN_ROW_LEFT_OUT && table->row_state[row] == CAIRN_ROW_UNSAFE;
}

/* The first of these openings that some row in use does not hold. */
static size_t first_lacking(const cn_gates *gates, const cairn_table *table)
{
    size_t first = table->openings ? table->openings->cells.count : 0;
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (lacks_applied(gates, table, row) && cn_table_since(table, row) < first)
            first = cn_table_since(table, row);
    }
    return first;
}

/* Adds the cells whose opening has been applied to the table, while some row in use does not hold
 * it. */
static bool take_applied(cn_gates *gates, const cairn_table *table, const cairn_map *map)
{
    const cn_nodes *opened = table->openings ? &table->openings->cells : NULL;
    for (size_t i = first_lacking(gates, table); opened && i < opened->count; i++) {
        if ((map->graph || cn_grid_is_open(&map->grid, opened->items[i])) &&
            !take_opened(gates, opened->items[i]))
            return false;
    }
    return true;
}

/* Adds the cells that opened or became cheaper since edits were last applied to the table. */
static bool take_later(cn_gates *gates, const cn_cheaper *cheaper)
{
    const cairn_node *cells = cheaper->cells.items;
    size_t i = 0;
    while (i < cheaper->cells.count && take_opened(gates, cells[i]))
        i++;
    return cheaper->is_known && i == cheaper->cells.count;
}

static void leave_out(cn_gates *gates, uint32_t row)
{
    gates->row_count -= gates->use[row] != CN_ROW_LEFT_OUT;
    gates->use[row] = CN_ROW_LEFT_OUT;
}

/* Of the openings that some row in use lacks, those of the older half. */
bool cn_gate_leave_out_oldest(cn_gates *gates, const cairn_table *table)
{
    const size_t first = first_lacking(gates, table);
    size_t last = first;
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (lacks_applied(gates, table, row) && cn_table_since(table, row) > last)
            last = cn_table_since(table, row);
    }
    for (uint32_t row = 0; row < table->row_count && first < last; row++) {
        if (lacks_applied(gates, table, row) &&
            cn_table_since(table, row) <= first + (last - first) / 2)
            leave_out(gates, row);
    }
    return first < last;
}

bool cn_gate_take_opened(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                         const cn_cheaper *cheaper)
{
    gates->cell_count = 0;
    if (!take_applied(gates, table, map) || !take_later(gates, cheaper))
        return false;
    sort_cells(gates);
    return true;
}

void cn_gate_choose_rows(cn_gates *gates, const cairn_table *table)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] == CAIRN_ROW_UNSAFE &&
            cn_table_since(table, row) == CN_SINCE_UNKNOWN)
            continue;
        gates->use[row] = CN_ROW_WHOLE;
        gates->row_count++;
    }
}
