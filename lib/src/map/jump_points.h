/*
 * Where jumps end, on grids. Harabor and Grastien, "Online graph pruning for pathfinding on grid
 * maps", AAAI 2011, and "Improving jump point search", ICAPS 2014; for four neighbours Baum, "Jump
 * point search pathfinding in 4-connected grids", 2025; for terrain Carlson, Moghadam, Harabor,
 * Stuckey and Ebrahimi, "Optimal pathfinding on weighted grid maps", AAAI 2023.
 *
 * A run goes in one direction, minor or major (grid/directions.h). It turns at a cell where a
 * canonical path that arrives in this direction may take steps beyond those that are always legal
 * on an open map. A minor run stops at its first turn. A major run stops at its first turn as well,
 * and minor runs leave from the cells on its way in the two directions beside it; where no corner
 * may be cut, and with four neighbours, major runs turn at borders alone. Bits in lines say where
 * runs stop, so that a jump takes a masked word and a count of zeros. One byte per cell says for
 * each minor direction whether a run from here ends at a turn (otherwise it ends at a wall and need
 * not be followed), and for each major one whether one step is legal.
 *
 * The canonical steps hold only where all steps of the neighbourhood cost the same and have a
 * reverse: not at borders (grid/borders.h). So runs in every direction turn at borders. All cells
 * of a run but its ends then have one factor and one height. Of the steps from a border those are
 * left out that a detour in its neighbourhood comes before, by what it costs.
 *
 * All of this depends only on the cells, except that the steps from borders depend on the metric.
 * It is computed when a search first needs it, and then shared between threads.
 */
#ifndef CN_MAP_JUMP_POINTS_H
#define CN_MAP_JUMP_POINTS_H

#include "grid/borders.h"
#include "grid/canonical.h"
#include "grid/grid.h"
#include "grid/run_planes.h"

/* The shape of runs, and which of them turn. */
typedef enum cn_jump_shape {
    CN_JUMP_CLASSIC, /* diagonals are major; no corner may be cut */
    CN_JUMP_CUT,     /* diagonals are major and may turn */
    CN_JUMP_CROSS,   /* four neighbours: runs up and down are major */
    CN_JUMP_HEX,     /* hexagons */
    CN_JUMP_SHAPES
} cn_jump_shape;

/* Rows; columns, or on hexagons the lines to the south-east; on hexagons those to the
 * south-west. */
enum { CN_AXES = 3 };

typedef struct cn_jump {
    cn_jump_shape shape;
    unsigned majors; /* directions, as bits */
    unsigned axis_count;
    cn_axis axes[CN_AXES]; /* parts of the next two */
    cn_stops *stops;
    uint64_t *clear;
    size_t word_count;             /* of each */
    uint8_t beside[CN_DIRECTIONS]; /* the minor directions beside a major one, and the major ones
                                    * beside a minor one */
    uint8_t crossed[256];          /* by the hits of a cell: the major directions whose runs stop
                                    * there, since a minor run leaves it that ends at a turn */
    uint8_t turns[256]; /* by openness around a cell that is no border; bit d: runs in direction d
                         * turn there */
    uint8_t *hits;      /* by cell; bit d: see above */
    uint64_t *borders;  /* grid/borders.h; NULL where letters and heights of the map allow none */
    uint8_t *border_steps;   /* [cells][CN_DIRECTIONS], by arrival; 0 for other cells */
    const uint64_t *avoided; /* by cell, as borders: cells that are to be borders with all of their
                              * neighbours, from which every step may be taken; NULL: none */
    cn_hood hood;            /* around borders */
    uint64_t walked;         /* steps along runs that updates have taken */
    const cairn_map *map;
} cn_jump;

/* The planes belong to the map. */
cairn_status cn_jump_new(const cairn_map *map, const cn_mem *mem, cn_jump **jump);
void cn_jump_free(cn_jump *jump, const cn_mem *mem);

/* A copy of planes for a search of its own, which may have borders on any map; border_steps is NULL
 * where the map allows none. CAIRN_E_MEMORY. */
cairn_status cn_jump_copy(const cn_jump *planes, const cn_mem *mem, cn_jump **copy);

/* The bytes that planes have taken from their allocator; 0 for NULL. */
size_t cn_jump_memory(const cn_jump *jump, const cn_grid *grid);

