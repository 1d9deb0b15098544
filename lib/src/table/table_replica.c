#include "table/table_replica.h"

#include <string.h>

#include "table/table_state.h"

/* The entries of the nodes in a block fit this many bytes, unless it is a single node. */
enum { BLOCK_SIZE = 512 };

static uint32_t block_count(const cairn_table *table, const cn_dirty *dirty)
{
    return ((table->node_count - 1) >> dirty->shift) + 1;
}

cairn_status cn_dirty_init(cn_dirty *dirty, const cn_mem *mem, const cairn_table *table)
{
    *dirty = (cn_dirty){0};
    while ((size_t)table->lane_count * (table->entry_bits / 8) << (dirty->shift + 1) <= BLOCK_SIZE)
        dirty->shift++;
    size_t count = block_count(table, dirty);
    dirty->marks = cn_zeroed(mem, count, 1);
    dirty->blocks = cn_array(mem, count, sizeof *dirty->blocks);
    if (dirty->marks && dirty->blocks)
        return CAIRN_OK;
    cn_dirty_free(dirty, mem);
    return CAIRN_E_MEMORY;
}

void cn_dirty_free(cn_dirty *dirty, const cn_mem *mem)
{
    cn_release(mem, dirty->marks);
    cn_release(mem, dirty->blocks);
    *dirty = (cn_dirty){0};
}

static void forget(cn_dirty *dirty)
{
    for (uint32_t i = 0; i < dirty->count; i++)
        dirty->marks[dirty->blocks[i]] = 0;
    dirty->count = 0;
    dirty->lines = 0;
}

/* --------------------------------------------------------------- everything but the entries -- */

/* If entries became wider, gives the replica memory for them, all zero. */
static cairn_status copy_width(const cairn_table *from, cairn_table *to)
{
    if (to->entry_bits == from->entry_bits)
        return CAIRN_OK;
    void *entries = cn_table_entries_new(to, from->lane_count, from->entry_bits);
    if (!entries)
        return CAIRN_E_MEMORY;
    cn_table_set_entries(to, entries);
    to->entry_bits = from->entry_bits;
    to->lane_count = from->lane_count;
    return CAIRN_OK;
}

cairn_status cn_replica_copy_rest(cn_replica *replica)
{
    const cairn_table *from = replica->from;
    cairn_table *to = replica->to;

    cairn_status status = copy_width(from, to);
    if (status == CAIRN_OK && replica->dirty->landmarks)
        status = cn_table_set_landmarks(to, from->landmark_start, from->landmarks);
    if (status == CAIRN_OK)
        status = cn_table_copy_openings(to, from);
    if (status != CAIRN_OK)
        return status;
    replica->dirty->landmarks = false;
    to->version++;
    cn_table_copy_states(to, from);
    replica->has_rest = true;
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------- blocks -- */

/* The nodes of a block, and where their entries are. */
typedef struct block_memory {
    const uint8_t *from;
    uint8_t *to;
    size_t count;
    size_t node_size;
} block_memory;

static block_memory memory_of(const cn_replica *replica, uint32_t block)
{
    const cairn_table *from = replica->from;
    const size_t node_size = (size_t)from->lane_count * (from->entry_bits / 8);
    const size_t first = (size_t)block << replica->dirty->shift, left = from->node_count - first;
    const size_t most = (size_t)1 << replica->dirty->shift;
    return (block_memory){(const uint8_t *)from->entries + first * node_size,
                          (uint8_t *)replica->to->entries + first * node_size,
                          left < most ? left : most, node_size};
}

static void copy_block(const cn_replica *replica, uint32_t block)
{
    block_memory memory = memory_of(replica, block);
    memcpy(memory.to, memory.from, memory.count * memory.node_size);
}

static void copy_lines(const cn_replica *replica, uint32_t block)
{
    const uint32_t lines = replica->dirty->lines;
    block_memory memory = memory_of(replica, block);

    for (size_t node = 0; node < memory.count; node++) {
        for (size_t at = 0; at < memory.node_size; at += CN_CACHE_LINE) {
            const size_t left = memory.node_size - at, place = node * memory.node_size + at;
            if (lines >> at / CN_CACHE_LINE & 1)
                memcpy(memory.to + place, memory.from + place,
                       left < CN_CACHE_LINE ? left : CN_CACHE_LINE);
        }
    }
}

/* Whether all cache lines of a node's entries are marked. */
static bool has_all_lines(const cn_replica *replica)
{
    const cairn_table *from = replica->from;
    const size_t size = (size_t)from->lane_count * (from->entry_bits / 8);
    const size_t count = (size + CN_CACHE_LINE - 1) / CN_CACHE_LINE;
    const uint32_t all = UINT32_MAX >> (32 - count);
    return (replica->dirty->lines & all) == all;
}

static bool has_open_cell(const cn_replica *replica, const cairn_map *map, uint32_t block)
{
    const unsigned shift = replica->dirty->shift;
    cairn_node node = block << shift;
    for (cairn_node i = 0; i < 1u << shift && node < replica->from->node_count; i++, node++) {
        if (cn_grid_is_open(&map->grid, node))
            return true;
    }
    return false;
}

/* Whether a block may differ. Where all cells are blocked, the entries on both sides are 0 and
 * their memory must not be used; but that holds only for the map as the table knows it. Cells that
 * closed since its last refresh step still have entries, and may open again before the next
 * step. */
static bool may_differ(const cn_replica *replica, const cairn_map *map, uint32_t block)
{
    if (has_open_cell(replica, map, block))
        return true;
    if (cn_table_fits(replica->from, map))
        return false;
    block_memory memory = memory_of(replica, block);
    return memcmp(memory.to, memory.from, memory.count * memory.node_size) != 0;
}

static void copy_part(const cn_replica *replica, const cairn_map *map, uint32_t block, bool whole)
{
    const bool is_marked = replica->dirty->marks[block];
    if (!is_marked && !may_differ(replica, map, block))
        return;
    if (is_marked || whole)
        copy_block(replica, block);
    else
        copy_lines(replica, block);
}

bool cn_replica_copy_blocks(cn_replica *replica, const cairn_map *map, uint32_t most)
{
    cn_dirty *dirty = replica->dirty;
    const bool all = dirty->lines != 0, whole = all && has_all_lines(replica);
    const uint32_t count = all ? block_count(replica->from, dirty) : dirty->count;

    CN_ASSERT(replica->has_rest);
    replica->to->version++;
    for (; replica->next < count && most > 0; replica->next++, most--) {
        if (all)
            copy_part(replica, map, replica->next, whole);
        else
            copy_block(replica, dirty->blocks[replica->next]);
    }
    if (replica->next < count)
        return false;
    forget(dirty);
    return true;
}
