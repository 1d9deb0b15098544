#include "table/staged_table.h"

#include <string.h>

#include "simd/transpose.h"

static uint32_t mark_groups(cn_stage *stage)
{
    const cn_grid *grid = &stage->map->grid;
    const uint32_t node_count = stage->table->node_count;
    uint32_t rank = 0;

    for (uint32_t group = 0; group < stage->group_count; group++) {
        cairn_node node = group * stage->group_nodes, end = node + stage->group_nodes;
        while (node < node_count && node < end && !cn_grid_is_open(grid, node))
            node++;
        bool open = node < node_count && node < end;
        stage->rank[group] = open ? rank : CN_STAGE_EMPTY;
        if (open)
            stage->groups[rank++] = group;
    }
    return rank;
}

cairn_status cn_stage_init(cn_stage *stage, const cairn_map *map, cairn_table *table)
{
    const cn_mem *mem = &map->mem;
    *stage = (cn_stage){.map = map, .table = table};
    stage->entry_size = table->entry_bits / 8;
    stage->group_nodes = cn_table_group_nodes(table->lane_count, table->entry_bits);
    stage->part = (size_t)stage->group_nodes * stage->entry_size;
    stage->group_count = (table->node_count - 1) / stage->group_nodes + 1;
    stage->rank = cn_array(mem, stage->group_count, sizeof *stage->rank);
    stage->groups = cn_array(mem, stage->group_count, sizeof *stage->groups);
    if (!stage->rank || !stage->groups)
        return CAIRN_E_MEMORY;

    stage->open_count = mark_groups(stage);
    stage->chunk_count = (stage->open_count + table->lane_count - 1) / table->lane_count;
    return CAIRN_OK;
}

void cn_stage_free(cn_stage *stage)
{
    if (stage->map) {
        cn_release(&stage->map->mem, stage->rank);
        cn_release(&stage->map->mem, stage->groups);
    }
    memset(stage, 0, sizeof *stage);
}

static uint8_t *memory_of(const cn_stage *stage, uint32_t rank)
{
    return (uint8_t *)stage->table->entries +
           (size_t)stage->groups[rank] * stage->part * stage->table->lane_count;
}

/* The number of groups in the chunk that begins with this rank. */
static uint32_t groups_from(const cn_stage *stage, uint32_t first)
{
    uint32_t left = stage->open_count - first, most = stage->table->lane_count;
    return left < most ? left : most;
}

/* Where a row's entries of a group are stored until the transpose. The memory of all groups of a
 * chunk is used as one: it holds all of row 0, then all of row 1, and so on. */
static uint8_t *waiting_at(const cn_stage *stage, uint32_t rank, uint32_t row)
{
    const uint32_t lanes = stage->table->lane_count, first = rank - rank % lanes;
    uint32_t part = row * groups_from(stage, first) + rank % lanes;
    return memory_of(stage, first + part / lanes) + part % lanes * stage->part;
}

/* ------------------------------------------------------------------------- rows in and out -- */

/* Stores one map row of a table row in the groups that have open cells. */
static void put_line(const cn_stage *stage, uint32_t row, uint32_t y, const uint8_t *line)
{
    const cairn_node start = y * stage->table->width, end = start + stage->table->width;

    for (cairn_node node = start; node < end;) {
        uint32_t group = node / stage->group_nodes, inside = node % stage->group_nodes;
        uint32_t count = stage->group_nodes - inside;
        count = end - node < count ? end - node : count;
        if (stage->rank[group] != CN_STAGE_EMPTY)
            memcpy(waiting_at(stage, stage->rank[group], row) + inside * stage->entry_size,
                   line + (size_t)(node - start) * stage->entry_size,
                   (size_t)count * stage->entry_size);
        node += count;
    }
}

static bool has_open_group(const cn_stage *stage, uint32_t y)
{
    const cairn_node start = y * stage->table->width, last = start + stage->table->width - 1;
    for (uint32_t i = start / stage->group_nodes; i <= last / stage->group_nodes; i++) {
        if (stage->rank[i] != CN_STAGE_EMPTY)
            return true;
    }
    return false;
}

