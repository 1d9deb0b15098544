#include "bound/gate_cheaper.h"

#include <string.h>

#include "bound/gate_maker.h"
#include "table/lacking.h"

void cn_cheaper_free(cn_cheaper *self, const cn_mem *mem)
{
    cn_release(mem, self->cells.items);
    memset(self, 0, sizeof *self);
}

size_t cn_cheaper_memory(const cn_cheaper *self)
{
    return cn_held_size(self->cells.items, self->cells.capacity, sizeof(cairn_node));
}

cairn_status cn_cheaper_copy(cn_cheaper *self, const cn_mem *mem, const cn_cheaper *from,
                             const cairn_table *table)
{
    if (!from->is_known)
        return CAIRN_OK;
    if (!cn_nodes_append(&self->cells, mem, from->cells.items, from->cells.count))
        return CAIRN_E_MEMORY;
    self->table_version = table->version;
    self->map_hash = from->map_hash;
    self->map_fixed_hash = from->map_fixed_hash;
    self->is_known = true;
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------- one cell -- */

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

static bool any_step_breaks(const cn_gates *gates, cairn_node node)
{
    return steps_break(gates, node, CN_FORWARD) ||
           (cn_map_is_directed(gates->map) && steps_break(gates, node, CN_REVERSE));
}

/* Whether a changed cell, which was this letter for the table, may have steps that cost less than
 * entries allow. If it was open, only its own steps can have become cheaper, and at uniform costs
 * none can. */
static bool is_cheaper_cell(const cn_gates *gates, cairn_node cell, uint8_t letter)
{
    const cairn_map *map = gates->map;
    if (!cn_grid_is_open(&map->grid, cell))
        return false;
    if (!map->grid.open_letter[letter])
        return true;
    return !cn_map_is_even(map) && any_step_breaks(gates, cell);
}

/* Both ends of an edited arc have changed, and are found out alike, by arcs that leave and that
 * arrive. */
static bool is_cheaper(const cn_gates *gates, const cn_lacking *lacking, cairn_node node)
{
    if (gates->map->graph)
        return any_step_breaks(gates, node);
    const size_t i = cn_lacking_find(lacking, node);
    return i != SIZE_MAX && is_cheaper_cell(gates, node, lacking->cells.letters[i]);
}

/* -------------------------------------------------------------------------- following a map -- */

/* The cells to be examined. */
typedef struct cell_list {
    cn_placed_node *cells; /* places mean nothing */
    size_t count;
} cell_list;

static bool reserve_cells(cell_list *list, const cn_mem *mem, size_t count)
{
    list->cells = cn_array(mem, count, sizeof *list->cells);
    return list->cells;
}

static void add_cell(cell_list *list, cairn_node cell)
{
    list->cells[list->count++] = cn_place_node(cell, 0);
}

static bool list_sorted(cell_list *list, const cn_mem *mem, const cairn_node *cells, size_t count)
{
    if (!reserve_cells(list, mem, count))
        return false;
    for (size_t i = 0; i < count; i++)
        add_cell(list, cells[i]);
    return true;
}

/* Adds changed cells and, where costs are not even, their neighbours: a step between two of these
 * may have become legal. */
static bool list_changed(cell_list *list, const cn_mem *mem, const cairn_map *map,
                         const cairn_node *changed, size_t count)
{
    const bool is_even = map->graph || cn_map_is_even(map);
    const size_t each = is_even ? 1 : CN_DIRECTIONS + 1;

    if (!reserve_cells(list, mem, 2 * each * count)) /* to sort them, too */
        return false;
    for (size_t i = 0; i < count; i++) {
        cairn_node near[CN_DIRECTIONS];
        const unsigned near_count = is_even ? 0 : cn_grid_neighbours(&map->grid, changed[i], near);
        add_cell(list, changed[i]);
        for (unsigned k = 0; k < near_count; k++)
            add_cell(list, near[k]);
    }
    cn_sort_placed(list->cells, list->cells + list->count, list->count);
    return true;
}

static bool list_all(cell_list *list, const cn_mem *mem, const cairn_map *map)
{
    const uint32_t count = cn_map_node_count(map);
    if (!reserve_cells(list, mem, count))
        return false;
    for (uint32_t node = 0; node < count; node++)
        add_cell(list, node);
    return true;
}

/* Lists the nodes of a graph that may have changed since edits were last applied to the table;
 * *known is false where it is not of this graph. */
static bool list_since_table(cell_list *list, const cairn_table *table, const cairn_map *map,
                             bool *known)
{
    const cairn_node *cells;
    size_t count;

    switch (cn_table_changes(table, map, &cells, &count)) {
    case CN_CHANGES_NONE:
    case CN_CHANGES_KNOWN: return list_changed(list, &table->mem, map, cells, count);
    case CN_CHANGES_FORGOTTEN: return list_all(list, &table->mem, map);
    default: *known = false; return true;
    }
}

/* Lists the cells that have to be examined, in order; the others of a former list stay on it, or
 * there is none. False when there is no memory. */
static bool list_cells(cell_list *list, const cn_cheaper **former, const cairn_table *table,
                       const cairn_map *map, const cn_lacking *lacking, bool *known)
{
    const cairn_node *cells = NULL;
    size_t count = 0;

    *known = map->graph || lacking->is_known;
    if (!*known)
        return true;
    if (*former && (*former)->is_known && (*former)->table_version == table->version) {
        const cn_changes changes = cn_map_changes(map, (*former)->map_hash,
                                                  (*former)->map_fixed_hash, &cells, &count);
        if (changes == CN_CHANGES_NONE || changes == CN_CHANGES_KNOWN)
            return list_changed(list, &table->mem, map, cells, count);
    }
    *former = NULL;
    if (!lacking->is_known)
        return list_since_table(list, table, map, known);
    return list_sorted(list, &table->mem, lacking->cells.nodes, lacking->cells.count);
}

/* Merges the former list with the examined cells, which are sorted: of these only what is cheaper
 * now. */
static bool merge(cn_cheaper *self, const cn_cheaper *former, const cell_list *list,
                  const cn_gates *gates, const cn_lacking *lacking)
{
    const cairn_node *kept = former ? former->cells.items : NULL;
    size_t left = former ? former->cells.count : 0;
    bool has_room = true;

    for (size_t i = 0; i < list->count && has_room; i++) {
        const cairn_node cell = cn_placed(list->cells[i]);
        if (i > 0 && list->cells[i - 1] == list->cells[i])
            continue;
        for (; left && *kept < cell && has_room; left--)
            has_room = cn_nodes_add(&self->cells, &gates->mem, *kept++);
        if (left && *kept == cell) {
            kept++;
            left--;
        }
        if (has_room && is_cheaper(gates, lacking, cell))
            has_room = cn_nodes_add(&self->cells, &gates->mem, cell);
    }
    for (; left && has_room; left--)
        has_room = cn_nodes_add(&self->cells, &gates->mem, *kept++);
    return has_room;
}

cairn_status cn_cheaper_follow(cn_cheaper *self, const cn_cheaper *former, const cn_gates *gates,
                               const cairn_table *table, const cn_lacking *lacking)
{
    cell_list list = {.count = 0};
    bool known;

    if (gates->row_count == 0)
        return CAIRN_OK;
    bool has_room = list_cells(&list, &former, table, gates->map, lacking, &known);
    if (has_room && known)
        has_room = merge(self, former, &list, gates, lacking);
    cn_release(&table->mem, list.cells);
    if (!has_room) {
        cn_cheaper_free(self, &gates->mem);
        return CAIRN_E_MEMORY;
    }
    self->is_known = known;
    self->table_version = table->version;
    self->map_hash = gates->map->hash;
    self->map_fixed_hash = gates->map->fixed_hash;
    return CAIRN_OK;
}
