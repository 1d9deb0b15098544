/* Road networks: the .gr format of the DIMACS challenge. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_memory memory;
    cairn_map_options options = {.size = sizeof options, .allocator = &memory.allocator};
    cairn_map *map;
    cairn_error error;

    fuzz_memory_init(&memory, ((size_t)8 << 20) + 64 * size);
    cairn_status status = cairn_roads_parse((const char *)data, size, NULL, 0, &options, &map,
                                            &error);
    if (status == CAIRN_OK) {
        FUZZ_CHECK(cairn_map_kind_of(map) == CAIRN_MAP_GRAPH);
        FUZZ_CHECK(cairn_map_arc_count(map) <= size / 7);
        fuzz_check_map(map);
    } else {
        FUZZ_CHECK(!map);
        fuzz_check_text_refusal(status, &error, size);
    }
    cairn_map_free(map);
    fuzz_memory_check(&memory);
    return 0;
}
