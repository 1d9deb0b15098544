/* Which cells are exact after each pass of the sweeps, for 64 cells at a time. A step is tight if
 * the cost of a cell is that of its neighbour plus the step between them. A cell is exact after a
 * pass if it is given, was exact before the pass, or if a tight step that the pass takes leads to
 * it from an exact cell. These sets follow from the given cells alone, in whatever order they are
 * found: so they are found tile by tile, in groups of tiles that stay in the cache while all passes
 * go over them. */
#ifndef CN_CODEC_EXACT_CELLS_H
#define CN_CODEC_EXACT_CELLS_H

#include "codec/sweep.h"
#include "codec/tight.h"

enum { CN_PASSES_TRIED = 4 };

/* For 64 cells of a row: a record of words, a bit for each cell. */
enum {
    CN_GIVEN,                              /* landmarks and seeds */
    CN_EXACT,                              /* exact after the first pass; later passes follow */
    CN_ROOTS = CN_EXACT + CN_PASSES_TRIED, /* not exact in the end, though a tight step from an
                                            * exact cell leads there */
    CN_EXACT_WORDS = 8
};

/* Rows of a tile, and tiles of a group, with a property. */
typedef enum cn_exact_mark {
    CN_MAY_HAVE_ROOTS, /* cells in them or nearby have changed */
    CN_HAVE_ROOTS,
    CN_HAVE_GIVEN,
    CN_EXACT_MARKS
} cn_exact_mark;

/* 64 x 64 cells. Bits stand for rows. */
typedef struct cn_exact_tile {
    uint64_t woken[CN_PASSES_TRIED];   /* by pass: rows in which cells may become exact */
    uint64_t edge[2][CN_PASSES_TRIED]; /* rows whose first, or last, cell is exact */
    uint64_t marks[CN_EXACT_MARKS];
} cn_exact_tile;

/* 8 x 8 tiles, each a bit. */
typedef struct cn_exact_group {
    uint64_t woken[CN_PASSES_TRIED];
    uint64_t marks[CN_EXACT_MARKS];
    uint64_t touched; /* tiles that may hold anything but zeros, and their records */
    uint32_t next;    /* in the queue */
    bool waits;
} cn_exact_group;

/* The exact cells of one plan. */
typedef struct cn_exact_state {
    cn_sweep_plan plan;
    uint64_t *records; /* laid out like the tight steps */
    cn_exact_tile *tiles;
    cn_exact_group *groups;
    uint32_t first, last;             /* of the groups that wait for a visit */
    uint64_t counts[CN_PASSES_TRIED]; /* exact cells after each pass */
    uint64_t work;                    /* records swept so far */
} cn_exact_state;

/* Tight steps over the border of a tile, by origin: rows that they lead to. */
typedef struct cn_exact_border {
    uint64_t steps[CN_ORIGINS];
    uint64_t row_number; /* of the examined row that they belong to */
} cn_exact_border;

typedef struct cn_exact_cells {
    const cn_codec_layout *layout;
    cn_use use; /* of the records */
    uint32_t height;
    uint32_t words;     /* of a row, and tiles in a row of tiles */
    uint32_t tile_rows; /* rows of tiles */
    uint32_t group_columns;
    uint32_t group_count;
    size_t record_count; /* with a record on all sides of the map */
    size_t tile_count;   /* with a tile on all sides of the map */
    cn_tight_bits tight;
    cn_exact_border *borders;
    uint64_t row_number;
} cn_exact_cells;

/* A failure leaves what cn_exact_cells_free can free, of zeroed structs. */
cairn_status cn_exact_cells_init(cn_exact_cells *self, const cn_codec_layout *layout);
void cn_exact_cells_free(cn_exact_cells *self);
cairn_status cn_exact_state_init(const cn_exact_cells *self, cn_exact_state *state);
void cn_exact_state_free(const cn_exact_cells *self, cn_exact_state *state);

/* The bytes of all that for one map, with `states` states. */
uint64_t cn_exact_cells_memory(uint32_t height, uint64_t words, unsigned states);

/* Finds the tight steps of a row. False: it is not made of exact costs. */
bool cn_exact_examine(cn_exact_cells *self, const cn_plane *costs, cn_way way);

/* No cell is given. */
void cn_exact_begin(const cn_exact_cells *self, cn_exact_state *state, cn_sweep_plan plan);

void cn_exact_give(const cn_exact_cells *self, cn_exact_state *state, uint32_t x, uint32_t y);

/* Finds the exact cells, and the roots. Whether there are roots. */
bool cn_exact_sweep(cn_exact_cells *self, cn_exact_state *state);

/* Whether all reachable cells are exact after so many passes. */
bool cn_exact_is_all(const cn_exact_cells *self, const cn_exact_state *state, unsigned passes);

CN_ALWAYS_INLINE uint64_t *cn_exact_record(const cn_exact_cells *self, const cn_exact_state *state,
                                           uint32_t word, uint32_t y)
{
    return state->records + cn_tight_record(&self->tight, word, y) * CN_EXACT_WORDS;
}

/* Calls a function for every word of the rows that have a mark, row after row, and word after word
 * in each; as long as it returns true. `columns` has room for the words of a row. */
typedef bool cn_exact_function(void *context, uint32_t word, uint32_t y);
bool cn_exact_each(const cn_exact_cells *self, const cn_exact_state *state, cn_exact_mark mark,
                   uint32_t *columns, cn_exact_function *act, void *context);

#endif
