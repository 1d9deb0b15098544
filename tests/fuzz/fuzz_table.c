/* Table files from memory, and what becomes of the tables in them. */
#include "table_use.h"

static cairn_map *hall;

static void check_prefix(const uint8_t *data, size_t size, const cairn_load_options *limits,
                         const cairn_map *map, const cairn_table *table)
{
    cairn_load_options options = *limits;
    cairn_table *prefix;

    options.row_count = 1;
    options.map = map;
    FUZZ_CHECK(cairn_load_bytes(data, size, &options, NULL, &prefix, NULL) == CAIRN_OK);
    for (uint32_t row = 0; row < cairn_table_row_count(prefix); row++) {
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            FUZZ_CHECK(cairn_table_cost(prefix, row, node) == cairn_table_cost(table, row, node));
    }
    cairn_table_free(prefix);
}

static void load(const uint8_t *data, size_t size, const cairn_load_options *options,
                 fuzz_memory *memory)
{
    cairn_map *own = NULL;
    cairn_table *table = NULL;
    cairn_error error;
    bool has_map = true;
    uint32_t pick = fuzz_pick(data, size);

    cairn_status status = cairn_load_bytes(data, size, options, &own, &table, &error);
    if (status != CAIRN_OK) {
        FUZZ_CHECK(!own && !table);
        fuzz_check_refusal(status, &error);
        has_map = false;
        status = cairn_load_bytes(data, size, options, NULL, &table, &error);
    }
    cairn_map *map = own;
    if (!has_map && status == CAIRN_OK)
        FUZZ_CHECK(cairn_map_clone(hall, &map) == CAIRN_OK);
    if (fuzz_check_load(status, map, table, &error) == CAIRN_OK) {
        check_prefix(data, size, options, map, table);
        memory->most = SIZE_MAX / 2; /* what follows is not loading */
        if (pick % 4 == 0)
            fuzz_save_again(map, table);
        fuzz_use_table(map, table, pick);
    }
    cairn_table_free(table);
    cairn_map_free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_memory memory;
    cairn_load_options options = {.size = sizeof options,
                                  .thread_count = 1,
                                  .memory_limit = FUZZ_TABLE_LIMIT,
                                  .allocator = &memory.allocator};
    if (!hall)
        hall = fuzz_hall();
    options.map = hall;
    fuzz_memory_init(&memory, FUZZ_LOADING_LIMIT + 64 * size);
    load(data, size, &options, &memory);
    fuzz_memory_check(&memory);
    return 0;
}