/* The bytes of planes that would be made of a grid without borders. */
uint64_t cn_jump_memory_of(const cn_grid *grid);

/* Whether a cell is a border, where there may be any. */
CN_ALWAYS_INLINE bool cn_jump_is_border(const cn_jump *jump, cairn_node node)
{
    return cn_has_bit(jump->borders, node);
}

/* Whether the planes of a whole map are filled by words, in much less time for each cell. */
CN_ALWAYS_INLINE bool cn_jump_goes_by_words(const cn_jump *jump)
{
    return jump->shape != CN_JUMP_HEX;
}

/* Updates the planes after letters of an area have changed; grid->around must be up to date
 * already. Takes time in proportion to the area and the runs that end in it or next to it. */
void cn_jump_update(cn_jump *jump, const cn_grid *grid, cn_area area);

/* Updates the planes after the metric has changed. */
void cn_jump_follow_metric(cn_jump *jump);

/* Fills the steps from a border, by arrival, and those from all (border_steps.c). No cell beside
 * them may be avoided. */
void cn_jump_fill_border(cn_jump *jump, cairn_node border);
void cn_jump_fill_borders(cn_jump *jump);

CN_ALWAYS_INLINE bool cn_jump_is_row(unsigned direction)
{
    return direction == CN_E || direction == CN_W;
}

/* Whether indices in the line grow along a direction. */
CN_ALWAYS_INLINE bool cn_jump_is_forward(unsigned direction)
{
    return direction == CN_E || direction == CN_S || direction == CN_SE || direction == CN_SW;
}

/* The axis of the lines along a direction. Square grids have none along diagonals. */
CN_ALWAYS_INLINE unsigned cn_jump_axis(cn_jump_shape shape, unsigned direction)
{
    if (cn_jump_is_row(direction))
        return 0;
    return shape == CN_JUMP_HEX && (direction == CN_SW || direction == CN_NE) ? 2 : 1;
}

/* The number of the line of an axis in which a cell lies. */
CN_ALWAYS_INLINE size_t cn_jump_line(cn_jump_shape shape, unsigned axis, uint32_t height,
                                     uint32_t x, uint32_t y)
{
    if (axis == 0)
        return y;
    if (shape != CN_JUMP_HEX)
        return x;
    return axis == 1 ? x + (height - 1) / 2 - y / 2 : x + (y + 1) / 2;
}

/* The first word of a line. */
CN_ALWAYS_INLINE size_t cn_jump_words(const cn_axis *lines, cn_jump_shape shape, size_t line)
{
    return (shape == CN_JUMP_HEX ? line & lines->fold : line) * lines->words;
}

/* The column of the cell `steps` steps from (x, y). */
CN_ALWAYS_INLINE uint32_t cn_jump_x(cn_jump_shape shape, uint32_t x, uint32_t y, unsigned direction,
                                    uint32_t steps)
{
    bool is_east = direction == CN_E || direction == CN_SE || direction == CN_NE;
    if (direction == CN_S || direction == CN_N)
        return x;
    if (shape != CN_JUMP_HEX || cn_jump_is_row(direction))
        return is_east ? x + steps : x - steps;
    uint32_t to_y = cn_jump_is_forward(direction) ? y + steps : y - steps;
    return cn_jump_axis(shape, direction) == 1 ? x - y / 2 + to_y / 2
                                               : x + (y + 1) / 2 - (to_y + 1) / 2;
}

CN_ALWAYS_INLINE uint32_t cn_jump_y(uint32_t y, unsigned direction, uint32_t steps)
{
    if (cn_jump_is_row(direction))
        return y;
    return cn_jump_is_forward(direction) ? y + steps : y - steps;
}

/* The index at which a run from `at` stops. There must be one: a hit guarantees it, or, for a major
 * run, a legal step. */
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

/* Whether the bits `first` to `last` of a line are all set. */
CN_ALWAYS_INLINE bool cn_jump_is_clear(const uint64_t *line, uint32_t first, uint32_t last)
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

/* A major run followed by a minor one, either of which may have no step: what lies between two jump
 * points, and between two cells if nothing were blocked. */
typedef struct cn_leg {
    unsigned major, minor;   /* directions */
    uint32_t majors, minors; /* steps */
} cn_leg;

cn_leg cn_jump_leg(cn_jump_shape shape, uint32_t from_x, uint32_t from_y, uint32_t to_x,
                   uint32_t to_y);

#endif
