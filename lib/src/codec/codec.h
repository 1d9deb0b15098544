/* One row of a table as bytes, and back. docs/FORMAT.md defines the bytes. */
#ifndef CN_CODEC_CODEC_H
#define CN_CODEC_CODEC_H

#include "base/cpu.h"
#include "base/tasks.h"
#include "base/watch.h"
#include "flood/plane.h"
#include "table/table.h"

/* Codec numbers as they are in the file. */
enum {
    CN_CODEC_RAW = 0,
    CN_CODEC_PREDICTOR = 1,
    CN_CODEC_SEEDS = 2,       /* on maps with cn_map_is_classic */
    CN_CODEC_RULED_SEEDS = 3, /* on all others that have seeds */
    CN_CODEC_COUNT
};

/* -DCAIRN_WITHOUT_PREDICTOR and -DCAIRN_WITHOUT_SEEDS leave codecs out of a build. It then cannot
 * read their rows, and writes rows of other codecs instead. */
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

/* The name of a codec, also of one that is left out; NULL for an unknown number. */
const char *cn_codec_name(uint32_t codec_id);

/* An arc between a node and one that comes earlier in the order of the predictor. */
typedef struct cn_graph_link {
    uint32_t place; /* of that node in the order */
    cairn_cost cost;
} cn_graph_link;

typedef struct cn_graph_links {
    uint32_t *start; /* [node count + 1] into links, by place */
    cn_graph_link *links;
} cn_graph_links;

/* The nodes of a graph in breadth-first order. A place is an index in that order. */
typedef struct cn_graph_order {
    cairn_node *nodes;  /* by place */
    uint32_t *first;    /* by place: the earliest place of a neighbour, or its own if it has
                         * none */
    cn_graph_links in;  /* arcs from earlier places */
    cn_graph_links out; /* arcs to earlier places */
} cn_graph_order;

/* What packing and unpacking rows needs to know: the map, and how a plane is laid out in memory. */
typedef struct cn_codec_layout {
    cn_mem mem;
    const cairn_map *map;
    unsigned bits;          /* of an entry: 16 or 32 */
    uint32_t straight_most; /* the largest cost of a straight step */
    cn_cpu cpu;
    size_t stride;        /* entries between two rows of cells in a plane */
    const uint64_t *open; /* of the grid, with its stride */
    size_t open_stride;
    uint16_t *factors;     /* see codec/step_costs.h; NULL where factors do not tell costs */
    cn_graph_order *graph; /* NULL for grids */
    cn_watch *watch;       /* for unpacking; NULL: progress is not reported */
} cn_codec_layout;

/* The map must not change while the layout exists. */
cairn_status cn_codec_layout_init(cn_codec_layout *layout, const cairn_map *map,
                                  cairn_metric metric, unsigned bits, const cn_mem *mem);
void cn_codec_layout_free(cn_codec_layout *layout);

/* A plane is one row of the table: the entry of the cell in column x and row y is at [y * stride +
 * x]. Entries of blocked cells are undefined. Unreachable is all bits set; but in planes of 32 bits
 * that are to be packed it is 0x7fffffff, so that sums do not overflow. */
void *cn_codec_plane_new(const cn_codec_layout *layout);
void cn_codec_plane_free(const cn_codec_layout *layout, void *plane);

typedef struct cn_row_landmarks {
    const cairn_node *nodes; /* ascending, open */
    size_t count;
} cn_row_landmarks;

/* A packed row; the bytes come from the allocator of the layout. */
typedef struct cn_packed {
    uint8_t *bytes;
    size_t size;
    uint32_t codec_id;
} cn_packed;

/* Styles of the seeds codec: the number of passes, and the direction of the first. A writer tries
 * the last style first. */
typedef enum cn_style {
    CN_STYLE_THREE_DOWN,
    CN_STYLE_THREE_UP,
    CN_STYLE_TWO_DOWN,
    CN_STYLE_TWO_UP,
    CN_STYLE_FOUR, /* down or up, whichever is better for the row */
    CN_STYLES
} cn_style;

