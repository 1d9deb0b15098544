/* Edits of a map, as values and as text. Part of cairn/cairn.h, which has the conventions of all
 * calls. */
#ifndef CAIRN_EDIT_H
#define CAIRN_EDIT_H

#include "cairn/map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_edit_kind {
    CAIRN_EDIT_FILL = 0, /* every cell of the rectangle gets `letter` */
    CAIRN_EDIT_BITS,     /* bit i of `data` (byte i / 8, lowest bit first) is the new state of cell
                          * i of the rectangle in row order: 1 open, 0 blocked */
    CAIRN_EDIT_LETTERS,  /* `data` holds the new letters of the rectangle in row order */
    CAIRN_EDIT_ARC       /* of a graph: the arc from arc.from to arc.to gets the cost arc.cost */
} cairn_edit_kind;

/* A change of the cells of a rectangle, or of an arc. Cells and arcs that already are as the edit
 * says are not changed. */
typedef struct cairn_edit {
    cairn_edit_kind kind;
    uint32_t x; /* column and row of the upper left cell of the rectangle, and its size in cells */
    uint32_t y;
    uint32_t width; /* with a width or a height of 0 it changes nothing, but is refused like others:
                     * where x is above the width of the map, say */
    uint32_t height;
    char letter;      /* of CAIRN_EDIT_FILL */
    const void *data; /* of CAIRN_EDIT_BITS and _LETTERS; read during cairn_map_edit only */
    cairn_arc arc;    /* of CAIRN_EDIT_ARC */
} cairn_edit;

/* Constructors of edits. They neither change nor validate anything: cairn_map_edit does. `x` and
 * `y` are column and row of a cell, or of the upper left cell of a rectangle. Bits and letters are
 * not copied. cairn_block and cairn_open write the letters '@' and '.', whatever these mean on the
 * map. */
CAIRN_API CAIRN_MUST_USE cairn_edit cairn_block(uint32_t x, uint32_t y); /* '@' */
CAIRN_API CAIRN_MUST_USE cairn_edit cairn_open(uint32_t x, uint32_t y);  /* '.' */
CAIRN_API CAIRN_MUST_USE cairn_edit cairn_terrain(uint32_t x, uint32_t y, char letter);
CAIRN_API CAIRN_MUST_USE cairn_edit cairn_rectangle(uint32_t x, uint32_t y, uint32_t width,
                                                    uint32_t height, char letter);
CAIRN_API CAIRN_MUST_USE cairn_edit cairn_patch_bits(uint32_t x, uint32_t y, uint32_t width,
                                                     uint32_t height, const uint8_t *bits);
CAIRN_API CAIRN_MUST_USE cairn_edit cairn_patch_letters(uint32_t x, uint32_t y, uint32_t width,
                                                        uint32_t height, const char *letters);
CAIRN_API CAIRN_MUST_USE cairn_edit cairn_arc_cost(cairn_node from, cairn_node to, cairn_cost cost);

/* Applies edits in order: all of them or, after a failure, none. An edit with bits writes '.' into
 * blocked cells that open and '@' into open cells that close; other letters stay.
 *
 * Searches are exact at once: they use the rows of a table that the edits cannot have made wrong,
 * others by gates or not at all (cairn_row_state), until cairn_refresh_step repairs them. For this
 * the map keeps a journal of changed cells: at least those of the last 2,048 calls, unless these
 * changed more than 2,000 cells. Each search, bound or step brings the table's own list of what it
 * lacks up to date from the journal, which so need reach back only to the one before. The list has
 * at most 4,096 cells (65,536 where costs are not even, and on graphs), without cells of grids that
 * are again what they were; beyond that it is given up. A table of which it is not known what it
 * lacks still belongs to this map, but none of its rows is used until refreshing has rebuilt them;
 * on a graph, then, all arcs are compared with its entries.
 *
 * Grids accept edits of cells, graphs edits of arcs. On a graph where each arc costs the same as
 * its reverse (cairn_map_is_directed is false) an edit of an arc changes the reverse arc as well.
 * The bound callback of a cairn_callback_graph must hold for the new costs, too.
 *
 * Takes time in proportion to the cells that change, not to the map. An edit that may cut a
 * component in two also takes time for the smaller part, or for the way around by which the two
 * still meet: closing a corridor of a maze of 10^6 cells takes 2 ms in the mean, and up to 12, on a
 * map that was searched. Several edits in one call find this out once, and those that cut nothing
 * cost no more for being far apart. On open ground a map that was searched follows the rows and
 * columns from each cell to the next obstacles, up to 25 microseconds on 1000 x 1000 open cells, or
 * all of them once where a call has so many edits that this takes less time. Meanwhile no other
 * thread may use the map or the maps for units that follow it (cairn_map_for_units). Returns
 * CAIRN_E_ARGUMENT for a cell or an arc that the map does not have, for a map that follows another,
 * and for a cost of 0, CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX / 4, CAIRN_E_FORMAT for an
 * unknown letter, and for bits on a map where '.' is blocked or '@' open, CAIRN_E_MEMORY.
 * cairn_map_check_edits tells which edit it is. */
CAIRN_API cairn_status cairn_map_edit(cairn_map *map, const cairn_edit *edits, size_t count);

/* Whether cairn_map_edit would accept these edits, without making them; for a map that follows
 * another (cairn_map_for_units), whether that one would. Returns CAIRN_OK or the error that
 * cairn_map_edit would, except CAIRN_E_MEMORY. `error`, which may be NULL, then says what was
 * expected and found, and its `line` is the number of the first edit that is refused, from 1. An
 * edit that would be accepted alone is accepted in any list. Threads as any call that reads the
 * map. */
CAIRN_API cairn_status cairn_map_check_edits(const cairn_map *map, const cairn_edit *edits,
                                             size_t count, cairn_error *error);

/* A list of edits, one to a line: `block X Y`, `open X Y`, `terrain X Y LETTER`, `rect X Y WIDTH
 * HEIGHT LETTER` (at least one cell), where LETTER is a terrain letter or `block` or `open`; for a
 * graph `cost FROM TO COST`, where nodes are counted from 0. Empty lines and lines that begin with
 * # are ignored. Whether a map has the cells and arcs is checked when the edits are applied. */
typedef struct cairn_edits cairn_edits;

/* Reads a list from a file, or from `size` bytes of memory, which are not kept. CAIRN_E_IO,
 * CAIRN_E_FORMAT, CAIRN_E_LIMIT for a file above 2 GiB, CAIRN_E_MEMORY. The list comes from malloc,
 * and the caller frees it with cairn_edits_free; its items live as long. */
CAIRN_API cairn_status cairn_edits_load(const char *path, cairn_edits **edits, cairn_error *error);
CAIRN_API cairn_status cairn_edits_parse(const char *text, size_t size, cairn_edits **edits,
                                         cairn_error *error);
CAIRN_API void cairn_edits_free(cairn_edits *edits);
CAIRN_API const cairn_edit *cairn_edits_items(const cairn_edits *edits);
CAIRN_API size_t cairn_edits_count(const cairn_edits *edits);

/* The line, counted from 1, of the edit at `index`, which must be below the count. */
CAIRN_API uint64_t cairn_edits_line(const cairn_edits *edits, size_t index);

#ifdef __cplusplus
}
#endif

#endif
