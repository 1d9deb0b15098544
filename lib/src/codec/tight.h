/* Tight steps: those that shortest paths to a landmark may take. */
#ifndef CN_CODEC_TIGHT_H
#define CN_CODEC_TIGHT_H

#include "codec/codec_bits.h"
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

/* Bitmaps in the layout of frame->open. */
typedef struct cn_tight_bits {
    uint64_t *from[CN_ORIGINS]; /* the neighbour's cost plus the step equals the cell's cost */
    uint64_t *unreached;
} cn_tight_bits;

/* Writes only words with open cells: the others must be zero already. False when a step leads to
 * less than the cost of a cell: then the costs are not those of shortest paths. */
bool cn_tight_find(const cn_codec_frame *frame, const cn_plane *costs, cn_way way,
                   const cn_tight_bits *bits);

/* ------------------------------------------------------- for the files of the tight steps -- */

/* 64 columns of some rows. The entries of a line begin at a multiple of 64 bytes, and those of the
 * columns on both sides are stored next to them. */
typedef struct cn_tight_block {
    const cn_codec_frame *frame;
    cn_way way;
    const void *lines;   /* beginning with the row above the first */
    size_t line_entries; /* from line to line */
    unsigned row_count;
    const uint64_t *open; /* in the first row */
    size_t open_stride;   /* words from row to row, here and in the bitmaps */
    cn_tight_bits bits;   /* in the first row */
    cairn_rule rule;
    uint32_t y;             /* of the first row */
    size_t word;            /* of the columns */
    const cairn_cost *step; /* straight, slanting */
} cn_tight_block;

/* Finds all tight steps between cells of these rows, and between them and the row above. */
typedef bool cn_tight_function(const cn_tight_block *block);

#if CN_CPU_X86
/* For steps that all cost the same, and for others; for entries of 16 and of 32 bits. */
extern cn_tight_function *const cn_tight_avx2[2][2], *const cn_tight_avx512[2][2];
#endif

#endif
