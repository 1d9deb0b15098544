/* Which steps are legal, for 64 cells of a row at a time. */
#ifndef CN_CODEC_CODEC_BITS_H
#define CN_CODEC_CODEC_BITS_H

#include "base/bits.h"
#include "codec/codec.h"

/* Cells that a step from the row above or below leads to. */
typedef struct cn_step_bits {
    uint64_t straight; /* from the cell in the same column */
    uint64_t west;     /* from the column before */
    uint64_t east;     /* from the column behind */
} cn_step_bits;

/* A diagonal step needs both cells beside it open. */
CN_ALWAYS_INLINE cn_step_bits cn_steps_from(const uint64_t *open, const uint64_t *open_from)
{
    uint64_t straight = open[0] & open_from[0];
    return (cn_step_bits){
        .straight = straight,
        .west = straight & cn_bits_before(open) & cn_bits_before(open_from),
        .east = straight & cn_bits_behind(open) & cn_bits_behind(open_from),
    };
}

CN_ALWAYS_INLINE size_t cn_row_words(const cn_codec_frame *frame)
{
    return frame->open_stride - 2;
}

#endif
