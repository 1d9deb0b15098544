/* Making gates: which cells opened or became cheaper, and which rows may be used. */
#include <string.h>

#include "bound/gate_maker.h"

enum { CHANGES_MAX = 4096 };

bool cn_gate_step_breaks(const cn_gates *gates, cairn_node from, cairn_node to, cairn_cost cost)
{
    uint32_t above[CN_LANES_MAX], below[CN_LANES_MAX];
    cn_gate_limit_row(gates, cn_gate_own_entries(gates, to), CN_ROW_BY_GATES, above, below);
    return gates->rows(cn_gate_own_entries(gates, from), above, below, gates->lane_count) > cost;
}

static bool has_no_entries(const cairn_table *table, cairn_node node)
{
    uint32_t row = 0;
    if (table->corners)
        return !cairn_table_holds(table, node);
    while (row < table->row_count && cn_table_entry(table, row, node) == 0)
        row++;
    return row == table->row_count;
}

static bool steps_break(const cn_gates *gates, cairn_node node, cn_way way)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_arc_span span = cn_map_arcs(gates->map, node, way, scratch);
    for (size_t i = 0; i < span.count; i++) {
        const cn_arc *arc = &span.arcs[i];
        if (way == CN_FORWARD ? cn_gate_step_breaks(gates, node, arc->to, arc->cost)
                              : cn_gate_step_breaks(gates, arc->to, node, arc->cost))
            return true;
    }
    return false;
}

/* Whether a changed cell may have steps that cost less than entries allow. A cell that has entries
 * was open for the table: then only its own steps can have become cheaper, and at uniform costs
 * none can. */
static bool is_cheaper(const cn_gates *gates, const cairn_table *table, cairn_node cell)
{
    const cairn_map *map = gates->map;
    if (map->roads)
        return true;
    if (!cn_grid_is_open(&map->grid, cell))
        return false;
    if (has_no_entries(table, cell))
        return true;
    return !map->is_even && (steps_break(gates, cell, CN_FORWARD) ||
                             (gates->is_directed && steps_break(gates, cell, CN_REVERSE)));
}

/* The index of a cell among `count` cells in ascending order, or the one that it would have. */
static size_t place_among(const cairn_node *cells, size_t count, cairn_node cell)
{
    size_t first = 0, end = count;
    if (count && cells[count - 1] < cell)
        return count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (cells[middle] < cell)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Sorts the opened cells and drops doubles. By insertion, since most are in order: those of a
 * former state come first. */
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
    if (gates->cell_count == CN_GATE_LISTED_MAX)
        sort_cells(gates);
    if (gates->cell_count == CN_GATE_LISTED_MAX)
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
    size_t first = table->openings ? table->openings->count : 0;
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
    const cn_openings *openings = table->openings;
    const cairn_node *opened = openings ? openings->cells : NULL;
    for (size_t i = first_lacking(gates, table); openings && i < openings->count; i++) {
        if ((map->roads || cn_grid_is_open(&map->grid, opened[i])) &&
            !take_opened(gates, opened[i]))
            return false;
    }
    return true;
}

static bool take_cheaper(cn_gates *gates, const cairn_table *table, const cairn_node *cells,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_cheaper(gates, table, cells[i]) && !take_opened(gates, cells[i]))
            return false;
    }
    return true;
}

/* Adds the cells that opened or became cheaper since edits were last applied to the table. False
 * where very many changed: to examine them would take longer than searches without gates. */
static bool take_later(cn_gates *gates, const cairn_table *table, const cairn_map *map)
{
    const cairn_node *cells;
    size_t count;
    cn_changes changes = cn_table_changes(table, map, &cells, &count);

    if (changes != CN_CHANGES_KNOWN)
        return changes == CN_CHANGES_NONE;
    return count <= CHANGES_MAX && take_cheaper(gates, table, cells, count);
}

/* Adds the cells of a former state of the map that are still open; the table has not changed since
 * then. */
static bool take_former(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                        const cn_gates *past)
{
    if (map->roads)
        return take_cheaper(gates, table, past->cells, past->listed_count);
    for (size_t i = 0; i < past->listed_count; i++) {
        if (cn_grid_is_open(&map->grid, past->cells[i]) && !take_opened(gates, past->cells[i]))
            return false;
    }
    return true;
}

/* Does what take_later does, from the list of a former state and what changed since then; *fits is
 * then its result. False where the list is not whole or the changes are not known, and on terrain,
 * where a cell beside one that changed may count as cheaper as well. */
static bool take_later_by_past(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                               const cn_gate_past *past, bool *fits)
{
    const cairn_node *cells;
    size_t count;

    if (!past->gates->is_listed || !(map->roads || map->is_even))
        return false;
    const cn_changes changes = cn_map_changes(map, past->map_hash, past->map_frame, &cells, &count);
    if ((changes != CN_CHANGES_NONE && changes != CN_CHANGES_KNOWN) || count > CHANGES_MAX)
        return false;
    *fits = take_former(gates, table, map, past->gates) && take_cheaper(gates, table, cells, count);
    return true;
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

static bool take_by_past(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                         const cn_gate_past *past)
{
    bool fits = false;
    return past && take_later_by_past(gates, table, map, past, &fits) && fits &&
           take_applied(gates, table, map);
}

static bool take_all(cn_gates *gates, const cairn_table *table, const cairn_map *map)
{
    gates->cell_count = 0;
    return take_applied(gates, table, map) && take_later(gates, table, map);
}

bool cn_gate_take_opened(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                         const cn_gate_past *past)
{
    if (!take_by_past(gates, table, map, past) && !take_all(gates, table, map))
        return false;
    sort_cells(gates);
    gates->listed_count = gates->cell_count;
    gates->is_listed = true;
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