/* How the rows of a table are packed. */
typedef struct cn_packing {
    cairn_codec codec;
    cn_style style; /* of the seeds codec: the default for the rows */
} cn_packing;

/* A row that is to be packed. */
typedef struct cn_unpacked_row {
    const cn_plane *costs; /* entries as wide as the layout's */
    cn_row_landmarks landmarks;
    cn_way way;
} cn_unpacked_row;

/* Packs rows, by one thread; keeps its memory from row to row. The layout must outlive it. A row is
 * given another style than the default one where that is smaller even after a charge for its
 * passes: a reader has to sweep `row_count` rows together as often as one of them needs. Where
 * row_count is 0 all rows have the default style. */
typedef struct cn_packer cn_packer;
cairn_status cn_packer_new(const cn_codec_layout *layout, uint32_t row_count, cn_packer **packer);
void cn_packer_free(cn_packer *packer);

/* Rows that are not made of exact costs cannot have seeds: they are packed by the predictor. */
cairn_status cn_pack_row(cn_packer *packer, const cn_unpacked_row *row, cn_packing packing,
                         cn_packed *packed);
cairn_status cn_pack_table_row(cn_packer *packer, const cairn_table *table, uint32_t row,
                               cn_packing packing, cn_packed *packed);

/* The survey: the first rows, or all if there are fewer, are packed in every style that may be the
 * best. The style most common in this sample is the default for the other rows. */
enum { CN_SURVEYED_ROWS = 2 };

typedef struct cn_surveyed {
    size_t counts[CN_STYLES];    /* number of seeds; too large where the style was abandoned */
    cn_packed packed[CN_STYLES]; /* no bytes: the style was abandoned */
} cn_surveyed;

typedef struct cn_survey {
    cairn_codec codec;
    uint32_t row_count;
    cn_surveyed rows[CN_SURVEYED_ROWS];
} cn_survey;

/* survey->row_count becomes the number of rows to be surveyed. */
void cn_survey_init(cn_survey *survey, const cn_codec_layout *layout, cairn_codec codec,
                    uint32_t row_count);
void cn_survey_free(cn_survey *survey, const cn_mem *mem);

/* Surveys one row. Several threads may survey different rows at the same time, each with a packer
 * of its own. */
cairn_status cn_survey_row(cn_survey *survey, cn_packer *packer, const cn_unpacked_row *row,
                           uint32_t index);
cairn_status cn_survey_table_row(cn_survey *survey, cn_packer *packer, const cairn_table *table,
                                 uint32_t row);

/* After one row: how that row is packed best, and probably the others as well. */
cn_packing cn_survey_guess(const cn_survey *survey, const cn_codec_layout *layout, uint32_t index);

/* After all rows: how to pack the others. cn_survey_take returns a surveyed row packed that way or,
 * if that was abandoned, in its own best way. The caller frees its bytes. */
cn_packing cn_survey_decide(const cn_survey *survey, const cn_codec_layout *layout);
cn_packed cn_survey_take(cn_survey *survey, uint32_t index, cn_packing packing);

/* A row to be unpacked. */
typedef struct cn_coded_row {
    uint32_t codec_id;
    uint32_t crc;
    const uint8_t *bytes;
    size_t size;
    cn_row_landmarks landmarks;
    cairn_status status; /* becomes the result */
} cn_coded_row;

/* Whether so few bytes can contain a row: to be checked before memory is allocated for it. */
bool cn_codec_is_plausible(const cn_codec_layout *layout, uint32_t codec_id, uint64_t size);

/* Fills a new table, which is all zero, from one coded row for each of its rows. The bytes are not
 * trusted: checksums are checked, and every entry becomes a possible cost, though not necessarily
 * the right one (cairn_table_verify checks that). CAIRN_E_VERSION for a codec that this build does
 * not have. The watch of the layout, at which a stage has begun, counts entries. */
cairn_status cn_codec_unpack_rows(const cn_codec_layout *layout, cairn_table *table,
                                  cn_coded_row *rows, cn_crew crew);

#endif
