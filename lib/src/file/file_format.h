/* The constants of docs/FORMAT.md, for reader and writer of the file. */
#ifndef CN_FILE_FILE_FORMAT_H
#define CN_FILE_FILE_FORMAT_H

#include "base/bytes.h"

#define CN_MAGIC \
  "\x89"         \
  "CARN\r\n\x1a"

enum {
    CN_MAGIC_SIZE = 8,
    CN_HEADER_SIZE = 16,
    CN_VERSION_MAJOR = 1,
    CN_VERSION_MINOR = 0,
    CN_VERSION_MARKED = 1, /* the minor version of files with sections before the map */

    CN_SECTION_HEAD_SIZE = 16,
    CN_SECTION_REQUIRED = 1,
    CN_SECTION_SELF_CHECKED = 2,

    CN_STAMP_SIZE = 8,
    CN_PART_SIZE = 40,
    CN_UNITS_SIZE = 8,
    CN_MAP_HEAD_SIZE = 12,
    CN_METRIC_SIZE = 8,
    CN_TABLE_HEAD_SIZE = 28,

    CN_MAP_KIND_GRID = 0,
    CN_MAP_KIND_TERRAIN = 1, /* a grid with its own rules and factors */
    CN_MAP_KIND_GRAPH = 2,
    CN_MAP_RULE_NO_CORNERS = 0,
    CN_LETTERS_DEFLATED = 0,
    CN_LETTERS_MODELLED = 1,
    CN_ROWS_SYMMETRIC = 0,
    CN_ROWS_PAIRS = 1,
    CN_COSTS_OF_MAP = 0,
    CN_COSTS_STEPS = 1
};

/* Where the fields are: of the header, of the head of a section, and of payloads. */
enum {
    CN_HEADER_AT_MAJOR = 8,
    CN_HEADER_AT_MINOR = 10,
    CN_HEADER_AT_CRC = 12,

    CN_SECTION_AT_TYPE = 0,
    CN_SECTION_AT_CRC = 4,
    CN_SECTION_AT_SIZE = 8,
    CN_SECTION_AT_FLAGS = 15,

    CN_PART_AT_NUMBER = 0,
    CN_PART_AT_COUNT = 4,
    CN_PART_AT_FIRST_ROW = 8,
    CN_PART_AT_ROWS = 12,
    CN_PART_AT_SEED = 16,
    CN_PART_AT_LANDMARKS = 24,
    CN_PART_AT_CODEC = 32,

    CN_UNITS_AT_SIDE = 0,
    CN_UNITS_AT_ANCHOR = 2,

    CN_MAP_AT_KIND = 0,
    CN_MAP_AT_RULE = 1,
    CN_MAP_AT_CODING = 2,
    CN_MAP_AT_FLAGS = 3,
    CN_MAP_AT_WIDTH = 4,
    CN_MAP_AT_HEIGHT = 8,

    CN_METRIC_AT_STRAIGHT = 0,
    CN_METRIC_AT_DIAGONAL = 4,

    CN_TABLE_AT_HASH = 0,
    CN_TABLE_AT_NODES = 8,
    CN_TABLE_AT_ROWS = 12,
    CN_TABLE_AT_METRIC = 16,
    CN_TABLE_AT_BITS = 24,
    CN_TABLE_AT_KIND = 25,
    CN_TABLE_AT_COSTS = 26,
    CN_TABLE_AT_ZERO = 27
};

/* Section types as numbers: four letters, the first in the lowest byte. */
#define CN_TYPE(a, b, c, d) \
  ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define CN_TYPE_STAMP CN_TYPE('S', 'T', 'M', 'P')
#define CN_TYPE_PART CN_TYPE('P', 'A', 'R', 'T')
#define CN_TYPE_UNITS CN_TYPE('U', 'N', 'I', 'T')
#define CN_TYPE_MAP CN_TYPE('M', 'A', 'P', ' ')
#define CN_TYPE_METRIC CN_TYPE('M', 'E', 'T', 'R')
#define CN_TYPE_TABLE CN_TYPE('T', 'A', 'B', 'L')
#define CN_TYPE_LANDMARKS CN_TYPE('L', 'A', 'N', 'D')
#define CN_TYPE_DIRECTORY CN_TYPE('R', 'D', 'I', 'R')
#define CN_TYPE_ROWS CN_TYPE('R', 'O', 'W', 'S')
#define CN_TYPE_END CN_TYPE('E', 'N', 'D', ' ')

CN_ALWAYS_INLINE cairn_metric cn_get_metric(const uint8_t *from)
{
    return (cairn_metric){cn_get_u32(from + CN_METRIC_AT_STRAIGHT),
                          cn_get_u32(from + CN_METRIC_AT_DIAGONAL)};
}

CN_ALWAYS_INLINE void cn_put_metric(uint8_t *to, cairn_metric metric)
{
    cn_put_u32(to + CN_METRIC_AT_STRAIGHT, metric.straight);
    cn_put_u32(to + CN_METRIC_AT_DIAGONAL, metric.diagonal);
}

/* How the payload of section MAP begins. */
typedef struct cn_map_head {
    uint8_t kind;
    uint8_t rule;
    uint8_t coding; /* of the letters of a grid of kind 0 */
    uint8_t flags;
    uint32_t width;
    uint32_t height;
} cn_map_head;

CN_ALWAYS_INLINE cn_map_head cn_get_map_head(const uint8_t *from)
{
    return (cn_map_head){from[CN_MAP_AT_KIND],
                         from[CN_MAP_AT_RULE],
                         from[CN_MAP_AT_CODING],
                         from[CN_MAP_AT_FLAGS],
                         cn_get_u32(from + CN_MAP_AT_WIDTH),
                         cn_get_u32(from + CN_MAP_AT_HEIGHT)};
}

CN_ALWAYS_INLINE void cn_put_map_head(uint8_t *to, cn_map_head head)
{
    to[CN_MAP_AT_KIND] = head.kind;
    to[CN_MAP_AT_RULE] = head.rule;
    to[CN_MAP_AT_CODING] = head.coding;
    to[CN_MAP_AT_FLAGS] = head.flags;
    cn_put_u32(to + CN_MAP_AT_WIDTH, head.width);
    cn_put_u32(to + CN_MAP_AT_HEIGHT, head.height);
}

CN_ALWAYS_INLINE uint64_t cn_map_head_cells(cn_map_head head)
{
    return (uint64_t)head.width * head.height;
}

#endif
