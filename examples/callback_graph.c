/*
 * A graph that callbacks describe: airports and flights. A callback lists the flights that leave an
 * airport; Cairn builds a table for the graph and finds the fastest connections. Then a flight
 * takes longer, and the table is repaired.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { AIRPORTS = 6 };

static const char *const airports[AIRPORTS] = {"Oslo", "Rome", "Cairo", "Delhi", "Tokyo", "Lima"};

typedef struct flight {
    cairn_node from;
    cairn_node to;
    cairn_cost minutes;
} flight;

/* Eastward is faster than westward, and the only flight from Lima is to Rome. */
static const flight flights[] = {
    {0, 1, 180}, {1, 0, 190}, {1, 2, 190}, {2, 1, 205},  {2, 3, 370}, {3, 2, 420},
    {3, 4, 460}, {4, 3, 540}, {0, 4, 790}, {4, 5, 1300}, {5, 1, 860},
};

static uint32_t flights_from(void *context, cairn_node airport, cairn_arc *arcs, uint32_t room)
{
    uint32_t count = 0;
    (void)context;
    for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
        if (flights[i].from != airport)
            continue;
        if (count < room) {
            arcs[count].to = flights[i].to;
            arcs[count].cost = flights[i].minutes;
        }
        count++;
    }
    return count;
}

static void print_path(const cairn_path *path)
{
    for (size_t i = 0; i < path->node_count; i++)
        printf("%s%s", i ? " - " : "", airports[path->nodes[i]]);
    printf(": %u minutes\n", path->cost);
}

static cairn_status show_connections(cairn_search *search)
{
    cairn_status status = CAIRN_OK;
    cairn_path path;

    for (cairn_node goal = 1; status == CAIRN_OK && goal < AIRPORTS; goal++) {
        status = cairn_search_run(search, 0, goal, &path);
        if (status == CAIRN_OK)
            print_path(&path);
    }
    return status;
}

/* A storm between Oslo and Tokyo. */
static cairn_status delay(cairn_map *map, cairn_table *table)
{
    const cairn_edit storm = cairn_arc_cost(0, 4, 1300);
    cairn_status status = cairn_map_edit(map, &storm, 1);
    return status == CAIRN_OK ? cairn_refresh_step(table, map, CAIRN_UNLIMITED) : status;
}

int main(void)
{
    cairn_callback_graph graph = {
        .size = sizeof graph, .node_count = AIRPORTS, .arcs = flights_from};
    cairn_build_options options = {.size = sizeof options, .landmark_count = 2};
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_search *search = NULL;

    cairn_status status = cairn_map_from_callbacks(&graph, NULL, &map);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, &options, &table);
    if (status == CAIRN_OK)
        status = cairn_table_verify(table, map, 1, NULL);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = show_connections(search);
    if (status == CAIRN_OK)
        status = delay(map, table);
    printf("With a storm:\n");
    if (status == CAIRN_OK)
        status = show_connections(search);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
