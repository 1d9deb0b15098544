/* The rows of the map that steps lead between, for the codecs. */
#ifndef CN_CODEC_CODEC_BITS_H
#define CN_CODEC_CODEC_BITS_H

#include "codec/codec.h"
#include "grid/step_bits.h"

/* The steps that lead into row y from the row above or below it, for the 64 cells of a word. */
CN_ALWAYS_INLINE cn_step_bits cn_steps_from(cairn_rule rule, uint32_t y, const uint64_t *open,
                                            const uint64_t *open_from)
{
    return cn_steps_between(rule, y & 1, cn_row_bits_at(open), cn_row_bits_at(open_from));
}

CN_ALWAYS_INLINE size_t cn_row_words(const cn_codec_frame *frame)
{
    return frame->open_stride - 2;
}

CN_ALWAYS_INLINE cairn_rule cn_rule_of(const cn_codec_frame *frame)
{
    return frame->map->grid.rules.rule;
}

#endif
