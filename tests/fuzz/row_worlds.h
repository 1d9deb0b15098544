/* The maps that rows are decoded for: grids of both widths and several rules, terrain, a graph. */
#ifndef FUZZ_ROW_WORLDS_H
#define FUZZ_ROW_WORLDS_H

#include "codec/codec.h"
#include "fuzz.h"

enum { ROW_WORLDS = 8 };

typedef struct row_world {
    cairn_map *map;
    cn_codec_layout layout;
    cairn_node landmark; /* of every row */
    uint32_t row_count;  /* 2 where costs differ by way */
} row_world;

/* Made once, never freed. */
const row_world *row_world_of(uint32_t number);

#endif
