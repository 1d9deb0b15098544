/* Sweeps, the main part of the seeds codec: costs are carried over the map row by row, for all rows
 * of the table at once, since their entries lie next to each other. */
#ifndef CN_CODEC_SWEEP_H
#define CN_CODEC_SWEEP_H

#include "base/tasks.h"
#include "codec/codec_parts.h"

/* A cell whose cost is given. */
typedef struct cn_seed {
    cairn_node node;
    uint32_t cost;
} cn_seed;

/* Passes alternate between down and up. */
typedef struct cn_sweep_plan {
    unsigned passes;
    bool up_first;
} cn_sweep_plan;

enum { CN_PASSES_MAX = 8 };

/* How one row of the table is swept. */
typedef struct cn_sweep_row {
    cn_sweep_plan plan;   /* no passes: the row is left for another codec to fill */
    const cn_seed *seeds; /* ascending, including landmarks */
    size_t count;
} cn_sweep_row;

/* Whether all costs come from steps that sweeps know, and sums of costs do not overflow. */
bool cn_sweep_is_possible(const cn_codec_layout *layout);

/* Fills whole rows of a new table, whose entries are all zero. Allocates nothing. `rows` has an
 * element for each row of the table. Open cells get the cost of some path from a seed, or are
 * unreachable. The threads share the work as far as the layout allows. The only possible
 * failure is CAIRN_E_CANCELLED; the watch of the layout counts entries. */
cairn_status cn_sweep_table(const cn_codec_layout *layout, cairn_table *table,
                            const cn_sweep_row *rows, cn_crew crew);

/* ------------------------------------------------------------- for the files of the sweeps -- */

/* The costs of one cell that are processed together are a chunk, of 16, 32 or 64 bytes. */
enum { CN_CHUNK_MAX = 64 };

typedef struct cn_sweep_steps {
    uint8_t straight[CN_CHUNK_MAX]; /* by lane; "never" for rows that skip this pass */
    uint8_t diagonal[CN_CHUNK_MAX];
    uint8_t never[CN_CHUNK_MAX];
    uint8_t along[2][CN_CHUNK_MAX]; /* never, and straight: from the cell before */
    uint8_t skips[CN_CHUNK_MAX];    /* "never" for rows that skip this pass, else 0 */
} cn_sweep_steps;

/* One row of cells in one pass. */
typedef struct cn_sweep_line {
    const cn_codec_layout *layout;
    uint8_t *cells;      /* the chunk of the first cell in the row */
    const uint8_t *from; /* the same in the row from which costs come */
    size_t cell_size;    /* bytes from cell to cell */
    size_t words;
    const uint64_t *open;
    const uint64_t *open_from;
    cairn_rule rule;
    uint32_t y;      /* of the row */
    uint32_t from_y; /* of the row from which costs come */
    const cn_sweep_steps *steps;
    uint8_t *greatest; /* updated to the largest cost of each lane */
} cn_sweep_line;

typedef void cn_sweep_function(const cn_sweep_line *line);

/* By the width of the entries (16, 32) and the size of the chunk (16, 32, 64 bytes): sweeps where
 * all steps cost the same, and where costs differ from cell to cell. */
typedef struct cn_sweep_engine {
    cn_sweep_function *even[2][3];
    cn_sweep_function *uneven[2][3];
} cn_sweep_engine;

extern const cn_sweep_engine cn_sweep_portable;
#if CN_CPU_X86
extern const cn_sweep_engine cn_sweep_avx2, cn_sweep_avx512;
#endif

#endif
