/*
 * Costs without paths: finds the worker that is nearest to each job, by the cost of the path around
 * walls. In place of a job that lies under a tree, the open cell nearest to it is used.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 12, HEIGHT = 5, WORKERS = 3, JOBS = 2, NEAR = 3 };

static const char site[] = "............"
                           ".@@@@@@@@@@."
                           "............"
                           ".@@@@@@@@@@."
                           "........TT..";

static void show(const cairn_map *map, const cairn_cost costs[WORKERS * JOBS])
{
    for (size_t job = 0; job < JOBS; job++) {
        size_t best = 0;
        for (size_t worker = 1; worker < WORKERS; worker++) {
            if (costs[worker * JOBS + job] < costs[best * JOBS + job])
                best = worker;
        }
        printf("job %zu: worker %zu, %.2f steps away\n", job, best,
               cairn_length(map, costs[best * JOBS + job]));
    }
}

int main(void)
{
    cairn_map *map = NULL;
    cairn_cost costs[WORKERS * JOBS];

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, site, NULL, &map, NULL);
    if (status == CAIRN_OK) {
        const cairn_node workers[WORKERS] = {cairn_node_at(map, 0, 0), cairn_node_at(map, 5, 2),
                                             cairn_node_at(map, 11, 0)};
        const cairn_node under_trees = cairn_node_at(map, 9, 4);
        const cairn_node jobs[JOBS] = {cairn_node_at(map, 8, 0),
                                       cairn_nearest_open(map, under_trees, NEAR, workers[0])};
        status = cairn_distances(map, NULL, workers, WORKERS, jobs, JOBS, 0, costs);
    }
    if (status == CAIRN_OK)
        show(map, costs);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
