/* Level 5: one row of a table as bytes, and back. */
#ifndef CN_CODEC_H
#define CN_CODEC_H

#include "table.h"

/* Codec numbers as they stand in the file (docs/FORMAT.md). */
enum cn_codec_id { CN_CODEC_RAW = 0, CN_CODEC_PREDICTOR = 1 };

/* Packs one row. *bytes comes from `mem` and is the caller's. */
cairn_status cn_codec_pack(const cairn_map *map, const cairn_table *table, uint32_t row,
                           enum cn_codec_id codec, const cn_mem *mem, uint8_t **bytes,
                           size_t *size);

/* Unpacks one row into the table. The bytes are not trusted; every value is checked to be a
 * possible cost, not to be the right one (that is cairn_table_verify). CAIRN_E_VERSION for a
 * codec that this build does not have. */
cairn_status cn_codec_unpack(const cairn_map *map, cairn_table *table, uint32_t row,
                             uint32_t codec, const uint8_t *bytes, size_t size);

#endif
