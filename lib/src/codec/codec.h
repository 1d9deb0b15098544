/* One row of a table as bytes, and back. docs/FORMAT.md says what the bytes mean. */
#ifndef CN_CODEC_CODEC_H
#define CN_CODEC_CODEC_H

#include "base/cpu.h"
#include "base/watch.h"
#include "table/table.h"

/* Codec numbers as they stand in the file. */
enum cn_codec_id {
    CN_CODEC_RAW = 0,
    CN_CODEC_PREDICTOR = 1,
    CN_CODEC_SEEDS = 2,
    CN_CODEC_COUNT
};

/* A build may leave out codecs, by -DCAIRN_WITHOUT_PREDICTOR and -DCAIRN_WITHOUT_SEEDS: it does not
 * read their rows, and writes others in their place. */
#ifdef CAIRN_WITHOUT_PREDICTOR
enum { CN_HAS_PREDICTOR = 0 };
#else
enum { CN_HAS_PREDICTOR = 1 };
#endif
#ifdef CAIRN_WITHOUT_SEEDS
enum { CN_HAS_SEEDS = 0 };
#else
enum { CN_HAS_SEEDS = 1 };
#endif

/* The name of a codec, also of one that is left out; NULL for a number that means none. */
const char *cn_codec_name(uint32_t codec);

/* An arc to or from a node that comes earlier in the order of the predictor. */
typedef struct cn_graph_link {
    uint32_t place;  /* of that node in the order */
    cairn_cost cost;
} cn_graph_link;

typedef struct cn_graph_links {
    uint32_t *start;  /* [node count + 1] into links, by place */
    cn_graph_link *links;
} cn_graph_links;

/* The nodes of a graph breadth first. A place is a number in that order. */
typedef struct cn_graph_order {
    cairn_node *nodes;    /* by place */
    uint32_t *first;      /* by place: the earliest place of a neighbour, itself without one */
    cn_graph_links in;    /* arcs that come from earlier places */
    cn_graph_links out;   /* arcs that go there */
} cn_graph_order;

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
    cn_graph_order *graph;  /* NULL for grids */
    cn_watch *watch;       /* of unpacking; NULL: nobody is told how far it is */
} cn_codec_frame;

/* The map must stay as it is while the frame lives. */
cairn_status cn_codec_frame_init(cn_codec_frame *frame, const cairn_map *map, cairn_metric metric,
                                 unsigned bits, const cn_mem *mem);
void cn_codec_frame_free(cn_codec_frame *frame);

/* A plane is one row of the table by itself: the entry of the cell in column x and row y is at
 * [y * stride + x]. Blocked cells hold anything. Unreachable is all ones; in planes of 32 bits that
 * are to be packed it is 0x7fffffff, which leaves room for sums. */
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

/* Passes of the seeds codec, by number and first direction. A writer tries the last first. */
enum cn_style {
    CN_STYLE_THREE_DOWN,
    CN_STYLE_THREE_UP,
    CN_STYLE_TWO_DOWN,
    CN_STYLE_TWO_UP,
    CN_STYLE_FOUR,  /* down or up: the better for each row */
    CN_STYLES
};

/* How the rows of a table are packed. */
typedef struct cn_pack_way {
    cairn_codec codec;
    unsigned style;  /* of the seeds codec, that rows begin with */
} cn_pack_way;

/* A row that is to be packed. */
typedef struct cn_unpacked_row {
    const cn_plane *costs;  /* entries as wide as the frame's */
    cn_row_landmarks landmarks;
    cn_way way;
} cn_unpacked_row;

/* What one thread packs rows with; keeps memory from row to row. The frame must outlive it. Rows
 * take another style than they are to begin with where that pays for all `row_count` rows that a
 * reader sweeps as often as one of them needs; never where that is 0. */
typedef struct cn_packer cn_packer;
cairn_status cn_packer_new(const cn_codec_frame *frame, uint32_t row_count, cn_packer **packer);
void cn_packer_free(cn_packer *packer);

/* A row that is not made of exact costs cannot have seeds: the predictor takes their place. */
cairn_status cn_pack_row(cn_packer *packer, const cn_unpacked_row *row, cn_pack_way way,
                         cn_packed *packed);
cairn_status cn_pack_table_row(cn_packer *packer, const cairn_table *table, uint32_t row,
                               cn_pack_way way, cn_packed *packed);

/* The first rows, or all when there are fewer, are packed in every style that may turn out the
 * best; that of most use to them is the one that all others begin with. */
enum { CN_SURVEYED_ROWS = 2 };
typedef struct cn_survey {
    cairn_codec codec;
    uint32_t row_count;
    struct cn_surveyed {
        size_t counts[CN_STYLES];     /* of seeds; too many where it was not tried to the end */
        cn_packed packed[CN_STYLES];  /* no bytes: not tried to the end */
    } rows[CN_SURVEYED_ROWS];
} cn_survey;

/* How many rows there are to be surveyed says survey->row_count. */
void cn_survey_init(cn_survey *survey, const cn_codec_frame *frame, cairn_codec codec,
                    uint32_t row_count);
void cn_survey_free(cn_survey *survey, const cn_mem *mem);

/* Surveys one of them; different ones at the same time, with a packer each, are fine. */
cairn_status cn_survey_row(cn_survey *survey, cn_packer *packer, const cn_unpacked_row *row,
                           uint32_t index);
cairn_status cn_survey_table_row(cn_survey *survey, cn_packer *packer, const cairn_table *table,
                                 uint32_t row);

/* After one of them: how it is best packed, and mostly the others too. */
cn_pack_way cn_survey_guess(const cn_survey *survey, const cn_codec_frame *frame, uint32_t index);

/* After all of them: how to pack the others; and a surveyed row packed that way, or, where that
 * was given up, in its own best way. The bytes are the caller's. */
cn_pack_way cn_survey_decide(const cn_survey *survey, const cn_codec_frame *frame);
cn_packed cn_survey_take(cn_survey *survey, uint32_t index, cn_pack_way way);

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
 * cairn_table_verify). CAIRN_E_VERSION for a codec that this build does not have. The watch of the
 * frame, a stage of which was begun, counts entries. */
cairn_status cn_codec_unpack_rows(const cn_codec_frame *frame, cairn_table *table,
                                  cn_coded_row *rows, unsigned thread_count);

#endif
