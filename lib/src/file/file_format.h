/* The constants of docs/FORMAT.md, for reader and writer of the file. */
#ifndef CN_FILE_FILE_FORMAT_H
#define CN_FILE_FILE_FORMAT_H

#include "base/base.h"

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

#endif
