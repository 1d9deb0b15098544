/* Tight steps: those that shortest paths to a landmark may take. */
#ifndef CN_CODEC_TIGHT_H
#define CN_CODEC_TIGHT_H

#include "codec/codec_parts.h"

/* Where a cost can come from. The diagonals follow their straight direction. */
enum cn_origin {
    CN_FROM_N,
    CN_FROM_NW,
    CN_FROM_NE,
    CN_FROM_S,
    CN_FROM_SW,
    CN_FROM_SE,
    CN_FROM_W,
    CN_FROM_E,
    CN_ORIGINS
};

/* The tight steps into 64 cells of a row are a record: a word for each origin, a bit for each cell.
 * Records that lie below each other follow one another; around the map are records of zeros. */
typedef struct cn_tight_bits {
    uint64_t *records;
    size_t column;    /* records in a column: the height of the map, and 2 */
    uint64_t reached; /* number of reached cells */
} cn_tight_bits;

CN_ALWAYS_INLINE size_t cn_tight_record(const cn_tight_bits *bits, uint32_t word, uint32_t y)
{
    return (word + (size_t)1) * bits->column + y + 1;
}

/* Writes only records with open cells, here or in the row above or below: the others must be zero
 * already. No step leads to a cell that is not reached. False when a step leads to less than the
 * cost of a cell: then the costs are not those of shortest paths. */
bool cn_tight_find(const cn_codec_layout *layout, const cn_plane *costs, cn_way way,
                   cn_tight_bits *bits);

/* ------------------------------------------------------- for the files of the tight steps -- */

/* 64 columns of some rows. The entries of a line begin at a multiple of 64 bytes, and those of the
 * columns on both sides are stored next to them. */
typedef struct cn_tight_block {
    const cn_codec_layout *layout;
    cn_way way;
    const void *lines;   /* beginning with the row above the first */
    size_t line_entries; /* from line to line */
    unsigned row_count;
    const uint64_t *open; /* in the first row */
    size_t open_stride;   /* words from row to row */
    uint64_t *records;    /* that of the first row */
    uint64_t *reached;    /* grows by the number of reached cells */
    cairn_rule rule;
    uint32_t y;             /* of the first row */
    size_t word;            /* of the columns */
    const cairn_cost *step; /* straight, slanting */
} cn_tight_block;

/* Finds all tight steps between cells of these rows, and between them and the row above. */
typedef bool cn_tight_function(const cn_tight_block *block);

#endif
