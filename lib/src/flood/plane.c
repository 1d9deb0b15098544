#include "flood/plane.h"

static cairn_status take_memory(const cn_mem *mem, cn_plane_memory *memory)
{
    memory->costs = cn_array_for(mem, memory->use, memory->costs_size, 1);
    memory->live = memory->live_size ? cn_array(mem, memory->live_size, 1) : NULL;
    memory->held = cn_array(mem, memory->held_room, sizeof *memory->held);
    memory->held_count = CN_HELD_ALL;
    if (memory->costs && (memory->live || memory->live_size == 0) && memory->held)
        return CAIRN_OK;
    cn_plane_memory_free(mem, memory);
    return CAIRN_E_MEMORY;
}

size_t cn_plane_held_most(const cairn_map *map, size_t tiles)
{
    enum { TILES = 4, ENTRIES = 16, ALWAYS = 64 };
    return ALWAYS + (tiles ? tiles / TILES : cn_map_node_count(map) / ENTRIES);
}

cairn_status cn_plane_memory_new(const cairn_map *map, size_t costs_size, size_t live_size,
                                 cn_plane_memory *memory)
{
    *memory = (cn_plane_memory){.use = cn_grid_use(&map->grid),
                                .costs_size = costs_size,
                                .live_size = live_size,
                                .held_room = cn_plane_held_most(map, live_size)};
    return take_memory(&map->mem, memory);
}

void cn_plane_memory_free(const cn_mem *mem, cn_plane_memory *memory)
{
    cn_release(mem, memory->costs);
    cn_release(mem, memory->live);
    cn_release(mem, memory->held);
    *memory = (cn_plane_memory){.costs = NULL};
}

cairn_status cn_plane_memory_like(const cn_mem *mem, const cn_plane_memory *like,
                                  cn_plane_memory *memory)
{
    *memory = *like;
    return take_memory(mem, memory);
}

void cn_plane_clear_rows(cn_plane_memory *memory, unsigned bits, uint32_t infinite)
{
    const size_t entries = memory->costs_size / (bits / 8);
    const bool is_listed = memory->held_count != CN_HELD_ALL;
    uint16_t *narrow = memory->costs;
    uint32_t *wide = memory->costs;

    for (size_t i = 0; is_listed && i < memory->held_count; i++)
        cn_entry_put(memory->costs, memory->held[i], bits, infinite);
    for (size_t i = 0; !is_listed && bits == 16 && i < entries; i++)
        narrow[i] = (uint16_t)infinite;
    for (size_t i = 0; !is_listed && bits == 32 && i < entries; i++)
        wide[i] = infinite;
    memory->held_count = 0;
}

/* Replaces the cost of an unreachable cell, which is any cost above CAIRN_COST_MAX, by `never`, in
 * which all bits that costs use are set. Adding 1 to such a cost carries into bit 30. */
#define MARKED(cost, never) (((cost) | (0 - (((cost) + 1) >> 30))) & (never))

/* So many at a time, which compilers turn into one vector. */
enum { FOUR = 4 };

CN_ALWAYS_INLINE void copy_four(uint32_t *to, const uint32_t *from, uint32_t never)
{
    uint32_t costs[FOUR];
    memcpy(costs, from, sizeof costs);
    for (unsigned i = 0; i < FOUR; i++)
        costs[i] = MARKED(costs[i], never);
    memcpy(to, costs, sizeof costs);
}

/* In these inline functions `mode` is a constant. */
enum mode { AS_THEY_ARE, MARK };

CN_ALWAYS_INLINE void copy_costs(void *to, const void *from, uint32_t count, uint32_t never,
                                 unsigned bits, enum mode mode)
{
    uint32_t *out = to;
    const uint32_t *in = from;
    uint32_t done = 0;

    if (bits == 16 || mode == AS_THEY_ARE) {
        memcpy(to, from, (size_t)count * (bits / 8));
        return;
    }
    for (; done + FOUR <= count; done += FOUR)
        copy_four(out + done, in + done, never);
    for (; done < count; done++)
        out[done] = MARKED(in[done], never);
}

static void fill_never(void *to, uint32_t count, uint32_t never, unsigned bits)
{
    for (uint32_t i = 0; i < count && bits == 32; i++)
        ((uint32_t *)to)[i] = never;
    if (bits == 16)
        memset(to, 0xff, (size_t)count * sizeof(uint16_t));
}

/* `lanes` is a constant: the width of the tiles, or 0 for planes of whole rows. */
CN_ALWAYS_INLINE void join_tiles(const cn_plane *plane, const cn_plane_run *run, uint32_t lanes,
                                 unsigned bits, enum mode mode)
{
    const uint32_t entry_size = bits / 8, step = lanes ? lanes : run->count;
    const uint8_t *costs = plane->costs;

    for (uint32_t i = 0; i < run->count; i += step) {
        const uint32_t x = run->x + i, left = run->count - i;
        const uint8_t *from = costs + cn_plane_index(plane, x, run->y) * entry_size;
        uint8_t *to = (uint8_t *)run->entries + (size_t)i * entry_size;
        if (CN_UNLIKELY(!cn_plane_is_live(plane, x, run->y)))
            fill_never(to, left < step ? left : step, run->never, bits);
        else if (CN_LIKELY(left >= lanes))
            copy_costs(to, from, step, run->never, bits, mode);
        else
            copy_costs(to, from, left, run->never, bits, mode);
    }
}

