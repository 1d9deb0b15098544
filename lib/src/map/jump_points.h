/*
 * Where jumps end. Harabor and Grastien, "Online graph pruning for pathfinding on grid
 * maps", AAAI 2011, and "Improving jump point search", ICAPS 2014, without cutting of corners.
 *
 * A straight run stops at a cell where it may have to turn: the cell beside is open and the one
 * diagonally behind it is blocked. Bits of rows and of columns say where runs stop, so that a jump
 * is a masked word and a count of zeros. One byte per cell says for each straight direction
 * whether a run from here ends at such a cell (else at a wall, and the run is not worth a look)
 * and for each diagonal whether one step is legal.
 *
 * All of it follows from the openness of cells alone. It is built when a search first asks for it
 * and shared between threads from then on.
 */
#ifndef CN_MAP_JUMP_POINTS_H
#define CN_MAP_JUMP_POINTS_H

#include "grid/grid.h"

typedef struct cn_stops {
    uint64_t forward;   /* runs to higher columns or rows stop here, or the cell is blocked */
    uint64_t backward;
} cn_stops;

typedef struct cn_jump {
    size_t row_words;        /* words of 64 cells in a row */
    size_t column_words;
    cn_stops *rows;          /* [height][row_words] */
    cn_stops *columns;       /* [width][column_words] */
    uint64_t *open_rows;     /* which cells are open, the same way */
    uint64_t *open_columns;
    uint8_t *hits;           /* by cell; bit d: see above */
} cn_jump;

cairn_status cn_jump_new(const cn_grid *grid, const cn_mem *mem, cn_jump **jump);
void cn_jump_free(cn_jump *jump, const cn_mem *mem);
size_t cn_jump_memory(const cn_jump *jump, const cn_grid *grid);

/* A rectangle of cells, all four borders included. */
typedef struct cn_area {
    uint32_t left, top, right, bottom;
} cn_area;

/* Brings the planes up to date after cells of an area have opened or closed; grid->around is up to
 * date already. Costs the area, and the runs that end in it or beside it. */
void cn_jump_update(cn_jump *jump, const cn_grid *grid, cn_area area);

/* The cell where a run from `at` stops. There must be one: a hit says so. */
CN_ALWAYS_INLINE uint32_t cn_jump_forward(const cn_stops *line, uint32_t at)
{
    uint32_t word = ++at / 64;
    uint64_t bits = line[word].forward >> at % 64 << at % 64;
    while (!bits)
        bits = line[++word].forward;
    return word * 64 + cn_lowest_bit(bits);
}

CN_ALWAYS_INLINE uint32_t cn_jump_backward(const cn_stops *line, uint32_t at)
{
    uint32_t word = --at / 64, unused = 63 - at % 64;
    uint64_t bits = line[word].backward << unused >> unused;
    while (!bits)
        bits = line[--word].backward;
    return word * 64 + cn_highest_bit(bits);
}

/* Whether the cells `first` to `last` of a line are all open. */
CN_ALWAYS_INLINE bool cn_jump_is_open(const uint64_t *line, uint32_t first, uint32_t last)
{
    uint32_t word = first / 64, end = last / 64;
    uint64_t from = ~UINT64_C(0) << first % 64, to = ~UINT64_C(0) >> (63 - last % 64);
    if (word == end)
        return !(~line[word] & from & to);
    if (~line[word] & from)
        return false;
    while (++word < end) {
        if (~line[word])
            return false;
    }
    return !(~line[end] & to);
}

#endif
