/* Level 5: one row of a table as bytes, and back. docs/FORMAT.md says what the bytes mean. */
#ifndef CN_CODEC_H
#define CN_CODEC_H

#include "cpu.h"
#include "table.h"

/* Codec numbers as they stand in the file. */
enum cn_codec_id {
    CN_CODEC_RAW = 0,
    CN_CODEC_PREDICTOR = 1,
    CN_CODEC_SEEDS = 2,
    CN_CODEC_COUNT
};

/* What rows are packed and unpacked against: the map, and how a plane lies in memory. */
typedef struct cn_codec_frame {
    cn_mem mem;
    const cairn_map *map;
    cairn_metric metric;   /* of the table */
    unsigned bits;         /* of an entry: 16 or 32 */
    uint32_t straight_most;  /* that a straight step can cost */
    cn_cpu cpu;
    size_t stride;         /* entries between two rows of cells in a plane */
    const uint64_t *open;  /* of the grid, with its stride */
    size_t open_stride;
    cairn_node *order;     /* of a graph, the nodes breadth first; NULL for grids */
    uint32_t *position;    /* of a graph, by node: its place in that order */
} cn_codec_frame;

/* The map must stay as it is while the frame lives. */
cairn_status cn_codec_frame_init(cn_codec_frame *frame, const cairn_map *map, cairn_metric metric,
                                 unsigned bits, const cn_mem *mem);
void cn_codec_frame_free(cn_codec_frame *frame);

/* A plane is one row of the table by itself: the entry of the cell in column x and row y is at
 * [y * stride + x]. Blocked cells hold anything. There is a row more at either side, and a vector
 * more at both ends, that may be read. Unreachable is all ones; in planes of 32 bits that are to be
 * packed it is 0x7fffffff, which leaves room for sums. */
void *cn_codec_plane_new(const cn_codec_frame *frame);
void cn_codec_plane_free(const cn_codec_frame *frame, void *plane);

typedef struct cn_row_landmarks {
    const cairn_node *nodes;  /* ascending, open */
    size_t count;
} cn_row_landmarks;

/* A row in bytes, which come from the memory of the frame. */
typedef struct cn_packed {
    uint8_t *bytes;
    size_t size;
    uint32_t codec;
} cn_packed;

/* How the rows of a table may be packed. */
typedef struct cn_pack_way {
    cairn_codec codec;
    unsigned plans;  /* of the seeds codec: see codec_seeds.h */
} cn_pack_way;

/* What the first rows, or all when there are fewer, say about how all are packed: a plan for all
 * rows costs the reader less time than one for each. */
enum { CN_SURVEYED_ROWS = 2, CN_SURVEYED_PLANS = 4 };
typedef struct cn_survey {
    uint32_t row_count;
    size_t counts[CN_SURVEYED_ROWS][CN_SURVEYED_PLANS];
    bool exact[CN_SURVEYED_ROWS];
} cn_survey;

/* How many rows shall be surveyed for a codec. */
uint32_t cn_survey_rows(const cn_codec_frame *frame, cairn_codec codec, uint32_t row_count);

/* Fills what `survey` says of a row; different rows at the same time are fine. */
cairn_status cn_survey_row(const cn_codec_frame *frame, const void *plane,
                           cn_row_landmarks landmarks, uint32_t row, cn_survey *survey);
cn_pack_way cn_survey_decide(const cn_codec_frame *frame, const cn_survey *survey,
                             cairn_codec codec);

/* The same for the first rows of a whole table. */
cairn_status cn_codec_choose_way(const cn_codec_frame *frame, const cairn_table *table,
                                 uint32_t row_count, cairn_codec codec, unsigned thread_count,
                                 cn_pack_way *way);

/* Makes a plane of what a flood gave. */
void cn_codec_plane_take(const cn_codec_frame *frame, const cn_plane *costs, void *plane);

/* Packs a row of a table; `plane` is room for it. A row that is not made of exact costs cannot have
 * seeds: the predictor takes their place. */
cairn_status cn_codec_pack_row(const cn_codec_frame *frame, const cairn_table *table, uint32_t row,
                               cn_pack_way way, void *plane, cn_packed *packed);

/* Packs a plane that holds a row of that way. */
cairn_status cn_codec_pack(const cn_codec_frame *frame, const void *plane,
                           cn_row_landmarks landmarks, cn_way row_way, cn_pack_way way,
                           cn_packed *packed);

/* A row that is to be unpacked. */
typedef struct cn_coded_row {
    uint32_t codec;
    uint32_t crc;
    const uint8_t *bytes;
    size_t size;
    cn_row_landmarks landmarks;
    cairn_status status;         /* receives what came of it */
} cn_coded_row;

/* Whether so few bytes can hold a row: asked before memory is taken for it. */
bool cn_codec_is_plausible(const cn_codec_frame *frame, uint32_t codec, uint64_t size);

/* Fills a new table, all zero, from one coded row for each of its rows. The bytes are not trusted:
 * checksums are compared, and every entry becomes a possible cost, not the right one (that is
 * cairn_table_verify). CAIRN_E_VERSION for a codec that this build does not have. */
cairn_status cn_codec_unpack_rows(const cn_codec_frame *frame, cairn_table *table,
                                  cn_coded_row *rows, unsigned thread_count);

#endif
