/* Level 5: one row of a table as bytes, and back. docs/FORMAT.md says what the bytes mean. */
#ifndef CN_CODEC_H
#define CN_CODEC_H

#include "table.h"

/* Codec numbers as they stand in the file. */
enum cn_codec_id { CN_CODEC_RAW = 0, CN_CODEC_PREDICTOR = 1, CN_CODEC_COUNT };

/* What the entries of a row depend on, beside the row itself. */
typedef struct cn_codec_frame {
    const cairn_map *map;
    cairn_metric metric;  /* of the table */
    unsigned bits;        /* 16 or 32 */
    size_t stride;        /* entries between two rows of cells in a plane */
    size_t size;          /* bytes of a plane */
} cn_codec_frame;

cn_codec_frame cn_codec_frame_of(const cairn_map *map, cairn_metric metric, unsigned bits);

/* A row in bytes; they come from the `mem` of the call. */
typedef struct cn_packed {
    uint8_t *bytes;
    size_t size;
    uint32_t codec;
} cn_packed;

/* Packs a plane, of which only open cells are looked at, with the wanted codec, or with the one
 * that gives the fewest bytes. */
cairn_status cn_codec_pack(const cn_codec_frame *frame, const void *plane, cairn_codec wanted,
                           const cn_mem *mem, cn_packed *packed);

/* Whether so few bytes can hold a row: asked before memory is taken for it. */
bool cn_codec_is_plausible(const cn_codec_frame *frame, uint32_t codec, uint64_t size);

/* Unpacks into a plane; blocked cells may receive anything. The bytes are not trusted: every
 * entry is checked to be a possible cost, not to be the right one (that is cairn_table_verify).
 * CAIRN_E_VERSION for a codec that this build does not have. */
cairn_status cn_codec_unpack(const cn_codec_frame *frame, uint32_t codec, const uint8_t *bytes,
                             size_t size, const cn_mem *mem, void *plane);

#endif
