/* Puts rows, which are computed one by one in planes, into the table, where the entries of a cell
 * lie together. */
#ifndef CN_TABLE_INTERLEAVE_H
#define CN_TABLE_INTERLEAVE_H

#include "flood/plane.h"
#include "table/table.h"

/* Copies planes of the same flooder into as many rows, for open cells only. A cache line holds
 * entries of many rows, so copying several rows takes little more time than one. */
enum { CN_PUT_MOST = 8 };
void cn_table_put_rows(cairn_table *table, const cairn_map *map, const uint32_t *rows,
                       const cn_plane *planes, uint32_t count);

/* Tiles of CN_PUT_TILE x CN_PUT_TILE cells, each listed once. */
enum { CN_PUT_TILE = 32 };
typedef struct cn_put_tiles {
    uint32_t across, down;
    bool *is_listed; /* by tile */
    uint32_t *list;  /* with room for all */
    uint32_t count;
} cn_put_tiles;

/* No tile is listed. To be freed also after CAIRN_E_MEMORY. */
cairn_status cn_put_tiles_new(const cn_mem *mem, uint32_t width, uint32_t height,
                              cn_put_tiles *tiles);
void cn_put_tiles_free(const cn_mem *mem, cn_put_tiles *tiles);

CN_ALWAYS_INLINE void cn_put_tiles_list(cn_put_tiles *tiles, uint32_t column, uint32_t row)
{
    const uint32_t tile = row * tiles->across + column;
    if (tiles->is_listed[tile])
        return;
    tiles->is_listed[tile] = true;
    tiles->list[tiles->count++] = tile;
}

/* Takes all but the first `count` from the list. */
void cn_put_tiles_keep(cn_put_tiles *tiles, uint32_t count);

/* Like cn_table_put_rows, but copies only the listed tiles, and those next to copied ones at whose
 * common side or corner an open cell had another entry: these are listed as well. */
void cn_table_put_differing(cairn_table *table, const cairn_map *map, const uint32_t *rows,
                            const cn_plane *planes, uint32_t count, cn_put_tiles *tiles);

/* Copies a plane into one row, in the rows of the map from `first` to before `end`. */
void cn_table_put_part(cairn_table *table, const cairn_map *map, uint32_t row,
                       const cn_plane *plane, uint32_t first, uint32_t end);

/* The best number of rows to copy at once; at most CN_PUT_MOST. */
uint32_t cn_table_put_count(const cairn_table *table);

#endif
