/* Queries: on a grid scenarios in the Moving AI format, version 1, and on a graph those in the
 * format of the DIMACS challenge. Both readers take every input. */
#include "fuzz.h"

static cairn_map *small_roads(void)
{
    static const char text[] = "p sp 9 3\na 1 2 3\na 2 9 4\na 9 1 5\n";
    cairn_map *map;
    FUZZ_CHECK(cairn_map_parse(text, sizeof text - 1, NULL, &map, NULL) == CAIRN_OK);
    return map;
}

static void check_query(const cairn_map *map, const cairn_query *query)
{
    FUZZ_CHECK(query->start < cairn_map_node_count(map));
    FUZZ_CHECK(query->goal < cairn_map_node_count(map));
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        FUZZ_CHECK(query->length >= 0 && query->length <= 1e15);
    else
        FUZZ_CHECK(query->length == CAIRN_LENGTH_NONE && query->bucket == 0);
}

static void take(const char *text, size_t size, const cairn_map *map)
{
    cairn_scenario *scenario;
    cairn_error error;
    cairn_status status = cairn_scenario_parse(text, size, map, &scenario, &error);
    if (status != CAIRN_OK) {
        FUZZ_CHECK(!scenario);
        fuzz_check_text_refusal(status, &error, size);
        return;
    }
    FUZZ_CHECK(cairn_scenario_count(scenario) <= size / 5);
    for (size_t i = 0; i < cairn_scenario_count(scenario); i++)
        check_query(map, &cairn_scenario_queries(scenario)[i]);
    cairn_scenario_free(scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cairn_map *hall, *roads;

    if (!hall) {
        hall = fuzz_hall();
        roads = small_roads();
    }
    take((const char *)data, size, hall);
    take((const char *)data, size, roads);
    return 0;
}
