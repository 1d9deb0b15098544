/*
 * A turn-based game: which cells a unit can reach with its movement points, and what it costs to go
 * back from each of them to its base. 16-bit costs are enough for this, and both floods end where
 * their costs are no longer needed.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 16, HEIGHT = 7, POINTS = 50 };

static const char field[] = "................"
                            "..@@@@@@@@......"
                            "..@......@......"
                            "..@......@..@@@@"
                            "..@@@..@@@..@..."
                            "............@..."
                            "............@...";

/* '+' for cells in reach, '*' for those from which the remaining points lead back to the base. */
static void draw(const uint16_t *costs, const uint16_t *back)
{
    for (size_t node = 0; node < WIDTH * HEIGHT; node++) {
        char drawn = costs[node] == CAIRN_UNREACHABLE_16 ? field[node] : '+';
        if (drawn == '+' && costs[node] + back[node] <= POINTS)
            drawn = '*';
        printf("%c%s", drawn, node % WIDTH == WIDTH - 1 ? "\n" : "");
    }
}

static cairn_status show_reach(const cairn_map *map, cairn_flood *flood)
{
    const cairn_node unit = cairn_node_at(map, 5, 5), base = cairn_node_at(map, 1, 4);
    uint16_t costs[WIDTH * HEIGHT], back[WIDTH * HEIGHT];

    cairn_status status = cairn_flood_limit(flood, POINTS, NULL, 0);
    if (status == CAIRN_OK)
        status = cairn_flood_lend(flood, costs); /* so little is written from turn to turn */
    if (status == CAIRN_OK)
        status = cairn_flood_from_16(flood, &unit, 1, costs);
    if (status == CAIRN_OK)
        status = cairn_flood_to_16(flood, &base, 1, back);
    if (status == CAIRN_OK)
        draw(costs, back);
    return status;
}

int main(void)
{
    const cairn_map_options options = {.size = sizeof options, .metric = {10, 14}};
    cairn_map *map = NULL;
    cairn_flood *flood = NULL;

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, field, &options, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_flood_new(map, &flood);
    if (status == CAIRN_OK)
        status = show_reach(map, flood);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_flood_free(flood);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
