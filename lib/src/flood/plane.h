/* The result of a flood: a cost for every cell of a map, in tiles, and the memory that holds it. */
#ifndef CN_FLOOD_PLANE_H
#define CN_FLOOD_PLANE_H

#include <string.h>

#include "base/entries.h"
#include "map/map_steps.h"

/* The result of a flood, in tiles of 1 << lane_shift columns and 1 << row_shift rows, each stored
 * together, row after row. Only live tiles hold entries, infinite ones for blocked cells; the
 * others were not reached. A plane belongs to the flooder until its next run. Read it with
 * cn_plane_at. */
typedef struct cn_plane {
    const void *costs;
    unsigned bits; /* 16 or 32 */
    unsigned lane_shift;
    unsigned row_shift;
    size_t band;         /* entries in one row of tiles */
    uint32_t columns;    /* number of tiles in a row of tiles */
    cairn_cost most;     /* costs up to it are exact; greater ones count as infinite */
    bool may_be_cut;     /* some step may have led to a cost that does not fit the entries */
    const uint8_t *live; /* by tile, not 0: live; NULL: all are */
    /* All that may hold costs: tiles, or entries of a plane without them, some of these twice.
     * NULL: that is much, and not listed. */
    const uint32_t *held;
    size_t held_count;
    size_t held_from; /* the number of the first cell's entry in that list */
} cn_plane;

/* The greatest cost that a plane of such entries holds. */
CN_ALWAYS_INLINE cairn_cost cn_plane_most(unsigned bits)
{
    return cn_entry_most(bits);
}

/* The lane_shift of a plane that lies row after row, without tiles. */
enum { CN_PLANE_OF_ROWS = 31 };

/* Such a plane; `band` is the number of entries from one row to the next. */
CN_ALWAYS_INLINE cn_plane cn_plane_of_rows(const void *costs, unsigned bits, size_t band)
{
    return (cn_plane){.costs = costs,
                      .bits = bits,
                      .most = cn_plane_most(bits),
                      .lane_shift = CN_PLANE_OF_ROWS,
                      .band = band,
                      .columns = 1};
}

/* The cost of an unreachable cell in a live tile of 32 bits: above every cost, also after a few
 * steps have been added. */
#define CN_PLANE_INFINITE ((uint32_t)CAIRN_COST_MAX + 1)

/* The memory of a plane. A flood lists where it writes, as far as there is room: so the next one
 * need only clear that, and who reads costs need not look elsewhere. */
typedef struct cn_plane_memory {
    cn_use use;
    void *costs;
    uint8_t *live;     /* NULL for planes without tiles */
    size_t costs_size; /* bytes */
    size_t live_size;
    uint32_t *held; /* the tiles that are live; without tiles, entries that were reached */
    size_t held_room;
    size_t held_count; /* CN_HELD_ALL: they are not listed */
} cn_plane_memory;

#define CN_HELD_ALL SIZE_MAX

/* How many entries or tiles of a plane are listed at most: to clear or copy more than that one by
 * one takes longer than to go over all. `tiles`: of planes in tiles, how many there are; else 0. */
size_t cn_plane_held_most(const cairn_map *map, size_t tiles);

/* Allocates the memory of a plane of a map. CAIRN_E_MEMORY: nothing is allocated. */
cairn_status cn_plane_memory_new(const cairn_map *map, size_t costs_size, size_t live_size,
                                 cn_plane_memory *memory);

/* Allocates memory for one more plane of the same sizes. */
cairn_status cn_plane_memory_like(const cn_mem *mem, const cn_plane_memory *like,
                                  cn_plane_memory *memory);

/* Frees the memory and clears the struct. */
void cn_plane_memory_free(const cn_mem *mem, cn_plane_memory *memory);

