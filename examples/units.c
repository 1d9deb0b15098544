/*
 * Units of one cell and carts of 2 x 2 on one map. The carts have a map and a table of their own,
 * which follow when a gate is made wider. Then a cart stands in the gate, and others keep off it.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 12, HEIGHT = 8 };

static const char yard[] = "............"
                           "............"
                           "............"
                           "@@@@@.@@@@@."
                           "............"
                           "............"
                           "............"
                           "............";

/* Lets a search keep off a cart: no unit enters a node at which it would share a cell with it. */
static cairn_status keep_off(cairn_search *search, const cairn_map *map, const cairn_map *carts,
                             cairn_node cart)
{
    cairn_node nodes[9];
    uint32_t count = cairn_unit_anchors(map, carts, cart, nodes, 9);
    return cairn_search_avoid(search, nodes, NULL, count);
}

/* The way from one side of the wall to the other; with a cart at a node, unless CAIRN_NO_NODE. */
static cairn_status show(const char *name, const cairn_map *map, const cairn_table *table,
                         const cairn_map *carts, cairn_node cart)
{
    cairn_search *search = NULL;
    cairn_path path;
    cairn_status status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = keep_off(search, map, carts, cart);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, cairn_node_at(map, 3, 0), cairn_node_at(map, 3, 6),
                                  &path);
    if (status == CAIRN_OK && path.outcome == CAIRN_PATH_FOUND)
        printf("%s: %zu steps\n", name, path.node_count - 1);
    else if (status == CAIRN_OK)
        printf("%s: no path\n", name);
    cairn_search_free(search);
    return status;
}

static cairn_status show_both(const cairn_map *map, const cairn_map *carts,
                              const cairn_table *table, cairn_node cart)
{
    cairn_status status = show("a soldier", map, NULL, carts, cart);
    return status == CAIRN_OK ? show("a cart", carts, table, carts, cart) : status;
}

/* Prints how many cells lie below a cart, and how large a unit could stand in the gate. */
static cairn_status tell(const cairn_map *map, const cairn_map *carts)
{
    uint16_t clearance[WIDTH * HEIGHT];
    cairn_node cells[4];
    cairn_status status = cairn_clearance(map, CAIRN_ANCHOR_TOP_LEFT, clearance);
    if (status == CAIRN_OK)
        printf("a cart of size %u covers %u cells; the gate is for units of size %u\n",
               cairn_map_unit_size(carts), cairn_unit_cells(carts, 0, cells, 4),
               clearance[cairn_node_at(map, 5, 3)]);
    return status;
}

int main(void)
{
    cairn_map *map = NULL, *carts = NULL;
    cairn_table *table = NULL;
    cairn_edit widen = cairn_open(6, 3);

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, yard, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &carts);
    if (status == CAIRN_OK)
        status = cairn_table_build(carts, NULL, &table);
    if (status == CAIRN_OK)
        status = tell(map, carts);
    if (status == CAIRN_OK)
        status = show_both(map, carts, table, CAIRN_NO_NODE);
    if (status == CAIRN_OK)
        status = cairn_map_edit(map, &widen, 1); /* both maps change */
    if (status == CAIRN_OK)
        status = cairn_refresh_step(table, carts, CAIRN_UNLIMITED);
    if (status == CAIRN_OK)
        status = show_both(map, carts, table, CAIRN_NO_NODE);
    if (status == CAIRN_OK)
        printf("with a cart in the gate\n");
    if (status == CAIRN_OK)
        status = show_both(map, carts, table, cairn_node_at(map, 5, 3));
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_table_free(table);
    cairn_map_free(carts);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
