/*
 * A crowd that heads for two exits: one flow field serves all of it, whatever its size. When a wall
 * closes one exit, the field follows.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 12, HEIGHT = 5, UNITS = 4 };

static const char hall[] = "............"
                           ".@@@@@@@@@@."
                           "............"
                           ".@@@@@@@@@@."
                           "............";

/* Walks every unit to its exit and prints how many steps each took. */
static void walk(const cairn_map *map, const uint8_t *flow, const cairn_node units[UNITS])
{
    for (size_t i = 0; i < UNITS; i++) {
        cairn_node node = units[i], next;
        unsigned steps = 0;
        while ((next = cairn_flow_next(map, flow, node)) != CAIRN_NO_NODE) {
            node = next;
            steps++;
        }
        printf(" %u", flow[node] == CAIRN_FLOW_TARGET ? steps : 0);
    }
    printf("\n");
}

/* Makes a field to the exits of the hall, and repairs it when a wall is built. */
static cairn_status lead(cairn_map *map, cairn_flood *flood)
{
    const cairn_node exits[] = {cairn_node_at(map, 0, 0), cairn_node_at(map, 11, 4)};
    const cairn_node units[UNITS] = {cairn_node_at(map, 3, 0), cairn_node_at(map, 4, 2),
                                     cairn_node_at(map, 9, 2), cairn_node_at(map, 2, 4)};
    const cairn_edit wall = cairn_block(1, 0);
    const uint64_t hash = cairn_map_hash(map);
    uint8_t flow[WIDTH * HEIGHT];
    cairn_cost costs[WIDTH * HEIGHT];

    cairn_status status = cairn_flood_flow(flood, exits, 2, flow, costs);
    if (status != CAIRN_OK)
        return status;
    printf("steps to the exits:");
    walk(map, flow, units);

    status = cairn_map_edit(map, &wall, 1);
    if (status == CAIRN_OK)
        status = cairn_flow_repair(flood, exits, 2, hash, flow, costs);
    if (status != CAIRN_OK)
        return status;
    printf("with a wall:       ");
    walk(map, flow, units);
    return CAIRN_OK;
}

int main(void)
{
    cairn_map *map = NULL;
    cairn_flood *flood = NULL;

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, hall, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_flood_new(map, &flood);
    if (status == CAIRN_OK)
        status = lead(map, flood);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_flood_free(flood);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
