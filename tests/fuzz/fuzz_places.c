/* Coordinates of the nodes of a road network: the .co format of the DIMACS challenge. Whatever they
 * are, the bound that is made of them never exceeds a cost. */
#include "fuzz.h"

static const char roads[] =
    "p sp 6 10\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 8\na 3 4 1\na 4 5 268435455\na 5 4 3\n"
    "a 5 1 40\na 1 5 12\na 3 1 2\n";
enum { NODES = 6 };

static void check_bound(const cairn_map *map)
{
    cairn_cost costs[NODES];
    cairn_bound bound;

    for (cairn_node goal = 0; goal < NODES; goal++) {
        int32_t x, y;
        FUZZ_CHECK(cairn_node_place(map, goal, &x, &y));
        FUZZ_CHECK(cairn_costs_to(map, &goal, 1, costs) == CAIRN_OK);
        FUZZ_CHECK(cairn_bound_to(map, NULL, goal, &bound) == CAIRN_OK);
        for (cairn_node node = 0; node < NODES; node++)
            FUZZ_CHECK(cairn_bound_at(&bound, node) <= costs[node]);
        FUZZ_CHECK(cairn_bound_at(&bound, goal) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_map *map;
    cairn_error error;
    cairn_status status = cairn_roads_parse(roads, sizeof roads - 1, (const char *)data, size, NULL,
                                            &map, &error);
    if (status == CAIRN_OK && size > 0)
        check_bound(map);
    else if (status != CAIRN_OK)
        fuzz_check_text_refusal(status, &error, size);
    cairn_map_free(map);
    return 0;
}
