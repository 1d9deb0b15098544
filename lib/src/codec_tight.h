/* Level 5: tight steps, those that shortest paths to a landmark may take. */
#ifndef CN_CODEC_TIGHT_H
#define CN_CODEC_TIGHT_H

#include "codec_bits.h"
#include "codec_parts.h"

/* Where a cost can come from. The diagonals follow their straight direction. */
enum cn_origin {
    CN_FROM_N, CN_FROM_NW, CN_FROM_NE, CN_FROM_S, CN_FROM_SW, CN_FROM_SE, CN_FROM_W, CN_FROM_E,
    CN_ORIGINS
};

/* For the cells of one row of a plane: bit x of tight[origin] is set when the cost of the neighbour
 * and the step to the cell make up the cost of the cell. Each has as many words as the row. False
 * when a step makes less: then these are no costs of shortest paths. In planes of 32 bits,
 * unreachable is cn_entry_never here. */
bool cn_tight_find(const cn_codec_frame *frame, const void *plane, uint32_t y,
                   uint64_t *const tight[CN_ORIGINS]);

/* ------------------------------------------------------- for the files of the tight steps -- */

typedef struct cn_tight_row {
    const void *costs;         /* of the row */
    const void *from;          /* of the row that steps come from: above, below, or the row */
    const uint64_t *open;
    const uint64_t *open_from;
    size_t words;
    cairn_metric metric;
} cn_tight_row;

/* From another row, or along the row, in which case `straight` is not used; false for a step that
 * makes less. */
typedef bool cn_tight_function(const cn_tight_row *row, uint64_t *straight, uint64_t *west,
                               uint64_t *east);

typedef struct cn_tight_engine {
    cn_tight_function *across[2];  /* by the width of the entries: 16, 32 */
    cn_tight_function *along[2];
} cn_tight_engine;

#if CN_CPU_X86
extern const cn_tight_engine cn_tight_avx2, cn_tight_avx512;
#endif

#endif
