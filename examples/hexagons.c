/*
 * A board of hexagons in axial coordinates, with a river that can be crossed at one ford only.
 * Units that cannot reach their goals are found beforehand; the paths of the others are found in a
 * batch.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 9, HEIGHT = 6, UNITS = 3 };

static const char board[] = "....@...."
                            "....@...."
                            "........."
                            "....@...."
                            "....@..@@"
                            "....@..@.";

/* Axial coordinates: q to the east, r down along the rows. */
typedef struct unit {
    const char *name;
    int32_t q, r;
    int32_t goal_q, goal_r;
} unit;

static const unit units[UNITS] = {
    {"scout", 0, 0, 8, 0}, {"archer", 2, 2, 4, 4}, {"ship", 0, 1, 6, 5}};

/* The queries of the units that can reach their goals; `which` tells whose they are. */
static size_t ask(const cairn_map *map, cairn_query *queries, const unit **which)
{
    size_t count = 0;
    for (const unit *each = units; each < units + UNITS; each++) {
        cairn_node start = cairn_node_at_axial(map, each->q, each->r);
        cairn_node goal = cairn_node_at_axial(map, each->goal_q, each->goal_r);
        if (!cairn_connected(map, start, goal)) {
            printf("%s: no path\n", each->name);
            continue;
        }
        queries[count] = (cairn_query){.start = start, .goal = goal};
        which[count++] = each;
    }
    return count;
}

static void show(const cairn_map *map, const unit *whose, const cairn_path *path)
{
    printf("%s: %.0f steps", whose->name, path->length);
    for (size_t i = 0; i < path->node_count; i++) {
        int32_t q, r;
        cairn_node_axial(map, path->nodes[i], &q, &r);
        printf(" %d,%d", (int)q, (int)r);
    }
    printf("\n");
}

static cairn_status move_units(const cairn_map *map, const cairn_table *table)
{
    cairn_query queries[UNITS];
    const unit *which[UNITS];
    cairn_batch *batch = NULL;

    size_t count = ask(map, queries, which);
    cairn_status status = cairn_search_batch(map, table, queries, count, NULL, 0, &batch);
    for (size_t i = 0; status == CAIRN_OK && i < cairn_batch_count(batch); i++)
        show(map, which[i], &cairn_batch_paths(batch)[i]);
    cairn_batch_free(batch);
    return status;
}

int main(void)
{
    cairn_map_options rules = {.size = sizeof rules, .rule = CAIRN_RULE_HEX, .metric = {1, 1}};
    cairn_build_options options = {.size = sizeof options, .landmark_count = 2};
    cairn_map *map = NULL;
    cairn_table *table = NULL;

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, board, &rules, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, &options, &table);
    if (status == CAIRN_OK)
        status = move_units(map, table);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
