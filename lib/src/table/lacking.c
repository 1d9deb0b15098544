#include "table/lacking.h"

#include <string.h>

#include "base/nodes.h"

/* The most changes between two states, and the most cells on the list: to follow more takes longer
 * than what is known of them saves. On even maps of very many changes most opened or closed cells;
 * elsewhere most may have become dearer, which leaves the table as it is. */
enum { LISTED_MOST = 4096, LISTED_MOST_UNEVEN = 65536 };

static size_t most_listed(const cairn_map *map)
{
    return cn_map_is_even(map) ? LISTED_MOST : LISTED_MOST_UNEVEN;
}

void cn_lacking_free(cn_lacking *self, const cn_mem *mem)
{
    cn_former_cells_free(&self->cells, mem);
    memset(self, 0, sizeof *self);
}

size_t cn_lacking_memory(const cn_lacking *self)
{
    return cn_former_cells_memory(&self->cells);
}

cairn_status cn_lacking_copy(cn_lacking *self, const cn_mem *mem, const cn_lacking *from)
{
    if (!from->is_known)
        return CAIRN_OK;
    if (!cn_former_cells_copy(&self->cells, mem, &from->cells))
        return CAIRN_E_MEMORY;
    self->table_hash = from->table_hash;
    self->map_hash = from->map_hash;
    self->map_fixed_hash = from->map_fixed_hash;
    self->is_known = true;
    return CAIRN_OK;
}

bool cn_lacking_fits(const cn_lacking *self, const cairn_table *table, const cairn_map *map)
{
    return self->is_known && self->table_hash == table->map_hash && self->map_hash == map->hash;
}

size_t cn_lacking_find(const cn_lacking *self, cairn_node cell)
{
    return cn_nodes_find(self->cells.nodes, self->cells.count, cell);
}

/* ------------------------------------------------------------------------- following a map -- */

/* Sorts changes, each a cell with the place of the change in the journal, and keeps the first of
 * each cell. Returns how many there are. */
static size_t sort_changes(cn_placed_node *changes, size_t count)
{
    size_t kept = 0;
    cn_sort_placed(changes, changes + count, count);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || cn_placed(changes[kept - 1]) != cn_placed(changes[i]))
            changes[kept++] = changes[i];
    }
    return kept;
}

/* Whether a cell is what it was with this letter. Of a graph it is not known. */
static bool is_as_before(const cairn_map *map, cairn_node cell, uint8_t letter)
{
    return !map->graph && cn_map_hash_as(map, cell, letter) == cn_map_cell_hash(map, cell);
}

/* Merges sorted changes into the list, from its end on, without the cells that are again what they
 * were; what these had been is in `letters`, by place. There is room for all. */
static void merge(cn_lacking *self, const cairn_map *map, const cn_placed_node *changes,
                  size_t count, const uint8_t *letters)
{
    cairn_node *cells = self->cells.nodes;
    uint8_t *former = self->cells.letters;
    const size_t end = self->cells.count + count;
    size_t listed = self->cells.count, written = end;

    while (count > 0) {
        const cn_placed_node next = changes[count - 1];
        if (listed > 0 && cells[listed - 1] > cn_placed(next)) {
            cells[--written] = cells[--listed];
            former[written] = former[listed];
            continue;
        }
        count--;
        const bool is_listed = listed > 0 && cells[listed - 1] == cn_placed(next);
        const uint8_t letter = is_listed ? former[--listed] : letters[cn_place_of(next)];
        if (is_as_before(map, cn_placed(next), letter))
            continue;
        cells[--written] = cn_placed(next);
        former[written] = letter;
    }
    self->cells.count = listed + (end - written);
    if (written > listed) {
        memmove(cells + listed, cells + written, (end - written) * sizeof *cells);
        memmove(former + listed, former + written, end - written);
    }
}

static cairn_status take_changes(cn_lacking *self, const cn_mem *mem, const cairn_map *map,
                                 const cairn_node *cells, size_t count)
{
    cn_placed_node *changes = cn_array(mem, 2 * count, sizeof *changes);
    if (!changes || !cn_former_cells_reserve(&self->cells, mem, self->cells.count + count)) {
        cn_release(mem, changes);
        return CAIRN_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        changes[i] = cn_place_node(cells[i], i);
    merge(self, map, changes, sort_changes(changes, count),
          cn_journal_letters(&map->journal, cells));
    cn_release(mem, changes);
    return CAIRN_OK;
}

/* *known: it is known what changed since the list followed the map last, and that is not too
 * much. */
static cairn_status follow(cn_lacking *self, const cn_mem *mem, const cairn_map *map, bool *known)
{
    const cairn_node *cells;
    size_t count;
    const cn_changes changes = cn_map_changes(map, self->map_hash, self->map_fixed_hash, &cells,
                                              &count);

    *known = changes == CN_CHANGES_NONE ||
             (changes == CN_CHANGES_KNOWN && count <= most_listed(map));
    if (!*known || count == 0)
        return CAIRN_OK;
    cairn_status status = take_changes(self, mem, map, cells, count);
    if (status != CAIRN_OK)
        return status;
    self->map_hash = map->hash;
    self->map_fixed_hash = map->fixed_hash;
    *known = self->cells.count <= most_listed(map);
    return CAIRN_OK;
}

/* The list of a map that the table has just followed. */
static void begin(cn_lacking *self, const cairn_table *table)
{
    self->is_known = true;
    self->table_hash = self->map_hash = table->map_hash;
    self->map_fixed_hash = table->map_fixed_hash;
    self->cells.count = 0;
}

cairn_status cn_lacking_follow(cn_lacking *self, const cn_mem *mem, const cairn_table *table,
                               const cairn_map *map)
{
    bool known = false;
    cairn_status status = CAIRN_OK;
    if (self->is_known && self->table_hash == table->map_hash)
        status = follow(self, mem, map, &known);
    if (known || status != CAIRN_OK)
        return status;
    begin(self, table);
    status = follow(self, mem, map, &known);
    self->is_known = known;
    return status;
}
