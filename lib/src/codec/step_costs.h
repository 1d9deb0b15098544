/* What steps cost where that differs from cell to cell, for the 64 cells of a word: terrain,
 * heights and one-way cells, in both directions. */
#ifndef CN_CODEC_STEP_COSTS_H
#define CN_CODEC_STEP_COSTS_H

#include "codec/codec.h"

/* Where a step into a cell comes from: the three cells of the next row, and those beside it. */
enum cn_step_from {
    CN_STEP_STRAIGHT,
    CN_STEP_WEST,
    CN_STEP_EAST,
    CN_STEP_BEFORE,
    CN_STEP_BEHIND,
    CN_STEPS_FROM
};

/* The cost of a step into a cell for costs from landmarks, and that of the reverse step for costs
 * to them, by cn_way. As wide as the entries of the layout. */
typedef union cn_cost_pair {
    uint16_t narrow[2];
    uint32_t wide[2];
} cn_cost_pair;

typedef struct cn_step_costs {
    cn_cost_pair of[CN_STEPS_FROM][64];
} cn_step_costs;

/* The cells of a word in row y, and the row above or below it from which steps come. Either row may
 * lie outside the map. */
typedef struct cn_cost_place {
    uint32_t y;
    uint32_t from;
    size_t word;
} cn_cost_place;

/* The factor of the open cells of every word of a row, and of those beside it: most words of a map
 * have one. The array has a row above the first and one below the last. */
enum { CN_FACTORS_DIFFER = 0, CN_NO_OPEN_CELLS = CAIRN_TERRAIN_BLOCKED };
cairn_status cn_word_factors_new(cn_codec_layout *layout);
void cn_word_factors_free(cn_codec_layout *layout);

/* The one factor of a word in row y and in the row above or below it, or CN_FACTORS_DIFFER. Either
 * row may lie outside the map. */
CN_ALWAYS_INLINE uint32_t cn_factor_at(const cn_codec_layout *layout, cn_cost_place place)
{
    const size_t words = layout->open_stride - 2;
    if (!layout->factors)
        return CN_FACTORS_DIFFER;
    uint32_t here = layout->factors[(uint32_t)(place.y + 1) * words + place.word];
    uint32_t from = layout->factors[(uint32_t)(place.from + 1) * words + place.word];
    if (here == from || from == CN_NO_OPEN_CELLS)
        return here;
    return here == CN_NO_OPEN_CELLS ? from : CN_FACTORS_DIFFER;
}

/* What a straight or slanting step between cells of that factor costs, at most "never". */
uint32_t cn_even_step_cost(const cn_codec_layout *layout, bool slants, uint32_t factor);

/* Fills the costs of the steps in `wanted`, bits by cn_step_from. Steps that one-way cells forbid
 * cost "never". Steps that the map does not have because a cell is blocked or missing cost
 * anything up to that. */
void cn_step_costs_fill(const cn_codec_layout *layout, cn_cost_place place, unsigned wanted,
                        cn_step_costs *costs);

/* Where cn_map_ends_tell_costs, a step costs what the cell does that it enters, or the one that it
 * leaves, or the sum of both. */
typedef union cn_end_line {
    uint16_t narrow[66];
    uint32_t wide[66];
} cn_end_line;

/* The cells of a word and the one on either side: base * factor for straight and for slanting
 * steps, 0 beyond the map. In 32 bits the sum of two is below "never". */
typedef struct cn_end_costs {
    cn_end_line of[2];
} cn_end_costs;

void cn_end_costs_fill(const cn_codec_layout *layout, uint32_t y, size_t word, cn_end_costs *costs);

#endif
