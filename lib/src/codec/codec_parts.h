/* The single codecs, for codec.c. */
#ifndef CN_CODEC_CODEC_PARTS_H
#define CN_CODEC_CODEC_PARTS_H

#include "base/entries.h"
#include "codec/codec.h"
#include "grid/step_bits.h"

/* The entry of an unreachable cell during computations: in 32 bits it leaves room for sums. */
CN_ALWAYS_INLINE uint32_t cn_entry_never(unsigned bits)
{
    return bits == 16 ? UINT16_MAX : 0x7fffffff;
}

/* An entry of a plane as it is stored in the table. */
CN_ALWAYS_INLINE uint32_t cn_entry_stored(const void *plane, size_t index, unsigned bits)
{
    uint32_t entry = cn_entry_get(plane, index, bits);
    return bits == 32 && entry > CAIRN_COST_MAX ? UINT32_MAX : entry;
}

CN_ALWAYS_INLINE bool cn_entry_is_possible(uint32_t entry, unsigned bits)
{
    return bits == 16 || entry <= CAIRN_COST_MAX || entry == UINT32_MAX;
}

/* Zigzag code: maps small differences of either sign, modulo 2^bits, to small numbers. */
CN_ALWAYS_INLINE uint32_t cn_zigzag(uint32_t difference, unsigned bits)
{
    uint32_t negative = difference >> (bits - 1) & 1;
    return (difference << 1 ^ (0u - negative)) & cn_entry_unreachable(bits);
}

CN_ALWAYS_INLINE uint32_t cn_zigzag_inverse(uint32_t zigzagged, unsigned bits)
{
    return (zigzagged >> 1 ^ (0u - (zigzagged & 1))) & cn_entry_unreachable(bits);
}

/* The steps that lead into row y from the row above or below it, for the 64 cells of a word. */
CN_ALWAYS_INLINE cn_step_bits cn_steps_from(cairn_rule rule, uint32_t y, const uint64_t *open,
                                            const uint64_t *open_from)
{
    return cn_steps_between(rule, y & 1, cn_row_bits_at(open), cn_row_bits_at(open_from));
}

CN_ALWAYS_INLINE size_t cn_row_words(const cn_codec_layout *layout)
{
    return layout->open_stride - 2;
}

/* The bytes of an entry for each open cell. */
CN_ALWAYS_INLINE size_t cn_entries_size(const cn_codec_layout *layout)
{
    return (size_t)layout->map->grid.open_count * (layout->bits / 8);
}

CN_ALWAYS_INLINE cairn_rule cn_rule_of(const cn_codec_layout *layout)
{
    return layout->map->grid.rules.rule;
}

/* Each fills packed->bytes and packed->size. A worker that unpacks reports its progress to the
 * watch of the layout. */
cairn_status cn_raw_pack(const cn_codec_layout *layout, const void *plane, cn_packed *packed);
cairn_status cn_raw_unpack(const cn_codec_layout *layout, const uint8_t *bytes, size_t size,
                           unsigned worker, void *plane);

/* `way` is the direction of the costs: from the landmarks, or to them. */
cairn_status cn_predictor_pack(const cn_codec_layout *layout, const void *plane, cn_way way,
                               cn_packed *packed);
cairn_status cn_predictor_unpack(const cn_codec_layout *layout, const uint8_t *bytes, size_t size,
                                 cn_way way, unsigned worker, void *plane);

/* The order of the nodes of a graph, which is kept in the layout (graph_order.c). */
cairn_status cn_graph_order_new(cn_codec_layout *layout);
void cn_graph_order_free(cn_codec_layout *layout);

/* The predictor on graphs: turns a row into symbols, as planes of bytes, and back. */
cairn_status cn_predictor_graph_symbols(const cn_codec_layout *layout, const void *plane,
                                        cn_way way, uint8_t *planes);
cairn_status cn_predictor_graph_entries(const cn_codec_layout *layout, const uint8_t *planes,
                                        cn_way way, unsigned worker, void *plane);

#endif
