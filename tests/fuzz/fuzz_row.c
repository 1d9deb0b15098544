/* The decoders of rows: one byte chooses map and codec, the rest is the packed row. */
#include <zlib.h>

#include "row_worlds.h"

static cairn_status unpack(const row_world *with, uint32_t codec, const uint8_t *bytes, size_t size,
                           cairn_table *table)
{
    /* In rows in pairs, the second is the same bytes, read the other way. */
    cn_coded_row row = {.codec_id = codec,
                        .crc = (uint32_t)crc32_z(0, bytes, size),
                        .bytes = bytes,
                        .size = size,
                        .landmarks = {&with->landmark, 1}};
    cn_coded_row rows[2] = {row, row};
    return cn_codec_unpack_rows(&with->layout, table, rows, (cn_crew){.count = 1});
}

static void check_entries(const row_world *with, const cairn_table *table)
{
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        for (cairn_node node = 0; node < cairn_map_node_count(with->map); node++) {
            cairn_cost cost = cairn_table_cost(table, row, node);
            FUZZ_CHECK(cost <= CAIRN_COST_MAX || cost == CAIRN_UNREACHABLE);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_table *table;

    if (size == 0)
        return 0;
    const row_world *with = row_world_of(data[0]);
    uint32_t codec = data[0] / ROW_WORLDS % (CN_CODEC_COUNT + 1);
    if (!cn_codec_is_plausible(&with->layout, codec, size - 1))
        return 0;
    FUZZ_CHECK(cn_table_new(with->map, &with->layout.mem, with->row_count, with->layout.bits,
                            &table) == CAIRN_OK);
    cairn_status status = unpack(with, codec, data + 1, size - 1, table);
    if (status == CAIRN_OK)
        check_entries(with, table);
    else
        FUZZ_CHECK(status == CAIRN_E_FORMAT || status == CAIRN_E_VERSION);
    cairn_table_free(table);
    return 0;
}
