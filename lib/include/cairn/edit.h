/* Edits of a map, as values and as text. Part of cairn/cairn.h, which says what holds for all of
 * them. */
#ifndef CAIRN_EDIT_H
#define CAIRN_EDIT_H

#include "cairn/map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_edit_kind {
    CAIRN_EDIT_FILL = 0,  /* every cell of the rectangle takes `letter` */
    CAIRN_EDIT_BITS,      /* absolute: bit i of `data` (its byte i / 8, from the lowest bit) tells
                           * whether cell i of the rectangle, in row order, is open */
    CAIRN_EDIT_LETTERS,   /* absolute: `data` holds the letters of the rectangle, in row order */
    CAIRN_EDIT_ARC        /* of a graph: `arc`, which it has, takes the cost that is told */
} cairn_edit_kind;

/* A change of the cells of a rectangle, or of an arc. Cells and arcs that are as the edit wants
 * them are no change. */
typedef struct cairn_edit {
    cairn_edit_kind kind;
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
    char letter;
    const void *data;  /* read during cairn_map_edit only */
    cairn_arc arc;
} cairn_edit;

/* Edits as values, made without a look at any map: cairn_map_edit checks them. A cell is a column
 * and a row, a rectangle its first cell and its size; bits and letters stay the caller's. */
CAIRN_API cairn_edit cairn_block(uint32_t x, uint32_t y);                 /* '@' */
CAIRN_API cairn_edit cairn_open(uint32_t x, uint32_t y);                  /* '.' */
CAIRN_API cairn_edit cairn_terrain(uint32_t x, uint32_t y, char letter);
CAIRN_API cairn_edit cairn_rectangle(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                                     char letter);
CAIRN_API cairn_edit cairn_patch_bits(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                                      const uint8_t *bits);
CAIRN_API cairn_edit cairn_patch_letters(uint32_t x, uint32_t y, uint32_t width,
                                         uint32_t height, const char *letters);
CAIRN_API cairn_edit cairn_arc_cost(cairn_node from, cairn_node to, cairn_cost cost);

/* Applies edits in order, all of them or (after a failure) none. An edit with bits writes '.' into
 * blocked cells that open and '@' into open cells that close, and leaves the letters of the others.
 *
 * Searches are right from this moment on: tables of the map are used as far as they are still safe,
 * and cairn_refresh_step repairs them. For that the map keeps a bounded journal of changed cells: a
 * table that lags behind further than it reaches, which the last 2,048 calls never do by their
 * number, is still a table of this map, but none of its rows is used until refreshing has rebuilt
 * them.
 *
 * Grids take edits of cells, graphs those of arcs. Where every way of a graph costs the same as the
 * way back (cairn_map_is_directed is false) it stays so: the arc back takes the cost as well. A
 * plain bound of the caller's own must hold for the new costs too.
 *
 * Takes time by the cells that change, not by the map. No other thread may use the map meanwhile.
 * Returns CAIRN_E_ARGUMENT for a cell or an arc that the map does not have and for a cost of 0,
 * CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX / 4, CAIRN_E_FORMAT for an unknown letter,
 * CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_map_edit(cairn_map *map, const cairn_edit *edits, size_t count);

/* A list of edits, one to a line: `block X Y`, `open X Y`, `terrain X Y LETTER`,
 * `rect X Y WIDTH HEIGHT LETTER`, where LETTER is a terrain letter or `block` or `open`; for a
 * graph `cost FROM TO COST`, where nodes are counted from 0. Empty lines and lines that begin
 * with # mean nothing. Whether cells and arcs are those of a map is seen when the edits are
 * applied. */
typedef struct cairn_edits cairn_edits;

/* From a file, or from `size` bytes of memory, which are not kept. CAIRN_E_IO, CAIRN_E_FORMAT. The
 * list comes from malloc, and is the caller's, for cairn_edits_free; its items live as long. */
CAIRN_API cairn_status cairn_edits_load(const char *path, cairn_edits **edits, cairn_error *error);
CAIRN_API cairn_status cairn_edits_parse(const char *text, size_t size, cairn_edits **edits,
                                         cairn_error *error);
CAIRN_API void cairn_edits_free(cairn_edits *edits);
CAIRN_API const cairn_edit *cairn_edits_items(const cairn_edits *edits);
CAIRN_API size_t cairn_edits_count(const cairn_edits *edits);

/* The line, from 1, that the edit at `index` (below the count) comes from. */
CAIRN_API uint64_t cairn_edits_line(const cairn_edits *edits, size_t index);

#ifdef __cplusplus
}
#endif

#endif