CN_ALWAYS_INLINE void get_16(const cn_plane *plane, const cn_plane_run *run)
{
    switch (plane->lane_shift) {
    case 3: join_tiles(plane, run, 8, 16, MARK); return;
    case 4: join_tiles(plane, run, 16, 16, MARK); return;
    case 5: join_tiles(plane, run, 32, 16, MARK); return;
    default: join_tiles(plane, run, 0, 16, MARK); return;
    }
}

CN_ALWAYS_INLINE void get_32(const cn_plane *plane, const cn_plane_run *run, enum mode mode)
{
    switch (plane->lane_shift) {
    case 2: join_tiles(plane, run, 4, 32, mode); return;
    case 3: join_tiles(plane, run, 8, 32, mode); return;
    case 4: join_tiles(plane, run, 16, 32, mode); return;
    default: join_tiles(plane, run, 0, 32, mode); return;
    }
}

void cn_plane_get(const cn_plane *plane, const cn_plane_run *run)
{
    CN_ASSERT(run->x % 32 == 0);
    if (plane->bits == 16)
        get_16(plane, run);
    else
        get_32(plane, run, MARK);
}

void cn_plane_copy(const cn_plane *plane, const cn_plane_run *run)
{
    CN_ASSERT(run->x % 32 == 0);
    if (plane->bits == 16)
        get_16(plane, run);
    else
        get_32(plane, run, AS_THEY_ARE);
}

/* `line` is a constant: the bytes in a row of a tile. */
CN_ALWAYS_INLINE void copy_tiles(const cn_plane *plane, const cn_plane_run *run, uint32_t row_count,
                                 size_t line_size, size_t line)
{
    const uint32_t entry_size = plane->bits / 8, lanes = 1u << plane->lane_shift;

    for (uint32_t i = 0; i < run->count; i += lanes) {
        uint8_t *to = (uint8_t *)run->entries + (size_t)i * entry_size;
        const uint8_t *from = (const uint8_t *)plane->costs +
                              cn_plane_index(plane, run->x + i, run->y) * entry_size;
        bool live = cn_plane_is_live(plane, run->x + i, run->y);
        for (uint32_t row = 0; row < row_count; row++, to += line_size, from += line) {
            if (live)
                memcpy(to, from, line);
            else
                fill_never(to, lanes, run->never, plane->bits);
        }
    }
}

static void copy_row_by_row(const cn_plane *plane, cn_plane_run run, uint32_t row_count,
                            size_t line_size)
{
    for (uint32_t row = 0; row < row_count; row++) {
        cn_plane_copy(plane, &run);
        run.y++;
        run.entries = (uint8_t *)run.entries + line_size;
    }
}

void cn_plane_copy_rows(const cn_plane *plane, const cn_plane_run *run, uint32_t row_count,
                        size_t line_size)
{
    const uint32_t last = run->y + row_count - 1;
    CN_ASSERT(run->x % 32 == 0 && row_count > 0);
    bool in_tiles = plane->lane_shift <= 5 &&
                    run->y >> plane->row_shift == last >> plane->row_shift;

    switch (in_tiles ? plane->bits / 8u << plane->lane_shift : 0) {
    case 16: copy_tiles(plane, run, row_count, line_size, 16); return;
    case 32: copy_tiles(plane, run, row_count, line_size, 32); return;
    case 64: copy_tiles(plane, run, row_count, line_size, 64); return;
    default: copy_row_by_row(plane, *run, row_count, line_size); return;
    }
}

cairn_cost cn_plane_cost_of(const cn_plane *plane, const cairn_map *map, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(&map->grid, node, &x, &y);
    return cn_grid_is_open(&map->grid, node) ? cn_plane_at(plane, x, y) : CAIRN_UNREACHABLE;
}

/* Costs are exact up to the limit. So on a shortest path to a node above the limit, the last node
 * that was reached is at most one step below it, and the next one costs no more than the path. */
bool cn_plane_is_cut(const cn_plane *plane, const cairn_map *map, cn_way way, cairn_cost most)
{
    const uint64_t limit = cn_plane_most(plane->bits);
    const cairn_cost step = cn_map_dearest(map);
    cn_arc scratch[CN_ARCS_SCRATCH];

    for (cairn_node node = 0; node < cn_map_node_count(map); node++) {
        cairn_cost cost = cn_plane_cost_of(plane, map, node);
        if (cost == CAIRN_UNREACHABLE || (uint64_t)cost + step <= limit)
            continue;
        cn_arc_span span = cn_map_arcs(map, node, way, scratch);
        for (size_t i = 0; i < span.count; i++) {
            if ((uint64_t)cost + span.arcs[i].cost <= most &&
                cn_plane_cost_of(plane, map, span.arcs[i].to) == CAIRN_UNREACHABLE)
                return true;
        }
    }
    return false;
}
