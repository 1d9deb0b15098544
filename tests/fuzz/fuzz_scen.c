/* Scenarios in the Moving AI format, version 1. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cairn_map *map;
    cairn_scenario *scenario;
    cairn_error error;

    if (!map)
        map = fuzz_hall();
    cairn_status status = cairn_scenario_parse((const char *)data, size, map, &scenario, &error);
    if (status != CAIRN_OK) {
        FUZZ_CHECK(!scenario);
        fuzz_check_text_refusal(status, &error, size);
        return 0;
    }
    const cairn_query *queries = cairn_scenario_queries(scenario);
    for (size_t i = 0; i < cairn_scenario_count(scenario); i++) {
        FUZZ_CHECK(queries[i].start < cairn_map_node_count(map));
        FUZZ_CHECK(queries[i].goal < cairn_map_node_count(map));
        FUZZ_CHECK(queries[i].length >= 0 && queries[i].length <= 1e15);
    }
    cairn_scenario_free(scenario);
    return 0;
}