/* Appends what a flood has reached to the list, or gives up the list. */
CN_ALWAYS_INLINE void cn_plane_hold(cn_plane_memory *memory, const uint32_t *reached, size_t count)
{
    if (memory->held_count == CN_HELD_ALL || count == 0)
        return;
    if (count > memory->held_room - memory->held_count) {
        memory->held_count = CN_HELD_ALL;
        return;
    }
    memcpy(memory->held + memory->held_count, reached, count * sizeof *reached);
    memory->held_count += count;
}

CN_ALWAYS_INLINE void cn_plane_hold_one(cn_plane_memory *memory, uint32_t reached)
{
    cn_plane_hold(memory, &reached, 1);
}

/* Adds the list to a plane that a flood has filled. */
CN_ALWAYS_INLINE void cn_plane_take_list(cn_plane *plane, const cn_plane_memory *memory)
{
    plane->held = memory->held_count == CN_HELD_ALL ? NULL : memory->held;
    plane->held_count = memory->held_count;
}

/* Makes all entries of a plane of rows infinite. */
void cn_plane_clear_rows(cn_plane_memory *memory, unsigned bits, uint32_t infinite);

/* The index of the entry for the cell in column x and row y. */
CN_ALWAYS_INLINE size_t cn_plane_index(const cn_plane *plane, uint32_t x, uint32_t y)
{
    const unsigned shift = plane->lane_shift + plane->row_shift;
    const uint32_t lane_mask = (1u << plane->lane_shift) - 1;
    const uint32_t row_mask = (1u << plane->row_shift) - 1;
    return (y >> plane->row_shift) * plane->band + ((size_t)(x >> plane->lane_shift) << shift) +
           ((size_t)(y & row_mask) << plane->lane_shift) + (x & lane_mask);
}

CN_ALWAYS_INLINE bool cn_plane_is_live(const cn_plane *plane, uint32_t x, uint32_t y)
{
    return !plane->live ||
           plane->live[(size_t)(y >> plane->row_shift) * plane->columns + (x >> plane->lane_shift)];
}

/* The cost of a cell; CAIRN_UNREACHABLE where there is none. */
CN_ALWAYS_INLINE cairn_cost cn_plane_at(const cn_plane *plane, uint32_t x, uint32_t y)
{
    if (!cn_plane_is_live(plane, x, y))
        return CAIRN_UNREACHABLE;
    size_t index = cn_plane_index(plane, x, y);
    cairn_cost cost = cn_entry_get(plane->costs, index, plane->bits);
    return cost > plane->most ? CAIRN_UNREACHABLE : cost;
}

/* The cost of any node, also of a blocked cell; CAIRN_UNREACHABLE where there is none. */
cairn_cost cn_plane_cost_of(const cn_plane *plane, const cairn_map *map, cairn_node node);

/* A run of cells in a row, and memory for their entries, which are as wide as those of the
 * plane. */
typedef struct cn_plane_run {
    uint32_t x; /* a multiple of 32 */
    uint32_t y;
    uint32_t count;
    uint32_t never; /* the value for unreachable cells: all lower 30 bits set, or all 16 */
    void *entries;
} cn_plane_run;

void cn_plane_get(const cn_plane *plane, const cn_plane_run *run);

/* A raw copy: infinity is not normalised. In planes of 32 bits an unreachable cell keeps whatever
 * cost above CAIRN_COST_MAX it has, to which a step can still be added; in tiles that cost is
 * CN_PLANE_INFINITE. Cells of tiles that are not live become run->never. */
void cn_plane_copy(const cn_plane *plane, const cn_plane_run *run);

/* Copies like cn_plane_copy, from consecutive rows of the map into rows of entries that are
 * `line_size` bytes apart. Entries beyond run->count, up to the next multiple of 32, may be written
 * as well. */
void cn_plane_copy_rows(const cn_plane *plane, const cn_plane_run *run, uint32_t row_count,
                        size_t line_size);

/* Whether a flood in that direction left out a node whose cost is at most `most`, because that does
 * not fit the entries. The first such node on a path is next to one that was reached. */
bool cn_plane_is_cut(const cn_plane *plane, const cairn_map *map, cn_way way, cairn_cost most);

#endif