cairn_status cn_stage_put_row(const cn_stage *stage, uint32_t row, const cn_plane *plane)
{
    const cn_mem *mem = &stage->map->mem;
    const uint32_t width = stage->table->width;
    uint8_t *line = cn_array(mem, width, stage->entry_size);

    CN_ASSERT(plane->bits == stage->table->entry_bits);
    if (!line)
        return CAIRN_E_MEMORY;
    for (uint32_t y = 0; y < stage->table->height; y++) {
        if (!has_open_group(stage, y))
            continue;
        cn_plane_run run = {.y = y, .count = width, .never = UINT32_MAX, .entries = line};
        cn_plane_get(plane, &run);
        put_line(stage, row, y, line);
    }
    cn_release(mem, line);
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------- transposing -- */

/* Transposes whole square blocks from rows that are `stride` entries apart. Lane counts are
 * multiples of a vector. */
CN_ALWAYS_INLINE bool transpose_squares(const void *from, size_t stride, uint32_t nodes, void *to,
                                        uint32_t lanes, unsigned bits)
{
    const uint32_t side = CN_TRANSPOSE_SIDE(bits), size = bits / 8;
    if (nodes % side || lanes % side)
        return false;
    for (uint32_t node = 0; node < nodes; node += side) {
        for (uint32_t lane = 0; lane < lanes; lane += side)
            cn_transpose_square((const uint8_t *)from + (lane * stride + node) * size, stride,
                                (uint8_t *)to + ((size_t)node * lanes + lane) * size, lanes, bits);
    }
    return true;
}

static void transpose_one_by_one(const void *from, size_t stride, uint32_t nodes, void *to,
                                 uint32_t lanes, unsigned bits)
{
    for (uint32_t node = 0; node < nodes; node++) {
        for (uint32_t lane = 0; lane < lanes; lane++) {
            size_t source = lane * stride + node, target = (size_t)node * lanes + lane;
            cn_entry_put(to, target, bits, cn_entry_get(from, source, bits));
        }
    }
}

static void clear_blocked(const cn_stage *stage, uint32_t group, uint8_t *entries)
{
    const cn_grid *grid = &stage->map->grid;
    const size_t line = stage->table->lane_count * stage->entry_size;
    const cairn_node start = group * stage->group_nodes;

    for (uint32_t i = 0; i < stage->group_nodes; i++) {
        if (start + i >= stage->table->node_count || !cn_grid_is_open(grid, start + i))
            memset(entries + i * line, 0, line);
    }
}

static void finish_chunk(const cn_stage *stage, uint32_t first, uint8_t *waiting)
{
    const uint32_t lanes = stage->table->lane_count, nodes = stage->group_nodes;
    const uint32_t count = groups_from(stage, first);
    const size_t stride = (size_t)count * nodes, memory = stage->part * lanes;

    for (uint32_t i = 0; i < count; i++)
        memcpy(waiting + i * memory, memory_of(stage, first + i), memory);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *to = memory_of(stage, first + i);
        const uint8_t *from = waiting + i * stage->part;
        bool transposed = stage->entry_size == 2
                              ? transpose_squares(from, stride, nodes, to, lanes, 16)
                              : transpose_squares(from, stride, nodes, to, lanes, 32);
        if (!transposed)
            transpose_one_by_one(from, stride, nodes, to, lanes, stage->table->entry_bits);
        clear_blocked(stage, stage->groups[first + i], to);
    }
}

cairn_status cn_stage_finish(const cn_stage *stage, uint32_t first, uint32_t end)
{
    const cn_mem *mem = &stage->map->mem;
    const uint32_t lanes = stage->table->lane_count;
    uint8_t *waiting = cn_array(mem, lanes, stage->part * lanes);

    if (!waiting)
        return CAIRN_E_MEMORY;
    for (uint32_t chunk = first; chunk < end; chunk++)
        finish_chunk(stage, chunk * lanes, waiting);
    cn_release(mem, waiting);
    return CAIRN_OK;
}
